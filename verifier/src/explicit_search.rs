//! Satisfiability of some laws by a continuation that follows a transition model: explicit search.

use rustc_hash::FxHashSet;

use crate::automaton::{Automaton, State};
use crate::environment::Modelled;
use crate::letter::{Letter, PropSet};
use crate::nnf::Metered;
use crate::vocabulary::Vocabulary;

/// What an expansion costs beside the laws' steps, in units of work.
const COST: u64 = 4;

/// The answer of a search.
pub(crate) enum Explicit {
    /// These letters satisfy the laws.
    Plan(Vec<Letter>),
    /// No continuation that follows the model does.
    Unsat,
    /// None within what the model knows; there is more that it does not know.
    BeyondModel,
    /// The work ran out.
    Unknown,
}

struct JointState {
    observations: PropSet,
    states: Box<[State]>,
    letter: Letter,
    from: usize,
}

/// Breadth first over observations and the laws' states, from any of the first letters on. No first letter: none is known.
pub(crate) fn search(
    automata: &mut [&mut Automaton],
    arena: Metered<'_>,
    vocabulary: &Vocabulary,
    world: &Modelled,
    start: &[State],
    firsts: &[Letter],
) -> Explicit {
    let stop = vocabulary.stop();
    let actions: Vec<_> = vocabulary.action_ids().filter(|action| Some(*action) != stop).collect();
    let mut seen: FxHashSet<(PropSet, Box<[State]>)> = FxHashSet::default();
    let mut joint_states: Vec<JointState> = Vec::new();
    let mut place =
        |joint_states: &mut Vec<JointState>, automata: &mut [&mut Automaton], from: usize, letter: Letter| {
            let mut states = if from == usize::MAX { start.to_vec() } else { joint_states[from].states.to_vec() };
            let moved = advance(automata, arena, &mut states, &letter);
            let observations = letter.observations(vocabulary);
            if moved == Moved::On && seen.insert((observations, states.clone().into())) {
                joint_states.push(JointState { observations, states: states.into(), letter, from });
            }
            moved
        };
    for &first in firsts {
        if place(&mut joint_states, automata, usize::MAX, first) == Moved::TooLarge {
            return Explicit::Unknown;
        }
    }
    let mut left = firsts.is_empty();
    // Whether stopping somewhere exceeded the bounds.
    let mut beyond_bounds = false;
    let mut position = 0;
    while position < joint_states.len() {
        if accepts(automata, &joint_states[position].states) {
            return Explicit::Plan(path(&joint_states, position));
        }
        if let Some(stop) = stop {
            let end = Letter::after(vocabulary, stop, joint_states[position].observations);
            let mut states = joint_states[position].states.to_vec();
            match advance(automata, arena, &mut states, &end) {
                Moved::On if accepts(automata, &states) => {
                    let mut plan = path(&joint_states, position);
                    plan.push(end);
                    return Explicit::Plan(plan);
                }
                Moved::TooLarge => beyond_bounds = true,
                _ => {}
            }
        }
        for &action in &actions {
            let next = world.model.next(&joint_states[position].observations, action);
            let next = match (&next, &world.every_state) {
                (Some(observations), _) => std::slice::from_ref(observations),
                (None, Some(all)) => all,
                (None, None) => {
                    arena.budget.spend(1);
                    left = true;
                    continue;
                }
            };
            for observations in next {
                if !arena.budget.try_spend(COST + automata.len() as u64 / 2) {
                    return Explicit::Unknown;
                }
                let letter = Letter::after(vocabulary, action, *observations);
                if place(&mut joint_states, automata, position, letter) == Moved::TooLarge {
                    return Explicit::Unknown;
                }
            }
        }
        position += 1;
    }
    match (beyond_bounds, left) {
        (true, _) => Explicit::Unknown,
        (false, true) => Explicit::BeyondModel,
        (false, false) => Explicit::Unsat,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Moved {
    On,
    Broken,
    TooLarge,
}

fn advance(automata: &mut [&mut Automaton], arena: Metered<'_>, states: &mut [State], letter: &Letter) -> Moved {
    for (automaton, state) in automata.iter_mut().zip(states) {
        match automaton.step(arena, *state, letter) {
            Ok(next) if automaton.is_dead(next) => return Moved::Broken,
            Ok(next) => *state = next,
            Err(_) => return Moved::TooLarge,
        }
    }
    Moved::On
}

fn accepts(automata: &[&mut Automaton], states: &[State]) -> bool {
    automata.iter().zip(states).all(|(automaton, &state)| automaton.accepts(state))
}

fn path(joint_states: &[JointState], mut position: usize) -> Vec<Letter> {
    let mut letters = Vec::new();
    while position != usize::MAX {
        letters.push(joint_states[position].letter);
        position = joint_states[position].from;
    }
    letters.reverse();
    letters
}
