//! Proposals: the formula of a law and its explanation in English.

use std::cmp::Reverse;

use ltlcrit_verifier::Formula;

use super::conditions::{Sides, Subject, Witness};
use super::options::NAME;
use crate::change::Proposal;
use crate::minimise::Found;
use crate::propose::Brief;

/// The most steps that a law cites.
const MOST_CITED: usize = 3;

/// The proposal for a condition that was found.
pub(super) fn proposal(brief: &Brief<'_>, subject: Subject, sides: &Sides, found: &Found) -> Proposal {
    let mut witnesses: Vec<&Witness> = found.covers.iter().map(|at| &sides.on[*at]).collect();
    let name = brief.vocabulary.action_name(subject.action());
    let action = Formula::Atom(name.into());
    let demand = match subject {
        Subject::Fails(_) | Subject::Stalls(_) => action.not(),
        Subject::Best(_) => action,
    };
    let formula = match found.cube.is_empty() {
        true => demand.next().globally(),
        false => found.cube.formula(brief.vocabulary).implies(demand.next()).globally(),
    };
    let made: u32 = witnesses.iter().map(|witness| witness.made).sum();
    let explanation = match subject {
        Subject::Fails(_) => failed(brief, name, made, &witnesses),
        Subject::Stalls(_) => led_nowhere(name, &witnesses),
        Subject::Best(_) => better(brief, name, made, &witnesses),
    };
    // The steps of the choices made most often.
    witnesses.sort_by_key(|witness| (Reverse(witness.made), witness.first));
    let evidence = witnesses.iter().take(MOST_CITED).map(|witness| witness.first.into()).collect();
    Proposal { formula: formula.into(), explanation, source: subject.source(), proposer: NAME.to_owned(), evidence }
}

fn failed(brief: &Brief<'_>, name: &str, made: u32, witnesses: &[&Witness]) -> String {
    let mut reasons: Vec<String> = witnesses
        .iter()
        .filter_map(|witness| witness.choice)
        .flat_map(|choice| brief.graph.outcomes(choice))
        .filter_map(|(_, failure, ..)| failure.map(|reason| brief.graph.reason(reason).to_string()))
        .collect();
    reasons.sort_unstable();
    reasons.dedup();
    format!("Here {name} never worked: {} ({}).", times(made, "it failed", "it failed all"), reasons.join(", "))
}

fn better(brief: &Brief<'_>, name: &str, made: u32, witnesses: &[&Witness]) -> String {
    let mut others: Vec<&str> = witnesses
        .iter()
        .filter_map(|witness| brief.graph.chosen(witness.choice?))
        .map(|(_, action)| brief.vocabulary.action_name(action))
        .collect();
    others.sort_unstable();
    others.dedup();
    format!("Here {name} gets there in fewer steps than {}, {}.", others.join(", "), times(made, "chosen", "chosen"))
}

fn led_nowhere(name: &str, witnesses: &[&Witness]) -> String {
    let total = |made: bool| {
        let those = witnesses.iter().filter(|witness| witness.choice.is_some() == made);
        those.map(|witness| witness.made).sum::<u32>()
    };
    let stalled = match total(true) {
        0 => String::new(),
        made => format!("Here {name} led nowhere: runs that made no progress any more chose it {made} times."),
    };
    let spared = match total(false) {
        0 => String::new(),
        _ if stalled.is_empty() => {
            format!("Here {name} was not needed: where it was blocked, runs got on all the same.")
        }
        _ => " Where it was blocked, runs got on all the same.".to_owned(),
    };
    stalled + &spared
}

fn times(count: u32, once: &str, often: &str) -> String {
    if count == 1 { format!("{once} once") } else { format!("{often} {count} times") }
}
