//! [`ClientWorld`]: a player on a server as a [`World`].

use std::any::Any;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use ltlcrit_minecraft::activity::PlayerActivity;
use ltlcrit_minecraft::body::Body;
use ltlcrit_minecraft::effects::{self, Setting};
use ltlcrit_minecraft::failure::{Code, Failure};
use ltlcrit_minecraft::items::{Item, Tag};
use ltlcrit_minecraft::observation::HEALS;
use ltlcrit_minecraft::observe::observe;
use ltlcrit_minecraft::options::Limits;
use ltlcrit_minecraft::primitives::{self, Primitive, Resource};
use ltlcrit_minecraft::sight::RANGE;
use ltlcrit_minecraft::vocabulary::glossary;
use ltlcrit_minecraft::{MinecraftObservation, PrimitiveState, abstraction, milestones, subgoals_to, vocabulary};
use ltlcrit_verifier::{ActionId, Vocabulary};
use ltlcrit_worlds::world::{LiveWorld, Observation, Outcome, Subgoal, Term, World, WorldError, WorldInfo};
use ltlcrit_worlds::{Details, Interrupt, Outlook, Progress, Recorder, Watcher, async_trait};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::engine::Engine;
use super::erased::erased;
use super::error::{CLIENT_PROTOCOL, JoinError};
use super::link::Link;
use super::options::ClientOptions;
use super::player::Player;
use super::probe::Status;
use super::session::Session;

/// The number of lost connections in one action after which the world counts as gone.
const MAX_LOSSES: u32 = 4;
/// The time limit until a player can act again after a death or a new connection, in ticks.
const REVIVAL: u64 = 1200;
/// The time limit for the land in sight to arrive, in ticks.
const LAND_PATIENCE: u64 = 1200;
/// The time without a new chunk after which the player continues without the missing land, in ticks.
const LAND_PAUSE: u64 = 200;
/// The time limit once some land has failed to arrive, in ticks.
const LAND_PATIENCE_AFTER_GAP: u64 = 5;
/// The time without a new chunk after which the player joins again if its own chunk is missing, in ticks: a body cannot
/// move without it.
const OWN_CHUNK_PATIENCE: u64 = 400;

/// The part of the land in sight that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LoadedLand {
    /// The chunk of the player is missing.
    Missing,
    /// The chunk of the player has arrived; others in range are missing.
    Partial,
    /// All chunks in range have arrived.
    Complete,
}

/// The real time that a cancelled run waits until its player can be observed again.
const PATIENCE_AFTER_INTERRUPT: Duration = Duration::from_secs(1);

/// The hunger of a player that may still eat something, in half drumsticks.
const FULL: u32 = 20;

const LOST: &str = "the connection is lost again and again";

/// A player on a server as a world of LTLCrit: the paper's observations and actions in the real game.
///
/// After a lost connection or a panic of the engine, the player joins again and continues the action from its current
/// state. A player that dies respawns.
pub struct ClientWorld {
    player: Player,
    session: Session,
    primitive_state: PrimitiveState,
    vocabulary: Arc<Vocabulary>,
    options: ClientOptions,
    limits: Limits,
    /// The request to end the run.
    interrupt: Interrupt,
    /// The number of times that the player has joined again.
    reconnects: u64,
    /// The time limit for missing land, in ticks.
    land_patience: u64,
    /// The number of deaths when the player last joined.
    lives: u64,
    /// The inventory at the start of an action that an earlier process left unfinished. The next action continues it.
    cut_off: Option<BTreeMap<String, i64>>,
    /// The server, if this process runs it. The last field, so that the server outlives the player.
    hosted: Option<Hosted>,
}

/// A server that this process runs.
struct Hosted {
    seed: u64,
    options: Value,
    _server: Box<dyn Any>,
}

impl ClientWorld {
    /// Joins a server, with an engine of its own.
    ///
    /// # Errors
    /// The server cannot be joined, or the engine cannot start.
    pub async fn join(options: ClientOptions, interrupt: Interrupt) -> Result<Self, JoinError> {
        let engine = Engine::start(options.speed).map_err(|error| JoinError::Client(error.to_string()))?;
        Self::join_with(Arc::new(engine), options, interrupt).await
    }

