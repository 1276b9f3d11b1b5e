//! Block changes, sent to the players who see them.

use ltlcrit_minecraft::blocks::Block;

use super::blocks::Blocks;
use super::drops;
use super::entities::Entities;

impl Blocks {
    /// Sends the blocks that have changed since the last call to the players who see them. Furnaces that are gone drop
    /// their contents.
    pub(super) fn publish_changes(&mut self, entities: &mut Entities) {
        let mut changed = self.ground.take_changed();
        changed.sort_unstable();
        changed.dedup();
        for pos in changed {
            self.changed.insert(pos);
            if self.ground.block(pos) != Block::Furnace
                && let Some(mut gone) = self.furnaces.remove(&pos)
            {
                for stack in gone.drain() {
                    drops::drop_at(entities, self.ground.tick, pos, stack);
                }
            }
            entities.send_viewers(pos, None, self.update(pos));
        }
    }
}
