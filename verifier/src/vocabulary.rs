//! Vocabularies: the two ordered lists of propositions, observations and actions, over which letters and laws are
//! written.
//!
//! # Limits
//!
//! | quantity | limit |
//! | --- | --- |
//! | propositions: observations and actions together | [`CAPACITY`], 256, because a letter is 256 bits |
//! | actions that laws distinguish, [`STOP`] among them | as many as fit beside the observations |
//! | [further actions](Vocabulary::with_further) | 65,000 |
//! | letters | all sets of propositions; those of a run have exactly one action, except letter 0, which has no action |
//! | a name in a text | [`MAX_NAME`](crate::syntax::MAX_NAME), 256 bytes |
//!
//! Up to 64 actions are judged at once. More actions are judged one by one, which is slower with the same result. A law
//! over at most eight propositions has a dense transition table. A law over more is judged by search if its states are
//! too many to explore.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;

pub use self::axiom::Axiom;
pub use self::signature::Signature;
use crate::bits::{CAPACITY, PropSet};
use crate::definition::{Definition, implied_axioms};
use crate::formula::Formula;
pub use crate::ids::{ActionId, PropId};
use crate::nearest::nearest_name;

/// The action that ends a run; every vocabulary with actions has it.
pub const STOP: &str = "action_stop";

/// The action that stands, in letters and laws, for all [further actions](Vocabulary::with_further).
pub const OTHER: &str = "action_other";

/// Maximum number of actions of a vocabulary.
const MAX_ACTIONS: usize = 65_000;

/// A named proposition with its one-line meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposition {
    /// The exact name in laws, such as `obs_has_log` or `is_on(book, book_shelf)`.
    pub name: Arc<str>,
    /// The meaning in one line, for people and models.
    pub meaning: Arc<str>,
    /// The inputs and outputs of an action, in one line. The recipe is separate from the meaning, because an actor may
    /// have to discover it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recipe: Option<Arc<str>>,
    /// The definition of an observation that is derived from the full observation; the world itself reports all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub definition: Option<Arc<Definition>>,
}

impl Proposition {
    /// Creates a proposition with a name and a meaning, without a recipe.
    pub fn new(name: impl Into<Arc<str>>, meaning: impl Into<Arc<str>>) -> Self {
        Self { name: name.into(), meaning: meaning.into(), recipe: None, definition: None }
    }

    /// Creates an observation that is derived from the full observation; without a meaning, its definition is the
    /// meaning.
    pub fn derived(name: impl Into<Arc<str>>, definition: Definition, meaning: Option<&str>) -> Self {
        let meaning = meaning.map_or_else(|| definition.meaning(), str::to_owned);
        Self { definition: Some(Arc::new(definition)), ..Self::new(name, meaning) }
    }

    /// Returns the same proposition with a recipe.
    #[must_use]
    pub fn with_recipe(self, recipe: impl Into<Arc<str>>) -> Self {
        Self { recipe: Some(recipe.into()), ..self }
    }

    /// Returns the meaning, followed by the recipe if there is one: `Craft sticks: 2 planks give 4 sticks`.
    ///
    /// ```
    /// use ltlcrit_verifier::Proposition;
    ///
    /// let sticks = Proposition::new("action_craft_stick", "Craft sticks");
    /// assert_eq!(sticks.meaning_and_recipe(), "Craft sticks");
    /// assert_eq!(sticks.with_recipe("2 planks give 4 sticks").meaning_and_recipe(), "Craft sticks: 2 planks give 4 sticks");
    /// ```
    pub fn meaning_and_recipe(&self) -> Cow<'_, str> {
        match &self.recipe {
            None => Cow::Borrowed(&self.meaning),
            Some(recipe) => Cow::Owned(format!("{}: {recipe}", self.meaning)),
        }
    }
}

/// Creates a proposition without a meaning.
impl From<&str> for Proposition {
    fn from(name: &str) -> Self {
        Self::new(name, "")
    }
}

/// Creates a proposition without a meaning.
impl From<String> for Proposition {
    fn from(name: String) -> Self {
        Self::new(name, "")
    }
}

/// Creates a proposition without a meaning.
impl From<Arc<str>> for Proposition {
    fn from(name: Arc<str>) -> Self {
        Self::new(name, "")
    }
}

