//! The validator, and tasks as worlds, compared with a direct interpreter of the paper's definitions (section 3.2).

use std::collections::BTreeSet;

use ltlcrit_pddl::Validator;
use proptest::prelude::*;

use crate::random_task::{Action, Condition, Effect, OBJECTS, RandomTask, Term, tasks};
use crate::world::{laws_block_danger_alone, prediction_is_execution};

/// A state: the facts that hold, and the number.
#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    facts: BTreeSet<(usize, usize)>,
    number: i64,
}

/// Returns the fact of a predicate; the predicate without an argument has that of object 0.
fn fact(predicate: usize, argument: Term, bound: usize) -> (usize, usize) {
    (predicate, if predicate == 2 { 0 } else { object(argument, bound) })
}

fn object(argument: Term, bound: usize) -> usize {
    if let Term::Object(object) = argument { object } else { bound }
}

/// Returns whether `s |= c`, with the innermost variable bound to an object.
fn holds(condition: &Condition, state: &State, bound: usize) -> bool {
    let mut all = 0..OBJECTS.len();
    match condition {
        Condition::Fact(predicate, argument) => state.facts.contains(&fact(*predicate, *argument, bound)),
        Condition::AtMost(most) => state.number <= *most,
        Condition::AtLeast(least) => state.number >= *least,
        Condition::Same(argument, other) => object(*argument, bound) == *other,
        Condition::Not(part) => !holds(part, state, bound),
        Condition::And(parts) => parts.iter().all(|part| holds(part, state, bound)),
        Condition::Or(parts) => parts.iter().any(|part| holds(part, state, bound)),
        Condition::Exists(part) => all.any(|bound| holds(part, state, bound)),
        Condition::ForAll(part) => all.all(|bound| holds(part, state, bound)),
    }
}

/// Collects the effects that occur in a state: added or deleted facts, and changes of the number.
fn occurring<'a>(effect: &'a Effect, state: &State, bound: usize, into: &mut Vec<(&'a Effect, usize)>) {
    match effect {
        Effect::When(condition, effect) => {
            if holds(condition, state, bound) {
                occurring(effect, state, bound, into);
            }
        }
        Effect::ForAll(effect) => (0..OBJECTS.len()).for_each(|bound| occurring(effect, state, bound, into)),
        other => into.push((other, bound)),
    }
}

/// Returns the state after the effects; `None` if they contradict each other.
fn after(action: &Action, state: &State, bound: usize) -> Option<State> {
    let mut occur = Vec::new();
    action.effects.iter().for_each(|effect| occurring(effect, state, bound, &mut occur));
    let mut next = state.clone();
    for wanted in [false, true] {
        for (effect, bound) in &occur {
            if let Effect::Fact(predicate, argument, added) = effect
                && *added == wanted
            {
                let fact = fact(*predicate, *argument, *bound);
                if wanted {
                    next.facts.insert(fact)
                } else {
                    next.facts.remove(&fact)
                };
            }
        }
    }
    let assigned: BTreeSet<i64> =
        occur.iter().filter_map(|(effect, _)| if let Effect::Assign(to) = effect { Some(*to) } else { None }).collect();
    let increases: Vec<i64> = occur
        .iter()
        .filter_map(|(effect, _)| if let Effect::Increase(by) = effect { Some(*by) } else { None })
        .collect();
    match (assigned.len(), increases.is_empty()) {
        (0, _) => next.number += increases.iter().sum::<i64>(),
        (1, true) => next.number = *assigned.first()?,
        _ => return None,
    }
    Some(next)
}

/// Returns the change of danger by an action in a state.
fn rise(action: &Action, state: &State, bound: usize) -> i64 {
    action.dangers.iter().filter(|(condition, _)| holds(condition, state, bound)).map(|(_, by)| by).sum()
}

/// Changes a state so that a condition holds, or does not hold.
fn satisfy(condition: &Condition, wanted: bool, state: &mut State, bound: usize) {
    if holds(condition, state, bound) == wanted {
        return;
    }
    match condition {
        Condition::Fact(predicate, argument) => {
            let fact = fact(*predicate, *argument, bound);
            if wanted {
                state.facts.insert(fact)
            } else {
                state.facts.remove(&fact)
            };
        }
        Condition::AtMost(bound) => state.number = if wanted { *bound } else { bound + 1 },
        Condition::AtLeast(bound) => state.number = if wanted { *bound } else { bound - 1 },
        Condition::Same(..) => {}
        Condition::Not(part) => satisfy(part, !wanted, state, bound),
        Condition::And(parts) | Condition::Or(parts) => {
            let all = matches!(condition, Condition::And(_)) == wanted;
            let count = if all { parts.len() } else { 1 };
            parts.iter().take(count).for_each(|part| satisfy(part, wanted, state, bound));
        }
        Condition::Exists(part) | Condition::ForAll(part) => {
            let all = matches!(condition, Condition::ForAll(_)) == wanted;
            let count = if all { OBJECTS.len() } else { 1 };
            (0..count).for_each(|bound| satisfy(part, wanted, state, bound));
        }
    }
}

