//! Where a run is: the one place that knows the current letter and the state of every watched law after it.
//!
//! A step seen before is one look-up of an edge, after which the laws' states are those of another node of the cache: no
//! state is copied, and there is no second copy that could be stale. What is decided in a joint state is kept with it.

use crate::actions::ActionSet;
use crate::decision_cache::{DecisionCache, NodeNumber, Settled};
use crate::dfa_table::StateRef;
use crate::edges::Edges;
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
    cache: DecisionCache,
    edges: Edges,
    /// The observations that tell joint states apart.
    relevant: PropSet,
    /// Memory for states on their way to the cache.
    buffer: Vec<StateRef>,
}

/// Where the laws' states are to be found.
#[derive(Debug)]
enum At {
    Node(NodeNumber),
    /// Before the first letter, or no law is watched.
    Apart(Vec<StateRef>),
}

impl Run {
    /// A run after this letter (or before the first), the watched laws being in these states. Joint states that differ in
    /// none of the `relevant` observations are one; steps by letters that differ in none of the propositions `read` are one.
    pub fn new(letter: Option<Letter>, states: Vec<StateRef>, relevant: PropSet, read: PropSet, bytes: usize) -> Self {
        let cache = DecisionCache::new(states.len(), bytes);
        let (at, edges) = (At::Apart(Vec::new()), Edges::new(read));
        let (started, letter) = (letter.is_some(), letter.unwrap_or_default());
        let mut run = Self { letter, started, at, cache, edges, relevant, buffer: Vec::new() };
        run.rename(states);
        run
    }

    /// Whether a letter was read.
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

    /// Goes on by a letter if this step was seen before: `false` if not, and then nothing has changed.
    #[inline]
    pub fn follow(&mut self, letter: &Letter) -> bool {
        match &mut self.at {
            At::Node(node) => {
                let Some(next) = self.edges.get(*node, &letter.0) else { return false };
                *node = next;
            }
            // Where no law is watched, no law has to read.
            At::Apart(states) if self.started && states.is_empty() => {}
            At::Apart(_) => return false,
        }
        self.letter = *letter;
        true
    }

    /// Goes on by a letter that the laws read in `read`, which changes their states and says whether the same step may be
    /// followed without reading from now on.
    pub fn go_on(&mut self, letter: &Letter, read: impl FnOnce(&mut [StateRef]) -> bool) {
        let mut states = std::mem::take(&mut self.buffer);
        states.clear();
        states.extend_from_slice(self.states());
        let remember = read(&mut states);
        let before = match self.at {
            At::Node(node) if remember => Some(node),
            _ => None,
        };
        (self.letter, self.started) = (*letter, true);
        let forgot = self.arrive(&states);
        if let (Some(before), At::Node(node), false) = (before, &self.at, forgot) {
            self.edges.insert(before, &letter.0, *node);
        }
        self.buffer = states;
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
        self.edges.forget();
        if self.is_started() {
            self.arrive(&states);
        } else {
            self.at = At::Apart(states);
        }
    }

    /// Whether all nodes were forgotten to make room.
    fn arrive(&mut self, states: &[StateRef]) -> bool {
        if states.is_empty() {
            // Nothing to tell joint states apart by, and nothing to search for.
            self.at = At::Apart(Vec::new());
            return false;
        }
        let observations = self.letter.0.intersection(&self.relevant);
        let (node, forgot) = self.cache.intern(observations, states);
        if forgot {
            self.edges.forget();
        }
        self.at = At::Node(node);
        forgot
    }

    /// What was decided here when exactly these actions were asked about.
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

    /// How often the cache was full and started afresh.
    pub fn emptied(&self) -> u64 {
        self.cache.emptied
    }

    /// Bytes the cache holds.
    pub fn bytes(&self) -> usize {
        self.cache.bytes() + self.edges.bytes()
    }
}
