//! Missing features: observations that the vocabulary lacks.
//!
//! A law cannot express a condition that the propositions do not (LTLCrit section 6). Such a condition shows in *mixed*
//! states. The same observations held there, and the same action was bad in some [trials](crate::evidence) and had a gain
//! in others. No law may block it there.
//!
//! **The algorithm.** A candidate compares a [quantity](Measurements::quantities) of the full observation with a
//! number. It *separates* a mixed state if it held before no trial there with a gain. Its weight is the number of
//! worlds with bad trials before which it held, over all mixed states that it separates. The candidate with the largest
//! weight that passes an exact test (`contrast`) is taken, and then the next one for the remaining bad trials. Each
//! becomes a derived observation, which is kept only with a law that the [gate](crate::admission) admits.
//!
//! A quantity that rises from each step of a run to the next, such as the time, is a clock. It separates earlier trials from
//! later ones whatever makes them differ, so it is left out.

mod contrast;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use contrast::{Contrast, MixedState, Place};
use ltlcrit_store::{RunId, Store, StoreError};
use ltlcrit_verifier::bits::CAPACITY;
use ltlcrit_verifier::{ActionId, Definition, PropSet, Proposition, Vocabulary};
use ltlcrit_worlds::Measurements;

use crate::evidence::{Trial, Trials};
use crate::graph::Citation;

/// The maximum number of observations that one critique derives. Each one makes the search for laws longer.
const MAX_DERIVED: usize = 6;
/// The maximum number of trials of mixed states that are compared.
const MAX_COMPARED: usize = 20_000;

/// Finds observations that distinguish bad trials from trials with a gain where the vocabulary does not. Each passes a
/// test at level `significance`, corrected for the number of candidates.
///
/// # Errors
/// The store cannot be read.
pub(crate) fn missing_observations(
    store: &Store,
    trials: &Trials,
    vocabulary: &Vocabulary,
    significance: f64,
) -> Result<Vec<Proposition>, StoreError> {
    let mixed = mixed_states(trials);
    let (compared, measured) = measure(store, mixed.values().flatten().copied())?;
    let actions: BTreeSet<ActionId> = mixed.keys().map(|(_, action)| *action).collect();
    let states = |action: ActionId| {
        let of_action = mixed.iter().filter(move |((_, other), _)| *other == action);
        let states = of_action.map(|(_, trials)| {
            let known = trials.iter().filter_map(|trial| Some((trial.is_bad(), *compared.get(&trial.step)?)));
            known.fold(MixedState::default(), |mut state, (is_bad, trial)| {
                if is_bad { &mut state.bad } else { &mut state.good }.push(trial);
                state
            })
        });
        states.collect::<Vec<_>>()
    };
    let measured = measured.quantities().into_iter().map(|quantity| (measured.values(&quantity), quantity));
    let quantities: Vec<_> = measured.filter(|(values, _)| !is_clock(values, &compared)).collect();
    let contrasts = |action| contrast::contrasts(states(action), &quantities, significance, MAX_DERIVED);
    let mut found: Vec<Contrast> = actions.into_iter().flat_map(contrasts).collect();
    found.sort_by_key(|contrast| std::cmp::Reverse(contrast.weight));
    Ok(derive(vocabulary, found.into_iter().map(|contrast| contrast.definition)))
}

/// Returns derived observations for the definitions that a vocabulary lacks, up to the maximum of one critique.
pub fn derive(vocabulary: &Vocabulary, definitions: impl IntoIterator<Item = Definition>) -> Vec<Proposition> {
    let room = MAX_DERIVED.min(CAPACITY.saturating_sub(vocabulary.propositions().len()));
    let mut derived: Vec<Proposition> = Vec::new();
    for definition in definitions {
        let is_known =
            vocabulary.derivations().chain(&derived).any(|one| one.definition.as_deref() == Some(&definition));
        if !is_known && derived.len() < room && reads_back(&definition) {
            let taken = |name: &str| vocabulary.id(name).is_some() || derived.iter().any(|one| *one.name == *name);
            derived.push(Proposition::derived(free_name(definition.name(), taken), definition, None));
        }
    }
    derived
}

/// Returns the trials in mixed states: the bad ones and those with a gain.
fn mixed_states(trials: &Trials) -> BTreeMap<(PropSet, ActionId), Vec<&Trial>> {
    let mut states: BTreeMap<(PropSet, ActionId), Vec<&Trial>> = BTreeMap::new();
    for trial in trials.all.iter().filter(|trial| trial.is_bad() || trial.brought_something()) {
        states.entry((trial.state, trial.action)).or_default().push(trial);
    }
    states.retain(|_, trials| {
        trials.iter().any(|trial| trial.is_bad()) && trials.iter().any(|trial| trial.brought_something())
    });
    states
}

/// The world of each trial, and the index of the full observation before it.
type Compared = BTreeMap<Citation, (Place, usize)>;

/// Reads the full observations before trials. Returns each trial's world and the index of its observation.
fn measure<'a>(store: &Store, trials: impl Iterator<Item = &'a Trial>) -> Result<(Compared, Measurements), StoreError> {
    let mut wanted: BTreeMap<RunId, BTreeSet<u32>> = BTreeMap::new();
    for trial in trials.take(MAX_COMPARED) {
        wanted.entry(trial.step.run).or_default().insert(trial.step.step);
    }
    let (mut compared, mut measured) = (BTreeMap::new(), Measurements::default());
    for (run, steps) in wanted {
        let world = store.manifest(run)?.world;
        let place = world.seed.filter(|_| world.deterministic).map_or(Place::Run(run), Place::Seed);
        for record in store.steps(run) {
            let record = record?;
            let step = u32::try_from(record.step).unwrap_or(u32::MAX).saturating_add(1);
            if steps.contains(&step) {
                compared.insert(Citation { run, step }, (place, measured.len()));
                measured.add(&record.observation.details);
            }
        }
    }
    Ok((compared, measured))
}

/// Returns whether a quantity with these values rises from each step of a run to the next.
fn is_clock(values: &[Option<f64>], compared: &Compared) -> bool {
    let pairs = compared.iter().zip(compared.iter().skip(1)).filter(|((one, _), (next, _))| one.run == next.run);
    let mut rises = pairs.map(|((_, (_, one)), (_, (_, next)))| {
        values[*one].zip(values[*next]).is_some_and(|(value, later)| value < later)
    });
    // Without two steps of a run nothing is known.
    rises.next() == Some(true) && rises.all(|rises| rises)
}

/// Returns whether a book can contain the definition: names in observations come from worlds.
fn reads_back(definition: &Definition) -> bool {
    definition.to_string().parse().is_ok_and(|read: Definition| read == *definition)
}

fn free_name(name: String, taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number: u32| format!("{name}_{number}"));
    std::iter::once(name.clone()).chain(numbered).find(|name| !taken(name)).unwrap_or_default()
}
