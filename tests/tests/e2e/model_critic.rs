//! A critic that is a model, from its answers to the book: laws on trial, swapped laws, narrowed laws, and missing
//! observations.

use std::fs;

use ltlcrit_model::Usage;
use serde_json::{Value, json};

use crate::books::book;
use crate::endpoint::{Endpoint, said};
use crate::sandbox::Sandbox;

/// Returns an endpoint that gives these answers in turn, and then proposes nothing.
fn critic(answers: &[Value]) -> Endpoint {
    let answers: Vec<String> = answers.iter().map(Value::to_string).collect();
    Endpoint::answering(move |question, request| {
        let body: Value = request.body_json().unwrap();
        let nothing = json!({ "analysis": "", "changes": [], "observations": [] }).to_string();
        let text = answers.get(question - 1).unwrap_or(&nothing);
        wiremock::ResponseTemplate::new(200).set_body_json(said(&body["model"], text, Usage::default()))
    })
}

fn answer(changes: &[Value], observations: &[&str]) -> Value {
    json!({ "analysis": "Looked at it.", "changes": changes, "observations": observations })
}

fn add(formula: &str, evidence: &[(u64, u64)]) -> Value {
    let evidence: Vec<Value> = evidence.iter().map(|(run, step)| json!({ "run": run, "step": step })).collect();
    json!({
        "kind": "add", "law": null, "formula": formula, "explanation": "It saves steps.", "source": "efficiency",
        "evidence": evidence, "state": null, "cause": null,
    })
}

/// Returns the flags of a critic at this endpoint.
fn asking(endpoint: &Endpoint) -> String {
    format!("--critic openai:lawyer --base-url {}", endpoint.url())
}

fn text(sandbox: &Sandbox, file: &str) -> String {
    fs::read_to_string(sandbox.path().join(file)).unwrap()
}

/// Runs an actor without laws on the seeds 1 to `seeds`.
fn play(sandbox: &Sandbox, persona: &str, seeds: u64) {
    for seed in 1..=seeds {
        let line = format!("run -q --seed {seed} --steps 80 --actor inner-monologue --model simulated:{persona}");
        sandbox.run_with(&line, &[("LTLCRIT_RUN__LAWS", "[]")]);
    }
}

/// `STICK` is as good as the actor's behaviour, which never crafts a stick there. `EXPLORE` keeps the actor from the
/// logs that it needs.
const STICK: &str = "G(obs_has_crafting_table & !obs_near_crafting_table & !obs_has_2x_stick -> X action_craft_stick)";
const EXPLORE: &str = "G(!obs_has_log & !obs_has_plank & !obs_has_crafting_table -> X action_explore_general)";
const LEARN: &str =
    "learn --no-laws --episodes 4 --steps 100 --actor inner-monologue --model simulated:inner-monologue";

