//! Eating. Players do not get hungry here by themselves, but a test may make a player hungry.

use ltlcrit_minecraft::items::Item;

use super::entities::Entities;
use super::player::FULL;
use super::windows;
use super::windows::stack::split;

/// Ticks that eating takes.
const BITE: u64 = 32;

/// The nutrition of an item, in half drumsticks; `None` if it cannot be eaten.
fn nutrition(item: Item) -> Option<u32> {
    (item == Item::Apple).then_some(4)
}

/// Begins to eat the item in the hand.
pub(super) fn begin(entities: &mut Entities, tick: u64, id: i32) {
    let Some(player) = entities.living(id) else { return };
    let inventory = player.screen.inventory();
    let edible = inventory.hand().is_some_and(|stack| nutrition(stack.item).is_some());
    if edible && player.hunger.food < FULL {
        player.hunger.bite = Some((tick + BITE, inventory.held()));
    }
}

/// Ends the bites that are due. A player that has changed the held item stops eating.
pub(super) fn one_tick(entities: &mut Entities, blocks: &super::blocks::Blocks) {
    let tick = blocks.ground.tick;
    for player in entities.players.values_mut() {
        let Some((due, slot)) = player.hunger.bite else { continue };
        let inventory = player.screen.inventory();
        let held = inventory.hand().filter(|_| inventory.held() == slot && player.is_alive());
        let Some((stack, food)) = held.and_then(|stack| Some((stack, nutrition(stack.item)?))) else {
            player.hunger.bite = None;
            continue;
        };
        if tick >= due {
            let mut left = Some(stack);
            split(&mut left, 1);
            player.screen.inventory_mut().set(slot, left);
            player.hunger.food = (player.hunger.food + food).min(FULL);
            player.hunger.bite = None;
            windows::send_all_slots(player, &blocks.furnaces);
        }
    }
}

#[cfg(test)]
mod tests {
    use azalea_protocol::packets::game::ServerboundUseItem;
    use azalea_protocol::packets::game::s_interact::InteractionHand;

    use super::*;
    use crate::test_harness::TestHarness;
    use crate::windows::stack::Stack;

    #[test]
    fn a_bite_takes_its_time_and_what_is_held() {
        let mut harness = TestHarness::new();
        let id = harness.join("eater");
        let use_item = ServerboundUseItem { hand: InteractionHand::MainHand, seq: 1, y_rot: 0.0, x_rot: 0.0 };
        let player = harness.game.entities.players.get_mut(&id).unwrap();
        let slot = player.screen.inventory().held();
        player.screen.inventory_mut().set(slot, Some(Stack { item: Item::Apple, count: 2, wear: 0 }));
        harness.send(id, use_item.clone());
        harness.ticks(60);
        let food = |harness: &TestHarness| harness.game.entities.players[&id].hunger.food;
        let held = |harness: &TestHarness| harness.game.entities.players[&id].screen.inventory().hand();
        assert_eq!((food(&harness), held(&harness).map(|stack| stack.count)), (FULL, Some(2)), "nobody eats when full");
        harness.game.entities.players.get_mut(&id).unwrap().hunger.food = 10;
        harness.send(id, use_item);
        harness.ticks(BITE as u32 - 2);
        assert_eq!(food(&harness), 10);
        harness.ticks(4);
        assert_eq!((food(&harness), held(&harness).map(|stack| stack.count)), (14, Some(1)));
    }
}
