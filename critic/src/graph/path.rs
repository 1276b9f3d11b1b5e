//! A run as the graph takes it: where it began, what it did, what came of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use ltlcrit_model::answer::cut;
use ltlcrit_store::RunId;
use ltlcrit_verifier::{ActionId, PropSet};
use ltlcrit_worlds::Reason;

/// The most bytes kept of a message.
const MOST_MESSAGE: usize = 400;

/// One step of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PathStep {
    pub action: ActionId,
    pub failure: Option<Reason>,
    pub to: PropSet,
    pub message: Option<Arc<str>>,
}

/// A run, bare of everything but states, actions and outcomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunPath {
    pub(super) id: RunId,
    pub(super) start: PropSet,
    pub(super) steps: Vec<PathStep>,
    pub(super) moved: BTreeMap<usize, PropSet>,
    pub(super) reached_goal: bool,
}

impl RunPath {
    /// A run of this number that begins where these observations hold.
    pub fn new(run: u64, start: PropSet) -> Self {
        Self { id: RunId(run), start, steps: Vec::new(), moved: BTreeMap::new(), reached_goal: false }
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
    pub fn has_reached_goal(&self) -> bool {
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

    /// Between two steps the world went on by itself; now these observations hold.
    pub fn moved(&mut self, to: PropSet) {
        self.moved.insert(self.steps.len(), to);
    }

    /// The run reached its goal where it is.
    pub fn reached_goal(&mut self) {
        self.reached_goal = true;
    }
}
