//! The strategy with a transition model: a search for a continuation, guided by one law at a time.
//!
//! From the state after the action, a path is sought that settles one law that owes something, looking at that law
//! alone; then the next from where that path ended, until nothing is owed. A path is run through all laws; one that it
//! breaks is looked at as well from then on. If already the first law has no path, the action has no continuation, and the
//! laws looked at are why. If a later one has none, going one after the other was too hasty: then all laws met so far are
//! settled jointly.

use std::collections::VecDeque;

use super::core::{self, ANYWHERE, CORES_LOOKED_AT, Core};
use super::frontier::Frontier;
use super::landmarks::{self, Landmarks};
use super::quotient::Quotient;
use super::space::SearchSpace;
use crate::dfa_table::StateRef;
use crate::joint::{Continuation, Joint, LAWS_READ};
use crate::letter::{Letter, PropSet};
use crate::minimise::minimal_subset;
use crate::run::Now;
use crate::vocabulary::ActionId;
use crate::world_state::{WorldState, WorldStateId};

/// How many laws are settled one after the other before all are settled jointly.
const MOST_LEGS: usize = 32;
/// How many orders of settling the laws are tried before all are settled jointly.
const MOST_ATTEMPTS: usize = 6;
/// How many of the latest cores a search looks at.
const MOST_PRUNING: usize = 256;
/// What shrinking a core may cost.
const MOST_SHRINKING: u64 = 500;
/// With so many laws a search asks the landmarks before it goes on from a state.
const MANY: usize = 4;
/// What asking the landmarks costs, in units of a search's expansions.
const LANDMARK_COST: u64 = 30;
/// What beginning a search costs, in units of its expansions.
const SEARCH_COST: u64 = 10;
/// With so many laws a search finds out which world states they cannot tell apart.
const MANY_FOR_QUOTIENT: usize = 3;
/// Kinds of states by how many laws owe something.
const BUCKETS: usize = 16;

/// What a search for a continuation found.
enum Guided {
    /// The letters after the action's.
    Found(Vec<Letter>),
    /// No continuation satisfies the laws at these positions together.
    Unsat(Vec<usize>),
    /// The model does not know enough.
    BeyondModel,
    /// The budget ran out.
    Unknown,
}

/// One path through world states.
struct Path {
    actions: Vec<ActionId>,
    /// It ends the run.
    stops: bool,
}

/// What a search for a path found.
enum PathSearch {
    Path(Path),
    Exhausted,
    BeyondModel,
    Unknown,
}

/// How running a path through all laws ended.
enum Ran {
    /// In this world state, the laws in these states, after these letters.
    To(WorldStateId, Vec<StateRef>, Vec<Letter>),
    /// It broke the law at this position or, if it ends the run, left it owing something.
    Broke(usize),
}

/// How one order of settling the laws ended.
enum Attempt {
    Done(Guided),
    /// These laws got stuck; the first of them should come earlier.
    Stuck(Vec<usize>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    /// The law at this position of the set accepts.
    One(usize),
    All,
}

/// What searching with a model has taught about one group of laws.
#[derive(Default)]
pub(super) struct GuidedSearch {
    /// Combinations of the laws' states that no continuation satisfies.
    cores: Vec<Core>,
    frontier: Frontier,
    landmarks: Landmarks,
    /// Whether the landmarks know the world states of the current search.
    marked: bool,
}

/// Where a search goes: the world states, and the laws that read them.
struct Scene<'a> {
    space: &'a mut SearchSpace,
    joint: &'a mut Joint,
}

