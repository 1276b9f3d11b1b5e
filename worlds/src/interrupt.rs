//! Ending a run from outside, between two actions.

use tokio::sync::watch;

/// A request to end, shared by those who request (a signal handler) and the loop that ends.
#[derive(Clone, Debug)]
pub struct Interrupt(watch::Sender<bool>);

impl Default for Interrupt {
    fn default() -> Self {
        Self(watch::Sender::new(false))
    }
}

impl Interrupt {
    /// No request yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Requests that the loop ends before its next action. Any thread may call this any number of times.
    pub fn request(&self) {
        self.0.send_replace(true);
    }

    /// Whether the end has been requested.
    pub fn requested(&self) -> bool {
        *self.0.borrow()
    }

    /// Completes once the end is requested.
    pub async fn wait(&self) {
        // The sender lives in `self`, so the channel cannot close while this waits.
        let _ = self.0.subscribe().wait_for(|requested| *requested).await;
    }
}
