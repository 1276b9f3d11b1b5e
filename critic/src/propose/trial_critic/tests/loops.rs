//! Actors drawn at random that loop for ever: the critic gets them past their loops.

use std::sync::Arc;

use ltlcrit_store::RunId;
use ltlcrit_verifier::{ActionId, PropId, PropSet, Vocabulary};
use ltlcrit_worlds::Reason;
use proptest::prelude::*;
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;

use super::super::cover;
use super::super::search::Found;
use crate::evidence::{Block, Objective, Trials};
use crate::graph::{Citation, Counts, RunPath, TrajectoryGraph};
use crate::propose::Brief;

/// The steps of an episode.
const STEPS: usize = 80;
/// The number of fresh episodes of a test.
const FRESH: u64 = 20;
/// The number of fresh episodes with and without laws, if they are compared.
const COMPARED: u64 = 100;
/// The number of training sets that are compared in pairs.
const PAIRS: usize = 12;

/// A chain of things: the first is gathered, and each of the others is made of the one before.
#[derive(Clone, Debug)]
struct Chain {
    /// For each thing but the first how many of the one before it takes, and how many it gives.
    recipes: Vec<(u32, u32)>,
    /// Up to this thing the actor makes what it can and nothing else, although it could go on.
    habit: usize,
    /// The share of its actions that are drawn at random.
    noise: f64,
}

impl Chain {
    fn vocabulary(&self) -> Arc<Vocabulary> {
        let things = 0..=self.recipes.len();
        let observations = things.clone().flat_map(|at| [format!("obs_any_{at}"), format!("obs_enough_{at}")]);
        let actions = things.map(|at| format!("action_make_{at}"));
        Arc::new(Vocabulary::builder("chain").observations(observations).actions(actions).build().unwrap())
    }

    fn holds(&self, counts: &[u32]) -> PropSet {
        let enough = |at: usize| self.recipes.get(at).map_or(1, |(takes, _)| *takes);
        let props = (0..counts.len()).flat_map(|at| [(2 * at, counts[at] > 0), (2 * at + 1, counts[at] >= enough(at))]);
        props.filter(|(_, holds)| *holds).map(|(prop, _)| PropId(prop as u16)).collect()
    }

    fn can(&self, counts: &[u32], thing: usize) -> bool {
        thing == 0 || counts[thing - 1] >= self.recipes[thing - 1].0
    }

    /// Plays an episode under laws. Returns it with the blocked proposals, and whether the actor got past its habit.
    fn play(&self, number: u64, generation: u64, laws: &[Found], random: &mut Pcg64Mcg) -> (RunPath, Vec<Block>, bool) {
        let things = self.recipes.len() + 1;
        let mut counts = vec![0u32; things];
        let named = |counts: &[u32]| -> Counts {
            counts
                .iter()
                .enumerate()
                .filter(|(_, count)| **count > 0)
                .map(|(at, count)| (format!("thing_{at}"), *count))
                .collect()
        };
        let mut run = RunPath::new(number, self.holds(&counts));
        run.generation = generation;
        run.counted(named(&counts));
        let (mut blocks, mut got_past) = (Vec::new(), false);
        for step in 1..=STEPS as u32 {
            let state = self.holds(&counts);
            let noise = random.random_bool(self.noise).then(|| random.random_range(0..things));
            let habit = (0..=self.habit).rev().filter(|thing| self.can(&counts, *thing));
            let sensible = (0..things).rev().filter(|thing| self.can(&counts, *thing));
            let blocked =
                |thing: usize| laws.iter().any(|law| usize::from(law.action.0) == thing && law.cube.holds(&state));
            let wishes: Vec<usize> = noise.into_iter().chain(habit).chain(sensible).collect();
            let taken = wishes.iter().position(|thing| !blocked(*thing));
            for thing in &wishes[..taken.unwrap_or(wishes.len())] {
                let (action, step) = (ActionId(*thing as u16), Citation { run: RunId(number), step });
                blocks.push(Block { state, action, step, laws: Vec::new(), hard: false, taken: None });
            }
            // The shield sets laws that leave nothing aside for a step.
            let thing = wishes[taken.unwrap_or(0)];
            let works = self.can(&counts, thing);
            if works {
                let (takes, gives) = thing.checked_sub(1).map_or((0, 1), |at| self.recipes[at]);
                if thing > 0 {
                    counts[thing - 1] -= takes;
                }
                counts[thing] += gives;
            }
            run.step(ActionId(thing as u16), (!works).then(|| Reason("missing".into())), self.holds(&counts));
            run.counted(named(&counts));
            got_past |= counts[self.habit + 1] > 0;
            if counts[things - 1] > 0 {
                run.reached_goal();
                break;
            }
        }
        (run, blocks, got_past)
    }

