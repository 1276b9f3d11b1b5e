//! `learn` and `critique`: laws from stored runs, in a book that provably leaves an action in every state.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

use crate::books::book;
use crate::endpoint::Endpoint;
use crate::sandbox::Sandbox;

/// Few episodes of an actor that errs, with no hand-written law in force.
const LEARN: &str = "learn --no-laws --steps 60";

fn read(sandbox: &Sandbox, name: &str) -> String {
    fs::read_to_string(sandbox.path().join(name)).unwrap()
}

fn statuses(book: &Value) -> Vec<&str> {
    book["laws"].as_array().unwrap().iter().map(|law| law["status"].as_str().unwrap()).collect()
}

#[test]
fn laws_are_learned_and_proved_to_leave_an_action() {
    let sandbox = Sandbox::out_of_the_box();
    let ran = sandbox.run(&format!("{LEARN} --iterations 2 --episodes 4 --test 3")).code(0);
    insta::assert_snapshot!(ran.shown());
    for line in ran.stdout.lines().chain(ran.stderr.lines()) {
        assert!(line.chars().count() <= 80, "wider than a terminal of 80 columns: {line}");
    }
    let checked = sandbox.run("laws check learned.toml --json").code(0).json();
    assert_eq!((&checked["consistency"]["all"], &checked["findings"]), (&"consistent".into(), &json!([])));
    assert!(sandbox.run("store verify").code(0).stdout.contains("sound"));
    // 4 to learn from, 4 under the old and the new laws of each of two revisions, and 3 before and after.
    assert_eq!(sandbox.run("runs list --json").code(0).json()["runs"].as_array().unwrap().len(), 4 + 2 * 8 + 6);
    // The learned book is in force if it is named.
    let listed = sandbox.run("laws list learned.toml --json").code(0).json();
    let adopted = listed["entries"].as_array().unwrap().iter().filter(|law| law["status"] == "adopted").count();
    assert!(adopted > 3);
    let ran = sandbox.run("run --world embedded --seed 50 --laws minecraft-hard --laws learned.toml --json");
    assert_eq!(ran.json()["books"], json!(["minecraft-hard", "learned"]));
}

#[test]
fn steps_are_measured_by_the_optimum_of_each_world() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&format!("{LEARN} --optimum -q --iterations 2 --episodes 4 --test 3")).code(0);
    let table = ran.stdout.split("\n\nlearned.toml").next().unwrap();
    insta::assert_snapshot!(table);
    // In the world of seed 9 a block is out of sight at first, so the policy itself needs more than 38 steps.
    let line = format!("{LEARN} --optimum --json --iterations 1 --episodes 1 --seed");
    for (seed, optimum) in [(1, 38.0), (9, 42.0)] {
        let sandbox = Sandbox::new();
        let document = sandbox.run(&format!("{line} {seed}")).code(0).json();
        let iteration = &document["iterations"][0];
        let ratio = iteration["mean_steps"].as_f64().unwrap() / iteration["times_optimum"].as_f64().unwrap();
        assert_eq!(ratio.round(), optimum);
    }
    // The optimum is absent if it was not requested, or if no episode reached the goal.
    let document = sandbox.run("learn --json --iterations 1 --episodes 1 --steps 5").code(0).json();
    assert!(document["iterations"][0].get("times_optimum").is_none());
    let none = sandbox.run("learn --optimum -q --iterations 1 --episodes 1 --steps 5").code(0).stdout;
    assert!(none.lines().nth(2).unwrap().contains(" 0/1      -        -"), "{none}");
}

#[test]
fn the_same_seeds_give_the_same_book_byte_for_byte() {
    let learned = |line: &str| {
        let sandbox = Sandbox::new();
        let document = sandbox.run(&format!("--json {LEARN} --iterations 2 --episodes 3 {line}")).code(0).json();
        (read(&sandbox, "learned.toml"), document)
    };
    let (one, document) = learned("");
    assert_eq!((one.clone(), document.clone()), learned(""));
    assert_ne!(one, learned("--seed 9").0);

    assert_eq!(document["simulated"], true);
    assert_eq!(document["ended"], "all iterations done");
    assert_eq!(document["book"]["path"], "learned.toml");
    let iterations = document["iterations"].as_array().unwrap();
    assert_eq!(iterations[0]["runs"], json!([1, 2, 3]));
    assert_eq!((&iterations[0]["book"], &iterations[1]["book"]), (&"learned@1".into(), &iterations[0]["new_book"]));
    assert!(!iterations[0]["admitted"].as_array().unwrap().is_empty());
    let decision = &iterations[0]["decision"];
    assert!(decision["comparison"]["steps_p"].is_number() && decision["worse"].is_null(), "{decision}");
    assert_eq!((&decision["with"]["episodes"], &decision["without"]["episodes"]), (&json!(3), &json!(3)));
}

