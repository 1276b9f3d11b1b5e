//! Finds laws that change nothing: vacuous laws, and laws that others imply.

use ltlcrit_verifier::Formula;
use ltlcrit_verifier::consistency::{AnyLaws, Beginning, Implication, Satisfiability, Vacuous};

use super::options::CheckOptions;
use super::report::Report;
use super::subjects::{Subjects, UNDECIDED_HELP};
use crate::diagnostic::{Code, Diagnostic, Severity};

/// The number of unguarded laws that share a solver while each is examined; building a solver costs more than a
/// question.
const SHARING: usize = 64;
/// The maximum budget of one question, as a multiple of its share of the whole budget.
const SHARES: u64 = 4;
/// The maximum number of undecided laws that a message names.
const NAMED: usize = 5;

/// The advice for a law that demands an action of letter 0.
const LETTER_ZERO_HELP: &str = "letter 0, the state a run begins in, has no action, and the law demands one there; write \
                                `X (…)` around the law to begin with the first action";

/// The effect of a law without any other law in force.
enum Alone {
    /// Some run satisfies it, and some run does not.
    Changes,
    /// Every run satisfies it.
    Vacuous,
    /// No run satisfies it.
    Unsatisfiable {
        /// True if some run would satisfy it without letter 0.
        but_for_letter_zero: bool,
    },
    /// A question exceeded its budget.
    Undecided,
}

/// Satisfiability of a law, and of its negation.
fn alone(any: &mut AnyLaws<'_>, law: usize, share: u64) -> Alone {
    match any.satisfiable(&[law], Beginning::AnyAction, share) {
        Satisfiability::Undecided => Alone::Undecided,
        Satisfiability::Contradictory { .. } => {
            let later = any.satisfiable_from_letter_one(law, share);
            Alone::Unsatisfiable { but_for_letter_zero: matches!(later, Satisfiability::Satisfiable { .. }) }
        }
        Satisfiability::Satisfiable { .. } => match any.violable(law, share) {
            Satisfiability::Undecided => Alone::Undecided,
            Satisfiability::Contradictory { .. } => Alone::Vacuous,
            Satisfiability::Satisfiable { .. } => Alone::Changes,
        },
    }
}

/// The formula with `X[!]` in place of `X`.
fn strong_next(formula: &Formula) -> Formula {
    match formula {
        Formula::Next(a) => strong_next(a).strong_next(),
        other => other.with_operands(&mut strong_next),
    }
}

