use std::ffi::OsString;
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};

use proptest::prelude::*;
use serde_json::json;
use tokio::net::TcpListener;
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, Request, Respond, ResponseTemplate};

use super::transport::MAX_SAID;
use super::*;
use crate::{AnswerSchema, Caps, Message, Meter, Metered, Price, Role, Speaker, answer};

mod scenarios;

const KEY: &str = "sk-test-4711-do-not-show";

/// Generates any valid key.
pub(super) fn keys() -> impl Strategy<Value = String> {
    // Keys of few different characters, including backslashes, and keys of all characters.
    prop_oneof!["[!-~]{8,40}", r#"[\\u/"0ab5c]{8,16}"#, "sk-[a-zA-Z0-9_/+=-]{8,40}"]
}

/// Encodes a text as the inside of a JSON string; `choices` selects the escaped characters.
pub(super) fn escaped(text: &str, choices: &[u8]) -> String {
    let mut choices = choices.iter().cycle();
    let mut string = String::new();
    for c in text.chars() {
        let must = matches!(c, '"' | '\\' | '\u{0}'..='\u{1f}');
        match choices.next().unwrap_or(&0) % 4 {
            0 | 1 if !must => string.push(c),
            0 if matches!(c, '"' | '\\') => string.extend(['\\', c]),
            2 if matches!(c, '"' | '\\' | '/') => string.extend(['\\', c]),
            choice if c.is_ascii() && choice % 2 == 1 => string.push_str(&format!("\\u{:04X}", u32::from(c))),
            _ if c.is_ascii() => string.push_str(&format!("\\u{:04x}", u32::from(c))),
            _ => string.push(c),
        }
    }
    string
}

fn options(base_url: String) -> OpenAiOptions {
    OpenAiOptions {
        base_url,
        timeout: Duration::from_secs(20),
        retries: 3,
        first_delay: Duration::from_millis(1),
        ..OpenAiOptions::default()
    }
}

fn model_at(server: &MockServer) -> OpenAi {
    OpenAi::new("gpt-4.1", options(format!("{}/v1", server.uri())), Some(KEY.into())).unwrap()
}

fn request() -> ChatRequest {
    ChatRequest {
        role: Role::Actor,
        messages: vec![
            Message { speaker: Speaker::System, text: "Choose.".into() },
            Message { speaker: Speaker::User, text: "Now?".into() },
        ],
        answer: Some(AnswerSchema {
            name: "action_choice".into(),
            schema: json!({"type": "object", "properties": {"action": {"type": "string"}}, "required": ["action"],
                "additionalProperties": false}),
        }),
        temperature: 0.1,
        max_tokens: 64,
        body: Default::default(),
    }
}

fn completion(text: &str) -> Value {
    json!({
        "id": "x", "object": "chat.completion", "created": 1, "model": "gpt-4.1",
        "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120,
            "prompt_tokens_details": {"cached_tokens": 60}, "completion_tokens_details": {"reasoning_tokens": 5}},
    })
}

fn ok(text: &str) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(completion(text))
}

fn refusal(status: u16, message: &str) -> ResponseTemplate {
    ResponseTemplate::new(status).set_body_json(json!({"error": {"message": message, "type": "x", "code": null}}))
}

/// Answers with one template after the other; the last one repeats.
struct InTurn(Vec<ResponseTemplate>, AtomicUsize);

impl Respond for InTurn {
    fn respond(&self, _: &Request) -> ResponseTemplate {
        let turn = self.1.fetch_add(1, Ordering::SeqCst);
        self.0[turn.min(self.0.len() - 1)].clone()
    }
}

async fn server(answers: Vec<ResponseTemplate>) -> MockServer {
    let server = MockServer::start().await;
    Mock::given(method("POST"))
        .and(path("/v1/chat/completions"))
        .respond_with(InTurn(answers, AtomicUsize::new(0)))
        .mount(&server)
        .await;
    server
}

async fn requests(server: &MockServer) -> Vec<Value> {
    server.received_requests().await.unwrap().iter().map(|request| request.body_json().unwrap()).collect()
}

