//! Whether a shield sees that an action is left, along a run that satisfies all laws: only then can such a run be made.

use std::sync::Arc;

use ltlcrit_verifier::{Enforcement, Law, Letter, Shield};

use super::options::CheckOptions;
use super::subjects::{Subject, Subjects};
use crate::diagnostic::{Code, Diagnostic, Severity};

impl Subjects<'_> {
    /// Lets a shield with the budget of a run decide along a word that satisfies all laws: a finding about the first letter
    /// after which it sees no action left.
    pub(super) fn undecided_along(&self, word: &[Letter], options: &CheckOptions) -> Option<Diagnostic> {
        // Names may stand in several books; all laws count alike.
        let named = |(at, law): (usize, &Subject<'_>)| Law::hard(at.to_string(), law.formula.clone(), "");
        let laws: Vec<Law> = self.all.iter().enumerate().map(named).collect();
        let vocabulary = Arc::new(self.vocabulary.clone());
        // A law that no shield takes is a finding of its own.
        let mut shield = Shield::new(vocabulary, laws, options.shield.clone()).ok()?;
        for (at, letters) in word.windows(2).enumerate() {
            // The word is that of a run.
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
