//! The format of a line: checksum, format version, tree, key, and record.
//!
//! `{"crc":"0a1b2c3d","v":2,"tree":"steps","key":[1,3],"value":{…}}`. The checksum is the CRC-32 of everything after
//! it, up to the line's end, in hexadecimal. The value `null` removes the record. The first line of a file has the
//! store's format instead of a record.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::StoreError;
use super::error::FORMAT;
use super::keys::{self, Kind};

/// The version of every record.
pub(super) const VERSION: u8 = 2;
/// Maximum size of a line, in bytes.
pub(super) const MAX_LINE: usize = 64 << 20;

const BEGIN: &[u8] = b"{\"crc\":\"";
/// The number of bytes before those that the checksum covers.
const UNCHECKED: usize = BEGIN.len() + 8 + 1;
const VALUE: &[u8] = b",\"value\":";
/// Maximum size of the part before the value, in bytes.
const MAX_HEAD: usize = 200;

/// The content of a line.
#[derive(Debug)]
pub(super) struct Line<'a> {
    /// The record's kind.
    pub kind: Kind,
    /// The record's key in it.
    pub key: Vec<u8>,
    /// The version of the record.
    pub version: u8,
    /// The record as JSON; `None` if it is removed.
    pub value: Option<&'a str>,
}

/// The kind and the key that a line claims.
pub(super) type About = (Kind, Vec<u8>);

#[derive(Deserialize)]
struct Head<'a> {
    v: u8,
    tree: &'a str,
    key: keys::Written,
}

impl<'a> Line<'a> {
    /// Parses a line without its line break. The error holds the reason, and the kind and key that the line claims.
    pub fn parse(line: &'a [u8]) -> Result<Self, (String, Option<About>)> {
        let parsed = Self::unchecked(line.get(UNCHECKED..).unwrap_or_default());
        match (content(line), parsed) {
            (Ok(_), Some(parsed)) => Ok(parsed),
            (Ok(_), None) => Err(("it is not a record of a store".to_owned(), None)),
            (Err(why), parsed) => Err((why, parsed.map(|line| (line.kind, line.key)))),
        }
    }

    fn unchecked(rest: &'a [u8]) -> Option<Self> {
        let head = &rest[..rest.len().min(MAX_HEAD)];
        let end = head.windows(VALUE.len()).position(|window| window == VALUE)?;
        let mut json = rest.get(..end)?.to_vec();
        *json.first_mut()? = b'{';
        json.push(b'}');
        let Head { v, tree, key } = serde_json::from_slice(&json).ok()?;
        let (kind, key) = key.of_kind(tree)?;
        let value = &rest[end + VALUE.len()..];
        // The checksum proves that the end is complete.
        let value = std::str::from_utf8(value.strip_suffix(b"}").unwrap_or(value)).ok()?;
        Some(Self { kind, key, version: v, value: (value != "null").then_some(value) })
    }

    /// Decodes the record.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, StoreError> {
        let place = || self.kind.shown(&self.key);
        if self.version != VERSION {
            return Err(StoreError::Version { place: place(), found: self.version, known: VERSION });
        }
        serde_json::from_str(self.json())
            .map_err(|error| StoreError::Corrupt { place: place(), why: error.to_string() })
    }

    /// Returns the record as JSON; `null` if it is removed.
    pub fn json(&self) -> &'a str {
        self.value.unwrap_or("null")
    }
}

/// Returns the content of a line if its checksum is right; otherwise the reason.
fn content(line: &[u8]) -> Result<&[u8], String> {
    let (sum, rest) = line
        .strip_prefix(BEGIN)
        .and_then(|rest| rest.split_first_chunk::<8>())
        .ok_or_else(|| "it does not begin with a checksum".to_owned())?;
    let actual = format!("{:08x}", crc32fast::hash(rest.get(1..).unwrap_or_default()));
    match sum == actual.as_bytes() && rest.first() == Some(&b'"') {
        true => Ok(line),
        false => Err(format!("its checksum is {actual} and should be {}", String::from_utf8_lossy(sum))),
    }
}

