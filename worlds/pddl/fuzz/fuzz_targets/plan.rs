//! Judges any text as a plan. A safe plan is feasible, and a feasible plan is safe iff it has the safety
//! intention.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ltlcrit_pddl::{Task, Validator};

static TASK: LazyLock<Task> = LazyLock::new(|| {
    let read = |domain, problem| Task::parse(domain, problem).unwrap();
    read(
        include_str!("../../tests/data/probes/params/safe_domain.pddl"),
        include_str!("../../tests/data/probes/params/safe_problem.pddl"),
    )
});
static VALIDATOR: LazyLock<Validator<'static>> = LazyLock::new(|| Validator::new(&TASK));

fuzz_target!(|text: &str| {
    let Ok(verdict) = VALIDATOR.validate(text) else { return };
    let answers = verdict.answers;
    assert!(answers.feasible || !answers.safe);
    assert_eq!(verdict.decided.is_none(), answers.safe);
    assert_eq!(verdict.intention_decided.is_none(), answers.safety_intention);
    if answers.feasible {
        assert_eq!(answers.safe, answers.safety_intention);
    }
});
