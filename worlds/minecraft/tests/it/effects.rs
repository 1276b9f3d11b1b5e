//! Effects: every observation is among those predicted.

use ltlcrit_minecraft::abstraction::propositions;
use ltlcrit_minecraft::effects::{Setting, outlook};
use ltlcrit_minecraft::planner::Policy;
use ltlcrit_minecraft::{EmbeddedOptions, EmbeddedWorld, vocabulary};
use ltlcrit_verifier::ActionId;
use ltlcrit_worlds::{Details, Observation};
use rand::RngExt;
use rand_pcg::Pcg32;
use rand_pcg::rand_core::SeedableRng;

/// The maximum number of steps in one world.
const STEPS: u32 = 80;

fn observe(world: &mut EmbeddedWorld) -> Observation {
    let full = world.look();
    Observation { holds: propositions(&full), details: Details::new(full) }
}

/// Takes steps in one world after the other, mostly those of the best policy, so that runs get deep.
fn what_happens_was_predicted(steps: u32) {
    let vocabulary = vocabulary();
    let mut random = Pcg32::seed_from_u64(7);
    let (mut taken, mut seed) = (0, 0);
    while taken < steps {
        seed += 1;
        let options = if seed % 4 == 0 { EmbeddedOptions::compact() } else { EmbeddedOptions::default() };
        let mut world = EmbeddedWorld::new(seed, options);
        let mut policy = Policy::default();
        let mut last = None;
        let mut before = observe(&mut world);
        for _ in 0..STEPS {
            let Some(best) = policy.next(&world.look(), last.as_ref()) else { break };
            let action = if random.random_bool(0.4) { ActionId(random.random_range(0..20)) } else { best };
            let predicted =
                [Setting::Embedded, Setting::Server].map(|setting| outlook(&before, setting).predict(action).unwrap());
            let bounds = [Setting::Embedded, Setting::Server].map(|setting| outlook(&before, setting).bounds(action));
            let Ok(outcome) = world.act(action) else { break };
            let after = observe(&mut world);
            for bounds in bounds {
                let left = bounds.left(&before.details, &after.details).map(|quantity| quantity.to_string());
                let name = vocabulary.action_name(action);
                let (before, after) = (&before.details, &after.details);
                assert_eq!(left, None, "seed {seed}, {name}: {}\n{bounds:?}\n{before}\n{after}", outcome.message);
            }
            for prediction in predicted {
                assert!(
                    prediction.allows(&after.holds),
                    "seed {seed}, {}: {}\nbefore: {:?}\nafter: {:?}\nmust: {:?}\nmay: {:?}",
                    vocabulary.action_name(action),
                    outcome.message,
                    vocabulary.names(&before.holds),
                    vocabulary.names(&after.holds),
                    vocabulary.names(&prediction.must),
                    vocabulary.names(&prediction.may),
                );
            }
            taken += 1;
            last = Some(outcome);
            before = after;
        }
    }
}

#[test]
fn what_happens_is_among_what_was_predicted() {
    what_happens_was_predicted(1_000);
}

#[test]
#[ignore = "100,000 steps take minutes"]
fn what_happens_is_among_what_was_predicted_for_long() {
    what_happens_was_predicted(100_000);
}
