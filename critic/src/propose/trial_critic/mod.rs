//! The trial critic: proposes laws from what every executed action was good for, without a model. The same runs give the same
//! laws.
//!
//! **What it computes.** Every executed action is a [trial](crate::trial): it failed, was needless, was needed, or none of these
//! is known. A law `G(condition -> X !action)` is wanted where trials of the action are *bad*: failed or needless. Among all
//! conditions of at most `literals` literals that hold before no needed trial, and for which an exact binomial test, corrected
//! for the number of conditions compared, rejects the hypothesis "less than `1 - tolerance` of such trials are bad", `search`
//! takes the shortest, and of these the one that covers most bad trials; then the same for the trials left. The bad trials of a
//! run in one state count as one: what it does there again is no more evidence. Of the laws found together at most the share
//! `significance` is false (Benjamini and Hochberg). Where several conditions explain exactly the same trials, or more literals
//! tell them from the needed ones (nearly all from nearly all: `contrast`), a law holds where all of that does: the rest is
//! left to be tried.
//!
//! What brought something to a run that missed its goal may be luck, such as a walk that led past trees: a law may block such an
//! action where it was bad a hundred times for each time it was not (`exceptions`). What that takes away shows in dead ends.
//!
//! Two more things count as needed: an action in a state for which the gate refused a law about it, and an action that was
//! blocked in a [dead end](crate::trial::Trials::wanted).
//!
//! *Environment feedback* (LTLCrit section 3.4) are the failed trials, *efficiency* the needless ones. *Conflicts* are states in
//! which the laws in force leave no action; the law of them that costs most is weakened to where the others do not apply, or
//! retired.

mod evidence;
mod options;
mod search;
#[cfg(test)]
mod tests;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use evidence::Row;
use ltlcrit_verifier::{ActionId, PropSet};
pub use options::{NAME, TrialCriticOptions};
use search::Found;

use super::refusals::Refusals;
use super::resolution::resolution;
use super::{Brief, ProposeError, Proposer};
use crate::change::Change;
use crate::cube::Cube;

/// The trial critic.
#[derive(Clone, Debug, Default)]
pub struct TrialCritic {
    options: TrialCriticOptions,
    refusals: Refusals,
}

impl TrialCritic {
    /// A trial critic that has proposed nothing yet.
    pub fn new(options: TrialCriticOptions) -> Self {
        Self { options, ..Self::default() }
    }

    /// The conditions under which an action is bad.
    fn conditions(&self, brief: &Brief<'_>, rows: &[Row]) -> Vec<Found> {
        if !self.options.generalise {
            let about = PropSet::first(brief.vocabulary.observations().len());
            let alone = |row: &Row| {
                let (weight, cube) = (row.weight(), Cube::of(&row.state, &about));
                Found { cube, weight, p: evidence::p_value(weight, weight + row.open, self.options.tolerance) }
            };
            let found = rows.iter().filter(|row| !row.needed && row.gained == 0 && !row.bad.is_empty()).map(alone);
            return found.filter(|found| found.p <= self.options.significance).collect();
        }
        let tried: BTreeSet<PropSet> = rows.iter().map(|row| row.state).collect();
        let untried: Vec<PropSet> =
            brief.graph.states().map(|(_, state)| *state).filter(|state| !tried.contains(state)).collect();
        let (mut rows, mut all) = (rows.to_vec(), Vec::new());
        while let Some(found) = search::condition(&rows, &untried, brief.vocabulary, self.options) {
            rows.iter_mut().filter(|row| found.cube.holds(&row.state)).for_each(Row::settle);
            all.push(found);
        }
        all
    }
}

impl Proposer for TrialCritic {
    fn name(&self) -> String {
        NAME.to_owned()
    }

    async fn propose(&mut self, brief: &Brief<'_>) -> Result<Vec<Change>, ProposeError> {
        self.refusals.learn(brief);
        // While the laws leave some state nothing, nothing can be added.
        if let Some(conflict) = brief.conflicts.iter().find(|conflict| conflict.is_over_constrained()) {
            return Ok(resolution(brief, conflict, NAME).into_iter().collect());
        }
        // Then what leaves some state nothing but fruitless actions, as far as the gate lets it go.
        let was_refused = |change: &Change| brief.refused.iter().any(|refused| refused.change == *change);
        let resolutions = brief.conflicts.iter().filter_map(|conflict| resolution(brief, conflict, NAME));
        if let Some(change) = resolutions.into_iter().find(|change| !was_refused(change)) {
            return Ok(vec![change]);
        }
        let rows: BTreeMap<ActionId, Vec<Row>> = evidence::rows(brief, &self.refusals, self.options);
        let mut found: Vec<(ActionId, &[Row], Found)> = Vec::new();
        for (action, rows) in &rows {
            found.extend(self.conditions(brief, rows).into_iter().map(|one| (*action, rows.as_slice(), one)));
        }
        let found = evidence::significant(found, |(.., found)| found.p, self.options.significance);
        let proposals = found.into_iter().map(|(action, rows, found)| words::proposal(brief, action, rows, &found));
        Ok(proposals.filter(|law| self.refusals.may_pass(law)).map(Change::Add).collect())
    }
}
