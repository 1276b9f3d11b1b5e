//! Questions for one finite continuation that satisfies all laws.

use crate::budget::Budget;
use crate::consistency::ConsistencyError;
use crate::formula::Formula;
use crate::letter::Letter;
use crate::ltlf_sat::{self, LtlfSat};
use crate::nnf::{Metered, NnfArena, NodeId, accepts_empty};
use crate::residual::Residual;
use crate::vocabulary::{ActionId, Vocabulary};

/// Maximum number of residuals that join the question at once after an answer breaks them.
const MAX_JOINING: usize = 8;
/// The cost of reading one letter by one law, in units of work.
const LETTER_READ: usize = 4;

/// The laws in the form that the search for continuations reads.
pub(super) struct Questions<'a> {
    pub vocabulary: &'a Vocabulary,
    pub arena: NnfArena,
    pub budget: &'a Budget,
    pub nodes: Vec<NodeId>,
    /// The residual of each law before any letter. A one-step law demands it if none of its guards holds.
    pub initial: Vec<Residual>,
    ltlf_sat: LtlfSat,
}

/// A continuation of at least one letter, the first of which does not stop.
pub(super) enum Answer {
    Word(Vec<Letter>),
    /// There is no continuation; the residuals at these positions suffice for that.
    None(Vec<usize>),
    Unknown,
}

impl<'a> Questions<'a> {
    pub fn new(vocabulary: &'a Vocabulary, laws: &[Formula], budget: &'a Budget) -> Result<Self, ConsistencyError> {
        let mut arena = NnfArena::new();
        let mut nodes = Vec::with_capacity(laws.len());
        for (law, formula) in laws.iter().enumerate() {
            let unknown = |unknown| ConsistencyError::UnknownProposition { law, unknown };
            nodes.push(arena.add(formula, vocabulary).map_err(unknown)?);
        }
        for node in &nodes {
            arena.negate(*node);
        }
        let initial = nodes.iter().zip(laws).map(|(node, law)| Residual::initial(*node, accepts_empty(law))).collect();
        let ltlf_sat = LtlfSat::new(vocabulary, true);
        Ok(Self { vocabulary, arena, budget, nodes, initial, ltlf_sat })
    }

    pub fn metered(&self) -> Metered<'_> {
        Metered { arena: &self.arena, budget: self.budget }
    }

    /// Searches for one continuation that satisfies all these residuals. The question begins without residuals. Those
    /// that an answer breaks join it, so the question stays small.
    pub fn ask(&mut self, residuals: &[Residual], first: Option<ActionId>) -> Answer {
        let mut asked: Vec<usize> = Vec::new();
        loop {
            if self.ltlf_sat.is_full() {
                self.ltlf_sat = LtlfSat::new(self.vocabulary, true);
            }
            let some: Vec<&Residual> = asked.iter().map(|place| &residuals[*place]).collect();
            let metered = Metered { arena: &self.arena, budget: self.budget };
            match self.ltlf_sat.continuation(metered, &some, first) {
                ltlf_sat::Answer::Plan(word) => {
                    let joining = self.broken(residuals, &asked, &word);
                    if joining.is_empty() {
                        return Answer::Word(word);
                    }
                    asked.extend(joining);
                }
                ltlf_sat::Answer::Unsat(core) => {
                    let mut places: Vec<usize> = core.into_iter().map(|at| asked[at]).collect();
                    places.sort_unstable();
                    return Answer::None(places);
                }
                ltlf_sat::Answer::Unknown => return Answer::Unknown,
            }
        }
    }

    /// Returns the positions of the first residuals not asked yet that a word breaks. A residual that cannot be decided
    /// counts as broken.
    fn broken(&self, residuals: &[Residual], asked: &[usize], word: &[Letter]) -> Vec<usize> {
        self.budget.spend(1 + (residuals.len() * word.len() * LETTER_READ) as u64);
        let keeps = |residual: &Residual| {
            let mut residual = residual.clone();
            for letter in word {
                match residual.progress(self.metered(), letter) {
                    Ok(next) => residual = next,
                    Err(_) => return false,
                }
            }
            residual.accepts()
        };
        let broken = (0..residuals.len()).filter(|place| !asked.contains(place) && !keeps(&residuals[*place]));
        broken.take(MAX_JOINING).collect()
    }
}
