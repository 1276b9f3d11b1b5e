//! A player's hunger.

/// The maximum hunger, in half drumsticks.
pub(crate) const FULL: u32 = 20;

/// A player's hunger.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hunger {
    /// The hunger, in half drumsticks.
    pub(crate) food: u32,
    /// The tick at which a bite ends, and the hotbar slot of the food.
    pub(crate) bite: Option<(u64, usize)>,
    /// The food its client was last sent.
    pub(crate) sent: u32,
}

impl Default for Hunger {
    fn default() -> Self {
        Self { food: FULL, bite: None, sent: FULL }
    }
}