/// Creates a proposition from a name and a meaning.
impl From<(&str, &str)> for Proposition {
    fn from((name, meaning): (&str, &str)) -> Self {
        Self::new(name, meaning)
    }
}

/// A name that is not in a vocabulary.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("`{name}` is not in the vocabulary `{vocabulary}`{}", hint(.suggestion))]
pub struct UnknownProposition {
    /// The name.
    pub name: Arc<str>,
    /// The vocabulary's name.
    pub vocabulary: Arc<str>,
    /// The nearest name in the vocabulary, if one is near.
    pub suggestion: Option<Arc<str>>,
}

pub(crate) fn hint(suggestion: &Option<Arc<str>>) -> String {
    suggestion.as_ref().map_or_else(String::new, |name| format!("; did you mean `{name}`?"))
}

/// The reason why a vocabulary could not be built.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum VocabularyError {
    /// A name appears twice.
    #[error("the vocabulary `{vocabulary}` lists `{name}` twice; keep one")]
    Duplicate {
        /// The vocabulary's name.
        vocabulary: String,
        /// The repeated name.
        name: String,
    },
    /// A derived observation has the name of another proposition.
    #[error(
        "`{name}` cannot be derived as `{definition}`: the vocabulary `{vocabulary}` {}",
        .known.as_ref().map_or("has a proposition of this name".to_owned(), |known| format!("derives it as `{known}`"))
    )]
    Redefined {
        /// The vocabulary's name.
        vocabulary: String,
        /// The name.
        name: String,
        /// The refused definition.
        definition: Arc<Definition>,
        /// The existing definition of the name, if it has one.
        known: Option<Arc<Definition>>,
    },
    /// More propositions than a letter can hold.
    #[error(
        "the vocabulary `{vocabulary}` has {found} propositions ({} observations and {actions} actions), a letter holds at \
         most {CAPACITY}; leave out {}, such as those that no law mentions", .found - .actions, .found - CAPACITY
    )]
    TooLarge {
        /// The vocabulary's name.
        vocabulary: String,
        /// The number of propositions.
        found: usize,
        /// The number of actions, [`STOP`] among them.
        actions: usize,
    },
    /// More actions than can be numbered.
    #[error("the vocabulary `{vocabulary}` has {found} actions, at most {MAX_ACTIONS} can be told apart")]
    TooManyActions {
        /// The vocabulary's name.
        vocabulary: String,
        /// The number of actions.
        found: usize,
    },
    /// An axiom is not a Boolean formula over the observations.
    #[error("axiom `{axiom}` of the vocabulary `{vocabulary}` must be a Boolean formula over its observations: {why}")]
    BadAxiom {
        /// The vocabulary's name.
        vocabulary: String,
        /// The axiom as written.
        axiom: String,
        /// The fault.
        why: AxiomFault,
    },
}

/// The fault of an axiom.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum AxiomFault {
    /// It refers to more than one letter.
    #[error("it has a temporal operator")]
    Temporal,
    /// It mentions an action.
    #[error("`{0}` is an action")]
    Action(Arc<str>),
    /// It mentions a proposition that is not in the vocabulary.
    #[error("`{0}` is not in the vocabulary")]
    Unknown(Arc<str>),
}

/// Two ordered lists of propositions and the Boolean axioms that every reachable state satisfies.
///
/// A vocabulary without actions describes plain words: nothing is one-hot and nothing can be shielded. With actions,
/// each letter of a run has exactly one action, except letter 0: no action leads to the initial state.
///
/// There are at most [`CAPACITY`] propositions, observations and actions together; the [module](self) has all limits.
///
/// ```
/// use ltlcrit_verifier::{Axiom, Vocabulary};
///
/// let kitchen = Vocabulary::builder("kitchen")
///     .observation(("obs_pot_hot", "The pot is too hot to touch"))
///     .observation("obs_pot_warm")
///     .action("action_grab_pot")
///     .axiom(Axiom::new("obs_pot_hot -> obs_pot_warm".parse()?).because("Hot is more than warm."))
///     .build()?;
/// // Ending the run is always an action.
/// assert_eq!(kitchen.actions().len(), 2);
/// let unknown = kitchen.require("obs_pot_hott").unwrap_err();
/// assert_eq!(unknown.suggestion.as_deref(), Some("obs_pot_hot"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(into = "Stored", try_from = "Stored")]
pub struct Vocabulary {
    name: Arc<str>,
    propositions: Vec<Proposition>,
    observation_count: usize,
    stop: Option<ActionId>,
    axioms: Vec<Axiom>,
    index: HashMap<Arc<str>, PropId>,
    /// Actions whose letters are those of [`OTHER`]. They are numbered after the other actions, the last of which is
    /// [`OTHER`].
    further: Vec<Proposition>,
    further_index: HashMap<Arc<str>, ActionId>,
    signature: Option<Arc<Signature>>,
}

