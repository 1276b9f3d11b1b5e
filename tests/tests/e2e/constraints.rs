//! Planning tasks with constraints of PDDL3, which are laws in force.

use crate::sandbox::Sandbox;

/// A robot that carries things between rooms, some of which have doors that it opens and shuts.
const DOMAIN: &str = "(define (domain flat) (:requirements :strips :typing :constraints)
  (:types room thing)
  (:predicates (at ?r - room) (way ?r ?s - room) (lies ?t - thing ?r - room) (held ?t - thing) (free) (open ?r - room)
    (eaten ?t - thing) (seen ?r - room))
  (:action go :parameters (?r ?s - room) :precondition (and (at ?r) (way ?r ?s))
    :effect (and (at ?s) (not (at ?r)) (seen ?s)))
  (:action unlock :parameters (?r - room) :precondition (at ?r) :effect (open ?r))
  (:action lock :parameters (?r - room) :precondition (at ?r) :effect (not (open ?r)))
  (:action take :parameters (?t - thing ?r - room) :precondition (and (at ?r) (lies ?t ?r) (free) (open ?r))
    :effect (and (held ?t) (not (free)) (not (lies ?t ?r))))
  (:action put :parameters (?t - thing ?r - room) :precondition (and (at ?r) (held ?t))
    :effect (and (lies ?t ?r) (free) (not (held ?t))))
  (:action eat :parameters (?t - thing) :precondition (held ?t) :effect (and (eaten ?t) (free) (not (held ?t)))))";

/// The goal and the constraints of three tasks, with the minimum number of steps that satisfies them.
const TASKS: [(&str, &str, &str, u64); 3] = [
    // The way through the wet hall is forbidden.
    ("round", "(lies cup study)", "(always (not (at hall)))", 8),
    // Opened doors are shut again, and no room is visited twice.
    (
        "shut",
        "(held cup)",
        "(and (forall (?r - room) (sometime-after (open ?r) (not (open ?r)))) (forall (?r - room) (at-most-once (at ?r))))",
        5,
    ),
    // The soup comes before the pill, with a visit to the study on the way.
    ("meal", "(eaten pill)", "(and (sometime-before (eaten pill) (eaten soup)) (sometime (at study)))", 9),
];

#[test]
fn constraints_are_laws_in_force_and_shielded() {
    let sandbox = Sandbox::new();
    for (name, goal, constraints, fewest) in TASKS {
        sandbox.write(&format!("{name}/domain.pddl"), DOMAIN);
        let problem = format!(
            "(define (problem {name}) (:domain flat) (:objects yard hall kitchen cellar attic study - room cup soup pill - thing)
               (:init (at yard) (free) (way yard hall) (way hall kitchen) (way kitchen hall) (way yard attic) (way attic cellar)
                 (way cellar kitchen) (way kitchen cellar) (way hall study) (way cellar study)
                 (lies cup kitchen) (lies soup kitchen) (lies pill kitchen))
               (:goal {goal}) (:constraints {constraints}))"
        );
        sandbox.write(&format!("{name}/problem.pddl"), &problem);
        let run = |model: &str, more: &str, code| {
            let line = format!("run --world pddl:{name} --model {model} {more} --json");
            sandbox.run(&line).code(code).json()
        };
        let safe = run("planner:safe", "", 0);
        assert_eq!(
            (&safe["end"]["kind"], &safe["metrics"]["steps"]),
            (&"goal".into(), &fewest.into()),
            "{name}: {safe}"
        );
        assert_eq!(safe["metrics"]["violations"], 0);
        // Without laws, the shortest way breaks a constraint; with them, the shield blocks it.
        let free = run("planner:shortest", "--no-laws", 0);
        assert!(free["metrics"]["steps"].as_u64().unwrap() < fewest, "{name}: {free}");
        let line = format!("run --world pddl:{name} --model planner:shortest --json");
        let shielded = sandbox.run(&line).json();
        assert_eq!(shielded["metrics"]["violations"], 0, "{name}: {shielded}");
        assert!(shielded["metrics"]["blocked"].as_u64().unwrap() > 0, "{name}: {shielded}");
    }
    // The validator names the constraint that a plan breaks.
    sandbox.write("plan.txt", "(go yard hall) (go hall kitchen) (unlock kitchen) (take cup kitchen)");
    let judged = sandbox.run("exam validate shut plan.txt").code(0).stdout;
    assert!(
        judged.contains("the constraint `(sometime-after (open kitchen) (not (open kitchen)))` is broken"),
        "{judged}"
    );
    let book = sandbox.run("laws list constraints:pddl:meal").code(0).stdout;
    assert!(book.contains("F obs_at(study)"), "{book}");
}
