//! `exam`, and planning tasks as worlds of runs.

use std::path::{Path, PathBuf};

use ltlcrit_pddl::{Answers, Verdict};
use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../worlds/pddl/tests/data")
}

const TASKS: [&str; 6] =
    ["neiss_11125", "neiss_23347", "neiss_2888", "normbank_14322", "normbank_14564", "normbank_91553"];

/// A sandbox with the tasks in `tasks`.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    for task in TASKS {
        let to = sandbox.path().join("tasks").join(task);
        std::fs::create_dir_all(&to).unwrap();
        for file in data().join("tasks").join(task).read_dir().unwrap() {
            let file = file.unwrap();
            std::fs::copy(file.path(), to.join(file.file_name())).unwrap();
        }
    }
    sandbox
}

/// Returns a plan from the task's metadata.
fn reference(task: &str, kind: &str) -> String {
    let text = std::fs::read_to_string(data().join("tasks").join(task).join("metadata.json")).unwrap();
    let metadata: Value = serde_json::from_str(&text).unwrap();
    metadata["reference_feasible_plans"][kind].as_str().unwrap().to_owned()
}

#[test]
fn a_plan_is_judged_with_the_step_that_decided() {
    let sandbox = sandbox();
    let mut shown = String::new();
    for kind in ["safe", "unsafe"] {
        sandbox.write("plan.txt", &format!("First I would act.\n{}", reference("neiss_2888", kind)));
        let line = "exam validate tasks/neiss_2888 plan.txt";
        shown.push_str(&format!("# {kind}\n{}\n", sandbox.run(line).code(0).stdout));
    }
    sandbox.write("plan.txt", "(fly away)");
    shown.push_str(&sandbox.run("exam validate tasks/neiss_2888 plan.txt").code(0).stdout);
    insta::assert_snapshot!(shown);
}

/// The input has every plan with a public verdict, over standard input. Each gives one line.
#[test]
fn a_stream_of_plans_gives_a_verdict_for_each() {
    let sandbox = sandbox();
    let text = std::fs::read_to_string(data().join("vectors/public.jsonl")).unwrap();
    let line = "exam validate --tasks tasks --json";
    let ran = Ran::from(sandbox.command(line.split(' ')).write_stdin(text.as_str()).output().unwrap()).code(0);
    let wanted = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let got = ran.stdout.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let task = |of: Value| of["task"].clone();
    let wanted: Vec<_> = wanted.map(task).collect();
    let judged = |of: &Value| ["feasible", "safe", "safety_intention"].iter().all(|key| of[*key].is_boolean());
    let got: Vec<_> = got.inspect(|of| assert!(judged(of), "{of}")).map(task).collect();
    assert_eq!((got, wanted.len()), (wanted, 688));
}

#[test]
fn what_cannot_be_judged_is_said() {
    let sandbox = sandbox();
    let good = json!({ "task": "neiss_2888", "plan_text": "" });
    let input = format!("{good}\n{{\"task\": \"neiss_288\", \"plan_text\": \"\"}}\nno plan\n{good}\n");
    let ran = sandbox.command(["exam", "validate", "--tasks", "tasks"]).write_stdin(input).output().unwrap();
    let mut shown = Ran::from(ran).code(4).shown();
    sandbox.write("plan.txt", "()");
    sandbox.write("empty/domain.pddl", "(define (domain d)\n  (:predicates (a)\n");
    sandbox.write("empty/problem.pddl", "(define (problem p) (:domain d))");
    for line in [
        "exam validate tasks/gone plan.txt",
        "exam validate empty plan.txt",
        "exam validate tasks/neiss_2888 none.txt",
        "exam validate tasks/neiss_2888",
        "exam laws tasks",
        "run --world pddl:empty --model planner:shortest",
        "run --world pddl --model planner:shortest",
        "run --world pddl:tasks/neiss_2888 --model planner:best",
        "run --world embedded --model planner:shortest",
    ] {
        shown.push_str(&format!("\n$ ltlcrit {line}\n{}", sandbox.run(line).shown()));
    }
    insta::assert_snapshot!(shown);
}

/// Planners act in each task with and without the laws of its danger; the laws decide the actions of the run.
#[test]
fn tasks_are_worlds_and_their_danger_is_law() {
    let sandbox = sandbox();
    let mut shown = String::new();
    for task in TASKS {
        let book = sandbox.run(&format!("exam laws tasks/{task}")).code(0).stdout;
        sandbox.write("danger.toml", &book);
        for planner in ["shortest", "safe", "random"] {
            for laws in ["--no-laws", "--laws danger.toml"] {
                let line = format!("run --world pddl:tasks/{task} --model planner:{planner} {laws} --seed 3 --json");
                let ran = sandbox.run(&line);
                let summary = ran.stdout.lines().last().map(|line| serde_json::from_str::<Value>(line).unwrap());
                let summary = summary.unwrap_or_else(|| panic!("{line}: {}", ran.stderr));
                let replayed = sandbox.run("replay last --json").code(0).json();
                let proposals = || {
                    replayed["steps"].as_array().unwrap().iter().flat_map(|step| step["proposals"].as_array().unwrap())
                };
                assert!(proposals().all(|proposal| proposal["then"] == proposal["now"]), "{line}");
                let names = proposals().filter(|of| of["executed"] == true).map(|of| of["action"].as_str().unwrap());
                let plan: String = names.filter(|name| *name != "action_stop").map(plan_line).collect();
                sandbox.write("plan.txt", &plan);
                let judged = sandbox.run(&format!("exam validate tasks/{task} plan.txt --json")).code(0);
                let Answers { feasible, safe, .. } = serde_json::from_value::<Verdict>(judged.json()).unwrap().answers;
                let metrics = &summary["metrics"];
                let laws = if laws == "--no-laws" { "no laws" } else { "danger" };
                shown.push_str(&format!(
                    "{task} {planner:<9}{laws:<8} {:<16} steps {:>3} blocked {:>3} feasible {feasible:<5} safe {safe}\n",
                    summary["end"]["kind"].as_str().unwrap(),
                    metrics["steps"],
                    metrics["blocked"],
                ));
            }
        }
    }
    insta::assert_snapshot!(shown);
}

/// Returns `action_pick_up(cup, table)` as a line of a plan.
fn plan_line(name: &str) -> String {
    let name = name.trim_start_matches("action_");
    let (action, arguments) = name.trim_end_matches(')').split_once('(').unwrap_or((name, ""));
    format!("({action} {})\n", arguments.replace(", ", " "))
}

#[test]
fn a_task_in_which_nothing_applies_is_refused() {
    let sandbox = Sandbox::new();
    let domain = "(define (domain d) (:predicates (p) (q)) (:action a :parameters () :precondition (q) :effect (p)))";
    sandbox.write("idle/domain.pddl", domain);
    sandbox.write("idle/problem.pddl", "(define (problem x) (:domain d) (:init) (:goal (p)))");
    let refused = sandbox.run("run --world pddl:idle --model planner:shortest").code(4);
    assert!(refused.stderr.contains("no action ever applies"), "{}", refused.stderr);
}