/// A vocabulary as it is stored.
#[derive(Serialize, Deserialize)]
struct Stored {
    name: Arc<str>,
    observations: Vec<Proposition>,
    actions: Vec<Proposition>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    further: Vec<Proposition>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    axioms: Vec<Axiom>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    signature: Option<Arc<Signature>>,
}

impl From<Vocabulary> for Stored {
    fn from(vocabulary: Vocabulary) -> Self {
        let (observations, actions) = (vocabulary.observations().to_vec(), vocabulary.actions().to_vec());
        let Vocabulary { name, further, axioms, signature, .. } = vocabulary;
        Self { name, observations, actions, further, axioms, signature }
    }
}

impl TryFrom<Stored> for Vocabulary {
    type Error = VocabularyError;

    fn try_from(stored: Stored) -> Result<Self, VocabularyError> {
        let Stored { name, observations, actions, further, axioms, signature } = stored;
        Ok(Self { signature, ..Self::new(name, observations, actions, axioms)?.with_further(further)? })
    }
}

/// A builder of vocabularies.
#[derive(Clone, Debug)]
pub struct VocabularyBuilder {
    name: Arc<str>,
    observations: Vec<Proposition>,
    actions: Vec<Proposition>,
    axioms: Vec<Axiom>,
}

impl VocabularyBuilder {
    /// Adds an observation: a name, or a name with its meaning.
    #[must_use]
    pub fn observation(self, observation: impl Into<Proposition>) -> Self {
        self.observations([observation])
    }

    /// Adds an action: a name, or a name with its meaning.
    #[must_use]
    pub fn action(self, action: impl Into<Proposition>) -> Self {
        self.actions([action])
    }

    /// Adds observations, in order.
    #[must_use]
    pub fn observations(mut self, observations: impl IntoIterator<Item = impl Into<Proposition>>) -> Self {
        self.observations.extend(observations.into_iter().map(Into::into));
        self
    }

    /// Adds actions, in order.
    #[must_use]
    pub fn actions(mut self, actions: impl IntoIterator<Item = impl Into<Proposition>>) -> Self {
        self.actions.extend(actions.into_iter().map(Into::into));
        self
    }

    /// Adds Boolean formulas over the observations that every reachable state satisfies.
    #[must_use]
    pub fn axioms(mut self, axioms: impl IntoIterator<Item = impl Into<Axiom>>) -> Self {
        self.axioms.extend(axioms.into_iter().map(Into::into));
        self
    }

    /// Adds a Boolean formula over the observations that every reachable state satisfies, with or without a reason.
    #[must_use]
    pub fn axiom(self, axiom: impl Into<Axiom>) -> Self {
        self.axioms([axiom])
    }

    /// Builds the vocabulary.
    ///
    /// # Errors
    /// As [`Vocabulary::new`].
    pub fn build(self) -> Result<Vocabulary, VocabularyError> {
        Vocabulary::new(self.name, self.observations, self.actions, self.axioms)
    }
}

impl Vocabulary {
    /// Begins a vocabulary without propositions.
    pub fn builder(name: impl Into<Arc<str>>) -> VocabularyBuilder {
        VocabularyBuilder { name: name.into(), observations: Vec::new(), actions: Vec::new(), axioms: Vec::new() }
    }

