//! The complete automaton of a monitor, explored state by state.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use thiserror::Error;

use super::guard::Guard;
use crate::formula::Formula;
use crate::letter::{Letter, PropSet};
use crate::monitor::Monitor;
use crate::verdict::Verdict;
use crate::vocabulary::{PropId, UnknownProposition, Vocabulary, VocabularyError};

/// The limits of the exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of states.
    pub states: usize,
    /// Maximum number of propositions, at most 20: every state has `2^propositions` outgoing letters.
    pub propositions: usize,
    /// Maximum number of steps: states times letters.
    pub steps: usize,
    /// Maximum number of units of work, as counted by [`Monitor::work`].
    pub work: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { states: 1_000, propositions: 12, steps: 1 << 20, work: 100_000_000 }
    }
}

/// The reason why a formula cannot be exported.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ExportError {
    /// Too many propositions.
    #[error("the formula mentions {found} propositions; an automaton over more than {limit} is not written out")]
    Propositions {
        /// The number of propositions that it mentions.
        found: usize,
        /// The maximum number of propositions.
        limit: usize,
    },
    /// Too many states.
    #[error("the automaton has more than {limit} states; raise the limit or export a part of the formula")]
    States {
        /// The maximum number of states.
        limit: usize,
    },
    /// Too many steps, or too much work.
    #[error("the automaton needs more than {limit} {unit} to explore; raise the limit or export a part of the formula")]
    Effort {
        /// The maximum number.
        limit: u64,
        /// `steps` or `units of work`.
        unit: &'static str,
    },
    /// A verdict could not be decided within the monitor's bounds.
    #[error("the formula is too intricate: the verdict of some state could not be decided")]
    Undecided,
    /// The formula's propositions do not make a vocabulary.
    #[error(transparent)]
    Vocabulary(#[from] VocabularyError),
    /// The formula cannot be monitored.
    #[error(transparent)]
    Monitor(#[from] UnknownProposition),
}

/// A set of letters that lead from one state to another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The letters.
    pub guard: Guard,
    /// The state they lead to.
    pub target: usize,
}

/// A state of the automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// The monitor's verdict on the words that lead here. On the empty word, which leads to the first state, the
    /// verdict is about the acceptance of the empty word.
    pub verdict: Verdict,
    /// The outgoing edges: disjoint, together complete, and sorted by target.
    pub edges: Vec<Edge>,
}

impl State {
    /// Returns the verdict in lower case.
    pub(super) fn name(&self) -> String {
        format!("{:?}", self.verdict).to_lowercase()
    }
}

/// A complete deterministic automaton over finite words; every word begins in state 0.
///
/// The letters are all sets of the formula's propositions: nothing is one-hot, and there are no axioms here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Automaton {
    formula: Formula,
    propositions: Vec<Arc<str>>,
    states: Vec<State>,
}

impl Automaton {
    /// Explores the automaton of a formula.
    ///
    /// # Errors
    /// A limit was exceeded, or the formula cannot be monitored.
    pub fn explore(formula: &Formula, limits: &Limits) -> Result<Self, ExportError> {
        let propositions: Vec<Arc<str>> = formula.atoms().into_iter().collect();
        let limit = limits.propositions.min(20);
        if propositions.len() > limit {
            return Err(ExportError::Propositions { found: propositions.len(), limit });
        }
        let vocabulary = Arc::new(Vocabulary::plain("formula", propositions.iter().cloned())?);
        let mut monitor = Monitor::new(formula, vocabulary)?;
        let ids: Vec<PropId> = (0..propositions.len() as u16).map(PropId).collect();
        let letters: Vec<Letter> = (0..1usize << ids.len()).map(|code| Letter(PropSet::coded(&ids, code))).collect();
        let mut numbers = HashMap::from([(monitor.state(), 0)]);
        let mut order = vec![monitor.state()];
        let mut states = Vec::new();
        while let Some(&here) = order.get(states.len()) {
            if states.len().saturating_mul(letters.len()) > limits.steps {
                return Err(ExportError::Effort { limit: limits.steps as u64, unit: "steps" });
            }
            monitor.go_to(here);
            let verdict = monitor.verdict();
            let mut targets: BTreeMap<usize, Vec<bool>> = BTreeMap::new();
            for (position, letter) in letters.iter().enumerate() {
                if monitor.work() > limits.work {
                    return Err(ExportError::Effort { limit: limits.work, unit: "units of work" });
                }
                monitor.go_to(here);
                monitor.advance(letter);
                if monitor.undecided() > 0 {
                    return Err(ExportError::Undecided);
                }
                let number = *numbers.entry(monitor.state()).or_insert_with(|| {
                    order.push(monitor.state());
                    order.len() - 1
                });
                targets.entry(number).or_insert_with(|| vec![false; letters.len()])[position] = true;
            }
            if order.len() > limits.states {
                return Err(ExportError::States { limit: limits.states });
            }
            let edges = targets.into_iter().map(|(target, set)| Edge { guard: Guard::of(&set), target }).collect();
            states.push(State { verdict, edges });
        }
        Ok(Self { formula: formula.clone(), propositions, states })
    }

    /// Returns the formula.
    pub fn formula(&self) -> &Formula {
        &self.formula
    }

    /// Returns the formula's propositions; their positions are the bits of letters in guards.
    pub fn propositions(&self) -> &[Arc<str>] {
        &self.propositions
    }

    /// Returns the states; 0 is the first.
    pub fn states(&self) -> &[State] {
        &self.states
    }
}
