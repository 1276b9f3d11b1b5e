//! A served page, and a client of it.

use std::path::Path;

use ltlcrit_store::RunId;
use ltlcrit_watch::{Options, Report, Watch, WatchError};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A served page: its address, the path below it with the token, and the end of the server.
pub struct Site {
    pub address: String,
    pub token: String,
    pub stop: oneshot::Sender<()>,
    pub server: JoinHandle<Result<(), WatchError>>,
}

impl Site {
    pub async fn of(store: &Path) -> Self {
        Self::with_report(store, None).await
    }

    pub async fn with_report(store: &Path, report: Option<Report>) -> Self {
        let watch = Watch::open(store, Options::default()).await.unwrap().with_report(report);
        let url = watch.url(None);
        let (address, token) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
        let (stop, stopped) = oneshot::channel();
        let (address, token) = (address.to_owned(), format!("/{token}"));
        let server = tokio::spawn(watch.serve(async {
            let _ = stopped.await;
        }));
        Self { address, token, stop, server }
    }

    /// Asks for a path below the token. Returns the head of the answer and the rest.
    pub async fn ask(&self, path: &str, headers: &str) -> (String, BufReader<TcpStream>) {
        self.ask_as(&self.address, &format!("{}{path}", self.token), headers).await
    }

    pub async fn ask_as(&self, host: &str, path: &str, headers: &str) -> (String, BufReader<TcpStream>) {
        let mut stream = TcpStream::connect(&self.address).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut reader = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(reader.read_line(&mut head).await.unwrap() > 0, "{head}");
        }
        (head, reader)
    }

    pub async fn text(&self, path: &str) -> String {
        let (head, mut rest) = self.ask(path, "").await;
        assert!(head.starts_with("HTTP/1.1 200"), "{path}: {head}");
        let mut bytes = Vec::new();
        rest.read_to_end(&mut bytes).await.unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    }

    pub async fn events(&self, run: RunId, headers: &str) -> Events {
        let (head, rest) = self.ask(&format!("run/{run}/events"), headers).await;
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        assert!(head.contains("content-type: text/event-stream"), "{head}");
        Events(rest)
    }
}

/// A stream of events.
pub struct Events(pub BufReader<TcpStream>);

/// An event: its kind, its id, and its lines of data.
#[derive(Debug, Default)]
pub struct Event {
    pub kind: String,
    pub id: Option<u64>,
    pub data: Vec<Value>,
}

impl Events {
    /// Returns the next event; `None` at the end of the stream.
    pub async fn next(&mut self) -> Option<Event> {
        let mut event = Event::default();
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).await.unwrap() == 0 {
                return None;
            }
            match line.trim_end().split_once(": ") {
                Some(("event", kind)) => event.kind = kind.to_owned(),
                Some(("id", id)) => event.id = id.parse().ok(),
                Some(("data", data)) => event.data.push(serde_json::from_str(data).unwrap()),
                _ if line.trim().is_empty() && !event.data.is_empty() => return Some(event),
                // The sizes of the chunks of HTTP.
                _ => {}
            }
        }
    }

    /// Reads steps until one has this number. Returns the numbers.
    pub async fn steps_to(&mut self, last: u64) -> Vec<u64> {
        let mut numbers = Vec::new();
        while numbers.last() != Some(&last) {
            let event = self.next().await.unwrap();
            assert_eq!(event.kind, "steps");
            numbers.extend(event.data.iter().map(|step| step["n"].as_u64().unwrap()));
            assert_eq!(event.id, numbers.last().copied());
        }
        numbers
    }
}
