//! Actors drawn at random that loop for ever: the critic gets them past their loops.

use std::sync::Arc;

use ltlcrit_store::{Counts, RunId};
use ltlcrit_verifier::{ActionId, PropId, PropSet, Vocabulary};
use ltlcrit_worlds::Reason;
use proptest::prelude::*;
use rand::SeedableRng as _;
use rand_pcg::Pcg64Mcg;

use super::super::cover;
use super::super::search::Found;
use crate::evidence::{Block, Objective, TrialLog};
use crate::graph::{Citation, ClassOptions, RunPath, Target, TrajectoryGraph};
use crate::propose::Brief;

/// The steps of an episode.
const STEPS: usize = 80;

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
                blocks.push(Block { state, action, step });
            }
            // Where the laws leave nothing the shield sets them aside for a step.
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
        let vocabulary = chain.vocabulary();
        let mut random = Pcg64Mcg::seed_from_u64(seed);
        let (mut graph, mut log, mut blocks) = (TrajectoryGraph::new(), TrialLog::default(), Vec::new());
        let mut laws: Vec<Found> = Vec::new();
        for iteration in 0..3 {
            for episode in 0..episodes {
                let (run, blocked, _) = chain.play(iteration * episodes + episode, iteration, &laws, &mut random);
                graph.add(&run);
                log.add(run);
                blocks.extend(blocked);
            }
            let trials = log.trials(&vocabulary, &blocks, Objective::DEFAULT);
            let brief = Brief {
                task: "Make the last thing.",
                vocabulary: &vocabulary,
                graph: &graph,
                classes: &graph.classify(Target::Goal, ClassOptions::default()),
                trials: &trials,
                notes: &Default::default(),
                laws: &[],
                conflicts: &[],
                refused: &[],
                round: 1,
            };
            laws = cover::laws(&brief);
        }
        let fresh = 20;
        let past = (0..fresh).filter(|at| chain.play(1_000_000 + at, 3, &laws, &mut random).2).count();
        prop_assert!(10 * past as u64 >= 9 * fresh, "{past} of {fresh} get past; {laws:?}");
    }
}
