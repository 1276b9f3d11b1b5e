//! States that violate an axiom: no action is judged in them.

use std::sync::Arc;

use ltlcrit_engine::agent::AgentError;
use ltlcrit_store::{Durability, End, Limits, RunId, StepRecord};
use ltlcrit_verifier::{ActionId, Letter, Vocabulary};
use ltlcrit_worlds::corridor::{Corridor, corridor};
use ltlcrit_worlds::{Observation, Outcome, World, WorldError, WorldInfo, async_trait};

use crate::common::{Fixture, facts, hard, plan};

const RIGHT: &[&[&str]] = &[&["action_right"]];
const BROKEN: &str = "breaks the axiom `!(at_0 & at_2)` of the vocabulary `corridor`: the axiom is false in this world, and \
                      no proof that relies on it holds; correct the axiom and check the laws again";

/// A corridor whose player is at two positions at once from some step on, which its vocabulary excludes.
struct TwoPlaces {
    world: Corridor,
    steps_left: u64,
    deterministic: bool,
}

impl TwoPlaces {
    fn after(steps_left: u64) -> Self {
        Self { world: corridor(5), steps_left, deterministic: true }
    }
}

#[async_trait(?Send)]
impl World for TwoPlaces {
    fn info(&self) -> WorldInfo {
        WorldInfo { deterministic: self.deterministic, ..self.world.info() }
    }

    fn vocabulary(&self) -> Arc<Vocabulary> {
        self.world.vocabulary()
    }

    fn task(&self) -> &str {
        self.world.task()
    }

    async fn observe(&mut self) -> Result<Observation, WorldError> {
        let mut observation = self.world.observe().await?;
        if self.steps_left == 0 {
            observation.holds = self.vocabulary().set(["at_0", "at_2"]).unwrap_or_default();
        }
        Ok(observation)
    }

    async fn execute(&mut self, action: ActionId) -> Result<Outcome, WorldError> {
        self.steps_left -= 1;
        self.world.execute(action).await
    }

    fn goal_reached(&self, observation: &Observation) -> bool {
        self.world.goal_reached(observation)
    }
}

#[test]
fn a_step_that_breaks_an_axiom_ends_the_run() {
    let fixture = Fixture::new();
    let law = || vec![hard("stay", "G(at_0 -> X !action_left)")];
    let summary = fixture.run(TwoPlaces::after(3), plan(RIGHT), facts(law()));
    assert_eq!(summary.end, Some(End::WorldLost { message: format!("step 3 {BROKEN}") }));
    assert_eq!((summary.last_step, summary.resumable), (Some(2), true));
    let in_flight = fixture.store.outcome(summary.run).unwrap().unwrap().in_flight.unwrap();
    assert_eq!((in_flight.step, in_flight.action.map(|action| action.0)), (3, Some(1)));
    // Every stored record satisfies the axioms.
    assert!(fixture.store.verify().unwrap().is_sound());
    // A run cannot be resumed into such a state either, however the world is rebuilt.
    for (steps_left, expected) in [(3, None), (2, Some("step 2")), (0, Some("step 0"))] {
        match (fixture.resume(TwoPlaces::after(steps_left), plan(RIGHT), summary.run, None), expected) {
            (Ok(again), None) => assert_eq!(again.end, Some(End::WorldLost { message: format!("step 3 {BROKEN}") })),
            (Err(error), Some(step)) => assert!(error.to_string().contains(&format!("{step} {BROKEN}")), "{error}"),
            (other, _) => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_run_does_not_begin_in_a_state_that_breaks_an_axiom() {
    let fixture = Fixture::new();
    let begun = fixture.try_run(
        TwoPlaces::after(0),
        plan(RIGHT),
        facts(Vec::new()),
        &mut ltlcrit_engine::agent::Silent,
        ltlcrit_engine::agent::Interrupt::new(),
    );
    assert_eq!(begun.unwrap_err().to_string(), format!("the world cannot be used: step 0 {BROKEN}"));
    assert_eq!(fixture.store.runs().count(), 0);
}

/// Covers worlds that changed meanwhile, and runs that an earlier program stored.
#[test]
fn a_run_is_not_resumed_or_judged_by_states_that_break_an_axiom() {
    let fixture = Fixture::new();
    let limits = Limits { max_steps: 2, ..facts(Vec::new()).limits };
    let unlimited = Some(facts(Vec::new()).limits);
    let changed = |steps_left| TwoPlaces { deterministic: false, ..TwoPlaces::after(steps_left) };
    let summary = fixture.run(changed(9), plan(RIGHT), ltlcrit_engine::agent::RunFacts { limits, ..facts(Vec::new()) });
    assert_eq!(summary.last_step, Some(2));
    let error = fixture.resume(changed(0), plan(RIGHT), summary.run, unlimited).unwrap_err();
    assert_eq!(error.to_string(), format!("the world cannot be used: step 2 {BROKEN}"));

    let vocabulary = corridor(5).vocabulary();
    let holds = vocabulary.set(["at_0", "at_2"]).unwrap();
    let stored: Vec<StepRecord> = fixture.steps(summary.run);
    let mut manifest = fixture.store.manifest(summary.run).unwrap();
    let run: RunId = fixture.store.begin(&mut manifest).unwrap();
    for mut step in stored {
        if let (1, Some(executed)) = (step.step, &step.executed) {
            step.letter = Letter::after(&vocabulary, executed.action, holds);
            step.observation.holds = holds;
        }
        fixture.store.append_step(run, &step, Durability::EachEpisode).unwrap();
    }
    let expected = format!("run {run} step 1 {BROKEN}");
    let resumed = fixture.resume(changed(9), plan(RIGHT), run, unlimited).unwrap_err();
    assert!(matches!(&resumed, AgentError::Store(error) if error.to_string() == expected), "{resumed}");
    let replayed = ltlcrit_engine::replay::replay(&fixture.store, run, None).unwrap_err();
    assert_eq!(replayed.to_string(), expected);
}
