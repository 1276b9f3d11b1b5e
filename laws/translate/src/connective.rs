//! Connectives: splits a sentence into a main and a subordinate clause.

use serde::Deserialize;

use crate::words::{Token, begins, phrases, table};

/// The relation of a subordinate clause to the main clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Connective {
    /// "if", "when", "whenever", "means".
    If,
    /// "once", "after".
    Once,
    /// "right after".
    RightAfter,
    /// "as soon as".
    AsSoonAs,
    /// "while".
    While,
    /// "until".
    Until,
    /// "before".
    Before,
    /// "unless".
    Unless,
    /// "without".
    Without,
    /// "only if", "only when", "only while".
    OnlyIf,
    /// "only after".
    OnlyAfter,
}

/// A sentence in two parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Split<'t> {
    pub main: &'t [Token],
    pub connective: Connective,
    pub subordinate: &'t [Token],
}

/// Returns the connective at the beginning of the words, and its number of words.
pub(crate) fn leading(tokens: &[Token]) -> Option<(Connective, usize)> {
    phrases("connectives").find_map(|(phrase, connective)| Some((connective, begins(tokens, phrase)?)))
}

/// Returns all ways to split a sentence into a main and a subordinate clause.
pub(crate) fn splits(tokens: &[Token]) -> Vec<Split<'_>> {
    let mut found = Vec::new();
    let mut from = 0;
    while from < tokens.len() {
        if let Some(length) = table("implications").iter().find_map(|(phrase, _)| begins(&tokens[from..], phrase))
            && from > 0
        {
            let (subordinate, main) = (&tokens[..from], &tokens[from + length..]);
            found.push(Split { main, connective: Connective::If, subordinate });
            from += length;
            continue;
        }
        // "for at most once", "exactly once": a number, not a connective.
        let is_number = tokens[from].is("once")
            && from.checked_sub(1).is_some_and(|before| {
                tokens[before].is_any(&["exactly", "precisely", "most", "least", "than", "only"])
            })
            && tokens.get(from + 1).is_none_or(|next| next.is(",") || next.is("and"));
        // "after that" is an adverb, not a connective.
        let is_adverb = |length: usize| {
            tokens[from + length - 1].is("after") && tokens.get(from + length).is_some_and(|next| next.is("that"))
        };
        let found_here = leading(&tokens[from..]).filter(|(_, length)| !is_number && !is_adverb(*length));
        let Some((connective, length)) = found_here else {
            from += 1;
            continue;
        };
        if from == 0 {
            // The subordinate clause comes first: it ends at a comma, or anywhere.
            let rest = &tokens[length..];
            let commas: Vec<usize> = (1..rest.len()).filter(|at| rest[*at].is(",")).collect();
            let ends = if commas.is_empty() { (1..rest.len()).collect() } else { commas };
            let split = |end: usize| {
                let between = rest[end..].iter().take_while(|token| token.is(",") || token.is("then")).count();
                Split { main: &rest[end + between..], connective, subordinate: &rest[..end] }
            };
            found.extend(ends.into_iter().map(split).filter(|split| !split.main.is_empty()));
        } else {
            let main = &tokens[..from];
            found.push(Split { main, connective, subordinate: &tokens[from + length..] });
        }
        from += length;
    }
    found
}
