//! Hard laws about states: what an action may lead to decides whether it runs.

use crate::books::book;
use crate::run::{exported, steps};
use crate::sandbox::Sandbox;

const CAREFUL: &str = "--model simulated:careful";

#[test]
fn a_law_about_states_is_never_violated() {
    let sandbox = Sandbox::new();
    sandbox.write("mine.toml", &book(&[("no-furnace", "hard", "G !obs_has_furnace")]));
    let laws = "--laws minecraft-hard --laws mine.toml";
    let ran = sandbox.run(&format!("run {CAREFUL} {laws} --steps 60"));
    assert!(ran.stderr.contains("craft furnace         blocked     no-furnace: This is no-furnace"), "{}", ran.stderr);
    let steps = steps(&sandbox, 1);
    let proposals = steps.iter().flat_map(|step| step["proposals"].as_array().unwrap());
    assert!(!steps.iter().any(|step| step["holds"].as_array().unwrap().contains(&"obs_has_furnace".into())));
    assert!(steps.iter().all(|step| step["violations"].as_array().unwrap().is_empty()));
    let mut explanations = proposals.filter_map(|proposal| proposal["ruling"]["explanation"].as_str());
    assert!(explanations.any(|text| text.contains("It may lead to obs_has_furnace.")));
    assert_eq!(exported(&sandbox, 1, "run")[0]["robust"], true);
    // It is judged again as it was.
    let again = sandbox.run("replay 1 --json").code(0).json();
    assert!(again["first_difference"].is_null(), "{again}");

    let ran = sandbox.run(&format!("run {CAREFUL} {laws} --environment cooperative"));
    assert!(ran.stderr.contains("violated    no-furnace"), "{}", ran.stderr);
    let again = sandbox.run("replay 2 --json").code(0).json();
    assert!(again["first_difference"].is_null(), "{again}");
}

#[test]
fn a_law_that_no_action_keeps_for_sure_is_relaxed_alone() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "mine.toml",
        &book(&[("no-lava", "hard", "G !obs_lava_near"), ("no-furnace", "hard", "G !obs_has_furnace")]),
    );
    let ran = sandbox.run(&format!("run {CAREFUL} --laws mine.toml --steps 40"));
    assert!(ran.stderr.contains("relaxed     no action is sure to keep no-lava,"), "{}", ran.stderr);
    let steps = steps(&sandbox, 1);
    assert!(steps[1..].iter().all(|step| step["relaxed"][0] == "no-lava"));
    assert!(!steps.iter().any(|step| step["violations"].as_array().unwrap().contains(&"no-furnace".into())));
    let checked = sandbox.run("laws check --world minecraft mine.toml").code(5);
    assert!(checked.stdout.contains("warning[blocks-nothing]: no-lava: "), "{}", checked.stdout);
}

#[test]
fn soft_laws_do_not_keep_a_run_from_stopping_at_the_goal() {
    let sandbox = Sandbox::new();
    sandbox.write("mine.toml", &book(&[("go-on", "soft", "G(obs_has_diamond -> X action_mine_log)")]));
    let ran = sandbox.run(&format!("run {CAREFUL} --laws minecraft-hard --laws mine.toml")).code(0);
    assert!(!ran.stderr.contains("violated"), "{}", ran.stderr);
    let last = steps(&sandbox, 1).pop().unwrap();
    assert_eq!((&last["action"], &last["owed"][0]), (&"action_stop".into(), &"go-on".into()));
}
