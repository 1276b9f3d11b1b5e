//! A count of the packets that an engine sends, for tests.

use azalea::app::{App, Plugin};
use azalea::ecs::prelude::{On, ResMut, Resource};
use azalea::packet::game::SendGamePacketEvent;

/// The number of game packets sent since it was last set to 0.
#[derive(Default, Resource)]
pub(super) struct SentPackets(pub u64);

/// Counts the packets that an engine sends.
pub(super) struct LockstepPlugin;

impl Plugin for LockstepPlugin {
    fn build(&self, app: &mut App) {
        let count = |_: On<SendGamePacketEvent>, mut sent: ResMut<SentPackets>| sent.0 += 1;
        app.init_resource::<SentPackets>().add_observer(count);
    }
}
