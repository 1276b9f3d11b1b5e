//! Planners for tasks.

use std::sync::Arc;

use ltlcrit_verifier::{ActionId, Law, LawId, PropSet, Vocabulary};
use ltlcrit_worlds::planner::{Next, Planner, Strategy};
use ltlcrit_worlds::search::{Estimate, Space};
use ltlcrit_worlds::{Lawful, Lettered, Way, some_way, way};

use crate::careful::{idle, variant};
use crate::danger::Danger;
use crate::estimate::Relaxation;
use crate::focus::focus;
use crate::formula::State;
use crate::number::Number;
use crate::search::Aim;
use crate::world::PddlWorld;

/// Maximum number of states of one search.
const MAX_STATES: usize = 200_000;

/// Maximum number of states that are estimated after the search for the shortest way gave up, and of the nodes of their
/// estimates.
const MAX_ESTIMATED: usize = 100_000;
const MAX_NODES: usize = 1_000_000_000;

/// A planner for a task.
#[derive(Debug)]
pub struct TaskPlanner {
    /// The world in its initial state.
    world: PddlWorld,
    strategy: Strategy,
    /// True if danger counts.
    minds_danger: bool,
    most_states: usize,
    /// True if it first searches among the actions around the goal and the laws. A way found there may be longer than
    /// one that uses other objects.
    focuses: bool,
    seed: u64,
    plan: Option<Followed>,
    /// True for the lifted actions that a careful planner takes as soon as they apply.
    idle: Vec<bool>,
    /// The earlier refusals: the number of actions before each, and the refused action.
    refused: Vec<(usize, ActionId)>,
}

/// A plan that is being followed.
#[derive(Debug)]
struct Followed {
    /// The laws that it satisfies.
    laws: Vec<LawId>,
    /// The actions taken when it was made or last followed.
    taken: Vec<ActionId>,
    /// The remaining actions.
    left: Vec<usize>,
}

impl TaskPlanner {
    /// Creates a planner for a fresh world.
    pub fn new(world: PddlWorld, strategy: Strategy, seed: u64) -> Self {
        let minds_danger = strategy == Strategy::Safe;
        let idle = if strategy == Strategy::Careful { idle(world.ground()) } else { Vec::new() };
        let (most_states, refused) = (MAX_STATES, Vec::new());
        Self { world, strategy, minds_danger, most_states, focuses: true, seed, plan: None, idle, refused }
    }

    /// Returns the laws that are proved to leave no way to the goal after the actions taken. The proof searches at most
    /// `most_states` states. Danger does not count.
    pub fn forbidden(world: PddlWorld, taken: &[ActionId], laws: &[Law], most_states: usize) -> Option<Vec<LawId>> {
        let planner = Self { minds_danger: false, most_states, ..Self::new(world, Strategy::Safe, 0) };
        match planner.way(taken, &[], laws) {
            Ok(Way::Forbidden(laws)) => Some(laws),
            _ => None,
        }
    }

    /// Returns the shortest way to the goal from a world's state, among all actions, that meets no more danger than is
    /// tolerated.
    pub fn nearest(world: PddlWorld) -> Way {
        let planner = Self { focuses: false, ..Self::new(world, Strategy::Safe, 0) };
        planner.way(&[], &[], &[]).unwrap_or(Way::GaveUp)
    }

    /// Returns whether no way of the world breaks a law; `None` if the search does not decide it.
    pub fn never_breaks(world: &PddlWorld, law: &Law) -> Option<bool> {
        let broken = [Law::hard(law.id.clone(), law.formula.clone().not(), law.explanation.clone())];
        let anywhere = world.with_ground(world.ground().without_goal());
        let planner = Self { minds_danger: false, ..Self::new(anywhere, Strategy::Safe, 0) };
        match planner.way(&[], &[], &broken) {
            Ok(Way::Plan(_)) => Some(false),
            Ok(Way::Forbidden(_) | Way::None) => Some(true),
            Ok(Way::GaveUp) | Err(_) => None,
        }
    }

    fn applicable(&self, state: &State, refused: &[ActionId]) -> Vec<usize> {
        let mut actions = Vec::new();
        self.world.applicable_in(state, None, &mut actions);
        actions.retain(|action| !refused.contains(&ActionId(*action as u16)));
        actions
    }

    /// Returns those actions that break a hard law permanently.
    fn breaking(&self, taken: &[ActionId], actions: &[usize], laws: &[Law]) -> Vec<usize> {
        let hard: Vec<Law> = laws.iter().filter(|law| law.is_hard()).cloned().collect();
        let space = self.space(&self.world, None, &[], &[]);
        let (first, steps) = self.path(taken);
        let Ok(lawful) = Lawful::new(&space, &hard) else { return Vec::new() };
        let now = lawful.after(&first, &steps);
        actions.iter().copied().filter(|action| lawful.successor(&now, *action).is_none()).collect()
    }

