//! Reads the text of a book into laws and reports all problems.

mod derived;
mod fields;
mod law;
mod template;
mod vocabulary;

use std::path::Path;
use std::sync::Arc;

use fields::short;
pub use fields::{At, Collector};
use ltlcrit_files::FileError;
use ltlcrit_verifier::Vocabulary;
use template::Lifted;
use toml::de::{DeTable, DeValue};

use crate::book::{Book, BookVocabulary, MAX_BOOK, Template};
use crate::diagnostic::{BookErrors, Code, Diagnostic};
use crate::ground::MAX_INSTANCES;
use crate::source::Source;

/// The readable part of a book: the laws without errors, and the errors.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The laws without errors, in order.
    pub book: Book,
    /// The number of laws in the text with errors.
    pub unreadable: usize,
    /// The vocabulary of the formulas, if it is known, with the derived observations.
    pub vocabulary: Option<Arc<Vocabulary>>,
    /// The problems, in the order of the text: at most [`crate::MAX_DIAGNOSTICS`].
    pub diagnostics: Vec<Diagnostic>,
    /// The number of further diagnostics.
    pub more: usize,
}

impl Reading {
    /// Reads a file. Formulas are read over the vocabulary that the book names, which must be among `known`. If `known`
    /// is empty, propositions are not checked.
    ///
    /// # Errors
    /// A file that cannot be read as text.
    pub fn load(path: &Path, known: &[Arc<Vocabulary>]) -> Result<Self, BookErrors> {
        let name = path.display().to_string();
        let bytes = ltlcrit_files::read(path, MAX_BOOK).map_err(|error| unreadable(&name, &error))?;
        Self::from_bytes(bytes, &name, known)
    }

    /// Reads the bytes of a file, as [`Self::load`] does; diagnostics call it `source_name`.
    ///
    /// # Errors
    /// Bytes that are too many or not text.
    pub fn from_bytes(bytes: Vec<u8>, source_name: &str, known: &[Arc<Vocabulary>]) -> Result<Self, BookErrors> {
        if bytes.len() as u64 > MAX_BOOK {
            return Err(unreadable(source_name, &FileError::TooLong(MAX_BOOK)));
        }
        let text = ltlcrit_files::text(bytes).map_err(|error| unreadable(source_name, &error))?;
        Ok(read(Source::new(source_name, text), &Over::Named(known)))
    }

    /// Reads a text like [`Self::load`] does; diagnostics call it `source_name`.
    pub fn parse(text: &str, source_name: &str, known: &[Arc<Vocabulary>]) -> Self {
        read(Source::new(source_name, text), &Over::Named(known))
    }

    /// Reads a book again, with its formulas over this vocabulary.
    pub(crate) fn over(book: &Book, vocabulary: &Arc<Vocabulary>) -> Self {
        read(book.source.clone(), &Over::Given(vocabulary))
    }

    /// Returns the book, if it has no problems.
    ///
    /// # Errors
    /// All problems of the book.
    pub fn into_book(self) -> Result<Book, BookErrors> {
        match self.diagnostics.is_empty() {
            true => Ok(self.book),
            false => Err(BookErrors { diagnostics: self.diagnostics, more: self.more }),
        }
    }
}

impl Reading {
    /// Returns the book with its vocabulary, if it has no problems and the vocabulary is known.
    ///
    /// # Errors
    /// All problems of the book.
    pub fn into_known(self) -> Result<(Book, Arc<Vocabulary>), BookErrors> {
        let vocabulary = self.vocabulary.clone();
        let book = self.into_book()?;
        match vocabulary {
            Some(vocabulary) => Ok((book, vocabulary)),
            None => {
                let message = format!("its vocabulary `{}` is not known here", book.vocabulary().name());
                Err(BookErrors::whole(&book.source().name, message, None))
            }
        }
    }
}

impl Book {
    /// Reads a book from a file.
    ///
    /// A vocabulary that is known by name only is not checked here; [`Book::over`] checks its propositions, and
    /// [`crate::open`] does both.
    ///
    /// # Errors
    /// All problems of the file.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, BookErrors> {
        Reading::load(path.as_ref(), &[])?.into_book()
    }

    /// Reads a book from its text; diagnostics call it `source_name`.
    ///
    /// # Errors
    /// All problems of the text.
    pub fn parse(text: &str, source_name: &str) -> Result<Self, BookErrors> {
        Reading::parse(text, source_name, &[]).into_book()
    }

    /// Reads a book from its text, with its formulas over this vocabulary, whatever vocabulary it names.
    ///
    /// # Errors
    /// All problems of the text, unknown propositions with the most similar names.
    pub fn parse_over(text: &str, source_name: &str, vocabulary: &Arc<Vocabulary>) -> Result<Self, BookErrors> {
        read(Source::new(source_name, text), &Over::Given(vocabulary)).into_book()
    }

    /// Returns the same book with its formulas read over a vocabulary.
    ///
    /// # Errors
    /// All unknown propositions, with the most similar names.
    pub fn over(&self, vocabulary: &Arc<Vocabulary>) -> Result<Self, BookErrors> {
        Reading::over(self, vocabulary).into_book()
    }
}

