//! `run`, `resume`, `replay` and `runs`: from a fresh directory to a diamond, and all other ends of a run.

use ltlcrit_store::{Durability, RunId, Store};
use ltlcrit_verifier::Letter;
use serde_json::{Value, json};

use crate::books::book;
use crate::endpoint::Endpoint;
use crate::report::report;
use crate::sandbox::{Ran, Sandbox};

/// The persona without mistakes, for tests of everything else.
const CAREFUL: &str = "--model simulated:careful";

/// Returns the exported records of a kind, oldest first.
pub fn exported(sandbox: &Sandbox, run: u64, kind: &str) -> Vec<Value> {
    let export = sandbox.run(&format!("store export --run {run}")).code(0).stdout;
    let records = export.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    records.filter(|record| record["type"] == kind).collect()
}

/// Returns the exported steps without the number of the run.
pub fn steps(sandbox: &Sandbox, run: u64) -> Vec<Value> {
    let mut steps = exported(sandbox, run, "step");
    steps.iter_mut().for_each(|step| step["run"] = Value::Null);
    steps
}

#[track_caller]
fn assert_says(ran: &Ran, words: &str) {
    assert!(
        ran.stderr.contains(words) || ran.stdout.contains(words),
        "{words:?} is not in\n{}\n{}",
        ran.stderr,
        ran.stdout
    );
}

#[test]
fn from_a_fresh_directory_to_a_diamond() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run("run").code(0);
    assert_says(&ran, "goal reached in ");
    assert_says(&ran, "reached     diamond");
    assert_says(&ran, "simulated model: it tests the machinery");
    let listed = sandbox.run("runs list --json").code(0).json();
    assert_eq!(listed["runs"][0]["run"], 1);
    assert_eq!(listed["runs"][0]["end"], "goal reached");
    let last = exported(&sandbox, 1, "step").pop().unwrap();
    assert!(last["holds"].as_array().unwrap().contains(&json!("obs_has_diamond")));
    assert_eq!(last["action"], "action_stop");
    assert!(sandbox.run("store verify").code(0).stdout.contains("sound"));
}

#[test]
fn a_run_as_people_see_it() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&format!("run {CAREFUL}")).code(0);
    insta::assert_snapshot!(ran.shown());
    let again = sandbox.run("runs show 1").code(0).stdout;
    for line in ran.stderr.lines().chain(ran.stdout.lines()) {
        assert!(again.contains(line), "`runs show` does not show {line:?}");
    }
}

/// A run may end with a rejected proposal.
#[test]
fn the_step_that_a_run_ended_in_is_shown() {
    let sandbox = Sandbox::new();
    let laws =
        [("no-log", "hard", "G(!obs_has_log -> X !action_mine_log)"), ("no-look", "hard", "G !action_explore_general")];
    sandbox.write("no.toml", &book(&laws));
    sandbox.run("run -q --model simulated:careful --laws no.toml --max-requests 1").code(11);
    let shown = sandbox.run("runs show last").code(0).stdout;
    assert!(shown.contains("blocked     no-l"), "{shown}");
    let shown = sandbox.run("runs show last --json").code(0).json();
    let steps = shown["trajectory"].as_array().unwrap();
    assert_eq!(
        (steps.len(), &steps[1]["action"], &steps[1]["refused"][0]["ruling"]),
        (2, &json!(null), &json!("blocked"))
    );
}

#[test]
fn a_run_as_scripts_see_it() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&format!("run --json {CAREFUL}")).code(0);
    assert_eq!(ran.stderr, "");
    let result = ran.json();
    assert_eq!(result["simulated"], true);
    assert_eq!(result["end"], json!({ "kind": "goal" }));
    assert_eq!(result["optimum"]["wooden pickaxe"], 10);
    assert!(result["metrics"]["steps"].as_u64().unwrap() >= result["optimum"]["diamond"].as_u64().unwrap());
    assert_eq!(result["metrics"]["subgoals"][3]["step"], result["metrics"]["steps"]);
    let shown = sandbox.run("runs show --json").code(0).json();
    assert_eq!(shown["metrics"], result["metrics"]);
    let steps = shown["trajectory"].as_array().unwrap();
    assert_eq!(steps.len() as u64 - 1, result["last_step"].as_u64().unwrap());
    assert!(steps[1]["action"].is_string() && steps[1]["refused"].is_array(), "{}", steps[1]);
    assert_eq!(shown["manifest"]["configuration"]["values"]["run"]["seed"], 1);
}