    /// Joins a server with an engine that may have other players there. They share the loaded land.
    ///
    /// # Errors
    /// The server cannot be joined.
    pub async fn join_with(
        engine: Arc<Engine>,
        options: ClientOptions,
        interrupt: Interrupt,
    ) -> Result<Self, JoinError> {
        let session = tokio::select! {
            joined = erased(Session::join(engine, options.clone())) => joined?,
            () = interrupt.wait() => return Err(JoinError::Cancelled),
        };
        let player = Player::new(session.link(), interrupt.clone());
        player.hold(player.equipped);
        let limits = Limits { sight: options.sight, ..options.limits };
        let primitive_state = PrimitiveState::new(options.seed);
        let vocabulary = vocabulary();
        Ok(Self {
            player,
            session,
            primitive_state,
            vocabulary,
            options,
            limits,
            interrupt,
            reconnects: 0,
            land_patience: LAND_PATIENCE,
            lives: 0,
            cut_off: None,
            hosted: None,
        })
    }

    /// Keeps the server of the world, which this process runs, until the player has left. The port differs every time, so
    /// the server's seed and options identify the world.
    #[must_use]
    pub fn hosted_by(mut self, server: impl Any, seed: u64, options: Value) -> Self {
        self.hosted = Some(Hosted { seed, options, _server: Box::new(server) });
        self
    }

    /// The server's status when the player joined.
    pub fn status(&self) -> &Status {
        &self.session.status
    }

    /// The engine that runs the player.
    pub fn engine(&self) -> &Arc<Engine> {
        self.session.engine()
    }

    /// The number of deaths of the player.
    pub fn deaths(&self) -> u64 {
        self.player.link.state(|state| state.deaths)
    }

    /// The number of times that the player has joined again after a lost connection.
    pub fn reconnects(&self) -> u64 {
        self.reconnects
    }

    /// Returns whether the connection is lost now. The next observation or action joins again.
    pub fn is_lost(&self) -> bool {
        self.player.link.lost().is_some()
    }

    /// As [`Self::revive`], but with a short wait if the run is cancelled.
    async fn ensure(&mut self) -> Result<(), WorldError> {
        let interrupt = self.interrupt.clone();
        let cancelled = async {
            interrupt.wait().await;
            tokio::time::sleep(PATIENCE_AFTER_INTERRUPT).await;
        };
        tokio::select! {
            biased;
            ready = self.revive() => ready,
            () = cancelled => Err(WorldError::Gone("cancelled while waiting for the server".to_owned())),
        }
    }

    /// Makes the player able to act: connected, alive, and with the land around it.
    async fn revive(&mut self) -> Result<(), WorldError> {
        for _ in 0..=MAX_LOSSES {
            if self.player.link.lost().is_some() {
                self.rejoin().await?;
            }
            if !self.player.link.state(|state| state.can_act()) {
                self.player.activity.set(PlayerActivity::AwaitingServer);
            }
            match self.player.link.until(REVIVAL, |link| link.state(|state| state.can_act().then_some(()))).await {
                Ok(Some(())) => {}
                Err(_) => continue,
                Ok(None) => {
                    return Err(WorldError::Gone("the server does not let the player back into the world".to_owned()));
                }
            }
            let was_complete = self.land_patience == LAND_PATIENCE;
            match self.await_land_in_sight().await {
                // Some servers assume that a client keeps the land when its player dies; azalea does not.
                Some(LoadedLand::Partial) if was_complete && self.deaths() > self.lives => {
                    tracing::info!("the server does not send all land again after a death, joining again");
                    self.leave().await;
                }
                Some(LoadedLand::Partial | LoadedLand::Complete) => {
                    self.player.activity.clear();
                    return Ok(());
                }
                Some(LoadedLand::Missing) => {
                    tracing::info!("the server does not send the land the player stands in, joining again");
                    self.leave().await;
                }
                None => {}
            }
        }
        let why = if self.player.link.lost().is_some() {
            LOST
        } else {
            "the server does not send the land around the player"
        };
        Err(WorldError::Gone(why.to_owned()))
    }

    /// Waits for the land in sight and returns the part of it that has arrived; `None` if the connection is lost.
    async fn await_land_in_sight(&mut self) -> Option<LoadedLand> {
        let player = &mut self.player;
        // A player that has died loses its controls, and may respawn in deep water.
        player.link.tread_water();
        let mut progress = player.link.core().subscribe();
        let began = progress.read().ticks;
        let mut least = (usize::MAX, began);
        loop {
            if player.link.lost().is_some() {
                return None;
            }
            let (now, feet) = (progress.read().ticks, player.feet());
            let missing = player.land().missing_around(feet, RANGE).len();
            if missing < least.0 {
                least = (missing, now);
            }
            let stands = player.land().missing_around(feet, 0.0).is_empty();
            let late = match stands {
                true => now >= began + self.land_patience || now >= least.1 + LAND_PAUSE,
                false => now >= least.1 + OWN_CHUNK_PATIENCE,
            };
            if missing == 0 || late {
                self.land_patience = if missing == 0 { LAND_PATIENCE } else { LAND_PATIENCE_AFTER_GAP };
                return Some(match (missing, stands) {
                    (0, _) => LoadedLand::Complete,
                    (_, true) => LoadedLand::Partial,
                    (_, false) => LoadedLand::Missing,
                });
            }
            player.activity.set(PlayerActivity::AwaitingServer);
            progress.changed().await?;
        }
    }

