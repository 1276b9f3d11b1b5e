//! `doctor`: what is missing, before a run finds out.

use crate::endpoint::Endpoint;
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
fn models_are_asked_a_word() {
    let sandbox = Sandbox::new();
    let endpoint = Endpoint::start();
    let url = endpoint.url();
    let healthy = sandbox.run(&format!("doctor --model openai:persona --base-url {url}")).code(0);
    assert!(healthy.stdout.contains(&format!("openai:persona answers at {url}")), "{}", healthy.stdout);
    let gone = sandbox.run("doctor --model openai:persona --base-url http://127.0.0.1:9/v1").code(5);
    assert!(gone.stdout.contains("no server answers at http://127.0.0.1:9/v1"), "{}", gone.stdout);
    let keyless = sandbox.run("doctor --model openai:gpt-4.1").code(5);
    assert!(keyless.stdout.contains("OPENAI_API_KEY"), "{}", keyless.stdout);
    let secret = [("OPENAI_API_KEY", "sk-very-secret")];
    let asked = sandbox.run_with(&format!("doctor --model openai:persona --base-url {url}"), &secret).code(0);
    assert!(!asked.stdout.contains("very-secret") && !asked.stderr.contains("very-secret"));
}
