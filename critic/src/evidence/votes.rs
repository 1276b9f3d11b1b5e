//! Votes of runs on choices, and their weights.

use std::collections::{BTreeMap, BTreeSet};

use ltlcrit_verifier::{ActionId, PropSet};
use statrs::function::beta::ln_beta;

use super::good_steps::{GoodStep, good_steps};
use super::objective::Objective;
use super::traps::History;
use super::verdict::{Block, Trial, Verdict};
use crate::graph::Citation;

/// The steps that a trap of as many steps as patience counts for.
const STEPS_OF_A_TRAP: f64 = 4.0;
/// The gains by which a generation must get further than the one before to have got on.
const GOT_ON: f64 = 0.5;

/// An action in a state.
type Choice = (PropSet, ActionId);

/// The vote of a run on a choice: its steps there by what they were good for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Vote {
    /// Those that failed, changed nothing or were needless; or 1 if the run got on although the action was blocked.
    pub bad: u32,
    /// Those of a trap.
    pub trapped: u32,
    /// Those that a run gained something by and missed its goal.
    pub gained: u32,
    /// Those that a run needed to reach its goal.
    pub needed: u32,
}

/// The evidence for a law and against it, in nats, both at least 0.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Support {
    /// The sum of the weights above 0 of the choices that it blocks.
    pub bad: f64,
    /// The sum of those below 0, as a number above 0.
    pub good: f64,
}

impl Support {
    /// The logarithm of the odds for the law.
    pub fn odds(&self) -> f64 {
        self.bad - self.good
    }
}

/// The labels of the actions of runs, and the votes by which they are weighed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trials {
    /// All trials: those of executed actions by run and step, then those of blocked ones.
    pub all: Vec<Trial>,
    /// The choices that runs needed to reach their goal.
    pub good: Vec<GoodStep>,
    /// The number of runs by how they ended.
    pub runs: RunCounts,
    /// The constants of the weights.
    pub objective: Objective,
    /// The number of steps without a gain from which on a run counts as trapped.
    pub patience: usize,
    /// The choices known to lead from a state to the goal, each with the fewest steps that a run needed from there.
    pub ways: BTreeMap<PropSet, BTreeMap<ActionId, u32>>,
    by_choice: BTreeMap<Choice, Vec<Vote>>,
    /// The number of runs that were in each state.
    seen: BTreeMap<PropSet, u32>,
    /// The evidence against blocks of stalls.
    released: BTreeMap<Choice, f64>,
    /// The share of bad votes.
    share: f64,
}

/// The number of runs by how they ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunCounts {
    /// All runs.
    pub all: usize,
    /// The runs that reached their goal.
    pub reached_goal: usize,
    /// The runs that ended in a trap.
    pub trapped: usize,
}

impl Trials {
    /// Counts the votes of runs whose steps are labelled. `blocks` are the proposals that were blocked in them.
    pub(super) fn count(
        histories: &[History<'_>],
        blocks: &[Block],
        stop: Option<ActionId>,
        patience: usize,
        had: &PropSet,
        objective: Objective,
    ) -> Self {
        let all: Vec<Trial> = histories.iter().flat_map(History::trials).collect();
        let good = good_steps(histories.iter().map(|history| history.run), &all, stop);
        let runs = RunCounts {
            all: histories.len(),
            reached_goal: histories.iter().filter(|history| history.run.reached_goal).count(),
            trapped: histories.iter().filter(|history| history.is_trapped(patience)).count(),
        };
        let mut votes = Self { all, good, runs, objective, patience, ..Self::default() };
        for way in votes.good.iter().filter(|way| Some(way.action) != stop) {
            votes.ways.entry(way.state).or_default().insert(way.action, way.distance);
        }
        let mut blocked: BTreeMap<Citation, BTreeSet<ActionId>> = BTreeMap::new();
        for block in blocks.iter().filter(|block| !block.hard) {
            blocked.entry(block.step).or_default().insert(block.action);
        }
        let blocked_at = |history: &History<'_>, at: usize| {
            let actions = blocked.get(&Citation { run: history.run.id, step: at as u32 + 1 });
            actions.into_iter().flatten().copied().collect::<Vec<_>>()
        };
        for (number, history) in histories.iter().enumerate() {
            let mut of_run: BTreeMap<Choice, Vote> = BTreeMap::new();
            let seen: BTreeSet<PropSet> = history.states[..history.run.len()].iter().copied().collect();
            seen.into_iter().for_each(|state| *votes.seen.entry(state).or_default() += 1);
            let known = shared_prefix(history, &histories[..number]);
            for (at, step) in history.run.steps.iter().enumerate().skip(known) {
                of_run.entry((history.states[at], step.action)).or_default().count(history.verdicts[at], &objective);
            }
            for (choice, vote) in of_run {
                votes.by_choice.entry(choice).or_default().push(vote);
            }
            let mut once: BTreeSet<Choice> = BTreeSet::new();
            for at in known..history.end() {
                if history.next_gain(at).is_none_or(|gain| gain - at >= patience) {
                    continue;
                }
                for action in blocked_at(history, at).into_iter().filter(|_| objective.efficiency) {
                    let state = history.states[at];
                    if once.insert((state, action)) {
                        votes.by_choice.entry((state, action)).or_default().push(Vote { bad: 1, ..Vote::default() });
                        let step = Citation { run: history.run.id, step: at as u32 + 1 };
                        votes.all.push(Trial { state, action, verdict: Verdict::Spared, step });
                    }
                }
            }
        }
        votes.release(histories, had, blocked_at);
        let all = || votes.by_choice.values().flatten().filter(|vote| vote.bad + vote.trapped + vote.needed > 0);
        let bad = all().filter(|vote| vote.bad + vote.trapped > vote.needed).count();
        votes.share = (bad as f64 / all().count().max(1) as f64)
            .clamp(objective.least_share, objective.most_share.max(objective.least_share));
        votes
    }

