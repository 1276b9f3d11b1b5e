//! Robust judgements: whether every letter predicted of an action leaves the laws a continuation.
//!
//! A prediction that leaves `k` observations open stands for up to `2^k` letters, which are not enumerated. A plan is a
//! continuation; whether it suits the laws after *every* letter is asked law by law, each of which reads few observations.
//! Where a plan does not, the prediction is split at an observation that the law reads, until one plan suits each part or
//! some letter has none. Continuations are cooperative: robust is the next letter alone.

use crate::axioms::Axioms;
use crate::compiled::Group;
use crate::dfa_table::StateRef;
use crate::joint::{Continuation, Joint, LAWS_READ, Possible};
use crate::letter::{Letter, PropSet};
use crate::run::Now;
use crate::transitions::Prediction;
use crate::vocabulary::{ActionId, PropId};

/// With more open observations in one law, the prediction is split before its letters are read.
const MOST_OPEN: usize = 8;

/// How a plan suits the letters of a prediction.
enum Fit {
    Every,
    /// It suits some of them, depending on this observation among others.
    Depends(PropId),
    None,
}

impl Joint {
    /// The laws of a group that are judged robustly; `None` if there are none that read more than the current letter.
    pub fn robust_group(&self, group: &Group) -> Option<Group> {
        let is_robust = |law: &usize| self.laws.laws()[*law].is_hard() && !self.predictions.relaxed.contains(law);
        if !group.watched.iter().any(is_robust) {
            return None;
        }
        let laws = group.laws();
        let robust: Vec<usize> = laws.iter().copied().filter(is_robust).collect();
        Some(if robust.len() == laws.len() { group.clone() } else { self.group(robust) })
    }

    /// Whether every letter predicted of an action leaves these laws a continuation. Where nothing is predicted, any action
    /// does.
    pub fn robustly_possible(&mut self, now: Now<'_>, group: &Group, action: ActionId) -> Possible {
        let Some(prediction) = self.predictions.of(action) else { return Possible::Yes };
        let mut parts = vec![prediction];
        while let Some(part) = parts.pop() {
            if !self.budget.try_spend(1) {
                return Possible::Unknown(group.watched.clone());
            }
            if self.known_plan_fits(now, group, action, &part) {
                continue;
            }
            let letter = match self.some_letter(now, action, &part) {
                Ok(Some(letter)) => letter,
                Ok(None) => continue,
                Err(()) => return Possible::Unknown(group.watched.clone()),
            };
            let states = self.states_after(now, group, &letter);
            match self.continuation(Now { letter: &letter, states: &states }, group) {
                Continuation::Yes(plan) => {
                    match self.fit(now, group, action, &part, &plan) {
                        Fit::Every => {}
                        Fit::Depends(at) => parts.extend(part.split(at)),
                        // The plan suits the letter, so only the budget can have kept it from doing so.
                        Fit::None => return Possible::Unknown(group.watched.clone()),
                    }
                    self.predictions.keep(plan);
                }
                Continuation::No(core) => return Possible::No(core),
                Continuation::Unknown(laws) => return Possible::Unknown(laws),
            }
        }
        Possible::Yes
    }

    fn known_plan_fits(&mut self, now: Now<'_>, group: &Group, action: ActionId, part: &Prediction) -> bool {
        if matches!(self.fit(now, group, action, part, &[]), Fit::Every) {
            return true;
        }
        let mut plans = std::mem::take(&mut self.predictions.plans);
        let fits = |plan: &Vec<Letter>| matches!(self.fit(now, group, action, part, plan), Fit::Every);
        let found = plans.iter().position(fits);
        if let Some(found) = found {
            plans[..=found].rotate_right(1);
        }
        self.predictions.plans = plans;
        found.is_some()
    }

    /// A letter of a prediction; `None` if the axioms allow none.
    fn some_letter(&mut self, now: Now<'_>, action: ActionId, part: &Prediction) -> Result<Option<Letter>, ()> {
        let vocabulary = self.vocabulary().clone();
        let likely = now.letter.observations(&vocabulary).intersection(&part.may).union(&part.must);
        if vocabulary.axioms().is_empty() {
            return Ok(Some(Letter::after(&vocabulary, action, likely)));
        }
        let axioms = self.predictions.axioms.get_or_insert_with(|| Axioms::new(&vocabulary));
        let found = axioms.state_between(&part.must, &part.may).map_err(|_| ())?;
        Ok(found.map(|observations| Letter::after(&vocabulary, action, observations)))
    }

    /// The states of all watched laws, those of the group after one more letter.
    fn states_after(&mut self, now: Now<'_>, group: &Group, letter: &Letter) -> Vec<StateRef> {
        let mut states = now.states.to_vec();
        for &law in &group.watched {
            if let Some(position) = self.laws.position(law) {
                states[position] = self.read_letter(position, states[position], letter);
            }
        }
        states
    }

    /// How a plan suits the letters that a prediction allows after an action, be they all possible by the axioms or not.
    fn fit(&mut self, now: Now<'_>, group: &Group, action: ActionId, part: &Prediction, plan: &[Letter]) -> Fit {
        let vocabulary = self.vocabulary().clone();
        if let Some(first) = plan.first().and_then(|letter| letter.action(&vocabulary))
            && let Some(read) = group.masks.read_where_forbidden(part, first)
        {
            return read.iter().next().map_or(Fit::None, Fit::Depends);
        }
        let follows = |pair: &[Letter]| {
            pair[1].action(&vocabulary).is_none_or(|action| group.masks.allowed(&pair[0]).contains(action))
        };
        if !plan.windows(2).all(follows) {
            return Fit::None;
        }
        let open = part.open();
        for &law in &group.watched {
            let Some(position) = self.laws.position(law) else { continue };
            let read: Vec<PropId> =
                self.table.props(position).iter().copied().filter(|at| open.contains(*at)).collect();
            if read.len() > MOST_OPEN {
                return Fit::Depends(read[0]);
            }
            self.budget.spend(1 + ((plan.len() + 1) << read.len()) as u64 / LAWS_READ as u64);
            for choice in 0..1usize << read.len() {
                let chosen = read.iter().enumerate().filter(|(at, _)| choice >> at & 1 == 1);
                let observations = part.must.union(&chosen.map(|(_, prop)| *prop).collect::<PropSet>());
                let letter = Letter::after(&vocabulary, action, observations);
                let mut state = now.states[position];
                for letter in std::iter::once(&letter).chain(plan) {
                    state = self.read_letter(position, state, letter);
                }
                if state == StateRef::LOST || !state.accepts() {
                    return read.first().map_or(Fit::None, |at| Fit::Depends(*at));
                }
            }
        }
        Fit::Every
    }
}
