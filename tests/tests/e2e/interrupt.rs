//! Ctrl-C: the run ends cleanly, prints how to resume, and can be resumed. A computation is interrupted.

use std::process::{Command, Stdio};

use crate::endpoint::Endpoint;
use crate::run::steps;
use crate::sandbox::{BINARY, Ran, Sandbox};

#[test]
fn ctrl_c_ends_a_run_cleanly_and_resume_goes_on() {
    a_signal_ends_a_run_cleanly_and_resume_goes_on("INT");
}

#[test]
fn a_closed_terminal_ends_a_run_cleanly_and_resume_goes_on() {
    a_signal_ends_a_run_cleanly_and_resume_goes_on("HUP");
}

fn a_signal_ends_a_run_cleanly_and_resume_goes_on(signal: &str) {
    let whole = Sandbox::new();
    let open = Endpoint::start();
    whole.run(&format!("run -q --steps 12 --model openai:persona --base-url {}", open.url()));

    let sandbox = Sandbox::new();
    let endpoint = Endpoint::hanging_after(5);
    let url = endpoint.url();
    // The parent process may ignore the signal.
    let mut command = sandbox.std_command_of("env");
    command.args([&format!("--default-signal={signal}"), BINARY, "run", "--steps", "12", "--model", "openai:persona"]);
    let child = command.args(["--base-url", &url]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The sixth question hangs: the run waits for its answer.
    endpoint.wait_until_asked(6);
    let kill = Command::new("sh").args(["-c", &format!("kill -{signal} {}", child.id())]).status().unwrap();
    assert!(kill.success());
    let ran = Ran::from(child.wait_with_output().unwrap()).code(130);
    assert!(ran.stdout.contains("interrupted after"), "{}", ran.stdout);
    assert!(ran.stdout.contains("ltlcrit resume 1"), "{}", ran.stdout);

    sandbox.run(&format!("resume -q --base-url {}", open.url()));
    assert_eq!(steps(&sandbox, 1), steps(&whole, 1));
}

#[test]
fn the_longest_time_ends_a_run_cleanly() {
    let sandbox = Sandbox::new();
    let (hanging, open) = (Endpoint::hanging_after(0), Endpoint::start());
    let run = format!("run --steps 3 --max-time 100ms --model openai:persona --base-url {}", hanging.url());
    let ran = sandbox.run(&run).code(130);
    assert!(ran.stderr.contains("the time (`--max-time`) is up"), "{}", ran.stderr);
    assert!(ran.stdout.contains("ltlcrit resume 1"), "{}", ran.stdout);
    sandbox.run(&format!("resume -q --max-time 10m --base-url {}", open.url())).code(10);
}

/// The goal contradicts itself, so that a planner searches all states within its budget.
#[test]
fn the_first_ctrl_c_ends_a_computation() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "switches/domain.pddl",
        "(define (domain switches) (:predicates (on ?x) (done))
           (:action switch_on :parameters (?x) :precondition (not (on ?x)) :effect (on ?x))
           (:action switch_off :parameters (?x) :precondition (on ?x) :effect (not (on ?x)))
           (:action end :parameters (?x) :precondition (and (on ?x) (not (on ?x))) :effect (done)))",
    );
    let objects: String = (0..48).map(|number| format!("s{number} ")).collect();
    sandbox.write(
        "switches/problem.pddl",
        &format!("(define (problem all) (:domain switches) (:objects {objects}) (:init) (:goal (and (done) (on s1))))"),
    );
    let mut child = sandbox
        .std_command(["exam", "run", "switches", "-q", "-o", "out", "--jobs", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The planners without a search are finished; the others would take minutes.
    let results = sandbox.path().join("out/results.jsonl");
    while std::fs::read_to_string(&results).unwrap_or_default().lines().count() < 2 {
        assert!(child.try_wait().unwrap().is_none(), "the examination ended");
        std::thread::yield_now();
    }
    let kill = Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().unwrap();
    assert!(kill.success());
    Ran::from(child.wait_with_output().unwrap()).code(130);
    assert!(std::fs::read_to_string(&results).unwrap().lines().count() >= 2);
}
