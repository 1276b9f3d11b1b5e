//! The learned capabilities of an endpoint: answer format, token limits, temperature, system messages.

use std::borrow::Cow;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};

use super::super::{ChatRequest, Speaker};
use super::transport::Failure;

/// The ways to request the form of an answer, from strict to plain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `response_format: json_schema`, strict: the endpoint guarantees the form.
    Schema,
    /// `response_format: json_object`, the schema in the prompt.
    Object,
    /// Only the schema in the prompt.
    Plain,
}

/// The known capabilities of an endpoint, and the resulting requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    pub(super) form: Form,
    /// The name of the token-limit field.
    limit: &'static str,
    /// True if the name of that field was changed already.
    limit_changed: bool,
    temperature: bool,
    /// True if system messages are sent as such; otherwise they become part of the user's.
    system: bool,
    /// The token limit within which an answer, including reasoning, was complete.
    least_tokens: u32,
    /// The highest token limit that the endpoint accepts.
    most_tokens: u32,
}

/// A rejection of the token limit has a word of each list.
const LIMIT: &[&str] =
    &["max_tokens", "max_completion_tokens", "completion tokens", "in the completion", "output tokens"];
const TOO_LARGE: &[&str] = &["too large", "at most", "maximum", "less than", "exceed", "range", "greater than"];
/// The lowest token limit that leaves room for an answer.
const MIN_LIMIT: u32 = 16;
const MAX_TOKENS: &str = "max_tokens";
const MAX_COMPLETION_TOKENS: &str = "max_completion_tokens";

/// Error texts of servers whose chat template lacks system messages.
const NO_SYSTEM: &[&str] = &[
    "system role",
    "role system",
    "role 'system'",
    "role `system`",
    "role \\\"system",
    "system message",
    "only user and assistant",
    "roles must alternate",
];

impl Dialect {
    /// Returns the first dialect to try. OpenAI's reasoning models reject `max_tokens`. Other servers may ignore its
    /// successor and answer without a bound.
    pub(super) fn first(openai: bool) -> Self {
        let limit = if openai { MAX_COMPLETION_TOKENS } else { MAX_TOKENS };
        Self {
            form: Form::Schema,
            limit,
            limit_changed: false,
            temperature: true,
            system: true,
            least_tokens: 0,
            most_tokens: u32::MAX,
        }
    }

    /// Returns the token limit to request for a wanted one.
    pub(super) fn tokens(&self, wanted: u32) -> u32 {
        wanted.max(self.least_tokens).min(self.most_tokens)
    }

    /// Returns the dialect for answers that need this token limit.
    pub(super) fn needing(self, wanted: u32) -> Self {
        Self { least_tokens: self.tokens(wanted), ..self }
    }

    /// Returns the body of a request.
    pub(super) fn body(&self, model: &str, request: &ChatRequest, wanted: u32) -> Value {
        let mut messages: Vec<(Speaker, Cow<'_, str>)> =
            request.messages.iter().map(|message| (message.speaker, Cow::from(&message.text))).collect();
        let mut body = json!({ "model": model, "stream": false, self.limit: self.tokens(wanted) });
        if self.temperature {
            // The conversion goes through text, because 0.1 would become 0.10000000149011612.
            body["temperature"] = request.temperature.to_string().parse::<f64>().map_or(Value::Null, Value::from);
        }
        if let Some(answer) = &request.answer {
            match self.form {
                Form::Schema => {
                    body["response_format"] = json!({
                        "type": "json_schema",
                        "json_schema": { "name": answer.name, "strict": true, "schema": answer.schema },
                    });
                }
                Form::Object => body["response_format"] = json!({ "type": "json_object" }),
                Form::Plain => {}
            }
            if self.form != Form::Schema {
                let text = format!(
                    "Answer with one JSON object and nothing else. It must follow this JSON schema:\n{}",
                    serde_json::to_string(&InOrder(&answer.schema)).unwrap_or_else(|_| answer.schema.to_string())
                );
                messages.push((Speaker::System, text.into()));
            }
        }
        if !self.system {
            messages = without_system(messages);
        }
        let role = |speaker| match speaker {
            Speaker::System => "system",
            Speaker::User => "user",
            Speaker::Assistant => "assistant",
        };
        let messages = messages.iter().map(|(speaker, text)| json!({ "role": role(*speaker), "content": text }));
        body["messages"] = messages.collect();
        if let Some(body) = body.as_object_mut() {
            body.extend(request.body.clone());
        }
        body
    }

    /// Returns the dialect to try after a rejection, if there is one.
    pub(super) fn instead(&self, failure: &Failure, request: &ChatRequest, wanted: u32) -> Option<Self> {
        let Failure::Status { status: status @ (400 | 422 | 500), body, .. } = failure else { return None };
        let structured = request.answer.is_some();
        if *status == 500 {
            // Some servers fail on a schema instead of rejecting it.
            return (structured && self.form != Form::Plain).then_some(Self { form: Form::Plain, ..*self });
        }
        let body = body.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| body.contains(word));
        let unsupported = says(&["unsupported", "not support", "unknown", "unrecognized", "not permitted", "instead"]);
        if unsupported && body.contains(self.limit) && !self.limit_changed {
            let limit = if self.limit == MAX_TOKENS { MAX_COMPLETION_TOKENS } else { MAX_TOKENS };
            return Some(Self { limit, limit_changed: true, ..*self });
        }
        let refused = self.tokens(wanted);
        if says(LIMIT) && says(TOO_LARGE) && refused / 2 >= MIN_LIMIT {
            return Some(Self { most_tokens: refused / 2, ..*self });
        }
        let chosen = request.body.contains_key("temperature");
        if unsupported && body.contains("temperature") && self.temperature && !chosen {
            return Some(Self { temperature: false, ..*self });
        }
        if self.system && says(NO_SYSTEM) {
            return Some(Self { system: false, ..*self });
        }
        let other_cause = says(&["context length", "context_length", "model_not_found", "api key", "api_key"]);
        match self.form {
            _ if !structured || other_cause => None,
            Form::Schema => Some(Self { form: Form::Object, ..*self }),
            Form::Object => Some(Self { form: Form::Plain, ..*self }),
            Form::Plain => None,
        }
    }
}

