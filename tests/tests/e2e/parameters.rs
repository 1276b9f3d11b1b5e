//! Laws with parameters over planning tasks: their instances, runs under them, and their faults.

use crate::sandbox::Sandbox;

const DOMAIN: &str = "
(define (domain moving)
  (:requirements :typing)
  (:types item room - object crate - item)
  (:predicates (at ?r - room) (in ?i - item ?r - room) (held ?i - item) (free) (fragile ?i - item) (padded ?i - item))
  (:action go :parameters (?from ?to - room) :precondition (at ?from) :effect (and (not (at ?from)) (at ?to)))
  (:action take :parameters (?i - item ?r - room) :precondition (and (free) (at ?r) (in ?i ?r))
    :effect (and (held ?i) (not (free)) (not (in ?i ?r))))
  (:action pad :parameters (?i - item ?r - room) :precondition (and (at ?r) (in ?i ?r)) :effect (padded ?i))
  (:action drop :parameters (?i - item ?r - room) :precondition (and (held ?i) (at ?r))
    :effect (and (free) (in ?i ?r) (not (held ?i)))))
";

/// Returns a problem with this number of rooms and boxes; the first box is fragile.
fn problem(boxes: usize, rooms: usize) -> String {
    let names = |prefix: &str, count: usize| (1..=count).map(|at| format!("{prefix}{at} ")).collect::<String>();
    let at = (1..=boxes).map(|at| format!("(in box{at} room1) ")).collect::<String>();
    format!(
        "(define (problem flat-{boxes}) (:domain moving)\n  (:objects {}- item {}- room)\n  \
         (:init (at room1) (free) (fragile box1) {at})\n  (:goal (and (in box1 room2) (in box2 room2))))",
        names("box", boxes),
        names("room", rooms)
    )
}

const BOOK: &str = r#"name = "care"
vocabulary = "moving"
revision = 1

[[law]]
id = "no-drop"
formula = "G(obs_fragile(?x) & !obs_padded(?x) -> X !action_drop(?x, ?room))"
parameters = "?x - item ?room - room"
strength = "hard"
explanation = "Without padding ?x breaks."
status = "adopted"
provenance = { origin = "hand" }

[[law]]
id = "no-return"
formula = "G(obs_in(?x, room2) -> X !action_take(?x, room2))"
strength = "soft"
explanation = "?x is where it belongs."
status = "adopted"
provenance = { origin = "hand" }
"#;

fn sandbox(boxes: usize, rooms: usize) -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("flat/domain.pddl", DOMAIN);
    sandbox.write("flat/problem.pddl", &problem(boxes, rooms));
    sandbox.write("care.toml", BOOK);
    sandbox
}

#[test]
fn a_law_is_checked_shown_and_obeyed_for_every_object() {
    let sandbox = sandbox(2, 2);
    let mut shown = sandbox.run("laws check care.toml --world pddl:flat").code(0).stdout;
    let json = sandbox.run("laws check care.toml --world pddl:flat --json").code(0).json();
    assert_eq!(json["books"][0]["templates"][0]["instances"][0]["id"], "no-drop(box1, room1)");
    for planner in ["shortest", "safe"] {
        let line = format!("run --world pddl:flat --model planner:{planner} --laws care.toml --steps 9");
        shown.push_str(&format!("\n$ ltlcrit {line}\n{}", sandbox.run(&line).shown()));
        let replayed = sandbox.run("replay last --json").code(0).json();
        assert_eq!(replayed["first_difference"], serde_json::Value::Null);
    }
    // The stored run knows its objects, so the book can be read over it.
    sandbox.write("never.toml", &BOOK.replace("obs_fragile(?x) & ", "").replace("\"care\"", "\"never\""));
    let replayed = sandbox.run("replay last --laws never.toml --json").code(0).json();
    assert_eq!(replayed["counts"]["blocks_by_law"]["no-drop(box2, room2)"], 1, "{}", replayed["counts"]);
    insta::assert_snapshot!(shown);
}

/// With more facts and actions than a letter holds, letters contain only the propositions of the instances.
#[test]
fn a_law_over_many_objects_is_obeyed_too() {
    let sandbox = sandbox(12, 12);
    let line = "run --world pddl:flat --model planner:safe --laws care.toml --json";
    let summary = sandbox.run(line).code(0).stdout;
    let summary: serde_json::Value = serde_json::from_str(summary.lines().last().unwrap()).unwrap();
    assert_eq!((&summary["end"]["kind"], &summary["metrics"]["steps"]), (&"goal".into(), &8.into()), "{summary}");
    sandbox.run("run --world pddl:flat --model planner:safe --laws care.toml --steps 3 -q").code(10);
    let resumed = sandbox.run("resume last --steps 50 --json").code(0).json();
    assert_eq!(resumed["end"]["kind"], "goal");
    // The run's letters lack propositions that no law of the run mentions. A law over them is rejected, and never
    // counts as satisfied.
    sandbox.write("other.toml", &BOOK.replace("room2", "room3").replace("\"care\"", "\"other\""));
    insta::assert_snapshot!(sandbox.run("replay last --laws other.toml").shown());
}

#[test]
fn what_is_wrong_with_parameters_is_said() {
    let sandbox = sandbox(120, 90);
    let mut shown = String::new();
    for (from, to) in [
        ("action_drop(?x, ?room)", "drop(?x, ?room)"),
        ("action_drop(?x, ?room)", "action_drop(?x)"),
        ("?x - item ?room - room", "?x - item"),
        ("?x - item ?room - room", "?x - item ?room - room ?y - room"),
        ("?x - item ?room - room", "?x - thing ?room"),
        ("\"moving\"", "\"minecraft\""),
        ("", ""),
    ] {
        sandbox.write("wrong.toml", &BOOK.replace(from, to));
        let ran = sandbox.run("run --world pddl:flat --model planner:safe --laws wrong.toml").code(4);
        shown.push_str(&ran.stderr);
        shown.push('\n');
    }
    insta::assert_snapshot!(shown);
}
