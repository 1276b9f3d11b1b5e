//! The game loop: runs ticks, events and commands one after another on one task, and saves the world.

use std::path::Path;
use std::time::{Duration, Instant};

use tokio::task::JoinHandle;
use tokio::time::MissedTickBehavior;

use super::dispatch::dispatch;
use super::events::{Event, Inbox, Stop};
use super::saving::{self, SaveError, SaveFile};
use super::state::GameState;
use super::{digging, drops, eating, health, movement, packets, session, visibility, windows};

/// Ticks between two packets with the time.
const TIME_INTERVAL: u64 = 20;

/// Runs a game until it receives a stop, or until all senders are gone.
///
/// # Errors
/// The world could not be saved at the end.
pub(super) async fn run(mut game: GameState, mut inbox: Inbox, file: Option<SaveFile>) -> Result<(), SaveError> {
    let mut clock = tokio::time::interval(Duration::from_secs(1) / game.options.ticks_per_second.max(1));
    clock.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let mut save_clock = tokio::time::interval(game.options.save_every);
    save_clock.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut writing: Option<JoinHandle<()>> = None;
    let stop = loop {
        tokio::select! {
            biased;
            stop = &mut inbox.stop => break stop.unwrap_or(Stop::Cleanly),
            _ = clock.tick(), if !game.options.is_stepped() => tick(&mut game, Instant::now()),
            _ = save_clock.tick(), if file.is_some() => {
                if writing.as_ref().is_none_or(JoinHandle::is_finished) {
                    writing = file.as_ref().and_then(|file| save_in_background(&mut game, file.path()));
                }
            }
            Some(command) = inbox.commands.recv() => {
                game.now = time(&game);
                command(&mut game);
                game.blocks.publish_changes(&mut game.entities);
            }
            Some(event) = inbox.events.recv() => {
                let now = time(&game);
                handle(&mut game, event, now);
            }
        }
    };
    if stop != Stop::Cleanly {
        return Ok(());
    }
    let everyone: Vec<i32> = game.entities.players.keys().copied().collect();
    for player in everyone {
        session::kick(&mut game, player, "The server stops.");
    }
    if let Some(writing) = writing {
        let _ = writing.await;
    }
    let Some(file) = file else { return Ok(()) };
    let failed = |source| SaveError::File { path: file.path().to_owned(), done: "written", source };
    SaveFile::write(file.path(), &saving::snapshot(&mut game).map_err(failed)?)
}

/// Writes the current world while the game continues.
fn save_in_background(game: &mut GameState, path: &Path) -> Option<JoinHandle<()>> {
    let bytes = match saving::snapshot(game) {
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

/// Handles an event.
pub(super) fn handle(game: &mut GameState, event: Event, now: Instant) {
    game.now = now;
    match event {
        Event::Join(joining) => session::join(game, joining),
        Event::Packet(player, packet, _permit) => dispatch(game, player, *packet),
        Event::Leave(player, None) => session::leave(game, player),
        Event::Leave(player, Some(reason)) => session::kick(game, player, &reason),
    }
    game.blocks.publish_changes(&mut game.entities);
}

/// The current time: the wall clock's, or that of the last tick in a stepped game.
fn time(game: &GameState) -> Instant {
    if game.options.is_stepped() { game.now } else { Instant::now() }
}

/// Runs one requested tick.
#[cfg(feature = "test-support")]
pub(super) fn step(game: &mut GameState) {
    tick(game, game.now + Duration::from_secs(1) / game.options.ticks_per_second.max(1));
}

/// Runs one tick.
pub(super) fn tick(game: &mut GameState, now: Instant) {
    game.now = now;
    let rate = game.tick_rate();
    let GameState { blocks, entities, .. } = game;
    blocks.ground.one_tick();
    blocks.publish_changes(entities);
    for player in entities.players.values_mut() {
        movement::one_tick(blocks, player, now);
    }
    health::one_tick(entities, blocks);
    eating::one_tick(entities, blocks);
    digging::one_tick(entities, blocks, (now, rate));
    drops::one_tick(entities, blocks);
    for player in entities.players.values_mut() {
        player.view.update(blocks, player.body.feet, player.distance, &player.outbox);
    }
    visibility::one_tick(entities);
    windows::one_tick(entities, blocks);
    if blocks.ground.tick.is_multiple_of(TIME_INTERVAL) {
        entities.send_all(packets::time(blocks.ground.tick));
    }
    disconnect_silent(game);
}

/// Disconnects clients that are gone, do not answer, or read too slowly.
fn disconnect_silent(game: &mut GameState) {
    let (now, timeout) = (game.now, game.options.patience);
    let mut silent = Vec::new();
    for player in game.entities.players.values_mut() {
        if !player.outbox.is_open() || !player.keep_alive.check(now, timeout, &player.outbox) {
            silent.push(player.id);
        }
    }
    for player in silent {
        session::kick(game, player, "Timed out");
    }
}
