//! One continuation for every state that a predicted letter may leave the laws in.
//!
//! Each law reads few of the observations that a prediction leaves open, so it is left in one of few states. A word after
//! which all these states accept is a continuation for each predicted letter. It is searched for as the continuation of a
//! single letter is: local search ([`PlanRepair`]) and the solver take turns, each turn twice as long as the one before.

use std::cmp::Reverse;
use std::sync::Arc;

use super::plan_repair::{PlanRepair, Start};
use super::space::SearchSpace;
use crate::actions::ActionSet;
use crate::dfa_table::StateRef;
use crate::joint::{Joint, LAWS_READ};
use crate::known_parts::LawState;
use crate::law_set::Group;
use crate::letter::{Letter, PropSet};
use crate::ltlf_sat::Answer;
use crate::prediction::Prediction;
use crate::vocabulary::{ActionId, PropId};

/// Maximum cost of the first turn of the local search and of the solver, in units of work.
const FIRST_TURN: u64 = 1_000;
/// The number of moves of the local search before it checks its progress.
const MOVES: usize = 12;
/// Maximum number of checks in a row without progress before the solver's turn.
const PATIENCE: usize = 6;
/// The number of states that join a question to the solver at a time.
const JOINING: usize = 3;
/// The number of rows that are set up for a unit of work.
const ROWS_MADE: usize = 4;

/// The states that the letters of a prediction leave the laws of a group in.
pub(crate) struct Residuals<'a> {
    pub group: &'a Arc<Group>,
    pub action: ActionId,
    pub prediction: Prediction,
    /// One of the letters.
    pub letter: Letter,
    /// Every state that a watched law, by position in the table, may be in. Some may come of letters that axioms rule out.
    pub rows: Vec<(usize, StateRef)>,
    /// The actions that no mask forbids, whichever letter it is.
    pub allowed: ActionSet,
}

/// The answer of a search.
pub(crate) enum Common {
    /// These letters, at least one, suit every state.
    Plan(Vec<Letter>),
    /// No continuation of at least one letter suits all of these states, some of which only some letters lead to.
    Never(Vec<LawState>),
    /// Predicted letters with this observation have to be told from those without.
    Split(PropId),
    /// The work ran out; these laws, by number, were in the way.
    Unknown(Vec<usize>),
}

