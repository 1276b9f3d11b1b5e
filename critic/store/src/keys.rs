//! Kinds of records, and their keys. Numbers in keys are big-endian, so that byte order is numeric order.

use serde::Deserialize;
use strum::{EnumString, IntoStaticStr, VariantArray};

use super::{RunId, StoreError};

/// A kind of records, by the name of its tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, EnumString, IntoStaticStr, VariantArray)]
#[strum(serialize_all = "snake_case")]
pub(super) enum Kind {
    Runs,
    Documents,
    Steps,
    InFlight,
    Outcomes,
    Conflicts,
    Timings,
    Proposals,
    BookRevisions,
}

impl Kind {
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Returns the length of its keys, in bytes.
    fn key_length(self) -> usize {
        match self {
            Self::Documents => 64,
            Self::Steps | Self::Conflicts | Self::Timings => 16,
            _ => 8,
        }
    }

    /// Renders the kind and a key for error messages.
    pub fn shown(self, key: &[u8]) -> String {
        let key = numbers(key).map_or_else(|| String::from_utf8_lossy(key).into_owned(), |numbers| numbers.join("/"));
        format!("{} {key}", self.name())
    }

    /// Returns the run of a record.
    pub fn run_of(self, key: &[u8]) -> Option<u64> {
        match self {
            Self::Documents | Self::Proposals | Self::BookRevisions => None,
            _ => key.first_chunk().map(|run| u64::from_be_bytes(*run)),
        }
    }

    /// Returns the number in a key.
    pub fn number_of(self, key: &[u8]) -> Result<u64, StoreError> {
        key.try_into().map(u64::from_be_bytes).map_err(|_| self.bad(key))
    }

    /// Returns the run and the step in a key.
    pub fn step_of(self, key: &[u8]) -> Result<(u64, u64), StoreError> {
        let both = u128::from_be_bytes(key.try_into().map_err(|_| self.bad(key))?);
        Ok(((both >> 64) as u64, both as u64))
    }

    fn bad(self, key: &[u8]) -> StoreError {
        let why = format!("its key has {} bytes and should have {}", key.len(), self.key_length());
        StoreError::Corrupt { place: self.shown(key), why }
    }
}

/// Returns the key of a step of a run.
pub(super) fn step_key(run: RunId, step: u64) -> [u8; 16] {
    ((u128::from(run.0) << 64) | u128::from(step)).to_be_bytes()
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
    /// Returns the kind of this name, and the key; `None` if the kind does not exist or has other keys.
    pub(crate) fn of_kind(self, name: &str) -> Option<(Kind, Vec<u8>)> {
        let key = match self {
            Self::Numbers(numbers) => numbers.iter().flat_map(|number| number.to_be_bytes()).collect(),
            Self::Hash(hash) => hash.into_bytes(),
        };
        let kind: Kind = name.parse().ok()?;
        (kind.key_length() == key.len()).then_some((kind, key))
    }
}

/// Renders a key in the notation of a line.
pub(super) fn written(key: &[u8]) -> String {
    let hash = || format!("{:?}", String::from_utf8_lossy(key));
    numbers(key).map_or_else(hash, |numbers| format!("[{}]", numbers.join(",")))
}

/// Returns the one or two numbers of a key; `None` for a hash.
fn numbers(key: &[u8]) -> Option<Vec<String>> {
    let (numbers, rest) = key.as_chunks();
    let is_hash = numbers.len() > 2 || !rest.is_empty();
    (!is_hash).then(|| numbers.iter().map(|number| u64::from_be_bytes(*number).to_string()).collect())
}
