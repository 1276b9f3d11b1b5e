//! Laws about events, as they are read: what their propositions mean.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use super::Event;
use crate::compiled::ShieldError;
use crate::formula::Formula;
use crate::law::Law;
use crate::syntax::nearest_name;
use crate::vocabulary::{UnknownProposition, VocabularyError};
use crate::word::RunFault;

/// Maximum number of objects with symbols of their own.
pub(super) const MAX_OBJECTS: usize = 60;
/// Maximum number of patterns in laws that are decided together.
pub const MAX_PATTERNS: usize = 32;
/// Maximum number of propositions of one law.
pub const MAX_ATOMS: usize = 30;

/// Laws about objects, or events, that cannot be decided.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ObjectError {
    /// A law that cannot be read over the catalogue.
    #[error("law {law}: {message}; {help}")]
    Law {
        /// The law.
        law: Arc<str>,
        /// The fault.
        message: String,
        /// The correction.
        help: String,
    },
    /// An event of no action of the catalogue, or with another number of objects.
    #[error("`{0}` is not an event of the catalogue")]
    Event(String),
    /// Too many objects are in different states.
    #[error("laws are open for {0} objects, and at most {MAX_OBJECTS} are decided together")]
    TooManyObjects(usize),
    /// An action with several objects has too many combinations of them.
    #[error("`{0}` has too many combinations of objects to be decided together")]
    TooManyCombinations(Arc<str>),
    /// A law exceeded its bounds.
    #[error("a law became too intricate to be followed")]
    Lost,
    /// There are too many events and objects to find those that laws need.
    #[error("the run is too long")]
    TooLong,
    /// An event that the alphabet was not made for.
    #[error("`{0}` is not in the alphabet")]
    NotInAlphabet(String),
    /// The symbols do not make a vocabulary.
    #[error(transparent)]
    Vocabulary(#[from] VocabularyError),
    /// A law has a proposition that the vocabulary lacks.
    #[error(transparent)]
    Proposition(#[from] UnknownProposition),
    /// The instances cannot be compiled.
    #[error(transparent)]
    Shield(#[from] ShieldError),
    /// The events do not make a run.
    #[error(transparent)]
    Run(#[from] RunFault),
}

/// The actions and facts that laws speak of.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    /// The actions, each with its parameters.
    pub actions: BTreeMap<Arc<str>, Vec<String>>,
    /// The facts, each with the actions whose result may make it true.
    pub facts: BTreeMap<Arc<str>, Vec<Arc<str>>>,
}

impl Catalogue {
    /// Adds an action with its parameters.
    #[must_use]
    pub fn action(mut self, name: &str, parameters: &[&str]) -> Self {
        self.actions.insert(name.into(), parameters.iter().map(ToString::to_string).collect());
        self
    }

    /// Adds a fact with the actions whose result may make it true.
    #[must_use]
    pub fn fact(mut self, name: &str, actions: &[&str]) -> Self {
        self.facts.insert(name.into(), actions.iter().map(|action| (*action).into()).collect());
        self
    }
}

/// A class of objects in a law, such as `*.env`. A text stands for the object of that name.
pub trait Like: fmt::Debug + Send + Sync {
    /// The text, which is the same for equal classes only.
    fn text(&self) -> &str;
    /// Returns whether an object belongs to it.
    fn is_match(&self, object: &str) -> bool;
}

impl Like for String {
    fn text(&self) -> &str {
        self
    }

    fn is_match(&self, object: &str) -> bool {
        self == object
    }
}

/// An argument of an action in a law.
#[derive(Clone, Debug)]
pub enum Argument {
    /// `_`: any object.
    Any,
    /// `?file`: the object that the law is about.
    Parameter,
    /// `*.env`: the objects of a class.
    Like(Arc<dyn Like>),
}

/// A fault in a text, and what would be right.
pub type Fault = (String, String);

/// Reads the text of an argument that stands for a class of objects.
pub type ReadLike<'a> = dyn Fn(&str) -> Result<Arc<dyn Like>, Fault> + 'a;

/// A proposition of a law.
#[derive(Clone, Debug)]
pub enum Atom {
    /// An event of an action.
    Call {
        /// The action.
        action: Arc<str>,
        /// Its arguments, as many as the action has parameters.
        arguments: Vec<Argument>,
    },
    /// A fact that the result of the same event makes true.
    Fact(Arc<str>),
    /// The event is [marked](Event::marks) with the law's name.
    Mark,
}

impl Atom {
    /// The meaning of a proposition: `write`, `write(?file)`, `green`. Texts of arguments are read by `like`.
    ///
    /// # Errors
    /// The fault, and what would be right.
    pub fn read(
        text: &str,
        catalogue: &Catalogue,
        parameter: &mut Option<String>,
        like: &ReadLike<'_>,
    ) -> Result<Self, Fault> {
        if let Some((fact, _)) = catalogue.facts.get_key_value(text) {
            return Ok(Self::Fact(fact.clone()));
        }
        let (name, inner) = text.split_once('(').map_or((text, None), |(name, rest)| (name, rest.strip_suffix(')')));
        let Some((action, parameters)) = catalogue.actions.get_key_value(name) else {
            let known = catalogue.actions.keys().chain(catalogue.facts.keys());
            let help = match nearest_name(name, known.map(|known| &**known)) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => "write an action or a fact that is declared for these laws".to_owned(),
            };
            return Err((format!("`{name}` is not a call or a fact"), help));
        };
        let Some(inner) = inner else {
            let arguments = parameters.iter().map(|_| Argument::Any).collect();
            return Ok(Self::Call { action: action.clone(), arguments });
        };
        let parts: Vec<&str> = inner.split(',').map(str::trim).collect();
        if parts.len() != parameters.len() {
            let example = parameters.iter().map(|one| format!("?{one}")).collect::<Vec<_>>().join(", ");
            let help = if example.is_empty() { format!("write {name}") } else { format!("write {name}({example})") };
            let message = format!("`{name}` has {} parameters, and {} are given", parameters.len(), parts.len());
            return Err((message, help));
        }
        let mut arguments = Vec::new();
        for part in parts {
            arguments.push(match part.strip_prefix('?') {
                Some(name) if parameter.as_ref().is_some_and(|known| known != name) => {
                    let help = "a law has one parameter; write `_` for any object";
                    return Err((format!("the law has a second parameter, `?{name}`"), help.into()));
                }
                Some(name) => {
                    *parameter = Some(name.to_owned());
                    Argument::Parameter
                }
                None if part == "_" => Argument::Any,
                None => Argument::Like(like(part)?),
            });
        }
        Ok(Self::Call { action: action.clone(), arguments })
    }

    /// Returns whether an event makes the proposition true for an object: for sure, and perhaps. A mark is not looked at.
    pub fn occurs(&self, event: &Event, instance: Option<&str>) -> (bool, bool) {
        let holds = match self {
            Self::Mark => false,
            Self::Fact(fact) => {
                let is = |known: &String| **known == **fact;
                let known = event.facts.iter().any(is);
                return (known && event.surely, known || event.perhaps.iter().any(is));
            }
            Self::Call { action, arguments } => {
                let fits = |(at, argument): (usize, &Argument)| {
                    let object = event.objects.get(at).map(String::as_str);
                    match argument {
                        Argument::Any => true,
                        Argument::Parameter => object.is_some() && object == instance,
                        Argument::Like(class) => object.is_some_and(|object| class.is_match(object)),
                    }
                };
                **action == *event.action && arguments.iter().enumerate().all(fits)
            }
        };
        (holds && event.surely, holds)
    }
}

/// The events that a law counts, so that two in a row are not the same as one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// None.
    Nothing,
    /// The events that it mentions.
    Mentioned,
    /// All events.
    All,
}

