//! Parses the name of a world: `embedded`, `server`, `pddl:DIR`.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use glob::Pattern;
use ltlcrit_verifier::syntax::nearest_name;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::minecraft::{EMBEDDED, SERVER};
use super::registry::{self, WORLDS};
use super::spec::WorldKind;

/// The maximum number of folders that match a pattern; no plan has as many worlds.
const MAX_MATCHES: usize = 100_001;

/// A registered world with its argument.
#[derive(Clone)]
pub struct WorldName {
    kind: &'static dyn WorldKind,
    argument: Option<Arc<str>>,
}

impl WorldName {
    /// The embedded Minecraft world.
    pub const EMBEDDED: Self = Self { kind: &EMBEDDED, argument: None };
    /// A Minecraft server.
    pub const SERVER: Self = Self { kind: &SERVER, argument: None };

    /// Returns the registry entry of the world.
    pub fn kind(&self) -> &'static dyn WorldKind {
        self.kind
    }

    /// Returns the argument: the part after the colon.
    pub fn argument(&self) -> Option<&str> {
        self.argument.as_deref()
    }

    /// Resolves a relative folder in the argument against `folder`. A pattern of folders, such as `tasks/*`, gives the
    /// world of each folder that matches it, in order.
    ///
    /// # Errors
    /// The pattern is wrong, or no folder matches it.
    pub fn within(&self, folder: &Path) -> Result<Vec<Self>, String> {
        let Some(argument) = self.argument().filter(|_| self.kind.argument() == Some("DIR")) else {
            return Ok(vec![self.clone()]);
        };
        let world = |path: &Path| Some(Self { kind: self.kind, argument: Some(path.to_str()?.into()) });
        let path = folder.join(argument);
        if !argument.contains(['*', '?', '[']) || path.is_dir() {
            return Ok(vec![world(&path).unwrap_or_else(|| self.clone())]);
        }
        // The folder itself is not part of the pattern.
        let pattern = Path::new(&Pattern::escape(&folder.to_string_lossy())).join(argument);
        let found = glob::glob(&pattern.to_string_lossy())
            .map_err(|why| format!("`{argument}` is not a pattern of folders: {}", why.msg))?;
        let found: Vec<Self> =
            found.flatten().filter(|path| path.is_dir()).take(MAX_MATCHES).filter_map(|path| world(&path)).collect();
        if found.is_empty() { Err(format!("no folder matches `{argument}`")) } else { Ok(found) }
    }
}

impl FromStr for WorldName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, argument) = match text.trim().split_once(':') {
            Some((name, argument)) => (name, Some(argument.trim())),
            None => (text.trim(), None),
        };
        let Some(kind) = WORLDS.into_iter().find(|kind| kind.name() == name) else {
            let near = nearest_name(name, WORLDS.iter().map(|kind| kind.name()));
            let meant = match (near, name) {
                (Some(near), _) => format!(", did you mean `{near}`?"),
                // Law books over Minecraft's words name it so.
                (None, "minecraft") => ", did you mean `embedded` or `server`?".to_owned(),
                (None, _) => String::new(),
            };
            let (given, known) = (text.chars().take(80).collect::<String>(), registry::forms().join(", "));
            return Err(format!("`{given}` names no world{meant}; the worlds are {known}"));
        };
        match (kind.argument(), argument) {
            (None, None) => Ok(Self { kind, argument: None }),
            (None, Some(_)) => Err(format!("`{name}` takes nothing after it; write `{name}`")),
            (Some(_), Some(given)) if !given.is_empty() => Ok(Self { kind, argument: Some(given.into()) }),
            (Some(what), _) => Err(format!("`{name}` needs {what} after a colon, as in `{name}:{what}`")),
        }
    }
}

impl fmt::Display for WorldName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.name())?;
        self.argument.iter().try_for_each(|argument| write!(f, ":{argument}"))
    }
}

impl fmt::Debug for WorldName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{self}`")
    }
}

impl PartialEq for WorldName {
    fn eq(&self, other: &Self) -> bool {
        (self.kind.name(), &self.argument) == (other.kind.name(), &other.argument)
    }
}

impl Eq for WorldName {}

impl Serialize for WorldName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for WorldName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_errors_say_what_would_be_right() {
        for name in ["embedded", "server", "pddl:tasks/a b"] {
            assert_eq!(name.parse::<WorldName>().unwrap().to_string(), name);
        }
        let error = |text: &str| text.parse::<WorldName>().unwrap_err().to_string();
        insta::assert_snapshot!(
            [error("embeded"), error("server:7"), error("moon"), error("pddl"), error("")].join("\n")
        );
    }
}
