//! The embedded world: the game in process, behind the [`World`] trait.

mod body;
mod land;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use body::EmbeddedBody;
use ltlcrit_verifier::consistency::{AnyLaws, Beginning, DEFAULT_WORK, Satisfiability};
use ltlcrit_verifier::{ActionId, Formula, Law, LawId, Vocabulary, minimal_subset};
use ltlcrit_worlds::world::{LiveWorld, Observation, Outcome, Subgoal, Term, World, WorldError, WorldInfo};
use ltlcrit_worlds::{Details, ForkableWorld, Left, Outlook, async_trait};

use super::abstraction;
use super::effects::{self, Setting};
use super::game::Game;
use super::goals::{milestones, subgoals_to};
use super::grid::Grid;
use super::observation::MinecraftObservation;
use super::observe::{look_around, observe};
use super::options::EmbeddedOptions;
use super::planner::{ACTIONS, Goal, Planner, Policy, State};
use super::primitives::{self, Primitive, PrimitiveState};
use super::spawn;
use super::terrain::Terrain;
use super::vocabulary::{glossary, vocabulary};

/// A seeded Minecraft-like world with one player who wants a diamond.
///
/// The same seed, options and actions give the same observations, byte for byte. There are no other creatures, no
/// hunger and no night; health regenerates by half a heart every four seconds.
///
/// Over seeds 1 to 200, the best policy that sees only observations ([`super::planner::Policy`]) takes 38.9 steps to
/// the diamond on average with [`super::Sight::Exposed`] (38 in 162 seeds, at most 65). The symbolic task's optimum is
/// 38. For speed, see `benches/README.md`.
#[derive(Clone, Debug)]
pub struct EmbeddedWorld {
    seed: u64,
    options: EmbeddedOptions,
    vocabulary: Arc<Vocabulary>,
    game: Game,
    state: PrimitiveState,
    /// True if the player remembers what is in sight now.
    has_looked: bool,
}

impl EmbeddedWorld {
    /// The world of a seed, with the player at its start.
    pub fn new(seed: u64, options: EmbeddedOptions) -> Self {
        let mut grid = Grid::new(Terrain::new(options.terrain, seed));
        let feet = spawn::choose(&mut grid);
        let (game, state) = (Game::new(grid, feet), PrimitiveState::new(seed));
        Self { seed, options, vocabulary: vocabulary(), game, state, has_looked: false }
    }

    /// The running game.
    #[cfg(feature = "test-support")]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The running game, to arrange scenes in tests.
    #[cfg(feature = "test-support")]
    pub fn game_mut(&mut self) -> &mut Game {
        &mut self.game
    }

    /// The current full observation.
    pub fn look(&mut self) -> MinecraftObservation {
        self.has_looked = true;
        observe(&mut EmbeddedBody::of(&mut self.game), &mut self.state.memory, self.options.limits.sight)
    }

    /// Executes an action of the vocabulary.
    ///
    /// # Errors
    /// The action is unknown, or the player is dead.
    pub fn act(&mut self, action: ActionId) -> Result<Outcome, WorldError> {
        if usize::from(action.0) >= self.vocabulary.actions().len() {
            return Err(WorldError::UnknownAction(action.0));
        }
        if let Some(hurt) = self.game.player.death {
            return Err(WorldError::Dead(format!("you {}", hurt.death())));
        }
        let before = self.game.ground.tick;
        let Some(primitive) = Primitive::named(self.vocabulary.action_name(action)) else {
            return Ok(Outcome::new(None, "The run ends here.".to_owned(), 0));
        };
        // The player sees where it stands, whether or not it is asked.
        let mut body = EmbeddedBody::of(&mut self.game);
        if !std::mem::take(&mut self.has_looked) {
            look_around(&mut body, &mut self.state.memory, self.options.limits.sight);
        }
        let result = body::at_once(primitives::perform(&mut body, &mut self.state, &self.options.limits, primitive))
            .ok_or_else(|| WorldError::Gone("the embedded world waited for something".to_owned()))?;
        let ticks = self.game.ground.tick - before;
        Ok(match result {
            Ok(message) => Outcome::new(None, message, ticks),
            Err(failure) => Outcome::new(Some(failure.code.into()), failure.message, ticks),
        })
    }
}

#[async_trait(?Send)]
impl World for EmbeddedWorld {
    fn info(&self) -> WorldInfo {
        WorldInfo {
            kind: "embedded".to_owned(),
            seed: Some(self.seed),
            options: serde_json::to_value(self.options).unwrap_or_default(),
            deterministic: true,
        }
    }

    fn vocabulary(&self) -> Arc<Vocabulary> {
        self.vocabulary.clone()
    }

    fn task(&self) -> &str {
        "Mine a diamond."
    }

    fn glossary(&self) -> Vec<Term> {
        glossary(self.options.limits.sight)
    }

    async fn observe(&mut self) -> Result<Observation, WorldError> {
        let full = self.look();
        Ok(Observation { holds: abstraction::propositions(&full), details: Details::new(full) })
    }

    fn outlook<'a>(&'a self, observation: &'a Observation) -> Box<dyn Outlook + 'a> {
        effects::outlook(observation, Setting::Embedded)
    }

    async fn execute(&mut self, action: ActionId) -> Result<Outcome, WorldError> {
        self.act(action)
    }

    fn goal_reached(&self, observation: &Observation) -> bool {
        milestones().last().is_some_and(|diamond| diamond.holds.is_subset(&observation.holds))
    }

    fn subgoals(&self) -> &[Subgoal] {
        milestones()
    }

    fn subgoals_to(&self, goal: &str) -> Result<Vec<Subgoal>, Vec<String>> {
        subgoals_to(goal)
    }

