//! Hard laws about states: the possible outcomes of an action decide whether it may run.

use crate::books::book;
use crate::run::{exported, steps};
use crate::sandbox::Sandbox;

const CAREFUL: &str = "--model simulated:careful";

#[test]
fn a_law_about_states_is_never_violated() {
    let sandbox = Sandbox::new();
    sandbox.write("mine.toml", &book(&[("no-furnace", "hard", "G !obs_has_furnace")]));
    let laws = "--laws mine.toml";
    let ran = sandbox.run(&format!("run {CAREFUL} {laws} --steps 60"));
    assert!(ran.stderr.contains("craft furnace         blocked     no-furnace: This is no-furnace"), "{}", ran.stderr);
    let steps = steps(&sandbox, 1);
    let proposals = steps.iter().flat_map(|step| step["proposals"].as_array().unwrap());
    assert!(!steps.iter().any(|step| step["holds"].as_array().unwrap().contains(&"obs_has_furnace".into())));
    assert!(steps.iter().all(|step| step["violations"].as_array().unwrap().is_empty()));
    let mut explanations = proposals.filter_map(|proposal| proposal["ruling"]["explanation"].as_str());
    assert!(explanations.any(|text| text.contains("It may lead to obs_has_furnace.")));
    assert_eq!(exported(&sandbox, 1, "run")[0]["robust"], true);
    // A replay gives the same judgements.
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

/// Returns a book with a hard law on the depth of the player.
fn never_below_y20(status: &str) -> String {
    let derived = "[[proposition]]\nname = \"obs_deep\"\ndefinition = \"position.y < 20\"\n\n[[law]]";
    let book = book(&[("no-deep", "hard", "G !obs_deep")]);
    book.replacen("[[law]]", derived, 1).replace("\"adopted\"", &format!("\"{status}\""))
}

#[test]
fn a_law_on_the_depth_blocks_what_may_dig_below_and_nothing_else() {
    let sandbox = Sandbox::new();
    sandbox.write("deep.toml", &never_below_y20("adopted"));
    sandbox.run("laws check --world minecraft deep.toml").code(0);
    let run = format!("run --world embedded {CAREFUL} --seed 1 --laws minecraft-hard --laws deep.toml");
    let ran = sandbox.run(&run);
    assert!(ran.stderr.contains("explore diamond down  blocked     no-deep: This is no-deep"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("relaxed") && !ran.stderr.contains("cannot be enforced"), "{}", ran.stderr);
    // The run ends before the goal and reports it, independent of its other actions.
    assert!([10, 12].contains(&ran.code), "{}", ran.shown());
    let steps = steps(&sandbox, 1);
    let holds = |step: &serde_json::Value, name: &str| step["holds"].as_array().unwrap().contains(&name.into());
    assert!(steps.iter().all(|step| step["violations"].as_array().unwrap().is_empty() && !holds(step, "obs_deep")));
    let crafted = ["obs_has_wood_pickaxe", "obs_has_stone_pickaxe"];
    assert!(crafted.iter().all(|name| steps.iter().any(|step| holds(step, name))), "crafting keeps the depth");
    let again = sandbox.run("replay 1 --json").code(0).json();
    assert!(again["first_difference"].is_null() && again["counts"]["unpredicted"] == 0, "{again}");
}

#[test]
fn a_violated_hard_law_is_the_first_thing_said_and_the_exit_code() {
    let sandbox = Sandbox::new();
    sandbox.write("deep.toml", &never_below_y20("adopted"));
    let run = format!("run --world embedded {CAREFUL} --seed 1 --laws minecraft-hard --laws deep.toml");
    let ran = sandbox.run(&format!("{run} --environment cooperative")).code(13);
    assert!(ran.stderr.contains("warning: law no-deep cannot be enforced before the fact"), "{}", ran.stderr);
    let first = ran.stdout.lines().next().unwrap();
    assert!(first.contains("hard law violated: no-deep"), "{}", ran.stdout);
    assert!(ran.stdout.contains("goal reached"), "{}", ran.stdout);
    let json = sandbox.run(&format!("{run} --environment cooperative --json")).code(13).json();
    assert!(json["metrics"]["hard_violations"]["no-deep"].as_u64() > Some(0), "{json}");
    // A soft law does not prevent the action.
    sandbox.write("deep.toml", &never_below_y20("adopted").replace("hard", "soft"));
    sandbox.run(&run).code(0);
}

#[test]
fn a_batch_says_first_which_cells_violated_a_hard_law() {
    let sandbox = Sandbox::new();
    sandbox.write("deep.toml", &never_below_y20("adopted"));
    sandbox.write(
        "plan.toml",
        "name = \"deep\"\nseeds = \"1-2\"\nmodels = [\"simulated:careful\"]\nbooks = [[\"minecraft-hard\", \"deep.toml\"]]\n\
         config.shield.environment = \"cooperative\"\n",
    );
    let ran = sandbox.run("batch plan.toml").code(0);
    assert!(ran.stdout.starts_with("hard laws violated in cells of: "), "{}", ran.stdout);
    assert!(ran.stdout.lines().next().unwrap().ends_with(" in 2 of 2"), "{}", ran.stdout);
}

#[test]
fn a_run_without_a_law_in_force_says_so_before_and_after() {
    let sandbox = Sandbox::new();
    sandbox.write("deep.toml", &never_below_y20("proposed"));
    let run = format!("run --world embedded {CAREFUL} --seed 1 --steps 3");
    let ran = sandbox.run(&format!("{run} --laws deep.toml"));
    let told = "no law is in force: 1 proposed law waits for review";
    assert!(ran.stderr.contains(told) && ran.stdout.contains(told), "{}", ran.shown());
    let ran = sandbox.run(&format!("{run} --no-laws"));
    assert!(ran.stderr.contains("no law is in force") && ran.stdout.contains("no law is in force"), "{}", ran.shown());
    let ran = sandbox.run(&run);
    assert!(!ran.shown().contains("no law is in force"), "{}", ran.shown());
}

#[test]
fn what_is_said_of_a_running_count_and_of_part_of_a_name() {
    let sandbox = Sandbox::new();
    let with = |definition: &str| never_below_y20("adopted").replace("position.y < 20", definition);
    sandbox.write("night.toml", &with("tick >= 13000"));
    let checked = sandbox.run("laws check night.toml").code(0);
    assert!(
        checked.stdout.contains("note[only-grows]") && checked.stdout.contains("not the time of day"),
        "{}",
        checked.stdout
    );
    let checked = sandbox.run("laws check --world minecraft night.toml").code(5);
    assert!(checked.stdout.contains("any action may change `obs_deep`"), "{}", checked.stdout);
    sandbox.write("log.toml", &with("inventory[log] > 3"));
    let checked = sandbox.run("laws check log.toml").code(5);
    assert!(checked.stdout.contains("did you mean `*_log`?"), "{}", checked.stdout);
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