/// Builds a line, with its line break, from the content after its checksum.
fn line(rest: &str) -> String {
    format!("{{\"crc\":\"{:08x}\"{rest}\n", crc32fast::hash(rest.as_bytes()))
}

/// Builds the line of a record, or of its removal, in a given version.
pub(super) fn encode(kind: Kind, key: &[u8], version: u8, value: &str) -> String {
    let (tree, key) = (kind.name(), keys::written(key));
    line(&format!(",\"v\":{version},\"tree\":\"{tree}\",\"key\":{key},\"value\":{value}}}"))
}

/// Serialises a record as JSON.
pub(super) fn json<T: Serialize>(kind: Kind, key: &[u8], record: &T) -> Result<String, StoreError> {
    let unstorable = |why: String| StoreError::Unstorable { place: kind.shown(key), why };
    let json = serde_json::to_string(record).map_err(|error| unstorable(error.to_string()))?;
    match json.len() {
        length if length + MAX_HEAD > MAX_LINE => {
            Err(unstorable(format!("it has {length} bytes, more than {MAX_LINE}")))
        }
        _ => Ok(json),
    }
}

/// Returns the first line of a file, with its line break.
pub(super) fn first() -> String {
    line(&format!(",\"format\":\"{FORMAT}\"}}"))
}

/// Returns the format in the first line of a file; `None` if the line has none.
pub(super) fn format_of(line: &[u8]) -> Option<String> {
    let first: Value = serde_json::from_slice(content(line).ok()?).ok()?;
    first.get("format")?.as_str().map(str::to_owned)
}

/// Builds the line, with its line break, that stores the end of the lines: the number of files and the bytes of the
/// last one.
pub(super) fn end((files, bytes): (u32, u64)) -> String {
    line(&format!(",\"files\":{files},\"bytes\":{bytes}}}"))
}

/// Parses such a line: the number of files and the bytes of the last one.
pub(super) fn end_of(line: &[u8]) -> Option<(u32, u64)> {
    let end: Value = serde_json::from_slice(content(line.strip_suffix(b"\n")?).ok()?).ok()?;
    Some((end.get("files")?.as_u64()?.try_into().ok()?, end.get("bytes")?.as_u64()?))
}

/// Returns the SHA-256 of bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RunId;

    #[test]
    fn round_trip() {
        let key = keys::step_key(RunId(1), 2);
        let numbers = [1.1, 0.1 + 0.2, f64::MIN_POSITIVE];
        let line = encode(Kind::Steps, &key, VERSION, &json(Kind::Steps, &key, &numbers).unwrap());
        let parsed = Line::parse(line.trim_end().as_bytes()).unwrap();
        assert_eq!((parsed.kind, &parsed.key), (Kind::Steps, &key.to_vec()));
        assert_eq!(parsed.decode::<Vec<f64>>().unwrap(), numbers);
        assert_eq!(end_of(end((2, 300)).as_bytes()), Some((2, 300)));
        assert_eq!(format_of(first().trim_end().as_bytes()).as_deref(), Some(FORMAT));
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_noticed() {
        let line = encode(Kind::Outcomes, &7_u64.to_be_bytes(), VERSION, "\"letters\"");
        let line = line.trim_end().as_bytes();
        for bit in 0..line.len() * 8 {
            let mut damaged = line.to_vec();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert!(Line::parse(&damaged).is_err(), "bit {bit}");
        }
        for length in 0..line.len() {
            assert!(Line::parse(&line[..length]).is_err(), "cut at {length}");
        }
    }

    #[test]
    fn a_newer_version_is_refused_by_name() {
        let line = encode(Kind::Steps, &keys::step_key(RunId(1), 2), VERSION + 1, "1");
        let message = Line::parse(line.trim_end().as_bytes()).unwrap().decode::<u32>().unwrap_err().to_string();
        assert_eq!(
            message,
            "steps 1/2: this record has version 3, this program knows versions up to 2; use a newer ltlcrit"
        );
    }
}
