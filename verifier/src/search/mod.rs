//! Decisions in joint states not met before, for all actions at once.
//!
//! Cheapest first: every action after which all laws accept is allowed, since the run may stop there; then recent plans
//! are tried behind every action; only what is left is searched for, one action of each class, and the plan found serves
//! the others too.

pub(crate) mod common_plan;
mod core;
mod plan_repair;
mod solver_search;
mod space;

use std::sync::Arc;

use solver_search::SolverSearch;
use space::{Plan, SearchSpace};

use crate::actions::ActionSet;
use crate::compiled::Group;
use crate::dfa_table::StateRef;
use crate::joint::{Continuation, Joint, LAWS_READ};
use crate::letter::{Letter, PropSet};
use crate::run::Now;
use crate::vocabulary::ActionId;
use crate::world_state::{Entry, MAX_ACTIONS, WorldStateId, WorldStates};

/// How many plans are kept.
const PLANS: usize = 8;

/// Counts, for benches and reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct SearchStats {
    /// Joint states decided.
    pub decided: u64,
    /// Actions that had to be searched for.
    pub searches: u64,
    /// Actions that could not be decided.
    pub undecided: u64,
}

/// Decides for a group of laws, and keeps what helps later decisions.
pub(crate) struct Search {
    pub group: Arc<Group>,
    space: SearchSpace,
    plans: Vec<Plan>,
    solver: SolverSearch,
    most_world_bytes: usize,
    pub stats: SearchStats,
}

/// Actions judged.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judged {
    /// Those that leave the laws a common continuation.
    pub allowed: ActionSet,
    /// Those that could not be decided.
    pub undecided: ActionSet,
    /// The laws, by number, that the searches were about which could not decide, once for each search.
    pub hard_to_decide: Vec<usize>,
}

/// The observations that tell joint states of these laws apart, and all propositions that do.
pub(crate) fn relevant(joint: &Joint, laws: impl Iterator<Item = usize>) -> (PropSet, PropSet) {
    let vocabulary = joint.vocabulary();
    let read: PropSet = laws.flat_map(|law| joint.table.props(law).iter().copied()).collect();
    let observations = PropSet::first(vocabulary.observations().len());
    (read.intersection(&observations), read)
}

impl Search {
    /// A search for a group of laws, whose memory of world states is bounded.
    pub fn new(joint: &Joint, group: Arc<Group>, most_world_bytes: usize) -> Self {
        let laws: Vec<usize> = (0..joint.laws.watched.len())
            .filter(|&position| group.watched.binary_search(&joint.laws.watched[position]).is_ok())
            .collect();
        let (relevant, _) = relevant(joint, laws.iter().copied());
        Self {
            space: SearchSpace { laws, group: group.clone(), relevant, worlds: WorldStates::default() },
            group,
            plans: Vec::new(),
            solver: SolverSearch::default(),
            most_world_bytes,
            stats: SearchStats::default(),
        }
    }

    /// The positions of the group's laws in the table.
    pub fn laws(&self) -> &[usize] {
        &self.space.laws
    }

    /// The observations that tell joint states apart.
    pub fn relevant(&self) -> &PropSet {
        &self.space.relevant
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.space.worlds.bytes()
    }

    /// Forgets everything that names states of laws.
    pub fn clear(&mut self) {
        self.clear_worlds();
        self.plans.clear();
    }

    fn clear_worlds(&mut self) {
        self.space.worlds.clear();
        self.solver.clear();
    }

    fn judges_at_once(&self, joint: &Joint) -> bool {
        joint.vocabulary().actions().len() <= MAX_ACTIONS
    }

    /// Judges actions.
    pub fn judge(&mut self, joint: &mut Joint, now: Now<'_>, asked: &ActionSet) -> Judged {
        self.stats.decided += 1;
        let judged = match self.judges_at_once(joint) {
            true => self.at_once(joint, now, asked.0[0]),
            false => self.one_by_one(joint, now, asked),
        };
        self.stats.undecided += judged.undecided.len() as u64;
        judged
    }

    fn one_by_one(&mut self, joint: &mut Joint, now: Now<'_>, asked: &ActionSet) -> Judged {
        let (mut judged, mut open, alike) = (Judged::default(), *asked, joint.alike(&self.group));
        while let Some(action) = open.iter().next() {
            let class = match alike.contains(action) {
                true => alike.intersection(&open),
                false => ActionSet::from_iter([action]),
            };
            open = open.difference(&class);
            self.stats.searches += 1;
            match joint.continuable(now, &self.group, action) {
                Continuation::Yes(_) => judged.allowed = judged.allowed.union(&class),
                Continuation::No(_) => {}
                Continuation::Unknown(laws) => {
                    judged.undecided = judged.undecided.union(&class);
                    judged.hard_to_decide.extend(laws);
                }
            }
        }
        judged
    }

