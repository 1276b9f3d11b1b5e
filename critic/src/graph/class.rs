//! Classes of choices: efficient, inefficient or failed, with the numbers behind them.

use petgraph::graph::NodeIndex;
use serde::Serialize;

use super::distance::{Distances, distances};
use super::{Citation, Outcome, Target, TrajectoryGraph};

/// The precision to which distances are solved, in steps.
const SOLVED: f64 = 1e-6;

/// The class of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChoiceClass {
    /// As good as the best choice known in its state.
    Efficient,
    /// Costs more steps than the best choice known in its state, by more than the margin.
    Inefficient,
    /// Failed every time it was made.
    Failed,
    /// No way is known from its state to the target. Nothing is known except that it does not always fail.
    Unknown,
}

impl ChoiceClass {
    /// Returns its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Efficient => "efficient",
            Self::Inefficient => "inefficient",
            Self::Failed => "failed",
            Self::Unknown => "unknown",
        }
    }
}

/// The threshold from which a choice counts as inefficient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassOptions {
    /// The maximum mean number of steps that an efficient choice costs beyond the best choice of its state.
    pub margin: f64,
}

impl Default for ClassOptions {
    fn default() -> Self {
        Self { margin: 0.5 }
    }
}

/// The graph's choices, classified for one target.
#[derive(Clone, Debug)]
pub struct Classes {
    target: Target,
    options: ClassOptions,
    /// The distances; `None` if no run reached the target.
    distances: Option<Distances>,
}

/// A kind of failure of a choice.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The world's reason code.
    pub reason: String,
    /// The number of such failures.
    pub count: u32,
    /// The first such step.
    pub first: Citation,
}

/// A choice with its numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChoiceReport {
    /// Its class.
    pub class: ChoiceClass,
    /// The number of times that it was made.
    pub made: u32,
    /// The kinds of its failures, most frequent first.
    pub failures: Vec<Failure>,
    /// The mean number of steps to the target after it is made; `None` if no run reached the target.
    pub cost: Option<f64>,
    /// The number of steps to the target from its state, by the best choices known.
    pub best: Option<f64>,
    /// The first step in which it was made.
    pub first: Citation,
}

impl TrajectoryGraph {
    /// Solves for the distances to a target and classifies every choice.
    pub fn classify(&self, target: Target, options: ClassOptions) -> Classes {
        Classes { target, options, distances: distances(self, target) }
    }

    /// Returns the number of times a choice was made, and the number of its failures.
    pub fn made(&self, choice: NodeIndex) -> (u32, u32) {
        self.outcomes(choice).fold((0, 0), |(made, failed), (_, outcome)| {
            (made + outcome.count, failed + if outcome.failure.is_some() { outcome.count } else { 0 })
        })
    }
}

impl Classes {
    /// Returns the target of the distances.
    pub fn target(&self) -> Target {
        self.target
    }

    /// Returns whether any run reached the target; otherwise no choice is efficient or inefficient.
    pub(crate) fn target_was_reached(&self) -> bool {
        self.distances.is_some()
    }

    /// Returns the longest way of any run to the target. It is the assumed distance of states without a known way.
    pub fn far(&self) -> Option<f64> {
        self.distances.as_ref().map(|distances| distances.far)
    }

    /// Returns the number of steps from a state to the target, by the best choices known.
    pub fn distance(&self, state: NodeIndex) -> Option<f64> {
        self.distances.as_ref().map(|distances| distances.by_node[state.index()])
    }

    /// Returns the mean number of steps to the target after a choice is made.
    pub fn cost(&self, choice: NodeIndex) -> Option<f64> {
        self.distance(choice)
    }

    /// Returns whether a chain of observed steps leads from a state, or from a choice, to the target.
    pub(crate) fn is_routed(&self, node: NodeIndex) -> bool {
        self.distances.as_ref().is_some_and(|distances| distances.routed[node.index()])
    }

    /// Returns the class of a choice.
    pub fn class(&self, graph: &TrajectoryGraph, choice: NodeIndex) -> ChoiceClass {
        let (made, failed) = graph.made(choice);
        if failed == made {
            return ChoiceClass::Failed;
        }
        let (Some(cost), Some((state, _))) = (self.cost(choice), graph.chosen(choice)) else {
            return ChoiceClass::Unknown;
        };
        // All choices of a state without a known way have the same assumed distance.
        match self.distance(state).filter(|_| self.is_routed(state)) {
            // This holds at the target too: every choice there costs steps without a gain.
            Some(best) if cost - best > self.options.margin + SOLVED => ChoiceClass::Inefficient,
            Some(_) => ChoiceClass::Efficient,
            None => ChoiceClass::Unknown,
        }
    }

    /// Returns a choice with its numbers, or `None` if the node is not a choice of this graph.
    pub fn report(&self, graph: &TrajectoryGraph, choice: NodeIndex) -> Option<ChoiceReport> {
        let (state, _) = graph.chosen(choice)?;
        let mut failures: Vec<Failure> = Vec::new();
        for (_, Outcome { failure, count, first }) in graph.outcomes(choice) {
            let (Some(reason), count, first) = (failure.as_ref().map(ToString::to_string), *count, *first) else {
                continue;
            };
            match failures.iter_mut().find(|other| other.reason == reason) {
                Some(other) => {
                    other.count += count;
                    other.first = other.first.min(first);
                }
                None => failures.push(Failure { reason, count, first }),
            }
        }
        failures.sort_by(|a, b| b.count.cmp(&a.count).then_with(|| a.reason.cmp(&b.reason)));
        Some(ChoiceReport {
            class: self.class(graph, choice),
            made: graph.made(choice).0,
            failures,
            cost: self.cost(choice),
            best: self.distance(state),
            first: graph.first(choice)?,
        })
    }
}
