//! Documents: large values of manifests, each stored once under its hash.
//!
//! Runs of a batch share their configuration, vocabulary, books and laws. In place of each of these, a stored manifest has
//! `{"sha256": HASH}`, the key of the value in the tree `documents`. A manifest of version 1 contains the values
//! themselves and is read as it is.

use serde_json::{Value, json};

use super::codec::sha256;
use super::keys::place;
use super::{RunManifest, Store, StoreError, codec};

/// The field of a reference to a document.
const HASH: &str = "sha256";

/// The values of a manifest that are documents, with the names of their fields.
fn documents(manifest: &mut Value) -> impl Iterator<Item = (&str, &mut Value)> {
    let fields = manifest.as_object_mut().into_iter().flatten();
    fields.flat_map(|(field, value)| {
        let values: Vec<_> = match (field.as_str(), value) {
            ("configuration" | "vocabulary" | "laws", value) => vec![value],
            // Only one book of several is changed by learning.
            ("books", Value::Array(books)) => books.iter_mut().collect(),
            _ => Vec::new(),
        };
        values.into_iter().map(|value| (field.as_str(), value))
    })
}

impl Store {
    /// Stores the documents of a manifest and encodes the rest.
    pub(super) fn encode_manifest(&self, manifest: &RunManifest) -> Result<Vec<u8>, StoreError> {
        let here = place("runs", manifest.run.0, None);
        let mut record = serde_json::to_value(manifest)
            .map_err(|error| StoreError::Unstorable { place: here.clone(), why: error.to_string() })?;
        for (_, value) in documents(&mut record) {
            let bytes = codec::encode(&here, value)?;
            let hash = sha256(codec::payload(&bytes));
            if self.documents.get(&hash)?.is_none_or(|stored| stored != bytes) {
                self.documents.insert(&hash, bytes)?;
            }
            *value = json!({ HASH: hash });
        }
        codec::encode(&here, &record)
    }

    /// The manifest of a decoded record, with its documents.
    pub(super) fn whole_manifest(&self, run: u64, mut record: Value) -> Result<RunManifest, StoreError> {
        let corrupt = |why| StoreError::Corrupt { place: place("runs", run, None), why };
        for (field, value) in documents(&mut record) {
            if let Some(hash) = value.get(HASH).and_then(Value::as_str) {
                let document = self.document(hash);
                *value = document.map_err(|error| corrupt(format!("it refers to its {field}: {error}")))?;
            }
        }
        serde_json::from_value(record).map_err(|error| corrupt(error.to_string()))
    }

    /// The document with a hash.
    pub(super) fn document(&self, hash: &str) -> Result<Value, StoreError> {
        let here = || format!("documents {hash}");
        let Some(bytes) = self.documents.get(hash)? else {
            return Err(StoreError::Corrupt { place: here(), why: "it is missing".to_owned() });
        };
        let document = codec::decode(&here, &bytes)?;
        match sha256(codec::payload(&bytes)) {
            found if found == hash => Ok(document),
            found => Err(StoreError::Corrupt { place: here(), why: format!("its content has the hash {found}") }),
        }
    }
}
