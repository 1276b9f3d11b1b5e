//! The current activity of a player, shared between its actions and live displays.

use std::sync::{Arc, Mutex};

use ltlcrit_minecraft::activity::{PlayerActivity, describe};
use ltlcrit_worlds::Watcher;

use super::engine_core::lock;
use super::link::Link;
use super::walk;

/// The current activity of a player, and the last line of the trace of its action.
#[derive(Clone, Debug, Default)]
pub(super) struct CurrentActivity(Arc<Mutex<(Option<PlayerActivity>, Option<String>)>>);

impl CurrentActivity {
    /// Sets the activity.
    pub fn set(&self, doing: PlayerActivity) {
        lock(&self.0).0 = Some(doing);
    }

    /// Sets the last line of the trace.
    pub fn tell(&self, line: &str) {
        lock(&self.0).1 = Some(line.to_owned());
    }

    /// Ends the activity.
    pub fn clear(&self) {
        *lock(&self.0) = (None, None);
    }

    /// A reader of the current activity, and of the player's position after the engine's last update.
    pub fn watcher(&self, link: &Link) -> Watcher {
        let (current, link) = (self.clone(), link.clone());
        Box::new(move || {
            let stance = link.state(|state| state.stance);
            let position = stance.map(|stance| walk::feet(&stance.position, stance.on_ground));
            let (doing, detail) = lock(&current.0).clone();
            describe(doing, detail, position)
        })
    }
}
