//! Finds laws that judge an action by observations of its own letter.

use ltlcrit_verifier::before_and_after::SameLetter;

use super::report::Report;
use super::subjects::Subjects;
use crate::diagnostic::{Code, Severity};

impl Subjects<'_> {
    /// Finds laws that judge an action by its own outcome, and suggests the equivalent law about the previous letter.
    pub(super) fn find_same_letter(&self, report: &mut Report) {
        for law in &self.all {
            // An unknown proposition has already been reported.
            let Ok(Some(found)) = SameLetter::find(law.formula, self.vocabulary) else { continue };
            let actions: Vec<String> =
                found.actions(self.vocabulary).iter().map(|action| format!("`{action}`")).collect();
            let message = format!(
                "it judges {} by what is observed after it: where that is not predicted, the action is allowed and the law \
                 reported broken afterwards",
                actions.join(", ")
            );
            let help = match found.meant {
                Some(meant) => format!("to judge the action by what holds before it, write `{meant}`"),
                None => {
                    "to judge the action by what holds before it, let the law read the observations one letter earlier"
                        .to_owned()
                }
            };
            report.findings.push(law.diagnostic(Severity::Warning, Code::SameLetter, message).help(help));
        }
    }
}
