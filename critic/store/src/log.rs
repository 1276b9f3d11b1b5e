//! The files of a store that hold its records as lines: `runs.jsonl`, `runs.2.jsonl`, …
//!
//! Lines are only appended. A file that has grown to [`ROTATED`] is followed by another. The file `runs.end` stores the
//! end of the lines that are on disk, so that missing lines at the end are noticed. The data after that position may
//! end in the middle of a line, because a process was killed while it wrote.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ltlcrit_files::{FileError, replace_unsynced, sync_directory};

use super::StoreError;
use super::error::FORMAT;
use super::line::{self, About, Line, MAX_LINE};

/// The size at which a new file begins, in bytes.
pub(super) const ROTATED: u64 = if cfg!(test) { 4 << 10 } else { 256 << 20 };
/// Maximum size of a file, in bytes: the size at which it is full, and one more line.
pub(super) const MAX_FILE: u64 = ROTATED + MAX_LINE as u64;
/// The file that stores the end of the lines on disk.
const END: &str = "runs.end";

/// A position in the lines: a file, from 1, and the number of bytes before it there.
pub(super) type Place = (u32, u64);

/// The position and the length of a line, without its line break.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pointer {
    pub place: Place,
    pub length: u32,
}

impl Pointer {
    pub(crate) fn to_bytes(self) -> [u8; 16] {
        let (file, offset) = self.place;
        ((u128::from(file) << 96) | (u128::from(offset) << 32) | u128::from(self.length)).to_be_bytes()
    }

    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let all = u128::from_be_bytes(bytes.try_into().ok()?);
        Some(Self { place: ((all >> 96) as u32, (all >> 32) as u64), length: all as u32 })
    }
}

/// Lines that are invalid or missing.
#[derive(Clone, Debug)]
pub(super) struct Damage {
    /// The file, and the number of bytes in it before the damage.
    pub place: Place,
    /// The reason.
    pub why: String,
    /// The kind and the key that the line claims, if they can be read.
    pub about: Option<About>,
}

/// The callback for every line.
pub(super) type OnLine<'a> = dyn FnMut(Pointer, Result<Line<'_>, Damage>) -> Result<(), StoreError> + 'a;

/// Returns the name of a file of lines, by its number.
pub(super) fn name(file: u32) -> String {
    if file == 1 { "runs.jsonl".to_owned() } else { format!("runs.{file}.jsonl") }
}

/// The lines of a store.
#[derive(Debug)]
pub(super) struct Log {
    /// The path of the store.
    store: PathBuf,
    files: Mutex<Vec<File>>,
    /// The writer; `None` for a store that is only read.
    writer: Option<Mutex<Writer>>,
}

/// The end of the lines.
#[derive(Debug)]
pub(super) struct Writer {
    file: File,
    /// The position of the next line.
    next: Place,
    /// The message of a failed write, after which the content on disk is unknown.
    failed: Option<String>,
    /// The engine with the index; it closes its files with its last handle.
    _database: sled::Db,
    /// The lock, which excludes other writers while it is open.
    _lock: File,
}

impl Log {
    /// Opens the lines in a directory for reading.
    pub(crate) fn to_read(store: &Path) -> Result<Self, StoreError> {
        let log = Self { store: store.to_owned(), files: Mutex::default(), writer: None };
        // A process may have been killed before it wrote the first line of a further file.
        let begun = |found: std::fs::Metadata| !found.is_file() || found.len() >= line::first().len() as u64;
        log.open(1)?;
        for file in 2.. {
            if !log.store.join(name(file)).symlink_metadata().is_ok_and(begun) {
                break;
            }
            log.open(file)?;
        }
        Ok(log)
    }

    /// Opens the lines for writing by this process alone, from a position on. Data after it is cut off.
    pub(crate) fn writable(mut self, next: Place, database: sled::Db, lock: File) -> Result<Self, StoreError> {
        let file = append(&self.store.join(name(next.0))).map_err(|error| self.opening(error))?;
        file.set_len(next.1).map_err(|error| self.opening(error))?;
        self.writer = Some(Mutex::new(Writer { file, next, failed: None, _database: database, _lock: lock }));
        Ok(self)
    }

