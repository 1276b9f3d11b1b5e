//! The Minecraft worlds.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use ltlcrit_minecraft::effects::{self, Setting};
use ltlcrit_minecraft::planner::{Goal, Planner, State, TaskRules};
use ltlcrit_minecraft::vocabulary::PHRASES;
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld, MinecraftObservation, Optima};
use ltlcrit_translate::Lexicon;
use ltlcrit_verifier::ActionId;
use ltlcrit_worlds::{Bounds, BoxedWorld, Forecast, Observation, Outcome, WorldObservation as _};

use super::error::OpenWorldError;
use super::spec::{Distances, Fresh, Left, Predictor, Trials, WorldSpec};

/// A Minecraft server with a client, which the caller of this library brings.
pub static SERVER: WorldSpec = WorldSpec {
    name: "server",
    about: "a Minecraft server, joined by a real client: one of our own on loopback unless an address is given",
    live: true,
    predictor: |_| Some(Box::new(Effects(Setting::Server))),
    ..EMBEDDED
};

/// The embedded world.
pub const EMBEDDED: WorldSpec = WorldSpec {
    name: "embedded",
    about: "a seeded Minecraft-like world inside this process, without a client and as fast as it can",
    argument: None,
    live: false,
    has_terrain: true,
    laws: |_| vec!["minecraft-hard".to_owned()],
    vocabulary: |_| Ok(ltlcrit_minecraft::vocabulary()),
    open: |fresh| Ok(BoxedWorld::new(EmbeddedWorld::new(fresh.seed, fresh.minecraft))),
    planner: None,
    trials: Some(MinecraftTrials::open),
    predictor: |_| Some(Box::new(Effects(Setting::Embedded))),
    distances: Some(|| Box::new(SymbolicDistances::default())),
    shape: MinecraftObservation::shape,
    place: |observation| {
        let at = observation.details.get::<MinecraftObservation>()?.position;
        Some([at.x, at.y, at.z])
    },
    lexicon: |_| Ok(Lexicon::of_vocabulary(&ltlcrit_minecraft::vocabulary(), &PHRASES, Vec::new())),
    surroundings: Some(effects::surroundings),
    kept: &effects::KEPT,
};

/// The goals of the planner, in the order of the task's subgoals.
const GOALS: [Goal; 4] = [Goal::WoodenPickaxe, Goal::StonePickaxe, Goal::IronPickaxe, Goal::Diamond];

/// The distances of the symbolic task; those from equal states are computed once.
#[derive(Default)]
struct SymbolicDistances(HashMap<State, [Option<u32>; 4]>);

impl Distances for SymbolicDistances {
    fn from(&mut self, start: &Observation) -> Vec<Option<u64>> {
        let Some(observation) = start.details.get::<MinecraftObservation>() else { return Vec::new() };
        let start = State::of(&observation);
        let search = || GOALS.map(|goal| Planner::new(goal, TaskRules::default()).distance(&start));
        self.0.entry(start).or_insert_with(search).map(|steps| steps.map(u64::from)).to_vec()
    }
}

/// The embedded world with the planner of the symbolic task.
struct MinecraftTrials {
    world: EmbeddedWorld,
    options: EmbeddedOptions,
    planner: Rc<RefCell<Planner>>,
    /// The steps to a diamond, if that is the goal.
    optima: Option<Rc<RefCell<Optima>>>,
}

impl MinecraftTrials {
    fn open(fresh: &Fresh<'_>) -> Result<Box<dyn Trials>, OpenWorldError> {
        let known = EmbeddedWorld::milestones().iter().map(|it| &*it.name).zip(GOALS);
        let goal = match fresh.goal {
            None => Goal::Diamond,
            Some(named) => known.clone().find(|(name, _)| *name == named).map(|(_, goal)| goal).ok_or_else(|| {
                let known = known.map(|(name, _)| name.to_owned()).collect();
                OpenWorldError::NoSubgoal { world: EMBEDDED.name.to_owned(), goal: named.to_owned(), known }
            })?,
        };
        let planner = Rc::new(RefCell::new(Planner::new(goal, TaskRules::default())));
        let (world, options) = (EmbeddedWorld::new(fresh.seed, fresh.minecraft), fresh.minecraft);
        let optima = (goal == Goal::Diamond).then(|| Rc::new(RefCell::new(Optima::new(options))));
        Ok(Box::new(Self { world, options, planner, optima }))
    }

    /// Another world with the same planner.
    fn with(&self, world: EmbeddedWorld) -> Self {
        Self { world, options: self.options, planner: self.planner.clone(), optima: self.optima.clone() }
    }
}

impl Trials for MinecraftTrials {
    fn copy(&self) -> Box<dyn Trials> {
        Box::new(self.with(self.world.clone()))
    }

    fn fresh(&self, seed: u64) -> Box<dyn Trials> {
        Box::new(self.with(EmbeddedWorld::new(seed, self.options)))
    }

    fn act(&mut self, action: ActionId) -> Option<Outcome> {
        self.world.act(action).ok()
    }

    fn left(&mut self) -> Left {
        let (state, mut planner) = (State::of(&self.world.look()), self.planner.borrow_mut());
        match planner.distance(&state) {
            Some(steps) => {
                let next = planner.next_action(&state).and_then(|name| ltlcrit_minecraft::vocabulary().action(name));
                Left::Steps(u64::from(steps), next)
            }
            None => Left::NoWay,
        }
    }

    fn needs(&self, actions: &[ActionId]) -> bool {
        let vocabulary = ltlcrit_minecraft::vocabulary();
        let is_left = |name: &str| vocabulary.action(name).is_none_or(|action| !actions.contains(&action));
        !self.planner.borrow().may_reach(&is_left)
    }

    fn reference(&mut self, seed: u64) -> Option<u64> {
        self.optima.as_ref()?.borrow_mut().of(seed)
    }
}

/// The effects of actions are known without a world.
struct Effects(Setting);

impl Predictor for Effects {
    fn forecast(&self, observation: &Observation, action: ActionId) -> Forecast {
        effects::predict(observation, action, self.0).into()
    }

    fn bounds(&self, observation: &Observation, action: ActionId) -> Bounds {
        effects::bounds(observation, action, self.0)
    }

    fn passes(&self, _: &Observation, _: ActionId) -> bool {
        false
    }

    fn applicable(&self, _: &Observation) -> Option<Vec<ActionId>> {
        None
    }
}
