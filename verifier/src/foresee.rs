//! Satisfiability of some laws by a continuation that follows a transition model: explicit search.

use rustc_hash::FxHashSet;

use crate::automaton::{Automaton, State};
use crate::closure::Closure;
use crate::letter::{Letter, PropSet};
use crate::transitions::Transitions;
use crate::vocabulary::Vocabulary;

/// The answer of a search.
pub(crate) enum Foreseen {
    /// These letters satisfy the laws.
    Plan(Vec<Letter>),
    /// No continuation that follows the model does.
    Doomed,
    /// None within what the model knows; there is more that it does not know.
    Left,
    /// The work ran out.
    Unknown,
}

struct Place {
    observations: PropSet,
    states: Box<[State]>,
    letter: Letter,
    from: usize,
}

/// Breadth first over observations and the laws' states, from the first letter on.
pub(crate) fn search(
    automata: &mut [&mut Automaton],
    closure: &Closure,
    vocabulary: &Vocabulary,
    model: &dyn Transitions,
    mut states: Vec<State>,
    first: Letter,
    work: &mut u64,
) -> Foreseen {
    let stop = vocabulary.stop();
    let actions: Vec<_> = vocabulary.action_ids().filter(|action| Some(*action) != stop).collect();
    match advance(automata, closure, &mut states, &first) {
        Moved::On => {}
        Moved::Broken => return Foreseen::Doomed,
        Moved::TooLarge => return Foreseen::Unknown,
    }
    let mut seen: FxHashSet<(PropSet, Box<[State]>)> = FxHashSet::default();
    let observations = first.observations(vocabulary);
    seen.insert((observations, states.clone().into()));
    let mut places = vec![Place { observations, states: states.into(), letter: first, from: usize::MAX }];
    let mut position = 0;
    let mut left = false;
    while position < places.len() {
        if accepts(automata, &places[position].states) {
            return Foreseen::Plan(path(&places, position));
        }
        if let Some(stop) = stop {
            let end = Letter::after(vocabulary, stop, places[position].observations);
            let mut states = places[position].states.to_vec();
            if matches!(advance(automata, closure, &mut states, &end), Moved::On) && accepts(automata, &states) {
                let mut plan = path(&places, position);
                plan.push(end);
                return Foreseen::Plan(plan);
            }
        }
        for &action in &actions {
            *work = work.saturating_sub(1);
            if *work == 0 {
                return Foreseen::Unknown;
            }
            let Some(observations) = model.next(&places[position].observations, action) else {
                left = true;
                continue;
            };
            let letter = Letter::after(vocabulary, action, observations);
            let mut states = places[position].states.to_vec();
            match advance(automata, closure, &mut states, &letter) {
                Moved::On => {
                    if seen.insert((observations, states.clone().into())) {
                        places.push(Place { observations, states: states.into(), letter, from: position });
                    }
                }
                Moved::Broken => {}
                Moved::TooLarge => return Foreseen::Unknown,
            }
        }
        position += 1;
    }
    if left { Foreseen::Left } else { Foreseen::Doomed }
}

enum Moved {
    On,
    Broken,
    TooLarge,
}

fn advance(automata: &mut [&mut Automaton], closure: &Closure, states: &mut [State], letter: &Letter) -> Moved {
    for (automaton, state) in automata.iter_mut().zip(states) {
        match automaton.step(closure, *state, letter) {
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

fn path(places: &[Place], mut position: usize) -> Vec<Letter> {
    let mut letters = Vec::new();
    while position != usize::MAX {
        letters.push(places[position].letter);
        position = places[position].from;
    }
    letters.reverse();
    letters
}
