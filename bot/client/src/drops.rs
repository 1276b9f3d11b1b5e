//! Picks up dropped items: waits until they reach the inventory. Walking nearer is up to the primitives.

use azalea::core::position::Vec3;
use azalea::ecs::prelude::With;
use azalea::entity::Position;
use azalea::entity::metadata::{Item as ItemEntity, ItemItem};
use azalea::registry::builtin::ItemKind;
use ltlcrit_minecraft::failure::{Code, Failure};
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::land::Space;
use ltlcrit_minecraft::observation::BlockPos;

use super::classify::kind_of;
use super::player::{Player, cell};

/// The time limit for a dropped item to be picked up, in ticks: the pickup delay of half a second, and its fall.
const COMES: u64 = 60;
/// The time that an item must lie still out of range before the body gives up waiting, in ticks.
const STILL: u64 = 12;
/// The movement above which an item does not count as lying still, in blocks.
const MOVES: f64 = 0.02;
/// The distance from the position where an item was last seen within which it is searched, in blocks. In water, which
/// carries it along, the distance is larger; largest for an item that is followed.
const NEAR: f64 = 4.0;
const NEAR_IN_WATER: f64 = 8.0;
const FOLLOWED: f64 = 16.0;

/// The cell of a dropped item.
fn cell_at(at: Vec3) -> BlockPos {
    BlockPos::new(at.x.floor() as i32, (at.y + 0.2).floor() as i32, at.z.floor() as i32)
}

impl Player {
    /// Picks up one item near a position.
    pub async fn collect(&mut self, item: Item, near: BlockPos) -> Result<(), Failure> {
        let due = self.expected_count(item);
        let kind = kind_of(item);
        let wet = near.neighbours().into_iter().chain([near]).any(|pos| cell(self, pos).space == Space::Water);
        let range = if wet { NEAR_IN_WATER } else { NEAR };
        if wet {
            // Items rise to the surface; a body without this sinks.
            self.link.tread_water();
        }
        let (mut seen, mut last) = (false, near);
        let mut lain: Option<(Vec3, u64)> = None;
        let come = |player: &mut Self| {
            if player.count(item) > due {
                return Some(true);
            }
            let at = player.drop_of(kind, last, range)?;
            (seen, last) = (true, cell_at(at));
            let now = player.now();
            let since = match lain {
                Some((before, since)) if before.distance_squared_to(at) < MOVES * MOVES => since,
                _ => now,
            };
            lain = Some((at, since));
            // An item that lies still out of range is not picked up without walking nearer.
            (now >= since + STILL && !player.is_within_grasp(at)).then_some(false)
        };
        if self.wait_for(COMES, come).await? == Some(true) {
            self.expect_more(item, 1);
            return Ok(());
        }
        tracing::debug!(?item, ?near, lying = ?self.drop_of(kind, last, range), stance = ?self.link.stance(), count = self.count(item), due, "has not come");
        if self.view().room_for(item) == 0 {
            return Err(Failure::no_room(item));
        }
        let name = item.name();
        Err(match seen {
            true => Failure::new(Code::DropLost, format!("The {name} could not be picked up.")),
            false => Failure::new(Code::NothingDropped, format!("No {name} dropped.")),
        })
    }

    /// The cell of the nearest dropped item of a kind that may have drifted away from a cell.
    pub(crate) fn lying_near(&self, item: Item, near: BlockPos) -> Option<BlockPos> {
        self.drop_of(kind_of(item), near, FOLLOWED).map(cell_at)
    }

    /// The position of the nearest dropped item of a kind.
    fn drop_of(&self, kind: Option<ItemKind>, near: BlockPos, range: f64) -> Option<Vec3> {
        let centre = Vec3::new(f64::from(near.x) + 0.5, f64::from(near.y) + 0.5, f64::from(near.z) + 0.5);
        let find = |ecs: &mut azalea::ecs::world::World, _| {
            let mut items = ecs.query_filtered::<(&Position, &ItemItem), With<ItemEntity>>();
            let mut best: Option<(f64, Vec3)> = None;
            for (position, stack) in items.iter(ecs) {
                let away = position.distance_squared_to(centre);
                let nearer = best.as_ref().is_none_or(|(nearest, _)| away < *nearest);
                if kind == Some(stack.kind()) && away <= range * range && nearer {
                    best = Some((away, **position));
                }
            }
            best.map(|(_, at)| at)
        };
        self.link.ecs(find).ok().flatten()
    }

    /// Returns whether an item at this position is in pickup range.
    fn is_within_grasp(&self, at: Vec3) -> bool {
        let Some(stance) = self.link.stance() else { return false };
        let feet = stance.position;
        (at.x - feet.x).abs() < 1.35 && (at.z - feet.z).abs() < 1.35 && (-0.6..2.2).contains(&(at.y - feet.y))
    }
}