#[test]
fn learning_goes_on_from_the_book() {
    let sandbox = Sandbox::new();
    let first = sandbox.run(&format!("--json {LEARN} --iterations 1 --episodes 4")).code(0).json();
    let revision = first["book"]["revision"].as_u64().unwrap();
    assert!(revision > 1);
    let text = read(&sandbox, "learned.toml");
    let second = sandbox.run(&format!("--json {LEARN} --iterations 1 --episodes 4 --seed 20")).code(0).json();
    assert_eq!(second["book"]["began_at_revision"], revision);
    assert_eq!(second["iterations"][0]["book"], format!("learned@{revision}"));
    let ids = |document: &Value| -> Vec<String> {
        document["book"]["laws"].as_array().unwrap().iter().map(|law| law["id"].to_string()).collect()
    };
    assert!(ids(&second).starts_with(&ids(&first)), "no law is forgotten: retired ones stay, with the reason");
    assert!(
        text.lines()
            .filter(|line| line.starts_with("formula"))
            .all(|line| read(&sandbox, "learned.toml").contains(line))
    );
    sandbox.run("laws check learned.toml").code(0);
    // The intermediate revisions are in the store.
    assert!(sandbox.run("store stats --json").code(0).json()["book_revisions"].as_u64() >= Some(revision));
}

#[test]
fn with_review_laws_wait_for_a_person() {
    let sandbox = Sandbox::new();
    let line = format!("{LEARN} --review --iterations 2 --episodes 3 --book mine/wanted.toml");
    fs::create_dir(sandbox.path().join("mine")).unwrap();
    let document = sandbox.run(&format!("--json {line}")).code(0).json();
    assert!(!statuses(&document["book"]).is_empty());
    assert!(statuses(&document["book"]).iter().all(|status| *status == "proposed"));
    // They are not in force, so there is nothing to play against.
    let iterations = &document["iterations"];
    assert!(iterations[0]["decision"].is_null());
    assert_eq!(iterations[1]["blocked_proposals"], 0.0);
    let ran = sandbox.run(&line).code(0);
    assert!(ran.stdout.contains("waiting for a person to adopt"), "{}", ran.stdout);
    // The user sees all of them and adopts one.
    let pending = sandbox.run("laws pending mine/wanted.toml --json").code(0).json();
    assert_eq!(pending["laws"].as_array().unwrap().len(), statuses(&document["book"]).len());
    let first = document["book"]["laws"][0]["id"].as_str().unwrap();
    sandbox.run(&format!("laws adopt mine/wanted.toml {first}")).code(0);
    let after =
        sandbox.run(&format!("--json {LEARN} --iterations 1 --episodes 3 --book mine/wanted.toml")).code(0).json();
    assert!(after["iterations"][0]["blocked_proposals"].as_f64() > Some(0.0), "what was adopted is in force");
}

#[test]
fn stable_learning_stops_by_itself() {
    let sandbox = Sandbox::new();
    let line = "learn --json --stop-when-stable --iterations 9 --episodes 2 --model simulated:careful";
    let document = sandbox.run(line).code(0).json();
    assert_eq!(document["iterations"].as_array().unwrap().len(), 2);
    assert!(document["ended"].as_str().unwrap().starts_with("stable"));
}

