//! Tasks as worlds: prediction, execution, goals, and the laws against danger.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use ltlcrit_pddl::Found;
use ltlcrit_pddl::{Ground, NOT_APPLICABLE, Number, PddlWorld, State, Task, TaskPlanner, Validator};
use ltlcrit_verifier::{ActionId, Prediction, Shield, ShieldOptions};
use ltlcrit_worlds::planner::{Next, Planner as _, Strategy};
use ltlcrit_worlds::{Observation, Way, World};

use crate::data::tasks;

/// Returns at most `most` reachable states.
fn reachable(ground: &Ground, most: usize) -> Vec<State> {
    let mut seen = HashSet::from([ground.initial().clone()]);
    let mut queue = VecDeque::from([ground.initial().clone()]);
    let mut states = Vec::new();
    while let Some(state) = queue.pop_front() {
        for action in 0..ground.actions().len() {
            if let Some(next) = ground.apply(&state, action)
                && seen.len() < most
                && seen.insert(next.clone())
            {
                queue.push_back(next);
            }
        }
        states.push(state);
    }
    states
}

fn all() -> Vec<(String, Task)> {
    [tasks("tasks"), tasks("probes")].concat()
}

/// Checks that prediction equals execution in every reachable state.
pub fn prediction_is_execution(name: &str, task: &Task, most: usize) {
    let world = PddlWorld::new(task).unwrap();
    let ground = world.ground();
    for state in reachable(ground, most) {
        let observation = world.observation(&state);
        let stored: Observation = serde_json::from_str(&serde_json::to_string(&observation).unwrap()).unwrap();
        for number in 0..ground.actions().len() {
            let after = ground.apply(&state, number);
            let wanted = Prediction::exactly(world.observation(after.as_ref().unwrap_or(&state)).holds);
            let action = ActionId(number as u16);
            assert_eq!(world.outlook(&observation).predict(action), Some(wanted), "{name}");
            assert_eq!(world.outlook(&stored).predict(action), Some(wanted), "{name}");
        }
        assert_eq!(world.goal_reached(&stored), ground.is_goal(&state), "{name}");
    }
}

#[test]
fn prediction_equals_execution_in_every_state() {
    all().iter().for_each(|(name, task)| prediction_is_execution(name, task, 500));
}

/// Checks that exactly the dangerous actions are blocked in each state under the laws alone. Returns their number.
pub fn laws_block_danger_alone(name: &str, task: &Task, most: usize) -> usize {
    let mut dangerous = 0;
    let world = PddlWorld::new(task).unwrap();
    let ground = world.ground();
    if ground.actions().is_empty() {
        return 0;
    }
    let mut shield = Shield::new(world.vocabulary(), world.danger_laws(), ShieldOptions::default()).unwrap();
    for state in reachable(ground, most) {
        shield.start(world.observation(&state).holds).unwrap();
        let allowed = shield.decide().allowed;
        for number in 0..ground.actions().len() {
            let rises = ground.danger(&state, number).compare(Number::ZERO).unwrap().is_gt();
            dangerous += usize::from(rises);
            assert_eq!(allowed.contains(ActionId(number as u16)), !rises, "{name}");
        }
    }
    dangerous
}

#[test]
fn the_laws_block_what_is_dangerous_and_nothing_else() {
    let dangerous: usize = all().iter().map(|(name, task)| laws_block_danger_alone(name, task, 500)).sum();
    assert!(dangerous > 100, "{dangerous}");
}

#[test]
fn the_shortest_plans_are_feasible_and_the_safe_ones_safe() {
    for (name, task) in tasks("tasks") {
        let ground = Ground::new(&task).unwrap();
        let validator = Validator::new(&task);
        let text = |found: &Found| -> String {
            let steps = found.plan().unwrap().iter().map(|action| &*ground.actions()[*action].name);
            steps.collect::<Vec<_>>().join(" ")
        };
        let (shortest, safest) = (ground.shortest_plan(10_000), ground.safest_plan(10_000));
        assert!(validator.validate(&text(&shortest)).unwrap().answers.feasible, "{name}");
        assert!(validator.validate(&text(&safest)).unwrap().answers.safe, "{name}");
        let reference = |kind: &str| task.metadata.reference_feasible_plans[kind].matches('(').count();
        let length = |found: &Found| found.plan().unwrap().len();
        assert!(length(&shortest) <= reference("unsafe").min(reference("safe")), "{name}");
        assert!(length(&shortest) <= length(&safest) && length(&safest) <= reference("safe"), "{name}");
    }
}

/// A planner takes the additional steps of a mitigation if danger must not remain.
#[test]
fn mitigation_is_planned() {
    let domain = "(define (domain d) (:predicates (spilt) (done)) (:functions (danger))
        (:action pour :precondition (not (spilt)) :effect (and (spilt) (done) (when (not (done)) (increase (danger) 2))))
        (:action wipe :precondition (spilt) :effect (and (not (spilt)) (decrease (danger) 1))))";
    let problem = |max| {
        format!("(define (problem p) (:domain d) (:init (= (danger) 0)) (:goal (and (done) (<= (danger) {max}))))")
    };
    let plan = |max| {
        let ground = Ground::new(&Task::parse(domain, &problem(max)).unwrap()).unwrap();
        ground
            .safest_plan(100)
            .plan()
            .map(|plan| plan.iter().map(|action| ground.actions()[*action].name.clone()).collect())
    };
    assert_eq!(plan(2), Some(vec!["(pour)".to_owned()]));
    assert_eq!(plan(1), Some(["(pour)", "(wipe)"].map(str::to_owned).to_vec()));
    let again = ["(pour)", "(wipe)", "(pour)", "(wipe)"].map(str::to_owned).to_vec();
    assert_eq!(plan(0), Some(again));
}

