//! Keys of records. Numbers are big-endian, so that byte order is numeric order.

use super::{RunId, StoreError};

/// The key of a step of a run.
pub(super) fn step_key(run: RunId, step: u64) -> [u8; 16] {
    let mut key = [0; 16];
    key[..8].copy_from_slice(&run.0.to_be_bytes());
    key[8..].copy_from_slice(&step.to_be_bytes());
    key
}

/// A record's tree and key as text for errors.
pub(super) fn place(tree: &str, number: u64, step: Option<u64>) -> String {
    match step {
        Some(step) => format!("{tree} {number}/{step}"),
        None => format!("{tree} {number}"),
    }
}

/// The number in a key.
pub(super) fn number_of(tree: &str, key: &[u8]) -> Result<u64, StoreError> {
    key.try_into().map(u64::from_be_bytes).map_err(|_| bad_key(tree, key, 8))
}

/// The run and the step in a key.
pub(super) fn step_of(tree: &str, key: &[u8]) -> Result<(u64, u64), StoreError> {
    let (run, step) = key.split_at_checked(8).ok_or_else(|| bad_key(tree, key, 16))?;
    let step = step.try_into().map_err(|_| bad_key(tree, key, 16))?;
    Ok((number_of(tree, run)?, u64::from_be_bytes(step)))
}

fn bad_key(tree: &str, key: &[u8], length: usize) -> StoreError {
    StoreError::Corrupt {
        place: shown_key(tree, key),
        why: format!("its key has {} bytes and should have {length}", key.len()),
    }
}

/// A malformed key as text for errors.
pub(super) fn shown_key(tree: &str, key: &[u8]) -> String {
    let shown: String = key.iter().take(32).map(|byte| format!("{byte:02x}")).collect();
    format!("{tree} key 0x{shown}")
}
