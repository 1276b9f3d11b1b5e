//! A session on disk: a file of lines that grows, locked while a call is decided.
//!
//! A call is a line when it begins and another one when it has ended; what begins and does not end may have run. A refused
//! call is a line for people, not a letter. A line that cannot be read is not forgotten: the next call is asked about.
//!
//! From time to time, a line keeps the state so far, so that a call does not read a long session from its beginning. It
//! leaves out the letters that the laws of the book do not need any more. It holds its own place in the file; at another place,
//! or for another book, it counts for nothing, and all lines are read.

use std::fs::{File, TryLockError};
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use ltlcrit_verifier::objects::needed;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use crate::book::Book;
use crate::letter::{Letter, OTHER, Word};

/// Maximum length of a session that is read, in bytes.
const MAX_SESSION: u64 = 64 << 20;
/// Minimum length of the lines between two that keep the state, in bytes.
const KEEP_EVERY: u64 = 16 << 10;
/// Number of the latest letters that are kept in any case, to be shown.
pub const LATEST: usize = 20;
/// Maximum number of letters after those of a call in flight. With more, it stays a call that may have run.
const MAX_BEHIND: usize = 500;
/// The beginning of a line that keeps the state.
const KEPT: &[u8] = b"{\"kept\":[";
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
    /// The duties of laws were told to the agent. The fields are the number of calls before that, and the laws.
    Told(usize, Vec<String>),
    /// The number of lines that cannot be read and were reported.
    Mended(usize),
    /// The present, in seconds since 1970.
    Now(u64),
}

/// The state of a session after some lines.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct State {
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
    /// The number of lines that cannot be read.
    bad_lines: usize,
    /// The number of them that were reported. Lines are reported in their order.
    reported: usize,
}

/// A session, read and locked.
#[derive(Debug)]
pub struct Session {
    file: File,
    length: u64,
    /// The length at which the state is kept again.
    keep_at: u64,
    /// The last line has no end.
    is_torn: bool,
    /// The state after all lines.
    pub state: State,
}

/// A line that keeps the state, with its place and the book's number.
#[derive(Deserialize)]
struct Kept {
    kept: (u64, u64, State),
}

impl State {
    /// The state that the last lines of a file keep for a book, or for any, with the place of its line in them. They begin at
    /// `start` in the file.
    fn kept(lines: &[u8], start: u64, book: Option<&Book>) -> Option<(Self, Range<usize>)> {
        let mut end = lines.len();
        for line in lines.rsplit(|byte| *byte == b'\n') {
            let at = end - line.len();
            if line.starts_with(KEPT) {
                let Kept { kept: (place, of, state) } = serde_json::from_slice(line).ok()?;
                let whole = state.in_flight.values().all(|letters| letters.end <= state.word.len());
                let fits = place == start + at as u64 && book.is_none_or(|book| of == book.number());
                return (fits && whole && state.word.is_whole()).then_some((state, at..end));
            }
            end = at.saturating_sub(1);
        }
        None
    }

