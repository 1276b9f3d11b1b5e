//! Tolerant parsing of answers: JSON in fences, in prose, or with trailing commas. Answers are untrusted: all work is
//! bounded and nothing panics.

use serde_json::Value;
use thiserror::Error;

/// Maximum size of an answer, in bytes.
pub(crate) const MAX_ANSWER: usize = 256 * 1024;

/// Maximum number of opening braces tried as the beginning of an object.
const MAX_STARTS: usize = 32;

/// The reason why an answer cannot be read as JSON.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum Unreadable {
    /// It is empty, or only white space.
    #[error("the answer is empty")]
    Empty,
    /// It is longer than [`MAX_ANSWER`].
    #[error("the answer has {bytes} bytes, at most {MAX_ANSWER} are read; answer briefly")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
    /// It contains no JSON object.
    #[error("there is no JSON object in the answer")]
    NoObject,
    /// It contains an object that is not JSON.
    #[error("the JSON object in the answer is broken: {0}")]
    Broken(String),
}

/// Reads the JSON object of an answer: the whole answer, a fenced block, or the last object in surrounding prose.
/// Trailing commas are accepted.
///
/// # Errors
/// An empty or overlong answer, or one without a readable object.
pub fn object(answer: &str) -> Result<serde_json::Map<String, Value>, Unreadable> {
    // The list of objects is not empty.
    objects(answer)?.pop().ok_or(Unreadable::NoObject)
}

/// Reads all JSON objects of an answer, in order; at least one. Nested objects are not included.
///
/// # Errors
/// The errors of [`object`].
pub fn objects(answer: &str) -> Result<Vec<serde_json::Map<String, Value>>, Unreadable> {
    if answer.len() > MAX_ANSWER {
        return Err(Unreadable::TooLong { bytes: answer.len() });
    }
    let text = answer.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
    if text.is_empty() {
        return Err(Unreadable::Empty);
    }
    if let Ok(map) = parse(text) {
        return Ok(vec![map]);
    }
    let mut found = Vec::new();
    let mut broken = None;
    let mut from = 0;
    for _ in 0..MAX_STARTS {
        let Some(start) = text[from..].find('{').map(|offset| from + offset) else { break };
        let Some(length) = balanced(&text[start..]) else {
            broken.get_or_insert_with(|| "it ends early".to_owned());
            from = start + 1;
            continue;
        };
        match parse(&text[start..start + length]) {
            Ok(map) => {
                found.push(map);
                from = start + length;
            }
            Err(why) => {
                broken.get_or_insert(why);
                from = start + 1;
            }
        }
    }
    match broken {
        _ if !found.is_empty() => Ok(found),
        Some(why) => Err(Unreadable::Broken(why)),
        None => Err(Unreadable::NoObject),
    }
}

/// A list in an answer: the value of `field`, or a list that is the answer's first JSON.
#[derive(Clone, Debug, PartialEq)]
pub struct List {
    /// The elements, in order.
    pub elements: Vec<Value>,
    /// The unread rest of the answer, if the list is incomplete or stops being JSON.
    pub rest: Option<String>,
}

/// Reads a list from an answer. An incomplete list is read up to its last complete element.
///
/// Returns `None` if the answer is too long or has no such list.
pub fn list(answer: &str, field: &str) -> Option<List> {
    let text = answer.trim();
    if answer.len() > MAX_ANSWER {
        return None;
    }
    let quoted = format!("\"{field}\"");
    let value = text
        .match_indices(&quoted)
        .find_map(|(at, _)| text[at + quoted.len()..].trim_start().strip_prefix(':')?.trim_start().strip_prefix('['));
    let bare = || {
        let (before, list) = text.split_once('[')?;
        (!before.contains('{') && list.trim_start().starts_with(['{', ']'])).then_some(list)
    };
    let mut rest = value.or_else(bare)?;
    let mut elements = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c == ',');
        if rest.starts_with(']') {
            return Some(List { elements, rest: None });
        }
        let element = balanced(rest).filter(|_| rest.starts_with('{')).and_then(|length| {
            let (element, after) = rest.split_at(length);
            Some((parse(element).ok()?, after))
        });
        match element {
            Some((element, after)) => {
                elements.push(Value::Object(element));
                rest = after;
            }
            None => return Some(List { elements, rest: Some(rest.to_owned()) }),
        }
    }
}

/// Returns the candidate most similar to a misspelt name, if any is similar.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name: String = name.chars().take(80).collect();
    candidates
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(&name, candidate), candidate))
        .filter(|(similarity, _)| *similarity >= 0.75)
        .reduce(|best, next| if next.0 > best.0 { next } else { best })
        .map(|(_, candidate)| candidate)
}

/// Returns at most the first `max` bytes of a text, in whole characters, with an ellipsis after a cut.
pub fn cut(text: &str, max: usize) -> String {
    if text.len() <= max {
        return text.to_owned();
    }
    let mut end = max;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}…", &text[..end])
}

