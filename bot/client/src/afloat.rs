//! Keeps an idle body from sinking.

use azalea::app::{App, Plugin};
use azalea::core::tick::GameTick;
use azalea::ecs::prelude::*;
use azalea::entity::{Jumping, Physics};
use azalea::physics::PhysicsSystems;

use super::link::{ReleaseControls, TreadsWater};

/// Adds the system that keeps bodies afloat.
pub(super) struct AfloatPlugin;

impl Plugin for AfloatPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(GameTick, tread_water.before(PhysicsSystems).after(azalea::entity::update_in_loaded_chunk))
            .add_observer(release_controls);
    }
}

fn tread_water(mut players: Query<(&Physics, &mut Jumping), With<TreadsWater>>) {
    for (physics, mut jumping) in &mut players {
        let rise = physics.is_in_water();
        if **jumping != rise {
            **jumping = rise;
        }
    }
}

fn release_controls(event: On<ReleaseControls>, mut commands: Commands) {
    commands.entity(event.entity).try_remove::<TreadsWater>();
}
