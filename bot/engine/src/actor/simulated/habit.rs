//! Habits: the check of their conditions, and the resulting action.

use super::inventory::Inventory;
use super::persona::{After, Habit, HabitAction};
use super::prompt::View;

impl Habit {
    /// Returns the action that it takes here in place of the sensible one, or `None` if its conditions are not met.
    pub(super) fn action<'a>(&'a self, sensible: &str, view: &'a View, inventory: &Inventory) -> Option<&'a str> {
        let last = view.history.last();
        let replaced = if self.instead_of.is_empty() {
            sensible != "action_stop"
        } else {
            self.instead_of.iter().any(|action| action.0 == sensible)
        };
        let follows = self.after.is_none_or(|after| last.is_some_and(|past| past.failed == (after == After::Failure)));
        let met = replaced
            && follows
            && self.when.iter().all(|fact| view.holds(&fact.0))
            && !self.unless.iter().any(|fact| view.holds(&fact.0))
            && self.at_least.iter().all(|(item, number)| inventory[*item] >= *number)
            && self.below.iter().all(|(item, number)| inventory[*item] < *number);
        let action = match &self.action {
            HabitAction::Named(action) => action,
            HabitAction::Again => &last?.action,
        };
        (met && action != sensible).then_some(action)
    }
}
