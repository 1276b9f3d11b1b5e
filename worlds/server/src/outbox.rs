//! The queue of packets to one client: bounded in bytes, filled by the game loop and emptied by the connection.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use azalea_protocol::packets::Packet;
use azalea_protocol::packets::game::ClientboundGamePacket;
use tokio::sync::mpsc;

use super::frame;

/// The maximum number of bytes that may be queued. A client that reads more slowly is disconnected.
pub(super) const CAPACITY: usize = 8 << 20;

/// The game's end of a queue. When it is dropped, the connection sends the queued packets and closes.
#[derive(Debug)]
pub(super) struct Outbox {
    frames: mpsc::UnboundedSender<Arc<[u8]>>,
    waiting: Arc<AtomicUsize>,
}

/// The connection's end of a queue.
#[derive(Debug)]
pub(super) struct Outgoing {
    frames: mpsc::UnboundedReceiver<Arc<[u8]>>,
    waiting: Arc<AtomicUsize>,
}

/// A new queue.
pub(super) fn queue() -> (Outbox, Outgoing) {
    // Frames vary from three bytes to thousands, so bytes are counted instead of frames.
    let (sender, receiver) = mpsc::unbounded_channel();
    let waiting = Arc::new(AtomicUsize::new(0));
    (Outbox { frames: sender, waiting: waiting.clone() }, Outgoing { frames: receiver, waiting })
}

impl Outbox {
    /// Queues a packet.
    pub(super) fn send(&self, packet: impl Packet<ClientboundGamePacket>) {
        if let Some(frame) = encoded(packet) {
            self.send_frame(&frame);
        }
    }

    /// Queues a packet that was encoded already.
    pub(super) fn send_frame(&self, frame: &Arc<[u8]>) {
        if self.is_open() {
            self.waiting.fetch_add(frame.len(), Ordering::Relaxed);
            // The receiver may be dropped in between.
            let _ = self.frames.send(frame.clone());
        }
    }

    /// The number of bytes queued.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Returns whether the connection is open and reads fast enough.
    pub(super) fn is_open(&self) -> bool {
        !self.frames.is_closed() && self.waiting() <= CAPACITY
    }
}

/// A packet encoded as a frame for several clients.
pub(super) fn encoded(packet: impl Packet<ClientboundGamePacket>) -> Option<Arc<[u8]>> {
    let packet = packet.into_variant();
    match frame::of(&packet) {
        Ok(frame) => Some(frame),
        Err(error) => {
            tracing::error!("a packet could not be encoded: {error}: {packet:?}");
            None
        }
    }
}

impl Outgoing {
    /// The next frame to send; `None` once the game has dropped its end and the queue is empty. A frame counts as
    /// waiting until [`Self::sent`].
    pub(super) async fn next(&mut self) -> Option<Arc<[u8]>> {
        self.frames.recv().await
    }

    /// Records that a frame has been sent.
    pub(super) fn sent(&self, frame: &[u8]) {
        self.waiting.fetch_sub(frame.len(), Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use azalea_protocol::packets::game::ClientboundChunkBatchStart;

    use super::*;

    #[tokio::test]
    async fn waiting_bytes_are_counted_and_bounded() {
        let (outbox, mut outgoing) = queue();
        let frame: Arc<[u8]> = vec![0; CAPACITY / 4].into();
        for _ in 0..10 {
            outbox.send_frame(&frame);
        }
        assert!(!outbox.is_open());
        assert_eq!(outbox.waiting(), 5 * frame.len(), "what is over is not queued");
        for _ in 0..2 {
            let next = outgoing.next().await.unwrap();
            outgoing.sent(&next);
        }
        assert!(outbox.is_open());
        outbox.send(ClientboundChunkBatchStart);
        drop(outbox);
        let mut left = 0;
        while outgoing.next().await.is_some() {
            left += 1;
        }
        assert_eq!(left, 4, "what waited is still sent");
    }

    #[test]
    fn nothing_is_queued_for_a_closed_connection() {
        let (outbox, outgoing) = queue();
        drop(outgoing);
        outbox.send(ClientboundChunkBatchStart);
        assert_eq!((outbox.waiting(), outbox.is_open()), (0, false));
    }
}
