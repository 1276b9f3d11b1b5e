//! The memory of a player: where it last saw what its task needs, and the blocks that it could not reach.

use rustc_hash::FxHashMap;

use super::blocks::Block;
use super::land::{Cell, Land};
use super::observation::{BlockPos, MinecraftObservation, PlacedBlock};
use super::sight::{self, RANGE};
use super::sightings::Sightings;

/// The blocks that a player places and returns to.
pub(crate) const PLACEABLE: [Block; 2] = [Block::CraftingTable, Block::Furnace];
/// The distance from which a player returns to a table or furnace out of sight, in blocks.
pub(crate) const RETURN: f64 = 64.0;

/// The time for which an unreachable block is ignored, in ticks: five minutes.
const GIVEN_UP_FOR: u64 = 6000;
/// The maximum number of places remembered.
const MAX_PLACES: usize = 256;
/// The distance from a remembered block within which others of its kind are not remembered too, in blocks.
const SPACING: i64 = 16;

/// A block that a player saw.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub block: Block,
    pub position: BlockPos,
    /// The number of actions before it was last in sight.
    step: u64,
}

impl Place {
    /// The place as a part of an observation by these eyes.
    pub fn seen_from(self, eyes: [f64; 3]) -> PlacedBlock {
        let Self { block, position, .. } = self;
        PlacedBlock { block: block.name().to_owned(), position, distance: sight::distance(eyes, position) }
    }
}

/// The memory of a player between actions: the crafting tables and furnaces that it placed or saw, and some blocks of
/// every other kind in sight, a few steps apart from each other.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// The number of actions so far.
    step: u64,
    /// The places, those seen last at the end.
    places: Vec<Place>,
    /// Blocks marked as unreachable, with the tick of the failure.
    unreachable: FxHashMap<BlockPos, u64>,
    /// The last action that went back to a remembered place.
    returned: u64,
}

impl Memory {
    /// Begins an action: blocks that became unreachable long ago count as reachable again.
    pub(crate) fn begin(&mut self, tick: u64) {
        self.step += 1;
        self.unreachable.retain(|_, given_up| tick.saturating_sub(*given_up) < GIVEN_UP_FOR);
    }

    /// Notes that the present action goes back to a remembered place.
    pub(crate) fn note_return(&mut self) {
        self.returned = self.step;
    }

    /// Returns whether the action before the present one went back to a remembered place.
    pub(crate) fn has_just_returned(&self) -> bool {
        self.returned > 0 && self.returned + 1 == self.step
    }

    /// Marks a block as unreachable. Observations leave it out, and exploring does not stop at it.
    pub(crate) fn give_up(&mut self, block: BlockPos, tick: u64) {
        self.unreachable.insert(block, tick);
    }

    /// Returns whether a block is marked as unreachable.
    pub(crate) fn is_unreachable(&self, block: BlockPos) -> bool {
        self.unreachable.contains_key(&block)
    }

    /// Remembers a block, and forgets the place seen longest ago if there are too many.
    pub(crate) fn note(&mut self, block: Block, position: BlockPos) {
        self.remember(Place { block, position, step: self.step });
    }

    fn remember(&mut self, place: Place) {
        let spacing = if PLACEABLE.contains(&place.block) { 0 } else { SPACING };
        let is_near = |other: &Place| {
            other.block == place.block && other.position.squared_distance(place.position) <= spacing * spacing
        };
        let near = self.places.iter().position(|other| is_near(other) && !self.is_unreachable(other.position));
        let known = near.map_or(place, |near| Place { step: place.step, ..self.places.remove(near) });
        if self.places.len() == MAX_PLACES {
            self.places.remove(0);
        }
        self.places.push(known);
    }

    /// Forgets a block that has gone.
    pub(crate) fn forget(&mut self, position: BlockPos) {
        self.places.retain(|place| place.position != position);
    }

    /// Remembers the blocks in sight, and forgets those that should be and are not.
    pub(crate) fn look(&mut self, land: &mut impl Land, eyes: [f64; 3], seen: &Sightings) {
        self.places.retain(|place| {
            let cell =
                if sight::distance(eyes, place.position) <= RANGE { land.cell(place.position) } else { Cell::UNKNOWN };
            cell == Cell::UNKNOWN || cell.is(place.block)
        });
        for (block, sighting) in seen {
            self.note(*block, sighting.nearest);
        }
    }

    /// The remembered places.
    pub(crate) fn places(&self) -> impl Iterator<Item = Place> + '_ {
        self.places.iter().copied()
    }

    /// The number of actions since a place was in sight.
    pub(crate) fn steps_since(&self, place: Place) -> u32 {
        u32::try_from(self.step - place.step).unwrap_or(u32::MAX)
    }

    /// The nearest remembered block of a kind that is not marked as unreachable, and its distance from the eyes.
    pub(crate) fn nearest(&self, eyes: [f64; 3], counts: impl Fn(Block) -> bool) -> Option<(Place, f64)> {
        let reachable = self.places().filter(|place| counts(place.block) && !self.is_unreachable(place.position));
        let away = reachable.map(|place| (place, sight::distance(eyes, place.position)));
        away.min_by(|(one, near), (other, far)| near.total_cmp(far).then(one.position.cmp(&other.position)))
    }

    /// Restores the places from an observation of an earlier process.
    pub fn recall(&mut self, observation: &MinecraftObservation) {
        let remembered = observation.remembered.iter().map(|seen| (&seen.place, u64::from(seen.steps_ago)));
        let places = observation.placed.iter().map(|placed| (placed, 0)).chain(remembered);
        self.step += places.clone().map(|(_, ago)| ago).max().unwrap_or(0);
        for (place, ago) in places {
            if let Some(block) = Block::from_name(&place.block) {
                self.remember(Place { block, position: place.position, step: self.step - ago });
            }
        }
    }
}
