//! Questions for one finite word that satisfies laws of any form.

use super::ConsistencyError;
use crate::budget::Budget;
use crate::formula::Formula;
use crate::letter::Letter;
use crate::ltlf_sat::{Answer, LtlfSat};
use crate::minimise::minimal_subset;
use crate::nnf::{Metered, NnfArena, NodeId};
use crate::residual::Residual;
use crate::vocabulary::{ActionId, Vocabulary};

/// Maximum number of residuals that join the question at once after an answer breaks them.
const MAX_JOINING: usize = 8;
/// The number of residuals that read one letter for a unit of work.
const LETTERS_READ: usize = 4;

/// The laws in the form that the search for words reads.
pub(super) struct Questions<'a> {
    pub vocabulary: &'a Vocabulary,
    pub arena: NnfArena,
    pub budget: Budget,
    ltlf_sat: LtlfSat,
}

impl<'a> Questions<'a> {
    pub fn new(vocabulary: &'a Vocabulary) -> Self {
        let ltlf_sat = LtlfSat::new(vocabulary, true);
        Self { vocabulary, arena: NnfArena::new(), budget: Budget::new(), ltlf_sat }
    }

    /// Interns the law with this index.
    pub fn add(&mut self, formula: &Formula, law: usize) -> Result<NodeId, ConsistencyError> {
        let unknown = |unknown| ConsistencyError::UnknownProposition { law, unknown };
        self.arena.add(formula, self.vocabulary).map_err(unknown)
    }

    /// Interns the law with this index for runs, whose letter 0 has no action: as it reads at later letters, and there.
    pub fn add_at_letter_zero(&mut self, formula: &Formula, law: usize) -> Result<(NodeId, NodeId), ConsistencyError> {
        let unknown = |unknown| ConsistencyError::UnknownProposition { law, unknown };
        self.arena.add_at_letter_zero(formula, self.vocabulary).map_err(unknown)
    }

    pub fn metered(&self) -> Metered<'_> {
        Metered { arena: &self.arena, budget: &self.budget }
    }

    /// Forgets earlier questions, whose laws would have to be decided along with the next one.
    pub fn forget(&mut self) {
        self.ltlf_sat = LtlfSat::new(self.vocabulary, true);
    }

    /// Searches for one word of at least one letter that satisfies all these residuals; `first` is its first action. A
    /// core consists of positions in `residuals`.
    ///
    /// The question begins with `always` alone. The residuals that an answer breaks join it, so the question stays
    /// small.
    pub fn ask(&mut self, always: &[&Residual], residuals: &[&Residual], first: Option<ActionId>) -> Answer {
        let mut asked: Vec<usize> = Vec::new();
        loop {
            if self.ltlf_sat.is_full() {
                self.forget();
            }
            let some: Vec<&Residual> = always.iter().copied().chain(asked.iter().map(|at| residuals[*at])).collect();
            let metered = Metered { arena: &self.arena, budget: &self.budget };
            match self.ltlf_sat.continuation(metered, &some, first) {
                Answer::Plan(word) => {
                    let joining = self.broken(residuals, &asked, &word);
                    if joining.is_empty() {
                        return Answer::Plan(word);
                    }
                    asked.extend(joining);
                }
                Answer::Unsat(core) => {
                    let place = |at: usize| asked.get(at.checked_sub(always.len())?).copied();
                    let mut places: Vec<usize> = core.into_iter().filter_map(place).collect();
                    places.sort_unstable();
                    return Answer::Unsat(places);
                }
                Answer::Unknown => return Answer::Unknown,
            }
        }
    }

    /// Drops residuals from a core until none is superfluous or the budget runs out.
    pub fn fewest(&mut self, always: &[&Residual], residuals: &[&Residual], core: Vec<usize>) -> Vec<usize> {
        minimal_subset(core, |fewer| {
            let some: Vec<&Residual> = fewer.iter().map(|at| residuals[*at]).collect();
            match self.budget.is_out() {
                false => match self.ask(always, &some, None) {
                    Answer::Unsat(core) => Some(core.into_iter().map(|at| fewer[at]).collect()),
                    Answer::Plan(_) | Answer::Unknown => None,
                },
                true => None,
            }
        })
    }

    /// Returns the positions of the first residuals not asked yet that a word breaks. A residual that cannot be decided
    /// counts as broken.
    fn broken(&self, residuals: &[&Residual], asked: &[usize], word: &[Letter]) -> Vec<usize> {
        self.budget.spend(1 + (residuals.len() * word.len() / LETTERS_READ) as u64);
        let keeps = |residual: &Residual| {
            let read = |residual: Residual, letter: &Letter| residual.progress(self.metered(), letter);
            word.iter().try_fold(residual.clone(), read).is_ok_and(|rest| rest.accepts())
        };
        let broken = (0..residuals.len()).filter(|at| !asked.contains(at) && !keeps(residuals[*at]));
        broken.take(MAX_JOINING).collect()
    }
}
