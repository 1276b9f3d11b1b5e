//! Runs read over a vocabulary with other derived observations.

use std::sync::Arc;

use ltlcrit_store::{Durability, RunId, RunManifest, StepRecord, Store, StoreError, Translator, VocabularyRecord};
use ltlcrit_verifier::{ActionId, Axiom, Letter, PropSet, Proposition, Vocabulary, syntax};
use ltlcrit_worlds::{DerivedObservations, Details, Observation};
use serde_json::json;

use crate::common::{manifest, step, vocabulary};

fn logs(number: u32) -> Proposition {
    let definition = format!("inventory[*_log] >= {number}");
    Proposition::derived(format!("obs_has_{number}x_log"), definition.parse().unwrap(), None)
}

fn deriving(thresholds: &[u32]) -> Arc<Vocabulary> {
    Arc::new(vocabulary().extended(thresholds.iter().map(|number| logs(*number))).unwrap())
}

/// Writes a run that carries one more log after every step, under a vocabulary.
fn run_of(store: &Store, vocabulary: &Arc<Vocabulary>) -> (RunManifest, Vec<StepRecord>) {
    let mut manifest = RunManifest { vocabulary: VocabularyRecord::of(vocabulary), ..manifest() };
    let run = store.begin(&mut manifest).unwrap();
    let derived = DerivedObservations::of(vocabulary);
    let base = vocabulary.set(["obs_door_open"]).unwrap();
    let observe = |number: u64| {
        let details: Details =
            serde_json::from_value(json!({ "kind": "woods", "inventory": { "oak_log": number, "dirt": 9 } })).unwrap();
        Observation { holds: derived.complete(&base, &details), details }
    };
    let steps = (0..4).map(|number| {
        let observation = observe(number);
        let letter = match number {
            0 => Letter::initial(observation.holds),
            _ => Letter::after(vocabulary, ActionId(0), observation.holds),
        };
        let first_seen = (number == 2).then(|| observe(1));
        StepRecord { observation, letter, first_seen, ..step(number) }
    });
    let steps: Vec<StepRecord> = steps.collect();
    for step in &steps {
        store.append_step(run, step, Durability::EachEpisode).unwrap();
    }
    (manifest, steps)
}

/// A translated run equals the run that would have been recorded under the target vocabulary.
#[test]
fn a_run_reads_over_a_vocabulary_as_if_it_had_been_under_it() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path().join("store")).unwrap();
    let vocabularies = [&[][..], &[2], &[3, 1], &[1, 2, 3]].map(deriving);
    let runs: Vec<_> = vocabularies.iter().map(|vocabulary| run_of(&store, vocabulary)).collect();
    for (to, (_, expected)) in vocabularies.iter().zip(&runs) {
        let translator = Translator::new(to.clone());
        for (manifest, _) in &runs {
            let stored = store.manifest(manifest.run).unwrap();
            assert_eq!(stored.vocabulary, manifest.vocabulary);
            let translation = translator.translation(&stored.vocabulary).unwrap();
            let read: Vec<StepRecord> =
                store.steps(stored.run).map(|step| translation.step(stored.run, step.unwrap()).unwrap()).collect();
            assert_eq!(&read, expected);
            let transitions: Vec<_> = store.transitions(stored.run, &translation).map(Result::unwrap).collect();
            let before: Vec<PropSet> = transitions.iter().map(|one| one.before).collect();
            assert_eq!(before, expected[..3].iter().map(|step| step.observation.holds).collect::<Vec<_>>());
            assert_eq!(store.transition(stored.run, 2, &translation).unwrap().as_ref(), transitions.get(1));
        }
    }
    assert!(store.verify().unwrap().is_sound());
}

