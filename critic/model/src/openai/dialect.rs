//! The request parameters that an endpoint supports: answer format, token limit, temperature, system messages.

use std::borrow::Cow;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::{Value, json};

use super::super::{ChatRequest, Role, Speaker};
use super::transport::Failure;

/// The way to request the form of an answer, from strict to plain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `response_format: json_schema`, strict: the endpoint guarantees the form.
    Schema,
    /// `response_format: json_object`, the schema in the prompt.
    Object,
    /// The schema in the prompt and nothing else.
    Plain,
}

/// The request parameters for an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Dialect {
    pub(super) form: Form,
    /// The name of the field that bounds the answer.
    limit: &'static str,
    /// Whether the limit's name was changed already.
    limit_changed: bool,
    temperature: bool,
    /// Whether messages of the system are sent as such; otherwise they become part of the user's.
    system: bool,
}

const MAX_TOKENS: &str = "max_tokens";
const MAX_COMPLETION_TOKENS: &str = "max_completion_tokens";

/// What servers say whose chat template has no system message.
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
    /// The first dialect to try. OpenAI's reasoning models refuse `max_tokens`; other servers may ignore its successor
    /// and answer without a bound.
    pub(super) fn first(openai: bool) -> Self {
        let limit = if openai { MAX_COMPLETION_TOKENS } else { MAX_TOKENS };
        Self { form: Form::Schema, limit, limit_changed: false, temperature: true, system: true }
    }

    /// The request's body.
    pub(super) fn body(&self, model: &str, request: &ChatRequest) -> Value {
        if request.role == Role::Embedder {
            let texts: Vec<&str> = request.messages.iter().map(|message| message.text.as_str()).collect();
            return json!({ "model": model, "input": texts });
        }
        let mut messages: Vec<(Speaker, Cow<'_, str>)> =
            request.messages.iter().map(|message| (message.speaker, Cow::from(&message.text))).collect();
        let mut body = json!({ "model": model, "stream": false, self.limit: request.max_tokens });
        if self.temperature {
            // Converted through text, because 0.1 would become 0.10000000149011612.
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
        body
    }

    /// The dialect to try after a refusal, if any.
    pub(super) fn instead(&self, failure: &Failure, structured: bool) -> Option<Self> {
        let Failure::Status { status: 400 | 422, body, .. } = failure else { return None };
        let body = body.to_lowercase();
        let says = |words: &[&str]| words.iter().any(|word| body.contains(word));
        let unsupported = says(&["unsupported", "not support", "unknown", "unrecognized", "not permitted", "instead"]);
        if unsupported && body.contains(self.limit) && !self.limit_changed {
            let limit = if self.limit == MAX_TOKENS { MAX_COMPLETION_TOKENS } else { MAX_TOKENS };
            return Some(Self { limit, limit_changed: true, ..*self });
        }
        if unsupported && body.contains("temperature") && self.temperature {
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

/// The same messages with those of the system as the user's; of several by one speaker in a row one is made.
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
/// a thought must come before the action.
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
