//! Consistency of laws `G(phi_s -> X phi_a)`: whether *any* state is over-constrained, that is, has no action but
//! stopping.
//!
//! An action is blocked or not depending on the current observations alone, so this is a propositional question. Is
//! there an assignment of the observations that satisfies the vocabulary's axioms and blocks every action but
//! `action_stop`? An action is blocked if some law whose guard holds forbids it. A SAT solver returns a witness state
//! and a minimal conflict, or a proof that there is no such state. LTLCrit's theorem 1 assumes such a proof; its own
//! books do not have it.
//!
//! ```
//! use ltlcrit_verifier::consistency::{Consistency, check};
//! use ltlcrit_verifier::{Formula, GuardedLaw, Vocabulary};
//!
//! let vocabulary = Vocabulary::builder("demo").observations(["dark", "cold"]).actions(["walk", "rest"]).build()?;
//! let law = |s: &str, a: &str| GuardedLaw { guard: Formula::atom(s), demand: Formula::atom(a) };
//!
//! // In the dark, rest; in the cold, walk: in a cold night no action is left.
//! let Consistency::OverConstrained(conflict) = check(&vocabulary, &[law("dark", "rest"), law("cold", "walk")])? else {
//!     panic!("it is over-constrained")
//! };
//! assert_eq!(vocabulary.names(&conflict.witness), ["dark", "cold"]);
//! assert_eq!(conflict.laws, [0, 1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`every_state`] decides the same for laws of any form, by search within a budget.
//!
//! The answers are about *all* states that the axioms allow, reachable or not. Observations that no axiom excludes may
//! still never occur in a world; a witness says which ones would have to. If no run can reach a witness, declare the
//! invariant that excludes it as an axiom, with its reason. The proofs are then as true as the axiom: check each state
//! that a world shows by [`Vocabulary::broken_axiom`].

mod book_sat;
mod conflicts;
mod encoding;
mod error;
mod every_state;
mod findings;
mod implied;
mod questions;
mod rule;
#[cfg(test)]
mod tests;

pub use book_sat::{AnyLaws, Beginning, DEFAULT_WORK, Implication, Satisfiability, satisfiable};
use encoding::Encoding;
pub use error::ConsistencyError;
pub use every_state::{EveryState, Open, Stuck, every_state};
pub use findings::{Finding, check_laws};
use rule::Rule;
use serde::{Deserialize, Serialize};

use crate::actions::ActionSet;
use crate::budget::Budget;
use crate::guarded::GuardedLaw;
use crate::letter::PropSet;
use crate::vocabulary::{ActionId, Vocabulary};

/// The default budget of the SAT solver for one question, in conflicts of its own. All questions together may use
/// twenty times as many.
///
/// Books of people and critics need a few hundred. A question that needs more is undecided, never "consistent".
pub const DEFAULT_BUDGET: u64 = 10_000;

/// An over-constrained state and laws that over-constrain it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    /// The observations that hold in the state. No proper subset of them is a state that these laws over-constrain.
    pub witness: PropSet,
    /// Indices of laws that together forbid every action but stopping there. Minimal: no proper subset of them
    /// over-constrains any state.
    pub laws: Vec<usize>,
}

/// The answer to whether laws leave an action but stopping in every state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Consistency {
    /// Proven: every state that satisfies the axioms has an action left.
    Consistent,
    /// An over-constrained state, with the laws in conflict.
    OverConstrained(Conflict),
    /// The budget ran out; to be treated as over-constrained.
    Undecided,
}

/// The distinct minimal conflicts of a set of laws.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conflicts {
    /// The conflicts, smallest first, no two with the same laws.
    pub conflicts: Vec<Conflict>,
    /// True if these are proved to be all.
    pub complete: bool,
}

/// The reason why a law has no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Vacuous {
    /// The guard holds in no state that satisfies the axioms.
    GuardNeverHolds,
    /// The demand allows every action.
    DemandsNothing,
}

/// Decides whether any state is over-constrained by these laws, with the default budget.
///
/// # Errors
/// The vocabulary has no actions, or the guard or demand of a law is not over it.
pub fn check(vocabulary: &Vocabulary, laws: &[GuardedLaw]) -> Result<Consistency, ConsistencyError> {
    let laws: Vec<Vec<GuardedLaw>> = laws.iter().map(|law| vec![law.clone()]).collect();
    LawSystem::new(vocabulary, &laws, DEFAULT_BUDGET)?.check()
}

/// Laws and a vocabulary, compiled for the solver for any number of questions.
///
/// A law is a list of guarded laws, all of which hold ([`crate::guarded::recognise_all`]). Answers contain indices into
/// the list of laws given to [`LawSystem::new`].
#[derive(Debug)]
pub struct LawSystem<'a> {
    vocabulary: &'a Vocabulary,
    rules: Vec<Rule>,
    /// The index of each law's first rule; one entry more than there are laws.
    starts: Vec<usize>,
    law_count: usize,
    budget: u64,
    encoding: Encoding,
    /// The work on questions about single laws.
    work: Budget,
}

