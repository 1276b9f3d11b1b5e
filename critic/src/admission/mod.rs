//! The gate: the only way by which a learned law enters a book.
//!
//! A law is admitted if, in this order, it can be read; is of the form `G(phi_s -> X phi_a)`; speaks of known
//! propositions only; leaves an action; is *grounded*, that is, cites a step in whose state `phi_s` held; is not
//! implied by the laws in force; is not one that the book had and that proved to be of no use; leaves every state an
//! action, proved for all states at once ([`consistency`](ltlcrit_verifier::consistency)); and would have blocked no
//! step of the best known successful runs, stopping at the goal included (a step that failed and changed nothing is no
//! step of theirs: without it they are better).
//!
//! So LTLCrit's theorem 1, that every state keeps an action, does not rest on how laws are found: it is kept by proof with
//! every law. The proof is about the laws of the form; laws in force of other forms ([`Gate::beyond_proof`]) are outside of
//! it, as they are of the theorem.
//!
//! Laws of the book change in two more ways. In a book that is over-constrained, a law may be *replaced* by one that
//! blocks less and lifts a conflict ([`Change::Replace`]); and a law may be *retired* when it takes part in a conflict,
//! never fired, mostly blocked what would have been right, demands what fails, leaves runs in dead ends, or adds
//! nothing ([`Change::Retire`]). The gate looks for itself whether that is so. Hard laws, and laws of other books, it
//! never touches.
//!
//! Whatever the gate says is kept in the store, refusals with their counterexample, and the same proposal to the same book
//! and runs gets the same answer.

mod judge;
mod naming;
mod proposal;
mod refusal;
mod replay;
mod resolve;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::sync::Arc;

use jiff::Timestamp;
use ltlcrit_laws::{Book, BookErrors, Edit, EditError, Entry, Status, Strength};
use ltlcrit_verifier::consistency::{Consistency, ConsistencyError, DEFAULT_BUDGET, LawSystem};
use ltlcrit_verifier::guarded::recognise_all;
use ltlcrit_verifier::{ActionSet, Formula, GuardedLaw, PropSet, Vocabulary};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use judge::Judged;
pub use proposal::{Change, LawSource, MOST_EXPLANATION, MOST_FORMULA, Proposal, RetireCause};
pub use refusal::{Refusal, UnknownName};
use replay::GoodStep;

use crate::blocked::Wanted;
use crate::graph::TrajectoryGraph;
use crate::merit::Merits;
use crate::model::answer::cut;
use crate::propose::{KnownLaw, StateConflict};
use crate::store::{BookRecord, BookRevision, LawId, LawProposal, Store, StoreError};

/// The gate's word on a change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ruling", rename_all = "kebab-case")]
pub enum GateRuling {
    /// The law is in the book.
    Admitted {
        /// Under this id.
        law: LawId,
    },
    /// The law is retired.
    Retired {
        /// Which.
        law: LawId,
    },
    /// Nothing changes.
    Refused {
        /// Why.
        refusal: Refusal,
    },
}

/// What becomes of admitted laws.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Staging {
    /// They are in force.
    #[default]
    Adopt,
    /// They wait for a person.
    Propose,
}

