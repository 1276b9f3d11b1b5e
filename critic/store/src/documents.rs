//! Documents: large values of manifests, each stored once under its hash.
//!
//! Runs of a batch share their configuration, vocabulary, books and laws. A stored manifest replaces each of these by
//! `{"sha256": HASH}`, the key of the value in the tree `documents`.

use serde_json::{Value, json};

use super::keys::Kind;
use super::line::{self, sha256};
use super::{RunManifest, Store, StoreError};

/// The field of a reference to a document.
const HASH: &str = "sha256";

/// Returns the values of a manifest that are documents, with the names of their fields.
fn documents(manifest: &mut Value) -> impl Iterator<Item = (&str, &mut Value)> {
    let fields = manifest.as_object_mut().into_iter().flatten();
    fields.flat_map(|(field, value)| {
        let values: Vec<_> = match (field.as_str(), value) {
            ("configuration" | "vocabulary" | "laws", value) => vec![value],
            // Learning changes only one book of several, so each book is a document of its own.
            ("books", Value::Array(books)) => books.iter_mut().collect(),
            _ => Vec::new(),
        };
        values.into_iter().map(|value| (field.as_str(), value))
    })
}

/// Decodes a manifest and inserts the documents that `document` finds.
pub(super) fn filled(
    run: u64,
    mut record: Value,
    mut document: impl FnMut(&str) -> Result<Value, StoreError>,
) -> Result<RunManifest, StoreError> {
    let corrupt = |why| StoreError::Corrupt { place: format!("runs {run}"), why };
    for (field, value) in documents(&mut record) {
        if let Some(hash) = value.get(HASH).and_then(Value::as_str) {
            let document = document(hash);
            *value = document.map_err(|error| corrupt(format!("it refers to its {field}: {error}")))?;
        }
    }
    serde_json::from_value(record).map_err(|error| corrupt(error.to_string()))
}

impl Store {
    /// Stores the documents of a manifest and returns the manifest with references to them.
    pub(super) fn with_references(&self, manifest: &RunManifest) -> Result<Value, StoreError> {
        let place = || format!("runs {}", manifest.run);
        let mut record = serde_json::to_value(manifest)
            .map_err(|error| StoreError::Unstorable { place: place(), why: error.to_string() })?;
        for (_, value) in documents(&mut record) {
            let json = line::json(Kind::Documents, place().as_bytes(), value)?;
            let hash = sha256(json.as_bytes());
            // An error means that the stored document is damaged.
            let stored = self.tree(Kind::Documents).with_json(hash.as_bytes(), |stored| stored == json);
            if !matches!(stored, Ok(Some(true))) {
                self.tree(Kind::Documents).write(hash.as_bytes(), line::VERSION, &json)?;
            }
            *value = json!({ HASH: hash });
        }
        Ok(record)
    }

    /// Decodes a manifest and inserts its documents.
    pub(super) fn whole_manifest(&self, run: u64, record: Value) -> Result<RunManifest, StoreError> {
        filled(run, record, |hash| self.document(hash))
    }

    /// Returns the document with a hash.
    pub(super) fn document(&self, hash: &str) -> Result<Value, StoreError> {
        let corrupt = |why: String| StoreError::Corrupt { place: format!("documents {hash}"), why };
        let read = |json: &str| (sha256(json.as_bytes()), serde_json::from_str(json));
        match self.tree(Kind::Documents).with_json(hash.as_bytes(), read)? {
            None => Err(corrupt("it is missing".to_owned())),
            Some((found, _)) if found != hash => Err(corrupt(format!("its content has the hash {found}"))),
            Some((_, document)) => document.map_err(|error| corrupt(error.to_string())),
        }
    }
}