/// Returns the error's text without the port; asserts that it does not contain the key.
async fn error_of(model: &OpenAi) -> String {
    let error = model.ask(&request()).await.unwrap_err();
    for text in [error.to_string(), format!("{error:?}"), format!("{model:?}")] {
        assert!(!text.contains(KEY), "the key leaks: {text}");
    }
    without_port(&error.to_string(), &model.options.base_url)
}

fn without_port(text: &str, base_url: &str) -> String {
    text.replace(base_url, "http://127.0.0.1:PORT/v1")
}

#[tokio::test]
async fn a_strict_schema_is_asked_for_and_usage_is_read() {
    let server = server(vec![ok("{\"action\": \"action_mine_log\"}")]).await;
    let reply = model_at(&server).ask(&request()).await.unwrap();
    assert_eq!(reply.text, "{\"action\": \"action_mine_log\"}");
    assert_eq!(reply.usage, Usage { prompt: 100, completion: 20, cached: 60, reasoning: 5, estimated: 0 });
    let received = server.received_requests().await.unwrap();
    assert_eq!(received[0].headers["authorization"], format!("Bearer {KEY}"));
    insta::assert_json_snapshot!(received[0].body_json::<Value>().unwrap());
}

#[tokio::test]
async fn what_cannot_succeed_is_not_retried_and_says_what_to_do() {
    let mut errors = Vec::new();
    for answer in [
        refusal(401, &format!("Incorrect API key provided: {KEY}.")),
        refusal(403, "Country not supported"),
        refusal(404, "The model `gpt-4.1` does not exist"),
        refusal(429, "You exceeded your quota").set_body_json(json!({"error": {"message": "You exceeded your quota",
            "type": "insufficient_quota", "code": "insufficient_quota"}})),
        refusal(400, "This model's maximum context length is 10 tokens").set_body_json(json!({"error": {
            "message": "This model's maximum context length is 10 tokens", "code": "context_length_exceeded"}})),
        ResponseTemplate::new(301).insert_header("location", "https://elsewhere.example/v1"),
    ] {
        let server = server(vec![answer]).await;
        errors.push(error_of(&model_at(&server)).await);
        assert_eq!(requests(&server).await.len(), 1, "{errors:?}");
    }
    insta::assert_snapshot!(errors.join("\n"));
}

#[tokio::test]
async fn a_server_in_trouble_is_given_up_after_the_retries() {
    let server = server(vec![ResponseTemplate::new(503).set_body_string("<html>\n down </html>")]).await;
    let error = error_of(&model_at(&server)).await;
    assert_eq!(requests(&server).await.len(), 4);
    insta::assert_snapshot!(error);
}

#[tokio::test]
async fn a_slow_answer_is_waited_for() {
    let server = server(vec![ok("{}").set_delay(Duration::from_millis(150))]).await;
    model_at(&server).ask(&request()).await.unwrap();
    assert_eq!(requests(&server).await.len(), 1);
}

#[tokio::test]
async fn no_server_is_said_at_once() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let model = OpenAi::new("m", options(format!("http://{address}/v1")), None).unwrap();
    let error = model.ask(&request()).await.unwrap_err().to_string();
    assert!(!error.contains("attempts"), "a server that is not running is not asked again: {error}");
    assert!(error.contains(&format!("no server answers at http://{address}/v1 (")), "{error}");
    assert!(error.contains("start it, or set `--base-url`"), "{error}");
}

#[tokio::test]
async fn broken_json_is_tried_again_then_an_error() {
    let glitch = || ResponseTemplate::new(200).set_body_string("{\"choices\": [{");
    let passing = server(vec![glitch(), ok("{}")]).await;
    model_at(&passing).ask(&request()).await.unwrap();
    let lasting = server(vec![glitch()]).await;
    insta::assert_snapshot!(error_of(&model_at(&lasting)).await);
}

#[tokio::test]
async fn json_of_another_kind_is_an_error() {
    let server = server(vec![ResponseTemplate::new(200).set_body_json(json!({"answer": 42}))]).await;
    insta::assert_snapshot!(error_of(&model_at(&server)).await);
    assert_eq!(requests(&server).await.len(), 1);
}

/// A self-signed certificate of localhost and its key.
const UNTRUSTED: &[u8] = include_bytes!("untrusted.pem");

