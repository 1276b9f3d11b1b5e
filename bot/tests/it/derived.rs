//! Derived observations from the book to the shield, and in runs from before there was a definition.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::Arc;

use ltlcrit::actor::{ActorKind, PromptedActor};
use ltlcrit::agent::{AgentError, Interrupt, RunFacts, RunSummary, Silent};
use ltlcrit::audit::Auditor;
use ltlcrit::books::{BookWatch, NewLaws as _};
use ltlcrit::config::Config;
use ltlcrit::replay::{OtherLaws, render, replay};
use ltlcrit::setup::{self, Books, SetupError};
use ltlcrit_critic::admission::{Gate, GateRuns, Staging};
use ltlcrit_critic::change::{GateRuling, LawSource, Proposal, ProposedFormula};
use ltlcrit_critic::critique::Critic;
use ltlcrit_critic::graph::TrajectoryGraph;
use ltlcrit_critic::hindsight::hindsight;
use ltlcrit_critic::law::Restriction;
use ltlcrit_critic::trial::Trial;
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld, MinecraftObservation, vocabulary};
use ltlcrit_store::{End, Limits, StepRecord, Translator};
use ltlcrit_verifier::{LawId, Proposition};
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

    /// The hard laws of Minecraft and other books.
    pub fn open(&self, names: &[&str]) -> Result<Books, SetupError> {
        let names = std::iter::once("minecraft-hard".to_owned()).chain(names.iter().map(|name| {
            let path = self.path(name);
            path.display().to_string()
        }));
        setup::books(&names.collect::<Vec<_>>(), &vocabulary())
    }
}

fn world(seed: u64, books: &Books) -> Extended<EmbeddedWorld> {
    let world = EmbeddedWorld::new(seed, EmbeddedOptions::default());
    Extended::new(world, books.vocabulary.derivations().cloned()).unwrap()
}

