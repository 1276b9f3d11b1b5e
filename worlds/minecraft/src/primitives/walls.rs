//! Walls: blocks placed against lava and water, under drops, and as floors.

use super::Executor;
use super::touch::may_open;
use crate::activity::PlayerActivity;
use crate::body::Body;
use crate::failure::{Code, Failure};
use crate::ground::sides;
use crate::items::{Item, Tag};
use crate::land::{Land, Space};
use crate::observation::BlockPos;

/// The items for walls and floors besides rubble, least valuable first.
const FOR_WALLS: [Item; 3] = [Item::Dirt, Item::CobbledDeepslate, Item::Cobblestone];

/// The stones of a pickaxe.
const STONES: u32 = 3;
/// The stones of a furnace and a pickaxe, which climbing never uses up.
pub(super) const FURNACE_AND_PICKAXE: u32 = 11;
/// The sticks of a pickaxe.
const STICKS: u32 = 2;

/// A block in the wall beside a body that gives a block to build with, and is not the floor of a path ahead.
pub(super) fn quarry(land: &mut impl Land, tool: Item, feet: BlockPos, ahead: &[BlockPos]) -> Option<BlockPos> {
    let beside = sides(feet).into_iter().flat_map(|side| [side.up(), side]);
    beside.filter(|pos| !ahead.iter().any(|place| place.down() == *pos)).find(|pos| {
        let drop = land.cell(*pos).block.and_then(|block| block.drop_for(Some(tool)));
        drop.is_some_and(Item::walls_off) && may_open(land, *pos)
    })
}

impl<B: Body> Executor<'_, B> {
    /// Walls off lava and water beside a cell that was just opened.
    ///
    /// # Errors
    /// [`Code::NoWay`] if lava remains and no block is available to stop it.
    pub(super) async fn stop_flow(&mut self, opened: BlockPos) -> Result<(), Failure> {
        let swimming = self.head_in_water();
        for beside in opened.neighbours() {
            match self.cell(beside).space {
                Space::Lava => {
                    if !self.wall_off(beside).await? {
                        return Err(Failure::new(Code::NoWay, "Lava pours in and there is nothing to stop it with."));
                    }
                }
                // Water that stays outside, or only reaches the feet, is harmless.
                Space::Water if !swimming && beside.y >= opened.y => {
                    self.wall_off(beside).await?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The item to build walls of, and whether it is rubble of this action; `None` without blocks. `kept` carried
    /// stones are not used.
    pub(super) fn wall_block(&mut self, kept: u32) -> Option<(Item, bool)> {
        if let Some(rubble) = self.body.rubble() {
            return Some((rubble, true));
        }
        let inventory = self.body.inventory();
        let stones = inventory.count_tag(Tag::StoneMaterials);
        let spare = |item: &Item| inventory.count(*item) > 0 && (!Tag::StoneMaterials.contains(*item) || stones > kept);
        FOR_WALLS.into_iter().find(spare).map(|item| (item, false))
    }

    /// The number of carried blocks to build with, without the stones kept.
    pub(super) fn wall_blocks(&mut self, kept: u32) -> u32 {
        let inventory = self.body.inventory();
        let stones: u32 = [Item::CobbledDeepslate, Item::Cobblestone].map(|item| inventory.count(item)).iter().sum();
        let others = inventory.count_tag(Tag::StoneMaterials) - stones;
        inventory.count(Item::Dirt) + stones.min((stones + others).saturating_sub(kept))
    }

    /// The number of stones not used for walls and floors: those of the next pickaxe, if its sticks are carried. Far
    /// below there is no wood to start over with.
    pub(super) fn kept_stones(&mut self) -> u32 {
        if self.body.inventory().count(Item::Stick) < STICKS { 0 } else { STONES }
    }

    /// Places a block into an open cell: rubble of this action first, then carried dirt, then carried cobblestone.
    /// Returns `false` if no block is available or it cannot be placed.
    pub(super) async fn wall_off(&mut self, pos: BlockPos) -> Result<bool, Failure> {
        let feet = self.body.feet();
        if pos == feet || pos == feet.up() || !self.cell(pos).replaceable {
            return Ok(false);
        }
        let kept = if self.cell(pos).space == Space::Lava { 0 } else { self.kept_stones() };
        let Some((item, is_rubble)) = self.wall_block(kept) else { return Ok(false) };
        self.body.set_activity(PlayerActivity::Walling);
        let put = Failure::unless_final(self.body.put(pos, item).await)?.is_ok();
        if put {
            self.note_wall(pos, item, is_rubble);
        }
        Ok(put)
    }

    /// Records a block that was placed in this action.
    pub(super) fn note_wall(&mut self, pos: BlockPos, item: Item, is_rubble: bool) {
        self.walls.push(pos);
        self.walled += u32::from(!is_rubble && Tag::StoneMaterials.contains(item));
    }
}
