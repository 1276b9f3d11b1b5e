//! What holds of every continuation that satisfies one law from one of its states.

use super::view::{Classes, MOST_CLASSES, MOST_STATES, View, bits};
use crate::dfa_table::StateRef;
use crate::joint::Joint;

/// What holds of every continuation that satisfies one law from one of its states.
#[derive(Clone, Copy, Default)]
pub(super) struct Facts {
    /// Nothing satisfies it.
    pub dead: bool,
    /// Nothing below says anything.
    pub idle: bool,
    /// Visited at least once.
    pub must: Classes,
    /// Never visited.
    pub never: Classes,
    /// Visited without interruption.
    pub once: Classes,
    /// Visited if the class is.
    pub implies: [Classes; MOST_CLASSES],
    /// First visited before the class is first visited.
    pub first_first: [Classes; MOST_CLASSES],
    /// Last visited after the class was last visited.
    pub last_last: [Classes; MOST_CLASSES],
    /// Last visited after the class was first visited.
    pub first_last: [Classes; MOST_CLASSES],
    /// First visited after the class was last visited.
    pub last_first: [Classes; MOST_CLASSES],
}

/// What is ahead of one state of a law, the worlds of a class being one letter.
struct Ahead {
    /// The states after each class, from each state.
    after: Vec<[u32; MOST_CLASSES]>,
    classes: usize,
}

impl Ahead {
    fn post(&self, states: u32, class: usize) -> u32 {
        bits(u64::from(states)).fold(0, |post, state| post | self.after[state][class])
    }

    /// The states reached, those themselves included, without some classes.
    fn reach(&self, states: u32, without: Classes) -> u32 {
        let (mut reached, mut new) = (states, states);
        while new != 0 {
            let state = new.trailing_zeros() as usize;
            let next = (0..self.classes)
                .filter(|class| without >> class & 1 == 0)
                .fold(0, |next, class| next | self.after[state][class]);
            new = new & (new - 1) | next & !reached;
            reached |= next;
        }
        reached
    }
}

/// The facts of a law's state; `None` where it has too many states ahead or tells too many worlds apart.
pub(super) fn facts(joint: &mut Joint, law: usize, view: &View, state: StateRef) -> Option<Facts> {
    let classes = view.worlds.len();
    if classes == 0 || state == StateRef::LOST {
        return None;
    }
    let mut states = vec![state];
    let mut ahead = Ahead { after: Vec::new(), classes };
    while ahead.after.len() < states.len() {
        let mut after = [0u32; MOST_CLASSES];
        for (class, codes) in view.codes.iter().enumerate() {
            for &code in codes {
                let next = joint.step(law, states[ahead.after.len()], code);
                if next == StateRef::LOST {
                    return None;
                }
                if next.is_dead() {
                    continue;
                }
                let known = states.iter().position(|state| *state == next).unwrap_or(states.len());
                if known == states.len() {
                    if known == MOST_STATES {
                        return None;
                    }
                    states.push(next);
                }
                after[class] |= 1 << known;
            }
        }
        ahead.after.push(after);
    }
    let accepting =
        states.iter().enumerate().filter(|(_, state)| state.accepts()).fold(0u32, |set, (at, _)| set | 1 << at);
    // States from which none accepts are as good as doomed.
    let live =
        (0..states.len()).filter(|&at| ahead.reach(1 << at, 0) & accepting != 0).fold(0u32, |set, at| set | 1 << at);
    if live & 1 == 0 {
        return Some(Facts { dead: true, ..Facts::default() });
    }
    ahead.after.iter_mut().flatten().for_each(|after| *after &= live);
    // Only a world that is alone in its class can be avoided.
    let alone: Vec<Classes> =
        (0..classes).map(|class| if view.worlds[class].count_ones() == 1 { 1 << class } else { 0 }).collect();
    let all = ahead.reach(1, 0);
    let mut facts = Facts::default();
    for class in 0..classes {
        let visited = ahead.post(all, class);
        if visited == 0 {
            facts.never |= 1 << class;
            continue;
        }
        if ahead.reach(1, alone[class]) & accepting == 0 {
            facts.must |= alone[class];
        }
        if alone[class] != 0 {
            let left =
                (0..classes).filter(|other| *other != class).fold(0, |left, other| left | ahead.post(visited, other));
            if ahead.post(ahead.reach(left, 0), class) == 0 {
                facts.once |= 1 << class;
            }
        }
        let first_visited = ahead.post(ahead.reach(1, alone[class]), class);
        for other in (0..classes).filter(|other| *other != class) {
            let bit = 1 << other;
            if alone[other] != 0 {
                let without = ahead.post(ahead.reach(1, bit), class);
                if without == 0 {
                    facts.first_first[class] |= bit;
                }
                if ahead.reach(without, bit) & accepting == 0 {
                    facts.implies[class] |= bit;
                }
                if ahead.reach(visited, bit) & accepting == 0 {
                    facts.last_last[class] |= bit;
                }
                if ahead.reach(first_visited, bit) & accepting == 0 {
                    facts.first_last[class] |= bit;
                }
            }
            let later = ahead.reach(ahead.post(all, other), 0);
            if ahead.post(later, class) == 0 {
                facts.last_first[class] |= bit;
            }
        }
    }
    let says = |classes: &[Classes; MOST_CLASSES]| classes.iter().any(|classes| *classes != 0);
    facts.idle = facts.must | facts.never | facts.once == 0
        && !says(&facts.implies)
        && !says(&facts.last_first)
        && !says(&facts.first_last);
    Some(facts)
}