    /// Returns the first state, and the states after the actions taken; the last of them is the current one.
    fn path(&self, taken: &[ActionId]) -> (At, Vec<(usize, At)>) {
        let mut first = At { state: self.world.state().clone(), danger: self.world.danger(), is_now: false };
        let (mut at, mut steps) = (first.clone(), Vec::with_capacity(taken.len()));
        for action in taken {
            if let Some(course) = self.world.course(&at.state, *action) {
                at = At { state: course.after, danger: at.danger + course.danger, is_now: false };
            }
            steps.push((usize::from(action.0), at.clone()));
        }
        steps.last_mut().map_or(&mut first, |(_, at)| at).is_now = true;
        (first, steps)
    }

    /// Returns the state after the actions taken.
    fn now(&self, taken: &[ActionId]) -> State {
        let (first, mut steps) = self.path(taken);
        steps.pop().map_or(first, |(_, at)| at).state
    }

    fn space<'a>(
        &self,
        world: &'a PddlWorld,
        focus: Option<&'a [ActionId]>,
        refused: &'a [ActionId],
        before: &'a [(State, ActionId)],
    ) -> Steps<'a> {
        let only_grows = world.ground().task().danger.as_ref().is_none_or(Danger::only_grows);
        Steps { world, only_grows, minds_danger: self.minds_danger, focus, refused, before, relaxation: None }
    }

    /// Returns the actions refused before the last of these actions, with the states in which they were refused.
    fn refused_before(&self, taken: &[ActionId]) -> Vec<(State, ActionId)> {
        let (first, steps) = self.path(taken);
        let states: Vec<State> =
            std::iter::once(first).chain(steps.into_iter().map(|(_, at)| at)).map(|at| at.state).collect();
        let earlier = self.refused.iter().filter(|(step, _)| *step < taken.len());
        earlier.filter_map(|(step, action)| Some((states.get(*step)?.clone(), *action))).collect()
    }

    /// Returns the way from the state after the actions taken, whose first action is not one of those refused. An
    /// action that was refused in an earlier state is not taken there again, unless there is no other way.
    fn way(&self, taken: &[ActionId], refused: &[ActionId], laws: &[Law]) -> Result<Way, String> {
        let before = self.refused_before(taken);
        let laws = &self.minded(laws);
        let way = self.way_without(taken, refused, &before, laws)?;
        match way {
            Way::Plan(_) => Ok(way),
            _ if before.is_empty() => Ok(way),
            _ => self.way_without(taken, refused, &[], laws),
        }
    }

    /// Returns the actions that a way may need; `None` if it may need all. Under laws and after a refusal, it may need
    /// any action.
    fn useful(&self, refused: &[ActionId], laws: &[Law]) -> Option<Vec<ActionId>> {
        let aim = if self.minds_danger { Aim::Safe } else { Aim::Any };
        let is_free = laws.is_empty() && refused.is_empty() && self.refused.is_empty();
        let useful = is_free.then(|| self.world.ground().useful(aim));
        Some(useful?.into_iter().filter_map(|action| self.world.id(action)).collect())
    }

    fn way_without(
        &self,
        taken: &[ActionId],
        refused: &[ActionId],
        before: &[(State, ActionId)],
        laws: &[Law],
    ) -> Result<Way, String> {
        let (first, steps) = self.path(taken);
        let search = |world: &PddlWorld, focus: Option<&[ActionId]>, before: &[(State, ActionId)], most_states| {
            let space = self.space(world, focus, refused, before);
            way(&space, laws, &first, &steps, most_states).map_err(|error| error.to_string())
        };
        let (here, focus) = (&self.world, focus(&self.world, laws, self.minds_danger));
        let mut way = match self.focuses {
            true => search(here, Some(&focus.actions), before, self.most_states)?,
            false => Way::GaveUp,
        };
        let leaves_out = focus.actions.len() + 1 < here.words().catalogue().count();
        if !matches!(way, Way::Plan(_)) && (leaves_out || !self.focuses) {
            let useful = self.useful(refused, laws);
            let all = useful.as_deref();
            // If each state has more actions to try, fewer states can be explored.
            let most_states = self.most_states / (1 + here.ground().actions().len() / 256);
            way = search(&focus.relaxed(here), all, &[], most_states)?;
            let is_known = match &way {
                Way::Plan(plan) => before.is_empty() && self.reaches_the_goal(taken, plan),
                Way::None | Way::Forbidden(_) => true,
                Way::GaveUp => false,
            };
            if !is_known {
                way = search(here, all, before, most_states)?;
            }
        }
        Ok(way)
    }

    /// Returns the laws that the strategy respects.
    fn minded(&self, laws: &[Law]) -> Vec<Law> {
        let minds = |law: &&Law| match self.strategy {
            Strategy::Shortest | Strategy::Careful => false,
            Strategy::Lawful => true,
            _ => law.is_hard(),
        };
        laws.iter().filter(minds).cloned().collect()
    }

    /// Returns some way, after the search for the shortest gave up.
    fn some_way(&self, taken: &[ActionId], refused: &[ActionId], laws: &[Law]) -> Result<Vec<usize>, Next> {
        let useful = self.useful(refused, laws);
        let relaxation = Relaxation::new(self.world.ground());
        let most_states = (MAX_NODES / relaxation.size()).clamp(1_000, MAX_ESTIMATED);
        let space = Steps { relaxation: Some(&relaxation), ..self.space(&self.world, useful.as_deref(), refused, &[]) };
        let (first, steps) = self.path(taken);
        let found = some_way(&space, laws, &first, &steps, most_states);
        let found = found.map_err(|error| Next::Stop(error.to_string()))?;
        found.ok_or_else(|| {
            let looked_at = self.most_states;
            Next::GaveUp(format!(
                "no way to the goal was found among {looked_at} states, nor by estimates for {most_states}"
            ))
        })
    }

    /// Returns the actions of a way, or the next step if no way was found.
    fn search(&self, taken: &[ActionId], refused: &[ActionId], laws: &[Law]) -> Result<Vec<usize>, Next> {
        let stop = |why: &str| Err(Next::Stop(why.to_owned()));
        match self.way(taken, refused, laws).map_err(Next::Stop)? {
            Way::Plan(plan) => Ok(plan),
            Way::None if refused.is_empty() => stop("no way leads to the goal"),
            Way::None => stop("every way from here begins with an action that was refused"),
            Way::GaveUp => self.some_way(taken, refused, &self.minded(laws)),
            Way::Forbidden(laws) => {
                let names: Vec<String> = laws.iter().map(ToString::to_string).collect();
                stop(&format!("no way to the goal satisfies the laws: {}", names.join(", ")))
            }
        }
    }

    /// Returns whether a plan of the relaxed world is a plan of the world after these actions. Its letters are then the
    /// same.
    fn reaches_the_goal(&self, taken: &[ActionId], plan: &[usize]) -> bool {
        let mut state = self.now(taken);
        for action in plan {
            let Some(course) = self.world.course(&state, ActionId(*action as u16)) else { return false };
            state = course.after;
        }
        self.world.ground().is_goal(&state)
    }

    /// Returns the action that a careful planner takes before the plan continues.
    fn idle_action(&self, taken: &[ActionId], refused: &[ActionId]) -> Option<ActionId> {
        let actions = self.applicable(&self.now(taken), refused).into_iter().map(|action| ActionId(action as u16));
        let ground = self.world.ground();
        let is_idle = |action: &ActionId| {
            self.world.number(*action).is_some_and(|number| self.idle[ground.actions()[number].action])
        };
        actions.filter(is_idle).find(|action| !taken.contains(action))
    }

    /// Returns the action of a plan, or the one that a careful planner takes in its place.
    fn in_place_of(&self, action: ActionId, taken: &[ActionId], refused: &[ActionId]) -> ActionId {
        let (is_careful, ground) = (self.strategy == Strategy::Careful, self.world.ground());
        let of = self.world.number(action).filter(|_| is_careful);
        let careful = of.and_then(|number| variant(ground, &self.now(taken), number));
        careful.and_then(|number| self.world.id(number)).filter(|of| !refused.contains(of)).unwrap_or(action)
    }

    /// Returns the rest of the plan after these actions. The plan is made in the first state, and again after each
    /// unplanned action, so it is a function of the actions taken.
    fn follow(&mut self, taken: &[ActionId], laws: &[Law]) -> Result<Vec<usize>, Next> {
        let ids: Vec<LawId> = laws.iter().map(|law| law.id.clone()).collect();
        let goes_on = |plan: &Followed| plan.laws == ids && taken.starts_with(&plan.taken);
        let (mut known, mut left) = match self.plan.take().filter(goes_on) {
            Some(plan) => (plan.taken.len(), plan.left),
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
        self.plan = Some(Followed { laws: ids, taken: taken.to_vec(), left: left.clone() });
        Ok(left)
    }
}

