//! Effects of a law in stored runs: the steps that it cites, and those that it would have blocked or allowed.

use ltlcrit_laws::Evidence;
use ltlcrit_store::{RunId, Store, StoreError, Transition, Translator};
use ltlcrit_verifier::{Implied, PropSet, Vocabulary};
use serde::Serialize;

use crate::law::Restriction;

/// A stored step, as it speaks for or against a law.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Moment {
    /// The step.
    #[serde(flatten)]
    pub step: Evidence,
    /// The observations that held when the action was chosen.
    pub held: Vec<String>,
    /// The same without implied ones, for people.
    #[serde(skip)]
    pub telling: Vec<String>,
    /// The action.
    pub action: String,
    /// The reason of its failure, if it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// The world's message.
    pub message: String,
    /// True if the law's condition held; `None` for a law that is not of the form `G(phi_s -> X phi_a)`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition_held: Option<bool>,
}

impl Moment {
    /// A cited step; `None` if the store has no such step, or the run has another vocabulary.
    ///
    /// # Errors
    /// An unreadable record.
    pub fn read(
        store: &Store,
        cited: Evidence,
        law: Option<&Restriction>,
        translator: &Translator,
    ) -> Result<Option<Self>, StoreError> {
        let (run, vocabulary) = (RunId(cited.run), &**translator.vocabulary());
        let translation = match store.manifest(run) {
            Ok(manifest) => translator.translation(&manifest.vocabulary),
            Err(StoreError::NoSuchRun { .. }) => None,
            Err(error) => return Err(error),
        };
        let Some(translation) = translation else { return Ok(None) };
        let Some(transition) = store.transition(run, cited.step, &translation)? else { return Ok(None) };
        let Some(executed) = transition.step.executed else { return Ok(None) };
        let held = transition.before;
        let named = |set: &PropSet| vocabulary.names(set).into_iter().map(str::to_owned).collect();
        Ok(Some(Self {
            step: cited,
            held: named(&held),
            telling: named(&Implied::new(vocabulary).strongest_holding(&held)),
            action: vocabulary.action_name(executed.action).to_owned(),
            failure: executed.outcome.failure.map(|reason| reason.to_string()),
            message: executed.outcome.message,
            condition_held: law.map(|law| law.applies(&held, vocabulary)),
        }))
    }
}

/// The effect that a law of the form `G(phi_s -> X phi_a)` would have had in the stored runs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Hindsight {
    /// The number of steps before which the law's condition held.
    pub applied: u64,
    /// The number of those it would have blocked.
    pub blocked: u64,
    /// The number of blocked ones that failed.
    pub blocked_failed: u64,
    /// A step it would have blocked, one that failed if there is one.
    pub blocks: Option<Moment>,
    /// A step it would have allowed, one that did not fail if there is one.
    pub allows: Option<Moment>,
}

/// A step, and whether it is as good an example as there can be.
type Example = Option<(Evidence, bool)>;

/// A law's counts so far.
#[derive(Default)]
struct Count {
    hindsight: Hindsight,
    blocks: Example,
    allows: Example,
}

/// The effects that laws would have had in all stored runs that read over their vocabulary, stopping included; `read` is called after
/// every run.
///
/// # Errors
/// An unreadable record.
pub fn hindsight(
    store: &Store,
    laws: &[&Restriction],
    translator: &Translator,
    mut read: impl FnMut(),
) -> Result<Vec<Hindsight>, StoreError> {
    let mut counts: Vec<Count> = laws.iter().map(|_| Count::default()).collect();
    for manifest in store.runs() {
        let manifest = manifest?;
        if let Some(translation) = translator.translation(&manifest.vocabulary) {
            let transitions = store.transitions(manifest.run, &translation);
            count_run(transitions, manifest.run, laws, translator.vocabulary(), &mut counts)?;
        }
        read();
    }
    let finish = |(count, law): (Count, &&Restriction)| {
        let moment = |example: Example| match example {
            Some((step, _)) => Moment::read(store, step, Some(law), translator),
            None => Ok(None),
        };
        Ok(Hindsight { blocks: moment(count.blocks)?, allows: moment(count.allows)?, ..count.hindsight })
    };
    counts.into_iter().zip(laws).map(finish).collect()
}

fn count_run(
    transitions: impl Iterator<Item = Result<Transition, StoreError>>,
    run: RunId,
    laws: &[&Restriction],
    vocabulary: &Vocabulary,
    counts: &mut [Count],
) -> Result<(), StoreError> {
    for transition in transitions {
        let transition = transition?;
        let Some(executed) = &transition.step.executed else { continue };
        let failed = executed.outcome.failure.is_some();
        let here = Evidence { run: run.0, step: transition.step.step };
        for (law, count) in laws.iter().zip(&mut *counts) {
            let Some(blocked) = law.judge(&transition.before, executed.action, vocabulary) else { continue };
            count.hindsight.applied += 1;
            count.hindsight.blocked += u64::from(blocked);
            count.hindsight.blocked_failed += u64::from(blocked && failed);
            let (example, good) = if blocked { (&mut count.blocks, failed) } else { (&mut count.allows, !failed) };
            if example.is_none_or(|(_, best)| good && !best) {
                *example = Some((here, good));
            }
        }
    }
    Ok(())
}
