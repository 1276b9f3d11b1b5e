//! The step in flight, kept in the store so that a crash does not lose it.
//!
//! A world that runs by itself may hold items of the bot when the program is killed, such as an ore in a furnace.
//! Before the world hands over an item, it stores its progress together with the current step. The resumed run
//! continues that step.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ltlcrit_store::{InFlight, RunId, Store, StoreError};
use ltlcrit_worlds::{Progress, Recorder};

/// The step in flight, shared by the loop and the world. The loop begins and ends the step; the world reports its
/// progress.
#[derive(Clone)]
pub(super) struct InFlightStep(Arc<Mutex<State>>);

struct State {
    /// The store; `None` for a run in memory, which cannot be resumed.
    store: Option<Store>,
    run: RunId,
    step: Option<InFlight>,
    /// True if the store may hold a record of the step.
    stored: bool,
    error: Option<StoreError>,
}

impl InFlightStep {
    /// Creates the state before the first step.
    pub fn new(store: Option<&Store>, run: RunId) -> Self {
        let (store, step, stored, error) = (store.cloned(), None, false, None);
        Self(Arc::new(Mutex::new(State { store, run, step, stored, error })))
    }

    /// Begins a step.
    pub fn begin(&self, step: InFlight) {
        self.lock().step = Some(step);
    }

    /// Returns the callback that receives the world's progress.
    pub fn recorder(&self) -> Recorder {
        let step = self.clone();
        Arc::new(move |progress| step.lock().note(progress))
    }

    /// Ends the step, which is now in the store. Keeps its in-flight record if it left something behind in the world.
    ///
    /// # Errors
    /// Returns the store's error, from now or from storing the world's progress.
    pub fn finish(&self) -> Result<(), StoreError> {
        let mut state = self.lock();
        if let Some(error) = state.error.take() {
            return Err(error);
        }
        let left = state.step.take().filter(|step| step.progress.as_ref().is_some_and(|it| it.left_behind.is_some()));
        let stored = std::mem::take(&mut state.stored);
        match (&state.store, left) {
            (Some(store), Some(step)) => {
                store.set_in_flight(state.run, &step)?;
                state.stored = stored;
                Ok(())
            }
            (Some(store), None) if stored => store.clear_in_flight(state.run),
            _ => Ok(()),
        }
    }

    /// Loads the step in flight from the store.
    pub fn resume(&self) -> Result<Option<InFlight>, StoreError> {
        let mut state = self.lock();
        let found = state.store.as_ref().map_or(Ok(None), |store| store.in_flight(state.run))?;
        state.stored = found.is_some();
        Ok(found)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Stores the world's progress. Returns `false` if the store failed.
    fn note(&mut self, progress: &Progress) -> bool {
        let Some(step) = &mut self.step else { return true };
        step.progress = Some(progress.clone());
        if progress.action.is_none() {
            // The action has ended: its step is about to be stored.
            return true;
        }
        let Some(store) = &self.store else { return true };
        self.stored = true;
        match store.set_in_flight(self.run, step) {
            Ok(()) => true,
            Err(error) => {
                self.error = Some(error);
                false
            }
        }
    }
}
