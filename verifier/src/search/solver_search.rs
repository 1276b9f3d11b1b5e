//! The strategy without a transition model: a solver finds continuations, and proofs that there are none are kept.

use super::core::{self, CORES_LOOKED_AT, Core};
use super::space::SearchSpace;
use crate::dfa_table::Code;
use crate::joint::{Continuation, Joint};
use crate::run::Now;
use crate::vocabulary::ActionId;
use crate::world_state::WorldStateId;

/// How many of the latest cores are looked at before any plan is tried.
const RECENT_CORES: usize = 64;

/// What solving has taught about one group of laws.
#[derive(Default)]
pub(super) struct SolverSearch {
    /// Combinations of the laws' states that no continuation satisfies.
    cores: Vec<Core>,
    /// The laws that owe something in the state being judged.
    obligations: Vec<usize>,
}

impl SolverSearch {
    /// Forgets what it was taught.
    pub fn clear(&mut self) {
        self.cores.clear();
    }

    /// Looks which laws owe something now.
    pub fn begin(&mut self, space: &SearchSpace, now: Now<'_>) {
        self.obligations.clear();
        let owes = |position: &usize| !now.states[space.laws[*position]].accepts();
        self.obligations.extend((0..space.laws.len()).filter(owes));
    }

    /// Whether some asked action, and these codes after it, settle each law that owes something now: most plans fail there,
    /// and few laws owe anything.
    pub fn settles(
        &self,
        space: &SearchSpace,
        joint: &mut Joint,
        now: Now<'_>,
        from: WorldStateId,
        codes: &[Box<[Code]>],
        asked: u64,
    ) -> bool {
        let world = space.worlds.get(from);
        self.obligations.iter().all(|&position| {
            let law = space.laws[position];
            world.entries(position).iter().filter(|entry| entry.actions & asked != 0).any(|entry| {
                let first = joint.step(law, now.states[law], entry.code);
                codes.iter().fold(first, |state, codes| joint.step(law, state, codes[position])).accepts()
            })
        })
    }

    /// Whether the latest cores show that open actions, all of one class, have no continuation.
    pub fn is_dead_class(
        &mut self,
        space: &SearchSpace,
        joint: &Joint,
        now: Now<'_>,
        here: WorldStateId,
        open: u64,
    ) -> bool {
        let class = space.worlds.get(here).class(ActionId(open.trailing_zeros() as u16));
        open & !class == 0 && self.is_dead(space, joint, now, class, RECENT_CORES)
    }

    /// Whether the laws' states are known to leave a class of actions no continuation; `most` cores are looked at.
    fn is_dead(&mut self, space: &SearchSpace, joint: &Joint, now: Now<'_>, class: u64, most: usize) -> bool {
        let covers = |core: &Core| core.covers(class.trailing_zeros(), |law| now.states[space.laws[law]]);
        let recent = self.cores.len().saturating_sub(most);
        joint.budget.spend(1 + ((self.cores.len() - recent) / CORES_LOOKED_AT) as u64);
        let found = self.cores[recent..].iter().rposition(covers);
        if let Some(found) = found {
            // What applies now is likely to apply soon.
            let last = self.cores.len() - 1;
            self.cores.swap(recent + found, last);
        }
        found.is_some()
    }

    /// Searches for a continuation after one action of a class, its first letter included.
    pub fn search(
        &mut self,
        space: &SearchSpace,
        joint: &mut Joint,
        now: Now<'_>,
        action: ActionId,
        class: u64,
    ) -> Continuation {
        if self.is_dead(space, joint, now, class, usize::MAX) {
            return Continuation::No(Vec::new());
        }
        let continuation = joint.continuable(now, &space.group, action);
        if let Continuation::No(core) = &continuation
            && !core.is_empty()
        {
            self.learn(space, joint, now, class, core);
        }
        continuation
    }

    /// Keeps a proof that these laws, by number, leave a class of actions no continuation. Guarded laws have no state to
    /// tell when the proof applies again, so a proof that needs one is not kept.
    fn learn(&mut self, space: &SearchSpace, joint: &Joint, now: Now<'_>, class: u64, core: &[usize]) {
        let position = |law: &usize| space.laws.iter().position(|&at| joint.laws.watched[at] == *law);
        let Some(positions) = core.iter().map(position).collect::<Option<Vec<usize>>>() else { return };
        let parts = positions.into_iter().map(|at| (at, now.states[space.laws[at]]));
        core::keep(&mut self.cores, Core::new(class.trailing_zeros(), parts));
    }
}
