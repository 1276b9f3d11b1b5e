//! Cassettes: files with a model's exchanges, replayed byte for byte.
//!
//! A cassette is JSON lines. The first line is a header with the format's version and the recorded model. Every other
//! line is one exchange, request and reply. A request that was recorded several times is answered in the recorded
//! order. An unrecorded request is an error, which shows the first difference from the nearest recorded one.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use ltlcrit_files::FileError;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use super::{ChatModel, ChatReply, ChatRequest, Door, ModelError, ModelInfo, locked};

/// The format version that this program writes and reads.
pub const VERSION: u32 = 1;

/// Maximum size of a line, in bytes.
const MAX_LINE: u64 = 16 * 1024 * 1024;
/// Maximum size of a replayed cassette, in bytes; all of it is kept in memory.
const MAX_BYTES: u64 = 1024 * 1024 * 1024;

#[derive(Serialize, Deserialize)]
struct Header {
    /// The format version; its name marks the file as a cassette.
    ltlcrit_cassette: u32,
    model: ModelInfo,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Exchange {
    request: ChatRequest,
    reply: ChatReply,
}

/// The reason why a cassette cannot be used.
#[derive(Debug, Error)]
pub enum CassetteError {
    /// The file cannot be opened, read or written.
    #[error("cassette {}: cannot {what}: {source}", path.display())]
    Io {
        /// The cassette.
        path: PathBuf,
        /// The operation: `open it`, …
        what: &'static str,
        /// The reason.
        source: std::io::Error,
    },
    /// The file is rejected.
    #[error("cassette {}: {source}", path.display())]
    File {
        /// The cassette.
        path: PathBuf,
        /// The reason.
        source: FileError,
    },
    /// Its content cannot be used.
    #[error("cassette {place}: {why}")]
    Content {
        /// The cassette, and the line if one is at fault.
        place: String,
        /// The error, with the correction.
        why: String,
    },
}

/// The content of a cassette.
struct Content {
    model: ModelInfo,
    exchanges: Vec<Exchange>,
    /// The number of bytes of its complete lines.
    complete: u64,
    /// The error of an incomplete last line.
    cut: Option<CassetteError>,
}

/// Reads a whole cassette: its header and its exchanges.
fn read(path: &Path, file: impl Read) -> Result<Content, CassetteError> {
    let bad = |line: usize, why: String| bad(path, line, why);
    let mut reader = BufReader::new(file);
    let mut model: Option<ModelInfo> = None;
    let mut exchanges = Vec::new();
    let (mut bytes, mut complete, mut cut) = (Vec::new(), 0, None);
    for line in 1.. {
        bytes.clear();
        let length = reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes).map_err(io(path, "read it"))? as u64;
        if bytes.pop_if(|byte| *byte == b'\n').is_none() {
            if length == MAX_LINE {
                return Err(bad(line, "the line is too long; remove it to keep the exchanges before it".to_owned()));
            }
            let why = "the line is cut off; remove it to keep the exchanges before it";
            cut = (length > 0).then(|| bad(line, why.to_owned()));
            break;
        }
        complete += length;
        match model {
            None => model = Some(header(path, &bytes)?),
            Some(_) => exchanges.push(
                serde_json::from_slice(&bytes)
                    .map_err(|error| bad(line, format!("this is not an exchange: {error}")))?,
            ),
        }
    }
    match (model, cut) {
        (Some(model), cut) => Ok(Content { model, exchanges, complete, cut }),
        (None, Some(cut)) => Err(cut),
        (None, None) => Err(bad(1, "the file is empty; a cassette begins with a header".to_owned())),
    }
}

/// Returns the model in a cassette's first line.
fn header(path: &Path, line: &[u8]) -> Result<ModelInfo, CassetteError> {
    let bad = |why: String| bad(path, 1, why);
    let read: Header = serde_json::from_slice(line).map_err(|error| {
        bad(format!("this is not a cassette's header (`{{\"ltlcrit_cassette\":{VERSION},…}}`): {error}"))
    })?;
    match read.ltlcrit_cassette {
        VERSION => Ok(read.model),
        found => Err(bad(format!("format {found} is unknown here; this program reads format {VERSION}"))),
    }
}

fn key(request: &ChatRequest) -> Result<String, serde_json::Error> {
    serde_json::to_string(request)
}

/// A model that answers from a recording.
#[derive(Debug)]
pub struct Cassette {
    path: PathBuf,
    recorded: ModelInfo,
    exchanges: Vec<Exchange>,
    /// The exchanges of each request, in order, with the number already replayed.
    by_request: Mutex<HashMap<String, (Vec<usize>, usize)>>,
}

