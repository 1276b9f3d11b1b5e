//! Finite words as text: letters separated by `;`, the propositions that hold in each by `,`.
//!
//! `a;;b,is_on(book, shelf)` is a word of three letters; no proposition holds in the second. The empty text is one
//! letter without propositions. The empty word, which has no letter, is written `[]`. Names are as in formulas. Words
//! have no operators, so only names with other characters need double quotes.
//!
//! A monitor can judge any word. The word of a *run* has more structure, which [`Word::as_run`] checks.

mod as_run;

use std::collections::HashSet;
use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

pub use as_run::RunFault;
pub(crate) use as_run::{first_letter, next_letter};

use crate::letter::{Letter, PropSet};
use crate::syntax::{MAX_UNKNOWN, SyntaxError, name_at, unknown_name, write_quoted};
use crate::vocabulary::Vocabulary;

/// Maximum length of a word's text, in bytes.
pub const MAX_WORD: usize = 16 * 1024 * 1024;

/// The text of the empty word.
pub const EMPTY_WORD: &str = "[]";

/// A finite word over named propositions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// The letters; the names in each are sorted and without duplicates.
    letters: Vec<Vec<Arc<str>>>,
}

impl Word {
    /// Parses a word.
    ///
    /// # Errors
    /// The place where the text is not a list of names, and what would be right.
    pub fn parse(text: &str) -> Result<Self, SyntaxError> {
        read(text, &mut |_, _| {})
    }

    /// Parses a word whose propositions must all be in `vocabulary`.
    ///
    /// # Errors
    /// As [`Word::parse`]; or the unknown propositions ([`SyntaxError::all`]), at most 20, with the nearest known
    /// names.
    pub fn parse_over(text: &str, vocabulary: &Vocabulary) -> Result<Self, SyntaxError> {
        let mut unknown = Vec::new();
        let mut seen = HashSet::new();
        let word = read(text, &mut |name, span| {
            if vocabulary.id(name).is_none() && seen.insert(name.clone()) && unknown.len() < MAX_UNKNOWN {
                unknown.push(unknown_name(text, span, name, vocabulary));
            }
        })?;
        SyntaxError::join(unknown).map_or(Ok(word), Err)
    }

    /// Creates a word from letters, each given as the names that hold.
    pub fn from_letters<L, S>(letters: impl IntoIterator<Item = L>) -> Self
    where
        L: IntoIterator<Item = S>,
        S: Into<Arc<str>>,
    {
        let letters = letters.into_iter().map(|letter| {
            let mut names: Vec<Arc<str>> = letter.into_iter().map(Into::into).collect();
            names.sort_unstable();
            names.dedup();
            names
        });
        Self { letters: letters.collect() }
    }

    /// Returns the number of letters.
    pub fn len(&self) -> usize {
        self.letters.len()
    }

    /// Returns whether the word has no letter.
    pub fn is_empty(&self) -> bool {
        self.letters.is_empty()
    }

    /// Returns the letters, each as the sorted names that hold.
    pub fn letters(&self) -> &[Vec<Arc<str>>] {
        &self.letters
    }

    /// Returns whether a proposition holds at a position; `false` past the end.
    pub fn holds(&self, name: &str, position: usize) -> bool {
        self.letters
            .get(position)
            .is_some_and(|letter| letter.binary_search_by(|candidate| (**candidate).cmp(name)).is_ok())
    }

    /// Returns the letters as bit sets over a vocabulary. Propositions that it does not list are left out.
    pub fn over<'a>(&'a self, vocabulary: &'a Vocabulary) -> impl Iterator<Item = Letter> + 'a {
        self.letters
            .iter()
            .map(|letter| Letter(letter.iter().filter_map(|name| vocabulary.id(name)).collect::<PropSet>()))
    }
}

impl FromStr for Word {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        Self::parse(text)
    }
}

/// Writes the word in the form that the parser reads.
impl fmt::Display for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str(EMPTY_WORD);
        }
        for (position, letter) in self.letters.iter().enumerate() {
            if position > 0 {
                f.write_str(";")?;
            }
            for (rank, name) in letter.iter().enumerate() {
                if rank > 0 {
                    f.write_str(",")?;
                }
                match name_at(name, 0) {
                    Ok((plain, end)) if plain == *name && end == name.len() => f.write_str(name)?,
                    _ => write_quoted(name, f)?,
                }
            }
        }
        Ok(())
    }
}

