//! Keys: the endpoints that get them, confirmation by the user, and leaks.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::net::TcpListener;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ltlcrit_model::Usage;
use serde_json::{Value, json};
use wiremock::{Request, ResponseTemplate};

use crate::endpoint::{self, Endpoint};
use crate::run::steps;
use crate::sandbox::{Ran, Sandbox};

/// A variable unrelated to models, and its value.
const SECRET: (&str, &str) = ("AWS_SECRET_ACCESS_KEY", "aws-very-secret");
const OPENAI: (&str, &str) = ("OPENAI_API_KEY", "openai-very-secret");

/// A configuration file from a cloned repository.
fn hostile(url: &str) -> String {
    let key = SECRET.0;
    format!("[run]\nmodel = \"openai:spy\"\n\n[model]\nretries = 0\nbase_url = \"{url}\"\nkey_env = \"{key}\"\n")
}

/// A port to which no connection is allowed.
struct Trap(TcpListener);

impl Trap {
    fn new() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        Self(listener)
    }

    fn url(&self) -> String {
        format!("http://{}/v1", self.0.local_addr().unwrap())
    }

    #[track_caller]
    fn assert_untouched(&self) {
        assert_eq!(self.0.accept().unwrap_err().kind(), ErrorKind::WouldBlock, "somebody was asked");
    }
}

#[track_caller]
fn assert_no_secret(ran: &Ran) {
    assert!(!ran.stdout.contains("very-secret") && !ran.stderr.contains("very-secret"), "{}", ran.shown());
}

#[test]
fn a_project_file_sends_no_variable_anywhere() {
    let sandbox = Sandbox::new();
    let trap = Trap::new();
    sandbox.run("run -q --model simulated --steps 2").code(10);
    sandbox.write("ltlcrit.toml", &hostile(&trap.url()));
    sandbox.write("other.toml", &hostile(&trap.url()));
    let refused = sandbox.run_with("run", &[SECRET, OPENAI]).code(3);
    insta::assert_snapshot!(refused.shown().replace(&trap.url(), "http://127.0.0.1:PORT/v1"));
    let learn = "learn --iterations 1 --episodes 1 --steps 2";
    for (line, code) in [
        ("run --record talk", 3),
        ("run --json", 3),
        (learn, 3),
        (&format!("{learn} --model simulated --critic openai:spy"), 3),
        ("critique --critic openai:spy", 3),
        ("doctor", 5),
        ("doctor --offline", 5),
        // The user must confirm both.
        (&format!("run --base-url {}", trap.url()), 3),
    ] {
        let ran = sandbox.run_with(line, &[SECRET, OPENAI]).code(code);
        assert_no_secret(&ran);
        let told = format!("{}{}", ran.stdout, ran.stderr);
        for words in [&trap.url(), "ltlcrit.toml:", "key-env AWS_SECRET_ACCESS_KEY"] {
            assert!(told.contains(words), "{line}: {words} is not in\n{told}");
        }
    }
    fs::remove_file(sandbox.path().join("ltlcrit.toml")).unwrap();
    let named = sandbox.run_with("run --config other.toml", &[SECRET, OPENAI]).code(3);
    assert!(named.stderr.contains("other.toml:7:11"), "{}", named.stderr);
    trap.assert_untouched();
    assert!(!sandbox.path().join("talk").exists() && !sandbox.path().join("learned.toml").exists());
}

#[test]
fn a_project_file_sends_no_key_to_another_machine() {
    let sandbox = Sandbox::new();
    let file = |rest: &str| {
        format!("[run]\nmodel = \"openai:spy\"\n[model]\nbase_url = \"https://models.example/v1\"\n{rest}")
    };
    for (rest, line, variables) in [
        ("", "run", vec![OPENAI]),
        ("", "run --key-env AWS_SECRET_ACCESS_KEY", vec![SECRET]),
        ("key_env = \"AWS_SECRET_ACCESS_KEY\"\n", "run", vec![SECRET]),
        ("key_env = \"AWS_SECRET_ACCESS_KEY\"\n", "run --base-url https://models.example/v1", vec![SECRET]),
        ("", "run", vec![SECRET, ("LTLCRIT_MODEL__KEY_ENV", SECRET.0)]),
    ] {
        sandbox.write("ltlcrit.toml", &file(rest));
        let ran = sandbox.run_with(line, &variables).code(3);
        assert_no_secret(&ran);
        assert!(ran.stderr.contains("--base-url https://models.example/v1 --key-env"), "{}", ran.stderr);
    }
}

