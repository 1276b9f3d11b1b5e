//! Digs a block tick by tick, and waits for the server to confirm that it is broken.

use azalea::app::{App, Plugin};
use azalea::block::BlockTrait;
use azalea::block::fluid_state::FluidKind;
use azalea::core::direction::Direction;
use azalea::core::position::BlockPos as AzaleaPos;
use azalea::core::tick::GameTick;
use azalea::ecs::prelude::*;
use azalea::entity::inventory::Inventory;
use azalea::entity::mining::get_mine_progress;
use azalea::entity::{ActiveEffects, Attributes, FluidOnEyes, Jumping, Physics, Position};
use azalea::interact::{BlockStatePredictionHandler, SwingArmEvent};
use azalea::local_player::WorldHolder;
use azalea::packet::game::SendGamePacketEvent;
use azalea::physics::PhysicsSystems;
use azalea::protocol::packets::game::ServerboundPlayerAction;
use azalea::protocol::packets::game::s_player_action::Action;
use ltlcrit_minecraft::body::Tool;
use ltlcrit_minecraft::failure::{Code, Failure};
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::land::Cell;
use ltlcrit_minecraft::observation::BlockPos;

use super::link::{Clocks, ReleaseControls};
use super::player::{Player, cell};
use super::reach;
use super::stance::Stance;
use super::walk::WATER_DRIFT;
use super::windows::ANSWER;

/// The time limit for a body to stand still before it digs, in ticks.
const STEADY: u64 = 30;
/// The time between the server's acknowledgement and the block's change, in ticks by both clocks. The digging time is
/// added to it: a slow server considers the digging too fast and breaks the block only after its own digging time.
const GRACE: u64 = 40;
/// The factor on the digging speed with the head under water.
const UNDER_WATER: f32 = 0.2;
/// The maximum digging time of any block, in ticks.
const MAX_TICKS: u64 = 6000;

/// Adds the systems that dig.
pub(super) struct DigPlugin;

impl Plugin for DigPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            GameTick,
            (swim, strike).chain().before(PhysicsSystems).after(azalea::entity::update_fluid_on_eyes),
        )
        .add_observer(release_controls);
    }
}

/// A block being dug.
#[derive(Component, Debug)]
pub(super) struct Dig {
    pos: AzaleaPos,
    face: Direction,
    /// The fraction of the block that is dug, up to 1.
    progress: f32,
    begun: bool,
    /// The height at which a swimming body keeps its feet while digging; `None` for a standing body.
    height: Option<f64>,
    /// The number of the request that ends the digging, once it is sent.
    pub done: Option<u32>,
}

impl Dig {
    /// Digs at a block's face. A swimming body keeps its feet at `height`.
    fn new(pos: AzaleaPos, face: Direction, height: Option<f64>) -> Self {
        Self { pos, face, progress: 0.0, begun: false, height, done: None }
    }

    /// The packet that aborts the digging; `None` if it has not begun or is done.
    fn abort(&self) -> Option<ServerboundPlayerAction> {
        let (pos, direction, action) = (self.pos, self.face, Action::AbortDestroyBlock);
        (self.begun && self.done.is_none()).then_some(ServerboundPlayerAction { action, pos, direction, seq: 0 })
    }
}

/// Ends the digging, and sends the server an abort if it was under way.
fn release_controls(event: On<ReleaseControls>, digs: Query<&Dig>, mut commands: Commands) {
    if let Some(abort) = digs.get(event.entity).ok().and_then(Dig::abort) {
        commands.trigger(SendGamePacketEvent::new(event.entity, abort));
    }
    commands.entity(event.entity).try_remove::<Dig>();
}

/// Keeps a body that digs in water from sinking.
fn swim(mut players: Query<(&Dig, &Position, &Physics, &mut Jumping)>) {
    for (dig, position, physics, mut jumping) in &mut players {
        let sinks = dig.height.is_some_and(|height| position.y + WATER_DRIFT * physics.velocity.y < height);
        let jump = physics.is_in_water() && sinks;
        if **jumping != jump {
            **jumping = jump;
        }
    }
}

