//! The graph as a document: the most visited states and the choices in them, with names and numbers. It is written as
//! JSON by `serde`, or as Graphviz's DOT.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write as _;

use ltlcrit_verifier::{PropSet, Vocabulary};
use petgraph::graph::NodeIndex;
use serde::Serialize;

use super::{ChoiceClass, ChoiceReport, Citation, Classes, Node, Outcome, Target, TrajectoryGraph};

/// The maximum number of steps that a state or a choice cites.
const MAX_CITED: usize = 12;

/// The input of a drawing.
pub struct Drawing<'a> {
    /// The graph.
    pub graph: &'a TrajectoryGraph,
    /// Its classified choices.
    pub classes: &'a Classes,
    /// The names of its propositions.
    pub vocabulary: &'a Vocabulary,
    /// The maximum number of states drawn; the most visited ones are kept.
    pub most_states: usize,
}

/// A graph with names and numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Document {
    /// The number of runs in it.
    pub runs: usize,
    /// The number of their steps.
    pub steps: usize,
    /// The target of the distances; `None` if no run reached a possible target.
    pub target: Option<Target>,
    /// The longest way of any run to the target.
    pub far: Option<f64>,
    /// The drawn states, nearest to the target first.
    pub states: Vec<StateDocument>,
    /// The number of states that are not drawn.
    pub states_left_out: usize,
}

/// A state with the choices made in it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct StateDocument {
    /// Its number in this document.
    pub state: usize,
    /// The observations that hold.
    pub holds: Vec<String>,
    /// The differences from the state from which it was first reached: `+` and `-` with names. For a first state of
    /// runs, all observations that hold.
    pub differs: Vec<String>,
    /// The number of visits by runs.
    pub visits: u32,
    /// The number of runs that reached their goal in it.
    pub goals: u32,
    /// The number of steps to the target, by the best choices known.
    pub distance: Option<f64>,
    /// True if a chain of observed steps leads from it to the target.
    pub routed: bool,
    /// The first steps after which runs were in it, by run.
    pub steps: Vec<Citation>,
    /// The choices made in it.
    pub choices: Vec<ChoiceDocument>,
}

/// A choice with its outcomes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChoiceDocument {
    /// The action.
    pub action: String,
    /// The numbers.
    #[serde(flatten)]
    pub report: ChoiceReport,
    /// The first steps in which it was made, by run.
    pub steps: Vec<Citation>,
    /// Its outcomes, most frequent first.
    pub outcomes: Vec<OutcomeDocument>,
}

/// An outcome of a choice.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OutcomeDocument {
    /// The state's number in this document; `None` if it is not drawn.
    pub state: Option<usize>,
    /// The reason for the action's failure, if it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The number of such outcomes.
    pub count: u32,
    /// The first such step.
    pub first: Citation,
}

