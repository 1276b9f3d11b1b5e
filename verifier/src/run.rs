//! Run position: the current letter and the state of every watched law after it.
//!
//! After each letter, the laws' states are those of a node of the cache. The decisions in a joint state are kept with
//! it.

use crate::actions::ActionSet;
use crate::decision_cache::{DecisionCache, NodeNumber, Settled};
use crate::dfa_table::StateRef;
use crate::letter::{Letter, PropSet};

/// The current letter and the states of all watched laws after it, by position. Questions borrow it, so that the run
/// cannot go on while one is being answered.
#[derive(Clone, Copy)]
pub(crate) struct Now<'a> {
    pub letter: &'a Letter,
    pub states: &'a [StateRef],
}

/// A run before its first letter, or after some.
#[derive(Debug)]
pub(crate) struct Run {
    /// Empty before the first letter.
    letter: Letter,
    started: bool,
    at: At,
    /// The states before the letter.
    before: Vec<StateRef>,
    cache: DecisionCache,
    /// The observations that tell joint states apart.
    relevant: PropSet,
    /// Memory for states on their way to the cache.
    buffer: Vec<StateRef>,
}

/// The places of the laws' states.
#[derive(Debug)]
enum At {
    Node(NodeNumber),
    /// Before the first letter, or no law is watched.
    Apart(Vec<StateRef>),
}

impl Run {
    /// A run after this letter (or before the first), the watched laws being in these states. Joint states that differ in
    /// none of the `relevant` observations are one.
    pub fn new(letter: Option<Letter>, states: Vec<StateRef>, relevant: PropSet, bytes: usize) -> Self {
        let cache = DecisionCache::new(states.len(), bytes);
        let (started, letter) = (letter.is_some(), letter.unwrap_or_default());
        let (at, before, buffer) = (At::Apart(Vec::new()), Vec::new(), Vec::new());
        let mut run = Self { letter, started, at, before, cache, relevant, buffer };
        run.rename(states);
        run
    }

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

    /// The states of all watched laws.
    #[inline]
    pub fn states(&self) -> &[StateRef] {
        match &self.at {
            At::Node(node) => self.cache.states(*node),
            At::Apart(states) => states,
        }
    }

    /// The current letter and the laws' states after it; `None` before the first letter.
    #[inline]
    pub fn now(&self) -> Option<Now<'_>> {
        self.letter().map(|letter| Now { letter, states: self.states() })
    }

    /// The node of the watched laws' joint state, if there are any.
    #[inline]
    pub fn node(&self) -> Option<NodeNumber> {
        match self.at {
            At::Node(node) => Some(node),
            At::Apart(_) => None,
        }
    }

    /// The states of all watched laws before the current letter, if the run went on by it.
    pub fn before(&self) -> &[StateRef] {
        &self.before
    }

    /// Appends a letter that the laws read in `read`, which changes their states.
    pub fn go_on(&mut self, letter: &Letter, read: impl FnOnce(&mut [StateRef])) {
        let (mut before, mut states) = (std::mem::take(&mut self.before), std::mem::take(&mut self.buffer));
        self.states().clone_into(&mut before);
        before.clone_into(&mut states);
        read(&mut states);
        (self.letter, self.started) = (*letter, true);
        self.arrive(&states);
        (self.before, self.buffer) = (before, states);
    }

    /// Begins anew with a letter; `read` gives the states that the laws are in after it.
    pub fn begin(&mut self, letter: Letter, read: impl FnOnce(&mut Vec<StateRef>)) {
        let mut states = std::mem::take(&mut self.buffer);
        states.clear();
        read(&mut states);
        (self.letter, self.started) = (letter, true);
        self.arrive(&states);
        self.buffer = states;
    }

    /// Gives the laws' states new names; everything that was known by the old ones is forgotten.
    pub fn rename(&mut self, states: Vec<StateRef>) {
        self.cache.clear();
        if self.is_started() {
            self.arrive(&states);
        } else {
            self.at = At::Apart(states);
        }
    }

    fn arrive(&mut self, states: &[StateRef]) {
        // Without watched laws there is nothing to tell joint states apart by, and nothing to search for.
        self.at = match states.is_empty() {
            true => At::Apart(Vec::new()),
            false => At::Node(self.cache.intern(self.letter.0.intersection(&self.relevant), states)),
        };
    }

    /// Returns the decision made here on exactly these actions.
    #[inline]
    pub fn settled(&self, asked: &ActionSet) -> Option<&Settled> {
        match self.at {
            At::Node(node) => self.cache.settled(node, asked),
            At::Apart(_) => None,
        }
    }

    /// Keeps what was decided here.
    pub fn settle(&mut self, settled: Settled) {
        if let At::Node(node) = self.at {
            self.cache.settle(node, settled);
        }
    }

    /// Returns the number of times the cache was full and started afresh.
    pub fn emptied(&self) -> u64 {
        self.cache.emptied
    }

    /// Bytes the cache holds.
    pub fn bytes(&self) -> usize {
        self.cache.bytes()
    }
}
