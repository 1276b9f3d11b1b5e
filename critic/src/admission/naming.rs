//! What an admitted law looks like in the book, and what it is called.

use ltlcrit_laws::{NewLaw, Origin, Provenance, Status, Strength};
use ltlcrit_verifier::{ActionSet, Formula, GuardedLaw};

use super::{Gate, Proposal, Staging};
use ltlcrit_store::LawId;

impl Gate<'_> {
    pub(super) fn new_law(&self, id: &LawId, formula: &Formula, proposal: &Proposal) -> NewLaw {
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
    pub(super) fn fresh_id(&self, guarded: &[GuardedLaw]) -> LawId {
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
