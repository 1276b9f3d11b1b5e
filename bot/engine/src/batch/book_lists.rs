//! The books of a plan's conditions: lists with or without names, some with learned laws.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::schedule::Schedule;

/// The books in force in a condition, with the name of the condition in tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookList {
    /// The name from the plan, or the books joined by `+`.
    pub name: String,
    /// Names or paths of the books. `own` stands for the world's own books, `own#3` for their first three laws,
    /// `own#3:said` for these laws in their original wording.
    pub books: Vec<String>,
    /// True if their laws are enforced, and not only watched.
    pub enforce: bool,
    /// The schedule for learning a further book while these are in force.
    pub learn: Option<Schedule>,
    /// True if the prompt of the actor `nl-constraints` contains their laws, which are then not enforced. Planners read
    /// no prompt.
    pub told: bool,
}

impl BookList {
    /// Creates a list named after its books.
    pub fn of(books: Vec<String>) -> Self {
        Entry { books, learn: None, enforce: true, told: false }.unnamed()
    }
}

/// A list without its name: books, or `{ books = [...], learn = { ... } }`.
struct Entry {
    books: Vec<String>,
    learn: Option<Schedule>,
    enforce: bool,
    told: bool,
}

impl Entry {
    fn named(self, name: String) -> BookList {
        BookList { name, books: self.books, learn: self.learn, enforce: self.enforce, told: self.told }
    }

    fn unnamed(self) -> BookList {
        let learned = self.learn.is_some().then_some("learned");
        let parts: Vec<&str> = self.books.iter().map(String::as_str).chain(learned).collect();
        let mut name = if parts.is_empty() { "no laws".to_owned() } else { parts.join("+") };
        if self.told {
            name.push_str(", told");
        } else if !self.enforce {
            name.push_str(", watched");
        }
        self.named(name)
    }
}

/// An [`Entry`] with more than books.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Full {
    #[serde(default)]
    books: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    learn: Option<Schedule>,
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    enforce: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    told: bool,
}

fn yes() -> bool {
    true
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
                Ok(Entry {
                    books: Vec::deserialize(SeqAccessDeserializer::new(list))?,
                    learn: None,
                    enforce: true,
                    told: false,
                })
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Entry, A::Error> {
                let Full { books, learn, enforce, told } = Full::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Entry { books, learn, enforce: enforce && !told, told })
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
        // TOML writes lists before tables, so their order is kept only if all entries are of one kind.
        let plain = self.0.iter().all(|list| list.learn.is_none() && list.enforce);
        for BookList { name, books, learn, enforce, told } in &self.0 {
            match plain {
                true => map.serialize_entry(name, books)?,
                false => {
                    let (books, learn) = (books.clone(), learn.clone());
                    // Laws in the prompt are never enforced, so `enforce` is left out.
                    map.serialize_entry(name, &Full { books, learn, enforce: *enforce || *told, told: *told })?
                }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_of_lists_is_kept_when_they_are_written() {
        #[derive(Serialize, Deserialize)]
        struct Books {
            books: BookLists,
        }
        let text = "[books]\nnone = []\nlearned = { learn = { seeds = \"1001\" } }\nwatched = { books = [\"a\"], enforce = false }\n\
                    told = { books = [\"a\"], told = true }\nhard = [\"a\", \"b\"]\n";
        let read: Books = toml_edit::de::from_str(text).unwrap();
        let names: Vec<&str> = read.books.0.iter().map(|list| list.name.as_str()).collect();
        assert_eq!(names, ["none", "learned", "watched", "told", "hard"]);
        let again: Books = toml_edit::de::from_str(&toml_edit::ser::to_string_pretty(&read).unwrap()).unwrap();
        assert_eq!(again.books, read.books);
    }
}
