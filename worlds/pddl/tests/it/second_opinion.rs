//! Comparison with another planner on random tasks: whether a plan exists, and that its plans are plans here too.

use ferroplan::{Options, solve};
use ltlcrit_pddl::Found;
use ltlcrit_pddl::{Ground, Validator};
use proptest::prelude::*;

use crate::random_task::{Action, Condition, Effect, RandomTask, Term, tasks};

/// Maximum number of states that the other planner evaluates; the tasks have fewer.
const MAX_EVALUATED: usize = 100_000;

/// Returns the condition without numbers, and without empty conjunctions.
fn plain(condition: &Condition) -> Condition {
    let always = Condition::Same(Term::Object(0), 0);
    let all = |parts: &[Condition]| parts.iter().map(plain).collect::<Vec<_>>();
    match condition {
        Condition::AtMost(_) => Condition::Fact(2, Term::Variable),
        Condition::AtLeast(_) => Condition::Not(Box::new(Condition::Fact(2, Term::Variable))),
        Condition::And(parts) if parts.is_empty() => always,
        Condition::Or(parts) if parts.is_empty() => Condition::Not(Box::new(always)),
        Condition::And(parts) => Condition::And(all(parts)),
        Condition::Or(parts) => Condition::Or(all(parts)),
        Condition::Not(part) => Condition::Not(Box::new(plain(part))),
        Condition::Exists(part) => Condition::Exists(Box::new(plain(part))),
        Condition::ForAll(part) => Condition::ForAll(Box::new(plain(part))),
        Condition::Fact(..) | Condition::Same(..) => condition.clone(),
    }
}

/// Returns the effect without numbers; `None` if it is about numbers alone.
fn effect(of: &Effect) -> Option<Effect> {
    Some(match of {
        Effect::Assign(_) | Effect::Increase(_) => return None,
        Effect::When(condition, then) => Effect::When(plain(condition), Box::new(effect(then)?)),
        Effect::ForAll(then) => Effect::ForAll(Box::new(effect(then)?)),
        Effect::Fact(..) => of.clone(),
    })
}

/// Returns the predicate of an effect, and whether the effect adds it.
fn written(of: &Effect) -> Option<(usize, bool)> {
    match of {
        Effect::Fact(predicate, _, added) => Some((*predicate, *added)),
        Effect::When(_, then) | Effect::ForAll(then) => written(then),
        Effect::Assign(_) | Effect::Increase(_) => None,
    }
}

/// Returns the effects without numbers, and without deletions of added facts: the planners differ in which of them
/// wins.
fn effects(all: &[Effect]) -> Vec<Effect> {
    let all: Vec<Effect> = all.iter().filter_map(effect).collect();
    let is_added = |predicate: usize| all.iter().any(|one| written(one) == Some((predicate, true)));
    let stays = |one: &&Effect| !matches!(written(one), Some((predicate, false)) if is_added(predicate));
    all.iter().filter(stays).cloned().collect()
}

fn without_numbers(task: RandomTask) -> RandomTask {
    let action = |action: &Action| Action {
        precondition: plain(&action.precondition),
        effects: effects(&action.effects),
        dangers: Vec::new(),
        ..action.clone()
    };
    RandomTask { actions: task.actions.iter().map(action).collect(), goal: plain(&task.goal), ..task }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn another_planner_agrees(task in tasks(1..2).prop_map(without_numbers)) {
        let read = task.read();
        let ground = Ground::new(&read).unwrap();
        let (domain, problem) = (read.basic.domain.to_string(), read.basic.to_string());
        let options = Options { threads: 1, max_evaluated: Some(MAX_EVALUATED), ..Options::default() };
        let other = solve(&domain, &problem, &options);
        prop_assert!(other.is_ok(), "{:?}\n{}\n{}", other.err(), domain, problem);
        let other = other.unwrap();
        let ours = ground.shortest_plan(MAX_EVALUATED);
        prop_assert!(ours != Found::GaveUp);
        prop_assert_eq!(other.solved, ours.plan().is_some(), "{:?} {:?}\n{}\n{}", ours, other.notes, domain, problem);
        if let Some(plan) = other.plan {
            let line = |step: &ferroplan::Step| format!("({} {})\n", step.action, step.args.join(" ")).to_lowercase();
            let text: String = plan.steps.iter().map(line).collect();
            let verdict = Validator::new(&read).validate(&text).unwrap();
            prop_assert!(verdict.answers.feasible, "{}\n{:?}\n{}\n{}", text, verdict.decided, domain, problem);
            prop_assert!(ours.plan().unwrap().len() <= plan.steps.len());
        }
    }
}
