//! Sources of personas: shipped names and files.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::super::ActorKind;
use super::fnv::Fnv;
use super::persona::Persona;
use crate::user_error::UserError;

/// The maximum size of a persona's file, in bytes.
const MAX_BYTES: u64 = 64 * 1024;

/// The suffix of a file's name, which distinguishes it from the name of a shipped persona.
const ENDING: &str = ".toml";

/// Name and text of every shipped persona, in the order they are listed.
const SHIPPED: [(&str, &str); 18] = [
    ("naive", include_str!("../../../personas/naive.toml")),
    ("saycan", include_str!("../../../personas/saycan.toml")),
    ("hoarder", include_str!("../../../personas/hoarder.toml")),
    ("wasteful", include_str!("../../../personas/wasteful.toml")),
    ("stubborn", include_str!("../../../personas/stubborn.toml")),
    ("wanderer", include_str!("../../../personas/wanderer.toml")),
    ("sloppy", include_str!("../../../personas/sloppy.toml")),
    ("burrower", include_str!("../../../personas/burrower.toml")),
    ("feller", include_str!("../../../personas/feller.toml")),
    ("quarrier", include_str!("../../../personas/quarrier.toml")),
    ("whittler", include_str!("../../../personas/whittler.toml")),
    ("inner-monologue", include_str!("../../../personas/inner-monologue.toml")),
    ("hasty", include_str!("../../../personas/hasty.toml")),
    ("forgetful", include_str!("../../../personas/forgetful.toml")),
    ("restless", include_str!("../../../personas/restless.toml")),
    ("digger", include_str!("../../../personas/digger.toml")),
    ("careful", include_str!("../../../personas/careful.toml")),
    ("nl-constraints", include_str!("../../../personas/nl-constraints.toml")),
];

/// The source of a persona in `simulated:PERSONA`: `hasty`, or `./mine.toml`. A digest, as in
/// `./mine.toml@0123456789abcdef`, pins the content of the file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PersonaSource {
    /// A persona that comes with the program.
    Shipped(&'static str),
    /// A persona in a file.
    File {
        /// Its path, which ends in `.toml`.
        path: PathBuf,
        /// The digest of its content, once the file was read.
        digest: Option<u64>,
    },
}

/// Advice on a key or a value that is wrong.
const KEYS_HELP: &str = "docs/personas.md describes every key and its form";

impl PersonaSource {
    /// Returns the names of the shipped personas.
    pub fn names() -> impl Iterator<Item = &'static str> {
        SHIPPED.iter().map(|(name, _)| *name)
    }

    /// Returns the persona that plain `simulated` selects for an actor; both have the same name.
    pub fn of_actor(actor: ActorKind) -> Self {
        match actor {
            // Personas choose one action at a time, so their plan has a single action.
            ActorKind::WholePlan => Self::Shipped(ActorKind::NlConstraints.name()),
            actor => Self::Shipped(actor.name()),
        }
    }

    /// Reads the persona.
    ///
    /// # Errors
    /// The file cannot be read, has changed, or does not describe a persona.
    pub fn open(&self) -> Result<Persona, UserError> {
        Ok(self.open_pinned()?.1)
    }

    /// Reads the persona, and pins the source to the content that was read.
    pub(super) fn open_pinned(&self) -> Result<(Self, Persona), UserError> {
        let (name, text) = self.read()?;
        Ok((self.with_digest(&text), Persona::parse(&text, &name)?))
    }

    /// Adds the digest of the content, so that later uses notice a change.
    ///
    /// # Errors
    /// The file cannot be read or has changed.
    pub fn pinned(&self) -> Result<Self, UserError> {
        Ok(self.with_digest(&self.read()?.1))
    }

    fn with_digest(&self, text: &str) -> Self {
        match self {
            Self::Shipped(_) => self.clone(),
            Self::File { path, .. } => Self::File { path: path.clone(), digest: Some(digest(text)) },
        }
    }

    /// Returns the name for errors, and the text.
    fn read(&self) -> Result<(String, String), UserError> {
        match self {
            Self::Shipped(name) => {
                let text = SHIPPED.iter().find(|(shipped, _)| shipped == name).map_or("", |(_, text)| text);
                Ok(((*name).to_owned(), text.to_owned()))
            }
            Self::File { path, digest: expected } => {
                let name = path.display().to_string();
                let text = ltlcrit_files::read_text(path, MAX_BYTES).map_err(|error| {
                    let shipped: Vec<&str> = Self::names().collect();
                    let help = format!("give the path of a file, or a shipped persona: {}", shipped.join(", "));
                    let wrong = UserError::new(format!("the persona `{name}` cannot be read: {error}"));
                    wrong.help(error.help().map_or(help, str::to_owned))
                })?;
                let found = digest(&text);
                match expected {
                    Some(expected) if *expected != found => Err(UserError::new(format!(
                        "the persona `{name}` has changed: its digest was {expected:016x} and is {found:016x}"
                    ))
                    .help("a run goes on with the persona it was begun with: restore that file")),
                    _ => Ok((name, text)),
                }
            }
        }
    }
}

impl Persona {
    /// Parses a persona from the text of a file; errors name the file `name`.
    ///
    /// # Errors
    /// The first problem of the text: its syntax, a missing or unknown key, or a wrong value.
    pub fn parse(text: &str, name: &str) -> Result<Self, UserError> {
        let wrong = |error| UserError::of_toml("the persona", &error, text, name).or_help(KEYS_HELP);
        toml_edit::de::from_str(text).map_err(wrong)
    }
}

fn digest(text: &str) -> u64 {
    let mut hash = Fnv::new(0);
    hash.write(text.as_bytes());
    hash.finish()
}

impl fmt::Display for PersonaSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shipped(name) => f.write_str(name),
            Self::File { path, digest: None } => write!(f, "{}", path.display()),
            Self::File { path, digest: Some(digest) } => write!(f, "{}@{digest:016x}", path.display()),
        }
    }
}

impl FromStr for PersonaSource {
    type Err = ();

    /// Parses a shipped name or a path that ends in `.toml`. Does not check whether the file exists.
    fn from_str(text: &str) -> Result<Self, ()> {
        if let Some(name) = Self::names().find(|name| *name == text) {
            return Ok(Self::Shipped(name));
        }
        let (path, digest) = match text.rsplit_once('@') {
            Some((path, digest)) if path.ends_with(ENDING) && digest.len() == 16 => {
                (path, Some(u64::from_str_radix(digest, 16).map_err(|_| ())?))
            }
            _ => (text, None),
        };
        if path.ends_with(ENDING) { Ok(Self::File { path: Path::new(path).to_owned(), digest }) } else { Err(()) }
    }
}
