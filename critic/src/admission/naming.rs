//! The entry of an admitted law in the book, and its id.

use ltlcrit_laws::{Evidence, NewLaw, Origin, Provenance, Status, Strength};
use ltlcrit_store::LawId;
use ltlcrit_verifier::ActionSet;

use super::{Gate, Proposal};
use crate::law::{KnownLaw, Restriction};

impl Gate<'_> {
    /// Returns whether the condition of a law held before a cited step. That of a weakened law may not have held.
    fn holds_at(&self, law: &KnownLaw, cited: Evidence) -> bool {
        let applies =
            |parts: &Restriction| self.before(cited).is_some_and(|state| parts.applies(&state, &self.vocabulary));
        law.restriction.as_ref().is_none_or(applies)
    }

    pub(super) fn new_law(&self, law: &KnownLaw, proposal: &Proposal, status: Status) -> NewLaw {
        NewLaw {
            id: law.id.to_string(),
            // The formula that was judged, whatever notation it was proposed in.
            formula: law.formula.to_string(),
            strength: Strength::Soft,
            explanation: law.explanation.to_string(),
            provenance: Provenance {
                origin: Origin::Critic,
                model: Some(proposal.proposer.clone()),
                evidence: proposal.evidence.iter().copied().filter(|cited| self.holds_at(law, *cited)).collect(),
                ..Provenance::hand()
            },
            status,
            note: None,
        }
    }

    /// A new id that says what the law does: `no-craft-furnace`, `no-craft-furnace-2`, ….
    pub(super) fn fresh_id(&self, restriction: &Restriction) -> LawId {
        let blocked = restriction.blocked();
        let left = ActionSet::first(self.vocabulary.actions().len()).difference(&blocked);
        // A law that leaves few actions demands them.
        let (word, named) = if left.len() < blocked.len() { ("do", left) } else { ("no", blocked) };
        let base = match named.iter().next() {
            Some(action) if named.len() == 1 => format!("{word}-{}", slug(self.vocabulary.action_name(action))),
            _ => format!("{word}-several"),
        };
        let mut id: LawId = base.as_str().into();
        let mut number = 2u32;
        while self.ids.contains(&id) {
            id = format!("{base}-{number}").into();
            number += 1;
        }
        id
    }
}

/// A name as part of an id.
fn slug(name: &str) -> String {
    let name = name.strip_prefix("action_").unwrap_or(name);
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    plain.trim_matches('-').to_owned()
}