    /// Builds a vocabulary. If there are actions and [`STOP`] is not among them, it is appended. The implications
    /// between definitions of the same quantity are added to the axioms: `obs_has_5x_log -> obs_has_4x_log`.
    ///
    /// # Errors
    /// A name is repeated, there are more than [`CAPACITY`] propositions, or an axiom is not Boolean over the
    /// observations.
    pub fn new(
        name: impl Into<Arc<str>>,
        observations: Vec<Proposition>,
        mut actions: Vec<Proposition>,
        mut axioms: Vec<Axiom>,
    ) -> Result<Self, VocabularyError> {
        let name = name.into();
        let derived = observations.iter().filter_map(|one| Some((one.definition.as_deref()?, &one.name)));
        for implied in implied_axioms(derived).into_iter().map(Axiom::new) {
            if !axioms.contains(&implied) {
                axioms.push(implied);
            }
        }
        if !actions.is_empty() && actions.iter().all(|action| &*action.name != STOP) {
            actions.push(Proposition::new(STOP, "End the run"));
        }
        let observation_count = observations.len();
        let mut propositions = observations;
        propositions.append(&mut actions);
        if propositions.len() > CAPACITY {
            let (found, vocabulary) = (propositions.len(), name.to_string());
            return Err(VocabularyError::TooLarge { vocabulary, found, actions: found - observation_count });
        }
        let mut index = HashMap::with_capacity(propositions.len());
        for (position, proposition) in propositions.iter().enumerate() {
            if index.insert(proposition.name.clone(), PropId(position as u16)).is_some() {
                return Err(VocabularyError::Duplicate {
                    vocabulary: name.to_string(),
                    name: proposition.name.to_string(),
                });
            }
        }
        let mut vocabulary = Self {
            name,
            propositions,
            observation_count,
            stop: None,
            axioms: Vec::new(),
            index,
            further: Vec::new(),
            further_index: HashMap::new(),
            signature: None,
        };
        vocabulary.stop = vocabulary.action(STOP);
        for axiom in &axioms {
            vocabulary.check_axiom(&axiom.formula).map_err(|why| VocabularyError::BadAxiom {
                vocabulary: vocabulary.name.to_string(),
                axiom: axiom.to_string(),
                why,
            })?;
        }
        Ok(Self { axioms, ..vocabulary })
    }

    /// Returns the vocabulary with further actions, which no law in force mentions. An actor may choose them; in
    /// letters and laws they are all one action, [`OTHER`], which is added. So a world may have thousands of actions,
    /// as long as laws distinguish few of them. They are numbered after the other actions.
    ///
    /// ```
    /// use ltlcrit_verifier::{Letter, PropSet, Vocabulary};
    ///
    /// let kitchen = Vocabulary::builder("kitchen").action("action_burn").build()?;
    /// let kitchen = kitchen.with_further(["action_stir".into(), "action_taste".into()])?;
    /// let [stir, taste] = ["action_stir", "action_taste"].map(|name| kitchen.action(name).unwrap());
    /// assert_eq!(kitchen.action_name(taste), "action_taste");
    /// assert_eq!(Letter::after(&kitchen, stir, PropSet::EMPTY), Letter::after(&kitchen, taste, PropSet::EMPTY));
    /// assert_eq!(kitchen.catalogue().count(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A name is taken, or there are too many propositions or actions.
    pub fn with_further(self, further: impl IntoIterator<Item = Proposition>) -> Result<Self, VocabularyError> {
        let further: Vec<Proposition> = further.into_iter().collect();
        if further.is_empty() {
            return Ok(self);
        }
        let (name, mut actions) = (self.name.clone(), self.actions().to_vec());
        if actions.last().is_none_or(|last| &*last.name != OTHER) {
            if self.stop.is_none() {
                actions.push(Proposition::new(STOP, "End the run"));
            }
            actions.push(Proposition::new(OTHER, "Any action that no law mentions"));
        }
        let mut all = Self::new(name.clone(), self.observations().to_vec(), actions, self.axioms.clone())?;
        let found = all.actions().len() + self.further.len() + further.len();
        if found > MAX_ACTIONS {
            return Err(VocabularyError::TooManyActions { vocabulary: name.to_string(), found });
        }
        all.signature = self.signature;
        all.further = self.further;
        all.further.extend(further);
        for (position, action) in all.further.iter().enumerate() {
            let id = ActionId((all.propositions.len() - all.observation_count + position) as u16);
            if all.index.contains_key(&action.name) || all.further_index.insert(action.name.clone(), id).is_some() {
                return Err(VocabularyError::Duplicate { vocabulary: name.to_string(), name: action.name.to_string() });
            }
        }
        Ok(all)
    }

