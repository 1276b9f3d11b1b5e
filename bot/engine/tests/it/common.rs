//! Scripted actors and worlds for tests of the loop.
#![allow(dead_code, clippy::unwrap_used, clippy::panic)]

use ltlcrit_engine::actor::simulated::{PersonaSource, Simulated};
use ltlcrit_engine::actor::{Actor, NotRun, Proposed, Situation};
use ltlcrit_engine::agent::{
    Agent, AgentError, Event, Interrupt, Observer, RunFacts, RunSummary, Silent, Start, program, same_laws,
};
use ltlcrit_engine::books::NewLaws;
use ltlcrit_model::{ModelError, ModelInfo, NanoUsd, Price, Usage};
use ltlcrit_store::{Durability, ExportOptions, Limits, NoAction, Offer, RunId, StepRecord, Store};
use ltlcrit_verifier::{ActionId, Fallback, Law, syntax};
use ltlcrit_worlds::corridor::Corridor;
use ltlcrit_worlds::world::Subgoal;
use ltlcrit_worlds::{Outcome, World, WorldError, WorldInfo, async_trait};
use serde_json::json;

pub fn block_on<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(future)
}

/// Opens a shipped persona.
pub fn simulated(name: &'static str, seed: u64) -> Simulated {
    Simulated::open(&PersonaSource::Shipped(name), seed).unwrap()
}

pub fn hard(id: &str, formula: &str) -> Law {
    Law::hard(id, syntax::parse(formula).unwrap(), format!("Explanation of {id}."))
}

pub fn soft(id: &str, formula: &str) -> Law {
    Law::soft(id, syntax::parse(formula).unwrap(), format!("Explanation of {id}."))
}

pub fn facts(laws: Vec<Law>) -> RunFacts {
    RunFacts {
        program: program(),
        configuration: json!({"test": true}),
        model: ModelInfo { name: "simulated:script".into(), simulated: true, recorded_from: None },
        price: Some(Price { input: NanoUsd(2000), cached_input: NanoUsd(500), output: NanoUsd(8000) }),
        seed: 7,
        books: Vec::new(),
        laws,
        shielded: true,
        robust: true,
        fallback: Fallback::OneByOne,
        limits: Limits {
            max_steps: 30,
            max_tokens: None,
            max_reprompts: 2,
            max_listed: 1,
            max_stall: 0,
            offer: Offer::All,
        },
    }
}

pub const USAGE: Usage = Usage { prompt: 100, completion: 10, cached: 0, reasoning: 0, estimated: 0 };

/// An actor that is a function of the situation.
pub struct Script<F>(pub F);

pub type Answer = Result<Proposed, ModelError>;

#[async_trait(?Send)]
impl<F: AsyncFnMut(&Situation<'_>) -> Answer> Actor for Script<F> {
    fn name(&self) -> &str {
        "script"
    }

    async fn propose(&mut self, situation: &Situation<'_>) -> Answer {
        (self.0)(situation).await
    }
}

/// Proposes an action by name; a name that the vocabulary lacks is an unknown action.
pub fn propose(situation: &Situation<'_>, name: &str) -> Answer {
    let action = situation.vocabulary.action(name);
    let action = action.ok_or_else(|| NoAction::Unknown { name: name.to_owned(), suggestion: None });
    Ok(Proposed { action, thought: Some(format!("Step {}: {name}.", situation.step)), usage: USAGE })
}

pub fn malformed(reply: &str) -> Answer {
    let action = Err(NoAction::Malformed { reply: reply.to_owned(), why: "it is no JSON".to_owned() });
    Ok(Proposed { action, thought: None, usage: USAGE })
}

/// Proposes these actions in turn. The outer list is by step, the inner one by attempt; the last entry of each repeats.
pub fn plan<'a>(plan: &'a [&'a [&'a str]]) -> Script<impl AsyncFnMut(&Situation<'_>) -> Answer + 'a> {
    Script(async move |situation: &Situation<'_>| {
        let attempts = plan[(situation.step as usize - 1).min(plan.len() - 1)];
        propose(situation, attempts[situation.refusals.len().min(attempts.len() - 1)])
    })
}

/// Returns a pseudorandom number that depends on the inputs alone.
pub fn mix(numbers: &[u64]) -> u64 {
    numbers.iter().fold(0x9e37_79b9_7f4a_7c15, |state, number| {
        let mut z = (state ^ number).wrapping_add(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    })
}

/// An actor that proposes random actions and sometimes unreadable replies, determined by its seed and the situation.
pub fn random_actor(seed: u64) -> Script<impl AsyncFnMut(&Situation<'_>) -> Answer> {
    Script(async move |situation: &Situation<'_>| {
        let past: u64 = situation.history.iter().map(|past| u64::from(past.action.0) + past.refused.len() as u64).sum();
        let told = |refusal: &NotRun| match refusal {
            NotRun::NoAction(why) => format!("{why:?}").len() as u64,
            NotRun::Blocked { action, explanation, .. } => format!("{action:?} {explanation:?}").len() as u64 + 34,
        };
        let refusals = situation.refusals.iter().map(told).sum();
        let draw = mix(&[seed, situation.step, past, refusals, situation.refusals.len() as u64]);
        if let Some(allowed) = situation.allowed {
            let action = allowed[draw as usize % allowed.len()];
            return Ok(Proposed { action: Ok(action), thought: None, usage: USAGE });
        }
        match draw % 16 {
            0 => malformed("uh"),
            1 => propose(situation, "action_fly"),
            2 => propose(situation, "action_wait"),
            3..6 => propose(situation, "action_left"),
            _ => propose(situation, "action_right"),
        }
    })
}

