//! A run as the graph takes it: where it began, what it did, what came of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use ltlcrit_model::answer::cut;
use ltlcrit_store::{Counts, RunId};
use ltlcrit_verifier::{ActionId, PropSet};
use ltlcrit_worlds::Reason;

/// The most bytes kept of a message.
const MOST_MESSAGE: usize = 400;

/// One step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PathStep {
    pub action: ActionId,
    pub failure: Option<Reason>,
    pub to: PropSet,
    pub message: Option<Arc<str>>,
}

/// A run, bare of everything but states, actions and outcomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunPath {
    pub(crate) id: RunId,
    pub(crate) start: PropSet,
    pub(crate) steps: Vec<PathStep>,
    pub(crate) moved: BTreeMap<usize, PropSet>,
    /// The counts of each state, by the number of steps before it and whether the run was found there after the world had moved
    /// on by itself.
    pub(crate) counts: BTreeMap<(usize, bool), Counts>,
    pub(crate) reached_goal: bool,
}

impl RunPath {
    /// A run of this number that begins where these observations hold.
    pub fn new(run: u64, start: PropSet) -> Self {
        let (steps, moved, counts) = (Vec::new(), BTreeMap::new(), BTreeMap::new());
        Self { id: RunId(run), start, steps, moved, counts, reached_goal: false }
    }

    /// An action was taken; it failed for a reason or did what it says; then these observations held.
    pub fn step(&mut self, action: ActionId, failure: Option<Reason>, to: PropSet) {
        self.steps.push(PathStep { action, failure, to, message: None });
    }

    /// What the world said of the last step. Only what it says of failures is kept in the graph.
    pub fn said(&mut self, message: &str) {
        if let Some(step) = self.steps.last_mut() {
            step.message = Some(cut(message, MOST_MESSAGE).into());
        }
    }

    /// Whether it has reached its goal.
    pub(crate) fn has_reached_goal(&self) -> bool {
        self.reached_goal
    }

    /// The number of steps.
    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Whether it took no step.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether the same happened in another run.
    pub(crate) fn did_the_same(&self, other: &Self) -> bool {
        (self.start, self.reached_goal) == (other.start, other.reached_goal)
            && self.steps == other.steps
            && self.moved == other.moved
            && self.counts == other.counts
    }

    /// The observations before the step that comes after so many.
    pub(crate) fn state_before(&self, steps: usize) -> PropSet {
        let led = || steps.checked_sub(1).and_then(|last| self.steps.get(last)).map_or(self.start, |step| step.to);
        self.moved.get(&steps).copied().unwrap_or_else(led)
    }

    /// Every state: the number of steps before, whether the run was only found there, and the observations.
    pub(crate) fn states(&self) -> impl Iterator<Item = (usize, bool, PropSet)> {
        let led = self.steps.iter().enumerate().map(|(at, step)| (at + 1, false, step.to));
        let found = self.moved.iter().map(|(at, holds)| (*at, true, *holds));
        std::iter::once((0, false, self.start)).chain(led).chain(found)
    }

    /// Between two steps the world went on by itself; now these observations hold.
    pub fn moved(&mut self, to: PropSet) {
        self.moved.insert(self.steps.len(), to);
    }

    /// What the full observation counts where the run is.
    pub fn counted(&mut self, counts: Counts) {
        self.counts.insert((self.steps.len(), self.moved.contains_key(&self.steps.len())), counts);
    }

    /// The run reached its goal where it is.
    pub fn reached_goal(&mut self) {
        self.reached_goal = true;
    }
}
