//! Places a block against a solid neighbour.

use azalea::core::direction::Direction;
use azalea::core::position::Vec3;
use azalea::ecs::entity::Entity;
use azalea::ecs::world::World as Ecs;
use azalea::entity::Jumping;
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::body::Body;
use ltlcrit_minecraft::failure::{Code, Failure};
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::land::Space;
use ltlcrit_minecraft::observation::BlockPos;

use super::classify::kind_of;
use super::player::{Player, cell};
use super::reach::{self, SIDES};
use super::windows::{ANSWER, touch};

/// The time limit for a jump to its height, in ticks.
const JUMP: u64 = 20;

impl Player {
    /// Places an item as a block in a cell, and waits until the server shows it there.
    pub(crate) async fn put_block(&mut self, pos: BlockPos, item: Item) -> Result<(), Failure> {
        let name = item.name();
        let no_place = |why: &str| Failure::new(Code::NoPlace, format!("The {name} could not be put at {pos}: {why}."));
        let block = Block::placed_with(item).ok_or_else(|| no_place("it is not for placing"))?;
        if !cell(self, pos).replaceable {
            return Err(no_place("there is something in its place"));
        }
        if self.count(item) == 0 {
            return Err(Failure::new(Code::MissingIngredients, format!("No {name} is carried.")));
        }
        let eyes = self.stance()?.eyes();
        let (against, side, point) =
            self.support(pos, eyes).ok_or_else(|| no_place("there is nothing to put it against"))?;
        self.hold_item(item).await?;
        let before = self.count(item);
        let rubble = before > self.expected_count(item);
        touch(&self.link, against, side, point);
        let placed = |player: &mut Self| {
            let there = cell(player, pos).is(block);
            (there && player.count(item) < before).then_some(())
        };
        if self.wait_for(ANSWER, placed).await?.is_none() {
            return Err(no_place("the server did not let it"));
        }
        match kind_of(item).filter(|_| rubble) {
            Some(kind) => self.note_discarded(kind, -1),
            None => self.expect_more(item, -1),
        }
        if block == Block::Furnace {
            self.fires.remove(&pos);
        }
        Ok(())
    }

    /// Jumps, and places an item as a block in the cell of the feet.
    pub(crate) async fn jump_onto_block(&mut self, item: Item) -> Result<(), Failure> {
        let feet = self.feet();
        let name = item.name();
        let no_place =
            |why: &str| Failure::new(Code::NoPlace, format!("The {name} could not be put under you: {why}."));
        if self.count(item) == 0 {
            return Err(Failure::new(Code::MissingIngredients, format!("No {name} is carried.")));
        }
        // This comes before the jump, which leaves few ticks.
        self.hold_item(item).await?;
        let jump = |ecs: &mut Ecs, entity: Entity| {
            if let Some(mut jumping) = ecs.get_mut::<Jumping>(entity) {
                **jumping = true;
            }
        };
        self.link.set_to_work(jump)?;
        let height = f64::from(feet.y) + 1.0;
        let above = |player: &mut Self| player.link.stance().filter(|stance| stance.position.y >= height).map(|_| ());
        let jumped = self.wait_for_body(JUMP, above).await?;
        self.link.release_controls();
        jumped.ok_or_else(|| no_place("something is in the way"))?;
        self.put_block(feet, item).await?;
        let stands = |player: &mut Self| {
            let stance = player.link.stance()?;
            (stance.on_ground && player.feet() == feet.up()).then_some(())
        };
        self.wait_for_body(ANSWER, stands).await?.ok_or_else(|| no_place("you do not stand on it"))
    }

    /// The neighbour that a block at `pos` can be placed against: the block, its side, and the point on the side to
    /// use. Prefers sides that face the eyes. Crafting tables and furnaces are excluded, because using them opens a
    /// window.
    fn support(&mut self, pos: BlockPos, eyes: Vec3) -> Option<(BlockPos, Direction, Vec3)> {
        let mut best: Option<(bool, i64, BlockPos, Direction, Vec3)> = None;
        for (side, way) in SIDES {
            // The neighbour with this side.
            let beyond = pos.offset(-way.0, -way.1, -way.2);
            let there = cell(self, beyond);
            let idle = !there.is(Block::CraftingTable) && !there.is(Block::Furnace);
            if there.space != Space::Solid || !idle {
                continue;
            }
            let point = reach::middle(beyond, way);
            let (dx, dy, dz) = (eyes.x - point.x, eyes.y - point.y, eyes.z - point.z);
            let away = dx * dx + dy * dy + dz * dz;
            let faces = dx * f64::from(way.0) + dy * f64::from(way.1) + dz * f64::from(way.2) > 0.0;
            // Integers are used, because floats have no total order; a thousandth of a block is exact enough.
            let this = (!faces, (away * 1000.0) as i64);
            if best.as_ref().is_none_or(|(known, near, ..)| this < (*known, *near)) {
                best = Some((this.0, this.1, beyond, side, point));
            }
        }
        best.map(|(_, _, beyond, side, point)| (beyond, side, point))
    }
}
