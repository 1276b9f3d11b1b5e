//! Parses conditions: subordinate clauses joined by "and" or "or", and elliptic ones.

use crate::choices::choices;
use crate::clause::{Clause, Joined, clauses, without_comma};
use crate::connective::{Connective, leading};
use crate::frames::Aspect;
use crate::index::{Index, NounId};
use crate::noun::NounPhrase;
use crate::words::{Token, is_form_of};

/// Returns all readings of a condition after a connective. `left_out` is the main clause, from which the condition may
/// take its verb.
pub(crate) fn conditions(
    index: &Index<'_>,
    tokens: &[Token],
    mentioned: &[NounId],
    connective: Option<Connective>,
    left_out: Option<&[Token]>,
) -> Vec<Clause> {
    use Connective::{OnlyAfter, OnlyIf, Unless, Until, Without};
    let comes_first = matches!(connective, Some(Until | Unless | Without | OnlyIf | OnlyAfter));
    let mut tokens = tokens;
    while let [rest @ .., last] = tokens
        && (last.is(",") || comes_first && last.is("first"))
    {
        tokens = rest;
    }
    let whole = clauses(index, tokens, mentioned);
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
) -> Vec<Clause> {
    let parts: Vec<&[Token]> = tokens.split(|token| token.is(word)).collect();
    // "If you are in a and have not been in b" mixes the present with the past, so it has no reading.
    let has_not = |part: &&[Token]| {
        part.windows(2).any(|two| is_form_of(&two[0].text, "have") && (two[1].is("not") || two[1].is("never")))
    };
    if parts.len() < 2 || parts.len() > 4 || parts.iter().any(has_not) {
        return Vec::new();
    }
    let readings = |(at, part): (usize, &&[Token])| {
        let mut part: &[Token] = part;
        // The connective may be repeated before each part.
        if at > 0
            && let Some((again, length)) = leading(part)
            && Some(again) == connective
        {
            part = &part[length..];
        }
        clauses(index, without_comma(part), mentioned)
    };
    let condition = |clauses: Vec<Clause>| {
        // A denial in the first part may extend to the others: "if you do not have a or have b".
        let shared =
            joined == Joined::Or && clauses[0].is_negated && clauses[1..].iter().any(|clause| !clause.is_negated);
        let formula = joined.join(clauses.iter().map(Clause::formula)).filter(|_| !shared)?;
        let is_state = clauses.iter().all(|clause| clause.aspect != Aspect::Event);
        Some(Clause {
            is_end: clauses.iter().any(|clause| clause.is_end),
            aspect: if is_state { Aspect::State } else { Aspect::Event },
            is_perfect: clauses.iter().all(|clause| clause.is_perfect),
            lasts: clauses.iter().all(|clause| clause.lasts),
            nouns: clauses.iter().flat_map(|clause| clause.nouns.clone()).collect(),
            grounded: clauses.into_iter().flat_map(|clause| clause.grounded).collect(),
            ..Clause::of(formula)
        })
    };
    choices(parts.iter().enumerate().map(readings), usize::MAX).into_iter().filter_map(condition).collect()
}

/// Returns readings of a condition with an exception: "a child is near unless somebody looks after it". Both must be
/// states, since past events would require memory.
pub(crate) fn with_exception(index: &Index<'_>, tokens: &[Token], mentioned: &[NounId]) -> Vec<Clause> {
    let mut parts = tokens.split(|token| token.is("unless"));
    let (Some(when), Some(exception), None) = (parts.next(), parts.next(), parts.next()) else { return Vec::new() };
    let mut found = Vec::new();
    let lasts = |of: &Clause| of.aspect == Aspect::State && !of.is_perfect && !of.is_end;
    for when in conditions(index, when, mentioned, Some(Connective::If), None).into_iter().filter(lasts) {
        let known = [mentioned, &when.nouns].concat();
        for exception in conditions(index, exception, &known, Some(Connective::Unless), None) {
            if lasts(&exception) && exception.denied().is_none() {
                found.push(Clause {
                    nouns: [when.nouns.as_slice(), &exception.nouns].concat(),
                    grounded: [when.grounded.as_slice(), &exception.grounded].concat(),
                    ..Clause::of(when.formula().and(exception.formula().not()))
                });
            }
        }
    }
    found
}

/// Returns readings of a condition that takes its verb from another clause: "the bathroom" after "go to the kitchen
/// before".
pub(crate) fn completed(index: &Index<'_>, tokens: &[Token], other: &[Token], mentioned: &[NounId]) -> Vec<Clause> {
    if tokens.is_empty() || tokens.len() > 8 {
        return Vec::new();
    }
    for length in 1..=other.len() {
        let words = [&other[..length], tokens].concat();
        let found = clauses(index, &words, mentioned);
        if !found.is_empty() {
            return found;
        }
    }
    if NounPhrase::read(tokens).is_none() {
        return Vec::new();
    }
    let mut found: Vec<Clause> = Vec::new();
    for from in 0..other.len() {
        for to in from + 1..=other.len() {
            let words = [&other[..from], tokens, &other[to..]].concat();
            for condition in clauses(index, &words, mentioned) {
                if !found.iter().any(|known| known.formula() == condition.formula()) {
                    found.push(condition);
                }
            }
        }
    }
    found
}