    /// Weighs the blocks of stalls in generations of runs that got no further than the one before, once for each generation: one of
    /// the blocks is to blame, and it is not known which.
    fn release<'h>(
        &mut self,
        histories: &[History<'h>],
        had: &PropSet,
        blocked_at: impl Fn(&History<'h>, usize) -> Vec<ActionId>,
    ) {
        let mut generations: BTreeMap<u64, Vec<&History<'_>>> = BTreeMap::new();
        for history in histories {
            generations.entry(history.run.generation).or_default().push(history);
        }
        let ever_had = |history: &&History<'_>| {
            history.states.iter().fold(PropSet::EMPTY, |all, state| all.union(&state.intersection(had))).len()
        };
        let mut before = f64::INFINITY;
        for (number, runs) in generations.into_values().enumerate() {
            let got = runs.iter().map(ever_had).sum::<usize>() as f64 / runs.len() as f64;
            let is_stuck = number > 0 && got <= before + GOT_ON;
            before = got;
            if !is_stuck {
                continue;
            }
            // By stall, the states in which each action was blocked.
            let mut stalls: Vec<BTreeMap<ActionId, BTreeSet<PropSet>>> = Vec::new();
            for history in runs {
                for stall in history.stalls(self.patience) {
                    let mut wishes: BTreeMap<ActionId, BTreeSet<PropSet>> = BTreeMap::new();
                    for at in stall {
                        for action in blocked_at(history, at) {
                            wishes.entry(action).or_default().insert(history.states[at]);
                        }
                    }
                    stalls.extend((!wishes.is_empty()).then_some(wishes));
                }
            }
            let of_stall = self.objective.release / stalls.len().max(1) as f64;
            for wishes in stalls {
                let of_action = of_stall / wishes.len() as f64;
                for (action, states) in wishes {
                    let share = of_action / states.len() as f64;
                    states.into_iter().for_each(|state| *self.released.entry((state, action)).or_default() += share);
                }
            }
        }
    }

    /// Returns the trial of an executed step.
    pub fn on(&self, step: Citation) -> Option<&Trial> {
        let executed = |trial: &&Trial| trial.verdict != Verdict::Spared;
        let first = self.all.partition_point(|trial| trial.verdict != Verdict::Spared && trial.step < step);
        self.all.get(first).filter(|trial| trial.step == step).filter(executed)
    }

    /// Returns whether some run made a choice, or got on although it was blocked.
    pub fn was_tried(&self, state: &PropSet, action: ActionId) -> bool {
        self.by_choice.contains_key(&(*state, action))
    }

    /// Returns the actions that some run took or was kept from.
    pub fn actions(&self) -> BTreeSet<ActionId> {
        self.by_choice.keys().map(|(_, action)| *action).collect()
    }