/// Accepts one connection over TLS with [`UNTRUSTED`].
fn untrusted_server() -> SocketAddr {
    use rustls::pki_types::pem::PemObject as _;
    use rustls::pki_types::{CertificateDer, PrivateKeyDer};

    let certificate = CertificateDer::from_pem_slice(UNTRUSTED).unwrap();
    let key = PrivateKeyDer::from_pem_slice(UNTRUSTED).unwrap();
    let config =
        rustls::ServerConfig::builder().with_no_client_auth().with_single_cert(vec![certificate], key).unwrap();
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut connection = rustls::ServerConnection::new(std::sync::Arc::new(config)).unwrap();
        // The client closes the connection.
        while connection.complete_io(&mut stream).is_ok() {}
    });
    address
}

#[tokio::test]
async fn an_untrusted_certificate_and_plain_http_are_no_missing_servers() {
    let plain = server(vec![]).await;
    let endpoint = |base_url: &str| Endpoint::new(&options(base_url.to_owned()), None).unwrap();
    let transport = Transport::new(&endpoint("http://localhost/v1"));
    // The client has no root certificates, independent of this machine.
    let client = transport.unwrap().client();
    let mut told = String::new();
    for address in [untrusted_server(), *plain.address()] {
        let base_url = format!("https://{address}/v1");
        let error = client.post(&base_url).send().await.unwrap_err();
        let failure = Failure::unanswered(&error, transport::root_cause(&error));
        assert!(!failure.worth_a_retry(true), "{failure:?} for {error:?}");
        let text = explain::explain(&failure, 1, "gpt-4.1", &endpoint(&base_url), &options(base_url.clone()));
        told += &format!("{}\n", text.replace(&base_url, "https://127.0.0.1:PORT/v1"));
    }
    insta::assert_snapshot!(told);
}

#[tokio::test]
async fn empty_and_refused_answers_are_passed_on_as_they_are() {
    let mut silent = completion("");
    silent["choices"][0]["message"]["content"] = Value::Null;
    let mut refused = silent.clone();
    refused["choices"][0]["message"]["refusal"] = json!("I cannot help with that.");
    let mut parts = silent.clone();
    parts["choices"][0]["message"]["content"] = json!([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]);
    for (body, text) in [(silent, ""), (refused, "I cannot help with that."), (parts, "ab")] {
        let server = server(vec![ResponseTemplate::new(200).set_body_json(body)]).await;
        assert_eq!(model_at(&server).ask(&request()).await.unwrap().text, text);
    }
}

#[tokio::test]
async fn a_megabyte_of_text_is_told_with_its_size_and_ten_are_refused() {
    let megabyte = server(vec![ok(&"diamond! ".repeat(120_000))]).await;
    let reply = model_at(&megabyte).ask(&request()).await.unwrap();
    assert_eq!(answer::object(&reply.text), Err(answer::Unreadable::TooLong { bytes: 1_080_000 }));

    let ten = server(vec![ok(&"x".repeat(10 << 20))]).await;
    let error = error_of(&model_at(&ten)).await;
    insta::assert_snapshot!(error);
    assert_eq!(requests(&ten).await.len(), 1);
}

#[tokio::test]
async fn usage_that_is_not_reported_is_estimated_and_says_so() {
    let mut body = completion("12345678");
    body.as_object_mut().unwrap().remove("usage");
    let server = server(vec![ResponseTemplate::new(200).set_body_json(body)]).await;
    let usage = model_at(&server).ask(&request()).await.unwrap().usage;
    assert_eq!(usage, Usage { prompt: 3, completion: 2, estimated: 5, ..Usage::default() });
}

