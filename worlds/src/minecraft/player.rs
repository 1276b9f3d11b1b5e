//! The player's body: where it is, its health and breath, and what kills it.

use serde::{Deserialize, Serialize};

use super::observation::BlockPos;

/// Full health, in half hearts.
pub const MAX_HEALTH: u32 = 20;
/// A full breath, in ticks.
pub const MAX_AIR: u32 = 300;
/// How far a player can touch, in blocks from the eyes.
pub const REACH: f64 = 4.5;
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
