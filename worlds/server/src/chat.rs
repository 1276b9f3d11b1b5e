//! Chat messages and commands.

use std::time::Instant;

use super::entities::Entities;
use super::packets;

/// Counts a line against a player's quota. The error is the reason to disconnect it.
fn spend(entities: &mut Entities, id: i32, now: Instant) -> Result<(), &'static str> {
    let exceeded = entities.players.get_mut(&id).is_some_and(|player| !player.chat_quota.spend(now));
    if exceeded { Err("You talk too much.") } else { Ok(()) }
}

/// Sends a player's line to everybody.
pub(super) fn say(entities: &mut Entities, id: i32, line: &str, now: Instant) -> Result<(), &'static str> {
    spend(entities, id, now)?;
    // Players cannot type control characters or the colour sign, so these are removed.
    let line: String = line.chars().filter(|sign| !sign.is_control() && *sign != '§').collect();
    let line = line.trim();
    if let Some(player) = entities.players.get(&id).filter(|_| !line.is_empty()) {
        entities.send_all(packets::notice(format!("<{}> {line}", player.name)));
    }
    Ok(())
}

/// Answers a command: the server has no commands.
pub(super) fn command(entities: &mut Entities, id: i32, command: &str, now: Instant) -> Result<(), &'static str> {
    spend(entities, id, now)?;
    let name: String = command.chars().take_while(|sign| sign.is_alphanumeric()).take(32).collect();
    entities.send(id, packets::notice(format!("There is no command /{name} here.")));
    Ok(())
}