#[test]
fn quiet_leaves_the_result_alone() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&format!("run --quiet {CAREFUL}")).code(0);
    assert_eq!(ran.stderr, "");
    assert!(ran.stdout.starts_with("run 1  goal reached"), "{}", ran.stdout);
    assert_says(&ran, "simulated model");
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
    let export = |line: &str, store: &str| {
        let sandbox = Sandbox::new();
        sandbox.run(&format!("{line} --store {store}"));
        sandbox.run(&format!("store export --store {store}")).code(0).stdout
    };
    let one = export("run --seed 5", "here");
    assert!(one.lines().count() > 20);
    assert_eq!(one, export("run --seed 5", "elsewhere"), "whichever store it is in");
    assert_ne!(one, export("run --seed 6", "here"));
}

#[test]
fn a_blocked_action_is_told_why_and_asked_again() {
    let sandbox = Sandbox::new();
    let forbid = book(&[("no-coal", "hard", "G !action_mine_coal")]);
    sandbox.write("mine.toml", &forbid);
    let ran = sandbox.run(&format!("run {CAREFUL} --laws minecraft-hard --laws mine.toml --steps 60"));
    assert_says(&ran, "mine coal             blocked     no-coal: This is no-coal");
    let steps = steps(&sandbox, 1);
    let step = steps
        .iter()
        .find(|step| step["proposals"].as_array().unwrap().iter().any(|it| it["ruling"]["kind"] == "blocked"))
        .unwrap();
    let proposals = step["proposals"].as_array().unwrap();
    assert_eq!(proposals[0]["action"], "action_mine_coal");
    assert_eq!(proposals[0]["ruling"]["laws"], json!(["no-coal"]));
    assert!(proposals[0]["ruling"]["explanation"].as_str().unwrap().contains("This is no-coal"));
    let last = proposals.last().unwrap();
    assert_eq!(last["ruling"]["kind"], "allowed");
    assert_eq!(last["action"], step["action"]);
    assert!(steps.iter().all(|step| step["action"] != "action_mine_coal"));
}

#[test]
fn an_over_constrained_state_suspends_the_soft_law_that_does_not_fit() {
    let sandbox = Sandbox::new();
    let guard = "G(!obs_has_log & !obs_has_plank -> X";
    let (log, look) = (format!("{guard} action_mine_log)"), format!("{guard} action_explore_general)"));
    sandbox.write("mine.toml", &book(&[("log-first", "soft", &log), ("look-first", "soft", &look)]));
    let ran = sandbox.run(&format!("run {CAREFUL} --laws minecraft-hard --laws mine.toml")).code(0);
    assert_says(&ran, "conflict    together log-first, look-first leave no action; without look-first for this step");
    assert_says(&ran, "fallbacks        1        look-first 1");
    let (page, document) = report(&sandbox, "1");
    page.check_numbers(&document);
    assert!(page.text().contains("suspended for the step: look-first"), "{}", page.text());
    assert!(page.rows().contains(&vec!["suspended: look-first".to_owned(), "1".to_owned()]), "{:?}", page.rows());
    assert!(!page.text().contains("was offered only the actions"), "{}", page.text());
    let line = format!("run {CAREFUL} --laws minecraft-hard --laws mine.toml --fallback all --offer allowed");
    let all = sandbox.run(&line).code(0);
    assert_says(&all, "leave no action; only the hard laws hold for this step");
    assert_says(&all, "only allowed actions were offered");
    let (page, _) = report(&sandbox, "2");
    assert!(page.text().contains("was offered only the actions that the shield left"), "{}", page.text());
    let conflicts = exported(&sandbox, 1, "conflict");
    assert_eq!(conflicts[0]["step"], 1);
    assert_eq!(conflicts[0]["force"]["conflict"], json!(["log-first", "look-first"]));
}

#[test]
fn hard_laws_that_leave_nothing_abort_the_run() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "mine.toml",
        &book(&[("dig", "hard", "G X action_mine_stone"), ("do-not", "hard", "G !action_mine_stone")]),
    );
    let ran = sandbox.run(&format!("run --json {CAREFUL} --laws mine.toml")).code(12);
    let result = ran.json();
    assert_eq!(result["end"]["kind"], "nothing_allowed");
    assert_eq!(result["metrics"]["steps"], 0);
    assert_eq!(result["resumable"], false);
    let refused = sandbox.run("resume 1").code(4);
    assert_says(&refused, "run 1 cannot be resumed: it has ended");
}