    /// Builds a vocabulary of plain propositions, without actions, for judging words.
    ///
    /// # Errors
    /// As [`Vocabulary::new`].
    pub fn plain<I, S>(name: impl Into<Arc<str>>, propositions: I) -> Result<Self, VocabularyError>
    where
        I: IntoIterator<Item = S>,
        S: Into<Arc<str>>,
    {
        let observations = propositions.into_iter().map(|name| Proposition::new(name, "")).collect();
        Self::new(name, observations, Vec::new(), Vec::new())
    }

    /// Returns the vocabulary with derived observations after its own ones, whose numbers stay the same. Actions keep
    /// their [`ActionId`]. An observation with the same definition is not added again.
    ///
    /// ```
    /// use ltlcrit_verifier::{Proposition, Vocabulary};
    ///
    /// let forest = Vocabulary::builder("forest").observation("obs_has_log").action("action_mine_log").build()?;
    /// let logs = |name, definition: &str| Ok::<_, ltlcrit_verifier::SyntaxError>(Proposition::derived(name, definition.parse()?, None));
    /// let extended = forest.extended([logs("obs_has_5x_log", "inventory[*_log] >= 5")?])?;
    /// assert_eq!(extended.id("obs_has_log"), forest.id("obs_has_log"));
    /// assert_eq!(extended.action("action_mine_log"), forest.action("action_mine_log"));
    /// let refused = extended.extended([logs("obs_has_log", "inventory[*_log] >= 1")?]).unwrap_err();
    /// assert_eq!(
    ///     refused.to_string(),
    ///     "`obs_has_log` cannot be derived as `inventory[*_log] >= 1`: the vocabulary `forest` has a proposition of this name"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The vocabulary has a name with another definition or without one, or there are more than [`CAPACITY`]
    /// propositions.
    pub fn extended(&self, derived: impl IntoIterator<Item = Proposition>) -> Result<Self, VocabularyError> {
        let mut observations = self.observations().to_vec();
        for proposition in derived {
            let old = observations.iter().chain(self.actions()).find(|old| old.name == proposition.name);
            match (old, &proposition.definition) {
                (None, _) => observations.push(proposition),
                (Some(old), new) if old.definition == *new => {}
                (Some(old), Some(new)) => {
                    return Err(VocabularyError::Redefined {
                        vocabulary: self.name.to_string(),
                        name: proposition.name.to_string(),
                        definition: new.clone(),
                        known: old.definition.clone(),
                    });
                }
                (Some(_), None) => {
                    let (vocabulary, name) = (self.name.to_string(), proposition.name.to_string());
                    return Err(VocabularyError::Duplicate { vocabulary, name });
                }
            }
        }
        let all = Self::new(self.name.clone(), observations, self.actions().to_vec(), self.base_axioms())?;
        Ok(all.with_the_rest_of(self))
    }

    /// Returns the vocabulary with the further actions and the signature of another vocabulary that has the same
    /// actions.
    fn with_the_rest_of(self, other: &Self) -> Self {
        let (further, further_index) = (other.further.clone(), other.further_index.clone());
        Self { further, further_index, signature: other.signature.clone(), ..self }
    }

    /// Returns the vocabulary with the objects that its propositions are about.
    #[must_use]
    pub fn with_signature(self, signature: Arc<Signature>) -> Self {
        Self { signature: Some(signature), ..self }
    }

    /// Returns the objects that the propositions are about; `None` if laws over the vocabulary have no parameters.
    pub fn signature(&self) -> Option<&Arc<Signature>> {
        self.signature.as_ref()
    }

    /// Returns whether books may use this name for the vocabulary: its own name, or that of its domain.
    pub fn is_called(&self, name: &str) -> bool {
        *self.name == *name || self.signature.as_ref().is_some_and(|signature| *signature.domain == *name)
    }

    /// Returns whether a proposition of this name can ever hold: it is in the vocabulary, a further action, or unseen.
    pub fn can_hold(&self, name: &str) -> bool {
        let unseen = || self.signature.as_ref().is_some_and(|signature| signature.unseen.contains(name));
        self.id(name).is_some() || self.action(name).is_some() || unseen()
    }

    /// Returns the vocabulary without derived observations.
    #[must_use]
    pub fn base(&self) -> Self {
        let observations = self.observations().iter().filter(|one| one.definition.is_none()).cloned().collect();
        // A part of a vocabulary is a valid vocabulary.
        Self::new(self.name.clone(), observations, self.actions().to_vec(), self.base_axioms())
            .map_or_else(|_| self.clone(), |base| base.with_the_rest_of(self))
    }

