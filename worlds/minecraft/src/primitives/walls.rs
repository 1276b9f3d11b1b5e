//! Walls: blocks put against lava and water, under drops, and as floors.

use super::Executor;
use crate::activity::PlayerActivity;
use crate::body::Body;
use crate::failure::{Code, Failure};
use crate::items::{Item, Tag};
use crate::land::Space;
use crate::observation::BlockPos;

/// What walls and floors are built of besides rubble, the least worth first.
const FOR_WALLS: [Item; 3] = [Item::Dirt, Item::CobbledDeepslate, Item::Cobblestone];

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
                // Water that stays outside, or only reaches the feet, does no harm.
                Space::Water if !swimming && beside.y >= opened.y => {
                    self.wall_off(beside).await?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The block to build walls of, and whether it is rubble of this action; `None` if there is none.
    pub(super) fn wall_block(&mut self) -> Option<(Item, bool)> {
        if let Some(rubble) = self.body.rubble() {
            return Some((rubble, true));
        }
        let inventory = self.body.inventory();
        FOR_WALLS.into_iter().find(|item| inventory.count(*item) > 0).map(|item| (item, false))
    }

    /// The number of carried blocks to build of.
    pub(super) fn wall_blocks(&mut self) -> u32 {
        let inventory = self.body.inventory();
        FOR_WALLS.into_iter().map(|item| inventory.count(item)).sum()
    }

    /// Puts a block into an open cell: rubble of this action first, then carried dirt, then carried cobblestone.
    /// `false` if no block is available or it cannot be placed.
    pub(super) async fn wall_off(&mut self, pos: BlockPos) -> Result<bool, Failure> {
        let feet = self.body.feet();
        if pos == feet || pos == feet.up() || !self.cell(pos).replaceable {
            return Ok(false);
        }
        let Some((item, is_rubble)) = self.wall_block() else { return Ok(false) };
        self.body.set_activity(PlayerActivity::Walling);
        match self.body.put(pos, item).await {
            Ok(()) => {
                self.walls.push(pos);
                self.walled += u32::from(!is_rubble && Tag::StoneMaterials.contains(item));
                Ok(true)
            }
            Err(failure) if failure.code.ends_action() => Err(failure),
            Err(_) => Ok(false),
        }
    }
}
