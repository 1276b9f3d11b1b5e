//! Derived observations from the book to the shield, and in runs stored before the definition existed.

use std::path::PathBuf;
use std::sync::Arc;

use ltlcrit_critic::admission::{Gate, GateRuns, Staging};
use ltlcrit_critic::change::{GateRuling, LawSource, Proposal, ProposedFormula};
use ltlcrit_critic::critique::Critic;
use ltlcrit_critic::evidence::{Objective, Trial};
use ltlcrit_critic::graph::TrajectoryGraph;
use ltlcrit_critic::hindsight::hindsight;
use ltlcrit_critic::law::Restriction;
use ltlcrit_engine::actor::{ActorKind, PromptedActor};
use ltlcrit_engine::agent::{AgentError, Interrupt, RunFacts, RunSummary, Silent};
use ltlcrit_engine::audit::{Auditor, Played};
use ltlcrit_engine::books::{BookWatch, NewLaws as _};
use ltlcrit_engine::config::{Config, RunConfig};
use ltlcrit_engine::replay::{OtherLaws, render, replay};
use ltlcrit_engine::setup::{self, Books, SetupError};
use ltlcrit_engine::world::{self, WorldName};
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld, MinecraftObservation, vocabulary};
use ltlcrit_store::{End, Limits, StepRecord, Translator};
use ltlcrit_verifier::{Fallback, LawId, Proposition};
use ltlcrit_worlds::{Extended, Observation};

use crate::common::{Fixture, facts, simulated};

pub const ENOUGH: &str = r#"name = "enough"
vocabulary = "minecraft"
revision = 1

[[proposition]]
name = "obs_has_5x_log"
definition = "inventory[*_log] >= 5"
meaning = "carries at least five logs"

[[law]]
id = "five-logs"
formula = "G(obs_has_5x_log -> X !action_mine_log)"
strength = "soft"
explanation = "Five logs are enough for everything up to the diamond."
status = "adopted"
provenance = { origin = "hand" }
"#;

const SEEDS: std::ops::Range<u64> = 1..5;

/// A directory with books.
pub struct Shelf(tempfile::TempDir);

impl Shelf {
    pub fn new() -> Self {
        Self(ltlcrit_store::scratch::directory().unwrap())
    }

