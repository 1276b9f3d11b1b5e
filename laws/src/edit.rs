//! Edits a book and keeps its comments, order and layout.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ltlcrit_verifier::law::Strength;
use ltlcrit_verifier::{Definition, Proposition, Vocabulary};
use serde::Serialize;
use thiserror::Error;
use toml_edit::ser::ValueSerializer;
use toml_edit::{ArrayOfTables, DocumentMut, Item, TableLike, Value};

use crate::book::Book;
use crate::diagnostic::BookErrors;
use crate::provenance::{Provenance, Status};

/// An edit that cannot be made, with the reason.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("the book `{book}` {why}")]
pub struct EditError {
    /// The book's name.
    pub book: String,
    /// The reason, a predicate of the book.
    pub why: String,
}

/// A law to add to a book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NewLaw {
    /// Its id, unique in the book.
    pub id: String,
    /// Its formula, in infix or prefix notation; [`Edit::finish`] reads it.
    pub formula: String,
    /// Hard or soft.
    pub strength: Strength,
    /// The reason for the law, in English.
    pub explanation: String,
    /// Proposed, on trial, adopted or retired.
    #[serde(flatten)]
    pub status: Status,
    /// Its origin.
    pub provenance: Provenance,
    /// A remark for readers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A derived observation to add to a book.
#[derive(Serialize)]
struct NewDerived<'a> {
    name: &'a str,
    definition: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    meaning: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    provenance: Option<&'a Provenance>,
}

/// Edits to the text of a book. The book stays as it is; [`Edit::finish`] returns the new one.
///
/// ```
/// use ltlcrit_laws::{Edit, NewLaw, Provenance, Status, Strength, shipped};
///
/// let book = shipped("saycan-soft").ok_or("it is shipped")?;
/// let mut edit = Edit::new(&book)?;
/// edit.set_status("saycan-soft-9", &Status::Retired { reason: "over-constrains".to_owned() })?;
/// edit.bump_revision()?;
/// let book = edit.finish()?;
/// assert_eq!(book.laws_in_force().len(), 14);
/// assert_eq!(book.id(), "saycan-soft@2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Edit {
    document: DocumentMut,
    book: String,
    source_name: String,
}

impl Edit {
    /// Begins to edit a book.
    ///
    /// # Errors
    /// A text that is not TOML, which the text of a [`Book`] always is.
    pub fn new(book: &Book) -> Result<Self, EditError> {
        let (name, source_name) = (book.name().to_owned(), book.source().name.to_string());
        match book.text().parse::<DocumentMut>() {
            Ok(document) => Ok(Self { document, book: name, source_name }),
            Err(error) => Err(EditError { book: name, why: format!("cannot be changed: {}", error.message()) }),
        }
    }

    /// Begins a book of this name over a vocabulary, without laws.
    pub fn of_new_book(name: &str, description: &str, vocabulary: &str) -> Self {
        let mut document = DocumentMut::new();
        document["name"] = toml_edit::value(name);
        document["description"] = toml_edit::value(description);
        document["revision"] = toml_edit::value(1);
        document["vocabulary"] = toml_edit::value(vocabulary);
        Self { document, book: name.to_owned(), source_name: name.to_owned() }
    }

    /// Adds a law after the last one.
    ///
    /// # Errors
    /// An id that another law has.
    pub fn add_law(&mut self, law: &NewLaw) -> Result<(), EditError> {
        if self.law_mut(&law.id).is_ok() {
            let why = format!("has a law `{}` already; retire that one and choose another id", law.id);
            return Err(self.error(why));
        }
        self.push("law", law)
    }

    /// Declares the parameters of a law: `?x - item`.
    ///
    /// # Errors
    /// The book has no such law.
    pub fn set_parameters(&mut self, id: &str, parameters: &str) -> Result<(), EditError> {
        self.law_mut(id)?.insert("parameters", Item::Value(parameters.into()));
        Ok(())
    }

    /// Adds a derived observation after the last one, unless the book has it.
    ///
    /// # Errors
    /// A proposition that is not derived, or that the book derives in another way.
    pub fn add_derived(&mut self, new: &Proposition, from: Option<&Provenance>) -> Result<(), EditError> {
        let name = &*new.name;
        let Some(definition) = &new.definition else {
            return Err(self.error(format!("derives nothing by the plain proposition `{name}`")));
        };
        let known = tables(&mut self.document, "proposition").find(|known| text(&**known, "name") == Some(name));
        match known.map(|known| text(known, "definition").and_then(|old| old.parse::<Definition>().ok())) {
            Some(Some(old)) if old == **definition => return Ok(()),
            Some(_) => {
                return Err(self.error(format!("derives `{name}` already, in another way; choose another name")));
            }
            None => {}
        }
        let meaning = Some(&*new.meaning).filter(|meaning| **meaning != *definition.meaning());
        self.push("proposition", &NewDerived { name, definition: definition.to_string(), meaning, provenance: from })
    }

