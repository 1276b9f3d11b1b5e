//! A law that blocks, and the letters of the run that it read.

use crate::dfa_table::StateRef;
use crate::history::{Begun, History};
use crate::joint::Joint;
use crate::letter::PropSet;

/// One of the laws that block.
pub(super) struct Reader {
    /// Its position among the watched laws; `None` for a law that reads only the current letter.
    pub position: Option<usize>,
    /// The number of the first letter it read.
    pub begun: usize,
    /// Its state before that letter, if it is watched.
    pub start: StateRef,
    pub mentioned: PropSet,
}

impl Reader {
    pub fn new(joint: &mut Joint, history: &History, law: usize) -> Self {
        let vocabulary = joint.vocabulary();
        let formula = joint.laws.laws().get(law).map(|law| &law.formula);
        let mentioned =
            formula.into_iter().flat_map(|law| law.atoms()).filter_map(|name| vocabulary.id(&name)).collect();
        let position = joint.laws.position(law);
        let Some(at) = position else {
            return Self { position, begun: history.now(), start: StateRef::LOST, mentioned };
        };
        let Begun { letter: mut begun, kept } = history.begun(at);
        if let Some(kept) = kept {
            return Self { position, begun, start: joint.state_of(at, kept), mentioned };
        }
        let mut start = initial(joint, at);
        if let Some(letter) = history.letter(begun) {
            let mut state = start;
            // A letter that alone breaks the law is skipped.
            if joint.read(at, &mut state, &letter) {
                (begun, start) = (begun + 1, state);
            }
        }
        Self { position, begun, start, mentioned }
    }
}

/// Returns the state of a watched law before any letter.
fn initial(joint: &mut Joint, position: usize) -> StateRef {
    joint.initial_states().nth(position).unwrap_or(StateRef::LOST)
}
