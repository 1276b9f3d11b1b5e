//! Search for a continuation that follows a transition model, guided by one law at a time.
//!
//! From the state after the action, a path is sought that settles one law that is owed something, looking at that law
//! alone; then the next from where that path ended, until nothing is owed. A path is run through all laws; one that it
//! dooms is looked at as well from then on. If already the first law has no path, the action is doomed, and the laws
//! looked at are why. If a later one has none, going one after the other was too hasty: then all laws met so far are
//! settled together.

use std::collections::VecDeque;

use super::landmarks::Quotient;
use super::{CORES_LOOKED_AT, DecisionCache};
use crate::dfa_table::StateRef;
use crate::joint::{Joint, LAWS_READ};
use crate::letter::Letter;
use crate::vocabulary::ActionId;
use crate::world_state::WorldStateId;

/// How many doomed combinations are kept.
const MOST_CORES: usize = 1024;
/// How many laws are settled one after the other before all are settled together.
const MOST_LEGS: usize = 32;

/// How many orders of settling the laws are tried before all are settled together.
const MOST_ATTEMPTS: usize = 6;

/// How many of the latest cores a search looks at.
const MOST_PRUNING: usize = 256;
/// What shrinking a doomed set may cost.
const MOST_SHRINKING: u64 = 500;
/// With so many laws a search asks the landmarks before it goes on from a state.
const MANY: usize = 4;
/// What asking the landmarks costs, in units of a search's expansions.
const LANDMARK_COST: u64 = 30;
/// What beginning a search costs, in units of its expansions.
const LEG_COST: u64 = 10;
/// With so many laws a search finds out which places they cannot tell apart.
const MANY_ALIKE: usize = 3;
/// Kinds of states by how many laws are owed something.
const BUCKETS: usize = 16;

/// What a search found.
pub(super) enum Guided {
    /// The letters after the action's.
    Found(Vec<Letter>),
    /// No continuation satisfies the laws at these positions together.
    Unsat(Vec<usize>),
    /// The model does not know enough.
    BeyondModel,
    /// The work ran out.
    Unknown,
}

/// The place of a core that holds at all places the landmarks know.
const ANYWHERE: u32 = u32::MAX;

/// States of some laws that no continuation satisfies together: at a place with a model, after one class of actions
/// without.
pub(super) struct Core {
    place: u32,
    parts: Box<[(u32, StateRef)]>,
}

impl Core {
    pub fn new(place: u32, parts: impl Iterator<Item = (usize, StateRef)>) -> Self {
        Self { place, parts: parts.map(|(law, row)| (law as u32, row)).collect() }
    }

    /// Whether the laws are in these states.
    pub fn covers(&self, place: u32, row: impl Fn(usize) -> StateRef) -> bool {
        (self.place == place || self.place == ANYWHERE)
            && self.parts.iter().all(|&(law, doomed)| row(law as usize) == doomed)
    }
}

/// Keeps a core; the older half makes room when there are too many.
pub(super) fn keep_core(cores: &mut Vec<Core>, core: Core) {
    if cores.len() >= MOST_CORES {
        cores.drain(..MOST_CORES / 2);
    }
    cores.push(core);
}

/// Drops the cores that hold at all places the landmarks knew.
pub(super) fn forget_anywhere(cores: &mut Vec<Core>) {
    cores.retain(|core| core.place != ANYWHERE);
}

/// One path.
struct Path {
    actions: Vec<ActionId>,
    /// It ends the run.
    stops: bool,
}

enum PathSearch {
    Path(Path),
    Exhausted,
    BeyondModel,
    Unknown,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Goal {
    /// The law at this position of the set accepts.
    One(usize),
    All,
}

/// Memory that searches share.
#[derive(Default)]
pub(super) struct Frontier {
    places: Vec<WorldStateId>,
    /// The same for places that the search need not tell apart.
    keys: Vec<WorldStateId>,
    rows: Vec<StateRef>,
    from: Vec<u32>,
    action: Vec<u16>,
    /// Open addressing: position + 1, or 0. The first `mask + 1` are in use.
    slots: Vec<u32>,
    mask: usize,
}

impl Frontier {
    fn begin(&mut self) {
        self.places.clear();
        self.keys.clear();
        self.rows.clear();
        self.from.clear();
        self.action.clear();
        self.mask = 255;
        self.slots.resize(self.slots.len().max(256), 0);
        self.slots[..256].fill(0);
    }

    fn hash(place: WorldStateId, rows: &[StateRef]) -> usize {
        (rows.iter().fold(u64::from(place), |hash, row| super::mix(hash, u64::from(row.0))) >> 20) as usize
    }

