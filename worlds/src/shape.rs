//! The shape of full observations, and checks of quantities against it.

use std::fmt;
use std::sync::Arc;

use ltlcrit_verifier::definition::{Entries, Pattern, Quantity};
use ltlcrit_verifier::syntax::nearest_name;

/// The shape of a value in a world's full observations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A number.
    Number,
    /// A number that never falls during a run. The text says what it counts and what it does not.
    Count(&'static str),
    /// A value that contains no number. The text names its kind: `a text`, `a list`.
    Other(&'static str),
    /// An object with these fields.
    Fields(Vec<(&'static str, Shape)>),
    /// A map from names to entries of one shape.
    Map {
        /// Every name that an entry can have.
        names: Vec<&'static str>,
        /// The shape of an entry.
        entry: Box<Shape>,
    },
}

/// The kind of a [`Mismatch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MismatchKind {
    /// The field does not exist in any state.
    NoSuchField,
    /// A name matches none of the names known here.
    MatchesNothing,
    /// The quantity never falls: a comparison with it changes its value once.
    OnlyGrows,
}

/// A reason that a quantity may not have the meaning its author intended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// Its kind.
    pub kind: MismatchKind,
    /// The problem, in one sentence without a full stop.
    pub message: String,
    /// The correction.
    pub help: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.message, self.help)
    }
}

impl Mismatch {
    fn impossible(message: String, help: String) -> Self {
        Self { kind: MismatchKind::NoSuchField, message, help }
    }
}

/// A position on the path to a number.
struct Reached<'a> {
    shape: &'a Shape,
    /// The path, in the syntax of definitions.
    path: String,
    /// The first name on the path that matches nothing.
    unmatched: Option<Mismatch>,
}

impl Shape {
    /// Checks that a quantity has a value in some observation of this shape, and that the value can rise and fall.
    ///
    /// # Errors
    /// A field that does not exist, a value that is not a number, a name that matches nothing, or a number that only
    /// grows.
    pub fn check(&self, quantity: &Quantity) -> Result<(), Mismatch> {
        let start = Reached { shape: self, path: String::new(), unmatched: None };
        let mut reached = start.fields(&quantity.fields)?;
        if let Some(Entries { pattern, fields, .. }) = &quantity.entries {
            reached = reached.entries(pattern)?.fields(fields)?;
        }
        reached.number()
    }
}

impl<'a> Reached<'a> {
    fn fields(mut self, fields: &[Arc<str>]) -> Result<Self, Mismatch> {
        for field in fields {
            self = self.field(field)?;
        }
        Ok(self)
    }

    fn field(mut self, field: &Arc<str>) -> Result<Self, Mismatch> {
        let dot = if self.path.is_empty() { "" } else { "." };
        let path = format!("{}{dot}{field}", self.path);
        self.shape = match self.shape {
            Shape::Fields(fields) => match fields.iter().find(|(name, _)| **name == **field) {
                Some((_, shape)) => shape,
                None => return Err(self.without(&path, field, fields)),
            },
            // An entry is also accepted as a field.
            Shape::Map { names, entry } => {
                self.must_match(&Pattern::Name(field.clone()), names);
                entry
            }
            Shape::Number | Shape::Count(_) | Shape::Other(_) => return Err(self.has_no(&path, "fields")),
        };
        Ok(Self { path, ..self })
    }

    fn entries(mut self, pattern: &Pattern) -> Result<Self, Mismatch> {
        let path = format!("{}[{pattern}]", self.path);
        self.shape = match self.shape {
            Shape::Map { names, entry } => {
                self.must_match(pattern, names);
                entry
            }
            // Fields of one shape also count as entries: `position[y]`.
            Shape::Fields(fields) => match fields.iter().find(|(name, _)| pattern.matches(name)) {
                Some((_, shape)) => shape,
                None => return Err(self.without(&path, &pattern.to_string(), fields)),
            },
            Shape::Number | Shape::Count(_) | Shape::Other(_) => return Err(self.has_no(&path, "entries")),
        };
        Ok(Self { path, ..self })
    }

