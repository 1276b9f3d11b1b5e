//! Lets clients in.

use std::time::Duration;

use tokio::net::TcpListener;

use super::connection::{self, Gate};

/// Accepts connections for ever.
pub(super) async fn listen(listener: TcpListener, gate: Gate) {
    loop {
        let (stream, from) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                // Too many open files, for instance; it passes.
                tracing::warn!("a connection could not be accepted: {error}");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let seat = gate.lobby.admit(from.ip());
        let gate = gate.clone();
        tokio::spawn(async move {
            if let Err(ending) = connection::serve(stream, from, seat, gate).await {
                tracing::debug!("{from}: {ending}");
            }
        });
    }
}
