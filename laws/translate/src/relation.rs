//! Compares a new law with the laws in force.

use ltlcrit_laws::{CheckOptions, Code, Diagnostic, LawRef, Reading, check_books};
use serde::Serialize;

/// The relations of a new law to other laws.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Relations {
    /// Conflicts: no run satisfies them together, or they leave no action in some state.
    pub conflicts: Vec<Diagnostic>,
    /// Laws in force that imply it.
    pub implied_by: Vec<LawRef>,
    /// Laws in force that it makes redundant.
    pub makes_redundant: Vec<LawRef>,
    /// The reasons why the laws could not be compared.
    pub not_compared: Vec<String>,
}

impl Relations {
    /// Compares the adopted laws of a new book with those of the books in force.
    pub fn of(new: &Reading, in_force: &[Reading]) -> Self {
        let own = new.book.name().to_owned();
        let readings: Vec<Reading> = in_force.iter().chain([new]).cloned().collect();
        let report = check_books(&readings, &CheckOptions::default());
        let mut relations = Self::default();
        for finding in report.findings {
            let is_about = finding.source == *new.book.source().name;
            let cites = finding.laws.iter().any(|law| law.book == own);
            match finding.code {
                Code::Implied if is_about => {
                    relations.implied_by.extend(finding.laws.into_iter().filter(|law| law.book != own));
                }
                Code::Implied if cites => relations.makes_redundant.extend(redundant(&finding, in_force)),
                Code::Contradiction | Code::OverConstrained if cites => relations.conflicts.push(finding),
                Code::Unsatisfiable | Code::TooIntricate if is_about => relations.conflicts.push(finding),
                Code::Vocabulary => relations.not_compared.push(finding.message),
                Code::Undecided if cites || is_about => relations.not_compared.push(finding.message),
                _ => {}
            }
        }
        relations
    }
}

/// Returns the law that a finding is about.
fn redundant(finding: &Diagnostic, in_force: &[Reading]) -> Option<LawRef> {
    let reading = in_force.iter().find(|reading| *reading.book.source().name == *finding.source)?;
    let entry = reading.book.entry(finding.law.as_deref()?)?;
    Some(LawRef {
        book: reading.book.name().to_owned(),
        id: entry.id.to_string(),
        strength: entry.strength,
        formula: entry.formula.to_string(),
        place: entry.place.clone(),
    })
}
