//! The signature of a vocabulary whose propositions are predicates over typed objects.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The objects of a vocabulary's propositions, and the argument types of its predicates and actions.
///
/// With a signature, a law can be written once with parameters and instantiated for the objects:
/// `G(hot(?x) -> X !grab(?x))`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    /// The name of the domain, shared by the vocabularies of several problems; books may use it as the name of their
    /// vocabulary.
    pub domain: Arc<str>,
    /// The objects of each type, including those of subtypes, in the order of their declaration.
    pub types: BTreeMap<Arc<str>, Vec<Arc<str>>>,
    /// The argument types of each predicate or action, named as in propositions; each argument may have any of its
    /// types.
    pub symbols: BTreeMap<Arc<str>, Vec<Vec<Arc<str>>>>,
    /// The observations that can hold but are not in the vocabulary, because no law in force mentions them. An
    /// observation that is neither here nor in the vocabulary never holds.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub unseen: BTreeSet<Arc<str>>,
}

impl Signature {
    /// Returns the objects of any of some types, each once.
    pub fn objects(&self, types: &[Arc<str>]) -> Vec<Arc<str>> {
        let mut seen = BTreeSet::new();
        let all = types.iter().filter_map(|name| self.types.get(name)).flatten();
        all.filter(|object| seen.insert(*object)).cloned().collect()
    }

    /// Returns the types of an object, by name.
    pub fn types_of(&self, object: &str) -> Vec<&str> {
        let has = |(_, objects): &(&Arc<str>, &Vec<Arc<str>>)| objects.iter().any(|one| &**one == object);
        self.types.iter().filter(has).map(|(name, _)| &**name).collect()
    }
}
