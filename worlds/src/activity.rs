//! What an agent is doing while an action runs.

/// A look at a world in the middle of an action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Activity {
    /// What the agent is doing, for people: `smelting`. `None` before it has begun.
    pub doing: Option<String>,
    /// Whether it moves on meanwhile, so that a speed means something.
    pub moving: bool,
    /// Where it is, in whole units (x, y up, z); `None` where that has no meaning.
    pub position: Option<[i32; 3]>,
}

/// Takes a look at a world, also while [`World::execute`](crate::World::execute) has it.
pub type Watcher = Box<dyn Fn() -> Activity>;