/// Why the gate cannot work.
#[derive(Debug, Error)]
pub enum GateError {
    /// The store cannot be written.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The book cannot be changed.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// The changed book cannot be read.
    #[error("the changed book cannot be read: {0}")]
    Book(#[from] BookErrors),
    /// A law reads otherwise in the book than it was judged.
    #[error("the law `{law}` reads otherwise in the book than it was judged; nothing was changed")]
    Changed {
        /// The law.
        law: LawId,
    },
    /// The vocabulary does not fit the laws.
    #[error(transparent)]
    Consistency(#[from] ConsistencyError),
}

/// A law that counts in proofs.
#[derive(Clone, Debug)]
struct Known {
    law: KnownLaw,
    guarded: Vec<GuardedLaw>,
}

impl Known {
    /// The actions it blocks in a state.
    fn blocks_at(&self, state: &PropSet, vocabulary: &Vocabulary) -> ActionSet {
        let all = ActionSet::first(vocabulary.actions().len());
        let active = self.guarded.iter().filter(|law| law.applies(vocabulary, state));
        active.fold(ActionSet::EMPTY, |blocked, law| blocked.union(&all.difference(&law.allows(vocabulary))))
    }
}

/// The gate to one book.
#[derive(Debug)]
pub struct Gate<'a> {
    vocabulary: Arc<Vocabulary>,
    graph: &'a TrajectoryGraph,
    merits: Option<&'a Merits>,
    /// What runs in dead ends wanted and were kept from.
    wanted: &'a [Wanted],
    book: Book,
    edit: Edit,
    staging: Staging,
    known: Vec<Known>,
    /// Every id that is taken, whether in force or not.
    ids: BTreeSet<LawId>,
    /// Laws that are not of the form: no proof here covers them.
    beyond_proof: Vec<KnownLaw>,
    good: Vec<GoodStep>,
    standing: Standing,
    admitted: Vec<(LawId, Formula)>,
    retired: Vec<LawId>,
}

/// How the laws stand, before the next one.
#[derive(Clone, Debug)]
enum Standing {
    Consistent,
    Undecided,
    OverConstrained(StateConflict),
}

impl<'a> Gate<'a> {
    /// The gate to a book that is in force together with others, over the runs of a graph.
    ///
    /// # Errors
    /// A vocabulary without actions, or laws that are not over it.
    pub fn new(
        book: &Book,
        others: &[Book],
        vocabulary: Arc<Vocabulary>,
        graph: &'a TrajectoryGraph,
        staging: Staging,
    ) -> Result<Self, GateError> {
        let mut gate = Self {
            edit: Edit::new(book)?,
            book: book.clone(),
            graph,
            merits: None,
            wanted: &[],
            staging,
            known: Vec::new(),
            ids: BTreeSet::new(),
            beyond_proof: Vec::new(),
            good: replay::good_steps(graph, &vocabulary),
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

    /// With what is known of the laws' merits: without it no law can be retired for them.
    #[must_use]
    pub fn with_merits(mut self, merits: &'a Merits) -> Self {
        self.merits = Some(merits);
        self
    }

    /// With what runs in dead ends wanted to do and were kept from: without it no law can be retired for leaving one.
    #[must_use]
    pub fn with_wanted_in_dead_ends(mut self, wanted: &'a [Wanted]) -> Self {
        self.wanted = wanted;
        self
    }

    fn know(&mut self, entry: &Entry, changeable: bool) {
        self.ids.insert(entry.id.clone());
        // What waits for a person may come into force any time: it counts.
        if matches!(entry.status, Status::Retired { .. }) {
            return;
        }
        let law = KnownLaw {
            id: entry.id.clone(),
            formula: entry.formula.clone(),
            explanation: entry.explanation.clone(),
            strength: entry.strength,
            changeable,
        };
        match recognise_all(&entry.formula, &self.vocabulary) {
            Ok(guarded) => self.known.push(Known { law, guarded }),
            Err(_) => self.beyond_proof.push(law),
        }
    }

    fn stand(&self) -> Result<Standing, GateError> {
        Ok(match self.system(&[])?.check()? {
            Consistency::Consistent => Standing::Consistent,
            Consistency::Undecided => Standing::Undecided,
            Consistency::OverConstrained(conflict) => Standing::OverConstrained(StateConflict {
                laws: self.ids_of(&conflict.laws),
                state: conflict.witness,
                met_at: None,
            }),
        })
    }

    /// The laws in force that are not of the form, which no proof here covers.
    pub fn beyond_proof(&self) -> impl Iterator<Item = &LawId> {
        self.beyond_proof.iter().map(|law| &law.id)
    }

    /// The laws that count now: those in force and those that wait for a person, with what was admitted so far.
    pub fn laws(&self) -> Vec<KnownLaw> {
        self.known.iter().map(|known| &known.law).chain(&self.beyond_proof).cloned().collect()
    }

    /// A state in which the laws leave no action but stopping, if it is not proved that there is none.
    pub fn conflict(&self) -> Option<&StateConflict> {
        match &self.standing {
            Standing::OverConstrained(conflict) => Some(conflict),
            Standing::Consistent | Standing::Undecided => None,
        }
    }

    /// Whether it is proved that the laws leave every state an action.
    pub fn is_consistent(&self) -> bool {
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

    /// Judges a change and, if it may be, makes it; either way it is kept in the store.
    ///
    /// # Errors
    /// A store that cannot be written, or a book that cannot be changed. Then nothing is changed.
    pub fn admit(&mut self, store: &Store, change: &Change, now: Timestamp) -> Result<GateRuling, GateError> {
        let change = bounded(change);
        // Prepared aside and kept in the store first: a failure leaves everything as it was.
        let mut edit = self.edit.clone();
        let (ruling, enters, leaves) = match self.approve(&change)? {
            Err(refusal) => (GateRuling::Refused { refusal }, None, None),
            Ok(Approved::Retires(law, reason)) => {
                edit.set_status(&law, &Status::Retired { reason })?;
                (GateRuling::Retired { law: law.clone() }, None, Some(law))
            }
            Ok(Approved::Enters { judged, proposal, replaces }) => {
                let id = self.fresh_id(&judged.guarded);
                edit.add_law(&self.new_law(&id, &judged.formula, proposal))?;
                if let Some(old) = &replaces {
                    let reason = format!("replaced by `{id}`, which leaves an action where this left none");
                    edit.set_status(old, &Status::Retired { reason })?;
                }
                let ruling = GateRuling::Admitted { law: id.clone() };
                (ruling, Some(self.known(id, judged, proposal)), replaces)
            }
        };
        let record = LawProposal { change: change.clone(), book: self.book.id(), ruling: ruling.clone(), created: now };
        store.add_proposal(&record)?;
        self.edit = edit;
        if let Some(known) = enters {
            self.ids.insert(known.law.id.clone());
            self.admitted.push((known.law.id.clone(), known.law.formula.clone()));
            self.known.push(known);
        }
        if let Some(law) = leaves {
            self.known.retain(|known| known.law.id != law);
            self.beyond_proof.retain(|known| known.id != law);
            self.retired.push(law);
            self.standing = self.stand()?;
        }
        Ok(ruling)
    }

    fn approve<'c>(&self, change: &'c Change) -> Result<Result<Approved<'c>, Refusal>, GateError> {
        let enters = |proposal, replaces| move |judged| Approved::Enters { judged, proposal, replaces };
        Ok(match change {
            Change::Add(proposal) => self.judge(proposal)?.map(enters(proposal, None)),
            Change::Replace { law, with, state } => {
                self.judge_replacement(law, with, state)?.map(enters(with, Some(law.clone())))
            }
            Change::Retire { law, cause, state, .. } => {
                self.judge_retirement(law, *cause, state)?.map(|reason| Approved::Retires(law.clone(), reason))
            }
        })
    }

    fn known(&self, id: LawId, judged: Judged, proposal: &Proposal) -> Known {
        let law = KnownLaw {
            id,
            formula: judged.formula,
            explanation: proposal.explanation.as_str().into(),
            strength: Strength::Soft,
            changeable: true,
        };
        Known { law, guarded: judged.guarded }
    }

    /// The book with what was changed: a new revision, kept in the store, if anything was.
    ///
    /// # Errors
    /// A store that cannot be written, or a book that cannot be read after the change.
    pub fn finish(mut self, store: &Store, now: Timestamp) -> Result<Book, GateError> {
        if self.admitted.is_empty() && self.retired.is_empty() {
            return Ok(self.book);
        }
        self.edit.bump_revision()?;
        // Its formulas are read over the vocabulary again: nothing enters that would not load.
        let book = self.edit.finish()?.over(&self.vocabulary)?;
        for (id, judged) in &self.admitted {
            if book.entry(id).is_none_or(|entry| entry.formula != *judged) {
                return Err(GateError::Changed { law: id.clone() });
            }
        }
        store.add_book_revision(&BookRevision {
            book: BookRecord {
                name: book.name().to_owned(),
                revision: book.revision(),
                source: book.source().name.to_string(),
                text: book.text().to_owned(),
            },
            created: now,
        })?;
        Ok(book)
    }

    /// The laws that count in proofs, and one more.
    fn system(&self, more: &[GuardedLaw]) -> Result<LawSystem<'_>, GateError> {
        let mut laws: Vec<Vec<GuardedLaw>> = self.known.iter().map(|known| known.guarded.clone()).collect();
        if !more.is_empty() {
            laws.push(more.to_vec());
        }
        Ok(LawSystem::new(&self.vocabulary, &laws, DEFAULT_BUDGET)?)
    }