#[test]
fn the_critic_alone_over_stored_runs() {
    let sandbox = Sandbox::new();
    // Some runs are without laws, for learning, and some with laws, for statistics on them.
    for seed in 1..=4 {
        sandbox.run_with(&format!("run -q --steps 60 --seed {seed}"), &[("LTLCRIT_RUN__LAWS", "[]")]);
        sandbox.run(&format!("run -q --steps 60 --seed {seed} --laws saycan-hard"));
    }
    let line = "critique 1-8 --no-laws --book from-runs.toml";
    // A dry run changes nothing and shows the result.
    let stats = sandbox.run("store stats --json").code(0).json();
    let looked = sandbox.run(&format!("{line} --dry-run --json")).code(0).json();
    assert!(!sandbox.path().join("from-runs.toml").exists());
    assert_eq!(sandbox.run("store stats --json").code(0).json()["proposals"], stats["proposals"]);

    assert!(looked["admitted"].as_u64() > Some(0), "{looked}");
    assert!(looked["merits"].as_array().unwrap().iter().any(|merit| merit["right"].as_u64() > Some(0)), "{looked}");

    let ran = sandbox.run(line).code(0);
    insta::assert_snapshot!(ran.shown());
    assert_eq!(read(&sandbox, "from-runs.toml"), looked["book"]["text"].as_str().unwrap());
    sandbox.run("laws check from-runs.toml").code(0);
    let stats = sandbox.run("store stats --json").code(0).json();
    assert_eq!(stats["proposals"].as_u64(), looked["changes"].as_array().map(|all| all.len() as u64));
    // The runs contain no further evidence.
    let again = sandbox.run(&format!("{line} --json")).code(0).json();
    assert_eq!((&again["admitted"], &again["book"]["revision"]), (&0.into(), &looked["book"]["revision"]));
}

#[test]
fn an_over_constrained_book_is_resolved() {
    let sandbox = Sandbox::new();
    let guard = "G(!obs_has_log & !obs_has_plank -> X";
    let (log, look) = (format!("{guard} action_mine_log)"), format!("{guard} action_explore_general)"));
    sandbox.write("mine.toml", &book(&[("log-first", "soft", &log), ("look-first", "soft", &look)]));
    sandbox.run("laws check mine.toml").code(5);
    sandbox.run("run -q --laws minecraft-hard --laws mine.toml --steps 30").code(10);
    let document = sandbox.run("critique --book mine.toml --json").code(0).json();
    assert_eq!(document["unresolved"], json!([]));
    assert_eq!(document["book"]["revision"], 2);
    sandbox.run("laws check minecraft-hard mine.toml").code(0);
}

