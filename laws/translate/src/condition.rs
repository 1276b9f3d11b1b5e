//! Parses conditions: subordinate clauses joined by "and" or "or", and elliptic ones.

use std::sync::Arc;

use ltlcrit_verifier::Formula;

use crate::clause::{Clause, Joined, clauses};
use crate::connective::{Connective, leading};
use crate::frames::Aspect;
use crate::index::{Index, NounId};
use crate::noun::NounPhrase;
use crate::words::{Token, is_form_of};

/// A condition with its grounding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Condition {
    pub formula: Formula,
    /// The formula without the denial, if it is a single denied clause.
    pub denied: Option<Formula>,
    /// True if it describes an end.
    pub is_end: bool,
    pub aspect: Aspect,
    pub is_perfect: bool,
    /// True if it lasts; "while you touch the phone" is momentary.
    pub lasts: bool,
    pub nouns: Vec<NounId>,
    pub grounded: Vec<(String, Arc<str>)>,
}

impl From<Clause> for Condition {
    fn from(clause: Clause) -> Self {
        Self {
            formula: clause.formula(),
            denied: (clause.is_negated && clause.is_explicit).then(|| clause.positive()),
            is_end: clause.is_end,
            aspect: clause.aspect,
            is_perfect: clause.is_perfect,
            lasts: clause.aspect != Aspect::Event || clause.is_perfect,
            nouns: clause.nouns,
            grounded: clause.grounded,
        }
    }
}

/// Returns all readings of a condition after a connective. `left_out` is the main clause, from which the condition may
/// take its verb.
pub(crate) fn conditions(
    index: &Index<'_>,
    tokens: &[Token],
    mentioned: &[NounId],
    connective: Option<Connective>,
    left_out: Option<&[Token]>,
) -> Vec<Condition> {
    use Connective::{OnlyAfter, OnlyIf, Unless, Until, Without};
    let comes_first = matches!(connective, Some(Until | Unless | Without | OnlyIf | OnlyAfter));
    let mut tokens = tokens;
    while let [rest @ .., last] = tokens
        && (last.is(",") || comes_first && last.is("first"))
    {
        tokens = rest;
    }
    let whole: Vec<Condition> = clauses(index, tokens, mentioned).into_iter().map(Condition::from).collect();
    if !whole.is_empty() {
        return whole;
    }
    for (word, joined) in [("and", Joined::And), ("or", Joined::Or)] {
        let found = several(index, tokens, mentioned, connective, (word, joined));
        if !found.is_empty() {
            return found;
        }
    }
    left_out.map_or_else(Vec::new, |main| completed(index, tokens, main, mentioned))
}

fn several(
    index: &Index<'_>,
    tokens: &[Token],
    mentioned: &[NounId],
    connective: Option<Connective>,
    (word, joined): (&str, Joined),
) -> Vec<Condition> {
    let parts: Vec<&[Token]> = tokens.split(|token| token.is(word)).collect();
    // "If you are in a and have not been in b" mixes the present with the past, so it has no reading.
    let has_not = |part: &&[Token]| {
        part.windows(2).any(|two| is_form_of(&two[0].text, "have") && (two[1].is("not") || two[1].is("never")))
    };
    if parts.len() < 2 || parts.len() > 4 || parts.iter().any(has_not) {
        return Vec::new();
    }
    let mut all: Vec<Vec<Clause>> = vec![Vec::new()];
    for (at, part) in parts.iter().enumerate() {
        let mut part: &[Token] = part;
        // The connective may be repeated before each part.
        if at > 0
            && let Some((again, length)) = leading(part)
            && Some(again) == connective
        {
            part = &part[length..];
        }
        if let [rest @ .., last] = part
            && last.is(",")
        {
            part = rest;
        }
        let readings = clauses(index, part, mentioned);
        let longer = |before: &Vec<Clause>| {
            readings.iter().map(|one| [before.as_slice(), std::slice::from_ref(one)].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    let condition = |clauses: Vec<Clause>| {
        // A denial in the first part may extend to the others: "if you do not have a or have b".
        let shared =
            joined == Joined::Or && clauses[0].is_negated && clauses[1..].iter().any(|clause| !clause.is_negated);
        let formula = joined.join(clauses.iter().map(Clause::formula)).filter(|_| !shared)?;
        Some(Condition {
            formula,
            denied: None,
            is_end: clauses.iter().any(|clause| clause.is_end),
            aspect: if clauses.iter().all(|clause| clause.aspect != Aspect::Event) {
                Aspect::State
            } else {
                Aspect::Event
            },
            is_perfect: clauses.iter().all(|clause| clause.is_perfect),
            lasts: clauses.iter().all(|clause| clause.aspect != Aspect::Event || clause.is_perfect),
            nouns: clauses.iter().flat_map(|clause| clause.nouns.clone()).collect(),
            grounded: clauses.into_iter().flat_map(|clause| clause.grounded).collect(),
        })
    };
    all.into_iter().filter_map(condition).collect()
}

/// Returns readings of a condition with an exception: "a child is near unless somebody looks after it". Both must be
/// states, since past events would require memory.
pub(crate) fn with_exception(index: &Index<'_>, tokens: &[Token], mentioned: &[NounId]) -> Vec<Condition> {
    let mut parts = tokens.split(|token| token.is("unless"));
    let (Some(when), Some(exception), None) = (parts.next(), parts.next(), parts.next()) else { return Vec::new() };
    let mut found = Vec::new();
    let lasts = |of: &Condition| of.aspect == Aspect::State && !of.is_perfect && !of.is_end;
    for when in conditions(index, when, mentioned, Some(Connective::If), None).into_iter().filter(lasts) {
        let known = [mentioned, &when.nouns].concat();
        for exception in conditions(index, exception, &known, Some(Connective::Unless), None) {
            if lasts(&exception) && exception.denied.is_none() {
                found.push(Condition {
                    formula: when.formula.clone().and(exception.formula.not()),
                    denied: None,
                    nouns: [when.nouns.as_slice(), &exception.nouns].concat(),
                    grounded: [when.grounded.as_slice(), &exception.grounded].concat(),
                    ..when.clone()
                });
            }
        }
    }
    found
}

/// Returns readings of a condition that takes its verb from another clause: "the bathroom" after "go to the kitchen
/// before".
pub(crate) fn completed(index: &Index<'_>, tokens: &[Token], other: &[Token], mentioned: &[NounId]) -> Vec<Condition> {
    if tokens.is_empty() || tokens.len() > 8 {
        return Vec::new();
    }
    for length in 1..=other.len() {
        let words = [&other[..length], tokens].concat();
        let found = clauses(index, &words, mentioned);
        if !found.is_empty() {
            return found.into_iter().map(Condition::from).collect();
        }
    }
    if NounPhrase::read(tokens).is_none() {
        return Vec::new();
    }
    let mut found: Vec<Condition> = Vec::new();
    for from in 0..other.len() {
        for to in from + 1..=other.len() {
            let words = [&other[..from], tokens, &other[to..]].concat();
            for condition in clauses(index, &words, mentioned).into_iter().map(Condition::from) {
                if !found.iter().any(|known| known.formula == condition.formula) {
                    found.push(condition);
                }
            }
        }
    }
    found
}
