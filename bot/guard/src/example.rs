//! Examples in a book: `deny: git push`, `allow: Read {"file_path": "a"} => Write {"file_path": "a"}`.

use serde_json::{Value, json};

/// A session and what is to become of its last call. The calls before it succeed.
#[derive(Clone, Debug)]
pub struct Example {
    /// `deny`, `ask` or `allow`.
    pub expected: String,
    /// The calls: a tool with its input, or `stop`.
    pub calls: Vec<Option<(String, Value)>>,
}

impl Example {
    /// Reads an example.
    ///
    /// # Errors
    /// The fault, and what would be right.
    pub fn parse(text: &str) -> Result<Self, (String, String)> {
        let form = "write \"deny: git push\", or \"allow: Read {\\\"file_path\\\": \\\"a\\\"} => git push\"";
        let Some((expected, calls)) = text.split_once(':') else {
            return Err(("the example does not say what is expected".into(), form.into()));
        };
        let expected = expected.trim().to_owned();
        if !["allow", "ask", "deny"].contains(&expected.as_str()) {
            return Err((
                format!("an example cannot expect `{expected}`"),
                "begin it with `deny:`, `ask:` or `allow:`".into(),
            ));
        }
        let mut read = Vec::new();
        for call in calls.split("=>").map(str::trim) {
            let tool = call.split_once(' ').filter(|(_, input)| input.trim_start().starts_with('{'));
            read.push(match tool {
                _ if call == "stop" => None,
                Some((tool, input)) => match serde_json::from_str(input) {
                    Ok(input) => Some((tool.to_owned(), input)),
                    Err(error) => return Err((format!("the input of `{tool}` is not JSON: {error}"), form.into())),
                },
                None if call.is_empty() => return Err(("a call is missing".into(), form.into())),
                None => Some(("Bash".to_owned(), json!({ "command": call }))),
            });
        }
        Ok(Self { expected, calls: read })
    }
}
