//! Resolution of conflicts: the law that costs most is weakened to where the others do not apply, or retired.

use std::cmp::Reverse;

use ltlcrit_laws::Evidence;
use ltlcrit_verifier::Formula;

use crate::change::{Change, LawSource, Proposal, ProposedFormula, ProposedState, RetireCause};
use crate::law::{KnownLaw, Restriction, StateConflict};
use crate::propose::Brief;

/// The most steps that a weakened law cites.
const MAX_CITED: usize = 3;

/// The change that resolves a conflict, signed by a proposer; `None` if no law of it can be changed.
pub(super) fn resolution(brief: &Brief<'_>, conflict: &StateConflict, proposer: &str) -> Option<Change> {
    let laws = conflict.laws.iter().filter_map(|id| brief.laws.iter().find(|law| law.id == *id));
    let laws: Vec<(&KnownLaw, &Restriction)> = laws.filter_map(|law| Some((law, law.restriction.as_ref()?))).collect();
    let changeable = laws.iter().filter(|(law, _)| law.changeable);
    let (worst, parts) = changeable.max_by_key(|(law, parts)| (cost(brief, parts), Reverse(&law.id)))?;
    let replaces = |change: &Change| matches!(change, Change::Replace { law, .. } if *law == worst.id);
    let refused = brief.refused.iter().any(|refused| replaces(&refused.change));
    let others: Vec<(&KnownLaw, &Restriction)> = laws.iter().copied().filter(|(law, _)| law.id != worst.id).collect();
    let (law, weaker) =
        (worst.id.clone(), (!refused).then(|| weakened(brief, worst, parts, &others, proposer)).flatten());
    Some(match weaker {
        Some(with) => Change::Replace { law, with, state: ProposedState::new(conflict.state, brief.vocabulary) },
        None => {
            let state = ProposedState::of_retirement(conflict.state, brief.vocabulary);
            Change::Retire { law, cause: RetireCause::Conflict, state, proposer: proposer.to_owned() }
        }
    })
}

/// The cost of a law: what of use to runs it blocks, in thousandths of nats, and the number of actions it blocks. What runs show for
/// it does not count: laws that clash trap runs, and those of them that were suspended look right by it.
fn cost(brief: &Brief<'_>, parts: &Restriction) -> (i64, usize) {
    let support = brief.trials.support(|state, action| parts.blocks(state, action, brief.vocabulary));
    let blocked = parts.parts().iter().map(|(_, blocked)| blocked.len()).max().unwrap_or(0);
    ((1e3 * support.good) as i64, blocked)
}

/// The law with an exception where the others apply, if a run was in a state where it still applies.
fn weakened(
    brief: &Brief<'_>,
    law: &KnownLaw,
    parts: &Restriction,
    others: &[(&KnownLaw, &Restriction)],
    proposer: &str,
) -> Option<Proposal> {
    let guards = others.iter().flat_map(|(_, parts)| parts.parts()).map(|(part, _)| part.guard.clone());
    let exception = guards.reduce(Formula::and)?;
    let weaker = parts.narrowed(&exception.not(), brief.vocabulary);
    let (formula, evidence) = (ProposedFormula::from(weaker.formula()?), held(brief, &weaker));
    if formula.value().is_err() || evidence.is_empty() {
        return None;
    }
    let names: Vec<String> = others.iter().map(|(other, _)| format!("`{}`", other.id)).collect();
    let explanation =
        format!("{} Except where {} would leave no useful action with it.", law.explanation, names.join(", "));
    Some(Proposal { formula, explanation, source: LawSource::Conflict, proposer: proposer.to_owned(), evidence })
}

/// The first steps before which a law's condition held.
fn held(brief: &Brief<'_>, parts: &Restriction) -> Vec<Evidence> {
    let choices = brief
        .graph
        .choices()
        .filter(|(_, place, _)| brief.graph.holds(*place).is_some_and(|state| parts.applies(state, brief.vocabulary)));
    let mut steps: Vec<_> = choices.filter_map(|(choice, ..)| brief.graph.first(choice)).collect();
    steps.sort_unstable();
    steps.into_iter().take(MAX_CITED).map(Evidence::from).collect()
}
