//! The one currency of computations on foreign input: units of work, counted and limited.
//!
//! A unit is one expansion of a search. Other kinds of work are charged as many units as they take the time of;
//! `benches/README.md` says how many nanoseconds that is. No clock is read: the same questions cost the same and get the
//! same answers everywhere.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Work spent so far, and a limit to it.
///
/// Counted through shared references by the one thread that owns the computation; the atomics only make the owner `Sync`.
#[derive(Debug)]
pub(crate) struct Budget {
    spent: AtomicU64,
    limit: AtomicU64,
}

/// The limit that another replaced; [`Budget::restore`] puts it back.
#[must_use]
pub(crate) struct Before(u64);

impl Budget {
    /// Nothing spent, no limit.
    pub const fn new() -> Self {
        Self { spent: AtomicU64::new(0), limit: AtomicU64::new(u64::MAX) }
    }

    /// Counts work done, even if it was more than was left.
    #[inline]
    pub fn spend(&self, units: u64) {
        // No read-modify-write: there is one writer.
        self.spent.store(self.spent().saturating_add(units), Relaxed);
    }

    /// Counts work that is about to be done; `false` if it was more than was left. Then nothing is left.
    #[inline]
    pub fn try_spend(&self, units: u64) -> bool {
        self.spend(units);
        !self.is_out()
    }

    /// All work done so far.
    #[inline]
    pub fn spent(&self) -> u64 {
        self.spent.load(Relaxed)
    }

    /// How much is left.
    #[inline]
    pub fn left(&self) -> u64 {
        self.limit.load(Relaxed).saturating_sub(self.spent())
    }

    /// Whether nothing is left.
    #[inline]
    pub fn is_out(&self) -> bool {
        self.spent() >= self.limit.load(Relaxed)
    }

    /// Leaves at most this much from now on, until [`Budget::restore`] puts the earlier limit back.
    pub fn limit(&self, units: u64) -> Before {
        self.replace(self.limit.load(Relaxed).min(self.spent().saturating_add(units)))
    }

    /// Leaves exactly this much, whatever was left: for work whose result outlives the question.
    pub fn only(&self, units: u64) -> Before {
        self.replace(self.spent().saturating_add(units))
    }

    fn replace(&self, limit: u64) -> Before {
        let before = Before(self.limit.load(Relaxed));
        self.limit.store(limit, Relaxed);
        before
    }

    /// Puts the earlier limit back. What was spent stays spent.
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