#[tokio::test]
async fn forms_an_endpoint_refuses_are_given_up_one_by_one_and_remembered() {
    let no_format = |what: &str| refusal(400, &format!("response_format {what} is not supported"));
    let server = server(vec![no_format("json_schema"), no_format("json_object"), ok("a"), ok("b")]).await;
    let model = model_at(&server);
    model.ask(&request()).await.unwrap();
    model.ask(&request()).await.unwrap();
    let sent = requests(&server).await;
    let formats: Vec<Value> = sent.iter().map(|body| body["response_format"]["type"].clone()).collect();
    assert_eq!(formats, [json!("json_schema"), json!("json_object"), Value::Null, Value::Null]);
    let last = sent[3]["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap();
    assert!(last.contains("\"required\":[\"action\"]"), "the schema is in the prompt: {last}");
}

#[tokio::test]
async fn parameters_an_endpoint_refuses_are_replaced() {
    let server = server(vec![
        refusal(400, "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."),
        refusal(400, "Unsupported value: 'temperature' does not support 0.1 with this model."),
        ok("a"),
    ])
    .await;
    let model = model_at(&server);
    model.ask(&request()).await.unwrap();
    let sent = requests(&server).await;
    assert_eq!((&sent[0]["max_tokens"], &sent[0]["temperature"]), (&json!(64), &json!(0.1)));
    assert_eq!((&sent[1]["max_completion_tokens"], &sent[1]["max_tokens"]), (&json!(64), &Value::Null));
    assert_eq!(sent[2]["temperature"], Value::Null);
    assert_eq!(sent[2]["response_format"]["type"], "json_schema", "what was not refused stays strict");
}

#[tokio::test]
async fn a_request_that_is_refused_in_every_form_reports_the_first_reason() {
    let server = server(vec![refusal(400, "the first reason"), refusal(400, "another")]).await;
    insta::assert_snapshot!(error_of(&model_at(&server)).await);
    assert_eq!(requests(&server).await.len(), 3);
}

fn cut_off(text: &str) -> ResponseTemplate {
    let mut answer = completion(text);
    answer["choices"][0]["finish_reason"] = json!("length");
    ResponseTemplate::new(200).set_body_json(answer)
}

fn metered(model: OpenAi, caps: Caps) -> Metered<OpenAi> {
    Metered::new(model, &Meter::new(caps), Some(Price::FREE)).unwrap()
}

fn at_most(requests: u64) -> Caps {
    Caps { requests: Some(requests), ..Caps::default() }
}

#[tokio::test]
async fn retries_plainer_forms_second_questions_and_vectors_all_count() {
    let form = || refusal(400, "response_format json_schema is not supported");
    for (answers, most) in [
        (vec![refusal(503, "busy")], 2),
        (vec![form(), form(), ok("{}")], 2),
        (vec![cut_off("")], 1),
        (vec![cut_off("")], 3),
        (vec![ok("{}")], 3),
    ] {
        let server = server(answers).await;
        let model = metered(model_at(&server), at_most(most));
        let error = loop {
            if let Err(error) = model.ask(&request()).await {
                break error;
            }
        };
        assert!(matches!(error, ModelError::Cap { .. }), "{error}");
        assert_eq!(requests(&server).await.len() as u64, most, "{error}");
        let used = model.usage().total();
        assert_eq!(used.requests + used.failed, most);
    }
}

#[tokio::test]
async fn an_answer_that_was_cut_off_at_the_cap_is_passed_on() {
    let server = server(vec![cut_off("{\"a\": ")]).await;
    let model = metered(model_at(&server), at_most(1));
    assert_eq!(model.ask(&request()).await.unwrap().cut_at, Some(64));
    assert_eq!(requests(&server).await.len(), 1);
}

#[tokio::test]
async fn usage_of_zero_is_estimated_from_the_lengths() {
    for usage in [json!({"prompt_tokens": 0, "completion_tokens": 0}), json!({"prompt_tokens": -5}), json!("none")] {
        let mut body = completion("12345678");
        body["choices"][0]["message"]["reasoning_content"] = "four".into();
        body["usage"] = usage;
        let server = server(vec![ResponseTemplate::new(200).set_body_json(body)]).await;
        let model = metered(model_at(&server), Caps { tokens: Some(7), ..Caps::default() });
        let reply = model.ask(&request()).await.unwrap();
        assert_eq!(reply.usage, Usage { prompt: 3, completion: 3, estimated: 6, ..Usage::default() });
        model.ask(&request()).await.unwrap();
        assert!(matches!(model.ask(&request()).await, Err(ModelError::Cap { .. })));
    }
}

#[tokio::test]
async fn further_fields_are_sent_as_they_are_and_come_first() {
    let no_temperature = refusal(400, "Unsupported value: 'temperature' does not support 0.7 with this model.");
    let server = server(vec![ok("a"), no_temperature]).await;
    let body = json!({"temperature": 0.7, "seed": 7, "chat_template_kwargs": {"enable_thinking": false}});
    let Value::Object(body) = body else { unreachable!() };
    let model = metered(model_at(&server), Caps::default()).with_body(body.clone());
    model.ask(&request()).await.unwrap();
    let error = model.ask(&request()).await.unwrap_err().to_string();
    assert!(error.contains("does not support 0.7"), "what the user chose is not left out: {error}");
    let sent = requests(&server).await;
    for (name, value) in &body {
        assert!(sent.iter().all(|sent| sent[name] == *value), "{name}");
    }
    assert_eq!(sent[0]["max_tokens"], 64);
}

#[tokio::test]
async fn instructions_come_before_the_system_message_of_actors_alone() {
    let server = server(vec![ok("a"), ok("b")]).await;
    let model =
        metered(model_at(&server), Caps::default()).with_instructions("An example: open, then take.".to_owned());
    for role in [Role::Actor, Role::Critic] {
        model.ask(&ChatRequest { role, ..request() }).await.unwrap();
    }
    let sent = requests(&server).await;
    let system = |sent: &Value| sent["messages"][0]["content"].as_str().unwrap().to_owned();
    assert_eq!(system(&sent[0]), format!("An example: open, then take.\n\n{}", system(&sent[1])));
    assert_eq!(sent[0]["messages"][1], sent[1]["messages"][1]);
}

/// A writer that keeps the log.
#[derive(Clone, Default)]
struct Log(std::sync::Arc<std::sync::Mutex<Vec<u8>>>);

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn the_key_never_shows_even_when_the_server_echoes_it() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber =
        tracing_subscriber::fmt().with_max_level(tracing::Level::TRACE).with_writer(move || writer.clone()).finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let echo = format!("you sent Bearer {KEY}");
    let escaped = KEY.replace('-', "\\u002d").replace("sk", "\\u0073k");
    let raw = |status, body: String| ResponseTemplate::new(status).set_body_raw(body, "application/json");
    for answer in [
        ok(&echo),
        // Escaped once, like servers that escape slashes, and twice, in an answer that is JSON itself.
        raw(200, completion("ECHO").to_string().replace("ECHO", &escaped)),
        ok(&format!("{{\"thought\": \"{escaped}\"}}")),
        raw(200, format!("{{\"echo\": \"{escaped}\"}}")),
        raw(200, format!("{{\"echo\": \"{escaped}")),
        raw(401, format!("{{\"error\": {{\"message\": \"you sent {escaped}\"}}}}")),
        raw(500, format!("{{\"unknown\": \"{escaped}\"}}")),
        // The key crosses the limit of a shortened text.
        refusal(401, &format!("{} {KEY}", "x".repeat(MAX_SAID - 10))),
        refusal(400, &echo),
        refusal(401, &echo),
        refusal(500, &echo),
        ResponseTemplate::new(200).set_body_string(echo.clone()),
        ResponseTemplate::new(200).set_body_json(json!({"echo": echo})),
        ResponseTemplate::new(302).insert_header("location", format!("http://x/{KEY}").as_str()),
    ] {
        // Another thread may have reached a log statement before the subscriber existed.
        tracing::callsite::rebuild_interest_cache();
        let server = server(vec![answer]).await;
        let model = model_at(&server);
        let text = match model.ask(&request()).await {
            Ok(reply) => format!("{reply:?}"),
            Err(error) => format!("{error} {error:?}"),
        };
        let decoded = text.replace("\\\\", "\\").replace("\\u002d", "-").replace("\\u0073", "s");
        assert!(!text.contains(&KEY[..8]) && !decoded.contains(&KEY[..8]), "{text}");
        assert!(!format!("{model:?} {:?}", model.options).contains(KEY));
    }
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(log.contains("asking again"), "the log was captured");
    assert!(!log.contains(KEY), "{log}");
    assert!(!log.contains("u002d"), "{log}");
}

