//! The four-valued verdict in a state of one law: by reachability over its own automaton, by search where that is too wide.

use crate::automaton::{self, Automaton, State};
use crate::ltlf_sat::{Answer, LtlfSat};
use crate::nnf::Metered;
use crate::residual::Residual;
use crate::verdict::Verdict;
use crate::vocabulary::Vocabulary;

/// Maximum cost of one verdict where the automaton is too wide to explore, in units of work. A decision that needs a
/// verdict pays for it, but does not cut it short: it is kept.
const WORK: u64 = 20_000;
/// Maximum cost of one verdict altogether, without the last transition of each way of finding it.
pub(crate) const MAX_WORK: u64 = automaton::MAX_WORK + WORK;

/// The exact verdict; `None` where the bounds were hit. It depends on the state alone, not on what was asked before.
pub(crate) fn verdict(
    automaton: &mut Automaton,
    arena: Metered<'_>,
    state: State,
    vocabulary: &Vocabulary,
) -> Option<Verdict> {
    if let Some(verdict) = automaton.verdict(arena, state) {
        return Some(verdict);
    }
    let (before, begun) = (arena.budget.only(WORK), arena.budget.spent());
    let verdict = search(automaton, arena, state, vocabulary);
    automaton.add_verdict_cost(state, arena.budget.spent() - begun);
    arena.budget.restore(before);
    verdict
}

fn search(automaton: &mut Automaton, arena: Metered<'_>, state: State, vocabulary: &Vocabulary) -> Option<Verdict> {
    let mut ltlf_sat = LtlfSat::new(vocabulary, false);
    let residual = automaton.residual(state).clone();
    if !automaton.accepts(state) {
        let live = match ltlf_sat.continuation(arena, &[&residual], None) {
            Answer::Plan(_) => true,
            Answer::Unsat(_) => false,
            Answer::Unknown => return None,
        };
        automaton.set_live(state, live);
        return Some(if live { Verdict::Pending } else { Verdict::Violated });
    }
    // The law can still be broken iff all atoms of some clause can.
    let clauses: Vec<Vec<_>> = residual.clauses().map(|clause| clause.iter().map(|atom| atom.id()).collect()).collect();
    let mut falsifiable = false;
    for clause in clauses {
        let broken = clause.into_iter().map(|id| arena.negation(id)).collect::<Option<Vec<_>>>()?;
        match ltlf_sat.continuation(arena, &[&Residual::all_next(&broken).remembering(&residual)], None) {
            Answer::Plan(_) => {
                falsifiable = true;
                break;
            }
            Answer::Unsat(_) => {}
            Answer::Unknown => return None,
        }
    }
    automaton.set_falsifiable(state, falsifiable);
    Some(if falsifiable { Verdict::Clear } else { Verdict::Satisfied })
}