    /// Adds a place and rows unless the same, or one with the same key, are there; whether they are new.
    fn add(&mut self, place: WorldStateId, key: WorldStateId, rows: &[StateRef], from: u32, action: u16) -> bool {
        let width = rows.len();
        let mut slot = Self::hash(key, rows) & self.mask;
        while let Some(at) = self.slots[slot].checked_sub(1) {
            let at = at as usize;
            if self.keys[at] == key && self.rows[at * width..(at + 1) * width] == *rows {
                return false;
            }
            slot = (slot + 1) & self.mask;
        }
        self.places.push(place);
        self.keys.push(key);
        self.rows.extend_from_slice(rows);
        self.from.push(from);
        self.action.push(action);
        self.slots[slot] = self.places.len() as u32;
        if self.places.len() * 2 > self.mask {
            self.grow(width);
        }
        true
    }

    fn grow(&mut self, width: usize) {
        self.mask = self.mask * 2 + 1;
        self.slots.resize(self.slots.len().max(self.mask + 1), 0);
        self.slots[..=self.mask].fill(0);
        for at in 0..self.places.len() {
            let mut slot = Self::hash(self.keys[at], &self.rows[at * width..(at + 1) * width]) & self.mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & self.mask;
            }
            self.slots[slot] = at as u32 + 1;
        }
    }

    fn path(&self, mut at: usize) -> Vec<ActionId> {
        let mut actions = Vec::new();
        while at != 0 {
            actions.push(ActionId(self.action[at]));
            at = self.from[at] as usize;
        }
        actions.reverse();
        actions
    }
}

impl DecisionCache {
    /// Whether some continuation that follows the model, after an action taken at a place, satisfies all laws.
    pub(super) fn guided(&mut self, joint: &mut Joint, place: WorldStateId, action: ActionId) -> Guided {
        let Some(next) = self.next_place(joint, place, action) else { return Guided::BeyondModel };
        joint.arena.budget.spend((self.laws.len() / LAWS_READ + self.cores.len() / CORES_LOOKED_AT) as u64);
        let mut rows = Vec::with_capacity(self.laws.len());
        for position in 0..self.laws.len() {
            let code = self.places.get(place).code(position, action);
            let row = joint.step(self.laws[position], joint.rows()[self.laws[position]], code);
            if row.is_dead() {
                return Guided::Unsat(vec![position]);
            }
            if row == StateRef::LOST {
                return Guided::Unknown;
            }
            rows.push(row);
        }
        self.marked = self.enter(joint, self.places.get(next).observations);
        if let Some(at) = self.cores.iter().rposition(|core| core.covers(next, |law| rows[law])) {
            return Guided::Unsat(self.cores[at].parts.iter().map(|&(law, _)| law as usize).collect());
        }
        let route = self.settle_in_turn(joint, next, &rows);
        if let Guided::Unsat(set) = route {
            let set = self.shrink(joint, next, &rows, set);
            keep_core(&mut self.cores, Core::new(next, set.iter().map(|&law| (law, rows[law]))));
            return Guided::Unsat(set);
        }
        route
    }

    /// Laws that doom each other wherever the run is, as far as the landmarks show; kept as a core.
    fn contradict(&mut self, joint: &mut Joint, rows: &[StateRef]) -> Option<Vec<usize>> {
        if !self.marked || !joint.arena.budget.try_spend(LANDMARK_COST) {
            return None;
        }
        let among: Vec<(usize, StateRef)> = rows.iter().copied().enumerate().collect();
        let set = self.landmarks.doomed(joint, &self.laws, &among);
        if set.is_empty() {
            return None;
        }
        keep_core(&mut self.cores, Core::new(ANYWHERE, set.iter().map(|&law| (law, rows[law]))));
        Some(set)
    }

    /// Settles one law after the other. A law that comes too late goes first in the next attempt.
    fn settle_in_turn(&mut self, joint: &mut Joint, start: WorldStateId, first: &[StateRef]) -> Guided {
        let mut urgent: Vec<usize> = Vec::new();
        let mut stuck = Vec::new();
        for attempts in 0..MOST_ATTEMPTS {
            if attempts == 1
                && let Some(set) = self.contradict(joint, first)
            {
                return Guided::Unsat(set);
            }
            match self.attempt(joint, start, first, &urgent, attempts > 0) {
                Ok(route) => return route,
                Err(set) => {
                    urgent.retain(|law| *law != set[0]);
                    urgent.insert(0, set[0]);
                    stuck = set;
                }
            }
        }
        self.settle_jointly(joint, start, first, stuck)
    }

