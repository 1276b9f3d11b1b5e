//! Ablations: learning without one part of the critic. Takes minutes; `.ci/figures` prints the metrics.

use ltlcrit_critic::propose::TrialCriticOptions;
use ltlcrit_engine::actor::ActorKind;

use super::laboratory::{Laboratory, empty_book, figures, shipped, times_optimum};
use super::proved_consistent;

const TRAINING: std::ops::Range<u64> = 0..50;
const FRESH: std::ops::Range<u64> = 1000..1100;

#[test]
#[ignore = "takes minutes"]
fn each_part_left_out() {
    let whole = TrialCriticOptions::default();
    let rows = [
        ("everything", whole),
        ("environment feedback only", TrialCriticOptions { efficiency: false, ..whole }),
        ("efficiency only", TrialCriticOptions { feedback: false, ..whole }),
        ("without generalisation", TrialCriticOptions { generalise: false, ..whole }),
        ("nothing", TrialCriticOptions { feedback: false, efficiency: false, ..whole }),
    ];
    let mut steps = Vec::new();
    for (name, options) in rows {
        let laboratory = Laboratory::new(ActorKind::InnerMonologue, "inner-monologue");
        let (book, _) = laboratory.learn(empty_book(), &[], TRAINING, 3, options);
        let fresh = laboratory.run(std::slice::from_ref(&book), FRESH);
        println!("(simulated) {name}: {}; {} laws", figures(&fresh), book.laws_in_force().len());
        assert!(proved_consistent(&[book]));
        steps.push(times_optimum(&fresh));
    }
    let hard = Laboratory::new(ActorKind::InnerMonologue, "inner-monologue").run(&[shipped("minecraft-hard")], FRESH);
    println!("(simulated) hard laws only: {}", figures(&hard));
    let (everything, nothing) = (steps[0], steps[4]);
    assert!(steps[1..].iter().all(|other| everything <= *other + 0.01), "{steps:?}");
    assert!(everything + 0.1 < nothing, "{steps:?}");
}

/// The actor only takes actions that can succeed, and wastes steps. Laws from failures do not help it, others do.
#[test]
#[ignore = "takes a minute"]
fn an_actor_that_only_wastes_steps_needs_efficiency() {
    let whole = TrialCriticOptions::default();
    let learned = |options: TrialCriticOptions| {
        let laboratory = Laboratory::new(ActorKind::InnerMonologue, "wasteful");
        let (book, _) = laboratory.learn(empty_book(), &[], 0..40, 3, options);
        let fresh = laboratory.run(std::slice::from_ref(&book), 1000..1040);
        println!("(simulated) wasteful, {} laws: {}", book.laws_in_force().len(), figures(&fresh));
        times_optimum(&fresh)
    };
    let efficiency = learned(TrialCriticOptions { feedback: false, ..whole });
    let feedback = learned(TrialCriticOptions { efficiency: false, ..whole });
    assert!(efficiency <= 1.10 && feedback > 1.10, "{efficiency} and {feedback} times the optimum");
}
