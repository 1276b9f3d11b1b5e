//! What a player is doing, shared between its verbs and those who watch.

use std::sync::{Arc, Mutex};

use ltlcrit_minecraft::doing::{Doing, activity};
use ltlcrit_worlds::Watcher;

use super::engine_core::lock;
use super::link::Link;
use super::walk;

/// What a player said last that it is doing.
#[derive(Clone, Debug, Default)]
pub(super) struct CurrentActivity(Arc<Mutex<Option<Doing>>>);

impl CurrentActivity {
    /// It comes to something else to do.
    pub fn set(&self, doing: Doing) {
        *lock(&self.0) = Some(doing);
    }

    /// It does nothing that it has current of.
    pub fn clear(&self) {
        *lock(&self.0) = None;
    }

    /// Looks at what is being current, and at where the player is as the engine's last update left it.
    pub fn watcher(&self, link: &Link) -> Watcher {
        let (current, link) = (self.clone(), link.clone());
        Box::new(move || {
            let stance = link.state(|state| state.stance);
            let position = stance.map(|stance| walk::feet(&stance.position, stance.on_ground));
            activity(*lock(&current.0), position)
        })
    }
}
