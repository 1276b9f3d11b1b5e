//! The data of a persona: its knowledge, error rates and habits.

use std::collections::BTreeMap;

use ltlcrit_verifier::syntax::nearest_name;
use ltlcrit_verifier::{Proposition, Vocabulary};
use serde::{Deserialize, Serialize};

use super::super::ActorKind;
use super::inventory::{Item, Knowledge};
use crate::world::fixed_vocabularies;

/// A simulated model, as its TOML file describes it.
///
/// A persona takes the sensible action, unless one of its mistakes or habits applies and is drawn at its rate. The
/// mistakes of `[rates]` come first, then every `[[habit]]` in order.
///
/// ```toml
/// name = "lumberjack"
/// description = "Fells trees as long as there are any"
/// set = "development"        # or "held-out", "control"
/// actor = "inner-monologue"  # the actor it is made for
/// knows = "inventory"        # counts items; "propositions" knows what the obs_ facts say and no more
/// spare_cobble = 0           # cobblestones it wants to keep when it builds a furnace
///
/// [rates]                    # probabilities, 0 unless given
/// garbled = 0.01             # answers that are not an action
/// wrong_tool = 0.2           # mines before it equips the tool
/// after_feedback = 0.5       # the factor on all rates after a failure or refusal; 1 unless given
///
/// [[habit]]
/// action = "action_mine_log" # `again` repeats the last action
/// rate = 0.8
/// instead_of = ["action_craft_planks"]  # the sensible actions it replaces; all but stopping unless given
/// after = "success"                     # or "failure": how the last step in its prompt ended
/// when = ["obs_log_in_chunk"]           # all of these hold
/// unless = ["obs_has_wood_pickaxe"]     # none of these holds
/// at_least = { plank = 1 }              # it knows of this many items or more
/// below = { log = 6 }                   # it knows of fewer items than this
/// ```
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Persona {
    /// Its name.
    pub name: Line,
    /// Its errors, in one line.
    pub description: Line,
    /// Its use.
    pub set: PersonaSet,
    /// The actor whose prompts it is made for. It answers the prompts of any actor.
    pub actor: ActorKind,
    /// The source of its counts of items.
    #[serde(default)]
    pub(super) knows: Knowledge,
    /// The number of cobblestones that it prefers to keep when it builds a furnace.
    #[serde(default)]
    pub(super) spare_cobble: u32,
    /// Its error rates.
    #[serde(default)]
    pub(super) rates: Rates,
    /// Its habits, in the order in which they are tried.
    #[serde(default, rename = "habit")]
    pub(super) habits: Vec<Habit>,
}

/// The use of a persona.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PersonaSet {
    /// The learner is developed with its runs.
    Development,
    /// The learner is evaluated by its runs. It never runs during the learner's development.
    HeldOut,
    /// A persona for comparison: it never errs, or errs in the same way as another persona.
    Control,
}

impl PersonaSet {
    /// Returns its name in files and lists.
    pub fn name(self) -> &'static str {
        match self {
            Self::Development => "development",
            Self::HeldOut => "held-out",
            Self::Control => "control",
        }
    }
}

/// Error rates. Each is the probability of an error in a state where the error is possible.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Rates {
    /// Gives an answer that is not an action: prose, cut-off JSON.
    pub(super) garbled: Rate,
    /// Invents a name that does not exist: `action_mine_wood`.
    pub(super) invented: Rate,
    /// Mines before equipping the tool, or with a tool that is too weak.
    pub(super) wrong_tool: Rate,
    /// Crafts before it has the ingredients.
    pub(super) early_craft: Rate,
    /// Smelts before it has a furnace or fuel.
    pub(super) early_smelt: Rate,
    /// Repeats its last basic action, although it has enough.
    pub(super) repeats: Rate,
    /// Crafts sticks that it does not need.
    pub(super) redundant: Rate,
    /// Remembers a law that its prompt shows and that forbids the mistake. More laws make this less likely.
    pub(super) heeds_laws: Rate,
    /// The factor on all rates right after a failure or refusal that it sees in the prompt; 1 if unset.
    pub(super) after_feedback: Option<Rate>,
}

/// An action that a persona takes in place of the sensible one if all conditions are met.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Habit {
    pub(super) action: HabitAction,
    /// The probability of the action if its conditions are met.
    pub(super) rate: Rate,
    /// The sensible actions that it replaces; all except stopping if empty.
    #[serde(default)]
    pub(super) instead_of: Vec<ActionName>,
    /// The end of the last step in the prompt.
    #[serde(default)]
    pub(super) after: Option<After>,
    /// Observations that all hold.
    #[serde(default)]
    pub(super) when: Vec<FactName>,
    /// Observations that all do not hold.
    #[serde(default)]
    pub(super) unless: Vec<FactName>,
    /// The minimum number of items that it must know of.
    #[serde(default)]
    pub(super) at_least: BTreeMap<Item, u32>,
    /// The exclusive upper bound on the number of items that it knows of.
    #[serde(default)]
    pub(super) below: BTreeMap<Item, u32>,
}

/// The end of the previous step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum After {
    Success,
    Failure,
}

/// The action of a habit.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub(super) enum HabitAction {
    /// The action of the last step in the prompt: `again`.
    Again,
    Named(String),
}

impl TryFrom<String> for HabitAction {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        if name == "again" { Ok(Self::Again) } else { ActionName::try_from(name).map(|action| Self::Named(action.0)) }
    }
}

/// The name of an action.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct ActionName(pub(super) String);

impl TryFrom<String> for ActionName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        known(name, "action", Vocabulary::actions).map(Self)
    }
}

/// The name of an observation.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub(super) struct FactName(pub(super) String);

impl TryFrom<String> for FactName {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        known(name, "observation", Vocabulary::observations).map(Self)
    }
}

/// Checks a name of a world with a fixed vocabulary; the error suggests a valid name.
fn known(name: String, kind: &str, among: fn(&Vocabulary) -> &[Proposition]) -> Result<String, String> {
    let known = fixed_vocabularies();
    let names = || known.iter().flat_map(|(_, vocabulary)| among(vocabulary)).map(|one| &*one.name);
    if names().any(|one| *one == *name) {
        return Ok(name);
    }
    let meant = nearest_name(&name, names());
    let meant = meant.map_or_else(String::new, |meant| format!(", did you mean `{meant}`?"));
    Err(format!("there is no {kind} `{name}`{meant}"))
}

/// A probability.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(try_from = "f64")]
pub(super) struct Rate(pub(super) f64);

impl TryFrom<f64> for Rate {
    type Error = String;

    fn try_from(rate: f64) -> Result<Self, String> {
        let probability = (0.0..=1.0).contains(&rate);
        probability.then_some(Self(rate)).ok_or_else(|| format!("a rate is a number from 0 to 1, this is {rate}"))
    }
}

/// A text of one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Line(String);

/// The maximum length of a [`Line`], in bytes.
const MAX_LINE: usize = 200;

impl std::ops::Deref for Line {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Line {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text.trim().is_empty() {
            Err("the text is empty".to_owned())
        } else if text.len() > MAX_LINE {
            Err(format!("the text has {} bytes, at most {MAX_LINE} are allowed", text.len()))
        } else if text.contains(char::is_control) {
            Err("the text has more than one line".to_owned())
        } else {
            Ok(Self(text))
        }
    }
}