/// Ten goals in nine letters: a proof of their consistency exceeds the budget, and nothing runs without it.
#[test]
fn what_cannot_be_decided_aborts_the_run_and_is_told() {
    let sandbox = Sandbox::new();
    let goals = [
        "mine_log",
        "mine_stone",
        "mine_coal",
        "mine_iron_ore",
        "mine_diamond",
        "craft_planks",
        "craft_stick",
        "craft_furnace",
        "smelt_iron",
        "place_furnace",
    ];
    let formulas: Vec<String> = goals.iter().map(|goal| format!("F action_{goal}")).collect();
    let end = format!("{}false", "X ".repeat(10));
    for strength in ["hard", "soft"] {
        let goals = goals.iter().map(|goal| goal.replace('_', "-")).collect::<Vec<_>>();
        let laws = goals.iter().zip(&formulas).map(|(id, formula)| (&**id, strength, &**formula));
        sandbox.write("goals.toml", &book(&laws.chain([("end", strength, &*end)]).collect::<Vec<_>>()));
        let ran = sandbox.run(&format!("run {CAREFUL} --laws goals.toml")).code(12);
        assert_says(&ran, "aborted: it could not be decided whether the laws leave an action; the hardest are ");
        let shown = sandbox.run("runs show last --json");
        assert_eq!(shown.json()["end"]["kind"], "undecided");
        assert_eq!(shown.json()["metrics"]["steps"], 0);
        assert!(!shown.json()["end"]["laws"].as_array().unwrap().is_empty());
        assert_eq!(shown.json()["resumable"], false);
        let run = if strength == "hard" { 1 } else { 2 };
        assert!(exported(&sandbox, run, "conflict").is_empty(), "nothing was proved");
    }
    // A check has a larger budget and proves it.
    let checked = sandbox.run("laws check goals.toml");
    assert_says(&checked, "no run satisfies them all");
}

#[test]
fn used_up_steps_end_a_run_and_resume_goes_on_as_if_nothing_had_happened() {
    let whole = Sandbox::new();
    whole.run("run --seed 2");
    let sandbox = Sandbox::new();
    let ran = sandbox.run("run --seed 2 --steps 7").code(10);
    assert_says(&ran, "7 steps used up before the goal");
    assert_says(&ran, "ltlcrit resume 1");
    sandbox.run("resume --steps 12").code(10);
    let resumed = sandbox.run("resume last --steps 200");
    assert_says(&resumed, "goes on after step 12");
    assert!(!resumed.stderr.contains("wooden pickaxe"), "it was reached before: {}", resumed.stderr);
    assert_eq!(steps(&sandbox, 1), steps(&whole, 1));
}

/// A persona that mines one log after the other is stopped before its steps are used up.
#[test]
fn a_stall_ends_a_run_and_is_told() {
    let sandbox = Sandbox::new();
    let line = "run --model simulated:feller --actor naive";
    assert_says(&sandbox.run(line).code(10), "stalled: 40 steps in a row without a new observation (");
    let result = sandbox.run(&format!("{line} --json")).code(10).json();
    assert_eq!((&result["end"]["kind"], &result["end"]["steps"]), (&"stalled".into(), &40.into()));
    let steps = result["metrics"]["steps"].as_u64().unwrap();
    let off = [("LTLCRIT_RUN__STALL", "0")];
    assert_says(&sandbox.run_with(&format!("{line} --steps 90"), &off).code(10), "90 steps used up before the goal");
    let more = sandbox.run("resume 2 --json").code(10).json();
    assert_eq!((&more["end"]["kind"], more["metrics"]["steps"].as_u64()), (&"stalled".into(), Some(steps + 40)));
}

#[test]
fn caps_end_a_run_cleanly() {
    let sandbox = Sandbox::new();
    for (flag, cap) in [("--max-requests 3", "request"), ("--max-tokens 900", "token")] {
        let ran = sandbox.run(&format!("run {CAREFUL} {flag}")).code(11);
        assert_says(&ran, &format!("{cap} cap reached"));
    }
    // A cap in dollars on a model of unknown price is rejected.
    let refused = sandbox.run("run --model openai:mine --base-url http://localhost:1/v1 --max-cost 1").code(3);
    assert_says(&refused, "the price of `openai:mine` is unknown");
}

