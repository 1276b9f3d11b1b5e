//! `batch --shard`, `merge` and `status`: one batch in several processes.

use std::fs;
use std::process::Stdio;

use ltlcrit_store::{Program, Store};

use crate::endpoint::Endpoint;
use crate::sandbox::Sandbox;

/// A plan of 4 short cells.
const PLAN: &str = "name = \"small\"\nseeds = \"1-2\"\nactors = [\"naive\", \"inner-monologue\"]\n\
                    [config.run]\nsteps = 12\n";

fn results(sandbox: &Sandbox, directory: &str) -> String {
    fs::read_to_string(sandbox.path().join(directory).join("results.jsonl")).unwrap()
}

/// Runs a number of shards, each in the directory of its number.
fn run_shards(sandbox: &Sandbox, plan: &str, count: usize) {
    for number in 1..=count {
        sandbox.run(&format!("batch {plan} --shard {number}/{count} -o {number} -q")).code(0);
    }
}

#[test]
fn merged_shards_are_the_whole_batch() {
    let sandbox = Sandbox::new();
    let whole = sandbox.run("batch smoke -o whole").code(0);
    run_shards(&sandbox, "smoke", 4);
    // The order of the shards does not matter.
    let merged = sandbox.run("batch merge 3 1 4 2 -o merged").code(0);
    assert_eq!(merged.stdout, whole.stdout);
    assert_eq!(results(&sandbox, "merged"), results(&sandbox, "whole"));
    let read = |name: &str| fs::read_to_string(sandbox.path().join(name)).unwrap();
    assert_eq!(read("merged/plan.toml"), read("whole/plan.toml"));
    // The stores have the same runs under the same numbers, readable by all commands.
    for store in ["merged", "whole"] {
        sandbox.run(&format!("store export --format jsonl --output {store}.jsonl --store {store}/store")).code(0);
    }
    assert_eq!(read("merged.jsonl"), read("whole.jsonl"));
    assert!(sandbox.run("store verify --store merged/store").code(0).stdout.contains("sound"));
    let replay =
        |store: &str| sandbox.run(&format!("replay 13 --laws saycan-hard --store {store}/store")).code(0).stdout;
    assert_eq!(replay("merged"), replay("whole"));
    // The result is a finished batch, and an interrupted merge continues.
    let again = sandbox.run("batch smoke -o merged").code(0);
    assert!(again.stderr.contains("0 to run"), "{}", again.stderr);
    let all = results(&sandbox, "merged");
    fs::write(sandbox.path().join("merged/results.jsonl"), &all[..all.len() / 2]).unwrap();
    sandbox.run("batch merge 1 2 3 4 -o merged -q").code(0);
    assert_eq!(results(&sandbox, "merged"), all);
}

#[test]
fn a_shard_knows_what_it_is() {
    let sandbox = Sandbox::new();
    sandbox.write("small.toml", PLAN);
    let ran = sandbox.run("batch small.toml --shard 1/2").code(0);
    assert_eq!(results(&sandbox, "small-results-1-of-2").lines().count(), 2);
    insta::assert_snapshot!(ran.shown());
    let mut shown = String::new();
    let lines = [
        "batch small.toml --shard 2/2 -o small-results-1-of-2",
        "batch small.toml -o small-results-1-of-2",
        "batch small-results-1-of-2/plan.toml --shard 2/2 -o other",
        "batch small.toml --shard 3/2",
        "batch small.toml --shard 2/4 --dry-run",
    ];
    for line in lines {
        let ran = sandbox.run(line);
        shown.push_str(&format!("$ ltlcrit {line}\n{}\n", ran.shown()));
    }
    insta::assert_snapshot!(shown);
    // With more shards than cells, some shards are empty.
    run_shards(&sandbox, "small.toml", 5);
    sandbox.run("batch merge 1 2 3 4 5 -o merged -q").code(0);
    sandbox.run("batch small.toml -o whole -q").code(0);
    assert_eq!(results(&sandbox, "merged"), results(&sandbox, "whole"));
}

