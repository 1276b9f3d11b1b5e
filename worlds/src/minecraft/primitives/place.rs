//! `placeItem`: a crafting table or furnace onto free ground beside the player.

use super::travel::touch;
use super::{Code, Doer, Failure};
use crate::minecraft::blocks::Block;
use crate::minecraft::grid::Grid;
use crate::minecraft::items::Item;
use crate::minecraft::observation::BlockPos;

impl Doer<'_> {
    pub(super) fn place(&mut self, item: Item) -> Result<String, Failure> {
        let name = item.name();
        let block = match item {
            Item::CraftingTable => Block::CraftingTable,
            Item::Furnace => Block::Furnace,
            _ => return Err(Failure::new(Code::NoPlace, format!("{name} is not for placing."))),
        };
        if self.game.inventory.count(item) == 0 {
            return Err(Failure::new(Code::MissingIngredients, format!("No {name} is carried.")));
        }
        let no_place = || Failure::new(Code::NoPlace, format!("There is no place beside you for the {name}."));
        let feet = self.game.player.feet;
        let mut spot = free_spot(&mut self.game.ground.grid, feet);
        if spot.is_none() {
            spot = self.dig_niche()?;
        }
        if spot.is_none() {
            self.go(feet, true, None, &mut |grid, pos| free_spot(grid, pos).is_some())
                .map_err(|failure| if failure.code == Code::Unreachable { no_place() } else { failure })?;
            let feet = self.game.player.feet;
            spot = free_spot(&mut self.game.ground.grid, feet);
        }
        let spot = spot.ok_or_else(no_place)?;
        self.game.inventory.take(item, 1);
        self.game.put(spot, block);
        self.game.wait(4);
        Ok(format!("Placed the {name} at {spot}."))
    }

    /// Digs one cell at head or foot height out of the wall, as one does in a tunnel.
    fn dig_niche(&mut self) -> Result<Option<BlockPos>, Failure> {
        let feet = self.game.player.feet;
        for spot in crate::minecraft::ground::sides(feet) {
            let block = self.game.block(spot);
            let diggable = block.is_solid() && !block.is_landmark() && block.breaking().hardness.is_some();
            if diggable && self.game.block(spot.down()).is_solid() {
                match self.clear(spot) {
                    Ok(()) if self.game.block(spot) == Block::Air => return Ok(Some(spot)),
                    Ok(()) => {}
                    Err(failure) if failure.code == Code::Died => return Err(failure),
                    Err(_) => {}
                }
            }
        }
        Ok(None)
    }
}

/// An empty cell on solid ground within two blocks of a player standing at `feet`; not where the player stands.
fn free_spot(grid: &mut Grid, feet: BlockPos) -> Option<BlockPos> {
    for distance in 1..=2i32 {
        for y in [0, 1, -1] {
            for z in -distance..=distance {
                for x in -distance..=distance {
                    let spot = feet.offset(x, y, z);
                    let beside = x.abs().max(z.abs()) == distance;
                    if beside
                        && grid.block(spot) == Block::Air
                        && grid.block(spot.down()).is_solid()
                        && touch(grid, feet, spot.down()).is_some_and(|screens| screens.is_empty())
                    {
                        return Some(spot);
                    }
                }
            }
        }
    }
    None
}
