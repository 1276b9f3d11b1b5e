//! What a player is doing, shared between its verbs and those who watch.

use std::sync::{Arc, Mutex};

use ltlcrit_minecraft::doing::{Doing, activity};
use ltlcrit_worlds::Watcher;

use super::core::lock;
use super::link::Link;
use super::walk;

/// What a player said last that it is doing.
#[derive(Clone, Debug, Default)]
pub(super) struct Told(Arc<Mutex<Option<Doing>>>);

impl Told {
    /// It comes to something else to do.
    pub fn tell(&self, doing: Doing) {
        *lock(&self.0) = Some(doing);
    }

    /// It does nothing that it has told of.
    pub fn forget(&self) {
        *lock(&self.0) = None;
    }

    /// Looks at what is being told, and at where the player is as the engine's last update left it.
    pub fn watcher(&self, link: &Link) -> Watcher {
        let (told, link) = (self.clone(), link.clone());
        Box::new(move || {
            let stance = link.state(|state| state.stance);
            let position = stance.map(|stance| walk::feet(&stance.position, stance.on_ground));
            activity(*lock(&told.0), position)
        })
    }
}
