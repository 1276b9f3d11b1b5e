//! The actions that satisfy a demand, a Boolean formula over actions.

use crate::actions::ActionSet;
use crate::formula::Formula;
use crate::vocabulary::Vocabulary;

/// Returns the actions that satisfy a Boolean formula over actions, of which exactly one holds. `None` if it is over
/// anything else. Every subformula is visited once, independent of the number of actions.
pub(crate) fn demanded(demand: &Formula, vocabulary: &Vocabulary) -> Option<ActionSet> {
    use Formula::*;
    let all = ActionSet::first(vocabulary.actions().len());
    let go = |formula: &Formula| demanded(formula, vocabulary);
    Some(match demand {
        True => all,
        False => ActionSet::EMPTY,
        Atom(name) => ActionSet::one(vocabulary.action(name)?),
        Not(a) => all.difference(&go(a)?),
        And(a, b) => go(a)?.intersection(&go(b)?),
        Or(a, b) => go(a)?.union(&go(b)?),
        Implies(a, b) => all.difference(&go(a)?).union(&go(b)?),
        Xor(a, b) | Iff(a, b) => {
            let (a, b) = (go(a)?, go(b)?);
            let differ = a.union(&b).difference(&a.intersection(&b));
            if matches!(demand, Xor(..)) { differ } else { all.difference(&differ) }
        }
        _ => return None,
    })
}