impl Cassette {
    /// Opens a cassette and reads it completely.
    ///
    /// # Errors
    /// A file that cannot be read or is not a complete cassette.
    pub fn open(path: &Path) -> Result<Self, CassetteError> {
        let file = ltlcrit_files::open(path, MAX_BYTES).map_err(refused(path))?;
        let Content { model: recorded, exchanges, cut, .. } = read(path, file)?;
        if let Some(cut) = cut {
            return Err(cut);
        }
        let mut by_request: HashMap<String, (Vec<usize>, usize)> = HashMap::new();
        for (position, exchange) in exchanges.iter().enumerate() {
            let key = key(&exchange.request).map_err(|error| bad(path, position + 2, error.to_string()))?;
            by_request.entry(key).or_default().0.push(position);
        }
        Ok(Self { path: path.to_owned(), recorded, exchanges, by_request: Mutex::new(by_request) })
    }

    /// Returns the recorded model.
    pub fn recorded(&self) -> &ModelInfo {
        &self.recorded
    }

    /// Returns the number of exchanges.
    pub fn len(&self) -> usize {
        self.exchanges.len()
    }

    /// Returns whether the cassette has no exchanges.
    pub fn is_empty(&self) -> bool {
        self.exchanges.is_empty()
    }

    fn miss(&self, request: &ChatRequest) -> String {
        // The values are compared as parsed text, as in the file, so that 0.1 stays 0.1.
        let values = |request: &ChatRequest| {
            let mut values = BTreeMap::new();
            if let Some(request) = key(request).ok().and_then(|text| serde_json::from_str(&text).ok()) {
                plain_values("", &request, &mut values);
            }
            values
        };
        let asked = values(request);
        let agreement = |recorded: &Values| -> usize {
            asked.iter().filter_map(|(path, value)| Some(common(value, recorded.get(path)?))).sum()
        };
        let recorded = self.exchanges.iter().map(|exchange| values(&exchange.request)).enumerate();
        let nearest = recorded.rev().max_by_key(|(_, recorded)| agreement(recorded));
        let found = match nearest {
            None => "it holds no exchange at all".to_owned(),
            Some((position, recorded)) => {
                let difference = first_difference(&asked, &recorded).unwrap_or_default();
                format!("the nearest recorded one, line {}, differs first in {difference}", position + 2)
            }
        };
        format!("cassette {}: no answer to this question; {found}", self.path.display())
    }
}

impl ChatModel for Cassette {
    fn info(&self) -> ModelInfo {
        ModelInfo {
            name: format!("cassette:{}", self.path.display()),
            simulated: self.recorded.simulated,
            recorded_from: Some(self.recorded.name.clone()),
        }
    }

    async fn ask(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        let key = key(request).map_err(|error| ModelError::Cassette(error.to_string()))?;
        let mut by_request = locked(&self.by_request);
        let Some((positions, replayed)) = by_request.get_mut(&key) else {
            return Err(ModelError::Cassette(self.miss(request)));
        };
        let Some(exchange) = positions.get(*replayed).and_then(|position| self.exchanges.get(*position)) else {
            return Err(ModelError::Cassette(format!(
                "cassette {}: this question was asked once more than it was recorded ({} times)",
                self.path.display(),
                positions.len()
            )));
        };
        *replayed += 1;
        Ok(exchange.reply.clone())
    }
}

/// The plain values of a request, by path.
type Values = BTreeMap<String, String>;

fn plain_values(path: &str, value: &Value, into: &mut Values) {
    match value {
        Value::Object(fields) => {
            let dot = if path.is_empty() { "" } else { "." };
            fields.iter().for_each(|(name, value)| plain_values(&format!("{path}{dot}{name}"), value, into));
        }
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, value)| plain_values(&format!("{path}[{at}]"), value, into));
        }
        Value::String(text) => drop(into.insert(path.to_owned(), text.clone())),
        plain => drop(into.insert(path.to_owned(), plain.to_string())),
    }
}

/// Returns the number of characters that two texts have in common at their beginning.
fn common(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count()
}

/// Describes the first difference between two requests; `None` if they are equal.
fn first_difference(asked: &Values, recorded: &Values) -> Option<String> {
    let path = asked.keys().chain(recorded.keys()).find(|path| asked.get(*path) != recorded.get(*path))?;
    let (Some(asked), Some(recorded)) = (asked.get(path), recorded.get(path)) else {
        let only = if asked.contains_key(path) { "asked" } else { "recorded" };
        return Some(format!("`{path}`, which was only {only}"));
    };
    let same = common(asked, recorded);
    let shown = |text: &str| text.chars().skip(same.saturating_sub(20)).take(60).collect::<String>();
    Some(format!("`{path}`, character {}: asked {:?}, recorded {:?}", same + 1, shown(asked), shown(recorded)))
}

