//! Parses any text as a condition over an action's parameters and compares it with the true one, or refuses it with a
//! place.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use ltlcrit_pddl::{Claim, Task, compare};

static TASK: LazyLock<Task> = LazyLock::new(|| {
    let read = |domain, problem| Task::parse(domain, problem).unwrap();
    read(
        include_str!("../../tests/data/probes/params/safe_domain.pddl"),
        include_str!("../../tests/data/probes/params/safe_problem.pddl"),
    )
});

fuzz_target!(|text: &str| {
    for action in 0..TASK.basic.domain.actions.len() {
        match Claim::parse(&TASK.basic.domain, action, text) {
            Err(error) => assert!(error.place.line >= 1 && !error.message.is_empty() && !error.help.is_empty()),
            Ok(claim) => {
                let Ok(compared) = compare(&TASK, &[claim]) else { continue };
                assert_eq!(compared.agreement.is_equivalent(), compared.different.is_empty());
            }
        }
    }
});
