//! Connectives: where a sentence has a subordinate clause, and how it is related to the main clause.

use crate::words::Token;

/// How a subordinate clause is related to the main clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// The words of each connective; longer ones first.
const WORDS: [(&str, Connective); 38] = [
    ("only as long as", Connective::OnlyIf),
    ("only in case", Connective::OnlyIf),
    ("only if", Connective::OnlyIf),
    ("only when", Connective::OnlyIf),
    ("only while", Connective::OnlyIf),
    ("only after", Connective::OnlyAfter),
    ("only once", Connective::OnlyAfter),
    ("from the moment that", Connective::Once),
    ("from the moment", Connective::Once),
    ("as soon as", Connective::AsSoonAs),
    ("so long as", Connective::While),
    ("as long as", Connective::While),
    ("at the time that", Connective::If),
    ("every time that", Connective::If),
    ("every time", Connective::If),
    ("each time", Connective::If),
    ("any time", Connective::If),
    ("immediately after", Connective::RightAfter),
    ("directly after", Connective::RightAfter),
    ("right after", Connective::RightAfter),
    ("even if", Connective::If),
    ("in case", Connective::If),
    ("whenever", Connective::If),
    ("provided that", Connective::OnlyIf),
    ("provided", Connective::OnlyIf),
    ("when", Connective::If),
    ("if", Connective::If),
    ("once", Connective::Once),
    ("after", Connective::Once),
    ("while", Connective::While),
    ("until after", Connective::Until),
    ("until", Connective::Until),
    ("till", Connective::Until),
    ("before", Connective::Before),
    ("prior to", Connective::Before),
    ("unless", Connective::Unless),
    ("except when", Connective::Unless),
    ("without", Connective::Without),
];

/// Words between a condition, which comes first, and what follows from it.
const IMPLIES: [&str; 6] = ["means that", "means", "implies that", "implies", "requires that", "entails that"];

/// A sentence in two parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Split<'t> {
    pub main: &'t [Token],
    pub connective: Connective,
    pub subordinate: &'t [Token],
}

fn at<'p>(tokens: &[Token], from: usize, phrases: impl Iterator<Item = &'p str>) -> Option<(usize, usize)> {
    phrases.enumerate().find_map(|(which, phrase)| {
        let words: Vec<&str> = phrase.split(' ').collect();
        let window = tokens.get(from..from + words.len())?;
        window.iter().zip(&words).all(|(token, word)| token.is(word)).then_some((which, words.len()))
    })
}

/// All ways to see a main and a subordinate clause in a sentence.
pub(crate) fn splits(tokens: &[Token]) -> Vec<Split<'_>> {
    let mut found = Vec::new();
    let mut from = 0;
    while from < tokens.len() {
        if let Some((_, length)) = at(tokens, from, IMPLIES.into_iter())
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
                ["exactly", "precisely", "most", "least", "than", "only"].iter().any(|word| tokens[before].is(word))
            })
            && tokens.get(from + 1).is_none_or(|next| next.is(",") || next.is("and"));
        // "after that" says when, not after what.
        let is_adverb = |length: usize| {
            tokens[from + length - 1].is("after") && tokens.get(from + length).is_some_and(|next| next.is("that"))
        };
        let found_here = at(tokens, from, WORDS.iter().map(|(words, _)| *words));
        let Some((which, length)) = found_here.filter(|(_, length)| !is_number && !is_adverb(*length)) else {
            from += 1;
            continue;
        };
        let connective = WORDS[which].1;
        if from == 0 {
            // The subordinate clause comes first: it ends at a comma, or anywhere.
            let rest = &tokens[length..];
            let commas: Vec<usize> = (1..rest.len()).filter(|at| rest[*at].is(",")).collect();
            let ends = if commas.is_empty() { (1..rest.len()).collect() } else { commas };
            found.extend(ends.into_iter().map(|end| Split {
                main: &rest[end..],
                connective,
                subordinate: &rest[..end],
            }));
        } else {
            let main = &tokens[..from];
            found.push(Split { main, connective, subordinate: &tokens[from + length..] });
        }
        from += length;
    }
    found
}
