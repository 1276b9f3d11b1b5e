//! `guard mcp`: a proxy in front of an MCP server that speaks on standard input and output.
//!
//! Messages are lines of JSON-RPC. The proxy decides each `tools/call` of the client. It answers a call that may not run with
//! a tool result that says why. It passes on everything else, byte for byte. A message that
//! another reader could take for another one (a list, a field twice) is refused.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read as _, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, SystemTime};

use serde::Deserialize;
use serde_json::{Value, json};

use crate::book::Book;
use crate::call::{Calls, Outcome};
use crate::check::count;
use crate::decide::{Memory, owed, visible};
use crate::hook::{Told, list, record_end, unread};
use crate::session::{self, Entry, Session};

/// Maximum length of a message, in bytes.
const MAX_MESSAGE: u64 = 32 << 20;
/// Maximum number of calls in flight.
const MAX_IN_FLIGHT: usize = 1_000;
/// Maximum time that a server may go on after its client has ended.
const PATIENCE: Duration = Duration::from_secs(5);
/// Maximum number of messages that a server may send before an answer of its own.
const MAX_ASIDE: usize = 1_000;
/// Maximum number of pages of a list of tools.
const MAX_PAGES: usize = 100;

/// A run of the proxy.
pub struct Proxy {
    /// The book.
    pub book: Book,
    /// The folder of sessions.
    pub state: PathBuf,
    /// The name of the server in the book.
    pub name: String,
    /// True if calls are only recorded, not refused.
    pub shadow: bool,
}

/// A message, as far as the proxy reads it. A field that stands in it twice is an error.
#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    id: Value,
    method: Option<String>,
    params: Option<Params>,
    #[serde(default)]
    result: Value,
}

#[derive(Deserialize)]
struct Params {
    name: Option<Value>,
    #[serde(default)]
    arguments: Value,
}

impl Message {
    fn read(line: &[u8]) -> Result<Self, String> {
        let line = line.trim_ascii();
        // Some readers take a carriage return for the end of a line, and a list for several messages.
        if !line.starts_with(b"{") || line.contains(&b'\r') {
            return Err("a message must be one object on one line".into());
        }
        serde_json::from_slice(line).map_err(|error| format!("the message cannot be read: {error}"))
    }
}

/// The calls of one client.
struct Calling {
    proxy: Proxy,
    folder: PathBuf,
    session: Session,
    memory: Memory,
    /// The tools and arguments of the calls in flight, by their ids.
    in_flight: BTreeMap<String, (String, Value)>,
}

impl Proxy {
    /// Stands between a client, on standard input and output, and a server until one of them ends. Tells then, on standard
    /// error, what is owed. Returns whether the client ended by itself.
    ///
    /// # Errors
    /// Why the proxy cannot run.
    pub fn run(self, server: &[OsString]) -> Result<bool, String> {
        let folder = std::env::current_dir().map_err(|error| error.to_string())?;
        let begun = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_millis();
        let id = format!("mcp-{}-{begun}-{}", self.name, std::process::id());
        let path = session::path(&self.state, &id).filter(|_| !self.name.contains("__"));
        let path = path.ok_or("the server's name cannot be part of a file's name: write --name files")?;
        let mut session = Session::open(&path, None)?;
        session.append(vec![Entry::Root(folder.clone())])?;
        session.release()?;
        let calling = Calling { proxy: self, folder, session, memory: Memory::default(), in_flight: BTreeMap::new() };
        let calling = Arc::new(Mutex::new(calling));
        let (mut child, mut input, output) = start(server)?;
        let (ends, ended) = mpsc::channel();
        let (of_client, end) = (calling.clone(), ends.clone());
        // The server's input is closed after the client's end is known, so that it does not count as the server's.
        thread::spawn(move || end.send((true, from_client(&of_client, &mut input))));
        let of_server = calling.clone();
        thread::spawn(move || ends.send((false, from_server(&of_server, output))));
        let (is_client, first) = ended.recv().map_err(|error| error.to_string())?;
        if is_client {
            // The server has read to its end, and may still answer.
            let _ = ended.recv_timeout(PATIENCE);
        }
        let _ = child.kill();
        let status = child.wait().map_err(|error| error.to_string())?;
        let calling = calling.lock().unwrap_or_else(PoisonError::into_inner);
        if let Err(why) = &first {
            note(why);
        } else if !is_client {
            note(&format!("the server ended ({status}), with {} in flight", count(calling.in_flight.len(), "call")));
        }
        let duties = owed(&calling.proxy.book, calling.session.word())?;
        if !duties.is_empty() {
            note(&list(&duties));
        }
        Ok(is_client && first.is_ok())
    }
}

