//! Exchange: a law that stands in the way of a new one leaves in the same answer.
//!
//! A new law may be refused because a law of the book is in its way: with it some state would keep no action, or it implies the
//! new one. Where the proposer asks in the same answer to retire that law, or to replace it by a narrower one, both are judged
//! together: the new law must pass every rule without the old one, or with the narrower one in its place. The old law then needs
//! no other cause to go: what a step shows outweighs it.

use jiff::Timestamp;
use ltlcrit_laws::Status;
use ltlcrit_store::{GateRuling, LawId, LawProposal, Store};

use super::apply::record;
use super::{Change, Gate, GateError, Judged, NotMade, Proposal, Refusal};
use crate::law::KnownLaw;

/// Two changes that were made together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchanged {
    /// The ruling on the change that lets the old law go.
    pub out: GateRuling,
    /// The ruling on the new law.
    pub new: GateRuling,
}

impl Gate<'_> {
    /// Makes two changes together, if the new law passes once the other change has let a law go that may be changed. Both
    /// rulings are stored; if they are refused, nothing is stored.
    ///
    /// # Errors
    /// A store that cannot be written, or a book that cannot be changed. Then nothing is changed.
    pub fn exchange(
        &mut self,
        store: &Store,
        new: &Change,
        out: &Change,
        now: Timestamp,
    ) -> Result<Option<Exchanged>, GateError> {
        let Change::Add(proposal) = new else { return Ok(None) };
        let mut after = self.clone();
        let Some((gone, narrower)) = unless_refused(after.let_go(out))? else { return Ok(None) };
        let Some(judged) = unless_refused(after.judge(proposal))? else { return Ok(None) };
        let id = after.enter(&judged, proposal, self.adopted())?;
        let instead = narrower.as_ref().unwrap_or(&id);
        let reason = format!("given up for `{instead}`: it was in the way of `{id}`");
        after.edit.set_status(&gone, &Status::Retired { reason })?;
        let exchanged = Exchanged {
            out: match narrower {
                Some(law) => GateRuling::Admitted { law },
                None => GateRuling::Retired { law: gone },
            },
            new: GateRuling::Admitted { law: id },
        };
        for (change, ruling) in [(out, &exchanged.out), (new, &exchanged.new)] {
            let (change, book) = (record(change), self.book.id());
            store.add_proposal(&LawProposal { change, book, ruling: ruling.clone(), created: now })?;
        }
        *self = after;
        Ok(Some(exchanged))
    }

    /// Lets the law of a retirement or replacement go, whatever the cause given. Returns it, with the narrower law that takes its
    /// place if there is one.
    fn let_go(&mut self, out: &Change) -> Result<(LawId, Option<LawId>), NotMade> {
        let (law, with) = match out {
            Change::Retire { law, .. } => (law, None),
            Change::Replace { law, with, .. } => (law, Some(with)),
            Change::Add(_) => return Err(Refusal::NotDue { why: "it lets no law go".to_owned() }.into()),
        };
        let old = if with.is_some() { self.replaceable(law)? } else { self.changeable(law)? }.clone();
        let judged = with.map(|with| self.judge_narrower(&old, with)).transpose()?;
        self.leave(law)?;
        let narrower = match (judged, with) {
            (Some(judged), Some(with)) => Some(self.enter(&judged, with, self.adopted())?),
            _ => None,
        };
        Ok((law.clone(), narrower))
    }

    /// Reads a law that blocks less than an old one, with a step before which its condition held.
    fn judge_narrower(&self, old: &KnownLaw, with: &Proposal) -> Result<Judged, NotMade> {
        let judged = self.read(&with.formula)?;
        self.leaves_an_action(&judged.restriction)?;
        self.is_grounded(&judged.restriction, &with.evidence, Self::holds_somewhere)?;
        self.is_weaker(old, &judged)?;
        Ok(judged)
    }
}

/// The value of a change that is made; `None` for a refusal, and an error where nothing could be decided.
fn unless_refused<T>(made: Result<T, NotMade>) -> Result<Option<T>, GateError> {
    match made {
        Ok(made) => Ok(Some(made)),
        Err(NotMade::Refused(..)) => Ok(None),
        Err(NotMade::Failed(error)) => Err(error),
    }
}
