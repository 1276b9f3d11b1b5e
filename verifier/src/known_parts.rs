//! The answers about parts of questions that are known.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::automaton::State;
use crate::letter::PropSet;
use crate::ltlf_sat::Answer;

/// A law, by number, and one of its states.
pub(crate) type LawState = (usize, State);

/// The knowledge about some laws in some states after an action.
pub(crate) struct Part {
    pub answer: Answer,
    /// The observations that its laws read, or that the axioms tie to those.
    pub observations: PropSet,
    pub cost: u64,
}

/// The parts asked about so far, by the first action and the states of their laws.
#[derive(Default)]
pub(crate) struct Parts {
    pub known: FxHashMap<Box<[u32]>, Arc<Part>>,
    /// Bytes held, roughly.
    pub bytes: usize,
}

impl Parts {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.known.clear();
        self.bytes = 0;
    }
}
