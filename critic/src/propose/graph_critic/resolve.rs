//! Resolving an over-constrained state: the law that costs most is weakened to where the others do not apply, or goes.

use std::cmp::Reverse;

use ltlcrit_laws::Evidence;
use ltlcrit_verifier::guarded::recognise_all;
use ltlcrit_verifier::{ActionId, Formula, GuardedLaw, PropSet};

use super::words::cited;
use super::{Brief, LawSource, NAME};
use crate::admission::{Change, MOST_FORMULA, Proposal, RetireCause};
use crate::graph::ChoiceClass;
use crate::propose::{KnownLaw, StateConflict};

/// How many steps a weakened law cites at most.
const MOST_CITED: usize = 3;

/// The change that resolves a conflict; `None` if no law of it can be changed.
pub(super) fn resolution(brief: &Brief<'_>, conflict: &StateConflict) -> Option<Change> {
    let laws: Vec<(&KnownLaw, Vec<GuardedLaw>)> = conflict
        .laws
        .iter()
        .filter_map(|id| brief.laws.iter().find(|law| law.id == *id))
        .filter_map(|law| Some((law, recognise_all(&law.formula, brief.vocabulary).ok()?)))
        .collect();
    let changeable = laws.iter().filter(|(law, _)| law.changeable);
    let (worst, _) = changeable.max_by_key(|(law, parts)| (cost(brief, parts), Reverse(law.id.clone())))?;
    let state: Vec<String> = brief.vocabulary.names(&conflict.state).into_iter().map(str::to_owned).collect();
    let refused =
        brief.refused.iter().any(|(change, _)| matches!(change, Change::Replace { law, .. } if *law == worst.id));
    let others: Vec<&(&KnownLaw, Vec<GuardedLaw>)> = laws.iter().filter(|(law, _)| law.id != worst.id).collect();
    let weaker = (!refused).then(|| weakened(brief, worst, &others)).flatten();
    Some(match weaker {
        Some(with) => Change::Replace { law: worst.id.clone(), with, state },
        None => {
            Change::Retire { law: worst.id.clone(), cause: RetireCause::Conflict, state, proposer: NAME.to_owned() }
        }
    })
}

/// How much a law stands in the way: the steps it would have blocked that were good, less those that were not, and how
/// many actions it blocks.
fn cost(brief: &Brief<'_>, parts: &[GuardedLaw]) -> (i64, usize) {
    let blocked = |state: &PropSet, action: ActionId| {
        parts
            .iter()
            .any(|part| part.applies(brief.vocabulary, state) && !part.allows(brief.vocabulary).contains(action))
    };
    let mut cost = 0;
    for (choice, place, action) in brief.graph.choices() {
        if brief.graph.holds(place).is_some_and(|state| blocked(state, action)) {
            let made = i64::from(brief.graph.made(choice).0);
            cost += match brief.classes.class(brief.graph, choice) {
                ChoiceClass::Efficient => made,
                ChoiceClass::Failed | ChoiceClass::Inefficient => -made,
                ChoiceClass::Unknown => 0,
            };
        }
    }
    let all = brief.vocabulary.actions().len();
    (cost, parts.iter().map(|part| all - part.allows(brief.vocabulary).len()).max().unwrap_or(0))
}

/// The law with the exception that the others do not apply, if a run was ever where it still holds.
fn weakened(brief: &Brief<'_>, law: &KnownLaw, others: &[&(&KnownLaw, Vec<GuardedLaw>)]) -> Option<Proposal> {
    let guards = others.iter().flat_map(|(_, parts)| parts).map(|part| part.guard.clone());
    let exception = guards.reduce(Formula::and)?;
    let parts = recognise_all(&law.formula, brief.vocabulary).ok()?;
    let weaker: Vec<GuardedLaw> = parts
        .into_iter()
        .map(|part| GuardedLaw { guard: part.guard.and(exception.clone().not()), demand: part.demand })
        .collect();
    let formula = weaker.iter().map(GuardedLaw::to_formula).reduce(Formula::and)?.to_string();
    let evidence = held(brief, &weaker);
    if formula.len() > MOST_FORMULA || evidence.is_empty() {
        return None;
    }
    let names: Vec<String> = others.iter().map(|(other, _)| format!("`{}`", other.id)).collect();
    let explanation = format!("{} Except where {} would leave no action with it.", law.explanation, names.join(", "));
    Some(Proposal { formula, explanation, source: LawSource::Conflict, proposer: NAME.to_owned(), evidence })
}

/// The first steps before which a law's condition held.
fn held(brief: &Brief<'_>, parts: &[GuardedLaw]) -> Vec<Evidence> {
    let applies = |state: &PropSet| parts.iter().any(|part| part.applies(brief.vocabulary, state));
    let choices = brief.graph.choices().filter(|(_, place, _)| brief.graph.holds(*place).is_some_and(applies));
    let mut steps: Vec<_> =
        choices.filter_map(|(choice, ..)| brief.graph.outcomes(choice).map(|(.., first)| first).min()).collect();
    steps.sort_unstable();
    steps.into_iter().take(MOST_CITED).map(cited).collect()
}
