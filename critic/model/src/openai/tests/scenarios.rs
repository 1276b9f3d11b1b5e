//! Scenarios of server responses. The servers run on the same paused clock as the program, so that no test waits.

use std::cell::RefCell;
use std::rc::Rc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::LocalSet;
use tokio::time::sleep;

use super::*;

/// A response: status, headers, body.
type Sent = (u16, &'static str, Value);

/// A TCP server that reads every request. It passes the request number from 1, the body and the stream to `serve`.
async fn raw_server<F, Fut>(serve: F) -> SocketAddr
where
    F: Fn(usize, Value, TcpStream) -> Fut + 'static,
    Fut: Future<Output = ()> + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serve = Rc::new(serve);
    tokio::task::spawn_local(async move {
        for connection in 1.. {
            let Ok((mut stream, _)) = listener.accept().await else { return };
            let serve = serve.clone();
            tokio::task::spawn_local(async move {
                let body = body_of(&mut stream).await;
                serve(connection, body, stream).await;
            });
        }
    });
    address
}

/// Reads the body of a request.
async fn body_of(stream: &mut TcpStream) -> Value {
    let mut seen = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let text = String::from_utf8_lossy(&seen).to_lowercase();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.split_once("content-length: ").unwrap().1.lines().next().unwrap().parse().unwrap();
            if body.len() >= length {
                return serde_json::from_slice(&seen[head.len() + 4..]).unwrap();
            }
        }
        match stream.read(&mut buffer).await {
            Ok(0) | Err(_) => return Value::Null,
            Ok(read) => seen.extend_from_slice(&buffer[..read]),
        }
    }
}

async fn send(stream: &mut TcpStream, (status, headers, body): Sent) {
    let body = body.to_string();
    let length = body.len();
    let head = format!("HTTP/1.1 {status} X\r\nconnection: close\r\n{headers}content-length: {length}\r\n\r\n");
    let _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
    let _ = stream.shutdown().await;
}

/// A scripted server. Its script gets the number of a request, its body, and the seconds since the first one.
struct Scripted {
    address: SocketAddr,
    requests: Rc<RefCell<Vec<(f64, Value)>>>,
}

impl Scripted {
    async fn new(script: impl Fn(usize, &Value, f64) -> Sent + 'static) -> Self {
        let requests = Rc::new(RefCell::new(Vec::new()));
        let (seen, began) = (requests.clone(), Rc::new(RefCell::new(None)));
        let script = Rc::new(script);
        let address = raw_server(move |number, body, mut stream| {
            let since = began.borrow_mut().get_or_insert_with(Instant::now).elapsed().as_secs_f64();
            let sent = script(number, &body, since);
            seen.borrow_mut().push((since, body));
            async move { send(&mut stream, sent).await }
        })
        .await;
        Self { address, requests }
    }

    fn model(&self) -> OpenAi {
        OpenAi::new("m", slow_options(self.address), None).unwrap()
    }

    /// Returns the times of the requests, in seconds since the first one.
    fn times(&self) -> Vec<f64> {
        self.requests.borrow().iter().map(|(since, _)| *since).collect()
    }

    fn fields(&self, field: &str) -> Vec<Value> {
        self.requests.borrow().iter().map(|(_, body)| body[field].clone()).collect()
    }
}

fn slow_options(address: SocketAddr) -> OpenAiOptions {
    OpenAiOptions { first_delay: Duration::from_millis(500), ..options(format!("http://{address}/v1")) }
}

fn said(message: Value, finish: &str, usage: (u64, u64)) -> Sent {
    let choice = json!({"index": 0, "finish_reason": finish, "message": message});
    let usage = json!({"prompt_tokens": usage.0, "completion_tokens": usage.1, "total_tokens": usage.0 + usage.1});
    (200, "", json!({"id": "x", "object": "chat.completion", "model": "m", "choices": [choice], "usage": usage}))
}

fn text(text: &str) -> Sent {
    said(json!({"role": "assistant", "content": text}), "stop", (100, 10))
}

fn cut(text: &str) -> Sent {
    said(json!({"role": "assistant", "content": text}), "length", (100, 10))
}

fn fails(status: u16, message: &str) -> Sent {
    (status, "", json!({"error": {"message": message, "type": "x"}}))
}

fn log() -> Sent {
    text("{\"action\": \"action_mine_log\"}")
}

