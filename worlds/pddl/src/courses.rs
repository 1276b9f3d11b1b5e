//! What an action passes through: other actions that the world carries out on the way to it.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use crate::formula::State;
use crate::ground::Ground;
use crate::number::Number;
use crate::task::TaskError;

/// The most states that are looked at for one way.
const MOST_STATES: usize = 4096;

/// By lifted action: the ground actions that lead to where it applies, as [`Metadata::ways`](crate::Metadata::ways) says.
#[derive(Clone, Debug)]
pub(crate) struct Ways {
    /// The ground actions of the helper, by lifted action.
    of: Vec<Option<Arc<[usize]>>>,
    /// By lifted action: whether the world carries it out by itself alone.
    helps: Vec<bool>,
}

/// What an action does.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    /// The ground actions carried out before, with the states passed through.
    pub passed: Vec<(usize, State)>,
    /// The state at the end.
    pub after: State,
    /// What danger changes by.
    pub danger: Number,
}

/// The states that a helper's actions lead to, by fewest actions first: each with its danger, and the action and the number of
/// the state before it.
type Reached = Rc<Vec<(State, Number, Option<(usize, usize)>)>>;

/// The courses of actions, with what was found out about the last state asked about.
#[derive(Clone, Debug, Default)]
pub(crate) struct Courses {
    last: RefCell<Option<(State, FxHashMap<usize, Reached>)>>,
}

impl Ways {
    /// The ways of a task.
    ///
    /// # Errors
    /// A name that is no action's.
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

    /// The ground actions that an actor may choose.
    pub fn offered(&self, ground: &Ground) -> Vec<usize> {
        (0..ground.actions().len()).filter(|at| !self.helps[ground.actions()[*at].action]).collect()
    }

    /// Whether the world carries out others on the way to an action.
    pub(crate) fn leads_to(&self, ground: &Ground, action: usize) -> bool {
        self.of[ground.actions()[action].action].is_some()
    }

    /// Whether an action leads others to where they apply, or is led there.
    pub fn is_part(&self, ground: &Ground, action: usize) -> bool {
        self.helps[ground.actions()[action].action] || self.leads_to(ground, action)
    }

    /// Whether some action passes through something.
    pub fn is_empty(&self) -> bool {
        self.of.iter().all(Option::is_none)
    }
}

impl Courses {
    /// What an action does in a state; `None` if it does not apply, not even after the actions that lead to it.
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

    /// The states that helpers lead to from a state.
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
            while next < states.len() && states.len() < MOST_STATES {
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
