use std::fs;
use std::sync::atomic::Ordering;

use super::*;
use crate::{AnswerSchema, Message, Role, Speaker, Usage};

/// Answers with the number of the question.
#[derive(Debug)]
struct Counting(std::sync::atomic::AtomicU64);

impl ChatModel for Counting {
    fn info(&self) -> ModelInfo {
        ModelInfo::real("openai:counting")
    }
    async fn ask(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        let number = self.0.fetch_add(1, Ordering::Relaxed) + 1;
        let text = format!("{number} \u{1F48E} \"{}\"\n", request.messages[0].text);
        Ok(ChatReply::new(text, Usage { prompt: 7, completion: 3, ..Usage::default() }))
    }
}

fn counting() -> Counting {
    Counting(std::sync::atomic::AtomicU64::new(0))
}

fn request(text: &str) -> ChatRequest {
    ChatRequest {
        role: Role::Actor,
        messages: vec![Message { speaker: Speaker::User, text: text.into() }],
        answer: Some(AnswerSchema { name: "x".into(), schema: serde_json::json!({"type": "object"}) }),
        temperature: 0.1,
        max_tokens: 100,
        body: Default::default(),
    }
}

#[tokio::test]
async fn replays_byte_for_byte_in_the_recorded_order() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run.jsonl");
    let recorder = Recorder::open(counting(), &path).unwrap();
    let mut recorded = Vec::new();
    for question in ["a", "b", "a"] {
        recorded.push(recorder.ask(&request(question)).await.unwrap());
    }
    let cassette = Cassette::open(&path).unwrap();
    assert_eq!(cassette.len(), 3);
    // The order of different questions does not matter; the order of equal questions does.
    assert_eq!(cassette.ask(&request("b")).await.unwrap(), recorded[1]);
    assert_eq!(cassette.ask(&request("a")).await.unwrap(), recorded[0]);
    assert_eq!(cassette.ask(&request("a")).await.unwrap(), recorded[2]);
    let error = cassette.ask(&request("a")).await.unwrap_err().to_string();
    assert!(error.ends_with("this question was asked once more than it was recorded (2 times)"), "{error}");
    let info = cassette.info();
    assert!(!info.simulated);
    assert_eq!(info.to_string(), format!("cassette:{} (recorded from openai:counting)", path.display()));
}

#[tokio::test]
async fn a_miss_shows_the_first_difference() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run.jsonl");
    let recorder = Recorder::open(counting(), &path).unwrap();
    recorder.ask(&request("Inventory: 3 oak_log, 2 stick. What next?")).await.unwrap();
    recorder.ask(&request("Nothing alike.")).await.unwrap();
    let cassette = Cassette::open(&path).unwrap();
    let miss = |request: ChatRequest| {
        let cassette = &cassette;
        let path = path.display().to_string();
        async move { cassette.ask(&request).await.unwrap_err().to_string().replace(&path, "run.jsonl") }
    };
    let mut hotter = request("Inventory: 3 oak_log, 2 stick. What next?");
    hotter.temperature = 0.5;
    let mut longer = request("Inventory: 3 oak_log, 2 stick. What next?");
    longer.messages.push(Message { speaker: Speaker::User, text: "!".into() });
    insta::assert_snapshot!(
        [miss(request("Inventory: 3 oak_log, 4 stick. What next?")).await, miss(hotter).await, miss(longer).await,]
            .join("\n")
    );
}

#[tokio::test]
async fn a_recording_goes_on_after_a_crash_cut_its_last_line() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run.jsonl");
    let recorder = Recorder::open(counting(), &path).unwrap();
    recorder.ask(&request("a")).await.unwrap();
    recorder.ask(&request("b")).await.unwrap();
    drop(recorder);
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 9]).unwrap();
    let error = Cassette::open(&path).unwrap_err().to_string();
    assert!(error.contains("line 3: the line is cut off"), "{error}");
    let recorder = Recorder::open(counting(), &path).unwrap();
    recorder.ask(&request("c")).await.unwrap();
    let cassette = Cassette::open(&path).unwrap();
    assert_eq!(cassette.len(), 2);
    cassette.ask(&request("a")).await.unwrap();
    cassette.ask(&request("c")).await.unwrap();
}

#[test]
fn broken_cassettes_say_where_and_other_files_are_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run.jsonl");
    let header = "{\"ltlcrit_cassette\":1,\"model\":{\"name\":\"openai:x\",\"simulated\":false}}\n";
    let mut errors = Vec::new();
    for text in [
        "",
        "Dear diary,\n",
        "no line break",
        &header.replace(":1", ":2"),
        &format!("{header}{{\"request\":1}}\n"),
        &format!("{header}\u{0}\n"),
    ] {
        fs::write(&path, text).unwrap();
        errors.push(Cassette::open(&path).unwrap_err().to_string().replace(&path.display().to_string(), "run.jsonl"));
        if !text.is_empty() {
            assert!(Recorder::open(counting(), &path).is_err());
            assert_eq!(fs::read_to_string(&path).unwrap(), text, "a refused file is untouched");
        }
    }
    fs::write(&path, header).unwrap();
    errors.push(
        Recorder::open(counting(), &path).unwrap_err().to_string().replace(&path.display().to_string(), "run.jsonl"),
    );
    insta::assert_snapshot!(errors.join("\n"));
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]

    #[test]
    fn no_file_makes_it_panic_and_none_is_harmed(
        header in proptest::bool::ANY,
        lines in proptest::collection::vec("[ -~]{0,60}|\\{\"request\":.{0,40}", 0..4),
        end in "\n|",
    ) {
        let mut text = if header {
            "{\"ltlcrit_cassette\":1,\"model\":{\"name\":\"openai:x\",\"simulated\":false}}\n".to_owned()
        } else {
            String::new()
        };
        text += &(lines.join("\n") + &end);
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("run.jsonl");
        fs::write(&path, &text).unwrap();
        let _ = Cassette::open(&path);
        if !text.is_empty() {
            // No cassette in this test has this model.
            proptest::prop_assert!(Recorder::open(counting(), &path).is_err());
            proptest::prop_assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_new_cassette_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run.jsonl");
    let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;
    Recorder::open(counting(), &path).unwrap();
    assert_eq!(mode(), 0o600);
    // A shared cassette keeps its permissions.
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    Recorder::anew(counting(), &path).unwrap();
    assert_eq!(mode(), 0o640);
}
