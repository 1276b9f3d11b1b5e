//! The settings in which effects differ.

/// What the world around the player is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// The embedded world: a player that dies stays dead, and no action is cut off.
    Embedded,
    /// A server: a player that dies comes back with nothing, and an action may be cut off at any point.
    Server,
}