#[test]
fn caps_of_a_resumed_run_go_on() {
    let sandbox = Sandbox::new();
    let endpoint = Endpoint::start();
    let model = format!("--base-url {}", endpoint.url());
    for _ in 0..2 {
        let ran = sandbox.run(&format!("run --model openai:persona --max-requests 3 {model}")).code(11);
        assert_says(&ran, "request cap reached: 3 of 3");
    }
    let resumed = sandbox.run(&format!("resume 1 --max-requests 5 {model}")).code(11);
    assert_says(&resumed, "request cap reached: 5 of 5");
    assert_eq!(endpoint.questions(), 3 + 3 + 2);
    let ledger = std::fs::read_to_string(sandbox.path().join(".ltlcrit/store/spending.jsonl")).unwrap();
    assert_eq!(ledger.lines().count(), 2 * 8, "{ledger}");
}

#[test]
fn without_a_shield_breaches_are_marked() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run("run --actor nl-constraints --steps 40");
    assert_says(&ran, "no shield: what it would have blocked is marked, and runs");
    assert_says(&ran, "breaches");
    assert!(exported(&sandbox, 1, "run")[0]["shielded"] == false);
}

#[test]
fn every_actor_runs() {
    let sandbox = Sandbox::new();
    for actor in ["naive", "saycan", "inner-monologue", "nl-constraints"] {
        let result = sandbox.run(&format!("run --json --actor {actor} --steps 5")).code(10).json();
        assert_eq!(result["actor"], actor);
        assert_eq!(result["metrics"]["steps"], 5);
        assert_eq!(result["model"]["name"], format!("simulated:{actor}"));
    }
}

#[test]
fn replay_judges_by_other_laws() {
    let sandbox = Sandbox::new();
    sandbox.run(&format!("run -q {CAREFUL}")).code(0);
    assert!(sandbox.run("replay 1 --json").code(0).json()["counts"]["steps_that_differ"] == 0);
    sandbox.write("mine.toml", &book(&[("no-coal", "hard", "G !action_mine_coal")]));
    let ran = sandbox.run("replay last --laws mine.toml").code(0);
    assert_says(&ran, "blocked by no-coal");
    let replay = sandbox.run("replay 1 --laws mine.toml --json").code(0).json();
    assert_eq!(replay["simulated"], true);
    assert!(replay["counts"]["executed_now_blocked"].as_u64().unwrap() > 0);
}

#[test]
fn replay_tells_what_was_not_predicted() {
    let sandbox = Sandbox::new();
    sandbox.run(&format!("run -q {CAREFUL} --steps 3")).code(10);
    let replayed = sandbox.run("replay last").code(0);
    assert!(!replayed.stdout.contains("not predicted"), "{}", replayed.stdout);
    assert_eq!(sandbox.run("replay last --json").code(0).json()["counts"]["unpredicted"], 0);

    // The same run with an extra item in its last step.
    let store = Store::open(sandbox.path().join(".ltlcrit/store")).unwrap();
    let mut manifest = store.manifest(RunId(1)).unwrap();
    let mut steps: Vec<_> = store.steps(RunId(1)).map(Result::unwrap).collect();
    let vocabulary = ltlcrit_minecraft::vocabulary();
    let last = steps.last_mut().unwrap();
    last.observation.holds.insert(vocabulary.id("obs_has_diamond").unwrap());
    last.letter = Letter::after(&vocabulary, last.executed.as_ref().unwrap().action, last.observation.holds);
    let copy = store.begin(&mut manifest).unwrap();
    steps.iter().for_each(|step| store.append_step(copy, step, Durability::EachStep).unwrap());
    drop(store);
    let replayed = sandbox.run("replay last").code(0);
    assert_says(&replayed, "    3 ! mine log led to what was not predicted: obs_has_diamond\n");
    assert_says(&replayed, "1 outcome not predicted\n");
    let replay = sandbox.run("replay last --json").code(0).json();
    assert_eq!(replay["counts"]["unpredicted"], 1);
    assert_eq!(
        replay["steps"][3]["unpredicted"],
        json!({"action": "action_mine_log", "literals": ["obs_has_diamond"]})
    );
}

