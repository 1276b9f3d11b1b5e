//! Checks the answers of a model; the error of a wrong answer is sent back to it.

use std::collections::BTreeSet;
use std::sync::Arc;

use ltlcrit_model::answer::{cut, nearest, object};
use ltlcrit_verifier::{Formula, syntax};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::frames::is_frame_word;
use crate::words::{Token, is_grammar, tokens};

/// Maximum number of segments in a sentence, and of expressions in a segment.
pub(crate) const MAX_PARTS: usize = 8;

/// An expression with its possible propositions.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Expression {
    pub words: String,
    pub propositions: Vec<Arc<str>>,
}

/// Reads a field of the JSON object in an answer.
fn field<T: DeserializeOwned>(answer: &str, name: &str) -> Result<T, String> {
    let mut object = object(answer).map_err(|error| error.to_string())?;
    let value = object.remove(name).ok_or_else(|| format!("the JSON object has no `{name}`"))?;
    serde_json::from_value(value).map_err(|error| format!("`{name}` is wrong: {error}"))
}

fn list<T: DeserializeOwned>(answer: &str, name: &str) -> Result<Vec<T>, String> {
    match field::<Vec<T>>(answer, name)? {
        all if all.is_empty() => Err(format!("`{name}` is empty")),
        all if all.len() > MAX_PARTS => Err(format!("`{name}` has more than {MAX_PARTS} elements")),
        all => Ok(all),
    }
}

/// Parses segments that together contain all words of the sentence.
pub(crate) fn segments(answer: &str, sentence: &str) -> Result<Vec<String>, String> {
    let words = |text: &str| -> BTreeSet<String> { tokens(text).into_iter().map(|token| token.text).collect() };
    let known = words(sentence);
    let mut segments = Vec::new();
    let mut used = BTreeSet::new();
    for segment in list::<String>(answer, "segments")? {
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
    for Expression { words, mut propositions } in list(answer, "expressions")? {
        let words = words.trim().to_owned();
        if words.is_empty() {
            return Err("an expression has no `words`".to_owned());
        }
        if !segment.to_lowercase().contains(&words.to_lowercase()) {
            return Err(format!("\"{}\" is not in the segment; repeat its exact words", cut(&words, 60)));
        }
        if let Some(name) = propositions.iter().find(|name| !known.contains(&&***name)) {
            let meant =
                nearest(name, known.iter().copied()).map_or(String::new(), |it| format!("; did you mean `{it}`?"));
            return Err(format!("`{}` is not one of the propositions{meant}", cut(name, 60)));
        }
        let mut seen = BTreeSet::new();
        propositions.retain(|name| seen.insert(name.clone()));
        if !expressions.iter().any(|other| other.words.eq_ignore_ascii_case(&words)) {
            expressions.push(Expression { words, propositions });
        }
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
    let text: String = field(answer, "formula")?;
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
