//! Copies a store that is in use or read-only to a temporary directory, to be opened instead.
//!
//! The engine locks its files, and writes to them even when it opens them. A copy made while another process appends to
//! the log equals the files that this process would leave if it were killed then, and the engine recovers from that:
//! the copy holds every segment that was complete when copying began, and the beginning of the segments at the log's
//! end. Only a segment that is reused during copying would spoil the copy. Its header differs afterwards, so it is
//! copied again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::StoreError;
use super::journal::{self, Journal};
use super::segment::{self, HEADER, Header, SEGMENT};

/// The most passes over changed files before the store counts as too busy.
const PASSES: usize = 64;

/// Why there is no copy.
enum Failure {
    /// The store cannot be read.
    Read(io::Error),
    /// The copy cannot be written.
    Write(io::Error),
    /// The store changed faster than it could be copied.
    Busy,
}

/// Copies the store at a path into the first temporary directory with enough room.
pub(super) fn copy(path: &Path) -> Result<TempDir, StoreError> {
    let read = |error: io::Error| StoreError::Read { path: path.to_owned(), why: error.to_string() };
    let bytes = size(path).map_err(read)?;
    let mut refused = Vec::new();
    for place in places() {
        let here = |why: String| format!("{}: {why}", place.display());
        match free_bytes(&place) {
            // A copy must not fill the disk of the run under way.
            Ok(Some(room)) if room / 2 < bytes => {
                refused.push(here(format!("{} free, of which a copy takes at most half", mebibytes(room))));
                continue;
            }
            Ok(_) => {}
            Err(error) => {
                refused.push(here(error.to_string()));
                continue;
            }
        }
        let copied = tempfile::Builder::new().prefix("ltlcrit-copy-").tempdir_in(&place).map_err(Failure::Write);
        match copied.and_then(|copy| Copying { from: path, to: copy.path() }.run().map(|()| copy)) {
            Ok(copy) => return Ok(copy),
            Err(Failure::Read(error)) => return Err(read(error)),
            Err(Failure::Busy) => return Err(StoreError::Busy { path: path.to_owned() }),
            Err(Failure::Write(error)) => refused.push(here(error.to_string())),
        }
    }
    Err(StoreError::NoRoom { path: path.to_owned(), needed: mebibytes(bytes), places: refused.join("; ") })
}

/// The possible places of a copy: the directory for temporary files, and directories in memory.
fn places() -> Vec<PathBuf> {
    let runtime = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|path| path.is_absolute());
    let mut places = vec![std::env::temp_dir()];
    places.extend(runtime);
    if cfg!(target_os = "linux") {
        places.push("/dev/shm".into());
    }
    places
}

/// The free bytes on the disk of a directory, if the system reports them.
#[cfg(unix)]
fn free_bytes(place: &Path) -> io::Result<Option<u64>> {
    let disk = rustix::fs::statvfs(place)?;
    Ok(Some(disk.f_bavail.saturating_mul(disk.f_frsize)))
}

#[cfg(not(unix))]
fn free_bytes(_: &Path) -> io::Result<Option<u64>> {
    Ok(None)
}

fn mebibytes(bytes: u64) -> String {
    format!("{} MiB", bytes.div_ceil(1 << 20))
}

/// The size of a store in bytes.
fn size(store: &Path) -> io::Result<u64> {
    let mut bytes = 0_u64;
    for directory in [store.to_owned(), store.join("blobs")] {
        for name in names(&directory)? {
            bytes +=
                fs::metadata(directory.join(name)).map_or(0, |found| if found.is_file() { found.len() } else { 0 });
        }
    }
    Ok(bytes)
}

/// The names in a directory; none if it is missing.
fn names(directory: &Path) -> io::Result<BTreeSet<String>> {
    match fs::read_dir(directory) {
        Ok(entries) => entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(BTreeSet::new()),
        Err(error) => Err(error),
    }
}

struct Copying<'a> {
    from: &'a Path,
    to: &'a Path,
}

