//! The graph of stored runs: abstract states, the choices made in them, and their outcomes (LTLCrit section 3.2).
//!
//! The graph is bipartite. A [`Node::State`] is a set of observations that held together. A [`Node::Choice`] is an
//! action taken in a state. An edge leads from a state to each choice made there. Edges lead from a choice to each
//! resulting state, one for each outcome: success, or failure with its reason code. An edge has a count and cites its
//! first step, so that every conclusion from it can name its evidence.
//!
//! Runs are added one by one, in any order. Adding a run rebuilds nothing: a run that is added again contributes only
//! the steps it has gained. Every run keeps its path through the graph, four bytes a step, and the messages of its
//! failures.
//!
//! ```
//! use ltlcrit_critic::graph::{ChoiceClass, RunPath, Target, TrajectoryGraph};
//! use ltlcrit_verifier::{ActionId, PropId, PropSet};
//!
//! let states: Vec<PropSet> = (0..3).map(|n| PropSet::from_iter([PropId(n)])).collect();
//! let (wait, go) = (ActionId(0), ActionId(1));
//! let mut graph = TrajectoryGraph::new();
//! let mut run = RunPath::new(1, states[0]);
//! run.step(wait, None, states[0]);
//! run.step(go, None, states[1]);
//! run.step(go, None, states[2]);
//! run.reached_goal();
//! graph.add(&run);
//!
//! let classes = graph.classify(Target::Goal, Default::default());
//! let class = |state: PropSet, action| {
//!     let choice = graph.choice(graph.state(&state)?, action)?;
//!     Some(classes.class(&graph, choice))
//! };
//! assert_eq!(classes.distance(graph.state(&states[0]).unwrap()), Some(2.0));
//! assert_eq!(class(states[0], wait), Some(ChoiceClass::Inefficient));
//! assert_eq!(class(states[0], go), Some(ChoiceClass::Efficient));
//! ```

mod class;
mod distance;
mod draw;
mod path;
mod read;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use class::{ChoiceClass, ChoiceReport, ClassOptions, Classes, Failure};
pub use draw::{Document, Drawing};
use ltlcrit_laws::Evidence;
use ltlcrit_store::RunId;
use ltlcrit_verifier::{ActionId, PropSet};
use ltlcrit_worlds::Reason;
use ltlcrit_worlds::world::Subgoal;
pub use path::RunPath;
use petgraph::Direction;
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;
pub use read::GraphError;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;

/// A node. The graph is bipartite: a node is a state or a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// Observations that held together.
    State {
        /// These observations.
        holds: PropSet,
        /// The number of visits: every step that ended there and every run that began there.
        visits: u32,
        /// The number of runs that reached their goal in it.
        goals: u32,
    },
    /// An action taken in the state whose edge leads here.
    Choice {
        /// The action.
        action: ActionId,
    },
}

/// An edge, with counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// An edge from a state to a choice made in it.
    Chosen {
        /// The number of times that it was made.
        count: u32,
    },
    /// An edge from a choice to a resulting state.
    Led {
        /// The reason for the failure; `None` if the action succeeded.
        failure: Option<ReasonId>,
        /// The number of such outcomes.
        count: u32,
        /// The first such step.
        first: Citation,
    },
}

/// The number of a reason code, for [`TrajectoryGraph::reason`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ReasonId(u16);

/// A step of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Citation {
    /// The run.
    pub run: RunId,
    /// The step, from 1.
    pub step: u32,
}

impl From<Citation> for Evidence {
    fn from(step: Citation) -> Self {
        Self { run: step.run.0, step: u64::from(step.step) }
    }
}

/// A run as a path through the graph.
#[derive(Clone, Debug)]
pub struct Path {
    start: NodeIndex,
    /// The edges from choices to resulting states, one a step.
    steps: Vec<EdgeIndex>,
    /// The states in which a resumed run continued, if the world had changed by itself meanwhile. Keyed by the number
    /// of earlier steps.
    moved: BTreeMap<usize, NodeIndex>,
    /// The world's messages about failed steps, by the number of earlier steps.
    messages: BTreeMap<usize, Arc<str>>,
    reached_goal: bool,
}

impl Path {
    /// Returns the state in which it began.
    pub fn start(&self) -> NodeIndex {
        self.start
    }

    /// Returns its steps, as edges from choices to states.
    pub fn steps(&self) -> &[EdgeIndex] {
        &self.steps
    }

    /// Returns whether it ended at its goal.
    pub fn reached_goal(&self) -> bool {
        self.reached_goal
    }
}

/// The states to which distances are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Target {
    /// States in which a run reached its goal.
    Goal,
    /// States with the task's subgoal of this number, counted from 0, or with a later one, or with the goal.
    Subgoal(usize),
}