/// Replies with the answer read from each, or with the beginning of the error.
#[tokio::test(start_paused = true)]
async fn what_is_read_from_what_servers_send() {
    let beside =
        |field: &str, content: Value| json!({"role": "assistant", "content": content, field: "I have no log."});
    let channels = "<|channel|>analysis<|message|>{\"action\": \"action_mine_stone\"}? no<|end|><|start|>assistant\
                    <|channel|>final<|message|>{\"action\": \"action_mine_log\"}";
    let parts = json!([{"type": "thinking", "thinking": [{"type": "text", "text": "I have no log."}]},
        {"type": "text", "text": "{\"action\": \"action_mine_log\"}"}]);
    let tool = json!({"role": "assistant", "content": null, "tool_calls": [{"id": "1", "type": "function",
        "function": {"name": "action_mine_log", "arguments": "{}"}}]});
    let mine_log = Ok("action_mine_log");
    for (sent, understood) in [
        (log(), mine_log),
        (
            text("{\"action\": \"action_mine_stone\"} needs a pickaxe.</think>{\"action\": \"action_mine_log\"}"),
            mine_log,
        ),
        (
            text(
                "<think>\n{\"action\": \"action_mine_stone\"}?\n</think>\n\n```json\n{\"action\": \"action_mine_log\"}\n```",
            ),
            mine_log,
        ),
        (text(channels), mine_log),
        (text("analysisA pickaxe?assistantfinal{\"action\": \"action_mine_log\"}"), mine_log),
        (said(json!({"role": "assistant", "content": parts}), "stop", (9, 9)), mine_log),
        (said(beside("reasoning", json!("{\"action\": \"action_mine_log\"}")), "stop", (9, 9)), mine_log),
        (text("{\"thought\": \"After </think> I act\", \"action\": \"action_mine_log\"}"), mine_log),
        (text("<think>first {\"action\": \"action_mine_stone\"} then"), Err("the reply ends inside its reasoning")),
        (cut("<think>first {\"action\": \"action_mine_stone\"} then"), Err("the answer was cut off at 256 tokens")),
        (cut("{\"action\":\"action_mine_lo"), Err("the answer was cut off at 256 tokens")),
        (cut("{\"action\": \"action_mine_log\"}"), Err("the answer was cut off at 256 tokens")),
        (
            said(beside("reasoning_content", json!("")), "stop", (9, 9)),
            Err("the answer is empty, all of the reply is reasoning (\"I have no log.\")"),
        ),
        (said(beside("reasoning", Value::Null), "length", (9, 9)), Err("the answer was cut off at 256 tokens")),
        (text("<think>I have no log.</think>\n"), Err("the answer is empty, all of the reply is reasoning (")),
        (
            said(json!({"content": null, "reasoning": null}), "stop", (100, 57)),
            Err("the answer is empty, after 57 tokens"),
        ),
        (said(tool, "tool_calls", (10, 5)), Err("the answer is empty, after 5 tokens")),
        (text("{\"action\":\"action_mine_lo"), Err("the JSON object in the answer is broken")),
    ] {
        let shown = sent.2.to_string();
        LocalSet::new()
            .run_until(async {
                let server = Scripted::new(move |_, _, _| sent.clone()).await;
                let reply = server.model().ask(&request()).await.unwrap();
                let read = reply.answer(Some("actor.answer_tokens")).and_then(|answer| {
                    answer::object(answer).map(|object| object["action"].to_string()).map_err(|why| why.to_string())
                });
                match (&read, understood) {
                    (Ok(action), Ok(wanted)) => assert_eq!(action.trim_matches('"'), wanted, "{shown}"),
                    (Err(why), Err(wanted)) => assert!(why.starts_with(wanted), "{shown}: {why}"),
                    _ => panic!("{shown}: {read:?}"),
                }
                assert_eq!(
                    reply.reasoning.is_some(),
                    shown.contains("\"I have no log.\""),
                    "kept with the exchange: {shown}"
                );
            })
            .await;
    }
}

