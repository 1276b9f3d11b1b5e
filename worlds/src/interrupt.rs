//! Ending a run from outside, between two actions.

use tokio::sync::watch;

/// A request to end, shared by whoever asks (a signal handler) and the loop that obeys.
#[derive(Clone, Debug)]
pub struct Interrupt(watch::Sender<bool>);

impl Default for Interrupt {
    fn default() -> Self {
        Self(watch::Sender::new(false))
    }
}

impl Interrupt {
    /// Nothing requested yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the loop to end before its next action. Safe from any thread, any number of times.
    pub fn request(&self) {
        self.0.send_replace(true);
    }

    /// Whether it was asked.
    pub fn requested(&self) -> bool {
        *self.0.borrow()
    }

    /// Completes once it is asked.
    pub async fn wait(&self) {
        // The sender lives in `self`, so the channel cannot close while this waits.
        let _ = self.0.subscribe().wait_for(|requested| *requested).await;
    }
}