/// The methods of a test world that forward to the world in the given field.
macro_rules! delegate_world {
    ($inner:tt) => {
        fn vocabulary(&self) -> std::sync::Arc<ltlcrit_verifier::Vocabulary> {
            self.$inner.vocabulary()
        }

        fn task(&self) -> &str {
            self.$inner.task()
        }

        fn observe<'a, 'w>(
            &'a mut self,
        ) -> std::pin::Pin<
            Box<dyn Future<Output = Result<ltlcrit_worlds::Observation, ltlcrit_worlds::WorldError>> + 'w>,
        >
        where
            'a: 'w,
            Self: 'w,
        {
            self.$inner.observe()
        }

        fn goal_reached(&self, observation: &ltlcrit_worlds::Observation) -> bool {
            self.$inner.goal_reached(observation)
        }
    };
}
#[allow(unused_imports)] // Not all tests that share this file need it.
pub(crate) use delegate_world;

/// A scripted world in which the action of a given number, from 1, has another result.
pub struct FailsAt<'a> {
    pub world: Corridor,
    pub left: u64,
    pub then: &'a dyn Fn() -> Result<Outcome, WorldError>,
}

#[async_trait(?Send)]
impl World for FailsAt<'_> {
    fn info(&self) -> WorldInfo {
        self.world.info()
    }

    delegate_world!(world);

    async fn execute(&mut self, action: ActionId) -> Result<Outcome, WorldError> {
        self.left -= 1;
        if self.left == 0 { (self.then)() } else { self.world.execute(action).await }
    }

    fn subgoals(&self) -> &[Subgoal] {
        self.world.subgoals()
    }
}

/// A store in a temporary directory.
pub struct Fixture {
    pub directory: tempfile::TempDir,
    pub store: Store,
}

impl Fixture {
    pub fn new() -> Self {
        let directory = ltlcrit_store::scratch::directory().unwrap();
        let store = Store::open(directory.path().join("store")).unwrap();
        Self { directory, store }
    }

    pub fn run<W: World, A: Actor>(&self, world: W, actor: A, facts: RunFacts) -> RunSummary {
        self.try_run(world, actor, facts, &mut Silent, Interrupt::new()).unwrap()
    }

    pub fn try_run<W: World, A: Actor>(
        &self,
        mut world: W,
        mut actor: A,
        facts: RunFacts,
        observer: &mut dyn Observer,
        interrupt: Interrupt,
    ) -> Result<RunSummary, AgentError> {
        let mut new_laws = same_laws;
        let agent = agent(&mut actor, observer, interrupt, &mut new_laws);
        block_on(agent.run_in(&mut world, self.begin(facts)))
    }

    pub fn resume<W: World, A: Actor>(
        &self,
        mut world: W,
        mut actor: A,
        run: RunId,
        limits: Option<Limits>,
    ) -> Result<RunSummary, AgentError> {
        let (mut observer, mut new_laws) = (Silent, same_laws);
        let agent = agent(&mut actor, &mut observer, Interrupt::new(), &mut new_laws);
        block_on(agent.run_in(&mut world, self.go_on(run, limits)))
    }

    /// Begins a run in the store.
    pub fn begin(&self, facts: RunFacts) -> Start<'_> {
        Start::Stored { store: &self.store, durability: Durability::EachEpisode, facts }
    }

    /// Resumes a run of the store.
    pub fn go_on(&self, run: RunId, limits: Option<Limits>) -> Start<'_> {
        Start::Resumed { store: &self.store, durability: Durability::EachEpisode, run, limits }
    }

    pub fn steps(&self, run: RunId) -> Vec<StepRecord> {
        self.store.steps(run).map(Result::unwrap).collect()
    }

    pub fn export(&self, run: RunId) -> String {
        export(&self.store, run)
    }
}

pub fn agent<'a>(
    actor: &'a mut dyn Actor,
    observer: &'a mut dyn Observer,
    interrupt: Interrupt,
    new_laws: &'a mut dyn NewLaws,
) -> Agent<'a> {
    Agent { actor, observer, interrupt, new_laws, keep_traces: false }
}

pub fn export(store: &Store, run: RunId) -> String {
    let mut bytes = Vec::new();
    assert!(store.export_run(run, &mut bytes, ExportOptions::default()).unwrap().unreadable.is_empty());
    String::from_utf8(bytes).unwrap()
}

/// Returns the name of an event.
pub fn kind(event: &Event<'_>) -> String {
    let text = format!("{event:?}");
    text.split([' ', '{']).next().unwrap().to_owned()
}