#[test]
fn the_next_episodes_decide_on_laws_on_trial() {
    let learned = |jobs: usize| {
        let sandbox = Sandbox::new();
        let endpoint = critic(&[answer(&[add(STICK, &[(1, 11)]), add(EXPLORE, &[(1, 1)])], &[])]);
        let line = format!("{LEARN} --iterations 2 --json --jobs {jobs} {}", asking(&endpoint));
        let document = sandbox.run(&line).code(0).json();
        // The configuration of a run names the endpoint.
        let steps = sandbox.run("store export").code(0).stdout;
        let runs: Vec<String> =
            steps.lines().filter(|line| line.contains(r#""type":"step""#)).map(str::to_owned).collect();
        (document, runs, text(&sandbox, "learned.toml"), sandbox)
    };
    let (document, runs, book, sandbox) = learned(1);
    let (document_4, runs_4, book_4, _) = learned(4);
    assert_eq!((&document, &book), (&document_4, &book_4), "the number of jobs changes nothing");
    assert!(runs.len() > 500 && runs == runs_4, "the number of jobs changes nothing");
    let [first, second] = &document["iterations"].as_array().unwrap()[..] else { panic!("{document}") };
    assert_eq!(first["on_trial"], json!(["do-explore-general", "do-craft-stick"]));
    assert_eq!((&first["admitted"], first.get("tried")), (&json!([]), None));
    assert_eq!(second["runs"], json!([1, 2, 3, 4]), "the figures are those without the laws on trial: the same again");
    assert_eq!(sandbox.run("runs list --json").code(0).json()["runs"].as_array().unwrap().len(), 12);
    let tried = second["tried"].as_array().unwrap();
    let told: Vec<_> = tried.iter().map(|one| (one["law"].as_str().unwrap(), one["kept"].as_bool().unwrap())).collect();
    assert_eq!(told, [("do-explore-general", false), ("do-craft-stick", true)]);
    for one in tried {
        assert_eq!((&one["with"]["episodes"], &one["without"]["goals"]), (&json!(4), &json!(4)), "{one}");
        assert!(book.contains(one["outcome"].as_str().unwrap()), "{book}");
    }
    let listed = sandbox.run("laws list learned.toml --json").code(0).json();
    let statuses: Vec<_> = listed["entries"].as_array().unwrap().iter().map(|law| law["status"].clone()).collect();
    assert_eq!(statuses, ["retired", "adopted"]);
    // The history reports the trial and its result.
    let blamed = sandbox.run("laws blame learned.toml do-craft-stick").code(0).stdout;
    for part in ["admitted on trial by the gate", "learned@2", "on trial: at the cited run 1 step 11", "learned@3"] {
        assert!(blamed.contains(part), "{part:?} is not in\n{blamed}");
    }
    assert!(
        blamed.contains("kept after a trial on 4 seeds: with it 4 of 4 reached the goal in 44.5 steps"),
        "{blamed}"
    );
    let blamed = sandbox.run("laws blame learned.toml do-explore-general").code(0).stdout;
    assert!(blamed.contains("retired: withdrawn after a trial on 4 seeds: with it 0 of 4"), "{blamed}");
    sandbox.run("laws check learned.toml").code(0);
    // Later runs and critiques ignore the trial; the model is informed of it.
    let endpoint = critic(&[answer(&[add(EXPLORE, &[(1, 1)])], &[])]);
    let again = sandbox.run(&format!("critique --no-laws --json {}", asking(&endpoint))).code(0).json();
    let ruling = &again["changes"][0]["ruling"];
    assert_eq!(ruling["refusal"]["reason"], "proved-useless", "{again}");
}

#[test]
fn a_law_on_trial_waits_for_the_next_learning() {
    let sandbox = Sandbox::new();
    play(&sandbox, "inner-monologue", 4);
    let endpoint = critic(&[answer(&[add(STICK, &[(1, 11)])], &[])]);
    let ran = sandbox.run(&format!("critique --no-laws {}", asking(&endpoint))).code(0);
    assert!(ran.stdout.contains("on trial, not in force"), "{}", ran.stdout);
    assert!(ran.stdout.contains("because: at the cited run 1 step 11"), "{}", ran.stdout);
    assert!(sandbox.run("laws list learned.toml").code(0).stdout.contains("on trial: at the cited run 1"));
    assert!(sandbox.run("laws pending learned.toml").code(0).stdout.contains("1 law waits for a decision"));
    let ran = sandbox.run("run --seed 1 --steps 12 --laws learned.toml --json").json();
    assert_eq!(ran["metrics"]["blocked"], 0, "it is not in force: {ran}");
    // Learning tests the law first.
    let endpoint = critic(&[]);
    let document = sandbox.run(&format!("{LEARN} --iterations 1 --json {}", asking(&endpoint))).code(0).json();
    assert_eq!(document["iterations"][0]["tried"][0]["kept"], true, "{document}");
    // With `--review` a person decides about laws that passed.
    let reviewed = Sandbox::new();
    let endpoint = critic(&[answer(&[add(STICK, &[(1, 11)])], &[])]);
    let line = format!("{LEARN} --iterations 2 --review --json {}", asking(&endpoint));
    let document = reviewed.run(&line).code(0).json();
    assert_eq!(document["book"]["laws"][0]["status"], "proposed", "{document}");
    assert!(reviewed.run("laws pending learned.toml").code(0).stdout.contains("kept after a trial"));
}

#[test]
fn a_law_in_the_way_leaves_in_the_same_answer() {
    let sandbox = Sandbox::new();
    play(&sandbox, "stubborn", 1);
    let right = "G(!obs_has_2x_stick -> X !action_craft_wooden_pickaxe)";
    let wrong = "G(!obs_has_2x_stick -> X (!action_craft_wooden_pickaxe & !action_explore_general))";
    let retire = json!({
        "kind": "retire", "law": "wrong", "formula": null, "explanation": null, "source": null, "evidence": null,
        "state": [], "cause": "conflict",
    });
    let critique = |changes: &[Value]| {
        sandbox.write("mine.toml", &book(&[("wrong", "soft", wrong)]));
        let endpoint = critic(&[answer(changes, &[])]);
        let line = format!("critique --no-laws --book mine.toml --json {}", asking(&endpoint));
        (sandbox.run(&line).code(0).json(), text(&sandbox, "mine.toml"))
    };
    // Each change alone is rejected.
    let law = add(right, &[(1, 5)]);
    for (change, code) in [(&law, "implied"), (&retire, "no-conflict")] {
        let (document, _) = critique(std::slice::from_ref(change));
        assert_eq!(document["changes"][0]["ruling"]["refusal"]["reason"], code, "{document}");
    }
    let (document, book) = critique(&[law, retire]);
    assert_eq!((&document["admitted"], &document["retired"], &document["refused"]), (&json!(1), &json!(1), &json!(0)));
    assert!(book.contains("given up for `no-craft-wooden-pickaxe`: it was in the way"), "{book}");
    sandbox.run("laws check mine.toml").code(0);
}

#[test]
fn a_critique_prints_what_the_book_holds() {
    let sandbox = Sandbox::new();
    play(&sandbox, "stubborn", 1);
    let proposed =
        "G(!obs_has_2x_stick | obs_lava_near -> X (!action_craft_wooden_pickaxe & !action_explore_diamond_down))";
    let endpoint = critic(&[answer(&[add(proposed, &[(1, 5)])], &[])]);
    let ran = sandbox.run(&format!("critique --no-laws {}", asking(&endpoint))).code(0);
    let held = "G(!obs_has_2x_stick -> X !action_craft_wooden_pickaxe)";
    assert!(text(&sandbox, "learned.toml").contains(&format!("formula = \"{held}\"")));
    let (_, admitted) = ran.stdout.split_once("admitted").unwrap();
    let mut lines = admitted.lines().skip(1).map(str::trim);
    let told = lines.next().unwrap();
    assert!(told.starts_with("no-craft-wooden-pickaxe"), "{admitted}");
    assert!(told.contains("Narrowed: without") && told.contains("obs_lava_near"), "{admitted}");
    assert_eq!(lines.next(), Some(held));
    assert!(lines.next().unwrap().starts_with("proposed: G(!obs_has_2x_stick | obs_lava_near"), "{admitted}");
}

/// Three are enough, and no observation distinguishes four from three.
const MISSED: &str = "inventory[raw_iron] >= 4";
const ENOUGH: &str = "G(obs_has_4x_raw_iron -> X !action_mine_iron_ore)";

#[test]
fn an_observation_that_a_model_misses_is_derived_for_its_next_critique() {
    let asked = || critic(&[answer(&[], &[MISSED]), answer(&[add(ENOUGH, &[(1, 40), (1, 41)])], &[])]);
    let has_both = |sandbox: &Sandbox| {
        let book = text(sandbox, "learned.toml");
        assert!(book.contains(&format!("definition = \"{MISSED}\"")), "{book}");
        assert!(book.contains(&format!("formula = \"{ENOUGH}\"")), "{book}");
        sandbox.run("laws check learned.toml").code(0);
    };
    let sandbox = Sandbox::new();
    let hoarder = "--episodes 1 --steps 80 --actor inner-monologue --model simulated:hoarder";
    let endpoint = asked();
    let line = format!("learn --no-laws --iterations 2 {hoarder} --json {}", asking(&endpoint));
    let document = sandbox.run(&line).code(0).json();
    let iterations = &document["iterations"];
    assert_eq!((&iterations[0]["admitted"], &iterations[1]["admitted"]), (&json!([]), &json!(["no-mine-iron-ore"])));
    has_both(&sandbox);
    // A run under it has the observation.
    sandbox.run("run -q --seed 2 --steps 10 --laws learned.toml");
    // `critique` asks a second time.
    let sandbox = Sandbox::new();
    play(&sandbox, "hoarder", 1);
    let endpoint = asked();
    let document = sandbox.run(&format!("critique --no-laws --json {}", asking(&endpoint))).code(0).json();
    assert_eq!((&document["admitted"], &document["usage"][0]["requests"]), (&json!(1), &json!(2)), "{document}");
    has_both(&sandbox);
    // A law without a supporting step is not admitted in this way either, and its definition is not kept.
    let unshown = add("G(obs_has_4x_raw_iron -> X !action_mine_log)", &[(1, 40)]);
    let endpoint = critic(&[answer(&[], &[MISSED]), answer(&[unshown], &[])]);
    let line = format!("critique --no-laws --json --book other.toml {}", asking(&endpoint));
    let document = sandbox.run(&line).code(0).json();
    assert_eq!((&document["admitted"], &document["refused"]), (&json!(0), &json!(1)), "{document}");
    assert!(!text(&sandbox, "other.toml").contains("raw_iron"));
}
