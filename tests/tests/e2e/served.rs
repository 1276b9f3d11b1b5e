//! `run` without options: a server of our own on loopback, with a real client.

use std::net::TcpListener;

use serde_json::json;

use crate::run::exported;
use crate::sandbox::Sandbox;

/// Compact terrain, at the speed of a server of our own.
const BRIEF: &str = "--terrain compact --model simulated:careful";

#[test]
fn a_diamond_is_mined_over_the_protocol() {
    let sandbox = Sandbox::out_of_the_box();
    let ran = sandbox.run(&format!("run {BRIEF}")).code(0);
    for words in
        ["joining 127.0.0.1:", " as offline:ltlcrit", "world  server, seed 1: Mine a diamond.", "goal reached in"]
    {
        assert!(ran.stderr.contains(words) || ran.stdout.contains(words), "{words}\n{}\n{}", ran.stderr, ran.stdout);
    }
    let manifest = sandbox.run("runs show last --json").code(0).json()["manifest"].clone();
    assert_eq!(manifest["world"]["kind"], "server");
    assert_eq!(manifest["world"]["seed"], 1);
    assert_eq!(manifest["world"]["deterministic"], false);
    assert_eq!(manifest["world"]["options"]["address"], "loopback");
    let last = exported(&sandbox, 1, "step").pop().unwrap();
    assert!(last["holds"].as_array().unwrap().contains(&json!("obs_has_diamond")));
    // A run over the protocol can be replayed like any other, and every outcome was predicted.
    assert!(sandbox.run("replay 1").code(0).stdout.contains("No difference"));
    assert_eq!(sandbox.run("replay 1 --json").code(0).json()["counts"]["unpredicted"], 0);
    let left: Vec<_> = std::fs::read_dir(sandbox.path().join(".ltlcrit/store.worlds")).into_iter().flatten().collect();
    assert!(left.is_empty(), "nothing can go on from a world whose run has reached its goal: {left:?}");
}

/// The program is killed in the middle of a run, together with its server; the world and the run are kept.
#[cfg(unix)]
#[test]
fn a_killed_run_goes_on_in_the_world_that_was_kept() {
    use std::io::{BufRead as _, BufReader};
    use std::process::Stdio;

    let sandbox = Sandbox::out_of_the_box();
    let arguments = format!("run {BRIEF}");
    let mut child = sandbox.std_command(arguments.split_whitespace()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let reached = lines.map_while(Result::ok).any(|line| line.contains("reached     wooden pickaxe"));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(reached, "the run ended before there was anything to lose");

    let before = exported(&sandbox, 1, "step");
    assert!(sandbox.path().join(".ltlcrit/store.worlds/run-1.json").exists());
    let resumed = sandbox.run("resume last").code(0);
    assert!(resumed.stderr.contains("goes on after step"), "{}", resumed.stderr);
    let after = exported(&sandbox, 1, "step");
    assert_eq!(after[..before.len() - 1], before[..before.len() - 1], "what was stored stays");
    assert!(after.len() > before.len());
    // A few seconds of the world may be lost with the process, but the run's word is complete.
    assert!(sandbox.run("replay 1").code(0).stdout.contains("No difference"));
    assert!(sandbox.run("store verify").code(0).stdout.contains("sound"));
}

#[test]
fn a_server_that_is_not_there_is_named_with_what_to_do() {
    let sandbox = Sandbox::out_of_the_box();
    // A port that was free a moment ago.
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let ran = sandbox.run(&format!("run --server {address}")).code(8);
    assert!(ran.stderr.contains(&format!("no server answers at {address}")), "{}", ran.stderr);
    assert!(ran.stderr.contains("ltlcrit doctor --server"), "{}", ran.stderr);
    assert!(sandbox.run("runs list").code(0).stdout.is_empty(), "a run that could not begin is no run");

    let seen = sandbox.run(&format!("doctor --offline --server {address}")).code(5);
    assert!(seen.stdout.contains("is the server running?"), "{}", seen.stdout);
}

#[test]
fn what_cannot_be_joined_is_refused_before_anything_is_tried() {
    let sandbox = Sandbox::out_of_the_box();
    let refused = |flags: &str, code: i32, words: &str| {
        let ran = sandbox.run(&format!("run {flags}")).code(code);
        assert!(ran.stderr.contains(words), "{flags}: {}", ran.stderr);
    };
    refused("--server 127.0.0.1:25565 --speed 2", 2, "cannot be used with");
    refused("--account steve", 3, "write `offline:NAME` or `microsoft:EMAIL`");
    refused("--speed 0", 3, "0.1 to 20");
    refused("--server :", 8, "HOST or HOST:PORT");
}

/// Learning uses servers of our own, alone and inside a plan.
#[test]
fn laws_are_learned_on_servers() {
    let sandbox = Sandbox::out_of_the_box();
    sandbox.write("quick.toml", "[run]\nterrain = \"compact\"\n[server]\nspeed = 20.0\n");
    let learn = "learn --config quick.toml --json --world server --model simulated:hasty --iterations 1 --episodes 2";
    let learned = sandbox.run(&format!("{learn} --steps 5")).code(0).json();
    assert_eq!(learned["iterations"][0]["episodes"], 2, "{learned}");
    let manifest = sandbox.run("runs show last --json").code(0).json()["manifest"].clone();
    assert_eq!(manifest["world"]["kind"], "server");

    sandbox.write(
        "served.toml",
        "name = \"served\"\nseeds = \"1\"\nworlds = [\"server\"]\nterrains = [\"compact\"]\nmodels = [\"simulated:hasty\"]\n\
         [books]\nlearned = { learn = { seeds = \"1001-1002\", iterations = 1 } }\n\
         [config.run]\nsteps = 5\n[config.server]\nspeed = 20.0\n",
    );
    let document = sandbox.run("batch served.toml -o served --json").code(0).json();
    let [learning] = document["learnings"].as_array().unwrap().as_slice() else { panic!("one learning: {document}") };
    assert_eq!(learning["iterations"][0]["episodes"], 2, "{learning}");
    assert_eq!(document["conditions"][0]["done"], 1, "{document}");
    let again = sandbox.run("batch served.toml -o served --json").code(0).json();
    assert_eq!(again["learnings"], document["learnings"], "what was learned is not learned again");
}
