//! The product of a state space and the monitors of laws.

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use ltlcrit_verifier::{
    ActionId, Law, LawId, Letter, Monitor, PropSet, UnknownProposition, Verdict, Vocabulary, minimal_subset,
};

use crate::search::{Estimate, Found, Space, greedy, shortest};

/// A state space labelled with propositions. Its actions have the numbers of its vocabulary's actions.
pub trait Lettered: Space {
    /// The vocabulary.
    fn vocabulary(&self) -> &Arc<Vocabulary>;

    /// The propositions that hold in a state.
    fn holds(&self, state: &Self::State) -> PropSet;

    /// The intermediate states of an action, in order, in a state where the action applies.
    fn passes(&self, state: &Self::State, action: usize) -> Vec<PropSet> {
        let _ = (state, action);
        Vec::new()
    }
}

/// The product of a state space and the monitors of laws. An action that violates a law has no successor. A state is a
/// goal if it is one of the space and stopping there satisfies all laws.
pub struct Lawful<'a, S> {
    space: &'a S,
    monitors: RefCell<Vec<Monitor>>,
    /// True once a monitor exceeded its budget.
    unsure: Cell<bool>,
}

/// The result of a search under laws.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// The shortest plan that satisfies all laws.
    Plan(Vec<usize>),
    /// Proof that no plan satisfies all laws, although some reach the goal. The laws are a minimal set that excludes
    /// the goal.
    Forbidden(Vec<LawId>),
    /// Proof that no plan reaches the goal.
    None,
    /// The budget was exceeded, or a law is too complex for a monitor.
    GaveUp,
}

impl<'a, S: Lettered> Lawful<'a, S> {
    /// The product of a space and laws.
    ///
    /// # Errors
    /// A law over other propositions.
    pub fn new(space: &'a S, laws: &[Law]) -> Result<Self, UnknownProposition> {
        let monitor = |law: &Law| Monitor::new(&law.formula, space.vocabulary().clone());
        let monitors = laws.iter().map(monitor).collect::<Result<_, _>>()?;
        Ok(Self { space, monitors: RefCell::new(monitors), unsure: Cell::new(false) })
    }

    /// The product state after a run prefix: the initial state, then actions with the state after each.
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

    fn estimate(&self, (state, _): &Self::State) -> Option<Estimate> {
        self.space.estimate(state)
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

/// Returns the shortest plan that continues a run prefix and satisfies all laws. Each search keeps at most
/// `most_states` states.
///
/// # Errors
/// A law over other propositions.
pub fn way<S: Lettered>(
    space: &S,
    laws: &[Law],
    first: &S::State,
    steps: &[(usize, S::State)],
    most_states: usize,
) -> Result<Way, UnknownProposition> {
    let search = |laws: &[Law]| -> Result<Found, UnknownProposition> {
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

/// Returns any plan that continues a run prefix and satisfies all laws; `None` if none is found. A [greedy] search
/// estimates at most `most_states` states.
///
/// # Errors
/// A law over other propositions.
pub fn some_way<S: Lettered>(
    space: &S,
    laws: &[Law],
    first: &S::State,
    steps: &[(usize, S::State)],
    most_states: usize,
) -> Result<Option<Vec<usize>>, UnknownProposition> {
    let product = Lawful::new(space, laws)?;
    Ok(greedy(&product, product.after(first, steps), most_states).plan().map(<[usize]>::to_vec))
}
