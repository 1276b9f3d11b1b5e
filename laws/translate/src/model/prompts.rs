//! The prompts of the model engine: their texts, their hash, and their requests.

use ltlcrit_model::{AnswerSchema, ChatRequest, Message, Role, Speaker};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// The prompt that splits a sentence.
pub(crate) const SEGMENTS: &str = include_str!("../../prompts/segments.md");
/// The prompt that recognises and grounds expressions.
pub(crate) const GROUNDING: &str = include_str!("../../prompts/grounding.md");
/// The prompt that turns a segment with placeholders into a formula.
pub(crate) const LIFTED: &str = include_str!("../../prompts/lifted.md");

/// Maximum number of tokens of an answer.
const MAX_TOKENS: u32 = 1_024;
/// The sampling temperature: zero for the most likely answer.
const TEMPERATURE: f32 = 0.0;

/// Returns the shortened hash of all prompts, in hexadecimal.
pub(crate) fn hash() -> String {
    let mut hasher = Sha256::new();
    for prompt in [SEGMENTS, GROUNDING, LIFTED] {
        hasher.update(prompt.as_bytes());
        hasher.update([0]);
    }
    hasher.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// Builds a request: the prompt of a stage, the text, and the schema of the answer.
pub(crate) fn question(prompt: &str, text: String, name: &str, schema: Value) -> ChatRequest {
    ChatRequest {
        role: Role::Translator,
        messages: vec![message(Speaker::System, prompt.to_owned()), message(Speaker::User, text)],
        answer: Some(AnswerSchema { name: name.to_owned(), schema }),
        temperature: TEMPERATURE,
        max_tokens: MAX_TOKENS,
        body: Default::default(),
    }
}

/// Builds a message of a conversation.
pub(crate) fn message(speaker: Speaker, text: String) -> Message {
    Message { speaker, text }
}

fn object(name: &str, value: Value) -> Value {
    let mut properties = serde_json::Map::new();
    properties.insert(name.to_owned(), value);
    json!({ "type": "object", "properties": properties, "required": [name], "additionalProperties": false })
}

/// Returns the schema of the answer with segments.
pub(crate) fn segments_schema() -> Value {
    object("segments", json!({ "type": "array", "items": { "type": "string" } }))
}

/// Returns the schema of the answer with expressions, constrained to these propositions.
pub(crate) fn expressions_schema(propositions: &[&str]) -> Value {
    let expression = json!({
        "type": "object",
        "properties": {
            "words": { "type": "string" },
            "propositions": { "type": "array", "items": { "type": "string", "enum": propositions } }
        },
        "required": ["words", "propositions"],
        "additionalProperties": false
    });
    object("expressions", json!({ "type": "array", "items": expression }))
}

/// Returns the schema of the answer with a formula.
pub(crate) fn formula_schema() -> Value {
    object("formula", json!({ "type": "string" }))
}