#[test]
fn what_cannot_be_learned_from_or_into_is_said_at_once() {
    let sandbox = Sandbox::new();
    let nothing = |line: &str, code: i32, words: &str| {
        let ran = sandbox.run(line).code(code);
        assert!(ran.stderr.contains(words), "{line}: {words:?} is not in\n{}", ran.stderr);
        assert_eq!(ran.stdout, "", "{line}");
        assert!(!sandbox.path().join(".ltlcrit").exists(), "{line}: nothing is begun");
        assert!(!sandbox.path().join("learned.toml").exists(), "{line}: nothing is made");
    };
    nothing("critique", 6, "there is no store");
    nothing("learn --book minecraft-hard", 4, "comes with the program");
    nothing("learn --laws saycan-hard --laws saycan-hard", 4, "in force twice");
    nothing("learn --laws safety-chip-demo", 4, "vocabulary");
    sandbox.write("doors.toml", "name = \"doors\"\nvocabulary = \"doors\"\nrevision = 1\n");
    nothing("learn --book doors.toml", 4, "there is no vocabulary `doors`");
    sandbox.write("minecraft-hard.toml", &book(&[]).replace("mine\"\nv", "minecraft-hard\"\nv"));
    nothing("learn --book minecraft-hard.toml", 4, "in force besides");
    let guard = "G(!obs_has_log & !obs_has_plank -> X";
    let (log, look) = (format!("{guard} action_mine_log)"), format!("{guard} action_explore_general)"));
    sandbox.write("mine.toml", &book(&[("log-first", "hard", &log), ("look-first", "hard", &look)]));
    nothing("learn --book mine.toml", 4, "log-first, look-first");
    nothing("learn --laws saycan-hard --laws saycan-soft", 4, "no critic may change");
    nothing("learn --world server --config server.toml", 3, "server.toml");
    sandbox.write("server.toml", "[server]\naddress = \"127.0.0.1:1\"\n");
    nothing("learn --world server --config server.toml", 3, "needs a fresh world");
    nothing("learn --critic nobody", 2, "names no critic");
    nothing("learn --iterations 0", 2, "--iterations");
    nothing("learn --margin=-1", 2, "0 or more");
    nothing("learn --laws minecraft-hard --no-laws", 2, "cannot be used with");
    nothing("learn --model cassette:none", 4, "none");

    sandbox.run("run -q --model simulated:careful --steps 3").code(10);
    let ran = sandbox.run("critique 7").code(4);
    assert!(ran.stderr.contains("there is no run 7"), "{}", ran.stderr);
    let ran = sandbox.run("learn --book missing/learned.toml --iterations 1 --episodes 1").code(1);
    assert!(
        ran.stderr.contains("cannot be written to `missing/learned.toml`: there is no directory `missing`"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_book_that_somebody_changes_meanwhile_is_left_alone() {
    let sandbox = Sandbox::new();
    let path = sandbox.path().join("learned.toml");
    let mine = book(&[]);
    let text = mine.clone();
    let endpoint = Endpoint::doing(move |question| {
        if question == 3 {
            fs::write(&path, &text).unwrap();
        }
    });
    let line = format!(
        "learn --no-laws --iterations 1 --episodes 1 --steps 6 --model openai:persona --base-url {}",
        endpoint.url()
    );
    let ran = sandbox.run(&line).code(1);
    assert!(ran.stderr.contains("`learned.toml` has changed meanwhile"), "{}", ran.stderr);
    assert_eq!(read(&sandbox, "learned.toml"), mine);
}

#[test]
fn caps_hold_for_all_episodes_together() {
    let sandbox = Sandbox::new();
    let line = format!("{LEARN} --json --iterations 3 --episodes 2 --max-requests 200");
    let document = sandbox.run(&line).code(11).json();
    assert!(document["ended"].as_str().unwrap().contains("request cap"), "{}", document["ended"]);
    let iterations = document["iterations"].as_array().unwrap().len();
    assert!(iterations < 3, "{iterations} iterations");
}

#[test]
fn caps_hold_for_all_that_a_book_was_ever_learned_by() {
    let sandbox = Sandbox::new();
    let endpoint = Endpoint::with_critic(LAWYER);
    let url = endpoint.url();
    let line = format!(
        "learn --no-laws --iterations 2 --episodes 2 --steps 6 --model openai:persona --critic openai:lawyer \
         --max-requests 20 --base-url {url}"
    );
    for _ in 0..2 {
        sandbox.run(&line).code(11);
        assert_eq!(endpoint.questions(), 20, "of the actor and the critic together");
    }
    sandbox.run(&format!("{line} --book other.toml")).code(11);
    assert_eq!(endpoint.questions(), 40);
}

#[test]
fn a_model_that_is_no_critic_changes_nothing() {
    let sandbox = Sandbox::new();
    sandbox.run("run -q --steps 20").code(10);
    // The persona of the endpoint always chooses actions.
    let endpoint = Endpoint::start();
    let line = format!("critique --critic openai:persona --base-url {}", endpoint.url());
    let ran = sandbox.run(&line).code(7);
    assert!(ran.stdout.contains("openai:persona proposed nothing: the answer of"), "{}", ran.stdout);
    assert!(ran.stdout.contains("learned.toml stays at revision 1"), "{}", ran.stdout);
    // The second critic still proposes laws.
    let line = format!("{line} --critic trials --json");
    assert_eq!(sandbox.run(&line).code(0).json()["silent"][0][0], "openai:persona");
}

/// An answer that fits any runs: a law that holds for all of them, and an element that is not a change.
pub const LAWYER: &str = r#"{"analysis": "Pickaxes take sticks.", "changes": [
    {"kind": "add", "law": null, "formula": "G(!obs_has_2x_stick -> X !action_craft_wooden_pickaxe)",
     "explanation": "Without sticks there is no pickaxe.", "source": "environment-feedback",
     "evidence": [{"run": 1, "step": 5}], "state": null, "cause": null},
    {"kind": "remove", "law": "minecraft-hard"}]}"#;

#[test]
fn learning_from_models_is_recorded_and_repeats_itself() {
    let line = "learn --no-laws --iterations 2 --episodes 2 --steps 12 --test 1 --json";
    let endpoint = Endpoint::with_critic(LAWYER);
    let sandbox = Sandbox::new();
    let online = format!("--model openai:persona --critic openai:lawyer --base-url {}", endpoint.url());
    let recorded = sandbox.run(&format!("{line} {online} --record talk")).code(0).json();
    drop(endpoint);
    let used = |document: &Value, at: usize, what: &str| document["usage"][at][what].clone();
    assert_eq!((used(&recorded, 0, "role"), used(&recorded, 1, "role")), (json!("actor"), json!("critic")));
    let exchanges = |name: &str| read(&sandbox, name).lines().count() as u64 - 1;
    assert_eq!(used(&recorded, 0, "requests"), exchanges("talk"));
    assert_eq!(used(&recorded, 1, "requests"), exchanges("talk.critic"));
    // Two iterations and both tests ask for 12 steps of every episode, and again after blocked proposals.
    assert!(exchanges("talk") > (2 * 2 + 2) * 12);

    let replayed = |line: &str| {
        let offline = Sandbox::new();
        for name in ["talk", "talk.critic"] {
            offline.write(name, &read(&sandbox, name));
        }
        let ran = offline.run(&format!("{line} --model cassette:talk --critic cassette:talk.critic"));
        (ran, offline)
    };
    let (ran, offline) = replayed(line);
    let repeated = ran.code(0).json();
    assert_eq!(read(&offline, "learned.toml"), read(&sandbox, "learned.toml"));
    assert!(read(&offline, "learned.toml").contains("openai:lawyer"), "the law is still the model's");
    for part in ["book", "iterations", "test"] {
        assert_eq!(repeated[part], recorded[part], "{part}");
    }
    for what in ["requests", "usage"] {
        assert_eq!(
            (used(&repeated, 0, what), used(&repeated, 1, what)),
            (used(&recorded, 0, what), used(&recorded, 1, what))
        );
    }
    // Caps count replayed requests, those of all models together.
    let (ran, _) = replayed(&format!("{line} --max-requests 40"));
    let capped = ran.code(11).json();
    let both = [0, 1].map(|at| used(&capped, at, "requests").as_u64().unwrap());
    assert_eq!((both[0] + both[1], capped["iterations"].as_array().unwrap().len()), (40, 1));
    let critique = |document: &Value| {
        let mut iteration = document["iterations"][0].clone();
        iteration["decision"] = Value::Null;
        iteration
    };
    assert_eq!(critique(&capped), critique(&recorded), "the first critique is whole");
    let critiques = |document: &Value| used(document, 1, "requests").as_u64().unwrap();
    let (ran, _) = replayed("learn --no-laws --iterations 1 --episodes 2 --steps 12 --json");
    assert_eq!(critiques(&capped), critiques(&ran.code(0).json()), "one critique of the two");
    assert!(critiques(&capped) < critiques(&recorded));
    // Another seed leads to other requests.
    let (ran, _) = replayed(&format!("{line} --seed 5"));
    assert!(ran.code(7).json()["ended"].as_str().unwrap().contains("no answer to this question"));
}

#[test]
fn a_critic_alone_is_recorded_and_what_could_not_be_read_is_told() {
    let sandbox = Sandbox::new();
    sandbox.run("run -q --steps 20").code(10);
    let endpoint = Endpoint::with_critic(LAWYER);
    let line = "critique --no-laws";
    let online = format!("--critic openai:lawyer --base-url {}", endpoint.url());
    let ran = sandbox.run(&format!("{line} --dry-run {online} --record talk")).code(0);
    insta::assert_snapshot!(ran.shown().replace(&endpoint.url(), "URL"));
    let exchanges = read(&sandbox, "talk").lines().count() as u64 - 1;
    let replayed = sandbox.run(&format!("{line} --json --critic cassette:talk")).code(0).json();
    assert_eq!(replayed["usage"][0]["requests"], exchanges);
    let unread = replayed["unread"].as_array().unwrap();
    assert_eq!(unread.len() as u64, exchanges, "one in every answer");
    assert_eq!(unread[0]["critic"], "openai:lawyer");
    assert!(unread[0]["why"].as_str().unwrap().contains("`kind` cannot be `remove`"), "{}", unread[0]);
    // `learn` reports it with the iteration.
    let line = format!("learn --no-laws --iterations 1 --episodes 1 --steps 9 --book other.toml {online}");
    let ran = sandbox.run(&line).code(0);
    assert!(ran.stderr.contains("parts of its answers could not be read"), "{}", ran.stderr);
    // The text is wrapped at 80 columns.
    let said = ran.stderr.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("`kind` cannot be `remove`"), "{said}");
    assert!(ran.stdout.contains("critic  openai:lawyer: "), "{}", ran.stdout);
    // The command reports that there is nothing to record.
    let ran = sandbox.run("critique --record nothing").code(2);
    assert!(ran.stderr.contains("no critic is a model"), "{}", ran.stderr);
    assert!(!sandbox.path().join("nothing").exists());
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_was_learned() {
    use std::process::Stdio;
    let sandbox = Sandbox::new();
    // The first iteration takes 12 questions; one of the second hangs.
    let endpoint = Endpoint::hanging_after(15);
    let url = endpoint.url();
    let line = ["learn", "--no-laws", "--iterations", "5", "--episodes", "2", "--steps", "6", "--json"];
    let mut command = sandbox.std_command(line.into_iter().chain(["--model", "openai:persona", "--base-url", &url]));
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    endpoint.wait_until_asked(16);
    let kill = std::process::Command::new("sh").args(["-c", &format!("kill -INT {}", child.id())]).status().unwrap();
    assert!(kill.success());
    let ran = crate::sandbox::Ran::from(child.wait_with_output().unwrap()).code(130);
    let document = ran.json();
    assert_eq!(document["ended"], "interrupted");
    assert_eq!(document["iterations"].as_array().unwrap().len(), 1);
    assert_eq!(document["iterations"][0]["new_book"], format!("learned@{}", document["book"]["revision"]));
    sandbox.run("laws check learned.toml").code(0);
    sandbox.run("store verify").code(0);
}

/// Returns the result, all runs, and the book without its times, for a number of jobs.
fn left_behind(flags: &str, jobs: usize) -> (i32, Value, String, Vec<String>) {
    let sandbox = Sandbox::new();
    let ran = sandbox.run(&format!("{LEARN} --json --iterations 2 --episodes 5 --test 2 --jobs {jobs} {flags}"));
    let book = read(&sandbox, "learned.toml");
    let masked = |word: &str| if word.contains('T') && word.contains(':') { "TIME" } else { word }.to_owned();
    let line = |line: &str| line.split_whitespace().map(masked).collect::<Vec<_>>().join(" ");
    let book = book.lines().map(line).collect();
    let document = if ran.stdout.is_empty() { Value::Null } else { ran.json() };
    (ran.code, document, sandbox.run("store export").code(0).stdout, book)
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    // The caps are reached at the first episode, within an iteration, and in the test.
    for flags in ["", "--max-requests 40", "--max-requests 200", "--max-tokens 700000"] {
        let alone = left_behind(flags, 1);
        assert!(alone.2.lines().count() > 30, "{flags}: {alone:?}");
        assert_eq!(alone.0, if flags.is_empty() { 0 } else { 11 }, "{flags}");
        for jobs in [2, 4] {
            assert_eq!(left_behind(flags, jobs), alone, "{flags}, {jobs} jobs");
        }
    }
}

/// While admitted laws wait for a person, the laws in force stay the same, so a persona would repeat its episodes.
#[test]
fn every_iteration_has_fresh_seeds() {
    let sandbox = Sandbox::new();
    sandbox.write("ltlcrit.toml", "[learn]\nreview = true\n");
    let line = "learn --model simulated:hasty --episodes 3 --iterations 3 --steps 30 --json";
    let learned = sandbox.run(line).code(0).json();
    let runs = |iteration: usize| &learned["iterations"][iteration]["runs"];
    assert_eq!(*runs(0), serde_json::json!([1, 2, 3]));
    assert_eq!((runs(1), runs(2)), (&json!([4, 5, 6]), &json!([7, 8, 9])));
    let listed = sandbox.run("runs list --json").code(0).json();
    let seeds: BTreeSet<u64> =
        listed["runs"].as_array().unwrap().iter().map(|run| run["seed"].as_u64().unwrap()).collect();
    assert_eq!(seeds, (1..=9).collect());
}