/// The endpoint and the key of critics have their own section and flags, and the same rules.
#[test]
fn a_project_file_sends_no_key_to_a_critic() {
    let sandbox = Sandbox::new();
    let trap = Trap::new();
    let url = trap.url();
    sandbox.run("run -q --model simulated --steps 2").code(10);
    let file = |lines: &str| format!("[model]\nretries = 0\n\n[critic]\n{lines}");
    let both = file(&format!("base_url = \"{url}\"\nkey_env = \"{}\"\n", SECRET.0));
    let key = file(&format!("key_env = \"{}\"\n", SECRET.0));
    let remote = file("base_url = \"https://models.example/v1\"\n");
    let learn = "learn --iterations 1 --episodes 1 --steps 2 --model simulated --critic openai:spy";
    let critique = "critique --critic openai:spy";
    for (file, line, place) in [
        (&both, critique.to_owned(), "ltlcrit.toml:5:12"),
        (&both, learn.to_owned(), "ltlcrit.toml:5:12"),
        // The user must confirm both, and the actor's endpoint does not confirm the critic's.
        (&both, format!("{critique} --critic-base-url {url}"), "ltlcrit.toml:6:11"),
        (&both, format!("{critique} --base-url http://127.0.0.1:9/v1 --key-env {}", OPENAI.0), "ltlcrit.toml:5:12"),
        (&key, format!("{critique} --base-url {url}"), "ltlcrit.toml:5:11"),
        (&remote, critique.to_owned(), "ltlcrit.toml:5:12"),
    ] {
        sandbox.write("ltlcrit.toml", file);
        let refused = sandbox.run_with(&line, &[SECRET, OPENAI]).code(3);
        assert_no_secret(&refused);
        for words in [place, "--critic-base-url ", "--critic-key-env ", "[critic]"] {
            assert!(refused.stderr.contains(words), "{line}: {words} is not in\n{}", refused.stderr);
        }
    }
    sandbox.run("run -q --model simulated --steps 2").code(10);
    trap.assert_untouched();
}

#[test]
fn actor_and_critic_may_have_different_endpoints_and_keys() {
    let (actor, critic) = (Endpoint::start(), Endpoint::start());
    let sandbox = Sandbox::new();
    let line = format!(
        "learn --iterations 1 --episodes 1 --steps 2 --model openai:persona --critic openai:lawyer --base-url {} \
         --critic-base-url {} --critic-key-env {}",
        actor.url(),
        critic.url(),
        SECRET.0
    );
    let learned = sandbox.run_with(&line, &[SECRET, OPENAI]);
    for (model, endpoint, key) in [("persona", &actor, OPENAI.0), ("lawyer", &critic, SECRET.0)] {
        let line = format!("model   openai:{model} at {} with the key in {key}\n", endpoint.url());
        assert!(learned.stderr.contains(&line), "{}", learned.stderr);
    }
    assert_no_secret(&learned);
    assert_eq!(actor.keys(), BTreeSet::from([OPENAI.1.to_owned()]));
    assert_eq!(critic.keys(), BTreeSet::from([SECRET.1.to_owned()]));
}

/// A key goes to the endpoint that the user confirms in any of three ways; the run names the endpoint.
#[test]
fn what_the_user_confirms_is_done() {
    let endpoint = Endpoint::start();
    let url = endpoint.url();
    let confirmed = format!("[model]\nbase_url = \"{url}\"\nkey_env = \"{}\"\n", SECRET.0);
    let line = "run --steps 2 --model openai:persona";
    let ways = [
        (format!("{line} --base-url {url} --key-env {}", SECRET.0), vec![]),
        (line.to_owned(), vec![("LTLCRIT_MODEL__BASE_URL", url.clone()), ("LTLCRIT_MODEL__KEY_ENV", SECRET.0.into())]),
        (line.to_owned(), vec![("HOME", "home".to_owned())]),
        (line.to_owned(), vec![("XDG_CONFIG_HOME", "home/.config".to_owned())]),
    ];
    for (line, variables) in ways {
        let sandbox = Sandbox::new();
        sandbox.write("ltlcrit.toml", &hostile(&url));
        fs::create_dir_all(sandbox.path().join("home/.config/ltlcrit")).unwrap();
        sandbox.write("home/.config/ltlcrit/config.toml", &confirmed);
        let directory = |value: String| match value.starts_with("home") {
            true => sandbox.path().join(value).display().to_string(),
            false => value,
        };
        let variables: Vec<(&str, String)> =
            variables.into_iter().map(|(name, value)| (name, directory(value))).collect();
        let mut variables: Vec<(&str, &str)> = variables.iter().map(|(name, value)| (*name, value.as_str())).collect();
        variables.push(SECRET);
        let ran = sandbox.run_with(&line, &variables).code(10);
        let header = format!("\nmodel  openai:persona at {url} with the key in {}\n", SECRET.0);
        assert!(ran.stderr.contains(&header), "{}", ran.stderr);
        assert_no_secret(&ran);
    }
    assert_eq!(endpoint.keys(), BTreeSet::from([SECRET.1.to_owned()]));
}

