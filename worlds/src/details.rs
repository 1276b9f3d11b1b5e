//! The full observation of any world, live or read from a record.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::shape::Shape;

/// A world's own observation type. It serializes as a struct with named fields; `Display` writes it for people and
/// models.
pub trait WorldObservation:
    Clone + fmt::Debug + fmt::Display + PartialEq + Serialize + DeserializeOwned + Send + Sync + 'static
{
    /// The name of this kind of observation in stored records.
    const KIND: &'static str;

    /// The fields of every observation of this type, as they are stored. Definitions of derived observations are
    /// checked against them.
    fn shape() -> Shape;

    /// The same observation with every name replaced. Names come from the world and are untrusted.
    #[must_use]
    fn with_names(&self, replace: &dyn Fn(&str) -> String) -> Self;
}

/// The full state description of any world (LTLCrit's `x_full`).
///
/// Details come from a world, as its [`WorldObservation`], or from a record, as JSON with the kind of observation. Both
/// are equal if they describe the same observation; [`Details::get`] returns the typed observation of either.
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
    /// From a world.
    World(Arc<dyn Erased>),
    /// From a record.
    Record(Map<String, Value>),
}

const KIND: &str = "kind";

impl Details {
    /// The details of an observation.
    pub fn new<T: WorldObservation>(observation: T) -> Self {
        Self(Source::World(Arc::new(observation)))
    }

    /// The observation, if it has this type.
    pub fn get<T: WorldObservation>(&self) -> Option<T> {
        match &self.0 {
            Source::World(observation) => (&**observation as &dyn Any).downcast_ref::<T>().cloned(),
            Source::Record(record) if record.get(KIND).and_then(Value::as_str) == Some(T::KIND) => {
                serde_json::from_value(Value::Object(record.clone())).ok()
            }
            Source::Record(_) => None,
        }
    }

    /// Returns whether both are known to be the same details, without a deep comparison: copies of one, or equal
    /// records.
    pub fn is(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Source::World(one), Source::World(other)) => Arc::ptr_eq(one, other),
            (Source::Record(one), Source::Record(other)) => one == other,
            _ => false,
        }
    }

    /// The same details with every name replaced. In a record, every string and every key counts as a name.
    #[must_use]
    pub fn with_names(&self, replace: &dyn Fn(&str) -> String) -> Self {
        match &self.0 {
            Source::World(observation) => observation.with_names(replace),
            Source::Record(record) => Self(Source::Record(replaced(record, replace))),
        }
    }

    /// The shape of the observation, if it comes from a world.
    pub(crate) fn shape(&self) -> Option<Shape> {
        match &self.0 {
            Source::World(observation) => Some(observation.shape()),
            Source::Record(_) => None,
        }
    }

    /// The observation as JSON, in its stored form.
    pub(crate) fn record(&self) -> Map<String, Value> {
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

/// Writes a world's observation as its type does, and one from a record as JSON.
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
trait Erased: Any + fmt::Debug + fmt::Display + Send + Sync {
    fn shape(&self) -> Shape;
    fn record(&self) -> Map<String, Value>;
    fn with_names(&self, replace: &dyn Fn(&str) -> String) -> Details;
}

impl<T: WorldObservation> Erased for T {
    fn shape(&self) -> Shape {
        T::shape()
    }

    fn record(&self) -> Map<String, Value> {
        let mut record = match serde_json::to_value(self) {
            Ok(Value::Object(record)) => record,
            // Not a struct with named fields: this breaks the trait's contract but is not a reason to panic.
            _ => Map::new(),
        };
        record.insert(KIND.to_owned(), T::KIND.into());
        record
    }

    fn with_names(&self, replace: &dyn Fn(&str) -> String) -> Details {
        Details::new(WorldObservation::with_names(self, replace))
    }
}

/// The observation of a symbolic world: a list of facts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// The facts, as sentences.
    pub facts: Vec<String>,
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.facts.join("\n"))
    }
}

impl WorldObservation for Facts {
    const KIND: &'static str = "facts";

