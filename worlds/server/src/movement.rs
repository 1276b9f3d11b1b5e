//! Movement: clients say where they are, and are believed as long as a body could be there. What a body cannot do (go
//! through blocks, run too fast, stay in the air) is put right by moving the client back.

use std::time::{Duration, Instant};

use azalea_core::position::Vec3;
use azalea_entity::LookDirection;

use super::packets;
use super::physics::{self, PLAYER, hull};
use super::player::Player;
use ltlcrit_minecraft::grid::Grid;

/// How many blocks a body goes in a second of twenty ticks at most, sideways: sprinting and jumping it is seven.
const SPEED: f64 = 10.0;
/// How far a body goes sideways from one message to the next. Clients that stutter put several steps into one.
const STRIDE: f64 = 4.0;
/// How far a body goes up from one message to the next.
const LEAP: f64 = 2.0;
/// How far a body falls from one message to the next.
const PLUNGE: f64 = 40.0;
/// How high a body jumps.
const JUMP: f64 = 1.3;
/// After so many messages in the air one is falling: a jump comes to its height after seven.
const IN_THE_AIR: u32 = 14;
/// How far off where it would get a body may say it is: sideways and up or down.
const OFF: (f64, f64) = (0.25, 0.5);
/// Coordinates beyond this are nobody's.
const FARTHEST: f64 = 3e7;
/// How long a client may hang in the air before its body is let down: as long as the game lets one. A client that is held
/// up in the middle of a jump, by its own thinking or a busy machine, has done nothing wrong.
const HANGING: Duration = Duration::from_secs(4);
/// After how long a client that has not confirmed where it was moved is told again.
const REMIND: Duration = Duration::from_secs(1);

/// What is kept of a player's movement.
#[derive(Debug)]
pub(super) struct Movement {
    /// The place the client was moved to and has not confirmed: number, and when it was last told.
    unconfirmed: Option<(u32, Instant)>,
    last_number: u32,
    /// How many blocks a second it may go sideways: more where time passes faster.
    speed: f64,
    /// How many blocks it may go sideways, filled up as time passes.
    allowance: f64,
    allowed_at: Instant,
    /// Where it last stood or swam.
    footing: f64,
    /// Messages since then.
    in_the_air: u32,
    /// The highest it was since then.
    highest: f64,
    /// When it last moved or stood.
    rested: Instant,
}

/// What became of a wish to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The body is there.
    Taken,
    /// The client was moved back.
    Refused,
    /// The client does not know yet that it was moved; what it says of before does not count.
    Stale,
    /// These are no coordinates.
    Nonsense,
}

impl Movement {
    /// A body's movement in a world where so many ticks pass in a second.
    pub(super) fn new(now: Instant, ticks_per_second: u32) -> Self {
        // Clients do not get slower than the game because a server does.
        let speed = SPEED * f64::from(ticks_per_second.max(20)) / 20.0;
        Self {
            unconfirmed: None,
            last_number: 0,
            speed,
            allowance: speed,
            allowed_at: now,
            footing: 0.0,
            in_the_air: 0,
            highest: f64::NEG_INFINITY,
            rested: now,
        }
    }

    /// The client confirms that it was moved.
    pub(super) fn confirm(&mut self, number: u32) {
        if self.unconfirmed.is_some_and(|(awaited, _)| awaited == number) {
            self.unconfirmed = None;
        }
    }

    fn stand(&mut self, height: f64, now: Instant) {
        self.footing = height;
        self.highest = height;
        self.in_the_air = 0;
        self.rested = now;
    }
}

/// Moves a player's body and its client. Nothing of how it got where it was counts any more.
pub(super) fn teleport(player: &mut Player, at: Vec3, now: Instant) {
    player.stand_at(at);
    player.movement.stand(at.y, now);
    player.movement.allowance = player.movement.speed;
    place(player, now);
}

/// Moves the client to where the body is.
fn place(player: &mut Player, now: Instant) {
    let number = player.movement.last_number + 1;
    player.movement.last_number = number;
    player.movement.unconfirmed = Some((number, now));
    player.tell(packets::player_position(number, player.at, player.look));
}

