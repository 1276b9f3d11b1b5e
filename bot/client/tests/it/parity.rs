//! The same actions give the same propositions and reason codes in process and over the protocol, for every seed.

use std::ops::RangeInclusive;
use std::sync::Mutex;

use ltlcrit_client::ClientOptions;
use ltlcrit_minecraft::conformance::{Played, differences, play, script};
use ltlcrit_minecraft::options::EmbeddedOptions;
use ltlcrit_minecraft::{EmbeddedWorld, vocabulary};
use ltlcrit_server::ServerOptions;
use ltlcrit_verifier::ActionId;
use ltlcrit_worlds::Interrupt;
use ltlcrit_worlds::world::Observation;

use super::scene::{Clock, client_options, server_options};

const SEEDS: RangeInclusive<u64> = 1..=10;
/// The number of seeds that are played at the same time.
const AT_ONCE: usize = 4;

type Play = (Observation, Vec<Played>);

fn at_once<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
}

fn in_process(seed: u64, actions: &[ActionId]) -> Play {
    let mut world = EmbeddedWorld::new(seed, EmbeddedOptions::compact());
    at_once(play(&mut world, actions)).unwrap()
}

/// Plays the same world on a server. The error is the reason for an early end.
fn over_the_wire(seed: u64, actions: &[ActionId]) -> Result<Play, String> {
    let limits = EmbeddedOptions::compact().limits;
    at_once(async {
        let clock = Clock::start();
        let server = clock.serve(ServerOptions { seed, ..server_options() });
        let options = ClientOptions { seed, limits, sight: limits.sight, ..client_options(server.address()) };
        // Each world has an engine of its own: worlds of the same name in one engine are one world.
        let mut world = clock.try_join(options, Interrupt::new()).await.map_err(|error| error.to_string())?;
        let played = play(&mut world, actions).await;
        let (deaths, reconnects) = (world.deaths(), world.reconnects());
        match played {
            Ok(played) if (deaths, reconnects) == (0, 0) => Ok(played),
            Ok(_) => Err(format!("the player died {deaths} times, the connection was lost {reconnects} times")),
            Err(error) => Err(error.to_string()),
        }
    })
}

/// The number of actions of a seed, and one line for each difference between the two plays.
fn compared(seed: u64) -> (usize, Vec<String>) {
    let actions = script(seed, EmbeddedOptions::compact()).unwrap();
    let (before, here) = in_process(seed, &actions);
    let (first, there) = match over_the_wire(seed, &actions) {
        Ok(played) => played,
        Err(why) => return (actions.len(), vec![why]),
    };
    let mut lines = differences(&here, &there);
    if before.holds != first.holds {
        let names = |seen: &Observation| vocabulary().names(&seen.holds).join(" ");
        lines.insert(0, format!("before all: {} against {}", names(&before), names(&first)));
    }
    (actions.len(), lines)
}

#[test]
fn letters_and_reasons_are_the_same_in_process_and_over_the_wire() {
    let seeds = Mutex::new(SEEDS);
    let found = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let Some(seed) = seeds.lock().unwrap().next() else { return };
                    let began = std::time::Instant::now();
                    let (actions, lines) = compared(seed);
                    println!("seed {seed}: {actions} actions, {:.1} s", began.elapsed().as_secs_f64());
                    found.lock().unwrap().push((seed, actions, lines));
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap();
    found.sort_unstable_by_key(|(seed, ..)| *seed);
    assert_eq!(found.iter().map(|(seed, ..)| *seed).collect::<Vec<_>>(), SEEDS.collect::<Vec<_>>());
    let told: Vec<String> = found
        .iter()
        .flat_map(|(seed, _, lines)| lines.iter().map(move |line| format!("seed {seed}, {line}")))
        .collect();
    assert!(told.is_empty(), "in process against over the wire:\n{}", told.join("\n"));
    assert!(found.iter().all(|(_, actions, _)| *actions >= 55), "the scripts are whole");
}
