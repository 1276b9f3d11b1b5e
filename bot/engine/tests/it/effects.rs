//! Effects in stored runs: the result of each stored step is within the prediction from the observation before it.

use ltlcrit_engine::actor::PromptedActor;
use ltlcrit_engine::actor::simulated::{PersonaSet, PersonaSource};
use ltlcrit_engine::agent::RunFacts;
use ltlcrit_engine::config::Config;
use ltlcrit_engine::replay::{render, replay};
use ltlcrit_engine::setup::Books;
use ltlcrit_engine::world::of_kind;
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld};
use ltlcrit_model::ChatModel as _;
use ltlcrit_store::{Durability, Limits, RunId, StepRecord};
use ltlcrit_verifier::{Letter, PropSet};
use ltlcrit_worlds::{DerivedObservations, Extended};

use crate::common::{Fixture, facts, simulated};
use crate::derived::{ENOUGH, Shelf};

const SEEDS: std::ops::Range<u64> = 1..4;

/// Runs a persona and stores the run.
fn play(fixture: &Fixture, name: &'static str, seed: u64, books: &Books, shielded: bool, max_steps: u64) -> RunId {
    let options = if seed.is_multiple_of(2) { EmbeddedOptions::compact() } else { EmbeddedOptions::default() };
    let world = EmbeddedWorld::new(seed, options);
    let world = Extended::new(Box::new(world), books.vocabulary.derivations().cloned()).unwrap();
    let (kind, model) = (PersonaSource::Shipped(name).open().unwrap().actor, simulated(name, seed));
    let limits = Limits { max_steps, ..Limits::default() };
    let facts = RunFacts { seed, shielded, limits, model: model.info(), ..facts(books.laws.clone()) };
    let actor = PromptedActor::new(kind, model, Config::default().prompts());
    fixture.run(world, actor, RunFacts { books: books.records.clone(), ..facts }).run
}

/// Checks a stored run, from its records alone. Returns the number of steps checked.
fn what_was_stored_was_predicted(fixture: &Fixture, run: RunId) -> usize {
    let manifest = fixture.store.manifest(run).unwrap();
    let vocabulary = manifest.vocabulary.restore().unwrap();
    let derived = DerivedObservations::of(&vocabulary);
    let predict = of_kind(&manifest.world.kind).unwrap().predictor(&manifest.world).unwrap();
    let steps = fixture.steps(run);
    for pair in steps.windows(2) {
        let [before, after] = pair else { unreachable!() };
        let action = after.executed.as_ref().unwrap().action;
        let seen = &before.observation;
        // A resumed run may have replaced its first observation after the action by a later one.
        let holds = after.first_seen.as_ref().unwrap_or(&after.observation).holds;
        assert_eq!(after.letter, Letter::after(&vocabulary, action, after.observation.holds));
        let predicted = derived.outlook(predict.outlook(seen), seen).predict(action).unwrap();
        let names = |set: PropSet| vocabulary.names(&set).join(", ");
        assert!(
            predicted.allows(&holds),
            "{} of seed {} ({}), step {}: {} led to what was not predicted\nunpredicted: {}\npredicted, and missing: \
             {}\nbefore: {}\nafter: {}",
            manifest.model.name,
            manifest.seed,
            if manifest.shielded { "shielded" } else { "unshielded" },
            after.step,
            vocabulary.action_name(action),
            names(holds.difference(&predicted.may)),
            names(predicted.must.difference(&holds)),
            names(seen.holds),
            names(holds),
        );
    }
    steps.len() - 1
}

#[test]
fn what_stored_runs_led_to_was_predicted() {
    let (shelf, fixture) = (Shelf::new(), Fixture::new());
    shelf.put("enough.toml", ENOUGH);
    let (without, with) = (shelf.open(&[]).unwrap(), shelf.open(&["enough.toml"]).unwrap());
    let (mut steps, mut failed) = (0, 0);
    for name in PersonaSource::names() {
        if PersonaSource::Shipped(name).open().unwrap().set == PersonaSet::HeldOut {
            continue;
        }
        for seed in SEEDS {
            for shielded in [true, false] {
                // Half of the runs have a derived observation.
                let books = if shielded { &with } else { &without };
                let run = play(&fixture, name, seed, books, shielded, 60);
                steps += what_was_stored_was_predicted(&fixture, run);
                let executed = fixture.steps(run).into_iter().filter_map(|step| step.executed);
                failed += executed.filter(|executed| !executed.outcome.succeeded()).count();
                // Replay finds the same predictions.
                let replayed = replay(&fixture.store, run, None).unwrap();
                assert_eq!(replayed.counts.unpredicted, 0, "{}", render(&replayed, false));
            }
        }
    }
    assert!(steps > 1_000 && failed > 100, "{steps} {failed}");
}

/// Copies a run and changes the result of its last step.
fn with_another_end(fixture: &Fixture, run: RunId, change: impl FnOnce(&mut StepRecord)) -> RunId {
    let mut manifest = fixture.store.manifest(run).unwrap();
    let mut steps = fixture.steps(run);
    change(steps.last_mut().unwrap());
    let copy = fixture.store.begin(&mut manifest).unwrap();
    for step in &steps {
        fixture.store.append_step(copy, step, Durability::EachEpisode).unwrap();
    }
    copy
}

#[test]
fn replay_tells_what_was_not_predicted() {
    let (shelf, fixture) = (Shelf::new(), Fixture::new());
    shelf.put("enough.toml", ENOUGH);
    let books = shelf.open(&["enough.toml"]).unwrap();
    let run = play(&fixture, "careful", 1, &books, true, 5);
    let [log, diamond, five] =
        ["obs_has_log", "obs_has_diamond", "obs_has_5x_log"].map(|name| books.vocabulary.id(name).unwrap());
    let set = |record: &mut StepRecord, holds: PropSet| {
        record.observation.holds = holds;
        record.letter = Letter::after(&books.vocabulary, record.executed.as_ref().unwrap().action, holds);
    };
    let last = fixture.steps(run).pop().unwrap();
    assert!(last.observation.holds.contains(log) && last.executed.as_ref().unwrap().outcome.succeeded());
    let holds = last.observation.holds.difference(&PropSet::one(log)).union(&PropSet::one(diamond));
    let judged = |run| replay(&fixture.store, run, None).unwrap();

    let wrong = judged(with_another_end(&fixture, run, |record| set(record, holds)));
    assert_eq!(wrong.counts.unpredicted, 1);
    let unpredicted = wrong.steps.last().unwrap().unpredicted.as_ref().unwrap();
    assert_eq!(unpredicted.literals, ["obs_has_diamond", "!obs_has_log"]);
    insta::assert_snapshot!(render(&wrong, false));

    // A later observation of a resumed run is not the outcome of the action.
    let moved_on = with_another_end(&fixture, run, |record| {
        record.first_seen = Some(record.observation.clone());
        set(record, holds);
    });
    assert_eq!(judged(moved_on).counts.unpredicted, 0);

    // A single action does not yield five logs.
    let derived = with_another_end(&fixture, run, |record| {
        let holds = record.observation.holds.union(&PropSet::one(five));
        set(record, holds);
    });
    let derived = judged(derived);
    assert_eq!(derived.steps.last().unwrap().unpredicted.as_ref().unwrap().literals, ["obs_has_5x_log"]);
}
