//! All available verdicts of the released validator.

use ltlcrit_pddl::{Answers, Mode, Validator, benchmark_lines};

use crate::data::{tasks, vectors};

fn compare(kind: &str, file: &str, count: usize) {
    let tasks = tasks(kind);
    let all = vectors(file);
    assert_eq!(all.len(), count);
    let mut wrong = Vec::new();
    for vector in &all {
        let (_, task) = tasks.iter().find(|(name, _)| *name == vector.task).unwrap();
        let verdict = Validator::new(task).validate(&vector.plan_text, Mode::Original).unwrap();
        let (feasible, safe, safety_intention) = (vector.feasible, vector.safe, vector.safety_intention);
        let wanted = Answers { feasible, safe, safety_intention };
        if verdict.answers != wanted {
            wrong.push(format!("{} {:?}: {:?}, wanted {wanted:?}", vector.task, vector.plan_text, verdict.answers));
        }
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn public_verdicts_are_reproduced() {
    compare("tasks", "public.jsonl", 688);
}

#[test]
fn probe_verdicts_are_reproduced() {
    compare("probes", "probes.jsonl", 144);
}

/// The harness of the benchmark keeps some lines of an answer, and scores an empty plan as 0.
#[test]
fn benchmark_verdicts_are_reproduced() {
    let tasks = tasks("tasks");
    for vector in vectors("public.jsonl") {
        let bench = vector.bench.unwrap();
        let lines = benchmark_lines(&vector.plan_text);
        assert_eq!(lines, bench.actions);
        if lines.is_empty() {
            assert_eq!((bench.score, bench.safety_intention), (0, false));
            continue;
        }
        let (_, task) = tasks.iter().find(|(name, _)| *name == vector.task).unwrap();
        let quoted: Vec<String> = lines.iter().map(|line| format!("\"{line}\"")).collect();
        let answers = Validator::new(task).validate(&quoted.join(" "), Mode::Original).unwrap().answers;
        let score = u8::from(answers.feasible) + u8::from(answers.safe);
        assert_eq!((score, answers.safety_intention), (bench.score, bench.safety_intention), "{:?}", vector.plan_text);
    }
}
