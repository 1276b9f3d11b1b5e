//! The possible letters of a run of which only some propositions are known.

use rustc_hash::FxHashMap;

use crate::axioms::Axioms;
use crate::budget::Budget;
use crate::letter::{Letter, PropSet};
use crate::vocabulary::{PropId, Vocabulary};

/// The cost of asking the solver whether the axioms allow some observations, in units of work.
const AXIOMS_COST: u64 = 25;
/// The number of letters made for a unit of work.
const MADE: u64 = 8;

/// The error that the bounds were exceeded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopped;

/// The possible letters of a step that agree with the real one on some propositions.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Cube {
    /// The number of laws that read the letters. Laws begin one after the other, so the number identifies them.
    pub readers: usize,
    pub is_first: bool,
    pub read: PropSet,
    pub fixed: PropSet,
    /// The fixed propositions that hold.
    pub present: PropSet,
}

/// Enumerates letters that satisfy the axioms and have exactly one action, or no action in the first letter of a run.
/// The action is never `action_stop`: no letter follows it.
pub(crate) struct PossibleLetters<'a> {
    vocabulary: &'a Vocabulary,
    /// Created at the first use.
    axioms: Option<Axioms>,
    /// True if the axioms allow these observations (the second set) among those read (the first set).
    allowed: FxHashMap<(PropSet, PropSet), bool>,
}

impl<'a> PossibleLetters<'a> {
    pub fn new(vocabulary: &'a Vocabulary) -> Self {
        Self { vocabulary, axioms: None, allowed: FxHashMap::default() }
    }

    /// Returns the letters of a cube, restricted to the propositions that it reads.
    pub fn agreeing(&mut self, budget: &Budget, cube: &Cube) -> Result<Vec<Letter>, Stopped> {
        let observed = cube.read.intersection(&PropSet::first(self.vocabulary.observations().len()));
        let free: Vec<PropId> = observed.difference(&cube.fixed).iter().collect();
        let count = u32::try_from(free.len()).ok().and_then(|free| 1u64.checked_shl(free)).unwrap_or(u64::MAX);
        let actions = self.actions(&cube.read.difference(&observed), cube);
        if !budget.try_spend(1 + count.saturating_mul(actions.len() as u64) / MADE) {
            return Err(Stopped);
        }
        let mut letters = Vec::new();
        for code in 0..count {
            let mut observations = cube.present.intersection(&observed);
            free.iter()
                .enumerate()
                .filter(|(bit, _)| code >> bit & 1 == 1)
                .for_each(|(_, &id)| observations.insert(id));
            if self.allows(budget, &observed, &observations) {
                letters.extend(actions.iter().map(|action| Letter(observations.union(action))));
            }
        }
        Ok(letters)
    }

    /// Returns the possible actions of a letter, restricted to the actions that are read.
    fn actions(&self, read: &PropSet, cube: &Cube) -> Vec<PropSet> {
        let taken = read.intersection(&cube.present);
        if !taken.is_empty() {
            return vec![taken];
        }
        if cube.is_first {
            return vec![PropSet::EMPTY];
        }
        let stop = self.vocabulary.stop();
        let goes_on = |action: &PropId| self.vocabulary.as_action(*action) != stop;
        let mut choices: Vec<PropSet> = read.difference(&cube.fixed).iter().filter(goes_on).map(PropSet::one).collect();
        let mut all = self.vocabulary.action_ids().map(|action| self.vocabulary.action_prop(action)).filter(goes_on);
        if all.any(|action| !read.contains(action)) {
            choices.push(PropSet::EMPTY);
        }
        choices
    }

    fn allows(&mut self, budget: &Budget, observed: &PropSet, observations: &PropSet) -> bool {
        if self.vocabulary.axioms().is_empty() {
            return true;
        }
        if let Some(&known) = self.allowed.get(&(*observed, *observations)) {
            return known;
        }
        budget.spend(AXIOMS_COST);
        let axioms = self.axioms.get_or_insert_with(|| Axioms::new(self.vocabulary));
        let fixed: Vec<PropId> = observed.iter().collect();
        let allowed = !axioms.forbid(&fixed, &Letter(*observations));
        self.allowed.insert((*observed, *observations), allowed);
        allowed
    }
}
