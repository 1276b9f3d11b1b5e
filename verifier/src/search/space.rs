//! The laws of a search and the world states it knows: letting the laws read what actions and plans lead to.

use std::sync::Arc;

use crate::compiled::Group;
use crate::dfa_table::Code;
use crate::joint::{Joint, LAWS_READ};
use crate::letter::PropSet;
use crate::run::Now;
use crate::world_state::{WorldContext, WorldStateId, WorldStates};

/// The laws of a search and the world states it knows.
pub(super) struct SearchSpace {
    /// The laws, by position in the table.
    pub laws: Vec<usize>,
    pub group: Arc<Group>,
    /// The observations that tell world states apart.
    pub relevant: PropSet,
    pub worlds: WorldStates,
}

impl SearchSpace {
    /// The world state with these observations, as far as they matter.
    pub fn world(&mut self, joint: &mut Joint, observations: PropSet) -> WorldStateId {
        let observations = observations.intersection(&self.relevant);
        let Joint { table, laws, .. } = joint;
        let context = WorldContext { laws: &self.laws, table, vocabulary: laws.vocabulary() };
        let world = self.worlds.intern(observations, context);
        let actions = joint.vocabulary().actions().len();
        joint.budget.spend(((actions + self.laws.len()) / LAWS_READ) as u64);
        world
    }

    /// The asked actions after which, and after what each law reads of a plan, all laws accept.
    pub fn accepting(
        &self,
        joint: &mut Joint,
        now: Now<'_>,
        from: WorldStateId,
        plan: &[Box<[Code]>],
        asked: u64,
    ) -> u64 {
        let world = self.worlds.get(from);
        let mut failed = 0u64;
        for (position, &law) in self.laws.iter().enumerate() {
            let state = now.states[law];
            for entry in world.entries(position) {
                if entry.actions & asked & !failed == 0 {
                    continue;
                }
                let mut next = joint.step(law, state, entry.code);
                for codes in plan {
                    next = joint.step(law, next, codes[position]);
                }
                if !next.accepts() {
                    failed |= entry.actions;
                }
            }
            if asked & !failed == 0 {
                return 0;
            }
        }
        asked & !failed
    }
}
