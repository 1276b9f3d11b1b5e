//! From the text of a book to its laws, with every problem found on the way.

mod fields;
mod law;
mod vocabulary;

use std::path::Path;
use std::sync::Arc;

use ltlcrit_verifier::Vocabulary;
use toml::de::{DeTable, DeValue};

use crate::book::{Book, BookVocabulary, MAX_BOOK};
use crate::file::{self, FileError};
use crate::problem::{BookErrors, Problem, ProblemKind, Source};
use fields::{Collector, kind};

/// A book as far as it could be read: the laws without problems, and the problems.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The laws that could be read, in order.
    pub book: Book,
    /// How many laws the text has, those with problems included.
    pub written: usize,
    /// The vocabulary the formulas were read over, if it is known.
    pub vocabulary: Option<Arc<Vocabulary>>,
    /// What is wrong, in the order of the text: at most [`crate::MOST_PROBLEMS`].
    pub problems: Vec<Problem>,
    /// How many more problems there are.
    pub more: usize,
}

impl Reading {
    /// Reads a file over the vocabularies known to the caller; with none, named vocabularies are left open.
    ///
    /// # Errors
    /// A file that cannot be read as text at all.
    pub fn load(path: &Path, known: &[Arc<Vocabulary>]) -> Result<Self, BookErrors> {
        let name = path.display().to_string();
        let bytes = file::read(path, MAX_BOOK).map_err(|error| unreadable(&name, &error))?;
        Self::from_bytes(bytes, &name, known)
    }

    /// Reads the bytes of a file over the vocabularies known to the caller; `source_name` is what errors call it.
    ///
    /// # Errors
    /// Bytes that are no text, or too many.
    pub fn from_bytes(bytes: Vec<u8>, source_name: &str, known: &[Arc<Vocabulary>]) -> Result<Self, BookErrors> {
        if bytes.len() as u64 > MAX_BOOK {
            return Err(unreadable(source_name, &FileError::TooLong(MAX_BOOK)));
        }
        let text = file::text(bytes).map_err(|error| unreadable(source_name, &error))?;
        Ok(read_known(Source::new(source_name, text), known))
    }

    /// Reads a text over the vocabularies known to the caller; with none, named vocabularies are left open.
    pub fn parse(text: &str, source_name: &str, known: &[Arc<Vocabulary>]) -> Self {
        read_known(Source::new(source_name, text), known)
    }

    /// The book, if nothing is wrong with it.
    ///
    /// # Errors
    /// Every problem.
    pub fn into_book(self) -> Result<Book, BookErrors> {
        if self.problems.is_empty() {
            Ok(self.book)
        } else {
            Err(BookErrors { source_text: self.book.source, problems: self.problems, more: self.more })
        }
    }
}

fn unreadable(source_name: &str, error: &FileError) -> BookErrors {
    let help = match error {
        FileError::TooLong(_) => Some("split the book"),
        error => error.help(),
    };
    BookErrors::unreadable(source_name, error.to_string(), help.map(str::to_owned))
}