    /// Sets the status of a law, with its reason if it has one.
    ///
    /// # Errors
    /// An id that no law has.
    pub fn set_status(&mut self, id: &str, status: &Status) -> Result<(), EditError> {
        let law = self.law_mut(id)?;
        set(law, "status", status.as_str().into());
        match status.reason() {
            Some(reason) => set(law, "reason", reason.into()),
            None => drop(law.remove("reason")),
        }
        Ok(())
    }

    /// Writes the outcome of a law's trial into its provenance.
    ///
    /// # Errors
    /// An id that no law has.
    pub fn set_trial(&mut self, id: &str, outcome: &str) -> Result<(), EditError> {
        let book = self.book.clone();
        match self.law_mut(id)?.get_mut("provenance") {
            Some(Item::Table(table)) => set(table, "trial", outcome.into()),
            Some(Item::Value(Value::InlineTable(table))) => {
                set(table, "trial", outcome.into());
                table.fmt();
            }
            _ => return Err(EditError { book, why: format!("has no table `provenance` in its law `{id}`") }),
        }
        Ok(())
    }

    /// Increments the revision and returns the new one. A running bot picks up a book whose revision rose.
    ///
    /// # Errors
    /// A revision that is not a number or cannot be incremented.
    pub fn bump_revision(&mut self) -> Result<u64, EditError> {
        let old = self.document.get("revision").and_then(Item::as_integer);
        let Some(new) = old.and_then(|old| old.checked_add(1)) else {
            return Err(self.error("has a revision that cannot be counted up".to_owned()));
        };
        set(self.document.as_table_mut(), "revision", new.into());
        Ok(new.unsigned_abs())
    }

    /// The changed text.
    pub fn text(&self) -> String {
        self.document.to_string()
    }

    /// Reads the changed text as a book.
    ///
    /// # Errors
    /// All problems of the changed text.
    pub fn finish(self) -> Result<Book, BookErrors> {
        Book::parse(&self.document.to_string(), &self.source_name)
    }

    /// Reads the changed text as a book over a vocabulary.
    ///
    /// # Errors
    /// All problems of the changed text.
    pub fn finish_over(self, vocabulary: &Arc<Vocabulary>) -> Result<Book, BookErrors> {
        Book::parse_over(&self.document.to_string(), &self.source_name, vocabulary)
    }

    fn law_mut(&mut self, id: &str) -> Result<&mut dyn TableLike, EditError> {
        let missing = self.error(format!("has no law `{id}`"));
        tables(&mut self.document, "law").find(|law| text(&**law, "id") == Some(id)).ok_or(missing)
    }

    fn error(&self, why: String) -> EditError {
        EditError { book: self.book.clone(), why }
    }

    /// Appends a table to a list, in the list's notation.
    fn push(&mut self, list: &str, value: &impl Serialize) -> Result<(), EditError> {
        let value = value
            .serialize(ValueSerializer::new())
            .map_err(|error| self.error(format!("cannot be changed: {error}")))?;
        let other = self.error(format!("has a `{list}` that is not a list of tables"));
        let is_first = self.document.get(list).is_none();
        let all = self.document.entry(list).or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
        match (all, value) {
            (Item::Value(Value::Array(tables)), value) => tables.push(value),
            (Item::ArrayOfTables(tables), Value::InlineTable(table)) => {
                let mut table = table.into_table();
                table.decor_mut().set_prefix("\n");
                if is_first && list == "proposition" {
                    // Before the laws, which may mention it.
                    table.set_position(Some(0));
                }
                tables.push(table);
            }
            _ => return Err(other),
        }
        Ok(())
    }
}

/// Returns the tables of a list.
fn tables<'a>(document: &'a mut DocumentMut, list: &str) -> Box<dyn Iterator<Item = &'a mut dyn TableLike> + 'a> {
    match document.get_mut(list) {
        Some(Item::ArrayOfTables(tables)) => Box::new(tables.iter_mut().map(|table| table as _)),
        Some(Item::Value(Value::Array(tables))) => {
            Box::new(tables.iter_mut().filter_map(Value::as_inline_table_mut).map(|table| table as _))
        }
        _ => Box::new(std::iter::empty()),
    }
}

fn text<'a>(table: &'a dyn TableLike, key: &str) -> Option<&'a str> {
    table.get(key).and_then(Item::as_str).map(str::trim)
}

/// Sets a value and keeps the spaces and the comment around the old one.
fn set(table: &mut dyn TableLike, key: &str, mut value: Value) {
    match table.get_mut(key).and_then(Item::as_value_mut) {
        Some(old) => {
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        None => {
            table.insert(key, Item::Value(value));
        }
    }
}

/// A book that could not be written; the old file is untouched.
#[derive(Debug, Error)]
#[error("the book cannot be written to {path}: {error}")]
pub struct SaveError {
    /// The file.
    pub path: PathBuf,
    /// The reason.
    #[source]
    pub error: std::io::Error,
}

impl Book {
    /// Writes the book's text to a file atomically, even if the power fails.
    ///
    /// # Errors
    /// Errors of the file system; the old file is then untouched.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), SaveError> {
        let path = path.as_ref();
        ltlcrit_files::replace(path, self.text().as_bytes()).map_err(|error| SaveError { path: path.to_owned(), error })
    }
}

#[cfg(test)]
mod tests;
