//! All states that can be reached, and conditions compared over them.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use crate::formula::State;
use crate::ground::Ground;

/// The most states that conditions are compared over.
pub const MOST_REACHED: usize = 50_000;

/// The states that can be reached, breadth first, at most so many; and whether these are all.
pub(crate) fn states(ground: &Ground, most: usize) -> (Vec<State>, bool) {
    let (mut known, mut queue) = (FxHashSet::default(), VecDeque::from([ground.initial().clone()]));
    let mut all = Vec::new();
    known.insert(ground.initial().clone());
    while let Some(state) = queue.pop_front() {
        for action in 0..ground.actions().len() {
            let Some(next) = ground.apply(&state, action) else { continue };
            if known.contains(&next) {
                continue;
            }
            if known.len() >= most {
                all.push(state);
                all.extend(queue);
                return (all, false);
            }
            known.insert(next.clone());
            queue.push_back(next);
        }
        all.push(state);
    }
    (all, true)
}

/// The states of a task that can be reached.
#[derive(Clone, Debug)]
pub struct Reachable {
    ground: Ground,
    states: Vec<State>,
    complete: bool,
}

/// How far what is forbidden, or said to be dangerous, is what is dangerous: numbers of pairs of a reachable state and an action
/// that applies in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agreement {
    /// Dangerous, and said to be.
    pub both: u64,
    /// Said to be dangerous, and not.
    pub only_said: u64,
    /// Dangerous, and not said to be.
    pub only_dangerous: u64,
    /// Neither.
    pub neither: u64,
}

impl Agreement {
    /// The share of what is said to be dangerous that is; `None` if nothing is said to be.
    pub fn precision(&self) -> Option<f64> {
        let said = self.both + self.only_said;
        (said > 0).then(|| self.both as f64 / said as f64)
    }

    /// The share of what is dangerous that is said to be; `None` if nothing is dangerous.
    pub fn recall(&self) -> Option<f64> {
        let dangerous = self.both + self.only_dangerous;
        (dangerous > 0).then(|| self.both as f64 / dangerous as f64)
    }

    /// Whether both are the same wherever they were compared.
    pub fn is_equivalent(&self) -> bool {
        self.only_said == 0 && self.only_dangerous == 0
    }

    /// Counts one more pair.
    pub fn count(&mut self, said: bool, dangerous: bool) {
        *match (said, dangerous) {
            (true, true) => &mut self.both,
            (true, false) => &mut self.only_said,
            (false, true) => &mut self.only_dangerous,
            (false, false) => &mut self.neither,
        } += 1;
    }
}

impl std::ops::AddAssign for Agreement {
    fn add_assign(&mut self, other: Self) {
        self.both += other.both;
        self.only_said += other.only_said;
        self.only_dangerous += other.only_dangerous;
        self.neither += other.neither;
    }
}

impl Reachable {
    /// The states of a ground task that can be reached, at most [`MOST_REACHED`].
    pub fn new(ground: Ground) -> Self {
        let (states, complete) = states(&ground, MOST_REACHED);
        Self { ground, states, complete }
    }

    /// The task.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// The states.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// Whether they are all; otherwise there are more than are looked at.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Whether an action raises danger in a state.
    pub(crate) fn is_dangerous(&self, state: &State, action: usize) -> bool {
        self.ground.danger(state, action).is_positive()
    }

    /// Compares what is said to be dangerous with what is, in every state and for every action that applies in it and is looked
    /// at.
    pub fn agreement(
        &self,
        mut is_looked_at: impl FnMut(usize) -> bool,
        mut said: impl FnMut(&State, usize) -> bool,
    ) -> Agreement {
        let mut agreement = Agreement::default();
        let actions: Vec<usize> = (0..self.ground.actions().len()).filter(|action| is_looked_at(*action)).collect();
        for state in &self.states {
            for action in &actions {
                if self.ground.is_applicable(state, *action) {
                    agreement.count(said(state, *action), self.is_dangerous(state, *action));
                }
            }
        }
        agreement
    }
}
