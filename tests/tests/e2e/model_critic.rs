//! A critic that is a model, from its answers to the book: what is admitted and played, narrowed laws, and observations that the
//! vocabulary misses.

use std::fs;

use ltlcrit_model::Usage;
use serde_json::{Value, json};

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

/// A law that keeps the actor from the logs that it needs, and one that runs show to fail.
const EXPLORE: &str = "G(!obs_has_log & !obs_has_plank & !obs_has_crafting_table -> X action_explore_general)";
const STICKS: &str = "G(!obs_has_2x_stick -> X !action_craft_wooden_pickaxe)";
const LEARN: &str = "learn --no-laws --episodes 4 --steps 100 --actor inner-monologue --model simulated:stubborn";

#[test]
fn a_models_revision_is_played_against_the_one_before() {
    let learned = |jobs: usize| {
        let sandbox = Sandbox::new();
        let endpoint = critic(&[answer(&[add(STICKS, &[(1, 5)]), add(EXPLORE, &[(1, 1)])], &[])]);
        let line = format!("{LEARN} --iterations 1 --json --jobs {jobs} {}", asking(&endpoint));
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
    assert!(runs.len() > 300 && runs == runs_4, "the number of jobs changes nothing");
    let [only] = &document["iterations"].as_array().unwrap()[..] else { panic!("{document}") };
    assert_eq!(only["admitted"], json!(["no-craft-wooden-pickaxe"]), "what runs need is not blocked");
    assert_eq!(only["refused"], json!({ "blocks-good-step": 1 }));
    // The last revision is played, too: 4 episodes to learn from, and 4 fresh ones under the old and the new laws.
    let decision = &only["decision"];
    assert_eq!((&decision["with"]["episodes"], &decision["worse"]), (&json!(4), &Value::Null), "{decision}");
    assert!(decision["with"]["failed_actions"].as_f64() < decision["without"]["failed_actions"].as_f64(), "{decision}");
    assert_eq!(sandbox.run("runs list --json").code(0).json()["runs"].as_array().unwrap().len(), 12);
    sandbox.run("laws check learned.toml").code(0);
}

#[test]
fn a_critique_that_learns_nothing_says_why() {
    let sandbox = Sandbox::new();
    play(&sandbox, "careful", 2);
    let endpoint = critic(&[]);
    let told = sandbox.run(&format!("critique --no-laws {}", asking(&endpoint))).code(0).stdout;
    assert!(told.contains("nothing was learned:"), "{told}");
    let line = format!("{LEARN} --iterations 1 --json {}", asking(&endpoint));
    let document = sandbox.run(&line).code(0).json();
    let why = document["iterations"][0]["nothing_learned"].as_str().unwrap();
    assert!(why.contains("of 4 runs reach the goal"), "{why}");
}

#[test]
fn a_critique_prints_what_the_book_holds() {
    let sandbox = Sandbox::new();
    play(&sandbox, "stubborn", 1);
    let proposed = "G(true -> X !action_craft_wooden_pickaxe)";
    let endpoint = critic(&[answer(&[add(proposed, &[(1, 5)])], &[])]);
    let ran = sandbox.run(&format!("critique --no-laws {}", asking(&endpoint))).code(0);
    let book = text(&sandbox, "learned.toml");
    let held = book.lines().find_map(|line| line.strip_prefix("formula = \"")?.strip_suffix('"')).unwrap();
    assert!(held != proposed && held.ends_with("-> X !action_craft_wooden_pickaxe)"), "{held}");
    let (_, admitted) = ran.stdout.split_once("admitted").unwrap();
    let mut lines = admitted.lines().skip(1).map(str::trim);
    let told = lines.next().unwrap();
    assert!(told.starts_with("no-craft-wooden-pickaxe"), "{admitted}");
    assert!(told.contains("Narrowed: with"), "{admitted}");
    assert_eq!(lines.next(), Some(held));
    assert_eq!(lines.next(), Some(&*format!("proposed: {proposed}")), "{admitted}");
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