/// The graph of stored runs.
#[derive(Clone, Debug, Default)]
pub struct TrajectoryGraph {
    graph: DiGraph<Node, Edge>,
    states: FxHashMap<PropSet, NodeIndex>,
    choices: FxHashMap<(NodeIndex, ActionId), NodeIndex>,
    led: FxHashMap<(NodeIndex, NodeIndex, Option<ReasonId>), EdgeIndex>,
    reasons: Vec<Reason>,
    reason_ids: FxHashMap<Reason, ReasonId>,
    /// The distinct messages.
    messages: FxHashSet<Arc<str>>,
    runs: BTreeMap<RunId, Path>,
    subgoals: Vec<Subgoal>,
    /// The translator of stored runs to the vocabulary of the states. Runs added by hand are not translated.
    translator: Option<ltlcrit_store::Translator>,
}

impl TrajectoryGraph {
    /// Creates a graph without runs.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the subgoals of the task, in order, for [`Target::Subgoal`].
    #[must_use]
    pub fn with_subgoals(mut self, subgoals: Vec<Subgoal>) -> Self {
        self.subgoals = subgoals;
        self
    }

    /// Adds a run, or the steps that it has gained since it was last added.
    pub fn add(&mut self, run: &RunPath) {
        let start = self.visit_state(run.start, !self.runs.contains_key(&run.id));
        let mut path = self.runs.remove(&run.id).unwrap_or_else(|| Path {
            start,
            steps: Vec::with_capacity(run.steps.len()),
            moved: BTreeMap::new(),
            messages: BTreeMap::new(),
            reached_goal: false,
        });
        let known = path.steps.len();
        let mut state = self.place_after(&path, known);
        for (at, step) in run.steps.iter().enumerate().skip(known) {
            state = self.moved(&mut path, run, at).unwrap_or(state);
            let citation = Citation { run: run.id, step: at as u32 + 1 };
            let edge = self.add_step(state, step.action, step.failure.as_ref(), step.to, citation);
            state = self.end_of(edge);
            path.steps.push(edge);
            if let (Some(_), Some(message)) = (&step.failure, &step.message) {
                let known = self.messages.get(message).cloned();
                let message = known.unwrap_or_else(|| {
                    self.messages.insert(message.clone());
                    message.clone()
                });
                path.messages.insert(at, message);
            }
        }
        state = self.moved(&mut path, run, run.steps.len()).unwrap_or(state);
        if run.reached_goal && !path.reached_goal {
            path.reached_goal = true;
            if let Node::State { goals, .. } = &mut self.graph[state] {
                *goals += 1;
            }
        }
        self.runs.insert(run.id, path);
    }

    /// Returns the state in which a run was resumed after a number of steps, if the world had changed by itself.
    fn moved(&mut self, path: &mut Path, run: &RunPath, steps: usize) -> Option<NodeIndex> {
        let found = *run.moved.get(&steps)?;
        let state = self.visit_state(found, !path.moved.contains_key(&steps));
        path.moved.insert(steps, state);
        Some(state)
    }

    fn add_step(
        &mut self,
        from: NodeIndex,
        action: ActionId,
        failure: Option<&Reason>,
        to: PropSet,
        citation: Citation,
    ) -> EdgeIndex {
        let failure = failure.map(|reason| self.intern(reason));
        let choice = *self.choices.entry((from, action)).or_insert_with(|| {
            let choice = self.graph.add_node(Node::Choice { action });
            self.graph.add_edge(from, choice, Edge::Chosen { count: 0 });
            choice
        });
        // A choice belongs to one state, so it has one incoming edge.
        if let Some(chosen) = self.graph.first_edge(choice, Direction::Incoming)
            && let Edge::Chosen { count } = &mut self.graph[chosen]
        {
            *count += 1;
        }
        let to = self.visit_state(to, true);
        let led = *self
            .led
            .entry((choice, to, failure))
            .or_insert_with(|| self.graph.add_edge(choice, to, Edge::Led { failure, count: 0, first: citation }));
        if let Edge::Led { count, first, .. } = &mut self.graph[led] {
            *count += 1;
            // Runs may come in any order; the evidence is the same.
            *first = citation.min(*first);
        }
        led
    }

    fn visit_state(&mut self, holds: PropSet, count: bool) -> NodeIndex {
        let state = *self
            .states
            .entry(holds)
            .or_insert_with(|| self.graph.add_node(Node::State { holds, visits: 0, goals: 0 }));
        if count && let Node::State { visits, .. } = &mut self.graph[state] {
            *visits += 1;
        }
        state
    }

    fn intern(&mut self, reason: &Reason) -> ReasonId {
        if let Some(&id) = self.reason_ids.get(reason) {
            return id;
        }
        // Reason codes are few and fixed. If there were too many, the rest would share the last number.
        let id = ReasonId(self.reasons.len().min(usize::from(u16::MAX)) as u16);
        if self.reasons.len() <= usize::from(id.0) {
            self.reasons.push(reason.clone());
        }
        self.reason_ids.insert(reason.clone(), id);
        id
    }