    fn number(self) -> Result<(), Mismatch> {
        let Self { shape, path, unmatched } = self;
        let (what, help) = match shape {
            Shape::Number => return unmatched.map_or(Ok(()), Err),
            Shape::Count(help) => {
                let message = format!("`{path}` never falls during a run");
                return Err(Mismatch { kind: MismatchKind::OnlyGrows, message, help: (*help).to_owned() });
            }
            Shape::Other(what) => ((*what).to_owned(), "compare a field that is a number".to_owned()),
            Shape::Fields(fields) => ("an object".to_owned(), format!("name one of its fields: {}", listed(fields))),
            Shape::Map { .. } => ("a map".to_owned(), format!("name its entries, such as `{path}[*]`")),
        };
        Err(Mismatch::impossible(format!("`{path}` is {what}, not a number"), help))
    }

    /// Records a pattern that matches none of the names, with a suggestion.
    fn must_match(&mut self, pattern: &Pattern, names: &[&'static str]) {
        if self.unmatched.is_some() || names.iter().any(|name| pattern.matches(name)) {
            return;
        }
        let help = match meant(pattern, names) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => "if the name is right, only a server with more than this program knows can have it".to_owned(),
        };
        let message = format!("`{pattern}` matches nothing that `{}` of this world can have", self.path);
        self.unmatched = Some(Mismatch { kind: MismatchKind::MatchesNothing, message, help });
    }

