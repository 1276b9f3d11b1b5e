//! Checks the answers of a model; the error of a wrong answer is sent back to it.

use std::collections::BTreeSet;
use std::sync::Arc;

use ltlcrit_model::answer::{cut, nearest, object};
use ltlcrit_verifier::{Formula, syntax};
use serde_json::Value;

use crate::frames::is_frame_word;
use crate::words::{Token, is_grammar, tokens};

/// Maximum number of segments in a sentence, and of expressions in a segment.
pub(crate) const MAX_PARTS: usize = 8;

/// An expression with its possible propositions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expression {
    pub words: String,
    pub propositions: Vec<Arc<str>>,
}

fn field(answer: &str, name: &str) -> Result<Value, String> {
    let mut object = object(answer).map_err(|error| error.to_string())?;
    object.remove(name).ok_or_else(|| format!("the JSON object has no `{name}`"))
}

fn list(answer: &str, name: &str) -> Result<Vec<Value>, String> {
    match field(answer, name)? {
        Value::Array(all) if all.is_empty() => Err(format!("`{name}` is empty")),
        Value::Array(all) if all.len() > MAX_PARTS => Err(format!("`{name}` has more than {MAX_PARTS} elements")),
        Value::Array(all) => Ok(all),
        _ => Err(format!("`{name}` is not a list")),
    }
}

/// Parses segments that together contain all words of the sentence.
pub(crate) fn segments(answer: &str, sentence: &str) -> Result<Vec<String>, String> {
    let words = |text: &str| -> BTreeSet<String> { tokens(text).into_iter().map(|token| token.text).collect() };
    let known = words(sentence);
    let mut segments = Vec::new();
    let mut used = BTreeSet::new();
    for segment in list(answer, "segments")? {
        let Value::String(segment) = segment else { return Err("a segment is not a string".to_owned()) };
        let own = words(&segment);
        if let Some(strange) = own.iter().find(|word| !known.contains(*word)) {
            return Err(format!("`{}` is not in the sentence; repeat its words", cut(strange, 40)));
        }
        used.extend(own);
        segments.push(segment.trim().to_owned());
    }
    // "Never a or b" means "never a" and "never b"; "a or b" alone means neither.
    let denies = |segment: &String| tokens(segment).iter().any(Token::denies);
    let may_be_lost = |word: &str| match word {
        "or" => segments.iter().all(denies),
        mark => [",", ".", ";", ":", "and", "but", "then", "1"].contains(&mark),
    };
    if let Some(lost) = known.iter().find(|word| !used.contains(*word) && !may_be_lost(word)) {
        return Err(format!("`{}` of the sentence is in no segment", cut(lost, 40)));
    }
    if segments.iter().any(String::is_empty) {
        return Err("a segment is empty".to_owned());
    }
    Ok(segments)
}

/// Parses expressions that cover all words of the segment except grammar. Their propositions must be among `known`.
pub(crate) fn expressions(answer: &str, segment: &str, known: &[&str]) -> Result<Vec<Expression>, String> {
    let mut expressions: Vec<Expression> = Vec::new();
    for one in list(answer, "expressions")? {
        let Some(words) = one.get("words").and_then(Value::as_str).map(str::trim).filter(|words| !words.is_empty())
        else {
            return Err("an expression has no `words`".to_owned());
        };
        if !segment.to_lowercase().contains(&words.to_lowercase()) {
            return Err(format!("\"{}\" is not in the segment; repeat its exact words", cut(words, 60)));
        }
        let Some(Value::Array(all)) = one.get("propositions") else {
            return Err(format!("\"{}\" has no list of `propositions`", cut(words, 60)));
        };
        let mut propositions: Vec<Arc<str>> = Vec::new();
        for name in all {
            let name = name.as_str().unwrap_or_default();
            if !known.contains(&name) {
                let meant =
                    nearest(name, known.iter().copied()).map_or(String::new(), |it| format!("; did you mean `{it}`?"));
                return Err(format!("`{}` is not one of the propositions{meant}", cut(name, 60)));
            }
            if !propositions.iter().any(|other| **other == *name) {
                propositions.push(name.into());
            }
        }
        if expressions.iter().any(|other| other.words.eq_ignore_ascii_case(words)) {
            continue;
        }
        expressions.push(Expression { words: words.to_owned(), propositions });
    }
    let read: Vec<Token> = expressions.iter().flat_map(|one| tokens(&one.words)).collect();
    let is_read = |word: &str| is_grammar(word) || is_frame_word(word) || read.iter().any(|token| token.text == word);
    match tokens(segment).iter().find(|token| !is_read(&token.text)) {
        Some(lost) => Err(format!(
            "`{}` is in no expression; only words about time, order, number and obligation may be left out",
            cut(&lost.text, 40)
        )),
        None => Ok(expressions),
    }
}

