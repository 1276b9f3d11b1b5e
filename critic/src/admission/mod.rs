//! The gate: the only way by which a learned law enters a book.
//!
//! A new law passes five checks in this order, each a function of the law and the [evidence](crate::evidence):
//!
//! 1. *Form*: it can be read; it is of the form `G(phi_s -> X phi_a)` over known propositions; each part leaves an action; it cites
//!    steps, and `phi_s` held before one of them.
//! 2. *Novelty*: the laws in force do not imply it, and it was not given up because runs were worse with it.
//! 3. *Proof*: with it every state keeps an action but stopping ([`consistency`](ltlcrit_verifier::consistency)).
//! 4. *Support*: of what it blocks, the bad outweighs the good by the votes of all runs.
//! 5. *Needed steps*: it blocks no step that a run needed to reach its goal, unless another such step leads there as fast.
//!    Stopping at the goal is such a step.
//!
//! There is *one repair*. If a refusal names a state, the literal is added that excludes that state and keeps most of the
//! support. Then the law is judged again.
//!
//! So LTLCrit's theorem 1, that every state keeps an action, does not rest on how laws are found: it is kept by proof with
//! every law. The proof is about the laws of the form. Laws in force of other forms ([`Gate::beyond_proof`]) are outside of
//! it, as they are of the theorem.
//!
//! Laws of the book change in two more ways. In an over-constrained book, a law may be *replaced* by one that blocks less
//! and lifts a conflict ([`Change::Replace`]). A law may be *retired* ([`Change::Retire`]) for four reasons: a conflict, other
//! laws that imply it, its proposer's wish, or the evidence. Hard laws, and laws of other books, never change.
//!
//! Every ruling is kept in the store. The same proposal to the same book and runs gets the same answer. Learning then plays
//! the revision against the one before.

mod apply;
mod judge;
mod naming;
mod not_made;
mod resolve;
#[cfg(test)]
mod tests;
mod weaken;

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

pub use apply::MAX_EXPLANATION;
use ltlcrit_laws::{Book, Edit, Entry, Status, Strength};
use ltlcrit_store::LawId;
use ltlcrit_verifier::consistency::{Consistency, DEFAULT_BUDGET, LawSystem};
use ltlcrit_verifier::{Formula, GuardedLaw, PropSet, Vocabulary};
pub use not_made::GateError;
use not_made::{Judged, NotMade};

use crate::change::names;
pub use crate::change::{
    Change, GateRuling, LawSource, MAX_FORMULA, Proposal, ProposedFormula, ProposedState, Refusal, RetireCause,
    UnknownName,
};
use crate::evidence::Trials;
use crate::graph::TrajectoryGraph;
use crate::law::{KnownLaw, Restriction, StateConflict};

/// The status that admitted laws get.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Staging {
    /// They are in force.
    #[default]
    Adopt,
    /// They wait for a person.
    Propose,
}

/// The runs that the gate judges by.
#[derive(Clone, Copy, Debug)]
pub struct GateRuns<'a> {
    /// Their graph.
    pub graph: &'a TrajectoryGraph,
    /// The labels and weights of their actions.
    pub trials: &'a Trials,
}

/// The gate to one book.
#[derive(Clone, Debug)]
pub struct Gate<'a> {
    vocabulary: Arc<Vocabulary>,
    runs: GateRuns<'a>,
    book: Book,
    edit: Edit,
    staging: Staging,
    /// Laws of the form, which count in proofs.
    known: Vec<KnownLaw>,
    /// Every id that is taken, whether in force or not.
    ids: BTreeSet<LawId>,
    /// Laws that are not of the form: no proof here covers them.
    beyond_proof: Vec<KnownLaw>,
    standing: Standing,
    admitted: Vec<(LawId, Formula)>,
    retired: Vec<LawId>,
}

/// The consistency of the laws so far.
#[derive(Clone, Debug)]
enum Standing {
    Consistent,
    Undecided,
    OverConstrained(StateConflict),
}

impl<'a> Gate<'a> {
    /// The gate to a book that is in force together with others, over runs.
    ///
    /// # Errors
    /// A vocabulary without actions, or laws that are not over it.
    pub fn new(
        book: &Book,
        others: &[Book],
        vocabulary: Arc<Vocabulary>,
        runs: GateRuns<'a>,
        staging: Staging,
    ) -> Result<Self, GateError> {
        let mut gate = Self {
            edit: Edit::new(book)?,
            book: book.clone(),
            runs,
            staging,
            known: Vec::new(),
            ids: BTreeSet::new(),
            beyond_proof: Vec::new(),
            standing: Standing::Undecided,
            admitted: Vec::new(),
            retired: Vec::new(),
            vocabulary,
        };
        for other in others {
            other.entries().iter().for_each(|entry| gate.know(entry, false));
        }
        book.entries().iter().for_each(|entry| gate.know(entry, entry.strength == Strength::Soft));
        gate.standing = gate.stand()?;
        Ok(gate)
    }