fn unreadable(source_name: &str, error: &FileError) -> BookErrors {
    let help = match error {
        FileError::TooLong(_) => Some("split the book"),
        error => error.help(),
    };
    BookErrors::whole(source_name, error.to_string(), help)
}

/// The vocabulary for reading formulas.
enum Over<'a> {
    /// The vocabulary that the book names, which must be in this list. If the list is empty, propositions are not
    /// checked.
    Named(&'a [Arc<Vocabulary>]),
    /// This vocabulary; the name in the book is ignored.
    Given(&'a Arc<Vocabulary>),
}

const KEYS: [&str; 6] = ["name", "description", "vocabulary", "revision", "proposition", "law"];

fn read(source: Source, over: &Over<'_>) -> Reading {
    let mut collector = Collector::new(&source);
    let (document, errors) = DeTable::parse_recoverable(&source.text);
    for error in errors {
        let end = source.text.len();
        collector.report(Code::Book, error.span().unwrap_or(end..end), error.message().trim().to_owned());
        collector.damaged = true;
    }
    let document = document.get_ref();
    let start = 0..0;
    collector.only(document, &KEYS, "a book");
    let wrong_name = "the name has other characters than a file name needs";
    let name = collector.id(document, "name", (&start, "the book"), |_| wrong_name.to_owned());
    let name = name.map_or_else(|| Arc::from("unnamed"), |name| Arc::from(name.value));
    let description = collector.text(document, "description", 4096).map(|text| text.value.trim().to_owned());
    let revision = collector.number(document, "revision").map(|number| number.value);
    if document.get("revision").is_none() && !collector.damaged {
        collector.wrong(start.clone(), "the book has no `revision`", "add revision = 1");
    }
    let (written, resolved) = book_vocabulary(&mut collector, document, over);
    let tables = collector.array(document, "proposition", "one [[proposition]] table for each proposition");
    let derived = derived::read_all(&mut collector, tables);
    let resolved = resolved.map(|vocabulary| derived::extend(&mut collector, vocabulary, &derived));
    let (mut entries, mut templates, mut readable) = (Vec::new(), Vec::new(), 0);
    let mut left = MAX_INSTANCES;
    let laws = collector.array(document, "law", "one [[law]] table for each law");
    for law in laws {
        let Some(table) = collector.item(law, "a law", "write a [[law]] table") else { continue };
        match law::read(&mut collector, table, law.span(), resolved.as_deref()) {
            Some((entry, None)) => {
                entries.push(entry);
                readable += 1;
            }
            Some((law, Some(Lifted { atoms, parameters, .. }))) => {
                let template = Template { law, parameters, atoms, instances: 0 };
                let instances = template::instances(&template, &mut collector, resolved.as_deref(), &mut left);
                readable += usize::from(instances.is_some());
                let instances = instances.unwrap_or_default();
                templates.push(Template { instances: instances.len(), ..template });
                entries.extend(instances);
            }
            None => {}
        }
        collector.law = None;
    }
    law::report_duplicates(&mut collector, laws);
    let more = collector.count - collector.diagnostics.len();
    let mut diagnostics = collector.diagnostics;
    diagnostics.sort_by_key(|one| one.place.as_ref().map(|place| place.span.start));
    let book = Book {
        name,
        description,
        revision: revision.unwrap_or(1),
        vocabulary: written,
        derived,
        entries,
        templates,
        source: source.clone(),
    };
    Reading { book, unreadable: laws.len() - readable, vocabulary: resolved, diagnostics, more }
}

/// Returns the vocabulary as written in the book, and the one for its formulas.
fn book_vocabulary(
    collector: &mut Collector<'_>,
    document: &DeTable<'_>,
    over: &Over<'_>,
) -> (BookVocabulary, Option<Arc<Vocabulary>>) {
    let unknown = (BookVocabulary::Named(Arc::from("unknown")), None);
    if let Some((value, DeValue::Table(table))) = document.get("vocabulary").map(|value| (value, value.get_ref())) {
        let Some(own) = vocabulary::read(collector, table, value.span()).map(Arc::new) else { return unknown };
        let resolved = match over {
            Over::Given(vocabulary) => (*vocabulary).clone(),
            Over::Named(_) => own.clone(),
        };
        return (BookVocabulary::Inline(own), Some(resolved));
    }
    let Some(name) = collector.required(document, "vocabulary", 64, &(0..0), "the book") else { return unknown };
    let written = BookVocabulary::Named(Arc::from(name.value.as_str()));
    let resolved = match over {
        Over::Given(vocabulary) => Some((*vocabulary).clone()),
        Over::Named([]) => None,
        Over::Named(known) => {
            let found = known.iter().find(|one| one.is_called(&name.value)).cloned();
            if found.is_none() {
                let names: Vec<&str> = known.iter().map(|one| one.name()).collect();
                let help = match collector.nearest(&name.value, &names) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("known are `{}`; a book can also define its own [vocabulary]", names.join("`, `")),
                };
                let message = format!("there is no vocabulary `{}`", short(&name.value));
                collector.report(Code::Vocabulary, name.span.clone(), message).help = Some(help);
            }
            found
        }
    };
    (written, resolved)
}
