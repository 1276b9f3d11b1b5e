//! Moving: follows paths, digs through obstacles, walls off what flows in.

use std::cmp::Reverse;

use super::{Code, Executor, Failure};
use crate::activity::{DigDirection, PlayerActivity};
use crate::body::{Body, DigPurpose, SHORT_OF_BREATH, Tool};
use crate::items::{Item, Tag};
use crate::land::{Land, Space};
use crate::observation::BlockPos;
use crate::path::{self, PathRules};
use crate::player::{MAX_AIR, REACH, eyes};
use crate::sight::Sight;

/// The uses that tunnelling leaves on the tool in the hand.
const RESERVE: u32 = 16;
/// The half hearts that must remain after a jump down a cliff.
const KEEP_HEALTH: i32 = 12;
/// The number of times a cell is dug again when sand or gravel falls into it.
const REFILLS: u32 = 24;

impl<B: Body> Executor<'_, B> {
    /// The inventory slot of the tool for tunnels: a pickaxe with more than one use left, or more than a reserve if it
    /// is in the hand; otherwise the bare hand. So no tool breaks in a tunnel. A player that sees through rock knows
    /// where a tunnel leads and takes the best pickaxe; one that must search takes the cheapest, and the one in its
    /// hand last.
    pub(super) fn tunnel_slot(&mut self) -> Option<(usize, Item)> {
        let knows = self.limits.sight == Sight::Loaded;
        let inventory = self.body.inventory();
        let hand = inventory.selected();
        let fit = inventory.tools().filter(|(slot, _, left)| *left > if *slot == hand { RESERVE } else { 1 });
        let ranked = fit.map(|(slot, stack, _)| (slot == hand, stack.item.pickaxe(), slot, stack.item));
        let chosen = if knows {
            ranked.min_by_key(|(in_hand, tier, slot, _)| (Reverse(*tier), *in_hand, *slot))
        } else {
            ranked.min()
        };
        chosen.map(|(_, _, slot, item)| (slot, item))
    }

    /// Goes to the first place that `arrived` accepts, digging if needed, but never the block to `keep`.
    ///
    /// # Errors
    /// [`Code::Unreachable`] if no path is found or paths collapse too often; failures that end the action.
    pub(super) async fn go(
        &mut self,
        toward: BlockPos,
        keep: Option<BlockPos>,
        arrived: &mut dyn FnMut(&mut B::Land, BlockPos) -> bool,
    ) -> Result<(), Failure> {
        self.go_where(&[toward], keep.as_slice(), &mut |land, pos| arrived(land, pos).then_some(0)).await
    }

    /// Goes to the place where walking and work together take about the fewest ticks. `arrived` returns the ticks of
    /// the work at a place, if it is possible there; see [`path::find`].
    ///
    /// # Errors
    /// As [`Self::go`].
    pub(super) async fn go_where(
        &mut self,
        toward: &[BlockPos],
        keep: &[BlockPos],
        arrived: &mut dyn FnMut(&mut B::Land, BlockPos) -> Option<u32>,
    ) -> Result<(), Failure> {
        for _ in 0..4 {
            self.body.go_on()?;
            let start = self.body.feet();
            let dig = Some(self.tunnel_slot().map(|(_, item)| item));
            // First a good path, if one is found soon; then a straight one; then any; then one with a harmful drop.
            let (most, haste) = (self.limits.max_path_nodes, path::haste(dig));
            let jump = path::DROP + (self.body.vitals().health as i32 - KEEP_HEALTH).max(0);
            let attempts = [
                (most / 20, 1, path::DROP),
                (most / 8, haste, path::DROP),
                (most, haste / 4, path::DROP),
                (most, haste, jump),
            ];
            // A player that sees through rock knows where a shaft leads.
            let shafts = self.limits.sight == Sight::Loaded;
            let land = self.body.land();
            let path = attempts.into_iter().find_map(|(max_nodes, haste, drop)| {
                path::find(land, PathRules { dig, keep, max_nodes, haste, drop, shafts }, start, toward, arrived)
            });
            let Some(path) = path else {
                break;
            };
            let mut followed = self.follow(&path).await;
            if followed.as_ref().is_err_and(|failure| !failure.code.ends_action()) && self.head_in_water() {
                followed = self.breathe().await.map(|()| false);
            }
            match followed {
                Ok(true) => return Ok(()),
                Ok(false) => {}
                Err(failure) if failure.code.ends_action() => return Err(failure),
                Err(_) => {}
            }
        }
        Err(Failure::new(Code::Unreachable, "No way was found there."))
    }

    /// Follows a path; `false` if it collapsed and another must be found.
    async fn follow(&mut self, path: &[BlockPos]) -> Result<bool, Failure> {
        let mut done = 0;
        while done < path.len() {
            let walked = self.walk(&path[done..]).await?;
            if walked == 0 {
                return Ok(false);
            }
            done += walked;
            if self.head_in_water() && self.body.vitals().air < SHORT_OF_BREATH {
                self.breathe().await?;
            }
            if self.body.feet() != path[done - 1] {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Comes up for air, if there is a way.
    pub(super) async fn breathe(&mut self) -> Result<(), Failure> {
        let start = self.body.feet();
        let rules = PathRules { dig: None, keep: &[], max_nodes: 4000, haste: 9, drop: path::DROP, shafts: false };
        let up = start.offset(0, 16, 0);
        let mut airy = |land: &mut B::Land, pos: BlockPos| land.cell(pos.up()).is_airy().then_some(0);
        let to_air = path::find(self.body.land(), rules, start, &[up], &mut airy);
        for to in to_air.unwrap_or_default() {
            self.step(to).await?;
        }
        self.body.set_activity(PlayerActivity::Breathing);
        while !self.head_in_water() && self.body.vitals().air < MAX_AIR {
            self.body.wait(10).await?;
        }
        Ok(())
    }

    /// Whether the body has enough air where it is to dig for a time (in ticks out of water).
    fn has_breath_for(&mut self, ticks: u32) -> bool {
        let feet = self.body.feet();
        ticks * path::hindrance(self.body.land(), feet) <= self.body.vitals().air
    }

    /// One step to a neighbouring place, digging what is in the way.
    pub(super) async fn step(&mut self, to: BlockPos) -> Result<(), Failure> {
        match self.walk(&[to]).await? {
            0 => Err(Failure::new(Code::NoWay, "The way there is not free.")),
            _ => Ok(()),
        }
    }

    /// Clears the first step, then walks it and the following steps that need no digging. Returns the number of steps.
    async fn walk(&mut self, way: &[BlockPos]) -> Result<usize, Failure> {
        let Some(first) = way.first() else { return Ok(0) };
        let feet = self.body.feet();
        let swims = self.cell(*first).is_fluid();
        let mut doing = if swims { PlayerActivity::Swimming } else { PlayerActivity::Walking };
        for cell in path::passage(feet, *first) {
            if !self.cell(cell).is_free() {
                doing = PlayerActivity::Digging(DigDirection::of(feet, *first));
                self.body.set_activity(doing);
            }
            self.clear(cell).await?;
        }
        self.body.set_activity(doing);
        let land = self.body.land();
        let blocked = way.windows(2).position(|step| !path::is_free(land, step[0], step[1]));
        let free = blocked.map_or(way.len(), |steps| steps + 1);
        let walked = self.body.walk(&way[..free]).await?;
        self.unbury().await?;
        Ok(walked)
    }

    /// Digs the body free when sand or gravel has fallen on it.
    async fn unbury(&mut self) -> Result<(), Failure> {
        for _ in 0..REFILLS {
            self.body.go_on()?;
            let feet = self.body.feet();
            let Some(buried) = [feet.up(), feet].into_iter().find(|cell| self.cell(*cell).falls) else { break };
            self.body.dig(buried, Tool::Bare, DigPurpose::ClearPath).await?;
        }
        self.body.go_on()
    }

    /// Makes a cell passable, by digging if need be.
    pub(super) async fn clear(&mut self, pos: BlockPos) -> Result<(), Failure> {
        for _ in 0..REFILLS {
            let cell = self.cell(pos);
            if cell.is_free() {
                return Ok(());
            }
            if cell.space == Space::Lava {
                if !self.wall_off(pos).await? {
                    return Err(Failure::new(Code::NoWay, "Lava is in the way."));
                }
                continue;
            }
            let Some(digging) = cell.digging else {
                let what = cell.block.map_or("Something that must stay", |block| block.name());
                return Err(Failure::new(Code::NoWay, format!("{what} is in the way.")));
            };
            let tunnelling = self.tunnel_slot().filter(|_| digging.pickaxe);
            // Water may have flowed in since the path was found.
            if self.head_in_water() && !self.has_breath_for(digging.ticks(tunnelling.map(|(_, item)| item))) {
                return Err(Failure::new(Code::NoWay, "Under water there is not breath enough to dig on."));
            }
            let tool = tunnelling.map_or(Tool::Bare, |(slot, _)| Tool::Slot(slot));
            self.body.dig(pos, tool, DigPurpose::ClearPath).await?;
            self.unbury().await?;
            self.stop_flow(pos).await?;
        }
        Err(Failure::new(Code::NoWay, "What falls in from above does not end."))
    }

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

    /// Puts a block into an open cell: rubble of this action first, then carried dirt, then carried cobblestone.
    /// `false` if no block is available or it cannot be placed.
    pub(super) async fn wall_off(&mut self, pos: BlockPos) -> Result<bool, Failure> {
        let feet = self.body.feet();
        if pos == feet || pos == feet.up() || !self.cell(pos).replaceable {
            return Ok(false);
        }
        let carried = [Item::Dirt, Item::CobbledDeepslate, Item::Cobblestone];
        let rubble = self.body.rubble();
        let inventory = self.body.inventory();
        let Some(item) = rubble.or_else(|| carried.into_iter().find(|item| inventory.count(*item) > 0)) else {
            return Ok(false);
        };
        self.body.set_activity(PlayerActivity::Walling);
        match self.body.put(pos, item).await {
            Ok(()) => {
                self.walls.push(pos);
                self.walled += u32::from(rubble.is_none() && Tag::StoneMaterials.contains(item));
                Ok(true)
            }
            Err(failure) if failure.code.ends_action() => Err(failure),
            Err(_) => Ok(false),
        }
    }
}

/// The largest number of blocks between a player and a block it can touch; they are dug away first.
const MAX_OBSTRUCTIONS: usize = 2;

/// The blocks between a player at `feet` and a block within reach; `None` if the block is out of reach, underfoot, or
/// behind too many blocks or one that must not be dug.
pub(super) fn touch(land: &mut impl Land, feet: BlockPos, target: BlockPos) -> Option<Vec<BlockPos>> {
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
        // The middle of the face.
        let middle = |part: f64, side: i32, own: i32| part + 0.5 + 0.5 * f64::from(side - own);
        let face = [
            middle(corner[0], beside.x, target.x),
            middle(corner[1], beside.y, target.y),
            middle(corner[2], beside.z, target.z),
        ];
        let obstructions = obstructions(land, eyes, face, target, feet);
        if let Some(obstructions) = obstructions
            && least.as_ref().is_none_or(|least| obstructions.len() < least.len())
        {
            least = Some(obstructions);
        }
    }
    least
}

/// The solid blocks on the line between two points, without the target. `None` if there are too many, or one must stay:
/// the block underfoot, landmarks, unbreakable blocks, and blocks next to lava or sand.
fn obstructions(
    land: &mut impl Land,
    from: [f64; 3],
    to: [f64; 3],
    target: BlockPos,
    feet: BlockPos,
) -> Option<Vec<BlockPos>> {
    const SAMPLES: i32 = 32;
    let mut found = Vec::new();
    for sample in 1..SAMPLES {
        let along = f64::from(sample) / f64::from(SAMPLES);
        let [x, y, z] = std::array::from_fn(|i| (from[i] + (to[i] - from[i]) * along).floor() as i32);
        let pos = BlockPos::new(x, y, z);
        let cell = land.cell(pos);
        // The body's own cells are already clear.
        if pos == target || pos == feet || pos == feet.up() || !cell.is_firm() || found.contains(&pos) {
            continue;
        }
        let stays = pos == feet.down() || cell.is_landmark() || cell.digging.is_none();
        if stays || found.len() == MAX_OBSTRUCTIONS || !may_open(land, pos) {
            return None;
        }
        found.push(pos);
    }
    Some(found)
}

/// Whether opening a cell lets nothing flow or fall in.
pub(super) fn may_open(land: &mut impl Land, pos: BlockPos) -> bool {
    land.is_firm_around(pos)
        || !(pos.neighbours().into_iter().any(|beside| land.cell(beside).is_fluid()) || land.cell(pos.up()).falls)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blocks::Block;
    use crate::grid::Grid;
    use crate::terrain::{Terrain, TerrainKind};

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
        let obstructions = touch(&mut grid, feet, target).unwrap();
        assert_eq!(obstructions, [feet.offset(1, 1, 0), feet.offset(2, 1, 0)]);
        grid.set(feet.offset(2, 1, 1), Block::Lava);
        assert_eq!(touch(&mut grid, feet, target), None, "lava would flow in");
    }
}
