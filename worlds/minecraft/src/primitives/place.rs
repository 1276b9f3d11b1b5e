//! `placeItem`: places a crafting table or furnace on free ground beside the player.

use super::state::PLACEABLE;
use super::travel::touch;
use super::{Code, Executor, Failure};
use crate::activity::PlayerActivity;
use crate::blocks::Block;
use crate::body::Body;
use crate::ground::sides;
use crate::items::Item;
use crate::land::Land;
use crate::observation::BlockPos;

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
        let mut spot = free_spot(self.body.land(), feet);
        if spot.is_none() {
            spot = self.dig_niche().await?;
        }
        if spot.is_none() {
            self.go(feet, None, &mut |land, pos| free_spot(land, pos).is_some())
                .await
                .map_err(|failure| failure.said(Code::Unreachable, no_place))?;
            let feet = self.body.feet();
            spot = free_spot(self.body.land(), feet);
        }
        let spot = spot.ok_or_else(no_place)?;
        self.body.set_activity(PlayerActivity::Placing);
        self.body.put(spot, item).await?;
        self.state.remember(block, spot);
        Ok(format!("Placed the {name} at {spot}."))
    }

    /// Digs one cell at head or foot height out of a wall.
    async fn dig_niche(&mut self) -> Result<Option<BlockPos>, Failure> {
        for spot in sides(self.body.feet()) {
            let cell = self.cell(spot);
            let diggable = cell.is_firm() && !cell.is_landmark() && cell.digging.is_some();
            if diggable && self.cell(spot.down()).is_floor() {
                match self.clear(spot).await {
                    Ok(()) if self.cell(spot).is_airy() => return Ok(Some(spot)),
                    Ok(()) => {}
                    Err(failure) if failure.code.ends_action() => return Err(failure),
                    Err(_) => {}
                }
            }
        }
        Ok(None)
    }
}

/// An empty cell on solid ground within two blocks of a player standing at `feet`; not where the player stands.
fn free_spot(land: &mut impl Land, feet: BlockPos) -> Option<BlockPos> {
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
                        && touch(land, feet, spot.down()).is_some_and(|obstructions| obstructions.is_empty())
                    {
                        return Some(spot);
                    }
                }
            }
        }
    }
    None
}
