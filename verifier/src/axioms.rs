//! Questions about the states that a vocabulary's axioms allow.

use batsat::Lit;

use crate::letter::{Letter, PropSet};
use crate::sat::{OutOfBudget, Sat};
use crate::vocabulary::{PropId, Vocabulary};

/// Maximum number of conflicts of the solver for one question. Axioms written by people need a few dozen.
const BUDGET: u64 = 10_000;

/// The axioms as clauses.
pub(crate) struct Axioms {
    sat: Sat,
}

impl Axioms {
    pub fn new(vocabulary: &Vocabulary) -> Self {
        let mut sat = Sat::new(BUDGET);
        sat.states(vocabulary);
        Self { sat }
    }

    /// Returns whether some observations that agree with `letter` on the observations of `fixed` satisfy the axioms. An
    /// undecided question counts as allowed: a law that no continuation satisfies then still is.
    pub fn allow(&mut self, fixed: &[PropId], letter: &Letter) -> bool {
        self.ask(fixed, letter).unwrap_or(true)
    }

    /// Returns whether it is proved that no observations that agree with `letter` on the observations of `fixed` satisfy
    /// the axioms.
    pub fn forbid(&mut self, fixed: &[PropId], letter: &Letter) -> bool {
        self.ask(fixed, letter) == Ok(false)
    }

    /// Returns observations that satisfy the axioms, with all of `must` and nothing outside `may`; `None` if there are
    /// none.
    pub fn state_between(&mut self, must: &PropSet, may: &PropSet) -> Result<Option<PropSet>, OutOfBudget> {
        let fixed: Vec<PropId> = (0..self.sat.observations.len() as u16)
            .map(PropId)
            .filter(|id| must.contains(*id) || !may.contains(*id))
            .collect();
        Ok(self.ask(&fixed, &Letter(*must))?.then(|| self.sat.state()))
    }

    fn ask(&mut self, fixed: &[PropId], letter: &Letter) -> Result<bool, OutOfBudget> {
        let literal = |prop: &PropId| {
            let literal = *self.sat.observations.get(usize::from(prop.0))?;
            Some(if letter.holds(*prop) { literal } else { !literal })
        };
        let assumptions: Vec<Lit> = fixed.iter().filter_map(literal).collect();
        self.sat.solve(&assumptions)
    }
}

/// The axioms seen through some of the propositions.
pub(crate) struct Projection<'a> {
    /// `None` if no axiom mentions these propositions.
    axioms: Option<Axioms>,
    fixed: &'a [PropId],
}

impl<'a> Projection<'a> {
    pub fn new(fixed: &'a [PropId], vocabulary: &Vocabulary) -> Self {
        let mentions = |axiom: &crate::vocabulary::Axiom| {
            axiom.formula.atoms().iter().any(|atom| vocabulary.id(atom).is_some_and(|id| fixed.contains(&id)))
        };
        let axioms = vocabulary.axioms().iter().any(mentions).then(|| Axioms::new(vocabulary));
        Self { axioms, fixed }
    }

    /// Returns whether some observations that agree with `letter` on the propositions satisfy the axioms.
    pub fn allows(&mut self, letter: &Letter) -> bool {
        let fixed = self.fixed;
        self.axioms.as_mut().is_none_or(|axioms| axioms.allow(fixed, letter))
    }
}
