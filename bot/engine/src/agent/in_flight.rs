//! The step in flight, kept in the store so that a crash does not lose it.
//!
//! A world that runs by itself may hold items of the bot when the program is killed, such as an ore in a furnace.
//! Before the world hands an item over, its progress is stored with the step being taken. The resumed run continues
//! that step.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ltlcrit_store::{InFlight, RunId, Store, StoreError};
use ltlcrit_worlds::{Progress, Recorder};

/// The step in flight, shared by the loop, which begins and ends it, and the world, which reports its progress.
#[derive(Clone)]
pub(super) struct InFlightStep(Arc<Mutex<State>>);

struct State {
    /// The store; `None` for a run that is kept in memory, which is never resumed.
    store: Option<Store>,
    run: RunId,
    step: Option<InFlight>,
    /// Whether the store may hold a record of it.
    stored: bool,
    error: Option<StoreError>,
}

impl InFlightStep {
    /// No step is in flight yet.
    pub fn new(store: Option<&Store>, run: RunId) -> Self {
        let (store, step, stored, error) = (store.cloned(), None, false, None);
        Self(Arc::new(Mutex::new(State { store, run, step, stored, error })))
    }

    /// A step begins.
    pub fn begin(&self, step: InFlight) {
        self.lock().step = Some(step);
    }

    /// The callback that receives the progress of the world.
    pub fn recorder(&self) -> Recorder {
        let step = self.clone();
        Arc::new(move |progress| step.lock().note(progress))
    }

    /// Ends the step, which is in the store. Its record stays if it left something behind in the world.
    ///
    /// # Errors
    /// The store failed, now or while storing the world's progress.
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
    /// Stores the world's progress; `false` if the store failed.
    fn note(&mut self, progress: &Progress) -> bool {
        let Some(step) = &mut self.step else { return true };
        step.progress = Some(progress.clone());
        if progress.action.is_none() {
            // The action is over: its step is about to be stored.
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