impl Scene<'_> {
    fn world(&self, world: WorldStateId) -> &WorldState {
        self.space.worlds.get(world)
    }

    fn next(&mut self, from: WorldStateId, action: ActionId) -> Option<WorldStateId> {
        self.space.next(self.joint, from, action)
    }

    /// The state of the law at a position after an action.
    #[inline]
    fn step(&mut self, from: WorldStateId, position: usize, state: StateRef, action: ActionId) -> StateRef {
        let code = self.space.worlds.get(from).code(position, action);
        self.joint.step(self.space.laws[position], state, code)
    }

    /// An action of a representative's class that the masks allow, if there is one.
    fn allowed_of_class(&self, world: WorldStateId, action: ActionId) -> Option<ActionId> {
        let world = self.world(world);
        if world.masked.contains(action) {
            return Some(action);
        }
        let class = world.class(action) & world.masked.0[0];
        (class != 0).then_some(ActionId(class.trailing_zeros() as u16))
    }
}

impl GuidedSearch {
    /// Bytes held, roughly.
    pub fn bytes(&self) -> usize {
        self.landmarks.bytes()
    }

    /// Forgets everything that names states of laws.
    pub fn clear(&mut self) {
        self.clear_cores();
        self.landmarks.clear();
    }

    /// Forgets everything that names world states.
    pub fn clear_cores(&mut self) {
        self.cores.clear();
    }

    /// Gets to know the world states that can be reached from here, if they are few.
    pub fn prepare(&mut self, space: &mut SearchSpace, joint: &mut Joint, now: Now<'_>, most_world_bytes: usize) {
        let here = now.letter.0.intersection(&space.relevant);
        if space.laws.len() > landmarks::MOST_PREPARED || self.landmarks.position(&here).is_some() {
            return;
        }
        self.enter(space, joint, here);
        let reachable: Vec<PropSet> = self.landmarks.observations().to_vec();
        for observations in reachable {
            if space.worlds.bytes() < most_world_bytes {
                space.world(joint, observations);
            }
        }
        self.landmarks.prepare(joint, now, &space.laws);
    }

    /// Makes the landmarks know the world states that can be reached from one; whether they do.
    fn enter(&mut self, space: &SearchSpace, joint: &Joint, observations: PropSet) -> bool {
        let (known, changed) = self.landmarks.enter(joint, observations, space.laws.len());
        if changed {
            core::forget_anywhere(&mut self.cores);
        }
        known
    }

    /// Searches for a continuation after an action, its first letter included.
    pub fn search(
        &mut self,
        space: &mut SearchSpace,
        joint: &mut Joint,
        now: Now<'_>,
        here: WorldStateId,
        action: ActionId,
    ) -> Continuation {
        match self.after(&mut Scene { space, joint }, now, here, action) {
            Guided::Found(mut letters) => {
                letters.insert(0, Letter::default());
                Continuation::Yes(letters)
            }
            Guided::Unsat(_) => Continuation::No(Vec::new()),
            Guided::BeyondModel => joint.continuable(now, &space.group, action),
            Guided::Unknown => {
                let owes = |law: &usize| !now.states[*law].accepts();
                let obligations = space.laws.iter().copied().filter(owes);
                Continuation::Unknown(obligations.map(|law| joint.laws.watched[law]).collect())
            }
        }
    }

    /// Laws, by position, that together leave an action no continuation, if that can be shown.
    pub fn core(
        &mut self,
        space: &mut SearchSpace,
        joint: &mut Joint,
        now: Now<'_>,
        here: WorldStateId,
        action: ActionId,
    ) -> Option<Vec<usize>> {
        match self.after(&mut Scene { space, joint }, now, here, action) {
            Guided::Unsat(core) => Some(core),
            _ => None,
        }
    }

