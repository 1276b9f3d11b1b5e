//! A run as input of the graph: its initial state, actions and outcomes.

use std::collections::BTreeMap;
use std::sync::Arc;

use ltlcrit_model::answer::cut;
use ltlcrit_store::RunId;
use ltlcrit_verifier::{ActionId, PropSet};
use ltlcrit_worlds::Reason;

/// The maximum length of a message that is kept, in bytes.
const MAX_MESSAGE: usize = 400;

/// Counts by name, the field `inventory` of a full observation. A missing name counts as 0.
pub type Counts = BTreeMap<String, u32>;

/// One step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathStep {
    /// The executed action.
    pub action: ActionId,
    /// The reason for its failure, if it failed.
    pub failure: Option<Reason>,
    /// The observations that held afterwards.
    pub to: PropSet,
    /// The world's message about it.
    pub message: Option<Arc<str>>,
}

/// A run, reduced to states, actions and outcomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunPath {
    pub(crate) id: RunId,
    pub(crate) start: PropSet,
    pub(crate) steps: Vec<PathStep>,
    pub(crate) moved: BTreeMap<usize, PropSet>,
    /// The counts of each state. The key is the number of earlier steps. Its flag is true if the run was resumed there
    /// after the world had changed by itself.
    pub(crate) counts: BTreeMap<(usize, bool), Counts>,
    pub(crate) reached_goal: bool,
    /// The seed of its world, if that begins in the same way whenever it has this seed.
    pub(crate) seed: Option<u64>,
    /// The sum of the revisions of the books it ran under: later runs of a learning have a higher one.
    pub(crate) generation: u64,
}

impl RunPath {
    /// Creates a run with this number that begins in this state.
    pub fn new(run: u64, start: PropSet) -> Self {
        let (steps, moved, counts) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        Self { id: RunId(run), start, steps, moved, counts, reached_goal: false, seed: None, generation: 0 }
    }

    /// Adds an executed action, the reason if it failed, and the observations that held afterwards.
    pub fn step(&mut self, action: ActionId, failure: Option<Reason>, to: PropSet) {
        self.steps.push(PathStep { action, failure, to, message: None });
    }

    /// Adds the world's message about the last step.
    pub fn said(&mut self, message: &str) {
        if let Some(step) = self.steps.last_mut() {
            step.message = Some(cut(message, MAX_MESSAGE).into());
        }
    }

    /// Returns whether it has reached its goal.
    pub fn has_reached_goal(&self) -> bool {
        self.reached_goal
    }

    /// Returns its number.
    pub fn id(&self) -> RunId {
        self.id
    }

    /// Returns its steps.
    pub fn steps(&self) -> &[PathStep] {
        &self.steps
    }

    /// Returns the number of steps that failed.
    pub fn failures(&self) -> usize {
        self.steps.iter().filter(|step| step.failure.is_some()).count()
    }

    /// Returns the number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns whether it has no steps.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns the observations after a number of steps, before the next one.
    pub fn state_before(&self, steps: usize) -> PropSet {
        let led = || steps.checked_sub(1).and_then(|last| self.steps.get(last)).map_or(self.start, |step| step.to);
        self.moved.get(&steps).copied().unwrap_or_else(led)
    }

    /// Returns every state: the number of earlier steps, true if the run was resumed there, and the observations.
    pub(crate) fn states(&self) -> impl Iterator<Item = (usize, bool, PropSet)> {
        let led = self.steps.iter().enumerate().map(|(at, step)| (at + 1, false, step.to));
        let found = self.moved.iter().map(|(at, holds)| (*at, true, *holds));
        std::iter::once((0, false, self.start)).chain(led).chain(found)
    }

    /// Sets the observations that hold after the world changed by itself between two steps.
    pub fn moved(&mut self, to: PropSet) {
        self.moved.insert(self.steps.len(), to);
    }

    /// Sets the counts of the full observation in the current state.
    pub fn counted(&mut self, counts: Counts) {
        self.counts.insert((self.steps.len(), self.moved.contains_key(&self.steps.len())), counts);
    }

    /// Marks the current state as the goal of the run.
    pub fn reached_goal(&mut self) {
        self.reached_goal = true;
    }
}