/// Starts a server.
fn start(server: &[OsString]) -> Result<(Child, ChildStdin, BufReader<ChildStdout>), String> {
    let (program, arguments) = server.split_first().ok_or("no server: write `-- SERVER ARGS`")?;
    let mut command = Command::new(program);
    let child = command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.map_err(|error| format!("{} cannot be started: {error}", program.display()))?;
    match (child.stdin.take(), child.stdout.take()) {
        (Some(input), Some(output)) => Ok((child, input, BufReader::new(output))),
        _ => Err("the server has no standard input or output".into()),
    }
}

/// Reads a line, its end included; `false` at the end of the input.
fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> Result<bool, String> {
    line.clear();
    let read = input.take(MAX_MESSAGE + 1).read_until(b'\n', line).map_err(|error| error.to_string())?;
    match read as u64 > MAX_MESSAGE {
        true => Err(format!("a message has more than {MAX_MESSAGE} bytes")),
        false => Ok(read > 0),
    }
}

fn write(output: &mut impl Write, line: &[u8]) -> Result<(), String> {
    output.write_all(line).and_then(|()| output.flush()).map_err(|error| format!("a message cannot be sent: {error}"))
}

/// Passes on the messages of the client, until it ends.
fn from_client(calling: &Mutex<Calling>, server: &mut ChildStdin) -> Result<(), String> {
    let (mut input, mut line) = (std::io::stdin().lock(), Vec::new());
    while read_line(&mut input, &mut line)? {
        let answer = match Message::read(&line) {
            _ if line.trim_ascii().is_empty() => None,
            Ok(message) => calling.lock().unwrap_or_else(PoisonError::into_inner).take(&message),
            Err(_) if calling.lock().unwrap_or_else(PoisonError::into_inner).proxy.shadow => None,
            Err(why) => Some(refused(&Value::Null, &why)),
        };
        match answer {
            Some(answer) => write(&mut std::io::stdout().lock(), format!("{answer}\n").as_bytes())?,
            None => write(server, &line)?,
        }
    }
    Ok(())
}

/// Passes on the messages of the server, until it ends.
fn from_server(calling: &Mutex<Calling>, mut output: BufReader<ChildStdout>) -> Result<(), String> {
    let mut line = Vec::new();
    while read_line(&mut output, &mut line)? {
        // The client's next call waits for the lock until this result counts, but not the result.
        let mut calling = calling.lock().unwrap_or_else(PoisonError::into_inner);
        write(&mut std::io::stdout().lock(), &line)?;
        if let Ok(message) = Message::read(&line) {
            calling.answered(&message);
        }
    }
    Ok(())
}

/// The protocol's answer to a message that is not a call.
fn refused(id: &Value, why: &str) -> Value {
    json!({ "id": id, "jsonrpc": "2.0", "error": { "code": -32600, "message": format!("The guard refuses this: {why}.") } })
}

fn note(text: &str) {
    let _ = writeln!(std::io::stderr(), "ltlcrit-guard: {}", visible(text));
}

impl Calling {
    /// Takes a message of the client. Returns the answer, or `None` if the server gets the message.
    fn take(&mut self, message: &Message) -> Option<Value> {
        let id = message.id.to_string();
        let is_call = message.method.as_deref() == Some("tools/call");
        let fault = match message.method {
            None => return None,
            Some(_) if self.in_flight.contains_key(&id) => "a call with the same id is in flight",
            Some(_) if !is_call => return None,
            Some(_) if !message.id.is_string() && !message.id.is_number() => "a call needs an id",
            Some(_) if self.in_flight.len() >= MAX_IN_FLIGHT => "too many calls are in flight",
            Some(_) => "",
        };
        if !fault.is_empty() {
            return (!self.proxy.shadow).then(|| refused(&message.id, fault));
        }
        let told = self.session.resume().and_then(|()| {
            let told = self.call(id, message);
            self.session.release().and(told)
        });
        let told = told.unwrap_or_else(|why| Told::unsure(&why).unattended());
        if told.lets_run() || self.proxy.shadow {
            if told.decision.is_some() {
                note(&told.text);
            }
            return None;
        }
        let content = json!([{ "text": told.text, "type": "text" }]);
        Some(json!({ "id": message.id, "jsonrpc": "2.0", "result": { "content": content, "isError": true } }))
    }

