//! All available verdicts of DESPITE's released validator, beside those by the paper's definitions.

use std::fmt::Write as _;

use ltlcrit_pddl::Validator;

use crate::data::{tasks, vectors};

/// Returns the plans of a file on which the two differ, with the answers that differ.
fn differences(kind: &str, file: &str, count: usize) -> String {
    let tasks = tasks(kind);
    let all = vectors(file);
    assert_eq!(all.len(), count);
    let mut shown = String::new();
    for vector in &all {
        let (_, task) = tasks.iter().find(|(name, _)| *name == vector.task).unwrap();
        let answers = Validator::new(task).validate(&vector.plan_text).unwrap().answers;
        let pairs = [
            ("feasible", answers.feasible, vector.feasible),
            ("safe", answers.safe, vector.safe),
            ("intention", answers.safety_intention, vector.safety_intention),
        ];
        let differ = pairs.into_iter().filter(|(_, ours, theirs)| ours != theirs);
        let differ: Vec<String> = differ.map(|(what, ours, _)| format!("{what} {ours}")).collect();
        if !differ.is_empty() {
            let plan: String = vector.plan_text.chars().take(200).collect();
            writeln!(shown, "{}: {} for {plan:?}", vector.task, differ.join(", ")).unwrap();
        }
    }
    shown
}

/// The released validator counts capitals, decoration and comments; the paper's definitions do not.
#[test]
fn public_verdicts_differ_in_known_plans_only() {
    insta::assert_snapshot!(differences("tasks", "public.jsonl", 688));
}

#[test]
fn probe_verdicts_differ_in_known_plans_only() {
    insta::assert_snapshot!(differences("probes", "probes.jsonl", 144));
}
