//! Weakening of a law that goes too far, by one literal at a time.

use ltlcrit_laws::Evidence;
use ltlcrit_verifier::{PropId, PropSet};

use super::{Gate, Judged};
use crate::cube::Cube;

impl Gate<'_> {
    /// The law with one more literal in its conditions, so that it leaves a state alone and still blocks the action of some cited
    /// step that shows that it is right. Of such literals it is the first with which the law blocks most actions that failed or
    /// were needless; `None` if there is no such literal.
    pub(super) fn weakened(&self, judged: &Judged, alone: &PropSet, evidence: &[Evidence]) -> Option<Judged> {
        let shown = evidence.iter().filter_map(|cited| self.trial(*cited));
        let shown: Vec<&PropSet> =
            shown.filter(|trial| self.shows(trial, &judged.restriction)).map(|trial| &trial.state).collect();
        let blocked = self.runs.trials.all.iter().filter(|trial| self.shows(trial, &judged.restriction));
        let blocked: Vec<&PropSet> = blocked.map(|trial| &trial.state).collect();
        let observations = (0..self.vocabulary.observations().len() as u16).map(PropId);
        let literals = observations.map(|prop| (prop, !alone.contains(prop)));
        let agrees = |state: &&&PropSet, (prop, holds): (PropId, bool)| state.contains(prop) == holds;
        let possible = literals.filter(|literal| shown.iter().any(|state| agrees(&state, *literal)));
        let still = |literal: (PropId, bool)| blocked.iter().filter(|state| agrees(state, literal)).count();
        let best = possible.rev().max_by_key(|literal| still(*literal))?;
        let literal = Cube::from_iter([best]).formula(&self.vocabulary);
        let restriction = judged.restriction.narrowed(&literal, &self.vocabulary);
        Some(Judged { formula: restriction.formula()?, restriction, weakened: true })
    }
}
