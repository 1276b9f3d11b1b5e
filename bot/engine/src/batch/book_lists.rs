//! The books of a plan's conditions: lists, or lists with names, some with laws that are learned.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::schedule::Schedule;

/// The books in force in a condition, with the name of the condition in tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookList {
    /// The name: the one the plan gives, or the books joined by `+`.
    pub name: String,
    /// Names or paths of the books.
    pub books: Vec<String>,
    /// How a further book is learned with these in force.
    pub learn: Option<Schedule>,
}

impl BookList {
    /// A list that is named after its books.
    pub fn of(books: Vec<String>) -> Self {
        Entry { books, learn: None }.unnamed()
    }
}

/// A list without its name: books, or `{ books = [...], learn = { ... } }`.
struct Entry {
    books: Vec<String>,
    learn: Option<Schedule>,
}

impl Entry {
    fn named(self, name: String) -> BookList {
        BookList { name, books: self.books, learn: self.learn }
    }

    fn unnamed(self) -> BookList {
        let learned = self.learn.is_some().then_some("learned");
        let parts: Vec<&str> = self.books.iter().map(String::as_str).chain(learned).collect();
        let name = if parts.is_empty() { "no laws".to_owned() } else { parts.join("+") };
        self.named(name)
    }
}

/// An [`Entry`] with a schedule.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Learned {
    #[serde(default)]
    books: Vec<String>,
    learn: Schedule,
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Form;
        impl<'de> Visitor<'de> for Form {
            type Value = Entry;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of books such as [\"minecraft-hard\"], or { learn = { seeds = \"1001-1020\" } }")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Entry, A::Error> {
                Ok(Entry { books: Vec::deserialize(SeqAccessDeserializer::new(list))?, learn: None })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Entry, A::Error> {
                let Learned { books, learn } = Learned::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Entry { books, learn: Some(learn) })
            }
        }
        deserializer.deserialize_any(Form)
    }
}

/// The lists of books of a plan, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookLists(pub Vec<BookList>);

impl Serialize for BookLists {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for BookList { name, books, learn } in &self.0 {
            match learn {
                None => map.serialize_entry(name, books)?,
                Some(learn) => map.serialize_entry(name, &Learned { books: books.clone(), learn: learn.clone() })?,
            }
        }
        map.end()
    }
}

impl<'de> Deserialize<'de> for BookLists {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Form;
        impl<'de> Visitor<'de> for Form {
            type Value = BookLists;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(
                    "lists of books such as [[\"minecraft-hard\"], []], or { hard = [\"minecraft-hard\"], none = [] }",
                )
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<BookLists, A::Error> {
                let mut lists = Vec::new();
                while let Some(entry) = list.next_element::<Entry>()? {
                    lists.push(entry.unnamed());
                }
                Ok(BookLists(lists))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<BookLists, A::Error> {
                let mut lists = Vec::new();
                while let Some((name, entry)) = map.next_entry::<String, Entry>()? {
                    lists.push(entry.named(name));
                }
                Ok(BookLists(lists))
            }
        }
        deserializer.deserialize_any(Form)
    }
}
