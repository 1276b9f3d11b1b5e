//! One run, from its first or its last stored step to its end.

use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use ltlcrit_store::{
    BookRecord, Configuration, End, Episode, Executed, InFlight, LawId, LawRecord, Limits, ProposalRecord, Proposer,
    RunId, RunManifest, RunOutcome, StepRecord, StoreError, Timing, VocabularyRecord,
};
use ltlcrit_verifier::{ActionId, Enforcement, Letter, PropSet, Shield, Vocabulary};
use ltlcrit_worlds::{Observation, Outcome, Term, World, WorldError};

use super::each_second::each_second;
use super::foresight::Foresight;
use super::history::past_step;
use super::in_flight::InFlightStep;
use super::laws::law_records;
use super::log::Log;
use super::metrics::{RunSummary, Tally};
use super::observe::observe;
use super::shielding::{read, shield};
use super::stall::Stall;
use super::{Agent, AgentError, Event, RunFacts, Start};
use crate::actor::PastStep;
use crate::books::{InForce, keep_revision};

impl<'a> Agent<'a> {
    /// Runs in a world until the run ends for any reason.
    ///
    /// # Errors
    /// Returns an error if the run cannot begin or be resumed; the store then stays as it was. Returns one too if a step
    /// cannot be stored; then every stored step is safe, and the run can be resumed.
    pub async fn run_in<W: World>(self, world: &'a mut W, start: Start<'a>) -> Result<RunSummary, AgentError> {
        match start {
            Start::Stored { store, durability, facts } => {
                let log =
                    |manifest: &mut RunManifest| Ok(Log::Stored { store, run: store.begin(manifest)?, durability });
                self.begin(world, facts, log).await
            }
            Start::Kept { episode, facts } => {
                self.begin(world, facts, |manifest| Ok(Log::Kept(episode.insert(Episode::new(manifest.clone()))))).await
            }
            Start::Resumed { store, durability, run, limits } => {
                self.resume(world, store, durability, run, limits).await
            }
        }
    }

    async fn begin<W: World>(
        self,
        world: &'a mut W,
        facts: RunFacts,
        log: impl FnOnce(&mut RunManifest) -> Result<Log<'a>, StoreError>,
    ) -> Result<RunSummary, AgentError> {
        let vocabulary = world.vocabulary();
        let mut manifest = RunManifest {
            run: RunId(0),
            created: Timestamp::now(),
            program: facts.program,
            configuration: Configuration::new(facts.configuration),
            world: world.info(),
            task: world.task().to_owned(),
            vocabulary: VocabularyRecord::of(&vocabulary),
            subgoals: world.subgoals().to_vec(),
            actor: self.actor.name().to_owned(),
            model: facts.model,
            seed: facts.seed,
            price: facts.price,
            shielded: facts.shielded,
            robust: facts.robust,
            fallback: facts.fallback,
            limits: facts.limits,
            books: facts.books,
            laws: law_records(&facts.laws),
        };
        // Bad input is rejected before the run gets a number.
        let shield = shield(&vocabulary, facts.laws, facts.fallback)?;
        let observation = observe(world, 0).await?;
        let log = log(&mut manifest)?;
        let limits = manifest.limits;
        self.observer.on(&Event::Started { manifest: &manifest, resumed_after: None });
        let mut session = Session::new(self, world, log, manifest, limits, shield, observation);
        session.initial_step()?;
        session.run_to_end().await
    }
}