#[tokio::test]
async fn a_short_key_of_a_local_server_changes_no_answer() {
    let text = "{\"thought\": \"x marks it\", \"action\": \"action_mine_log\"}";
    for key in ["x", "log", "choices"] {
        let server = server(vec![ok(text)]).await;
        let model = OpenAi::new("m", options(format!("{}/v1", server.uri())), Some(key.to_owned().into())).unwrap();
        assert_eq!(model.ask(&request()).await.unwrap().text, text, "{key}");
        let received = server.received_requests().await.unwrap();
        assert_eq!(received[0].headers["authorization"], format!("Bearer {key}"));
    }
}

proptest! {
    /// The kept text never contains the key, plain or after any parser, for any key and any escapes of the server.
    #[test]
    fn no_answer_brings_the_key_back(
        key in keys(),
        inner in prop::collection::vec(any::<u8>(), 1..20),
        outer in prop::collection::vec(any::<u8>(), 1..20),
        prose in any::<bool>(),
    ) {
        let options = options("http://localhost:1/v1".to_owned());
        let endpoint = Endpoint::new(&options, Some(key.clone().into())).unwrap();
        let transport = Transport::new(&endpoint).unwrap();
        let received = |status: u16, body: &str| {
            transport.received(reqwest::StatusCode::from_u16(status).unwrap(), None, body.as_bytes())
        };
        let text = if prose { format!("You are {key}!") } else {
            let name = escaped(&format!("action_{key}"), &outer);
            format!("{{\"thought\": \"I have {} \", \"action\": \"{name}\"}}", escaped(&key, &inner))
        };
        let sent = completion("ECHO").to_string().replace("ECHO", &escaped(&text, &outer));
        let reply = read(&serde_json::from_str(&received(200, &sent).unwrap()).unwrap(), Usage::default(), 64).unwrap();
        prop_assert!(!reply.text.contains(&key), "{}", reply.text);
        let kept: ChatReply = serde_json::from_str(&serde_json::to_string(&reply).unwrap()).unwrap();
        prop_assert!(!kept.text.contains(&key), "{}", kept.text);
        if let Ok(object) = answer::object(&reply.text) {
            for (name, value) in object {
                prop_assert!(!name.contains(&key) && !value.as_str().unwrap_or_default().contains(&key), "{value}");
            }
        }
        let strange = received(200, &format!("{{\"a\": \"{}\"}}", escaped(&text, &inner))).unwrap();
        let error = read(&serde_json::from_str(&strange).unwrap(), Usage::default(), 64).unwrap_err();
        prop_assert!(!error.contains(&key), "{error}");
        let body = format!("{{\"error\": {{\"message\": \"{}\"}}}}", escaped(&text, &outer));
        for failure in [
            received(401, &body).unwrap_err(),
            received(500, &text).unwrap_err(),
            received(200, &format!("{body},")).unwrap_err(),
        ] {
            let error = explain::explain(&failure, 1, "m", &endpoint, &options);
            for mut shown in [failure.to_string(), format!("{failure:?}"), error] {
                prop_assert!(!shown.contains(&key), "{shown}");
                while let Ok(decoded) = serde_json::from_str::<String>(&format!("\"{shown}\"")) {
                    prop_assert!(!decoded.contains(&key), "{decoded}");
                    if decoded == shown { break }
                    shown = decoded;
                }
            }
        }
    }
}

