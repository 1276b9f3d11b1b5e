//! The steps of the best known successful runs, which no admitted law may block.

use ltlcrit_laws::Evidence;
use ltlcrit_verifier::{ActionId, PropSet, Vocabulary};

use crate::graph::TrajectoryGraph;

/// A step of one of the best known successful runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GoodStep {
    /// The state before it.
    pub state: PropSet,
    /// The action taken.
    pub action: ActionId,
    pub step: Evidence,
}

/// The steps of the runs that reached the goal in the fewest steps, and stopping where they did. A step that failed and
/// changed nothing is left out: the run would be better without it.
pub(super) fn good_steps(graph: &TrajectoryGraph, vocabulary: &Vocabulary) -> Vec<GoodStep> {
    let successful = || graph.runs().filter(|(_, path)| path.reached_goal());
    let Some(fewest) = successful().map(|(_, path)| path.steps().len()).min() else { return Vec::new() };
    let mut good = Vec::new();
    for (run, path) in successful().filter(|(_, path)| path.steps().len() == fewest) {
        for at in 0..=fewest {
            let place = graph.place_after(path, at);
            let step = path.steps().get(at);
            if step.is_some_and(|edge| graph.failure(*edge).is_some() && graph.place_after(path, at + 1) == place) {
                continue;
            }
            let action = match step {
                Some(edge) => {
                    let choice = graph.graph().edge_endpoints(*edge).map(|(choice, _)| choice);
                    choice.and_then(|choice| graph.chosen(choice)).map(|(_, action)| action)
                }
                None => vocabulary.stop(),
            };
            if let (Some(action), Some(state)) = (action, graph.holds(place)) {
                good.push(GoodStep { state: *state, action, step: Evidence { run: run.0, step: at as u64 + 1 } });
            }
        }
    }
    good
}