/// Failing servers, with the times of the requests in seconds until an answer or the last attempt.
#[tokio::test(start_paused = true)]
async fn when_servers_are_asked_again() {
    type Script = fn(usize, &Value, f64) -> Sent;
    const RPM: &str = "Rate limit reached for gpt-4 on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20s.";
    let served = |script: Script| script;
    for (what, script, times, understood) in [
        ("an answer", served(|_, _, _| log()), vec![0.0], Ok(())),
        (
            "a model that loads",
            served(|_, _, since| if since < 60.0 { fails(503, "Loading model") } else { log() }),
            (0..=12).map(|poll| f64::from(poll) * 5.0).collect(),
            Ok(()),
        ),
        (
            "a rate limit that is told in words",
            served(|number, _, _| if number <= 4 { fails(429, RPM) } else { log() }),
            vec![0.0, 20.0, 40.0, 60.0, 80.0],
            Ok(()),
        ),
        (
            "one that lasts longer than the back-off",
            served(|_, _, since| if since < 19.5 { fails(429, RPM) } else { log() }),
            vec![0.0, 20.0],
            Ok(()),
        ),
        (
            "one that is told in a header",
            served(|number, _, _| match number {
                1 => (429, "retry-after: 7\r\n", json!({"error": {"message": "slow down"}})),
                _ => log(),
            }),
            vec![0.0, 7.0],
            Ok(()),
        ),
        (
            "one that is told with a good status",
            served(|number, _, _| match number {
                1 => (200, "", json!({"error": {"message": "rate limited upstream, retry after 3s", "code": 429}})),
                _ => log(),
            }),
            vec![0.0, 3.0],
            Ok(()),
        ),
        (
            "one that is told beside choices",
            served(|number, _, _| match number {
                1 => {
                    let raw = json!({"raw": "qwen is rate-limited upstream. Please retry after 2 seconds"});
                    let error = json!({"message": "Provider returned error", "code": 429, "metadata": raw});
                    (200, "", json!({"id": "x", "choices": null, "error": error}))
                }
                _ => log(),
            }),
            vec![0.0, 2.0],
            Ok(()),
        ),
        (
            "one for the rest of the day",
            served(|_, _, _| (429, "retry-after: 3600\r\n", json!({"error": {"message": "slow down"}}))),
            vec![0.0],
            Err("asks to wait 3600 s, longer than the 900 s a run waits; resume it later"),
        ),
        (
            "an error with a good status",
            served(|_, _, _| (200, "", json!({"error": "Unexpected endpoint or method"}))),
            vec![0.0, 0.0, 0.0],
            Err("refuses the request (400: Unexpected endpoint or method)"),
        ),
        (
            "an unknown model",
            served(|_, _, _| fails(404, "model 'm' not found, try pulling it first")),
            vec![0.0],
            Err("does not know the model `m`"),
        ),
    ] {
        LocalSet::new()
            .run_until(async {
                let server = Scripted::new(script).await;
                let read = server.model().ask(&request()).await.map(|_| ()).map_err(|error| error.to_string());
                match (read, understood) {
                    (Err(why), Err(wanted)) => assert!(why.contains(wanted), "{what}: {why}"),
                    (read, understood) => assert_eq!(read, understood.map_err(str::to_owned), "{what}"),
                }
                let seconds: Vec<f64> = server.times().iter().map(|time| time.round()).collect();
                assert_eq!(seconds, times, "{what}");
            })
            .await;
    }
}

/// Rejections of endpoints and the adapted requests; later requests are adapted at once.
#[tokio::test(start_paused = true)]
async fn what_endpoints_refuse_is_learned_once() {
    type Script = fn(usize, &Value, f64) -> Sent;
    let served = |script: Script| script;
    for (what, script, first, second) in [
        (
            "a schema, by a failure",
            served(|_, body, _| match body["response_format"]["type"].as_str() {
                Some("json_schema") => {
                    fails(500, "[{'type': 'literal_error', 'loc': ('body', 'response_format', 'type')}]")
                }
                _ => log(),
            }),
            3,
            1,
        ),
        (
            "a schema and an object",
            served(|_, body, _| match body["response_format"]["type"].as_str() {
                Some("json_schema") => (400, "", json!({"error": "grammar could not be parsed"})),
                Some(_) => (400, "", json!({"error": "'response_format.type' must be 'json_schema' or 'text'"})),
                None => log(),
            }),
            3,
            1,
        ),
        (
            "a limit, once an answer was cut off",
            served(|_, body, _| match body["max_tokens"].as_u64().unwrap() {
                limit if limit > 200 => {
                    fails(400, "max_tokens is too large. This model supports at most 200 completion tokens")
                }
                100..=200 => log(),
                _ => cut("{\"action\":\"action_mine_lo"),
            }),
            3,
            1,
        ),
        (
            "nothing, and answers within a higher limit",
            served(|_, body, _| if body["max_tokens"] == 256 { log() } else { cut("<think>") }),
            2,
            1,
        ),
        ("nothing, and never comes to an end", served(|_, _, _| cut("<think>")), 2, 1),
        (
            "the name of the limit and the temperature",
            served(|_, body, _| match body {
                body if body.get("max_tokens").is_some() => fails(
                    400,
                    "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens' instead.",
                ),
                body if body.get("temperature").is_some() => {
                    fails(400, "Unsupported value: 'temperature' does not support 0.1 with this model.")
                }
                _ => log(),
            }),
            3,
            1,
        ),
    ] {
        LocalSet::new()
            .run_until(async {
                let server = Scripted::new(script).await;
                let model = server.model();
                let ask = async || model.ask(&request()).await.unwrap();
                ask().await;
                assert_eq!(server.times().len(), first, "{what}");
                ask().await;
                assert_eq!(server.times().len(), first + second, "{what}: {:?}", server.fields("max_tokens"));
            })
            .await;
    }
}

