//! Constraints on trajectories, against their definitions.

use ltlcrit_pddl::{Problem, Task, Validator};
use proptest::prelude::*;

const DOMAIN: &str =
    "(define (domain d) (:requirements :constraints :negative-preconditions) (:predicates (p ?x) (q ?x))
    (:action put-p :parameters (?x) :effect (p ?x)) (:action drop-p :parameters (?x) :effect (not (p ?x)))
    (:action put-q :parameters (?x) :effect (q ?x)) (:action drop-q :parameters (?x) :effect (not (q ?x))))";

fn problem(constraints: &str) -> String {
    format!("(define (problem x) (:domain d) (:objects a b) (:init (p a)) (:goal ()) (:constraints {constraints}))")
}

/// Returns whether a constraint holds, by the definition of PDDL3. `p` and `q` are the values of the two conditions in
/// each state.
fn holds(constraint: &str, p: &[bool], q: &[bool]) -> bool {
    let states = 0..p.len();
    match constraint {
        "always" => p.iter().all(|p| *p),
        "sometime" => p.iter().any(|p| *p),
        "at-most-once" => states.clone().filter(|i| p[*i] && (*i == 0 || !p[i - 1])).count() <= 1,
        "sometime-after" => states.clone().filter(|i| p[*i]).all(|i| q[i..].iter().any(|q| *q)),
        _ => states.clone().filter(|i| p[*i]).all(|i| q[..i].iter().any(|q| *q)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_plan_is_feasible_if_it_keeps_the_definition(
        of in prop::sample::select(vec!["always", "sometime", "at-most-once", "sometime-after", "sometime-before"]),
        steps in prop::collection::vec((0usize..4, 0usize..2), 0..7),
    ) {
        let other = if of.starts_with("sometime-") { " (q ?x)" } else { "" };
        let task = Task::parse(DOMAIN, &problem(&format!("(forall (?x) ({of} (p ?x){other}))"))).unwrap();
        let (mut now, mut plan) = ([[true, false], [false, false]], String::new());
        let mut states = vec![now];
        for (kind, object) in &steps {
            now[kind / 2][*object] = kind % 2 == 0;
            states.push(now);
            let name = ["put-p", "drop-p", "put-q", "drop-q"][*kind];
            plan.push_str(&format!("({name} {})\n", ["a", "b"][*object]));
        }
        let column = |fact: usize, object: usize| states.iter().map(|state| state[fact][object]).collect::<Vec<_>>();
        let wanted = (0..2).all(|object| holds(of, &column(0, object), &column(1, object)));
        let verdict = Validator::new(&task).validate(&plan).unwrap();
        prop_assert_eq!(verdict.answers.feasible, wanted, "{} {} {:?}", of, plan, verdict);
    }
}

#[test]
fn constraints_are_written_as_they_are_read() {
    let text = "(and (always (or (p a) (q b))) (forall (?x) (sometime-after (p ?x) (exists (?y) (q ?y)))))";
    let task = Task::parse(DOMAIN, &problem(text)).unwrap();
    let again = Problem::parse(&task.safe.to_string(), task.safe.domain.clone()).unwrap();
    assert_eq!(*task.safe, again);
    assert!(task.shown().to_string().contains("(always (or (p a) (q b)))"));
}

#[test]
fn what_is_not_read_is_named_with_what_to_write() {
    let error = |text: &str| Task::parse(DOMAIN, &problem(text)).unwrap_err().to_string();
    for (text, told) in [
        ("(preference x (always (p a)))", "A preference may be broken"),
        ("(within 3 (p a))", "A plan has no clock"),
        ("(at end (p a))", "into `:goal`"),
        ("(never (p a))", "write one of always, sometime, at-most-once, sometime-after, sometime-before"),
        ("(sometime-after (p a))", "1 operands"),
    ] {
        let error = error(text);
        assert!(error.contains(told) && !error.contains("leave"), "{error}");
    }
}
