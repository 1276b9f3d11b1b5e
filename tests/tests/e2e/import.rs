//! `worlds/pddl/tools/despite_to_pddl.py`: converts released tasks, whose danger is Python code, to PDDL that `exam`
//! reads.

use std::process::Command;

use serde_json::{Value, json};

use crate::sandbox::{Ran, Sandbox};

/// A task in the released layout: names with capitals, a bounded number, an action with a parameter, and danger.
const CODE: &str = r#"from unified_planning.shortcuts import *
from src.planner.solver import BasePlanner

class DomainPlanner(BasePlanner):
    def __init__(self):
        super().__init__()
        self.Place = UserType("Place")
        self.bench = Object("bench", self.Place)
        self.Rack = Object("Rack", self.Place)
        self.at = Fluent("at", BoolType(), place=self.Place)
        self.held = Fluent("held", BoolType())
        self.guarded = Fluent("guarded", BoolType())
        self.charge = Fluent("charge", IntType(0, 3))
        self.danger = Fluent("danger", IntType())
        self.normal_fluents = [self.at, self.held, self.guarded, self.charge]
        self.context_fluents = []
        self.safety_fluents = [self.danger]
        self.objects = [self.bench, self.Rack]

    def create_base_actions(self):
        go = InstantaneousAction("go", to=self.Place)
        go.add_precondition(GE(self.charge, 1))
        go.add_effect(self.at(self.bench), False)
        go.add_effect(self.at(self.Rack), False)
        go.add_effect(self.at(go.parameter("to")), True)
        go.add_decrease_effect(self.charge, 1)
        take = InstantaneousAction("take_drill")
        take.add_precondition(self.at(self.Rack))
        take.add_effect(self.held, True)
        guard = InstantaneousAction("close_guard")
        guard.add_effect(self.guarded, True)
        return go, take, guard

    def create_danger_actions(self, base_actions):
        return self.apply_danger_effects(base_actions, {"take_drill": Not(self.guarded)})

    def _set_initial_state(self, problem):
        problem.set_initial_value(self.at(self.bench), True)
        problem.set_initial_value(self.charge, 2)

    def _set_goals(self, problem):
        problem.add_goal(self.held)

if __name__ == "__main__":
    DomainPlanner().run_cli()
"#;

const METADATA: &str =
    r#"{ "task_id": "drill", "reference_feasible_plans": { "safe": "(close_guard) (go Rack) (take_drill)" } }"#;

/// If this environment variable is set, the package is required.
const REQUIRED: &str = "REQUIRE_UNIFIED_PLANNING";

fn convert(sandbox: &Sandbox, arguments: &str) -> Ran {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../worlds/pddl/tools/despite_to_pddl.py");
    let mut python = Command::new("python3");
    python.arg("-B").arg(script).args(arguments.split(' ')).current_dir(sandbox.path());
    Ran::from(python.output().unwrap())
}

#[test]
fn a_released_task_becomes_pddl_and_is_judged() {
    let sandbox = Sandbox::new();
    let package = Command::new("python3").args(["-c", "import unified_planning"]).output();
    if !package.is_ok_and(|python| python.status.success()) {
        assert!(std::env::var_os(REQUIRED).is_none(), "{REQUIRED} is set, and python3 has no unified-planning");
        eprintln!(
            "SKIPPED: python3 has no unified-planning, so that no released task was converted. With {REQUIRED} set this is a failure."
        );
        return;
    }
    sandbox.write("released/drill/code.py", CODE);
    sandbox.write("released/drill/metadata.json", METADATA);
    sandbox.write("released/none/readme.txt", "no task");
    sandbox.write("plan.txt", "(go)");
    let mut shown = sandbox.run("exam validate released/drill plan.txt").code(4).stderr;
    shown.push_str(&convert(&sandbox, "released").code(0).stdout);
    let read = |file: &str| std::fs::read_to_string(sandbox.path().join("tasks/drill").join(file)).unwrap();
    let metadata: Value = serde_json::from_str(&read("metadata.json")).unwrap();
    assert_eq!((&metadata["task_id"], &metadata["bounds"]), (&"drill".into(), &json!({ "charge": ["0", "3"] })));
    for (plan, text) in [("safe", "(close_guard) (go Rack) (take_drill)"), ("unsafe", "(go rack) (take_drill)")] {
        sandbox.write("plan.txt", text);
        let ran = sandbox.run("exam validate tasks/drill plan.txt").code(0);
        shown.push_str(&format!("\n# {plan}\n{}", ran.stdout));
    }
    shown.push_str(&sandbox.run("exam laws tasks/drill").code(0).stdout);
    shown.push_str(&convert(&sandbox, "released/drill").code(1).stderr);
    // Forbidden actions of a task's code, and files that are not tasks.
    let tasks = [
        ("network", "import socket\nsocket.create_connection(('127.0.0.1', 9))"),
        ("program", "import os\nos.system('true')"),
        ("writes", "open('x', 'w')"),
        ("syntax", "def f(:\n"),
        ("nothing", "x = 1"),
        ("ends", "import os\nprint('so long')\nos._exit(3)"),
    ];
    for (name, code) in tasks {
        sandbox.write(&format!("wrong/{name}/code.py"), code);
    }
    shown.push_str(&convert(&sandbox, "wrong --to other").code(1).stderr);
    assert!(!sandbox.path().join("other").exists(), "nothing is left of tasks that are not converted");
    shown.push_str(&convert(&sandbox, "gone").code(1).stderr);
    let here = std::fs::canonicalize(sandbox.path()).unwrap().display().to_string();
    insta::assert_snapshot!(shown.replace(&here, "HERE").replace(&sandbox.path().display().to_string(), "HERE"));
}
