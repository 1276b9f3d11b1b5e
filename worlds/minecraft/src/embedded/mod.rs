//! The embedded world: the game in process, behind the [`World`] trait.

mod hands;
mod land;

use std::sync::{Arc, LazyLock};

use ltlcrit_verifier::{ActionId, Vocabulary};

use hands::Hands;

use super::abstraction;
use super::game::Game;
use super::grid::Grid;
use super::mind::Mind;
use super::observation::MinecraftObservation;
use super::options::EmbeddedOptions;
use super::outlook::outlook;
use super::primitives::{self, Primitive};
use super::spawn;
use super::terrain::Terrain;
use super::vocabulary::vocabulary;
use ltlcrit_worlds::Details;
use ltlcrit_worlds::world::{Observation, Outcome, Subgoal, World, WorldError, WorldInfo};

/// A seeded Minecraft-like world with one player who wants a diamond.
///
/// The same seed, options and actions give the same observations, byte for byte. There are no other creatures, no
/// hunger and no night; wounds heal by half a heart every four seconds.
///
/// How hard it is: over the seeds 1 to 200 the best policy that sees only observations ([`super::planner::Policy`]) takes
/// 38.6 steps to the diamond on average with [`super::Sight::Exposed`] (38 in 165 seeds, 46 at most), 38.1 with
/// [`super::Sight::Loaded`]; 38 is the optimum of the symbolic task.
///
/// How fast it is: `cargo bench -p ltlcrit-worlds`. A whole episode with its terrain takes 18 milliseconds in the median
/// over the seeds 1 to 100, about a fifth of it for the terrain around the beginning; an action that does not walk 0.4
/// microseconds.
#[derive(Clone, Debug)]
pub struct EmbeddedWorld {
    seed: u64,
    options: EmbeddedOptions,
    vocabulary: Arc<Vocabulary>,
    game: Game,
    mind: Mind,
}

impl EmbeddedWorld {
    /// The world of a seed, with the player where it begins.
    pub fn new(seed: u64, options: EmbeddedOptions) -> Self {
        let mut grid = Grid::new(Terrain::new(options.terrain, seed));
        let feet = spawn::choose(&mut grid);
        Self { seed, options, vocabulary: vocabulary(), game: Game::new(grid, feet), mind: Mind::new(seed) }
    }

    /// The game behind it.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The game behind it, to arrange scenes in tests.
    pub fn game_mut(&mut self) -> &mut Game {
        &mut self.game
    }

    /// Everything the player is told now.
    pub fn look(&mut self) -> MinecraftObservation {
        outlook(&mut Hands::of(&mut self.game), &self.mind, self.options.sight)
    }

    /// Performs an action of the vocabulary.
    ///
    /// # Errors
    /// An unknown action, or the player is dead already.
    pub fn act(&mut self, action: ActionId) -> Result<Outcome, WorldError> {
        if usize::from(action.0) >= self.vocabulary.actions().len() {
            return Err(WorldError::UnknownAction(action.0));
        }
        if let Some(hurt) = self.game.player.death {
            return Err(WorldError::Dead(format!("you {}", hurt.death())));
        }
        let before = self.game.ground.tick;
        let Some(primitive) = Primitive::named(self.vocabulary.action_name(action)) else {
            return Ok(Outcome { failure: None, message: "The run ends here.".to_owned(), ticks: 0 });
        };
        let limits = self.options.limits();
        let mut hands = Hands::of(&mut self.game);
        let result = hands::at_once(primitives::perform(&mut hands, &mut self.mind, &limits, primitive))
            .ok_or_else(|| WorldError::Gone("the embedded world waited for something".to_owned()))?;
        let ticks = self.game.ground.tick - before;
        Ok(match result {
            Ok(message) => Outcome { failure: None, message, ticks },
            Err(failure) => Outcome { failure: Some(failure.code.into()), message: failure.message, ticks },
        })
    }

    /// The milestones of LTLCrit table 1.
    pub fn milestones() -> &'static [Subgoal] {
        static MILESTONES: LazyLock<Vec<Subgoal>> = LazyLock::new(|| {
            let vocabulary = vocabulary();
            [
                ("wooden pickaxe", "obs_has_wood_pickaxe"),
                ("stone pickaxe", "obs_has_stone_pickaxe"),
                ("iron pickaxe", "obs_has_iron_pickaxe"),
                ("diamond", "obs_has_diamond"),
            ]
            .into_iter()
            .map(|(name, shown_by)| Subgoal {
                name: name.to_owned(),
                holds: vocabulary.id(shown_by).into_iter().collect(),
            })
            .collect()
        });
        &MILESTONES
    }
}

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

    async fn observe(&mut self) -> Result<Observation, WorldError> {
        let full = self.look();
        Ok(Observation { holds: abstraction::observe(&full), details: Details::new(full) })
    }

    async fn execute(&mut self, action: ActionId) -> Result<Outcome, WorldError> {
        self.act(action)
    }

    fn goal_reached(&self, observation: &Observation) -> bool {
        Self::milestones().last().is_some_and(|diamond| diamond.holds.is_subset(&observation.holds))
    }

    fn subgoals(&self) -> &[Subgoal] {
        Self::milestones()
    }
}