#[test]
fn endpoints_and_keys_are_checked_before_anything_is_sent() {
    let error = |url: &str, key: Option<&str>| {
        OpenAi::new("m", options(url.to_owned()), key.map(OsString::from)).unwrap_err().to_string()
    };
    insta::assert_snapshot!(
        [
            error("https://api.openai.com/v1", None),
            error("https://api.openai.com/v1", Some(" \n")),
            error("https://api.openai.com/v1", Some("sk-with space")),
            error("localhost:11434", None),
            error("http://", None),
            error("http://me:secret@host/v1", None),
            error("://me:secret@host/v1", None),
            error("http://localhost:1/v1?key=secret", None),
        ]
        .join("\n")
    );
}

#[test]
fn a_key_goes_nowhere_unencrypted_but_to_this_machine() {
    let key_of = |url: &str| Endpoint::new(&options(url.to_owned()), Some(format!("{KEY}\n").into())).unwrap();
    assert!(key_of("http://localhost:11434/v1").has_key());
    assert!(key_of("http://[::1]:11434/v1").has_key());
    assert!(key_of("https://models.example/v1").has_key());
    let plain = key_of("http://192.168.1.5:11434/v1");
    assert!(!plain.has_key() && plain.key_withheld());
    let failure = Failure::status(401, None, "no");
    let text = explain::explain(&failure, 1, "m", &plain, &OpenAiOptions::default());
    assert!(text.contains("was not sent, because plain http would show it"), "{text}");
}

