//! Proposals: the formula of a law and its explanation in English.

use std::collections::BTreeSet;

use ltlcrit_laws::Evidence;
use ltlcrit_verifier::Formula;

use super::search::Found;
use crate::change::{LawSource, Proposal};
use crate::evidence::{Trial, Verdict};
use crate::graph::Citation;
use crate::propose::Brief;

/// The proposer's name in its proposals.
pub const NAME: &str = "trials";

/// The most steps that a law cites.
const MAX_CITED: usize = 3;

/// The proposal for a condition that was found; `None` if no executed step shows it.
pub(super) fn proposal(brief: &Brief<'_>, found: &Found) -> Option<Proposal> {
    let trials = brief.trials.all.iter().filter(|trial| trial.action == found.action && trial.is_bad());
    let (failed, others): (Vec<&Trial>, Vec<&Trial>) =
        trials.filter(|trial| found.cube.holds(&trial.state)).partition(|trial| trial.verdict == Verdict::Failed);
    let (trapped, needless): (Vec<&Trial>, Vec<&Trial>) =
        others.iter().copied().partition(|trial| trial.verdict == Verdict::Trapped);
    let name = brief.vocabulary.action_name(found.action);
    let demand = Formula::Atom(name.into()).not().next();
    let formula = found.cube.without_implied(brief.vocabulary).formula(brief.vocabulary).implies(demand).globally();
    let (source, cited) = match failed.len() >= others.len() {
        true => (LawSource::EnvironmentFeedback, &failed),
        false => (LawSource::Efficiency, &others),
    };
    let mut steps: Vec<Citation> = cited.iter().map(|trial| trial.step).collect();
    steps.sort_unstable();
    let evidence: Vec<Evidence> = steps.into_iter().take(MAX_CITED).map(Evidence::from).collect();
    if evidence.is_empty() {
        return None;
    }
    let explanation = explanation(brief, name, [&failed, &needless, &trapped]);
    Some(Proposal { formula: formula.into(), explanation, source, proposer: NAME.to_owned(), evidence })
}

fn explanation(brief: &Brief<'_>, name: &str, [failed, needless, trapped]: [&[&Trial]; 3]) -> String {
    let reason = |trial: &&&Trial| brief.graph.step(trial.step)?.failure.as_ref().map(ToString::to_string);
    let reasons: BTreeSet<String> = failed.iter().filter_map(|trial| reason(&trial)).collect();
    let reasons = reasons.into_iter().collect::<Vec<_>>().join(", ");
    let mut parts = Vec::new();
    if !failed.is_empty() {
        parts.push(format!("failed {} ({reasons})", times(failed.len())));
    }
    if !needless.is_empty() {
        parts.push(format!("was needless {}", times(needless.len())));
    }
    if !trapped.is_empty() {
        parts.push(format!("brought nothing more {} in runs that got nowhere", times(trapped.len())));
    }
    format!("Here {name} {}.", parts.join(", "))
}

fn times(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}