/// The client says that its body is somewhere and looks somewhere.
pub(super) fn step(
    grid: &mut Grid,
    player: &mut Player,
    to: Option<Vec3>,
    look: Option<LookDirection>,
    now: Instant,
) -> Step {
    if let Some(look) = look {
        if !(look.y_rot().is_finite() && look.x_rot().is_finite()) {
            return Step::Nonsense;
        }
        if player.movement.unconfirmed.is_none() {
            player.look = LookDirection::new(look.y_rot() % 360.0, look.x_rot());
        }
    }
    let Some(to) = to else { return Step::Taken };
    let sane = |part: f64| part.is_finite() && part.abs() <= FARTHEST;
    if ![to.x, to.y, to.z].into_iter().all(sane) {
        return Step::Nonsense;
    }
    if player.movement.unconfirmed.is_some() || !player.is_alive() {
        return Step::Stale;
    }
    let wish = Vec3 { x: to.x - player.at.x, y: to.y - player.at.y, z: to.z - player.at.z };
    let movement = &mut player.movement;
    let passed = now.saturating_duration_since(movement.allowed_at).as_secs_f64();
    movement.allowance = (movement.allowance + passed * movement.speed).min(movement.speed);
    movement.allowed_at = now;
    let sideways = wish.x.hypot(wish.z);
    let too_far = sideways > STRIDE.min(movement.allowance) || wish.y > LEAP || wish.y < -PLUNGE;
    if too_far || !is_free(grid, player.at, to, wish) {
        let Player { name, at, .. } = &*player;
        tracing::debug!(name, ?at, ?to, too_far, allowance = player.movement.allowance, "moved back");
        place(player, now);
        return Step::Refused;
    }
    player.movement.allowance -= sideways;
    let held = physics::is_supported(grid, hull(to, PLAYER)) || physics::is_afloat(grid, to);
    let before = player.at;
    player.stand_at(to);
    if held || physics::is_stuck(grid, hull(to, PLAYER)) {
        land(grid, player, now);
        return Step::Taken;
    }
    let movement = &mut player.movement;
    movement.highest = movement.highest.max(to.y);
    movement.in_the_air += 1;
    if wish.y < -0.05 {
        movement.rested = now;
    }
    let rises = to.y > movement.footing + JUMP;
    let hovers = movement.in_the_air > IN_THE_AIR && wish.y > -0.1;
    if rises || hovers {
        let Movement { footing, in_the_air, .. } = *movement;
        tracing::debug!(name = player.name, ?before, ?to, rises, hovers, footing, in_the_air, "let down");
        player.stand_at(before);
        let_down(grid, player, now);
        return Step::Refused;
    }
    Step::Taken
}

/// Whether a body gets there in one move, or near enough that rounding explains the rest.
fn is_free(grid: &mut Grid, from: Vec3, to: Vec3, wish: Vec3) -> bool {
    let body = hull(from, PLAYER);
    // Who is buried may get out any way.
    if physics::is_stuck(grid, body) {
        return true;
    }
    let went = physics::slide(grid, body, wish);
    let off = (wish.x - went.x).hypot(wish.z - went.z);
    off <= OFF.0 && (wish.y - went.y).abs() <= OFF.1 && !physics::is_stuck(grid, hull(to, PLAYER))
}

/// The body has come to stand or swim: the fall is over.
fn land(grid: &mut Grid, player: &mut Player, now: Instant) {
    let fallen = player.movement.highest - player.at.y;
    player.movement.stand(player.at.y, now);
    // A little is added so that rounding does not take a block away.
    if !physics::is_afloat(grid, player.at) && fallen > 0.0 {
        player.body.land((fallen + 1e-6).floor() as u32);
    }
}

/// Lets a body down to whatever is below it, and its client with it.
fn let_down(grid: &mut Grid, player: &mut Player, now: Instant) {
    let wish = Vec3 { x: 0.0, y: -1.0, z: 0.0 };
    for _ in 0..super::registries::HEIGHT {
        if physics::is_afloat(grid, player.at) {
            break;
        }
        let went = physics::slide(grid, hull(player.at, PLAYER), wish);
        player.stand_at(Vec3 { y: player.at.y + went.y, ..player.at });
        if went.y > wish.y {
            break;
        }
    }
    land(grid, player, now);
    place(player, now);
}

/// What happens to a player who says nothing: nobody stays in the air, and who was moved is told again.
pub(super) fn rest(grid: &mut Grid, player: &mut Player, now: Instant) {
    if !player.is_alive() {
        return;
    }
    if let Some((number, told)) = player.movement.unconfirmed {
        if now.saturating_duration_since(told) >= REMIND {
            player.movement.unconfirmed = Some((number, now));
            player.tell(packets::player_position(number, player.at, player.look));
        }
        return;
    }
    let body = hull(player.at, PLAYER);
    let held =
        physics::is_supported(grid, body) || physics::is_afloat(grid, player.at) || physics::is_stuck(grid, body);
    if held {
        player.movement.rested = now;
    } else if now.saturating_duration_since(player.movement.rested) >= HANGING {
        tracing::debug!(name = player.name, at = ?player.at, "hung in the air too long, let down");
        let_down(grid, player, now);
    }
}
