//! The minimum number of actions to the diamond in each world.

use ltlcrit_minecraft::{EmbeddedOptions, Limits, Optima};

#[test]
fn every_world_has_its_own() {
    let mut optima = Optima::new(EmbeddedOptions::default());
    let first: Vec<u64> = (1..=6).map(|seed| optima.of(seed).unwrap()).collect();
    // The optimum from an empty inventory is 38; a world in which a resource is out of sight takes more.
    assert!(first.iter().all(|actions| (38..=46).contains(actions)), "{first:?}");
    let again: Vec<u64> = (1..=6).map(|seed| Optima::new(EmbeddedOptions::default()).of(seed).unwrap()).collect();
    assert_eq!(first, again, "what was planned before changes nothing");
}

#[test]
fn there_may_be_none() {
    let options = EmbeddedOptions {
        limits: Limits { max_tunnel: 0, max_walk: 0, ..Limits::default() },
        ..EmbeddedOptions::default()
    };
    assert_eq!(Optima::new(options).of(1), None);
}