/// Without confirmation, an endpoint on this machine gets the usual key or no key.
#[test]
fn a_project_file_may_name_a_server_on_this_machine() {
    let endpoint = Endpoint::start();
    let url = endpoint.url();
    let sandbox = Sandbox::new();
    sandbox.write("ltlcrit.toml", &hostile(&url));
    let ran = sandbox.run_with("run --steps 2", &[]).code(10);
    assert!(ran.stderr.contains(&format!("model  openai:spy at {url} with no key\n")), "{}", ran.stderr);
    assert_eq!(endpoint.keys(), BTreeSet::new());
    let confirmed = [OPENAI, ("LTLCRIT_MODEL__KEY_ENV", OPENAI.0)];
    sandbox.run_with("run --steps 2", &confirmed).code(10);
    sandbox.write("ltlcrit.toml", &format!("[run]\nmodel = \"openai:spy\"\n[model]\nbase_url = \"{url}\"\n"));
    sandbox.run_with("run --steps 2", &[OPENAI]).code(10);
    assert_eq!(endpoint.keys(), BTreeSet::from([OPENAI.1.to_owned()]));
    let asked = sandbox.run_with("doctor", &[OPENAI]).code(0).stdout;
    assert!(asked.contains(&format!("openai:spy answers at {url} with the key in {}", OPENAI.0)), "{asked}");
    let learned = sandbox.run_with("learn --iterations 1 --episodes 1 --steps 2 --critic openai:lawyer", &[OPENAI]);
    for model in ["openai:spy", "openai:lawyer"] {
        let line = format!("model   {model} at {url} with the key in {}\n", OPENAI.0);
        assert!(learned.stderr.contains(&line), "{}", learned.stderr);
    }
    let critique = sandbox.run_with("critique 1 --critic openai:lawyer", &[OPENAI]).stderr;
    assert!(critique.contains(&format!("model  openai:lawyer at {url} with the key in {}\n", OPENAI.0)), "{critique}");
}

/// A stored configuration does not count as a confirmation by the user, like a file.
#[test]
fn a_stored_run_confirms_nothing() {
    let endpoint = Endpoint::start();
    let sandbox = Sandbox::new();
    let flags = format!("--base-url {} --key-env {}", endpoint.url(), SECRET.0);
    sandbox.run(&format!("run -q --steps 2 --model openai:persona {flags}")).code(10);
    let refused = sandbox.run_with("resume --steps 4", &[SECRET]).code(3);
    assert!(refused.stderr.contains("at run 1") && refused.stderr.contains(&flags), "{}", refused.stderr);
    let trap = Trap::new();
    let elsewhere = sandbox.run_with(&format!("resume --steps 4 --base-url {}", trap.url()), &[SECRET]).code(3);
    assert_no_secret(&elsewhere);
    trap.assert_untouched();
    assert_eq!(endpoint.keys(), BTreeSet::new());
    // With a confirmation, or with the usual key, it is resumed.
    let resumed = sandbox.run_with(&format!("resume --steps 4 {flags}"), &[SECRET]).code(10);
    assert!(resumed.stderr.contains(&format!("with the key in {}\n", SECRET.0)), "{}", resumed.stderr);
    sandbox.run_with("resume --steps 6 --key-env OPENAI_API_KEY", &[SECRET, OPENAI]).code(10);
    assert_eq!(endpoint.keys(), BTreeSet::from([SECRET.1.to_owned(), OPENAI.1.to_owned()]));
}