impl Subjects<'_> {
    /// Finds laws that change nothing, or that no run can satisfy. Returns, for each guarded law, whether it changes
    /// nothing.
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
        self.examine_unguarded(options, examined, report);
        vacuous
    }

    /// Finds unguarded laws that no run satisfies, or that every run does.
    fn examine_unguarded(&mut self, options: &CheckOptions, examined: &mut dyn FnMut(), report: &mut Report) {
        let share = self.share(options);
        for some in self.unguarded().chunks(SHARING) {
            let formulas: Vec<Formula> = some.iter().map(|law| self.all[*law].formula.clone()).collect();
            let mut any = match AnyLaws::new(self.vocabulary, &formulas) {
                Ok(any) => any,
                Err(error) => {
                    let findings = some.iter().map(|law| self.undecided(*law, error.to_string()));
                    report.findings.extend(findings);
                    continue;
                }
            };
            for (position, law) in some.iter().enumerate() {
                if !self.may_examine(*law, options) {
                    continue;
                }
                let before = any.work();
                let found = alone(&mut any, position, share);
                self.single.spent += any.work() - before;
                examined();
                match found {
                    Alone::Changes => {}
                    Alone::Undecided => self.leave_open(*law, options),
                    Alone::Vacuous => {
                        let message = "every run satisfies it: the law blocks nothing";
                        let finding = self.all[*law].diagnostic(Severity::Warning, Code::Vacuous, message);
                        let help = self.with_strong_next(*law, share);
                        report.findings.push(finding.help(help.as_deref().unwrap_or("correct the law or retire it")));
                    }
                    Alone::Unsatisfiable { but_for_letter_zero } => {
                        self.unsatisfiable.insert(*law);
                        let help = if but_for_letter_zero { LETTER_ZERO_HELP } else { "correct the law or retire it" };
                        let message = "no run can satisfy it";
                        let finding = self.all[*law].diagnostic(Severity::Error, Code::Unsatisfiable, message);
                        report.findings.push(finding.help(help));
                    }
                }
            }
        }
    }

    /// The advice for a law that every run satisfies only because `X` holds at the last letter.
    fn with_strong_next(&self, law: usize, share: u64) -> Option<String> {
        let strong = strong_next(self.all[law].formula);
        let mut any = AnyLaws::new(self.vocabulary, std::slice::from_ref(&strong)).ok()?;
        let changes = strong != *self.all[law].formula && matches!(alone(&mut any, 0, share), Alone::Changes);
        changes.then(|| format!("`X` holds of anything at the last letter; `X[!]` needs a next one: write `{strong}`"))
    }

    fn unguarded(&self) -> Vec<usize> {
        (0..self.all.len()).filter(|law| self.all[*law].guarded.is_err()).collect()
    }

    fn undecided(&self, law: usize, why: String) -> Diagnostic {
        self.all[law].diagnostic(Severity::Error, Code::Undecided, why).help(UNDECIDED_HELP)
    }

    /// Returns the budget of one question about a single law: a few shares of the whole. Hard questions cannot use up
    /// the budget of the others.
    fn share(&self, options: &CheckOptions) -> u64 {
        let all = options.single_work.saturating_mul(SHARES) / self.all.len().max(1) as u64;
        options.work.min(all)
    }

    /// Returns whether budget is left for a law; if not, records the law as open.
    fn may_examine(&mut self, law: usize, options: &CheckOptions) -> bool {
        let may = self.single.spent < options.single_work;
        if !may {
            self.single.open.insert(law);
        }
        may
    }

    /// Records a law as undecided if its question exceeded the full budget, or as open if its share of the budget was
    /// small.
    fn leave_open(&mut self, law: usize, options: &CheckOptions) {
        let of_itself = self.share(options) == options.work;
        let laws = if of_itself { &mut self.single.undecided } else { &mut self.single.open };
        laws.insert(law);
    }

    /// Reports the open laws, so that readers do not take the report for a proof about them.
    pub(super) fn note_undecided(&self, options: &CheckOptions, report: &mut Report) {
        for law in &self.single.undecided {
            let work = options.work;
            let message = format!(
                "whether it changes anything, or is implied by others, was not decided within {work} units of work"
            );
            let finding = self.all[*law].diagnostic(Severity::Warning, Code::Undecided, message);
            report.findings.push(finding.help(UNDECIDED_HELP));
        }
        let undecided = &self.single.open;
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

    /// Finds laws that others imply. Only hard laws can make a hard law redundant, because the shield may suspend soft
    /// laws. Vacuous laws are already reported.
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
            // The second of two equivalent laws is the superfluous one.
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

    /// Returns laws of any form that imply this one: no run satisfies them and violates it. Laws that were set aside
    /// are queried one by one, since together they could imply everything.
    fn implying(&mut self, law: usize, options: &CheckOptions) -> Option<Vec<usize>> {
        if self.unsatisfiable.contains(&law) {
            return None;
        }
        let is_hard = self.all[law].is_hard();
        let may = |other: &usize| *other != law && (self.all[*other].is_hard() || !is_hard);
        let kept = self.kept().into_iter().filter(may).collect();
        let alone = self.contradicting.iter().copied().filter(may).map(|other| vec![other]);
        let questions: Vec<Vec<usize>> = std::iter::once(kept).chain(alone).collect();
        for others in questions {
            let before = self.any.work();
            let found = self.any.implied_by(law, &others, self.share(options));
            self.single.spent += self.any.work() - before;
            match found {
                Implication::By(laws) => return Some(laws),
                Implication::None => {}
                Implication::Undecided => {
                    self.leave_open(law, options);
                    return None;
                }
            }
        }
        None
    }
}
