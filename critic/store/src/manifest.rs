//! The manifest of a run, written before its first step. It suffices to understand, repeat or resume the run.

use std::collections::BTreeMap;
use std::sync::Arc;

use jiff::Timestamp;
use ltlcrit_laws::Book;
use ltlcrit_model::{ModelInfo, Price};
use ltlcrit_verifier::syntax::parse_infix;
use ltlcrit_verifier::vocabulary::VocabularyError;
use ltlcrit_verifier::{ActionId, Axiom, Fallback, Proposition, Signature, Vocabulary};
use ltlcrit_worlds::WorldInfo;
use ltlcrit_worlds::world::Subgoal;
use serde::{Deserialize, Serialize};
use strum::{EnumMessage, IntoStaticStr, VariantArray};

use super::RunId;
use super::line::sha256;

/// The facts that are known at the start of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunManifest {
    /// The run's number in its store; [`super::Store::begin`] assigns it.
    pub run: RunId,
    /// The time of the start. Exports omit it unless requested.
    pub created: Timestamp,
    /// The program that ran it.
    pub program: Program,
    /// The configuration in force.
    pub configuration: Configuration,
    /// The world.
    pub world: WorldInfo,
    /// The task, in the words that actors see.
    pub task: String,
    /// The vocabulary of the letters and laws of this run.
    pub vocabulary: VocabularyRecord,
    /// The world's subgoals, in order.
    pub subgoals: Vec<Subgoal>,
    /// The actor's name.
    pub actor: String,
    /// The model of the actor, which may be simulated.
    pub model: ModelInfo,
    /// The seed of all randomness in the run except the world's.
    pub seed: u64,
    /// The price of tokens; `None` if it is unknown. Simulated models and recordings cost nothing.
    pub price: Option<Price>,
    /// True if the shield enforced the laws; otherwise, records still show which actions it would have blocked.
    pub shielded: bool,
    /// True if hard laws were checked against all predicted outcomes of the world; otherwise cooperatively.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub robust: bool,
    /// The soft laws that are suspended in an over-constrained state. Older runs without this field suspended all of
    /// them.
    #[serde(default = "all_give_way", skip_serializing_if = "is_of_all")]
    pub fallback: Fallback,
    /// The limits of the run.
    pub limits: Limits,
    /// The full text of the books of the laws, so that later edits do not affect the record of this run.
    pub books: Vec<BookRecord>,
    /// The laws in force at the first step, in the shield's order.
    pub laws: Vec<LawRecord>,
}

fn all_give_way() -> Fallback {
    Fallback::All
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_of_all(fallback: &Fallback) -> bool {
    *fallback == Fallback::All
}

/// Limits of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Maximum number of world actions.
    pub max_steps: u64,
    /// Maximum number of tokens of the actor's model, checked before every request; `None` for no limit.
    pub max_tokens: Option<u64>,
    /// Maximum number of re-prompts in one step before the prompt lists the allowed actions.
    pub max_reprompts: u32,
    /// Maximum number of re-prompts with that list before the run aborts.
    pub max_listed: u32,
    /// Maximum number of consecutive steps without an observation that is new to the run; 0 for no limit.
    #[serde(default, skip_serializing_if = "is_default")]
    pub max_stall: u64,
    /// The actions in the actor's prompt.
    #[serde(default, skip_serializing_if = "is_default")]
    pub offer: Offer,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// The actions that a prompt offers and an answer's schema enumerates.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, EnumMessage, IntoStaticStr, VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Offer {
    /// All actions; those that the shield allows are listed after refusals
    #[default]
    All,
    /// The actions that the shield allows now, so that no proposal is blocked
    Allowed,
}

impl Default for Limits {
    fn default() -> Self {
        Self { max_steps: 100, max_tokens: None, max_reprompts: 3, max_listed: 2, max_stall: 0, offer: Offer::All }
    }
}

/// A build of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    /// Its version.
    pub version: String,
    /// The revision of its source, if the build knew it.
    pub revision: Option<String>,
}

