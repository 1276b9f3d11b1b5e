//! Questions about one guarded law, each in its own solver, so that other laws cost nothing until they matter.

use std::collections::HashMap;
use std::sync::Arc;

use batsat::Lit;

use super::{ConsistencyError, LawSystem};
use crate::letter::PropSet;
use crate::sat::Sat;

/// The number of rules that are examined for a unit of work.
pub(super) const RULES_LOOKED_AT: usize = 8;

/// The states in which the guard of one rule holds, without those that other rules are found to cover.
pub(super) struct WhereGuardHolds {
    sat: Sat,
    atoms: HashMap<Arc<str>, Lit>,
    /// The guards of other rules that were needed so far.
    guards: HashMap<usize, Lit>,
    core: Vec<usize>,
}

impl LawSystem<'_> {
    pub(super) fn where_guard_holds(&self, rule: usize) -> WhereGuardHolds {
        let mut sat = Sat::new(self.budget);
        let atoms = sat.states(self.vocabulary);
        let holds = sat.literal(&self.rules[rule].guard, &atoms);
        sat.clause([holds]);
        WhereGuardHolds { sat, atoms, guards: HashMap::new(), core: Vec::new() }
    }
}

impl WhereGuardHolds {
    /// Returns a state in which none of the guards of `others` holds. A guard is encoded only when it holds in a state
    /// that the solver returned. Few guards suffice to cover all states, or to find an uncovered one.
    pub(super) fn uncovered(
        &mut self,
        system: &mut LawSystem<'_>,
        others: &[usize],
    ) -> Result<Option<PropSet>, ConsistencyError> {
        let mut met: Vec<usize> = others.iter().copied().filter(|rule| self.guards.contains_key(rule)).collect();
        loop {
            let assumptions: Vec<Lit> = met.iter().filter_map(|rule| self.guards.get(rule)).map(|lit| !*lit).collect();
            let before = self.sat.work();
            let answer = self.sat.solve(&assumptions);
            system.spend(1 + self.sat.size() + self.sat.work() - before)?;
            if !answer? {
                let needed = |rule: &usize| self.guards.get(rule).is_some_and(|guard| self.sat.in_core(*guard));
                self.core = met.into_iter().filter(needed).collect();
                return Ok(None);
            }
            let state = self.sat.state();
            let covers = |rule: &usize| system.rules[*rule].applies(system.vocabulary, &state);
            let found = others.iter().position(covers);
            let looked_at = &others[..found.map_or(others.len(), |at| at + 1)];
            let long: usize = looked_at.iter().map(|rule| system.rules[*rule].cost).sum();
            system.spend((looked_at.len() / RULES_LOOKED_AT + long) as u64)?;
            let Some(rule) = found.map(|at| others[at]) else { return Ok(Some(state)) };
            let guard = self.sat.literal(&system.rules[rule].guard, &self.atoms);
            self.guards.insert(rule, guard);
            met.push(rule);
        }
    }

    /// Returns the rules that suffice to cover all states, if the last question found no uncovered state.
    pub(super) fn core(&mut self) -> Vec<usize> {
        std::mem::take(&mut self.core)
    }
}