    /// One order of settling; the laws that got stuck otherwise.
    fn attempt(
        &mut self,
        joint: &mut Joint,
        start: WorldStateId,
        first: &[StateRef],
        urgent: &[usize],
        wary: bool,
    ) -> Result<Guided, Vec<usize>> {
        let (mut place, mut rows) = (start, first.to_vec());
        let mut letters = Vec::new();
        let mut set = Vec::new();
        let mut been: Vec<(WorldStateId, Vec<StateRef>)> = Vec::new();
        for legs in 0..MOST_LEGS {
            let next = urgent.iter().copied().find(|&law| !rows[law].accepts());
            let Some(target) = next.or_else(|| rows.iter().position(|row| !row.accepts())) else {
                return Ok(Guided::Found(letters));
            };
            set = vec![target];
            if been.iter().any(|(other, before)| *other == place && *before == rows) {
                // In a circle.
                return Err(set);
            }
            been.push((place, rows.clone()));
            let mut checked = false;
            loop {
                if set.len() > 2 && !checked {
                    checked = true;
                    match self.contradict(joint, &rows) {
                        Some(core) if legs == 0 => return Ok(Guided::Unsat(core)),
                        Some(_) => return Err(set),
                        None => {}
                    }
                }
                match self.find_path(joint, place, &rows, &set, Goal::One(0)) {
                    PathSearch::Path(path) => match self.run(joint, place, &rows, &path) {
                        Ok((_, _, more)) if path.stops => {
                            letters.extend(more);
                            return Ok(Guided::Found(letters));
                        }
                        Ok((end, after, more)) => {
                            // Known to lead nowhere: the search has to see the laws that say so.
                            let fresh = wary && self.contradict(joint, &after).is_some();
                            let core = self.cores.iter().rev().find(|core| core.covers(end, |law| after[law]));
                            if let Some(core) = core {
                                let before = set.len();
                                set.extend(core.parts.iter().map(|&(law, _)| law as usize));
                                set.sort_unstable();
                                set.dedup();
                                if set.len() == before && !fresh {
                                    return Err(set);
                                }
                                // The target stays first.
                                let at = set.iter().position(|&law| law == target).unwrap_or(0);
                                set.swap(0, at);
                                continue;
                            }
                            (place, rows) = (end, after);
                            letters.extend(more);
                            break;
                        }
                        Err(offender) if set.contains(&offender) => return Err(set),
                        Err(offender) => set.push(offender),
                    },
                    PathSearch::Exhausted if legs == 0 => return Ok(Guided::Unsat(set)),
                    PathSearch::Exhausted => {
                        keep_core(&mut self.cores, Core::new(place, set.iter().map(|&law| (law, rows[law]))));
                        return Err(set);
                    }
                    PathSearch::BeyondModel => return Ok(Guided::BeyondModel),
                    PathSearch::Unknown => return Ok(Guided::Unknown),
                }
            }
        }
        Err(set)
    }

    /// Settles some laws together, and more as they turn out to be in the way.
    fn settle_jointly(
        &mut self,
        joint: &mut Joint,
        start: WorldStateId,
        rows: &[StateRef],
        mut set: Vec<usize>,
    ) -> Guided {
        loop {
            match self.find_path(joint, start, rows, &set, Goal::All) {
                PathSearch::Path(path) => match self.run(joint, start, rows, &path) {
                    Ok((_, after, letters)) => match after.iter().position(|row| !row.accepts()) {
                        Some(offender) if set.contains(&offender) => return Guided::Unknown,
                        Some(offender) => set.push(offender),
                        None => return Guided::Found(letters),
                    },
                    Err(offender) if set.contains(&offender) => return Guided::Unknown,
                    Err(offender) => set.push(offender),
                },
                PathSearch::Exhausted => return Guided::Unsat(set),
                PathSearch::BeyondModel => return Guided::BeyondModel,
                PathSearch::Unknown => return Guided::Unknown,
            }
        }
    }

