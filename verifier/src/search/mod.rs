//! Decisions in joint states not met before, for all actions at once.
//!
//! Cheapest first: every action after which all laws accept is allowed, since the run may stop there; only what is left is
//! searched for, one action of each class, and the plan found is tried behind the others too. Nothing is taken over from
//! the decisions in other joint states: what is decided, and what is not, depends on the joint state alone.

pub(crate) mod common_plan;
mod plan_repair;
mod solver_search;
mod space;

use std::sync::Arc;

use solver_search::SolverSearch;
use space::SearchSpace;

use crate::actions::ActionSet;
use crate::compiled::Group;
use crate::dfa_table::{Code, StateRef};
use crate::joint::{Continuation, Joint, LAWS_READ};
use crate::letter::{Letter, PropSet};
use crate::run::Now;
use crate::vocabulary::ActionId;
use crate::world_state::{Entry, MAX_ACTIONS, WorldStateId, WorldStates};

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
    /// Actions, and the laws, by number, that leave them no continuation, where a search proved it.
    pub cores: Vec<(ActionSet, Vec<usize>)>,
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

    /// Forgets the world states and everything that names states of laws, to bound memory.
    pub fn clear(&mut self) {
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

    /// Judges actions one after the other: the plan of one is tried behind the next.
    fn one_by_one(&mut self, joint: &mut Joint, now: Now<'_>, asked: &ActionSet) -> Judged {
        let (mut judged, mut open, alike) = (Judged::default(), *asked, joint.alike(&self.group));
        let (stop, observations) = (joint.vocabulary().stop(), now.letter.observations(joint.vocabulary()));
        let mut plan: Vec<Letter> = Vec::new();
        self.solver.begin(&self.space, now);
        while let Some(action) = open.iter().next() {
            let class = match alike.contains(action) {
                true => alike.intersection(&open),
                false => ActionSet::from_iter([action]),
            };
            open = open.difference(&class);
            let mut word = vec![Letter::after(joint.vocabulary(), action, observations)];
            let mut is_settled = joint.is_plan(now, &self.group, &word);
            if !is_settled && plan.len() > 1 && Some(action) != stop {
                word.extend_from_slice(&plan[1..]);
                is_settled = joint.is_plan(now, &self.group, &word);
            }
            self.stats.searches += u64::from(!is_settled);
            let answer = match (is_settled, Some(action) == stop) {
                (true, _) => Continuation::Yes(word),
                (false, true) => joint.continuable(now, &self.group, action),
                (false, false) => self.solver.search(&self.space, joint, now, action),
            };
            match answer {
                Continuation::Yes(letters) => {
                    judged.allowed = judged.allowed.union(&class);
                    plan = letters;
                }
                Continuation::No(core) => judged.cores.push((class, core)),
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
            self.clear();
        }
        // Each law is looked at a few times; proofs and plans that are tried are counted where they are.
        joint.budget.spend(1 + (4 * self.space.laws.len() / LAWS_READ) as u64);
        let here = self.space.world(joint, now.letter.0);
        let (mut allowed, ruled_out) = self.stop_after(joint, now, here, asked);
        let mut open = asked & !allowed & !stop & !ruled_out;
        let mut undecided = asked & stop & !allowed;
        if undecided != 0 && self.rules_stopping_out(joint, now, here) {
            undecided = 0;
        }
        let (mut hard_to_decide, mut cores) = (Vec::new(), Vec::new());
        while open != 0 {
            let action = ActionId(open.trailing_zeros() as u16);
            let class = self.space.worlds.get(here).class(action);
            self.stats.searches += 1;
            match self.solver.search(&self.space, joint, now, action) {
                Continuation::Yes(letters) => {
                    allowed |= class & open;
                    open &= !class;
                    let found = self.replay(joint, now, &letters, open);
                    allowed |= found;
                    open &= !found;
                }
                Continuation::No(core) => {
                    cores.push((bits(class & open), core));
                    open &= !class;
                }
                Continuation::Unknown(laws) => {
                    undecided |= class & open;
                    open &= !class;
                    hard_to_decide.extend(laws);
                }
            }
        }
        Judged { allowed: bits(allowed), undecided: bits(undecided), hard_to_decide, cores }
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

    /// A law, by number, that alone leaves an action no continuation; `None` if this way of deciding does not apply.
    pub fn refuting(&mut self, joint: &mut Joint, now: Now<'_>, action: ActionId) -> Option<usize> {
        if !self.judges_at_once(joint) || Some(action) == joint.vocabulary().stop() {
            return None;
        }
        let position = self.solver.refuting(&self.space, joint, now, action)?;
        Some(joint.laws.watched[position])
    }

    /// Tries a plan, its first letter included, behind every open action; the actions it works for.
    fn replay(&mut self, joint: &mut Joint, now: Now<'_>, letters: &[Letter], open: u64) -> u64 {
        let Some((first, rest)) = letters.split_first() else { return 0 };
        let laws = &self.space.laws;
        joint.budget.spend(1 + (laws.len() * rest.len() / LAWS_READ) as u64);
        let codes = rest.iter().map(|letter| laws.iter().map(|&law| joint.table.code(law, letter)).collect());
        let codes: Vec<Box<[Code]>> = codes.collect();
        let from = self.space.world(joint, first.0);
        match self.solver.settles(&self.space, joint, now, from, &codes, open) {
            true => self.space.accepting(joint, now, from, &codes, open),
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
        (allowed, ruled_out)
    }
}

fn bits(actions: u64) -> ActionSet {
    let mut set = ActionSet::EMPTY;
    set.0[0] = actions;
    set
}
