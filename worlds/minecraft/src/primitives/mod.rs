//! The primitives of LTLCrit A.1: mine, place, craft, smelt, equip, explore.
//!
//! Each primitive decides from a [`Land`] and acts through a [`Body`], so it is the same in the embedded world and on
//! any server. A primitive executes one abstract action and yields at most one item. A player that explores, or whose
//! path to stone or ore, or down, leaves the crafting table or the furnace behind, takes them along. Blocks dug out of
//! the way are not picked up, but may wall off water and lava in the same action. Walls may also use carried blocks;
//! mining stone replaces the stone that they used.

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
pub(crate) use mine::is_at_hand;
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

/// The half hearts that must remain after a jump down a cliff.
const KEEP_HEALTH: i32 = 12;
/// The half hearts that must remain after a jump that is the only way on.
const LEAST_HEALTH: i32 = 6;

/// An executor of one primitive with a body.
struct Executor<'a, B> {
    body: &'a mut B,
    state: &'a mut PrimitiveState,
    limits: &'a Limits,
    /// The walls built in this action.
    walls: Vec<BlockPos>,
    /// The number of carried stones used for these walls.
    walled: u32,
    /// The table and the furnace taken along in this action.
    taken_along: Vec<Item>,
    /// Sentences on what else happened besides the purpose of the action.
    remarks: Vec<String>,
    /// The region that paths must not leave.
    within: Region,
    /// The half hearts that must remain after a jump.
    keeps_health: i32,
    /// True on the way to a table or furnace, where a pickaxe may be made.
    approaching: bool,
    /// The aim that the last failed journey came nearest to; `None` if it found no path at all.
    attractor: Option<BlockPos>,
    /// True while digging towards air, which overrides every other goal.
    gasps: bool,
    /// True if it stopped digging under water for lack of breath.
    breathless: bool,
    /// The number of steps from the last place with air, for a head under water.
    submerged: u32,
    /// The duration of the work at the end of the journey, in ticks out of water, for its breath.
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

/// Executes a primitive and returns a sentence on what happened.
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
        remarks: Vec::new(),
        within: Region::ANYWHERE,
        keeps_health: KEEP_HEALTH,
        approaching: false,
        attractor: None,
        gasps: false,
        breathless: false,
        submerged: 0,
        work: 0,
    };
    // Sand may have fallen, and water may have risen, since the last action.
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
    // The player may think for a long time before its next action.
    if !result.as_ref().is_err_and(|failure| failure.code.ends_action()) {
        executor.breathe_if_needed().await;
    }
    executor.body.set_activity(PlayerActivity::TidyingUp);
    executor.body.tidy().await;
    let Executor { body, taken_along, mut remarks, .. } = executor;
    if !taken_along.is_empty() && result.is_ok() {
        let names: Vec<_> = taken_along.into_iter().map(Item::name).collect();
        remarks.insert(0, format!("Taken along: {}.", names.join(", ")));
    }
    if let Some(cause) = body.hurt_by() {
        remarks.push(format!("You were hurt ({cause}) and have {:.0} of 20 health.", body.vitals().health));
    }
    let with_remarks = |said: String| std::iter::once(said).chain(remarks).collect::<Vec<_>>().join(" ");
    match body.death() {
        Some(death) => Err(Failure::died(&death)),
        None => match result {
            Ok(said) => Ok(with_remarks(said)),
            Err(Failure { code, message }) => Err(Failure { code, message: with_remarks(message) }),
        },
    }
}