impl Drawing<'_> {
    /// Creates the document.
    pub fn document(&self) -> Document {
        let drawn = self.drawn();
        let numbers: BTreeMap<NodeIndex, usize> = drawn.iter().enumerate().map(|(at, node)| (*node, at)).collect();
        let parents = self.parents();
        let states = drawn.iter().enumerate().map(|(at, node)| self.state(at, *node, &numbers, &parents)).collect();
        Document {
            runs: self.graph.runs().count(),
            steps: self.graph.step_count(),
            target: self.classes.target_was_reached().then(|| self.classes.target()),
            far: self.classes.far(),
            states,
            states_left_out: self.graph.states().count() - drawn.len(),
        }
    }

    /// Returns the states to draw, nearest to the target first.
    fn drawn(&self) -> Vec<NodeIndex> {
        let mut drawn: Vec<(NodeIndex, &PropSet)> = self.graph.states().collect();
        drawn.sort_by_key(|(node, holds)| (std::cmp::Reverse(self.visits(*node)), **holds));
        drawn.truncate(self.most_states);
        let distance = |node: NodeIndex| self.classes.distance(node).map_or(0.0, rounded);
        drawn.sort_by(|(a, holds), (b, others)| distance(*a).total_cmp(&distance(*b)).then_with(|| holds.cmp(others)));
        drawn.into_iter().map(|(node, _)| node).collect()
    }

    fn visits(&self, node: NodeIndex) -> u32 {
        match self.graph.graph()[node] {
            Node::State { visits, .. } => visits,
            Node::Choice { .. } => 0,
        }
    }

    /// Returns the state from which each state is first reached, breadth first from the first states of runs.
    fn parents(&self) -> BTreeMap<NodeIndex, NodeIndex> {
        let starts = self.graph.runs().filter_map(|run| self.graph.state(&run.state_before(0)));
        let mut starts: Vec<NodeIndex> = starts.collect();
        starts.sort_unstable_by_key(|start| self.graph.holds(*start).copied());
        starts.dedup();
        let mut parents: BTreeMap<NodeIndex, NodeIndex> = starts.iter().map(|start| (*start, *start)).collect();
        let mut queue = VecDeque::from(starts);
        while let Some(state) = queue.pop_front() {
            let mut next: Vec<NodeIndex> = self
                .graph
                .graph()
                .neighbors(state)
                .flat_map(|choice| self.graph.outcomes(choice).map(|(to, ..)| to))
                .collect();
            next.sort_unstable_by_key(|to| self.graph.holds(*to).copied());
            for to in next {
                parents.entry(to).or_insert_with(|| {
                    queue.push_back(to);
                    state
                });
            }
        }
        parents
    }

    fn names(&self, set: &PropSet) -> Vec<String> {
        self.vocabulary.names(set).into_iter().map(str::to_owned).collect()
    }

    fn state(
        &self,
        number: usize,
        node: NodeIndex,
        numbers: &BTreeMap<NodeIndex, usize>,
        parents: &BTreeMap<NodeIndex, NodeIndex>,
    ) -> StateDocument {
        let holds = self.graph.holds(node).copied().unwrap_or_default();
        let parent = parents.get(&node).filter(|parent| **parent != node).and_then(|parent| self.graph.holds(*parent));
        let differs = match parent {
            None => self.names(&holds),
            Some(parent) => {
                let signed =
                    |sign: char, set: PropSet| self.names(&set).into_iter().map(move |name| format!("{sign}{name}"));
                signed('+', holds.difference(parent)).chain(signed('-', parent.difference(&holds))).collect()
            }
        };
        let mut choices: Vec<ChoiceDocument> =
            self.graph.graph().neighbors(node).filter_map(|choice| self.choice(choice, numbers)).collect();
        choices.sort_by(|a, b| (a.report.class, &a.action).cmp(&(b.report.class, &b.action)));
        let goals = match self.graph.graph()[node] {
            Node::State { goals, .. } => goals,
            Node::Choice { .. } => 0,
        };
        StateDocument {
            state: number,
            holds: self.names(&holds),
            differs,
            visits: self.visits(node),
            goals,
            distance: self.classes.distance(node).map(rounded),
            routed: self.classes.is_routed(node),
            steps: self.graph.steps_into(node).take(MAX_CITED).collect(),
            choices,
        }
    }

    fn choice(&self, choice: NodeIndex, numbers: &BTreeMap<NodeIndex, usize>) -> Option<ChoiceDocument> {
        let (_, action) = self.graph.chosen(choice)?;
        let mut report = self.classes.report(self.graph, choice)?;
        report.cost = report.cost.map(rounded);
        report.best = report.best.map(rounded);
        let mut outcomes: Vec<OutcomeDocument> = self
            .graph
            .outcomes(choice)
            .map(|(to, Outcome { failure, count, first })| OutcomeDocument {
                state: numbers.get(&to).copied(),
                failure: failure.as_ref().map(ToString::to_string),
                count: *count,
                first: *first,
            })
            .collect();
        outcomes.sort_by(|a, b| b.count.cmp(&a.count).then(a.first.cmp(&b.first)));
        let steps = self.graph.steps_of(choice).take(MAX_CITED).collect();
        Some(ChoiceDocument { action: self.vocabulary.action_name(action).to_owned(), report, steps, outcomes })
    }
}