    /// Whether some continuation after an action satisfies all laws.
    fn after(&mut self, scene: &mut Scene<'_>, now: Now<'_>, here: WorldStateId, action: ActionId) -> Guided {
        let Some(next) = scene.next(here, action) else { return Guided::BeyondModel };
        let width = scene.space.laws.len();
        scene.joint.budget.spend((width / LAWS_READ + self.cores.len() / CORES_LOOKED_AT) as u64);
        let mut states = Vec::with_capacity(width);
        for position in 0..width {
            let state = scene.step(here, position, now.states[scene.space.laws[position]], action);
            if state.is_dead() {
                return Guided::Unsat(vec![position]);
            }
            if state == StateRef::LOST {
                return Guided::Unknown;
            }
            states.push(state);
        }
        self.marked = self.enter(scene.space, scene.joint, scene.world(next).observations);
        if let Some(at) = self.cores.iter().rposition(|core| core.covers(next, |law| states[law])) {
            return Guided::Unsat(self.cores[at].parts.iter().map(|&(law, _)| law as usize).collect());
        }
        let found = self.settle_in_turn(scene, next, &states);
        if let Guided::Unsat(set) = found {
            let set = self.shrink(scene, next, &states, set);
            self.keep(next, &states, &set);
            return Guided::Unsat(set);
        }
        found
    }

    /// Keeps a core of laws, by position, at their states.
    fn keep(&mut self, context: u32, states: &[StateRef], set: &[usize]) {
        core::keep(&mut self.cores, Core::new(context, set.iter().map(|&law| (law, states[law]))));
    }

    /// Laws that contradict each other in every world state, as far as the landmarks show; kept as a core.
    fn contradict(&mut self, scene: &mut Scene<'_>, states: &[StateRef]) -> Option<Vec<usize>> {
        if !self.marked || !scene.joint.budget.try_spend(LANDMARK_COST) {
            return None;
        }
        let among: Vec<(usize, StateRef)> = states.iter().copied().enumerate().collect();
        let set = self.landmarks.contradiction(scene.joint, &scene.space.laws, &among)?;
        self.keep(ANYWHERE, states, &set);
        Some(set)
    }

    /// Settles one law after the other. A law that comes too late goes first in the next attempt.
    fn settle_in_turn(&mut self, scene: &mut Scene<'_>, start: WorldStateId, first: &[StateRef]) -> Guided {
        let mut urgent: Vec<usize> = Vec::new();
        let mut stuck = Vec::new();
        for attempts in 0..MOST_ATTEMPTS {
            if attempts == 1
                && let Some(set) = self.contradict(scene, first)
            {
                return Guided::Unsat(set);
            }
            match self.attempt(scene, start, first, &urgent, attempts > 0) {
                Attempt::Done(found) => return found,
                Attempt::Stuck(set) => {
                    urgent.retain(|law| *law != set[0]);
                    urgent.insert(0, set[0]);
                    stuck = set;
                }
            }
        }
        self.settle_jointly(scene, start, first, stuck)
    }

    /// Tries one order of settling the laws.
    fn attempt(
        &mut self,
        scene: &mut Scene<'_>,
        start: WorldStateId,
        first: &[StateRef],
        urgent: &[usize],
        wary: bool,
    ) -> Attempt {
        let (mut world, mut states) = (start, first.to_vec());
        let mut letters = Vec::new();
        let mut set = Vec::new();
        let mut been: Vec<(WorldStateId, Vec<StateRef>)> = Vec::new();
        for legs in 0..MOST_LEGS {
            let next = urgent.iter().copied().find(|&law| !states[law].accepts());
            let Some(target) = next.or_else(|| states.iter().position(|state| !state.accepts())) else {
                return Attempt::Done(Guided::Found(letters));
            };
            set = vec![target];
            if been.iter().any(|(other, before)| *other == world && *before == states) {
                // In a circle.
                return Attempt::Stuck(set);
            }
            been.push((world, states.clone()));
            let mut checked = false;
            loop {
                if set.len() > 2 && !checked {
                    checked = true;
                    match self.contradict(scene, &states) {
                        Some(core) if legs == 0 => return Attempt::Done(Guided::Unsat(core)),
                        Some(_) => return Attempt::Stuck(set),
                        None => {}
                    }
                }
                let path = match self.find_path(scene, world, &states, &set, Goal::One(0)) {
                    PathSearch::Path(path) => path,
                    PathSearch::Exhausted if legs == 0 => return Attempt::Done(Guided::Unsat(set)),
                    PathSearch::Exhausted => {
                        self.keep(world, &states, &set);
                        return Attempt::Stuck(set);
                    }
                    PathSearch::BeyondModel => return Attempt::Done(Guided::BeyondModel),
                    PathSearch::Unknown => return Attempt::Done(Guided::Unknown),
                };
                match self.run(scene, world, &states, &path) {
                    Ran::To(_, _, more) if path.stops => {
                        letters.extend(more);
                        return Attempt::Done(Guided::Found(letters));
                    }
                    Ran::To(end, after, more) => {
                        // Known to lead nowhere: the search has to see the laws that say so.
                        let fresh = wary && self.contradict(scene, &after).is_some();
                        let core = self.cores.iter().rev().find(|core| core.covers(end, |law| after[law]));
                        if let Some(core) = core {
                            let before = set.len();
                            set.extend(core.parts.iter().map(|&(law, _)| law as usize));
                            set.sort_unstable();
                            set.dedup();
                            if set.len() == before && !fresh {
                                return Attempt::Stuck(set);
                            }
                            // The target stays first.
                            let at = set.iter().position(|&law| law == target).unwrap_or(0);
                            set.swap(0, at);
                            continue;
                        }
                        (world, states) = (end, after);
                        letters.extend(more);
                        break;
                    }
                    Ran::Broke(law) if set.contains(&law) => return Attempt::Stuck(set),
                    Ran::Broke(law) => set.push(law),
                }
            }
        }
        Attempt::Stuck(set)
    }

