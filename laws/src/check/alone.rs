//! Laws that change nothing: vacuous ones, and those that others imply.

use std::sync::Arc;

use ltlcrit_verifier::consistency::{Beginning, Satisfiability, Vacuous, satisfiable};
use ltlcrit_verifier::monitor::Monitor;
use ltlcrit_verifier::{Formula, Verdict};

use super::{CheckOptions, Checked, Finding, FindingKind, Report, Severity};

impl Checked<'_> {
    pub(super) fn find_vacuous(&mut self, options: &CheckOptions, report: &mut Report) {
        for (position, index) in self.of_form.clone().into_iter().enumerate() {
            let subject = &self.subjects[index];
            match self.system.vacuous(position) {
                Ok(None) => {}
                Ok(Some(why)) => {
                    let (message, help) = match why {
                        Vacuous::GuardNeverHolds => (
                            "the guard holds in no state that the vocabulary's axioms allow: the law never applies",
                            "correct the guard or retire the law",
                        ),
                        Vacuous::DemandsNothing => (
                            "every action satisfies the demand: the law blocks nothing",
                            "correct the demand or retire the law",
                        ),
                    };
                    let mut finding = subject.finding(Severity::Warning, FindingKind::Vacuous, message.to_owned());
                    finding.help = Some(help.to_owned());
                    report.findings.push(finding);
                }
                Err(error) => report.findings.push(undecided(subject.finding(
                    Severity::Error,
                    FindingKind::Undecided,
                    error.to_string(),
                ))),
            }
        }
        for subject in self.subjects.iter().filter(|subject| subject.form.is_err()) {
            let vocabulary = Arc::new(self.vocabulary.clone());
            let always =
                Monitor::new(subject.formula, vocabulary).is_ok_and(|monitor| monitor.verdict() == Verdict::Satisfied);
            let alone =
                satisfiable(self.vocabulary, std::slice::from_ref(subject.formula), Beginning::AnyAction, options.work);
            if always {
                let message = "every run satisfies it: the law blocks nothing".to_owned();
                report.findings.push(subject.finding(Severity::Warning, FindingKind::Vacuous, message));
            } else if matches!(alone, Ok(Satisfiability::Contradictory { .. })) {
                let message = "no run can satisfy it".to_owned();
                report.findings.push(subject.finding(Severity::Error, FindingKind::Vacuous, message));
            }
        }
    }

    /// A hard law counts as implied only by hard laws: the soft ones are set aside where they over-constrain.
    pub(super) fn find_implied(&mut self, options: &CheckOptions, report: &mut Report) {
        let mut by_law: Vec<Option<Vec<usize>>> = vec![None; self.subjects.len()];
        let mut exceeded = Vec::new();
        for (position, index) in self.of_form.clone().into_iter().enumerate() {
            // A vacuous law is implied by nothing at all; it was reported as vacuous.
            if !matches!(self.system.vacuous(position), Ok(None)) {
                continue;
            }
            let among: Vec<bool> = self
                .of_form
                .iter()
                .map(|other| self.subjects[*other].is_hard() || !self.subjects[index].is_hard())
                .collect();
            match self.system.implied_by(position, &among) {
                Ok(Some(by)) => by_law[index] = Some(by.into_iter().map(|law| self.of_form[law]).collect()),
                // Laws of general form may imply it.
                Ok(None) if self.of_form.len() < self.subjects.len() => by_law[index] = self.implying(index, options),
                Ok(None) => {}
                Err(error) => exceeded.push((index, error.to_string())),
            }
        }
        for index in (0..self.subjects.len()).filter(|index| self.subjects[*index].form.is_err()) {
            by_law[index] = self.implying(index, options);
        }
        for (index, why) in exceeded {
            report.findings.push(undecided(self.subjects[index].finding(Severity::Error, FindingKind::Undecided, why)));
        }
        for (index, by) in by_law.iter().enumerate() {
            let Some(by) = by.as_ref().filter(|by| !by.is_empty()) else { continue };
            // Of two laws that say the same, the second is the superfluous one.
            let twin = |other: usize| by_law[other].as_ref().is_some_and(|back| *back == [index]);
            let same = by.len() == 1 && twin(by[0]);
            if same && by[0] > index {
                continue;
            }
            let names: Vec<String> = by.iter().map(|law| format!("`{}`", self.subjects[*law].entry.id)).collect();
            let message = match (same, names.as_slice()) {
                (true, [one]) => format!("it says the same as {one}"),
                (false, [one]) => format!("it is implied by {one}"),
                _ => format!("it is implied by {} together", names.join(", ")),
            };
            let mut finding = self.subjects[index].finding(Severity::Warning, FindingKind::Implied, message);
            finding.laws = by.iter().map(|law| self.subjects[*law].law_ref()).collect();
            finding.help = Some("retire it, or say what it is to add".to_owned());
            report.findings.push(finding);
        }
    }

    /// Laws of any form that imply this one: with them in force and it broken, no run can do anything.
    fn implying(&self, index: usize, options: &CheckOptions) -> Option<Vec<usize>> {
        let subject = &self.subjects[index];
        let others: Vec<usize> = (0..self.subjects.len())
            .filter(|other| *other != index && (self.subjects[*other].is_hard() || !subject.is_hard()))
            .collect();
        let mut question: Vec<Formula> = others.iter().map(|other| self.subjects[*other].formula.clone()).collect();
        question.push(subject.formula.clone().not());
        match satisfiable(self.vocabulary, &question, Beginning::AnyAction, options.work) {
            Ok(Satisfiability::Contradictory { laws }) if laws.contains(&others.len()) => {
                Some(laws.into_iter().filter_map(|law| others.get(law).copied()).collect())
            }
            _ => None,
        }
    }
}

pub(super) fn undecided(mut finding: Finding) -> Finding {
    finding.help = Some("simplify the law: what cannot be decided is not relied on".to_owned());
    finding
}
