//! The current activity of a player, shared between its actions and live displays.

use std::sync::{Arc, Mutex};

use ltlcrit_minecraft::activity::{PlayerActivity, describe};
use ltlcrit_worlds::Watcher;

use super::engine_core::lock;
use super::link::Link;
use super::walk;

/// The current activity of a player.
#[derive(Clone, Debug, Default)]
pub(super) struct CurrentActivity(Arc<Mutex<Option<PlayerActivity>>>);

impl CurrentActivity {
    /// Sets the activity.
    pub fn set(&self, doing: PlayerActivity) {
        *lock(&self.0) = Some(doing);
    }

    /// Ends the activity.
    pub fn clear(&self) {
        *lock(&self.0) = None;
    }

    /// A reader of the current activity, and of the player's position after the engine's last update.
    pub fn watcher(&self, link: &Link) -> Watcher {
        let (current, link) = (self.clone(), link.clone());
        Box::new(move || {
            let stance = link.state(|state| state.stance);
            let position = stance.map(|stance| walk::feet(&stance.position, stance.on_ground));
            describe(*lock(&current.0), position)
        })
    }
}