    fn shape() -> Shape {
        Shape::Fields(vec![("facts", Shape::Other("a list"))])
    }

    fn with_names(&self, replace: &dyn Fn(&str) -> String) -> Self {
        Self { facts: self.facts.iter().map(|fact| replace(fact)).collect() }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// An observation with names in keys and in values.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    struct Pantry {
        shelf: String,
        counts: BTreeMap<String, u32>,
    }

    impl fmt::Display for Pantry {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "{} kinds on {}", self.counts.len(), self.shelf)
        }
    }

    impl WorldObservation for Pantry {
        const KIND: &'static str = "pantry";

        fn shape() -> Shape {
            let counts = Shape::Map { names: vec!["jam"], entry: Box::new(Shape::Number) };
            Shape::Fields(vec![("shelf", Shape::Other("a text")), ("counts", counts)])
        }

        fn with_names(&self, replace: &dyn Fn(&str) -> String) -> Self {
            let counts = self.counts.iter().map(|(name, count)| (replace(name), *count)).collect();
            Self { shelf: replace(&self.shelf), counts }
        }
    }

    fn pantry(shelf: &str, item: &str) -> Pantry {
        Pantry { shelf: shelf.to_owned(), counts: BTreeMap::from([(item.to_owned(), 3)]) }
    }

    /// Stores details and reads them back.
    fn recorded(details: &Details) -> Details {
        serde_json::from_str(&serde_json::to_string(details).unwrap()).unwrap()
    }

    #[test]
    fn live_and_recorded_details_are_equal_and_round_trip() {
        let live = Details::new(pantry("top", "jam"));
        let record = recorded(&live);
        assert_eq!(record, live);
        assert_eq!(live, record);
        assert_eq!(recorded(&record), record);
        assert_eq!((live.get(), record.get()), (Some(pantry("top", "jam")), Some(pantry("top", "jam"))));
        let other = Details::new(pantry("top", "honey"));
        assert_ne!(record, other);
        assert_ne!(recorded(&other), live);
    }

    #[test]
    fn details_have_one_type() {
        let live = Details::new(pantry("top", "jam"));
        assert_eq!((live.get::<Facts>(), recorded(&live).get::<Facts>()), (None, None));
        let unfit: Details = serde_json::from_str(r#"{"kind":"pantry","shelf":3}"#).unwrap();
        assert_eq!(unfit.get::<Pantry>(), None);
    }

    /// Records of a kind that this program does not know are kept unchanged.
    #[test]
    fn unknown_kinds_survive_and_missing_kinds_are_refused() {
        let stored = r#"{"doors":[{"open":true}],"kind":"house"}"#;
        let details: Details = serde_json::from_str(stored).unwrap();
        assert_eq!(serde_json::to_string(&details).unwrap(), stored);
        assert_eq!(details.to_string(), stored);
        for refused in [r#"{"facts":[]}"#, r#"{"kind":1}"#, "[]"] {
            assert!(serde_json::from_str::<Details>(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn names_are_replaced_in_both() {
        let live = Details::new(pantry("top", "jam"));
        let replace = |name: &str| name.replace('a', "e");
        assert_eq!(live.with_names(&replace).get(), Some(pantry("top", "jem")));
        // In a record, the kind and the field names are strings too.
        let record = recorded(&live).with_names(&|name: &str| if name == "jam" { "jem".into() } else { name.into() });
        assert_eq!(record, Details::new(pantry("top", "jem")));
        let nested: Details = serde_json::from_str(r#"{"kind":"house","rooms":[{"name":"bath","doors":2}]}"#).unwrap();
        let replaced = nested.with_names(&|name: &str| name.to_uppercase());
        assert_eq!(
            serde_json::to_string(&replaced).unwrap(),
            r#"{"KIND":"HOUSE","ROOMS":[{"DOORS":2,"NAME":"BATH"}]}"#
        );
    }

    #[test]
    fn display_is_the_worlds_own() {
        assert_eq!(Details::new(pantry("top", "jam")).to_string(), "1 kinds on top");
    }
}
