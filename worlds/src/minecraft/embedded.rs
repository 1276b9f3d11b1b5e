//! The embedded world: the game in process, behind the [`World`] trait.

use std::ops::RangeInclusive;
use std::sync::{Arc, LazyLock};

use ltlcrit_verifier::{ActionId, Vocabulary};

use super::abstraction;
use super::blocks::Block;
use super::game::Game;
use super::grid::Grid;
use super::observation::{BlockPos, MinecraftObservation};
use super::options::EmbeddedOptions;
use super::primitives::{self, Primitive};
use super::sight;
use super::spawn;
use super::terrain::Terrain;
use super::vocabulary::vocabulary;
use crate::world::{Details, Observation, Outcome, Subgoal, World, WorldError, WorldInfo};

/// How far dangers are told of, in blocks.
const HAZARD_RANGE: i32 = 8;

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
}

impl EmbeddedWorld {
    /// The world of a seed, with the player where it begins.
    pub fn new(seed: u64, options: EmbeddedOptions) -> Self {
        let mut grid = Grid::new(Terrain::new(options.terrain, seed));
        let feet = spawn::choose(&mut grid);
        Self { seed, options, vocabulary: vocabulary(), game: Game::new(grid, feet, seed) }
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
        let feet = self.game.player.feet;
        let eyes = self.game.player.eyes();
        let seen = sight::see(&mut self.game.ground.grid, eyes, self.options.sight);
        let furnace = seen.of(Block::Furnace).map(|sighting| sighting.nearest);
        MinecraftObservation {
            position: feet,
            biome: self.game.ground.grid.biome(feet.x, feet.z).name().to_owned(),
            tick: self.game.ground.tick,
            health: f64::from(self.game.player.health),
            hunger: 20.0,
            inventory: self.game.inventory.counts(),
            equipped: self.game.inventory.hand().map(|stack| stack.item.name().to_owned()),
            nearby: seen.iter().map(|(block, sighting)| (block.name().to_owned(), sighting)).collect(),
            hazards: self.hazards().into_iter().map(|(block, away)| (block.name().to_owned(), away)).collect(),
            head_in_water: self.game.head_in_water(),
            air: self.game.player.air,
            furnace_fire: furnace.map_or(0, |furnace| self.game.fire_in(furnace)),
        }
    }

    /// The nearest of each danger that is not hidden in rock.
    fn hazards(&mut self) -> Vec<(Block, f64)> {
        let eyes = self.game.player.eyes();
        let feet = self.game.player.feet;
        let mut nearest: [Option<(f64, BlockPos)>; 4] = [None; 4];
        const KINDS: [Block; 4] = [Block::Lava, Block::Water, Block::Gravel, Block::Sand];
        let low = feet.offset(-HAZARD_RANGE, -HAZARD_RANGE, -HAZARD_RANGE);
        let high = feet.offset(HAZARD_RANGE, HAZARD_RANGE, HAZARD_RANGE);
        // Section by section: most have nothing in them that flows or falls.
        let parts =
            |low: i32, high: i32| (low >> 4..=high >> 4).map(move |at| low.max(at * 16)..=high.min(at * 16 + 15));
        for ys in parts(low.y, high.y) {
            for zs in parts(low.z, high.z) {
                for xs in parts(low.x, high.x) {
                    if !self.game.ground.grid.is_loose_section(BlockPos::new(*xs.start(), *ys.start(), *zs.start())) {
                        continue;
                    }
                    for pos in cells(xs, ys.clone(), zs.clone()) {
                        let block = self.game.block(pos);
                        let Some(kind) = KINDS.iter().position(|kind| *kind == block) else { continue };
                        let away = (sight::distance(eyes, pos), pos);
                        let closer = nearest[kind].is_none_or(|best| away < best);
                        if closer && away.0 <= f64::from(HAZARD_RANGE) && self.shows(pos) {
                            nearest[kind] = Some(away);
                        }
                    }
                }
            }
        }
        KINDS.into_iter().zip(nearest).filter_map(|(kind, found)| Some((kind, found?.0))).collect()
    }

    /// Whether air, or the player, is next to a block.
    fn shows(&mut self, pos: BlockPos) -> bool {
        let (feet, head) = (self.game.player.feet, self.game.player.head());
        pos == feet
            || pos == head
            || pos
                .neighbours()
                .into_iter()
                .any(|beside| beside == feet || beside == head || matches!(self.game.block(beside), Block::Air))
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
        let result = primitives::perform(&mut self.game, &self.options, primitive);
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

/// The positions of a box.
fn cells(xs: RangeInclusive<i32>, ys: RangeInclusive<i32>, zs: RangeInclusive<i32>) -> impl Iterator<Item = BlockPos> {
    ys.flat_map(move |y| {
        let xs = xs.clone();
        zs.clone().flat_map(move |z| xs.clone().map(move |x| BlockPos::new(x, y, z)))
    })
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
        Ok(Observation { holds: abstraction::observe(&full), details: Details::Minecraft(full) })
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