    /// Settles some laws jointly, and more as they turn out to be in the way.
    fn settle_jointly(
        &mut self,
        scene: &mut Scene<'_>,
        start: WorldStateId,
        states: &[StateRef],
        mut set: Vec<usize>,
    ) -> Guided {
        loop {
            let path = match self.find_path(scene, start, states, &set, Goal::All) {
                PathSearch::Path(path) => path,
                PathSearch::Exhausted => return Guided::Unsat(set),
                PathSearch::BeyondModel => return Guided::BeyondModel,
                PathSearch::Unknown => return Guided::Unknown,
            };
            let offender = match self.run(scene, start, states, &path) {
                Ran::To(_, after, letters) => match after.iter().position(|state| !state.accepts()) {
                    Some(owing) => owing,
                    None => return Guided::Found(letters),
                },
                Ran::Broke(law) => law,
            };
            if set.contains(&offender) {
                return Guided::Unknown;
            }
            set.push(offender);
        }
    }

    /// Leaves laws out of a core as long as the rest has no continuation.
    fn shrink(
        &mut self,
        scene: &mut Scene<'_>,
        world: WorldStateId,
        states: &[StateRef],
        set: Vec<usize>,
    ) -> Vec<usize> {
        if self.marked {
            scene.joint.budget.spend(LANDMARK_COST);
            let among: Vec<(usize, StateRef)> = set.iter().map(|&law| (law, states[law])).collect();
            if let Some(core) = self.landmarks.contradiction(scene.joint, &scene.space.laws, &among) {
                return core;
            }
        }
        let before = scene.joint.budget.limit((scene.joint.budget.left() / 4).min(MOST_SHRINKING));
        let mut out = false;
        let set = minimal_subset(set, |rest| {
            if out || rest.is_empty() {
                return None;
            }
            match self.find_path(scene, world, states, rest, Goal::All) {
                PathSearch::Exhausted => return Some(rest.to_vec()),
                PathSearch::Unknown => out = true,
                _ => {}
            }
            None
        });
        scene.joint.budget.restore(before);
        set
    }

