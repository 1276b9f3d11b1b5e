//! Checks by a shield that a run reaches a state without an action.

use std::sync::Arc;

use crate::formula::Formula;
use crate::law::Law;
use crate::letter::Letter;
use crate::options::ShieldOptions;
use crate::shield::Shield;
use crate::vocabulary::Vocabulary;

/// Returns whether the letters lead a shield to a state without an action. The shield must allow the action of each
/// letter, no letter may break a law, and only stopping is left after the last letter. A decision with undecided
/// actions does not count.
pub(super) fn is_stuck(vocabulary: &Vocabulary, laws: &[Formula], letters: &[Letter]) -> bool {
    let laws = laws.iter().enumerate().map(|(at, law)| Law::hard(at.to_string(), law.clone(), "")).collect();
    let Ok(mut shield) = Shield::new(Arc::new(vocabulary.clone()), laws, ShieldOptions::default()) else {
        return false;
    };
    let Some((first, others)) = letters.split_first() else { return false };
    if shield.start(first.0) != Ok(Vec::new()) {
        return false;
    }
    for letter in others {
        let Some(action) = letter.action(vocabulary) else { return false };
        let observations = letter.observations(vocabulary);
        if !shield.judge(action).is_allowed() || shield.step(action, observations) != Ok(Vec::new()) {
            return false;
        }
    }
    let decided = shield.decide();
    let stops_at_most = decided.allowed.iter().all(|action| Some(action) == vocabulary.stop());
    stops_at_most && !matches!(decided.enforcement, crate::judgement::Enforcement::Undecided { .. })
}
