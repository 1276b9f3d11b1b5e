//! Effects over stored runs: what a stored step led to is among what the stored observation before it predicts.

use ltlcrit::actor::PromptedActor;
use ltlcrit::actor::simulated::{PersonaSet, PersonaSource};
use ltlcrit::agent::RunFacts;
use ltlcrit::config::Config;
use ltlcrit::setup::Books;
use ltlcrit::world::predict;
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld};
use ltlcrit_model::ChatModel as _;
use ltlcrit_store::{Limits, RunId};
use ltlcrit_verifier::{Letter, PropSet, syntax};
use ltlcrit_worlds::{DerivedObservations, Extended};

use crate::common::{Fixture, facts, simulated};
use crate::derived::{ENOUGH, Shelf};

const SEEDS: std::ops::Range<u64> = 1..4;

/// Runs a persona and stores the run.
fn play(fixture: &Fixture, name: &'static str, seed: u64, books: &Books, shielded: bool, max_steps: u64) -> RunId {
    let options = if seed.is_multiple_of(2) { EmbeddedOptions::compact() } else { EmbeddedOptions::default() };
    let world = EmbeddedWorld::new(seed, options);
    let world = Extended::new(world, books.vocabulary.derivations().cloned()).unwrap();
    let (kind, model) = (PersonaSource::Shipped(name).open().unwrap().actor, simulated(name, seed));
    let limits = Limits { max_steps, ..Limits::default() };
    let facts = RunFacts { seed, shielded, limits, model: model.info(), ..facts(books.laws.clone()) };
    let actor = PromptedActor::new(kind, model, Config::default().prompts());
    fixture.run(world, actor, RunFacts { books: books.records.clone(), ..facts }).run
}

/// Checks a stored run, from its records alone. Returns the number of steps checked.
fn what_was_stored_was_predicted(fixture: &Fixture, run: RunId) -> usize {
    let manifest = fixture.store.manifest(run).unwrap();
    let vocabulary = manifest.vocabulary.restore(syntax::parse_infix).unwrap();
    let derived = DerivedObservations::of(&vocabulary);
    let steps = fixture.steps(run);
    for pair in steps.windows(2) {
        let [before, after] = pair else { unreachable!() };
        let action = after.executed.as_ref().unwrap().action;
        let seen = &before.observation;
        // A resumed run may have replaced what it first saw after the action by what it found later.
        let holds = after.first_seen.as_ref().unwrap_or(&after.observation).holds;
        assert_eq!(after.letter, Letter::after(&vocabulary, action, after.observation.holds));
        let predicted = predict(&manifest.world, seen, action);
        let predicted = derived.leave_open(predicted, &seen.holds, action).unwrap();
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
            }
        }
    }
    assert!(steps > 1_000 && failed > 100, "{steps} {failed}");
}
