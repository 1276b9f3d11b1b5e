//! The shield as the loop uses it: rulings with the explanations that actors see.

use std::sync::Arc;

use ltlcrit_store::{ProposalRecord, Proposer, Reply, Ruling};
use ltlcrit_verifier::shield::ShieldError;
use ltlcrit_verifier::{ActionId, Explanation, Judgement, Law, Shield, ShieldOptions, Transitions, Vocabulary};

/// A shield over laws, with the world's transition model if there is one.
pub(crate) fn shield(
    vocabulary: &Arc<Vocabulary>,
    laws: Vec<Law>,
    transitions: Option<Arc<dyn Transitions>>,
) -> Result<Shield, ShieldError> {
    let shield = Shield::new(vocabulary.clone(), laws, ShieldOptions::default())?;
    Ok(match transitions {
        Some(model) => shield.with_transitions(model),
        None => shield,
    })
}

/// The ruling on a proposed action. A shield that does not enforce only records what it would have blocked.
pub(super) fn rule(shield: &mut Shield, action: ActionId, enforcing: bool) -> Ruling {
    match (shield.judge(action), enforcing) {
        (Judgement::Allowed, true) => Ruling::Allowed,
        (Judgement::Allowed, false) => Ruling::Unshielded { laws: Vec::new(), minimal: true, undecided: false },
        (Judgement::Blocked { laws, minimal }, true) => {
            Ruling::Blocked { laws, minimal, explanation: explain(shield, action) }
        }
        (Judgement::Blocked { laws, minimal }, false) => Ruling::Unshielded { laws, minimal, undecided: false },
        (Judgement::Undecided { .. }, false) => Ruling::Unshielded { laws: Vec::new(), minimal: true, undecided: true },
        (Judgement::Undecided { why }, true) => Ruling::Undecided { why: why.to_string() },
    }
}

/// Asks a shield what it was asked when a step was taken, in the same order: where its budget does not suffice, what it has
/// learned before decides. Gives the rulings on the proposals that are actions.
pub(crate) fn rule_again(shield: &mut Shield, proposals: &[ProposalRecord], enforcing: bool) -> Vec<Option<Ruling>> {
    shield.decide();
    let mut asked = false;
    let again = |proposal: &ProposalRecord| {
        if proposal.by == Proposer::Actor && !std::mem::replace(&mut asked, true) {
            shield.hard_allowed();
        }
        match proposal.reply {
            Reply::Action { action } => Some(rule(shield, action, enforcing)),
            Reply::NoAction(_) => None,
        }
    };
    proposals.iter().map(again).collect()
}

/// Explains a blocked action to the actor: the reasons, and for stopping what is owed. Allowed actions are listed only
/// when the re-prompts are used up.
fn explain(shield: &mut Shield, action: ActionId) -> String {
    let mut explanation = Explanation::new(shield, action);
    explanation.allowed.clear();
    if shield.vocabulary().stop() == Some(action) { explanation.brief() } else { explanation.reasons() }
}
