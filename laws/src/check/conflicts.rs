//! Finds conflicts of laws: contradictions from the first step, and over-constrained states.

use std::cmp::Reverse;

use ltlcrit_verifier::PropSet;
use ltlcrit_verifier::consistency::{Beginning, Consistency, ConsistencyError, Satisfiability};

use super::options::CheckOptions;
use super::report::{ConflictReport, ConsistencyReport, ConsistencyVerdict, Report, RunSatisfiability};
use super::subjects::{Subjects, UNDECIDED_HELP};
use crate::diagnostic::{Code, Diagnostic};

impl Subjects<'_> {
    /// Decides whether a run can satisfy all laws, of any form. Sets one law of each contradiction aside and continues
    /// with the others.
    pub(super) fn find_contradictions(&mut self, options: &CheckOptions, report: &mut Report) -> RunSatisfiability {
        let mut worst = if self.unsatisfiable.is_empty() { RunSatisfiability::Yes } else { RunSatisfiability::Never };
        for (beginning, begins, message) in [
            (
                Beginning::AnyAction,
                RunSatisfiability::Never,
                "these laws contradict each other from the first step: no run satisfies them all",
            ),
            (
                Beginning::MoreThanStopping,
                RunSatisfiability::OnlyToStop,
                "these laws leave no action besides stopping from the first step, whatever holds then",
            ),
        ] {
            loop {
                match self.any.satisfiable(&self.kept(), beginning, options.work) {
                    Satisfiability::Satisfiable { .. } => break,
                    Satisfiability::Contradictory { laws } => {
                        // Prefer a soft law to a hard one, and a later law to an earlier one.
                        let aside = laws.iter().copied().max_by_key(|law| (!self.all[*law].is_hard(), *law));
                        let laws = laws.iter().map(|law| self.all[*law].law_ref()).collect();
                        let help = "retire or weaken one of them; without any one, the others are satisfiable";
                        let diagnostic = Diagnostic::error(Code::Contradiction, message).help(help);
                        report.findings.push(Diagnostic { laws, ..diagnostic });
                        if worst == RunSatisfiability::Yes {
                            worst = begins;
                        }
                        match aside {
                            Some(law) => self.contradicting.insert(law),
                            None => return begins,
                        };
                    }
                    Satisfiability::Undecided => {
                        report.findings.push(undecided("whether a run can satisfy all laws"));
                        return RunSatisfiability::Undecided;
                    }
                }
            }
        }
        worst
    }

    pub(super) fn find_over_constrained(
        &mut self,
        options: &CheckOptions,
        begins: RunSatisfiability,
        report: &mut Report,
    ) {
        match self.consistency(options, begins) {
            Ok(consistency) => {
                report.findings.extend(consistency.conflicts.iter().map(diagnostic));
                if [consistency.hard, consistency.all].contains(&ConsistencyVerdict::Undecided) {
                    report.findings.push(undecided("whether a state is over-constrained"));
                }
                report.consistency = Some(consistency);
            }
            Err(error) => report.findings.push(Diagnostic::error(Code::Undecided, error.to_string())),
        }
    }

    pub(super) fn names(&self, set: &PropSet) -> Vec<String> {
        self.vocabulary.names(set).into_iter().map(str::to_owned).collect()
    }

    /// Reports laws that conflict in a state, with a run that leads there if it is known.
    pub(super) fn conflict(&self, laws: Vec<usize>, state: PropSet, run: Vec<Vec<String>>) -> ConflictReport {
        let soft = laws.iter().filter(|law| !self.all[**law].is_hard());
        let gives_way = soft.min_by_key(|law| (self.all[**law].entry.law().weight, Reverse(**law)));
        let gives_way = gives_way.map(|law| self.all[*law].entry.id.to_string());
        let witness = self.names(&state);
        ConflictReport { laws: laws.iter().map(|law| self.all[*law].law_ref()).collect(), witness, run, gives_way }
    }

    fn standing(&mut self, among: &[bool]) -> Result<ConsistencyVerdict, ConsistencyError> {
        if !among.contains(&true) {
            return Ok(ConsistencyVerdict::NoLaws);
        }
        Ok(match self.system.check_among(among)? {
            Consistency::Consistent => ConsistencyVerdict::Consistent,
            Consistency::OverConstrained(_) => ConsistencyVerdict::OverConstrained,
            Consistency::Undecided => ConsistencyVerdict::Undecided,
        })
    }

    fn consistency(
        &mut self,
        options: &CheckOptions,
        begins: RunSatisfiability,
    ) -> Result<ConsistencyReport, ConsistencyError> {
        let hard: Vec<bool> = self.guarded.iter().map(|law| self.all[*law].is_hard()).collect();
        let everything = vec![true; hard.len()];
        let hard_standing = self.standing(&hard)?;
        let all_standing = self.standing(&everything)?;
        // Conflicts among hard laws are the most severe and come first.
        let mut found = self.system.conflicts(&hard, options.most_conflicts)?;
        let room = options.most_conflicts.saturating_sub(found.conflicts.len());
        if found.complete && all_standing == ConsistencyVerdict::OverConstrained {
            let among_hard = found.conflicts.len();
            let more = self.system.conflicts(&everything, room + among_hard)?;
            found.complete = more.complete;
            let mixed = more.conflicts.into_iter().filter(|conflict| !conflict.laws.iter().all(|law| hard[*law]));
            found.conflicts.extend(mixed.take(room));
        }
        let of_book = |laws: &[usize]| laws.iter().map(|law| self.guarded[*law]).collect();
        let conflicts = found.conflicts.iter();
        let conflicts =
            conflicts.map(|conflict| self.conflict(of_book(&conflict.laws), conflict.witness, Vec::new())).collect();
        let mut report = ConsistencyReport {
            laws: self.all.len(),
            covered: self.guarded.len(),
            left_out: Vec::new(),
            by_outcome: Vec::new(),
            hard: hard_standing,
            all: all_standing,
            conflicts,
            complete: found.complete,
            begins,
        };
        if self.guarded.len() < self.all.len() {
            self.every_state(options, &mut report)?;
        }
        Ok(report)
    }
}

fn undecided(question: &str) -> Diagnostic {
    let message = format!("{question} was not decided within the bounds");
    Diagnostic::error(Code::Undecided, message).help(UNDECIDED_HELP)
}

fn diagnostic(conflict: &ConflictReport) -> Diagnostic {
    let (message, help) = match &conflict.gives_way {
        None => (
            "these hard laws leave no action besides stopping in some state: a run that comes there must abort",
            "relax one of them so that an action is left there".to_owned(),
        ),
        Some(law) => (
            "these laws leave no action besides stopping in some state",
            format!("relax or retire a soft one; where only these clash, the shield suspends `{law}`"),
        ),
    };
    Diagnostic {
        laws: conflict.laws.clone(),
        witness: Some(conflict.witness.clone()),
        run: conflict.run.clone(),
        ..Diagnostic::error(Code::OverConstrained, message).help(help)
    }
}
