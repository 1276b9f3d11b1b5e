//! A world for tests of critics: a door that opens with its key.

use std::sync::Arc;

use ltlcrit_laws::Strength;
use ltlcrit_verifier::{ActionId, Formula, PropSet, Vocabulary, syntax};
use ltlcrit_worlds::Reason;

use crate::graph::RunPath;
use crate::law::{KnownLaw, Restriction};

/// `obs_key`, `obs_open` and `obs_light`; `action_take`, `action_open` and `action_wait`.
pub fn vocabulary() -> Arc<Vocabulary> {
    let builder = Vocabulary::builder("door").observations(["obs_key", "obs_open", "obs_light"]);
    Arc::new(builder.actions(["action_take", "action_open", "action_wait"]).build().unwrap())
}

pub fn state(names: &str) -> PropSet {
    vocabulary().set(names.split_whitespace()).unwrap()
}

pub fn action(name: &str) -> ActionId {
    vocabulary().action(name).unwrap()
}

/// A run: where it begins, and each step's action, whether it worked, and what held then.
pub fn run(number: u64, start: &str, steps: &[(&str, bool, &str)]) -> RunPath {
    let mut run = RunPath::new(number, state(start));
    for (name, worked, after) in steps {
        run.step(action(name), (!worked).then(|| Reason("locked".into())), state(after));
    }
    if steps.last().is_some_and(|(.., after)| after.contains("obs_open")) {
        run.reached_goal();
    }
    run
}

/// A law in force.
pub fn law(id: &str, formula: &str, changeable: bool) -> KnownLaw {
    let formula: Formula = syntax::parse_over(formula, &vocabulary()).unwrap();
    let restriction = Restriction::of(&formula, &vocabulary()).ok();
    let strength = Strength::Soft;
    KnownLaw {
        id: id.into(),
        formula,
        explanation: "Because.".into(),
        strength,
        changeable,
        proposer: None,
        restriction,
    }
}
