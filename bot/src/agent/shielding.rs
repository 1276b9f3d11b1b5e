//! The shield as the loop uses it: rulings with the explanations that actors see.

use std::sync::Arc;

use ltlcrit_store::Ruling;
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
        (Judgement::Allowed | Judgement::Undecided { .. }, false) => Ruling::Unshielded { laws: Vec::new() },
        (Judgement::Blocked { laws }, true) => Ruling::Blocked { laws, explanation: explain(shield, action) },
        (Judgement::Blocked { laws }, false) => Ruling::Unshielded { laws },
        (Judgement::Undecided { why }, true) => Ruling::Undecided { why: why.to_string() },
    }
}

/// Explains a blocked action to the actor: the reasons, and for stopping what is owed. Allowed actions are listed only
/// when the re-prompts are used up.
fn explain(shield: &mut Shield, action: ActionId) -> String {
    let mut explanation = Explanation::new(shield, action);
    explanation.allowed.clear();
    if shield.vocabulary().stop() == Some(action) { explanation.brief() } else { explanation.reasons() }
}
