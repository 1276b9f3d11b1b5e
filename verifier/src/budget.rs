//! Work budgets: deterministic cost limits for computations on untrusted input.
//!
//! A unit of work is one expansion of a search. Other kinds of work are charged the number of units that take the same
//! time; `benches/README.md` gives the time of a unit in nanoseconds. No clock is read: the same questions have the
//! same costs and answers everywhere.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The work spent so far, and a limit to it.
///
/// One thread owns the computation and counts through shared references; the atomics only make the owner `Sync`.
#[derive(Debug)]
pub(crate) struct Budget {
    spent: AtomicU64,
    limit: AtomicU64,
}

/// The replaced limit; [`Budget::restore`] restores it.
#[must_use]
pub(crate) struct Before(u64);

impl Budget {
    /// Creates a budget without a limit, of which nothing is spent.
    pub const fn new() -> Self {
        Self { spent: AtomicU64::new(0), limit: AtomicU64::new(u64::MAX) }
    }

    /// Counts finished work, even if it exceeds the limit.
    #[inline]
    pub fn spend(&self, units: u64) {
        // A read-modify-write is not necessary: there is one writer.
        self.spent.store(self.spent().saturating_add(units), Relaxed);
    }

    /// Counts work before it is done. Returns `false` if it exceeds the limit; then nothing is left.
    #[inline]
    pub fn try_spend(&self, units: u64) -> bool {
        self.spend(units);
        !self.is_out()
    }

    /// Returns all work done so far.
    #[inline]
    pub fn spent(&self) -> u64 {
        self.spent.load(Relaxed)
    }

    /// Returns the work that is left.
    #[inline]
    pub fn left(&self) -> u64 {
        self.limit.load(Relaxed).saturating_sub(self.spent())
    }

    /// Returns whether the budget is used up.
    #[inline]
    pub fn is_out(&self) -> bool {
        self.spent() >= self.limit.load(Relaxed)
    }

    /// Leaves at most `units` from now on, until [`Budget::restore`] restores the earlier limit.
    pub fn limit(&self, units: u64) -> Before {
        self.replace(self.limit.load(Relaxed).min(self.spent().saturating_add(units)))
    }

    /// Leaves exactly `units`, independent of the earlier limit: for work whose result outlives the question.
    pub fn only(&self, units: u64) -> Before {
        self.replace(self.spent().saturating_add(units))
    }

    fn replace(&self, limit: u64) -> Before {
        let before = Before(self.limit.load(Relaxed));
        self.limit.store(limit, Relaxed);
        before
    }

    /// Restores the earlier limit. Spent work stays spent.
    pub fn restore(&self, before: Before) {
        self.limit.store(before.0, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_limits_end_with_the_question_and_never_exceed_outer_ones() {
        let budget = Budget::new();
        assert!(budget.try_spend(1_000) && !budget.is_out());
        let none = budget.limit(100);
        assert_eq!(budget.left(), 100);
        let outer = budget.limit(40);
        assert!(!budget.try_spend(45));
        assert!(budget.is_out());
        assert_eq!(budget.left(), 0);
        budget.restore(outer);
        assert_eq!(budget.left(), 55);
        let wider = budget.limit(500);
        assert_eq!(budget.left(), 55);
        budget.restore(wider);
        budget.restore(none);
        assert!(!budget.is_out());
        assert_eq!(budget.spent(), 1_045);
    }

    #[test]
    fn without_any_work_everything_is_out() {
        let budget = Budget::new();
        let _before = budget.limit(0);
        assert!(budget.is_out());
    }
}
