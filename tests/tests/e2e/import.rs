//! `exam import`: released tasks, whose danger is in Python alone.

use std::path::PathBuf;

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

/// Set where the package must be there.
const REQUIRED: &str = "REQUIRE_UNIFIED_PLANNING";

fn run(sandbox: &Sandbox, line: &str) -> Ran {
    let path = std::env::var_os("PATH").unwrap_or_default();
    Ran::from(sandbox.command(line.split(' ')).env("PATH", path).output().unwrap())
}

#[test]
fn a_released_task_is_imported_and_judged() {
    let sandbox = Sandbox::new();
    let doctor = run(&sandbox, "doctor --exam");
    if doctor.code != 0 {
        assert!(std::env::var_os(REQUIRED).is_none(), "{} is set: {}", REQUIRED, doctor.stdout);
        eprintln!("SKIPPED: no released task was imported. With {REQUIRED} set this is a failure. {}", doctor.stdout);
        return;
    }
    assert!(doctor.stdout.contains(" with unified-planning "), "{}", doctor.stdout);
    sandbox.write("released/drill/code.py", CODE);
    sandbox.write("released/drill/metadata.json", METADATA);
    sandbox.write("released/none/readme.txt", "no task");
    let mut shown = run(&sandbox, "exam import released").code(0).stdout;
    let read = |file: &str| std::fs::read_to_string(sandbox.path().join("tasks/drill").join(file)).unwrap();
    let metadata: Value = serde_json::from_str(&read("metadata.json")).unwrap();
    assert_eq!((&metadata["task_id"], &metadata["bounds"]), (&"drill".into(), &json!({ "charge": ["0", "3"] })));
    for (plan, text) in [("safe", "(close_guard) (go Rack) (take_drill)"), ("unsafe", "(go rack) (take_drill)")] {
        sandbox.write("plan.txt", text);
        let ran = sandbox.run("exam validate tasks/drill plan.txt").code(0);
        shown.push_str(&format!("\n# {plan}\n{}", ran.stdout));
    }
    shown.push_str(&sandbox.run("exam laws tasks/drill").code(0).stdout);
    shown.push_str(&run(&sandbox, "exam import released/drill").code(4).stderr);
    // What a task may not do, and what is no task.
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
    shown.push_str(&run(&sandbox, "exam import wrong --to other").code(4).stderr);
    assert!(!sandbox.path().join("other").exists(), "nothing is left of tasks that are not imported");
    insta::assert_snapshot!(shown);
}

/// A program that answers as Python does where something is missing.
fn python(sandbox: &Sandbox, script: &str) -> PathBuf {
    let path = sandbox.write("python", &format!("#!/bin/sh\n{script}\n"));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    path
}

#[cfg(unix)]
#[test]
fn what_is_missing_is_said_with_how_to_install_it() {
    let sandbox = Sandbox::new();
    sandbox.write("released/drill/code.py", CODE);
    std::fs::create_dir(sandbox.path().join("empty")).unwrap();
    let mut shown = run(&sandbox, "exam import released --python no-such-python").code(4).stderr;
    shown.push_str(&run(&sandbox, "exam import empty").code(4).stderr);
    shown.push_str(&run(&sandbox, "exam import gone").code(4).stderr);
    let package = r#"echo '{"error": {"kind": "package", "message": "No module named unified_planning"}}'"#;
    for script in [package, "echo oh dear >&2; exit 7"] {
        python(&sandbox, script);
        shown.push_str(&run(&sandbox, "exam import released --python ./python").code(4).stderr);
        let finding = run(&sandbox, "doctor --exam --python ./python").code(5).stdout;
        shown.push_str(finding.lines().find(|line| line.contains("python")).unwrap());
        shown.push('\n');
    }
    sandbox.write("plan.txt", "(go)");
    shown.push_str(&sandbox.run("exam validate released/drill plan.txt").code(4).stderr);
    insta::assert_snapshot!(shown);
}
