//! The link between a player's actions and the engine that runs the player.

use std::sync::Arc;
use std::time::Duration;

use azalea::core::position::Vec3;
use azalea::ecs::component::Component;
use azalea::ecs::entity::Entity;
use azalea::ecs::event::EntityEvent;
use azalea::ecs::world::World as Ecs;
use azalea::entity::{LookDirection, Physics, Position};
use azalea::interact::BlockStatePredictionHandler;
use azalea::local_player::WorldHolder;
use azalea::movement::LastSentLookDirection;
use azalea::packet::game::SendGamePacketEvent;
use azalea::protocol::common::movements::MoveFlags;
use azalea::protocol::packets::Packet;
use azalea::protocol::packets::game::s_interact::InteractionHand;
use azalea::protocol::packets::game::{ServerboundGamePacket, ServerboundMovePlayerRot, ServerboundSwing};
use ltlcrit_minecraft::failure::{Code, Failure};

use super::clock::TICK;
use super::engine_core::{EngineCore, Progress};
use super::error::EngineStopped;
use super::stance::{EYE_HEIGHT, Stance, direction};
use super::state::{SharedState, Stage, State, Time};

/// A player in the engine, and its state.
#[derive(Clone)]
pub(super) struct Link {
    core: Arc<EngineCore>,
    /// The player in the ECS.
    pub entity: Entity,
    state: SharedState,
}

/// An event that ends all activities of the body. Every plugin that moves bodies handles it.
#[derive(EntityEvent)]
pub(super) struct ReleaseControls {
    /// The player.
    pub entity: Entity,
}

/// A body that rises while it is in water, until its controls are released. A joining body has this component, so that
/// it does not sink before its first action.
#[derive(Component, Debug, Default)]
pub(super) struct TreadsWater;

/// The connection is lost, for this reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ConnectionLost(pub String);

/// The server's ticks between two time packets.
const BETWEEN_TIMES: u64 = 20;
/// The factor by which a slow server may exceed a time limit, in our ticks.
const SLOWEST: u64 = 5;
/// The minimum limit for a slow server, in our ticks. A server without progress for this long counts as gone.
const FROZEN: u64 = 600;

/// Our clock and the server's at one moment, both in ticks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clocks {
    ours: u64,
    /// The server's time; `None` until the server has sent it.
    theirs: Option<Time>,
}

impl Clocks {
    /// Returns whether this many ticks have passed by both clocks. A server under load thus gets the time that it
    /// needs.
    pub(crate) fn have_passed(then: Self, now: Self, ticks: u64) -> bool {
        let passed = now.ours.saturating_sub(then.ours);
        let in_time = match (then.theirs, now.theirs) {
            // A server that has sent its time more than once will send it again.
            (Some(then), Some(now)) if now.told > 1 => now.age.saturating_sub(then.age) + BETWEEN_TIMES > ticks,
            _ => true,
        };
        passed > ticks && (in_time || passed > ticks.saturating_mul(SLOWEST).max(FROZEN))
    }
}

/// A time limit for the server: a number of ticks by both clocks, and at least their duration at the game's speed. So a
/// fast clock of ours does not make a busy server late.
pub(super) struct WaitLimit {
    from: Clocks,
    ticks: u64,
    least: Duration,
    began: Duration,
}

impl WaitLimit {
    /// A limit that begins now, at these clocks.
    pub fn new(core: &EngineCore, from: Clocks, ticks: u64) -> Self {
        let least = TICK.saturating_mul(u32::try_from(ticks).unwrap_or(u32::MAX));
        Self { from, ticks, least, began: core.now() }
    }

    /// Returns whether the limit has passed.
    pub(crate) fn is_over(&self, core: &EngineCore, now: Clocks) -> bool {
        Clocks::have_passed(self.from, now, self.ticks) && core.now().saturating_sub(self.began) >= self.least
    }
}

impl Link {
    pub fn new(core: Arc<EngineCore>, entity: Entity, state: SharedState) -> Self {
        Self { core, entity, state }
    }

    pub fn core(&self) -> &Arc<EngineCore> {
        &self.core
    }

    /// Reads or changes the player's state. The engine waits during the call.
    pub fn state<R>(&self, look: impl FnOnce(&mut State) -> R) -> R {
        look(&mut self.state.lock())
    }

    /// Runs a function on the ECS, between two updates.
    pub(crate) fn ecs<R>(&self, act: impl FnOnce(&mut Ecs, Entity) -> R) -> Result<R, EngineStopped> {
        self.core.with(|ecs| act(ecs, self.entity))
    }

