//! A player's hunger.

/// The most that a player eats, in half drumsticks.
pub(crate) const FULL: u32 = 20;

/// A player's hunger.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hunger {
    /// Half drumsticks.
    pub(crate) food: u32,
    /// The tick at which a bite ends, and the hotbar slot it is taken from.
    pub(crate) bite: Option<(u64, usize)>,
    /// The food its client was last sent.
    pub(crate) sent: u32,
}

impl Default for Hunger {
    fn default() -> Self {
        Self { food: FULL, bite: None, sent: FULL }
    }
}
