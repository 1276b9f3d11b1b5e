//! The query system: a model explains why an action is blocked (Safety Chip, section III-F and appendix F).
//!
//! The shield decides; the model explains. The answer is checked before the actor sees it. An answer that names a law
//! which the action does not break, or no law, is replaced by the computed reason.

use std::collections::BTreeSet;

use ltlcrit_model::answer::{self, cut};
use ltlcrit_verifier::{Law, LawId};

/// The maximum length of a model's explanation, in bytes.
const MAX_REASON: usize = 1_000;

/// The contents of a question about a blocked action.
#[derive(Clone, Debug)]
pub struct Query {
    /// The task in one sentence.
    pub task: String,
    /// The laws in force.
    pub laws: Vec<Law>,
    /// The last actions that ran, oldest first.
    pub valid: Vec<StateChange>,
    /// The number of actions that ran before those.
    pub earlier: usize,
    /// The blocked action.
    pub invalid: StateChange,
    /// The laws that a true answer can name: those that block the action, and those that the action itself would break.
    pub broken: BTreeSet<LawId>,
}

/// The states before, during and after an action, as far as the laws mention them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateChange {
    /// The name of the action.
    pub action: String,
    /// The states, in order.
    pub states: Vec<State>,
}

/// A state in a [`StateChange`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The literals of all propositions that laws mention, joined by `&`. Observations that are not known beforehand
    /// are left out.
    pub literals: String,
    /// True if no law is violated in it.
    pub safe: bool,
}

/// Parses the answer to a query into the explanation for the actor, or into the reason why it is replaced.
pub(super) fn read(answer: &str, query: &Query) -> Result<String, String> {
    let object = answer::object(answer).map_err(|error| error.to_string())?;
    let named = object.get("violated").and_then(|named| named.as_array()).ok_or("it has no list `violated`")?;
    let named: Vec<&str> = named.iter().filter_map(|name| name.as_str()).collect();
    if named.is_empty() {
        return Err("it names no law".to_owned());
    }
    for name in named {
        if !query.laws.iter().any(|law| *law.id == *name) {
            return Err(format!("it names `{}`, which is no law", cut(name, 80)));
        }
        if !query.broken.iter().any(|law| **law == *name) {
            return Err(not_broken(name));
        }
    }
    let reason = object.get("reason").and_then(|reason| reason.as_str()).map(str::trim).unwrap_or_default();
    if reason.is_empty() {
        return Err("it gives no reason".to_owned());
    }
    match mentioned_falsely(reason, query) {
        Some(law) => Err(not_broken(&law.id)),
        None => Ok(cut(reason, MAX_REASON)),
    }
}

fn not_broken(law: &str) -> String {
    format!("it names `{law}`, which the action does not break")
}

/// Finds a law that the action does not break and that a reason mentions by its name or by its text.
fn mentioned_falsely<'a>(reason: &str, query: &'a Query) -> Option<&'a Law> {
    let reason = words(reason);
    let names = |law: &Law| -> Vec<String> {
        let texts = [words(&law.id), words(&law.explanation)];
        // A single common word does not name a law.
        texts.into_iter().filter(|text| text.trim().contains(' ')).collect()
    };
    let (broken, kept): (Vec<&Law>, Vec<&Law>) = query.laws.iter().partition(|law| query.broken.contains(&law.id));
    let of_broken: Vec<String> = broken.into_iter().flat_map(names).collect();
    kept.into_iter().find(|law| {
        let is_named = |name: &String| reason.contains(name) && !of_broken.iter().any(|other| other.contains(name));
        names(law).iter().any(is_named)
    })
}

/// Converts a text to lower-case words, with a space around each.
fn words(text: &str) -> String {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.fold(" ".to_owned(), |text, word| text + &word.to_lowercase() + " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laws() -> Vec<Law> {
        let law = |id: &str, text: &str| Law::hard(id, "G !a".parse().unwrap(), text);
        vec![
            law("coffee-first", "you have to turn on coffee machine before picking up the book"),
            law("no-phone", "never pick up phone"),
            law("no-book", "never pick up phone or book"),
        ]
    }

    fn told(answer: &str, broken: &[&str]) -> Result<String, String> {
        let invalid = StateChange { action: "grab(book)".into(), states: Vec::new() };
        let broken = broken.iter().map(|id| (*id).into()).collect();
        read(answer, &Query { task: String::new(), laws: laws(), valid: Vec::new(), earlier: 0, invalid, broken })
    }

    #[test]
    fn a_true_answer_is_told_and_any_other_is_not() {
        let true_one = r#"Sure: {"violated": ["coffee-first"], "reason": " The coffee machine is off. "}"#;
        assert_eq!(told(true_one, &["coffee-first"]).unwrap(), "The coffee machine is off.");
        for (answer, why) in [
            ("", "empty"),
            ("The coffee machine is off.", "JSON"),
            (r#"{"reason": "It is off."}"#, "no list `violated`"),
            (r#"{"violated": [], "reason": "It is off."}"#, "names no law"),
            (r#"{"violated": ["be-nice"], "reason": "It is off."}"#, "`be-nice`, which is no law"),
            (
                r#"{"violated": ["coffee-first", "no-phone"], "reason": "x"}"#,
                "`no-phone`, which the action does not break",
            ),
            (r#"{"violated": ["coffee-first"], "reason": ""}"#, "gives no reason"),
            (r#"{"violated": ["coffee-first"], "reason": "It breaks “Never pick up phone”."}"#, "`no-phone`, which"),
            (r#"{"violated": ["coffee-first"], "reason": "Law no-phone forbids it."}"#, "`no-phone`, which"),
        ] {
            let refused = told(answer, &["coffee-first"]).unwrap_err();
            assert!(refused.contains(why), "{answer}: {refused}");
        }
    }

    /// A law's words that are part of a broken law's words name the broken law.
    #[test]
    fn a_law_within_a_broken_one_is_not_named() {
        let answer = r#"{"violated": ["no-book"], "reason": "It says: never pick up phone or book."}"#;
        assert!(told(answer, &["no-book"]).is_ok());
    }
}
