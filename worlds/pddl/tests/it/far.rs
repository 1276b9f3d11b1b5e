//! Goals that a search for the shortest way does not find within its budget.

use std::fmt::Write as _;

use ltlcrit_pddl::{Found, Ground, PddlWorld, Task, TaskPlanner};
use ltlcrit_worlds::planner::{Next, Planner as _, Strategy};

/// Drinks are mixed in one shaker with two hands, each in a clean glass.
const BAR: &str = "(define (domain bar) (:requirements :strips :typing)
  (:types hand vessel level drink - object glass shaker - vessel juice mix - drink tap)
  (:predicates (lies ?v - vessel) (held ?h - hand ?v - vessel) (free ?h - hand) (gives ?t - tap ?j - juice) (empty ?v - vessel)
    (has ?v - vessel ?d - drink) (clean ?v - vessel) (was ?v - vessel ?d - drink) (at ?s - shaker ?l - level)
    (least ?s - shaker ?l - level) (after ?l - level ?m - level) (raw ?s - shaker) (shaken ?s - shaker)
    (one ?m - mix ?j - juice) (two ?m - mix ?j - juice))
  (:action lift :parameters (?h - hand ?v - vessel) :precondition (and (lies ?v) (free ?h))
    :effect (and (not (lies ?v)) (not (free ?h)) (held ?h ?v)))
  (:action lower :parameters (?h - hand ?v - vessel) :precondition (held ?h ?v)
    :effect (and (lies ?v) (free ?h) (not (held ?h ?v))))
  (:action draw :parameters (?g - glass ?j - juice ?h - hand ?k - hand ?t - tap)
    :precondition (and (held ?h ?g) (free ?k) (gives ?t ?j) (empty ?g) (clean ?g))
    :effect (and (not (empty ?g)) (has ?g ?j) (not (clean ?g)) (was ?g ?j)))
  (:action redraw :parameters (?g - glass ?j - juice ?h - hand ?k - hand ?t - tap)
    :precondition (and (held ?h ?g) (free ?k) (gives ?t ?j) (empty ?g) (was ?g ?j))
    :effect (and (not (empty ?g)) (has ?g ?j)))
  (:action rinse :parameters (?g - glass ?d - drink ?h - hand ?k - hand)
    :precondition (and (held ?h ?g) (free ?k) (empty ?g) (was ?g ?d)) :effect (and (not (was ?g ?d)) (clean ?g)))
  (:action spill :parameters (?h - hand ?g - glass ?d - drink) :precondition (and (held ?h ?g) (has ?g ?d))
    :effect (and (not (has ?g ?d)) (empty ?g)))
  (:action begin :parameters (?g - glass ?j - juice ?s - shaker ?h - hand ?l - level ?m - level)
    :precondition (and (held ?h ?g) (has ?g ?j) (empty ?s) (clean ?s) (at ?s ?l) (after ?l ?m))
    :effect (and (not (has ?g ?j)) (empty ?g) (has ?s ?j) (not (empty ?s)) (not (clean ?s)) (raw ?s) (not (at ?s ?l)) (at ?s ?m)))
  (:action add :parameters (?g - glass ?j - juice ?s - shaker ?h - hand ?l - level ?m - level)
    :precondition (and (held ?h ?g) (has ?g ?j) (raw ?s) (at ?s ?l) (after ?l ?m))
    :effect (and (not (has ?g ?j)) (empty ?g) (has ?s ?j) (not (at ?s ?l)) (at ?s ?m)))
  (:action shake :parameters (?m - mix ?i - juice ?j - juice ?s - shaker ?h - hand ?k - hand)
    :precondition (and (held ?h ?s) (free ?k) (raw ?s) (has ?s ?i) (has ?s ?j) (one ?m ?i) (two ?m ?j))
    :effect (and (not (raw ?s)) (shaken ?s) (not (has ?s ?i)) (not (has ?s ?j)) (has ?s ?m)))
  (:action pour :parameters (?m - mix ?g - glass ?h - hand ?s - shaker ?l - level ?n - level)
    :precondition (and (held ?h ?s) (has ?s ?m) (shaken ?s) (empty ?g) (clean ?g) (at ?s ?l) (after ?n ?l))
    :effect (and (not (clean ?g)) (not (empty ?g)) (has ?g ?m) (not (at ?s ?l)) (at ?s ?n)))
  (:action drain :parameters (?m - mix ?h - hand ?s - shaker ?l - level ?n - level)
    :precondition (and (held ?h ?s) (has ?s ?m) (shaken ?s) (at ?s ?l) (least ?s ?n))
    :effect (and (not (at ?s ?l)) (at ?s ?n) (not (shaken ?s)) (not (has ?s ?m)) (empty ?s)))
  (:action wash :parameters (?h - hand ?k - hand ?s - shaker) :precondition (and (held ?h ?s) (free ?k) (empty ?s))
    :effect (clean ?s)))";