    /// Begins the first file, if it does not exist or holds only a part of its first line.
    pub fn begin(directory: &Path) -> io::Result<()> {
        let (path, first) = (directory.join(name(1)), line::first());
        match path.symlink_metadata() {
            Ok(found) if !found.is_file() || found.len() >= first.len() as u64 => return Ok(()),
            Ok(_) if ltlcrit_files::read(&path, 1000).is_ok_and(|it| !first.as_bytes().starts_with(&it)) => {
                return Ok(());
            }
            _ => {}
        }
        begin_file(directory, 1).map(drop)
    }

    fn opening(&self, error: io::Error) -> StoreError {
        StoreError::opening(&self.store, error)
    }

    /// Opens a file for reading and checks its first line.
    fn open(&self, file: u32) -> Result<(), StoreError> {
        let path = self.store.join(name(file));
        let not_ours =
            |why: String| StoreError::NotAStore { path: self.store.clone(), why: format!("its {} {why}", name(file)) };
        let opened = ltlcrit_files::open(&path, MAX_FILE).map_err(|error| match error {
            FileError::Missing => self.lost(file),
            FileError::Open(error) => self.opening(error),
            other => not_ours(format!("cannot be one of a store: {other}")),
        })?;
        let mut reader = BufReader::new(opened.into_inner());
        let mut first = Vec::new();
        let most = line::first().len() as u64 + 60;
        reader.by_ref().take(most).read_until(b'\n', &mut first).map_err(|error| self.reading(&error))?;
        match line::format_of(first.trim_ascii_end()) {
            Some(format) if format == FORMAT => {}
            Some(format) => return Err(StoreError::other_format(&self.store, format.as_bytes())),
            None => return Err(not_ours("was not written by a store".to_owned())),
        }
        lock(&self.files).push(reader.into_inner());
        Ok(())
    }

    fn lost(&self, file: u32) -> StoreError {
        StoreError::Damaged { path: self.store.clone(), why: format!("its {} is missing", name(file)) }
    }

    fn reading(&self, error: &io::Error) -> StoreError {
        StoreError::Read { path: self.store.clone(), why: error.to_string() }
    }

    /// Returns the total size of the files, in bytes.
    pub fn bytes(&self) -> Result<u64, StoreError> {
        let size = |file: &File| file.metadata().map(|found| found.len());
        lock(&self.files).iter().map(size).sum::<io::Result<u64>>().map_err(|error| self.reading(&error))
    }

    /// Reads the line at a position.
    pub fn read(&self, pointer: Pointer) -> Result<Vec<u8>, StoreError> {
        let ((file, offset), length) = (pointer.place, pointer.length as usize);
        if length > MAX_LINE {
            return Err(StoreError::Damaged { path: self.store.clone(), why: "its index is wrong".to_owned() });
        }
        let mut files = lock(&self.files);
        let opened = (file as usize).checked_sub(1).and_then(|file| files.get_mut(file));
        let opened = opened.ok_or_else(|| self.lost(file))?;
        let mut bytes = vec![0; length];
        let read = opened.seek(SeekFrom::Start(offset)).and_then(|_| opened.read_exact(&mut bytes));
        read.map(|()| bytes).map_err(|error| self.reading(&error))
    }

    /// Reads all lines. Returns the end of the last complete line.
    pub fn scan(&self, each: &mut OnLine<'_>) -> Result<Place, StoreError> {
        let files = lock(&self.files).len() as u32;
        let mut lines = Lines::at(&self.store, (1, 0));
        loop {
            let place = lines.next;
            let is_line = lines.read()?;
            let bytes = lines.line.as_slice();
            let damage = |why: &str| Some(Err(Damage { place, why: why.to_owned(), about: None }));
            let line = match is_line {
                false if place.0 == files => return Ok(place),
                false if bytes.is_empty() => None,
                false => damage("it is cut short"),
                true if bytes.len() > MAX_LINE => damage("it is too long"),
                true if place.1 == 0 && line::format_of(bytes).is_some() => None,
                true => Some(Line::parse(bytes).map_err(|(why, about)| Damage { place, why, about })),
            };
            if let Some(line) = line {
                each(Pointer { place, length: bytes.len() as u32 }, line)?;
            }
            if !is_line {
                lines.next = (place.0 + 1, 0);
            }
        }
    }

