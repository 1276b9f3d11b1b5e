//! Observations, axioms, guards and the question "which laws leave nothing here" as clauses.

use batsat::Lit;

use super::error::ConsistencyError;
use super::rule::Rule;
use crate::letter::PropSet;
use crate::sat::{Answer, Sat};
use crate::vocabulary::{PropId, Vocabulary};

#[derive(Debug)]
pub(super) struct Encoding {
    sat: Sat,
    /// By observation index.
    observations: Vec<Lit>,
    /// By rule: equivalent to its guard.
    guards: Vec<Lit>,
    /// By law: whether it may be used to block.
    selectors: Vec<Lit>,
    /// Assumed when asking for an over-constrained state; `None` when no rule blocks some action, so that none exists.
    question: Option<Lit>,
    /// Assumed when the conflicts found so far are to be left out.
    enumerating: Lit,
}

impl Encoding {
    pub(super) fn new(vocabulary: &Vocabulary, law_count: usize, rules: &[Rule], budget: u64) -> Self {
        let mut sat = Sat::new(budget);
        let atoms = sat.states(vocabulary);
        let observations: Vec<Lit> =
            vocabulary.observations().iter().filter_map(|one| atoms.get(&one.name).copied()).collect();
        let guards: Vec<Lit> = rules.iter().map(|rule| sat.literal(&rule.guard, &atoms)).collect();
        let selectors: Vec<Lit> = (0..law_count).map(|_| sat.fresh()).collect();
        let used: Vec<Lit> = rules
            .iter()
            .zip(&guards)
            .map(|(rule, guard)| {
                let used = sat.fresh();
                sat.clause([!used, *guard]);
                sat.clause([!used, selectors[rule.law]]);
                used
            })
            .collect();
        let enumerating = sat.fresh();
        let asked = sat.fresh();
        let stop = vocabulary.stop();
        let mut coverable = true;
        for action in vocabulary.action_ids().filter(|action| Some(*action) != stop) {
            let blockers: Vec<Lit> = rules
                .iter()
                .zip(&used)
                .filter(|(rule, _)| rule.blocks.contains(action))
                .map(|(_, used)| *used)
                .collect();
            coverable &= !blockers.is_empty();
            sat.clause(blockers.into_iter().chain([!asked]));
        }
        let question = coverable.then_some(asked);
        Self { sat, observations, guards, selectors, question, enumerating }
    }

    pub(super) fn axioms_are_satisfiable(&mut self) -> Result<bool, ConsistencyError> {
        Ok(matches!(self.sat.solve(&[])?, Answer::Sat))
    }

    /// A state over-constrained by the laws in `among`; with `new_only`, by none of the conflicts left out so far.
    pub(super) fn over_constrained(
        &mut self,
        among: &[bool],
        new_only: bool,
    ) -> Result<Option<PropSet>, ConsistencyError> {
        let Some(question) = self.question else { return Ok(None) };
        let mut assumptions = vec![question];
        assumptions.push(if new_only { self.enumerating } else { !self.enumerating });
        if new_only {
            // Which of the laws are used is for the solver to choose: it must avoid the conflicts already known.
            assumptions.extend(self.selectors.iter().zip(among).filter(|(_, used)| !**used).map(|(law, _)| !*law));
        } else {
            assumptions.extend(self.selectors.iter().zip(among).map(|(law, used)| if *used { *law } else { !*law }));
        }
        Ok(match self.sat.solve(&assumptions)? {
            Answer::Sat => Some(self.state()),
            Answer::Unsat => None,
        })
    }

    /// Which laws the last model of [`Self::over_constrained`] allows itself to use.
    pub(super) fn selected(&self) -> Vec<bool> {
        self.selectors.iter().map(|selector| self.sat.is_true(*selector)).collect()
    }

    /// The witness for the laws in `among` that people read: from the last observation to the first, each is false if it
    /// can be. No proper subset of it is over-constrained, and it does not depend on what was asked before.
    pub(super) fn plainest_witness(&mut self, among: &[bool], known: PropSet) -> Result<PropSet, ConsistencyError> {
        let Some(question) = self.question else { return Ok(known) };
        let mut assumptions = vec![question, !self.enumerating];
        assumptions.extend(self.selectors.iter().zip(among).map(|(law, used)| if *used { *law } else { !*law }));
        let mut witness = known;
        for index in (0..self.observations.len()).rev() {
            let literal = self.observations[index];
            assumptions.push(!literal);
            if !witness.contains(PropId(index as u16)) {
                continue;
            }
            match self.sat.solve(&assumptions)? {
                Answer::Sat => witness = self.state(),
                Answer::Unsat => {
                    assumptions.pop();
                    assumptions.push(literal);
                }
            }
        }
        Ok(witness)
    }

    /// Forgets which conflicts were left out.
    pub(super) fn begin_enumeration(&mut self) {
        self.sat.clause([!self.enumerating]);
        self.enumerating = self.sat.fresh();
    }

    /// Leaves out, from now on, every set of laws that contains this one.
    pub(super) fn leave_out(&mut self, laws: &[usize]) {
        let clause: Vec<Lit> = laws.iter().map(|law| !self.selectors[*law]).chain([!self.enumerating]).collect();
        self.sat.clause(clause);
    }

    /// Whether in some state none of these rules' guards hold; if not, rules that show it.
    pub(super) fn one_always_holds(&mut self, rules: &[usize]) -> Result<Option<Vec<usize>>, ConsistencyError> {
        let assumptions: Vec<Lit> = rules.iter().map(|rule| !self.guards[*rule]).collect();
        Ok(match self.sat.solve(&assumptions)? {
            Answer::Sat => None,
            Answer::Unsat => Some(rules.iter().copied().filter(|rule| self.sat.in_core(self.guards[*rule])).collect()),
        })
    }

    fn state(&self) -> PropSet {
        (0..self.observations.len())
            .filter(|index| self.sat.is_true(self.observations[*index]))
            .map(|index| PropId(index as u16))
            .collect()
    }
}
