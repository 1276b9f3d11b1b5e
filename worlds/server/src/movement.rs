//! Movement: clients report their position, and the server accepts possible moves. A client whose body moved through
//! blocks, moved too fast or stayed in the air is moved back.

use std::time::{Duration, Instant};

use azalea_core::position::Vec3;
use azalea_entity::LookDirection;

use super::blocks::Blocks;
use super::hull::{PLAYER, hull};
use super::packets;
use super::physics;
use super::player::{MovementState, Player};

/// The maximum horizontal distance between two packets, in blocks. Clients that stutter merge several steps into one.
const STRIDE: f64 = 4.0;
/// The maximum ascent between two packets, in blocks.
const LEAP: f64 = 2.0;
/// The maximum descent between two packets, in blocks.
const PLUNGE: f64 = 40.0;
/// The height of a jump, in blocks.
const JUMP: f64 = 1.3;
/// The number of packets in the air after which a body must fall: a jump reaches its height after seven.
const IN_THE_AIR: u32 = 14;
/// The accepted difference between the reported and the computed position, in blocks: horizontally and vertically.
const TOLERANCE: (f64, f64) = (0.25, 0.5);
/// The maximum valid coordinate.
const FARTHEST: f64 = 3e7;
/// The time that a body may stay in the air without a packet before it is let down, as in the game. A client that
/// pauses in the middle of a jump, because its machine is busy, is not at fault.
const HANGING: Duration = Duration::from_secs(4);
/// The message to a client that reported invalid coordinates.
const INVALID: &str = "Your client sent an invalid position.";
/// The time after which an unconfirmed teleport is sent again.
const REMIND: Duration = Duration::from_secs(1);

/// Moves a player's body and its client, and forgets its earlier movement.
pub(super) fn teleport(player: &mut Player, at: Vec3, now: Instant) {
    player.stand_at(at);
    player.movement.reset(at.y, now);
    place(player, now);
}

/// Moves the client to the position of the body.
fn place(player: &mut Player, now: Instant) {
    let number = player.movement.last_number + 1;
    player.movement.last_number = number;
    player.movement.unconfirmed = Some((number, now));
    player.send(packets::player_position(number, player.at, player.look));
}

/// Handles a client's report of its position, its look, or both. The report is ignored while a teleport is not
/// confirmed, and a client that moved impossibly is moved back.
///
/// # Errors
/// The reason to disconnect the client: its coordinates are invalid.
pub(super) fn step(
    blocks: &mut Blocks,
    player: &mut Player,
    to: Option<Vec3>,
    look: Option<LookDirection>,
    now: Instant,
) -> Result<(), &'static str> {
    if let Some(look) = look {
        if !(look.y_rot().is_finite() && look.x_rot().is_finite()) {
            return Err(INVALID);
        }
        if player.movement.unconfirmed.is_none() {
            player.look = LookDirection::new(look.y_rot() % 360.0, look.x_rot());
        }
    }
    let Some(to) = to else { return Ok(()) };
    let sane = |part: f64| part.is_finite() && part.abs() <= FARTHEST;
    if ![to.x, to.y, to.z].into_iter().all(sane) {
        return Err(INVALID);
    }
    if player.movement.unconfirmed.is_some() || !player.is_alive() {
        return Ok(());
    }
    let wanted = Vec3 { x: to.x - player.at.x, y: to.y - player.at.y, z: to.z - player.at.z };
    player.movement.refill(now);
    let sideways = wanted.x.hypot(wanted.z);
    let too_far = sideways > STRIDE.min(player.movement.allowance) || wanted.y > LEAP || wanted.y < -PLUNGE;
    if too_far || !is_free(blocks, player.at, to, wanted) {
        let Player { name, at, .. } = &*player;
        tracing::debug!(name, ?at, ?to, too_far, allowance = player.movement.allowance, "moved back");
        place(player, now);
        return Ok(());
    }
    player.movement.allowance -= sideways;
    let held = physics::is_supported(blocks, hull(to, PLAYER)) || physics::is_afloat(blocks, to);
    let before = player.at;
    player.stand_at(to);
    if held || physics::is_stuck(blocks, hull(to, PLAYER)) {
        land(blocks, player, now);
        return Ok(());
    }
    let movement = &mut player.movement;
    movement.highest = movement.highest.max(to.y);
    movement.in_the_air += 1;
    if wanted.y < -0.05 {
        movement.rested = now;
    }
    let rises = to.y > movement.footing + JUMP;
    let hovers = movement.in_the_air > IN_THE_AIR && wanted.y > -0.1;
    if rises || hovers {
        let MovementState { footing, in_the_air, .. } = *movement;
        tracing::debug!(name = player.name, ?before, ?to, rises, hovers, footing, in_the_air, "let down");
        player.stand_at(before);
        let_down(blocks, player, now);
        return Ok(());
    }
    Ok(())
}

/// Returns whether a body can get there in one move, within the tolerance.
fn is_free(blocks: &mut Blocks, from: Vec3, to: Vec3, wanted: Vec3) -> bool {
    let body = hull(from, PLAYER);
    // A buried body may leave in any direction.
    if physics::is_stuck(blocks, body) {
        return true;
    }
    let moved = physics::slide(blocks, body, wanted);
    let off = (wanted.x - moved.x).hypot(wanted.z - moved.z);
    off <= TOLERANCE.0 && (wanted.y - moved.y).abs() <= TOLERANCE.1 && !physics::is_stuck(blocks, hull(to, PLAYER))
}

/// Ends a fall: the body stands or swims.
fn land(blocks: &mut Blocks, player: &mut Player, now: Instant) {
    let fallen = player.movement.highest - player.at.y;
    player.movement.stand(player.at.y, now);
    // The small addition keeps rounding from removing a block.
    if !physics::is_afloat(blocks, player.at) && fallen > 0.0 {
        player.body.land((fallen + 1e-6).floor() as u32);
    }
}

/// Moves a body and its client down to the next block or fluid.
fn let_down(blocks: &mut Blocks, player: &mut Player, now: Instant) {
    let wanted = Vec3 { x: 0.0, y: -1.0, z: 0.0 };
    for _ in 0..super::registries::HEIGHT {
        if physics::is_afloat(blocks, player.at) {
            break;
        }
        let moved = physics::slide(blocks, hull(player.at, PLAYER), wanted);
        player.stand_at(Vec3 { y: player.at.y + moved.y, ..player.at });
        if moved.y > wanted.y {
            break;
        }
    }
    land(blocks, player, now);
    place(player, now);
}

/// Runs one tick for a player: repeats an unconfirmed teleport, and lets down a body that has stayed in the air too
/// long.
pub(super) fn one_tick(blocks: &mut Blocks, player: &mut Player, now: Instant) {
    if !player.is_alive() {
        return;
    }
    if let Some((number, told)) = player.movement.unconfirmed {
        if now.saturating_duration_since(told) >= REMIND {
            player.movement.unconfirmed = Some((number, now));
            player.send(packets::player_position(number, player.at, player.look));
        }
        return;
    }
    let body = hull(player.at, PLAYER);
    let held =
        physics::is_supported(blocks, body) || physics::is_afloat(blocks, player.at) || physics::is_stuck(blocks, body);
    if held {
        player.movement.rested = now;
    } else if now.saturating_duration_since(player.movement.rested) >= HANGING {
        tracing::debug!(name = player.name, at = ?player.at, "hung in the air too long, let down");
        let_down(blocks, player, now);
    }
}
