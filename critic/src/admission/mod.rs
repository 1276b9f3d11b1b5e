//! The gate: the only way by which a learned law enters a book.
//!
//! A law is admitted if, in this order, it can be read; is of the form `G(phi_s -> X phi_a)`; speaks of known propositions
//! only; leaves an action; is *grounded*, that is, cites a step in whose state `phi_s` held; is not implied by the laws in
//! force; leaves every state an action, proved for all states at once ([`consistency`](ltlcrit_verifier::consistency));
//! and would have blocked no step of the best known successful runs, stopping at the goal included.
//!
//! So LTLCrit's theorem 1, that every state keeps an action, does not rest on how laws are found: it is kept by proof with
//! every law. The proof is about the laws of the form; laws in force of other forms ([`Gate::beyond_proof`]) are outside of
//! it, as they are of the theorem.
//!
//! Whatever the gate says is kept in the store, refusals with their counterexample, and the same proposal to the same book
//! and runs gets the same answer.

mod proposal;
mod refusal;
mod replay;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use ltlcrit_laws::{Book, BookErrors, Edit, EditError, Evidence, NewLaw, Origin, Provenance, Status, Strength};
use ltlcrit_verifier::consistency::{Consistency, ConsistencyError, DEFAULT_BUDGET, LawSystem};
use ltlcrit_verifier::form::{NotOfTheForm, recognise_all};
use ltlcrit_verifier::{ActionSet, Formula, GuardedLaw, PropSet, Proposition, Vocabulary, syntax};
use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use proposal::{LawSource, MOST_EXPLANATION, MOST_FORMULA, Proposal};
pub use refusal::{Refusal, UnknownName};
use replay::GoodStep;

use crate::graph::TrajectoryGraph;
use crate::model::answer::{cut, nearest};
use crate::store::{BookRecord, BookRevision, LawId, LawProposal, RunId, Store, StoreError};

