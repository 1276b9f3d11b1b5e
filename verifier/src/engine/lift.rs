//! The shortest way to lift a block: a breadth-first search through the states of the laws that block, which others join
//! that object to what it finds.

use rustc_hash::FxHashSet;

use super::Engine;
use crate::causes::possible_letters::{Cube, PossibleLetters};
use crate::dfa_table::StateRef;
use crate::joint::Possible;
use crate::judgement::Judgement;
use crate::letter::{Letter, PropSet};
use crate::run::Now;
use crate::vocabulary::ActionId;

/// The letters that lift a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lift {
    /// After these letters, in this order, the action is allowed; no fewer will do. Observations that make no difference are
    /// as they are now. Empty for an action that is allowed.
    By(Vec<Letter>),
    /// The action is blocked after any letters that the laws allow.
    Never,
    /// No such letters were found within the budget of an explanation.
    NotFound,
}

/// A state of the laws searched, and the letter that led there.
struct Node {
    letter: Letter,
    states: Vec<StateRef>,
    before: usize,
}

impl Engine {
    pub fn lifted_by(&mut self, action: ActionId) -> Lift {
        match self.judge(action) {
            Judgement::Allowed => Lift::By(Vec::new()),
            Judgement::Ended => Lift::Never,
            Judgement::Undecided { .. } => Lift::NotFound,
            Judgement::Blocked { laws, .. } => {
                let is_named = |law: &usize| laws.contains(&self.laws()[*law].id);
                let laws = (0..self.laws().len()).filter(is_named).collect();
                self.explaining(|engine| engine.lifting(laws, action).unwrap_or(Lift::NotFound))
            }
        }
    }

    /// The letters that lift a block by these laws; `None` if none were found. A law that objects to them joins the search.
    fn lifting(&mut self, mut laws: Vec<usize>, action: ActionId) -> Option<Lift> {
        loop {
            let Some(letters) = self.nearest(&laws, action)? else { return Some(Lift::Never) };
            let objecting = self.objecting(&letters, action)?;
            if objecting.is_empty() {
                return Some(Lift::By(letters));
            }
            let known = laws.len();
            laws.extend(objecting);
            laws.sort_unstable();
            laws.dedup();
            if laws.len() == known {
                return None;
            }
        }
    }

    /// The fewest letters after which these laws allow an action, `Some(None)` if there are none; `None` if the budget runs
    /// out.
    fn nearest(&mut self, laws: &[usize], action: ActionId) -> Option<Option<Vec<Letter>>> {
        let (letter, mut states) = (*self.run.letter()?, self.run.states.clone());
        let letters = self.letters_read_by(laws, letter)?;
        let group = self.joint.group(laws.iter().copied());
        let positions: Vec<usize> = group.watched.iter().filter_map(|law| self.joint.laws.position(*law)).collect();
        // Stopping reads the observations once more.
        let stops = Some(action) == self.vocabulary().stop();
        let told_apart = if stops { self.read_by(laws) } else { group.masks.reads() };
        let begin: Vec<StateRef> = positions.iter().map(|at| states[*at]).collect();
        let mut seen = FxHashSet::from_iter([(begin.clone(), letter.0.intersection(&told_apart))]);
        let mut nodes = vec![Node { letter, states: begin, before: 0 }];
        let mut next = 0;
        while next < nodes.len() {
            let allowed = group.masks.allowed(&nodes[next].letter);
            for letter in &letters {
                if !self.joint.budget.try_spend(1) {
                    return None;
                }
                if !letter.action(self.vocabulary()).is_some_and(|action| allowed.contains(action)) {
                    continue;
                }
                let mut after = nodes[next].states.clone();
                for (position, state) in positions.iter().zip(&mut after) {
                    *state = self.joint.read_letter(*position, *state, letter);
                    if *state == StateRef::LOST {
                        return None;
                    }
                }
                if after.iter().any(|state| state.is_dead())
                    || !seen.insert((after.clone(), letter.0.intersection(&told_apart)))
                {
                    continue;
                }
                for (position, state) in positions.iter().zip(&after) {
                    states[*position] = *state;
                }
                nodes.push(Node { letter: *letter, states: after, before: next });
                let now = Now { letter, states: &states };
                if group.masks.allowed(letter).contains(action)
                    && self.joint.continuable(now, &group, action).known()?
                {
                    return Some(Some(way(&nodes)));
                }
            }
            next += 1;
        }
        Some(None)
    }

    fn read_by(&self, laws: &[usize]) -> PropSet {
        laws.iter().fold(PropSet::EMPTY, |read, law| read.union(&self.joint.laws.reads(*law)))
    }

    /// The letters that some laws tell apart, those that change fewest observations first. One action stands for all that
    /// the laws do not read, an allowed one if possible.
    fn letters_read_by(&mut self, laws: &[usize], now: Letter) -> Option<Vec<Letter>> {
        let vocabulary = self.vocabulary().clone();
        let read = self.read_by(laws);
        let (observations, allowed) = (now.observations(&vocabulary), self.decide().allowed);
        let is_other =
            |action: &ActionId| !read.contains(vocabulary.action_prop(*action)) && Some(*action) != vocabulary.stop();
        let other = allowed.iter().find(is_other).or_else(|| vocabulary.action_ids().find(is_other));
        let none = PropSet::EMPTY;
        let cube = Cube { readers: 0, is_first: false, read, fixed: none, present: none };
        let found = PossibleLetters::new(&vocabulary).agreeing(&self.joint.budget, &cube).ok()?;
        let whole = |letter: Letter| {
            let action = letter.action(&vocabulary).or(other)?;
            let observed = letter.observations(&vocabulary).union(&observations.difference(&read));
            Some(Letter::after(&vocabulary, action, observed))
        };
        let mut letters: Vec<Letter> = found.into_iter().filter_map(whole).collect();
        let changed = |letter: &Letter| {
            let observed = letter.observations(&vocabulary);
            observed.difference(&observations).iter().count() + observations.difference(&observed).iter().count()
        };
        let is_read = |letter: &Letter| letter.action(&vocabulary) != other;
        letters.sort_by_key(|letter| (changed(letter), is_read(letter)));
        Some(letters)
    }

    /// Laws that forbid these letters or, after them, an action; `None` if that is not decided.
    fn objecting(&mut self, letters: &[Letter], action: ActionId) -> Option<Vec<usize>> {
        let (mut before, mut states) = (*self.run.letter()?, self.run.states.clone());
        let group = self.deciding.all.search.group.clone();
        for letter in letters {
            let taken = letter.action(self.vocabulary())?;
            if let Some(law) = group.masks.culprit(&before, taken) {
                return Some(vec![law]);
            }
            for (position, state) in states.iter_mut().enumerate() {
                *state = self.joint.read_letter(position, *state, letter);
                if state.is_dead() {
                    return Some(vec![self.joint.laws.watched[position]]);
                }
            }
            before = *letter;
        }
        let now = Now { letter: &before, states: &states };
        match group.masks.culprit(&before, action) {
            Some(law) => Some(vec![law]),
            None => match self.joint.continuable(now, &group, action) {
                Possible::Yes(_) => Some(Vec::new()),
                Possible::No(core) => Some(core),
                Possible::Unknown(_) => None,
            },
        }
    }
}

/// The letters to the last node.
fn way(nodes: &[Node]) -> Vec<Letter> {
    let (mut letters, mut at) = (Vec::new(), nodes.len() - 1);
    while at > 0 {
        letters.push(nodes[at].letter);
        at = nodes[at].before;
    }
    letters.reverse();
    letters
}