#[allow(clippy::type_complexity)]
fn strike(
    mut players: Query<(
        Entity,
        &mut Dig,
        &WorldHolder,
        &Inventory,
        &FluidOnEyes,
        &Physics,
        &Attributes,
        &ActiveEffects,
        &mut BlockStatePredictionHandler,
    )>,
    mut commands: Commands,
) {
    for (player, mut dig, world, inventory, fluid, physics, attributes, effects, mut requests) in &mut players {
        if dig.done.is_some() {
            continue;
        }
        let state = world.shared.read().get_block_state(dig.pos).unwrap_or_default();
        let block = Box::<dyn BlockTrait>::from(state);
        let mut blow = get_mine_progress(block.as_ref(), inventory.held_item(), fluid, physics, attributes, effects);
        if **fluid == FluidKind::Water {
            // azalea does not apply this factor.
            blow *= UNDER_WATER;
        }
        let mut act = |action, seq| {
            let (pos, direction) = (dig.pos, dig.face);
            commands.trigger(SendGamePacketEvent::new(player, ServerboundPlayerAction { action, pos, direction, seq }));
            seq
        };
        if !dig.begun {
            let request = act(Action::StartDestroyBlock, requests.start_predicting());
            dig.begun = true;
            if blow >= 1.0 {
                // The block breaks instantly, which the server computes by itself.
                dig.done = Some(request);
            }
        }
        dig.progress += blow;
        if dig.progress >= 1.0 && dig.done.is_none() {
            let (pos, direction, seq) = (dig.pos, dig.face, requests.start_predicting());
            let action = Action::StopDestroyBlock;
            commands.trigger(SendGamePacketEvent::new(player, ServerboundPlayerAction { action, pos, direction, seq }));
            dig.done = Some(seq);
        }
        commands.trigger(SwingArmEvent { entity: player });
    }
}

impl Player {
    /// Breaks a block, waits for the server's confirmation, and returns the drop for the tool.
    pub async fn break_block(&mut self, pos: BlockPos, tool: Tool) -> Result<Option<Item>, Failure> {
        let before = cell(self, pos);
        if before.digging.is_none() {
            return Ok(None);
        }
        if !reach::within(self.stance()?.eyes(), pos) {
            return Err(Failure::new(Code::NoWay, format!("What is at {pos} is out of reach.")));
        }
        let held = self.hold_tool(tool).await?;
        let wears = self.next_use(self.holds());
        // Digging takes five times as long for a body that does not stand on the ground, so it first sinks to any
        // floor.
        let over_floor = |player: &mut Self, stance: &Stance| {
            let feet = super::walk::feet(&stance.position, stance.on_ground);
            (cell(player, feet.down()).is_floor(), cell(player, feet).is_fluid())
        };
        let steady = |player: &mut Self| {
            let stance = player.link.stance()?;
            let (floor, wet) = over_floor(player, &stance);
            (stance.on_ground || wet && !floor).then_some(())
        };
        self.wait_for_body(STEADY, steady).await?;
        let stance = self.stance()?;
        let afloat = !over_floor(self, &stance).0;
        let eyes = stance.eyes();
        let (face, point) = reach::side(eyes, pos, |beside| cell(self, beside));
        self.link.look_at(point);
        let dig = Dig::new(reach::pos(pos), face, afloat.then_some(stance.position.y));
        self.link.start(dig)?;
        // The cell is read before the progress. In the other order the engine could finish the digging in between, and
        // the changed cell would look as if something else had changed it.
        let struck = |player: &mut Self| {
            let changed = cell(player, pos) != before;
            let done = player.link.ecs(|ecs, entity| ecs.get::<Dig>(entity).and_then(|dig| dig.done));
            done.ok().flatten().map(Some).or(changed.then_some(None))
        };
        let began = self.now();
        let request = self.wait_for_body(MAX_TICKS, struck).await?;
        let grace = GRACE + self.now() - began;
        let Some(Some(request)) = request else {
            self.link.release_controls();
            return match request {
                // The block was changed by another cause before it was dug.
                Some(_) => Ok(None),
                None => Err(Failure::new(Code::NoWay, "It takes too long to dig.")),
            };
        };
        let mut acknowledged = None;
        let word = |player: &mut Self| {
            let now = cell(player, pos);
            if now != before {
                return Some(Ok(now));
            }
            let clocks = player.link.clocks(player.now());
            if acknowledged.is_none() && player.link.state(|state| state.acknowledged) >= request {
                acknowledged = Some(clocks);
            }
            acknowledged.filter(|then| Clocks::have_passed(*then, clocks, grace)).map(|_| Err(()))
        };
        let word = self.wait_for(ANSWER + 2 * grace, word).await?;
        if let (Some(Ok(_)), Some(wears)) = (&word, wears) {
            self.note_use(wears);
        }
        tracing::debug!(?pos, ?tool, ?held, ?word, ?wears, block=?before.block, "dug");
        self.link.release_controls();
        let name = before.block.map_or("The block", |block| block.name());
        match word {
            Some(Ok(now)) if now.is_firm() && !now.falls => Ok(None),
            Some(Ok(_)) => Ok(drop_of(before, held)),
            Some(Err(())) | None => {
                Err(Failure::new(Code::Refused, format!("{name} at {pos} could not be broken: the server kept it.")))
            }
        }
    }
}

/// The drop of a cell for a tool, if our table has the block.
fn drop_of(cell: Cell, tool: Option<Item>) -> Option<Item> {
    cell.block?.drop_for(tool)
}