    /// Leaves laws out of a doomed set as long as the rest is doomed.
    fn shrink(&mut self, joint: &mut Joint, place: WorldStateId, rows: &[StateRef], mut set: Vec<usize>) -> Vec<usize> {
        if self.marked {
            joint.arena.budget.spend(LANDMARK_COST);
            let among: Vec<(usize, StateRef)> = set.iter().map(|&law| (law, rows[law])).collect();
            let core = self.landmarks.doomed(joint, &self.laws, &among);
            if !core.is_empty() {
                return core;
            }
        }
        let before = joint.arena.budget.limit((joint.arena.budget.left() / 4).min(MOST_SHRINKING));
        let mut at = 0;
        while at < set.len() && set.len() > 1 {
            let mut rest = set.clone();
            rest.remove(at);
            match self.find_path(joint, place, rows, &rest, Goal::All) {
                PathSearch::Exhausted => set = rest,
                PathSearch::Unknown => break,
                _ => at += 1,
            }
        }
        joint.arena.budget.restore(before);
        set
    }

    /// Runs a path through all laws: where it ends, or the law it dooms (or, if the path ends the run, leaves owing).
    #[allow(clippy::type_complexity)]
    fn run(
        &mut self,
        joint: &mut Joint,
        mut place: WorldStateId,
        rows: &[StateRef],
        path: &Path,
    ) -> Result<(WorldStateId, Vec<StateRef>, Vec<Letter>), usize> {
        let mut rows = rows.to_vec();
        joint.arena.budget.spend(1 + (path.actions.len() * rows.len() / LAWS_READ) as u64);
        let mut letters = Vec::with_capacity(path.actions.len());
        for &action in &path.actions {
            for (position, row) in rows.iter_mut().enumerate() {
                let code = self.places.get(place).code(position, action);
                *row = joint.step(self.laws[position], *row, code);
                if row.is_dead() {
                    return Err(position);
                }
            }
            // The search went this way, so the place is known.
            place = self.next_place(joint, place, action).unwrap_or(place);
            letters.push(Letter::after(&joint.vocabulary, action, self.places.get(place).observations));
        }
        match rows.iter().position(|row| path.stops && !row.accepts()) {
            Some(owing) => Err(owing),
            None => Ok((place, rows, letters)),
        }
    }

    /// Breadth first over places and the states of some laws, none of which may be doomed.
    fn find_path(
        &mut self,
        joint: &mut Joint,
        start: WorldStateId,
        rows: &[StateRef],
        set: &[usize],
        goal: Goal,
    ) -> PathSearch {
        let mut frontier = std::mem::take(&mut self.frontier);
        let leg = self.find_path_with(&mut frontier, joint, start, rows, set, goal);
        self.frontier = frontier;
        leg
    }

