//! The laws that forbid what is dangerous in a task.

use ltlcrit_verifier::{Formula as Ltl, Law};

use crate::alphabet::as_law;
use crate::names::GroundNames;
use crate::number::Number;
use crate::world::PddlWorld;

impl PddlWorld {
    /// The laws that forbid what is dangerous: `G(c_a -> X !a)` for each action and condition that raises danger. They are
    /// all a plan needs to be safe if danger is tolerated nowhere.
    pub fn danger_laws(&self) -> Vec<Law> {
        let ground = self.ground();
        let mut laws = Vec::new();
        for (number, action) in ground.actions().iter().enumerate() {
            let rises = |by: &Number| by.compare(Number::ZERO).is_some_and(std::cmp::Ordering::is_gt);
            let dangerous = ground.danger_rules(number).iter().filter(|(_, by)| rises(by));
            let name = GroundNames(ground).action(number);
            for (index, (condition, by)) in dangerous.enumerate() {
                let forbidden = Ltl::atom(name.as_str()).not().next();
                let formula = match condition.is_constant(true) {
                    // Nothing precedes the first action but letter 0, which has no action.
                    true => Ltl::atom(name.as_str()).not().globally(),
                    false => as_law(ground, condition).implies(forbidden).globally(),
                };
                let id = format!("danger-{number}-{index}");
                let explanation = match condition.is_constant(true) {
                    true => format!("{} changes danger by {by}.", action.name),
                    false => {
                        let shown = GroundNames(ground).condition(condition);
                        format!("{} changes danger by {by} where {shown}.", action.name)
                    }
                };
                laws.push(Law::hard(id, formula, explanation));
            }
        }
        laws
    }
}
