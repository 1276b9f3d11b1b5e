//! Limits the connections without a player, in total and per address.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

/// The maximum number of connections.
const MAX_CONNECTIONS: usize = 256;
/// The maximum number of connections of one address, so that a single address cannot use up all of them.
const MAX_PER_ADDRESS: usize = 128;

/// A bounded table of connections without a player: those that log in, ask for the status, or are being closed.
///
/// A new connection is always admitted. When the table is full, the oldest connection is closed: of the new
/// connection's address if it has reached its own limit, otherwise of the address with the most connections. A login
/// takes milliseconds, so it finishes before it becomes the oldest.
#[derive(Clone, Debug, Default)]
pub(super) struct ConnectionLimits {
    slots: Arc<Mutex<VecDeque<SlotEntry>>>,
}

/// A connection's place in the table. Dropping it frees the place.
#[derive(Debug)]
pub(super) struct ConnectionSlot(oneshot::Receiver<()>);

/// An entry of the table.
#[derive(Debug)]
struct SlotEntry {
    from: IpAddr,
    /// Dropped to evict the connection in favour of another one.
    release: oneshot::Sender<()>,
}

impl ConnectionLimits {
    /// Adds a connection, and removes another one if there are too many.
    pub(super) fn admit(&self, from: IpAddr) -> ConnectionSlot {
        let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.retain(|slot| !slot.release.is_closed());
        let of = |from: IpAddr| slots.iter().filter(|slot| slot.from == from).count();
        let crowded_address = if of(from) >= MAX_PER_ADDRESS {
            Some(from)
        } else if slots.len() >= MAX_CONNECTIONS {
            // `max_by_key` returns the last maximum, which in reverse order is the address that has waited longest.
            slots.iter().rev().map(|slot| slot.from).max_by_key(|from| of(*from))
        } else {
            None
        };
        if let Some(oldest) = crowded_address.and_then(|from| slots.iter().position(|slot| slot.from == from)) {
            slots.remove(oldest);
        }
        let (release, slot) = oneshot::channel();
        slots.push_back(SlotEntry { from, release });
        ConnectionSlot(slot)
    }
}

impl ConnectionSlot {
    /// Waits until the connection is evicted in favour of another one.
    pub(super) async fn evicted(&mut self) {
        // Nothing is ever sent: the sender is dropped.
        let _ = (&mut self.0).await;
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    const CROWD: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    fn address(number: u8) -> IpAddr {
        IpAddr::V4(Ipv4Addr::new(10, 0, 0, number))
    }

    fn is_evicted(slot: &mut ConnectionSlot) -> bool {
        slot.0.try_recv() == Err(oneshot::error::TryRecvError::Closed)
    }

    fn evicted(slots: &mut [ConnectionSlot]) -> Vec<usize> {
        slots.iter_mut().enumerate().filter_map(|(number, slot)| is_evicted(slot).then_some(number)).collect()
    }

    #[test]
    fn an_address_with_its_share_loses_its_own_oldest() {
        let limits = ConnectionLimits::default();
        let mut other = limits.admit(address(1));
        let mut crowd: Vec<ConnectionSlot> = (0..MAX_PER_ADDRESS).map(|_| limits.admit(CROWD)).collect();
        assert_eq!(evicted(&mut crowd), [0usize; 0]);
        crowd.extend([limits.admit(CROWD), limits.admit(CROWD)]);
        assert_eq!(evicted(&mut crowd), [0, 1]);
        assert!(!is_evicted(&mut other));
    }

    #[test]
    fn a_full_table_loses_the_oldest_of_the_address_with_the_most() {
        let limits = ConnectionLimits::default();
        let mut few: Vec<ConnectionSlot> =
            (0..MAX_CONNECTIONS - MAX_PER_ADDRESS).map(|number| limits.admit(address(number as u8))).collect();
        let mut crowd: Vec<ConnectionSlot> = (0..MAX_PER_ADDRESS).map(|_| limits.admit(CROWD)).collect();
        let mut late = limits.admit(address(255));
        assert_eq!(evicted(&mut crowd), [0]);
        assert_eq!(evicted(&mut few), [0usize; 0]);
        assert!(!is_evicted(&mut late));
    }

    #[test]
    fn with_one_connection_for_every_address_the_oldest_goes() {
        let limits = ConnectionLimits::default();
        let from = |number: usize| IpAddr::V4(Ipv4Addr::from_bits(number as u32));
        let mut slots: Vec<ConnectionSlot> = (0..=MAX_CONNECTIONS).map(|number| limits.admit(from(number))).collect();
        assert_eq!(evicted(&mut slots), [0]);
    }

    #[test]
    fn a_connection_that_has_logged_in_takes_no_place() {
        let limits = ConnectionLimits::default();
        let mut waiting = limits.admit(CROWD);
        for _ in 0..2 * MAX_PER_ADDRESS {
            drop(limits.admit(CROWD));
        }
        assert!(!is_evicted(&mut waiting));
    }
}
