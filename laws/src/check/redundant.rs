//! Finds laws that change nothing: vacuous laws, and laws that others imply.

use std::sync::Arc;

use ltlcrit_verifier::consistency::{AnyLaws, Beginning, Implication, Satisfiability, Vacuous};
use ltlcrit_verifier::monitor::Monitor;
use ltlcrit_verifier::{Formula, Verdict};

use super::options::CheckOptions;
use super::report::Report;
use super::subjects::{Subjects, UNDECIDED_HELP};
use crate::diagnostic::{Code, Diagnostic, Severity};

/// The number of unguarded laws that share a solver while each is examined; building a solver costs more than a
/// question.
const SHARING: usize = 64;
/// The limit of one question, as a multiple of its share of the whole budget.
const SHARES: u64 = 4;
/// The most undecided laws that are named.
const NAMED: usize = 5;

impl Subjects<'_> {
    /// Finds laws that change nothing, or that no run can satisfy. Returns which guarded laws change nothing.
    pub(super) fn find_vacuous(
        &mut self,
        options: &CheckOptions,
        examined: &mut dyn FnMut(),
        report: &mut Report,
    ) -> Vec<bool> {
        let mut vacuous = vec![false; self.all.len()];
        for (position, law) in self.guarded.clone().into_iter().enumerate() {
            if !self.may_examine(law, options) {
                continue;
            }
            let before = self.system.work();
            let found = self.system.vacuous(position);
            self.single.spent += self.system.work() - before;
            examined();
            let (message, help) = match found {
                Ok(None) => continue,
                Ok(Some(Vacuous::GuardNeverHolds)) => (
                    "the guard holds in no state that the vocabulary's axioms allow: the law never applies",
                    "correct the guard or retire the law",
                ),
                Ok(Some(Vacuous::DemandsNothing)) => (
                    "every action satisfies the demand: the law blocks nothing",
                    "correct the demand or retire the law",
                ),
                Err(error) => {
                    report.findings.push(self.undecided(law, error.to_string()));
                    continue;
                }
            };
            vacuous[law] = true;
            report.findings.push(self.all[law].diagnostic(Severity::Warning, Code::Vacuous, message).help(help));
        }
        let vocabulary = Arc::new(self.vocabulary.clone());
        let share = self.share(options);
        for some in self.unguarded().chunks(SHARING) {
            let formulas: Vec<Formula> = some.iter().map(|law| self.all[*law].formula.clone()).collect();
            let Ok(mut any) = AnyLaws::new(self.vocabulary, &formulas) else { continue };
            for (position, law) in some.iter().enumerate() {
                if !self.may_examine(*law, options) {
                    continue;
                }
                let subject = &self.all[*law];
                let monitor = Monitor::new(subject.formula, vocabulary.clone()).ok();
                let before = any.work();
                let alone = any.satisfiable(&[position], Beginning::AnyAction, share);
                self.single.spent += any.work() - before + monitor.as_ref().map_or(0, Monitor::work);
                examined();
                if monitor.is_some_and(|monitor| monitor.verdict() == Verdict::Satisfied) {
                    let message = "every run satisfies it: the law blocks nothing";
                    report.findings.push(subject.diagnostic(Severity::Warning, Code::Vacuous, message));
                } else if matches!(alone, Satisfiability::Contradictory { .. }) {
                    report.findings.push(subject.diagnostic(Severity::Error, Code::Vacuous, "no run can satisfy it"));
                } else if alone == Satisfiability::Undecided {
                    self.single.undecided.insert(*law);
                }
            }
        }
        vacuous
    }

    fn unguarded(&self) -> Vec<usize> {
        (0..self.all.len()).filter(|law| self.all[*law].guarded.is_err()).collect()
    }

    fn undecided(&self, law: usize, why: String) -> Diagnostic {
        self.all[law].diagnostic(Severity::Error, Code::Undecided, why).help(UNDECIDED_HELP)
    }

    /// The budget of one question about a single law: a few shares of the whole, so that some hard questions do not use
    /// up the budget of the others.
    fn share(&self, options: &CheckOptions) -> u64 {
        let all = options.single_work.saturating_mul(SHARES) / self.all.len().max(1) as u64;
        options.work.min(all)
    }

    /// Whether there is budget left for a law; if not, records it as undecided.
    fn may_examine(&mut self, law: usize, options: &CheckOptions) -> bool {
        let may = self.single.spent < options.single_work;
        if !may {
            self.single.undecided.insert(law);
        }
        may
    }

    /// Reports the undecided laws, so that the report is not taken for a proof about them.
    pub(super) fn note_undecided(&self, report: &mut Report) {
        let undecided = &self.single.undecided;
        if undecided.is_empty() {
            return;
        }
        let named: Vec<String> =
            undecided.iter().take(NAMED).map(|law| format!("`{}`", self.all[*law].entry.id)).collect();
        let more = match undecided.len().saturating_sub(NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let message = format!(
            "whether {} of {} laws change anything, or are implied by others, was not decided within the bounds: {}{more}",
            undecided.len(),
            self.all.len(),
            named.join(", "),
        );
        let help = "everything else in this report covers them as well";
        report.findings.push(Diagnostic::new(Severity::Note, Code::Undecided, message).help(help));
    }

    /// Finds laws that others imply. A hard law counts as implied only by hard laws: the shield sets soft ones aside where
    /// they over-constrain. A vacuous law was reported already.
    pub(super) fn find_implied(
        &mut self,
        vacuous: &[bool],
        options: &CheckOptions,
        examined: &mut dyn FnMut(),
        report: &mut Report,
    ) {
        let mut implying: Vec<Option<Vec<usize>>> = vec![None; self.all.len()];
        let mut exceeded = Vec::new();
        let hard: Vec<bool> = self.guarded.iter().map(|law| self.all[*law].is_hard()).collect();
        let everything = vec![true; hard.len()];
        for (position, law) in self.guarded.clone().into_iter().enumerate() {
            if vacuous[law] || !self.may_examine(law, options) {
                continue;
            }
            let among = if self.all[law].is_hard() { &hard } else { &everything };
            let before = self.system.work();
            let found = self.system.implied_by(position, among);
            self.single.spent += self.system.work() - before;
            match found {
                Ok(Some(by)) => implying[law] = Some(by.into_iter().map(|by| self.guarded[by]).collect()),
                // Unguarded laws may imply it.
                Ok(None) if self.guarded.len() < self.all.len() => implying[law] = self.implying(law, options),
                Ok(None) => {}
                Err(error) => exceeded.push((law, error.to_string())),
            }
            examined();
        }
        for law in self.unguarded() {
            if self.may_examine(law, options) {
                implying[law] = self.implying(law, options);
                examined();
            }
        }
        report.findings.extend(exceeded.into_iter().map(|(law, why)| self.undecided(law, why)));
        for (law, by) in implying.iter().enumerate() {
            let Some(by) = by.as_ref().filter(|by| !by.is_empty()) else { continue };
            // Of two equivalent laws, the second is the superfluous one.
            let same = by.len() == 1 && implying[by[0]].as_ref().is_some_and(|back| *back == [law]);
            if same && by[0] > law {
                continue;
            }
            let names: Vec<String> = by.iter().map(|by| format!("`{}`", self.all[*by].entry.id)).collect();
            let message = match (same, names.as_slice()) {
                (true, [one]) => format!("it says the same as {one}"),
                (false, [one]) => format!("it is implied by {one}"),
                _ => format!("it is implied by {} together", names.join(", ")),
            };
            let laws = by.iter().map(|by| self.all[*by].law_ref()).collect();
            let diagnostic = self.all[law].diagnostic(Severity::Warning, Code::Implied, message);
            report.findings.push(Diagnostic { laws, ..diagnostic.help("retire it, or say what it is to add") });
        }
    }

    /// Laws of any form that imply this one: no run satisfies them and violates it.
    fn implying(&mut self, law: usize, options: &CheckOptions) -> Option<Vec<usize>> {
        let is_hard = self.all[law].is_hard();
        let others: Vec<usize> =
            (0..self.all.len()).filter(|other| *other != law && (self.all[*other].is_hard() || !is_hard)).collect();
        let before = self.any.work();
        let found = self.any.implied_by(law, &others, self.share(options));
        self.single.spent += self.any.work() - before;
        match found {
            Implication::By(laws) => Some(laws),
            Implication::None => None,
            Implication::Undecided => {
                self.single.undecided.insert(law);
                None
            }
        }
    }
}
