//! Tests of models shared by threads, each with its own runtime.

use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Barrier};
use std::thread;

use crate::cassette::{Cassette, Recorder};
use crate::*;

const THREADS: u64 = 8;

fn request(text: &str) -> ChatRequest {
    ChatRequest {
        role: Role::Actor,
        messages: vec![Message { speaker: Speaker::User, text: text.into() }],
        answer: None,
        temperature: 0.1,
        max_tokens: 100,
        body: Default::default(),
    }
}

fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

/// Answers at once. After `free` requests, it answers only when every thread is admitted or refused.
#[derive(Default)]
struct Gated {
    asked: AtomicU64,
    refused: AtomicU64,
    free: u64,
}

impl ChatModel for Gated {
    fn info(&self) -> ModelInfo {
        ModelInfo::real("openai:gated")
    }
    async fn ask(&self, _: &ChatRequest) -> Result<ChatReply, ModelError> {
        let before = self.asked.fetch_add(1, SeqCst);
        tokio::task::yield_now().await;
        if before >= self.free {
            while self.asked.load(SeqCst) + self.refused.load(SeqCst) < self.free + THREADS {
                tokio::task::yield_now().await;
            }
        }
        Ok(ChatReply::new("x", Usage { prompt: 90, completion: 10, ..Usage::default() }))
    }
}

/// Sends two requests from every thread, then one from all threads at once, then one more. Returns the number of
/// requests sent and the usage.
fn asked_by_all(caps: Caps) -> (u64, UsageByRole) {
    let gated = Gated { free: 2 * THREADS, ..Gated::default() };
    let model = Metered::new(gated, &Meter::new(caps), Some(Price::FREE)).unwrap();
    let (model, together) = (&model, &Barrier::new(THREADS as usize));
    thread::scope(|threads| {
        for _ in 0..THREADS {
            threads.spawn(move || {
                block_on(async {
                    for _ in 0..2 {
                        model.ask(&request("free")).await.unwrap();
                    }
                    together.wait();
                    if let Err(error) = model.ask(&request("together")).await {
                        assert!(matches!(error, ModelError::Cap { .. }), "{error}");
                        model.model().refused.fetch_add(1, SeqCst);
                    }
                    together.wait();
                    assert!(matches!(model.ask(&request("after")).await, Err(ModelError::Cap { .. })));
                });
            });
        }
    });
    (model.model().asked.load(SeqCst), model.usage())
}

#[test]
fn threads_together_send_exactly_the_cap_on_requests() {
    let (asked, usage) = asked_by_all(Caps { requests: Some(2 * THREADS + 5), ..Caps::default() });
    assert_eq!((asked, usage.total().requests), (2 * THREADS + 5, 2 * THREADS + 5));
}

#[test]
fn a_cap_on_tokens_is_exceeded_by_less_than_one_answer() {
    // After 16 answers of 100 tokens, 50 tokens are left. One request is sent, and the others wait for its answer.
    let cap = 200 * THREADS + 50;
    let meter = Meter::new(Caps { tokens: Some(cap), ..Caps::default() });
    let model = &Metered::new(Gated { free: u64::MAX - THREADS, ..Gated::default() }, &meter, None).unwrap();
    thread::scope(|threads| {
        for _ in 0..THREADS {
            threads.spawn(|| block_on(async { while model.ask(&request("x")).await.is_ok() {} }));
        }
    });
    assert_eq!(model.model().asked.load(SeqCst), 2 * THREADS + 1);
    assert!(model.usage().total().usage.total() < cap + 100);
}

#[tokio::test(start_paused = true)]
async fn requests_that_wait_for_the_rate_limit_are_not_in_flight() {
    let caps = Caps { tokens: Some(100), requests_per_minute: std::num::NonZeroU32::new(60), ..Caps::default() };
    let model = Metered::new(Gated { free: u64::MAX - THREADS, ..Gated::default() }, &Meter::new(caps), None).unwrap();
    let question = request("x");
    let (first, second, third) = tokio::join!(model.ask(&question), model.ask(&question), model.ask(&question));
    first.unwrap();
    assert!(matches!((second, third), (Err(ModelError::Cap { .. }), Err(ModelError::Cap { .. }))));
    assert_eq!(model.model().asked.load(SeqCst), 1);
}

