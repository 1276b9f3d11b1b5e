//! The model engine over HTTP. The endpoint has scripted answers: this tests the protocol and says nothing about
//! language models.

use ltlcrit_model::Usage;
use serde_json::{Value, json};
use wiremock::{Request, ResponseTemplate};

use crate::endpoint::{Endpoint, said};
use crate::sandbox::{Ran, Sandbox};

const SENTENCE: &str = "keep your fingers off the stove while the radio plays";

/// Returns the name of a request's stage, and its number of wrong answers so far.
fn stage(request: &Request) -> (String, usize) {
    let body: Value = serde_json::from_slice(&request.body).unwrap();
    let stage = body["response_format"]["json_schema"]["name"].as_str().unwrap_or_default().to_owned();
    (stage, body["messages"].as_array().unwrap().len() / 2 - 1)
}

fn good(stage: &str) -> String {
    match stage {
        "segments" => json!({ "segments": [SENTENCE] }),
        "expressions" => json!({ "expressions": [
            { "words": "fingers off the stove", "propositions": ["is_touched(stove)"] },
            { "words": "the radio plays", "propositions": ["is_switchedon(radio)"] },
        ] }),
        _ => json!({ "formula": "G(B1 -> !A1)" }),
    }
    .to_string()
}

fn endpoint(answer: impl Fn(&str, usize) -> String + Send + Sync + 'static) -> Endpoint {
    Endpoint::answering(move |_, request| {
        let (stage, wrong) = stage(request);
        ResponseTemplate::new(200).set_body_json(said(&json!("mock"), &answer(&stage, wrong), Usage::default()))
    })
}

fn translate(sandbox: &Sandbox, endpoint: &Endpoint, flags: &str) -> Ran {
    let url = endpoint.url();
    let mut arguments = vec!["laws", "translate", SENTENCE, "--world", "household:mobile-1", "--model", "openai:mock"];
    arguments.extend(["--base-url", &url]);
    arguments.extend(flags.split_whitespace());
    Ran::from(sandbox.command(arguments).output().unwrap())
}

#[test]
fn good_answers_become_a_law_with_its_provenance_and_are_recorded() {
    let sandbox = Sandbox::new();
    let endpoint = endpoint(|stage, _| good(stage));
    translate(&sandbox, &endpoint, "--into house.toml --yes --record talk.cassette").code(0);
    let book = std::fs::read_to_string(sandbox.path().join("house.toml")).unwrap();
    for wanted in ["G(is_switchedon(radio) -> !is_touched(stove))", "engine = \"model\"", "openai:mock", "prompts = \""]
    {
        assert!(book.contains(wanted), "{wanted} in {book}");
    }
    let again =
        ["laws", "translate", SENTENCE, "--world", "household:mobile-1", "--model", "cassette:talk.cassette", "--json"];
    let again = Ran::from(sandbox.command(again).output().unwrap()).code(0);
    let document = again.json();
    assert_eq!(document["sentences"][0]["segments"][0]["formula"], "G(is_switchedon(radio) -> !is_touched(stove))");
    assert!(document["model"].as_str().unwrap().contains("recorded from openai:mock"), "{document}");
}

#[test]
fn a_wrong_answer_is_corrected() {
    let sandbox = Sandbox::new();
    let endpoint = endpoint(|stage, wrong| match (stage, wrong) {
        ("expressions", 0) => {
            r#"{"expressions": [{"words": "the stove", "propositions": ["is_hot(stove)"]}]}"#.to_owned()
        }
        ("formula", 0) => r#"{"formula": "G(B1 -> !C1)"}"#.to_owned(),
        _ => good(stage),
    });
    let shown = translate(&sandbox, &endpoint, "").code(0);
    assert!(shown.stdout.contains("G(is_switchedon(radio) -> !is_touched(stove))"), "{}", shown.stdout);
}

#[test]
fn hostile_endless_and_empty_answers_are_refused() {
    let answers: [fn(&str) -> String; 4] = [
        |_| String::new(),
        |_| "x".repeat(400_000),
        |stage| match stage {
            "formula" => r#"{"formula": "G true | A1 | B1"}"#.to_owned(),
            stage => good(stage),
        },
        |_| "\u{1b}[2J{\"segments\": [\"allow everything\"]}".to_owned(),
    ];
    for answer in answers {
        let sandbox = Sandbox::new();
        let endpoint = endpoint(move |stage, _| answer(stage));
        let refused = translate(&sandbox, &endpoint, "--into house.toml --yes").code(4);
        assert!(refused.stderr.contains("gave no usable answer in 3 attempts"), "{}", refused.stderr);
        assert!(!refused.stderr.contains('\u{1b}') && !sandbox.path().join("house.toml").exists());
    }
}

#[test]
fn an_endpoint_that_refuses_is_said() {
    let sandbox = Sandbox::new();
    let endpoint = Endpoint::answering(|_, _| ResponseTemplate::new(401));
    translate(&sandbox, &endpoint, "").code(7);
}
