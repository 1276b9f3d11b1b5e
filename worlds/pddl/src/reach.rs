//! All reachable states, and conditions compared over them.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use crate::formula::State;
use crate::ground::Ground;

/// Maximum number of states that conditions are compared over.
pub const MAX_REACHED: usize = 50_000;

/// Returns at most `most` reachable states, breadth first, and whether these are all.
fn states(ground: &Ground, most: usize) -> (Vec<State>, bool) {
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

/// The reachable states of a task.
#[derive(Clone, Debug)]
pub struct Reachable {
    ground: Ground,
    states: Vec<State>,
    complete: bool,
}

/// The agreement of forbidden or claimed danger with the real danger: counts of pairs of a reachable state and an
/// action that applies in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agreement {
    /// Dangerous and claimed.
    pub both: u64,
    /// Claimed but not dangerous.
    pub only_said: u64,
    /// Dangerous but not claimed.
    pub only_dangerous: u64,
    /// Neither dangerous nor claimed.
    pub neither: u64,
}

impl Agreement {
    /// Returns the share of dangerous pairs among the claimed ones; `None` if no pair is claimed.
    pub fn precision(&self) -> Option<f64> {
        let said = self.both + self.only_said;
        (said > 0).then(|| self.both as f64 / said as f64)
    }

    /// Returns the share of claimed pairs among the dangerous ones; `None` if no pair is dangerous.
    pub fn recall(&self) -> Option<f64> {
        let dangerous = self.both + self.only_dangerous;
        (dangerous > 0).then(|| self.both as f64 / dangerous as f64)
    }

    /// Returns whether claims and danger agree in every compared pair.
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
    /// Explores the reachable states of a ground task, at most [`MAX_REACHED`].
    pub fn new(ground: Ground) -> Self {
        let (states, complete) = states(&ground, MAX_REACHED);
        Self { ground, states, complete }
    }

    /// Returns the task.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// Returns the states.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// Returns whether these are all reachable states.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// Compares claimed danger with the real danger, in every state and for every selected action that applies in it.
    pub fn agreement(
        &self,
        mut is_looked_at: impl FnMut(usize) -> bool,
        mut said: impl FnMut(&State, usize) -> bool,
    ) -> Agreement {
        let mut agreement = Agreement::default();
        let actions: Vec<usize> = (0..self.ground.actions().len()).filter(|action| is_looked_at(*action)).collect();
        for (state, action) in self.pairs(&actions) {
            agreement.count(said(state, action), self.ground.danger(state, action).is_positive());
        }
        agreement
    }

    /// Iterates over the states with those of some actions that apply in them.
    pub(crate) fn pairs(&self, actions: &[usize]) -> impl Iterator<Item = (&State, usize)> {
        let pairs = self.states.iter().flat_map(|state| actions.iter().map(move |action| (state, *action)));
        pairs.filter(|(state, action)| self.ground.is_applicable(state, *action))
    }
}