/// A run under way.
pub(super) struct Session<'a, W> {
    pub agent: Agent<'a>,
    pub world: &'a mut W,
    pub log: Log<'a>,
    pub manifest: RunManifest,
    pub limits: Limits,
    pub shield: Shield,
    pub vocabulary: Arc<Vocabulary>,
    /// The thing that the actor controls.
    pub role: String,
    /// The words of the state description, with their meanings.
    pub glossary: Vec<Term>,
    /// The current observation.
    pub observation: Observation,
    /// The observations that held at the beginning.
    pub began: PropSet,
    /// The observation of the last letter, which belongs to the last stored step.
    pub last_observation: Option<Observation>,
    /// The number of the last stored step.
    pub last_step: u64,
    /// The laws with pending obligations after the last stored step.
    pub owed: Vec<LawId>,
    pub history: Vec<PastStep>,
    pub tally: Tally,
    pub stall: Stall,
    pub spent: Spent,
    /// The books and laws in force.
    pub in_force: InForce,
    /// The current step, with the progress that the store must know.
    pub in_flight: InFlightStep,
    /// The step during which an earlier process ended; this run continues it.
    pub cut_off: Option<InFlight>,
    /// True if the player respawns, so that a death does not end the run.
    respawns: bool,
}

/// Time spent since the last stored step.
#[derive(Default)]
pub(super) struct Spent {
    pub propose: Duration,
    pub shield: Duration,
    pub world: Duration,
}

/// The step under way.
#[derive(Clone)]
pub(super) struct Step {
    pub number: u64,
    pub force: Enforcement,
    raised: bool,
    pub relaxed: Vec<LawId>,
    pub proposals: Vec<ProposalRecord>,
    new_laws: Option<Vec<LawRecord>>,
    new_books: Vec<BookRecord>,
    /// New laws that the current letter violates.
    violations: Vec<LawId>,
}

/// The result of the search for an action.
pub(super) enum Choice {
    /// An action that may run.
    Act { action: ActionId, thought: Option<String> },
    /// The end of the run.
    End(End),
}

impl Step {
    /// Begins a step under all laws.
    fn new(number: u64) -> Self {
        Self {
            number,
            force: Enforcement::All,
            raised: false,
            relaxed: Vec::new(),
            proposals: Vec::new(),
            new_laws: None,
            new_books: Vec::new(),
            violations: Vec::new(),
        }
    }

    /// Ends the step in a state, with the laws that it violated and those that owe something.
    fn record(
        self,
        observation: Observation,
        letter: Letter,
        executed: Option<Executed>,
        violations: Vec<LawId>,
        owed: Vec<LawId>,
    ) -> StepRecord {
        let Self { number: step, force, raised, relaxed, proposals, new_laws, new_books, .. } = self;
        StepRecord {
            step,
            observation,
            letter,
            proposals,
            executed,
            force,
            raised,
            relaxed,
            violations,
            owed,
            new_laws,
            new_books,
            first_seen: None,
        }
    }

    fn in_flight(&self, action: Option<ActionId>) -> InFlight {
        let Self { number, force, raised, proposals, new_laws, new_books, .. } = self.clone();
        InFlight { step: number, proposals, action, force, raised, new_laws, new_books, progress: None }
    }
}

impl<'a, W: World> Session<'a, W> {
    pub fn new(
        agent: Agent<'a>,
        world: &'a mut W,
        log: Log<'a>,
        manifest: RunManifest,
        limits: Limits,
        shield: Shield,
        observation: Observation,
    ) -> Self {
        let tally = Tally::new(&manifest);
        let in_force = InForce::at_start(&manifest);
        let in_flight = InFlightStep::new(log.store(), manifest.run);
        let mut respawns = false;
        if let Some(live) = world.live() {
            respawns = live.respawns();
            if log.store().is_some() {
                live.record_progress(in_flight.recorder());
            }
        }
        let (role, glossary) = (world.role(), world.glossary());
        Self {
            agent,
            world,
            log,
            manifest,
            limits,
            vocabulary: shield.vocabulary().clone(),
            role,
            glossary,
            shield,
            began: observation.holds,
            observation,
            last_observation: None,
            last_step: 0,
            owed: Vec::new(),
            history: Vec::new(),
            tally,
            stall: Stall::default(),
            spent: Spent::default(),
            in_force,
            in_flight,
            cut_off: None,
            respawns,
        }
    }

    /// Stores the initial state.
    pub fn initial_step(&mut self) -> Result<(), AgentError> {
        let letter = Letter::initial(self.observation.holds);
        let violations = self.shield.start(self.observation.holds)?;
        let record = Step::new(0).record(self.observation.clone(), letter, None, violations, self.shield.obligations());
        self.store_step(&record)
    }

