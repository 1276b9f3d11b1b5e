//! Narrowing of a law that goes too far, by one literal at a time.

use ltlcrit_laws::Evidence;
use ltlcrit_verifier::{PropId, PropSet, minimal_subset};

use super::{Gate, Judged, NotMade};
use crate::cube::Cube;
use crate::law::Restriction;

/// The most literals that narrow a law.
const MOST_NARROWED: usize = 8;

/// A literal that narrows a law, and the refusal that it was added for.
#[derive(Clone, Debug)]
struct Narrowing {
    literal: (PropId, bool),
    because: String,
}

impl Gate<'_> {
    /// The law narrowed until it passes all rules, by as few of the literals as can be found that it takes; the error of the law
    /// as it is if it does not pass.
    pub(super) fn narrowed_until_approved(&self, judged: &Judged, evidence: &[Evidence]) -> Result<Judged, NotMade> {
        let Err(as_proposed) = self.judge_formula(judged, evidence) else { return Ok(judged.clone()) };
        let mut counterexample = as_proposed.counterexample();
        let mut because = as_proposed.reason();
        let mut added: Vec<Narrowing> = Vec::new();
        for _ in 0..MOST_NARROWED {
            let narrower = self.with_literals(judged, &added);
            let literal =
                counterexample.and_then(|state| self.telling_literal(&narrower.restriction, &state, evidence));
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
                Err(not_made) => (counterexample, because) = (not_made.counterexample(), not_made.reason()),
            }
        }
        Err(as_proposed)
    }

    /// The law with more literals in its conditions.
    fn with_literals(&self, judged: &Judged, added: &[Narrowing]) -> Judged {
        if added.is_empty() {
            return judged.clone();
        }
        let literals = added.iter().map(|one| Cube::from_iter([one.literal]).formula(&self.vocabulary));
        let narrow = |restriction: Restriction, literal| restriction.narrowed(&literal, &self.vocabulary);
        let restriction = literals.fold(judged.restriction.clone(), narrow);
        let restriction = restriction.with_guards(|guard| self.simplified(guard), &self.vocabulary);
        let reasons = added.iter().map(|one| {
            let literal = Cube::from_iter([one.literal]).formula(&self.vocabulary);
            format!("with {literal}, because without it {}", one.because)
        });
        let narrowed = judged.narrowed.iter().cloned().chain(reasons).collect();
        let formula = restriction.formula().unwrap_or_else(|| judged.formula.clone());
        Judged { formula, restriction, narrowed }
    }

    /// A literal with which a law leaves a state alone and still blocks the action of some cited step that shows that it is
    /// right. Of such literals it is the first with which the law blocks most actions that were bad; `None` if there is no such
    /// literal.
    pub(super) fn telling_literal(
        &self,
        restriction: &Restriction,
        alone: &PropSet,
        evidence: &[Evidence],
    ) -> Option<(PropId, bool)> {
        let shown = evidence.iter().filter_map(|cited| self.trial(*cited));
        let shown: Vec<&PropSet> =
            shown.filter(|trial| self.shows(trial, restriction)).map(|trial| &trial.state).collect();
        let blocked = self.runs.trials.all.iter().filter(|trial| self.shows(trial, restriction));
        let blocked: Vec<&PropSet> = blocked.map(|trial| &trial.state).collect();
        let observations = (0..self.vocabulary.observations().len() as u16).map(PropId);
        let literals = observations.map(|prop| (prop, !alone.contains(prop)));
        let agrees = |state: &&&PropSet, (prop, holds): (PropId, bool)| state.contains(prop) == holds;
        let possible = literals.filter(|literal| shown.iter().any(|state| agrees(&state, *literal)));
        let still = |literal: (PropId, bool)| blocked.iter().filter(|state| agrees(state, literal)).count();
        possible.rev().max_by_key(|literal| still(*literal))
    }
}
