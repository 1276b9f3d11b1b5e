//! What a vocabulary's axioms allow: which observations can hold together.

use batsat::Lit;

use crate::letter::{Letter, PropSet};
use crate::sat::{Answer, OutOfBudget, Sat};
use crate::vocabulary::{PropId, Vocabulary};

/// The most conflicts of the solver for one question. Axioms of people need a few dozen.
const BUDGET: u64 = 10_000;

/// The axioms as clauses.
pub(crate) struct Axioms {
    sat: Sat,
    /// A literal for each observation, in order.
    observations: Vec<Lit>,
}

impl Axioms {
    pub fn new(vocabulary: &Vocabulary) -> Self {
        let mut sat = Sat::new(BUDGET);
        let literals = sat.states(vocabulary);
        let observations =
            vocabulary.observations().iter().filter_map(|one| literals.get(&one.name).copied()).collect();
        Self { sat, observations }
    }

    /// Whether some state satisfies the axioms.
    pub fn are_satisfiable(&mut self) -> Result<bool, OutOfBudget> {
        self.ask(&[], &Letter::default())
    }

    /// Whether some observations that agree with `letter` on the observations of `fixed` satisfy the axioms. What cannot be
    /// decided within the budget counts as allowed: a law that no continuation satisfies then still is.
    pub fn allow(&mut self, fixed: &[PropId], letter: &Letter) -> bool {
        self.ask(fixed, letter).unwrap_or(true)
    }

    /// Whether it is proved that no observations that agree with `letter` on the observations of `fixed` satisfy the axioms.
    pub fn forbid(&mut self, fixed: &[PropId], letter: &Letter) -> bool {
        self.ask(fixed, letter) == Ok(false)
    }

    /// Some observations that satisfy the axioms, all of `must` among them and nothing but what is in `may`; `None` if there
    /// are none.
    pub fn state_between(&mut self, must: &PropSet, may: &PropSet) -> Result<Option<PropSet>, OutOfBudget> {
        let numbered = || self.observations.iter().enumerate().map(|(at, literal)| (PropId(at as u16), *literal));
        let fixed = numbered().filter(|(at, _)| must.contains(*at) || !may.contains(*at));
        let assumptions: Vec<Lit> =
            fixed.map(|(at, literal)| if must.contains(at) { literal } else { !literal }).collect();
        if !matches!(self.sat.solve(&assumptions)?, Answer::Sat) {
            return Ok(None);
        }
        Ok(Some(numbered().filter(|(_, literal)| self.sat.is_true(*literal)).map(|(at, _)| at).collect()))
    }

    fn ask(&mut self, fixed: &[PropId], letter: &Letter) -> Result<bool, OutOfBudget> {
        let literal = |prop: &PropId| {
            let literal = *self.observations.get(usize::from(prop.0))?;
            Some(if letter.holds(*prop) { literal } else { !literal })
        };
        let assumptions: Vec<Lit> = fixed.iter().filter_map(literal).collect();
        Ok(matches!(self.sat.solve(&assumptions)?, Answer::Sat))
    }
}

/// The axioms seen through some of the propositions.
pub(crate) struct Projection<'a> {
    /// `None` when the axioms say nothing of these propositions.
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

    /// Whether some observations that agree with `letter` on the propositions satisfy the axioms.
    pub fn allows(&mut self, letter: &Letter) -> bool {
        let fixed = self.fixed;
        self.axioms.as_mut().is_none_or(|axioms| axioms.allow(fixed, letter))
    }
}
