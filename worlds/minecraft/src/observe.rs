//! Observing: computes the full observation of a [`Body`], in the same way for every world.

use std::collections::BTreeMap;

use super::blocks::Block;
use super::body::Body;
use super::land::{Cell, Land, Space};
use super::observation::{BlockPos, HAZARDS, MinecraftObservation, PlacedBlock, positions};
use super::player;
use super::primitives::{PLACEABLE, PrimitiveState};
use super::sight::{self, Sight};
use super::sightings;

/// The maximum distance at which hazards are observed, in blocks.
const HAZARD_RANGE: i32 = 8;

/// The maximum number of remembered blocks of one kind in an observation.
const MAX_PLACED: usize = 3;

/// The current full observation, without blocks that could not be reached. The player remembers the crafting tables and
/// furnaces that it sees.
pub fn observe(body: &mut impl Body, state: &mut PrimitiveState, sight: Sight) -> MinecraftObservation {
    let feet = body.feet();
    let eyes = player::eyes(feet);
    let seen = sightings::see(body.land(), eyes, sight, |block| state.is_unreachable(block));
    let furnace = seen.of(Block::Furnace).map(|sighting| sighting.nearest);
    for block in PLACEABLE {
        if let Some(sighting) = seen.of(block) {
            state.remember(block, sighting.nearest);
        }
    }
    let placed = placed(body.land(), eyes, state);
    let vitals = body.vitals();
    MinecraftObservation {
        position: feet,
        biome: body.land().biome(feet),
        tick: body.tick(),
        health: vitals.health,
        hunger: vitals.hunger,
        inventory: body.carried(),
        equipped: body.held(),
        nearby: seen.iter().map(|(block, sighting)| (block.name().to_owned(), sighting)).collect(),
        hazards: hazards(body.land(), feet).into_iter().map(|(kind, away)| (kind.to_owned(), away)).collect(),
        head_in_water: body.land().cell(feet.up()).space == Space::Water,
        air: vitals.air,
        furnace_fire: furnace.map_or(0, |furnace| body.fire_in(furnace)),
        placed,
        tools: tools(body),
    }
}

/// The uses left of the carried tools, summed for each kind.
fn tools(body: &mut impl Body) -> BTreeMap<String, u32> {
    let mut tools = BTreeMap::new();
    for (_, stack, left) in body.inventory().tools() {
        *tools.entry(stack.item.name().to_owned()).or_default() += left;
    }
    tools
}

/// The crafting tables and furnaces that the player remembers: the nearest ones of each kind. A block in range that is
/// gone is forgotten.
fn placed(land: &mut impl Land, eyes: [f64; 3], state: &mut PrimitiveState) -> Vec<PlacedBlock> {
    let mut placed = Vec::new();
    for (block, position) in state.placed().to_vec() {
        let distance = sight::distance(eyes, position);
        if distance <= sight::RANGE {
            let cell = land.cell(position);
            if cell != Cell::UNKNOWN && !cell.is(block) {
                state.forget(position);
                continue;
            }
        }
        placed.push((block as usize, PlacedBlock { block: block.name().to_owned(), position, distance }));
    }
    placed.sort_by(|(kind, a), (other, b)| {
        kind.cmp(other).then(a.distance.total_cmp(&b.distance)).then(a.position.cmp(&b.position))
    });
    placed
        .chunk_by(|(kind, _), (other, _)| kind == other)
        .flat_map(|kind| kind.iter().take(MAX_PLACED))
        .map(|(_, placed)| placed.clone())
        .collect()
}

/// The kind of hazard of a cell, as an index into [`HAZARDS`].
fn hazard(cell: Cell) -> Option<usize> {
    match cell.space {
        Space::Lava => Some(0),
        Space::Water => Some(1),
        _ if cell.is(Block::Gravel) => Some(2),
        _ if cell.is(Block::Sand) => Some(3),
        _ => None,
    }
}

/// The nearest hazard of each kind that is not hidden in rock, in blocks from the eyes.
fn hazards(land: &mut impl Land, feet: BlockPos) -> Vec<(&'static str, f64)> {
    let eyes = player::eyes(feet);
    let mut nearest: [Option<(f64, BlockPos)>; HAZARDS.len()] = [None; HAZARDS.len()];
    let low = feet.offset(-HAZARD_RANGE, -HAZARD_RANGE, -HAZARD_RANGE);
    let high = feet.offset(HAZARD_RANGE, HAZARD_RANGE, HAZARD_RANGE);
    // Checks section by section: most sections contain no block that flows or falls.
    let parts = |low: i32, high: i32| (low >> 4..=high >> 4).map(move |at| low.max(at * 16)..=high.min(at * 16 + 15));
    for ys in parts(low.y, high.y) {
        for zs in parts(low.z, high.z) {
            for xs in parts(low.x, high.x) {
                if land.is_firm_section(BlockPos::new(*xs.start(), *ys.start(), *zs.start())) {
                    continue;
                }
                for pos in positions(xs, ys.clone(), zs.clone()) {
                    let Some(kind) = hazard(land.cell(pos)) else { continue };
                    let away = (sight::distance(eyes, pos), pos);
                    let closer = nearest[kind].is_none_or(|best| away < best);
                    if closer && away.0 <= f64::from(HAZARD_RANGE) && shows(land, feet, pos) {
                        nearest[kind] = Some(away);
                    }
                }
            }
        }
    }
    HAZARDS.into_iter().zip(nearest).filter_map(|(kind, found)| Some((kind, found?.0))).collect()
}

/// Returns whether a block is next to air or the player.
fn shows(land: &mut impl Land, feet: BlockPos, pos: BlockPos) -> bool {
    let body = [feet, feet.up()];
    body.contains(&pos)
        || pos.neighbours().into_iter().any(|beside| body.contains(&beside) || land.cell(beside).is_airy())
}