impl Counts {
    /// The events that a formula counts.
    pub fn of(formula: &Formula) -> Self {
        use Formula::*;
        let counts = matches!(
            formula,
            Next(_)
                | StrongNext(_)
                | FinallyWithin(..)
                | GloballyWithin(..)
                | AtLeast(..)
                | AtMost(..)
                | Yesterday(_)
                | WeakYesterday(_)
        );
        match counts || formula.children().any(|child| Self::of(child) == Self::All) {
            true => Self::All,
            false => Self::Nothing,
        }
    }
}

/// A law about events, and about one object if it has a parameter.
#[derive(Clone, Debug)]
pub struct ObjectLaw {
    /// The law.
    pub law: Law,
    /// The meaning of its propositions.
    pub atoms: BTreeMap<Arc<str>, Atom>,
    /// The parameter.
    pub parameter: Option<String>,
    /// The events that it counts.
    pub counts: Counts,
}

impl ObjectLaw {
    /// Returns whether a law with a parameter also speaks of events that do not name it.
    pub(super) fn is_mixed(&self) -> bool {
        self.atoms.values().any(|atom| match atom {
            Atom::Fact(_) | Atom::Mark => true,
            Atom::Call { arguments, .. } => !arguments.iter().any(|argument| matches!(argument, Argument::Parameter)),
        })
    }
}

/// The classes of objects in some laws, each once.
pub fn classes<'a>(laws: impl IntoIterator<Item = &'a ObjectLaw>) -> Vec<&'a Arc<dyn Like>> {
    let arguments = laws.into_iter().flat_map(|law| law.atoms.values()).flat_map(|atom| match atom {
        Atom::Call { arguments, .. } => arguments.as_slice(),
        Atom::Fact(_) | Atom::Mark => &[],
    });
    let mut seen = BTreeSet::new();
    let class = |argument: &'a Argument| match argument {
        Argument::Like(like) => Some(like),
        Argument::Any | Argument::Parameter => None,
    };
    arguments.filter_map(class).filter(|like| seen.insert(like.text())).collect()
}

/// A law with each proposition replaced, by whether it occurs where holding helps.
pub fn pessimistic(formula: &Formula, helps: bool, of: &mut dyn FnMut(&Arc<str>, bool) -> Formula) -> Formula {
    use Formula::{AtMost, Atom, Iff, Implies, Not, Xor};
    let mut go = |formula: &Formula, helps: bool| pessimistic(formula, helps, of);
    match formula {
        Atom(name) => of(name, helps),
        Not(a) => go(a, !helps).not(),
        AtMost(count, a) => go(a, !helps).at_most(*count),
        Implies(a, b) => go(a, !helps).implies(go(b, helps)),
        Iff(a, b) => go(a, !helps).implies(go(b, helps)).and(go(b, !helps).implies(go(a, helps))),
        Xor(a, b) => go(a, helps).or(go(b, helps)).and(go(a, !helps).and(go(b, !helps)).not()),
        other => other.with_operands(&mut |operand| go(operand, helps)),
    }
}
