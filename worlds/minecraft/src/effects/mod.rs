//! Effects: predicts the observations after an action from the full observation, for the shield.
//!
//! The prediction is an over-approximation, a function of the observation and the action alone, and the same for every
//! world. Items are exact: an action yields at most its own items, as the [primitives](crate::primitives) guarantee, so
//! mining a log never yields a furnace. A crafting table or furnace that is in sight, or is known in the action's
//! region, may be taken along on the way to stone or ore, or down; exploring may take along any that it meets. Any
//! action may fail at any point, so "as before" is always among the predictions. Time passes in every action: the
//! blocks in sight or near, and every hazard, may change in any action. Items that others leave lying about are not
//! predicted.

mod items;
mod setting;

use std::sync::LazyLock;

use items::Outcomes;
use ltlcrit_verifier::{ActionId, Prediction, PropSet};
use ltlcrit_worlds::{Bounds, Observation, Outlook, Unknown};

pub use self::setting::Setting;
use crate::abstraction::propositions;
use crate::items::Item;
use crate::observation::MinecraftObservation;
use crate::primitives::Primitive;
use crate::region::Region;
use crate::vocabulary::vocabulary;

/// The observations that change with the world around the player, regardless of its actions.
const SURROUNDINGS: [&str; 10] = [
    // It depends on the fire left in a furnace.
    "obs_has_fuel",
    "obs_near_crafting_table",
    "obs_near_furnace",
    "obs_diamond_in_chunk",
    "obs_iron_in_chunk",
    "obs_coal_in_chunk",
    "obs_log_in_chunk",
    "obs_low_health",
    "obs_lava_near",
    "obs_head_in_water",
];

/// The fields of the full observation that some action is certain to keep.
pub const KEPT: [&str; 3] = ["position", "inventory", "tools"];

/// Each pickaxe with the observations that it is carried and that it is equipped.
const PICKAXES: [(Item, &str, &str); 3] = [
    (Item::WoodenPickaxe, "obs_has_wood_pickaxe", "obs_wood_pickaxe_equipped"),
    (Item::StonePickaxe, "obs_has_stone_pickaxe", "obs_stone_pickaxe_equipped"),
    (Item::IronPickaxe, "obs_has_iron_pickaxe", "obs_iron_pickaxe_equipped"),
];

fn props<'a>(names: impl IntoIterator<Item = &'a str>) -> PropSet {
    let vocabulary = vocabulary();
    names.into_iter().filter_map(|name| vocabulary.id(name)).collect()
}

/// The observations that may change in any action.
pub fn surroundings() -> PropSet {
    props(SURROUNDINGS)
}

/// The outlook of the actions of the [vocabulary](vocabulary()) in the state of an observation. It knows nothing for
/// observations of another kind, and does not predict what others do to the player on a server.
pub fn outlook(observation: &Observation, setting: Setting) -> Box<dyn Outlook> {
    match observation.details.get() {
        Some(full) => Box::new(Effects { full, holds: observation.holds, setting }),
        None => Box::new(Unknown),
    }
}

/// The effects of the actions in a state.
struct Effects {
    full: MinecraftObservation,
    holds: PropSet,
    setting: Setting,
}

impl Outlook for Effects {
    fn predict(&self, action: ActionId) -> Option<Prediction> {
        let vocabulary = vocabulary();
        if !vocabulary.has_action(action) {
            return None;
        }
        Some(match Primitive::named(vocabulary.action_name(action)) {
            Some(primitive) => effects(&self.full, primitive, self.setting),
            None => Prediction::exactly(self.holds),
        })
    }

    fn bounds(&self, action: ActionId) -> Bounds {
        let vocabulary = vocabulary();
        let named = vocabulary.has_action(action).then(|| Primitive::named(vocabulary.action_name(action))).flatten();
        let (full, Some(primitive)) = (&self.full, named) else { return Bounds::default() };
        let Region { low, high } = Region::after(full, primitive);
        let bounds = Bounds::default()
            .between(&["position", "x"], low.x.into(), high.x.into())
            .between(&["position", "y"], low.y.into(), high.y.into())
            .between(&["position", "z"], low.z.into(), high.z.into())
            .between(&["tick"], full.tick as f64, f64::INFINITY)
            .changing("inventory", items::changes(full, primitive, self.setting));
        let keeps_tools = !matches!(primitive, Primitive::Craft(_)) && !items::digs(primitive);
        if keeps_tools && self.setting == Setting::Embedded { bounds.changing("tools", Vec::new()) } else { bounds }
    }
}

/// Predicts the observations after a primitive.
fn effects(observation: &MinecraftObservation, primitive: Primitive, setting: Setting) -> Prediction {
    static OPEN: LazyLock<PropSet> = LazyLock::new(surroundings);
    static HAND: LazyLock<PropSet> = LazyLock::new(|| props(PICKAXES.map(|(.., equipped)| equipped)));
    let Outcomes { least, most } = items::outcomes(observation, primitive, setting);
    let with = |inventory| MinecraftObservation { inventory, furnace_fire: 0, ..observation.clone() };
    // All propositions on items except those on the hand are monotone.
    let (must, may) = (propositions(&with(least)), propositions(&with(most)));
    let carried = may;
    let (kept, held) = hand(observation, primitive, setting, &carried);
    let surroundings = |set: PropSet| set.difference(&OPEN).difference(&HAND);
    let fuel = props(["obs_has_fuel"]).intersection(&must);
    Prediction {
        must: surroundings(must).union(&fuel).union(&kept.intersection(&must)),
        may: surroundings(may).union(&OPEN).union(&held),
    }
}

/// The items in the hand afterwards: certain ones and possible ones.
fn hand(
    observation: &MinecraftObservation,
    primitive: Primitive,
    setting: Setting,
    carried: &PropSet,
) -> (PropSet, PropSet) {
    let has = |item: Item| observation.inventory.get(item.name()).is_some_and(|count| *count > 0);
    let now = |item: Item| observation.equipped.as_deref() == Some(item.name()) && has(item);
    let taken = |item: Item| match primitive {
        Primitive::Equip(wanted) => wanted == item && has(item),
        // The crafted item may come into the hand.
        Primitive::Craft(made) => made == item,
        // A player whose digging is cut off still holds the digging tool.
        _ => setting == Setting::Server && has(item),
    };
    let left = |item: Item| match primitive {
        Primitive::Equip(wanted) => wanted != item && has(wanted),
        // The tool may break, even if another one of its kind is carried.
        _ => items::digs(primitive),
    };
    let in_hand = |holds: &dyn Fn(Item, &str) -> bool| {
        props(PICKAXES.iter().filter(|(item, has, _)| holds(*item, has)).map(|(.., equipped)| *equipped))
    };
    let is_carried = |has: &str| vocabulary().id(has).is_some_and(|id| carried.contains(id));
    let kept = in_hand(&|item, _| now(item) && !left(item) && setting == Setting::Embedded);
    (kept, in_hand(&|item, has| (now(item) || taken(item)) && is_carried(has)))
}

#[cfg(test)]
mod tests;