    /// Sends a packet.
    pub fn send(&self, packet: impl Packet<ServerboundGamePacket>) {
        let packet = packet.into_variant();
        // If the connection is lost, the wait for the packet's effect reports it.
        let _ = self.ecs(|ecs, entity| ecs.trigger(SendGamePacketEvent::new(entity, packet)));
    }

    /// The engine's updates and ticks.
    pub fn progress(&self) -> Progress {
        self.core.progress()
    }

    /// Both clocks, with ours at this tick.
    pub fn clocks(&self, ours: u64) -> Clocks {
        Clocks { ours, theirs: self.state(|state| state.time) }
    }

    /// The position and motion of the body; `None` without a body.
    pub(crate) fn stance(&self) -> Option<Stance> {
        let stance =
            |ecs: &mut Ecs, entity| Some(Stance::of(ecs.get::<Position>(entity)?, ecs.get::<Physics>(entity)?));
        // The ECS may be locked by an update, so it is read only if the state has no value.
        self.state(|state| state.stance).or_else(|| self.ecs(stance).ok().flatten())
    }

    /// Starts an activity of the body that lasts until its controls are released.
    pub(crate) fn set_to_work(&self, give: impl FnOnce(&mut Ecs, Entity)) -> Result<(), ConnectionLost> {
        self.state(|state| state.busy = true);
        self.ecs(give).map_err(|gone| ConnectionLost(gone.to_string()))
    }

    /// Starts the activity of a component, until its controls are released.
    pub(crate) fn start(&self, activity: impl Component) -> Result<(), ConnectionLost> {
        self.set_to_work(|ecs, entity| {
            if let Ok(mut player) = ecs.get_entity_mut(entity) {
                player.insert(activity);
            }
        })
    }

    /// azalea's world of the player.
    pub fn holder(&self) -> Option<WorldHolder> {
        self.ecs(|ecs, entity| ecs.get::<WorldHolder>(entity).cloned()).ok().flatten()
    }

    /// The number of the next request about a block.
    pub(crate) fn next_request(&self) -> u32 {
        let next = |ecs: &mut Ecs, entity| {
            ecs.get_mut::<BlockStatePredictionHandler>(entity).map_or(0, |mut handler| handler.start_predicting())
        };
        self.ecs(next).unwrap_or(0)
    }

    /// Turns to a point, and sends the direction to the server at once.
    pub fn look_at(&self, point: Vec3) {
        let look = |ecs: &mut Ecs, entity| {
            let (Some(position), Some(physics)) = (ecs.get::<Position>(entity), ecs.get::<Physics>(entity)) else {
                return;
            };
            let eyes = Vec3::new(position.x, position.y + EYE_HEIGHT, position.z);
            let flags =
                MoveFlags { on_ground: physics.on_ground(), horizontal_collision: physics.horizontal_collision };
            let target = direction(eyes, point);
            let Some(mut direction) = ecs.get_mut::<LookDirection>(entity) else { return };
            let before = *direction;
            direction.update(target);
            let now = *direction;
            if now == before {
                return;
            }
            if let Some(mut sent) = ecs.get_mut::<LastSentLookDirection>(entity) {
                (sent.y_rot, sent.x_rot) = (now.y_rot(), now.x_rot());
            }
            ecs.trigger(SendGamePacketEvent::new(entity, ServerboundMovePlayerRot { look_direction: now, flags }));
        };
        let _ = self.ecs(look);
    }

    /// Swings the arm, as the game's client does with every use.
    pub fn swing(&self) {
        self.send(ServerboundSwing { hand: InteractionHand::MainHand });
    }

    /// The reason that the connection is lost, if it is.
    pub fn lost(&self) -> Option<String> {
        if self.core.stopped() {
            return Some(self.core.stop_reason().to_string());
        }
        self.state(|state| match &state.stage {
            Stage::Lost(reason) => Some(reason.to_string()),
            _ => None,
        })
    }

    /// Returns `Ok` while the connection is not lost.
    ///
    /// # Errors
    /// The connection is lost.
    pub fn connected(&self) -> Result<(), ConnectionLost> {
        self.lost().map_or(Ok(()), |why| Err(ConnectionLost(why)))
    }

    /// Waits until `check` returns a value about a subject, as long as the subject may go on; `None` after this
    /// [limit](WaitLimit). The check is called after every update; updates are frequent if the wait is `hurried`.
    ///
    /// # Errors
    /// The subject may not go on, or the engine has stopped.
    pub async fn wait<S, T, E: From<ConnectionLost>>(
        &self,
        ticks: u64,
        hurried: bool,
        subject: &mut S,
        mut check: impl FnMut(&mut S) -> Option<T>,
        may_go_on: impl Fn(&S) -> Result<(), E>,
    ) -> Result<Option<T>, E> {
        let mut progress = self.core.subscribe();
        let limit = WaitLimit::new(&self.core, self.clocks(progress.read().ticks), ticks);
        let mut updates = None;
        loop {
            if let Some(found) = check(subject) {
                return Ok(Some(found));
            }
            // This follows the first check, because an update under way would delay the next reader of the ECS.
            if hurried {
                updates.get_or_insert_with(|| self.core.update_often());
            }
            may_go_on(subject)?;
            if limit.is_over(&self.core, self.clocks(progress.read().ticks)) {
                return Ok(None);
            }
            if progress.changed().await.is_none() {
                return Err(ConnectionLost(self.core.stop_reason().to_string()).into());
            }
        }
    }