/// A planner first searches around the goal; a way that uses other objects can be shorter.
#[test]
fn the_nearest_way_may_use_objects_that_neither_goal_nor_laws_mention() {
    let domain = "(define (domain rooms) (:requirements :strips :typing) (:types room lift)
        (:predicates (in ?r - room) (beside ?r ?s - room) (runs ?l - lift) (joins ?l - lift ?r ?s - room))
        (:action walk :parameters (?r ?s - room) :precondition (and (in ?r) (beside ?r ?s))
            :effect (and (in ?s) (not (in ?r))))
        (:action start :parameters (?l - lift) :precondition (not (runs ?l)) :effect (runs ?l))
        (:action ride :parameters (?l - lift ?r ?s - room) :precondition (and (in ?r) (runs ?l) (joins ?l ?r ?s))
            :effect (and (in ?s) (not (in ?r)))))";
    let problem = "(define (problem up) (:domain rooms) (:objects a b c d - room paternoster - lift)
        (:init (in a) (beside a b) (beside b c) (beside c d) (joins paternoster a d)) (:goal (in d)))";
    let world = PddlWorld::new(&Task::parse(domain, problem).unwrap()).unwrap();
    let Way::Plan(plan) = TaskPlanner::nearest(world.clone()) else { panic!("no way") };
    assert_eq!(plan.len(), 2);
    let mut planner = TaskPlanner::new(world, Strategy::Shortest, 1);
    let Next::Act(_, Some(left)) = planner.next(&[], &[], &[]) else { panic!("no way") };
    assert_eq!(left, 2);
}

#[test]
fn a_search_says_whether_it_proved_or_gave_up() {
    let domain = "(define (domain d) (:predicates (p) (q)) (:functions (n))
        (:action more :effect (increase (n) 1))
        (:action set :precondition (< (n) 0) :effect (p))
        (:action reset :effect (and (q))))";
    let problem = "(define (problem p) (:domain d) (:init (= (n) 0)) (:goal (p)))";
    let ground = Ground::new(&Task::parse(domain, problem).unwrap()).unwrap();
    assert_eq!(ground.shortest_plan(50), Found::GaveUp);
    let still = domain.replace("(increase (n) 1)", "(q)");
    let ground = Ground::new(&Task::parse(&still, problem).unwrap()).unwrap();
    assert_eq!(ground.shortest_plan(50), Found::None);
}

#[tokio::test]
async fn a_task_is_run_to_its_goal() {
    let (_, task) = tasks("tasks").remove(0);
    let mut world = PddlWorld::new(&task).unwrap();
    assert_eq!((world.info().kind.as_str(), world.info().deterministic), ("pddl", true));
    assert_eq!(world.task(), "Reach a state in which (and (object_at hot_liquid_container drop_off)) holds.");
    let vocabulary = world.vocabulary();
    let mut outcomes = Vec::new();
    for action in [
        "grab_container",
        "open_container",
        "grab_container",
        "navigate_to_drop_off",
        "place_container(drop_off)",
        "stop",
    ] {
        let action = vocabulary.action(&format!("action_{action}")).unwrap();
        let outcome = world.execute(action).await.unwrap();
        outcomes.push(outcome.message.clone());
        assert_eq!(outcome.failure, (outcomes.len() == 1).then_some(NOT_APPLICABLE));
    }
    let observation = world.observe().await.unwrap();
    assert!(world.goal_reached(&observation));
    assert_eq!(world.danger(), Number::from(1));
    let known: Vec<&str> = vocabulary.propositions().iter().map(|of| &*of.name).collect();
    assert!(!known.iter().any(|name| name.contains("danger")));
    insta::assert_snapshot!(format!(
        "{}\n\n{}\n\n{}\n\n{}",
        outcomes.join("\n"),
        observation.details,
        vocabulary
            .propositions()
            .iter()
            .map(|of| format!("{}: {}\n", of.name, of.meaning_and_recipe()))
            .collect::<String>(),
        world.danger_laws().iter().map(|law| format!("{}\n{}\n", law.formula, law.explanation)).collect::<String>(),
    ));
    assert!(world.execute(ActionId(99)).await.is_err());
}

#[test]
fn a_task_with_more_symbols_than_a_letter_holds_is_refused_with_the_counts() {
    let objects: Vec<String> = (0..20).map(|number| format!("o{number}")).collect();
    let domain = "(define (domain d) (:predicates (at ?a ?b))
        (:action put :parameters (?a ?b) :effect (at ?a ?b)) (:action take :parameters (?a ?b) :effect (not (at ?a ?b))))";
    let problem = format!("(define (problem p) (:domain d) (:objects {}) (:goal (at o1 o2)))", objects.join(" "));
    let task = Task::parse(domain, &problem).unwrap();
    let error = PddlWorld::new(&task).unwrap_err().to_string();
    assert!(error.contains("1201 propositions (400 observations and 801 actions)"), "{error}");
    let stop = "(define (domain d) (:predicates (p)) (:action stop :effect (p)))";
    let goal = "(define (problem p) (:domain d) (:goal (p)))";
    let error = PddlWorld::new(&Task::parse(stop, goal).unwrap()).unwrap_err().to_string();
    assert!(error.contains("rename it"), "{error}");
}

/// Copies are independent, and they share the vocabulary.
#[test]
fn worlds_fork() {
    let (_, task) = tasks("tasks").remove(0);
    let mut world = PddlWorld::new(&task).unwrap();
    let other = world.clone();
    let open = world.vocabulary().action("action_open_container").unwrap();
    world.act(open).unwrap();
    assert_ne!(world.state(), other.state());
    assert!(Arc::ptr_eq(&world.vocabulary(), &other.vocabulary()));
}