    pub fn put(&self, name: &str, text: &str) -> String {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Opens the hard laws of Minecraft and other books.
    pub fn open(&self, names: &[&str]) -> Result<Books, SetupError> {
        let names = std::iter::once("minecraft-hard".to_owned()).chain(names.iter().map(|name| {
            let path = self.path(name);
            path.display().to_string()
        }));
        setup::books(&names.collect::<Vec<_>>(), &vocabulary())
    }
}

fn world(seed: u64, books: &Books) -> Extended {
    let world = EmbeddedWorld::new(seed, EmbeddedOptions::default());
    Extended::new(Box::new(world), books.vocabulary.derivations().cloned()).unwrap()
}

fn hoarder(seed: u64) -> PromptedActor<ltlcrit_engine::actor::simulated::Simulated> {
    PromptedActor::new(ActorKind::InnerMonologue, simulated("hoarder", seed), Config::default().prompts())
}

fn facts_of(books: &Books, seed: u64) -> RunFacts {
    let limits = Limits { max_steps: 60, ..Limits::default() };
    RunFacts { seed, books: books.records.clone(), limits, ..facts(books.laws.clone()) }
}

fn run(fixture: &Fixture, seed: u64, books: &Books) -> RunSummary {
    fixture.run(world(seed, books), hoarder(seed), facts_of(books, seed))
}

fn logs(observation: &Observation) -> u32 {
    let full: MinecraftObservation = observation.details.get().unwrap();
    full.inventory.iter().filter(|(item, _)| item.ends_with("_log")).map(|(_, count)| count).sum()
}

/// Returns the steps of a run that mined a log while five were carried.
fn hoarding(steps: &[StepRecord]) -> Vec<u64> {
    let mine = vocabulary().action("action_mine_log");
    let pairs = steps.windows(2).filter(|pair| {
        logs(&pair[0].observation) >= 5 && pair[1].executed.as_ref().map(|executed| executed.action) == mine
    });
    pairs.map(|pair| pair[1].step).collect()
}

#[test]
fn no_log_is_mined_while_five_are_carried() {
    let (shelf, fixture) = (Shelf::new(), Fixture::new());
    shelf.put("enough.toml", ENOUGH);
    let (without, with) = (shelf.open(&[]).unwrap(), shelf.open(&["enough.toml"]).unwrap());
    let derived = with.vocabulary.id("obs_has_5x_log").unwrap();
    let (mut hoarded, mut blocked) = (0, 0);
    for seed in SEEDS {
        hoarded += hoarding(&fixture.steps(run(&fixture, seed, &without).run)).len();
        let summary = run(&fixture, seed, &with);
        let steps = fixture.steps(summary.run);
        assert_eq!(hoarding(&steps), [0; 0], "seed {seed}");
        for step in &steps {
            assert_eq!(step.observation.holds.contains(derived), logs(&step.observation) >= 5);
            assert_eq!(step.letter.holds(derived), step.observation.holds.contains(derived));
            let of_law = |it: &&ltlcrit_store::ProposalRecord| matches!(&it.ruling, ltlcrit_store::Ruling::Blocked { laws, .. } if laws[..] == [LawId::from("five-logs")]);
            blocked += step.proposals.iter().filter(of_law).count();
        }
        let stored = fixture.store.manifest(summary.run).unwrap().vocabulary;
        let five = stored.observations.iter().find(|one| &*one.name == "obs_has_5x_log").unwrap();
        assert_eq!(five.definition.as_ref().unwrap().to_string(), "inventory[*_log] >= 5");
        // Under its own laws, with their derived observations, it is judged as before.
        let judged = replay(&fixture.store, summary.run, None).unwrap();
        assert!(judged.is_same(), "{}", render(&judged, false));
    }
    assert!(hoarded > 0 && blocked > 0, "{hoarded} {blocked}");
    assert!(fixture.store.verify().unwrap().is_sound());
}

#[test]
fn old_runs_are_judged_by_what_a_new_book_derives() {
    let (shelf, fixture) = (Shelf::new(), Fixture::new());
    shelf.put("enough.toml", ENOUGH);
    shelf.put("more.toml", &ENOUGH.replace("five", "seven").replace("5", "7").replace("enough", "more"));
    let (without, with) = (shelf.open(&[]).unwrap(), shelf.open(&["enough.toml"]).unwrap());
    let other = shelf.open(&["more.toml"]).unwrap();
    let law = with.laws.iter().find(|law| &*law.id == "five-logs").unwrap();
    let laws = |books: &Books| Some(OtherLaws { laws: vec![law.clone()], vocabulary: Some(books.vocabulary.clone()) });
    let mut expected = 0;
    for seed in SEEDS {
        for under in [&without, &other] {
            let summary = run(&fixture, seed, under);
            let judged = replay(&fixture.store, summary.run, laws(&with)).unwrap();
            let would_block: Vec<u64> = judged
                .steps
                .iter()
                .filter_map(|step| {
                    let blocked = step.proposals.iter().any(|it| it.executed && !it.now.is_allowed());
                    blocked.then_some(step.step)
                })
                .collect();
            assert_eq!(would_block, hoarding(&fixture.steps(summary.run)));
            expected += would_block.len() as u64;
        }
    }
    assert!(expected > 0);
    // The statistics of laws, hindsight and the critic's graph agree.
    let translator = Translator::new(with.vocabulary.clone());
    let restriction = Restriction::of(&law.formula, &with.vocabulary).unwrap();
    let said = hindsight(&fixture.store, &[&restriction], &translator, || {}).unwrap();
    assert_eq!(said[0].blocked, expected);
    assert!(said[0].blocks.as_ref().unwrap().held.contains(&"obs_has_5x_log".to_owned()));
    let five = with.vocabulary.id("obs_has_5x_log").unwrap();
    let mut graph = TrajectoryGraph::new().over(with.vocabulary.clone());
    let mut critic = Critic::new(with.vocabulary.clone());
    for id in fixture.store.run_ids().map(Result::unwrap) {
        graph.add_stored(&fixture.store, id).unwrap();
        critic.read(&fixture.store, [id]).unwrap();
    }
    assert!(graph.states().any(|(_, holds)| holds.contains(five)));
    assert_eq!(critic.graph().states().count(), graph.states().count());
    // Laws over a vocabulary that does not derive it cannot be judged, and the error says why.
    let error = replay(
        &fixture.store,
        1u64.to_string().parse().map(|run| fixture.store.resolve(run).unwrap()).unwrap(),
        laws(&without),
    );
    assert!(error.unwrap_err().to_string().contains("law `five-logs` mentions `obs_has_5x_log`"));
}

#[test]
fn a_run_resumes_with_what_it_derived() {
    let (shelf, fixture) = (Shelf::new(), Fixture::new());
    shelf.put("enough.toml", ENOUGH);
    let (without, with) = (shelf.open(&[]).unwrap(), shelf.open(&["enough.toml"]).unwrap());
    let whole = run(&fixture, 2, &with);
    let limits = Limits { max_steps: 9, ..Limits::default() };
    let cut = fixture.run(world(2, &with), hoarder(2), RunFacts { limits, ..facts_of(&with, 2) });
    assert!(matches!(cut.end, Some(End::Budget { .. })));
    let limits = Some(Limits { max_steps: 60, ..Limits::default() });
    let error = fixture.resume(world(2, &without), hoarder(2), cut.run, limits).unwrap_err();
    assert!(matches!(error, AgentError::Mismatch { what: "vocabulary", .. }), "{error}");
    let resumed = fixture.resume(world(2, &with), hoarder(2), cut.run, limits).unwrap();
    assert_eq!(fixture.steps(resumed.run), fixture.steps(whole.run));
}

#[test]
fn blocks_by_derived_observations_are_audited() {
    let (shelf, fixture) = (Shelf::new(), Fixture::new());
    shelf.put("enough.toml", ENOUGH);
    let books = shelf.open(&["enough.toml"]).unwrap();
    let audited = [LawId::from("five-logs")];
    let embedded = RunConfig { world: WorldName::EMBEDDED, ..RunConfig::default() };
    let trials = world::fork(&Config { run: embedded, ..Config::default() }).unwrap();
    let mut auditor = Auditor::new(books.vocabulary.clone(), books.laws.clone(), audited, trials);
    for seed in SEEDS {
        let summary = run(&fixture, seed, &books);
        let in_flight = fixture.store.outcome(summary.run).unwrap().and_then(|outcome| outcome.in_flight);
        let in_flight = in_flight.map(|in_flight| in_flight.proposals).unwrap_or_default();
        let (world, steps) = (fixture.store.manifest(summary.run).unwrap().world, fixture.steps(summary.run));
        let played = Played {
            seed,
            world: &world,
            robust: true,
            fallback: Fallback::OneByOne,
            steps: &steps,
            in_flight: &in_flight,
        };
        auditor.run(&played).unwrap();
    }
    let audit = auditor.finish();
    assert!(audit.laws[0].blocks.blocks > 0);
    assert_eq!(audit.laws[0].blocks.wrong, 0);
}

/// A law over an observation of another book includes its definition, so that the learned book loads by itself.
#[test]
fn a_learned_book_has_the_definitions_of_its_laws() {
    let (shelf, fixture) = (Shelf::new(), Fixture::new());
    shelf.put("enough.toml", &ENOUGH.replace("adopted", "retired\"\nreason = \"for a test"));
    let (without, with) = (shelf.open(&[]).unwrap(), shelf.open(&["enough.toml"]).unwrap());
    let mut critic = Critic::new(with.vocabulary.clone());
    let runs = SEEDS.map(|seed| fixture.run(world(seed, &without), hoarder(seed), facts_of(&without, seed)).run);
    critic.read(&fixture.store, runs).unwrap();
    let trials = critic.trials(Objective::default());
    let (mine, enough) = (with.vocabulary.action("action_mine_log"), with.vocabulary.id("obs_has_5x_log").unwrap());
    let hoards = |trial: &&Trial| trial.is_bad() && Some(trial.action) == mine && trial.state.contains(enough);
    let cited = trials.all.iter().find(hoards).unwrap().step;
    let run = cited.run;
    let now = fixture.store.manifest(run).unwrap().created;
    let empty = shelf.put("learned.toml", "name = \"learned\"\nvocabulary = \"minecraft\"\nrevision = 1\n");
    let book = ltlcrit_laws::Book::load(&empty).unwrap();
    let seen = GateRuns { graph: critic.graph(), trials: &trials };
    let mut gate = Gate::new(&book, &with.books, with.vocabulary.clone(), seen, Staging::Adopt).unwrap();
    let proposal = Proposal {
        formula: ProposedFormula::parse("G(obs_has_5x_log -> X !action_mine_log)", &with.vocabulary),
        explanation: "Enough logs.".to_owned(),
        source: LawSource::EnvironmentFeedback,
        proposer: "test".to_owned(),
        evidence: vec![cited.into()],
    };
    let answer = gate.admit(&fixture.store, &proposal.into(), now).unwrap();
    assert!(matches!(answer, GateRuling::Admitted { .. }), "{answer:?}");
    let learned = gate.finish(&fixture.store, now).unwrap();
    shelf.put("learned.toml", learned.text());
    let alone = shelf.open(&["learned.toml"]).unwrap();
    assert_eq!(alone.books[1].derived()[0].proposition(), with.books[1].derived()[0].proposition());
    assert_eq!(alone.books[1].laws_in_force().len(), 1);
}

#[test]
fn books_that_derive_differently_are_refused_together() {
    let shelf = Shelf::new();
    shelf.put("enough.toml", ENOUGH);
    shelf.put("same.toml", &ENOUGH.replace("\"enough\"", "\"same\""));
    shelf.put("other.toml", &ENOUGH.replace("\"enough\"", "\"other\"").replace(">= 5", ">= 6"));
    shelf.put("taken.toml", &ENOUGH.replace("obs_has_5x_log", "obs_has_log"));
    let same = shelf.open(&["enough.toml", "same.toml"]).unwrap();
    assert_eq!(same.vocabulary.derivations().count(), 1);
    assert!(Arc::ptr_eq(&shelf.open(&[]).unwrap().vocabulary, &vocabulary()));
    assert_eq!(
        shelf.open(&["enough.toml", "other.toml"]).err().unwrap().to_string(),
        "the books `enough` and `other` derive `obs_has_5x_log` differently: as `inventory[*_log] >= 5` and as \
         `inventory[*_log] >= 6`"
    );
    let SetupError::Book { errors, .. } = shelf.open(&["taken.toml"]).err().unwrap() else { panic!("another error") };
    assert!(errors.to_string().contains("the vocabulary `minecraft` has a proposition of this name"), "{errors}");
}

/// The observations of a run are fixed at its beginning, so a revision cannot derive more.
#[test]
fn a_revision_that_derives_more_is_not_taken() {
    let shelf = Shelf::new();
    shelf.put("enough.toml", ENOUGH);
    let books = shelf.open(&["enough.toml"]).unwrap();
    let mut watch = BookWatch::new(&books.records, &books.vocabulary).unwrap();
    let next = ENOUGH.replace("revision = 1", "revision = 2");
    shelf.put(
        "enough.toml",
        &next.replace("[[law]]", "[[proposition]]\nname = \"p\"\ndefinition = \"health <= 5\"\n\n[[law]]"),
    );
    let update = watch.before(1);
    assert_eq!(update.not_taken[0].reason, "it derives `p`, and what a run observes is fixed when it begins");
    assert_eq!(update.not_taken[0].place, Some((10, 1)));
    shelf.put("enough.toml", &next.replace(">= 5", ">= 6"));
    let update = watch.before(2);
    assert!(update.not_taken[0].reason.contains("derives it as `inventory[*_log] >= 5`"), "{:?}", update.not_taken);
    shelf.put("enough.toml", &next.replace("five-logs", "not-six"));
    let update = watch.before(3);
    assert!(update.not_taken.is_empty() && update.laws.unwrap().iter().any(|law| &*law.id == "not-six"));
}

/// A definition over a field that no observation has would protect nothing, so the run does not begin.
#[test]
fn a_misspelt_field_ends_the_run_before_its_first_step() {
    let (shelf, fixture) = (Shelf::new(), Fixture::new());
    let base = shelf.open(&[]).unwrap();
    let misspelt = Proposition::derived("p", "nearby[*_ore].distanse <= 3".parse().unwrap(), None);
    let world = Extended::new(Box::new(EmbeddedWorld::new(1, EmbeddedOptions::default())), [misspelt]).unwrap();
    let attempt = fixture.try_run(world, hoarder(1), facts_of(&base, 1), &mut Silent, Interrupt::new());
    let error = attempt.unwrap_err();
    assert!(error.to_string().contains("did you mean `distance`?"), "{error}");
    assert_eq!(fixture.store.run_ids().count(), 0);
}
