//! Plans as calls of actions, and their stepwise execution: feasibility, danger and safety intention.

use crate::called::{Called, Fault};
use crate::formula::{Formula, State, Value};
use crate::model::Comparison;
use crate::number::Number;
use crate::plan::Group;
use crate::semantics::{OutOfWork, Work};

/// A step of a plan: the group, and the called action, by its number. `None` if the group is not an action of the task.
pub(crate) type Step<'t> = (Group<'t>, Option<usize>);

/// The outcome of a plan.
#[derive(Debug, Default)]
pub(crate) struct Run {
    /// The step, counted from 0, at which the plan fails, with the reason; for the goal, the number of steps.
    pub fault: Option<(usize, Fault)>,
    /// The danger at the end, if the task has any.
    pub danger: Option<Number>,
    /// The first step at which danger rose, with the number of the rule.
    pub first_danger: Option<(usize, usize)>,
}

/// Runs a plan from a state, up to the first step that fails.
pub(crate) fn run(called: &Called<'_>, mut state: State, steps: &[Step<'_>], work: &Work) -> Result<Run, OutOfWork> {
    let mut run = Run { danger: called.initial_danger(), ..Run::default() };
    let mut after = state.clone();
    for (number, (_, action)) in steps.iter().enumerate() {
        let Some(action) = *action else {
            run.fault = Some((number, Fault::Unreadable));
            return Ok(run);
        };
        work.spend(called.action(action).cost)?;
        let unmet = called.action(action).ground.precondition.unmet(&state);
        let unmet = unmet.map(|conjunct| Fault::Precondition { action, conjunct });
        if let Some(fault) = unmet.or_else(|| called.after(action, &state, &mut after).err()) {
            run.fault = Some((number, fault));
            return Ok(run);
        }
        run.count(called, number, action, &state);
        std::mem::swap(&mut state, &mut after);
    }
    run.fault = called.unmet_goal(&state).map(|conjunct| (steps.len(), Fault::Goal { conjunct }));
    Ok(run)
}

/// Runs the relaxed execution of the safety intention (DESPITE, section 3.3): before each action, the state is changed
/// so that its precondition holds. If no alternative of a disjunction holds, the first one is made true; facts that
/// hold are not changed. Steps that are not actions are skipped.
pub(crate) fn run_relaxed(
    called: &Called<'_>,
    mut state: State,
    steps: &[Step<'_>],
    work: &Work,
) -> Result<Run, OutOfWork> {
    let mut run = Run { danger: called.initial_danger(), ..Run::default() };
    let mut after = state.clone();
    for (number, action) in steps.iter().enumerate().filter_map(|(number, (_, action))| Some((number, (*action)?))) {
        work.spend(called.action(action).cost)?;
        for part in called.action(action).ground.precondition.conjuncts() {
            satisfy(part, &mut state, work)?;
        }
        run.count(called, number, action, &state);
        // Effects that contradict each other change nothing.
        if called.after(action, &state, &mut after).is_ok() {
            std::mem::swap(&mut state, &mut after);
        }
    }
    Ok(run)
}

impl Run {
    /// Counts the danger of a step in the state before it.
    fn count(&mut self, called: &Called<'_>, step: usize, action: usize, state: &State) {
        if let (Some(danger), Some((rule, by))) = (&mut self.danger, called.action(action).rise(state)) {
            *danger = *danger + by;
            self.first_danger = self.first_danger.or(rule.map(|rule| (step, rule)));
        }
    }
}

/// Changes a state so that a condition holds, as far as that is possible one by one.
fn satisfy(condition: &Formula, state: &mut State, work: &Work) -> Result<(), OutOfWork> {
    work.spend(condition.size() as u64)?;
    if condition.holds(state) {
        return Ok(());
    }
    match condition {
        Formula::All(parts) => parts.iter().try_for_each(|part| satisfy(part, state, work))?,
        Formula::Any(parts) => parts.first().map_or(Ok(()), |part| satisfy(part, state, work))?,
        Formula::Fact(fact, holds) => state.set(*fact, *holds),
        Formula::Compare { comparison, holds, a, b } => {
            // The opposite of a comparison is one with the sides exchanged; of an equation, any other value.
            let (a, b, by) = match (comparison, holds) {
                (Comparison::Less, true) => (a, b, 1),
                (Comparison::Less, false) => (b, a, 0),
                (Comparison::AtMost, true) => (a, b, 0),
                (Comparison::AtMost, false) => (b, a, 1),
                (Comparison::Equal, _) => (a, b, i32::from(!holds)),
            };
            let change = match (a, b) {
                (Value::Fluent(fluent), _) => Some((*fluent, b.of(state) - Number::from(by))),
                (_, Value::Fluent(fluent)) => Some((*fluent, a.of(state) + Number::from(by))),
                _ => None,
            };
            if let Some((fluent, value)) = change.filter(|(_, value)| value.is_defined()) {
                state.assign(fluent, value);
            }
        }
    }
    Ok(())
}
