//! Finds hard laws that leave a run nothing to do.

use std::sync::Arc;

use ltlcrit_verifier::consistency::{Beginning, Consistency, LawSystem, Satisfiability, satisfiable};
use ltlcrit_verifier::guarded::recognise_all;
use ltlcrit_verifier::law::Law;
use ltlcrit_verifier::{Formula, GuardedLaw, Vocabulary};

/// Hard laws that leave no action other than stopping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HardConflict {
    /// A minimal set of such laws.
    pub laws: Vec<Arc<str>>,
    /// The observations that hold in such a state; `None` if no run can begin, whatever holds.
    pub state: Option<Vec<String>>,
}

/// The budget did not suffice to decide the question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Undecided;

/// The units of work that one conflict of the solver counts as.
const CONFLICT_COST: u64 = 1_000;

/// Finds hard laws that over-constrain a state or contradict each other. Each of the two questions has the budget
/// `work`.
///
/// # Errors
/// [`Undecided`] if the budget does not suffice.
pub(super) fn hard_conflict(
    laws: &[Law],
    vocabulary: &Vocabulary,
    work: u64,
) -> Result<Option<HardConflict>, Undecided> {
    let hard: Vec<&Law> = laws.iter().filter(|law| law.is_hard()).collect();
    let (of_form, guarded): (Vec<&Law>, Vec<Vec<GuardedLaw>>) =
        hard.iter().filter_map(|law| Some((*law, recognise_all(&law.formula, vocabulary).ok()?))).unzip();
    let ids = |laws: &[&Law], which: &[usize]| which.iter().map(|law| laws[*law].id.clone()).collect();
    // A shield has accepted the vocabulary and the laws; a question that cannot be built counts as undecided.
    let mut system = LawSystem::new(vocabulary, &guarded, work / CONFLICT_COST).map_err(|_| Undecided)?;
    match system.check().map_err(|_| Undecided)? {
        Consistency::Consistent => {}
        Consistency::OverConstrained(conflict) => {
            let state = vocabulary.names(&conflict.witness).into_iter().map(str::to_owned).collect();
            return Ok(Some(HardConflict { laws: ids(&of_form, &conflict.laws), state: Some(state) }));
        }
        Consistency::Undecided => return Err(Undecided),
    }
    let formulas: Vec<Formula> = hard.iter().map(|law| law.formula.clone()).collect();
    match satisfiable(vocabulary, &formulas, Beginning::MoreThanStopping, work).map_err(|_| Undecided)? {
        Satisfiability::Satisfiable { .. } => Ok(None),
        Satisfiability::Contradictory { laws } => Ok(Some(HardConflict { laws: ids(&hard, &laws), state: None })),
        Satisfiability::Undecided => Err(Undecided),
    }
}

#[cfg(test)]
mod tests {
    use ltlcrit_verifier::consistency::DEFAULT_WORK;
    use ltlcrit_verifier::syntax;
    use ltlcrit_worlds::World as _;
    use ltlcrit_worlds::corridor::corridor;

    use super::*;

    fn found(laws: &[(&str, bool, &str)]) -> Option<HardConflict> {
        let law = |(id, is_hard, formula): &(&str, bool, &str)| {
            let formula = syntax::parse(formula).unwrap();
            if *is_hard { Law::hard(*id, formula, "e") } else { Law::soft(*id, formula, "e") }
        };
        hard_conflict(&laws.iter().map(law).collect::<Vec<_>>(), &corridor(3).vocabulary(), DEFAULT_WORK).unwrap()
    }

    #[test]
    fn without_work_nothing_is_decided() {
        let laws = [Law::hard("a", syntax::parse("F action_wait").unwrap(), "e")];
        assert_eq!(hard_conflict(&laws, &corridor(3).vocabulary(), 0), Err(Undecided));
    }

    #[test]
    fn states_and_contradictions_are_found_among_hard_laws_alone() {
        assert_eq!(found(&[]), None);
        assert_eq!(found(&[("a", true, "G(at_1 -> X action_left)"), ("b", true, "G(at_2 -> X action_right)")]), None);
        let conflict = [("a", "G(at_1 -> X action_left)"), ("b", "G(at_1 -> X !action_left)")];
        let of = |hard: [bool; 2]| found(&[0, 1].map(|at| (conflict[at].0, hard[at], conflict[at].1)));
        let both: Vec<Arc<str>> = vec!["a".into(), "b".into()];
        assert_eq!(of([true, true]), Some(HardConflict { laws: both.clone(), state: Some(vec!["at_1".to_owned()]) }));
        assert_eq!(of([true, false]), None);
        let found = found(&[("a", true, "F action_wait"), ("c", true, "F at_1"), ("b", true, "G !action_wait")]);
        assert_eq!(found, Some(HardConflict { laws: both, state: None }));
    }
}
