//! Everything of the game on a server: the ground, the players, and what they may do. One task owns it; whatever happens
//! to it comes as an [`Event`] or a tick.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use azalea_chat::FormattedText;
use azalea_core::difficulty::Difficulty;
use azalea_core::position::Vec3;
use azalea_entity::LookDirection;
use azalea_protocol::packets::Packet;
use azalea_protocol::packets::game::c_animate::AnimationAction;
use azalea_protocol::packets::game::c_game_event::EventType;
use azalea_protocol::packets::game::s_interact::InteractionHand;
use azalea_protocol::packets::game::*;
use rustc_hash::FxHashSet;
use tokio::sync::{OwnedSemaphorePermit, mpsc, oneshot, watch};
use tokio::task::JoinHandle;
use tokio::time::MissedTickBehavior;
use uuid::Uuid;

use super::absence::{Absent, Absentees};
use super::drops::Drop;
use super::movement::{self, Movement, Step};
use super::names::{fluid_state, furnace_state, state, wire};
use super::options::ServerOptions;
use super::outbox::{self, Outbox};
use super::packets;
use super::player::{Player, Pulse};
use super::saving::{SaveError, SaveFile};
use super::status::Roster;
use super::talking::Voice;
use super::view::View;
use super::windows::furnace::Furnace;
use super::windows::{self, Answer, Furnaces, Screen};
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::grid::Grid;
use ltlcrit_minecraft::ground::Ground;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::spawn;
use ltlcrit_minecraft::terrain::Terrain;

/// How many ticks pass between two tellings of the time.
const TIME_APART: u64 = 20;

/// What happens to the realm from outside.
pub(super) enum Event {
    /// A client has logged in.
    Join(Joining),
    /// A client says something. The permit bounds how much of one client's talk waits.
    Packet(i32, Box<ServerboundGamePacket>, OwnedSemaphorePermit),
    /// A client is gone, or must go for this reason.
    Leave(i32, Option<String>),
}

/// Where a realm hears from.
pub(super) struct Inbox {
    pub(super) events: mpsc::Receiver<Event>,
    pub(super) wishes: mpsc::UnboundedReceiver<Wish>,
    pub(super) stop: oneshot::Receiver<Stop>,
}

/// How a realm is to come to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// With a word to everybody, and saved.
    Cleanly,
    /// At once, as if the power had failed.
    Abruptly,
}

/// Something whoever runs the server wants done.
pub(super) type Wish = Box<dyn FnOnce(&mut Realm) + Send>;

/// A client that has logged in.
pub(super) struct Joining {
    pub(super) name: String,
    pub(super) uuid: Uuid,
    /// How far the client wants to see, in chunks.
    pub(super) distance: u32,
    pub(super) outbox: Outbox,
    /// The player's number, once it is in; dropped if it is not let in.
    pub(super) joined: oneshot::Sender<i32>,
}

/// The game.
pub(super) struct Realm {
    pub(super) options: Arc<ServerOptions>,
    pub(super) ground: Ground,
    pub(super) spawn: BlockPos,
    pub(super) players: BTreeMap<i32, Player>,
    pub(super) furnaces: Furnaces,
    /// What lies about, by number.
    pub(super) drops: BTreeMap<i32, Drop>,
    /// What players had who are not in.
    pub(super) absent: Absentees,
    /// Blocks that may not be as the terrain made them.
    pub(super) changed: FxHashSet<BlockPos>,
    /// The last number given to something that moves.
    last_number: i32,
    /// A number no other realm has had.
    pub(super) born: u64,
    roster: watch::Sender<Roster>,
    /// When the event or tick at hand began.
    pub(super) now: Instant,
}

