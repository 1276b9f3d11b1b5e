//! Reads the engine's log as far as it is intact, without the engine and without writing anything.
//!
//! The engine stops at the first damage in a log. Every entry of the log has its own checksum, so intact entries after
//! the damage can still be recognised; each sets a key to a value. Entries are reported in the order in which they were
//! written, so the last one for a key counts.
//!
//! An entry is a checksum (4 bytes), a kind (1 byte), the body's length, the segment's number, the page's number, and the
//! body. The body is one change of a page (a link), a whole page (a node), or the name of a file that holds either.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::Path;

use super::bytes::Bytes;
use crate::StoreError;
use crate::segment::{self, HEADER, Header, SEGMENT};

/// The most bytes of one damaged segment that are searched for the beginnings of entries.
const SEARCH: usize = 64 << 20;
/// The longest body read from a file of its own.
const LONGEST_BODY: u64 = 1 << 30;

/// The longest an entry is before its body; what is left of a segment when it is shorter stays empty.
const LONGEST_HEAD: usize = 32;

/// The content of an entry.
pub enum LoggedChange<'a> {
    /// A key on a page has a value.
    Set(u64, Vec<u8>, &'a [u8]),
    /// A key on a page was removed.
    Removed(u64, Vec<u8>),
}

/// The callback for every change.
pub type OnChange<'a> = dyn FnMut(LoggedChange<'_>) -> Result<(), StoreError> + 'a;

/// Whether the log of a store has damage. A store that another process has open is not checked.
pub(crate) fn is_damaged(path: &Path) -> Result<bool, StoreError> {
    let Ok(lock) = File::open(path.join("db")) else { return Ok(false) };
    match lock.try_lock_shared() {
        Err(std::fs::TryLockError::WouldBlock) => Ok(false),
        _ => Ok(read(path, &mut |_| Ok(()))? > 0),
    }
}

/// Reads the log of the store in a directory. Returns how many segments have damage.
pub fn read(store: &Path, change: &mut OnChange<'_>) -> Result<u64, StoreError> {
    let failed = |error: io::Error| StoreError::Read { path: store.to_owned(), why: error.to_string() };
    let mut file = File::open(store.join("db")).map_err(failed)?;
    let mut order = BTreeMap::new();
    for segment in 0..segment::segments(file.metadata().map_err(failed)?.len()) {
        let head = Header::parse(&segment::read(&mut file, segment, HEADER).map_err(failed)?);
        let number = match head {
            Some(header) => Some((header.position / SEGMENT as i64) as u64),
            None => {
                let bytes = segment::read(&mut file, segment, SEGMENT).map_err(failed)?;
                Entries::of(&bytes, None).next().map(|entry| entry.segment)
            }
        };
        order.extend(number.map(|number| ((number, segment), head.is_some())));
    }
    let last = order.last_key_value().map(|(place, _)| *place);
    let mut pages = Pages { store, prefixes: BTreeMap::new() };
    let mut damaged = 0;
    for (place, has_header) in order {
        let bytes = segment::read(&mut file, place.1, SEGMENT).map_err(failed)?;
        let mut entries = Entries::of(&bytes, Some(place.0));
        for entry in entries.by_ref() {
            pages.read(&entry, change)?;
        }
        // Only the last segment may end before it is full, but for what is too short for an entry, or where the engine
        // has cleared what a killed process had begun to write.
        let end = &bytes[bytes.len().saturating_sub(entries.noise)..];
        let is_cut = end.len() >= LONGEST_HEAD && end.iter().any(|byte| *byte != 0) && Some(place) != last;
        damaged += u64::from(!has_header || entries.skipped || is_cut);
    }
    Ok(damaged)
}

/// An intact entry.
struct Entry<'a> {
    kind: u8,
    segment: u64,
    page: u64,
    body: &'a [u8],
}

/// The intact entries of a segment.
struct Entries<'a> {
    bytes: &'a [u8],
    at: usize,
    segment: Option<u64>,
    budget: usize,
    /// The bytes since the last entry that are not an entry.
    noise: usize,
    /// Whether an entry came after noise.
    skipped: bool,
}

impl<'a> Entries<'a> {
    fn of(bytes: &'a [u8], segment: Option<u64>) -> Self {
        Self { bytes, at: HEADER, segment, budget: SEARCH, noise: 0, skipped: false }
    }