    /// Reads lines.
    fn read(&mut self, lines: &[u8]) {
        let mut known = FxHashMap::default();
        for line in lines.split(|byte| *byte == b'\n').filter(|line| !line.is_empty() && !line.starts_with(KEPT)) {
            if self.take_known(line, &mut known).is_none() {
                match serde_json::from_slice(line) {
                    Ok(entry) => self.take(entry),
                    Err(_) => self.bad_lines += 1,
                }
            }
        }
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
            Entry::Mended(lines) => self.reported = lines,
            Entry::Now(now) => self.word.set_now(now),
        }
    }

    /// Returns whether the agent was told the duties of these laws and made no call since that a law knows.
    pub fn was_told(&self, laws: &[String]) -> bool {
        let Some((calls, told)) = &self.told else { return false };
        let since = (0..self.word.len()).rev().take_while(|at| self.word.call(*at) > *calls);
        told == laws && since.filter_map(|at| self.word.get(at)).all(|letter| letter.action == OTHER)
    }

    /// Leaves out the letters that the laws of a book do not need any more.
    fn shorten(&mut self, book: &Book) {
        let length = self.word.len();
        for letters in self.in_flight.values_mut().filter(|letters| letters.start + MAX_BEHIND < length) {
            letters.end = letters.start;
        }
        let open = self.in_flight.values().filter(|letters| !letters.is_empty()).map(|letters| letters.start);
        let end = open.chain([length.saturating_sub(LATEST)]).min().unwrap_or_default();
        let minutes = book.laws.iter().filter_map(|law| law.clock.as_ref()).map(|clock| clock.minutes).max();
        let timed = minutes.map(|minutes| self.word.within(minutes).map_or(0, |(_, perhaps)| perhaps));
        let Ok(needed) = needed(&book.object_laws(), &self.word, timed.map_or(end, |timed| end.min(timed))) else {
            return;
        };
        if self.told.as_ref().is_some_and(|(_, laws)| !self.was_told(laws)) {
            self.told = None;
        }
        self.word.leave_out(&needed);
        let left_out = length - self.word.len();
        for letters in self.in_flight.values_mut() {
            let start = letters.start.saturating_sub(left_out);
            *letters = start..start + letters.len();
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
}

impl Session {
    /// Opens the file of a session, makes it if need be, waits for its lock and reads it. Without a book, its calls may not
    /// be decided.
    ///
    /// # Errors
    /// Why that is not possible, in a sentence.
    pub fn open(path: &Path, book: Option<&Book>) -> Result<Self, String> {
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
        let (mut bytes, mut last) = (Vec::new(), 2 * KEEP_EVERY);
        let (start, kept) = loop {
            let start = length.saturating_sub(last);
            bytes.clear();
            file.seek(SeekFrom::Start(start)).map_err(|error| fault(&error))?;
            file.read_to_end(&mut bytes).map_err(|error| fault(&error))?;
            let kept = State::kept(&bytes, start, book);
            if start == 0 || kept.is_some() {
                break (start, kept);
            }
            last *= 4;
        };
        let (mut state, at) = kept.unwrap_or_default();
        state.read(&bytes[at.end..]);
        let is_torn = bytes.last().is_some_and(|last| *last != b'\n');
        Ok(Self { file, length, keep_at: keep_at(start + at.end as u64, at.len()), is_torn, state })
    }

    /// The letters, in the order the calls began.
    pub fn word(&self) -> &Word {
        &self.state.word
    }

    /// The letters of a call that has begun and not ended.
    pub fn in_flight(&self, id: &str) -> Option<Vec<Letter>> {
        let letters = |at: &Range<usize>| at.clone().filter_map(|at| self.state.word.get(at).cloned()).collect();
        self.state.in_flight.get(id).map(letters)
    }

    /// The number of calls that have begun and not ended.
    pub fn open_calls(&self) -> usize {
        self.state.in_flight.len()
    }

    /// Returns whether lines that cannot be read were not reported yet.
    pub fn is_damaged(&self) -> bool {
        self.state.bad_lines > self.state.reported
    }

    /// Records the present, if a law of the book has a time.
    ///
    /// # Errors
    /// As [`Session::append`].
    pub fn tell_time(&mut self, book: &Book) -> Result<(), String> {
        match book.has_clock() {
            true => self.append(vec![Entry::Now(SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default().as_secs())]),
            false => Ok(()),
        }
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
        entries.into_iter().for_each(|entry| self.state.take(entry));
        Ok(())
    }

    /// Keeps the state for a book, if enough lines were added. Without that line the session is as good, and longer to read.
    pub fn keep(&mut self, book: &Book) {
        let at = self.length;
        if at <= self.keep_at || self.is_torn {
            return;
        }
        self.state.shorten(book);
        let Ok(state) = serde_json::to_string(&self.state) else { return };
        let line = [KEPT, format!("{at},{},{state}]}}\n", book.number()).as_bytes()].concat();
        match self.file.write_all(&line) {
            Ok(()) => self.length += line.len() as u64,
            Err(_) => drop(self.file.set_len(at)),
        }
        self.keep_at = keep_at(self.length, line.len());
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
        self.append(vec![Entry::Mended(self.state.bad_lines)])
    }
}

/// The length at which the state is kept again, after a line that kept it. The longer that line, the more lines between.
fn keep_at(length: u64, line: usize) -> u64 {
    length + KEEP_EVERY.max(line as u64)
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