    /// Returns the axioms that mention no derived observation.
    fn base_axioms(&self) -> Vec<Axiom> {
        let is_derived = |atom: &Arc<str>| self.id(atom).is_some_and(|id| self.derived().contains(id));
        self.axioms.iter().filter(|axiom| !axiom.formula.atoms().iter().any(is_derived)).cloned().collect()
    }

    /// Returns the observations that are derived from the full observation, in order.
    pub fn derivations(&self) -> impl Iterator<Item = &Proposition> {
        self.observations().iter().filter(|one| one.definition.is_some())
    }

    /// Returns the set of observations that are derived from the full observation.
    pub fn derived(&self) -> PropSet {
        let numbered = self.observations().iter().zip(0u16..);
        numbered.filter(|(one, _)| one.definition.is_some()).map(|(_, number)| PropId(number)).collect()
    }

    fn check_axiom(&self, axiom: &Formula) -> Result<(), AxiomFault> {
        if !axiom.is_boolean() {
            return Err(AxiomFault::Temporal);
        }
        for atom in axiom.atoms() {
            match self.id(&atom) {
                Some(id) if self.is_observation(id) => {}
                Some(_) => return Err(AxiomFault::Action(atom)),
                None => return Err(AxiomFault::Unknown(atom)),
            }
        }
        Ok(())
    }

    /// Returns the vocabulary's name, as in books.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the observations, in order.
    pub fn observations(&self) -> &[Proposition] {
        &self.propositions[..self.observation_count]
    }

    /// Returns the actions that letters distinguish, in order, [`STOP`] among them.
    pub fn actions(&self) -> &[Proposition] {
        &self.propositions[self.observation_count..]
    }

    /// Returns the [further actions](Self::with_further), in order.
    pub fn further(&self) -> &[Proposition] {
        &self.further
    }

    /// Returns all actions that can be chosen, with their numbers.
    pub fn catalogue(&self) -> impl Iterator<Item = (ActionId, &Proposition)> {
        let stands_for_others = |action: &Proposition| !self.further.is_empty() && &*action.name == OTHER;
        let all = (0u16..).map(ActionId).zip(self.actions().iter().chain(&self.further));
        all.filter(move |(_, action)| !stands_for_others(action))
    }

    /// Returns whether an action can be chosen.
    pub fn offers(&self, action: ActionId) -> bool {
        let stands_for_others = !self.further.is_empty() && self.action_name(action) == OTHER;
        usize::from(action.0) < self.actions().len() + self.further.len() && !stands_for_others
    }

    /// Returns the representative of an action in letters: the action itself, or [`OTHER`] for a [further
    /// one](Self::with_further).
    #[inline]
    pub fn in_letters(&self, action: ActionId) -> ActionId {
        let actions = self.propositions.len() - self.observation_count;
        match usize::from(action.0).checked_sub(actions) {
            Some(further) if further < self.further.len() => ActionId(actions.saturating_sub(1) as u16),
            _ => action,
        }
    }

    /// Returns all propositions: observations, then actions. The position is the [`PropId`].
    pub fn propositions(&self) -> &[Proposition] {
        &self.propositions
    }

    /// Returns the Boolean formulas over observations that every reachable state satisfies.
    pub fn axioms(&self) -> &[Axiom] {
        &self.axioms
    }

