//! A session on disk: a file of lines that grows, locked while a call is decided.
//!
//! A call is a line when it begins and another one when it has ended; what begins and does not end may have run. A refused
//! call is a line for people, not a letter. A line that cannot be read is not forgotten: the next call is asked about.

use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::letter::{Letter, Word};

/// Maximum length of a session that is read, in bytes.
const MAX_SESSION: u64 = 64 << 20;
/// Maximum time that a call waits for another one to be decided.
const PATIENCE: Duration = Duration::from_secs(5);

/// A line of a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Entry {
    /// The project's folder: paths in it are written without it.
    Root(PathBuf),
    /// A call begins: its letters while it is in flight.
    Begins(String, Vec<Letter>),
    /// A call has ended: its letters now.
    Ends(String, Vec<Letter>),
    /// A call was refused, or a person was asked, with the text that was told.
    Refused {
        /// `block`, `ask`, `stop` or `warn`.
        decision: String,
        /// The laws, if it was for them.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        laws: Vec<String>,
        /// The text.
        why: String,
    },
    /// At this number of letters, the duties of these laws were told.
    Told(usize, Vec<String>),
    /// The number of lines that cannot be read and were reported.
    Mended(usize),
}

/// A session, read and locked.
#[derive(Debug)]
pub struct Session {
    file: File,
    length: u64,
    /// The last line has no end.
    is_torn: bool,
    /// The project's folder, if it is known.
    pub root: Option<PathBuf>,
    /// The letters, in the order the calls began.
    word: Word,
    /// The places of the letters of each call that has not ended, by its id.
    in_flight: FxHashMap<String, Range<usize>>,
    /// The last refusal.
    pub refused: Option<Entry>,
    /// When duties were told last, and of which laws.
    pub told: Option<(usize, Vec<String>)>,
    /// Lines that cannot be read and were not reported.
    pub damaged: usize,
    bad_lines: usize,
}

