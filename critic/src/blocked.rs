//! Outcomes of blocks: how runs continued after a proposed action was blocked.
//!
//! A blocked action never ran, so its effect is unknown. A run that made progress without it shows that it was not needed.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use ltlcrit_store::RunId;
use ltlcrit_verifier::{ActionId, PropSet};
use petgraph::graph::NodeIndex;

use crate::graph::{Citation, TrajectoryGraph, stuck};
use crate::trial::Block;

/// The outcomes of blocks, by state and action.
#[derive(Clone, Debug, Default)]
pub struct Blocked {
    /// Actions blocked in dead ends that may lead out of them: no run tried them there, or they are the only ones that worked
    /// there.
    pub in_dead_ends: Vec<Wanted>,
    /// Actions blocked in runs that made progress afterwards, or reached their goal.
    pub spared: BTreeMap<(PropSet, ActionId), Spared>,
    /// The steps that were taken instead of a blocked action.
    pub forced: BTreeSet<Citation>,
}

/// An action that was blocked in a dead end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wanted {
    /// The state.
    pub state: PropSet,
    /// The blocked action.
    pub action: ActionId,
    /// Whether a run proposed it at half the steps or more of a stall there, and no run tried it in this state. Evidence against
    /// the action then comes from other states only.
    pub insisted: bool,
}

/// An action that was blocked in runs that made progress afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spared {
    /// The number of runs.
    pub runs: u32,
    /// The first step at which it was.
    pub first: Citation,
}

/// The blocks of all runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct BlockLog {
    /// With the steps at which it was, in order.
    blocked: BTreeMap<Proposed, Vec<u32>>,
}

/// An action proposed in a state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Proposed {
    state: PropSet,
    action: ActionId,
    run: RunId,
}

impl BlockLog {
    /// Adds that an action was blocked at a step of a run, which began in this state.
    pub fn add(&mut self, at: Citation, state: PropSet, action: ActionId) {
        self.blocked.entry(Proposed { state, action, run: at.run }).or_default().push(at.step);
    }

    /// Adds the blocks of other runs.
    pub fn extend(&mut self, other: Self) {
        self.blocked.extend(other.blocked);
    }

    /// All of them.
    pub fn all(&self) -> impl Iterator<Item = Block> {
        self.blocked.iter().flat_map(|(Proposed { state, action, run }, steps)| {
            steps.iter().map(|step| Block { state: *state, action: *action, step: Citation { run: *run, step: *step } })
        })
    }

    /// The outcomes of the blocks, given the graph of the same runs.
    pub fn outcome(&self, graph: &TrajectoryGraph) -> Blocked {
        let fates = fates(graph);
        let steps = self
            .blocked
            .iter()
            .flat_map(|(proposed, steps)| steps.iter().map(|step| Citation { run: proposed.run, step: *step }));
        Blocked { in_dead_ends: self.in_dead_ends(graph, &fates), spared: self.spared(&fates), forced: steps.collect() }
    }

    fn in_dead_ends(&self, graph: &TrajectoryGraph, fates: &Fates) -> Vec<Wanted> {
        let dead_ends = stuck::dead_ends(graph);
        let insisted = self.insisted(fates);
        let mut wanted: BTreeMap<(PropSet, ActionId), bool> = BTreeMap::new();
        for (Proposed { state, action, run }, steps) in &self.blocked {
            let Some(fate) = fates.get(run) else { continue };
            let stood_still = steps.iter().any(|step| fate.stood_still_at(*step));
            if stood_still && dead_ends.contains(state) && is_lost(graph, (*state, *action)) {
                let mut stretches = insisted.get(&(*run, *action)).into_iter().flatten();
                let there = stretches.any(|stretch| steps.iter().any(|step| is_in(stretch, *step)));
                let untried = graph.state(state).is_none_or(|place| graph.choice(place, *action).is_none());
                *wanted.entry((*state, *action)).or_default() |= untried && there;
            }
        }
        wanted.into_iter().map(|((state, action), insisted)| Wanted { state, action, insisted }).collect()
    }

    /// The stretches of runs that stood still in which an action was blocked at every other step at least.
    fn insisted(&self, fates: &Fates) -> BTreeMap<(RunId, ActionId), Vec<Range<usize>>> {
        let mut steps: BTreeMap<(RunId, ActionId), BTreeSet<u32>> = BTreeMap::new();
        for (proposed, at) in &self.blocked {
            steps.entry((proposed.run, proposed.action)).or_default().extend(at);
        }
        let stretches = |(run, action): (RunId, ActionId), steps: &BTreeSet<u32>| {
            let still = fates.get(&run).map(|fate| fate.still.as_slice()).unwrap_or_default();
            let often = |stretch: &&Range<usize>| {
                2 * steps.iter().filter(|step| is_in(stretch, **step)).count() >= stretch.len()
            };
            ((run, action), still.iter().filter(often).cloned().collect())
        };
        steps.iter().map(|(of, steps)| stretches(*of, steps)).collect()
    }

    fn spared(&self, fates: &Fates) -> BTreeMap<(PropSet, ActionId), Spared> {
        let mut all: BTreeMap<(PropSet, ActionId), Spared> = BTreeMap::new();
        for (proposed, steps) in &self.blocked {
            let Some(fate) = fates.get(&proposed.run) else { continue };
            let Some(step) = steps.iter().find(|step| fate.got_on_after(**step)) else { continue };
            let first = Citation { run: proposed.run, step: *step };
            let spared = all.entry((proposed.state, proposed.action)).or_insert(Spared { runs: 0, first });
            *spared = Spared { runs: spared.runs + 1, first: spared.first.min(first) };
        }
        all
    }
}

