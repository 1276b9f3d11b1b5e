//! The fixed phrases that mark the parts of a prompt; personas find the parts by them.

/// Heads the meanings of the observations.
pub(in super::super) const OBSERVATIONS: &str = "Observations (`not` before one means that it does not hold):";
/// Heads the terms that need an explanation.
pub(in super::super) const GLOSSARY: &str = "Words used here:";
/// Heads the list of actions.
pub(in super::super) const ACTIONS: &str = "Actions:";
/// Opens the state.
pub(in super::super) const STATE: &str = "<state>";
/// Closes the state.
pub(in super::super) const STATE_END: &str = "</state>";
/// Begins the line of observations that hold.
pub(in super::super) const HOLDS: &str = "What holds: ";
/// Heads the steps listed one by one.
pub(in super::super) const STEPS: &str = "Steps so far:";
/// Begins a step of that list, before its number.
pub(in super::super) const STEP: &str = "Step ";
/// Follows the action of a failed step.
pub(in super::super) const FAILED: &str = "failed";
/// Heads the refusals of the step.
pub(in super::super) const REFUSED: &str = "Refused in this step:";
/// Follows the name of a blocked action.
pub(in super::super) const BLOCKED: &str = " was blocked";
/// Begins the line of the only actions allowed.
pub(in super::super) const ALLOWED: &str = "Only these actions are allowed now: ";
/// Heads the laws in English.
pub(in super::super) const LAWS: &str = "Laws:";
/// Begins the sentence that says that the goal is reached.
pub(in super::super) const GOAL: &str = "The goal is reached";
/// Begins each entry of a list.
pub(in super::super) const BULLET: &str = "- ";