impl Copying<'_> {
    fn run(&self) -> Result<(), Failure> {
        fs::create_dir(self.to.join("blobs")).map_err(Failure::Write)?;
        let mut log = Log::open(self)?;
        for _ in 0..PASSES {
            if self.pass(&mut log)? {
                return Ok(());
            }
        }
        Err(Failure::Busy)
    }

    /// Copies the changes since the previous pass; returns whether the copy shows the store as of this pass, or later.
    fn pass(&self, log: &mut Log) -> Result<bool, Failure> {
        // The journal mentions only what was in the log before, so it is copied first.
        let journal = journal::read(self.from).map_err(Failure::Read)?;
        let snapshots = self.snapshots()?;
        for old in names(self.to).map_err(Failure::Write)?.iter().filter(|name| name.starts_with("snap.")) {
            fs::remove_file(self.to.join(old)).map_err(Failure::Write)?;
        }
        for name in snapshots.iter().map(String::as_str).chain(["conf"]) {
            if !self.file(name)? && name != "conf" {
                return Ok(false);
            }
        }
        let blobs = names(&self.from.join("blobs")).map_err(Failure::Read)?;
        if !log.pass()? {
            return Ok(false);
        }
        // A blob is written before the record that points to it.
        let now = names(&self.from.join("blobs")).map_err(Failure::Read)?;
        for name in &now {
            if !self.file(&format!("blobs/{name}"))? {
                return Ok(false);
            }
        }
        let later = journal::read(self.from).map_err(Failure::Read)?;
        let is_same_story = later.strip_prefix(&*journal).is_some_and(|more| !Journal::reopens(more));
        if !blobs.is_subset(&now) || self.snapshots()? != snapshots || !is_same_story {
            return Ok(false);
        }
        fs::write(self.to.join(journal::FILE), journal).map_err(Failure::Write)?;
        Ok(true)
    }

    /// The engine's snapshots of the log, each of which replaces the previous one.
    fn snapshots(&self) -> Result<BTreeSet<String>, Failure> {
        let mut names = names(self.from).map_err(Failure::Read)?;
        names.retain(|name| name.starts_with("snap.") && !name.ends_with(".generating"));
        Ok(names)
    }

    /// Copies a small file; returns whether it exists.
    fn file(&self, name: &str) -> Result<bool, Failure> {
        match fs::read(self.from.join(name)) {
            Ok(bytes) => fs::write(self.to.join(name), bytes).map(|()| true).map_err(Failure::Write),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(Failure::Read(error)),
        }
    }
}

/// The log and its copy.
struct Log {
    from: File,
    to: File,
    /// The segments copied when they could no longer change, with their headers.
    settled: BTreeMap<u64, Header>,
}

impl Log {
    fn open(copying: &Copying<'_>) -> Result<Self, Failure> {
        let from = File::open(copying.from.join("db")).map_err(Failure::Read)?;
        let to = OpenOptions::new().write(true).create_new(true).open(copying.to.join("db")).map_err(Failure::Write)?;
        Ok(Self { from, to, settled: BTreeMap::new() })
    }

    /// Copies the segments that may have changed; returns whether none was reused meanwhile.
    fn pass(&mut self) -> Result<bool, Failure> {
        let length = self.from.metadata().map_err(Failure::Read)?.len();
        let mut headers = BTreeMap::new();
        for segment in 0..segment::segments(length) {
            headers.extend(self.header(segment)?.map(|header| (segment, header)));
        }
        // A segment without a header is free, so an earlier copy of it is removed.
        self.to.set_len(length).map_err(Failure::Write)?;
        self.settled.retain(|segment, header| headers.get(segment) == Some(header));
        for segment in (0..segment::segments(length)).filter(|segment| !headers.contains_key(segment)) {
            self.put(segment, &[0; HEADER])?;
        }
        let stable = headers.values().map(|header| header.stable).max().unwrap_or_default();
        for (segment, header) in &headers {
            if self.settled.contains_key(segment) {
                continue;
            }
            let mut bytes = segment::read(&mut self.from, *segment, SEGMENT).map_err(Failure::Read)?;
            // Records end where the file ended.
            bytes.resize(SEGMENT, 0);
            self.put(*segment, &bytes)?;
            if Header::parse(&bytes) == Some(*header) && header.position.saturating_add(SEGMENT as i64) <= stable {
                self.settled.insert(*segment, *header);
            }
        }
        for (segment, header) in &headers {
            if self.header(*segment)? != Some(*header) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn header(&mut self, segment: u64) -> Result<Option<Header>, Failure> {
        let bytes = segment::read(&mut self.from, segment, HEADER).map_err(Failure::Read)?;
        Ok(Header::parse(&bytes))
    }

    fn put(&mut self, segment: u64, bytes: &[u8]) -> Result<(), Failure> {
        self.to.seek(SeekFrom::Start(segment * SEGMENT as u64)).map_err(Failure::Write)?;
        self.to.write_all(bytes).map_err(Failure::Write)
    }
}
