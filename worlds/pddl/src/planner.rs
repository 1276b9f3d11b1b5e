//! Planners for tasks.

use std::sync::Arc;

use ltlcrit_verifier::{ActionId, Law, PropSet, Vocabulary};
use ltlcrit_worlds::planner::{Next, Planner, Strategy};
use ltlcrit_worlds::search::Space;
use ltlcrit_worlds::{Lettered, Way, way};

use crate::formula::State;
use crate::number::Number;
use crate::search::Safe;
use crate::world::PddlWorld;

/// The most states of one search.
const MOST_STATES: usize = 200_000;

/// A planner for a task.
#[derive(Debug)]
pub struct TaskPlanner {
    /// The world at its beginning.
    world: PddlWorld,
    strategy: Strategy,
    seed: u64,
    /// The actions taken when the plan was made or last followed, and what is left of it.
    plan: Option<(Vec<ActionId>, Vec<usize>)>,
}

impl TaskPlanner {
    /// A planner for a fresh world.
    pub fn new(world: PddlWorld, strategy: Strategy, seed: u64) -> Self {
        Self { world, strategy, seed, plan: None }
    }

    /// The states after each of the actions taken that applied.
    fn steps(&self, taken: &[ActionId]) -> Vec<(usize, (State, Number))> {
        let mut at = (self.world.state().clone(), self.world.danger());
        let mut steps = Vec::with_capacity(taken.len());
        for action in taken {
            if let Some(course) = self.world.course(&at.0, *action) {
                at = (course.after, at.1 + course.danger);
            }
            steps.push((usize::from(action.0), at.clone()));
        }
        steps
    }

    fn applicable(&self, state: &State, refused: &[ActionId]) -> Vec<usize> {
        let mut actions = Vec::new();
        self.world.applicable_in(state, &mut actions);
        actions.retain(|action| !refused.contains(&ActionId(*action as u16)));
        actions
    }

    /// The way from where the actions taken lead, whose first action is not one of those refused.
    fn search(&self, taken: &[ActionId], refused: &[ActionId], laws: &[Law]) -> Result<Vec<usize>, String> {
        let hard: Vec<Law> = laws.iter().filter(|law| law.is_hard()).cloned().collect();
        let (laws, safe) = match self.strategy {
            Strategy::Safe => (hard.as_slice(), true),
            _ => (&[] as &[Law], false),
        };
        let space = Steps { world: &self.world, safe: Safe::new(self.world.ground()), minds_danger: safe };
        let first = (self.world.state().clone(), self.world.danger());
        let steps = self.steps(taken);
        let here = steps.last().map_or(&first, |(_, state)| state).clone();
        let from = |steps: &[(usize, (State, Number))]| match way(&space, laws, &first, steps, MOST_STATES) {
            Ok(Way::Plan(plan)) => Ok(plan),
            Ok(Way::None) => Err("no way leads to the goal".to_owned()),
            Ok(Way::GaveUp) => Err(format!("no way was found among {MOST_STATES} states")),
            Ok(Way::Forbidden(laws)) => {
                let names: Vec<String> = laws.iter().map(ToString::to_string).collect();
                Err(format!("no way to the goal satisfies the laws: {}", names.join(", ")))
            }
            Err(error) => Err(error.to_string()),
        };
        if refused.is_empty() {
            return from(&steps);
        }
        let mut best: Result<Vec<usize>, String> =
            Err("every way from here begins with an action that was refused".to_owned());
        for action in self.applicable(&here.0, refused) {
            let Some(after) = space.successor(&here, action) else { continue };
            let longer: Vec<_> = steps.iter().cloned().chain([(action, after)]).collect();
            if let Ok(rest) = from(&longer)
                && best.as_ref().map_or(true, |best| rest.len() + 1 < best.len())
            {
                best = Ok(std::iter::once(action).chain(rest).collect());
            }
        }
        best
    }

    /// What is left of the plan after these actions. It is made in the first state, and again after each action that was not
    /// planned, so it is a function of the actions taken.
    fn follow(&mut self, taken: &[ActionId], laws: &[Law]) -> Result<Vec<usize>, String> {
        let (mut known, mut left) = match self.plan.take().filter(|(known, _)| taken.starts_with(known)) {
            Some((known, left)) => (known.len(), left),
            None => (0, self.search(&[], &[], laws)?),
        };
        while known < taken.len() {
            let action = usize::from(taken[known].0);
            known += 1;
            if left.first() == Some(&action) {
                left.remove(0);
            } else {
                left = self.search(&taken[..known], &[], laws)?;
            }
        }
        self.plan = Some((taken.to_vec(), left.clone()));
        Ok(left)
    }
}

impl Planner for TaskPlanner {
    fn next(&mut self, taken: &[ActionId], refused: &[ActionId], laws: &[Law]) -> Next {
        let plan = match self.strategy {
            Strategy::Empty => return Next::Stop("this planner does nothing".to_owned()),
            Strategy::Random => {
                let state = self.steps(taken).pop().map_or_else(|| self.world.state().clone(), |(_, (state, _))| state);
                let actions = self.applicable(&state, refused);
                let drawn = mixed(self.seed, taken.len() as u64, refused.len() as u64);
                return match actions.len() {
                    0 => Next::Stop("no other action applies".to_owned()),
                    count => Next::Act(ActionId(actions[(drawn % count as u64) as usize] as u16), None),
                };
            }
            Strategy::Shortest | Strategy::Safe if refused.is_empty() => self.follow(taken, laws),
            Strategy::Shortest | Strategy::Safe => self.search(taken, refused, laws),
        };
        match plan.as_deref() {
            Ok([action, ..]) => Next::Act(ActionId(*action as u16), plan.as_ref().ok().map(Vec::len)),
            Ok([]) => Next::Stop("the goal is reached".to_owned()),
            Err(why) => Next::Stop(why.clone()),
        }
    }
}

/// A number that three numbers decide (the finaliser of SplitMix64).
fn mixed(seed: u64, step: u64, attempt: u64) -> u64 {
    let mut z = seed.wrapping_add(step.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_add(attempt << 32);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The states of a task with their danger, which is minded or not.
struct Steps<'a> {
    world: &'a PddlWorld,
    safe: Safe<'a>,
    minds_danger: bool,
}

impl Space for Steps<'_> {
    type State = (State, Number);

    fn actions(&self, state: &Self::State, into: &mut Vec<usize>) {
        self.world.applicable_in(&state.0, into);
    }

    fn successor(&self, state: &Self::State, action: usize) -> Option<Self::State> {
        let course = self.world.course(&state.0, ActionId(action as u16))?;
        match self.minds_danger {
            true => {
                let danger = state.1 + course.danger;
                (!self.safe.is_lost(danger)).then_some((course.after, danger))
            }
            // Danger is left as it is, so that states differ only in what matters.
            false => Some((course.after, state.1)),
        }
    }

    fn is_goal(&self, state: &Self::State) -> bool {
        if self.minds_danger { self.safe.is_goal(state) } else { self.world.ground().is_goal(&state.0) }
    }
}

impl Lettered for Steps<'_> {
    fn vocabulary(&self) -> &Arc<Vocabulary> {
        self.world.words()
    }

    fn holds(&self, state: &Self::State) -> PropSet {
        self.world.holds(&state.0)
    }

    fn passes(&self, state: &Self::State, action: usize) -> Vec<PropSet> {
        self.world.passed(&state.0, ActionId(action as u16))
    }
}
