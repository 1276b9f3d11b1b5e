//! Connections without a player, bounded in total and per address.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::oneshot;

/// The largest number of connections.
const MOST: usize = 256;
/// The largest number of one address: a single address cannot turn others away.
const MOST_OF_ONE: usize = 128;

/// A bounded table of connections without a player.
///
/// A new connection is always admitted. When the table is full, the oldest connection is closed: of the new
/// connection's address if it has reached its own limit, otherwise of the address with the most connections. A login
/// takes milliseconds, so it finishes before it becomes the oldest.
#[derive(Clone, Debug, Default)]
pub(super) struct Lobby {
    seats: Arc<Mutex<VecDeque<Taken>>>,
}

/// An entry in the table. Dropping it removes the entry.
#[derive(Debug)]
pub(super) struct Seat(oneshot::Receiver<()>);

/// An entry as the table sees it, oldest first.
#[derive(Debug)]
struct Taken {
    from: IpAddr,
    /// Dropped when the entry is removed for another connection.
    held: oneshot::Sender<()>,
}

impl Lobby {
    /// Adds a connection, and removes another one if there are too many.
    pub(super) fn admit(&self, from: IpAddr) -> Seat {
        let mut seats = self.seats.lock().unwrap_or_else(PoisonError::into_inner);
        seats.retain(|seat| !seat.held.is_closed());
        let of = |from: IpAddr| seats.iter().filter(|seat| seat.from == from).count();
        let crowded = if of(from) >= MOST_OF_ONE {
            Some(from)
        } else if seats.len() >= MOST {
            // `max_by_key` returns the last maximum, which in reverse order is the address that has waited longest.
            seats.iter().rev().map(|seat| seat.from).max_by_key(|from| of(*from))
        } else {
            None
        };
        if let Some(oldest) = crowded.and_then(|from| seats.iter().position(|seat| seat.from == from)) {
            seats.remove(oldest);
        }
        let (held, seat) = oneshot::channel();
        seats.push_back(Taken { from, held });
        Seat(seat)
    }
}

impl Seat {
    /// Waits until the entry is removed for another connection.
    pub(super) async fn lost(&mut self) {
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

    fn is_lost(seat: &mut Seat) -> bool {
        seat.0.try_recv() == Err(oneshot::error::TryRecvError::Closed)
    }

    fn lost(seats: &mut [Seat]) -> Vec<usize> {
        seats.iter_mut().enumerate().filter_map(|(number, seat)| is_lost(seat).then_some(number)).collect()
    }

    #[test]
    fn an_address_with_its_share_loses_its_own_oldest() {
        let lobby = Lobby::default();
        let mut other = lobby.admit(address(1));
        let mut crowd: Vec<Seat> = (0..MOST_OF_ONE).map(|_| lobby.admit(CROWD)).collect();
        assert_eq!(lost(&mut crowd), [0usize; 0]);
        crowd.extend([lobby.admit(CROWD), lobby.admit(CROWD)]);
        assert_eq!(lost(&mut crowd), [0, 1]);
        assert!(!is_lost(&mut other));
    }

    #[test]
    fn a_full_table_loses_the_oldest_of_who_holds_the_most() {
        let lobby = Lobby::default();
        let mut few: Vec<Seat> = (0..MOST - MOST_OF_ONE).map(|number| lobby.admit(address(number as u8))).collect();
        let mut crowd: Vec<Seat> = (0..MOST_OF_ONE).map(|_| lobby.admit(CROWD)).collect();
        let mut late = lobby.admit(address(255));
        assert_eq!(lost(&mut crowd), [0]);
        assert_eq!(lost(&mut few), [0usize; 0]);
        assert!(!is_lost(&mut late));
    }

    #[test]
    fn with_one_connection_for_every_address_the_oldest_goes() {
        let lobby = Lobby::default();
        let from = |number: usize| IpAddr::V4(Ipv4Addr::from_bits(number as u32));
        let mut seats: Vec<Seat> = (0..=MOST).map(|number| lobby.admit(from(number))).collect();
        assert_eq!(lost(&mut seats), [0]);
    }

    #[test]
    fn who_has_logged_in_takes_no_place() {
        let lobby = Lobby::default();
        let mut waiting = lobby.admit(CROWD);
        for _ in 0..2 * MOST_OF_ONE {
            drop(lobby.admit(CROWD));
        }
        assert!(!is_lost(&mut waiting));
    }
}