#[test]
fn what_does_not_make_up_one_batch_is_not_merged() {
    let sandbox = Sandbox::new();
    sandbox.write("small.toml", PLAN);
    run_shards(&sandbox, "small.toml", 2);
    sandbox.write("longer.toml", &PLAN.replace("12", "13"));
    sandbox.run("batch longer.toml --shard 2/2 -o longer -q").code(0);
    sandbox.run("batch small.toml --shard 2/4 -o overlap -q").code(0);
    // A cell of this shard is not finished, and one failed.
    sandbox.run("batch small.toml --shard 2/2 -o part -q").code(0);
    let cell = results(&sandbox, "part").split_inclusive('\n').next().unwrap().to_owned();
    fs::write(sandbox.path().join("part/results.jsonl"), cell).unwrap();
    sandbox.run("batch small.toml --shard 2/2 -o failed -q").code(0);
    fs::write(sandbox.path().join("failed/results.jsonl"), "").unwrap();
    sandbox.write("failed/failures.json", "{\"2\": \"the endpoint is gone\"}");
    // Another version ran this shard.
    sandbox.run("batch small.toml --shard 2/2 -o newer -q").code(0);
    let store = Store::open(sandbox.path().join("newer/store")).unwrap();
    let other = Store::open(sandbox.path().join("other-store")).unwrap();
    for run in store.run_ids() {
        let mut episode = store.episode(run.unwrap()).unwrap();
        episode.manifest.program = Program { version: "9.9.9".to_owned(), revision: None };
        other.commit(episode).unwrap();
    }
    drop((store, other));
    fs::remove_dir_all(sandbox.path().join("newer/store")).unwrap();
    fs::rename(sandbox.path().join("other-store"), sandbox.path().join("newer/store")).unwrap();
    fs::create_dir(sandbox.path().join("empty")).unwrap();

    let mut shown = String::new();
    // The status of several shards is that of the cells that any of them has.
    let status = |shards: &str, code| sandbox.run(&format!("batch status {shards} --json")).code(code).json();
    let counted = |status: &serde_json::Value| {
        [&status["done"], &status["failed"], &status["waiting"]].map(|n| n.as_u64().unwrap())
    };
    assert_eq!(counted(&status("1 2", 0)), [4, 0, 0]);
    assert_eq!(counted(&status("part", 0)), [1, 0, 1]);
    assert_eq!(counted(&status("1 part", 0)), [3, 0, 1]);
    assert_eq!(counted(&status("failed 1", 5)), [2, 1, 1]);
    assert!(sandbox.run("batch status 1 longer").code(4).stderr.contains("config.run.steps"));
    for directories in ["1", "1 1 2", "1 longer", "1 2 overlap", "1 part", "1 failed", "1 newer", "1 empty", "1 gone"] {
        let line = format!("batch merge {directories} -o merged");
        let ran = sandbox.run(&line).code(4);
        shown.push_str(&format!("$ ltlcrit {line}\n{}\n", ran.stderr));
    }
    let program = ltlcrit_engine::agent::program();
    let revision = program.revision.map_or_else(String::new, |revision| format!(" ({revision})"));
    insta::assert_snapshot!(shown.replace(&format!("{}{revision}", program.version), "VERSION"));
    assert!(!sandbox.path().join("merged").exists());
    // Shards of different sizes form a batch if they cover it.
    sandbox.run("batch small.toml --shard 1/4 -o first -q").code(0);
    sandbox.run("batch merge first overlap 2 -o merged -q").code(0);
    // No result is overwritten.
    let changed = results(&sandbox, "merged").replace("\"steps\":12", "\"steps\":11");
    fs::write(sandbox.path().join("merged/results.jsonl"), changed).unwrap();
    let refused = sandbox.run("batch merge 1 2 -o merged").code(4);
    assert!(refused.stderr.contains("has another result of the cell"), "{}", refused.stderr);
}