    /// Returns the stored end of the lines on disk; `None` if it is unknown.
    pub(crate) fn known_end(&self) -> Option<Place> {
        line::end_of(&ltlcrit_files::read(&self.store.join(END), 1000).ok()?)
    }

    /// Returns the damage of lines that end too early.
    pub fn cut_short(known: Option<Place>, end: Place) -> Option<Damage> {
        let known = known.filter(|known| *known > end)?;
        let why = match known.0 == end.0 {
            true => format!("{} bytes of lines after it are missing", known.1 - end.1),
            false => format!("all lines after it are missing, up to byte {} of {}", known.1, name(known.0)),
        };
        Some(Damage { place: end, why, about: None })
    }

    /// Locks the writer.
    pub fn writer(&self) -> Result<MutexGuard<'_, Writer>, StoreError> {
        let writer = self.writer.as_ref().ok_or_else(|| StoreError::OpenToRead(self.store.clone()))?;
        Ok(lock(writer))
    }

    /// Appends a line, with its line break. Returns its position.
    pub fn append(&self, writer: &mut Writer, line: &str) -> Result<Pointer, StoreError> {
        if writer.next.1 >= ROTATED {
            self.rotate(writer)?;
        }
        let place = writer.next;
        self.written(writer, |writer| writer.file.write_all(line.as_bytes()))?;
        writer.next.1 += line.len() as u64;
        Ok(Pointer { place, length: line.len() as u32 - 1 })
    }

    fn rotate(&self, writer: &mut Writer) -> Result<(), StoreError> {
        self.sync(writer)?;
        let file = writer.next.0 + 1;
        let opened = self.written(writer, |_| begin_file(&self.store, file))?;
        self.open(file)?;
        (writer.file, writer.next) = (opened, (file, line::first().len() as u64));
        Ok(())
    }

    /// Forces the lines to disk.
    pub fn sync(&self, writer: &mut Writer) -> Result<(), StoreError> {
        let next = writer.next;
        self.written(writer, |writer| {
            writer.file.sync_data()?;
            replace_unsynced(&self.store.join(END), line::end(next).as_bytes())
        })
    }

    /// Writes unless an earlier write failed. A failed write is cut off.
    fn written<T>(
        &self,
        writer: &mut Writer,
        write: impl FnOnce(&mut Writer) -> io::Result<T>,
    ) -> Result<T, StoreError> {
        let failed = |why: &str| Err(StoreError::Write { path: self.store.clone(), why: why.to_owned() });
        if let Some(why) = &writer.failed {
            return failed(why);
        }
        match write(writer) {
            Ok(done) => Ok(done),
            Err(error) => {
                let _ = writer.file.set_len(writer.next.1);
                let why = error.to_string();
                let result = failed(&why);
                writer.failed = Some(why);
                result
            }
        }
    }
}

/// A reader of lines in their order, also while another process appends them.
#[derive(Debug)]
pub(super) struct Lines {
    pub store: PathBuf,
    /// The position of the next line.
    pub next: Place,
    /// The file of `next`, read up to there; `None` before the first read and after the last line.
    file: Option<BufReader<File>>,
    /// The bytes of the last line, or those after it.
    pub line: Vec<u8>,
}

impl Lines {
    /// Returns a reader of the lines of a store from a position on.
    pub fn at(store: &Path, next: Place) -> Self {
        Self { store: store.to_owned(), next, file: None, line: Vec::new() }
    }