    fn without(&self, path: &str, field: &str, fields: &[(&'static str, Shape)]) -> Mismatch {
        let help = match (nearest_name(field, fields.iter().map(|(name, _)| *name)), &*self.path) {
            (Some(meant), _) => format!("did you mean `{meant}`?"),
            (None, "") => format!("they have {}", listed(fields)),
            (None, path) => format!("`{path}` has {}", listed(fields)),
        };
        Mismatch::impossible(format!("the observations of this world have no `{path}`"), help)
    }

    fn has_no(&self, path: &str, what: &str) -> Mismatch {
        let is = if let Shape::Other(what) = self.shape { what } else { "a number" };
        let message = format!("the observations of this world have no `{path}`");
        Mismatch::impossible(message, format!("`{}` is {is} and has no {what}", self.path))
    }
}

/// Lists the names of fields.
fn listed(fields: &[(&'static str, Shape)]) -> String {
    fields.iter().map(|(name, _)| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// Suggests the pattern of the names that start or end with the same word, or else the most similar pattern that
/// matches some names. Underscores separate words.
fn meant(pattern: &Pattern, names: &[&'static str]) -> Option<String> {
    let words = |name: &&'static str| name.match_indices('_').map(|(at, _)| at).collect::<Vec<_>>();
    match pattern {
        Pattern::Name(name) => {
            let word = name.strip_suffix('s').filter(|word| !word.is_empty()).unwrap_or(name);
            let of_word = [format!("*_{name}"), format!("{name}_*"), format!("*_{word}"), format!("{word}_*")];
            let matches = |glob: &&String| {
                let (start, end) = glob.split_once('*').unwrap_or_default();
                names.iter().any(|name| name.starts_with(start) && name.ends_with(end))
            };
            let found = of_word.iter().find(matches).cloned();
            found.or_else(|| nearest_name(name, names.iter().copied()).map(str::to_owned))
        }
        Pattern::Glob(start, end) if start.is_empty() => {
            let ends = names.iter().flat_map(|name| words(name).into_iter().map(|at| &name[at..]));
            nearest_name(end, ends.chain(names.iter().copied())).map(|end| format!("*{end}"))
        }
        Pattern::Glob(start, end) if end.is_empty() => {
            let starts = names.iter().flat_map(|name| words(name).into_iter().map(|at| &name[..=at]));
            nearest_name(start, starts.chain(names.iter().copied())).map(|start| format!("{start}*"))
        }
        Pattern::Glob(..) => None,
    }
}

#[cfg(test)]
mod tests {
    use ltlcrit_verifier::Definition;

    use super::*;

    fn shape() -> Shape {
        let seen = Shape::Fields(vec![("count", Shape::Number), ("distance", Shape::Number)]);
        Shape::Fields(vec![
            ("health", Shape::Number),
            ("steps", Shape::Count("it counts steps")),
            ("position", Shape::Fields(vec![("x", Shape::Number), ("y", Shape::Number)])),
            ("equipped", Shape::Other("a text")),
            ("inventory", Shape::Map { names: vec!["oak_log", "birch_log", "stick"], entry: Box::new(Shape::Number) }),
            ("nearby", Shape::Map { names: vec!["coal_ore", "dirt"], entry: Box::new(seen) }),
        ])
    }

    fn told(quantity: &str) -> String {
        let definition: Definition = format!("{quantity} >= 1").parse().unwrap();
        match shape().check(definition.quantity()) {
            Ok(()) => "fine".to_owned(),
            Err(found) => {
                let severity = match found.kind {
                    MismatchKind::NoSuchField => "error",
                    MismatchKind::MatchesNothing => "warning",
                    MismatchKind::OnlyGrows => "note",
                };
                format!("{severity}: {found}")
            }
        }
    }

    #[test]
    fn what_some_observation_has_is_fine() {
        for quantity in [
            "health",
            "position.y",
            "position[y]",
            "inventory[*_log]",
            "inventory[*]",
            "inventory[stick]",
            "inventory.oak_log",
            "nearby[*_ore].distance",
            "sum(nearby[coal*].count)",
            "nearby.dirt.count",
        ] {
            assert_eq!(told(quantity), "fine", "{quantity}");
        }
    }

    #[test]
    fn fields_that_cannot_exist_are_errors_with_what_is_meant() {
        for (quantity, expected) in [
            ("heatlh", "the observations of this world have no `heatlh`; did you mean `health`?"),
            (
                "colour",
                "the observations of this world have no `colour`; they have `health`, `steps`, `position`, `equipped`, `inventory`, `nearby`",
            ),
            ("position.yy", "the observations of this world have no `position.yy`; `position` has `x`, `y`"),
            ("position[z*]", "the observations of this world have no `position[z*]`; `position` has `x`, `y`"),
            (
                "health.foo",
                "the observations of this world have no `health.foo`; `health` is a number and has no fields",
            ),
            (
                "health[x]",
                "the observations of this world have no `health[x]`; `health` is a number and has no entries",
            ),
            (
                "nearby[*_ore].distanse",
                "the observations of this world have no `nearby[*_ore].distanse`; did you mean `distance`?",
            ),
            (
                "inventory[*_log].count",
                "the observations of this world have no `inventory[*_log].count`; `inventory[*_log]` is a number and has no fields",
            ),
            ("equipped", "`equipped` is a text, not a number; compare a field that is a number"),
            ("inventory", "`inventory` is a map, not a number; name its entries, such as `inventory[*]`"),
            ("nearby[dirt]", "`nearby[dirt]` is an object, not a number; name one of its fields: `count`, `distance`"),
            // A missing field takes precedence over a name without a match.
            (
                "nearby[*_oer].far",
                "the observations of this world have no `nearby[*_oer].far`; `nearby[*_oer]` has `count`, `distance`",
            ),
        ] {
            assert_eq!(told(quantity), format!("error: {expected}"));
        }
    }

    #[test]
    fn a_running_count_is_told() {
        assert_eq!(told("steps"), "note: `steps` never falls during a run; it counts steps");
        assert!(told("steps.x").starts_with("error: "));
    }

    #[test]
    fn names_that_match_nothing_are_warnings() {
        let unknown = "if the name is right, only a server with more than this program knows can have it";
        for (quantity, pattern, map, help) in [
            ("inventory[*_lgo]", "*_lgo", "inventory", "did you mean `*_log`?"),
            ("inventory[aok_log]", "aok_log", "inventory", "did you mean `oak_log`?"),
            ("inventory.aok_log", "aok_log", "inventory", "did you mean `oak_log`?"),
            ("inventory[log]", "log", "inventory", "did you mean `*_log`?"),
            ("inventory[logs]", "logs", "inventory", "did you mean `*_log`?"),
            ("nearby[coal].count", "coal", "nearby", "did you mean `coal_*`?"),
            ("nearby[caol_*].count", "caol_*", "nearby", "did you mean `coal_*`?"),
            ("inventory[apple]", "apple", "inventory", unknown),
            ("inventory[a*z]", "a*z", "inventory", unknown),
        ] {
            let message = format!("`{pattern}` matches nothing that `{map}` of this world can have");
            assert_eq!(told(quantity), format!("warning: {message}; {help}"));
        }
    }
}