/// Returns the length of the JSON object at the beginning of a text.
pub(super) fn first_object(text: &str) -> Option<usize> {
    balanced(text).filter(|length| parse(&text[..*length]).is_ok())
}

fn parse(text: &str) -> Result<serde_json::Map<String, Value>, String> {
    let strict = match serde_json::from_str(text) {
        Ok(map) => return Ok(map),
        Err(error) => error.to_string(),
    };
    serde_json::from_str(&without_trailing_commas(text)).map_err(|_| strict)
}

/// Returns the characters of a text outside of its JSON strings, each with its position.
fn outside_strings(text: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut quoted, mut escaped) = (false, false);
    text.char_indices().filter(move |(_, c)| {
        let was_quoted = quoted;
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ => {}
        }
        !was_quoted && !quoted
    })
}

/// Returns the length of the object that begins here, if it ends. Braces in strings do not count.
fn balanced(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (position, c) in outside_strings(text) {
        match c {
            '{' => depth += 1,
            '}' => {
                // A closing brace without an opening one does not end an object.
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(position + 1);
                }
            }
            _ => {}
        }
    }
    None
}

fn without_trailing_commas(text: &str) -> String {
    let is_trailing = |at: usize| text[at + 1..].trim_start().starts_with(['}', ']']);
    let commas = outside_strings(text).filter(|(at, c)| *c == ',' && is_trailing(*at)).map(|(at, _)| at);
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    for comma in commas {
        kept.push_str(&text[from..comma]);
        from = comma + 1;
    }
    kept + &text[from..]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn readable_answers() {
        for answer in [
            r#"{"action": "a"}"#,
            "```json\n{\"action\": \"a\"}\n```",
            "Sure! I will do this:\n{\"action\": \"a\",}\nGood luck.",
            "\u{feff} {\"action\":\"a\"} ",
            "First {braces} in prose, then {\"action\": \"a\", \"why\": \"a } in a string\"}",
            "{\"action\": \"b\"} No, wait: {\"action\": \"a\"}",
        ] {
            assert_eq!(object(answer).unwrap()["action"], "a", "{answer}");
        }
    }

    #[test]
    fn unreadable_answers_say_why() {
        assert_eq!(object(" \n"), Err(Unreadable::Empty));
        assert_eq!(object("action_mine_log"), Err(Unreadable::NoObject));
        assert_eq!(object("[1, 2]"), Err(Unreadable::NoObject));
        assert_eq!(object("{\"action\": \"a"), Err(Unreadable::Broken("it ends early".into())));
        assert!(matches!(object("{\"action\": a}"), Err(Unreadable::Broken(_))));
        assert_eq!(object(&"x".repeat(1 << 20)), Err(Unreadable::TooLong { bytes: 1 << 20 }));
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(10_000), "]".repeat(10_000));
        assert!(matches!(object(&deep), Err(Unreadable::Broken(_))));
    }

    #[test]
    fn lists_are_read_as_far_as_they_go() {
        let elements = |answer: &str| list(answer, "changes").map(|list| (list.elements.len(), list.rest));
        let whole = r#"{"analysis": "[1] \"changes\": [", "changes": [{"a": 1}, {"a": "]"},]}"#;
        assert_eq!(elements(whole), Some((2, None)));
        assert_eq!(elements("Sure:\n```json\n[{\"a\": 1}, {\"b\": []}]\n```"), Some((2, None)));
        assert_eq!(elements("[]"), Some((0, None)));
        let cut = &whole[..whole.len() - 6];
        assert_eq!(elements(cut), Some((1, Some("{\"a\": \"".to_owned()))));
        assert_eq!(elements("{\"changes\": ["), Some((0, Some(String::new()))));
        for none in ["", "{\"analysis\": \"long", "I would [not] do that", "{\"other\": [{}]}", "{\"changes\": 7}"] {
            assert_eq!(elements(none), None, "{none}");
        }
    }

    #[test]
    fn near_names() {
        assert_eq!(
            nearest("action_mine_wood", ["action_mine_log", "action_equip_iron_pickaxe"]),
            Some("action_mine_log")
        );
        assert_eq!(nearest("zzz", ["action_mine_log"]), None);
    }

    proptest! {
        #[test]
        fn reading_never_panics(text in "\\PC{0,200}") {
            let _ = (object(&text), list(&text, "a"));
            let _ = cut(&text, 7);
        }

        #[test]
        fn reading_never_panics_on_jsonish_text(text in "[{}\\[\\]\",:\\\\ a1\n`]{0,200}") {
            let _ = (object(&text), list(&text, "a"));
        }

        #[test]
        fn any_object_is_found_in_any_fence(value in "[a-z ]{0,20}", before in "[^{}\"]{0,40}", after in "[^{}\"]{0,40}") {
            let object_text = serde_json::json!({ "action": value }).to_string();
            let found = object(&format!("{before}\n```json\n{object_text}\n```\n{after}")).unwrap();
            prop_assert_eq!(&found["action"], &Value::String(value));
        }
    }
}