    /// Decides a call and records it.
    fn call(&mut self, id: String, message: &Message) -> Result<Told, String> {
        let params = message.params.as_ref();
        let name = params.and_then(|params| params.name.as_ref()?.as_str()).unwrap_or_default();
        let arguments = params.map_or(&Value::Null, |params| &params.arguments);
        let tool = format!("mcp__{}__{name}", self.proxy.name);
        let book = &self.proxy.book;
        self.session.tell_time(book)?;
        let (told, letters) = match Calls::read(book, &tool, arguments, &self.folder, &self.folder) {
            Ok(calls) => (Told::of(self.memory.decide(book, self.session.word(), &calls)), calls.coming()),
            Err(why) => (Told::unsure(&why), unread()),
        };
        let told = told.unattended();
        let runs = told.lets_run() || self.proxy.shadow;
        told.record(&mut self.session, id.clone(), letters, runs)?;
        if runs {
            self.in_flight.insert(id, (tool, arguments.clone()));
        }
        Ok(told)
    }

    /// Takes a message of the server. The result of a call ends it.
    fn answered(&mut self, message: &Message) {
        let id = message.id.to_string();
        if message.method.is_some() {
            return;
        }
        let Some((tool, arguments)) = self.in_flight.remove(&id) else { return };
        let result = &message.result;
        let succeeded = result.is_object() && result["isError"] != true;
        // A task goes on after its result.
        let outcome = Outcome { succeeded, ended: result.get("task").is_none(), response: result };
        let folder: &Path = &self.folder;
        let read = Calls::read(&self.proxy.book, &tool, &arguments, folder, folder).map(|calls| calls.after(outcome));
        let recorded = self.session.resume().and_then(|()| {
            let recorded = record_end(&mut self.session, id, read);
            self.session.release().and(recorded)
        });
        // Without a record of its end, the call may have run.
        recorded.unwrap_or_else(|why| note(&why));
    }
}

/// The tools that a server lists, each with its name and input schema.
///
/// # Errors
/// Why the server does not list them.
pub fn tools(server: &[OsString]) -> Result<Vec<Value>, String> {
    let (mut child, mut input, mut output) = start(server)?;
    let client = json!({ "name": "ltlcrit-guard", "version": env!("CARGO_PKG_VERSION") });
    let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
    ask(&mut input, &mut output, "initialize", &params)?;
    write(&mut input, b"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n")?;
    let (mut tools, mut params) = (Vec::new(), json!({}));
    for _ in 0..MAX_PAGES {
        let page = ask(&mut input, &mut output, "tools/list", &params)?;
        tools.extend(page["tools"].as_array().cloned().unwrap_or_default());
        match page["nextCursor"].as_str() {
            Some(next) => params = json!({ "cursor": next }),
            None => break,
        }
    }
    let _ = child.kill();
    let _ = child.wait();
    Ok(tools)
}

/// The result of a request to a server.
fn ask(input: &mut impl Write, output: &mut impl BufRead, method: &str, params: &Value) -> Result<Value, String> {
    let message = json!({ "jsonrpc": "2.0", "id": method, "method": method, "params": params });
    write(input, format!("{message}\n").as_bytes())?;
    let mut line = Vec::new();
    for _ in 0..MAX_ASIDE {
        if !read_line(output, &mut line)? {
            break;
        }
        match Message::read(&line) {
            Ok(answer) if answer.id == method && answer.method.is_none() => return Ok(answer.result),
            _ => {}
        }
    }
    Err(format!("the server does not answer `{method}`"))
}
