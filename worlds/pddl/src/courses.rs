//! The intermediate states of an action: helper actions that the world carries out before it.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::formula::State;
use crate::ground::Ground;
use crate::number::Number;
use crate::task::TaskError;

/// Maximum number of states that are explored for one way.
const MAX_STATES: usize = 4096;

/// The helper actions of each lifted action; they lead to states in which it applies, as in
/// [`Metadata::ways`](crate::Metadata::ways).
#[derive(Clone, Debug)]
pub(crate) struct Ways {
    /// The ground actions of each lifted action's helper.
    of: Vec<Option<Arc<[usize]>>>,
    /// True for the lifted actions that only the world carries out.
    helps: Vec<bool>,
}

/// The course of an action.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    /// The ground actions carried out before it, with the intermediate states.
    pub passed: Vec<(usize, State)>,
    /// The state at the end.
    pub after: State,
    /// The change of danger.
    pub danger: Number,
}

/// The states that a helper's actions lead to, sorted by the number of actions. Each has its danger, and the action and
/// the index of the state before it.
type Reached = Rc<Vec<(State, Number, Option<(usize, usize)>)>>;

/// The courses of actions, with a cache for the last state.
#[derive(Clone, Debug, Default)]
pub(crate) struct Courses {
    last: RefCell<Option<(State, FxHashMap<usize, Reached>)>>,
}

impl Ways {
    /// Reads the ways of a task.
    ///
    /// # Errors
    /// A name is not the name of an action.
    pub fn new(ground: &Ground) -> Result<Self, TaskError> {
        let domain = &ground.task().basic.domain;
        let number = |name: &str| {
            let found = domain.actions.iter().position(|action| action.name.eq_ignore_ascii_case(name));
            found.ok_or_else(|| TaskError::Ways(name.to_owned()))
        };
        let mut ways = Self { of: vec![None; domain.actions.len()], helps: vec![false; domain.actions.len()] };
        for (action, helper) in &ground.task().metadata.ways {
            let (action, helper) = (number(action)?, number(helper)?);
            let of_helper = (0..ground.actions().len()).filter(|at| ground.actions()[*at].action == helper);
            ways.of[action] = Some(of_helper.collect());
            ways.helps[helper] = true;
        }
        Ok(ways)
    }

    /// Returns the ground actions that an actor may choose.
    pub fn offered(&self, ground: &Ground) -> Vec<usize> {
        (0..ground.actions().len()).filter(|at| !self.helps[ground.actions()[*at].action]).collect()
    }

    /// Returns whether the world carries out other actions on the way to an action.
    pub(crate) fn leads_to(&self, ground: &Ground, action: usize) -> bool {
        self.of[ground.actions()[action].action].is_some()
    }

    /// Returns whether an action is a helper, or has a helper.
    pub fn is_part(&self, ground: &Ground, action: usize) -> bool {
        self.helps[ground.actions()[action].action] || self.leads_to(ground, action)
    }

    /// Returns whether no action has a helper.
    pub fn is_empty(&self) -> bool {
        self.of.iter().all(Option::is_none)
    }
}

impl Courses {
    /// Returns the course of an action in a state; `None` if it does not apply, even after its helper's actions.
    pub fn of(&self, ground: &Ground, ways: &Ways, state: &State, action: usize) -> Option<Course> {
        let lifted = ground.actions()[action].action;
        let Some(helpers) = &ways.of[lifted] else {
            let after = ground.apply(state, action)?;
            return Some(Course { passed: Vec::new(), after, danger: ground.danger(state, action) });
        };
        let reached = self.reached(ground, helpers, lifted, state);
        let at = reached.iter().position(|(state, ..)| ground.is_applicable(state, action))?;
        let (here, danger, _) = &reached[at];
        let after = ground.apply(here, action)?;
        let danger = *danger + ground.danger(here, action);
        let mut passed = Vec::new();
        let mut back = at;
        while let (state, _, Some((helper, before))) = &reached[back] {
            passed.push((*helper, state.clone()));
            back = *before;
        }
        passed.reverse();
        Some(Course { passed, after, danger })
    }

    /// Returns the states that helpers reach from a state.
    fn reached(&self, ground: &Ground, helpers: &[usize], lifted: usize, from: &State) -> Reached {
        let mut last = self.last.borrow_mut();
        let known = match &mut *last {
            Some((state, known)) if state == from => known,
            other => &mut other.insert((from.clone(), FxHashMap::default())).1,
        };
        let find = || {
            let mut states = vec![(from.clone(), Number::ZERO, None)];
            let mut numbers = FxHashMap::from_iter([(from.clone(), 0)]);
            let mut next = 0;
            while next < states.len() && states.len() < MAX_STATES {
                let (state, danger, _) = states[next].clone();
                for helper in helpers {
                    let Some(after) = ground.apply(&state, *helper) else { continue };
                    if !numbers.contains_key(&after) {
                        numbers.insert(after.clone(), states.len());
                        states.push((after, danger + ground.danger(&state, *helper), Some((*helper, next))));
                    }
                }
                next += 1;
            }
            Rc::new(states)
        };
        known.entry(lifted).or_insert_with(find).clone()
    }
}