    fn fork(&self, goal: Option<&str>) -> Option<Box<dyn ForkableWorld>> {
        Some(Box::new(ForkedWorld::new(self.clone(), goal)?))
    }

    fn live(&mut self) -> Option<&mut dyn LiveWorld> {
        Some(self)
    }
}

impl LiveWorld for EmbeddedWorld {
    fn trace(&self) -> Vec<String> {
        self.state.trace()
    }
}

/// The embedded world with the planner of the symbolic task.
struct ForkedWorld {
    world: EmbeddedWorld,
    planner: Rc<RefCell<Planner>>,
    /// The steps to a diamond, if the diamond is the goal.
    optima: Option<Rc<RefCell<Optima>>>,
}

impl ForkedWorld {
    /// A world with the diamond as its goal, or what is named; `None` if there is nothing of the name.
    fn new(world: EmbeddedWorld, goal: Option<&str>) -> Option<Self> {
        let goal = goal.map_or_else(|| Some(Goal::diamond()), Goal::named)?;
        let planner = Rc::new(RefCell::new(Planner::new(goal)));
        let optima = (goal == Goal::diamond()).then(|| Rc::new(RefCell::new(Optima::new(world.options))));
        Some(Self { world, planner, optima })
    }

    /// Another world with the same planner.
    fn with(&self, world: EmbeddedWorld) -> Self {
        Self { world, planner: self.planner.clone(), optima: self.optima.clone() }
    }
}

impl ForkableWorld for ForkedWorld {
    fn copy(&self) -> Box<dyn ForkableWorld> {
        Box::new(self.with(self.world.clone()))
    }

    fn fresh(&self, seed: u64) -> Box<dyn ForkableWorld> {
        Box::new(self.with(EmbeddedWorld::new(seed, self.world.options)))
    }

    fn act(&mut self, action: ActionId) -> Option<Outcome> {
        self.world.act(action).ok()
    }

    fn left(&mut self) -> Left {
        let (state, mut planner) = (State::of(&self.world.look()), self.planner.borrow_mut());
        match planner.distance(&state) {
            Some(steps) => {
                Left::Steps(steps.into(), planner.next_action(&state).and_then(|name| vocabulary().action(name)))
            }
            None => Left::NoWay,
        }
    }

    /// The laws that never allow an action without which the planner knows no way from the start. A law that allows all
    /// of them somewhere is not looked into.
    fn forbidden(&self, taken: &[ActionId], laws: &[Law], _most_states: usize) -> Option<Vec<LawId>> {
        if !taken.is_empty() {
            return None;
        }
        let words = &self.world.vocabulary;
        let is_known = |law: &&Law| law.formula.atoms().iter().all(|atom| words.id(atom).is_some());
        let laws: Vec<&Law> = laws.iter().filter(is_known).collect();
        let done = |action: &str| Formula::atom(action).finally();
        let formulas: Vec<Formula> = laws.iter().map(|law| law.formula.clone()).chain(ACTIONS.map(done)).collect();
        let mut system = AnyLaws::new(words, &formulas).ok()?;
        let mut excluding = |among: &[usize]| {
            let mut guilty: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
            for (at, action) in ACTIONS.into_iter().enumerate() {
                let asked = [among, &[laws.len() + at]].concat();
                let answer = system.satisfiable(&asked, Beginning::AnyAction, DEFAULT_WORK);
                if let Satisfiability::Contradictory { laws } = answer {
                    guilty.insert(action, laws);
                }
            }
            let excludes = !self.planner.borrow().may_reach(&|action| !guilty.contains_key(action));
            excludes
                .then(|| among.iter().copied().filter(|law| guilty.values().flatten().any(|it| it == law)).collect())
        };
        let all: Vec<usize> = (0..laws.len()).collect();
        let guilty = minimal_subset(excluding(&all)?, excluding);
        Some(guilty.into_iter().map(|law| laws[law].id.clone()).collect())
    }

    fn reference(&mut self, seed: u64) -> Option<u64> {
        self.optima.as_ref()?.borrow_mut().of(seed)
    }
}

/// The maximum number of actions in a search for the diamond.
const MAX_ACTIONS: u64 = 500;

/// The number of actions, explorations included, that the exact planner's policy takes to the diamond in the embedded
/// world of a seed. Each world is played once, on first use.
#[derive(Clone, Debug)]
pub struct Optima {
    options: EmbeddedOptions,
    /// The policy, whose plans are reused in every world.
    policy: Policy,
    known: BTreeMap<u64, Option<u64>>,
}

impl Optima {
    /// The optima of worlds with these options.
    pub fn new(options: EmbeddedOptions) -> Self {
        Self { options, policy: Policy::default(), known: BTreeMap::new() }
    }

    /// The number of actions in the world of a seed; `None` if the policy finds no diamond there.
    pub fn of(&mut self, seed: u64) -> Option<u64> {
        if let Some(known) = self.known.get(&seed) {
            return *known;
        }
        let optimum = self.play(seed);
        self.known.insert(seed, optimum);
        optimum
    }

    fn play(&mut self, seed: u64) -> Option<u64> {
        let mut world = EmbeddedWorld::new(seed, self.options);
        self.policy = Policy::default().with_planner_of(std::mem::take(&mut self.policy));
        let mut last = None;
        for actions in 0..=MAX_ACTIONS {
            let seen = world.look();
            if seen.inventory.contains_key("diamond") {
                return Some(actions);
            }
            let action = self.policy.next(&seen, last.as_ref())?;
            last = Some(world.act(action).ok()?);
        }
        None
    }
}
