//! Learning evaluated by personas that never ran during the critic's development.

use ltlcrit_engine::actor::ActorKind;
use ltlcrit_engine::learn::EpisodeFigures;

use super::laboratory::{Laboratory, empty_book, figures};
use super::{fresh_seeds, proved_consistent};

/// The held-out personas, as `docs/personas.md` lists them.
const HELD_OUT: [&str; 5] = ["inner-monologue", "hasty", "forgetful", "restless", "digger"];

/// Three critiques of 40 episodes, without other laws. A persona that loses a goal is printed and does not fail the
/// test, because the critic would be tuned to an assertion.
#[test]
#[ignore = "1200 episodes take minutes"]
fn held_out_personas_reach_their_goals_as_often() {
    let (mut before, mut after) = (0, 0);
    for persona in HELD_OUT {
        let laboratory = Laboratory::new(ActorKind::InnerMonologue, persona);
        let first = laboratory.run(&[], fresh_seeds(60));
        let (book, _) = laboratory.learn(empty_book(), &[], 0..40, 3);
        let then = laboratory.run(std::slice::from_ref(&book), fresh_seeds(60));
        println!("(simulated) {persona}: {}", figures(&first));
        println!("(simulated) {persona}, {} laws: {}", book.laws_in_force().len(), figures(&then));
        assert!(proved_consistent(&[book]));
        before += EpisodeFigures::of(&first).goals;
        after += EpisodeFigures::of(&then).goals;
    }
    assert!(after >= before, "{before} goals without laws, {after} with them");
}