impl Realm {
    /// The realm of a seed, with nobody in it.
    pub(super) fn new(options: Arc<ServerOptions>, roster: watch::Sender<Roster>) -> Self {
        let mut grid = Grid::new(Terrain::new(options.terrain, options.seed));
        let spawn = spawn::choose(&mut grid);
        let mut ground = Ground::new(grid);
        ground.watch();
        Self {
            options,
            ground,
            spawn,
            players: BTreeMap::new(),
            furnaces: Furnaces::default(),
            drops: BTreeMap::new(),
            absent: Absentees::default(),
            changed: FxHashSet::default(),
            last_number: 0,
            born: SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as u64),
            roster,
            now: Instant::now(),
        }
    }

    /// Runs until it is told to stop, or nobody is left who could.
    ///
    /// # Errors
    /// The world could not be saved at the end.
    pub(super) async fn run(mut self, mut inbox: Inbox, file: Option<SaveFile>) -> Result<(), SaveError> {
        let tick = Duration::from_secs(1) / self.options.ticks_per_second.max(1);
        let mut clock = tokio::time::interval(tick);
        clock.set_missed_tick_behavior(MissedTickBehavior::Skip);
        let mut save_clock = tokio::time::interval(self.options.save_every);
        save_clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut writing: Option<JoinHandle<()>> = None;
        let stop = loop {
            tokio::select! {
                biased;
                stop = &mut inbox.stop => break stop.unwrap_or(Stop::Cleanly),
                _ = clock.tick(), if !self.options.stepped => self.tick(Instant::now()),
                _ = save_clock.tick(), if file.is_some() => {
                    if writing.as_ref().is_none_or(JoinHandle::is_finished) {
                        writing = file.as_ref().and_then(|file| self.save_meanwhile(file.path()));
                    }
                }
                Some(wish) = inbox.wishes.recv() => self.fulfil(wish, self.time()),
                Some(event) = inbox.events.recv() => self.handle(event, self.time()),
            }
        };
        if stop == Stop::Abruptly {
            return Ok(());
        }
        let everyone: Vec<i32> = self.players.keys().copied().collect();
        for player in everyone {
            self.kick(player, "The server stops.");
        }
        if let Some(writing) = writing {
            let _ = writing.await;
        }
        match file {
            None => Ok(()),
            Some(file) => {
                let failed = |source| SaveError::File { path: file.path().to_owned(), done: "written", source };
                let bytes = self.snapshot().map_err(failed)?;
                SaveFile::write(file.path(), &bytes)
            }
        }
    }

    /// Saves the world as it is now while the game goes on.
    fn save_meanwhile(&mut self, path: &Path) -> Option<JoinHandle<()>> {
        let bytes = match self.snapshot() {
            Ok(bytes) => bytes,
            Err(error) => {
                tracing::error!("the world cannot be saved: {error}");
                return None;
            }
        };
        let path = path.to_owned();
        Some(tokio::task::spawn_blocking(move || {
            if let Err(error) = SaveFile::write(&path, &bytes) {
                tracing::error!("{error}");
            }
        }))
    }

    pub(super) fn handle(&mut self, event: Event, now: Instant) {
        self.now = now;
        match event {
            Event::Join(joining) => self.join(joining),
            Event::Packet(player, packet, _permit) => self.hear(player, *packet),
            Event::Leave(player, None) => self.leave(player),
            Event::Leave(player, Some(reason)) => self.kick(player, &reason),
        }
        self.show_changes();
    }

    /// Does what whoever runs the server wants.
    fn fulfil(&mut self, wish: Wish, now: Instant) {
        self.now = now;
        wish(self);
        self.show_changes();
    }

    /// The time now: the wall clock's, or that of the last tick where ticks are called for.
    fn time(&self) -> Instant {
        if self.options.stepped { self.now } else { Instant::now() }
    }

    /// One tick that was called for, as long after the last one as ticks take.
    pub(super) fn step(&mut self) {
        self.tick(self.now + Duration::from_secs(1) / self.options.ticks_per_second.max(1));
    }

    /// How many ticks should pass in a second.
    pub(super) fn tick_rate(&self) -> f64 {
        f64::from(self.options.ticks_per_second.max(1))
    }

    /// The player of this name.
    pub(super) fn named(&mut self, name: &str) -> Option<&mut Player> {
        self.players.values_mut().find(|player| player.name == name)
    }

    /// One tick.
    pub(super) fn tick(&mut self, now: Instant) {
        self.now = now;
        self.ground.one_tick();
        self.show_changes();
        for player in self.players.values_mut() {
            movement::rest(&mut self.ground.grid, player, now);
        }
        self.live();
        self.go_on_digging();
        self.move_drops();
        for player in self.players.values_mut() {
            player.view.update(&mut self.ground, player.body.feet, player.distance, &player.outbox);
        }
        self.show_movers();
        self.show_windows();
        if self.ground.tick.is_multiple_of(TIME_APART) {
            self.tell_all(packets::time(self.ground.tick));
        }
        self.part_with_the_silent();
    }

    /// Lets go of clients that are gone, do not answer, or do not keep up.
    fn part_with_the_silent(&mut self) {
        let (now, patience) = (self.now, self.options.patience);
        let mut silent = Vec::new();
        for player in self.players.values_mut() {
            if !player.outbox.is_open() || !player.pulse.check(now, patience, &player.outbox) {
                silent.push(player.id);
            }
        }
        for player in silent {
            self.kick(player, "Timed out");
        }
    }

    /// Sends a packet to everybody.
    pub(super) fn tell_all(&self, packet: impl Packet<ClientboundGamePacket>) {
        if let Some(frame) = outbox::encoded(packet) {
            for player in self.players.values() {
                player.outbox.send_frame(&frame);
            }
        }
    }

    /// Tells of the blocks that have changed to whom they are shown.
    pub(super) fn show_changes(&mut self) {
        let mut changed = self.ground.take_changed();
        if changed.is_empty() {
            return;
        }
        changed.sort_unstable();
        changed.dedup();
        for pos in changed {
            self.changed.insert(pos);
            self.empty_furnace(pos);
            self.show_block(pos);
        }
    }

    /// Tells everybody of a block to whom it is shown.
    pub(super) fn show_block(&mut self, pos: BlockPos) {
        let Some(frame) = outbox::encoded(self.block_update(pos)) else { return };
        for player in self.players.values().filter(|player| player.view.shows(pos)) {
            player.outbox.send_frame(&frame);
        }
    }

    /// What a block is now.
    pub(super) fn block_update(&mut self, pos: BlockPos) -> ClientboundBlockUpdate {
        let block_state = match self.ground.block(pos) {
            block if block.is_fluid() => fluid_state(block, self.ground.level(pos)),
            Block::Furnace => furnace_state(self.furnaces.get(pos).is_some_and(Furnace::is_lit)),
            block => state(block),
        };
        ClientboundBlockUpdate { pos: wire(pos), block_state }
    }

    pub(super) fn next_number(&mut self) -> i32 {
        self.last_number += 1;
        self.last_number
    }

    /// Where players begin: in the middle of the spawn's block.
    pub(super) fn beginning(&self) -> Vec3 {
        let BlockPos { x, y, z } = self.spawn;
        Vec3 { x: f64::from(x) + 0.5, y: f64::from(y), z: f64::from(z) + 0.5 }
    }

    fn join(&mut self, joining: Joining) {
        let Joining { name, uuid, distance, outbox, joined } = joining;
        let same = self.players.values().find(|player| player.name == name).map(|player| player.id);
        if let Some(same) = same {
            self.kick(same, "You logged in from another place.");
        } else if self.players.len() >= self.options.max_players {
            outbox.send(ClientboundDisconnect { reason: "The server is full.".into() });
            return;
        }
        let id = self.next_number();
        if joined.send(id).is_err() {
            return;
        }
        let before = self.absent.take(&name).unwrap_or_else(|| Absent::new(self.beginning(), self.spawn));
        let at = before.at;
        let mut player = Player {
            id,
            name,
            uuid,
            outbox,
            distance: distance.min(self.options.view_distance).max(2),
            view: View::default(),
            body: before.body,
            at,
            look: before.look,
            movement: Movement::new(self.now, self.options.ticks_per_second),
            pulse: Pulse::new(self.now),
            screen: Screen::new(before.inventory),
            dig: None,
            crouches: false,
            runs: false,
            voice: Voice::new(self.now),
            told_health: None,
            looks: None,
            sees: FxHashSet::default(),
        };
        player.tell(packets::login(id, player.distance, &self.options));
        player.tell(ClientboundChangeDifficulty { difficulty: Difficulty::Peaceful, locked: true });
        player.tell(packets::abilities());
        player.tell(ClientboundSetHeldSlot { slot: player.screen.inventory().held() as u32 });
        let others = self.players.values().map(|other| (other.name.as_str(), other.uuid));
        player.tell(packets::listed(others.chain([(player.name.as_str(), uuid)])));
        player.tell(packets::default_spawn(self.spawn));
        player.tell(packets::time(self.ground.tick));
        player.tell(ClientboundGameEvent { event: EventType::WaitForLevelChunks, param: 0.0 });
        movement::teleport(&mut player, at, self.now);
        player.view.update(&mut self.ground, player.body.feet, player.distance, &player.outbox);
        player.told_health = Some(player.body.health);
        player.tell(packets::health(&player.body));
        for packet in player.screen.tell_all(&self.furnaces).into_iter().flat_map(windows::packets) {
            player.tell(packet);
        }
        self.tell_all(packets::listed([(player.name.as_str(), uuid)].into_iter()));
        self.tell_all(packets::notice(format!("{} joined the game", player.name)));
        tracing::info!("{} joined", player.name);
        self.players.insert(id, player);
        self.note_roster();
    }

    fn note_roster(&self) {
        let players = self.players.values().map(|player| (player.name.clone(), player.uuid)).collect();
        self.roster.send_replace(Roster { players });
    }

    /// Sends a player away.
    pub(super) fn kick(&mut self, player: i32, reason: &str) {
        if let Some(player) = self.players.get(&player) {
            player.tell(ClientboundDisconnect { reason: FormattedText::from(reason) });
        }
        self.leave(player);
    }

    fn leave(&mut self, id: i32) {
        let Some(player) = self.players.get_mut(&id) else { return };
        let thrown = player.screen.put_away();
        self.throw(id, thrown);
        let Some(player) = self.players.remove(&id) else { return };
        if player.is_alive() {
            self.absent.remember(player.name.clone(), Absent::of(&player, self.ground.tick));
        }
        self.tell_all(ClientboundPlayerInfoRemove { profile_ids: vec![player.uuid] });
        self.tell_all(packets::notice(format!("{} left the game", player.name)));
        tracing::info!("{} left", player.name);
        self.note_roster();
    }

    /// What a client says.
    fn hear(&mut self, player: i32, packet: ServerboundGamePacket) {
        use ServerboundGamePacket as Said;
        let Some(speaker) = self.players.get_mut(&player) else { return };
        match packet {
            Said::KeepAlive(ServerboundKeepAlive { id }) => speaker.pulse.answer(id),
            Said::PingRequest(ServerboundPingRequest { time }) => speaker.tell(ClientboundPongResponse { time }),
            Said::AcceptTeleportation(ServerboundAcceptTeleportation { id }) => speaker.movement.confirm(id),
            Said::MovePlayerPos(said) => self.moves(player, Some(said.pos), None),
            Said::MovePlayerPosRot(said) => self.moves(player, Some(said.pos), Some(said.look_direction)),
            Said::MovePlayerRot(said) => self.moves(player, None, Some(said.look_direction)),
            Said::ContainerClick(said) => self.click(player, &said),
            Said::ContainerClose(ServerboundContainerClose { container_id }) => self.close_window(player, container_id),
            Said::SetCarriedItem(ServerboundSetCarriedItem { slot }) => self.select_slot(player, slot.into()),
            Said::UseItemOn(said) => self.use_on(player, &said),
            // Nothing here is of use in the air.
            Said::UseItem(ServerboundUseItem { seq, .. }) => speaker.tell(ClientboundBlockChangedAck { seq }),
            Said::PlayerAction(said) => self.act(player, &said),
            Said::PlayerInput(said) => (speaker.crouches, speaker.runs) = (said.shift, said.sprint),
            Said::PlayerCommand(said) => match said.action {
                s_player_command::Action::StartSprinting => speaker.runs = true,
                s_player_command::Action::StopSprinting => speaker.runs = false,
                _ => {}
            },
            Said::Swing(said) => self.swing(player, said.hand),
            Said::ClientCommand(ServerboundClientCommand { action: s_client_command::Action::PerformRespawn }) => {
                self.respawn(player);
            }
            Said::Chat(ServerboundChat { message, .. }) => self.say(player, &message),
            Said::ChatCommand(ServerboundChatCommand { command }) => self.command(player, &command),
            Said::ClientInformation(said) => {
                speaker.distance =
                    u32::from(said.client_information.view_distance).clamp(2, self.options.view_distance.max(2));
                speaker.view.reconsider();
            }
            _ => {}
        }
    }

    /// What a client does with its hands.
    fn act(&mut self, id: i32, said: &ServerboundPlayerAction) {
        use s_player_action::Action;
        let Some(player) = self.players.get_mut(&id).filter(|player| player.is_alive()) else { return };
        let all = match said.action {
            Action::StartDestroyBlock | Action::AbortDestroyBlock | Action::StopDestroyBlock => {
                return self.dig(id, said);
            }
            Action::SwapItemWithOffhand => return player.screen.inventory_mut().swap_hands(),
            Action::ReleaseUseItem => return,
            Action::DropItem => false,
            Action::DropAllItems => true,
        };
        let thrown = player.screen.inventory_mut().take_from_hand(if all { u32::MAX } else { 1 });
        self.throw(id, thrown.into_iter().collect());
    }

    /// A player swings an arm for the others to see.
    fn swing(&mut self, id: i32, hand: InteractionHand) {
        let action = match hand {
            InteractionHand::MainHand => AnimationAction::SwingMainHand,
            InteractionHand::OffHand => AnimationAction::SwingOffHand,
        };
        let Some(frame) = outbox::encoded(ClientboundAnimate { id: id.into(), action }) else { return };
        for other in self.players.values().filter(|other| other.sees.contains(&id)) {
            other.outbox.send_frame(&frame);
        }
    }

    /// Tells a client everything it carries and has open, whatever it believes.
    pub(super) fn tell_slots(&mut self, id: i32) {
        let Some(player) = self.players.get_mut(&id) else { return };
        let messages = player.screen.tell_all(&self.furnaces);
        self.answer(id, Answer { messages, ..Answer::default() });
    }

    fn moves(&mut self, player: i32, to: Option<Vec3>, look: Option<LookDirection>) {
        let Some(mover) = self.players.get_mut(&player) else { return };
        if movement::step(&mut self.ground.grid, mover, to, look, self.now) == Step::Nonsense {
            self.kick(player, "That is no place to be.");
        }
    }
}
