//! The settings in which effects differ.

/// The kind of world around the player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// The embedded world: a dead player stays dead, and no action is cut off.
    Embedded,
    /// A server: a dead player respawns with nothing, and an action may be cut off at any point.
    Server,
}