impl Residuals<'_> {
    /// Returns whether these letters, possibly none, suit every state.
    pub fn fit(&self, joint: &mut Joint, plan: &[Letter]) -> bool {
        joint.budget.spend(1 + (self.rows.len() * plan.len() / LAWS_READ) as u64);
        let accepts = |&(position, state): &(usize, StateRef)| {
            plan.iter().fold(state, |state, letter| joint.read_letter(position, state, letter)).accepts()
        };
        self.rows.iter().all(accepts) && self.masked(joint, plan).is_none()
    }

    /// The first position at which masks forbid the action of a plan after some letter, and that action.
    fn masked(&self, joint: &Joint, plan: &[Letter]) -> Option<(usize, ActionId)> {
        let forbidden = |(at, letter): (usize, &Letter)| {
            let allowed = match at.checked_sub(1) {
                None => self.allowed,
                Some(before) => self.group.masks.allowed(&plan[before]),
            };
            letter.action(joint.vocabulary()).filter(|action| !allowed.contains(*action)).map(|action| (at, action))
        };
        plan.iter().enumerate().find_map(forbidden)
    }

    /// The states that a plan does not suit; of laws with masks at most one.
    fn broken_by(&self, joint: &mut Joint, plan: &[Letter]) -> Result<Vec<LawState>, Common> {
        joint.budget.spend(1 + (self.rows.len() * plan.len() / LAWS_READ) as u64);
        let mut broken: Vec<LawState> = self.masked_state(joint, plan)?.into_iter().collect();
        for &(position, state) in &self.rows {
            let end = plan.iter().fold(state, |state, letter| joint.read_letter(position, state, letter));
            if !end.accepts() {
                broken.push((joint.laws.watched[position], joint.table.state(state)));
            }
        }
        Ok(broken)
    }

    fn masked_state(&self, joint: &mut Joint, plan: &[Letter]) -> Result<Option<LawState>, Common> {
        let masks = &self.group.masks;
        let (law, letter) = match self.masked(joint, plan) {
            None => return Ok(None),
            Some((0, action)) => {
                let Some((law, row)) = masks.forbidding(&self.prediction, action) else { return Ok(None) };
                let Prediction { must, may } = self.prediction;
                let applies = Prediction { must: must.union(&row.present), may: may.difference(&row.absent) };
                match joint.predicted_letter(self.action, &applies, must) {
                    Ok(Some(letter)) => (law, letter),
                    // The axioms rule out all letters that it applies to, which those of the prediction are not.
                    Ok(None) => {
                        let open = row.present.union(&row.absent).intersection(&self.prediction.open());
                        return Err(open.iter().next().map_or(Common::Unknown(vec![law]), Common::Split));
                    }
                    Err(_) => return Err(Common::Unknown(vec![law])),
                }
            }
            Some((at, action)) => match masks.culprit(&plan[at - 1], action) {
                Some(law) => (law, self.letter),
                None => return Ok(None),
            },
        };
        let state = joint.state_after(law, &letter).map_err(|_| Common::Unknown(vec![law]))?;
        Ok(Some((law, state)))
    }

    /// Searches for a plan that suits every state. `known` are plans that may be near to one.
    pub fn search(&self, joint: &mut Joint, known: &[Vec<Letter>]) -> Common {
        if let Some(&(position, state)) = self.rows.iter().find(|(_, state)| state.is_dead()) {
            return Common::Never(vec![(joint.laws.watched[position], joint.table.state(state))]);
        }
        joint.budget.spend(1 + (self.rows.len() / ROWS_MADE) as u64);
        let laws: Vec<usize> = self.rows.iter().map(|(position, _)| *position).collect();
        let states: Vec<StateRef> = self.rows.iter().map(|(_, state)| *state).collect();
        let start = Start { states: &states, after_past: Some(self.allowed) };
        let mut repair = PlanRepair::new(Arc::new(SearchSpace { laws, group: self.group.clone() }), joint);
        let draft = repair.draft(joint, start, self.letter);
        let mut words = vec![self.follow_masks(joint, draft.get(1..).unwrap_or_default())];
        words.extend(known.iter().map(|plan| self.follow_masks(joint, plan)));
        words.sort_by_cached_key(|word| {
            repair.load(joint, start, word);
            Reverse(repair.count_broken())
        });
        let mut turn = FIRST_TURN;
        loop {
            if let Some(word) = words.pop() {
                repair.load(joint, start, &word);
            }
            if let Some(plan) = self.repair(&mut repair, joint) {
                return Common::Plan(plan);
            }
            let limit = joint.budget.limit(turn);
            let answer = self.ask(&repair, joint, &mut words);
            joint.budget.restore(limit);
            match answer {
                Common::Unknown(_) if !joint.budget.is_out() => turn *= 2,
                answer => return answer,
            }
        }
    }

    /// The letter and a plan after it, changed so that masks allow its actions, where that is easy: otherwise the repair would
    /// need several moves at once for each of them.
    fn follow_masks(&self, joint: &mut Joint, plan: &[Letter]) -> Vec<Letter> {
        let vocabulary = joint.vocabulary().clone();
        let masks = &self.group.masks;
        let mut word = vec![self.letter];
        for letter in plan {
            let Some(action) = letter.action(&vocabulary) else { continue };
            if let [_] = word[..]
                && !self.allowed.contains(action)
                && let Some(other) = self.allowed.iter().find(|other| Some(*other) != vocabulary.stop())
            {
                word.push(Letter::after(&vocabulary, other, self.letter.observations(&vocabulary)));
            }
            if let [_, .., before] = &mut word[..]
                && !masks.allowed(before).contains(action)
                && let Some(taken) = before.action(&vocabulary)
                && let Some(state) = self.state_that_allows(joint, action, before.observations(&vocabulary))
            {
                *before = Letter::after(&vocabulary, taken, state);
            }
            word.push(*letter);
        }
        word
    }

    /// Observations that the axioms allow and after which no mask forbids an action, close to those given; `None` if choosing a
    /// literal against each mask in turn finds none.
    fn state_that_allows(&self, joint: &mut Joint, action: ActionId, near: PropSet) -> Option<PropSet> {
        let everything = PropSet::first(joint.vocabulary().observations().len());
        let mut bounds = Prediction { must: PropSet::EMPTY, may: everything };
        while let Some((_, row)) = self.group.masks.forbidding(&bounds, action) {
            let narrowed = |joint: &mut Joint, must: PropSet, may: PropSet| {
                let bounds = Prediction { must, may };
                let is_possible = must.is_subset(&may) && joint.observations_between(&bounds).ok().flatten().is_some();
                is_possible.then_some(bounds)
            };
            let Prediction { must, may } = bounds;
            let present = row.absent.iter().find_map(|prop| narrowed(joint, must.union(&PropSet::one(prop)), may));
            let absent = |joint: &mut Joint| {
                row.present.iter().find_map(|prop| narrowed(joint, must, may.difference(&PropSet::one(prop))))
            };
            bounds = present.or_else(|| absent(joint))?;
        }
        let kept = Prediction { must: bounds.must.union(&near.intersection(&bounds.may)), may: bounds.may };
        [kept, bounds].iter().find_map(|bounds| joint.observations_between(bounds).ok().flatten())
    }

    /// Repairs a word while it breaks less and less; the plan that it becomes.
    fn repair(&self, repair: &mut PlanRepair, joint: &mut Joint) -> Option<Vec<Letter>> {
        let (mut least, mut stale) = (repair.count_broken(), 0);
        while !joint.budget.is_out() && stale < PATIENCE {
            if repair.repair(joint, MOVES) {
                let plan = repair.word().get(1..).unwrap_or_default();
                if self.fit(joint, plan) {
                    return Some(plan.to_vec());
                }
            }
            let broken = repair.count_broken();
            (least, stale) = if broken < least { (broken, 0) } else { (least, stale + 1) };
        }
        None
    }

    /// Asks the solver about the states that were most in the way of the repair, and about more as its plans break them.
    fn ask(&self, repair: &PlanRepair, joint: &mut Joint, words: &mut Vec<Vec<Letter>>) -> Common {
        let hardest = repair.hardest();
        let is_hard = |law: usize| hardest.iter().take(JOINING).any(|hard| *hard == law);
        let of_row = |&(position, state): &(usize, StateRef)| (joint.laws.watched[position], joint.table.state(state));
        let mut question: Vec<LawState> = self.rows.iter().map(of_row).filter(|(law, _)| is_hard(*law)).collect();
        let mut closest: Option<Vec<Letter>> = None;
        let answer = loop {
            let unknown = || match question.is_empty() {
                true => self.group.watched.clone(),
                false => question.iter().map(|(law, _)| *law).collect(),
            };
            if joint.budget.is_out() {
                break Common::Unknown(unknown());
            }
            match joint.solve_at(&question, None) {
                Answer::Unsat(core) => break Common::Never(core.into_iter().map(|at| question[at]).collect()),
                Answer::Unknown => break Common::Unknown(unknown()),
                Answer::Plan(letters) => {
                    let mut broken = match self.broken_by(joint, &letters) {
                        Ok(broken) if broken.is_empty() => break Common::Plan(letters),
                        Ok(broken) => broken,
                        Err(answer) => break answer,
                    };
                    broken.retain(|state| !question.contains(state));
                    if broken.is_empty() {
                        break Common::Unknown(unknown());
                    }
                    broken.sort_by_key(|(law, _)| Reverse(repair.conflicts(*law)));
                    question.extend(broken.into_iter().take(JOINING));
                    closest = Some([&[self.letter], letters.as_slice()].concat());
                }
            }
        };
        words.extend(closest);
        answer
    }
}