impl Session {
    /// Opens the file of a session, makes it if need be, waits for its lock and reads it.
    ///
    /// # Errors
    /// Why that is not possible, in a sentence.
    pub fn open(path: &Path) -> Result<Self, String> {
        let fault = |error: &dyn std::fmt::Display| format!("the session {} cannot be read: {error}", path.display());
        if let Some(folder) = path.parent() {
            ltlcrit_files::create_private_directory(folder).map_err(|error| fault(&error))?;
        }
        let mut file = ltlcrit_files::append(path).map_err(|error| fault(&error))?;
        lock(&file).map_err(|error| fault(&error))?;
        let length = file.metadata().map_err(|error| fault(&error))?.len();
        if length > MAX_SESSION {
            return Err(format!("the session {} is too long; `guard forget` begins afresh", path.display()));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(length).unwrap_or_default());
        file.seek(SeekFrom::Start(0)).map_err(|error| fault(&error))?;
        file.read_to_end(&mut bytes).map_err(|error| fault(&error))?;
        let mut session = Self {
            file,
            length,
            is_torn: bytes.last().is_some_and(|last| *last != b'\n'),
            root: None,
            word: Word::default(),
            in_flight: FxHashMap::default(),
            refused: None,
            told: None,
            damaged: 0,
            bad_lines: 0,
        };
        let mut known = FxHashMap::default();
        for line in bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
            if session.take_known(line, &mut known).is_none() {
                match serde_json::from_slice(line) {
                    Ok(entry) => session.take(entry),
                    Err(_) => session.bad_lines += 1,
                }
            }
        }
        // Lines are reported in their order, so those after a report are new.
        session.damaged = session.bad_lines.saturating_sub(session.damaged);
        Ok(session)
    }

    fn take(&mut self, entry: Entry) {
        match entry {
            Entry::Root(root) => self.root = Some(root),
            Entry::Begins(id, letters) => {
                let numbers = self.numbers(letters);
                self.begin(id, &numbers);
            }
            Entry::Ends(id, letters) => {
                let numbers = self.numbers(letters);
                self.end(&id, &numbers);
            }
            Entry::Refused { .. } => self.refused = Some(entry),
            Entry::Told(letters, laws) => self.told = Some((letters, laws)),
            Entry::Mended(lines) => self.damaged = lines,
        }
    }

    fn numbers(&mut self, letters: Vec<Letter>) -> Vec<usize> {
        letters.into_iter().map(|letter| self.word.number(letter)).collect()
    }

    fn begin(&mut self, id: String, letters: &[usize]) {
        self.in_flight.insert(id, self.word.len()..self.word.len() + letters.len());
        self.word.extend_by(letters);
    }

    fn end(&mut self, id: &str, letters: &[usize]) {
        match self.in_flight.remove(id) {
            // A call keeps its number of letters, so that the others stay at their places.
            Some(at) if at.len() == letters.len() => self.word.replace(at.start, letters),
            Some(_) => {}
            None => self.word.extend_by(letters),
        }
    }

    /// Takes a line about a call; `None` if it is about something else. The letters of most lines were read before:
    /// `known` has their numbers by their bytes.
    fn take_known<'a>(&mut self, line: &'a [u8], known: &mut FxHashMap<&'a [u8], Vec<usize>>) -> Option<()> {
        let begins = line.strip_prefix(b"{\"begins\":[\"");
        let rest = begins.or_else(|| line.strip_prefix(b"{\"ends\":[\""))?;
        let end = rest.iter().position(|byte| matches!(byte, b'"' | b'\\'))?;
        let letters = rest[end..].strip_prefix(b"\",")?.strip_suffix(b"]}")?;
        let id = std::str::from_utf8(&rest[..end]).ok()?;
        if !known.contains_key(letters) {
            known.insert(letters, self.numbers(serde_json::from_slice(letters).ok()?));
        }
        match begins {
            Some(_) => self.begin(id.to_owned(), &known[letters]),
            None => self.end(id, &known[letters]),
        }
        Some(())
    }

    /// The letters, in the order the calls began.
    pub fn word(&self) -> &Word {
        &self.word
    }

    /// The letters of a call that has begun and not ended.
    pub fn in_flight(&self, id: &str) -> Option<Vec<Letter>> {
        self.in_flight.get(id).map(|at| at.clone().filter_map(|at| self.word.get(at).cloned()).collect())
    }

    /// The number of calls that have begun and not ended.
    pub fn open_calls(&self) -> usize {
        self.in_flight.len()
    }

    /// Appends lines, all or none of them.
    ///
    /// # Errors
    /// Why they could not be written.
    pub fn append(&mut self, entries: Vec<Entry>) -> Result<(), String> {
        let mut text = if self.is_torn { "\n".to_owned() } else { String::new() };
        for entry in &entries {
            text.push_str(&serde_json::to_string(entry).map_err(|error| error.to_string())?);
            text.push('\n');
        }
        if let Err(error) = self.file.write_all(text.as_bytes()) {
            // Half a line would be taken for a call that nobody knows.
            let _ = self.file.set_len(self.length);
            return Err(format!("the session cannot be recorded: {error}"));
        }
        self.length += text.len() as u64;
        self.is_torn = false;
        entries.into_iter().for_each(|entry| self.take(entry));
        Ok(())
    }

    /// Lets others read the session, until it is [resumed](Self::resume).
    ///
    /// # Errors
    /// Why the lock cannot be released.
    pub fn release(&self) -> Result<(), String> {
        self.file.unlock().map_err(|error| format!("the session cannot be released: {error}"))
    }

    /// Waits for the lock of a session that was [released](Self::release). No other process may have appended to it.
    ///
    /// # Errors
    /// Why that is not possible, in a sentence.
    pub fn resume(&self) -> Result<(), String> {
        let fault = |error| format!("the session cannot be locked: {error}");
        lock(&self.file).map_err(fault)?;
        match self.file.metadata().map_err(fault)?.len() == self.length {
            true => Ok(()),
            false => Err("another process changed the session".into()),
        }
    }

    /// Reports the lines that cannot be read, so that the next call is not asked about them.
    ///
    /// # Errors
    /// As [`Session::append`].
    pub fn mend(&mut self) -> Result<(), String> {
        self.append(vec![Entry::Mended(self.bad_lines)])?;
        self.damaged = 0;
        Ok(())
    }
}

/// Waits for the lock of a file, not for ever: agents go on without a hook that does not answer.
fn lock(file: &File) -> std::io::Result<()> {
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => thread::sleep(Duration::from_millis(1)),
            Err(TryLockError::WouldBlock) => return Err(ErrorKind::WouldBlock.into()),
            Err(TryLockError::Error(error)) => return Err(error),
            Ok(()) => return Ok(()),
        }
    }
}

/// The file of a session; `None` if its id cannot be the name of a file.
pub fn path(state: &Path, id: &str) -> Option<PathBuf> {
    let is_good = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    let good = (1..=128).contains(&id.len()) && id.chars().all(is_good) && !id.starts_with('.');
    good.then(|| state.join(format!("{id}.jsonl")))
}

/// The session that changed last.
pub fn latest(state: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(state).ok()?.filter_map(Result::ok);
    let sessions = files.map(|file| file.path()).filter(|path| path.extension().is_some_and(|kind| kind == "jsonl"));
    sessions.max_by_key(|path| path.metadata().and_then(|metadata| metadata.modified()).ok())
}
