//! The primitives of LTLCrit A.1: mine, place, craft, smelt, equip, explore.
//!
//! Each decides from a [`Land`] and acts through a [`Body`], so it is the same in the embedded world and on any server.
//! A primitive executes one abstract action and yields at most one item. A player that leaves the crafting table or the furnace
//! behind, on its way to stone or ore, or down, takes them along. Blocks dug out of the way are not picked up, but may wall off water and lava in the same action. Walls may also use carried blocks; mining stone makes up for the
//! stone they took.

mod breath;
mod carry;
mod craft;
mod descend;
mod equip;
mod explore;
mod mine;
mod place;
mod smelt;
mod state;
mod steps;
mod touch;
mod trace;
mod travel;
mod walls;
mod wear;

pub(crate) use carry::is_missed;
pub(crate) use state::PLACEABLE;
pub use state::PrimitiveState;

use super::body::{Body, SHORT_OF_BREATH};
use super::items::Item;
use super::land::{Cell, Land, Space};
use super::observation::BlockPos;
use super::options::Limits;
use crate::activity::PlayerActivity;
use crate::failure::Failure;
pub use crate::primitive::{Primitive, Resource};
use crate::region::Region;

/// Executes one primitive with a body.
struct Executor<'a, B> {
    body: &'a mut B,
    state: &'a mut PrimitiveState,
    limits: &'a Limits,
    /// The walls it has built in this action.
    walls: Vec<BlockPos>,
    /// The number of carried stones that went into these walls.
    walled: u32,
    /// The table and the furnace that it has taken along in this action.
    taken_along: Vec<Item>,
    /// Where its ways may lead.
    within: Region,
    /// Whether it is on its way to a table or furnace, whose work may be that of a pickaxe.
    approaching: bool,
    /// The aim that the last journey in vain came nearest to; `None` if there was no way on at all.
    attractor: Option<BlockPos>,
    /// Whether it digs for air: all else is of less worth.
    gasps: bool,
    /// Whether it stopped digging under water for want of breath.
    breathless: bool,
    /// The number of steps from the last place with air, for a head under water.
    submerged: u32,
    /// The ticks out of water of the work at the end of the journey, for its breath.
    work: u32,
}

impl<B: Body> Executor<'_, B> {
    fn cell(&mut self, pos: BlockPos) -> Cell {
        self.body.land().cell(pos)
    }

    fn eyes(&mut self) -> [f64; 3] {
        super::player::eyes(self.body.feet())
    }

    fn head_in_water(&mut self) -> bool {
        let head = self.body.feet().up();
        self.cell(head).space == Space::Water
    }
}

/// Executes a primitive and returns what happened, as a sentence.
///
/// # Errors
/// The reason for the failure.
pub async fn perform(
    body: &mut impl Body,
    state: &mut PrimitiveState,
    limits: &Limits,
    primitive: Primitive,
) -> Result<String, Failure> {
    body.begin();
    state.begin(body.tick());
    let mut executor = Executor {
        body,
        state,
        limits,
        walls: Vec::new(),
        walled: 0,
        taken_along: Vec::new(),
        within: Region::ANYWHERE,
        approaching: false,
        attractor: None,
        gasps: false,
        breathless: false,
        submerged: 0,
        work: 0,
    };
    // Sand may have fallen, and water risen, since the last action.
    let _ = executor.unbury().await;
    if executor.body.vitals().air < SHORT_OF_BREATH {
        executor.breathe_if_needed().await;
    }
    let result = match primitive {
        Primitive::Mine(resource) => executor.mine(resource).await,
        Primitive::Craft(item) => executor.craft(item).await,
        Primitive::SmeltIron => executor.smelt_iron().await,
        Primitive::Equip(item) => executor.equip(item).await,
        Primitive::ExploreGeneral => executor.explore_general().await,
        Primitive::ExploreDown => executor.explore_down().await,
        Primitive::Place(item) => executor.place(item).await,
    };
    // The player may think for long before its next action.
    if !result.as_ref().is_err_and(|failure| failure.code.ends_action()) {
        executor.breathe_if_needed().await;
    }
    executor.body.set_activity(PlayerActivity::TidyingUp);
    executor.body.tidy().await;
    match executor.body.death() {
        Some(death) => Err(Failure::died(&death)),
        None => result.map(|said| with_taken_along(said, &executor.taken_along)),
    }
}

/// What happened, with what was taken along on the way.
fn with_taken_along(said: String, items: &[Item]) -> String {
    let taken: Vec<_> = items.iter().map(|item| item.name()).collect();
    if taken.is_empty() { said } else { format!("{said} Taken along: {}.", taken.join(", ")) }
}
