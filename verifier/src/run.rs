//! The state of one run: small, and apart from all that shields over the same laws share.

use std::sync::Arc;

use crate::actions::ActionSet;
use crate::decision_cache::NodeNumber;
use crate::dfa_table::StateRef;
use crate::history::History;
use crate::judgement::Decision;
use crate::law::LawId;
use crate::law_set::Group;
use crate::letter::Letter;
use crate::predictions::{Predictions, RobustlyJudged};
use crate::vocabulary::ActionId;

/// The current letter and the states of all watched laws after it, by position. Questions borrow it, so that the run
/// cannot go on while one is being answered.
#[derive(Clone, Copy)]
pub(crate) struct Now<'a> {
    pub letter: &'a Letter,
    pub states: &'a [StateRef],
}

/// A run before its first letter, or after some.
#[derive(Default)]
pub(crate) struct Run {
    /// Empty before the first letter.
    letter: Letter,
    started: bool,
    /// The states of all watched laws, by position.
    pub states: Vec<StateRef>,
    /// The joint state, if it was looked up, and the number of times that the cache had been emptied then.
    pub node: Option<(NodeNumber, u64)>,
    pub history: History,
    pub here: Here,
    /// The predictions, while another run is asked about.
    pub predictions: Box<Predictions>,
    /// The number of times an action could not be decided within the bounds.
    pub unknowns: u64,
    /// Once the run has ended: the laws that do not hold of it.
    pub end: Option<Vec<LawId>>,
}

/// The laws that a question is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Which {
    #[default]
    All,
    Hard,
    /// The hard laws and the soft ones that are not suspended.
    Kept,
}

/// The decisions at the current letter.
#[derive(Default)]
pub(crate) struct Here {
    /// The actions that the guarded laws allow.
    pub masked: ActionSet,
    pub decision: Option<Decision>,
    /// The laws that decided.
    pub judged_by: Which,
    /// The hard laws and the soft ones that are not suspended, where some are.
    pub kept: Option<Arc<Group>>,
    pub hard_allowed: Option<ActionSet>,
    pub robust: Vec<RobustlyJudged>,
    /// The action that is judged by a way of its own.
    pub way: Option<ActionId>,
}

impl Run {
    /// Returns whether a letter was read.
    #[inline]
    pub fn is_started(&self) -> bool {
        self.started
    }

    /// The current letter; `None` before the first.
    #[inline]
    pub fn letter(&self) -> Option<&Letter> {
        self.started.then_some(&self.letter)
    }

    /// The current letter and the laws' states after it; `None` before the first letter.
    #[inline]
    pub fn now(&self) -> Option<Now<'_>> {
        self.letter().map(|letter| Now { letter, states: &self.states })
    }

    /// Takes a letter as the current one; the laws' states are changed by the caller.
    #[inline]
    pub fn arrive(&mut self, letter: Letter) {
        (self.letter, self.started, self.node) = (letter, true, None);
    }
}