/// The destination of recorded exchanges.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The cassette.
    pub path: PathBuf,
    /// True to replace an existing cassette; otherwise it is extended.
    pub anew: bool,
}

/// A model that appends every exchange to a cassette before it returns the answer.
#[derive(Debug)]
pub struct Recorder<M> {
    model: M,
    path: PathBuf,
    file: Mutex<File>,
}

impl<M: ChatModel> Recorder<M> {
    /// Begins a cassette, or extends one of the same model. An incomplete last line, left by a crash, is dropped.
    ///
    /// # Errors
    /// A file that cannot be written, is not a cassette, or holds another model's answers.
    pub fn open(model: M, path: &Path) -> Result<Self, CassetteError> {
        let is_new = !path.exists();
        let mut file = appended(path)?;
        let length = file.metadata().map_err(io(path, "read it"))?.len();
        if length > MAX_BYTES {
            return Err(refused(path)(FileError::TooLong(MAX_BYTES)));
        }
        let info = model.info();
        if length == 0 {
            let header = Header { ltlcrit_cassette: VERSION, model: info };
            append(&mut file, &header).map_err(|error| {
                // An incomplete header, left by a full disk, must not stay.
                let _ = if is_new { std::fs::remove_file(path) } else { file.set_len(0) };
                io(path, "write it")(error)
            })?;
        } else {
            // A file is shortened only if it is a cassette up to that point.
            let Content { model: found, complete, .. } = read(path, &file)?;
            if found != info {
                let why = format!("it holds answers of {found}, not of {info}; record to another file");
                return Err(CassetteError::Content { place: path.display().to_string(), why });
            }
            if complete < length {
                file.set_len(complete).map_err(io(path, "drop its cut-off last line"))?;
            }
        }
        Ok(Self { model, path: path.to_owned(), file: Mutex::new(file) })
    }

    /// Begins a cassette and replaces an existing one. Other files are never replaced.
    ///
    /// # Errors
    /// A file that cannot be read or written, or is not a cassette.
    pub fn anew(model: M, path: &Path) -> Result<Self, CassetteError> {
        ltlcrit_files::may_output(path).map_err(refused(path))?;
        if path.exists() {
            let file = appended(path)?;
            let mut first = Vec::new();
            BufReader::new(&file).take(MAX_LINE).read_until(b'\n', &mut first).map_err(io(path, "read it"))?;
            if !first.is_empty() {
                header(path, &first)?;
                file.set_len(0).map_err(io(path, "begin it anew"))?;
            }
        }
        Self::open(model, path)
    }

    /// Returns the recorded model.
    pub fn model(&self) -> &M {
        &self.model
    }
}

impl<M: ChatModel> ChatModel for Recorder<M> {
    fn info(&self) -> ModelInfo {
        self.model.info()
    }

    async fn ask(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        self.record(request, self.model.ask(request).await?)
    }

    async fn ask_through(&self, request: &ChatRequest, door: &Door) -> Result<ChatReply, ModelError> {
        self.record(request, self.model.ask_through(request, door).await?)
    }
}

impl<M> Recorder<M> {
    fn record(&self, request: &ChatRequest, reply: ChatReply) -> Result<ChatReply, ModelError> {
        let exchange = Exchange { request: request.clone(), reply };
        append(&mut locked(&self.file), &exchange).map_err(|error| {
            ModelError::Cassette(format!("cassette {}: cannot record an exchange: {error}", self.path.display()))
        })?;
        Ok(exchange.reply)
    }
}

/// Returns the error of a line, numbered from 1.
fn bad(path: &Path, line: usize, why: String) -> CassetteError {
    CassetteError::Content { place: format!("{}, line {line}", path.display()), why }
}

/// Opens a cassette for appending.
fn appended(path: &Path) -> Result<File, CassetteError> {
    ltlcrit_files::append(path).map_err(refused(path))
}

fn io(path: &Path, what: &'static str) -> impl Fn(std::io::Error) -> CassetteError {
    move |source| CassetteError::Io { path: path.to_owned(), what, source }
}

fn refused(path: &Path) -> impl Fn(FileError) -> CassetteError {
    move |source| CassetteError::File { path: path.to_owned(), source }
}

/// Appends a line in one write, so that a crash leaves at most the last line incomplete.
fn append(file: &mut File, value: &impl Serialize) -> std::io::Result<()> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    file.write_all(&line)
}

#[cfg(test)]
mod tests;
