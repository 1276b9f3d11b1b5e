//! Options and budgets of a check.

use ltlcrit_verifier::consistency::{DEFAULT_BUDGET, DEFAULT_WORK};

/// Options and budgets of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckOptions {
    /// The maximum number of distinct minimal conflicts in a report.
    pub most_conflicts: usize,
    /// True if proposed laws are checked as if they were adopted.
    pub proposed: bool,
    /// True if each action has one outcome, which the shield predicts. This always holds in a planning task.
    pub one_outcome: bool,
    /// The maximum number of SAT conflicts for one question; twenty times as many for all questions together.
    pub budget: u64,
    /// The budget of one question about general LTL, in units of search work. A law with a question that exceeds it has
    /// a finding of its own.
    pub work: u64,
    /// The budget of all questions about single laws together (vacuity and implication), in units of search work. A
    /// note names the laws that are left when it is used up.
    pub single_work: u64,
}

/// The default of [`CheckOptions::single_work`]: two to three seconds on the machine of
/// the verifier's `benches/README.md`.
pub(crate) const DEFAULT_SINGLE_WORK: u64 = 50_000_000;

impl Default for CheckOptions {
    fn default() -> Self {
        Self {
            most_conflicts: 20,
            proposed: false,
            one_outcome: false,
            budget: DEFAULT_BUDGET,
            work: DEFAULT_WORK,
            single_work: DEFAULT_SINGLE_WORK,
        }
    }
}