    /// Returns the state of a run after a number of steps.
    pub fn place_after(&self, path: &Path, steps: usize) -> NodeIndex {
        match (path.moved.get(&steps), steps) {
            (Some(found), _) => *found,
            (None, 0) => path.start,
            (None, _) => path.steps.get(steps - 1).map_or(path.start, |edge| self.end_of(*edge)),
        }
    }

    fn end_of(&self, edge: EdgeIndex) -> NodeIndex {
        self.graph.edge_endpoints(edge).map_or_else(NodeIndex::end, |(_, end)| end)
    }

    /// Returns the graph itself.
    pub fn graph(&self) -> &DiGraph<Node, Edge> {
        &self.graph
    }

    /// Returns the runs added so far, by number.
    pub fn runs(&self) -> impl Iterator<Item = (RunId, &Path)> {
        self.runs.iter().map(|(run, path)| (*run, path))
    }

    /// Returns one run.
    pub fn run(&self, run: RunId) -> Option<&Path> {
        self.runs.get(&run)
    }

    /// Returns the number of steps of all runs.
    pub fn step_count(&self) -> usize {
        self.runs.values().map(|path| path.steps.len()).sum()
    }

    /// Returns the reason code with a number.
    pub fn reason(&self, id: ReasonId) -> &Reason {
        &self.reasons[usize::from(id.0)]
    }

    /// Returns the reason why a step failed, by its edge from choice to state, or `None` if it succeeded.
    pub fn failure(&self, step: EdgeIndex) -> Option<&Reason> {
        match self.graph.edge_weight(step)? {
            Edge::Led { failure, .. } => failure.map(|id| self.reason(id)),
            Edge::Chosen { .. } => None,
        }
    }

    /// Returns the world's message about a failed step, or `None` if there is none.
    pub fn message(&self, step: Citation) -> Option<&str> {
        let before = usize::try_from(step.step.checked_sub(1)?).ok()?;
        self.runs.get(&step.run)?.messages.get(&before).map(|message| &**message)
    }

    /// Returns the node of a state, if any run visited it.
    pub fn state(&self, holds: &PropSet) -> Option<NodeIndex> {
        self.states.get(holds).copied()
    }

    /// Returns the node of a choice, if any run made it.
    pub fn choice(&self, state: NodeIndex, action: ActionId) -> Option<NodeIndex> {
        self.choices.get(&(state, action)).copied()
    }

    /// Returns the observations of a state.
    pub fn holds(&self, state: NodeIndex) -> Option<&PropSet> {
        match self.graph.node_weight(state)? {
            Node::State { holds, .. } => Some(holds),
            Node::Choice { .. } => None,
        }
    }

    /// Returns all states.
    pub fn states(&self) -> impl Iterator<Item = (NodeIndex, &PropSet)> {
        self.graph.node_indices().filter_map(|node| Some((node, self.holds(node)?)))
    }

    /// Returns all choices, with their states and actions.
    pub fn choices(&self) -> impl Iterator<Item = (NodeIndex, NodeIndex, ActionId)> {
        self.graph.node_indices().filter_map(|node| {
            let (state, action) = self.chosen(node)?;
            Some((node, state, action))
        })
    }

    /// Returns the state and the action of a choice.
    pub fn chosen(&self, choice: NodeIndex) -> Option<(NodeIndex, ActionId)> {
        match self.graph.node_weight(choice)? {
            Node::Choice { action } => {
                let state = self.graph.neighbors_directed(choice, Direction::Incoming).next()?;
                Some((state, *action))
            }
            Node::State { .. } => None,
        }
    }

    /// Returns the outcomes of a choice: the state, the failure if there was one, the number of times, and the first
    /// such step.
    pub fn outcomes(&self, choice: NodeIndex) -> impl Iterator<Item = (NodeIndex, Option<ReasonId>, u32, Citation)> {
        self.graph.edges(choice).filter_map(|edge| match *edge.weight() {
            Edge::Led { failure, count, first } => Some((edge.target(), failure, count, first)),
            Edge::Chosen { .. } => None,
        })
    }

    /// Returns whether a state counts as the target.
    pub(crate) fn is_target(&self, target: Target, state: NodeIndex) -> bool {
        let Node::State { holds, goals, .. } = &self.graph[state] else { return false };
        let subgoals = match target {
            Target::Goal => &[],
            Target::Subgoal(number) => self.subgoals.get(number..).unwrap_or_default(),
        };
        *goals > 0 || subgoals.iter().any(|subgoal| subgoal.holds.is_subset(holds))
    }

    /// Returns the farthest target that any run reached: the goal, or else the last subgoal of the task.
    pub fn farthest_target(&self) -> Option<Target> {
        let reached = |target: &Target| self.graph.node_indices().any(|state| self.is_target(*target, state));
        let subgoals = (0..self.subgoals.len()).rev().map(Target::Subgoal);
        std::iter::once(Target::Goal).chain(subgoals).find(reached)
    }

    /// Returns the subgoals of the runs' task.
    pub fn subgoals(&self) -> &[Subgoal] {
        &self.subgoals
    }
}