fn bar(mixes: usize) -> String {
    let mut facts = String::from(
        "(lies shaker) (empty shaker) (clean shaker) (at shaker l0) (least shaker l0) (after l0 l1) (after l1 l2)",
    );
    let (mut goal, mut glasses, mut names) = (String::new(), String::from("spare"), String::new());
    for mix in 0..mixes {
        let _ = write!(facts, " (one m{mix} j{}) (two m{mix} j{})", mix % 3, (mix + 1) % 3);
        let _ = write!(goal, "(has g{mix} m{mix})");
        let _ = write!(glasses, " g{mix}");
        let _ = write!(names, " m{mix}");
    }
    for glass in glasses.split(' ') {
        let _ = write!(facts, " (lies {glass}) (empty {glass}) (clean {glass})");
    }
    format!(
        "(define (problem drinks) (:domain bar) (:objects left right - hand shaker - shaker {glasses} - glass l0 l1 l2 - level
           j0 j1 j2 - juice{names} - mix t0 t1 t2 - tap)
         (:init (free left) (free right) (gives t0 j0) (gives t1 j1) (gives t2 j2) {facts}) (:goal (and {goal})))"
    )
}

/// Parcels are moved by trucks within towns and by one plane between them.
const POST: &str = "(define (domain post) (:requirements :strips :typing)
  (:types vehicle place parcel - object truck plane - vehicle)
  (:predicates (in ?p - parcel ?v - vehicle) (at ?v - vehicle ?x - place) (lies ?p - parcel ?x - place)
    (road ?x - place ?y - place) (field ?x - place))
  (:action load :parameters (?p - parcel ?v - vehicle ?x - place) :precondition (and (lies ?p ?x) (at ?v ?x))
    :effect (and (in ?p ?v) (not (lies ?p ?x))))
  (:action unload :parameters (?p - parcel ?v - vehicle ?x - place) :precondition (and (in ?p ?v) (at ?v ?x))
    :effect (and (lies ?p ?x) (not (in ?p ?v))))
  (:action drive :parameters (?t - truck ?x - place ?y - place) :precondition (and (at ?t ?x) (road ?x ?y))
    :effect (and (at ?t ?y) (not (at ?t ?x))))
  (:action fly :parameters (?a - plane ?x - place ?y - place) :precondition (and (at ?a ?x) (field ?x) (field ?y))
    :effect (and (at ?a ?y) (not (at ?a ?x)))))";

fn post(towns: usize, parcels: usize) -> String {
    let (mut objects, mut facts, mut goal) = (String::new(), String::from("(at plane p0a)"), String::new());
    for town in 0..towns {
        let _ = write!(objects, "p{town}a p{town}b p{town}c - place t{town} - truck ");
        let _ = write!(facts, " (field p{town}a) (at t{town} p{town}b)");
        for (x, y) in [("a", "b"), ("b", "c"), ("b", "a"), ("c", "b")] {
            let _ = write!(facts, " (road p{town}{x} p{town}{y})");
        }
    }
    for parcel in 0..parcels {
        let _ = write!(objects, "x{parcel} - parcel ");
        let _ = write!(facts, " (lies x{parcel} p{}b)", parcel % towns);
        let _ = write!(goal, "(lies x{parcel} p{}c)", (parcel + 1 + parcel / towns) % towns);
    }
    format!(
        "(define (problem sent) (:domain post) (:objects plane - plane {objects}) (:init {facts}) (:goal (and {goal})))"
    )
}

#[test]
fn far_goals_are_reached_where_the_search_for_the_shortest_way_gives_up() {
    for (domain, problem) in [(BAR, bar(3)), (BAR, bar(5)), (POST, post(3, 7)), (POST, post(4, 16))] {
        let task = Task::parse(domain, &problem).unwrap();
        assert_eq!(Ground::new(&task).unwrap().shortest_plan(20_000), Found::GaveUp);
        let mut world = PddlWorld::under(&task, Some(&|_| Default::default())).unwrap();
        let mut planner = TaskPlanner::new(world.clone(), Strategy::Shortest, 1);
        let mut taken = Vec::new();
        let began = std::time::Instant::now();
        while let Next::Act(action, _) = planner.next(&taken, &[], &[]) {
            assert!(world.act(action).unwrap().succeeded());
            taken.push(action);
        }
        eprintln!("{} steps, {:?}", taken.len(), began.elapsed());
        assert!(world.ground().is_goal(world.state()), "{problem}");
    }
}

/// Estimates do not help with a number that they do not take into account.
#[test]
fn a_search_that_is_given_up_says_so() {
    let domain = "(define (domain safe) (:predicates (open)) (:functions (a) (b) (c))
        (:action a :effect (increase (a) 1)) (:action b :effect (increase (b) 1)) (:action c :effect (increase (c) 1))
        (:action open :precondition (and (= (a) 90) (= (b) 90) (= (c) 90)) :effect (open)))";
    let problem = "(define (problem p) (:domain safe) (:init (= (a) 0) (= (b) 0) (= (c) 0)) (:goal (open)))";
    let world = PddlWorld::new(&Task::parse(domain, problem).unwrap()).unwrap();
    let next = TaskPlanner::new(world, Strategy::Shortest, 1).next(&[], &[], &[]);
    let Next::GaveUp(why) = next else { panic!("{next:?}") };
    assert!(why.starts_with("no way to the goal was found among 200000 states"), "{why}");
}
