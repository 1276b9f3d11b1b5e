//! The activity of an agent while an action runs, for displays.

/// The state of an action under way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Activity {
    /// A description for people, such as `smelting`. `None` before the action begins.
    pub doing: Option<String>,
    /// The step of the action that is under way, such as a way that was found, as a sentence.
    pub detail: Option<String>,
    /// True if the agent moves, so that a display can show its speed.
    pub moving: bool,
    /// The agent's position in whole units (x, y up, z); `None` in a world without positions.
    pub position: Option<[i32; 3]>,
}

/// Reads the activity, also while [`World::execute`](crate::World::execute) runs.
pub type Watcher = Box<dyn Fn() -> Activity>;
