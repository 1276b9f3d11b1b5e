//! Classifies food.

use azalea::inventory::{ItemStack, components};
use azalea::registry::builtin::ItemKind;

/// Returns whether a stack can be eaten without harm.
pub(super) fn is_food(stack: &ItemStack) -> bool {
    stack.get_component::<components::Food>().is_some() && !is_bad(stack.kind())
}

/// Returns whether a kind of item can be eaten without harm. Food that was picked up is kept.
pub(super) fn is_food_kind(kind: ItemKind) -> bool {
    is_food(&ItemStack::new(kind, 1))
}

/// Returns whether food poisons, makes hungry or carries the body away.
fn is_bad(kind: ItemKind) -> bool {
    use ItemKind as I;
    matches!(
        kind,
        I::RottenFlesh
            | I::PoisonousPotato
            | I::Pufferfish
            | I::SpiderEye
            | I::SuspiciousStew
            | I::ChorusFruit
            | I::Chicken
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_food_from_the_rest() {
        assert!([ItemKind::Apple, ItemKind::Bread, ItemKind::CookedBeef].into_iter().all(is_food_kind));
        assert!(![ItemKind::RottenFlesh, ItemKind::Chicken, ItemKind::Cobblestone].into_iter().any(is_food_kind));
    }
}
