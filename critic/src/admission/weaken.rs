//! The one repair of a law that goes too far: a refusal names a state, and a literal excludes it.

use ltlcrit_laws::Evidence;
use ltlcrit_verifier::{Formula, PropId, PropSet, minimal_subset};

use super::{Gate, Judged, NotMade, Refusal};
use crate::cube::Cube;
use crate::law::Restriction;

/// The most literals that narrow a law.
const MAX_NARROWED: usize = 8;

/// A literal that narrows a law, and the refusal that it was added for.
#[derive(Clone, Debug)]
struct Narrowing {
    literal: (PropId, bool),
    because: String,
}

impl Gate<'_> {
    /// The law, with as few literals more as can be found that it takes to pass all checks; the error of the law as it is if it
    /// does not pass.
    pub(super) fn repaired(&self, judged: &Judged, evidence: &[Evidence]) -> Result<Judged, NotMade> {
        let Err(as_proposed) = self.judge_formula(judged, evidence) else { return Ok(judged.clone()) };
        let (mut counterexample, mut because) = (as_proposed.counterexample(), as_proposed.to_string());
        let mut colliding = self.guards_of(&as_proposed);
        let mut added: Vec<Narrowing> = Vec::new();
        for _ in 0..MAX_NARROWED {
            let narrower = self.with_literals(judged, &added);
            let literal = counterexample
                .and_then(|state| self.telling_literal(&narrower.restriction, &state, &colliding, evidence));
            let Some(literal) = literal else { break };
            added.push(Narrowing { literal, because });
            match self.judge_formula(&self.with_literals(judged, &added), evidence) {
                // A later literal may make an earlier one superfluous.
                Ok(()) => {
                    let passes = |some: &[Narrowing]| {
                        self.judge_formula(&self.with_literals(judged, some), evidence).is_ok().then(|| some.to_vec())
                    };
                    return Ok(self.with_literals(judged, &minimal_subset(added, passes)));
                }
                Err(not_made) => {
                    (counterexample, because) = (not_made.counterexample(), not_made.to_string());
                    colliding = self.guards_of(&not_made);
                }
            }
        }
        Err(as_proposed)
    }

    /// The observations in the conditions of the laws that a refusal names as colliding.
    fn guards_of(&self, not_made: &NotMade) -> PropSet {
        let NotMade::Refused(Refusal::OverConstrains { laws, .. }, _) = not_made else { return PropSet::EMPTY };
        let restrictions =
            self.known.iter().filter(|law| laws.contains(&law.id)).filter_map(|law| law.restriction.as_ref());
        let guards = restrictions.flat_map(Restriction::parts).map(|(part, _)| &part.guard);
        guards.flat_map(Formula::atoms).filter_map(|atom| self.vocabulary.id(&atom)).collect()
    }

    /// The law with more literals in its conditions.
    fn with_literals(&self, judged: &Judged, added: &[Narrowing]) -> Judged {
        if added.is_empty() {
            return judged.clone();
        }
        let formula = |one: &Narrowing| Cube::from_iter([one.literal]).formula(&self.vocabulary);
        let narrow = |restriction: Restriction, literal| restriction.narrowed(&literal, &self.vocabulary);
        let restriction = added.iter().map(formula).fold(judged.restriction.clone(), narrow);
        let restriction = restriction.with_guards(|guard| self.simplified(guard), &self.vocabulary);
        let reasons = added.iter().map(|one| format!("with {}, because without it {}", formula(one), one.because));
        let narrowed = judged.narrowed.iter().cloned().chain(reasons).collect();
        let formula = restriction.formula().unwrap_or_else(|| judged.formula.clone());
        Judged { formula, restriction, narrowed }
    }

    /// Returns a literal with which a law leaves a state alone, and still blocks something bad and applies before a cited
    /// step. It prefers observations that colliding laws speak of, and then the literal that keeps most of the support.
    /// `None` if there is no such literal.
    fn telling_literal(
        &self,
        law: &Restriction,
        alone: &PropSet,
        colliding: &PropSet,
        evidence: &[Evidence],
    ) -> Option<(PropId, bool)> {
        let cited = evidence.iter().filter_map(|cited| self.before(*cited));
        let cited: Vec<PropSet> = cited.filter(|state| law.applies(state, &self.vocabulary)).collect();
        let observations = (0..self.vocabulary.observations().len() as u16).map(PropId);
        let literals = observations.map(|prop| (prop, !alone.contains(prop)));
        let literals = literals.filter(|(prop, holds)| cited.iter().any(|state| state.contains(*prop) == *holds));
        let kept = |(prop, holds): (PropId, bool)| {
            let agrees = |state: &PropSet| state.contains(prop) == holds;
            let trials = self.runs.trials;
            trials.support(|state, action| agrees(state) && law.blocks(state, action, &self.vocabulary)).bad
        };
        let keeping = literals.map(|literal| (colliding.contains(literal.0), kept(literal), literal));
        let keeping = keeping.filter(|(_, kept, _)| *kept > 0.0);
        let best = keeping.rev().max_by(|one, other| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)));
        best.map(|(.., literal)| literal)
    }

    /// A conjunction of literals without those that others imply by the axioms; any other condition as it is.
    fn simplified(&self, condition: &Formula) -> Formula {
        let Some(cube) = Cube::read(condition, &self.vocabulary) else { return condition.clone() };
        let shorter = cube.without_implied(&self.vocabulary);
        if shorter == cube { condition.clone() } else { shorter.formula(&self.vocabulary) }
    }
}