fn hoarder(seed: u64) -> PromptedActor<ltlcrit::actor::simulated::Simulated> {
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

/// The steps of a run that mined a log while five were carried.
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
        // By its own laws it is judged as it was, with what they derive.
        let judged = replay(&fixture.store, summary.run, None, None).unwrap();
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
            let judged = replay(&fixture.store, summary.run, laws(&with), None).unwrap();
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
    // The same in the statistics of laws, in hindsight, and in the critic's graph.
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
    // Laws over a vocabulary that does not derive it cannot be judged, and say why.
    let error = replay(
        &fixture.store,
        1u64.to_string().parse().map(|run| fixture.store.resolve(run).unwrap()).unwrap(),
        laws(&without),
        None,
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
    let mut auditor =
        Auditor::new(books.vocabulary.clone(), books.laws.clone(), audited, EmbeddedOptions::default(), true);
    for seed in SEEDS {
        let summary = run(&fixture, seed, &books);
        let in_flight = fixture.store.outcome(summary.run).unwrap().and_then(|outcome| outcome.in_flight);
        let in_flight = in_flight.map(|in_flight| in_flight.proposals).unwrap_or_default();
        auditor.run(seed, &fixture.steps(summary.run), &in_flight).unwrap();
    }
    let audit = auditor.finish();
    assert!(audit.laws[0].blocks.blocks > 0);
    assert_eq!(audit.laws[0].blocks.wrong, 0);
}

/// A law over what another book derives brings its definition along, so that the learned book loads by itself.
#[test]
fn a_learned_book_has_the_definitions_of_its_laws() {
    let (shelf, fixture) = (Shelf::new(), Fixture::new());
    shelf.put("enough.toml", &ENOUGH.replace("adopted", "retired\"\nreason = \"for a test"));
    let (without, with) = (shelf.open(&[]).unwrap(), shelf.open(&["enough.toml"]).unwrap());
    let mut critic = Critic::new(with.vocabulary.clone());
    let runs = SEEDS.map(|seed| fixture.run(world(seed, &without), hoarder(seed), facts_of(&without, seed)).run);
    critic.read(&fixture.store, runs).unwrap();
    let trials = critic.trials(14);
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
    assert!(matches!(answer.ruling, GateRuling::Admitted { .. }), "{:?}", answer.ruling);
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

/// A run observes what it observed from its beginning, so a revision cannot derive more.
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

/// A definition of what no observation has would protect nothing: the run does not begin.
#[test]
fn a_misspelt_field_ends_the_run_before_its_first_step() {
    let (shelf, fixture) = (Shelf::new(), Fixture::new());
    let base = shelf.open(&[]).unwrap();
    let misspelt = Proposition::derived("p", "nearby[*_ore].distanse <= 3".parse().unwrap(), None);
    let world = Extended::new(EmbeddedWorld::new(1, EmbeddedOptions::default()), [misspelt]).unwrap();
    let attempt = fixture.try_run(world, hoarder(1), facts_of(&base, 1), &mut Silent, Interrupt::new());
    let error = attempt.unwrap_err();
    assert!(error.to_string().contains("did you mean `distance`?"), "{error}");
    assert_eq!(fixture.store.run_ids().count(), 0);
}

/// Every command that puts a book in force or checks it refuses a field that cannot exist, with its place.
#[test]
fn a_misspelt_field_is_refused_by_every_command() {
    let shelf = Shelf::new();
    let run = "run --world embedded --model simulated:hoarder --seed 1 --steps 2";
    assert_eq!(ltlcrit(&shelf, run).status.code(), Some(10));
    let commands = [
        ("laws check misspelt.toml", 5),
        ("laws check misspelt.toml --world minecraft", 5),
        (&format!("{run} --laws misspelt.toml"), 4),
        ("replay 1 --laws misspelt.toml", 4),
        ("learn --model simulated:hoarder --laws misspelt.toml --iterations 1 --episodes 1 --steps 2", 4),
        ("critique all --dry-run --laws misspelt.toml", 4),
        ("laws audit misspelt.toml --seeds 1 --model simulated:hoarder --steps 2", 4),
    ];
    for (definition, meant) in [
        ("nearby[*_ore].distanse <= 3", "did you mean `distance`?"),
        ("position.yy >= 0", "`position` has `x`, `y`, `z`"),
        ("health.foo <= 100000", "`health` is a number and has no fields"),
        ("heatlh <= 5", "did you mean `health`?"),
        ("equipped >= 1", "`equipped` is a text, not a number"),
    ] {
        shelf.put("misspelt.toml", &ENOUGH.replace("inventory[*_log] >= 5", definition).replace("soft", "hard"));
        let commands = if definition.starts_with("nearby") { &commands[..] } else { &commands[..3] };
        for (command, code) in commands {
            let output = ltlcrit(&shelf, command);
            let told = told(&output);
            assert_eq!(output.status.code(), Some(*code), "{command}: {told}");
            for part in ["misspelt.toml:7:15", "`obs_has_5x_log`: ", meant, &definition[..6]] {
                assert!(told.contains(part), "{command} does not say {part}: {told}");
            }
        }
    }
}

/// A name that nothing has may be right on a server of another kind, so that it is a warning alone.
#[test]
fn a_pattern_that_matches_nothing_is_a_warning() {
    let shelf = Shelf::new();
    shelf.put("misspelt.toml", &ENOUGH.replace("*_log", "*_lgo"));
    let message = "`*_lgo` matches nothing that `inventory` of this world can have";
    let run = "run --world embedded --model simulated:hoarder --seed 1 --steps 2 --laws misspelt.toml";
    let learn = "learn --model simulated:hoarder --laws misspelt.toml --iterations 1 --episodes 1 --steps 2";
    let (check, again) = ("laws check misspelt.toml --world minecraft", "replay 1 --laws misspelt.toml");
    for (command, code) in [(check, Some(5)), (run, None), (again, Some(0)), ("replay 1", Some(0)), (learn, None)] {
        let output = ltlcrit(&shelf, command);
        let told = told(&output);
        assert!(code.is_none() || output.status.code() == code, "{command}: {told}");
        assert!(told.contains("warning") && told.contains(message), "{command}: {told}");
        assert!(told.contains("did you mean `*_log`?"), "{command}: {told}");
    }
}

fn ltlcrit(shelf: &Shelf, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_ltlcrit"));
    command.current_dir(shelf.0.path()).env("NO_COLOR", "1");
    command.args(arguments.split(' ')).output().unwrap()
}

fn told(output: &Output) -> String {
    String::from_utf8_lossy(&[&output.stdout[..], &output.stderr[..]].concat()).into_owned()
}

fn json(shelf: &Shelf, arguments: &str) -> serde_json::Value {
    let output = ltlcrit(shelf, &format!("--json {arguments}"));
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", told(&output)))
}

#[test]
fn commands_speak_of_what_books_derive() {
    let shelf = Shelf::new();
    shelf.put("enough.toml", ENOUGH);
    let check = ltlcrit(&shelf, "laws check minecraft-hard enough.toml --world minecraft");
    assert!(check.status.success(), "{}", told(&check));
    let list = told(&ltlcrit(&shelf, "laws list enough.toml"));
    assert!(list.contains("obs_has_5x_log := inventory[*_log] >= 5  carries at least five logs"), "{list}");
    assert_eq!(json(&shelf, "laws list enough.toml")["derived"][0]["definition"], "inventory[*_log] >= 5");
    let explained = told(&ltlcrit(&shelf, "laws explain enough.toml five-logs"));
    assert!(explained.contains("carries at least five logs := inventory[*_log] >= 5"), "{explained}");
    // An old run, and the same with the book.
    let embedded = "run --world embedded --model simulated:hoarder --seed 1 --steps 60";
    let old = json(&shelf, embedded);
    let replayed = json(&shelf, "replay 1 --laws enough.toml");
    assert!(replayed["counts"]["executed_now_blocked"].as_u64().unwrap() > 0, "{old}\n{replayed}");
    let new = json(&shelf, &format!("{embedded} --laws minecraft-hard --laws enough.toml"));
    let replayed = json(&shelf, "replay 2 --laws enough.toml");
    assert_eq!(replayed["counts"]["executed_now_blocked"], 0, "{new}\n{replayed}");
    assert!(replayed["counts"]["blocks_by_law"]["five-logs"].as_u64().unwrap() > 0);
    // Both runs are read together, whatever they derive.
    for command in [
        "replay 2 --laws minecraft-hard",
        "graph all",
        "graph 2 1",
        "critique all --dry-run",
        "laws pending enough.toml",
        "store verify",
        "runs list",
    ] {
        let output = ltlcrit(&shelf, command);
        assert!(output.status.success(), "{command}: {}", told(&output));
    }
    let audit = ltlcrit(
        &shelf,
        "laws audit enough.toml --with minecraft-hard --seeds 1-2 --model simulated:hoarder --steps 40",
    );
    assert!(told(&audit).contains("five-logs"), "{}", told(&audit));
    let learned = ltlcrit(
        &shelf,
        "learn --model simulated:hoarder --laws minecraft-hard --laws enough.toml --iterations 1 --episodes 2 --steps 40",
    );
    assert!(learned.status.success(), "{}", told(&learned));
}
