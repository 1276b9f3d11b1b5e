//! The player's body: position, health, air and damage.

use strum::Display;

use super::blocks::Block;
use super::observation::BlockPos;

/// Full health, in half hearts.
pub const MAX_HEALTH: u32 = 20;
/// Full air, in ticks.
pub const MAX_AIR: u32 = 300;
/// The reach of a player, in blocks from the eyes.
pub const REACH: f64 = 4.5;
/// The maximum fall without damage, in blocks.
const SAFE_FALL: u32 = 3;
const EYE_HEIGHT: f64 = 1.62;

/// A source of damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Display)]
#[strum(serialize_all = "lowercase")]
pub enum DamageSource {
    /// Standing in lava.
    Lava,
    /// Burning after lava.
    Fire,
    /// The lack of air under water.
    Drowning,
    /// A fall of more than three blocks.
    Fall,
    /// The head in a solid block.
    Suffocation,
    /// A command of the server's operator.
    Operator,
}

impl DamageSource {
    /// The end of a death message, such as "drowned".
    pub fn death(self) -> &'static str {
        match self {
            DamageSource::Lava => "tried to swim in lava",
            DamageSource::Fire => "burned to death",
            DamageSource::Drowning => "drowned",
            DamageSource::Fall => "fell from a high place",
            DamageSource::Suffocation => "suffocated in a wall",
            DamageSource::Operator => "died",
        }
    }
}

/// The player's body, standing in the middle of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// The block that contains the feet; the head is in the block above.
    pub feet: BlockPos,
    /// Half hearts, 0 to [`MAX_HEALTH`].
    pub health: u32,
    /// Ticks of air, 0 to [`MAX_AIR`].
    pub air: u32,
    /// Ticks for which the body keeps burning.
    pub fire: u32,
    /// The source of the last damage, until an outcome tells it.
    pub hurt_by: Option<DamageSource>,
    /// The cause of death.
    pub death: Option<DamageSource>,
}

impl Player {
    /// A healthy player.
    pub fn new(feet: BlockPos) -> Self {
        Self { feet, health: MAX_HEALTH, air: MAX_AIR, fire: 0, hurt_by: None, death: None }
    }

    /// The block that contains the eyes.
    pub fn head(&self) -> BlockPos {
        self.feet.up()
    }

    /// The position of the eyes.
    pub fn eyes(&self) -> [f64; 3] {
        eyes(self.feet)
    }

    /// Returns whether it has full health and air and does not burn.
    pub(crate) fn is_well(&self) -> bool {
        self.death.is_none() && (self.health, self.air, self.fire) == (MAX_HEALTH, MAX_AIR, 0)
    }

    /// Runs one tick for a body whose feet and head are in these blocks: it burns, uses air, suffocates, or heals.
    pub fn one_tick(&mut self, feet: Block, head: Block, tick: u64) {
        if feet == Block::Lava || head == Block::Lava {
            self.fire = 300;
            if tick.is_multiple_of(10) {
                self.hurt(DamageSource::Lava, 4);
            }
        } else if feet == Block::Water || head == Block::Water {
            self.fire = 0;
        } else if self.fire > 0 {
            self.fire -= 1;
            if tick.is_multiple_of(20) {
                self.hurt(DamageSource::Fire, 1);
            }
        }
        if head == Block::Water {
            self.air = self.air.saturating_sub(1);
            if self.air == 0 && tick.is_multiple_of(20) {
                self.hurt(DamageSource::Drowning, 2);
            }
        } else {
            self.air = (self.air + 4).min(MAX_AIR);
        }
        if head.is_solid() && !head.is_leaves() && tick.is_multiple_of(10) {
            self.hurt(DamageSource::Suffocation, 1);
        }
        if self.death.is_none() && self.health < MAX_HEALTH && tick.is_multiple_of(80) {
            self.health += 1;
        }
    }

    /// Applies the damage of a fall, in blocks. Each block beyond three costs half a heart.
    pub fn land(&mut self, fallen: u32) {
        if fallen > SAFE_FALL {
            self.hurt(DamageSource::Fall, fallen - SAFE_FALL);
        }
    }

    /// Reduces health, in half hearts; at 0 the body dies.
    pub fn hurt(&mut self, by: DamageSource, half_hearts: u32) {
        if self.death.is_none() {
            self.hurt_by = Some(by);
            self.health = self.health.saturating_sub(half_hearts);
            if self.health == 0 {
                self.death = Some(by);
            }
        }
    }
}

/// The position of the eyes of a player standing at `feet`.
pub fn eyes(feet: BlockPos) -> [f64; 3] {
    [f64::from(feet.x) + 0.5, f64::from(feet.y) + EYE_HEIGHT, f64::from(feet.z) + 0.5]
}

/// Returns whether a block is within reach of a player standing at `feet`, ignoring obstructions.
pub(crate) fn is_within_reach(feet: BlockPos, block: BlockPos) -> bool {
    let gap = |corner: i32, eye: f64| (f64::from(corner) - eye).max(eye - f64::from(corner) - 1.0).max(0.0);
    let [x, y, z] = eyes(feet);
    gap(block.x, x).powi(2) + gap(block.y, y).powi(2) + gap(block.z, z).powi(2) <= REACH * REACH
}

/// Returns whether a block is beside the body of a player at `feet`, so that it touches the block without moving.
pub(crate) fn is_touched(feet: BlockPos, block: BlockPos) -> bool {
    block != feet.down() && block.neighbours().into_iter().any(|beside| beside == feet || beside == feet.up())
}
