//! Joins a server, and joins it again after a lost connection.
//!
//! The number of attempts is limited ([`Reconnect`]); only a connection that lasts resets it. So the attempts end when
//! a server's packets make the engine panic repeatedly.
//!
//! A server disconnects the first of two clients with one name. So a client does not join a server that lists its name,
//! and a client that was disconnected for its name does not return.
//!
//! [`Reconnect`]: super::options::Reconnect

use std::sync::Arc;
use std::time::Duration;

use azalea::account::Account as AzaleaAccount;
use azalea::disconnect::DisconnectEvent;
use azalea::ecs::entity::Entity;
use azalea::ecs::world::World as Ecs;
use azalea::entity::indexing::EntityUuidIndex;
use azalea::protocol::packets::ClientIntention;

use super::address;
use super::connection;
use super::engine::Engine;
use super::engine_core::EngineCore;
use super::error::JoinError;
use super::events::{Mirrored, ViewDistance};
use super::link::Link;
use super::options::ClientOptions;
use super::probe::{self, Status};
use super::state::{DisconnectReason, SharedState, Stage};
use super::wire::Wire;

/// The factor by which a server that still sends packets may exceed the time limit for a silent one.
const MAX_PATIENCE: u32 = 10;

/// The maximum number of player lists with the player's own name before the client gives up, and the time between two
/// lists.
const MAX_LISTED: u32 = 4;
const BETWEEN_LISTS: Duration = Duration::from_millis(500);

/// The time without packets after which a connection counts as lost, in units of the time limit for joining.
const SILENCE: u32 = 2;

/// A player's connection to a server.
pub(super) struct Session {
    core: Arc<EngineCore>,
    options: ClientOptions,
    account: AzaleaAccount,
    entity: Entity,
    state: SharedState,
    /// The server's status.
    pub status: Status,
    /// The engine's time when the connection was made.
    joined: Duration,
    /// The number of attempts to join again since a connection has lasted.
    spent: u32,
    /// True if the player has left by itself, to join again.
    pub comes_back: bool,
    /// The last field, so that it is dropped after its users.
    engine: Arc<Engine>,
}

impl Session {
    /// Joins a server: checks its status, logs in, and waits until the player can act.
    pub async fn join(engine: Arc<Engine>, options: ClientOptions) -> Result<Self, JoinError> {
        let core = running(&engine)?;
        let status = probed(&core, &options).await?;
        let account = options.account.open().await?;
        let status = unlisted(&core, &options, account.username(), status).await?;
        let state = SharedState::default();
        let entity = enter(&core, &state, &account, &options)?;
        let (joined, spent) = (core.now(), 0);
        let mut session =
            Self { core, options, account, entity, state, status, joined, spent, comes_back: false, engine };
        session.connect().await?;
        Ok(session)
    }

    /// The engine that runs the player.
    pub fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    /// The link for the player's actions.
    pub fn link(&self) -> Link {
        Link::new(self.core.clone(), self.entity, self.state.clone())
    }

    /// The server's brand.
    pub(crate) fn brand(&self) -> Option<String> {
        self.state.lock().brand.clone()
    }

    /// The player's name.
    pub fn name(&self) -> &str {
        self.account.username()
    }

    /// Ensures that the player is in a running engine.
    fn enter(&mut self) -> Result<(), JoinError> {
        let core = running(&self.engine)?;
        if !Arc::ptr_eq(&core, &self.core) {
            self.entity = enter(&core, &self.state, &self.account, &self.options)?;
            self.core = core;
        }
        Ok(())
    }

    /// Connects and waits until the player can act.
    async fn connect(&mut self) -> Result<(), JoinError> {
        self.enter()?;
        let address = &self.options.address;
        let hold = self.core.hold_clock();
        let resolved = address::resolve(address, self.options.patience).await?;
        let dialled = tokio::time::timeout(self.options.patience, probe::dial(&resolved)).await;
        let stream = dialled.unwrap_or_else(|_| Err(probe::late(address, self.options.patience, "connecting")))?;
        let silence = self.options.patience * SILENCE;
        let wire = Wire::start(stream, self.account.clone(), silence);
        let wire = wire.map_err(|error| JoinError::Client(error.to_string()))?;
        let intention = probe::handshake(&resolved, ClientIntention::Login);
        self.state.lock().begin();
        self.core.with(|ecs: &mut Ecs| connection::open(ecs, self.entity, &self.account, wire, intention))?;
        drop(hold);
        self.core.wake();
        let link = self.link();
        let (patience, core) = (self.options.patience, self.core.clone());
        let began = core.now();
        let mut heard = (0, began);
        let in_game = link.until(u64::MAX / 2, |link| {
            let (done, packets) = link.state(|state| (state.can_act() || state.conduct, state.packets));
            if packets != heard.0 {
                heard = (packets, core.now());
            }
            // A server that still sends packets is working.
            let late = core.now() - heard.1 > patience || core.now() - began > patience * MAX_PATIENCE;
            (done || late).then_some(done)
        });
        let joined = in_game.await;
        if let Ok(None | Some(false)) = joined {
            let doing = match self.state.lock().stage {
                Stage::Connecting => "connecting",
                Stage::Joining => "logging in",
                _ => "being placed in the world",
            };
            self.leave();
            return Err(probe::late(address, (self.core.now() - heard.1).max(patience), doing));
        }
        if self.state.lock().conduct {
            self.leave();
            let reason = "it asks for its code of conduct to be accepted, which takes a person".to_owned();
            return Err(JoinError::Refused { address: address.clone(), reason });
        }
        joined.map_err(|lost| self.refusal(lost.0))?;
        self.joined = self.core.now();
        Ok(())
    }

