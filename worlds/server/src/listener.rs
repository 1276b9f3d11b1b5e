//! Accepts connections.

use std::time::Duration;

use tokio::net::TcpListener;

use super::connection::{self, ConnectionContext};

/// Accepts connections until the task is aborted, and serves each on a task of its own.
pub(super) async fn listen(listener: TcpListener, context: ConnectionContext) {
    loop {
        let (stream, from) = match listener.accept().await {
            Ok(accepted) => accepted,
            Err(error) => {
                // A temporary failure, such as too many open files.
                tracing::warn!("a connection could not be accepted: {error}");
                tokio::time::sleep(Duration::from_millis(100)).await;
                continue;
            }
        };
        let Ok(place) = context.connections.clone().try_acquire_owned() else {
            tracing::debug!("{from}: there are too many connections");
            continue;
        };
        let context = context.clone();
        tokio::spawn(async move {
            let _place = place;
            if let Err(end) = connection::serve(stream, context).await {
                tracing::debug!("{from}: {end}");
            }
        });
    }
}
