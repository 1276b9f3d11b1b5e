//! Makes approved changes to the book, and stores every ruling.

use jiff::Timestamp;
use ltlcrit_laws::{Book, Status, Strength};
use ltlcrit_model::answer::cut;
use ltlcrit_store::{BookRecord, BookRevision, LawId, LawProposal, Store};

use super::not_made::{Judged, NotMade};
use super::{Answer, Change, Gate, GateError, GateRuling, Proposal, Staging};
use crate::law::KnownLaw;

/// The longest account of how the gate narrowed a law, in bytes.
const MAX_NARROWED: usize = 600;
/// The longest explanation it keeps, without that account.
pub const MAX_EXPLANATION: usize = 1_000;

impl Gate<'_> {
    /// Judges a change and makes it if it is approved. The change and the ruling are stored either way.
    ///
    /// # Errors
    /// A store that cannot be written, or a book that cannot be changed. Then nothing is changed.
    pub fn admit(&mut self, store: &Store, change: &Change, now: Timestamp) -> Result<Answer, GateError> {
        self.apply(store, change, self.approve(change), now)
    }

    fn apply(
        &mut self,
        store: &Store,
        change: &Change,
        approved: Result<Approved<'_>, NotMade>,
        now: Timestamp,
    ) -> Result<Answer, GateError> {
        // Prepared aside and kept in the store first: a failure leaves everything as it was.
        let (answer, after): (Answer, _) = match approved {
            Err(NotMade::Failed(error)) => return Err(error),
            Err(NotMade::Refused(refusal, counterexample)) => {
                (Answer { ruling: GateRuling::Refused { refusal }, counterexample }, None)
            }
            Ok(approved) => {
                let mut after = self.clone();
                (after.make(approved)?.into(), Some(after))
            }
        };
        let record =
            LawProposal { change: record(change), book: self.book.id(), ruling: answer.ruling.clone(), created: now };
        store.add_proposal(&record)?;
        if let Some(after) = after {
            *self = after;
        }
        Ok(answer)
    }

    /// Makes a change that was approved.
    fn make(&mut self, approved: Approved<'_>) -> Result<GateRuling, GateError> {
        Ok(match approved {
            Approved::Retires(law, reason) => {
                self.edit.set_status(&law, &Status::Retired { reason })?;
                self.leave(&law)?;
                GateRuling::Retired { law }
            }
            Approved::Enters { judged, proposal, replaces } => {
                let law = self.enter(&judged, proposal, self.adopted())?;
                if let Some(old) = &replaces {
                    let reason = format!("replaced by `{law}`, which leaves a way on where this left none");
                    self.edit.set_status(old, &Status::Retired { reason })?;
                    self.leave(old)?;
                }
                GateRuling::Admitted { law }
            }
        })
    }

    /// The status of laws that are admitted.
    fn adopted(&self) -> Status {
        match self.staging {
            Staging::Adopt => Status::Adopted,
            Staging::Propose => Status::Proposed,
        }
    }

    /// Adds a law that was approved, with a status, and returns its id.
    fn enter(&mut self, judged: &Judged, proposal: &Proposal, status: Status) -> Result<LawId, GateError> {
        let law = KnownLaw {
            id: self.fresh_id(&judged.restriction),
            formula: judged.formula.clone(),
            explanation: explanation(proposal, &judged.narrowed).into(),
            strength: Strength::Soft,
            changeable: true,
            proposer: Some(proposal.proposer.clone()),
            restriction: Some(judged.restriction.clone()),
        };
        let new = self.new_law(&law, proposal, status);
        // The book must load by itself.
        for derived in self.vocabulary.derivations().filter(|one| law.formula.mentions(&one.name)) {
            self.edit.add_derived(derived, Some(&new.provenance))?;
        }
        self.edit.add_law(&new)?;
        let id = law.id.clone();
        self.ids.insert(id.clone());
        self.admitted.push((id.clone(), law.formula.clone()));
        self.known.push(law);
        Ok(id)
    }

    /// Takes a law out of those that count; its entry in the book is the caller's to change.
    fn leave(&mut self, law: &LawId) -> Result<(), GateError> {
        self.known.retain(|known| known.id != *law);
        self.beyond_proof.retain(|known| known.id != *law);
        self.retired.push(law.clone());
        self.standing = self.stand()?;
        Ok(())
    }

    fn approve<'c>(&self, change: &'c Change) -> Result<Approved<'c>, NotMade> {
        Ok(match change {
            Change::Add(proposal) => Approved::Enters { judged: self.judge(proposal)?, proposal, replaces: None },
            Change::Replace { law, with, state } => {
                let judged = self.judge_replacement(law, with, state)?;
                Approved::Enters { judged, proposal: with, replaces: Some(law.clone()) }
            }
            Change::Retire { law, cause, state, proposer } => {
                Approved::Retires(law.clone(), self.judge_retirement(law, *cause, state.as_ref(), proposer)?)
            }
        })
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
        let record = BookRecord::of(&book, &book.source().name);
        store.add_book_revision(&BookRevision { book: record, created: now })?;
        Ok(book)
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

/// The explanation as it is kept: of bounded length, and with an account of how the law differs from the proposed one.
fn explanation(proposal: &Proposal, narrowed: &[String]) -> String {
    let explanation = cut(proposal.explanation.trim(), MAX_EXPLANATION);
    if narrowed.is_empty() {
        return explanation;
    }
    format!("{explanation} Narrowed: {}.", cut(&narrowed.join("; "), MAX_NARROWED))
}

/// The change as it is stored: its formula as text, its state by names.
fn record(change: &Change) -> ltlcrit_store::Change {
    let proposed = |proposal: &Proposal| ltlcrit_store::Proposal {
        formula: proposal.formula.text().clone(),
        explanation: explanation(proposal, &[]),
        source: proposal.source,
        proposer: proposal.proposer.clone(),
        evidence: proposal.evidence.clone(),
    };
    match change.clone() {
        Change::Add(proposal) => ltlcrit_store::Change::Add(proposed(&proposal)),
        Change::Replace { law, with, state } => {
            ltlcrit_store::Change::Replace { law, with: proposed(&with), state: state.text().clone() }
        }
        Change::Retire { law, cause, state, proposer } => {
            let state = state.map(|state| state.text().clone());
            ltlcrit_store::Change::Retire { law, cause, state, proposer }
        }
    }
}
