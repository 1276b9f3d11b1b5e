//! The chunks a client has: sent nearest first and as fast as the client reads them.

use std::collections::VecDeque;

use azalea_protocol::packets::game::{
    ClientboundChunkBatchFinished, ClientboundChunkBatchStart, ClientboundSetChunkCacheCenter,
};
use ltlcrit_minecraft::observation::BlockPos;
use rustc_hash::FxHashSet;

use super::blocks::Blocks;
use super::outbox::Outbox;
use super::{chunk, packets};

/// The largest number of chunks sent in one tick.
const A_TICK: usize = 25;
/// The bytes of a saved world's NBT after which no more chunks are read in one tick. Usual ones of a tick are within it.
const UNPACKED: usize = 8 << 20;
/// The number of queued bytes above which no chunks are sent.
const BACKLOG: usize = 1 << 20;

/// The bytes of NBT that have been unpacked for these blocks.
fn unpacked(blocks: &Blocks) -> usize {
    blocks.saved.as_ref().map_or(0, |saved| saved.unpacked())
}

/// The chunks one client has.
#[derive(Debug, Default)]
pub(super) struct View {
    centre: Option<(i32, i32)>,
    has: FxHashSet<(i32, i32)>,
    wanted: VecDeque<(i32, i32)>,
}

impl View {
    /// Whether the client has the chunk of a block.
    pub(super) fn shows(&self, pos: BlockPos) -> bool {
        self.has.contains(&(pos.x >> 4, pos.z >> 4))
    }

    /// Forgets all chunks, as the client does when it respawns.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Recomputes the wanted chunks on the next update: the view distance has changed.
    pub(super) fn reconsider(&mut self) {
        self.centre = None;
    }

    /// Sends the client its position, the chunks to forget, and some of the chunks it lacks.
    pub(super) fn update(&mut self, blocks: &mut Blocks, at: BlockPos, distance: u32, outbox: &Outbox) {
        let centre = (at.x >> 4, at.z >> 4);
        if self.centre != Some(centre) {
            self.move_to(centre, i32::try_from(distance).unwrap_or(i32::MAX), outbox);
        }
        if self.wanted.is_empty() || outbox.waiting() > BACKLOG {
            return;
        }
        outbox.send(ClientboundChunkBatchStart);
        let (began, mut count) = (unpacked(blocks), 0);
        while count < A_TICK && unpacked(blocks) - began < UNPACKED {
            let Some((x, z)) = self.wanted.pop_front() else { break };
            count += 1;
            match chunk::packet(blocks, x, z) {
                Ok(packet) => outbox.send(packet),
                Err(error) => tracing::error!("chunk {x} {z} could not be encoded: {error}"),
            }
            self.has.insert((x, z));
        }
        outbox.send(ClientboundChunkBatchFinished { batch_size: count as u32 });
    }

    fn move_to(&mut self, centre: (i32, i32), distance: i32, outbox: &Outbox) {
        self.centre = Some(centre);
        outbox.send(ClientboundSetChunkCacheCenter { x: centre.0, z: centre.1 });
        let away = |chunk: (i32, i32)| ((chunk.0 - centre.0).abs(), (chunk.1 - centre.1).abs());
        // One ring more is kept than is sent, so that walking along a border does not send chunks repeatedly.
        self.has.retain(|chunk| {
            let (x, z) = away(*chunk);
            let stays = x.max(z) <= distance + 1;
            if !stays {
                match packets::forget_chunk(chunk.0, chunk.1) {
                    Ok(frame) => outbox.send_frame(&frame),
                    Err(error) => tracing::error!("a packet could not be encoded: {error}"),
                }
            }
            stays
        });
        let mut wanted: Vec<(i32, i32)> = (-distance..=distance)
            .flat_map(|z| (-distance..=distance).map(move |x| (centre.0 + x, centre.1 + z)))
            .filter(|chunk| !self.has.contains(chunk))
            .collect();
        wanted.sort_by_key(|chunk| {
            let (x, z) = away(*chunk);
            x * x + z * z
        });
        self.wanted = wanted.into();
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write;
    use std::sync::Arc;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    use super::*;
    use crate::anvil::SavedWorld;
    use crate::outbox::queue;

    /// A saved world of which each chunk unpacks to more than chunks may.
    fn bombs() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let level = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/prismarine/level.dat");
        fs::copy(level, folder.path().join("level.dat")).unwrap();
        let regions = folder.path().join("region");
        fs::create_dir(&regions).unwrap();
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::fast());
        (0..40).for_each(|_| packed.write_all(&[0; 1 << 20]).unwrap());
        let packed = packed.finish().unwrap();
        // All places of the table name the third sector, which says that the chunk has a file of its own.
        let mut region = [0, 0, 2, 1].repeat(1024);
        region.resize(8192, 0);
        region.extend([0, 0, 0, 1, 0x82]);
        region.resize(12288, 0);
        fs::write(regions.join("r.0.0.mca"), region).unwrap();
        for (x, z) in (0..5).flat_map(|x| (0..5).map(move |z| (x, z))) {
            fs::write(regions.join(format!("c.{x}.{z}.mcc")), &packed).unwrap();
        }
        folder
    }

    /// Chunks that are much work are read over several ticks, so that the game loop goes on.
    #[test]
    fn a_tick_unpacks_no_more_than_a_bound() {
        let folder = bombs();
        let mut blocks = Blocks::of(Arc::new(SavedWorld::open(folder.path()).unwrap()));
        let (outbox, _outgoing) = queue();
        let mut view = View::default();
        for ticks in 1..=25 {
            view.update(&mut blocks, BlockPos::new(40, 64, 40), 2, &outbox);
            assert_eq!(view.has.len(), ticks, "one in each tick");
        }
        assert!(view.wanted.is_empty());
    }
}