    /// Learns laws in three iterations of some episodes each.
    fn learn(&self, episodes: u64, random: &mut Pcg64Mcg) -> Vec<Found> {
        let vocabulary = self.vocabulary();
        let (mut graph, mut blocks) = (TrajectoryGraph::new(), Vec::new());
        let mut laws: Vec<Found> = Vec::new();
        for iteration in 0..3 {
            for episode in 0..episodes {
                let (run, blocked, _) = self.play(iteration * episodes + episode, iteration, &laws, random);
                graph.add(&run);
                blocks.extend(blocked);
            }
            let trials = Trials::of(graph.runs(), &vocabulary, &blocks, Objective::DEFAULT);
            let brief = Brief {
                task: "Make the last thing.",
                vocabulary: &vocabulary,
                graph: &graph,
                trials: &trials,
                notes: &Default::default(),
                laws: &[],
                conflicts: &[],
                refused: &[],
                round: 1,
            };
            laws = cover::laws(&brief);
        }
        laws
    }

    /// Counts the fresh episodes that reach the goal under laws.
    fn goals(&self, laws: &[Found], random: &mut Pcg64Mcg) -> usize {
        (0..FRESH).filter(|at| self.play(1_000_000 + at, 3, laws, random).0.has_reached_goal()).count()
    }
}

fn chains() -> impl Strategy<Value = Chain> {
    let recipes = prop::collection::vec((1..=3u32, 1..=4u32), 2..=4);
    (recipes, 0..2usize, 0.0..0.15f64).prop_map(|(recipes, habit, noise)| Chain { recipes, habit, noise })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_looping_actor_gets_past_its_loop_within_three_iterations(
        chain in chains(), seed in any::<u64>(), episodes in 5..=40u64,
    ) {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let laws = chain.learn(episodes, &mut random);
        let mut past = |laws: &[Found]| {
            (0..COMPARED).filter(|at| chain.play(1_000_000 + at, 3, laws, &mut random).2).count() as u64
        };
        let (with, without) = (past(&laws), past(&[]));
        // An actor whose random actions alone get it past most of the time has no loop to learn from.
        let least = if 2 * without < COMPARED { 9 * COMPARED / 10 } else { without.saturating_sub(COMPARED / 5) };
        prop_assert!(with >= least, "{with} of {COMPARED} get past, {without} without laws; {laws:?}");
    }

    #[test]
    fn more_episodes_never_hurt_by_more_than_chance(chain in chains(), seed in any::<u64>(), few in 5..=10u64) {
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let pairs: Vec<(usize, usize)> = (0..PAIRS)
            .map(|_| {
                let (laws, more) = (chain.learn(few, &mut random), chain.learn(4 * few, &mut random));
                (chain.goals(&laws, &mut random), chain.goals(&more, &mut random))
            })
            .collect();
        let worse = pairs.iter().filter(|(few, more)| more < few).count();
        let differ = pairs.iter().filter(|(few, more)| more != few).count();
        // The sign test, at a level of 0.1%, as the property is tested for many actors.
        prop_assert!(sign_test(worse, differ) > 0.001, "goals of {FRESH} after few and more episodes: {pairs:?}");
    }
}

/// Returns the probability of at least so many heads in some tosses of a fair coin.
fn sign_test(heads: usize, tosses: usize) -> f64 {
    let mut rows = vec![1.0];
    for _ in 0..tosses {
        let next: Vec<f64> = (0..=rows.len())
            .map(|at| {
                0.5 * (rows.get(at).copied().unwrap_or(0.0) + at.checked_sub(1).map_or(0.0, |before| rows[before]))
            })
            .collect();
        rows = next;
    }
    rows[heads..].iter().sum()
}
