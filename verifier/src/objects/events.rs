//! The events of a run.

use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// The action of events that no law tells apart.
pub const OTHER: &str = "other";

/// One event: an action with its objects, as far as it is known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Event {
    /// The action.
    pub action: String,
    /// Its objects, in the order of the action's parameters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub objects: Vec<String>,
    /// True if it happened for sure. A call in flight may have happened.
    #[serde(default = "yes", skip_serializing_if = "bool::clone")]
    pub surely: bool,
    /// The facts that its result made true.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<String>,
    /// The facts that its result may have made true.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub perhaps: Vec<String>,
    /// The laws whose [mark](super::Atom::Mark) it has. It is known of a coming event alone.
    #[serde(skip)]
    pub marks: Vec<Arc<str>>,
}

fn yes() -> bool {
    true
}

impl Event {
    /// An event that happened for sure.
    pub fn new(action: &str, objects: &[&str]) -> Self {
        let objects = objects.iter().map(ToString::to_string).collect();
        Self { action: action.to_owned(), objects, surely: true, ..Self::default() }
    }
}

/// `write(src/a.rs)`, followed by the facts: `test, green`.
impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.action)?;
        if !self.objects.is_empty() {
            write!(f, "({})", self.objects.join(", "))?;
        }
        self.facts.iter().try_for_each(|fact| write!(f, ", {fact}"))
    }
}

/// The events of a run. An event that occurs often is kept once, and read once by whoever follows the run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Events {
    /// The events that occur.
    distinct: Vec<Event>,
    /// Their numbers, in the order of the run.
    numbers: Vec<usize>,
    /// Made when it is needed.
    #[serde(skip)]
    known: FxHashMap<Event, usize>,
}

impl Events {
    /// The number of an event in [`Self::distinct`].
    pub fn number(&mut self, event: Event) -> usize {
        if self.known.len() < self.distinct.len() {
            self.known = self.distinct.iter().cloned().zip(0..).collect();
        }
        *self.known.entry(event).or_insert_with_key(|event| {
            self.distinct.push(event.clone());
            self.distinct.len() - 1
        })
    }

    /// Returns whether each number is that of an event, as it may not be in a file.
    pub fn is_whole(&self) -> bool {
        self.numbers.iter().all(|number| *number < self.distinct.len())
    }

    /// Adds events by their numbers.
    pub fn extend_by(&mut self, numbers: &[usize]) {
        self.numbers.extend_from_slice(numbers);
    }

    /// Replaces the events from `start` on by events with these numbers.
    pub fn replace(&mut self, start: usize, numbers: &[usize]) {
        self.numbers[start..start + numbers.len()].copy_from_slice(numbers);
    }

    /// The events that occur, in the order of their numbers.
    pub fn distinct(&self) -> &[Event] {
        &self.distinct
    }

    /// The numbers of the events, in the order of the run.
    pub fn numbers(&self) -> &[usize] {
        &self.numbers
    }

    /// The event at a place, from 0.
    pub fn get(&self, at: usize) -> Option<&Event> {
        self.numbers.get(at).map(|number| &self.distinct[*number])
    }

    /// The events, in the order of the run.
    pub fn iter(&self) -> impl Iterator<Item = &Event> {
        self.numbers.iter().map(|number| &self.distinct[*number])
    }

    /// The number of events.
    pub fn len(&self) -> usize {
        self.numbers.len()
    }

    /// Returns whether nothing happened.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }
}

impl Extend<Event> for Events {
    fn extend<I: IntoIterator<Item = Event>>(&mut self, events: I) {
        for event in events {
            let number = self.number(event);
            self.numbers.push(number);
        }
    }
}
