//! Parses noun phrases: articles, numbers, and the nouns themselves.

use crate::words::{Token, is_in, meaning, singular};

/// A noun phrase of a sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NounPhrase {
    /// The words of the noun.
    pub words: Vec<String>,
    /// True after "no": "no fuel".
    pub is_none: bool,
    /// The number, if one is given: "3 planks", "at least 3 planks", "3 or more planks".
    pub number: Option<u32>,
}

impl NounPhrase {
    /// Parses a noun phrase; `None` if it has no noun, or contains a punctuation mark.
    pub fn read(tokens: &[Token]) -> Option<Self> {
        let mut phrase = Self::default();
        let mut rest = tokens;
        loop {
            let word = |at: usize| rest.get(at).filter(|token| !token.is_name).map_or("", |token| token.text.as_str());
            let skip = match word(0) {
                "no" if !phrase.is_none => {
                    phrase.is_none = true;
                    1
                }
                "at" if word(1) == "least" && word(2).parse::<u32>().is_ok() => 2,
                "" => return None,
                article if is_in("articles", article) => 1,
                number if phrase.number.is_none() && number.parse::<u32>().is_ok() => {
                    phrase.number = number.parse().ok();
                    if word(1) == "or" && word(2) == "more" { 3 } else { 1 }
                }
                _ => break,
            };
            rest = &rest[skip..];
        }
        let is_word =
            |token: &Token| !token.is_name && token.text.chars().all(|c| c.is_alphanumeric() || "-_'".contains(c));
        const PREPOSITIONS: [&str; 6] = ["for", "of", "to", "in", "on", "at"];
        let is_cut_off = rest.last().is_some_and(|last| last.is_any(&PREPOSITIONS));
        if rest.is_empty() || rest.len() > 6 || is_cut_off || !rest.iter().all(is_word) {
            return None;
        }
        phrase.words = rest.iter().map(|token| token.text.clone()).collect();
        Some(phrase)
    }

    /// Returns the head of a noun phrase in a meaning: "log of any wood" refers to a log.
    pub fn head(mut self) -> Self {
        const ENDS: [&str; 8] = ["of", "in", "that", "which", "with", "beside", "within", "until"];
        if let Some(end) = self.words.iter().position(|word| ENDS.contains(&word.as_str())).filter(|end| *end > 0) {
            self.words.truncate(end);
        }
        self
    }
}

/// The quality of a match between the noun of a sentence and one of the vocabulary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fit {
    /// The same words.
    Exact,
    /// The same except for the plural ending or spaces.
    Form,
    /// A part of it: "pickaxe" of "iron pickaxe", "diamond" of "diamond ore".
    Part,
}

/// Compares the noun of a sentence with one of the vocabulary.
pub fn fit(said: &[String], known: &[String]) -> Option<Fit> {
    if said == known {
        return Some(Fit::Exact);
    }
    let plain = |words: &[String]| -> Vec<String> {
        let synonym = |word: &String| {
            let one = singular(word);
            let same = meaning("synonyms", &one).or_else(|| meaning("synonyms", word));
            same.map_or(one, str::to_owned)
        };
        words.iter().map(synonym).collect::<Vec<_>>().join(" ").split(' ').map(str::to_owned).collect()
    };
    let (said, known) = (plain(said), plain(known));
    if said.concat() == known.concat() {
        return Some(Fit::Form);
    }
    let is_part = !said.is_empty() && said.len() < known.len() && (known.ends_with(&said) || known.starts_with(&said));
    is_part.then_some(Fit::Part)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::tokens;

    #[test]
    fn phrases() {
        let read = |text: &str| NounPhrase::read(&tokens(text)).map(|it| (it.words.join(" "), it.number, it.is_none));
        assert_eq!(read("the iron pickaxe"), Some(("iron pickaxe".into(), None, false)));
        assert_eq!(read("at least 3 planks"), Some(("planks".into(), Some(3), false)));
        assert_eq!(read("4 or more planks"), Some(("planks".into(), Some(4), false)));
        assert_eq!(read("no fuel"), Some(("fuel".into(), None, true)));
        assert_eq!(read("the"), None);
        assert_eq!(read("cup, plate"), None);
    }

    #[test]
    fn fits() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let fit = |said, known| super::fit(&words(said), &words(known));
        assert_eq!(fit("glass", "glass"), Some(Fit::Exact));
        assert_eq!(fit("livingroom", "living room"), Some(Fit::Form));
        assert_eq!(fit("wood pickaxes", "wooden pickaxe"), Some(Fit::Form));
        assert_eq!(fit("pickaxe", "iron pickaxe"), Some(Fit::Part));
        assert_eq!(fit("stone pickaxe", "pickaxe"), None);
    }
}