    /// The ids of laws by their place in [`Gate::system`], but the one that is asked about.
    fn ids_of(&self, laws: &[usize]) -> Vec<LawId> {
        laws.iter().filter_map(|law| Some(self.known.get(*law)?.law.id.clone())).collect()
    }

    fn names(&self, state: &PropSet) -> Vec<String> {
        self.vocabulary.names(state).into_iter().map(str::to_owned).collect()
    }
}

/// A change that may be made.
#[derive(Debug)]
enum Approved<'c> {
    /// A law enters, perhaps in the place of another.
    Enters { judged: Judged, proposal: &'c Proposal, replaces: Option<LawId> },
    /// A law is retired, with the reason.
    Retires(LawId, String),
}

/// The change as it is judged and kept: of bounded length.
fn bounded(change: &Change) -> Change {
    let shorten = |proposal: &Proposal| Proposal {
        // One that had to be cut is too long still, and is refused for it.
        formula: cut(&proposal.formula, MOST_FORMULA),
        explanation: cut(proposal.explanation.trim(), MOST_EXPLANATION),
        ..proposal.clone()
    };
    match change {
        Change::Add(proposal) => Change::Add(shorten(proposal)),
        Change::Replace { law, with, state } => {
            Change::Replace { law: law.clone(), with: shorten(with), state: state.clone() }
        }
        Change::Retire { .. } => change.clone(),
    }
}
