//! The books of a plan's conditions: lists, or lists with names.

use std::fmt;

use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// The books in force in a condition, with the name of the condition in tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookList {
    /// The name: the one the plan gives, or the books joined by `+`.
    pub name: String,
    /// Names or paths of the books.
    pub books: Vec<String>,
}

/// The lists of books of a plan, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BookLists(pub Vec<BookList>);

impl Serialize for BookLists {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for list in &self.0 {
            map.serialize_entry(&list.name, &list.books)?;
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
                while let Some(books) = list.next_element::<Vec<String>>()? {
                    let name = if books.is_empty() { "no laws".to_owned() } else { books.join("+") };
                    lists.push(BookList { name, books });
                }
                Ok(BookLists(lists))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<BookLists, A::Error> {
                let mut lists = Vec::new();
                while let Some((name, books)) = map.next_entry()? {
                    lists.push(BookList { name, books });
                }
                Ok(BookLists(lists))
            }
        }
        deserializer.deserialize_any(Form)
    }
}
