//! The chunks of a client: sent nearest first, at the speed at which the client reads them.

use std::collections::VecDeque;

use azalea_protocol::packets::game::{
    ClientboundChunkBatchFinished, ClientboundChunkBatchStart, ClientboundSetChunkCacheCenter,
};
use ltlcrit_minecraft::observation::BlockPos;
use rustc_hash::FxHashSet;

use super::blocks::Blocks;
use super::outbox::Outbox;
use super::{chunk, packets};

/// The maximum number of chunks sent in one tick.
const A_TICK: usize = 25;
/// The number of queued bytes above which no chunks are sent.
const BACKLOG: usize = 1 << 20;

/// The chunks that one client has received.
#[derive(Debug, Default)]
pub(super) struct View {
    centre: Option<(i32, i32)>,
    has: FxHashSet<(i32, i32)>,
    wanted: VecDeque<(i32, i32)>,
}

impl View {
    /// Returns whether the client has the chunk of a block.
    pub(super) fn shows(&self, pos: BlockPos) -> bool {
        self.has.contains(&(pos.x >> 4, pos.z >> 4))
    }

    /// Drops all chunks, as the client does when it respawns.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Marks the wanted chunks for recomputation, because the view distance has changed.
    pub(super) fn reconsider(&mut self) {
        self.centre = None;
    }

    /// Sends the client its position, the chunks to unload, and some of the chunks that it lacks.
    pub(super) fn update(&mut self, blocks: &mut Blocks, at: BlockPos, distance: u32, outbox: &Outbox) {
        let centre = (at.x >> 4, at.z >> 4);
        if self.centre != Some(centre) {
            self.move_to(centre, i32::try_from(distance).unwrap_or(i32::MAX), outbox);
        }
        if self.wanted.is_empty() || outbox.waiting() > BACKLOG {
            return;
        }
        outbox.send(ClientboundChunkBatchStart);
        let mut count = 0;
        while count < A_TICK {
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
        // The client keeps one ring more than it is sent, so that walking along a border does not send chunks
        // repeatedly.
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
