//! One episode with its world, laws and persona, as [`Training::play`] runs it, with its number of steps.

#![allow(clippy::unwrap_used)]

use divan::Bencher;
use ltlcrit_engine::actor::ActorKind;
use ltlcrit_engine::agent::{RunSummary, Silent};
use ltlcrit_engine::config::Config;
use ltlcrit_engine::learn::{EpisodeError, Training};
use ltlcrit_engine::setup;
use ltlcrit_engine::world::{InProcess, WorldName, vocabulary};

fn main() {
    divan::main();
}

/// Runs an episode of one seed under `minecraft-hard`, of at most `steps` steps.
fn episode(bencher: Bencher, actor: ActorKind, steps: u64) {
    let mut config = Config::default();
    (config.run.world, config.run.actor, config.run.steps) = (WorldName::EMBEDDED, actor, steps);
    let books = setup::books(&config.run.books(), &vocabulary(&config).unwrap()).unwrap().books;
    bencher.bench_local(|| {
        let mut taken = 0;
        let mut training = Training::new(config.clone(), &InProcess, &Silent);
        let take = |summary: RunSummary, _| {
            taken += summary.metrics.steps;
            Ok::<_, EpisodeError>(())
        };
        training.play(&[1], &books, take).unwrap();
        taken
    });
}

/// Plays from an empty inventory to the diamond.
#[divan::bench]
fn inner_monologue(bencher: Bencher) {
    episode(bencher, ActorKind::InnerMonologue, 200);
}

/// Plays without reaching the goal, so its steps are bounded.
#[divan::bench]
fn saycan_20_steps(bencher: Bencher) {
    episode(bencher, ActorKind::SayCan, 20);
}
