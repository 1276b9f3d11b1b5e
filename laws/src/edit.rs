//! Edits a book and keeps its comments, order and layout.

use std::path::{Path, PathBuf};

use ltlcrit_verifier::law::Strength;
use ltlcrit_verifier::{Definition, Proposition};
use thiserror::Error;
use toml_edit::{Array, ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value};

use crate::book::Book;
use crate::diagnostic::BookErrors;
use crate::provenance::{Provenance, Status};

/// The reason why an edit cannot be made.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum EditError {
    /// No law has this id.
    #[error("the book `{book}` has no law `{id}`")]
    NoSuchLaw {
        /// The book's name.
        book: String,
        /// The requested id.
        id: String,
    },
    /// Another law has this id.
    #[error("the book `{book}` has a law `{id}` already; retire that one and choose another id")]
    Taken {
        /// The book's name.
        book: String,
        /// The requested id.
        id: String,
    },
    /// The book derives this proposition differently.
    #[error("the book `{book}` derives `{name}` already, in another way; choose another name")]
    DerivedDifferently {
        /// The book's name.
        book: String,
        /// The proposition's name.
        name: String,
    },
    /// The text of the book cannot be edited.
    #[error("the text of the book `{book}` cannot be changed: {why}")]
    Text {
        /// The book's name.
        book: String,
        /// The reason.
        why: String,
    },
}