#[tokio::test]
async fn a_cancelled_request_counts_once_it_is_sent() {
    // The model never answers.
    let model =
        Metered::new(Gated::default(), &Meter::new(Caps { requests: Some(1), ..Caps::default() }), None).unwrap();
    let question = request("x");
    let begin = || {
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        std::pin::pin!(model.ask(&question)).poll(&mut context)
    };
    assert!(begin().is_pending());
    assert!(matches!(begin(), std::task::Poll::Ready(Err(ModelError::Cap { .. }))));
    assert_eq!(model.model().asked.load(SeqCst), 1);
}

#[test]
fn the_rate_limit_holds_for_all_threads() {
    let caps = Caps { requests_per_minute: std::num::NonZeroU32::new(1), ..Caps::default() };
    let model = Metered::new(Gated { free: THREADS, ..Gated::default() }, &Meter::new(caps), None).unwrap();
    let (model, together) = (&model, &Barrier::new(THREADS as usize));
    thread::scope(|threads| {
        for _ in 0..THREADS {
            threads.spawn(move || {
                block_on(async {
                    let question = request("x");
                    {
                        let mut asked = std::pin::pin!(model.ask(&question));
                        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
                        assert!(asked.as_mut().poll(&mut context).is_pending());
                        together.wait();
                        assert!(matches!(model.waits().now(), Some(Wait::RateLimit { .. })));
                        together.wait();
                    }
                    together.wait();
                    assert_eq!(model.waits().now(), None);
                });
            });
        }
    });
    assert_eq!(model.model().asked.load(SeqCst), 1);
}

/// Answers with the question.
struct Echo;

impl ChatModel for Echo {
    fn info(&self) -> ModelInfo {
        ModelInfo::real("openai:echo")
    }
    async fn ask(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        tokio::task::yield_now().await;
        Ok(ChatReply::new(request.messages[0].text.clone(), Usage::default()))
    }
}

#[test]
fn a_recording_has_one_line_an_exchange() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run.cassette");
    let recorder = Recorder::open(Echo, &path).unwrap();
    block_on(recorder.ask(&request("b"))).unwrap();
    drop(recorder);
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(
        text,
        "{\"ltlcrit_cassette\":1,\"model\":{\"name\":\"openai:echo\",\"simulated\":false}}\n\
         {\"request\":{\"role\":\"actor\",\"messages\":[{\"speaker\":\"user\",\"text\":\"b\"}],\"answer\":null,\
         \"temperature\":0.1,\"max_tokens\":100},\"reply\":{\"text\":\"b\",\"usage\":{\"prompt\":0,\
         \"completion\":0,\"cached\":0,\"reasoning\":0,\"estimated\":0}}}\n"
    );
}

fn is_shared<T: Send + Sync>() {}

#[cfg(feature = "openai")]
#[test]
fn models_and_their_futures_go_between_threads() {
    fn is_send(_: impl Send) {}
    type Shared = Arc<Metered<Recorder<openai::OpenAi>>>;
    fn future(model: &Shared, request: &ChatRequest) {
        is_send(model.ask(request));
    }
    fn replay(model: &Arc<Metered<Cassette>>, request: &ChatRequest) {
        is_send(model.ask(request));
    }
    let _ = (future, replay);
    is_shared::<Shared>();
    is_shared::<openai::OpenAi>();
}

#[test]
fn recordings_and_waits_are_shared() {
    is_shared::<Cassette>();
    is_shared::<Recorder<Cassette>>();
    is_shared::<Arc<Metered<Cassette>>>();
    is_shared::<Waits>();
}
