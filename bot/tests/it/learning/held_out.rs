//! Learning judged by personas that were never run while the critic was worked on.

use ltlcrit::actor::ActorKind;
use ltlcrit::learn::EpisodeFigures;
use ltlcrit_critic::propose::TrialCriticOptions;

use super::laboratory::{Laboratory, empty_book, figures, shipped};
use super::{fresh_seeds, proved_consistent};

/// The held-out personas, as `docs/personas.md` lists them.
const HELD_OUT: [&str; 5] = ["inner-monologue", "hasty", "forgetful", "restless", "digger"];

/// Three critiques of 40 episodes never take a goal away, whatever laws are in force beside the learned ones.
#[test]
#[ignore = "4800 episodes take minutes"]
fn no_held_out_persona_loses_a_goal() {
    let mut lost = Vec::new();
    for persona in HELD_OUT {
        for beside in [&[][..], &["saycan-hard"][..], &["minecraft-hard"][..]] {
            let others: Vec<_> = beside.iter().map(|name| shipped(name)).collect();
            let laboratory = Laboratory::new(ActorKind::InnerMonologue, persona);
            let before = laboratory.run(&others, fresh_seeds(100));
            let (book, _) = laboratory.learn(empty_book(), &others, 0..40, 3, TrialCriticOptions::default());
            let books: Vec<_> = others.into_iter().chain([book]).collect();
            let after = laboratory.run(&books, fresh_seeds(100));
            let laws = books.last().map_or(0, |book| book.laws_in_force().len());
            println!("(simulated) {persona} beside {beside:?}: {}", figures(&before));
            println!("    {laws} laws: {}", figures(&after));
            assert!(proved_consistent(&books));
            let (before, after) = (EpisodeFigures::of(&before).goals, EpisodeFigures::of(&after).goals);
            if after < before {
                lost.push(format!("{persona} beside {beside:?}: {before} to {after}"));
            }
        }
    }
    assert!(lost.is_empty(), "{lost:?}");
}
