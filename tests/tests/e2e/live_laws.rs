//! Runs whose law books change meanwhile: output for people and scripts.

use std::path::PathBuf;

use serde_json::json;

use crate::endpoint::Endpoint;
use crate::run::exported;
use crate::sandbox::Sandbox;

const ONE_LOG: &str = "\n[[law]]\nid = \"one-log\"\nformula = \"G(obs_has_log -> X !action_mine_log)\"\n\
                       strength = \"soft\"\nexplanation = \"One log at a time.\"\nstatus = \"adopted\"\n\
                       provenance = { origin = \"hand\" }\n";

fn book(revision: u64, laws: &str) -> String {
    format!("# Kept by hand.\nname = \"mine\"\nvocabulary = \"minecraft\"\nrevision = {revision}\n{laws}")
}

/// An endpoint that writes the file before it answers these questions.
fn editing(path: PathBuf, edits: Vec<(usize, String)>) -> Endpoint {
    Endpoint::doing(move |question| {
        for (_, text) in edits.iter().filter(|(at, _)| *at == question) {
            std::fs::write(&path, text).unwrap();
        }
    })
}

const RUN: &str = "--laws minecraft-hard --laws mine.toml --steps 8 --model openai:persona --base-url";

#[test]
fn a_running_bot_takes_a_new_revision_between_two_steps() {
    let sandbox = Sandbox::new();
    let path = sandbox.write("mine.toml", &book(1, ""));
    let hard = ONE_LOG.replace("one-log", "only-one-log").replace("\"soft\"", "\"hard\"");
    let edits = vec![
        (2, book(2, ONE_LOG)),
        (3, book(3, &ONE_LOG.replace("mine_log", "mine_lgo"))),
        (8, book(2, "")),
        (13, book(4, &hard)),
    ];
    let endpoint = editing(path, edits.clone());
    let ran = sandbox.run(&format!("run {RUN} {}", endpoint.url())).code(10);
    let shown = ran.shown().replace(&endpoint.url(), "URL");
    insta::assert_snapshot!(shown);
    // Stored changes are shown again; rejected books and the endpoint are reported once.
    let again = sandbox.run("runs show 1").code(0).stdout;
    for line in ran.stderr.lines() {
        let once = line.contains("not taken") || line.starts_with("model  ");
        assert!(again.contains(line) != once, "{line}");
    }
    let judged = sandbox.run("replay 1 --json").code(0).json();
    assert_eq!(judged["counts"]["steps_that_differ"], 0);
    let steps = exported(&sandbox, 1, "step");
    assert_eq!(steps[3]["new_books"][0]["revision"], 2);
    assert_eq!(steps[3]["new_laws"].as_array().unwrap().last().unwrap()["id"], "one-log");
    sandbox.run("store verify").code(0);

    // The JSON result has the same information.
    let sandbox = Sandbox::new();
    let path = sandbox.write("mine.toml", &book(1, ""));
    let endpoint = editing(path, edits);
    let ran = sandbox.run(&format!("run --json {RUN} {}", endpoint.url())).code(10);
    assert_eq!(ran.stderr, "");
    let changes = &ran.json()["book_changes"];
    assert_eq!(
        changes[0],
        json!({
            "step": 3, "books": [{ "from": "mine@1", "to": "mine@2" }],
            "added": ["one-log"], "retired": [], "changed": [], "laws": 22
        })
    );
    assert_eq!(changes[1]["not_taken"]["place"], json!([8, 32]));
    assert_eq!(changes[3]["books"], json!([{ "from": "mine@2", "to": "mine@4" }]));
}

#[test]
fn a_resumed_run_takes_a_revision_that_came_while_it_was_down() {
    let sandbox = Sandbox::new();
    sandbox.write("mine.toml", &book(1, ""));
    sandbox.run("run -q --laws minecraft-hard --laws mine.toml --steps 4").code(10);
    sandbox.write("mine.toml", &book(2, ONE_LOG));
    let ran = sandbox.run("resume --steps 6").code(10);
    let said = "new laws    mine@2 in place of mine@1: 1 added (one-log); 22 in force";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
    // It stays in force and is not reported again.
    let ran = sandbox.run("resume --steps 8").code(10);
    assert!(!ran.stderr.contains("new laws"), "{}", ran.stderr);
    let steps = exported(&sandbox, 1, "step");
    let changed: Vec<bool> = steps.iter().map(|step| step["new_laws"].is_array()).collect();
    assert_eq!(changed, [false, false, false, false, false, true, false, false, false]);
    assert_eq!(sandbox.run("replay 1 --json").code(0).json()["counts"]["steps_that_differ"], 0);
    // The laws of a deleted book stay in force.
    std::fs::remove_file(sandbox.path().join("mine.toml")).unwrap();
    let ran = sandbox.run("resume --steps 9").code(10);
    assert!(ran.stderr.contains("mine.toml: the file is gone; mine@2 stays in force"), "{}", ran.stderr);
}
