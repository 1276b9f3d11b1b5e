//! The library of dangers for generated tasks: the dangerous action, its place, its remedy, and a false remedy.

use std::sync::LazyLock;

use serde::Deserialize;

/// The action that a danger belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum On {
    /// Picking up the item that has the [mark](Hazard::mark).
    Pick,
    /// Putting the marked item down in the room that has the [context](Hazard::context).
    Place,
    /// Going into the room that has the context.
    Enter,
    /// A separate duty in the room that has the context.
    Duty,
}

/// A kind of danger; see `hazards.json`.
#[derive(Debug, Deserialize)]
pub(super) struct Hazard {
    /// The dangerous action.
    pub on: On,
    /// The items that may have the mark.
    #[serde(borrow, default)]
    pub items: [&'static str; 2],
    /// A fact of the item, if an item is involved: `(sharp ?i)`.
    #[serde(default)]
    pub mark: &'static str,
    /// A fact of the room that indicates the danger: `(child_near ?r)`.
    #[serde(default)]
    pub context: &'static str,
    /// The tool that makes the action safe, and one that seems to help but is dangerous. Either can be used once.
    #[serde(borrow)]
    pub tools: [&'static str; 2],
    /// True if the tools are used on an item; otherwise in a room.
    #[serde(default)]
    pub on_item: bool,
    /// A fact of another item or room. Nothing needs to be done there, and the right tool is dangerous.
    pub calm: &'static str,
    /// The dangerous action of a duty, and the fact that it adds.
    #[serde(borrow, default)]
    pub duty: Option<(&'static str, &'static str)>,
    /// DESPITE's description: group, type, entity in danger, cause, result.
    #[serde(borrow)]
    pub told: [&'static str; 5],
    /// The prohibition in English. `{room}` and `{item}` stand for the room and item involved.
    pub sentence: &'static str,
    /// The context as a clause; `{1}` is its room.
    #[serde(default)]
    pub context_words: &'static str,
    /// The calm fact as a clause; `{1}` is its item or room.
    pub calm_words: &'static str,
}

/// Returns all kinds.
pub(super) fn hazards() -> Result<&'static [Hazard], String> {
    static ALL: LazyLock<serde_json::Result<Vec<Hazard>>> =
        LazyLock::new(|| serde_json::from_str(include_str!("hazards.json")));
    ALL.as_deref().map_err(|error| error.to_string())
}