#[tokio::test(start_paused = true)]
async fn requests_that_time_out_count_as_the_most_they_may_have_used() {
    LocalSet::new()
        .run_until(async {
            let address = raw_server(|_, _, stream| async move {
                std::future::pending::<()>().await;
                drop(stream);
            })
            .await;
            // A question has 3 tokens and its answer up to 64.
            let model = OpenAi::new("m", options(format!("http://{address}/v1")), None).unwrap();
            let model = metered(model, Caps { tokens: Some(2 * 67), ..Caps::default() });
            model.ask(&request()).await.unwrap_err();
            let used = model.usage().total();
            assert_eq!((used.failed, used.usage.total(), used.usage.estimated), (2, 134, 134));
            let error = model.ask(&request()).await.unwrap_err().to_string();
            assert!(error.starts_with("token cap reached: 134 of 134 (with the most that 2 requests"), "{error}");
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn a_template_that_fails_is_not_the_schemas_fault() {
    LocalSet::new()
        .run_until(async {
            let server = Scripted::new(|_, _, _| fails(500, "no user query found in messages")).await;
            let error = server.model().ask(&request()).await.unwrap_err().to_string();
            assert!(error.contains("is in trouble (4 attempts) (500: no user query found in messages)"), "{error}");
            let strict = server.fields("response_format").iter().filter(|form| !form.is_null()).count();
            assert_eq!((strict, server.times().len()), (2, 6));
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn a_limit_holds_back_all_who_ask_the_endpoint() {
    LocalSet::new()
        .run_until(async {
            let server = Scripted::new(|number, _, since| match number {
                1 => fails(429, "Please try again in 30s."),
                _ if since < 30.0 => fails(429, "I said 30 seconds"),
                _ => log(),
            })
            .await;
            let shared = || Shared::of(&format!("http://{}/v1", server.address));
            let models: Vec<OpenAi> = (0..3).map(|_| OpenAi { shared: shared(), ..server.model() }).collect();
            let question = request();
            let later = |model: usize, seconds: u64| {
                let (model, question) = (&models[model], &question);
                async move {
                    sleep(Duration::from_secs(seconds)).await;
                    model.ask(question).await.unwrap();
                }
            };
            let look = async {
                sleep(Duration::from_secs(12)).await;
                let shown = models.iter().map(|model| model.waits().now().unwrap().to_string());
                assert!(shown.eq(["rate limit, next request in 18 s"; 3]));
            };
            tokio::join!(later(0, 0), later(1, 5), later(2, 10), look);
            let times: Vec<f64> = server.times().iter().map(|time| time.round()).collect();
            assert_eq!(times, [0.0, 30.0, 30.0, 30.0]);
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn a_server_that_loads_is_told_and_given_up_in_the_end() {
    LocalSet::new()
        .run_until(async {
            let server = Scripted::new(|_, _, _| fails(503, "Loading model")).await;
            let model = server.model();
            let look = async {
                sleep(Duration::from_secs(62)).await;
                model.waits().now().unwrap().to_string()
            };
            let question = request();
            let (error, shown) = tokio::join!(model.ask(&question), look);
            assert_eq!(shown, "the server loads its model, next request in 3 s");
            let error = error.unwrap_err().to_string();
            assert!(error.contains("still loads its model (181 attempts)"), "{error}");
            assert_eq!(server.times().last(), Some(&900.0));

            let hurried = OpenAiOptions { retries: 0, ..slow_options(server.address) };
            let error = OpenAi::new("m", hurried, None).unwrap().ask(&request()).await.unwrap_err().to_string();
            assert!(error.contains("still loads its model (Loading model)"), "{error}");
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn failures_are_retried_with_a_back_off_that_follows_the_seed() {
    LocalSet::new()
        .run_until(async {
            let mut all = Vec::new();
            for seed in [1, 1, 2] {
                let server = Scripted::new(|number, _, _| match number {
                    1 => fails(503, "down"),
                    2 => fails(500, "oops"),
                    _ => log(),
                })
                .await;
                let model = OpenAi::new("m", OpenAiOptions { seed, ..slow_options(server.address) }, None).unwrap();
                model.ask(&request()).await.unwrap();
                assert_eq!(model.waits().now(), None);
                let times = server.times();
                assert!((0.5..=1.1).contains(&times[1]) && (1.0..=2.1).contains(&(times[2] - times[1])), "{times:?}");
                all.push(times);
            }
            assert_eq!(all[0], all[1]);
            assert_ne!(all[0], all[2]);
            // A server that always requests a pause of zero is not flooded with requests.
            let rude = |_: usize, _: &Value, _: f64| (429, "retry-after: 0\r\n", json!({"error": {"message": "busy"}}));
            let server = Scripted::new(rude).await;
            let error = server.model().ask(&request()).await.unwrap_err().to_string();
            assert!(error.contains("limits the rate of requests (4 attempts) (busy)"), "{error}");
            assert!(server.times()[3] >= 3.5);
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn a_hung_server_is_given_up_at_the_deadline_which_grows_with_the_answer() {
    LocalSet::new()
        .run_until(async {
            for (max_tokens, deadline) in [(64, 23), (8_192, 429)] {
                let held = Rc::new(RefCell::new(Vec::new()));
                let kept = held.clone();
                let address = raw_server(move |_, _, stream| {
                    kept.borrow_mut().push(stream);
                    async {}
                })
                .await;
                let model = OpenAi::new("m", slow_options(address), None).unwrap();
                let began = Instant::now();
                let error = model.ask(&ChatRequest { max_tokens, ..request() }).await.unwrap_err().to_string();
                assert!(error.contains(&format!("no complete answer within {deadline} s (2 attempts)")), "{error}");
                assert!(error.contains("raise `model.timeout`"), "{error}");
                assert_eq!(began.elapsed().as_secs() / deadline, 2);
                assert_eq!(held.borrow().len(), 2);
            }
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn a_server_that_hangs_in_the_middle_of_its_answer_is_given_up_too() {
    LocalSet::new()
        .run_until(async {
            let address = raw_server(|_, _, mut stream| async move {
                stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n{\"choices\":").await.unwrap();
                std::future::pending::<()>().await;
            })
            .await;
            let model = OpenAi::new("m", slow_options(address), None).unwrap();
            let error = model.ask(&request()).await.unwrap_err().to_string();
            assert!(error.contains("no complete answer within 23 s"), "{error}");
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn a_connection_cut_in_the_middle_is_tried_again() {
    LocalSet::new()
        .run_until(async {
            let asked = Rc::new(RefCell::new(0));
            for (cuts, answered) in [(2, true), (9, false)] {
                let count = asked.clone();
                let address = raw_server(move |number, _, mut stream| {
                    *count.borrow_mut() += 1;
                    async move {
                        let body = completion("{\"action\": \"a\"}").to_string();
                        let head =
                            format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
                        stream.write_all(head.as_bytes()).await.unwrap();
                        let sent = if number <= cuts { &body[..20] } else { &body };
                        stream.write_all(sent.as_bytes()).await.unwrap();
                        stream.shutdown().await.unwrap();
                    }
                })
                .await;
                let answer = OpenAi::new("m", slow_options(address), None).unwrap().ask(&request()).await;
                assert_eq!(answer.is_ok(), answered);
                if let Err(error) = answer {
                    assert!(error.to_string().contains("broke off (4 attempts)"), "{error}");
                }
            }
            assert_eq!(*asked.borrow(), 3 + 4);
        })
        .await;
}

#[tokio::test(start_paused = true)]
async fn questions_that_a_server_cuts_off_are_told() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().with_writer(move || writer.clone()).finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    tracing::callsite::rebuild_interest_cache();
    LocalSet::new()
        .run_until(async {
            let server = Scripted::new(|_, _, _| said(json!({"content": "{}"}), "stop", (2050, 20))).await;
            let model = server.model();
            for length in 1..=5 {
                let mut question = request();
                question.messages[1].text = "I mined a log. ".repeat(length * 20);
                model.ask(&question).await.unwrap();
            }
        })
        .await;
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert_eq!(log.matches("the server seems to cut them off").count(), 1, "{log}");
}