/// Which vocabulary formulas are read over.
enum Over<'a> {
    /// The one the book names, among these; none of them means that named vocabularies are left open.
    Named(&'a [Arc<Vocabulary>]),
    /// This one, whatever the book says.
    Given(&'a Arc<Vocabulary>),
}

pub(crate) fn read(source: Source, known: &[Arc<Vocabulary>]) -> Reading {
    read_known(source, known)
}

pub(crate) fn read_over(source: Source, vocabulary: &Arc<Vocabulary>) -> Reading {
    read_text(source, &Over::Given(vocabulary))
}

fn read_known(source: Source, known: &[Arc<Vocabulary>]) -> Reading {
    read_text(source, &Over::Named(known))
}

const KEYS: [&str; 5] = ["name", "description", "vocabulary", "revision", "law"];

fn read_text(source: Source, over: &Over<'_>) -> Reading {
    let mut collector = Collector::new(&source);
    let (document, errors) = DeTable::parse_recoverable(&source.text);
    for error in errors {
        let end = source.text.len();
        collector.report(ProblemKind::Toml, error.span().unwrap_or(end..end), error.message().trim().to_owned());
        collector.damaged = true;
    }
    let document = document.get_ref();
    let start = 0..0;
    collector.only(document, &KEYS, "a book");
    let name = collector
        .required(document, "name", 64, &start, "the book")
        .filter(|name| {
            let good = is_id(&name.value);
            if !good {
                collector.wrong(name.span.clone(), "the name has other characters than a file name needs", ID_HELP);
            }
            good
        })
        .map_or_else(|| Arc::from("unnamed"), |name| Arc::from(name.value));
    let description = collector.text(document, "description", 4096).map(|text| text.value.trim().to_owned());
    let revision = collector.number(document, "revision").map(|number| number.value);
    if document.get("revision").is_none() && !collector.damaged {
        collector.wrong(start.clone(), "the book has no `revision`", "add revision = 1");
    }
    let (written, resolved) = book_vocabulary(&mut collector, document, over);
    let mut entries = Vec::new();
    let laws = collector.array(document, "law", "one [[law]] table for each law");
    for law in laws {
        match law.get_ref() {
            DeValue::Table(table) => {
                entries.extend(law::read(&mut collector, table, law.span(), resolved.as_deref()));
                collector.law = None;
            }
            other => collector.wrong(law.span(), format!("a law is {}", kind(other)), "write a [[law]] table"),
        }
    }
    law::report_duplicates(&mut collector, laws);
    let count = laws.len();
    let more = collector.count - collector.problems.len();
    let mut problems = collector.problems;
    problems.sort_by_key(|problem| problem.place.as_ref().map(|place| place.span.start));
    let book = Book {
        name,
        description,
        revision: revision.unwrap_or(1),
        vocabulary: written,
        entries,
        source: source.clone(),
    };
    Reading { book, written: count, vocabulary: resolved, problems, more }
}

/// The vocabulary as the book gives it, and the one its formulas are read over.
fn book_vocabulary(
    collector: &mut Collector<'_>,
    document: &DeTable<'_>,
    over: &Over<'_>,
) -> (BookVocabulary, Option<Arc<Vocabulary>>) {
    let given = |written: &BookVocabulary| match over {
        Over::Given(vocabulary) => Some((*vocabulary).clone()),
        Over::Named(_) => match written {
            BookVocabulary::Inline(vocabulary) => Some(vocabulary.clone()),
            BookVocabulary::Named(_) => None,
        },
    };
    if let Some(DeValue::Table(table)) = document.get("vocabulary").map(toml::Spanned::get_ref) {
        let span = document.get("vocabulary").map_or(0..0, toml::Spanned::span);
        return match vocabulary::read(collector, table, span) {
            Some(vocabulary) => {
                let written = BookVocabulary::Inline(Arc::new(vocabulary));
                let resolved = given(&written);
                (written, resolved)
            }
            None => (BookVocabulary::Named(Arc::from("unknown")), None),
        };
    }
    let Some(name) = collector.required(document, "vocabulary", 64, &(0..0), "the book") else {
        return (BookVocabulary::Named(Arc::from("unknown")), None);
    };
    let written = BookVocabulary::Named(Arc::from(name.value.as_str()));
    let resolved = match over {
        Over::Named([]) => None,
        Over::Named(known) => {
            let found = known.iter().find(|one| one.name() == name.value).cloned();
            if found.is_none() {
                let names: Vec<&str> = known.iter().map(|one| one.name()).collect();
                let help = match collector.nearest(&name.value, &names) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("known are `{}`; a book can also define its own [vocabulary]", names.join("`, `")),
                };
                let problem = collector.report(
                    ProblemKind::Vocabulary,
                    name.span.clone(),
                    format!("there is no vocabulary `{}`", fields::short(&name.value)),
                );
                problem.help = Some(help);
            }
            found
        }
        Over::Given(_) => given(&written),
    };
    (written, resolved)
}

const ID_HELP: &str = "use letters, digits, `-`, `_` and `.`, at most 64 of them";

/// Whether a name can be an id: short, and safe in file names, tables and prompts.
pub(crate) fn is_id(text: &str) -> bool {
    (1..=64).contains(&text.len()) && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}
