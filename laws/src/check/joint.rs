//! What laws do together: contradictions from the first step, and over-constrained states.

use ltlcrit_verifier::consistency::{Beginning, Consistency, ConsistencyError, Satisfiability};

use super::report::{Begins, ConflictReport, ConsistencyReport, LeftOut, Standing};
use super::{CheckOptions, Checked, Finding, FindingKind, LawRef, Report, Severity};

impl Checked<'_> {
    /// Whether all laws, of any kind, let a run begin.
    pub(super) fn find_contradictions(&mut self, options: &CheckOptions, report: &mut Report) -> Begins {
        let all: Vec<usize> = (0..self.subjects.len()).collect();
        for (beginning, begins, message) in [
            (
                Beginning::AnyAction,
                Begins::Never,
                "these laws contradict each other from the first step: no run satisfies them all",
            ),
            (
                Beginning::MoreThanStopping,
                Begins::OnlyToStop,
                "these laws leave no action besides stopping from the first step, whatever holds then",
            ),
        ] {
            match self.any.satisfiable(&all, beginning, options.work) {
                Satisfiability::Satisfiable { .. } => {}
                Satisfiability::Contradictory { laws } => {
                    let mut finding = Finding::general(FindingKind::Contradiction, message.to_owned());
                    finding.laws = laws.iter().map(|law| self.subjects[*law].law_ref()).collect();
                    finding.help =
                        Some("retire or weaken one of them; without any one, the others are satisfiable".to_owned());
                    report.findings.push(finding);
                    return begins;
                }
                Satisfiability::Undecided => {
                    let message = "whether a run can satisfy all laws was not decided within the bounds".to_owned();
                    report.findings.push(super::alone::undecided(Finding::general(FindingKind::Undecided, message)));
                    return Begins::Undecided;
                }
            }
        }
        Begins::Yes
    }

    pub(super) fn find_over_constrained(&mut self, options: &CheckOptions, begins: Begins, report: &mut Report) {
        match self.consistency(options, begins) {
            Ok(consistency) => {
                for conflict in &consistency.conflicts {
                    report.findings.push(finding(conflict));
                }
                let undecided = |standing| standing == Standing::Undecided;
                if undecided(consistency.hard) || undecided(consistency.all) {
                    let message = "whether a state is over-constrained was not decided within the bounds".to_owned();
                    report.findings.push(super::alone::undecided(Finding::general(FindingKind::Undecided, message)));
                }
                report.consistency = Some(consistency);
            }
            Err(error) => report.findings.push(Finding::general(FindingKind::Undecided, error.to_string())),
        }
    }

    fn standing(&mut self, among: &[bool]) -> Result<Standing, ConsistencyError> {
        if !among.contains(&true) {
            return Ok(Standing::NoLaws);
        }
        Ok(match self.system.check_among(among)? {
            Consistency::Consistent => Standing::Consistent,
            Consistency::OverConstrained(_) => Standing::OverConstrained,
            Consistency::Undecided => Standing::Undecided,
        })
    }

    fn consistency(&mut self, options: &CheckOptions, begins: Begins) -> Result<ConsistencyReport, ConsistencyError> {
        let hard: Vec<bool> = self.of_form.iter().map(|index| self.subjects[*index].is_hard()).collect();
        let everything = vec![true; hard.len()];
        let hard_standing = self.standing(&hard)?;
        let all_standing = self.standing(&everything)?;
        // Conflicts of hard laws alone are the worst and come first.
        let mut found = self.system.conflicts(&hard, options.most_conflicts)?;
        let room = options.most_conflicts.saturating_sub(found.conflicts.len());
        if found.complete && all_standing == Standing::OverConstrained {
            let among_hard = found.conflicts.len();
            let more = self.system.conflicts(&everything, room + among_hard)?;
            found.complete = more.complete;
            let mixed = more.conflicts.into_iter().filter(|conflict| !conflict.laws.iter().all(|law| hard[*law]));
            found.conflicts.extend(mixed.take(room));
        }
        let law_ref = |law: &usize| self.subjects[self.of_form[*law]].law_ref();
        let conflicts = found
            .conflicts
            .iter()
            .map(|conflict| ConflictReport {
                laws: conflict.laws.iter().map(law_ref).collect::<Vec<LawRef>>(),
                witness: self.vocabulary.names(&conflict.witness).into_iter().map(str::to_owned).collect(),
                hard_only: conflict.laws.iter().all(|law| hard[*law]),
            })
            .collect();
        let left_out = self
            .subjects
            .iter()
            .filter_map(|subject| {
                subject.form.as_ref().err().map(|why| LeftOut { law: subject.law_ref(), why: why.clone() })
            })
            .collect();
        Ok(ConsistencyReport {
            covered: self.of_form.len(),
            left_out,
            hard: hard_standing,
            all: all_standing,
            conflicts,
            complete: found.complete,
            begins,
        })
    }
}

fn finding(conflict: &ConflictReport) -> Finding {
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
    let mut finding = Finding::general(FindingKind::OverConstrained, message.to_owned());
    finding.severity = Severity::Error;
    finding.laws = conflict.laws.clone();
    finding.witness = Some(conflict.witness.clone());
    finding.help = Some(help.to_owned());
    finding
}