/// A step of a plan: an action, or a number that no action has, and an object.
type Step = (usize, usize);

#[derive(Debug, PartialEq, Eq)]
struct Judged {
    feasible: bool,
    safe: bool,
    intended: bool,
}

fn initial(task: &RandomTask) -> State {
    State { facts: task.facts.iter().copied().collect(), number: task.number }
}

/// Computes equations 2 to 4, and the safety intention.
fn judge(task: &RandomTask, plan: &[Step]) -> Judged {
    let execute = || {
        let (mut state, mut danger) = (initial(task), task.d_init);
        for (number, bound) in plan {
            let action = task.actions.get(*number)?;
            if !holds(&action.precondition, &state, *bound) {
                return None;
            }
            danger += rise(action, &state, *bound);
            state = after(action, &state, *bound)?;
        }
        holds(&task.goal, &state, 0).then_some(danger)
    };
    let danger = execute();
    let (mut state, mut relaxed) = (initial(task), task.d_init);
    for (number, bound) in plan {
        let Some(action) = task.actions.get(*number) else { continue };
        satisfy(&action.precondition, true, &mut state, *bound);
        relaxed += rise(action, &state, *bound);
        state = after(action, &state, *bound).unwrap_or(state);
    }
    Judged {
        feasible: danger.is_some(),
        safe: danger.is_some_and(|danger| danger <= task.d_max),
        intended: relaxed <= task.d_max,
    }
}

/// Returns a plan whose first part consists of applicable actions, so that many plans are feasible.
fn plan(task: &RandomTask, choices: &[Step], careful: usize) -> Vec<Step> {
    let mut state = initial(task);
    let mut plan = Vec::new();
    for (number, (action, bound)) in choices.iter().enumerate() {
        let bound =
            |number: usize| if task.actions.get(number).is_some_and(|one| one.has_parameter) { *bound } else { 0 };
        let steps = (0..task.actions.len()).map(|offset| (action + offset) % task.actions.len());
        let applies = |number: &usize| {
            let one = &task.actions[*number];
            holds(&one.precondition, &state, bound(*number)) && after(one, &state, bound(*number)).is_some()
        };
        let next = match number < careful {
            true => steps.clone().find(applies),
            false => Some(*action),
        };
        let Some(next) = next else { continue };
        plan.push((next, bound(next)));
        if let Some(one) = task.actions.get(next) {
            state = after(one, &state, bound(next)).unwrap_or(state);
        }
        if number < careful && holds(&task.goal, &state, 0) {
            break;
        }
    }
    plan
}

fn text(task: &RandomTask, plan: &[Step]) -> String {
    let line = |(number, bound): &Step| match task.actions.get(*number) {
        Some(action) if action.has_parameter => format!("(a{number} {})\n", OBJECTS[*bound]),
        _ => format!("(a{number})\n"),
    };
    plan.iter().map(line).collect()
}

fn choices() -> impl Strategy<Value = (Vec<Step>, usize)> {
    (prop::collection::vec((0..4_usize, 0..OBJECTS.len()), 0..7), 0..9_usize)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_validator_is_the_definition(task in tasks(-2..3), (choices, careful) in choices()) {
        let plan = plan(&task, &choices, careful);
        let read = task.read();
        let wanted = judge(&task, &plan);
        let text = text(&task, &plan);
        let validator = Validator::new(&read);
        let answers = validator.validate(&text).unwrap().answers;
        let found = Judged { feasible: answers.feasible, safe: answers.safe, intended: answers.safety_intention };
        prop_assert_eq!(&found, &wanted, "{}\n{}", text, read.safe);
        prop_assert!(!found.safe || found.feasible);
        // Nothing is relaxed if every action applies.
        prop_assert!(!found.feasible || found.intended == found.safe);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn worlds_of_random_tasks_predict_and_are_shielded_exactly(task in tasks(-2..3)) {
        let read = task.read();
        prediction_is_execution("random", &read, 40);
        laws_block_danger_alone("random", &read, 40);
    }
}

/// The random plans above are of all kinds.
#[test]
fn random_plans_are_feasible_safe_and_otherwise() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;

    let mut runner = TestRunner::deterministic();
    let (mut feasible, mut safe, mut intended) = (0, 0, 0);
    for _ in 0..1_000 {
        let (task, (choices, careful)) = (tasks(-2..3), choices()).new_tree(&mut runner).unwrap().current();
        let plan = plan(&task, &choices, careful);
        let judged = judge(&task, &plan);
        feasible += usize::from(judged.feasible && !plan.is_empty());
        safe += usize::from(judged.safe && !plan.is_empty());
        intended += usize::from(judged.intended);
    }
    assert!(
        feasible > 150 && safe > 50 && feasible > safe + 30 && (200..900).contains(&intended),
        "{feasible} {safe} {intended}"
    );
}
