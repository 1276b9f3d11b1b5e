//! Classes of choices: efficient, inefficient or failed, with the numbers behind them.

use petgraph::graph::NodeIndex;
use serde::Serialize;

use super::distance::{Distances, distances};
use super::{Citation, Target, TrajectoryGraph};

/// Distances are solved to less than this.
const SOLVED: f64 = 1e-6;

/// The class of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChoiceClass {
    /// As good as the best choice known in its state.
    Efficient,
    /// Costs more steps than the best choice known in its state.
    Inefficient,
    /// Failed every time it was made.
    Failed,
    /// No way is known from its state to the target, so nothing is known but that it does not always fail.
    Unknown,
}

/// When a choice counts as inefficient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClassOptions {
    /// An efficient choice costs at most this many steps more than the best choice of its state, on average.
    pub margin: f64,
}

impl Default for ClassOptions {
    fn default() -> Self {
        Self { margin: 0.5 }
    }
}

/// The graph's choices in classes, for one target.
#[derive(Clone, Debug)]
pub struct Classes {
    target: Target,
    options: ClassOptions,
    /// `None` if no run reached the target.
    distances: Option<Distances>,
}

/// A way a choice failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The world's reason code.
    pub reason: String,
    /// The number of times.
    pub count: u32,
    /// The first such step.
    pub first: Citation,
}

/// A choice with its numbers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChoiceReport {
    /// Its class.
    pub class: ChoiceClass,
    /// The number of times it was made.
    pub made: u32,
    /// The ways it failed, most frequent first.
    pub failures: Vec<Failure>,
    /// The steps to the target when it is made, on average; `None` if no run reached the target.
    pub cost: Option<f64>,
    /// The steps to the target from its state, by the best choices known.
    pub best: Option<f64>,
    /// The first step at which it was made.
    pub first: Citation,
}

impl TrajectoryGraph {
    /// Solves for the distances to a target and puts every choice into a class.
    pub fn classify(&self, target: Target, options: ClassOptions) -> Classes {
        Classes { target, options, distances: distances(self, target) }
    }

    /// The number of times a choice was made, and the number of times it failed.
    pub fn made(&self, choice: NodeIndex) -> (u32, u32) {
        self.outcomes(choice).fold((0, 0), |(made, failed), (_, failure, count, _)| {
            (made + count, failed + if failure.is_some() { count } else { 0 })
        })
    }
}

impl Classes {
    /// The target that distances are measured to.
    pub fn target(&self) -> Target {
        self.target
    }

    /// When a choice counts as inefficient.
    pub fn options(&self) -> ClassOptions {
        self.options
    }

    /// Whether any run reached the target; otherwise no choice is efficient or inefficient.
    pub(crate) fn target_was_reached(&self) -> bool {
        self.distances.is_some()
    }

    /// Whether the distances are exact; otherwise the search for them was given up.
    pub fn is_settled(&self) -> bool {
        self.distances.as_ref().is_none_or(|distances| distances.settled)
    }

    /// The longest way that any run took to the target, which is how far states count from which none was found.
    pub fn far(&self) -> Option<f64> {
        self.distances.as_ref().map(|distances| distances.far)
    }

    /// The steps from a state to the target, by the best choices known.
    pub fn distance(&self, state: NodeIndex) -> Option<f64> {
        self.distances.as_ref().map(|distances| distances.by_node[state.index()])
    }

    /// The steps to the target when a choice is made, on average.
    pub fn cost(&self, choice: NodeIndex) -> Option<f64> {
        self.distance(choice)
    }

    /// Whether from a state, or after a choice, the target was reached by a chain of observed steps.
    pub(crate) fn is_routed(&self, node: NodeIndex) -> bool {
        self.distances.as_ref().is_some_and(|distances| distances.routed[node.index()])
    }

    /// The class of a choice.
    pub fn class(&self, graph: &TrajectoryGraph, choice: NodeIndex) -> ChoiceClass {
        let (made, failed) = graph.made(choice);
        if failed == made {
            return ChoiceClass::Failed;
        }
        let (Some(cost), Some((state, _))) = (self.cost(choice), graph.chosen(choice)) else {
            return ChoiceClass::Unknown;
        };
        // From where no way is known, every choice is as far as any.
        match self.distance(state).filter(|_| self.is_routed(state)) {
            // Arrived: whatever is done there costs steps for nothing.
            Some(best) if cost - best > self.options.margin + SOLVED => ChoiceClass::Inefficient,
            Some(_) => ChoiceClass::Efficient,
            None => ChoiceClass::Unknown,
        }
    }

    /// Whether another choice of the same state is efficient too.
    pub(crate) fn is_matched(&self, graph: &TrajectoryGraph, choice: NodeIndex) -> bool {
        let Some((state, _)) = graph.chosen(choice) else { return false };
        let mut others = graph.graph().neighbors(state).filter(|other| *other != choice);
        others.any(|other| self.class(graph, other) == ChoiceClass::Efficient)
    }

    /// A choice with its numbers; `None` for what is no choice of this graph.
    pub fn report(&self, graph: &TrajectoryGraph, choice: NodeIndex) -> Option<ChoiceReport> {
        let (state, _) = graph.chosen(choice)?;
        let mut failures: Vec<Failure> = Vec::new();
        for (_, failure, count, first) in graph.outcomes(choice) {
            let Some(reason) = failure.map(|id| graph.reason(id).to_string()) else { continue };
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
            first: graph.outcomes(choice).map(|(.., first)| first).min()?,
        })
    }
}
