//! Observations, axioms, guards and the question "which laws leave no action here" as clauses.

use batsat::Lit;

use super::error::ConsistencyError;
use super::rule::Rule;
use crate::letter::PropSet;
use crate::sat::{OutOfBudget, Sat};
use crate::vocabulary::{PropId, Vocabulary};

#[derive(Debug)]
pub(super) struct Encoding {
    sat: Sat,
    /// The literals equivalent to the guards, by rule.
    guards: Vec<Lit>,
    /// The literals that permit a law to block, by law.
    selectors: Vec<Lit>,
    /// Assumed when asking for an over-constrained state.
    question: Lit,
    /// Assumed when asking for a conflict other than those found so far.
    enumerating: Lit,
}

impl Encoding {
    pub(super) fn new(vocabulary: &Vocabulary, law_count: usize, rules: &[Rule], budget: u64) -> Self {
        let mut sat = Sat::new(budget);
        let atoms = sat.states(vocabulary);
        let selectors: Vec<Lit> = (0..law_count).map(|_| sat.fresh()).collect();
        let guards: Vec<Lit> = rules.iter().map(|rule| sat.literal(&rule.guard, &atoms)).collect();
        let used = rules.iter().zip(&guards).map(|(rule, guard)| {
            let used = sat.fresh();
            sat.clause([!used, *guard]);
            sat.clause([!used, selectors[rule.law]]);
            used
        });
        let used: Vec<Lit> = used.collect();
        let enumerating = sat.fresh();
        let question = sat.fresh();
        let stop = vocabulary.stop();
        for action in vocabulary.action_ids().filter(|action| Some(*action) != stop) {
            let blockers = rules.iter().zip(&used).filter(|(rule, _)| rule.blocks.contains(action));
            sat.clause(blockers.map(|(_, used)| *used).chain([!question]));
        }
        Self { sat, guards, selectors, question, enumerating }
    }

    pub(super) fn axioms_are_satisfiable(&mut self) -> Result<bool, ConsistencyError> {
        Ok(self.sat.solve(&[])?)
    }

    /// Returns the cost of all questions so far, in units of work.
    pub(super) fn work(&self) -> u64 {
        self.sat.work()
    }

    /// Returns a state in which the guard of a rule holds and the guard of no other rule does. If there is none, returns
    /// other rules that cover every state in which the rule's guard holds.
    pub(super) fn uncovered(
        &mut self,
        rule: usize,
        others: &[usize],
    ) -> Result<Result<PropSet, Vec<usize>>, OutOfBudget> {
        let without = others.iter().map(|other| !self.guards[*other]);
        let assumptions: Vec<Lit> = [self.guards[rule]].into_iter().chain(without).collect();
        if self.sat.solve(&assumptions)? {
            return Ok(Ok(self.sat.state()));
        }
        Ok(Err(others.iter().copied().filter(|other| self.sat.in_core(self.guards[*other])).collect()))
    }

    /// Returns a state over-constrained by the laws in `among`. With `new_only`, the state is over-constrained by a set
    /// of laws that contains none of the conflicts left out so far.
    pub(super) fn over_constrained(
        &mut self,
        among: &[bool],
        new_only: bool,
    ) -> Result<Option<PropSet>, ConsistencyError> {
        Ok(self.sat.solve(&self.assumptions(among, new_only))?.then(|| self.sat.state()))
    }

    /// Returns which laws the last model of [`Self::over_constrained`] uses.
    pub(super) fn selected(&self) -> Vec<bool> {
        self.selectors.iter().map(|selector| self.sat.is_true(*selector)).collect()
    }

    /// Returns the simplest witness for the laws in `among`: from the last observation to the first, each is false if
    /// possible. No proper subset of it is over-constrained. It does not depend on earlier questions.
    pub(super) fn plainest_witness(&mut self, among: &[bool], known: PropSet) -> Result<PropSet, ConsistencyError> {
        let mut assumptions = self.assumptions(among, false);
        let mut witness = known;
        for index in (0..self.sat.observations.len()).rev() {
            let literal = self.sat.observations[index];
            assumptions.push(!literal);
            if !witness.contains(PropId(index as u16)) {
                continue;
            }
            if self.sat.solve(&assumptions)? {
                witness = self.sat.state();
            } else {
                assumptions.pop();
                assumptions.push(literal);
            }
        }
        Ok(witness)
    }

    /// Returns the assumptions that the laws in `among` over-constrain a state. With `new_only`, the solver chooses
    /// which of them are used: it must avoid the known conflicts.
    fn assumptions(&self, among: &[bool], new_only: bool) -> Vec<Lit> {
        let laws = self.selectors.iter().zip(among).filter(|(_, used)| !(new_only && **used));
        let laws = laws.map(|(law, used)| if *used { *law } else { !*law });
        [self.question, if new_only { self.enumerating } else { !self.enumerating }].into_iter().chain(laws).collect()
    }

    /// Forgets the conflicts left out so far.
    pub(super) fn begin_enumeration(&mut self) {
        self.sat.clause([!self.enumerating]);
        self.enumerating = self.sat.fresh();
    }

    /// Excludes, from now on, every set of laws that contains this one.
    pub(super) fn leave_out(&mut self, laws: &[usize]) {
        let clause: Vec<Lit> = laws.iter().map(|law| !self.selectors[*law]).chain([!self.enumerating]).collect();
        self.sat.clause(clause);
    }
}