#[test]
fn a_key_goes_only_where_the_user_sent_it() {
    let refused = |url: &str, base_url: bool, key_variable: bool, key: Option<&str>| {
        let unconfirmed = Unconfirmed { base_url, key_variable };
        let options = OpenAiOptions { unconfirmed, ..options(url.to_owned()) };
        match Endpoint::new(&options, key.map(OsString::from)) {
            Ok(_) => false,
            Err(OpenAiError::Unconfirmed { .. }) => true,
            Err(error) => panic!("{error}"),
        }
    };
    let (here, there, in_the_open) = ("http://127.0.0.1:1/v1", "https://models.example/v1", "http://models.example/v1");
    for url in [here, there, in_the_open] {
        assert!(!refused(url, false, false, Some(KEY)), "{url}: confirmed");
        assert!(!refused(url, true, true, None), "{url}: no key is sent");
        assert!(!refused(url, true, true, Some("")), "{url}: no key is sent");
        let sent = url != in_the_open;
        assert_eq!(refused(url, false, true, Some(KEY)), sent, "{url}: another variable is not a key");
        assert_eq!(refused(url, true, true, Some(KEY)), sent, "{url}");
    }
    assert!(refused(there, true, false, Some(KEY)));
    assert!(!refused(here, true, false, Some(KEY)), "the key stays on this machine");
    for host in ["http://localhost.models.example/v1", "https://localhost.models.example", "https://127.0.0.1.example/"]
    {
        assert_eq!(refused(host, true, false, Some(KEY)), host.starts_with("https"), "{host}");
    }
}

#[tokio::test]
async fn a_server_without_a_system_role_gets_the_system_message_as_the_users() {
    let answers = vec![
        refusal(400, "System role not supported"),
        refusal(400, "response_format is unknown"),
        refusal(400, "response_format is unknown"),
        ok("{}"),
    ];
    let server = server(answers).await;
    let model = model_at(&server);
    model.ask(&request()).await.unwrap();
    model.ask(&request()).await.unwrap();
    let asked = requests(&server).await;
    assert_eq!(asked[0]["messages"][0], json!({"role": "system", "content": "Choose."}));
    assert_eq!(asked[1]["messages"], json!([{"role": "user", "content": "Choose.\n\nNow?"}]));
    let plain = asked[3]["messages"].as_array().unwrap();
    assert_eq!(plain.len(), 1, "the form of the answer is in the user's message too");
    assert!(plain[0]["content"].as_str().unwrap().starts_with("Choose.\n\nNow?\n\nAnswer with one JSON object"));
    assert_eq!((asked.len(), &asked[4]["messages"]), (5, &asked[3]["messages"]), "it is remembered");
}

/// Asks once on a new runtime and keeps that runtime, without running it, until `until` returns.
fn ask_and_keep(model: &OpenAi, until: impl FnOnce()) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(model.ask(&request())).unwrap();
    until();
}

#[tokio::test]
async fn a_model_outlives_the_runtimes_that_ask_it() {
    let server = server(vec![ok("{}")]).await;
    let model = model_at(&server);
    std::thread::scope(|threads| {
        threads.spawn(|| ask_and_keep(&model, || {})).join().unwrap();
        threads.spawn(|| ask_and_keep(&model, || {})).join().unwrap();
    });
    model.ask(&request()).await.unwrap();
    assert_eq!(requests(&server).await.len(), 3);
}

#[tokio::test]
async fn a_runtime_that_is_busy_holds_up_no_other() {
    let server = server(vec![ok("{}")]).await;
    let model = model_at(&server);
    let (first, second) = (std::sync::Barrier::new(2), std::sync::Barrier::new(2));
    std::thread::scope(|threads| {
        threads.spawn(|| {
            ask_and_keep(&model, || {
                first.wait();
                second.wait();
            });
        });
        first.wait();
        // The first runtime still holds its connection and does not run.
        threads.spawn(|| ask_and_keep(&model, || {})).join().unwrap();
        second.wait();
    });
}