/// Parses a formula that uses exactly these placeholders.
pub(crate) fn formula(answer: &str, placeholders: &[String]) -> Result<Formula, String> {
    let Value::String(text) = field(answer, "formula")? else { return Err("`formula` is not a string".to_owned()) };
    let formula = syntax::parse(&text).map_err(|error| format!("the formula cannot be read: {error}"))?;
    let atoms = formula.atoms();
    if let Some(strange) = atoms.iter().find(|atom| !placeholders.iter().any(|known| **known == ***atom)) {
        return Err(format!("`{}` is not a placeholder; use {}", cut(strange, 40), placeholders.join(", ")));
    }
    if let Some(lost) = placeholders.iter().find(|known| !atoms.contains(known.as_str())) {
        return Err(format!("the formula does not use {lost}"));
    }
    Ok(formula)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_say_what_the_sentence_says() {
        let sentence = "never touch the stove, and visit the study";
        let good = r#"{"segments": ["never touch the stove", "visit the study"]}"#;
        assert_eq!(segments(good, sentence).unwrap().len(), 2);
        for (answer, why) in [
            (r#"{"segments": ["never touch the stove"]}"#, "`study` of the sentence is in no segment"),
            (
                r#"{"segments": ["always touch the stove", "visit the study"]}"#,
                "`always` is not in the sentence; repeat its words",
            ),
            (r#"{"segments": []}"#, "`segments` is empty"),
            ("sure", "there is no JSON object in the answer"),
        ] {
            assert_eq!(segments(answer, sentence).unwrap_err(), why);
        }
    }

    #[test]
    fn expressions_are_in_the_segment_and_propositions_in_the_vocabulary() {
        let known = ["is_touched(stove)", "agent_at(study)"];
        let read = |answer: &str| expressions(answer, "never touch the stove", &known);
        let good = r#"{"expressions": [{"words": "touch the stove", "propositions": ["is_touched(stove)"]}]}"#;
        assert_eq!(read(good).unwrap()[0].words, "touch the stove");
        let strange = r#"{"expressions": [{"words": "touch the stove", "propositions": ["is_touched(oven)"]}]}"#;
        assert!(read(strange).unwrap_err().contains("did you mean `is_touched(stove)`?"));
        let elsewhere = r#"{"expressions": [{"words": "open the door", "propositions": []}]}"#;
        assert!(read(elsewhere).unwrap_err().contains("is not in the segment"));
    }

    #[test]
    fn formulas_are_over_the_placeholders() {
        let placeholders = ["A1".to_owned(), "B1".to_owned()];
        assert!(formula(r#"{"formula": "!A1 W B1"}"#, &placeholders).is_ok());
        for (answer, why) in [
            (r#"{"formula": "!A1 W"}"#, "the formula cannot be read"),
            (r#"{"formula": "!A1 W C1"}"#, "`C1` is not a placeholder; use A1, B1"),
            (r#"{"formula": "G !A1"}"#, "the formula does not use B1"),
            (r#"{"law": "G !A1"}"#, "the JSON object has no `formula`"),
        ] {
            let error = formula(answer, &placeholders).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }
}
