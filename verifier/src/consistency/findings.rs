//! Findings about laws of any form, without a book: contradictions, laws without effect, laws that others imply.

use super::{AnyLaws, Beginning, ConsistencyError, Implication, Satisfiability};
use crate::formula::Formula;
use crate::vocabulary::Vocabulary;

/// A finding about laws, given by their indices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// No run satisfies these laws together; none of them is superfluous if the budget sufficed.
    Conflict(Vec<usize>),
    /// Every run satisfies this law.
    Vacuous(usize),
    /// Other laws imply this one.
    Implied {
        /// The law.
        law: usize,
        /// The laws that imply it.
        by: Vec<usize>,
    },
    /// The budget of a question about this law, or about the laws up to it, ran out.
    Undecided(usize),
}

/// Checks laws of any form as `ltlcrit laws check` does those of a book; `work` is the budget of each question. A law that is
/// vacuous, the last one of each conflict, and a law that is implied are set aside; the rest are checked without them.
///
/// ```
/// use ltlcrit_verifier::consistency::{DEFAULT_WORK, Finding, check_laws};
/// use ltlcrit_verifier::{Formula, Vocabulary};
///
/// let doors = Vocabulary::builder("doors").observation("dark").actions(["open", "close"]).build()?;
/// let laws = ["G !open", "F open", "G(dark -> X !open)", "F dark | G !dark"];
/// let laws: Vec<Formula> = laws.iter().map(|law| law.parse()).collect::<Result<_, _>>()?;
/// let implied = Finding::Implied { law: 2, by: vec![0] };
/// let found = check_laws(&doors, &laws, DEFAULT_WORK)?;
/// assert_eq!(found, [Finding::Conflict(vec![0, 1]), Finding::Vacuous(3), implied]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The vocabulary has no actions, or a law has a proposition that is not in the vocabulary.
pub fn check_laws(vocabulary: &Vocabulary, laws: &[Formula], work: u64) -> Result<Vec<Finding>, ConsistencyError> {
    let mut any = AnyLaws::new(vocabulary, laws)?;
    let (mut found, mut kept) = (Vec::new(), Vec::new());
    for law in 0..laws.len() {
        match any.violable(law, work) {
            Satisfiability::Satisfiable { .. } => {}
            Satisfiability::Contradictory { .. } => {
                found.push(Finding::Vacuous(law));
                continue;
            }
            Satisfiability::Undecided => found.push(Finding::Undecided(law)),
        }
        kept.push(law);
        match any.satisfiable(&kept, Beginning::AnyAction, work) {
            Satisfiability::Satisfiable { .. } => {}
            Satisfiability::Contradictory { laws } => {
                found.push(Finding::Conflict(laws));
                kept.pop();
            }
            Satisfiability::Undecided => found.push(Finding::Undecided(law)),
        }
    }
    for law in kept.clone().into_iter().rev() {
        let others: Vec<usize> = kept.iter().copied().filter(|other| *other != law).collect();
        match any.implied_by(law, &others, work) {
            Implication::By(by) => {
                found.push(Finding::Implied { law, by });
                kept = others;
            }
            Implication::None => {}
            Implication::Undecided => found.push(Finding::Undecided(law)),
        }
    }
    Ok(found)
}
