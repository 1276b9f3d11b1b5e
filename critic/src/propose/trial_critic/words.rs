//! Proposals: the formula of a law and its explanation in English.

use std::collections::BTreeSet;

use ltlcrit_laws::Evidence;
use ltlcrit_verifier::{ActionId, Formula};

use super::evidence::Row;
use super::options::NAME;
use super::search::Found;
use crate::change::{LawSource, Proposal};
use crate::graph::Citation;
use crate::propose::Brief;
use crate::trial::{Trial, Verdict};

/// The most steps that a law cites.
const MOST_CITED: usize = 3;

/// The proposal for a condition that was found.
pub(super) fn proposal(brief: &Brief<'_>, action: ActionId, rows: &[Row], found: &Found) -> Proposal {
    let covered = rows.iter().filter(|row| found.cube.holds(&row.state));
    let (failed, needless): (Vec<&Trial>, Vec<&Trial>) =
        covered.flat_map(|row| &row.bad).partition(|trial| trial.verdict == Verdict::Failed);
    let name = brief.vocabulary.action_name(action);
    let demand = Formula::Atom(name.into()).not().next();
    let formula = match found.cube.is_empty() {
        true => demand.globally(),
        false => found.cube.without_implied(brief.vocabulary).formula(brief.vocabulary).implies(demand).globally(),
    };
    let (source, cited) = match failed.len() >= needless.len() {
        true => (LawSource::EnvironmentFeedback, &failed),
        false => (LawSource::Efficiency, &needless),
    };
    let mut steps: Vec<Citation> = cited.iter().map(|trial| trial.step).collect();
    steps.sort_unstable();
    let evidence = steps.into_iter().take(MOST_CITED).map(Evidence::from).collect();
    let explanation = explanation(brief, name, &failed, &needless);
    Proposal { formula: formula.into(), explanation, source, proposer: NAME.to_owned(), evidence }
}

fn explanation(brief: &Brief<'_>, name: &str, failed: &[&Trial], needless: &[&Trial]) -> String {
    let reason = |trial: &&&Trial| {
        let path = brief.graph.run(trial.step.run)?;
        brief.graph.failure(*path.steps().get(trial.step.step as usize - 1)?).map(ToString::to_string)
    };
    let reasons: BTreeSet<String> = failed.iter().filter_map(|trial| reason(&trial)).collect();
    let reasons = reasons.into_iter().collect::<Vec<_>>().join(", ");
    match (failed.len(), needless.len()) {
        (failed, 0) => format!("Here {name} failed {} ({reasons}).", times(failed)),
        (0, needless) => format!("Here {name} was needless: {} runs ended as well without it.", times(needless)),
        (failed, needless) => format!(
            "Here {name} failed {} ({reasons}), and {} runs ended as well without it.",
            times(failed),
            times(needless)
        ),
    }
}

fn times(count: usize) -> String {
    if count == 1 { "once".to_owned() } else { format!("{count} times") }
}
