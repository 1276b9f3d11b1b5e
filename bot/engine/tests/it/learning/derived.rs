//! Observations that the critic derives where the vocabulary lacks one.

use ltlcrit_critic::critique::CritiqueOptions;
use ltlcrit_engine::actor::ActorKind;
use ltlcrit_engine::learn::EpisodeFigures;

use super::laboratory::{Laboratory, empty_book, figures, times_optimum};
use super::{fresh_seeds, proved_consistent};

/// The hoarder gathers more than any observation counts: without derived observations no law can express it.
#[test]
fn what_a_hoarder_wastes_is_seen_by_derived_observations() {
    hoarder(0..20, 2, 10);
}

#[test]
#[ignore = "240 episodes take a minute"]
fn what_a_hoarder_wastes_is_seen_on_many_seeds() {
    hoarder(0..40, 3, 40);
}

fn hoarder(seeds: std::ops::Range<u64>, iterations: usize, count: u64) {
    let learned = |derive| {
        let mut laboratory = Laboratory::new(ActorKind::InnerMonologue, "hoarder");
        laboratory.critique.derive = derive;
        let (book, _) = laboratory.learn(empty_book(), &[], seeds.clone(), iterations);
        let fresh = laboratory.run(std::slice::from_ref(&book), fresh_seeds(count));
        println!("(simulated) hoarder, {} derived: {}", book.derived().len(), figures(&fresh));
        assert!(10 * EpisodeFigures::of(&fresh).goals as u64 >= 9 * count, "fewer than nine goals of ten");
        (book, times_optimum(&fresh))
    };
    let (with, without) = (learned(CritiqueOptions::default().derive), learned(None));
    assert!(without.0.derived().is_empty());
    let mentioned = |name: &str| with.0.entries().iter().any(|law| law.formula.mentions(name));
    assert!(!with.0.derived().is_empty() && with.0.derived().iter().all(|one| mentioned(&one.name)));
    assert!(with.0.derived().iter().all(|one| one.provenance.as_ref().is_some_and(|from| !from.evidence.is_empty())));
    assert!(with.1 < without.1, "{} times the optimum with, {} without", with.1, without.1);
    assert!(proved_consistent(&[with.0]));
}
