//! What questions cost, counted in units of work, and the most a question may cost.
//!
//! A unit is one expansion of a search. Other kinds of work are charged as many units as they take the time of; what a
//! unit takes was measured, and is told in [`performance`](crate::performance). No clock is read: the same questions cost
//! the same and get the same answers everywhere.

use std::cell::Cell;

/// A count of work done, and a limit to it.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    spent: Cell<u64>,
    limit: Cell<u64>,
}

/// The limit before another was set, to be put back.
#[must_use]
pub(crate) struct Before(u64);

impl Budget {
    /// Nothing done, no limit.
    pub fn new() -> Self {
        Self { spent: Cell::new(0), limit: Cell::new(u64::MAX) }
    }

    /// Counts work done, whether or not that much was left.
    #[inline]
    pub fn spend(&self, units: u64) {
        self.spent.set(self.spent.get().saturating_add(units));
    }

    /// Counts work that is about to be done; `false` if it was more than was left. Then nothing is left.
    #[inline]
    pub fn try_spend(&self, units: u64) -> bool {
        self.spend(units);
        !self.is_out()
    }

    /// All work done so far.
    pub fn spent(&self) -> u64 {
        self.spent.get()
    }

    /// How much is left.
    #[inline]
    pub fn left(&self) -> u64 {
        self.limit.get().saturating_sub(self.spent.get())
    }

    /// Whether nothing is left.
    #[inline]
    pub fn is_out(&self) -> bool {
        self.spent.get() >= self.limit.get()
    }

    /// From now on at most so much is left, until the limit before is put back by [`Budget::restore`].
    pub fn limit(&self, units: u64) -> Before {
        Before(self.limit.replace(self.limit.get().min(self.spent.get().saturating_add(units))))
    }

    /// The same, whatever was left: for work whose result outlives the question.
    pub fn only(&self, units: u64) -> Before {
        Before(self.limit.replace(self.spent.get().saturating_add(units)))
    }

    /// Puts the limit before back. What was spent stays spent.
    pub fn restore(&self, before: Before) {
        self.limit.set(before.0);
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
