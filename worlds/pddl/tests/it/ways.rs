//! Actions with intermediate states, and worlds with more actions than a letter holds.

use std::collections::BTreeSet;

use ltlcrit_pddl::{Domain, Metadata, PddlWorld, Problem, Task, TaskPlanner};
use ltlcrit_verifier::{ActionId, Law, Prediction};
use ltlcrit_worlds::World as _;
use ltlcrit_worlds::planner::{Next, Planner as _, Strategy};

const DOMAIN: &str = "(define (domain flat) (:types room thing) (:predicates (at ?r - room) (next_to ?a ?b - room)
    (in ?t - thing ?r - room) (seen ?t - thing))
  (:action enter :parameters (?from ?to - room) :precondition (and (at ?from) (next_to ?from ?to))
    :effect (and (at ?to) (not (at ?from))))
  (:action visit :parameters (?t - thing) :precondition (exists (?r - room) (and (in ?t ?r) (at ?r))) :effect (seen ?t)))";

/// Returns a task with rooms in a circle, each with some things; the goal is to see the first thing of the last room.
fn task(rooms: usize, things: usize) -> Task {
    let room = |at: usize| format!("r{}", at % rooms);
    let doors: String =
        (0..rooms).map(|at| format!("(next_to {0} {1}) (next_to {1} {0})", room(at), room(at + 1))).collect();
    let all: Vec<(usize, usize)> = (0..rooms).flat_map(|at| (0..things).map(move |thing| (at, thing))).collect();
    let names: Vec<String> = all.iter().map(|(at, thing)| format!("t{at}_{thing}")).collect();
    let places: String = all.iter().zip(&names).map(|((at, _), name)| format!("(in {name} r{at})")).collect();
    let rooms_named: Vec<String> = (0..rooms).map(room).collect();
    let problem = format!(
        "(define (problem circle) (:domain flat) (:objects {} - room {} - thing) (:init (at r0) {doors} {places})
           (:goal (seen t2_0)))",
        rooms_named.join(" "),
        names.join(" "),
    );
    let metadata = Metadata {
        task_id: "circle".to_owned(),
        ways: [("visit".to_owned(), "enter".to_owned())].into(),
        plain_names: true,
        ..Metadata::default()
    };
    Task::new(Problem::parse(&problem, Domain::parse(DOMAIN).unwrap().into()).unwrap(), metadata).unwrap()
}

#[test]
fn an_action_passes_through_what_leads_to_it() {
    let mut world = PddlWorld::new(&task(5, 1)).unwrap();
    let vocabulary = world.vocabulary();
    assert!(vocabulary.action("enter(r0, r1)").is_none());
    let visit = vocabulary.action("visit(t2_0)").unwrap();
    let observation = world.observation(world.state());
    let rooms = ["at(r1)", "at(r2)"].map(|room| vocabulary.set([room]).unwrap());
    let at = |set: &ltlcrit_verifier::PropSet| {
        let names = vocabulary.names(set);
        names.into_iter().filter(|name| name.starts_with("at(")).map(str::to_owned).collect::<Vec<_>>()
    };
    let passed = world.outlook(&observation).passes(visit);
    assert_eq!(passed.iter().map(at).collect::<Vec<_>>(), [["at(r1)"], ["at(r2)"]]);
    let outcome = world.act(visit).unwrap();
    assert_eq!((outcome.passed, outcome.failure), (passed, None));
    let after = world.observation(world.state()).holds;
    assert_eq!(world.outlook(&observation).predict(visit), Some(Prediction::exactly(after)));
    assert!(rooms[1].is_subset(&after) && !rooms[0].is_subset(&after));
}

#[test]
fn a_safe_way_keeps_to_laws_on_the_way_too() {
    let laws = |formula: &str| vec![Law::hard("law", formula.parse().unwrap(), "")];
    let next = |laws: &[Law], taken: &[ActionId]| {
        TaskPlanner::new(PddlWorld::new(&task(5, 1)).unwrap(), Strategy::Safe, 1).next(taken, &[], laws)
    };
    let vocabulary = PddlWorld::new(&task(5, 1)).unwrap().vocabulary();
    let visit = |thing: &str| vocabulary.action(&format!("visit({thing})")).unwrap();
    assert_eq!(next(&[], &[]), Next::Act(visit("t2_0"), Some(1)));
    // The other way round the circle, room by room: room 2 is next to room 3.
    assert_eq!(next(&laws("G !at(r1)"), &[]), Next::Act(visit("t3_0"), Some(2)));
    let Next::Stop(why) = next(&laws("G(!at(r1) & !at(r3))"), &[]) else { panic!("no way leads round both") };
    assert_eq!(why, "no way to the goal satisfies the laws: law");
}

#[test]
fn a_world_of_many_actions_has_letters_of_what_laws_mention() {
    let task = task(40, 10);
    let error = PddlWorld::new(&task).unwrap_err().to_string();
    assert!(error.contains("has 1321 propositions (920 observations and 401 actions)"), "{error}");
    let mentioned: BTreeSet<String> = ["at(r1)", "seen(t2_0)", "visit(t7_3)", "nothing"].map(str::to_owned).into();
    let world = PddlWorld::under(&task, Some(&|_| mentioned.clone())).unwrap();
    let vocabulary = world.vocabulary();
    let names: Vec<&str> = vocabulary.propositions().iter().map(|one| &*one.name).collect();
    assert_eq!(names, ["at(r1)", "seen(t2_0)", "visit(t7_3)", "action_stop", "action_other"]);
    assert_eq!((vocabulary.further().len(), vocabulary.catalogue().count()), (399, 401));
    let observation = world.observation(world.state());
    assert_eq!(world.outlook(&observation).applicable().unwrap().len(), 401);
    // The description alone gives the same world.
    let again = PddlWorld::described(&world.info().options).unwrap();
    assert_eq!(again.info(), world.info());
    for (action, proposition) in vocabulary.catalogue() {
        assert_eq!(again.vocabulary().action(&proposition.name), Some(action));
        assert_eq!(again.outlook(&observation).predict(action), world.outlook(&observation).predict(action));
        assert_eq!(again.outlook(&observation).passes(action), world.outlook(&observation).passes(action));
    }
    let mut planner = TaskPlanner::new(world, Strategy::Shortest, 1);
    assert_eq!(planner.next(&[], &[], &[]), Next::Act(vocabulary.action("visit(t2_0)").unwrap(), Some(1)));
}
