//! The signature of a vocabulary whose propositions are predicates over typed objects.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The objects behind the propositions of a vocabulary, and the arguments that its predicates and actions take.
///
/// With it a law can be written once with parameters and be instantiated for the objects: `G(hot(?x) -> X !grab(?x))`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Signature {
    /// The name of the domain, which vocabularies of several problems share; books may name it as their vocabulary.
    pub domain: Arc<str>,
    /// By type: its objects, those of subtypes among them, in the order of their declaration.
    pub types: BTreeMap<Arc<str>, Vec<Arc<str>>>,
    /// By predicate or action, as propositions name it: for each argument the types that it may have, any of them.
    pub symbols: BTreeMap<Arc<str>, Vec<Vec<Arc<str>>>>,
    /// The observations that can hold but are not in the vocabulary, because no law in force mentions them. What is neither
    /// here nor in the vocabulary never holds.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub unseen: BTreeSet<Arc<str>>,
}

impl Signature {
    /// The objects of any of some types, each once.
    pub fn objects(&self, types: &[Arc<str>]) -> Vec<Arc<str>> {
        let mut seen = BTreeSet::new();
        let all = types.iter().filter_map(|name| self.types.get(name)).flatten();
        all.filter(|object| seen.insert(*object)).cloned().collect()
    }

    /// The types of an object, by name.
    pub fn types_of(&self, object: &str) -> Vec<&str> {
        let has = |(_, objects): &(&Arc<str>, &Vec<Arc<str>>)| objects.iter().any(|one| &**one == object);
        self.types.iter().filter(has).map(|(name, _)| &**name).collect()
    }
}
