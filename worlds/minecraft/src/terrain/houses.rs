//! Villages: houses of planks and cobblestone with doors and windows, wells, stacks of hay behind fences, paths.

use super::biome::Biome;
use super::plan::{ColumnPlan, Onto, SEA_LEVEL, mix};
use super::relief::Relief;
use crate::blocks::Block;

/// Lots lie on a grid of this width, with paths between them.
const LOT: i32 = 18;
/// The width of a path.
const PATH: i32 = 3;
/// The width of a house, walls included.
const HOUSE: i32 = 7;
/// The distance of a house from its lot's corner.
const MARGIN: i32 = 6;

/// The building on a lot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lot {
    Empty,
    House,
    Well,
    Hay,
}

/// The building on a lot of the grid. Half of the lots, and those outside villages, are empty.
fn lot(relief: &Relief<'_>, seed: u64, lot_x: i32, lot_z: i32) -> Lot {
    // Every second square of four by four lots is a village, and so is the one at the origin.
    let village = mix(seed, lot_x.div_euclid(4), 61, lot_z.div_euclid(4)).is_multiple_of(2);
    if !village && (lot_x.div_euclid(4), lot_z.div_euclid(4)) != (0, 0) {
        return Lot::Empty;
    }
    let place = relief.at(lot_x * LOT + LOT / 2, lot_z * LOT + LOT / 2);
    if place.biome != Biome::Plains || place.height <= SEA_LEVEL {
        return Lot::Empty;
    }
    match mix(seed, lot_x, 62, lot_z) % 12 {
        0..5 => Lot::House,
        5 => Lot::Well,
        6 | 7 => Lot::Hay,
        _ => Lot::Empty,
    }
}

/// Returns whether a tree at a place would stand in a house or beside one.
pub(super) fn is_built_up(relief: &Relief<'_>, seed: u64, x: i32, z: i32) -> bool {
    lot(relief, seed, x.div_euclid(LOT), z.div_euclid(LOT)) != Lot::Empty
}

/// Builds a chunk's part of the villages.
pub(super) fn build(plan: &mut ColumnPlan, relief: &Relief<'_>, seed: u64, chunk_x: i32, chunk_z: i32) {
    if !plan.biomes.contains(&Biome::Plains) {
        return;
    }
    let (west, north) = (chunk_x * 16, chunk_z * 16);
    let lots = |start: i32| start.div_euclid(LOT)..=(start + 15).div_euclid(LOT);
    for lot_z in lots(north) {
        for lot_x in lots(west) {
            let kind = lot(relief, seed, lot_x, lot_z);
            if kind == Lot::Empty {
                continue;
            }
            let corner = [lot_x * LOT - west, lot_z * LOT - north];
            pave(plan, corner);
            let middle = [corner[0] + MARGIN + HOUSE / 2, corner[1] + MARGIN + HOUSE / 2];
            let floor = relief.at(west + middle[0], north + middle[1]).height;
            let at = [corner[0] + MARGIN, floor, corner[1] + MARGIN];
            match kind {
                Lot::House => house(plan, at),
                Lot::Well => well(plan, at),
                Lot::Hay | Lot::Empty => hay(plan, at),
            }
        }
    }
}

/// Paths along two sides of a lot, on the ground.
fn pave(plan: &mut ColumnPlan, [west, north]: [i32; 2]) {
    for along in 0..LOT {
        for across in 0..PATH {
            for (x, z) in [(west + along, north + across), (west + across, north + along)] {
                if (0..16).contains(&x) && (0..16).contains(&z) {
                    let ground = i32::from(plan.heights[(z * 16 + x) as usize]);
                    plan.lay(x, ground, z, Block::DirtPath, Onto::Ground);
                }
            }
        }
    }
}

/// Clears the air above a square and fills the ground below its floor.
fn level(plan: &mut ColumnPlan, [x, floor, z]: [i32; 3], width: i32, high: i32) {
    for dz in 0..width {
        for dx in 0..width {
            for y in floor - 4..floor {
                plan.lay(x + dx, y, z + dz, Block::Dirt, Onto::Open);
            }
            for y in floor + 1..=floor + high {
                plan.lay(x + dx, y, z + dz, Block::Air, Onto::Anything);
            }
        }
    }
}

/// A house: floor of planks, a course of cobblestone, walls of planks between posts of logs, a flat roof. Its
/// north-west corner is at x and z, its floor at the ground's height.
fn house(plan: &mut ColumnPlan, [x, floor, z]: [i32; 3]) {
    const WALL: i32 = 4;
    level(plan, [x - 1, floor, z - 1], HOUSE + 2, WALL + 3);
    let last = HOUSE - 1;
    for dz in 0..HOUSE {
        for dx in 0..HOUSE {
            let lay = |plan: &mut ColumnPlan, y: i32, block: Block| {
                plan.lay(x + dx, floor + y, z + dz, block, Onto::Anything);
            };
            lay(plan, 0, Block::OakPlanks);
            lay(plan, WALL + 1, Block::OakPlanks);
            let (edge_x, edge_z) = (dx == 0 || dx == last, dz == 0 || dz == last);
            let middle = (dx == HOUSE / 2) != (dz == HOUSE / 2);
            for y in 1..=WALL {
                let block = match y {
                    _ if edge_x && edge_z => Block::OakLog,
                    _ if !(edge_x || edge_z) => continue,
                    1 | 2 if dz == last && dx == HOUSE / 2 => Block::OakDoor,
                    2 if middle => Block::Glass,
                    1 => Block::Cobblestone,
                    _ => Block::OakPlanks,
                };
                lay(plan, y, block);
            }
        }
    }
    plan.lay(x + 1, floor + 1, z + 1, Block::CraftingTable, Onto::Anything);
}

/// A well: water between walls of cobblestone, under a roof.
fn well(plan: &mut ColumnPlan, [x, floor, z]: [i32; 3]) {
    level(plan, [x, floor, z], 4, 5);
    for dz in 0..4 {
        for dx in 0..4 {
            let inside = (1..3).contains(&dx) && (1..3).contains(&dz);
            let corner = !(1..3).contains(&dx) && !(1..3).contains(&dz);
            for y in -6..=0 {
                let block = if inside && y > -6 { Block::Water } else { Block::Cobblestone };
                plan.lay(x + dx, floor + y, z + dz, block, Onto::Anything);
            }
            if !inside {
                plan.lay(x + dx, floor + 1, z + dz, Block::CobblestoneWall, Onto::Anything);
            }
            if corner {
                plan.lay(x + dx, floor + 2, z + dz, Block::OakFence, Onto::Anything);
                plan.lay(x + dx, floor + 3, z + dz, Block::OakFence, Onto::Anything);
            }
            plan.lay(x + dx, floor + 4, z + dz, Block::Cobblestone, Onto::Anything);
        }
    }
}

/// Hay behind fences.
fn hay(plan: &mut ColumnPlan, [x, floor, z]: [i32; 3]) {
    level(plan, [x, floor, z], HOUSE, 4);
    for dz in 0..HOUSE {
        for dx in 0..HOUSE {
            let fence = dx == 0 || dz == 0 || dx == HOUSE - 1 || dz == HOUSE - 1;
            let stack = (2..5).contains(&dx) && (2..4).contains(&dz);
            plan.lay(x + dx, floor, z + dz, Block::GrassBlock, Onto::Anything);
            if fence {
                plan.lay(x + dx, floor + 1, z + dz, Block::OakFence, Onto::Anything);
            } else if stack {
                plan.lay(x + dx, floor + 1, z + dz, Block::HayBlock, Onto::Anything);
            }
        }
    }
}
