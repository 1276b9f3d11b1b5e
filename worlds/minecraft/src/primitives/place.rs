//! `placeItem`: places a crafting table or furnace on free ground beside the player.

use super::Executor;
use super::touch::touch;
use crate::activity::PlayerActivity;
use crate::blocks::Block;
use crate::body::Body;
use crate::failure::{Code, Failure};
use crate::ground::sides;
use crate::items::Item;
use crate::land::Land;
use crate::memory::PLACEABLE;
use crate::observation::BlockPos;
use crate::path::passage;
use crate::region::Region;

/// The maximum number of nearby places that are counted, and of those that a placed block may cut off.
const NEARBY: usize = 48;
const FEW: usize = 3;

impl<B: Body> Executor<'_, B> {
    pub(super) async fn place(&mut self, item: Item) -> Result<String, Failure> {
        let name = item.name();
        let Some(block) = Block::placed_with(item).filter(|block| PLACEABLE.contains(block)) else {
            return Err(Failure::new(Code::NoPlace, format!("{name} is not for placing.")));
        };
        if self.body.inventory().count(item) == 0 {
            return Err(Failure::new(Code::MissingIngredients, format!("No {name} is carried.")));
        }
        let no_place = || Failure::new(Code::NoPlace, format!("There is no place beside you for the {name}."));
        let feet = self.body.feet();
        self.within = Region::to_place(feet);
        let mut spot = free_spot(self.body.land(), feet);
        if spot.is_none() && !self.head_in_water() {
            spot = self.dig_niche().await?;
        }
        if spot.is_none() && self.cell(feet).is_fluid() {
            self.go_ashore().await.map_err(|failure| failure.said(Code::Unreachable, no_place))?;
            let feet = self.body.feet();
            spot = free_spot(self.body.land(), feet);
        }
        if spot.is_none() {
            let feet = self.body.feet();
            self.go(feet, None, &mut |land, pos| pos != feet && free_spot(land, pos).is_some())
                .await
                .map_err(|failure| failure.said(Code::Unreachable, no_place))?;
            let feet = self.body.feet();
            spot = free_spot(self.body.land(), feet);
        }
        let spot = spot.ok_or_else(no_place)?;
        self.body.set_activity(PlayerActivity::Placing);
        self.body.put(spot, item).await?;
        self.state.memory.note(block, spot);
        Ok(format!("Placed the {name} at {spot}."))
    }

    /// Digs one cell at head or foot height out of a wall.
    async fn dig_niche(&mut self) -> Result<Option<BlockPos>, Failure> {
        for spot in sides(self.body.feet()) {
            let cell = self.cell(spot);
            let diggable = cell.is_firm() && !cell.is_landmark() && cell.digging.is_some();
            if diggable && self.cell(spot.down()).is_floor() {
                let cleared = Failure::unless_final(self.clear(spot).await)?;
                if cleared.is_ok() && self.cell(spot).is_airy() {
                    return Ok(Some(spot));
                }
            }
        }
        Ok(None)
    }
}

/// An empty cell in view, on solid ground within two blocks of a player standing at `feet` with the head out of water.
/// It is neither the player's own cell nor its only way out.
fn free_spot(land: &mut impl Land, feet: BlockPos) -> Option<BlockPos> {
    if land.cell(feet.up()).is_fluid() {
        return None;
    }
    for distance in 1..=2i32 {
        for y in [0, 1, -1] {
            for z in -distance..=distance {
                for x in -distance..=distance {
                    let spot = feet.offset(x, y, z);
                    let beside = x.abs().max(z.abs()) == distance;
                    let cell = land.cell(spot);
                    if beside
                        && cell.is_airy()
                        && cell.replaceable
                        && land.cell(spot.down()).is_floor()
                        && [spot, spot.down()].into_iter().all(|pos| touch(land, feet, pos) == Some(Vec::new()))
                        && spot.neighbours().into_iter().any(|pos| land.cell(pos).is_airy())
                        && leaves_a_way(land, feet, spot)
                    {
                        return Some(spot);
                    }
                }
            }
        }
    }
    None
}

/// Returns whether a block at `spot` leaves a player at `feet` its walkable places nearby, except a few beside the
/// spot.
fn leaves_a_way(land: &mut impl Land, feet: BlockPos, spot: BlockPos) -> bool {
    let before = walkable(land, feet, None);
    before <= walkable(land, feet, Some(spot)) + FEW
}

/// The number of places that a player can walk to without digging, up to a bound.
fn walkable(land: &mut impl Land, feet: BlockPos, without: Option<BlockPos>) -> usize {
    let mut reached = vec![feet];
    let mut at = 0;
    while let Some(from) = reached.get(at).copied().filter(|_| reached.len() < NEARBY) {
        at += 1;
        for side in sides(from) {
            for to in [side, side.up(), side.down()] {
                let mut free = |pos: BlockPos| Some(pos) != without && land.cell(pos).is_free();
                if !reached.contains(&to) && passage(from, to).all(&mut free) && !free(to.down()) {
                    reached.push(to);
                }
            }
        }
    }
    reached.len()
}
