//! The player's body: where it is, its health and breath, and what kills it.

use serde::{Deserialize, Serialize};

use super::blocks::Block;
use super::observation::BlockPos;

/// Full health, in half hearts.
pub const MAX_HEALTH: u32 = 20;
/// A full breath, in ticks.
pub const MAX_AIR: u32 = 300;
/// How far a player can touch, in blocks from the eyes.
pub const REACH: f64 = 4.5;
/// How many blocks one falls without harm.
const SAFE_FALL: u32 = 3;
const EYE_HEIGHT: f64 = 1.62;

/// What hurts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Hurt {
    /// Being in lava.
    Lava,
    /// Burning after it.
    Fire,
    /// No breath left under water.
    Drowning,
    /// A fall of more than three blocks.
    Fall,
    /// The head in a solid block.
    Suffocation,
    /// The will of whoever runs the world.
    Will,
}

impl Hurt {
    /// How someone died of it.
    pub fn death(self) -> &'static str {
        match self {
            Hurt::Lava => "tried to swim in lava",
            Hurt::Fire => "burned to death",
            Hurt::Drowning => "drowned",
            Hurt::Fall => "fell from a high place",
            Hurt::Suffocation => "suffocated in a wall",
            Hurt::Will => "died",
        }
    }
}

/// The player's body, standing in the middle of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The block the feet are in; the head is in the one above.
    pub feet: BlockPos,
    /// Half hearts, 0 to [`MAX_HEALTH`].
    pub health: u32,
    /// Ticks of breath, 0 to [`MAX_AIR`].
    pub air: u32,
    /// Ticks the body goes on burning.
    pub fire: u32,
    /// What it died of.
    pub death: Option<Hurt>,
}

impl Player {
    /// A healthy player.
    pub fn new(feet: BlockPos) -> Self {
        Self { feet, health: MAX_HEALTH, air: MAX_AIR, fire: 0, death: None }
    }

    /// The block the eyes are in.
    pub fn head(&self) -> BlockPos {
        self.feet.up()
    }

    /// Where the eyes are.
    pub fn eyes(&self) -> [f64; 3] {
        eyes(self.feet)
    }

    /// Whether nothing ails it: whole, with a full breath, not burning.
    pub fn is_well(&self) -> bool {
        self.death.is_none() && (self.health, self.air, self.fire) == (MAX_HEALTH, MAX_AIR, 0)
    }

    /// What one tick does to a body whose feet and head are in these blocks: it burns, holds its breath, suffocates, or
    /// heals.
    pub fn one_tick(&mut self, feet: Block, head: Block, tick: u64) {
        if feet == Block::Lava || head == Block::Lava {
            self.fire = 300;
            if tick.is_multiple_of(10) {
                self.hurt(Hurt::Lava, 4);
            }
        } else if feet == Block::Water || head == Block::Water {
            self.fire = 0;
        } else if self.fire > 0 {
            self.fire -= 1;
            if tick.is_multiple_of(20) {
                self.hurt(Hurt::Fire, 1);
            }
        }
        if head == Block::Water {
            self.air = self.air.saturating_sub(1);
            if self.air == 0 && tick.is_multiple_of(20) {
                self.hurt(Hurt::Drowning, 2);
            }
        } else {
            self.air = (self.air + 4).min(MAX_AIR);
        }
        if head.is_solid() && !head.is_leaves() && tick.is_multiple_of(10) {
            self.hurt(Hurt::Suffocation, 1);
        }
        if self.death.is_none() && self.health < MAX_HEALTH && tick.is_multiple_of(80) {
            self.health += 1;
        }
    }

    /// Comes down after a fall of so many blocks. More than three hurt, one half heart each.
    pub fn land(&mut self, fallen: u32) {
        if fallen > SAFE_FALL {
            self.hurt(Hurt::Fall, fallen - SAFE_FALL);
        }
    }

    /// Takes health; the last of it kills.
    pub fn hurt(&mut self, by: Hurt, half_hearts: u32) {
        if self.death.is_none() {
            self.health = self.health.saturating_sub(half_hearts);
            if self.health == 0 {
                self.death = Some(by);
            }
        }
    }
}

/// Where the eyes of a player standing at `feet` are.
pub fn eyes(feet: BlockPos) -> [f64; 3] {
    [f64::from(feet.x) + 0.5, f64::from(feet.y) + EYE_HEIGHT, f64::from(feet.z) + 0.5]
}