    /// Takes steps until the run ends.
    pub async fn run_to_end(mut self) -> Result<RunSummary, AgentError> {
        let (end, in_flight) = loop {
            if let Some(ending) = self.step().await? {
                break ending;
            }
        };
        let outcome = RunOutcome { end, last_step: self.last_step, owed: self.owed.clone(), in_flight };
        self.end(&outcome)
    }

    /// Stores the outcome and returns the run's summary.
    pub fn end(mut self, outcome: &RunOutcome) -> Result<RunSummary, AgentError> {
        self.log.finish(outcome)?;
        let last = self.last_observation.as_ref().map(|last| (self.last_step, last.holds, self.owed));
        let summary = RunSummary::new(&self.manifest, self.tally, last, Some(outcome));
        self.agent.observer.on(&Event::Ended { summary: &summary });
        Ok(summary)
    }

    /// Returns the end of the run if this stored step stopped it, or if the player died.
    pub fn ended_by(&self, record: &StepRecord) -> Option<End> {
        let executed = record.executed.as_ref()?;
        if self.vocabulary.stop() == Some(executed.action) {
            let goal = self.world.goal_reached(&record.observation);
            return Some(if goal { End::Goal } else { End::Stopped });
        }
        (executed.outcome.is_fatal() && !self.respawns).then(|| End::Died { message: executed.outcome.message.clone() })
    }

    /// Takes one step. If the run ends, returns the reason and the step that was begun.
    async fn step(&mut self) -> Result<Option<(End, Option<InFlight>)>, AgentError> {
        if self.agent.interrupt.requested() {
            return Ok(Some((End::Interrupted, None)));
        }
        let mut step = Step::new(self.last_step + 1);
        self.update_laws(&mut step)?;
        let began = Instant::now();
        let decision = self.foresight().decide();
        (step.force, step.raised, step.relaxed) = (decision.enforcement, decision.raised, decision.relaxed);
        self.spent.shield += began.elapsed();

        let choice = match self.resume_cut_off(&mut step)? {
            Some(choice) => choice,
            None => self.choose(&mut step).await?,
        };
        let (action, thought) = match choice {
            Choice::Act { action, thought } => (action, thought),
            Choice::End(end) => {
                // An exhausted budget ends the run before a step begins.
                let begun = !step.proposals.is_empty()
                    || matches!(end, End::NothingAllowed { .. } | End::Impossible { .. } | End::Undecided { .. });
                return Ok(Some((end, begun.then(|| step.in_flight(None)))));
            }
        };
        self.agent.observer.on(&Event::Executing { step: step.number, action });
        self.in_flight.begin(step.in_flight(Some(action)));
        let stopping = self.vocabulary.stop() == Some(action);
        let began = Instant::now();
        let result = if stopping {
            Ok((Outcome::new(None, "The run stopped.", 0), self.observation.clone()))
        } else {
            self.perform(step.number, action).await
        };
        self.spent.world += began.elapsed();
        let (outcome, observation) = match result {
            Ok(done) => done,
            Err(error) => {
                // A cancelled run does not wait for a world that does not answer.
                let end = if self.agent.interrupt.requested() { End::Interrupted } else { lost(error) };
                return Ok(Some((end, Some(step.in_flight(Some(action))))));
            }
        };

        let traced = self.world.live().filter(|_| self.agent.keep_traces && !stopping);
        let trace = traced.map_or_else(Vec::new, |live| live.trace());
        let letter = Letter::after(&self.vocabulary, action, observation.holds);
        let began = Instant::now();
        let mut violations = std::mem::take(&mut step.violations);
        let (broken, owed) = read(&mut self.shield, action, &outcome.passed, observation.holds)?;
        violations.extend(broken);
        self.spent.shield += began.elapsed();
        self.observation = observation;
        let executed = Executed { action, thought, outcome, trace };
        let record = step.record(self.observation.clone(), letter, Some(executed), violations, owed);
        self.store_step(&record)?;
        Ok(self.ended_by(&record).map(|end| (end, None)))
    }