    /// Runs a path through all laws.
    fn run(&mut self, scene: &mut Scene<'_>, start: WorldStateId, states: &[StateRef], path: &Path) -> Ran {
        let (mut world, mut states) = (start, states.to_vec());
        scene.joint.budget.spend(1 + (path.actions.len() * states.len() / LAWS_READ) as u64);
        let mut letters = Vec::with_capacity(path.actions.len());
        for &action in &path.actions {
            for (position, state) in states.iter_mut().enumerate() {
                *state = scene.step(world, position, *state, action);
                if state.is_dead() {
                    return Ran::Broke(position);
                }
            }
            // The search went this way, so the world state is known.
            world = scene.next(world, action).unwrap_or(world);
            letters.push(Letter::after(scene.joint.vocabulary(), action, scene.world(world).observations));
        }
        match states.iter().position(|state| path.stops && !state.accepts()) {
            Some(owing) => Ran::Broke(owing),
            None => Ran::To(world, states, letters),
        }
    }

    /// Searches breadth first through world states and the states of some laws, none of which may be dead.
    fn find_path(
        &mut self,
        scene: &mut Scene<'_>,
        start: WorldStateId,
        states: &[StateRef],
        set: &[usize],
        goal: Goal,
    ) -> PathSearch {
        let first: Vec<StateRef> = set.iter().map(|&law| states[law]).collect();
        if goal.is_reached(&first) {
            return PathSearch::Path(Path { actions: Vec::new(), stops: false });
        }
        let mut frontier = std::mem::take(&mut self.frontier);
        let found = self.find_path_with(&mut frontier, scene, start, first, set, goal);
        self.frontier = frontier;
        found
    }

    fn find_path_with(
        &mut self,
        frontier: &mut Frontier,
        scene: &mut Scene<'_>,
        start: WorldStateId,
        first: Vec<StateRef>,
        set: &[usize],
        goal: Goal,
    ) -> PathSearch {
        let (width, mut next) = (set.len(), first);
        let stop = scene.joint.vocabulary().stop();
        let mut pruned = self.cores_within(set);
        let prunes = |pruned: &[Core], world: WorldStateId, states: &[StateRef]| {
            pruned.iter().any(|core| core.covers(world, |at| states[at]))
        };
        frontier.begin();
        // World states that the set's laws cannot tell apart count once, unless masks could.
        let mut quotient = match width >= MANY_FOR_QUOTIENT && self.marked && scene.space.group.masks.is_empty() {
            true => self.landmarks.quotient(scene.joint, &scene.space.laws, set),
            false => None,
        };
        frontier.add(start, self.key(&mut quotient, scene, start), &next, 0, 0);
        if prunes(&pruned, start, &next) {
            return PathSearch::Exhausted;
        }
        // An expansion looks at the laws of the set and at what is pruned.
        let cost = 1 + (width / 4 + pruned.len() / CORES_LOOKED_AT) as u64;
        scene.joint.budget.spend(SEARCH_COST);
        let mut buckets: [VecDeque<u32>; BUCKETS] = Default::default();
        buckets[goal.distance(&next)].push_back(0);
        let mut beyond = false;
        while let Some(at) = buckets.iter_mut().find_map(VecDeque::pop_front) {
            let at = at as usize;
            let world = frontier.worlds[at];
            if width >= MANY && self.marked {
                let here = &frontier.states[at * width..(at + 1) * width];
                if let Some(core) = self.contradict_among(scene, set, here) {
                    pruned.push(core);
                    continue;
                }
            }
            let here = scene.world(world);
            beyond |= here.known.count_ones() as usize != scene.joint.vocabulary().actions().len();
            let mut actions = here.representatives;
            // Ending the run here.
            if let Some(stop) = stop.filter(|stop| here.masked.contains(*stop)) {
                let mut settled = true;
                for (position, &law) in set.iter().enumerate() {
                    let end = scene.step(world, law, frontier.states[at * width + position], stop);
                    settled &= end.accepts();
                    beyond |= end == StateRef::LOST;
                }
                if settled {
                    let mut actions = frontier.path(at);
                    actions.push(stop);
                    return PathSearch::Path(Path { actions, stops: true });
                }
            }
            let mut met = 0u64;
            while actions != 0 {
                let action = ActionId(actions.trailing_zeros() as u16);
                actions &= actions - 1;
                let Some(allowed) = scene.allowed_of_class(world, action) else { continue };
                if !scene.joint.budget.try_spend(cost) {
                    return PathSearch::Unknown;
                }
                if quotient.is_some()
                    && let Some(to) = scene.next(world, action)
                {
                    let bit = 1u64 << (self.key(&mut quotient, scene, to) % 64);
                    if met & bit != 0 {
                        continue;
                    }
                    met |= bit;
                }
                let mut dead = false;
                for (position, &law) in set.iter().enumerate() {
                    next[position] = scene.step(world, law, frontier.states[at * width + position], action);
                    if next[position].is_dead() || next[position] == StateRef::LOST {
                        dead = true;
                        beyond |= next[position] == StateRef::LOST;
                        break;
                    }
                }
                if dead {
                    continue;
                }
                let Some(to) = scene.next(world, action) else {
                    beyond = true;
                    continue;
                };
                if prunes(&pruned, to, &next) {
                    continue;
                }
                let key = self.key(&mut quotient, scene, to);
                if frontier.add(to, key, &next, at as u32, allowed.0) {
                    let new = frontier.worlds.len() - 1;
                    if goal.is_reached(&next) {
                        return PathSearch::Path(Path { actions: frontier.path(new), stops: false });
                    }
                    buckets[goal.distance(&next)].push_back(new as u32);
                }
            }
        }
        match beyond {
            // Some transition may not have been made.
            _ if scene.joint.budget.is_out() => PathSearch::Unknown,
            true => PathSearch::BeyondModel,
            false => PathSearch::Exhausted,
        }
    }