    /// Leaves the server, to join it again.
    async fn leave(&mut self) {
        self.session.leave_and_come_back();
        let gone = |link: &Link| link.lost().map(|_| ());
        let _ = self.player.link.until(REVIVAL, gone).await;
    }

    /// Joins again after a lost connection.
    async fn rejoin(&mut self) -> Result<(), WorldError> {
        let why = self.player.link.lost().unwrap_or_default();
        if !self.session.comes_back {
            tracing::warn!(%why, "the connection was lost, joining again");
        }
        let interrupt = self.interrupt.clone();
        let activity = self.player.activity.clone();
        self.session
            .rejoin(
                async || interrupt.wait().await,
                |attempt, of| activity.set(PlayerActivity::Reconnecting { attempt, of }),
            )
            .await
            .map_err(|error| WorldError::Gone(format!("{why}; joining again failed: {error}")))?;
        self.player.relink(self.session.link());
        self.reconnects += 1;
        self.land_patience = LAND_PATIENCE;
        self.lives = self.deaths();
        self.player.hold(self.player.equipped);
        tracing::info!("joined again");
        Ok(())
    }

    /// Performs a primitive, and repeats it if the connection is lost during it.
    async fn perform(&mut self, primitive: Primitive) -> Result<Outcome, WorldError> {
        self.ensure().await?;
        self.player.sweep().await;
        let cut_off = self.cut_off.take();
        let goes_on = cut_off.is_some();
        self.player.carried = Some(cut_off.unwrap_or_else(|| self.player.named_kinds()));
        if let Err(failure) = self.player.save_progress() {
            return Ok(outcome(Err(failure)));
        }
        self.player.deadline = self.player.now() + patience(primitive);
        // The way down takes long, and nothing to eat is found there.
        let enough = if primitive == Primitive::ExploreDown { FULL } else { HEALS };
        if let Err(failure) = self.player.eat_if_hungry(enough).await
            && failure.code.ends_action()
            && failure.code != Code::Disconnected
        {
            return Ok(outcome(Err(failure)));
        }
        if goes_on && let Some(done) = self.is_done(primitive).await {
            return Ok(outcome(Ok(done)));
        }
        for loss in 0.. {
            let result =
                primitives::perform(&mut self.player, &mut self.primitive_state, &self.limits, primitive).await;
            let lost = matches!(&result, Err(failure) if failure.code == Code::Disconnected);
            if !lost || loss == MAX_LOSSES {
                return Ok(outcome(result));
            }
            self.ensure().await?;
            if let Some(done) = self.is_done(primitive).await {
                return Ok(outcome(Ok(done)));
            }
        }
        Err(WorldError::Gone(LOST.to_owned()))
    }

    /// The message of an action that succeeded although a lost connection or the end of a process interrupted it;
    /// `None` if it has not succeeded.
    async fn is_done(&mut self, primitive: Primitive) -> Option<String> {
        if primitive == Primitive::SmeltIron {
            self.player.finish_smelting().await;
        }
        let player = &mut self.player;
        match primitive {
            Primitive::Mine(resource) => {
                (player.gain(drops_of(resource)) > 0).then(|| format!("Mined 1 {}.", resource.label()))
            }
            Primitive::Craft(item) => {
                let made = if Tag::Planks.contains(item) { Tag::Planks.items() } else { &[item] };
                (player.gain(made) > 0).then(|| format!("Crafted {}.", item.name()))
            }
            Primitive::SmeltIron => (player.gain(&[Item::IronIngot]) > 0).then(|| "Smelted 1 iron_ingot.".to_owned()),
            Primitive::Place(item) => (player.gain(&[item]) < 0).then(|| format!("Placed the {}.", item.name())),
            Primitive::Equip(item) => {
                let held = player.view().hand().is_some_and(|stack| stack.item == item);
                held.then(|| format!("Equipped {}.", item.name()))
            }
            Primitive::ExploreGeneral | Primitive::ExploreDown => None,
        }
    }
}

/// The outcome of a primitive, without its ticks.
fn outcome(result: Result<String, Failure>) -> Outcome {
    match result {
        Ok(message) => Outcome::new(None, message, 0),
        Err(failure) => Outcome::new(Some(failure.code.into()), failure.message, 0),
    }
}

