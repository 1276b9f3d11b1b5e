//! Expands "every room", "any device", "no container" into one segment for each object of a kind.

use std::sync::Arc;

use crate::lexicon::{Lexicon, Object};
use crate::noun::{Fit, fit};
use crate::words::{Token, begins, table, tokens};

/// A segment about a kind of objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Quantified<'a> {
    /// The segment for each object.
    pub each: Vec<(&'a Object, Vec<Token>)>,
    /// The kind of the objects.
    pub kind: Arc<str>,
    /// The words that name the kind.
    pub words: String,
    /// True if each object is clearly meant: "any" in a prohibition or condition, "every" otherwise.
    pub is_plain: bool,
}

/// Returns the quantified noun of a segment, if it has one.
pub(crate) fn quantified<'a>(lexicon: &'a Lexicon, segment: &[Token]) -> Option<Quantified<'a>> {
    for (determiner, _) in table("determiners").iter().rev() {
        for start in 0..segment.len() {
            let Some(length) = begins(&segment[start..], determiner) else { continue };
            let noun = start + length;
            for length in [2, 1] {
                let Some(said) = segment.get(noun..noun + length) else { continue };
                let said: Vec<String> = said.iter().map(|token| token.text.clone()).collect();
                let is_said = |kind: &&Arc<str>| {
                    let words: Vec<String> = kind.split(' ').map(str::to_owned).collect();
                    matches!(fit(&said, &words), Some(Fit::Exact | Fit::Form))
                };
                let objects: Vec<&Object> =
                    lexicon.objects().iter().filter(|object| object.kinds.iter().any(|kind| is_said(&kind))).collect();
                let Some(kind) = objects.iter().flat_map(|object| &object.kinds).find(is_said).cloned() else {
                    continue;
                };
                let is_condition = ["if", "when", "whenever", "once", "after", "while", "unless", "before", "until"]
                    .iter()
                    .any(|word| segment[..start].iter().any(|token| token.is(word)));
                let is_denied = segment.iter().any(|token| token.is("not") || token.is("never"));
                let is_plain = match *determiner {
                    "any" => is_denied || is_condition,
                    "no" => !is_denied,
                    _ => !is_denied || is_condition,
                };
                let with = |object: &'a Object| {
                    let mut words = segment.to_vec();
                    let noun_words = object.nouns.first().map_or_else(Vec::new, |noun| tokens(&format!("the {noun}")));
                    words.splice(start..noun + length, noun_words);
                    if *determiner == "no" {
                        let never = Token { text: "never".to_owned(), span: 0..0, is_name: false };
                        words.insert(0, never);
                    }
                    (object, words)
                };
                let each = objects.into_iter().map(with).collect();
                return Some(Quantified { each, kind, words: format!("{determiner} {}", said.join(" ")), is_plain });
            }
        }
    }
    None
}