/// The gate's word on a proposal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ruling", rename_all = "kebab-case")]
pub enum GateRuling {
    /// It is in the book.
    Admitted {
        /// Under this id.
        law: LawId,
    },
    /// It is not.
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

/// A proposed formula as it was read.
#[derive(Clone, Debug)]
struct Judged {
    formula: Formula,
    guarded: Vec<GuardedLaw>,
}

/// A law of the form that counts in proofs.
#[derive(Clone, Debug)]
struct Known {
    id: LawId,
    guarded: Vec<GuardedLaw>,
}

/// The gate to one book.
#[derive(Debug)]
pub struct Gate<'a> {
    vocabulary: Arc<Vocabulary>,
    graph: &'a TrajectoryGraph,
    book: Book,
    edit: Edit,
    staging: Staging,
    known: Vec<Known>,
    /// Every id that is taken, whether in force or not.
    ids: BTreeMap<LawId, ()>,
    beyond_proof: Vec<LawId>,
    good: Vec<GoodStep>,
    /// An over-constrained state the laws had before anything was admitted.
    conflict: Option<Refusal>,
    admitted: Vec<(LawId, Formula)>,
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
            staging,
            known: Vec::new(),
            ids: BTreeMap::new(),
            beyond_proof: Vec::new(),
            good: replay::good_steps(graph, &vocabulary),
            conflict: None,
            admitted: Vec::new(),
            vocabulary,
        };
        for entry in others.iter().chain([book]).flat_map(Book::entries) {
            gate.ids.insert(entry.id.clone(), ());
            // What waits for a person may come into force any time: it counts.
            if matches!(entry.status, Status::Retired { .. }) {
                continue;
            }
            match recognise_all(&entry.formula, &gate.vocabulary) {
                Ok(guarded) => gate.known.push(Known { id: entry.id.clone(), guarded }),
                Err(_) => gate.beyond_proof.push(entry.id.clone()),
            }
        }
        gate.conflict = match gate.system(&[])?.check()? {
            Consistency::Consistent => None,
            Consistency::Undecided => {
                Some(Refusal::Undecided { question: "the laws in force leave every state an action".to_owned() })
            }
            Consistency::OverConstrained(conflict) => Some(Refusal::BookOverConstrained {
                state: gate.names(&conflict.witness),
                laws: gate.ids_of(&conflict.laws),
            }),
        };
        Ok(gate)
    }

    /// The laws in force that are not of the form, which no proof here covers.
    pub fn beyond_proof(&self) -> &[LawId] {
        &self.beyond_proof
    }

    /// The laws admitted so far.
    pub fn admitted(&self) -> impl Iterator<Item = &LawId> {
        self.admitted.iter().map(|(id, _)| id)
    }

    /// Judges a proposal and, if it may, lets it in; either way it is kept in the store.
    ///
    /// # Errors
    /// A store that cannot be written, or a book that cannot be changed. Then nothing is admitted.
    pub fn admit(&mut self, store: &Store, proposal: &Proposal, now: Timestamp) -> Result<GateRuling, GateError> {
        let book = self.book.id();
        let kept = Proposal {
            formula: cut(&proposal.formula, MOST_FORMULA),
            explanation: cut(proposal.explanation.trim(), MOST_EXPLANATION),
            ..proposal.clone()
        };
        let ruling = match self.judge(proposal)? {
            Ok(Judged { formula, guarded }) => {
                let id = self.fresh_id(&guarded);
                let mut edit = self.edit.clone();
                edit.add_law(&self.new_law(&id, &formula, &kept))?;
                let ruling = GateRuling::Admitted { law: id.clone() };
                store.add_proposal(&LawProposal { proposal: kept, book, ruling: ruling.clone(), created: now })?;
                self.edit = edit;
                self.ids.insert(id.clone(), ());
                self.known.push(Known { id: id.clone(), guarded });
                self.admitted.push((id, formula));
                return Ok(ruling);
            }
            Err(refusal) => GateRuling::Refused { refusal },
        };
        store.add_proposal(&LawProposal { proposal: kept, book, ruling: ruling.clone(), created: now })?;
        Ok(ruling)
    }

    /// The book with what was admitted: a new revision, kept in the store, if anything was.
    ///
    /// # Errors
    /// A store that cannot be written, or a book that cannot be read after the change.
    pub fn finish(mut self, store: &Store, now: Timestamp) -> Result<Book, GateError> {
        if self.admitted.is_empty() {
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

    /// Whether a proposal may enter, and what it says if so.
    fn judge(&self, proposal: &Proposal) -> Result<Result<Judged, Refusal>, GateError> {
        let judged = match self.read(&proposal.formula) {
            Ok(judged) => judged,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let guarded = &judged.guarded;
        let early = self.leaves_an_action(guarded).and_then(|()| self.is_grounded(guarded, &proposal.evidence));
        if let Err(refusal) = early {
            return Ok(Err(refusal));
        }
        if let Err(refusal) = self.adds_something(guarded)? {
            return Ok(Err(refusal));
        }
        if let Err(refusal) = self.leaves_every_state_an_action(guarded)? {
            return Ok(Err(refusal));
        }
        Ok(self.spares_good_steps(guarded).map(|()| judged))
    }

    fn read(&self, text: &str) -> Result<Judged, Refusal> {
        if text.len() > MOST_FORMULA {
            let message = format!("it is longer than {MOST_FORMULA} bytes; say it in less, or in several laws");
            return Err(Refusal::Syntax { message });
        }
        // As books are read: names the vocabulary knows help to tell the notation.
        let formula = syntax::parse_over(text, &self.vocabulary)
            .or_else(|_| syntax::parse(text))
            .map_err(|error| Refusal::Syntax { message: error.to_string() })?;
        let unknown: Vec<Arc<str>> =
            formula.atoms().into_iter().filter(|atom| self.vocabulary.id(atom).is_none()).collect();
        if unknown.is_empty() {
            let guarded = recognise_all(&formula, &self.vocabulary).map_err(of_other_form)?;
            return Ok(Judged { formula, guarded });
        }
        // The form comes first, as if the names existed and were what they are called.
        if let Some(wider) = self.vocabulary_with(&unknown) {
            recognise_all(&formula, &wider).map_err(of_other_form)?;
        }
        let known = || self.vocabulary.propositions().iter().map(|known| &*known.name);
        let names = unknown
            .into_iter()
            .map(|name| UnknownName { suggestion: nearest(&name, known()).map(str::to_owned), name: name.to_string() });
        Err(Refusal::UnknownPropositions { names: names.collect() })
    }

    fn vocabulary_with(&self, unknown: &[Arc<str>]) -> Option<Vocabulary> {
        let (mut observations, mut actions) =
            (self.vocabulary.observations().to_vec(), self.vocabulary.actions().to_vec());
        for name in unknown {
            let list = if name.starts_with("action_") { &mut actions } else { &mut observations };
            list.push(Proposition::new(name.clone(), ""));
        }
        Vocabulary::new(self.vocabulary.name(), observations, actions, Vec::new()).ok()
    }

    /// Some action but stopping satisfies what each part demands.
    fn leaves_an_action(&self, guarded: &[GuardedLaw]) -> Result<(), Refusal> {
        let stop: ActionSet = self.vocabulary.stop().into_iter().collect();
        match guarded.iter().find(|law| law.allows(&self.vocabulary).is_subset(&stop)) {
            Some(law) => Err(Refusal::NoActionLeft { demand: law.demand.to_string() }),
            None => Ok(()),
        }
    }

    /// Every cited step exists, and in one the condition of some part held.
    fn is_grounded(&self, guarded: &[GuardedLaw], evidence: &[Evidence]) -> Result<(), Refusal> {
        let Some(&first) = evidence.first() else {
            return Err(Refusal::NoEvidence { holds_at: self.holds_somewhere(guarded) });
        };
        let mut holds = false;
        for cited in evidence {
            let state = self.before(*cited).ok_or(Refusal::NoSuchStep { cited: *cited })?;
            holds |= guarded.iter().any(|law| law.applies(&self.vocabulary, state));
        }
        if holds {
            return Ok(());
        }
        let state = self.before(first).map(|state| self.names(state)).unwrap_or_default();
        Err(Refusal::NotGrounded { cited: first, state, holds_at: self.holds_somewhere(guarded) })
    }

    /// What held before a step, where its action was chosen.
    fn before(&self, cited: Evidence) -> Option<&PropSet> {
        let path = self.graph.run(RunId(cited.run))?;
        let before = usize::try_from(cited.step.checked_sub(1)?).ok()?;
        (before < path.steps().len()).then(|| self.graph.holds(self.graph.place_after(path, before)))?
    }

    /// The first step of all in whose state the condition of some part held.
    fn holds_somewhere(&self, guarded: &[GuardedLaw]) -> Option<Evidence> {
        let steps = self.graph.choices().filter(|(_, state, _)| {
            let state = self.graph.holds(*state);
            state.is_some_and(|state| guarded.iter().any(|law| law.applies(&self.vocabulary, state)))
        });
        let first = steps.flat_map(|(choice, ..)| self.graph.outcomes(choice)).map(|(.., first)| first).min()?;
        Some(Evidence { run: first.run.0, step: u64::from(first.step) })
    }

    /// In some state it blocks an action that no law in force blocks.
    fn adds_something(&self, guarded: &[GuardedLaw]) -> Result<Result<(), Refusal>, GateError> {
        let mut system = self.system(guarded)?;
        let new = self.known.len();
        match system.implied_by(new, &vec![true; new + 1]) {
            Ok(None) => Ok(Ok(())),
            Ok(Some(by)) => Ok(Err(Refusal::Implied { by: self.ids_of(&by) })),
            Err(ConsistencyError::Budget(_)) => {
                Ok(Err(Refusal::Undecided { question: "it adds something to the laws in force".to_owned() }))
            }
            Err(error) => Err(error.into()),
        }
    }

    fn leaves_every_state_an_action(&self, guarded: &[GuardedLaw]) -> Result<Result<(), Refusal>, GateError> {
        if let Some(conflict) = &self.conflict {
            return Ok(Err(conflict.clone()));
        }
        Ok(match self.system(guarded)?.check()? {
            Consistency::Consistent => Ok(()),
            Consistency::Undecided => {
                Err(Refusal::Undecided { question: "with it every state keeps an action".to_owned() })
            }
            Consistency::OverConstrained(conflict) => {
                Err(Refusal::OverConstrains { state: self.names(&conflict.witness), laws: self.ids_of(&conflict.laws) })
            }
        })
    }

    fn spares_good_steps(&self, guarded: &[GuardedLaw]) -> Result<(), Refusal> {
        let blocked = |good: &&GoodStep| {
            guarded.iter().any(|law| {
                law.applies(&self.vocabulary, &good.state) && !law.allows(&self.vocabulary).contains(good.action)
            })
        };
        match self.good.iter().find(blocked) {
            None => Ok(()),
            Some(good) => Err(Refusal::BlocksGoodStep {
                step: good.step,
                action: self.vocabulary.action_name(good.action).to_owned(),
                state: self.names(&good.state),
            }),
        }
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
        laws.iter().filter_map(|law| Some(self.known.get(*law)?.id.clone())).collect()
    }

    fn names(&self, state: &PropSet) -> Vec<String> {
        self.vocabulary.names(state).into_iter().map(str::to_owned).collect()
    }

    fn new_law(&self, id: &LawId, formula: &Formula, proposal: &Proposal) -> NewLaw {
        NewLaw {
            id: id.to_string(),
            // As it was judged, whatever notation it came in.
            formula: formula.to_string(),
            strength: Strength::Soft,
            explanation: proposal.explanation.clone(),
            provenance: Provenance {
                origin: Origin::Critic,
                reference: None,
                sentence: None,
                model: Some(proposal.proposer.clone()),
                evidence: proposal.evidence.clone(),
            },
            status: match self.staging {
                Staging::Adopt => Status::Adopted,
                Staging::Propose => Status::Proposed,
            },
            note: None,
        }
    }

    /// An id that says what the law does and that no law has: `no-craft-furnace`, `no-craft-furnace-2`, ….
    fn fresh_id(&self, guarded: &[GuardedLaw]) -> LawId {
        let count = self.vocabulary.actions().len();
        let allowed =
            guarded.iter().fold(ActionSet::first(count), |all, law| all.intersection(&law.allows(&self.vocabulary)));
        let blocked = ActionSet::first(count).difference(&allowed);
        let (word, named) = if allowed.len() < blocked.len() { ("do", allowed) } else { ("no", blocked) };
        let name = match named.iter().next() {
            Some(action) if named.len() == 1 => slug(self.vocabulary.action_name(action)),
            _ => "several".to_owned(),
        };
        let base = format!("{word}-{name}");
        let mut id: LawId = base.as_str().into();
        let mut number = 2u32;
        while self.ids.contains_key(&id) {
            id = format!("{base}-{number}").into();
            number += 1;
        }
        id
    }
}

fn of_other_form(why: NotOfTheForm) -> Refusal {
    Refusal::NotOfTheForm { why: why.to_string() }
}

/// A name as part of an id.
fn slug(name: &str) -> String {
    let name = name.strip_prefix("action_").unwrap_or(name);
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    plain.trim_matches('-').to_owned()
}