/// A law to add to a book.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewLaw {
    /// Its id, unique in the book.
    pub id: String,
    /// Its formula, in infix or prefix notation; [`Edit::finish`] reads it.
    pub formula: String,
    /// Hard or soft.
    pub strength: Strength,
    /// The reason for the law, in English.
    pub explanation: String,
    /// Its origin.
    pub provenance: Provenance,
    /// Proposed, on trial, adopted or retired.
    pub status: Status,
    /// A remark for readers.
    pub note: Option<String>,
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
        let document = book
            .text()
            .parse::<DocumentMut>()
            .map_err(|error| EditError::Text { book: book.name().to_owned(), why: error.message().to_owned() })?;
        Ok(Self { document, book: book.name().to_owned(), source_name: book.source().name.to_string() })
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
        if self.law_mut(&law.id).is_some() {
            return Err(EditError::Taken { book: self.book.clone(), id: law.id.clone() });
        }
        let laws = self.document.entry("law").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
        match laws {
            Item::ArrayOfTables(laws) => {
                let mut table = Table::new();
                fill(&mut table, law);
                table.decor_mut().set_prefix("\n");
                laws.push(table);
                Ok(())
            }
            Item::Value(Value::Array(laws)) => {
                let mut table = InlineTable::new();
                fill(&mut table, law);
                laws.push(table);
                Ok(())
            }
            _ => Err(EditError::Text { book: self.book.clone(), why: "`law` is not a list of laws".to_owned() }),
        }
    }

    /// Declares the parameters of a law: `?x - item`.
    ///
    /// # Errors
    /// The book has no such law.
    pub fn set_parameters(&mut self, id: &str, parameters: &str) -> Result<(), EditError> {
        let (book, why) = (self.book.clone(), format!("it has no law `{id}`"));
        let law = self.law_mut(id).ok_or(EditError::Text { book, why })?;
        law.insert("parameters", Item::Value(parameters.into()));
        Ok(())
    }

    /// Adds a derived observation after the last one, unless the book has it.
    ///
    /// # Errors
    /// A proposition that is not derived, or that the book derives in another way.
    pub fn add_derived(&mut self, new: &Proposition, from: Option<&Provenance>) -> Result<(), EditError> {
        let (book, name) = (self.book.clone(), new.name.to_string());
        let Some(definition) = &new.definition else {
            return Err(EditError::Text { book, why: format!("`{name}` is not derived") });
        };
        let text = definition.to_string();
        let is_first = self.document.get("proposition").is_none();
        let all = self.document.entry("proposition").or_insert_with(|| Item::ArrayOfTables(ArrayOfTables::new()));
        let known = |table: &dyn TableLike| {
            let text = |key| table.get(key).and_then(Item::as_str).map(str::trim);
            (text("name") == Some(&name)).then(|| text("definition").and_then(|old| old.parse::<Definition>().ok()))
        };
        let known = match &*all {
            Item::ArrayOfTables(tables) => tables.iter().find_map(|table| known(table)),
            Item::Value(Value::Array(tables)) => {
                tables.iter().filter_map(Value::as_inline_table).find_map(|table| known(table))
            }
            _ => return Err(EditError::Text { book, why: "`proposition` is not a list of propositions".to_owned() }),
        };
        match known {
            Some(Some(old)) if old == **definition => return Ok(()),
            Some(_) => return Err(EditError::DerivedDifferently { book, name }),
            None => {}
        }
        let fill = |table: &mut dyn TableLike| {
            let mut put = |key: &str, value: Value| drop(table.insert(key, Item::Value(value)));
            put("name", name.as_str().into());
            put("definition", text.as_str().into());
            if *new.meaning != *definition.meaning() {
                put("meaning", (*new.meaning).into());
            }
            if let Some(from) = from {
                put("provenance", provenance(from).into());
            }
        };
        match all {
            Item::ArrayOfTables(tables) => {
                let mut table = Table::new();
                fill(&mut table);
                table.decor_mut().set_prefix("\n");
                if is_first {
                    // Before the laws, which may mention it.
                    table.set_position(Some(0));
                }
                tables.push(table);
            }
            Item::Value(Value::Array(tables)) => {
                let mut table = InlineTable::new();
                fill(&mut table);
                tables.push(table);
            }
            _ => {}
        }
        Ok(())
    }

    /// Sets the status of a law, with its reason if it has one.
    ///
    /// # Errors
    /// An id that no law has.
    pub fn set_status(&mut self, id: &str, status: &Status) -> Result<(), EditError> {
        let book = self.book.clone();
        let law = self.law_mut(id).ok_or_else(|| EditError::NoSuchLaw { book, id: id.to_owned() })?;
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
        let (book, why) = (self.book.clone(), format!("the law `{id}` has no table `provenance`"));
        let law = self.law_mut(id).ok_or_else(|| EditError::NoSuchLaw { book: book.clone(), id: id.to_owned() })?;
        let missing = || EditError::Text { book: book.clone(), why: why.clone() };
        let provenance = law.get_mut("provenance").ok_or_else(missing)?;
        set(provenance.as_table_like_mut().ok_or_else(missing)?, "trial", outcome.into());
        if let Some(inline) = provenance.as_inline_table_mut() {
            inline.fmt();
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
            let why = "its revision cannot be counted up".to_owned();
            return Err(EditError::Text { book: self.book.clone(), why });
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

    fn law_mut(&mut self, id: &str) -> Option<&mut dyn TableLike> {
        let is = |table: &dyn TableLike| table.get("id").and_then(Item::as_str).is_some_and(|it| it.trim() == id);
        match self.document.get_mut("law")? {
            Item::ArrayOfTables(laws) => {
                laws.iter_mut().find(|law| is(*law as &dyn TableLike)).map(|law| law as &mut dyn TableLike)
            }
            Item::Value(Value::Array(laws)) => laws
                .iter_mut()
                .filter_map(Value::as_inline_table_mut)
                .find(|law| is(*law as &dyn TableLike))
                .map(|law| law as &mut dyn TableLike),
            _ => None,
        }
    }
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

fn fill(table: &mut dyn TableLike, law: &NewLaw) {
    let mut put = |key: &str, value: Value| drop(table.insert(key, Item::Value(value)));
    put("id", law.id.as_str().into());
    put("formula", law.formula.as_str().into());
    put("strength", law.strength.to_string().into());
    put("explanation", law.explanation.as_str().into());
    put("status", law.status.as_str().into());
    if let Some(reason) = law.status.reason() {
        put("reason", reason.into());
    }
    put("provenance", provenance(&law.provenance).into());
    if let Some(note) = &law.note {
        put("note", note.as_str().into());
    }
}

fn provenance(provenance: &Provenance) -> InlineTable {
    let mut table = InlineTable::new();
    table.insert("origin", provenance.origin.as_str().into());
    let texts = [
        ("reference", &provenance.reference),
        ("sentence", &provenance.sentence),
        ("model", &provenance.model),
        ("engine", &provenance.engine),
        ("prompts", &provenance.prompts),
        ("decision", &provenance.decision),
        ("trial", &provenance.trial),
    ];
    for (key, text) in texts {
        if let Some(text) = text {
            table.insert(key, text.as_str().into());
        }
    }
    if !provenance.evidence.is_empty() {
        let number = |n: u64| Value::from(i64::try_from(n).unwrap_or(i64::MAX));
        let evidence: Array = provenance
            .evidence
            .iter()
            .map(|one| InlineTable::from_iter([("run", number(one.run)), ("step", number(one.step))]))
            .collect();
        table.insert("evidence", evidence.into());
    }
    table
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
