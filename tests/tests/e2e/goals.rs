//! Many goals together with the hard laws of the world, under the default settings of the shield.

use serde_json::Value;

use crate::books::book;
use crate::run::{exported, steps};
use crate::sandbox::{Ran, Sandbox};

/// Returns a goal for each of the twenty actions except stopping.
fn goals() -> Vec<(String, String)> {
    let vocabulary = ltlcrit_minecraft::vocabulary();
    let actions = vocabulary.actions().iter().map(|action| action.name.to_string());
    let goals: Vec<_> = actions
        .filter(|action| action != "action_stop")
        .map(|action| (action.trim_start_matches("action_").replace('_', "-"), format!("F {action}")))
        .collect();
    assert_eq!(goals.len(), 20);
    goals
}

/// Runs with `minecraft-hard` and the goals; no decision may be undecided.
#[track_caller]
fn run_beside(sandbox: &Sandbox, more: &str) -> Ran {
    let ran = sandbox.run(&format!("run --json --laws minecraft-hard --laws goals.toml {more}"));
    let result = ran.json();
    assert_eq!(result["metrics"]["undecided"], 0, "{}", ran.stderr);
    assert_ne!(result["end"]["kind"], "undecided", "{}", ran.stdout);
    assert!(result["metrics"]["steps"].as_u64().unwrap() > 0, "{}", ran.stdout);
    ran
}

#[test]
fn twenty_goals_are_decided_at_every_step_of_a_run() {
    for model in ["simulated:careful", "simulated:hasty"] {
        let sandbox = Sandbox::new();
        let goals = goals();
        let hard: Vec<_> = goals.iter().map(|(id, formula)| (id.as_str(), "hard", formula.as_str())).collect();
        sandbox.write("goals.toml", &book(&hard));
        run_beside(&sandbox, &format!("--model {model}"));
        // Stopping is blocked while a goal is pending.
        let pursued: Vec<Value> = steps(&sandbox, 1);
        let stopped = pursued.iter().any(|step| step["action"] == "action_stop");
        let done = |(_, formula): &(String, String)| pursued.iter().any(|step| formula[2..] == step["action"]);
        assert!(!stopped || goals.iter().all(done), "the run stopped before its goals");
        assert!(exported(&sandbox, 1, "conflict").is_empty());
    }
}

/// Goals, some of them soft, laws about outcomes of actions, and one law that the world cannot guarantee. Checking that
/// one best-effort leaves the rest in force.
#[test]
fn goals_beside_soft_laws_and_predictions_are_decided_too() {
    let sandbox = Sandbox::new();
    let goals = goals();
    let strength = |at: usize| if at.is_multiple_of(3) { "soft" } else { "hard" };
    let mut laws: Vec<_> =
        goals.iter().enumerate().map(|(at, (id, goal))| (id.as_str(), strength(at), goal.as_str())).collect();
    laws.push(("answer-dark", "hard", "G(obs_low_health -> F !obs_low_health)"));
    laws.push(("no-lava", "hard", "G !obs_lava_near"));
    laws.push(("rest", "soft", "G(action_mine_stone -> X !action_mine_stone)"));
    sandbox.write("goals.toml", &book(&laws));
    run_beside(&sandbox, "--model simulated:careful --steps 60");
}
