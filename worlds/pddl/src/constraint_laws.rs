//! The constraints of a PDDL3 task as laws, and the first one that a plan breaks.

use std::collections::BTreeSet;

use ltlcrit_verifier::{ActionId, Law, Letter, Monitor, Verdict};

use crate::alphabet::as_law;
use crate::constraints::GroundConstraint;
use crate::model::Trajectory;
use crate::task::Task;
use crate::world::{PddlWorld, PddlWorldError};

impl PddlWorld {
    /// Returns a task's constraints as laws. A letter describes the state after a step; the first one describes the
    /// initial state.
    pub fn constraint_laws(&self) -> Vec<Law> {
        let ground = self.ground();
        let law = |(at, of): (usize, &GroundConstraint)| {
            let (one, other) = (as_law(ground, &of.condition), as_law(ground, &of.other));
            let formula = match of.trajectory {
                Trajectory::Always => one.globally(),
                Trajectory::Sometime => one.finally(),
                Trajectory::AtMostOnce => {
                    let never_again = one.clone().not().globally();
                    one.clone().implies(one.weak_until(never_again)).globally()
                }
                Trajectory::SometimeAfter => one.implies(other.finally()).globally(),
                Trajectory::SometimeBefore => one.clone().not().weak_until(other.and(one.not())),
            };
            Law::hard(format!("constraint-{}", at + 1), formula, of.text.clone())
        };
        ground.constraints.iter().enumerate().map(law).collect()
    }
}

/// Returns the first constraint that a plan breaks, with the number of the last step that matters. `None` if the plan
/// satisfies all constraints. Apart from them, the plan must be feasible.
pub(crate) fn broken(task: &Task, plan: &[&str]) -> Result<Option<(usize, String)>, PddlWorldError> {
    let laws = PddlWorld::under(task, Some(&|_| BTreeSet::new()))?.constraint_laws();
    let atoms = || laws.iter().flat_map(|law| law.formula.atoms()).map(|atom| atom.to_string()).collect();
    let world = PddlWorld::under(task, Some(&|_| atoms()))?;
    let words = world.words();
    let (ground, mut state) = (world.ground(), world.state().clone());
    let mut letters = vec![Letter::initial(world.holds(&state))];
    for step in plan {
        let Some((action, after)) = ground.action(step).and_then(|at| Some((at, ground.apply(&state, at)?))) else {
            continue;
        };
        state = after;
        letters.push(Letter::after(words, world.id(action).unwrap_or(ActionId(0)), world.holds(&state)));
    }
    for law in &laws {
        let Ok(mut monitor) = Monitor::new(&law.formula, words.clone()) else { continue };
        let broken = letters.iter().position(|letter| monitor.advance(letter) == Verdict::Violated);
        if broken.is_some() || !monitor.accepts() {
            return Ok(Some((broken.unwrap_or(letters.len()), law.explanation.to_string())));
        }
    }
    Ok(None)
}