impl Planner for TaskPlanner {
    fn next(&mut self, taken: &[ActionId], refused: &[ActionId], laws: &[Law]) -> Next {
        if self.strategy == Strategy::Careful
            && let Some(action) = self.idle_action(taken, refused)
        {
            return Next::Act(action, None);
        }
        let plan = match self.strategy {
            Strategy::Empty => return Next::Stop("this planner does nothing".to_owned()),
            Strategy::Random | Strategy::Hostile => {
                let mut actions = self.applicable(&self.now(taken), refused);
                if self.strategy == Strategy::Hostile {
                    let breaking = self.breaking(taken, &actions, laws);
                    actions = if breaking.is_empty() { actions } else { breaking };
                }
                let drawn = mixed(self.seed, taken.len() as u64, refused.len() as u64);
                return match actions.len() {
                    0 => Next::Stop("no other action applies".to_owned()),
                    count => Next::Act(ActionId(actions[(drawn % count as u64) as usize] as u16), None),
                };
            }
            _ if refused.is_empty() => self.follow(taken, laws),
            _ => self.search(taken, refused, laws),
        };
        match plan.as_deref() {
            Ok([action, ..]) => {
                let action = self.in_place_of(ActionId(*action as u16), taken, refused);
                Next::Act(action, plan.as_ref().ok().map(Vec::len))
            }
            Ok([]) => Next::Stop("the goal is reached".to_owned()),
            Err(next) => next.clone(),
        }
    }

