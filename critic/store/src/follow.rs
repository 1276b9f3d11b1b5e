//! Reads the lines of a store as they are appended, also while another process writes them.
//!
//! A [`Follower`] holds one line in memory, reads each line once, and writes nothing. Its [`Position`] lets another
//! follower continue at any entry, so that readers of one run need not read the runs before it.

use std::path::Path;

use serde::de::DeserializeOwned;

use super::keys::Kind;
use super::line::{self, Line};
use super::log::{self, Lines, Log, Place};
use super::open::must_exist;
use super::{RunId, RunManifest, StoreError, documents};

/// A position in the lines of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position(Place);

/// The record that an entry sets or removes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The manifest of a run: see [`Entry::manifest`].
    Manifest(RunId),
    /// A value of manifests, by its hash.
    Document(String),
    /// A [`StepRecord`](super::StepRecord).
    Step(RunId, u64),
    /// The step in flight of a run: an [`InFlight`](super::InFlight).
    InFlight(RunId),
    /// A [`RunOutcome`](super::RunOutcome).
    Outcome(RunId),
    /// A record of another kind.
    Other,
}

/// One record of a store, in the order in which it was written.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The record's kind and key.
    pub subject: Subject,
    /// The position of the entry.
    pub position: Position,
    version: u8,
    key: Vec<u8>,
    kind: Kind,
    json: Option<String>,
}

impl Entry {
    fn new(line: Line<'_>, place: Place) -> Self {
        let key = line.key.as_slice();
        let run = line.kind.run_of(key).map_or(RunId(0), RunId);
        let subject = match line.kind {
            Kind::Runs => Subject::Manifest(run),
            Kind::InFlight => Subject::InFlight(run),
            Kind::Outcomes => Subject::Outcome(run),
            Kind::Steps => Subject::Step(run, line.kind.step_of(key).map_or(0, |(_, step)| step)),
            Kind::Documents => Subject::Document(String::from_utf8_lossy(key).into_owned()),
            _ => Subject::Other,
        };
        let json = line.value.map(str::to_owned);
        Self { subject, position: Position(place), version: line.version, kind: line.kind, key: line.key, json }
    }

    /// Returns whether the entry removes the record.
    pub fn is_removal(&self) -> bool {
        self.json.is_none()
    }

    /// Decodes the record.
    ///
    /// # Errors
    /// A record of another type or of a later version; a removal.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, StoreError> {
        let value = self.json.as_deref();
        Line { kind: self.kind, key: self.key.clone(), version: self.version, value }.decode()
    }

    /// Decodes a manifest. `document` finds the entries of its documents by their hashes.
    ///
    /// # Errors
    /// Those of [`Entry::decode`] and of `document`.
    pub fn manifest(
        &self,
        mut document: impl FnMut(&str) -> Result<Option<Self>, StoreError>,
    ) -> Result<RunManifest, StoreError> {
        let run = self.kind.number_of(&self.key)?;
        documents::filled(run, self.decode()?, |hash| match document(hash)? {
            Some(entry) => entry.decode(),
            None => Err(StoreError::Corrupt { place: format!("documents {hash}"), why: "it is missing".to_owned() }),
        })
    }
}

/// A reader of the lines of a store from a position on.
#[derive(Debug)]
pub struct Follower(Lines);

impl Follower {
    /// Opens a store at its first entry.
    ///
    /// # Errors
    /// A missing store, or a path that is not a store.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, StoreError> {
        let path = path.as_ref();
        must_exist(path)?;
        Log::to_read(path)?;
        Ok(Self::at(path, Position((1, 0))))
    }

    /// Returns a reader of a store from the entry at this position on.
    pub fn at(path: impl AsRef<Path>, position: Position) -> Self {
        Self(Lines::at(path.as_ref(), position.0))
    }

    /// Returns the position of the next entry.
    pub fn position(&self) -> Position {
        Position(self.0.next)
    }

    /// Reads the next entry, without damaged ones; `None` if it is not written yet.
    ///
    /// # Errors
    /// Files that cannot be read, or that lost lines that were read before.
    pub fn read(&mut self) -> Result<Option<Entry>, StoreError> {
        loop {
            let place = self.0.next;
            let mut found = self.0.read()?;
            if !found {
                if !self.has_next_file() {
                    return Ok(None);
                }
                // The last lines may have been appended just before the next file began.
                found = self.0.read()?;
            }
            if !found {
                self.0.next = (place.0 + 1, 0);
            } else if let Ok(line) = Line::parse(&self.0.line) {
                return Ok(Some(Entry::new(line, place)));
            }
        }
    }

    fn has_next_file(&self) -> bool {
        let path = self.0.store.join(log::name(self.0.next.0 + 1));
        path.metadata().is_ok_and(|found| found.is_file() && found.len() >= line::first().len() as u64)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::log::MAX_FILE;
    use crate::{Store, Timing};

    /// Reads all entries that are written, as `timings` keys in their order.
    fn drained(follower: &mut Follower) -> Vec<u64> {
        let entries = std::iter::from_fn(|| follower.read().unwrap());
        entries.map(|entry| entry.decode::<Timing>().unwrap().world_us).collect()
    }

    #[test]
    fn lines_are_read_once_in_order_across_files() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path()).unwrap();
        let mut follower = Follower::open(directory.path()).unwrap();
        assert!(drained(&mut follower).is_empty());
        let mut middle = follower.position();
        for (round, numbers) in [0..3, 3..200, 200..201].into_iter().enumerate() {
            for number in numbers.clone() {
                let timing = Timing { world_us: number, ..Timing::default() };
                store.add_timing(RunId(1), number, &timing).unwrap();
            }
            if round == 1 {
                middle = follower.position();
            }
            assert_eq!(drained(&mut follower), numbers.collect::<Vec<_>>());
        }
        assert!(follower.position() > middle && directory.path().join(log::name(3)).exists(), "one file");
        let mut second = Follower::at(directory.path(), middle);
        assert_eq!(drained(&mut second), (3..201).collect::<Vec<_>>());
        assert_eq!(second.position(), follower.position());
    }

    #[test]
    fn a_line_is_read_when_it_is_complete() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(directory.path()).unwrap();
        store.add_timing(RunId(1), 0, &Timing::default()).unwrap();
        drop(store);
        let path = directory.path().join(log::name(1));
        let whole = ltlcrit_files::read(&path, MAX_FILE).unwrap();
        let mut follower = Follower::open(directory.path()).unwrap();
        assert_eq!(drained(&mut follower).len(), 1);
        let line = &whole[line::first().len()..];
        let mut file = ltlcrit_files::append(&path).unwrap();
        file.write_all(&line[..20]).unwrap();
        assert!(follower.read().unwrap().is_none());
        // Another writer cuts the rest of a killed one off and writes its own lines.
        file.set_len(whole.len() as u64).unwrap();
        file.write_all(b"no record\n").unwrap();
        file.write_all(line).unwrap();
        assert_eq!(drained(&mut follower).len(), 1);
        file.set_len(whole.len() as u64).unwrap();
        assert!(matches!(follower.read(), Err(StoreError::Damaged { .. })));
    }

    #[test]
    fn a_path_without_a_store_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        assert!(matches!(Follower::open(directory.path().join("none")), Err(StoreError::Missing { .. })));
    }
}
