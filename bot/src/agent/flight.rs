//! The step in flight, kept where a crash does not lose it.
//!
//! A world that goes on by itself may hold things of ours when the program is killed: an ore in a furnace. Before it gives
//! anything away, it has its progress stored with the step being taken. The resumed run takes that step up again.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ltlcrit_store::{InFlight, RunId, Store, StoreError};
use ltlcrit_worlds::{Progress, Recorder};

/// The step in flight, shared by the loop, which begins and ends it, and the world, which tells how far it is.
#[derive(Clone)]
pub(super) struct Flight(Arc<Mutex<State>>);

struct State {
    store: Store,
    run: RunId,
    step: Option<InFlight>,
    /// Whether the store may hold something of it.
    stored: bool,
    error: Option<StoreError>,
}

impl Flight {
    /// A step of which nothing is in flight yet.
    pub fn new(store: &Store, run: RunId) -> Self {
        let (store, step, stored, error) = (store.clone(), None, false, None);
        Self(Arc::new(Mutex::new(State { store, run, step, stored, error })))
    }

    /// A step begins.
    pub fn begin(&self, step: InFlight) {
        self.lock().step = Some(step);
    }

    /// Receives the progress of the world.
    pub fn recorder(&self) -> Recorder {
        let flight = self.clone();
        Arc::new(move |progress| flight.lock().note(progress))
    }

    /// The step is in the store. What it has left behind stays known.
    ///
    /// # Errors
    /// The store failed, now or when the world's progress was to be stored.
    pub fn landed(&self) -> Result<(), StoreError> {
        let mut state = self.lock();
        if let Some(error) = state.error.take() {
            return Err(error);
        }
        let left = state.step.take().filter(|step| step.progress.as_ref().is_some_and(|it| it.left_behind.is_some()));
        match left {
            Some(step) => state.store.set_in_flight(state.run, &step),
            None if std::mem::take(&mut state.stored) => state.store.clear_in_flight(state.run),
            None => Ok(()),
        }
    }

    /// Takes up what the store holds.
    pub fn resume(&self) -> Result<Option<InFlight>, StoreError> {
        let mut state = self.lock();
        let found = state.store.in_flight(state.run)?;
        state.stored = found.is_some();
        Ok(found)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Takes note of the world's progress; `false` if it could not be stored.
    fn note(&mut self, progress: &Progress) -> bool {
        let Some(step) = &mut self.step else { return true };
        step.progress = Some(progress.clone());
        if progress.action.is_none() {
            // The action is over: its step is about to be stored.
            return true;
        }
        self.stored = true;
        match self.store.set_in_flight(self.run, step) {
            Ok(()) => true,
            Err(error) => {
                self.error = Some(error);
                false
            }
        }
    }
}