    /// Returns the states in which runs chose.
    pub fn states(&self) -> impl Iterator<Item = &PropSet> {
        self.seen.keys()
    }

    /// Returns the logarithm of the Bayes factor of "this choice is bad" against "its use is not known", by the votes of all
    /// runs. Above 0 runs speak for blocking the action in the state. A choice that no run made weighs a little less than 0.
    pub fn weight(&self, state: &PropSet, action: ActionId) -> f64 {
        self.weight_as(state, action, false)
    }

    /// Returns the weight of a choice that is the only one left of those that lead to the goal from its state.
    pub fn weight_of_last(&self, state: &PropSet, action: ActionId) -> f64 {
        self.weight_as(state, action, true)
    }

    fn weight_as(&self, state: &PropSet, action: ActionId, is_last: bool) -> f64 {
        let weight = match self.by_choice.get(&(*state, action)) {
            Some(votes) => {
                let needed = self.cost_of_need(state, action, is_last);
                votes.iter().map(|vote| self.weigh(vote, needed)).sum()
            }
            None => -self.objective.untried * f64::from(self.seen.get(state).copied().unwrap_or(0)),
        };
        weight - self.released.get(&(*state, action)).copied().unwrap_or(0.0)
    }

    /// Returns the cost of blocking a choice for each run that needed it.
    fn cost_of_need(&self, state: &PropSet, action: ActionId, is_last: bool) -> f64 {
        let ways = self.ways.get(state);
        let distance = ways.and_then(|ways| ways.get(&action)).copied().unwrap_or(u32::MAX);
        let most = distance.saturating_add(self.objective.margin);
        let has_other = ways.into_iter().flatten().any(|(other, far)| *other != action && *far <= most);
        if has_other && !is_last { self.objective.gained } else { self.objective.needed }
    }

    /// The logarithm of the Bayes factor of "always bad here" against "bad at an unknown rate", by one run.
    fn weigh(&self, vote: &Vote, needed: f64) -> f64 {
        let (bad, trapped) = (f64::from(vote.bad), f64::from(vote.trapped));
        let good = f64::from(vote.needed + vote.gained);
        let steps = (bad + STEPS_OF_A_TRAP * trapped / self.patience.max(1) as f64).min(self.objective.repeats.into());
        let factor = match steps > 0.0 {
            true => {
                let rest = 1.0 - self.share;
                (ln_beta(self.share, rest) - ln_beta(steps + self.share, rest)) * (bad + trapped)
                    / (bad + trapped + good)
            }
            false => 0.0,
        };
        match (vote.needed, vote.gained) {
            (0, 0) => factor,
            (0, _) => factor - self.objective.gained,
            _ => factor - needed,
        }
    }

    /// Returns the support of a law: the weights of the choices that it blocks.
    pub fn support(&self, blocks: impl Fn(&PropSet, ActionId) -> bool) -> Support {
        let weights = self.by_choice.keys().filter(|(state, action)| blocks(state, *action));
        weights.map(|(state, action)| self.weight(state, *action)).fold(Support::default(), |sum, weight| Support {
            bad: sum.bad + weight.max(0.0),
            good: sum.good - weight.min(0.0),
        })
    }
}

impl Vote {
    fn count(&mut self, verdict: Verdict, objective: &Objective) {
        match verdict {
            Verdict::Failed => self.bad += 1,
            Verdict::NoEffect | Verdict::Needless if objective.efficiency => self.bad += 1,
            Verdict::Trapped if objective.efficiency => self.trapped += 1,
            Verdict::Gained => self.gained += 1,
            Verdict::Needed => self.needed += 1,
            Verdict::NoEffect | Verdict::Needless | Verdict::Trapped | Verdict::Spared | Verdict::Open => {}
        }
    }
}

/// The number of first steps that a run shares with an earlier one in the same world: they are the same evidence.
fn shared_prefix(history: &History<'_>, earlier: &[History<'_>]) -> usize {
    let steps = |history: &History<'_>| {
        history.states.iter().copied().zip(history.run.steps.iter().map(|step| step.action)).collect::<Vec<_>>()
    };
    let mine = steps(history);
    let same_world = earlier.iter().filter(|other| history.run.seed.is_some() && other.run.seed == history.run.seed);
    let shared = |other: &History<'_>| steps(other).iter().zip(&mine).take_while(|(one, other)| one == other).count();
    same_world.map(shared).max().unwrap_or(0)
}
