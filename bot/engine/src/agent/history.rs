//! Converts stored records into the past steps and refusals that actors see, so that a resumed run shows the same ones.

use ltlcrit_store::{ProposalRecord, Proposer, Reply, Ruling, StepRecord};

use crate::actor::{NotRun, PastStep};

/// Returns a stored step as actors see it.
pub(super) fn past_step(record: &StepRecord) -> Option<PastStep> {
    let executed = record.executed.as_ref()?;
    Some(PastStep {
        thought: executed.thought.clone(),
        action: executed.action,
        outcome: executed.outcome.clone(),
        observed: record.observation.holds,
        refused: record.proposals.iter().filter_map(refusal_of).collect(),
        asked: asked(&record.proposals),
    })
}

/// The number of proposals that the actor made.
pub(super) fn asked(proposals: &[ProposalRecord]) -> usize {
    proposals.iter().filter(|proposal| proposal.by == Proposer::Actor).count()
}

/// Returns the reason why a proposal did not run, as actors see it.
pub(super) fn refusal_of(proposal: &ProposalRecord) -> Option<NotRun> {
    match (&proposal.reply, &proposal.ruling) {
        (Reply::NoAction(why), _) => Some(NotRun::NoAction(why.clone())),
        (Reply::Action { action }, Ruling::Blocked { laws, explanation, .. }) => {
            let worded = proposal.worded.as_ref().filter(|worded| worded.replaced.is_none());
            let explanation = worded.map_or(explanation, |worded| &worded.answer).clone();
            Some(NotRun::Blocked { action: *action, explanation, laws: laws.clone() })
        }
        (Reply::Action { action }, Ruling::Undecided { why }) => Some(NotRun::Blocked {
            action: *action,
            explanation: format!("It is not known whether the laws allow this ({why}); propose another action."),
            laws: Vec::new(),
        }),
        (Reply::Action { .. }, Ruling::Allowed | Ruling::Unreadable | Ruling::Unshielded { .. }) => None,
    }
}