/// A configuration with a short name for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Configuration {
    /// The SHA-256 of the values as JSON with sorted keys, in hexadecimal.
    pub hash: String,
    /// Every value, defaults included; never a key or password.
    pub values: serde_json::Value,
}

impl Configuration {
    /// Hashes a configuration.
    pub fn new(values: serde_json::Value) -> Self {
        let mut sorted = values.clone();
        sorted.sort_all_objects();
        Self { hash: sha256(sorted.to_string().as_bytes()), values }
    }
}

/// A book at the start of the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BookRecord {
    /// Its name.
    pub name: String,
    /// Its revision.
    pub revision: u64,
    /// Its origin: a path, or `shipped`.
    pub source: String,
    /// The text of the whole file.
    pub text: String,
}

impl BookRecord {
    /// Creates the record of a book from this origin.
    pub fn of(book: &Book, source: &str) -> Self {
        Self {
            name: book.name().to_owned(),
            revision: book.revision(),
            source: source.to_owned(),
            text: book.text().to_owned(),
        }
    }
}

/// A law in force; the record is usable without its book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LawRecord {
    /// Its id, unique within the run.
    pub id: Arc<str>,
    /// Its formula.
    pub formula: String,
    /// True for a hard law, which protects; soft laws save steps.
    pub hard: bool,
    /// Its explanation, in English.
    pub explanation: Arc<str>,
    /// The weight of its evidence: see [`Law::weight`](ltlcrit_verifier::Law::weight).
    #[serde(default, skip_serializing_if = "is_default")]
    pub weight: u32,
}

/// A vocabulary as data.
///
/// Two records are equal if they have the same name, the same names of propositions, and the same axioms. Meanings,
/// recipes, objects and reasons are texts for readers. A run recorded with another wording of them is still a run over
/// the same propositions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct VocabularyRecord {
    /// Its name.
    pub name: String,
    /// The observations, in order.
    pub observations: Vec<Proposition>,
    /// The actions, in order.
    pub actions: Vec<Proposition>,
    /// The [further actions](Vocabulary::with_further), in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub further: Vec<Proposition>,
    /// The objects that the propositions are about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub signature: Option<Arc<Signature>>,
    /// The axioms, as formulas.
    pub axioms: Vec<String>,
    /// The reasons of those axioms that have one, by formula.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub reasons: BTreeMap<String, Arc<str>>,
}

impl PartialEq for VocabularyRecord {
    fn eq(&self, other: &Self) -> bool {
        let same = |ours: &[Proposition], theirs: &[Proposition]| {
            let what = |one: &Proposition| (one.name.clone(), one.definition.clone());
            ours.iter().map(what).eq(theirs.iter().map(what))
        };
        self.name == other.name
            && same(&self.observations, &other.observations)
            && same(&self.actions, &other.actions)
            && same(&self.further, &other.further)
            && self.axioms == other.axioms
    }
}

impl Eq for VocabularyRecord {}

impl VocabularyRecord {
    /// Returns all actions by number: those of the letters, then the further ones.
    pub fn all_actions(&self) -> impl Iterator<Item = &Proposition> {
        self.actions.iter().chain(&self.further)
    }

    /// Returns the action with a number.
    pub fn action(&self, action: ActionId) -> Option<&Proposition> {
        self.all_actions().nth(usize::from(action.0))
    }

    /// Creates the record of a vocabulary.
    pub fn of(vocabulary: &Vocabulary) -> Self {
        Self {
            name: vocabulary.name().to_owned(),
            observations: vocabulary.observations().to_vec(),
            actions: vocabulary.actions().to_vec(),
            further: vocabulary.further().to_vec(),
            signature: vocabulary.signature().cloned(),
            axioms: vocabulary.axioms().iter().map(Axiom::to_string).collect(),
            reasons: vocabulary
                .axioms()
                .iter()
                .filter_map(|axiom| Some((axiom.to_string(), axiom.reason.clone()?)))
                .collect(),
        }
    }

