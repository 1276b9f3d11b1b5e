//! Training of simulated personas in the embedded world.

use std::convert::Infallible;
use std::sync::{LazyLock, Mutex};

use ltlcrit_critic::critique::CritiqueOptions;
use ltlcrit_critic::propose::TrialCritic;
use ltlcrit_engine::actor::simulated::{PersonaSource, Simulated};
use ltlcrit_engine::actor::{ActorKind, PromptedActor};
use ltlcrit_engine::agent::{AgentError, Interrupt, RunFacts, RunSummary, Silent, Start, same_laws};
use ltlcrit_engine::config::Config;
use ltlcrit_engine::learn::{EpisodeFigures, Episodes, Iteration, LearnOptions, Learner};
use ltlcrit_laws::{Book, joint_vocabulary};
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld, Optima, vocabulary};
use ltlcrit_model::{ChatModel, Price};
use ltlcrit_store::{Durability, Limits, Store};
use ltlcrit_worlds::Extended;

use crate::common::{agent, block_on, facts};

/// An actor with its persona and a store of its runs.
pub struct Laboratory {
    _directory: tempfile::TempDir,
    pub store: Store,
    actor: ActorKind,
    persona: PersonaSource,
    /// The options of critiques.
    pub critique: CritiqueOptions,
    /// The maximum number of steps of a run.
    pub max_steps: u64,
}

impl Laboratory {
    pub fn new(actor: ActorKind, persona: &'static str) -> Self {
        Self::of(actor, PersonaSource::Shipped(persona))
    }

    pub fn of(actor: ActorKind, persona: PersonaSource) -> Self {
        let directory = ltlcrit_store::scratch::directory().unwrap();
        let store = Store::open(directory.path().join("store")).unwrap();
        let critique = CritiqueOptions::default();
        Self { _directory: directory, store, actor, persona, critique, max_steps: 100 }
    }

    /// Sets another actor for the following runs.
    pub fn play(&mut self, actor: ActorKind, persona: &'static str) {
        (self.actor, self.persona) = (actor, PersonaSource::Shipped(persona));
    }

    /// Learns a book under other books on some seeds. Returns it with a line for each iteration.
    pub fn learn(
        &self,
        book: Book,
        others: &[Book],
        seeds: std::ops::Range<u64>,
        iterations: usize,
    ) -> (Book, Vec<String>) {
        let (seeds, critique) = (seeds.collect(), self.critique);
        let options =
            LearnOptions { iterations, seeds, reserved: Default::default(), stop_when_stable: false, critique };
        let mut learner = Learner::new(&self.store, vocabulary(), "Mine a diamond.", book, options);
        learner.others = others.to_vec();
        learner.proposers = vec![Box::new(TrialCritic::default())];
        let mut said = Vec::new();
        let learned = block_on(learner.learn(&mut &*self, |iteration, _| {
            said.push(line(iteration));
            Ok::<_, Infallible>(())
        }));
        (learned.unwrap_or_else(|error| panic!("{error}")).book, said)
    }

    /// Runs the actor under books on some seeds.
    pub fn run(&self, books: &[Book], seeds: std::ops::Range<u64>) -> Vec<RunSummary> {
        let seeds: Vec<u64> = seeds.collect();
        let mut episodes = self;
        Episodes::run(&mut episodes, &self.store, &seeds, books).unwrap().unwrap()
    }

    /// Runs the actor in a world that was changed before.
    pub fn go_on(&self, world: EmbeddedWorld, seed: u64, books: &[Book]) -> RunSummary {
        self.episode(world, seed, books).unwrap()
    }
}

impl Episodes for &Laboratory {
    type Error = AgentError;

    fn run(&mut self, _: &Store, seeds: &[u64], books: &[Book]) -> Result<Option<Vec<RunSummary>>, AgentError> {
        let world = |seed| EmbeddedWorld::new(seed, EmbeddedOptions::default());
        // This runs within the learner's runtime, which cannot block on another one, so it needs a thread.
        let all = || seeds.iter().map(|seed| self.episode(world(*seed), *seed, books)).collect::<Result<_, _>>();
        std::thread::scope(|scope| scope.spawn(all).join())
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            .map(Some)
    }
}

impl Laboratory {
    fn episode(&self, world: EmbeddedWorld, seed: u64, books: &[Book]) -> Result<RunSummary, AgentError> {
        let together = joint_vocabulary(&vocabulary(), books).unwrap();
        let mut world = Extended::new(Box::new(world), together.derivations().cloned()).unwrap();
        let model = Simulated::open(&self.persona, seed).unwrap();
        let mut actor = PromptedActor::new(self.actor, model.clone(), Config::default().prompts());
        let facts = RunFacts {
            model: model.info(),
            price: Some(Price::FREE),
            seed,
            shielded: actor.shielded(),
            limits: Limits { max_steps: self.max_steps, ..Limits::default() },
            ..facts(books.iter().flat_map(Book::laws_in_force).collect())
        };
        let (mut observer, mut new_laws) = (Silent, same_laws);
        let agent = agent(&mut actor, &mut observer, Interrupt::new(), &mut new_laws);
        let start = Start::Stored { store: &self.store, durability: Durability::EachEpisode, facts };
        block_on(agent.run_in(&mut world, start))
    }
}

/// The steps of the exact planner's policy in each world, explorations included; shared by all tests.
static OPTIMA: LazyLock<Mutex<Optima>> = LazyLock::new(|| Mutex::new(Optima::new(EmbeddedOptions::default())));

/// Returns the mean over runs of the steps, as a multiple of the world's optimum.
pub fn times_optimum(runs: &[RunSummary]) -> f64 {
    let mut optima = OPTIMA.lock().unwrap();
    let mut ratio = |run: &RunSummary| Some(run.metrics.steps as f64 / optima.of(run.seed)? as f64);
    let ratios: Vec<f64> = runs.iter().filter_map(&mut ratio).collect();
    ratios.iter().sum::<f64>() / ratios.len() as f64
}

pub fn empty_book() -> Book {
    let text = "name = \"learned\"\nrevision = 1\nvocabulary = \"minecraft\"\n";
    Book::parse(text, "learned").unwrap().over(&vocabulary()).unwrap()
}

pub fn shipped(name: &str) -> Book {
    ltlcrit_laws::open(name, &[vocabulary()]).unwrap().0.over(&vocabulary()).unwrap()
}

/// Formats the metrics for printing.
pub fn figures(runs: &[RunSummary]) -> String {
    let figures = EpisodeFigures::of(runs);
    let percent = |share: Option<f64>| 100.0 * share.unwrap_or(0.0);
    format!(
        "{} of {} diamonds, {:.2} steps, {:.3} times the optimum, failed actions {:.2}%, failed proposals {:.1}%, \
         blocked {:.1}%, over-constrained steps {}",
        figures.goals,
        figures.episodes,
        figures.mean_steps.unwrap_or(0.0),
        times_optimum(runs),
        percent(figures.failed_actions),
        percent(figures.failed_proposals),
        percent(figures.blocked_proposals),
        figures.fallbacks
    )
}

fn line(iteration: &Iteration) -> String {
    let critique = &iteration.critique;
    format!(
        "#{} {}: {}; admitted {}, retired {}, refused {}; {:?}; {:?}",
        iteration.number,
        iteration.book,
        figures(&iteration.runs),
        critique.admitted(),
        critique.retired(),
        critique.refused().count(),
        critique.nothing,
        iteration.decision
    )
}
