//! Stored steps with the state before each, for checks by laws that were not in force.

use ltlcrit_verifier::PropSet;

use super::{RunId, StepRecord, Store, StoreError, Translation};

/// A stored step and the state before it.
#[derive(Clone, Debug, PartialEq)]
pub struct Transition {
    /// The observations at the choice of the action.
    pub before: PropSet,
    /// The step.
    pub step: StepRecord,
}

impl Store {
    /// Returns the steps of a run after step 0, translated and in order, each with the state before it. An unreadable
    /// record, or a state that breaks an axiom, is an error in its place.
    pub fn transitions(
        &self,
        run: RunId,
        translation: &Translation,
    ) -> impl Iterator<Item = Result<Transition, StoreError>> + use<> {
        let translation = translation.clone();
        let steps = self.steps(run).map(move |step| translation.step(run, step?));
        with_state_before(steps)
    }

    /// Returns one step with the state before it, translated; `None` for step 0 and for a step that is not stored.
    ///
    /// # Errors
    /// An unreadable record, or a state that breaks an axiom.
    pub fn transition(
        &self,
        run: RunId,
        step: u64,
        translation: &Translation,
    ) -> Result<Option<Transition>, StoreError> {
        let Some(before) = step.checked_sub(1).and_then(|before| usize::try_from(before).ok()) else { return Ok(None) };
        let steps = self.steps(run).skip(before).map(|step| translation.step(run, step?));
        with_state_before(steps).next().transpose()
    }
}

fn with_state_before(
    steps: impl Iterator<Item = Result<StepRecord, StoreError>>,
) -> impl Iterator<Item = Result<Transition, StoreError>> {
    let mut state = None;
    steps.filter_map(move |step| match step {
        Ok(step) => {
            let before = state.replace(step.observation.holds);
            before.map(|before| Ok(Transition { before, step }))
        }
        Err(error) => {
            state = None;
            Some(Err(error))
        }
    })
}
