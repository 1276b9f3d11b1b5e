//! Finds satisfying runs along which the shield cannot decide.

use std::sync::Arc;

use ltlcrit_verifier::{Enforcement, Law, Letter, Shield};

use super::options::CheckOptions;
use super::subjects::{Subject, Subjects};
use crate::diagnostic::{Code, Diagnostic, Severity};

impl Subjects<'_> {
    /// Runs a shield with the budget of a run along a word that satisfies all laws. Returns a finding about the first
    /// letter after which the shield finds no allowed action.
    pub(super) fn undecided_along(&self, word: &[Letter], options: &CheckOptions) -> Option<Diagnostic> {
        // Several books may use the same id; the strength of a law does not matter here.
        let named = |(at, law): (usize, &Subject<'_>)| Law::hard(at.to_string(), law.formula.clone(), "");
        let laws: Vec<Law> = self.all.iter().enumerate().map(named).collect();
        let vocabulary = Arc::new(self.vocabulary.clone());
        // A law that exceeds the shield's bounds has a finding of its own.
        let mut shield = Shield::new(vocabulary, laws, options.shield.clone()).ok()?;
        for (at, letters) in word.windows(2).enumerate() {
            // Letter 0 starts the run; each later letter is a step.
            match letters[0].taken(self.vocabulary) {
                Some((action, observations)) if at > 0 => shield.step(action, observations).ok()?,
                _ => shield.start(letters[0].0).ok()?,
            };
            let decision = shield.decide();
            let only_stops = letters[1].action(self.vocabulary) == self.vocabulary.stop();
            if decision.enforcement == Enforcement::All || only_stops {
                continue;
            }
            let message = format!(
                "some run satisfies all laws together, but after letter {at} of one a shield does not see within its \
                 budget that any action is left; a run may end there as undecided"
            );
            let mut finding = Diagnostic::new(Severity::Warning, Code::Undecided, message)
                .help("retire or simplify some of the laws");
            if let Enforcement::Undecided { laws, .. } = decision.enforcement {
                let numbers = laws.iter().filter_map(|law| law.parse::<usize>().ok());
                finding.laws = numbers.filter_map(|at| Some(self.all.get(at)?.law_ref())).collect();
            }
            return Some(finding);
        }
        None
    }
}
