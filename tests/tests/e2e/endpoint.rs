//! An OpenAI-compatible endpoint on loopback with a simulated persona.

use std::collections::BTreeSet;
use std::future::Future;
use std::pin::pin;
use std::sync::{Arc, Condvar, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use ltlcrit_engine::actor::simulated::{PersonaSource, Simulated};
use ltlcrit_model::{AnswerSchema, ChatModel, ChatRequest, Message, Role, Speaker, Usage};
use serde_json::{Value, json};
use wiremock::matchers::{method, path};
use wiremock::{Mock, MockServer, Request, ResponseTemplate};

/// Maximum wait for a request.
const DEADLINE: Duration = Duration::from_secs(120);

/// The endpoint; it stops when dropped.
pub struct Endpoint {
    server: MockServer,
    asked: Arc<(Mutex<usize>, Condvar)>,
}

impl Endpoint {
    /// An endpoint that answers every question.
    pub fn start() -> Self {
        Self::hanging_after(usize::MAX)
    }

    /// An endpoint that answers this number of requests and leaves later ones waiting.
    pub fn hanging_after(answers: usize) -> Self {
        Self::new(answers, |_, request| persona(request, None))
    }

    /// An endpoint that answers all questions except the one with this number, from 1, which it leaves waiting.
    pub fn hanging_at(hanging: usize) -> Self {
        Self::answering(move |question, request| match persona(request, None) {
            answer if question == hanging => answer.set_delay(Duration::from_secs(3600)),
            answer => answer,
        })
    }

    /// An endpoint that answers requests of critics with this text, and all others as a persona.
    pub fn with_critic(answer: &str) -> Self {
        let answer = answer.to_owned();
        Self::new(usize::MAX, move |_, request| persona(request, Some(&answer)))
    }

    /// An endpoint that calls `before` ahead of each answer, with the number of the question, from 1.
    pub fn doing(before: impl Fn(usize) + Send + Sync + 'static) -> Self {
        Self::new(usize::MAX, move |question, request| {
            before(question);
            persona(request, None)
        })
    }

    /// An endpoint with this answer function.
    pub fn answering(answer: impl Fn(usize, &Request) -> ResponseTemplate + Send + Sync + 'static) -> Self {
        Self::new(usize::MAX, answer)
    }

    /// An endpoint that rejects the first request as too busy.
    pub fn busy_at_first() -> Self {
        let busy = ResponseTemplate::new(429).insert_header("retry-after", "0");
        let busy = busy.set_body_json(json!({ "error": { "message": "slow \u{1b}[2J down\nplease" } }));
        Self::answering(move |question, request| if question == 1 { busy.clone() } else { persona(request, None) })
    }

    fn new(answers: usize, answer: impl Fn(usize, &Request) -> ResponseTemplate + Send + Sync + 'static) -> Self {
        let asked = Arc::new((Mutex::new(0), Condvar::new()));
        let count = asked.clone();
        let server = runtime().block_on(async {
            let server = MockServer::start().await;
            let respond = move |request: &Request| {
                let (asked, more) = &*count;
                let mut asked = asked.lock().unwrap();
                *asked += 1;
                let reply = answer(*asked, request);
                more.notify_all();
                if *asked <= answers { reply } else { reply.set_delay(Duration::from_secs(3600)) }
            };
            Mock::given(method("POST")).and(path("/v1/chat/completions")).respond_with(respond).mount(&server).await;
            server
        });
        Self { server, asked }
    }

    /// Returns the received keys, each once.
    pub fn keys(&self) -> BTreeSet<String> {
        let requests = runtime().block_on(self.server.received_requests()).unwrap();
        requests.iter().filter_map(key).collect()
    }

    /// Returns the bodies of the requests, in order.
    pub fn bodies(&self) -> Vec<Value> {
        let requests = runtime().block_on(self.server.received_requests()).unwrap();
        requests.iter().map(|request| serde_json::from_slice(&request.body).unwrap()).collect()
    }

    /// Returns the number of received requests.
    pub fn questions(&self) -> usize {
        *self.asked.0.lock().unwrap()
    }

    /// Returns the base URL for `--base-url`.
    pub fn url(&self) -> String {
        format!("{}/v1", self.server.uri())
    }

    /// Waits for this number of received requests.
    pub fn wait_until_asked(&self, questions: usize) {
        let (asked, more) = &*self.asked;
        let few = |asked: &mut usize| *asked < questions;
        let (asked, _) = more.wait_timeout_while(asked.lock().unwrap(), DEADLINE, few).unwrap();
        assert!(*asked >= questions, "question {questions} never came");
    }

    /// Replaces a URL on localhost by this endpoint's; returns any other word unchanged.
    pub fn instead_of(&self, word: &str) -> String {
        if word.starts_with("http://localhost:") { self.url() } else { word.to_owned() }
    }
}

/// Returns the key of a request.
pub fn key(request: &Request) -> Option<String> {
    let header = request.headers.get("authorization")?.to_str().unwrap();
    Some(header.strip_prefix("Bearer ").unwrap().to_owned())
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

/// Returns the critic's or the persona's answer.
fn persona(request: &Request, critic: Option<&str>) -> ResponseTemplate {
    ResponseTemplate::new(200).set_body_json(completion(&request.body, critic))
}

/// Returns the answer of a chat-completions endpoint to this body, with the text of the critic or the persona.
fn completion(body: &[u8], critic: Option<&str>) -> Value {
    let body: Value = serde_json::from_slice(body).unwrap();
    let messages = body["messages"].as_array().unwrap().iter().map(|message| Message {
        speaker: match message["role"].as_str().unwrap() {
            "system" => Speaker::System,
            "user" => Speaker::User,
            _ => Speaker::Assistant,
        },
        text: message["content"].as_str().unwrap().to_owned(),
    });
    let schema = &body["response_format"]["json_schema"];
    let request = ChatRequest {
        role: Role::Actor,
        messages: messages.collect(),
        answer: schema.is_object().then(|| AnswerSchema {
            name: schema["name"].as_str().unwrap().to_owned(),
            schema: schema["schema"].clone(),
        }),
        temperature: 0.1,
        max_tokens: 1024,
        body: Default::default(),
    };
    // A critic needs runs with mistakes.
    let name = if critic.is_some() { "stubborn" } else { "careful" };
    let persona = Simulated::open(&PersonaSource::Shipped(name), 1).unwrap();
    let reply = ready(persona.ask(&request)).unwrap();
    let text = critic.filter(|_| schema["name"] == "law_changes").unwrap_or(reply.text());
    said(&body["model"], text, reply.usage)
}

/// Returns a chat completion with this text.
pub fn said(model: &Value, text: &str, usage: Usage) -> Value {
    json!({
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "choices": [{
            "index": 0,
            "message": { "role": "assistant", "content": text },
            "finish_reason": "stop",
        }],
        "usage": {
            "prompt_tokens": usage.prompt,
            "completion_tokens": usage.completion,
            "total_tokens": usage.total(),
        },
    })
}

/// Returns the result of a future that never waits.
fn ready<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("a persona never waits"),
    }
}
