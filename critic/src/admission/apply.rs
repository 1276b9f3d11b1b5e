//! Makes approved changes to the book, and stores every ruling.

use jiff::Timestamp;
use ltlcrit_laws::{Book, Status, Strength};
use ltlcrit_model::answer::cut;
use ltlcrit_store::{BookRecord, BookRevision, LawId, LawProposal, Store};

use super::not_made::{Judged, NotMade};
use super::{Change, Gate, GateError, GateRuling, Proposal, Staging};
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
    pub fn admit(&mut self, store: &Store, change: &Change, now: Timestamp) -> Result<GateRuling, GateError> {
        // Prepared aside and kept in the store first: a failure leaves everything as it was.
        let mut after = self.clone();
        let ruling = match after.make(change) {
            Ok(ruling) => ruling,
            Err(NotMade::Refused(refusal, _)) => GateRuling::Refused { refusal },
            Err(NotMade::Failed(error)) => return Err(error),
        };
        let record = LawProposal { change: record(change), book: self.book.id(), ruling: ruling.clone(), created: now };
        store.add_proposal(&record)?;
        *self = after;
        Ok(ruling)
    }

    /// Judges a change and makes it.
    fn make(&mut self, change: &Change) -> Result<GateRuling, NotMade> {
        match change {
            Change::Add(proposal) => {
                let judged = self.judge(proposal)?;
                Ok(GateRuling::Admitted { law: self.enter(&judged, proposal)? })
            }
            Change::Replace { law: old, with, state } => {
                let judged = self.judge_replacement(old, with, state)?;
                let law = self.enter(&judged, with)?;
                self.leave(old, format!("replaced by `{law}`, which leaves a way on where this left none"))?;
                Ok(GateRuling::Admitted { law })
            }
            Change::Retire { law, cause, state, proposer } => {
                let reason = self.judge_retirement(law, *cause, state.as_ref(), proposer)?;
                self.leave(law, reason)?;
                Ok(GateRuling::Retired { law: law.clone() })
            }
        }
    }

    /// Adds a law that was approved, and returns its id.
    fn enter(&mut self, judged: &Judged, proposal: &Proposal) -> Result<LawId, GateError> {
        let law = KnownLaw {
            id: self.fresh_id(&judged.restriction),
            formula: judged.formula.clone(),
            explanation: explanation(proposal, &judged.narrowed).into(),
            strength: Strength::Soft,
            changeable: true,
            proposer: Some(proposal.proposer.clone()),
            restriction: Some(judged.restriction.clone()),
        };
        let status = match self.staging {
            Staging::Adopt => Status::Adopted,
            Staging::Propose => Status::Proposed,
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

    /// Retires a law.
    fn leave(&mut self, law: &LawId, reason: String) -> Result<(), GateError> {
        self.edit.set_status(law, &Status::Retired { reason })?;
        self.known.retain(|known| known.id != *law);
        self.beyond_proof.retain(|known| known.id != *law);
        self.retired.push(law.clone());
        self.standing = self.stand()?;
        Ok(())
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
        // The text is read again: nothing enters that would not load.
        let book = self.edit.finish_over(&self.vocabulary)?;
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
