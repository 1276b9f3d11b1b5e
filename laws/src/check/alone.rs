//! Laws that change nothing: vacuous ones, and those that others imply.

use std::sync::Arc;

use ltlcrit_verifier::consistency::{AnyLaws, Beginning, Implication, Satisfiability, Vacuous};
use ltlcrit_verifier::monitor::Monitor;
use ltlcrit_verifier::{Formula, Verdict};

use super::{CheckOptions, Checked, Finding, FindingKind, Report, Severity};

/// How many laws of general form share a solver while each is looked at alone: making one costs more than a question.
const SHARING: usize = 64;
/// How many times its share of all work one question may cost.
const SHARES: u64 = 4;
/// How many laws that were not examined are named.
const NAMED: usize = 5;

impl Checked<'_> {
    /// Finds laws that change nothing, or cannot be satisfied at all; by position in `subjects`, whether they change
    /// nothing.
    pub(super) fn find_vacuous(
        &mut self,
        options: &CheckOptions,
        examined: &mut dyn FnMut(),
        report: &mut Report,
    ) -> Vec<bool> {
        let mut vacuous = vec![false; self.subjects.len()];
        for (position, index) in self.of_form.clone().into_iter().enumerate() {
            if !self.may_examine(index, options) {
                continue;
            }
            let before = self.system.work();
            let found = self.system.vacuous(position);
            self.single.spent += self.system.work() - before;
            examined();
            let subject = &self.subjects[index];
            match found {
                Ok(None) => {}
                Ok(Some(why)) => {
                    vacuous[index] = true;
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
        let vocabulary = Arc::new(self.vocabulary.clone());
        let share = self.share(options);
        let general = self.general();
        for some in general.chunks(SHARING) {
            let formulas: Vec<Formula> = some.iter().map(|index| self.subjects[*index].formula.clone()).collect();
            let Ok(mut any) = AnyLaws::new(self.vocabulary, &formulas) else { continue };
            for (place, index) in some.iter().enumerate() {
                if !self.may_examine(*index, options) {
                    continue;
                }
                let subject = &self.subjects[*index];
                let monitor = Monitor::new(subject.formula, vocabulary.clone()).ok();
                let before = any.work();
                let alone = any.satisfiable(&[place], Beginning::AnyAction, share);
                self.single.spent += any.work() - before + monitor.as_ref().map_or(0, Monitor::work);
                examined();
                if monitor.is_some_and(|monitor| monitor.verdict() == Verdict::Satisfied) {
                    let message = "every run satisfies it: the law blocks nothing".to_owned();
                    report.findings.push(subject.finding(Severity::Warning, FindingKind::Vacuous, message));
                } else if matches!(alone, Satisfiability::Contradictory { .. }) {
                    let message = "no run can satisfy it".to_owned();
                    report.findings.push(subject.finding(Severity::Error, FindingKind::Vacuous, message));
                } else if alone == Satisfiability::Undecided {
                    self.single.open.insert(*index);
                }
            }
        }
        vacuous
    }

    /// Positions in `subjects` of the laws that are not of the form.
    fn general(&self) -> Vec<usize> {
        (0..self.subjects.len()).filter(|index| self.subjects[*index].form.is_err()).collect()
    }

    /// What one question about a single law of any form may cost: some shares of all, so that a few hard ones do not use
    /// up what the others need.
    fn share(&self, options: &CheckOptions) -> u64 {
        let all = options.single_work.saturating_mul(SHARES) / self.subjects.len().max(1) as u64;
        options.work.min(all)
    }

    /// Whether there is work left for a law; if not, it is one of those that stay open.
    fn may_examine(&mut self, index: usize, options: &CheckOptions) -> bool {
        let may = self.single.spent < options.single_work;
        if !may {
            self.single.open.insert(index);
        }
        may
    }

    /// Says which laws were not examined: that nothing was found against them says nothing.
    pub(super) fn note_open(&self, report: &mut Report) {
        let open = &self.single.open;
        if open.is_empty() {
            return;
        }
        let named: Vec<String> =
            open.iter().take(NAMED).map(|index| format!("`{}`", self.subjects[*index].entry.id)).collect();
        let more = match open.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let message = format!(
            "whether {} of {} laws change anything, or are implied by others, was not decided within the bounds: {}{more}",
            open.len(),
            self.subjects.len(),
            named.join(", "),
        );
        let mut finding = Finding::general(FindingKind::Undecided, message);
        finding.severity = Severity::Note;
        finding.help = Some("everything else in this report covers them as well".to_owned());
        report.findings.push(finding);
    }

    /// A hard law counts as implied only by hard laws: the soft ones are set aside where they over-constrain. A vacuous law
    /// is implied by nothing at all; it was reported as vacuous.
    pub(super) fn find_implied(
        &mut self,
        vacuous: &[bool],
        options: &CheckOptions,
        examined: &mut dyn FnMut(),
        report: &mut Report,
    ) {
        let mut by_law: Vec<Option<Vec<usize>>> = vec![None; self.subjects.len()];
        let mut exceeded = Vec::new();
        let hard: Vec<bool> = self.of_form.iter().map(|index| self.subjects[*index].is_hard()).collect();
        let everything = vec![true; hard.len()];
        for (position, index) in self.of_form.clone().into_iter().enumerate() {
            if vacuous[index] || !self.may_examine(index, options) {
                continue;
            }
            let among = if self.subjects[index].is_hard() { &hard } else { &everything };
            let before = self.system.work();
            let found = self.system.implied_by(position, among);
            self.single.spent += self.system.work() - before;
            match found {
                Ok(Some(by)) => by_law[index] = Some(by.into_iter().map(|law| self.of_form[law]).collect()),
                // Laws of general form may imply it.
                Ok(None) if self.of_form.len() < self.subjects.len() => by_law[index] = self.implying(index, options),
                Ok(None) => {}
                Err(error) => exceeded.push((index, error.to_string())),
            }
            examined();
        }
        for index in self.general() {
            if self.may_examine(index, options) {
                by_law[index] = self.implying(index, options);
                examined();
            }
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
    fn implying(&mut self, index: usize, options: &CheckOptions) -> Option<Vec<usize>> {
        let is_hard = self.subjects[index].is_hard();
        let others: Vec<usize> = (0..self.subjects.len())
            .filter(|other| *other != index && (self.subjects[*other].is_hard() || !is_hard))
            .collect();
        let before = self.any.work();
        let found = self.any.implied_by(index, &others, self.share(options));
        self.single.spent += self.any.work() - before;
        match found {
            Implication::By(laws) => Some(laws),
            Implication::None => None,
            Implication::Undecided => {
                self.single.open.insert(index);
                None
            }
        }
    }
}

pub(super) fn undecided(mut finding: Finding) -> Finding {
    finding.help = Some("simplify the law: what cannot be decided is not relied on".to_owned());
    finding
}
