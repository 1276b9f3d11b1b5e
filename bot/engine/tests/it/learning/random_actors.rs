//! Learning by actors drawn at random: their habits, rates and seeds are those of no persona that anybody looked at.

use std::fmt::Write as _;

use ltlcrit_engine::actor::ActorKind;
use ltlcrit_engine::actor::simulated::PersonaSource;
use ltlcrit_engine::agent::RunSummary;
use ltlcrit_laws::Book;
use ltlcrit_statistics::{Resampling, sign_flip};
use proptest::prelude::*;

use super::laboratory::{Laboratory, empty_book, figures};
use super::proved_consistent;

/// An action that an actor may repeat for ever instead of the sensible one, and the states in which it can.
const HABITS: [(&str, &str); 6] = [
    ("action_mine_log", "obs_log_in_chunk"),
    ("action_craft_planks", "obs_has_log"),
    ("action_craft_stick", "obs_has_2x_plank"),
    ("action_mine_stone", "obs_wood_pickaxe_equipped"),
    ("action_mine_stone", "obs_stone_pickaxe_equipped"),
    ("action_explore_general", "obs_log_in_chunk"),
];

/// The number of fresh seeds.
const FRESH: u64 = 10;

/// An actor with its habits, and the share of its other mistakes.
#[derive(Clone, Debug)]
struct Drawn {
    habits: Vec<(usize, f64)>,
    mistakes: f64,
    sees_history: bool,
    seed: u32,
    episodes: u64,
}

impl Drawn {
    /// The actor in a laboratory whose directory holds its persona.
    fn laboratory(&self, directory: &std::path::Path) -> Laboratory {
        let mistakes = self.mistakes;
        let mut text = format!(
            "name = \"drawn\"\ndescription = \"Drawn at random\"\nset = \"development\"\nactor = \"naive\"\nknows = \"propositions\"\n\n\
             [rates]\nwrong_tool = {mistakes}\nearly_craft = {mistakes}\nearly_smelt = {mistakes}\n"
        );
        for (habit, rate) in &self.habits {
            let (action, when) = HABITS[*habit];
            let _ = write!(text, "\n[[habit]]\naction = \"{action}\"\nrate = {rate}\nwhen = [\"{when}\"]\n");
        }
        let path = directory.join("drawn.toml");
        std::fs::write(&path, text).unwrap();
        let actor = if self.sees_history { ActorKind::InnerMonologue } else { ActorKind::Naive };
        Laboratory::of(actor, PersonaSource::File { path, digest: None })
    }

    /// Plays fresh seeds without laws, and if `goes_on` says so with those that are learned.
    fn learn(&self, iterations: usize, goes_on: impl Fn(&[f64]) -> bool) -> Option<[Vec<f64>; 2]> {
        let directory = ltlcrit_store::scratch::directory().unwrap();
        let laboratory = self.laboratory(directory.path());
        let (seed, fresh) = (u64::from(self.seed), u64::from(u32::MAX) + 1_000 + u64::from(self.seed));
        let play = |books: &[Book]| {
            let runs = laboratory.run(books, fresh..fresh + FRESH);
            println!("(simulated) {self:?}: {}", figures(&runs));
            stages(&runs)
        };
        let before = play(&[]);
        if !goes_on(&before) {
            return None;
        }
        let (book, said) = laboratory.learn(empty_book(), &[], seed..seed + self.episodes, iterations);
        said.iter().for_each(|line| println!("(simulated) {line}"));
        book.laws_in_force().iter().for_each(|law| println!("    {}", law.formula));
        let after = play(std::slice::from_ref(&book));
        assert!(proved_consistent(&[book]));
        Some([before, after])
    }
}

fn stages(runs: &[RunSummary]) -> Vec<f64> {
    let reached = |run: &RunSummary| run.metrics.subgoals.iter().filter(|subgoal| subgoal.step.is_some()).count();
    runs.iter().map(|run| reached(run) as f64 + f64::from(u8::from(run.reached_goal()))).collect()
}

fn actors(habits: impl Strategy<Value = Vec<(usize, f64)>>) -> impl Strategy<Value = Drawn> {
    let rest = (0.0..0.25f64, any::<bool>(), any::<u32>(), 5..9u64);
    (habits, rest).prop_map(|(habits, (mistakes, sees_history, seed, episodes))| Drawn {
        habits,
        mistakes,
        sees_history,
        seed,
        episodes,
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2, failure_persistence: None, max_shrink_iters: 0, ..ProptestConfig::default() })]

    /// It never does what is sensible there, so that without laws it never gets on. A few episodes do not show every state of the
    /// loop, so not all fresh runs get past it.
    #[test]
    #[ignore = "takes minutes"]
    fn most_runs_of_an_actor_that_loops_for_ever_get_past_its_loop_within_three_iterations(
        actor in actors((0..HABITS.len()).prop_map(|habit| vec![(habit, 1.0)])),
    ) {
        // All subgoals and the goal: then it is no loop.
        let learned = actor.learn(3, |before| before.iter().all(|stage| *stage < 5.0));
        prop_assume!(learned.is_some());
        let [before, after] = learned.unwrap();
        let best = before.into_iter().fold(0.0, f64::max);
        let past = after.iter().filter(|stage| **stage > best).count();
        prop_assert!(2 * past > after.len(), "{past} of 10 get past stage {best}: {after:?}");
    }

    #[test]
    fn an_actor_drawn_at_random_gets_as_far_with_what_it_learned(
        actor in actors(prop::collection::vec((0..HABITS.len(), 0.05..0.9f64), 0..3)),
    ) {
        let [before, after] = actor.learn(2, |_| true).unwrap();
        let p = sign_flip(&before, &after, Resampling::default()).map_or(1.0, |test| test.p);
        let is_worse = after.iter().sum::<f64>() < before.iter().sum();
        prop_assert!(!is_worse || p > 0.01, "from {before:?} to {after:?}");
    }
}