    /// Whether the landmarks show that the laws of a set contradict each other in these states; then the core, its parts as
    /// positions in the set. It is kept for other searches.
    fn contradict_among(&mut self, scene: &mut Scene<'_>, set: &[usize], states: &[StateRef]) -> Option<Core> {
        let among: Vec<(usize, StateRef)> = set.iter().copied().zip(states.iter().copied()).collect();
        let core = self.landmarks.contradiction(scene.joint, &scene.space.laws, &among);
        scene.joint.budget.spend(LANDMARK_COST);
        let parts = core?;
        let parts = parts.iter().filter_map(|law| among.iter().position(|(other, _)| other == law));
        let parts: Vec<usize> = parts.collect();
        core::keep(&mut self.cores, Core::new(ANYWHERE, parts.iter().map(|&at| among[at])));
        Some(Core::new(ANYWHERE, parts.into_iter().map(|at| (at, among[at].1))))
    }

    /// What tells a world state from others in a search: its block, if blocks are known, and they are known of all world
    /// states then.
    fn key(&self, quotient: &mut Option<Quotient>, scene: &Scene<'_>, world: WorldStateId) -> WorldStateId {
        let position = || self.landmarks.position(&scene.world(world).observations);
        quotient.as_mut().and_then(|quotient| quotient.block(world, position)).map_or(world, WorldStateId::from)
    }

    /// The known cores over some laws only, their parts as positions in the set.
    fn cores_within(&self, set: &[usize]) -> Vec<Core> {
        let position = |&(law, state): &(u32, StateRef)| {
            set.iter().position(|&other| other == law as usize).map(|position| (position as u32, state))
        };
        let within = |core: &Core| {
            let parts = core.parts.iter().map(position).collect::<Option<Box<[_]>>>()?;
            Some(Core { context: core.context, parts })
        };
        self.cores.iter().rev().take(MOST_PRUNING).filter_map(within).collect()
    }
}

impl Goal {
    fn is_reached(self, states: &[StateRef]) -> bool {
        match self {
            Self::One(position) => states[position].accepts(),
            Self::All => states.iter().all(|state| state.accepts()),
        }
    }

    /// The bucket of a state: jointly, states that owe less come first; for one law it is simply breadth first.
    fn distance(self, states: &[StateRef]) -> usize {
        match self {
            Self::One(_) => 0,
            Self::All => states.iter().filter(|state| !state.accepts()).count().min(BUCKETS - 1),
        }
    }
}