/// Maximum cost of one question about a single law, in units of work.
const QUESTION: u64 = 50_000_000;

impl<'a> LawSystem<'a> {
    /// Compiles laws; `budget` is the maximum number of conflicts of the solver for one question.
    ///
    /// # Errors
    /// The vocabulary has no actions, or the guard or demand of a law is not over it.
    pub fn new(vocabulary: &'a Vocabulary, laws: &[Vec<GuardedLaw>], budget: u64) -> Result<Self, ConsistencyError> {
        let stop = vocabulary.stop();
        if vocabulary.action_ids().all(|action| Some(action) == stop) {
            return Err(ConsistencyError::NoActions(vocabulary.name().to_owned()));
        }
        let mut rules: Vec<Rule> = Vec::new();
        for (law, guarded) in laws.iter().enumerate().flat_map(|(law, all)| all.iter().map(move |one| (law, one))) {
            for (part, formula, over) in
                [("guard", &guarded.guard, "observations"), ("demand", &guarded.demand, "actions")]
            {
                let fits = |id| vocabulary.is_observation(id) == (over == "observations");
                let known = formula.atoms().iter().all(|atom| vocabulary.id(atom).is_some_and(fits));
                if !(known && formula.is_boolean()) {
                    let (formula, vocabulary) = (formula.to_string(), vocabulary.name().to_owned());
                    return Err(ConsistencyError::BadPart { law, part, formula, over, vocabulary });
                }
            }
            let allows = guarded.allows(vocabulary);
            let blocks = ActionSet::first(vocabulary.actions().len()).difference(&allows);
            rules.push(Rule::new(law, guarded.guard.clone(), blocks, vocabulary));
        }
        let encoding = Encoding::new(vocabulary, laws.len(), &rules, budget);
        let starts = (0..=laws.len()).map(|law| rules.partition_point(|rule| rule.law < law)).collect();
        Ok(Self { vocabulary, rules, starts, law_count: laws.len(), budget, encoding, work: Budget::new() })
    }

    /// Returns the actions that these laws allow in a state, `action_stop` included. It does not use the solver.
    pub fn allowed_at(&self, observations: &PropSet) -> Vec<ActionId> {
        let active = self.active_at(observations);
        let blocked = active.iter().fold(ActionSet::EMPTY, |all, rule| all.union(&self.rules[*rule].blocks));
        self.vocabulary.action_ids().filter(|action| !blocked.contains(*action)).collect()
    }

    /// Returns a set of laws, none of them superfluous, that together leave only stopping in this state. `None` if
    /// another action is left. It does not use the solver.
    pub fn conflict_at(&self, observations: &PropSet) -> Option<Vec<usize>> {
        self.cover(observations, &vec![true; self.law_count])
    }

    /// Returns the reason why a law has no effect; `None` if it blocks some action in some state.
    ///
    /// # Errors
    /// [`ConsistencyError::Budget`].
    pub fn vacuous(&mut self, law: usize) -> Result<Option<Vacuous>, ConsistencyError> {
        let _before = self.work.only(QUESTION);
        let blocking = |rule: &usize| !self.rules[*rule].blocks.is_empty();
        let rules: Vec<usize> = self.rows_of(law).filter(blocking).collect();
        if rules.is_empty() {
            return Ok(Some(Vacuous::DemandsNothing));
        }
        for rule in rules {
            if self.covering(rule, &[])?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(Vacuous::GuardNeverHolds))
    }

    /// Returns the cost of questions about single laws ([`Self::vacuous`], [`Self::implied_by`]) so far, in units of
    /// work.
    pub fn work(&self) -> u64 {
        self.work.spent()
    }

    /// Counts work on a question about a single law.
    fn spend(&self, work: u64) -> Result<(), ConsistencyError> {
        if self.work.try_spend(work) { Ok(()) } else { Err(ConsistencyError::Budget(self.budget)) }
    }

    fn rows_of(&self, law: usize) -> std::ops::Range<usize> {
        self.starts[law]..self.starts[law + 1]
    }

    /// Returns whether any state satisfies the vocabulary's axioms; if none does, every answer is vacuous.
    ///
    /// # Errors
    /// [`ConsistencyError::Budget`].
    pub fn axioms_are_satisfiable(&mut self) -> Result<bool, ConsistencyError> {
        self.encoding.axioms_are_satisfiable()
    }

    fn active_at(&self, observations: &PropSet) -> Vec<usize> {
        (0..self.rules.len()).filter(|rule| self.rules[*rule].applies(self.vocabulary, observations)).collect()
    }
}
