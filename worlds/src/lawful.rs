//! The product of a space of states and the monitors of laws.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use ltlcrit_verifier::monitor::MonitorError;
use ltlcrit_verifier::{ActionId, Law, LawId, Letter, Monitor, PropSet, Verdict, Vocabulary, minimal_subset};

use crate::search::{Found, Space, shortest};

/// A space whose steps are letters: its actions have the numbers of a vocabulary's.
pub trait Lettered: Space {
    /// The vocabulary.
    fn vocabulary(&self) -> &Arc<Vocabulary>;

    /// The propositions that hold in a state.
    fn holds(&self, state: &Self::State) -> PropSet;

    /// What holds one after the other while an action goes on in a state where it applies.
    fn passes(&self, state: &Self::State, action: usize) -> Vec<PropSet> {
        let _ = (state, action);
        Vec::new()
    }
}

/// The states of a space with those of the laws' monitors. An action that violates a law for good is no step, and a goal is one
/// where stopping satisfies all laws.
pub struct Lawful<'a, S> {
    space: &'a S,
    monitors: RefCell<Vec<Monitor>>,
    /// Whether a monitor gave up somewhere.
    unsure: Cell<bool>,
}

/// The result of a search under laws.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// The shortest way to the goal that satisfies all laws.
    Plan(Vec<usize>),
    /// No way satisfies all laws, proven, though some lead to the goal; none of the laws named can be left out.
    Forbidden(Vec<LawId>),
    /// No way leads to the goal at all, proven.
    None,
    /// The budget was used up, or a law is too intricate to be watched.
    GaveUp,
}

impl<'a, S: Lettered> Lawful<'a, S> {
    /// The product with laws.
    ///
    /// # Errors
    /// A law over other propositions.
    pub fn new(space: &'a S, laws: &[Law]) -> Result<Self, MonitorError> {
        let monitor = |law: &Law| Monitor::new(&law.formula, space.vocabulary().clone());
        let monitors = laws.iter().map(monitor).collect::<Result<_, _>>()?;
        Ok(Self { space, monitors: RefCell::new(monitors), unsure: Cell::new(false) })
    }

    /// The state after the letters of a way: the first state of the world, and then actions, each with the state after it.
    pub fn after(&self, first: &S::State, steps: &[(usize, S::State)]) -> (S::State, Vec<usize>) {
        let mut monitors = self.monitors.borrow_mut();
        let mut states = Vec::with_capacity(monitors.len());
        for monitor in monitors.iter_mut() {
            monitor.reset();
            monitor.advance(&Letter::initial(self.space.holds(first)));
            let mut before = first;
            for (action, state) in steps {
                for passed in self.space.passes(before, *action) {
                    monitor.advance(&self.letter(*action, passed));
                }
                monitor.advance(&self.letter(*action, self.space.holds(state)));
                before = state;
            }
            states.push(monitor.state());
            self.unsure.set(self.unsure.get() || monitor.is_lost());
        }
        (steps.last().map_or_else(|| first.clone(), |(_, state)| state.clone()), states)
    }

    fn letter(&self, action: usize, holds: PropSet) -> Letter {
        Letter::after(self.space.vocabulary(), ActionId(action as u16), holds)
    }
}

impl<S: Lettered> Space for Lawful<'_, S> {
    type State = (S::State, Vec<usize>);

    fn actions(&self, state: &Self::State, into: &mut Vec<usize>) {
        self.space.actions(&state.0, into);
    }

    fn successor(&self, (state, laws): &Self::State, action: usize) -> Option<Self::State> {
        let after = self.space.successor(state, action)?;
        let mut letters: Vec<Letter> =
            self.space.passes(state, action).into_iter().map(|passed| self.letter(action, passed)).collect();
        letters.push(self.letter(action, self.space.holds(&after)));
        let mut next = Vec::with_capacity(laws.len());
        for (monitor, law) in self.monitors.borrow_mut().iter_mut().zip(laws) {
            monitor.go_to(*law);
            for letter in &letters {
                let verdict = monitor.advance(letter);
                if monitor.is_lost() {
                    self.unsure.set(true);
                    monitor.reset();
                    return None;
                }
                if verdict == Verdict::Violated {
                    return None;
                }
            }
            next.push(monitor.state());
        }
        Some((after, next))
    }

    fn is_goal(&self, (state, laws): &Self::State) -> bool {
        if !self.space.is_goal(state) {
            return false;
        }
        let Some(stop) = self.space.vocabulary().stop() else { return true };
        let letter = Letter::after(self.space.vocabulary(), stop, self.space.holds(state));
        self.monitors.borrow_mut().iter_mut().zip(laws).all(|(monitor, law)| {
            monitor.go_to(*law);
            monitor.advance(&letter);
            monitor.accepts()
        })
    }
}

/// The shortest way from the first state of a world that goes on after these steps and satisfies all laws, searched among at most so
/// many states each time.
///
/// # Errors
/// A law over other propositions.
pub fn way<S: Lettered>(
    space: &S,
    laws: &[Law],
    first: &S::State,
    steps: &[(usize, S::State)],
    most_states: usize,
) -> Result<Way, MonitorError> {
    let search = |laws: &[Law]| -> Result<Found, MonitorError> {
        let product = Lawful::new(space, laws)?;
        let found = shortest(&product, product.after(first, steps), most_states);
        Ok(if found == Found::None && product.unsure.get() { Found::GaveUp } else { found })
    };
    Ok(match search(laws)? {
        Found::Plan(plan) => Way::Plan(plan),
        Found::GaveUp => Way::GaveUp,
        Found::None if laws.is_empty() || search(&[])? == Found::None => Way::None,
        Found::None => {
            let forbids = |some: &[Law]| matches!(search(some), Ok(Found::None)).then(|| some.to_vec());
            Way::Forbidden(minimal_subset(laws.to_vec(), forbids).into_iter().map(|law| law.id).collect())
        }
    })
}
