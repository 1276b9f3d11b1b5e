//! The full observation of a world, whichever world it is.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

/// A world's own observation type. `Display` writes it for people and models.
pub trait WorldObservation:
    Clone + fmt::Debug + fmt::Display + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// The name of this kind of observation in stored records.
    const KIND: &'static str;

    /// The same observation with every name in it replaced: names come from the world, and are not to be trusted.
    #[must_use]
    fn with_names(&self, replace: &dyn Fn(&str) -> String) -> Self;
}

/// LTLCrit's full state description `x_full`, of any world.
///
/// ```
/// use ltlcrit_worlds::{Details, Facts};
///
/// let details = Details::new(Facts { facts: vec!["the door is open".into()] });
/// let stored = serde_json::to_string(&details)?;
/// assert_eq!(stored, r#"{"facts":["the door is open"],"kind":"facts"}"#);
/// let read: Details = serde_json::from_str(&stored)?;
/// assert_eq!(read, details);
/// assert_eq!(read.get::<Facts>().map(|facts| facts.facts.len()), Some(1));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Details(Source);

#[derive(Clone, Debug)]
enum Source {
    /// As a world made it.
    World(Arc<dyn Erased>),
    /// As a record has it.
    Record(Map<String, Value>),
}

const KIND: &str = "kind";

impl Details {
    /// The details of an observation.
    pub fn new<T: WorldObservation>(observation: T) -> Self {
        Self(Source::World(Arc::new(observation)))
    }

    /// The observation, if it is of this type.
    pub fn get<T: WorldObservation>(&self) -> Option<T> {
        match &self.0 {
            Source::World(observation) => observation.as_any().downcast_ref::<T>().cloned(),
            Source::Record(record) if record.get(KIND).and_then(Value::as_str) == Some(T::KIND) => {
                serde_json::from_value(Value::Object(record.clone())).ok()
            }
            Source::Record(_) => None,
        }
    }

    /// The same details with every name that comes from the world replaced.
    #[must_use]
    pub fn with_names(&self, replace: &dyn Fn(&str) -> String) -> Self {
        match &self.0 {
            Source::World(observation) => observation.with_names(replace),
            Source::Record(record) => Self(Source::Record(replaced(record, replace))),
        }
    }

    fn record(&self) -> Map<String, Value> {
        match &self.0 {
            Source::World(observation) => observation.record(),
            Source::Record(record) => record.clone(),
        }
    }
}

impl PartialEq for Details {
    fn eq(&self, other: &Self) -> bool {
        self.record() == other.record()
    }
}

/// An observation as its world describes it; one read from a record as JSON.
impl fmt::Display for Details {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Source::World(observation) => observation.fmt(f),
            Source::Record(record) => Value::Object(record.clone()).fmt(f),
        }
    }
}

impl Serialize for Details {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.record().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Details {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let record = Map::deserialize(deserializer)?;
        match record.get(KIND) {
            Some(Value::String(_)) => Ok(Self(Source::Record(record))),
            _ => Err(D::Error::missing_field(KIND)),
        }
    }
}

fn replaced(record: &Map<String, Value>, replace: &dyn Fn(&str) -> String) -> Map<String, Value> {
    record.iter().map(|(key, value)| (replace(key), replaced_value(value, replace))).collect()
}

fn replaced_value(value: &Value, replace: &dyn Fn(&str) -> String) -> Value {
    match value {
        Value::String(text) => Value::String(replace(text)),
        Value::Array(values) => values.iter().map(|inner| replaced_value(inner, replace)).collect(),
        Value::Object(map) => Value::Object(replaced(map, replace)),
        other => other.clone(),
    }
}

/// A [`WorldObservation`] of any type.
trait Erased: fmt::Debug + fmt::Display + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn record(&self) -> Map<String, Value>;
    fn with_names(&self, replace: &dyn Fn(&str) -> String) -> Details;
}

impl<T: WorldObservation> Erased for T {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn record(&self) -> Map<String, Value> {
        let mut record = match serde_json::to_value(self) {
            Ok(Value::Object(record)) => record,
            // Observations are structs; their maps have names for keys.
            _ => Map::new(),
        };
        record.insert(KIND.to_owned(), T::KIND.into());
        record
    }

    fn with_names(&self, replace: &dyn Fn(&str) -> String) -> Details {
        Details::new(WorldObservation::with_names(self, replace))
    }
}

/// The observation of a symbolic world: the facts that hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// One fact each.
    pub facts: Vec<String>,
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.facts.join("\n"))
    }
}

impl WorldObservation for Facts {
    const KIND: &'static str = "facts";

    fn with_names(&self, replace: &dyn Fn(&str) -> String) -> Self {
        Self { facts: self.facts.iter().map(|fact| replace(fact)).collect() }
    }
}