    /// Rebuilds the vocabulary.
    ///
    /// # Errors
    /// An axiom that does not parse, or that the vocabulary rejects.
    pub fn restore(&self) -> Result<Vocabulary, String> {
        let restored = |axiom: &String| {
            let formula = parse_infix(axiom).map_err(|error| format!("the axiom `{axiom}` does not parse: {error}"))?;
            Ok(Axiom { formula, reason: self.reasons.get(axiom).cloned() })
        };
        let axioms: Result<Vec<Axiom>, String> = self.axioms.iter().map(restored).collect();
        Vocabulary::new(self.name.as_str(), self.observations.clone(), self.actions.clone(), axioms?)
            .and_then(|vocabulary| vocabulary.with_further(self.further.iter().cloned()))
            .map(|vocabulary| match &self.signature {
                Some(signature) => vocabulary.with_signature(signature.clone()),
                None => vocabulary,
            })
            .map_err(|error: VocabularyError| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn vocabularies_are_compared_by_their_names() {
        let record = |meaning: &str, recipe: &str| {
            let action = Proposition::new("action_craft_stick", meaning).with_recipe(recipe);
            VocabularyRecord::of(
                &Vocabulary::new("v", vec![Proposition::new("p", meaning)], vec![action], vec![]).unwrap(),
            )
        };
        assert_eq!(record("Craft sticks", "2 planks"), record("Craft 4 sticks from 2 planks", ""));
        let other = Vocabulary::new("v", vec![Proposition::new("q", "Craft sticks")], vec![], vec![]).unwrap();
        assert_ne!(record("Craft sticks", "2 planks"), VocabularyRecord::of(&other));
        // A record of an older program has meanings only.
        let earlier = r#"{"name":"v","observations":[{"name":"p","meaning":"m"}],"actions":[],"axioms":[]}"#;
        let read: VocabularyRecord = serde_json::from_str(earlier).unwrap();
        assert_eq!(serde_json::to_string(&read).unwrap(), earlier);
    }

    #[test]
    fn reasons_of_axioms_are_kept_and_make_no_other_vocabulary() {
        let vocabulary = |axiom: Axiom| Vocabulary::builder("v").observations(["p", "q"]).axiom(axiom).build().unwrap();
        let axiom = Axiom::new(ltlcrit_verifier::syntax::parse_infix("p -> q").unwrap());
        let plain = VocabularyRecord::of(&vocabulary(axiom.clone()));
        let told = VocabularyRecord::of(&vocabulary(axiom.because("It is so.")));
        assert_eq!(plain, told);
        // A record of an older program has formulas only.
        let earlier = r#""actions":[],"axioms":["p -> q"]}"#;
        assert!(serde_json::to_string(&plain).unwrap().ends_with(earlier));
        let stored = serde_json::to_string(&told).unwrap();
        assert!(stored.ends_with(r#""axioms":["p -> q"],"reasons":{"p -> q":"It is so."}}"#), "{stored}");
        let read: VocabularyRecord = serde_json::from_str(&stored).unwrap();
        let restored = read.restore().unwrap();
        assert_eq!(restored.axioms()[0].quoted(), "`p -> q` (It is so)");
    }

    #[test]
    fn the_hash_is_of_the_values_not_of_their_order() {
        let one = Configuration::new(json!({"seed": 1, "world": {"a": [1, 2], "b": "\"x\""}}));
        let other: serde_json::Value =
            serde_json::from_str(r#"{"world": {"b": "\"x\"", "a": [1, 2]}, "seed": 1}"#).unwrap();
        assert_eq!(one.hash, Configuration::new(other).hash);
        assert_ne!(one.hash, Configuration::new(json!({"seed": 2, "world": {"a": [1, 2], "b": "\"x\""}})).hash);
        assert_eq!(
            Configuration::new(json!({})).hash,
            "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
        );
    }
}