    #[allow(clippy::too_many_arguments)]
    fn find_path_with(
        &mut self,
        frontier: &mut Frontier,
        joint: &mut Joint,
        start: WorldStateId,
        rows: &[StateRef],
        set: &[usize],
        goal: Goal,
    ) -> PathSearch {
        let reached = |rows: &[StateRef]| match goal {
            Goal::One(position) => rows[position].accepts(),
            Goal::All => rows.iter().all(|row| row.accepts()),
        };
        let stop = joint.vocabulary.stop();
        let width = set.len();
        let mut next: Vec<StateRef> = set.iter().map(|&law| rows[law]).collect();
        if reached(&next) {
            return PathSearch::Path(Path { actions: Vec::new(), stops: false });
        }
        let mut pruned = self.cores_within(set);
        let prunes = |pruned: &[Core], place: WorldStateId, rows: &[StateRef]| {
            pruned.iter().any(|core| {
                (core.place == place || core.place == ANYWHERE)
                    && core.parts.iter().all(|&(at, row)| rows[at as usize] == row)
            })
        };
        frontier.begin();
        // WorldStates that the set's laws cannot tell apart count once, unless masks could.
        let mut alike = if width >= MANY_ALIKE && self.marked && self.group.masks.is_empty() {
            self.landmarks.alike(joint, &self.laws, set)
        } else {
            None
        };
        let start_key = self.key(&mut alike, start);
        frontier.add(start, start_key, &next, 0, 0);
        if prunes(&pruned, start, &next) {
            return PathSearch::Exhausted;
        }
        // Together, states that owe less come first; for one law it is simply breadth first.
        let owing = |rows: &[StateRef]| match goal {
            Goal::One(_) => 0,
            Goal::All => rows.iter().filter(|row| !row.accepts()).count().min(BUCKETS - 1),
        };
        // An expansion looks at the laws of the set and at what is pruned.
        let cost = 1 + (width / 4 + pruned.len() / CORES_LOOKED_AT) as u64;
        joint.arena.budget.spend(LEG_COST);
        let mut buckets: [VecDeque<u32>; BUCKETS] = Default::default();
        buckets[owing(&next)].push_back(0);
        let mut left = false;
        while let Some(at) = buckets.iter_mut().find_map(VecDeque::pop_front) {
            let at = at as usize;
            let place = frontier.places[at];
            if width >= MANY && self.marked {
                let here = &frontier.rows[at * width..(at + 1) * width];
                let among: Vec<(usize, StateRef)> = set.iter().copied().zip(here.iter().copied()).collect();
                let core = self.landmarks.doomed(joint, &self.laws, &among);
                joint.arena.budget.spend(LANDMARK_COST);
                if !core.is_empty() {
                    let parts = |&law: &usize| among.iter().position(|(other, _)| *other == law);
                    let parts: Vec<usize> = core.iter().filter_map(parts).collect();
                    pruned.push(Core::new(ANYWHERE, parts.iter().map(|&at| (at, among[at].1))));
                    keep_core(&mut self.cores, Core::new(ANYWHERE, parts.iter().map(|&at| among[at])));
                    continue;
                }
            }
            let here = self.places.get(place);
            left |= here.known.count_ones() as usize != joint.vocabulary.actions().len();
            let masked = here.masked;
            let mut actions = here.representatives;
            // Ending the run here.
            if let Some(stop) = stop.filter(|stop| masked.contains(*stop)) {
                let mut settled = true;
                for (position, &law) in set.iter().enumerate() {
                    let code = self.places.get(place).code(law, stop);
                    settled &= joint.step(self.laws[law], frontier.rows[at * width + position], code).accepts();
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
                if !masked.contains(action) && !self.any_of_class_masked(place, action) {
                    continue;
                }
                if !joint.arena.budget.try_spend(cost) {
                    return PathSearch::Unknown;
                }
                if alike.is_some()
                    && let Some(to) = self.next_place(joint, place, action)
                {
                    let bit = 1u64 << (self.key(&mut alike, to) % 64);
                    if met & bit != 0 {
                        continue;
                    }
                    met |= bit;
                }
                let mut doomed = false;
                for (position, &law) in set.iter().enumerate() {
                    let code = self.places.get(place).code(law, action);
                    next[position] = joint.step(self.laws[law], frontier.rows[at * width + position], code);
                    if next[position].is_dead() || next[position] == StateRef::LOST {
                        doomed = true;
                        left |= next[position] == StateRef::LOST;
                        break;
                    }
                }
                if doomed {
                    continue;
                }
                let Some(to) = self.next_place(joint, place, action) else {
                    left = true;
                    continue;
                };
                if prunes(&pruned, to, &next) {
                    continue;
                }
                let action = self.allowed_of_class(place, action);
                let key = self.key(&mut alike, to);
                if frontier.add(to, key, &next, at as u32, action.0) {
                    let new = frontier.places.len() - 1;
                    if reached(&next) {
                        return PathSearch::Path(Path { actions: frontier.path(new), stops: false });
                    }
                    buckets[owing(&next)].push_back(new as u32);
                }
            }
        }
        if left { PathSearch::BeyondModel } else { PathSearch::Exhausted }
    }

    /// What tells a place from others in a search: its kind, if kinds are known, and they are known of all places then.
    fn key(&self, alike: &mut Option<Quotient>, place: WorldStateId) -> WorldStateId {
        let position = || self.landmarks.position(&self.places.get(place).observations);
        alike.as_mut().and_then(|alike| alike.kind(place, position)).map_or(place, WorldStateId::from)
    }

    /// The known cores over some laws only, their parts as positions in the set.
    fn cores_within(&self, set: &[usize]) -> Vec<Core> {
        let position = |&(law, row): &(u32, StateRef)| {
            set.iter().position(|&other| other == law as usize).map(|position| (position as u32, row))
        };
        let within = |core: &Core| {
            let parts = core.parts.iter().map(position).collect::<Option<Box<[_]>>>()?;
            Some(Core { place: core.place, parts })
        };
        self.cores.iter().rev().take(MOST_PRUNING).filter_map(within).collect()
    }

    /// Whether the masks allow some action of a representative's class.
    fn any_of_class_masked(&self, place: WorldStateId, action: ActionId) -> bool {
        let place = self.places.get(place);
        place.class(action) & place.masked.0[0] != 0
    }

    /// An action of the class that the masks allow.
    fn allowed_of_class(&self, place: WorldStateId, action: ActionId) -> ActionId {
        let place = self.places.get(place);
        if place.masked.contains(action) {
            return action;
        }
        let class = place.class(action) & place.masked.0[0];
        if class == 0 { action } else { ActionId(class.trailing_zeros() as u16) }
    }
}
