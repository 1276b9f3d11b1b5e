//! The memory of one law: its residuals, and the letters that lead from one to another.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::super::questions::Questions;
use super::open::{MAX_PROPOSITIONS, Open};
use crate::automaton::{Alphabet, Automaton, State};
use crate::formula::Formula;
use crate::guarded::StepLaw;
use crate::letter::{Letter, PropSet};
use crate::nnf::{NodeId, accepts_empty};
use crate::residual::Residual;
use crate::vocabulary::{PropId, Vocabulary};

/// The proof's form of one law.
pub(super) enum Kind {
    /// One-step laws, and their demand if none of their guards holds.
    Steps(Vec<StepLaw>, Residual),
    Memory(Box<Memory>),
}

/// Maximum number of states of a law that is explored.
const MAX_STATES: usize = 64;

/// The states of one law, all explored.
pub(super) struct Memory {
    automaton: Automaton,
    /// The propositions that the law mentions.
    pub props: Vec<PropId>,
    /// The next state for each state and code of a letter (bit `i` is the truth of proposition `i`). `None` if the
    /// letter is impossible: it has two actions, or ends the run.
    pub next: Vec<Vec<Option<State>>>,
    /// True for the states in which the law is broken for every continuation.
    pub broken: Vec<bool>,
}

impl Memory {
    /// Explores a law.
    pub fn explore(node: NodeId, law: &Formula, questions: &Questions<'_>) -> Result<Self, Open> {
        let vocabulary = questions.vocabulary;
        let alphabet = Arc::new(Alphabet::new(&questions.arena, node, vocabulary));
        let props: Vec<PropId> = alphabet.props.to_vec();
        if props.len() > MAX_PROPOSITIONS {
            return Err(Open::TooManyPropositions);
        }
        let mut automaton = Automaton::new(alphabet, node, accepts_empty(law));
        let letters: Vec<Option<Letter>> = (0..1usize << props.len())
            .map(|code| {
                let held = PropSet::coded(&props, code);
                let mut actions = held.iter().filter_map(|prop| vocabulary.as_action(prop));
                let can_come = match (actions.next(), actions.next()) {
                    (action, None) => action.is_none() || action != vocabulary.stop(),
                    _ => false,
                };
                can_come.then_some(Letter(held))
            })
            .collect();
        let mut next = Vec::new();
        while next.len() < automaton.len() {
            if automaton.len() > MAX_STATES {
                return Err(Open::TooManyMemories);
            }
            let state = next.len() as State;
            let mut row = Vec::with_capacity(letters.len());
            for letter in &letters {
                row.push(match letter {
                    None => None,
                    Some(letter) => {
                        if questions.budget.is_out() {
                            return Err(Open::OutOfBudget);
                        }
                        Some(automaton.step(questions.metered(), state, letter).map_err(|_| Open::TooIntricate)?)
                    }
                });
            }
            next.push(row);
        }
        let broken = (0..next.len() as State).map(|state| automaton.live(questions.metered(), state) == Some(false));
        let broken = broken.collect();
        Ok(Self { automaton, props, next, broken })
    }

    pub fn residual(&self, state: State) -> &Residual {
        self.automaton.residual(state)
    }

    /// Returns whether a word that begins in a state satisfies the law. An undecided word counts as violating.
    pub fn accepts(&mut self, questions: &Questions<'_>, mut state: State, word: &[Letter]) -> bool {
        for letter in word {
            match self.automaton.step(questions.metered(), state, letter) {
                Ok(next) => state = next,
                Err(_) => return false,
            }
        }
        self.automaton.accepts(state)
    }

    /// Returns whether in some state an action breaks the law with one outcome and not with another.
    pub fn is_broken_by_outcome(&self, vocabulary: &Vocabulary) -> bool {
        let actions: usize = self
            .props
            .iter()
            .enumerate()
            .filter(|(_, prop)| !vocabulary.is_observation(**prop))
            .map(|(at, _)| 1 << at)
            .sum();
        let is_broken = |state: State| self.broken.get(state as usize).copied().unwrap_or(false);
        (0..self.next.len()).filter(|state| !is_broken(*state as State)).any(|state| {
            // The actions of the letters, each with whether some outcome breaks the law.
            let outcomes = self.next[state].iter().enumerate();
            let seen: BTreeSet<(usize, bool)> =
                outcomes.filter_map(|(code, next)| Some((code & actions, is_broken((*next)?)))).collect();
            seen.iter().any(|(actions, breaks)| *breaks && seen.contains(&(*actions, false)))
        })
    }
}