    /// Waits until `check` returns a value; `None` after this [limit](WaitLimit).
    pub async fn until<T>(
        &self,
        ticks: u64,
        mut check: impl FnMut(&Self) -> Option<T>,
    ) -> Result<Option<T>, ConnectionLost> {
        self.wait(ticks, true, &mut self.clone(), |link| check(link), Self::connected).await
    }

    /// As [`Self::until`], for an answer that the server sends at once.
    pub async fn answer<T>(
        &self,
        ticks: u64,
        check: impl FnMut(&Self) -> Option<T>,
    ) -> Result<Option<T>, ConnectionLost> {
        let _updates = self.core.update_fastest();
        self.until(ticks, check).await
    }

    /// Keeps the body from sinking, until its controls are released.
    pub(crate) fn tread_water(&self) {
        let _ = self.start(TreadsWater);
    }

    /// Ends all activities of the body.
    pub(crate) fn release_controls(&self) {
        if !self.state(|state| std::mem::take(&mut state.busy)) {
            return;
        }
        let _ = self.ecs(|ecs, entity| {
            ecs.trigger(ReleaseControls { entity });
            ecs.flush();
        });
    }
}

impl From<ConnectionLost> for Failure {
    fn from(ConnectionLost(why): ConnectionLost) -> Self {
        Self::new(Code::Disconnected, format!("The connection was lost: {why}."))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use azalea::entity::dimensions::EntityDimensions;
    use azalea::entity::inventory::Inventory;
    use ltlcrit_worlds::Interrupt;

    use super::*;
    use crate::engine::Engine;
    use crate::player::Player;

    fn at(ours: u64, theirs: Option<(u64, u64)>) -> Clocks {
        Clocks { ours, theirs: theirs.map(|(age, told)| Time { age, told }) }
    }

    /// During an update, the position and the held slot can be read, and requests that change nothing return at once.
    #[tokio::test]
    async fn looks_while_the_engine_is_at_work() {
        let engine = Engine::start(1.0).unwrap();
        let core = engine.core().unwrap();
        let state = SharedState::default();
        let shared = state.clone();
        let position = Vec3::new(1.5, 64.0, -2.5);
        let body = |ecs: &mut Ecs| {
            let dimensions = EntityDimensions::new(0.6, 1.8);
            let physics = Physics::new(&dimensions, position);
            ecs.spawn((shared, Position::new(position), physics, Inventory::default())).id()
        };
        let entity = core.with(body).unwrap();
        let link = Link::new(core.clone(), entity, state);
        link.until(100, |link| link.state(|state| state.stance.zip(state.held)).map(|_| ())).await.unwrap().unwrap();
        let (told, looks) = mpsc::channel();
        let player = Player::new(link.clone(), Interrupt::new());
        let look = move || {
            player.link.release_controls();
            player.hold(0);
            told.send((player.link.stance().map(|stance| stance.position), player.holds())).unwrap();
        };
        let seen = core.with(|_| {
            std::thread::spawn(look);
            looks.recv_timeout(Duration::from_secs(20))
        });
        assert_eq!(seen.unwrap(), Ok((Some(position), 0)));
    }

    #[test]
    fn waits_by_the_slower_clock() {
        let passed = |then, now| Clocks::have_passed(then, now, 100);
        assert!(!passed(at(0, None), at(100, None)) && passed(at(0, None), at(101, None)));
        // A server in time, up to the ticks between two time packets.
        let began = at(0, Some((5000, 7)));
        assert!(!passed(began, at(100, Some((5100, 12)))) && passed(began, at(101, Some((5100, 12)))));
        // A server at a third of the speed.
        assert!(!passed(began, at(180, Some((5060, 10)))) && passed(began, at(300, Some((5100, 12)))));
        // A server that has sent its time only once may not send it again.
        assert!(passed(at(0, Some((5000, 1))), at(101, Some((5000, 1)))));
        // A server that has stopped.
        assert!(!passed(began, at(FROZEN, Some((5000, 7)))) && passed(began, at(FROZEN + 1, Some((5000, 7)))));
    }
}