/// The progress and the stalls of a run.
struct Fate {
    /// The last step that was followed by progress or the goal.
    until: usize,
    still: Vec<Range<usize>>,
}

type Fates = BTreeMap<RunId, Fate>;

fn fates(graph: &TrajectoryGraph) -> Fates {
    let place = stuck::at_the_start(graph);
    let fate =
        |path| Fate { until: stuck::got_on_until(graph, path, &place), still: stuck::standstills(graph, path, &place) };
    graph.runs().map(|(run, path)| (run, fate(path))).collect()
}

impl Fate {
    fn stood_still_at(&self, step: u32) -> bool {
        self.still.iter().any(|stretch| is_in(stretch, step))
    }

    fn got_on_after(&self, step: u32) -> bool {
        step as usize <= self.until && !self.stood_still_at(step)
    }
}

/// Whether a step lies in a stretch, which is given by the number of steps before it and at its end.
fn is_in(stretch: &Range<usize>, step: u32) -> bool {
    (stretch.start + 1..=stretch.end).contains(&(step as usize))
}

/// Whether no run tried an action in a state, or it is the only action that worked there.
fn is_lost(graph: &TrajectoryGraph, (state, action): (PropSet, ActionId)) -> bool {
    let Some(state) = graph.state(&state) else { return true };
    let works = |choice: NodeIndex| {
        let (made, failed) = graph.made(choice);
        failed < made
    };
    graph.choice(state, action).is_none_or(|choice| {
        works(choice) && !graph.graph().neighbors(state).any(|other| other != choice && works(other))
    })
}

#[cfg(test)]
mod tests {
    use ltlcrit_verifier::PropId;

    use super::*;
    use crate::graph::RunPath;

    fn state(props: &[u16]) -> PropSet {
        props.iter().map(|prop| PropId(*prop)).collect()
    }

    /// Nothing new for so many steps, then proposition 1 once, and again for so many.
    fn run(number: u64, before: usize, after: usize) -> RunPath {
        let mut run = RunPath::new(number, state(&[]));
        (0..before).for_each(|_| run.step(ActionId(0), None, state(&[])));
        run.step(ActionId(1), None, state(&[1]));
        (0..after).for_each(|_| run.step(ActionId(0), None, state(&[1])));
        run
    }

    /// What came of it that action 2 was blocked at some steps of a run, in the state without or with proposition 1.
    fn outcome(path: &RunPath, at: &[(u32, &[u16])]) -> Blocked {
        let mut graph = TrajectoryGraph::new();
        graph.add(path);
        let mut log = BlockLog::default();
        at.iter().for_each(|(step, props)| log.add(Citation { run: RunId(1), step: *step }, state(props), ActionId(2)));
        log.outcome(&graph)
    }

    #[test]
    fn who_got_on_did_not_need_it() {
        let first = Citation { run: RunId(1), step: 2 };
        let blocked = outcome(&run(1, 5, 5), &[(2, &[]), (4, &[]), (8, &[1])]);
        assert_eq!(
            blocked.spared,
            [((state(&[]), ActionId(2)), Spared { runs: 1, first })].into(),
            "not after the last"
        );
        assert!(blocked.in_dead_ends.is_empty());
        assert_eq!(blocked.forced.len(), 3);
        let mut there = run(1, 5, 5);
        there.reached_goal();
        assert_eq!(outcome(&there, &[(2, &[]), (4, &[]), (8, &[1])]).spared.len(), 2, "it reached its goal");
    }

    #[test]
    fn who_stood_still_may_have_needed_it() {
        let at_the_end = outcome(&run(1, 5, 30), &[(2, &[]), (20, &[1])]);
        let wanted = |props: &[u16], insisted| Wanted { state: state(props), action: ActionId(2), insisted };
        assert_eq!(at_the_end.in_dead_ends, [wanted(&[1], false)]);
        assert_eq!(at_the_end.spared.len(), 1);
        let on_the_way = outcome(&run(1, 30, 5), &[(2, &[]), (33, &[1])]);
        assert_eq!(on_the_way.in_dead_ends, [wanted(&[], false)]);
        assert!(on_the_way.spared.is_empty());
        let with_progress = outcome(&run(1, 30, 5), &[(31, &[])]);
        assert!(with_progress.in_dead_ends.is_empty(), "what was done in its place led on");
        assert_eq!(with_progress.spared.len(), 1);
        // Wanted at every other step of the 30.
        let insisted: Vec<(u32, &[u16])> = (7..=36).step_by(2).map(|step| (step, [1].as_slice())).collect();
        assert_eq!(outcome(&run(1, 5, 30), &insisted).in_dead_ends, [wanted(&[1], true)]);
        assert_eq!(outcome(&run(1, 5, 30), &insisted[1..]).in_dead_ends, [wanted(&[1], false)]);
        // What was tried there and failed is not what was needed.
        let mut path = run(1, 5, 30);
        path.step(ActionId(2), Some(ltlcrit_worlds::Reason("stuck".into())), state(&[1]));
        assert!(outcome(&path, &[(20, &[1])]).in_dead_ends.is_empty());
    }
}
