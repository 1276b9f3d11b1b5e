//! The log on standard error: retries and waits, without keys or escapes.

use crate::endpoint::Endpoint;
use crate::sandbox::Sandbox;

const KEY: &str = "sk-test-4711-do-not-show";

/// Returns the standard error of a run of one step whose model is too busy for the first question.
fn said(flags: &str, environment: &[(&str, &str)]) -> String {
    let (sandbox, endpoint) = (Sandbox::new(), Endpoint::busy_at_first());
    let line = format!("run --model openai:gpt-4.1 --base-url {} --steps 1 {flags}", endpoint.url());
    let said = sandbox.run_with(&line, &[&[("OPENAI_API_KEY", KEY)], environment].concat()).code(10).stderr;
    assert!(!said.contains(KEY), "{said}");
    assert!(!said.contains('\u{1b}'), "{said}");
    said
}

#[test]
fn a_retry_is_logged_unless_told_otherwise() {
    let retry = |said: &str| {
        let line = said.lines().find(|line| line.contains("asking again"))?.to_owned();
        assert!(line.contains("HTTP status 429: slow") && line.contains("attempts=1 pause_ms="), "{line}");
        Some(line)
    };
    let brief = retry(&said("", &[])).unwrap();
    assert!(brief.trim_start().starts_with("WARN asking again after a pause"), "{brief}");
    assert_eq!(said("--quiet", &[]), "");
    assert_eq!(said("--json", &[]), "");
    assert_eq!(retry(&said("", &[("RUST_LOG", "off")])), None);
}

#[test]
fn asking_is_logged_when_asked_for() {
    for (flags, environment) in [("-v", &[][..]), ("-vvv", &[]), ("--json", &[("RUST_LOG", "trace")])] {
        let said = said(flags, environment);
        for part in ["asking model=openai:gpt-4.1 role=Actor", "answered model=openai:gpt-4.1 took_ms="] {
            assert!(said.contains(part), "{flags} {environment:?}: {said}");
        }
    }
    assert!(!said("", &[]).contains("answered"));
}