/// Turns system messages into user messages, and merges consecutive messages of one speaker.
fn without_system(messages: Vec<(Speaker, Cow<'_, str>)>) -> Vec<(Speaker, Cow<'_, str>)> {
    let mut merged: Vec<(Speaker, Cow<'_, str>)> = Vec::with_capacity(messages.len());
    for (speaker, text) in messages {
        let speaker = if speaker == Speaker::System { Speaker::User } else { speaker };
        match merged.last_mut() {
            Some((last, before)) if *last == speaker => {
                let before = before.to_mut();
                before.push_str("\n\n");
                before.push_str(&text);
            }
            _ => merged.push((speaker, text)),
        }
    }
    merged
}

/// JSON whose schemas list their properties in the order of `required`. Models write answers in the schema's order, and
/// the thought must come before the action.
pub(super) struct InOrder<'a>(pub(super) &'a Value);

impl Serialize for InOrder<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Object(object) => {
                let required = object.get("required").and_then(Value::as_array);
                let mut map = serializer.serialize_map(Some(object.len()))?;
                for (name, value) in object {
                    match (name.as_str(), value, required) {
                        ("properties", Value::Object(_), Some(required)) => {
                            map.serialize_entry(name, &Properties { properties: value, required })?;
                        }
                        _ => map.serialize_entry(name, &InOrder(value))?,
                    }
                }
                map.end()
            }
            Value::Array(items) => serializer.collect_seq(items.iter().map(InOrder)),
            plain => plain.serialize(serializer),
        }
    }
}

struct Properties<'a> {
    properties: &'a Value,
    required: &'a [Value],
}

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rank = |name: &str| self.required.iter().position(|required| required.as_str() == Some(name));
        let mut entries: Vec<(&String, &Value)> = self.properties.as_object().into_iter().flatten().collect();
        entries.sort_by_key(|(name, _)| rank(name).unwrap_or(usize::MAX));
        serializer.collect_map(entries.into_iter().map(|(name, value)| (name, InOrder(value))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A limit that an endpoint refuses is halved until it is accepted.
    #[test]
    fn a_refused_limit_is_halved() {
        let request: ChatRequest = serde_json::from_value(json!({
            "role": "actor", "messages": [], "answer": null, "temperature": 0.1, "max_tokens": 8192,
        }))
        .unwrap();
        let halved = |refusal: &str, wanted: u32| {
            let next = Dialect::first(false).instead(&Failure::status(400, None, refusal), &request, wanted);
            next.map(|next| next.tokens(wanted))
        };
        for refusal in [
            "max_tokens is too large: 8192. This model supports at most 4096 completion tokens, whereas you provided 8192.",
            "max_tokens: 8192 > 4096, which is the maximum allowed number of output tokens for claude-3-1000",
            "Invalid max_tokens value, the valid range of max_tokens is [1, 8000]",
            "`max_tokens` must be less than or equal to `4096`",
            "This model's maximum context length is 4096 tokens. However, you requested 9692 tokens (1500 in the messages, \
             8192 in the completion).",
        ] {
            assert_eq!(halved(refusal, 8192), Some(4096), "{refusal}");
            assert_eq!(halved(refusal, 20), None, "{refusal}");
        }
        assert_eq!(halved("This model's maximum context length is 10 tokens", 8192), None);
    }

    #[test]
    fn properties_follow_the_order_of_required() {
        let schema = json!({
            "properties": { "action": { "type": "string" }, "other": {}, "thought": { "type": "string" } },
            "required": ["thought", "action"],
        });
        let text = serde_json::to_string(&InOrder(&json!({ "a": [schema] }))).unwrap();
        assert_eq!(
            text,
            "{\"a\":[{\"properties\":{\"thought\":{\"type\":\"string\"},\"action\":{\"type\":\"string\"},\"other\":{}},\
             \"required\":[\"thought\",\"action\"]}]}"
        );
    }
}
