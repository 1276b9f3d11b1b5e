//! Options and budgets of a check.

use ltlcrit_verifier::ShieldOptions;
use ltlcrit_verifier::consistency::{DEFAULT_BUDGET, DEFAULT_WORK};

/// Options and budgets of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckOptions {
    /// The most distinct minimal conflicts that are reported.
    pub most_conflicts: usize,
    /// Whether proposed laws are checked as if they were adopted.
    pub proposed: bool,
    /// Whether the world is one in which an action has one outcome, which the shield predicts. In a planning task, it is always so.
    pub one_outcome: bool,
    /// The most conflicts the SAT solver may run into for one question; twenty times as many for all together.
    pub budget: u64,
    /// The budget of one question about general LTL, in units of search work. A law about which a question exceeds it is a
    /// finding of its own.
    pub work: u64,
    /// The budget of all questions about single laws together: does the law change anything, do others imply it? A note
    /// names the laws that are left when it is used up.
    pub single_work: u64,
    /// The bounds of the shield that is to enforce the laws: along a run that satisfies them all, it must decide.
    pub shield: ShieldOptions,
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
            shield: ShieldOptions::default(),
        }
    }
}
