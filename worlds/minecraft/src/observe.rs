//! Observing: computes the full observation of a [`Body`], in the same way for every world.

use std::collections::BTreeMap;

use super::blocks::Block;
use super::body::Body;
use super::land::{Cell, Land, Space};
use super::memory::{Memory, PLACEABLE};
use super::observation::{BlockPos, HAZARDS, MinecraftObservation, PlacedBlock, Remembered, positions};
use super::planner::State;
use super::player;
use super::sight::{self, Sight};
use super::sightings::{self, Sightings};

/// The maximum distance at which hazards are observed, in blocks.
const HAZARD_RANGE: i32 = 8;

/// The maximum number of remembered blocks of one kind in an observation.
const MAX_PLACED: usize = 3;

/// The blocks in sight, without those that could not be reached. The player remembers them.
pub(crate) fn look_around(body: &mut impl Body, memory: &mut Memory, sight: Sight) -> Sightings {
    let eyes = player::eyes(body.feet());
    let seen = sightings::see(body.land(), eyes, sight, |block| memory.is_unreachable(block));
    memory.look(body.land(), eyes, &seen);
    seen
}

/// The current full observation, without blocks that could not be reached. The player remembers the blocks in sight.
pub fn observe(body: &mut impl Body, memory: &mut Memory, sight: Sight) -> MinecraftObservation {
    let feet = body.feet();
    let eyes = player::eyes(feet);
    let seen = look_around(body, memory, sight);
    let furnace = seen.get(&Block::Furnace).map(|sighting| sighting.nearest);
    let vitals = body.vitals();
    let mut observation = MinecraftObservation {
        position: feet,
        biome: body.land().biome(feet),
        tick: body.tick(),
        health: vitals.health,
        hunger: vitals.hunger,
        inventory: body.carried(),
        equipped: body.held(),
        nearby: seen.iter().map(|(block, sighting)| (block.name().to_owned(), *sighting)).collect(),
        hazards: hazards(body.land(), feet).into_iter().map(|(kind, away)| (kind.to_owned(), away)).collect(),
        head_in_water: body.land().cell(feet.up()).space == Space::Water,
        air: vitals.air,
        furnace_fire: furnace.map_or(0, |furnace| body.fire_in(furnace)),
        placed: placed(memory, eyes),
        remembered: Vec::new(),
        tools: tools(body),
    };
    observation.remembered = remembered(memory, eyes, &State::of(&observation));
    observation
}

/// The nearest remembered block of each resource that a state lacks and that is not in sight.
fn remembered(memory: &Memory, eyes: [f64; 3], state: &State) -> Vec<Remembered> {
    let missing = state.needs().into_iter().filter(|resource| !state.sees(*resource));
    let places = missing.filter_map(|resource| memory.nearest(eyes, |block| resource.is(block)));
    places.map(|(place, _)| Remembered { place: place.seen_from(eyes), steps_ago: memory.steps_since(place) }).collect()
}

/// The uses left of the carried tools, summed for each kind.
fn tools(body: &mut impl Body) -> BTreeMap<String, u32> {
    let mut tools = BTreeMap::new();
    for (_, stack, left) in body.inventory().tools() {
        *tools.entry(stack.item.name().to_owned()).or_default() += left;
    }
    tools
}

/// The crafting tables and furnaces that the player remembers: the nearest ones of each kind.
fn placed(memory: &Memory, eyes: [f64; 3]) -> Vec<PlacedBlock> {
    let nearest = |block: Block| {
        let mut places: Vec<_> =
            memory.places().filter(|place| place.block == block).map(|place| place.seen_from(eyes)).collect();
        places.sort_by(|a, b| a.distance.total_cmp(&b.distance).then(a.position.cmp(&b.position)));
        places.truncate(MAX_PLACED);
        places
    };
    PLACEABLE.into_iter().flat_map(nearest).collect()
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