    /// Judges actions, given as bits.
    fn at_once(&mut self, joint: &mut Joint, now: Now<'_>, asked: u64) -> Judged {
        let stop = joint.vocabulary().stop().map_or(0, |stop| 1u64 << stop.0);
        if self.space.worlds.bytes() > self.most_world_bytes {
            self.clear_worlds();
        }
        // Each law is looked at a few times; proofs and plans that are tried are counted where they are.
        joint.budget.spend(1 + (4 * self.space.laws.len() / LAWS_READ) as u64);
        let here = self.space.world(joint, now.letter.0);
        let (mut allowed, ruled_out) = self.stop_after(joint, now, here, asked);
        let mut open = asked & !allowed & !stop & !ruled_out;
        let mut position = 0;
        while open != 0 && position < self.plans.len() {
            let found = self.replay(joint, now, position, open);
            if found != 0 {
                allowed |= found;
                open &= !found;
                self.plans[..=position].rotate_right(1);
            }
            position += 1;
        }
        let mut undecided = asked & stop & !allowed;
        if undecided != 0 && self.rules_stopping_out(joint, now, here) {
            undecided = 0;
        }
        let mut hard_to_decide = Vec::new();
        while open != 0 {
            let action = ActionId(open.trailing_zeros() as u16);
            let class = self.space.worlds.get(here).class(action);
            self.stats.searches += 1;
            match self.solver.search(&self.space, joint, now, action, class) {
                Continuation::Yes(letters) => {
                    allowed |= class & open;
                    open &= !class;
                    if self.keep(joint, &letters) {
                        let found = self.replay(joint, now, 0, open);
                        allowed |= found;
                        open &= !found;
                    }
                }
                Continuation::No(_) => open &= !class,
                Continuation::Unknown(laws) => {
                    undecided |= class & open;
                    open &= !class;
                    hard_to_decide.extend(laws);
                }
            }
        }
        Judged { allowed: bits(allowed), undecided: bits(undecided), hard_to_decide }
    }

    /// Whether some law is known not to accept if the run stops here.
    fn rules_stopping_out(&self, joint: &mut Joint, now: Now<'_>, here: WorldStateId) -> bool {
        let Some(stop) = joint.vocabulary().stop() else { return true };
        let world = self.space.worlds.get(here);
        let mut stops = |law: usize, entry: &Entry| {
            entry.actions >> stop.0 & 1 == 1 && {
                let end = joint.step(law, now.states[law], entry.code);
                end != StateRef::LOST && !end.accepts()
            }
        };
        self.space.laws.iter().enumerate().any(|(at, &law)| world.entries(at).iter().any(|entry| stops(law, entry)))
    }

    /// Laws, by number, that together leave an action no continuation, found as the decision was; `None` if this way of
    /// deciding does not apply or finds nothing.
    pub fn core(&mut self, joint: &mut Joint, now: Now<'_>, action: ActionId) -> Option<Vec<usize>> {
        if self.space.laws.is_empty() || !self.judges_at_once(joint) || Some(action) == joint.vocabulary().stop() {
            return None;
        }
        let here = self.space.world(joint, now.letter.0);
        let class = self.space.worlds.get(here).class(action);
        let core = self.solver.core(&self.space, joint, now, action, class)?;
        Some(core.into_iter().map(|at| joint.laws.watched[self.space.laws[at]]).collect())
    }

    /// Keeps a plan, its first letter included, if it can be tried elsewhere.
    fn keep(&mut self, joint: &mut Joint, letters: &[Letter]) -> bool {
        let Some((first, rest)) = letters.split_first() else { return false };
        let laws = &self.space.laws;
        let codes = rest.iter().map(|letter| laws.iter().map(|&law| joint.table.code(law, letter)).collect());
        let plan = Plan { first: first.0, codes: codes.collect(), letters: rest.to_vec() };
        self.plans.truncate(PLANS - 1);
        self.plans.insert(0, plan);
        true
    }

    /// Tries a plan behind every open action; the actions it works for.
    fn replay(&mut self, joint: &mut Joint, now: Now<'_>, position: usize, open: u64) -> u64 {
        let plan = &self.plans[position];
        joint.budget.spend(1 + (self.space.laws.len() * plan.letters.len() / LAWS_READ) as u64);
        let from = self.space.world(joint, plan.first);
        match self.solver.settles(&self.space, joint, now, from, &plan.codes, open) {
            true => self.space.accepting(joint, now, from, &plan.codes, open),
            false => 0,
        }
    }

    /// The asked actions after which the run may stop, and those for which nothing needs to be searched.
    fn stop_after(&mut self, joint: &mut Joint, now: Now<'_>, here: WorldStateId, asked: u64) -> (u64, u64) {
        let Self { space, solver, .. } = self;
        solver.begin(space, now);
        let allowed = match solver.settles(space, joint, now, here, &[], asked) {
            true => space.accepting(joint, now, here, &[], asked),
            false => 0,
        };
        let stop = joint.vocabulary().stop().map_or(0, |stop| 1u64 << stop.0);
        let open = asked & !allowed & !stop;
        if open == 0 {
            return (allowed, 0);
        }
        let ruled_out = open & !solver.viable(space, joint, now);
        let open = open & !ruled_out;
        let dead = open != 0 && solver.is_dead_class(space, joint, now, here, open);
        (allowed, if dead { open | ruled_out } else { ruled_out })
    }
}

fn bits(actions: u64) -> ActionSet {
    let mut set = ActionSet::EMPTY;
    set.0[0] = actions;
    set
}