#[test]
fn vocabularies_that_differ_in_more_are_not_compared() {
    let translator = Translator::new(deriving(&[2]));
    let of = |vocabulary: &Vocabulary| translator.translation(&VocabularyRecord::of(vocabulary));
    assert!(of(&vocabulary()).is_some());
    let other = Vocabulary::builder("door").observation("obs_door_open").action("action_open").build().unwrap();
    assert!(of(&other).is_none() && of(&other.extended([logs(2)]).unwrap()).is_none());
    let mut unreadable = VocabularyRecord::of(&vocabulary());
    unreadable.axioms.push("(".to_owned());
    assert!(translator.translation(&unreadable).is_none());
}

/// The definition identifies an observation, not its name.
#[test]
fn a_definition_counts_not_a_name() {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path().join("store")).unwrap();
    let renamed = Proposition { name: "obs_has_2x_log".into(), ..logs(3) };
    let theirs = Arc::new(vocabulary().extended([renamed]).unwrap());
    let (manifest, _) = run_of(&store, &theirs);
    let ours = deriving(&[2]);
    let translation = Translator::new(ours.clone()).translation(&manifest.vocabulary).unwrap();
    let holding = store.steps(RunId(1)).map(|step| {
        let holds = translation.step(RunId(1), step.unwrap()).unwrap().observation.holds;
        ours.names(&holds).contains(&"obs_has_2x_log")
    });
    assert_eq!(holding.collect::<Vec<_>>(), [false, false, true, true]);
}

/// The axiom requires an open door whenever somebody is inside. Step 2 of the run breaks it.
#[test]
fn a_stored_state_that_breaks_an_axiom_is_an_error() {
    let axiom = Axiom::new(syntax::parse_infix("obs_inside -> obs_door_open").unwrap()).because("The door stays open.");
    let names = |all: &[Proposition]| all.iter().map(|one| one.name.clone()).collect::<Vec<_>>();
    let plain = vocabulary();
    let with = Vocabulary::builder("door")
        .observations(names(plain.observations()))
        .actions(names(plain.actions()))
        .axiom(axiom)
        .build()
        .unwrap();
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(directory.path().join("store")).unwrap();
    for seen_first in [false, true] {
        let mut manifest = RunManifest { vocabulary: VocabularyRecord::of(&with), ..manifest() };
        let run = store.begin(&mut manifest).unwrap();
        for number in 0..4 {
            let mut record = step(number);
            if number == 2 {
                let broken = Observation { holds: with.set(["obs_inside"]).unwrap(), ..record.observation.clone() };
                match seen_first {
                    true => record.first_seen = Some(broken),
                    false => {
                        record.letter = Letter::after(&with, ActionId(0), broken.holds);
                        record.observation = broken;
                    }
                }
            }
            store.append_step(run, &record, Durability::EachEpisode).unwrap();
        }
        for vocabulary in [with.clone(), with.extended([logs(1)]).unwrap()] {
            let translation = Translator::new(Arc::new(vocabulary)).translation(&manifest.vocabulary).unwrap();
            let said = |error: Option<StoreError>| error.map(|error| error.to_string()).unwrap();
            let expected = format!(
                "run {run} step 2 breaks the axiom `obs_inside -> obs_door_open` (The door stays open) of the vocabulary \
                 `door`: the axiom is false in this world, and no proof that relies on it holds; correct the axiom and \
                 check the laws again"
            );
            assert_eq!(said(store.transitions(run, &translation).find_map(Result::err)), expected);
            assert_eq!(said(store.transition(run, 2, &translation).err()), expected);
            assert!(store.transition(run, 1, &translation).unwrap().is_some());
        }
        // It can still be read as it is stored.
        assert_eq!(store.steps(run).filter(Result::is_ok).count(), 4);
    }
    let problems: Vec<String> = store.verify().unwrap().problems.iter().map(ToString::to_string).collect();
    let problem = |run: u64| {
        format!(
            "steps {run}/2: the letter breaks the axiom `obs_inside -> obs_door_open` (The door stays open) of the run's \
             vocabulary"
        )
    };
    assert_eq!(problems, [problem(1), problem(2)]);
}
