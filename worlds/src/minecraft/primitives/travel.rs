//! Getting somewhere: following a path, digging what is in the way, walling off what flows in.

use super::{Code, Doer, Failure};
use crate::minecraft::blocks::Block;
use crate::minecraft::grid::Grid;
use crate::minecraft::items::Item;
use crate::minecraft::observation::BlockPos;
use crate::minecraft::path::{self, Rules};
use crate::minecraft::player::{MAX_AIR, REACH, eyes};

/// Uses that tunnelling leaves on the tool in the hand, so that it is still good for its purpose.
const RESERVE: u32 = 16;
/// Half hearts that a jump down a cliff must leave.
const KEEP_HEALTH: i32 = 12;
/// Ticks of breath at which a swimmer comes up before going on.
const SHORT_OF_BREATH: u32 = 160;
/// How often a cell is dug again when sand or gravel falls into it.
const REFILLS: u32 = 24;

impl Doer<'_> {
    /// The inventory slot of the tool to dig a way with: the cheapest pickaxe that is not in the hand and has more than
    /// one use left, then the one in the hand down to a reserve; else the bare hand. So no tool breaks over a way.
    pub(super) fn tunnel_slot(&self) -> Option<usize> {
        let inventory = &self.game.inventory;
        let hand = inventory.selected();
        inventory
            .tools()
            .filter(|(slot, _, left)| *left > if *slot == hand { RESERVE } else { 1 })
            .map(|(slot, stack, _)| (slot == hand, stack.item.pickaxe(), slot))
            .min()
            .map(|(_, _, slot)| slot)
    }

    fn tunnel_tool(&self) -> Option<Item> {
        self.tunnel_slot().and_then(|slot| self.game.inventory.slots()[slot]).map(|stack| stack.item)
    }

    /// Goes to the first place found that `arrived` accepts.
    ///
    /// # Errors
    /// [`Code::Unreachable`] when no way is found or it gave way too often; [`Code::Died`].
    pub(super) fn go(
        &mut self,
        toward: BlockPos,
        dig: bool,
        keep: Option<BlockPos>,
        arrived: &mut dyn FnMut(&mut Grid, BlockPos) -> bool,
    ) -> Result<(), Failure> {
        for _ in 0..4 {
            let start = self.game.player.feet;
            let dig = dig.then(|| self.tunnel_tool());
            let grid = &mut self.game.ground.grid;
            // A good path if one is found soon, else one straight through, else any, else one that hurts.
            let (most, haste) = (self.options.max_path_nodes, path::haste(dig));
            let jump = path::DROP + (self.game.player.health as i32 - KEEP_HEALTH).max(0);
            let attempts = [
                (most / 20, 1, path::DROP),
                (most / 8, haste, path::DROP),
                (most, haste / 4, path::DROP),
                (most, haste, jump),
            ];
            let path = attempts.into_iter().find_map(|(max_nodes, haste, drop)| {
                path::find(grid, Rules { dig, keep, max_nodes, haste, drop }, start, toward, arrived)
            });
            let Some(path) = path else {
                break;
            };
            match self.follow(&path) {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(failure) if failure.code == Code::NoWay => {}
                Err(failure) => return Err(failure),
            }
        }
        Err(Failure::new(Code::Unreachable, "No way was found there."))
    }

    /// Follows a path; `false` when the ground gave way and it must be found anew.
    fn follow(&mut self, path: &[BlockPos]) -> Result<bool, Failure> {
        for to in path {
            self.step(*to)?;
            if self.game.head_in_water() && self.game.player.air < SHORT_OF_BREATH {
                self.breathe()?;
            }
            if self.game.player.feet != *to {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Comes up for air, if there is a way.
    fn breathe(&mut self) -> Result<(), Failure> {
        let start = self.game.player.feet;
        let rules = Rules { dig: None, keep: None, max_nodes: 400, haste: 1, drop: path::DROP };
        let up = start.offset(0, 8, 0);
        let to_air = path::find(&mut self.game.ground.grid, rules, start, up, &mut |grid, pos| {
            grid.block(pos.up()) == Block::Air
        });
        for to in to_air.unwrap_or_default() {
            self.step(to)?;
        }
        while !self.game.head_in_water() && self.game.player.air < MAX_AIR {
            self.game.wait(10);
            self.alive()?;
        }
        Ok(())
    }

    /// One step to a neighbouring place, digging what is in the way.
    pub(super) fn step(&mut self, to: BlockPos) -> Result<(), Failure> {
        let from = self.game.player.feet;
        for cell in path::passage(from, to) {
            self.clear(cell)?;
        }
        let ticks = match to.y - from.y {
            _ if self.game.block(to) == Block::Water => path::SWIM,
            1 => path::CLIMB,
            _ => path::WALK,
        };
        self.game.step_to(to, u64::from(ticks));
        self.unbury()
    }

    /// Digs the body free when sand or gravel has fallen on it.
    fn unbury(&mut self) -> Result<(), Failure> {
        for _ in 0..REFILLS {
            self.alive()?;
            let body = [self.game.player.head(), self.game.player.feet];
            let Some(buried) = body.into_iter().find(|cell| self.game.block(*cell).falls()) else { break };
            self.game.break_block(buried, None);
        }
        self.alive()
    }

    /// An error once the player is dead.
    pub(super) fn alive(&self) -> Result<(), Failure> {
        match self.game.player.death {
            Some(hurt) => Err(Failure::new(Code::Died, format!("You {}.", hurt.death()))),
            None => Ok(()),
        }
    }

    /// Makes a cell passable, by digging if need be.
    pub(super) fn clear(&mut self, cell: BlockPos) -> Result<(), Failure> {
        for _ in 0..REFILLS {
            match self.game.block(cell) {
                Block::Air | Block::Water => return Ok(()),
                Block::Lava if self.wall_off(cell) => {}
                Block::Lava => return Err(Failure::new(Code::NoWay, "Lava is in the way.")),
                block => {
                    let slot = self.tunnel_slot().filter(|_| block.breaking().pickaxe);
                    if block.breaking().hardness.is_none() {
                        return Err(Failure::new(Code::NoWay, format!("{} is in the way.", block.name())));
                    }
                    let drop = self.game.break_block(cell, slot);
                    self.unbury()?;
                    self.rubble.extend(drop.and_then(as_wall));
                    self.stem(cell)?;
                }
            }
        }
        Err(Failure::new(Code::NoWay, "What falls in from above does not end."))
    }

    /// Walls off lava and water beside a cell that was just opened.
    ///
    /// # Errors
    /// [`Code::NoWay`] when lava is left and nothing is at hand to stop it.
    pub(super) fn stem(&mut self, opened: BlockPos) -> Result<(), Failure> {
        let swimming = self.game.head_in_water();
        for beside in opened.neighbours() {
            match self.game.block(beside) {
                Block::Lava if !self.wall_off(beside) => {
                    return Err(Failure::new(Code::NoWay, "Lava pours in and there is nothing to stop it with."));
                }
                // Water that stays out, or only wets the feet, does no harm.
                Block::Water if !swimming && beside.y >= opened.y => {
                    self.wall_off(beside);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Puts a block into an open cell: rubble of this action first, then carried dirt, then carried cobblestone.
    pub(super) fn wall_off(&mut self, cell: BlockPos) -> bool {
        if cell == self.game.player.feet || cell == self.game.player.head() {
            return false;
        }
        let carried = [Item::Dirt, Item::CobbledDeepslate, Item::Cobblestone];
        let Some(block) = self.rubble.pop().or_else(|| {
            let item = carried.into_iter().find(|item| self.game.inventory.take(*item, 1))?;
            as_wall(item)
        }) else {
            return false;
        };
        self.game.put(cell, block);
        self.game.wait(4);
        true
    }
}

/// The block a dropped or carried item can wall something off as.
fn as_wall(item: Item) -> Option<Block> {
    match item {
        Item::Dirt => Some(Block::Dirt),
        Item::Cobblestone => Some(Block::Cobblestone),
        Item::CobbledDeepslate => Some(Block::CobbledDeepslate),
        _ => None,
    }
}

/// How many blocks may be in between a player and a block it can touch; they are dug away first.
const SCREENS: usize = 2;

/// What is in between a player standing at `feet` and a block within reach; `None` if the block is out of reach,
/// underfoot, or behind too much or something that must not be dug.
pub(super) fn touch(grid: &mut Grid, feet: BlockPos, target: BlockPos) -> Option<Vec<BlockPos>> {
    if target == feet.down() || target == feet || target == feet.up() {
        return None;
    }
    let eyes = eyes(feet);
    let corner = [target.x, target.y, target.z].map(f64::from);
    let gap = |i: usize| (corner[i] - eyes[i]).max(eyes[i] - corner[i] - 1.0).max(0.0);
    if gap(0).powi(2) + gap(1).powi(2) + gap(2).powi(2) > REACH * REACH {
        return None;
    }
    if target.neighbours().into_iter().any(|beside| beside == feet || beside == feet.up()) {
        return Some(Vec::new());
    }
    let mut least: Option<Vec<BlockPos>> = None;
    for beside in target.neighbours() {
        // The middle of the face, if it can face the eyes at all.
        let middle = |part: f64, side: i32, own: i32| part + 0.5 + 0.5 * f64::from(side - own);
        let face = [
            middle(corner[0], beside.x, target.x),
            middle(corner[1], beside.y, target.y),
            middle(corner[2], beside.z, target.z),
        ];
        let screens = screens(grid, eyes, face, target, feet);
        if let Some(screens) = screens
            && least.as_ref().is_none_or(|least| screens.len() < least.len())
        {
            least = Some(screens);
        }
    }
    least
}

/// The solid blocks on the straight line between two points, the target not counted; `None` if there are too many, or
/// one of them must stay: what one stands on, landmarks, what cannot be broken, what lava or sand is next to.
fn screens(grid: &mut Grid, from: [f64; 3], to: [f64; 3], target: BlockPos, feet: BlockPos) -> Option<Vec<BlockPos>> {
    const SAMPLES: i32 = 32;
    let mut found = Vec::new();
    for sample in 1..SAMPLES {
        let along = f64::from(sample) / f64::from(SAMPLES);
        let [x, y, z] = std::array::from_fn(|i| (from[i] + (to[i] - from[i]) * along).floor() as i32);
        let cell = BlockPos::new(x, y, z);
        let block = grid.block(cell);
        // Where the body is will have been cleared.
        if cell == target || cell == feet || cell == feet.up() || block.is_open() || found.contains(&cell) {
            continue;
        }
        let stays = cell == feet.down() || block.is_landmark() || block.breaking().hardness.is_none();
        if stays || found.len() == SCREENS || !may_open(grid, cell) {
            return None;
        }
        found.push(cell);
    }
    Some(found)
}

/// Whether opening a cell lets nothing flow or fall in.
fn may_open(grid: &mut Grid, cell: BlockPos) -> bool {
    grid.is_firm_around(cell)
        || !(cell.neighbours().into_iter().any(|beside| grid.block(beside).is_fluid()) || grid.block(cell.up()).falls())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minecraft::terrain::{Terrain, TerrainKind};

    fn grid() -> Grid {
        Grid::new(Terrain::new(TerrainKind::Compact, 1))
    }

    #[test]
    fn never_digs_straight_down() {
        let feet = BlockPos::new(8, 65, 8);
        assert_eq!(touch(&mut grid(), feet, feet.down()), None);
        assert!(touch(&mut grid(), feet, feet.offset(1, -1, 0)).is_some());
    }

    #[test]
    fn reaches_four_and_a_half_blocks_and_two_deep() {
        let mut grid = grid();
        let feet = BlockPos::new(8, 130, 8);
        let target = feet.offset(4, 1, 0);
        grid.set(target, Block::CoalOre);
        assert_eq!(touch(&mut grid, feet, target), Some(Vec::new()));
        assert_eq!(touch(&mut grid, feet.offset(-2, 0, 0), target), None, "too far");
        for x in 1..4 {
            for y in 0..=3 {
                for z in -2..=2 {
                    grid.set(feet.offset(x, y, z), Block::Stone);
                }
            }
        }
        assert_eq!(touch(&mut grid, feet, target), None, "three blocks in between");
        for y in 0..=3 {
            for z in -2..=2 {
                grid.set(feet.offset(3, y, z), Block::Air);
            }
        }
        let screens = touch(&mut grid, feet, target).unwrap();
        assert_eq!(screens, [feet.offset(1, 1, 0), feet.offset(2, 1, 0)]);
        grid.set(feet.offset(2, 1, 1), Block::Lava);
        assert_eq!(touch(&mut grid, feet, target), None, "lava would flow in");
    }
}