    /// Reads the next line of the current file, without its line break, or the beginning of a line that is too long. At
    /// the end of the file, returns false and closes it: the data after the last line break may still change.
    pub fn read(&mut self) -> Result<bool, StoreError> {
        let store = self.store.clone();
        let reading = |error: io::Error| StoreError::Read { path: store.clone(), why: error.to_string() };
        let file = match &mut self.file {
            Some(file) => file,
            None => {
                let (number, offset) = self.next;
                let opened = ltlcrit_files::open(&self.store.join(name(number)), MAX_FILE);
                let mut file = opened.map_err(|error| reading(error.into()))?.into_inner();
                if file.metadata().map_err(reading)?.len() < offset {
                    let why = format!("its {} lost lines while it was read", name(number));
                    return Err(StoreError::Damaged { path: store, why });
                }
                file.seek(SeekFrom::Start(offset)).map_err(reading)?;
                self.file.insert(BufReader::with_capacity(1 << 16, file))
            }
        };
        self.line.clear();
        self.line.shrink_to(1 << 20);
        let read = file.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut self.line).map_err(reading)?;
        if self.line.pop_if(|last| *last == b'\n').is_some() || read > MAX_LINE {
            self.next.1 += read as u64;
            return Ok(true);
        }
        self.file = None;
        Ok(false)
    }
}

/// Opens a file for appending.
/// Begins a file of lines anew.
fn begin_file(directory: &Path, number: u32) -> io::Result<File> {
    let mut file = append(&directory.join(name(number)))?;
    file.set_len(0)?;
    file.write_all(line::first().as_bytes())?;
    file.sync_data()?;
    sync_directory(directory)?;
    Ok(file)
}

fn append(path: &Path) -> io::Result<File> {
    Ok(ltlcrit_files::append(path)?)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Damage {
    /// Renders the damage with the file and the position.
    pub fn message(&self) -> String {
        let (file, offset) = self.place;
        let about = self.about.as_ref().map(|(kind, key)| format!(" ({})", kind.shown(key)));
        format!("{} at byte {offset}{}: {}", name(file), about.unwrap_or_default(), self.why)
    }
}

/// The lines of a store, shared by its trees.
pub(super) type SharedLog = Arc<Log>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RunId, Store, Timing};

    #[test]
    fn full_files_are_followed_by_others() {
        let directory = tempfile::tempdir().unwrap();
        let timing = |number| Timing { world_us: number, ..Timing::default() };
        let check = |store: &Store, most: u64| {
            for number in 0..most {
                assert_eq!(store.timing(RunId(1), number).unwrap(), Some(timing(number)));
            }
            assert_eq!(store.timing(RunId(1), most).unwrap(), None);
            assert!(store.verify().unwrap().is_sound());
        };
        let write = |numbers: std::ops::Range<u64>| {
            let store = Store::open(directory.path()).unwrap();
            numbers.clone().for_each(|number| store.add_timing(RunId(1), number, &timing(number)).unwrap());
            store.flush().unwrap();
            check(&store, numbers.end);
        };
        write(0..300);
        assert!(directory.path().join(name(4)).exists(), "the files are not full");
        // A process may be killed before the first line of a further file is complete.
        let next = (2..).find(|file| !directory.path().join(name(*file)).exists()).unwrap();
        std::fs::write(directory.path().join(name(next)), &line::first()[..10]).unwrap();
        check(&Store::open_to_read(directory.path()).unwrap(), 300);
        write(300..600);
        check(&Store::open_to_read(directory.path()).unwrap(), 600);
        // The last file is missing, and the stored end of the lines reveals it.
        let last = (2..).find(|file| !directory.path().join(name(file + 1)).exists()).unwrap();
        std::fs::remove_file(directory.path().join(name(last))).unwrap();
        assert!(matches!(Store::open(directory.path()), Err(StoreError::Damaged { .. })));
        std::fs::remove_file(directory.path().join(name(1))).unwrap();
        assert!(matches!(Store::open_to_read(directory.path()), Err(StoreError::Damaged { .. })));
    }
}
