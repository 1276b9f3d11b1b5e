//! Exceptions: a law that left dead ends, narrowed to where none was.

use ltlcrit_laws::Evidence;

use super::{Gate, LawSource, Proposal};
use crate::cube::Cube;
use crate::law::{KnownLaw, Restriction};

/// The most steps that a law with an exception cites.
const MOST_CITED: usize = 3;

impl Gate<'_> {
    /// A law that left dead ends, with an exception for their states: a literal for each, with which it still blocks most of the
    /// bad trials that it blocks. `None` if there are no such literals, or if other laws block any of these trials by now.
    pub fn exception(&self, law: &KnownLaw, proposer: &str) -> Option<Proposal> {
        let mut restriction = law.restriction.clone()?;
        let mut literals = Vec::new();
        let wants = |restriction: &Restriction| {
            let mut wanted = self.runs.trials.wanted.iter();
            wanted
                .find(|wanted| restriction.blocks(&wanted.state, wanted.action, &self.vocabulary))
                .map(|block| block.state)
        };
        while let Some(state) = wants(&restriction) {
            let literal = self.telling_literal(&restriction, &state, &self.shown(&restriction))?;
            let literal = Cube::from_iter([literal]).formula(&self.vocabulary);
            restriction = restriction.narrowed(&literal, &self.vocabulary);
            literals.push(literal.to_string());
        }
        let evidence = self.shown(&restriction);
        let is_blocked = |cited: &Evidence| {
            let trial = self.trial(*cited);
            trial.is_some_and(|trial| {
                self.known.iter().any(|law| !law.on_trial && law.blocks(&trial.state, trial.action, &self.vocabulary))
            })
        };
        if literals.is_empty() || evidence.is_empty() || evidence.iter().any(is_blocked) {
            return None;
        }
        Some(Proposal {
            formula: restriction.formula()?.into(),
            explanation: format!(
                "{} Only with {}: elsewhere runs met dead ends.",
                law.explanation,
                literals.join(" & ")
            ),
            source: LawSource::Conflict,
            proposer: proposer.to_owned(),
            evidence: evidence.into_iter().take(MOST_CITED).collect(),
        })
    }

    /// The steps that show that a law is right.
    fn shown(&self, restriction: &Restriction) -> Vec<Evidence> {
        let shown = self.runs.trials.all.iter().filter(|trial| self.shows(trial, restriction));
        shown.map(|trial| Evidence::from(trial.step)).collect()
    }
}
