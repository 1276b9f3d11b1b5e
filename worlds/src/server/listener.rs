//! Lets clients in.

use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::sync::Semaphore;

use super::connection::{self, Gate};

/// How many connections there may be for every player that fits in, and besides: status requests and logins.
const SPARE: usize = 32;

/// Accepts connections for ever.
pub(super) async fn listen(listener: TcpListener, gate: Gate) {
    let places = Arc::new(Semaphore::new(gate.options.max_players + SPARE));
    loop {
        let (stream, from) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                // Too many open files, for instance; it passes.
                tracing::warn!("a connection could not be accepted: {error}");
                tokio::time::sleep(std::time::Duration::from_millis(100)).await;
                continue;
            }
        };
        let Ok(place) = places.clone().try_acquire_owned() else {
            tracing::warn!("too many connections: {from} is turned away");
            continue;
        };
        let gate = gate.clone();
        tokio::spawn(async move {
            let _place = place;
            if let Err(ending) = connection::serve(stream, gate).await {
                tracing::debug!("{from}: {ending}");
            }
        });
    }
}