    fn recall(&mut self, refused: &[(usize, ActionId)]) {
        self.refused = refused.to_vec();
    }
}

/// Mixes three numbers into one (the finaliser of SplitMix64).
fn mixed(seed: u64, step: u64, attempt: u64) -> u64 {
    let mut z = seed.wrapping_add(step.wrapping_mul(0x9E37_79B9_7F4A_7C15)).wrapping_add(attempt << 32);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A state of a search.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct At {
    state: State,
    danger: Number,
    /// True if the search begins here; then some actions are refused.
    is_now: bool,
}

/// The states of a task with their danger, which counts or not.
struct Steps<'a> {
    world: &'a PddlWorld,
    /// True if danger never falls.
    only_grows: bool,
    minds_danger: bool,
    /// The actions that are explored; all if `None`.
    focus: Option<&'a [ActionId]>,
    refused: &'a [ActionId],
    /// The earlier refusals, with their states.
    before: &'a [(State, ActionId)],
    /// The relaxation for estimates, if they are used.
    relaxation: Option<&'a Relaxation>,
}

impl Space for Steps<'_> {
    type State = At;

    fn actions(&self, at: &At, into: &mut Vec<usize>) {
        self.world.applicable_in(&at.state, self.focus, into);
        if at.is_now {
            into.retain(|action| !self.refused.contains(&ActionId(*action as u16)));
        }
        if self.before.iter().any(|(state, _)| *state == at.state) {
            let was =
                |action: usize| self.before.iter().any(|(state, of)| usize::from(of.0) == action && *state == at.state);
            into.retain(|action| !was(*action));
        }
    }

    fn successor(&self, at: &At, action: usize) -> Option<At> {
        let course = self.world.course(&at.state, ActionId(action as u16))?;
        // Danger that does not count stays unchanged, so that states differ only in relevant parts.
        let danger = if self.minds_danger { at.danger + course.danger } else { at.danger };
        let is_lost = self.minds_danger && self.only_grows && !self.world.ground().task().tolerates(danger);
        (!is_lost).then_some(At { state: course.after, danger, is_now: false })
    }

    fn is_goal(&self, at: &At) -> bool {
        let ground = self.world.ground();
        ground.is_goal(&at.state) && (!self.minds_danger || ground.task().tolerates(at.danger))
    }

    fn estimate(&self, at: &At) -> Option<Estimate> {
        let Some(relaxation) = self.relaxation else { return Some(Estimate::default()) };
        let (steps, first) = relaxation.estimate(&at.state)?;
        let ids = first.into_iter().filter_map(|action| self.world.id(action)).map(|id| usize::from(id.0));
        let goals = self.world.ground().goal.conjuncts();
        let parts_left = goals.iter().filter(|part| !part.holds(&at.state)).count() as u32;
        Some(Estimate { distances: [steps, parts_left], preferred: ids.collect() })
    }
}

impl Lettered for Steps<'_> {
    fn vocabulary(&self) -> &Arc<Vocabulary> {
        self.world.words()
    }

    fn holds(&self, at: &At) -> PropSet {
        self.world.holds(&at.state)
    }

    fn passes(&self, at: &At, action: usize) -> Vec<PropSet> {
        self.world.passed(&at.state, ActionId(action as u16))
    }
}
