//! Taking along the crafting table and the furnace, before a walk, or a path to stone or ore, or down, leaves them
//! behind. Far below, and in a desert, no wood for another table grows.

use super::Executor;
use super::touch::touch;
use crate::abstraction::NEAR;
use crate::blocks::Block;
use crate::body::Body;
use crate::failure::Failure;
use crate::items::{Item, Tag};
use crate::memory::PLACEABLE;
use crate::observation::BlockPos;
use crate::player;
use crate::sight::distance;

/// The maximum ticks of the path to a table or furnace that is fetched: about those of a dug path across the range in
/// which it is near.
const FETCH: u32 = 300;

/// Returns whether the iron pickaxe still needs a crafting table or a furnace, and the carried items cannot make one.
pub(crate) fn is_missed(item: Item, count: impl Fn(Item) -> u32) -> bool {
    let all = |tag: Tag| tag.items().iter().map(|item| count(*item)).sum::<u32>();
    if count(Item::IronPickaxe) > 0 || count(item) > 0 {
        return false;
    }
    match item {
        Item::Furnace => count(Item::IronIngot) < 3 && all(Tag::StoneMaterials) < 8,
        _ => all(Tag::Logs) == 0 && all(Tag::Planks) < 4,
    }
}

impl<B: Body> Executor<'_, B> {
    /// Fetches the crafting table and the furnace that are near now, but not near the destination. `to` is `None` if
    /// the destination is not known yet. See [`is_missed`].
    pub(super) async fn take_along(&mut self, to: Option<BlockPos>) -> Result<(), Failure> {
        for block in PLACEABLE {
            let inventory = self.body.inventory();
            let hand = inventory.hand().map(|stack| stack.item);
            let goes_along =
                |item: &Item| inventory.room_for(*item) > 0 && is_missed(*item, |item| inventory.count(item));
            let Some(item) = block.drop_for(hand).filter(goes_along) else { continue };
            let stays_near = |pos: &BlockPos| to.is_some_and(|to| distance(player::eyes(to), *pos) <= NEAR);
            let Some(pos) = self.nearest(block).filter(|pos| !stays_near(pos)) else { continue };
            if self.state.memory.is_unreachable(pos) {
                continue;
            }
            match Failure::unless_final(self.fetch(pos, item).await)? {
                Ok(()) => {
                    self.taken_along.push(item);
                    self.note(format!("The {} goes along.", item.name()));
                }
                Err(failure) => self.note(format!("The {} stays behind: {}", item.name(), failure.message)),
            }
        }
        Ok(())
    }

    /// Picks up a block that the player can place again.
    async fn fetch(&mut self, pos: BlockPos, item: Item) -> Result<(), Failure> {
        self.go_within(FETCH, pos, &mut |land, feet| touch(land, feet, pos).is_some()).await?;
        self.take_block(pos, item).await?;
        self.state.memory.forget(pos);
        Ok(())
    }

    /// Returns whether the player can make a stone pickaxe from the carried items, at a table that is near or carried
    /// too.
    pub(super) fn can_make_a_pickaxe(&mut self) -> bool {
        let inventory = self.body.inventory();
        let (stones, sticks) = (inventory.count_tag(Tag::StoneMaterials), inventory.count(Item::Stick));
        let has_table = inventory.count(Item::CraftingTable) > 0 || inventory.count_tag(Tag::Planks) >= 4;
        stones >= 3 && sticks >= 2 && (has_table || self.nearest(Block::CraftingTable).is_some())
    }
}