/// The items that a resource drops.
fn drops_of(resource: Resource) -> &'static [Item] {
    match resource {
        Resource::Log => Tag::Logs.items(),
        Resource::Stone => Tag::StoneMaterials.items(),
        Resource::Iron => Tag::IronOres.items(),
        Resource::Coal => &[Item::Coal],
        Resource::Diamond => &[Item::Diamond],
    }
}

/// The time limit of an action, in ticks.
fn patience(primitive: Primitive) -> u64 {
    match primitive {
        Primitive::Mine(_) => 4800,
        Primitive::Craft(_) | Primitive::SmeltIron => 3600,
        Primitive::Place(_) => 1200,
        Primitive::Equip(_) => 200,
        Primitive::ExploreGeneral => 12_000,
        Primitive::ExploreDown => 48_000,
    }
}

#[async_trait(?Send)]
impl World for ClientWorld {
    fn info(&self) -> WorldInfo {
        let (seed, options) = match &self.hosted {
            Some(hosted) => (Some(hosted.seed), hosted.options.clone()),
            None => (
                None,
                serde_json::json!({
                    "address": self.options.address,
                    "player": self.session.name(),
                    "server": self.session.status.version,
                    "brand": self.session.brand(),
                    "protocol": CLIENT_PROTOCOL,
                    "sight": self.limits.sight,
                }),
            ),
        };
        WorldInfo { kind: "server".to_owned(), seed, options, deterministic: false }
    }

    fn vocabulary(&self) -> Arc<Vocabulary> {
        self.vocabulary.clone()
    }

    fn task(&self) -> &str {
        "Mine a diamond."
    }

    fn glossary(&self) -> Vec<Term> {
        glossary(self.limits.sight)
    }

    async fn observe(&mut self) -> Result<Observation, WorldError> {
        erased(self.ensure()).await?;
        let full = observe(&mut self.player, &mut self.primitive_state.memory, self.limits.sight);
        Ok(Observation { holds: abstraction::propositions(&full), details: Details::new(full) })
    }

    fn outlook<'a>(&'a self, observation: &'a Observation) -> Box<dyn Outlook + 'a> {
        effects::outlook(observation, Setting::Server)
    }

    async fn execute(&mut self, action: ActionId) -> Result<Outcome, WorldError> {
        if usize::from(action.0) >= self.vocabulary.actions().len() {
            return Err(WorldError::UnknownAction(action.0));
        }
        let Some(primitive) = Primitive::named(self.vocabulary.action_name(action)) else {
            return Ok(Outcome::new(None, "The run ends here.".to_owned(), 0));
        };
        let before = self.player.now();
        let died = self.player.death_cause();
        let deaths = self.player.deaths;
        let mut outcome = erased(self.perform(primitive)).await?;
        if let Some(cause) = died {
            outcome.message = format!("Before this action you {cause} and respawned. {}", outcome.message);
        }
        self.player.count_deaths();
        self.player.carried = None;
        // The action is over, so a failed write can no longer fail it.
        let _ = self.player.save_progress();
        Ok(Outcome { ticks: self.player.now() - before, deaths: self.player.deaths - deaths, ..outcome })
    }

    fn goal_reached(&self, observation: &Observation) -> bool {
        milestones().last().is_some_and(|diamond| diamond.holds.is_subset(&observation.holds))
    }

    fn subgoals(&self) -> &[Subgoal] {
        milestones()
    }

    fn subgoals_to(&self, goal: &str) -> Result<Vec<Subgoal>, Vec<String>> {
        subgoals_to(goal)
    }

    fn live(&mut self) -> Option<&mut dyn LiveWorld> {
        Some(self)
    }
}

impl LiveWorld for ClientWorld {
    fn record_progress(&mut self, recorder: Recorder) {
        self.player.recorder = Some(recorder);
    }

    fn restore_progress(&mut self, progress: Progress) -> Result<(), WorldError> {
        self.cut_off = restored(progress.action)?;
        self.player.smelting = restored(progress.left_behind)?;
        Ok(())
    }

    fn recall(&mut self, observation: &Observation) {
        if let Some(full) = observation.details.get::<MinecraftObservation>() {
            self.primitive_state.memory.recall(&full);
        }
    }

    fn trace(&self) -> Vec<String> {
        self.primitive_state.trace()
    }

    fn watcher(&self) -> Option<Watcher> {
        Some(self.player.activity.watcher(&self.player.link))
    }

    fn respawns(&self) -> bool {
        true
    }
}

/// Parses a part of an action's stored progress.
fn restored<T: DeserializeOwned>(part: Option<Value>) -> Result<Option<T>, WorldError> {
    part.map(serde_json::from_value).transpose().map_err(|error| WorldError::Progress(error.to_string()))
}