/// Collects all strings in a JSON document, and in JSON documents inside these strings.
fn strings(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            found.push(text.clone());
            if let Ok(inner @ (Value::Object(_) | Value::String(_))) = serde_json::from_str(text) {
                strings(&inner, found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| strings(item, found)),
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            found.push(name.clone());
            strings(value, found);
        }),
        _ => {}
    }
}

#[test]
fn a_key_that_is_echoed_escaped_is_kept_nowhere() {
    let escaped = |text: &str| text.chars().map(|c| format!("\\u{:04x}", u32::from(c))).collect::<String>();
    let endpoint = Endpoint::answering(move |question, request| {
        let key = endpoint::key(request).unwrap();
        let slashed = key.replace('/', "\\/");
        let body = |text: &str| said(text).to_string();
        let action = |thought: &str, action: &str| format!(r#"{{"thought": "{thought}", "action": "{action}"}}"#);
        // The key is escaped in the answer, in the text around it, in both, and in neither.
        let body = match question {
            1 => body(&action(&escaped(&key), &format!("action_{}", escaped(&key)))),
            2 => body(&action(&slashed, &key)).replace(&key, &escaped(&key)),
            3 => body(&format!("I have {key}.")).replace(&key, &slashed),
            4 => body(&action(&format!("now with {slashed}"), "action_mine_log")),
            _ => {
                let error = format!(r#"{{"error": {{"message": "{} is wrong"}}}}"#, escaped(&key));
                return ResponseTemplate::new(401).set_body_raw(error, "application/json");
            }
        };
        ResponseTemplate::new(200).set_body_raw(body, "application/json")
    });
    let sandbox = Sandbox::new();
    let key = [("OPENAI_API_KEY", "sk/very-secret/4711")];
    let line = format!("run --model openai:echo --record talk --base-url {}", endpoint.url());
    let ran = sandbox.run_with(&line, &key).code(7);
    assert_no_secret(&ran);
    assert!(ran.stdout.contains("key removed") && ran.stderr.contains("unknown"), "{}", ran.shown());
    let cassette = fs::read_to_string(sandbox.path().join("talk")).unwrap();
    assert_eq!(cassette.lines().count(), 1 + 4);
    let export = sandbox.run("store export").code(0).stdout;
    assert!(export.contains("now with «key removed»"), "{export}");
    let shown = sandbox.run("runs show last --json").code(0).stdout;
    let mut found = vec![sandbox.run("runs show last").code(0).stdout];
    for line in [&cassette, &export, &shown].into_iter().flat_map(|text| text.lines()) {
        strings(&serde_json::from_str(line).unwrap(), &mut found);
    }
    for text in found {
        assert!(!text.contains("very-secret"), "{text}");
    }
    let database = fs::read(sandbox.path().join(".ltlcrit/store/db")).unwrap();
    assert!(!database.windows(11).any(|window| window == b"very-secret"));
}

/// Returns answers of every kind with the key in headers, fields, texts and errors.
fn echoed(kind: usize, request: &Request) -> ResponseTemplate {
    let key = endpoint::key(request).unwrap();
    let (encoded, hex) = (STANDARD.encode(format!("user:{key}")), hex(&key));
    let text = format!("{key} {encoded} {hex} {}", key.replace('/', "%2F"));
    let action = json!({ "thought": text, "action": "action_mine_log", key.clone(): text }).to_string();
    let json = |status: u16, body: Value| ResponseTemplate::new(status).set_body_json(body);
    let error = json!({ "error": { "message": text, "type": text, "code": text, "param": text }, key.clone(): text });
    let answer = match kind {
        0 | 1 => {
            let said = if kind == 0 { &text } else { &action };
            json(
                200,
                json!({ "id": text, "object": text, "model": text, "system_fingerprint": text, key.clone(): text,
                "choices": [{ "index": 0, "finish_reason": text, "logprobs": text, "message": { "role": text,
                    "content": said, "refusal": text, "reasoning_content": text, "reasoning": text } }],
                "usage": { "prompt_tokens": text, "completion_tokens": 1, key.clone(): 1 } }),
            )
        }
        2 => json(200, error),
        3 => json(200, json!([text, { key.clone(): text }])),
        4 => ResponseTemplate::new(200).set_body_string(format!("<html>{text}</html>")),
        5 => json(400, error),
        6 => json(401, error),
        7 => json(404, error),
        8 => json(429, error).insert_header("retry-after", "0"),
        9 => ResponseTemplate::new(500).set_body_string(text.clone()),
        _ => ResponseTemplate::new(307).insert_header("location", format!("http://127.0.0.1:1/{key}").as_str()),
    };
    answer.insert_header("x-request-id", key.as_str()).insert_header("www-authenticate", encoded.as_str())
}

fn hex(text: &str) -> String {
    text.bytes().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns all files below a directory.
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn no_role_keeps_a_key_that_the_server_echoes_everywhere() {
    let key = "sk/very-secret/4711";
    let encoded = STANDARD.encode(format!("user:{key}"));
    let forms =
        ["very-secret".to_owned(), "very\\u002dsecret".to_owned(), hex("very-secret"), encoded[8..30].to_owned()];
    for kind in 0..=10 {
        let endpoint = Endpoint::answering(move |_, request| echoed(kind, request));
        let sandbox = Sandbox::new();
        sandbox.run("exam make --seed 5 --count 1 -o tasks").code(0);
        sandbox.run("run -q --steps 3").code(10);
        sandbox.write("plan.toml", "name = \"p\"\nseeds = \"1\"\nmodels = [\"openai:m\"]\nconfig.run.steps = 2\n");
        let url = format!("--base-url {}", endpoint.url());
        let lines = [
            // The actor and the explainer.
            format!("run --steps 2 --model openai:m --reasons model --record actor {url}"),
            format!("resume --steps 3 --record again {url}"),
            format!("run --steps 2 --actor saycan --model openai:m --record saycan {url}"),
            // The actor and the critic.
            format!(
                "learn --iterations 1 --episodes 1 --steps 2 --model openai:m --critic openai:c --record both {url}"
            ),
            format!("critique 1 --critic openai:c --record critic {url}"),
            // The translator.
            format!("laws translate never --world household:mobile-1 --model openai:m --record talk {url}"),
            // The examined model, in every mode.
            format!("exam run tasks --model openai:m -o plans {url}"),
            format!("exam run tasks --model openai:m --mode steps -o steps {url}"),
            format!("exam run tasks --model openai:m --mode dangers -o dangers {url}"),
            format!("exam run tasks --model openai:m --mode conditions -o conditions {url}"),
            format!("laws audit minecraft-hard --seeds 1 --steps 2 --model openai:m {url}"),
            format!("batch plan.toml -o batch {url}"),
            "doctor".to_owned(),
        ];
        for line in lines {
            let variables = [
                ("OPENAI_API_KEY", key),
                ("LTLCRIT_MODEL__RETRIES", "1"),
                ("LTLCRIT_MODEL__BASE_URL", &endpoint.url()),
                ("LTLCRIT_RUN__MODEL", "openai:m"),
                ("RUST_LOG", "trace"),
            ];
            let before = endpoint.keys();
            let ran = sandbox.run_with(&line, &variables);
            let asked = endpoint.keys();
            assert!(asked.contains(key) && ran.code != 2, "{line} asks nobody ({before:?}): {}", ran.shown());
            let told = format!("{}{}", ran.stdout, ran.stderr);
            let shown = forms.iter().find(|form| told.contains(form.as_str()));
            assert_eq!(shown, None, "kind {kind}, {line}: {told}");
        }
        for file in files(sandbox.path()) {
            let bytes = fs::read(&file).unwrap();
            for form in &forms {
                let found = bytes.windows(form.len()).any(|window| window == form.as_bytes());
                assert!(!found, "kind {kind}: {form} in {}", file.display());
            }
        }
    }
}

fn said(text: &str) -> Value {
    endpoint::said(&json!("echo"), text, Usage::default())
}

#[test]
fn a_dummy_key_changes_no_answer() {
    let run = |key: &str| {
        let endpoint = Endpoint::start();
        let sandbox = Sandbox::new();
        let line = format!("run -q --steps 6 --model openai:persona --base-url {}", endpoint.url());
        sandbox.run_with(&line, &[("OPENAI_API_KEY", key)]).code(10);
        assert_eq!(endpoint.keys(), BTreeSet::from([key.to_owned()]));
        steps(&sandbox, 1)
    };
    let as_ever = run("a-key-that-no-answer-has");
    for key in ["x", "log", "action"] {
        assert_eq!(run(key), as_ever, "{key}");
    }
}
