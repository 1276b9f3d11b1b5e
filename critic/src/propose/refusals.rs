//! What a critic learns from the changes that the gate refused.

use std::collections::BTreeSet;

use ltlcrit_verifier::{ActionId, PropSet};

use super::Brief;
use crate::change::{Change, Proposal};
use crate::law::Restriction;

/// The refusals of one critique. They depend on the laws in force, so the first round of the next critique forgets them.
#[derive(Clone, Debug, Default)]
pub(super) struct Refusals {
    /// The gate's counterexamples: states in which a law must not block an action.
    counterexamples: BTreeSet<(PropSet, ActionId)>,
    /// Formulas, as text, that the gate refused without a counterexample.
    hopeless: BTreeSet<String>,
}

impl Refusals {
    /// Adds the refusals that a brief tells of.
    pub fn learn(&mut self, brief: &Brief<'_>) {
        if brief.round == 1 {
            self.counterexamples.clear();
            self.hopeless.clear();
        }
        for refused in brief.refused {
            let Change::Add(proposal) = &refused.change else { continue };
            let Some(state) = refused.counterexample else {
                self.hopeless.insert(proposal.formula.text().clone());
                continue;
            };
            let formula = proposal.formula.value().ok();
            let law = formula.and_then(|formula| Restriction::of(formula, brief.vocabulary).ok());
            if let Some(action) = law.and_then(|law| law.named_actions(brief.vocabulary).only()) {
                self.counterexamples.insert((state, action));
            }
        }
    }

    /// The counterexamples, with the action that must not be blocked.
    pub(crate) fn counterexamples(&self) -> impl Iterator<Item = (PropSet, ActionId)> {
        self.counterexamples.iter().copied()
    }

    /// Whether the gate may approve a law that it has not refused for good.
    pub fn may_pass(&self, law: &Proposal) -> bool {
        !self.hopeless.contains(law.formula.text())
    }
}
