//! The shield of a run: makes it, lets it read steps, and words its enforcement.

use std::sync::Arc;

use ltlcrit_verifier::consistency::{Beginning, DEFAULT_WORK, Satisfiability, satisfiable};
use ltlcrit_verifier::shield::ShieldError;
use ltlcrit_verifier::{
    ActionId, Enforcement, Fallback, Law, LawId, PropSet, RunFault, Shield, ShieldOptions, Vocabulary,
};

/// A shield over laws.
pub(crate) fn shield(vocabulary: &Arc<Vocabulary>, laws: Vec<Law>, fallback: Fallback) -> Result<Shield, ShieldError> {
    Shield::new(vocabulary.clone(), laws, ShieldOptions { fallback, ..ShieldOptions::default() })
}

/// Reads a step, with what its action passed through: the laws it violates, and those that owe something after it. A soft law that would have the run go on is
/// owed something when it stops; it is not violated, because at the goal it is not enforced.
///
/// # Errors
/// A step that no run takes.
pub(crate) fn read(
    shield: &mut Shield,
    action: ActionId,
    passed: &[PropSet],
    observations: PropSet,
) -> Result<(Vec<LawId>, Vec<LawId>), RunFault> {
    let (action, mut violations) = (shield.vocabulary().in_letters(action), Vec::new());
    for passed in passed {
        violations.extend(shield.go_through(action, *passed)?);
    }
    violations.extend(shield.step(action, observations)?);
    violations.sort_unstable();
    violations.dedup();
    let mut owed = shield.obligations();
    if shield.vocabulary().stop() == Some(action) {
        let is_stop = |law: &&Law| !law.is_hard() && violations.contains(&law.id) && !owed.contains(&law.id);
        let stops: Vec<LawId> = shield.laws().iter().filter(is_stop).map(|law| law.id.clone()).collect();
        owed.extend(stops);
        violations.retain(|law| !owed.contains(law));
    }
    Ok((violations, owed))
}

/// An enforcement as people are told of it. Where nothing is allowed because of a law that no run satisfies, that law is named
/// alone: the shield re-arms a law that was violated, and names the others that it then conflicts with.
pub(super) fn told(force: &Enforcement, laws: &[Law], vocabulary: &Vocabulary) -> Enforcement {
    let unsatisfiable = |id: &&LawId| {
        let formula = laws.iter().find(|law| law.id == **id).map(|law| law.formula.clone());
        let answer = formula.map(|it| satisfiable(vocabulary, &[it], Beginning::MoreThanStopping, DEFAULT_WORK));
        matches!(answer, Some(Ok(Satisfiability::Contradictory { .. })))
    };
    match force {
        Enforcement::Nothing { conflict, .. } => match conflict.iter().find(unsatisfiable) {
            Some(law) => Enforcement::Nothing { conflict: vec![law.clone()], minimal: true },
            None => force.clone(),
        },
        _ => force.clone(),
    }
}
