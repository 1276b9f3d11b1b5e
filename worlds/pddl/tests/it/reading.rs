//! Tests of accepted texts, and of refused ones with their places.

use ltlcrit_pddl::{Task, TaskError, Validator};

fn task(functions: &str, actions: &str, init: &str, rest: &str) -> Result<Task, TaskError> {
    let domain = format!("(define (domain d) (:predicates (p)) (:functions {functions}) {actions})");
    Task::parse(&domain, &format!("(define (problem t) (:domain d)\n (:init {init}) (:goal (p)) {rest})"))
}

/// Checks that a task is refused with this text in the error.
fn refused(read: Result<Task, TaskError>, with: &str) {
    let error = read.err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains(with), "{error:?}");
}

#[test]
fn a_fluent_that_never_has_a_value_is_refused_where_it_should_be_given() {
    let burn = "(:action burn :precondition (> (fuel) 1) :effect (and (p) (decrease (fuel) 1)))";
    refused(task("(fuel)", burn, "", ""), "problem.pddl:2:2: nothing gives the numeric fluent `fuel` a value");
    assert!(task("(fuel)", burn, "(= (fuel) 2)", "").is_ok());
    refused(task("(fuel)", "(:action refuel :effect (increase (fuel) 1))", "", ""), "`(= (fuel) 0)`");
    assert!(task("(fuel)", "(:action refuel :effect (assign (fuel) 1))", "", "").is_ok());
    assert!(task("(fuel)", "", "", "").is_ok(), "nothing reads it");
    // No object has a value to be given.
    assert!(task("(fuel ?x)", "(:action go :parameters (?x) :precondition (> (fuel ?x) 1))", "", "").is_ok());
}

#[test]
fn total_cost_begins_at_zero_and_total_time_is_the_number_of_steps() {
    let pay = "(:action pay :effect (and (p) (increase (total-cost) 1)))";
    let paid = task("(total-cost)", pay, "", "(:metric minimize (total-cost))").unwrap();
    assert!(Validator::new(&paid).validate("(pay)").unwrap().answers.feasible);
    for time in ["(total-time)", "total-time", "(TOTAL-TIME)"] {
        assert!(task("", "", "(p)", &format!("(:metric minimize {time})")).is_ok());
    }
    refused(task("", "", "(p)", "(:metric minimize (total-tim))"), "total-tim");
}

#[test]
fn object_may_stand_in_a_list_of_types() {
    let read = |types: &str| {
        let domain = format!("(define (domain d) (:types {types}) (:predicates (p ?x - cup) (q ?x - object)))");
        let problem = "(define (problem t) (:domain d) (:objects c - cup) (:init (q c)) (:goal (p c)))";
        Task::parse(&domain, problem)
    };
    for types in ["cup object", "object cup", "cup object - thing", "cup - object object", "object - object cup"] {
        assert!(read(types).is_ok(), "{types}");
    }
    refused(read("cup object - thing thing - cup"), "subtype of itself");
    refused(read("object - thing cup"), "`object` has no supertype");
}

#[test]
fn a_division_by_zero_is_refused_where_it_stands() {
    let open = "(:action open :effect (when (> (/ 1 0) 0) (p)))";
    refused(task("", open, "", ""), "domain.pddl:1:83: a division by zero has no value");
}

#[test]
fn bounds_and_metadata_are_refused_plainly() {
    let folder = std::env::temp_dir().join(format!("ltlcrit-pddl-metadata-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    write("domain.pddl", "(define (domain d) (:predicates (p)) (:functions (n)))");
    write("problem.pddl", "(define (problem t) (:domain d) (:init (= (n) 0)) (:goal (p)))");
    for (metadata, with) in [
        (r#"{ "bounds": { "n": ["5", "-5"] } }"#, "bounds `n` from 5 to -5; write the least value first"),
        ("[]", "found no object"),
        ("\"n\"", "found no object"),
    ] {
        write("metadata.json", metadata);
        refused(Task::read(&folder), with);
    }
    write("metadata.json", r#" { "bounds": { "n": [-5, 5] } }"#);
    let read = Task::read(&folder);
    std::fs::remove_dir_all(&folder).unwrap();
    assert!(read.is_ok(), "{read:?}");
}

/// A mitigation in the same step compensates for danger: the verdict and the laws are about the sum.
#[test]
fn what_is_made_up_for_in_the_same_step_is_not_dangerous() {
    let action = |effects: &str| {
        let act = format!("(:action act :effect (and (p) {effects}))");
        let domain = format!("(define (domain d) (:predicates (p) (q) (r)) (:functions (danger)) {act})");
        let problem = "(define (problem t) (:domain d) (:init (q) (r)) (:goal (and (p) (<= (danger) 0))))";
        let task = Task::parse(&domain, problem).unwrap();
        let safe = Validator::new(&task).validate("(act)").unwrap().answers.safe;
        let laws = ltlcrit_pddl::PddlWorld::new(&task).unwrap().danger_laws();
        (safe, laws.iter().map(|law| law.formula.to_string()).collect::<Vec<_>>())
    };
    assert_eq!(action("(increase (danger) 1) (decrease (danger) 1)"), (true, vec![]));
    assert_eq!(action("(increase (danger) 1)"), (false, vec!["G !action_act".to_owned()]));
    let (safe, laws) = action("(increase (danger) 2) (decrease (danger) 1)");
    assert_eq!((safe, laws.len()), (false, 1));
    // No fact of the task changes.
    assert_eq!(action("(when (q) (increase (danger) 1)) (when (r) (decrease (danger) 1))"), (true, vec![]));
}
