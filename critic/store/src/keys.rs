//! Keys of records. Numbers are big-endian, so that byte order is numeric order.

use serde::Deserialize;

use super::{RunId, StoreError};

/// The trees, with the length of their keys in bytes.
pub(super) const TREES: [(&str, usize); 9] = [
    ("runs", 8),
    ("documents", 64),
    ("steps", 16),
    ("in_flight", 8),
    ("outcomes", 8),
    ("conflicts", 16),
    ("timings", 16),
    ("proposals", 8),
    ("book_revisions", 8),
];

/// Returns the key of a step of a run.
pub(super) fn step_key(run: RunId, step: u64) -> [u8; 16] {
    let mut key = [0; 16];
    key[..8].copy_from_slice(&run.0.to_be_bytes());
    key[8..].copy_from_slice(&step.to_be_bytes());
    key
}

/// A key in the notation of a line.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Written {
    /// A number, or a run and a step.
    Numbers(Vec<u64>),
    /// A hash.
    Hash(String),
}

impl Written {
    /// Returns the tree with a name, and the key in it; `None` if the tree does not exist or has other keys.
    pub(crate) fn of_tree(self, tree: &str) -> Option<(&'static str, Vec<u8>)> {
        let key = match self {
            Self::Numbers(numbers) => numbers.iter().flat_map(|number| number.to_be_bytes()).collect(),
            Self::Hash(hash) => hash.into_bytes(),
        };
        let named = TREES.iter().find(|(name, length)| *name == tree && *length == key.len());
        named.map(|(tree, _)| (*tree, key))
    }
}

/// Renders a key in the notation of a line.
pub(super) fn written(key: &[u8]) -> String {
    match (number_of("", key), step_of("", key)) {
        (Ok(number), _) => format!("[{number}]"),
        (_, Ok((run, step))) => format!("[{run},{step}]"),
        _ => format!("{:?}", String::from_utf8_lossy(key)),
    }
}

/// Renders a record's tree and key for error messages.
pub(super) fn shown(tree: &str, key: &[u8]) -> String {
    match (number_of(tree, key), step_of(tree, key)) {
        (Ok(number), _) => format!("{tree} {number}"),
        (_, Ok((run, step))) => format!("{tree} {run}/{step}"),
        _ => format!("{tree} {}", String::from_utf8_lossy(key)),
    }
}

/// Returns the run of a record.
pub(super) fn run_of(tree: &str, key: &[u8]) -> Option<u64> {
    match tree {
        "runs" | "outcomes" | "in_flight" => number_of(tree, key).ok(),
        _ => step_of(tree, key).ok().map(|(run, _)| run),
    }
}

/// Returns the number in a key.
pub(super) fn number_of(tree: &str, key: &[u8]) -> Result<u64, StoreError> {
    key.try_into().map(u64::from_be_bytes).map_err(|_| bad_key(tree, key, 8))
}

/// Returns the run and the step in a key.
pub(super) fn step_of(tree: &str, key: &[u8]) -> Result<(u64, u64), StoreError> {
    let bytes: [u8; 16] = key.try_into().map_err(|_| bad_key(tree, key, 16))?;
    let both = u128::from_be_bytes(bytes);
    Ok(((both >> 64) as u64, both as u64))
}

fn bad_key(tree: &str, key: &[u8], length: usize) -> StoreError {
    let shown: String = key.iter().take(32).map(|byte| format!("{byte:02x}")).collect();
    StoreError::Corrupt {
        place: format!("{tree} key 0x{shown}"),
        why: format!("its key has {} bytes and should have {length}", key.len()),
    }
}