    /// The entry that begins at some bytes, and its length.
    fn parse(&mut self, bytes: &'a [u8]) -> Option<(Entry<'a>, usize)> {
        let mut rest = Bytes(bytes);
        let sum = u32::from_le_bytes(*rest.take(4)?.first_chunk()?);
        let kind = rest.byte().filter(|kind| (1..=11).contains(kind))?;
        let length = usize::try_from(rest.number()?).ok()?;
        let segment = rest.number().filter(|segment| self.segment.is_none_or(|same| same == *segment))?;
        let page = rest.number()?;
        let head = &bytes[4..bytes.len() - rest.0.len()];
        let body = rest.take(length)?;
        self.budget = self.budget.checked_sub(length)?;
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(body);
        hasher.update(head);
        (hasher.finalize() ^ u32::MAX == sum).then_some((Entry { kind, segment, page, body }, 4 + head.len() + length))
    }
}

impl<'a> Iterator for Entries<'a> {
    type Item = Entry<'a>;

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(bytes) = self.bytes.get(self.at..).filter(|bytes| !bytes.is_empty()) {
            if let Some((entry, length)) = self.parse(bytes) {
                self.skipped |= self.noise > 0;
                self.noise = 0;
                self.at += length;
                self.segment = Some(entry.segment);
                return Some(entry);
            }
            self.noise += 1;
            self.at += 1;
        }
        None
    }
}

/// The pages of the log so far. Keys are written without the common prefix of their page.
struct Pages<'a> {
    store: &'a Path,
    prefixes: BTreeMap<u64, Vec<u8>>,
}

impl Pages<'_> {
    /// Reports the changes of an entry.
    fn read(&mut self, entry: &Entry<'_>, change: &mut OnChange<'_>) -> Result<(), StoreError> {
        match entry.kind {
            8 => self.node(entry.page, entry.body, change),
            10 => self.link(entry.page, entry.body, change),
            // The file of a replaced entry does not exist any more.
            9 | 11 => match blob(self.store, entry) {
                Some((8 | 9, body)) => self.node(entry.page, &body, change),
                Some((10 | 11, body)) => self.link(entry.page, &body, change),
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn link(&self, page: u64, body: &[u8], change: &mut OnChange<'_>) -> Result<(), StoreError> {
        let mut rest = Bytes(body);
        let (Some(kind), Some(key)) = (rest.byte(), rest.slice()) else { return Ok(()) };
        // A page that was moved later is in the log again, with this change.
        let Some(prefix) = self.prefixes.get(&page) else { return Ok(()) };
        let key = [prefix, key].concat();
        match (kind, rest.slice()) {
            (0, Some(value)) => change(LoggedChange::Set(page, key, value)),
            (1, _) => change(LoggedChange::Removed(page, key)),
            _ => Ok(()),
        }
    }

    fn node(&mut self, page: u64, body: &[u8], change: &mut OnChange<'_>) -> Result<(), StoreError> {
        let Some(Node { prefix, pairs }) = node(body) else { return Ok(()) };
        for (key, value) in pairs {
            change(LoggedChange::Set(page, [prefix, key].concat(), value))?;
        }
        self.prefixes.insert(page, prefix.to_vec());
        Ok(())
    }
}

/// The prefix of all keys of a page, and the rest of each key with its value. A page that leads to others has no pairs.
struct Node<'a> {
    prefix: &'a [u8],
    pairs: Vec<(&'a [u8], &'a [u8])>,
}

/// Reads a page.
fn node(body: &[u8]) -> Option<Node<'_>> {
    let mut rest = Bytes(body);
    let (_next, _merging_child, _merging) = (rest.number()?, rest.number()?, rest.byte()?);
    let prefix_length = usize::from(rest.byte()?);
    let (low, _high) = (rest.slice()?, rest.slice()?);
    let prefix = low.get(..prefix_length)?;
    let (kind, count) = (rest.byte()?, rest.number()?);
    if kind != 0 {
        return Some(Node { prefix, pairs: Vec::new() });
    }
    let mut keys = Vec::new();
    for _ in 0..count {
        keys.push(rest.slice()?);
    }
    let pairs: Option<Vec<_>> = keys.into_iter().map(|key| Some((key, rest.slice()?))).collect();
    Some(Node { prefix, pairs: pairs? })
}

/// The kind and the body that an entry keeps in a file of its own.
fn blob(store: &Path, entry: &Entry<'_>) -> Option<(u8, Vec<u8>)> {
    let name = i64::from_le_bytes(*entry.body.first_chunk()?).to_string();
    let path = store.join("blobs").join(name);
    if path.metadata().ok()?.len() > LONGEST_BODY {
        return None;
    }
    let bytes = std::fs::read(path).ok()?;
    let sum = u32::from_le_bytes(*bytes.first_chunk()?);
    let summed = bytes.get(4..)?;
    let (kind, body) = summed.split_first()?;
    (crc32fast::hash(summed) == sum).then(|| (*kind, body.to_vec()))
}
