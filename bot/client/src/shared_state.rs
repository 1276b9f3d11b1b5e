//! The state of a player as a component.

use std::sync::{Arc, Mutex};

use azalea::ecs::prelude::*;

use super::state::State;

/// The state of a player, shared with its actions.
#[derive(Clone, Component)]
pub(super) struct SharedState(pub Arc<Mutex<State>>);