#[test]
fn the_status_is_what_is_true() {
    let sandbox = Sandbox::new();
    let status = |directory: &str| sandbox.run(&format!("batch status {directory} --json")).json();
    // A cell takes 12 questions; one in the second cell hangs.
    let endpoint = Endpoint::hanging_after(15);
    let url = endpoint.url();
    sandbox.write(
        "one.toml",
        "name = \"one\"\nseeds = \"1-3\"\nmodels = [\"openai:persona\"]\n[config.run]\nsteps = 12\n",
    );
    let mut command = sandbox.std_command(["batch", "one.toml", "-q", "--jobs", "1", "--base-url", &url]);
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    endpoint.wait_until_asked(16);
    // The first cell is in the results before the next one begins, or soon after.
    let mut now = status("one-results");
    while now["done"] != 1 {
        now = status("one-results");
    }
    assert_eq!((&now["state"], &now["waiting"]), (&"running".into(), &2.into()), "{now}");
    assert_eq!(now["cells"][1]["state"], "waiting");
    child.kill().unwrap();
    child.wait().unwrap();
    let killed = status("one-results");
    assert_eq!((&killed["state"], &killed["waiting"]), (&"interrupted".into(), &2.into()), "{killed}");

    // Its cells fail, because no server listens there.
    let failed =
        sandbox.run_with("batch one.toml -q --base-url http://127.0.0.1:9/v1", &[("LTLCRIT_MODEL__RETRIES", "0")]);
    assert_eq!(failed.code, 4, "another endpoint is another plan: {}", failed.stderr);
    sandbox.write("two.toml", "name = \"two\"\nseeds = \"1-2\"\nmodels = [\"simulated\", \"simulated:./gone.toml\"]\n[config.run]\nsteps = 12\n");
    sandbox.run("batch two.toml -q").code(5);
    let ran = sandbox.run("batch status two-results").code(5);
    insta::assert_snapshot!(ran.stdout);
    assert_eq!(status("two-results")["state"], "failed");
    sandbox.write("small.toml", PLAN);
    sandbox.run("batch small.toml -q").code(0);
    assert_eq!(status("small-results")["state"], "done");
    let refused = sandbox.run("batch status .").code(4);
    assert!(refused.stderr.contains("is not the directory of a batch"), "{}", refused.stderr);
}

#[test]
fn shards_of_one_directory_keep_a_cap_together() {
    let sandbox = Sandbox::new();
    let endpoint = Endpoint::start();
    sandbox.write(
        "one.toml",
        "name = \"one\"\nseeds = \"1-2\"\nmodels = [\"openai:persona\"]\n[config.run]\nsteps = 12\n[config.caps]\nrequests = 15\n",
    );
    let line = |shard: &str| {
        format!("batch one.toml -q --shard {shard}/2 -o one/shards/{shard} --base-url {}", endpoint.url())
    };
    let mut both = ["1", "2"].map(|shard| {
        sandbox.std_command(line(shard).split_whitespace()).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap()
    });
    let ended = both.each_mut().map(|child| child.wait().unwrap().code());
    assert!(ended.contains(&Some(5)), "{ended:?}");
    assert_eq!(endpoint.questions(), 15);
    sandbox.run(&format!("{} --retry", line("1")));
    sandbox.run(&format!("{} --retry", line("2")));
    assert_eq!(endpoint.questions(), 15);
    assert!(sandbox.path().join("one/shards/spending.jsonl").exists());
}

#[test]
fn a_plan_that_is_named_like_a_command_is_not_taken_for_it() {
    let sandbox = Sandbox::new();
    for name in ["merge", "status", "help"] {
        sandbox.write(name, PLAN);
        sandbox.run(&format!("batch ./{name} --dry-run")).code(0);
    }
    for name in ["merge", "status"] {
        sandbox.run(&format!("batch {name}")).code(2);
        sandbox.run(&format!("batch {name} --dry-run")).code(2);
    }
    sandbox.run("batch help --dry-run").code(0);
    sandbox.run("batch").code(2);
}
