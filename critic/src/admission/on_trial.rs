//! Admission on trial of laws that no step shows to be right.
//!
//! Two refusals rest on what runs happened to do and not on what a law says. A law is *not shown* where nothing that it blocks was
//! bad; but if no run ever did what it leaves, nothing is known of that either. A law *blocks a needed step* by a heuristic: the run
//! would not have ended as well without that step, and might have with something else in its place. Such a law is admitted on
//! trial: it stands in the book, and only episodes that are played to try it have it in force.

use ltlcrit_laws::{Entry, Status};
use ltlcrit_store::LawId;

use super::{Gate, Judged, NotMade, Proposal, Refusal};
use crate::law::Restriction;

/// The most laws on trial at once. Each is tried by itself, in an episode for every training seed.
pub const MOST_ON_TRIAL: usize = 3;

impl Gate<'_> {
    /// The law that is to be tried in place of a refusal; `None` if the refusal stands. It stands unless it is one of the two that a
    /// trial can answer, the law passes all other rules, and fewer than [`MOST_ON_TRIAL`] are on trial.
    ///
    /// # Errors
    /// Another refusal, if the law was withdrawn before; or a gate that cannot work.
    pub(super) fn may_be_tried(&self, proposal: &Proposal, refusal: &Refusal) -> Result<Option<Judged>, NotMade> {
        let is_shown = match refusal {
            Refusal::BlocksGoodStep { .. } => true,
            Refusal::NotShown { blocked: true, shown_at: None, .. } => false,
            _ => return Ok(None),
        };
        if self.known.iter().filter(|law| law.on_trial).count() >= MOST_ON_TRIAL {
            return Ok(None);
        }
        let judged = self.read(&proposal.formula).map_err(NotMade::from).and_then(|whole| {
            let (judged, _) = self.supported(&whole);
            self.leaves_an_action(&judged.restriction)?;
            self.is_grounded(&judged.restriction, &proposal.evidence, Self::holds_somewhere)?;
            self.fits_the_book(&judged)?;
            Ok(judged)
        });
        let is_repeated = |judged: &Judged| self.known.iter().any(|law| law.on_trial && law.formula == judged.formula);
        match judged {
            Ok(judged) if is_repeated(&judged) => Ok(None),
            Ok(judged) if is_shown || self.never_did_what_it_leaves(&judged.restriction) => Ok(Some(judged)),
            Err(withdrawn @ NotMade::Refused(Refusal::ProvedUseless { .. }, _)) => Err(withdrawn),
            Ok(_) | Err(NotMade::Refused(..)) => Ok(None),
            Err(failed @ NotMade::Failed(_)) => Err(failed),
        }
    }

    /// Whether no run ever took an action that a law leaves where its condition holds.
    fn never_did_what_it_leaves(&self, restriction: &Restriction) -> bool {
        let graph = self.runs.graph;
        let mut choices = graph.choices().filter_map(|(_, state, action)| Some((graph.holds(state)?, action)));
        choices.all(|(state, action)| restriction.judge(state, action, &self.vocabulary) != Some(false))
    }

    /// Refuses a law that the book had on trial and that was withdrawn.
    pub(super) fn was_not_withdrawn(&self, judged: &Judged) -> Result<(), Refusal> {
        let withdrawn = |entry: &&Entry| match &entry.status {
            Status::Retired { reason } => entry.provenance.trial.as_ref() == Some(reason),
            _ => false,
        };
        let mut withdrawn = self.book.entries().iter().filter(withdrawn);
        match withdrawn.find(|entry| entry.formula == judged.formula) {
            Some(entry) => {
                let why = entry.provenance.trial.clone().unwrap_or_default();
                Err(Refusal::ProvedUseless { law: entry.id.clone(), why })
            }
            None => Ok(()),
        }
    }

    /// The outcome of the trial that a law of the book passed, if it did.
    pub(super) fn passed_trial(&self, law: &LawId) -> Option<&str> {
        let entry = self.book.entry(law).filter(|entry| entry.in_force())?;
        entry.provenance.passed_trial()
    }
}
