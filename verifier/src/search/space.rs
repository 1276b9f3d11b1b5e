//! The laws of a search and the world states it knows: letting the laws read what actions and plans lead to.

use std::sync::Arc;

use crate::compiled::Group;
use crate::dfa_table::Code;
use crate::joint::{Joint, LAWS_READ};
use crate::letter::{Letter, PropSet};
use crate::run::Now;
use crate::vocabulary::ActionId;
use crate::world_state::{WorldContext, WorldStateId, WorldStates};

/// A continuation that worked: what comes after the first letter.
#[derive(Clone, Debug, Default)]
pub(super) struct Plan {
    /// The observations of the first letter, where there is no model to say.
    pub first: Option<PropSet>,
    /// The letters after the first.
    pub letters: Vec<Letter>,
    /// What each law reads at those letters.
    pub codes: Vec<Box<[Code]>>,
}

/// The laws of a search and the world states it knows.
pub(super) struct SearchSpace {
    /// The laws, by position in the table.
    pub laws: Vec<usize>,
    pub group: Arc<Group>,
    /// The observations that tell world states apart.
    pub relevant: PropSet,
    pub worlds: WorldStates,
}

/// The result a sweep computes; the sweep ends early once it is known to be empty.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sweep {
    Accepting,
    AcceptingAndDead,
}

impl SearchSpace {
    /// The world state with these observations, as far as they matter.
    pub fn world(&mut self, joint: &mut Joint, observations: PropSet) -> WorldStateId {
        let observations = observations.intersection(&self.relevant);
        let Joint { table, laws, environment, .. } = joint;
        let masks = &self.group.masks;
        let context = WorldContext { laws: &self.laws, table, masks, vocabulary: laws.vocabulary(), environment };
        let (world, new) = self.worlds.intern(observations, context);
        self.met(joint, new);
        world
    }

    /// The world state that an action leads to, where known.
    #[inline]
    pub fn next(&mut self, joint: &mut Joint, from: WorldStateId, action: ActionId) -> Option<WorldStateId> {
        if let Some(next) = self.worlds.known_next(from, action) {
            return Some(next);
        }
        let Joint { table, laws, environment, .. } = joint;
        let masks = &self.group.masks;
        let context = WorldContext { laws: &self.laws, table, masks, vocabulary: laws.vocabulary(), environment };
        let (world, new) = self.worlds.next(from, action, context)?;
        self.met(joint, new);
        Some(world)
    }

    /// Counts the work of looking at a new world state.
    fn met(&self, joint: &Joint, new: bool) {
        if new {
            let actions = joint.vocabulary().actions().len();
            joint.budget.spend((actions + actions * self.laws.len() / LAWS_READ) as u64);
        }
    }

    /// The open actions after which a plan's second letter is what the model says.
    pub fn fits(&mut self, joint: &mut Joint, here: WorldStateId, plan: &Plan, open: u64) -> u64 {
        let Some(second) = plan.letters.first() else { return 0 };
        let Some(action) = second.action(joint.vocabulary()) else { return 0 };
        let observations = second.0.intersection(&self.relevant);
        let mut fits = 0;
        let mut candidates = open & self.worlds.get(here).known;
        while candidates != 0 {
            let one = ActionId(candidates.trailing_zeros() as u16);
            let class = self.worlds.get(here).class(one) & candidates;
            candidates &= !class;
            let Some(next) = self.next(joint, here, one) else { continue };
            let next = self.worlds.get(next);
            if next.masked.contains(action) && next.next(action) == Some(observations) {
                fits |= class;
            }
        }
        fits
    }

    /// Lets every law read every asked action, then what each reads of a plan. The actions after which all accept, and
    /// those that some law cannot survive.
    pub fn sweep(
        &self,
        joint: &mut Joint,
        now: Now<'_>,
        from: WorldStateId,
        plan: &[Box<[Code]>],
        asked: u64,
        after: Sweep,
    ) -> (u64, u64) {
        let world = self.worlds.get(from);
        let (mut failed, mut dead) = (0u64, 0u64);
        for (position, &law) in self.laws.iter().enumerate() {
            let state = now.states[law];
            for entry in world.entries(position) {
                if entry.actions & asked & !(failed & dead) == 0 {
                    continue;
                }
                let mut next = joint.step(law, state, entry.code);
                if next.is_dead() {
                    dead |= entry.actions;
                }
                for codes in plan {
                    next = joint.step(law, next, codes[position]);
                }
                if !next.accepts() {
                    failed |= entry.actions;
                }
            }
            if after == Sweep::Accepting && asked & !failed == 0 {
                return (0, 0);
            }
        }
        (asked & !failed, dead)
    }
}
