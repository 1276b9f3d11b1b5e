//! Causes of a block: the literals of the run, by step, that make some laws block an action.
//!
//! A *cause* is a minimal set of literals of the run's letters. In every run that agrees with them, the same laws block
//! the action. "Every run" means every word of as many letters, each of them possible: one action from letter 1 on, no
//! action in letter 0, and observations that the axioms allow. A word that breaks one of the laws counts as blocked,
//! since a broken law stays broken. Each law reads the word from the letter its monitor began with; a law
//! `G(phi_s -> X phi_a)` reads the current letter alone.
//!
//! The laws' automata are deterministic. So "every run that agrees" is one walk along the word with the set of joint
//! states that such runs can be in. One walk also finds a minimal cause. At each step, from the first to the last, it
//! leaves out as many literals as possible. Without a literal, the runs can be in more states. The literal is not
//! needed if the *real* rest of the word leads to a block from each of them. Later literals are left out later, when
//! the earlier ones are settled. So a cause consists of late literals rather than early ones, and each step is examined
//! once. What is left out at a step depends on the states before it, its letter, and the states from which the rest
//! leads to a block; a long run goes through few such combinations, and each is worked out once.
//!
//! Nothing here runs when a letter is read or an action judged. A search spends from the budget of an explanation; when
//! it runs out, the unexamined literals are kept and [`CauseProof`] says so.

mod guard;
pub(crate) mod possible_letters;
mod walk;

use serde::{Deserialize, Serialize};
use walk::{Reader, Walk};

use crate::history::History;
use crate::joint::Joint;
use crate::letter::{Letter, PropSet};
use crate::run::Now;
use crate::vocabulary::ActionId;

/// The strength of the proof that the literals of an explanation are its cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CauseProof {
    /// The literals suffice for the block, and none of them can be left out.
    Minimal,
    /// The literals suffice for the block, but some may not be needed: the budget ran out, or the first letters of a
    /// long run are forgotten.
    Sufficient,
    /// No cause was found within the bounds: not even all literals together were proved to suffice. No literals are
    /// cited.
    Unknown,
}

/// The cause of a block.
pub(crate) struct Causes {
    /// The strength of the proof.
    pub provenance: CauseProof,
    /// The cited propositions by step: the number of a letter, and the letter.
    pub cited: Vec<(usize, Letter, PropSet)>,
    /// The number of the first letter that each law in question read.
    pub begun: Vec<usize>,
}

/// Finds the cause for which laws, given by number, block an action now.
pub(crate) fn find(joint: &mut Joint, now: Now<'_>, history: &History, laws: &[usize], action: ActionId) -> Causes {
    let step = history.now();
    if let &[law] = laws
        && let Some(found) = of_guard(joint, now.letter, law, action)
    {
        let provenance = if found.is_minimal { CauseProof::Minimal } else { CauseProof::Sufficient };
        return Causes { provenance, cited: vec![(step, *now.letter, found.props)], begun: vec![step] };
    }
    let readers: Vec<Reader> = laws.iter().map(|&law| Reader::new(joint, history, law)).collect();
    // Stopping lets a law read the current observations once more.
    let latest = if joint.vocabulary().stop() == Some(action) { step } else { usize::MAX };
    let begun = readers.iter().map(|reader| reader.begun.min(latest)).collect();
    let vocabulary = joint.vocabulary().clone();
    let mut walk = Walk::new(joint, now, history, &vocabulary, readers, laws, action);
    let mut cited = Vec::new();
    let provenance = minimise(&mut walk, &mut cited);
    Causes { provenance, cited, begun }
}

/// Returns the cause of a block by one law of the form `G(phi_s -> X phi_a)`, which depends on the current letter
/// alone.
fn of_guard(joint: &Joint, now: &Letter, law: usize, action: ActionId) -> Option<guard::Implicant> {
    let formula = &joint.laws.laws().get(law)?.formula;
    guard::implicant(formula, joint.vocabulary(), now, action, &joint.budget)
}

/// Leaves out as many literals as possible, from the first letter that one of the laws read to the current one.
fn minimise(walk: &mut Walk<'_>, cited: &mut Vec<(usize, Letter, PropSet)>) -> CauseProof {
    let (first, now) = (walk.first, walk.history.now());
    let Ok(mut states) = walk.begin() else { return CauseProof::Unknown };
    let all = walk.read_at(first);
    let begin = walk.states_of(states);
    if !matches!(walk.suffices(first, &begin, &all), Ok(true)) {
        return CauseProof::Unknown;
    }
    // If the first letters are forgotten, the walk begins in more states than are possible.
    let mut is_minimal = walk.readers.iter().all(|reader| reader.begun >= first);
    if is_minimal && !walk.retraces(&begin) {
        return CauseProof::Unknown;
    }
    for step in first..now {
        let Ok((kept, next)) = walk.leave_out(step, states) else {
            // The literals left out so far stay left out; all later literals are kept.
            cited.extend((step..=now).map(|step| (step, walk.letter(step), walk.read_at(step))));
            cited.retain(|(.., read)| !read.is_empty());
            return CauseProof::Sufficient;
        };
        if !kept.is_empty() {
            cited.push((step, walk.letter(step), kept));
        }
        states = next;
    }
    let (kept, is_proved) = walk.least(now, &walk.states_of(states));
    is_minimal &= is_proved;
    if !kept.is_empty() {
        cited.push((now, walk.letter(now), kept));
    }
    if is_minimal { CauseProof::Minimal } else { CauseProof::Sufficient }
}
