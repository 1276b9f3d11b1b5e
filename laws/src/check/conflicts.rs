//! Finds conflicts of laws: contradictions from the first step, and over-constrained states.

use ltlcrit_verifier::consistency::{Beginning, Consistency, ConsistencyError, Satisfiability};

use super::options::CheckOptions;
use super::report::{ConflictReport, ConsistencyReport, ConsistencyVerdict, LeftOut, Report, RunSatisfiability};
use super::subjects::{Subject, Subjects, UNDECIDED_HELP};
use crate::diagnostic::{Code, Diagnostic, LawRef};

impl Subjects<'_> {
    /// Whether a run can satisfy all laws, of any form.
    pub(super) fn find_contradictions(&mut self, options: &CheckOptions, report: &mut Report) -> RunSatisfiability {
        let all: Vec<usize> = (0..self.all.len()).collect();
        let mut witness = Vec::new();
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
            match self.any.satisfiable(&all, beginning, options.work) {
                Satisfiability::Satisfiable { word } => witness = word,
                // That no run can satisfy this law was said already.
                Satisfiability::Contradictory { laws } if matches!(laws.as_slice(), [law] if self.unsatisfiable.contains(law)) =>
                {
                    return begins;
                }
                Satisfiability::Contradictory { laws } => {
                    let laws = laws.iter().map(|law| self.all[*law].law_ref()).collect();
                    let help = "retire or weaken one of them; without any one, the others are satisfiable";
                    let diagnostic = Diagnostic::error(Code::Contradiction, message).help(help);
                    report.findings.push(Diagnostic { laws, ..diagnostic });
                    return begins;
                }
                Satisfiability::Undecided => {
                    report.findings.push(undecided("whether a run can satisfy all laws"));
                    return RunSatisfiability::Undecided;
                }
            }
        }
        match self.undecided_along(&witness, options) {
            None => RunSatisfiability::Yes,
            Some(finding) => {
                report.findings.push(finding);
                RunSatisfiability::NotAlwaysDecided
            }
        }
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
        // Conflicts of hard laws alone are the worst and come first.
        let mut found = self.system.conflicts(&hard, options.most_conflicts)?;
        let room = options.most_conflicts.saturating_sub(found.conflicts.len());
        if found.complete && all_standing == ConsistencyVerdict::OverConstrained {
            let among_hard = found.conflicts.len();
            let more = self.system.conflicts(&everything, room + among_hard)?;
            found.complete = more.complete;
            let mixed = more.conflicts.into_iter().filter(|conflict| !conflict.laws.iter().all(|law| hard[*law]));
            found.conflicts.extend(mixed.take(room));
        }
        let law_ref = |law: &usize| self.all[self.guarded[*law]].law_ref();
        let conflicts = found
            .conflicts
            .iter()
            .map(|conflict| ConflictReport {
                laws: conflict.laws.iter().map(law_ref).collect::<Vec<LawRef>>(),
                witness: self.vocabulary.names(&conflict.witness).into_iter().map(str::to_owned).collect(),
                hard_only: conflict.laws.iter().all(|law| hard[*law]),
            })
            .collect();
        let left_out = |subject: &Subject<'_>| {
            subject.guarded.as_ref().err().map(|why| LeftOut { law: subject.law_ref(), why: why.clone() })
        };
        Ok(ConsistencyReport {
            covered: self.guarded.len(),
            left_out: self.all.iter().filter_map(left_out).collect(),
            hard: hard_standing,
            all: all_standing,
            conflicts,
            complete: found.complete,
            begins,
        })
    }
}

fn undecided(question: &str) -> Diagnostic {
    let message = format!("{question} was not decided within the bounds");
    Diagnostic::error(Code::Undecided, message).help(UNDECIDED_HELP)
}

fn diagnostic(conflict: &ConflictReport) -> Diagnostic {
    let (message, help) = if conflict.hard_only {
        (
            "these hard laws leave no action besides stopping in some state: a run that comes there must abort",
            "relax one of them so that an action is left there",
        )
    } else {
        (
            "these laws leave no action besides stopping in some state",
            "relax or retire a soft one; where this happens the shield falls back to the hard laws",
        )
    };
    Diagnostic {
        laws: conflict.laws.clone(),
        witness: Some(conflict.witness.clone()),
        ..Diagnostic::error(Code::OverConstrained, message).help(help)
    }
}