    /// The error for a server that did not admit the player.
    fn refusal(&self, why: String) -> JoinError {
        if self.core.stopped() {
            return self.core.stop_reason().into();
        }
        let address = self.options.address.clone();
        let state = self.state.lock();
        if state.asked_for_proof && self.options.account.is_offline() {
            return JoinError::OnlineMode { address };
        }
        match &state.stage {
            Stage::Lost(DisconnectReason::Kicked(reason)) => JoinError::Refused { address, reason: reason.clone() },
            Stage::Lost(DisconnectReason::Misbehaved(what)) => JoinError::Misbehaved { address, what: what.clone() },
            Stage::Lost(DisconnectReason::NotAuthenticated(reason)) => {
                JoinError::Refused { address, reason: format!("the account could not be authenticated: {reason}") }
            }
            Stage::Lost(DisconnectReason::Closed) => {
                JoinError::Refused { address, reason: "it closed the connection without a word".to_owned() }
            }
            _ => JoinError::Client(why),
        }
    }

    /// Joins again after a lost connection, with pauses that grow while no connection lasts. `stop` ends the attempts
    /// early; `on_attempt` receives the number of each attempt and the maximum.
    pub(crate) async fn rejoin(
        &mut self,
        stop: impl AsyncFn(),
        on_attempt: impl Fn(u32, u32),
    ) -> Result<(), JoinError> {
        let reconnect = self.options.reconnect;
        let ended = self.core.ended().or(self.state.lock().ended).unwrap_or_else(|| self.core.now());
        if ended.saturating_sub(self.joined) >= reconnect.lasting() {
            self.spent = 0;
        }
        if self.is_thrown_out() {
            return Err(JoinError::NameTaken { name: self.name().to_owned() });
        }
        // A first attempt after the player has left by itself does not count: the connection was not lost.
        let uncounted = std::mem::take(&mut self.comes_back).then_some((0, reconnect.first));
        let counted = reconnect.pauses().skip(self.spent as usize).map(|pause| (1, pause));
        let of = reconnect.attempts;
        let mut last = JoinError::Unsteady { attempts: of };
        for (cost, pause) in uncounted.into_iter().chain(counted) {
            self.spent += cost;
            let attempt = self.spent;
            on_attempt(attempt, of);
            tracing::info!(attempt, of, pause_ms = pause.as_millis() as u64, "joining again after a pause");
            tokio::select! {
                () = self.core.sleep(pause) => {}
                () = stop() => return Err(JoinError::Cancelled),
            }
            let joining = async {
                probed(&self.core, &self.options).await?;
                self.connect().await
            };
            match joining.await {
                Ok(()) => return Ok(()),
                // A starting server may refuse for a moment; a server of another version keeps refusing.
                Err(error @ (JoinError::Version { .. } | JoinError::Account { .. })) => return Err(error),
                Err(error) => {
                    tracing::info!(attempt, of, %error, "could not join again");
                    last = error;
                }
            }
        }
        Err(last)
    }

    /// Returns whether the connection ended because another client logged in under the same name.
    fn is_thrown_out(&self) -> bool {
        matches!(&self.state.lock().stage, Stage::Lost(reason) if reason.is_second_login())
    }

    /// Leaves the server, to join it again.
    pub fn leave_and_come_back(&mut self) {
        self.comes_back = true;
        self.leave();
    }

    /// Leaves the server.
    fn leave(&self) {
        let entity = self.entity;
        let _ = self.core.with(|ecs: &mut Ecs| ecs.write_message(DisconnectEvent { entity, reason: None }));
        self.core.wake();
    }
}

/// An engine's core. A stopped engine is restarted.
fn running(engine: &Engine) -> Result<Arc<EngineCore>, JoinError> {
    engine.core().map_err(|error| JoinError::Client(error.to_string()))
}

/// The status of a server that this client can join.
async fn probed(core: &Arc<EngineCore>, options: &ClientOptions) -> Result<Status, JoinError> {
    let _hold = core.hold_clock();
    let status = probe::status(&options.address, options.patience).await?;
    status.check(&options.address)?;
    Ok(status)
}

/// The status of a server that does not list a player of this name. A player whose connection has just broken may still
/// be listed, so the server is asked several times.
async fn unlisted(
    core: &Arc<EngineCore>,
    options: &ClientOptions,
    name: &str,
    mut status: Status,
) -> Result<Status, JoinError> {
    for _ in 0..MAX_LISTED {
        if !status.names.iter().any(|listed| listed == name) {
            return Ok(status);
        }
        core.sleep(BETWEEN_LISTS).await;
        status = probed(core, options).await?;
    }
    Err(JoinError::NameTaken { name: name.to_owned() })
}

/// The view distance to request, in chunks.
fn view_distance(options: &ClientOptions) -> u8 {
    options.view_distance.clamp(2, 32)
}

/// Adds a player to an engine, without a connection.
fn enter(
    core: &EngineCore,
    state: &SharedState,
    account: &AzaleaAccount,
    options: &ClientOptions,
) -> Result<Entity, JoinError> {
    let (uuid, shared) = (account.uuid(), state.clone());
    let view = ViewDistance(view_distance(options));
    let entity = core.with(|ecs: &mut Ecs| {
        let known = ecs.resource::<EntityUuidIndex>().get(&uuid);
        let entity = known.unwrap_or_else(|| {
            let entity = ecs.spawn_empty().id();
            ecs.resource_mut::<EntityUuidIndex>().insert(uuid, entity);
            entity
        });
        if let Ok(mut player) = ecs.get_entity_mut(entity) {
            player.insert((shared, view, Mirrored::default()));
        }
        entity
    })?;
    Ok(entity)
}

impl Drop for Session {
    fn drop(&mut self) {
        self.leave();
    }
}