    /// Returns the action during which an earlier process ended, if the action may still run. The actor is not asked
    /// again for this step.
    fn resume_cut_off(&mut self, step: &mut Step) -> Result<Option<Choice>, AgentError> {
        let Some(cut_off) = self.cut_off.take().filter(|cut_off| cut_off.step == step.number) else { return Ok(None) };
        let shielded = self.manifest.shielded;
        let lets_run = |action: &ActionId| self.foresight().rule(Proposer::Actor, *action, shielded).lets_run();
        let action = cut_off.action.filter(lets_run);
        let (Some(action), Some(progress)) = (action, cut_off.progress) else { return Ok(None) };
        if let Some(live) = self.world.live() {
            live.restore_progress(progress)?;
        }
        step.proposals = cut_off.proposals;
        let thought = step.proposals.last().and_then(|proposal| proposal.thought.clone());
        Ok(Some(Choice::Act { action, thought }))
    }

    /// Returns the shield with the world's outlook of the state after the last letter.
    pub fn foresight(&mut self) -> Foresight<'_> {
        let Some(observation) = &self.last_observation else { return Foresight::none(&mut self.shield) };
        let outlook = self.world.outlook(observation);
        Foresight::new(&mut self.shield, outlook, self.manifest.robust, observation.holds)
    }

    /// Puts new laws in force, if there are any.
    fn update_laws(&mut self, step: &mut Step) -> Result<(), AgentError> {
        let update = self.agent.new_laws.before(step.number);
        for not_taken in &update.not_taken {
            self.agent.observer.on(&Event::BookNotTaken { step: step.number, not_taken });
        }
        let Some(laws) = update.laws else { return Ok(()) };
        if let Some(store) = self.log.store() {
            for book in &update.books {
                keep_revision(store, book, Timestamp::now())?;
            }
        }
        let records = law_records(&laws);
        step.violations = self.shield.replace_laws(laws)?;
        let change = self.in_force.replace(step.number, records.clone(), &update.books);
        self.agent.observer.on(&Event::LawsReplaced { change: &change, laws: &records });
        (step.new_laws, step.new_books) = (Some(records), update.books);
        Ok(())
    }

    /// Executes an action and observes the world afterwards; reports the progress every second.
    async fn perform(&mut self, step: u64, action: ActionId) -> Result<(Outcome, Observation), WorldError> {
        let (world, observer) = (&mut *self.world, &mut self.agent.observer);
        let watcher = world.live().and_then(|live| live.watcher());
        let performed = async {
            let outcome = world.execute(action).await?;
            Ok((outcome, observe(world, step).await?))
        };
        each_second(performed, |elapsed| {
            let activity = watcher.as_ref().map(|look| look());
            observer.on(&Event::Acting { step, action, elapsed, activity: activity.as_ref() });
        })
        .await
    }

    /// Stores a step, which makes it part of the run.
    fn store_step(&mut self, record: &StepRecord) -> Result<(), AgentError> {
        let spent = std::mem::take(&mut self.spent);
        let micros = |duration: Duration| u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
        let timing = Timing {
            propose_us: micros(spent.propose),
            shield_us: micros(spent.shield),
            world_us: micros(spent.world),
        };
        self.log.step(record, timing)?;
        self.in_flight.finish()?;
        self.apply(record);
        self.agent.observer.on(&Event::Stored { record, metrics: self.tally.metrics() });
        Ok(())
    }

    /// Updates the session by a stored step.
    pub fn apply(&mut self, record: &StepRecord) {
        self.last_step = record.step;
        if record.executed.is_none() {
            self.began = record.observation.holds;
        }
        self.last_observation = Some(record.observation.clone());
        self.owed.clone_from(&record.owed);
        self.tally.step(record);
        self.stall.step(record.observation.holds);
        self.history.extend(past_step(record));
    }
}

fn lost(error: WorldError) -> End {
    match error {
        WorldError::Dead(message) => End::Died { message },
        other => End::WorldLost { message: other.to_string() },
    }
}