    fn know(&mut self, entry: &Entry, changeable: bool) {
        self.ids.insert(entry.id.clone());
        // A law that waits for a person counts, because it may come into force at any time.
        if matches!(entry.status, Status::Retired { .. }) {
            return;
        }
        let law = KnownLaw::new(entry, changeable, &self.vocabulary);
        if law.restriction.is_some() { &mut self.known } else { &mut self.beyond_proof }.push(law);
    }

    fn stand(&self) -> Result<Standing, GateError> {
        Ok(match self.system(&[])?.check()? {
            Consistency::Consistent => Standing::Consistent,
            Consistency::Undecided => Standing::Undecided,
            Consistency::OverConstrained(conflict) => Standing::OverConstrained(StateConflict {
                laws: self.ids_of(&conflict.laws),
                state: conflict.witness,
                met_at: None,
                suspended: Vec::new(),
            }),
        })
    }

    /// The laws in force that are not of the form, which no proof here covers.
    pub fn beyond_proof(&self) -> impl Iterator<Item = &LawId> {
        self.beyond_proof.iter().map(|law| &law.id)
    }

    /// The laws that count now: those in force and those that wait for a person, with what was admitted so far.
    pub fn laws(&self) -> Vec<KnownLaw> {
        self.known.iter().chain(&self.beyond_proof).cloned().collect()
    }

    /// A state in which the laws leave no action but stopping, if it is not proved that there is none.
    pub fn conflict(&self) -> Option<&StateConflict> {
        match &self.standing {
            Standing::OverConstrained(conflict) => Some(conflict),
            Standing::Consistent | Standing::Undecided => None,
        }
    }

    /// Returns whether it is proved that the laws leave every state an action.
    pub(crate) fn is_consistent(&self) -> bool {
        matches!(self.standing, Standing::Consistent)
    }

    /// Laws that together leave no action but stopping in a state, none of them superfluous; `None` if one is left.
    ///
    /// # Errors
    /// A vocabulary without actions.
    pub fn conflict_at(&self, state: &PropSet) -> Result<Option<Vec<LawId>>, GateError> {
        Ok(self.system(&[])?.conflict_at(state).map(|laws| self.ids_of(&laws)))
    }

    /// The laws admitted so far.
    pub fn admitted(&self) -> impl Iterator<Item = &LawId> {
        self.admitted.iter().map(|(id, _)| id)
    }

    /// The laws retired so far, replaced ones among them.
    pub fn retired(&self) -> impl Iterator<Item = &LawId> {
        self.retired.iter()
    }

    /// Sorts proposed changes into the order in which they are judged, so that a proposer's order does not matter.
    /// Retirements and replacements come first, then new laws by their support. Retirements of laws that others imply come
    /// last, because the others may be new.
    pub fn in_order(&self, mut changes: Vec<Change>) -> Vec<Change> {
        changes.sort_by_cached_key(|change| match change {
            Change::Retire { law, cause: RetireCause::Implied, .. } => (3, Reverse(0), law.to_string()),
            Change::Retire { law, .. } => (0, Reverse(0), law.to_string()),
            Change::Replace { law, with, .. } => (1, Reverse(0), format!("{law} {}", with.formula.text())),
            Change::Add(proposal) => {
                let formula = proposal.formula.value().ok();
                let restriction = formula.and_then(|formula| Restriction::of(formula, &self.vocabulary).ok());
                let support = restriction.map(|restriction| self.support(&restriction)).unwrap_or_default();
                // In thousandths of nats, which are ordered.
                (2, Reverse((1e3 * support.odds()) as i64), proposal.formula.text().clone())
            }
        });
        changes
    }

    /// The laws that count in proofs, and one more.
    fn system(&self, more: &[GuardedLaw]) -> Result<LawSystem<'_>, GateError> {
        let mut laws: Vec<Vec<GuardedLaw>> =
            self.known.iter().filter_map(|known| Some(known.restriction.as_ref()?.guarded())).collect();
        if !more.is_empty() {
            laws.push(more.to_vec());
        }
        Ok(LawSystem::new(&self.vocabulary, &laws, DEFAULT_BUDGET)?)
    }

    /// The ids of laws by their place in [`Gate::system`], without the one that is asked about.
    fn ids_of(&self, laws: &[usize]) -> Vec<LawId> {
        laws.iter().filter_map(|law| Some(self.known.get(*law)?.id.clone())).collect()
    }

    fn names(&self, state: &PropSet) -> Vec<String> {
        names(state, &self.vocabulary)
    }
}
