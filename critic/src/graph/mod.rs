//! The graph of stored runs: abstract states, the choices made in them, and their outcomes (LTLCrit section 3.2).
//!
//! The graph is bipartite. A [`Node::State`] is a set of observations that held together. A [`Node::Choice`] is an
//! action taken in a state. An edge leads from a state to each choice made there. Edges lead from a choice to each
//! resulting state, one for each outcome: success, or failure with its reason code. An edge has a count and cites its
//! first step, so that every conclusion from it can name its evidence.
//!
//! Runs are added one by one, in any order. Adding a run rebuilds nothing: a run that is added again contributes only
//! the steps it has gained.
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

pub use class::{ChoiceClass, ChoiceReport, ClassOptions, Classes, Failure};
pub use draw::{ChoiceDocument, Document, Drawing, StateDocument, short};
use ltlcrit_laws::Evidence;
use ltlcrit_store::RunId;
use ltlcrit_verifier::{ActionId, PropSet};
use ltlcrit_worlds::Reason;
use ltlcrit_worlds::world::Subgoal;
pub use path::{Counts, PathStep, RunPath};
use petgraph::Direction;
use petgraph::graph::{DiGraph, EdgeIndex, NodeIndex};
use petgraph::visit::EdgeRef;
pub use read::GraphError;
use rustc_hash::FxHashMap;
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

/// An edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edge {
    /// An edge from a state to a choice made in it.
    Chosen,
    /// An edge from a choice to a resulting state.
    Led(Outcome),
}

/// An outcome of a choice in one state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The reason for the failure; `None` if the action succeeded.
    pub failure: Option<Reason>,
    /// The number of such outcomes.
    pub count: u32,
    /// The first such step.
    pub first: Citation,
}

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
    led: FxHashMap<(NodeIndex, NodeIndex, Option<Reason>), EdgeIndex>,
    runs: BTreeMap<RunId, RunPath>,
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
        let known = self.runs.remove(&run.id);
        let (is_new, steps) = (known.is_none(), known.as_ref().map_or(0, RunPath::len));
        if is_new {
            self.visit(run.start);
        }
        for (at, holds) in &run.moved {
            if known.as_ref().is_none_or(|known| !known.moved.contains_key(at)) {
                self.visit(*holds);
            }
        }
        for (at, step) in run.steps.iter().enumerate().skip(steps) {
            self.add_step(run.state_before(at), step, Citation { run: run.id, step: at as u32 + 1 });
        }
        if run.reached_goal && !known.is_some_and(|known| known.reached_goal) {
            let end = self.node(run.state_before(run.len()));
            if let Node::State { goals, .. } = &mut self.graph[end] {
                *goals += 1;
            }
        }
        self.runs.insert(run.id, run.clone());
    }

    fn add_step(&mut self, from: PropSet, step: &PathStep, first: Citation) {
        let from = self.node(from);
        let choice = *self.choices.entry((from, step.action)).or_insert_with(|| {
            let choice = self.graph.add_node(Node::Choice { action: step.action });
            self.graph.add_edge(from, choice, Edge::Chosen);
            choice
        });
        let to = self.visit(step.to);
        let led = *self.led.entry((choice, to, step.failure.clone())).or_insert_with(|| {
            self.graph.add_edge(choice, to, Edge::Led(Outcome { failure: step.failure.clone(), count: 0, first }))
        });
        if let Edge::Led(outcome) = &mut self.graph[led] {
            outcome.count += 1;
            // Runs may come in any order; the evidence is the same.
            outcome.first = first.min(outcome.first);
        }
    }

    /// Returns the node of a state, which is new if no run was there.
    fn node(&mut self, holds: PropSet) -> NodeIndex {
        let new = || self.graph.add_node(Node::State { holds, visits: 0, goals: 0 });
        *self.states.entry(holds).or_insert_with(new)
    }

    fn visit(&mut self, holds: PropSet) -> NodeIndex {
        let state = self.node(holds);
        if let Node::State { visits, .. } = &mut self.graph[state] {
            *visits += 1;
        }
        state
    }

    /// Returns the graph itself.
    pub fn graph(&self) -> &DiGraph<Node, Edge> {
        &self.graph
    }

    /// Returns the runs added so far, by number.
    pub fn runs(&self) -> impl Iterator<Item = &RunPath> + Clone {
        self.runs.values()
    }

    /// Returns one run.
    pub fn run(&self, run: RunId) -> Option<&RunPath> {
        self.runs.get(&run)
    }

    /// Returns a step of a run.
    pub fn step(&self, cited: Citation) -> Option<&PathStep> {
        self.run(cited.run)?.steps.get(usize::try_from(cited.step.checked_sub(1)?).ok()?)
    }

    /// Returns the number of steps of all runs.
    pub fn step_count(&self) -> usize {
        self.runs.values().map(RunPath::len).sum()
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

    /// Returns the outcomes of a choice, each with the resulting state.
    pub fn outcomes(&self, choice: NodeIndex) -> impl Iterator<Item = (NodeIndex, &Outcome)> {
        self.graph.edges(choice).filter_map(|edge| match edge.weight() {
            Edge::Led(outcome) => Some((edge.target(), outcome)),
            Edge::Chosen => None,
        })
    }

    /// Returns the first step in which a choice was made.
    pub fn first(&self, choice: NodeIndex) -> Option<Citation> {
        self.outcomes(choice).map(|(_, outcome)| outcome.first).min()
    }

    /// Returns the steps in which a choice was made, by run.
    pub fn steps_of(&self, choice: NodeIndex) -> impl Iterator<Item = Citation> {
        let chosen = self.chosen(choice).and_then(|(state, action)| Some((*self.holds(state)?, action)));
        let steps =
            self.runs.values().flat_map(|run| run.steps.iter().enumerate().map(move |(at, step)| (run, at, step)));
        let made = steps.filter(move |(run, at, step)| chosen == Some((run.state_before(*at), step.action)));
        made.map(|(run, at, _)| Citation { run: run.id, step: at as u32 + 1 })
    }

    /// Returns the steps after which runs were in a state, by run; step 0 is the beginning.
    pub fn steps_into(&self, state: NodeIndex) -> impl Iterator<Item = Citation> {
        let holds = self.holds(state).copied();
        let states = self.runs.values().flat_map(|run| run.states().map(move |state| (run, state)));
        let there = states.filter(move |(_, (_, _, found))| holds == Some(*found));
        there.map(|(run, (at, ..))| Citation { run: run.id, step: at as u32 })
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