/// Rounds to three decimals. Distances are exact to six, so that the order of runs does not matter.
fn rounded(steps: f64) -> f64 {
    ((steps * 1e6).round() / 1e3).round() / 1e3
}

/// Returns the colour of a class, the same in all pictures.
fn colour(class: ChoiceClass) -> &'static str {
    match class {
        ChoiceClass::Efficient => "seagreen",
        ChoiceClass::Inefficient => "darkorange",
        ChoiceClass::Failed => "firebrick",
        ChoiceClass::Unknown => "gray",
    }
}

/// Strips the prefix of a name that marks its kind.
pub fn short(name: &str) -> String {
    let (sign, name) = match name.strip_prefix(['+', '-']) {
        Some(rest) => name.split_at(name.len() - rest.len()),
        None => ("", name),
    };
    let name = name.strip_prefix("obs_").or_else(|| name.strip_prefix("action_")).unwrap_or(name);
    format!("{sign}{name}")
}

impl ChoiceDocument {
    /// Returns the tooltip of the choice.
    pub fn details(&self) -> String {
        let mut text = format!("{}: {}, made {}×", short(&self.action), self.report.class.name(), self.report.made);
        if let (Some(cost), Some(best)) = (self.report.cost, self.report.best) {
            let _ = write!(text, "; {} to the target, {best} by the best choice", steps(cost));
        }
        for failure in &self.report.failures {
            let _ = write!(text, "; failed {}×: {}", failure.count, failure.reason);
        }
        text
    }
}

/// Formats a number of steps: `1 step`, `2.5 steps`.
fn steps(number: f64) -> String {
    if number == 1.0 { "1 step".to_owned() } else { format!("{number} steps") }
}

impl StateDocument {
    /// Returns the label of the state: the steps to the target, or its number; then how it differs.
    pub fn label(&self) -> Vec<String> {
        let first = self.distance.map_or_else(|| format!("state {}", self.state), steps);
        std::iter::once(first).chain(self.differs.iter().map(|name| short(name))).collect()
    }
}

impl Document {
    /// Writes the graph in Graphviz's DOT. States are boxes and choices are ellipses: green if efficient, orange if
    /// inefficient, red if failed.
    pub fn dot(&self) -> String {
        let mut text = String::from(
            "digraph trajectories {\n    rankdir = LR\n    node [fontname = \"sans-serif\", fontsize = 10]\n",
        );
        for state in &self.states {
            let label: Vec<String> = state.label().iter().map(|line| escaped(line)).collect();
            let goal = if state.goals > 0 { ", peripheries = 2" } else { "" };
            let _ = writeln!(
                text,
                "    s{} [shape = box, label = \"{}\", tooltip = \"{}\"{goal}]",
                state.state,
                label.join("\\n"),
                escaped(&state.holds.join(", "))
            );
            for (at, choice) in state.choices.iter().enumerate() {
                let name = format!("c{}_{at}", state.state);
                let colour = colour(choice.report.class);
                let _ = writeln!(
                    text,
                    "    {name} [label = \"{}\", tooltip = \"{}\", color = {colour}]",
                    escaped(&short(&choice.action)),
                    escaped(&choice.details())
                );
                let _ = writeln!(
                    text,
                    "    s{} -> {name} [color = {colour}, label = \"{}\"]",
                    state.state, choice.report.made
                );
                for outcome in &choice.outcomes {
                    let Some(to) = outcome.state else { continue };
                    let style = if outcome.failure.is_some() { ", style = dashed" } else { "" };
                    let _ =
                        writeln!(text, "    {name} -> s{to} [color = {colour}, label = \"{}\"{style}]", outcome.count);
                }
            }
        }
        text.push_str("}\n");
        text
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " ")
}