    /// Returns the first axiom that these observations break. Proofs and judgements that rely on it do not hold.
    ///
    /// ```
    /// use ltlcrit_verifier::{PropSet, Vocabulary};
    ///
    /// let kitchen = Vocabulary::builder("kitchen")
    ///     .observations(["obs_pot_hot", "obs_pot_warm"])
    ///     .axiom("obs_pot_hot -> obs_pot_warm".parse::<ltlcrit_verifier::Formula>()?)
    ///     .build()?;
    /// assert_eq!(kitchen.broken_axiom(&PropSet::EMPTY), None);
    /// let broken = kitchen.broken_axiom(&kitchen.set(["obs_pot_hot"])?);
    /// assert_eq!(broken, kitchen.axioms().first());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn broken_axiom(&self, observations: &PropSet) -> Option<&Axiom> {
        let holds = |name: &str| self.id(name).is_some_and(|id| observations.contains(id));
        self.axioms().iter().find(|axiom| !axiom.formula.holds_where(&holds))
    }

    /// Returns the proposition with exactly this name.
    pub fn id(&self, name: &str) -> Option<PropId> {
        self.index.get(name).copied()
    }

    /// Returns the proposition with exactly this name, or an error that suggests the nearest one.
    ///
    /// # Errors
    /// The name is not in the vocabulary.
    pub fn require(&self, name: &str) -> Result<PropId, UnknownProposition> {
        self.id(name).ok_or_else(|| self.unknown(name))
    }

    /// Returns the error for a name that is not in the vocabulary.
    pub(crate) fn unknown(&self, name: &str) -> UnknownProposition {
        let suggestion = self.nearest(name).map(Into::into);
        UnknownProposition { name: name.into(), vocabulary: self.name.clone(), suggestion }
    }

    /// Returns the proposition that a misspelt name most resembles, as found by [`nearest_name`]. An operator written
    /// without a space before a name is recognised too.
    pub fn nearest(&self, name: &str) -> Option<String> {
        // `Gobs_has_log`: operators written without a space.
        let rest = name.trim_start_matches(['G', 'F', 'X']);
        if rest.len() < name.len() && self.id(rest).is_some() {
            return Some(format!("{} {rest}", &name[..name.len() - rest.len()]));
        }
        let all = self.propositions.iter().chain(&self.further);
        nearest_name(name, all.map(|proposition| &*proposition.name)).map(str::to_owned)
    }

    /// Returns the name of a proposition of this vocabulary.
    pub fn name_of(&self, id: PropId) -> &str {
        self.propositions.get(usize::from(id.0)).map_or("", |proposition| &proposition.name)
    }

    /// Returns whether a proposition is an observation.
    pub fn is_observation(&self, id: PropId) -> bool {
        usize::from(id.0) < self.observation_count
    }

    /// Returns the action with exactly this name.
    pub fn action(&self, name: &str) -> Option<ActionId> {
        self.id(name).and_then(|id| self.as_action(id)).or_else(|| self.further_index.get(name).copied())
    }

    /// Returns the first action but stopping that is not among some propositions.
    pub(crate) fn other_than(&self, read: &PropSet) -> Option<ActionId> {
        self.action_ids().find(|action| Some(*action) != self.stop && !read.contains(self.action_prop(*action)))
    }

    /// Returns the action of a proposition, if it is one.
    pub fn as_action(&self, id: PropId) -> Option<ActionId> {
        let position = usize::from(id.0);
        (position >= self.observation_count && position < self.propositions.len())
            .then(|| ActionId((position - self.observation_count) as u16))
    }

    /// Returns whether letters distinguish an action.
    pub fn has_action(&self, action: ActionId) -> bool {
        usize::from(action.0) < self.actions().len()
    }

    /// Returns the proposition "this action led here". For an action of another vocabulary, it may not be in this
    /// vocabulary.
    pub fn action_prop(&self, action: ActionId) -> PropId {
        PropId((self.observation_count as u16).saturating_add(self.in_letters(action).0))
    }

    /// Returns the proposition of an action of this vocabulary.
    pub fn chosen(&self, action: ActionId) -> Option<&Proposition> {
        let position = usize::from(action.0);
        self.actions().get(position).or_else(|| self.further.get(position.checked_sub(self.actions().len())?))
    }

    /// Returns the name of an action of this vocabulary.
    pub fn action_name(&self, action: ActionId) -> &str {
        self.chosen(action).map_or("", |action| &action.name)
    }

    /// Returns the action that ends a run; `None` in a vocabulary without actions.
    pub fn stop(&self) -> Option<ActionId> {
        self.stop
    }

    /// Returns all actions that letters distinguish, in order.
    pub fn action_ids(&self) -> impl Iterator<Item = ActionId> + use<> {
        (0..(self.propositions.len() - self.observation_count) as u16).map(ActionId)
    }

    /// Returns the set of propositions with these names.
    ///
    /// # Errors
    /// The first name is not in the vocabulary.
    pub fn set<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> Result<PropSet, UnknownProposition> {
        names.into_iter().map(|name| self.require(name)).collect()
    }

    /// Returns the names of a set's propositions, in the vocabulary's order.
    pub fn names(&self, set: &PropSet) -> Vec<&str> {
        set.iter().map(|id| self.name_of(id)).collect()
    }
}

mod axiom;
mod signature;
#[cfg(test)]
mod tests;
