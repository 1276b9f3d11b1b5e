//! Observations, axioms, guards and the question "which laws leave no action here" as clauses.

use batsat::Lit;

use super::error::ConsistencyError;
use super::rule::Rule;
use crate::letter::PropSet;
use crate::sat::{Answer, Sat};
use crate::vocabulary::{PropId, Vocabulary};

#[derive(Debug)]
pub(super) struct Encoding {
    sat: Sat,
    /// The literals of the observations, by index.
    observations: Vec<Lit>,
    /// The literals equivalent to the rules' guards, by rule.
    guards: Vec<Lit>,
    /// The literals that permit a law to block, by law.
    selectors: Vec<Lit>,
    /// Assumed when asking for an over-constrained state; `None` if no rule blocks some action, so no state is
    /// over-constrained.
    question: Option<Lit>,
    /// Assumed when asking for a conflict other than those found so far.
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

    /// Returns a state over-constrained by the laws in `among`. With `new_only`, the state is over-constrained by a set
    /// of laws that contains none of the conflicts left out so far.
    pub(super) fn over_constrained(
        &mut self,
        among: &[bool],
        new_only: bool,
    ) -> Result<Option<PropSet>, ConsistencyError> {
        let Some(question) = self.question else { return Ok(None) };
        let mut assumptions = vec![question];
        assumptions.push(if new_only { self.enumerating } else { !self.enumerating });
        if new_only {
            // The solver chooses which laws are used: it must avoid the known conflicts.
            assumptions.extend(self.selectors.iter().zip(among).filter(|(_, used)| !**used).map(|(law, _)| !*law));
        } else {
            assumptions.extend(self.selectors.iter().zip(among).map(|(law, used)| if *used { *law } else { !*law }));
        }
        Ok(match self.sat.solve(&assumptions)? {
            Answer::Sat => Some(self.state()),
            Answer::Unsat => None,
        })
    }

    /// Returns which laws the last model of [`Self::over_constrained`] uses.
    pub(super) fn selected(&self) -> Vec<bool> {
        self.selectors.iter().map(|selector| self.sat.is_true(*selector)).collect()
    }

    /// Returns the simplest witness for the laws in `among`: from the last observation to the first, each is false if
    /// possible. No proper subset of it is over-constrained. It does not depend on earlier questions.
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

    /// Returns rules whose guards cover every state, at least one of them in each; `None` if in some state no guard of
    /// these rules holds.
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
