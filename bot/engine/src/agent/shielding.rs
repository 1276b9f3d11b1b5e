//! The shield as the loop uses it: rulings with the explanations that actors see.

use std::sync::Arc;

use ltlcrit_store::{ProposalRecord, Proposer, Reply, Ruling};
use ltlcrit_verifier::consistency::{Beginning, DEFAULT_WORK, Satisfiability, satisfiable};
use ltlcrit_verifier::shield::ShieldError;
use ltlcrit_verifier::{
    ActionId, Enforcement, Fallback, Judgement, Law, LawId, PropSet, RunFault, Shield, ShieldOptions,
    Vocabulary, Way,
};

use super::foresight::Foresight;

/// A shield over laws.
pub(crate) fn shield(vocabulary: &Arc<Vocabulary>, laws: Vec<Law>, fallback: Fallback) -> Result<Shield, ShieldError> {
    Shield::new(vocabulary.clone(), laws, ShieldOptions { fallback, ..ShieldOptions::default() })
}

/// The ruling on a proposed action. The loop proposes to stop at the goal, and there the hard laws alone judge. A shield that
/// does not enforce only records what it would have blocked.
pub(super) fn rule(
    shield: &mut Shield,
    foresight: &Foresight<'_>,
    by: Proposer,
    action: ActionId,
    enforcing: bool,
) -> Ruling {
    let (action, way) = foresight.in_letters(shield, action);
    let judgement = match (by, &way) {
        (Proposer::Actor, None) => shield.judge(action),
        (Proposer::Actor, Some(way)) => shield.judge_way(action, way),
        (Proposer::Loop, None) => shield.judge_by_hard_laws(action),
        (Proposer::Loop, Some(way)) => shield.judge_way_by_hard_laws(action, way),
    };
    match (judgement, enforcing) {
        (Judgement::Allowed, true) => Ruling::Allowed,
        (Judgement::Allowed, false) => Ruling::Unshielded { laws: Vec::new(), minimal: true, undecided: false },
        (Judgement::Blocked { laws, minimal }, true) => {
            Ruling::Blocked { laws, minimal, explanation: explain(shield, by, action, way) }
        }
        (Judgement::Blocked { laws, minimal }, false) => Ruling::Unshielded { laws, minimal, undecided: false },
        (Judgement::Undecided { .. }, false) => Ruling::Unshielded { laws: Vec::new(), minimal: true, undecided: true },
        (Judgement::Undecided { why }, true) => Ruling::Undecided { why: why.to_string() },
        (Judgement::Ended, false) => Ruling::Unshielded { laws: Vec::new(), minimal: true, undecided: true },
        (Judgement::Ended, true) => Ruling::Undecided { why: Judgement::Ended.to_string() },
    }
}

/// The rulings on the proposals of a step that are actions.
pub(crate) fn rule_again(
    shield: &mut Shield,
    foresight: &Foresight<'_>,
    proposals: &[ProposalRecord],
    enforcing: bool,
) -> Vec<Option<Ruling>> {
    let again = |proposal: &ProposalRecord| match proposal.reply {
        Reply::Action { action } => Some(rule(shield, foresight, proposal.by, action, enforcing)),
        Reply::NoAction(_) => None,
    };
    proposals.iter().map(again).collect()
}

/// Reads a step, with what its action passed through: the laws it violates, and those that owe something after it. A soft law that would have the run go on is
/// owed something when it stops; it is not violated, because at the goal it is not enforced.
///
/// # Errors
/// A step that no run takes.
pub(crate) fn read(
    shield: &mut Shield,
    action: ActionId,
    passed: &[PropSet],
    observations: PropSet,
) -> Result<(Vec<LawId>, Vec<LawId>), RunFault> {
    let (action, mut violations) = (shield.vocabulary().in_letters(action), Vec::new());
    for passed in passed {
        violations.extend(shield.go_through(action, *passed)?);
    }
    violations.extend(shield.step(action, observations)?);
    violations.sort_unstable();
    violations.dedup();
    let mut owed = shield.obligations();
    if shield.vocabulary().stop() == Some(action) {
        let is_stop = |law: &&Law| !law.is_hard() && violations.contains(&law.id) && !owed.contains(&law.id);
        let stops: Vec<LawId> = shield.laws().iter().filter(is_stop).map(|law| law.id.clone()).collect();
        owed.extend(stops);
        violations.retain(|law| !owed.contains(law));
    }
    Ok((violations, owed))
}

/// An enforcement as people are told of it. Where nothing is allowed because of a law that no run satisfies, that law is named
/// alone: the shield re-arms a law that was violated, and names the others that it then conflicts with.
pub(super) fn told(force: &Enforcement, laws: &[Law], vocabulary: &Vocabulary) -> Enforcement {
    let unsatisfiable = |id: &&LawId| {
        let formula = laws.iter().find(|law| law.id == **id).map(|law| law.formula.clone());
        let answer = formula.map(|it| satisfiable(vocabulary, &[it], Beginning::MoreThanStopping, DEFAULT_WORK));
        matches!(answer, Some(Ok(Satisfiability::Contradictory { .. })))
    };
    match force {
        Enforcement::Nothing { conflict, .. } => match conflict.iter().find(unsatisfiable) {
            Some(law) => Enforcement::Nothing { conflict: vec![law.clone()], minimal: true },
            None => force.clone(),
        },
        _ => force.clone(),
    }
}

/// The reasons for a block, for an actor that is told which action it is: the laws, and for stopping what is owed. Allowed actions are listed only
/// when the re-prompts are used up.
fn explain(shield: &mut Shield, by: Proposer, action: ActionId, way: Option<Way>) -> String {
    let mut explanation = match (by, way) {
        (_, Some(way)) => shield.explain_way(action, &way, by == Proposer::Loop),
        (Proposer::Actor, None) => shield.explain(action),
        (Proposer::Loop, None) => shield.explain_by_hard_laws(action),
    };
    explanation.allowed.clear();
    if shield.vocabulary().stop() == Some(action) { explanation.brief() } else { explanation.reasons() }
}

#[cfg(test)]
mod tests {
    use ltlcrit_minecraft::vocabulary;

    use super::*;

    /// Prompts, records and displays name the action themselves.
    #[test]
    fn an_explanation_does_not_repeat_which_action_is_blocked() {
        let vocabulary = vocabulary();
        let mut laws = ltlcrit_laws::shipped("minecraft-hard").unwrap().laws_in_force();
        laws.push(Law::hard("log", "F obs_has_log".parse().unwrap(), "Get a log."));
        let mut shield = shield(&vocabulary, laws, Fallback::OneByOne).unwrap();
        shield.start(PropSet::EMPTY).unwrap();
        let mut explained = |by, action: &str| {
            let action = vocabulary.action(action).unwrap();
            match rule(&mut shield, &Foresight::none(), by, action, true) {
                Ruling::Blocked { explanation, .. } => explanation,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(
            explained(Proposer::Actor, "action_craft_planks"),
            "Law craft-planks: Planks are made of logs. It applies because now: !obs_has_log."
        );
        assert_eq!(
            explained(Proposer::Loop, "action_stop"),
            "Law log: Get a log. It applies because now: !obs_has_log.\nStill owed before stopping: Get a log. (law log)"
        );
    }
}
