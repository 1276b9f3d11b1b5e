//! Ending a run from outside, between two actions.

use tokio::sync::watch;

/// A request to end a run, shared by the requester (a signal handler) and the loop.
#[derive(Clone, Debug)]
pub struct Interrupt(watch::Sender<bool>);

impl Default for Interrupt {
    fn default() -> Self {
        Self(watch::Sender::new(false))
    }
}

impl Interrupt {
    /// An interrupt without a request.
    pub fn new() -> Self {
        Self::default()
    }

    /// Requests that the loop ends before its next action. Any thread may call this, any number of times.
    pub fn request(&self) {
        self.0.send_replace(true);
    }

    /// Returns whether the end has been requested.
    pub fn requested(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until the end is requested.
    pub async fn wait(&self) {
        // The sender lives in `self`, so the channel cannot close while this waits.
        let _ = self.0.subscribe().wait_for(|requested| *requested).await;
    }
}