#[test]
fn runs_that_are_not_there() {
    let sandbox = Sandbox::new();
    assert_says(&sandbox.run("runs list").code(6), "there is no store at `.ltlcrit/store`");
    sandbox.run(&format!("run -q {CAREFUL} --steps 1")).code(10);
    for line in ["runs show 7", "resume 7", "replay 7", "store export --run 7"] {
        assert_says(&sandbox.run(line).code(4), "there is no run 7 in this store");
    }
    assert_says(&sandbox.run("runs show seven").code(2), "`seven` names no run");
    assert_says(&sandbox.run("run --model simulated:saycna").code(2), "did you mean `saycan`?");
}

#[test]
fn a_run_goes_on_with_the_persona_it_was_begun_with() {
    let sandbox = Sandbox::new();
    let text = "name = \"mine\"\ndescription = \"Mine\"\nset = \"development\"\nactor = \"inner-monologue\"\n";
    sandbox.write("mine.toml", text);
    let begun = sandbox.run("run --model simulated:./mine.toml --steps 2").code(10);
    assert_says(&begun, "inner-monologue with simulated:./mine.toml@");
    sandbox.run("resume --steps 3").code(10);
    sandbox.write("mine.toml", &format!("{text}spare_cobble = 3\n"));
    assert_says(&sandbox.run("resume --steps 4").code(4), "the persona `./mine.toml` has changed");
    sandbox.write("mine.toml", &format!("{text}spare_coble = 3\n"));
    let wrong = sandbox.run("run --model simulated:./mine.toml").code(4);
    assert_says(&wrong, "at ./mine.toml:5:1");
    assert_says(&wrong, "did you mean `spare_cobble`?");
}

#[test]
fn personas_are_listed_with_their_sets() {
    let sandbox = Sandbox::new();
    assert_says(&sandbox.run("personas").code(0), "hoarder          development  inner-monologue  Gathers");
    let listed = sandbox.run("personas --json").code(0).json();
    assert!(listed.as_array().unwrap().iter().any(|one| one["name"] == "hasty" && one["set"] == "held-out"));
}

#[test]
fn two_worlds_at_once_are_refused() {
    let ran = Sandbox::out_of_the_box().run("run --world embedded --server localhost:25565").code(2);
    assert_says(&ran, "`--world embedded` and `--server localhost:25565` exclude each other");
}

#[test]
fn a_run_can_do_without_laws() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run("run --no-laws --steps 3").code(10);
    assert_says(&ran, "laws   none");
    assert_eq!(sandbox.run("runs show 1 --json").code(0).json()["manifest"]["laws"], json!([]));
    assert_says(&sandbox.run("run --no-laws --laws minecraft-hard").code(2), "--no-laws");
}

#[test]
fn a_list_counts_the_steps_that_the_run_counted() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&format!("run --json {CAREFUL}")).code(0).json();
    let cut = sandbox.run(&format!("run {CAREFUL} --steps 1")).code(10);
    assert_says(&cut, "1 step used up before the goal");
    let listed = sandbox.run("runs list --json").code(0).json();
    assert_eq!((&listed["runs"][0]["steps"], &listed["runs"][1]["steps"]), (&ran["metrics"]["steps"], &json!(1)));
    assert_eq!(ran["metrics"]["steps"], 38);
    assert_eq!(listed["runs"][1]["end"], "budget of 1 step used up");
}

#[test]
fn a_run_that_never_began_gives_the_reason_and_no_table() {
    let sandbox = Sandbox::new();
    let name = "openai:a-model-of-a-name-that-is-longer-than-any-column";
    let ran = sandbox.run(&format!("run --model {name} --base-url http://127.0.0.1:1/v1")).code(7);
    assert_says(&ran, "no server answers at http://127.0.0.1:1/v1");
    for zeros in ["proposals", "optimum", "game time", "0 steps"] {
        assert!(!ran.stdout.contains(zeros), "{}", ran.stdout);
    }
    let listed = sandbox.run("runs list").code(0).stdout;
    assert!(listed.contains(" openai:a-model-of-a-name…  "), "{listed}");
    assert!(listed.lines().all(|line| line.chars().count() < 160), "{listed}");
}

#[test]
fn replay_names_actions_as_the_run_does() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&format!("run {CAREFUL} --steps 2")).code(10);
    let replayed = sandbox.run("replay last --all").code(0);
    assert_says(&ran, "mine log");
    assert_says(&replayed, "ran mine log");
    assert!(!replayed.stdout.contains("action_"), "{}", replayed.stdout);
}