/// Reads a word; `found` is called with each name and its place.
fn read(text: &str, found: &mut dyn FnMut(&Arc<str>, Range<usize>)) -> Result<Word, SyntaxError> {
    if text.len() > MAX_WORD {
        let message = format!("the word has {} bytes, at most {MAX_WORD} are read", text.len());
        return Err(SyntaxError::new(text, 0..0, message));
    }
    if text.trim() == EMPTY_WORD {
        return Ok(Word::default());
    }
    let mut names: HashSet<Arc<str>> = HashSet::new();
    let mut letters = vec![Vec::new()];
    // True if there is a name since the last separator, and if that separator was a comma.
    let (mut complete, mut comma) = (false, false);
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let here = at..at + c.len_utf8();
        match c {
            _ if c.is_whitespace() => at = here.end,
            ';' | ',' => {
                if !complete && (c == ',' || comma) {
                    let message =
                        format!("a proposition is missing before `{c}`; a letter in which nothing holds is empty");
                    return Err(SyntaxError::new(text, here, message));
                }
                if c == ';' {
                    letters.push(Vec::new());
                }
                (complete, comma) = (false, c == ',');
                at = here.end;
            }
            _ if complete => {
                let message = "a separator is missing before this: `,` within a letter, `;` between letters";
                return Err(SyntaxError::new(text, here, message));
            }
            '[' => {
                let message = "`[]` is the empty word and stands alone; letters are separated by `;`, without brackets";
                return Err(SyntaxError::new(text, here, message));
            }
            '!' | '~' | '¬' => {
                let message = "a letter lists the propositions that hold; leave out those that do not";
                return Err(SyntaxError::new(text, here, message));
            }
            _ => {
                let (name, end) = name_at(text, at)?;
                let name = names.get(&name).cloned().unwrap_or(name);
                names.insert(name.clone());
                found(&name, at..end);
                if let Some(letter) = letters.last_mut() {
                    letter.push(name);
                }
                (complete, comma) = (true, false);
                at = end;
            }
        }
    }
    if comma {
        return Err(SyntaxError::new(text, text.len()..text.len(), "a proposition is missing after the last `,`"));
    }
    Ok(Word::from_letters(letters))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn letters_and_propositions() {
        let word = Word::parse("b, a;;is_on( x,y );G,\"a;b\" ;").unwrap();
        let letters: Vec<Vec<&str>> = word.letters().iter().map(|l| l.iter().map(|n| &**n).collect()).collect();
        assert_eq!(letters, [vec!["a", "b"], vec![], vec!["is_on(x, y)"], vec!["G", "a;b"], vec![]]);
        assert!(word.holds("a", 0) && !word.holds("a", 1) && !word.holds("a", 9));
        assert_eq!(word.to_string(), "a,b;;is_on(x, y);G,\"a;b\";");
        assert_eq!(Word::parse("").unwrap().len(), 1);
        let empty = Word::parse(" [] ").unwrap();
        assert!(empty.is_empty() && empty == Word::default() && empty.to_string() == "[]");
        assert_eq!(Word::parse("a,a").unwrap().letters()[0].len(), 1);
    }

    #[test]
    fn over_a_vocabulary() {
        let vocabulary = Vocabulary::plain("v", ["obs_b", "obs_a"]).unwrap();
        let word = Word::parse_over("obs_a;obs_b,obs_a", &vocabulary).unwrap();
        let letters: Vec<_> = word.over(&vocabulary).map(|letter| vocabulary.names(&letter.0).join("+")).collect();
        assert_eq!(letters, ["obs_a", "obs_b+obs_a"]);
        assert_eq!(Word::parse_over("obs_c;zebra;obs_c", &vocabulary).unwrap_err().all().count(), 2);
    }

    #[test]
    fn errors_tell_what_would_be_right() {
        let vocabulary = Vocabulary::plain("v", ["obs_log", "b"]).unwrap();
        let mut shown = String::new();
        for text in [
            "a,,b",
            "a,;b",
            ",a",
            "a,",
            "a b",
            "a;!b",
            "a & b",
            "a;(b)",
            "f(a;b)",
            "\"a",
            "1;a",
            "a-b",
            "obs_lgo;b;b,c",
            "[];a",
            "a;[b]",
        ] {
            let error = Word::parse_over(text, &vocabulary).unwrap_err();
            shown.push_str(&format!("{text:?}\n{}\n\n", error.render()));
        }
        insta::assert_snapshot!(shown);
    }

    proptest! {
        #[test]
        fn round_trips(letters in prop::collection::vec(prop::collection::vec("[a-zG]{1,3}|f\\(a, b\\)|\\PC{1,6}", 0..4), 0..6)) {
            let word = Word::from_letters(letters);
            prop_assert_eq!(Word::parse(&word.to_string()).unwrap(), word);
        }

        #[test]
        fn never_panics(text in "[ab;,()\" \\\\!\n]{0,20}|\\PC{0,20}") {
            if let Ok(word) = Word::parse(&text) {
                prop_assert_eq!(Word::parse(&word.to_string()).unwrap(), word);
            }
        }
    }
}
