//! The books of a plan's conditions: lists with or without names, some with learned laws.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::schedule::Schedule;

/// The books in force in a condition, with the name of the condition in tables.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BookList {
    /// The name from the plan, or the books joined by `+`.
    #[serde(skip)]
    pub name: String,
    /// Names or paths of the books. `own` stands for the world's own books, `own#3` for their first three laws,
    /// `own#3:said` for these laws in their original wording, `own#3:translated` for what the grammar makes of that wording.
    #[serde(default)]
    pub books: Vec<String>,
    /// The schedule for learning a further book while these are in force.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub learn: Option<Schedule>,
    /// True if their laws are enforced, and not only watched.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub enforce: bool,
    /// Books that say whether a run was safe, in place of those in force, such as laws that somebody verified.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judged_by: Vec<String>,
    /// True if the prompt of the actor `nl-constraints` contains their laws, which are then not enforced. Planners read
    /// no prompt.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub told: bool,
}

fn yes() -> bool {
    true
}

impl BookList {
    /// Creates a list named after its books.
    pub fn of(books: Vec<String>) -> Self {
        Self { name: String::new(), books, learn: None, enforce: true, judged_by: Vec::new(), told: false }.named()
    }

    /// Names a list after its books.
    fn named(mut self) -> Self {
        let learned = self.learn.is_some().then_some("learned");
        let parts: Vec<&str> = self.books.iter().map(String::as_str).chain(learned).collect();
        let mut name = if parts.is_empty() { "no laws".to_owned() } else { parts.join("+") };
        if self.told {
            name.push_str(", told");
        } else if !self.enforce {
            name.push_str(", watched");
        }
        self.name = name;
        self
    }
}

/// A list without its name: books, or `{ books = [...], learn = { ... } }`.
struct Entry(BookList);

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Form;
        impl<'de> Visitor<'de> for Form {
            type Value = Entry;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of books such as [\"minecraft-hard\"], or { learn = { seeds = \"1001-1020\" } }")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Entry, A::Error> {
                Ok(Entry(BookList::of(Vec::deserialize(SeqAccessDeserializer::new(list))?)))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Entry, A::Error> {
                let list = BookList::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Entry(BookList { enforce: list.enforce && !list.told, ..list }))
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
        let plain =
            self.0.iter().all(|list| *list == BookList { name: list.name.clone(), ..BookList::of(list.books.clone()) });
        for list in &self.0 {
            match plain {
                true => map.serialize_entry(&list.name, &list.books)?,
                // Laws in the prompt are never enforced, so `enforce` is left out.
                false => {
                    map.serialize_entry(&list.name, &BookList { enforce: list.enforce || list.told, ..list.clone() })?
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
                while let Some(Entry(list)) = list.next_element()? {
                    lists.push(list.named());
                }
                Ok(BookLists(lists))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<BookLists, A::Error> {
                let mut lists = Vec::new();
                while let Some((name, Entry(list))) = map.next_entry()? {
                    lists.push(BookList { name, ..list });
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
