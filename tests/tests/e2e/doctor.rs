//! `doctor`: reports problems before a run encounters them.

use ltlcrit_model::Usage;
use serde_json::{Value, json};
use wiremock::ResponseTemplate;

use crate::endpoint::{Endpoint, said};
use crate::login_stub::{LoginStub, PROTOCOL, Reception};
use crate::sandbox::Sandbox;

#[test]
fn a_fresh_directory_is_healthy() {
    let sandbox = Sandbox::new();
    insta::assert_snapshot!(sandbox.run("doctor").code(0).shown());
    assert!(std::fs::read_dir(sandbox.path()).unwrap().next().is_none(), "the doctor leaves nothing behind");
    assert_eq!(sandbox.run("doctor --json").code(0).json()["healthy"], true);
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let sandbox = Sandbox::new();
    sandbox.write("ltlcrit.toml", "[run]\nsede = 1\n");
    sandbox.write("store", "a file");
    let ran = sandbox.run("doctor --json --store store").code(5).json();
    let sick: Vec<&str> = ran["findings"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|finding| finding["health"] == "problem")
        .map(|finding| finding["what"].as_str().unwrap())
        .collect();
    assert_eq!(sick, ["configuration", "store"]);
}

#[test]
fn models_are_asked_the_question_of_every_actor() {
    let sandbox = Sandbox::new();
    let endpoint = Endpoint::start();
    let url = endpoint.url();
    let healthy = sandbox.run(&format!("doctor --model openai:persona --base-url {url}")).code(0);
    assert!(healthy.stdout.contains(&format!("openai:persona answers at {url}")), "{}", healthy.stdout);
    assert!(healthy.stdout.contains("it is asked for a strict JSON schema"), "{}", healthy.stdout);
    for actor in ["naive", "saycan", "inner-monologue", "nl-constraints", "whole-plan"] {
        let line = healthy.stdout.lines().find(|line| line.split_whitespace().nth(1) == Some(actor)).unwrap();
        assert!(line.contains("its answer is read as action_"), "{line}");
    }
    let gone = sandbox.run("doctor --model openai:persona --base-url http://127.0.0.1:9/v1").code(5);
    assert!(gone.stdout.contains("no server answers at http://127.0.0.1:9/v1"), "{}", gone.stdout);
    let keyless = sandbox.run("doctor --model openai:gpt-4.1").code(5);
    assert!(keyless.stdout.contains("OPENAI_API_KEY"), "{}", keyless.stdout);
    // One model that fails on schemas, and one that reasons without an answer.
    let thinker = Endpoint::answering(|_, request| {
        let body: Value = serde_json::from_slice(&request.body).unwrap();
        match body["response_format"].is_null() {
            true => {
                let text = "<think>{\"action\": \"action_mine_log\"}";
                ResponseTemplate::new(200).set_body_json(said(&body["model"], text, Usage::default()))
            }
            false => ResponseTemplate::new(500).set_body_json(json!({ "error": "no such response_format" })),
        }
    });
    let told = sandbox.run(&format!("doctor --model openai:thinker --base-url {}", thinker.url())).code(0).stdout;
    assert!(told.contains("it is asked for a JSON schema in the prompt only"), "{told}");
    assert_eq!(told.matches("cannot be read: the reply ends inside its reasoning").count(), 5, "{told}");
    assert_eq!(told.matches("with reasoning").count(), 5, "{told}");
    let secret = [("OPENAI_API_KEY", "sk-very-secret")];
    let asked = sandbox.run_with(&format!("doctor --model openai:persona --base-url {url}"), &secret).code(0);
    assert!(!asked.stdout.contains("very-secret") && !asked.stderr.contains("very-secret"));
}

/// Returns the doctor's report on a server; the address differs each time, so it is replaced.
fn examined(server: &LoginStub, flags: &str, code: i32) -> String {
    let ran = Sandbox::new().run(&format!("doctor --offline --server {} {flags}", server.address())).code(code);
    ran.shown().replace(&server.address(), "HOST:PORT")
}

/// A server that rejects logins with one of the game's messages.
fn sent_away(reason: Value) -> LoginStub {
    LoginStub::start("26.1", PROTOCOL, Reception::SentAway(reason))
}

#[test]
fn a_server_that_lets_the_player_in_is_healthy() {
    let server = LoginStub::start("26.1", PROTOCOL, Reception::Welcome);
    insta::assert_snapshot!(examined(&server, "", 0));
    assert_eq!(server.login_attempts(), 1);
}

#[test]
fn a_server_of_another_version_is_not_asked_for_admission() {
    let server = LoginStub::start("1.21.4", 769, Reception::Welcome);
    insta::assert_snapshot!(examined(&server, "", 5));
    assert_eq!(server.login_attempts(), 0);
}

#[test]
fn a_server_in_online_mode_wants_an_account() {
    let server = LoginStub::start("26.1", PROTOCOL, Reception::Authenticate);
    insta::assert_snapshot!(examined(&server, "--account offline:Steve", 5));
}

#[test]
fn a_whitelist_is_told_with_what_to_do() {
    let server = sent_away(json!({ "translate": "multiplayer.disconnect.not_whitelisted" }));
    insta::assert_snapshot!(examined(&server, "--account offline:Steve", 5));
}

#[test]
fn a_full_server_is_told_with_what_to_do() {
    let server = sent_away(json!({ "translate": "multiplayer.disconnect.server_full" }));
    insta::assert_snapshot!(examined(&server, "", 5));
}

#[test]
fn a_ban_is_told_with_what_to_do() {
    let reason = json!({ "translate": "multiplayer.disconnect.banned.reason", "with": ["Digs straight down"] });
    insta::assert_snapshot!(examined(&sent_away(reason), "", 5));
}

#[test]
fn any_other_reason_is_passed_on_harmless() {
    let server = sent_away(json!({ "text": "§cCome back \u{1b}[31mtomorrow", "color": "red" }));
    insta::assert_snapshot!(examined(&server, "", 5));
    let ran = Sandbox::new().run(&format!("doctor --offline --json --server {}", server.address())).code(5).json();
    let found = ran["findings"].as_array().unwrap().iter().find(|finding| finding["what"] == "admission").unwrap();
    assert_eq!(found["health"], "problem");
    assert!(found["message"].as_str().unwrap().contains("Come back"), "{found}");
}
