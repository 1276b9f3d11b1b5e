//! The graph of stored runs, drawn.

use serde_json::Value;

use crate::sandbox::Sandbox;

fn choices(document: &Value) -> impl Iterator<Item = &Value> {
    document["states"].as_array().unwrap().iter().flat_map(|state| state["choices"].as_array().unwrap())
}

#[test]
fn what_runs_did_is_drawn_with_its_worth() {
    let sandbox = Sandbox::new();
    sandbox.run("run -q --model simulated:careful").code(0);
    sandbox.run("run -q --seed 2").code(0);
    let document = sandbox.run("graph --json").code(0).json();
    assert_eq!(
        (&document["runs"], &document["target"], &document["states_left_out"]),
        (&2.into(), &"goal".into(), &0.into())
    );
    assert!(choices(&document).any(|choice| choice["class"] == "efficient"));
    let made: u64 = choices(&document).map(|choice| choice["made"].as_u64().unwrap()).sum();
    assert_eq!(Value::from(made), document["steps"]);
    // Paths end at diamonds.
    let goals: Vec<&Value> =
        document["states"].as_array().unwrap().iter().filter(|state| state["distance"] == 0.0).collect();
    assert!(!goals.is_empty());
    for goal in goals {
        assert!(goal["goals"].as_u64() > Some(0), "{goal}");
        assert!(goal["holds"].as_array().unwrap().contains(&"obs_has_diamond".into()), "{goal}");
    }

    let one = sandbox.run("graph 1 --json").code(0).json();
    assert_eq!((&one["runs"], &one["steps"]), (&1.into(), &38.into()));
    assert_eq!(sandbox.run("graph 1").code(0).stdout, sandbox.run("graph 1 1-1").code(0).stdout);
    let few = sandbox.run("graph --states 10").code(0);
    assert!(few.stdout.starts_with("digraph ") && few.stderr.contains("states are not drawn"), "{}", few.stderr);
}

#[test]
fn runs_that_are_not_there() {
    let sandbox = Sandbox::new();
    assert!(sandbox.run("graph").code(6).stderr.contains("there is no store"));
    sandbox.run("run -q --model simulated:careful").code(0);
    assert!(sandbox.run("graph 7").code(4).stderr.contains("there is no run 7"));
    assert!(sandbox.run("graph 7-9").code(4).stderr.contains("there is no run 7"));
    assert!(sandbox.run("graph 9-7").code(2).stderr.contains("a range is written such as"));
    assert!(sandbox.run("graph --margin=-1").code(2).stderr.contains("--margin"));
}
