//! The four-valued verdict in a state of one law: by reachability over its own automaton, by search where that is too wide.

use crate::automaton::{Automaton, State};
use crate::closure::Closure;
use crate::residual::Residual;
use crate::satisfy::{Answer, Satisfier};
use crate::verdict::Verdict;
use crate::vocabulary::Vocabulary;

/// What one verdict may cost where the automaton is too wide to explore, in units of work. A decision that needs a
/// verdict pays for it, but does not cut it short: it is kept.
const WORK: u64 = 20_000;

/// The search for single laws, made when it is first needed.
pub(crate) struct Oracle {
    satisfier: Option<Box<Satisfier>>,
}

impl Oracle {
    pub fn new() -> Self {
        Self { satisfier: None }
    }

    /// The exact verdict; `None` where the bounds were hit.
    pub fn verdict(
        &mut self,
        automaton: &mut Automaton,
        closure: &mut Closure,
        state: State,
        vocabulary: &Vocabulary,
    ) -> Option<Verdict> {
        if let Some(verdict) = automaton.verdict(closure, state) {
            return Some(verdict);
        }
        let before = closure.meter.only(WORK);
        let verdict = self.search(automaton, closure, state, vocabulary);
        closure.meter.restore(before);
        verdict
    }

    fn search(
        &mut self,
        automaton: &mut Automaton,
        closure: &mut Closure,
        state: State,
        vocabulary: &Vocabulary,
    ) -> Option<Verdict> {
        if self.satisfier.as_ref().is_none_or(|satisfier| satisfier.is_full()) {
            self.satisfier = Some(Box::new(Satisfier::new(vocabulary, false)));
        }
        let satisfier = self.satisfier.as_mut()?;
        let residual = automaton.residual(state).clone();
        if !automaton.accepts(state) {
            let live = match satisfier.continuation(closure, &[&residual], None) {
                Answer::Plan(_) => true,
                Answer::Doomed(_) => false,
                Answer::Unknown => return None,
            };
            automaton.set_live(state, live);
            return Some(if live { Verdict::Pending } else { Verdict::Violated });
        }
        // The law can still be broken iff all atoms of some clause can.
        let clauses: Vec<Vec<_>> =
            residual.clauses().map(|clause| clause.iter().map(|atom| atom.id()).collect()).collect();
        let mut fallible = false;
        for clause in clauses {
            let broken: Vec<_> = clause.into_iter().map(|id| closure.negate(id)).collect();
            match satisfier.continuation(closure, &[&Residual::all_next(&broken)], None) {
                Answer::Plan(_) => {
                    fallible = true;
                    break;
                }
                Answer::Doomed(_) => {}
                Answer::Unknown => return None,
            }
        }
        automaton.set_fallible(state, fallible);
        Some(if fallible { Verdict::Clear } else { Verdict::Satisfied })
    }
}
