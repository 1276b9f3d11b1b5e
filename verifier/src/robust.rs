//! Robust judgements: whether every letter predicted of an action leaves the laws a continuation.
//!
//! A prediction that leaves `k` observations open stands for up to `2^k` letters, which are not enumerated. Each law
//! reads few of the open observations, so it is left in one of few states. One plan that suits all of them is a
//! continuation for every letter ([`Residuals`]). Without such a plan, some of these states exclude each other. If a
//! predicted letter leads to them, that letter has no continuation. Otherwise the prediction is split at an observation
//! that tells them apart. Continuations are cooperative: robust is the next letter alone.

use std::sync::Arc;

use crate::automaton::State;
use crate::axioms::Axioms;
use crate::dfa_table::StateRef;
use crate::joint::{Joint, LAWS_READ, Possible};
use crate::known_parts::LawState;
use crate::law_set::Group;
use crate::letter::{Letter, PropSet};
use crate::prediction::{Prediction, Way};
use crate::residual::TooLarge;
use crate::run::Now;
use crate::search::common_plan::{Common, Residuals};
use crate::vocabulary::{ActionId, PropId};

/// Maximum number of open observations in one law; with more, the prediction is split before its letters are read.
const MAX_OPEN: usize = 8;
/// The same for the laws of one proof.
const MAX_OPEN_IN_PROOF: usize = 10;
/// Maximum number of states of the laws; with more, the prediction is split before a plan for all of them is searched
/// for.
const MAX_STATES: usize = 512;
/// The cost of a question about the axioms, in units of work.
const AXIOMS_COST: u64 = 25;

/// The knowledge about a part of a prediction.
enum Part {
    /// Every letter leaves a continuation.
    Kept,
    /// Letters with this observation have to be told from those without.
    Split(PropId),
    /// Some letter leaves none, by these laws.
    Refused(Vec<usize>),
    /// The work ran out over these laws.
    Unknown(Vec<usize>),
}

/// The laws after a part of a prediction.
struct After<'a> {
    residuals: Residuals<'a>,
    /// True if stopping right after it suits every letter.
    stops: bool,
}

impl Joint {
    /// The laws of a group that are judged robustly; `None` if there are none that read more than the current letter, and no
    /// action passes through another one.
    pub fn robust_group(&self, group: &Arc<Group>) -> Option<Arc<Group>> {
        let is_robust = |law: &usize| self.laws.laws()[*law].is_hard() && !self.predictions.relaxed.contains(law);
        let passes = |way: &Way| !way.through.is_empty();
        if !group.watched.iter().any(is_robust) && !self.predictions.ways.iter().flatten().any(passes) {
            return None;
        }
        let laws = group.laws();
        let robust: Vec<usize> = laws.iter().copied().filter(is_robust).collect();
        Some(if robust.len() == laws.len() { group.clone() } else { self.group(robust) })
    }

    /// Decides whether every letter predicted of an action leaves these laws a continuation, after the letters that it
    /// passes through. Where nothing is predicted, any action does; so does stopping, which nothing follows and which
    /// leaves the observations as they are, whatever is predicted of it.
    pub fn robustly_possible(&mut self, now: Now<'_>, group: &Arc<Group>, action: ActionId) -> Possible {
        let ways = self.predictions.of(action).to_vec();
        if self.vocabulary().stop() == Some(action) || ways.is_empty() {
            return Possible::Yes(Vec::new());
        }
        let (mut cores, mut unknown) = (Vec::new(), None);
        for way in ways {
            match self.way_possible(now, group, action, way) {
                Possible::Yes(plan) => return Possible::Yes(plan),
                Possible::No(core) => cores.extend(core),
                Possible::Unknown(laws) => unknown = unknown.or(Some(laws)),
            }
        }
        cores.sort_unstable();
        cores.dedup();
        unknown.map_or(Possible::No(cores), Possible::Unknown)
    }

    /// Decides whether every letter at the end of a way leaves these laws a continuation. If that end is not known, any
    /// way does.
    pub fn way_possible(&mut self, now: Now<'_>, group: &Arc<Group>, action: ActionId, way: Way) -> Possible {
        let Way { through: passing, then: Some(prediction) } = way else { return Possible::Yes(Vec::new()) };
        if passing.is_empty() {
            return self.leads_on(now, group, action, prediction);
        }
        let (mut letter, mut states) = (*now.letter, now.states.to_vec());
        for observations in passing {
            letter = Letter::after(self.vocabulary(), action, observations);
            if !self.budget.try_spend(1 + (group.watched.len() / LAWS_READ) as u64) {
                return Possible::Unknown(group.watched.clone());
            }
            for &law in &group.watched {
                let Some(position) = self.laws.position(law) else { continue };
                states[position] = self.read_letter(position, states[position], &letter);
                if states[position] == StateRef::LOST {
                    return Possible::Unknown(vec![law]);
                }
            }
            // The action goes on from there.
            if !group.masks.allowed(&letter).contains(action) {
                return Possible::No(group.masks.culprit(&letter, action).into_iter().collect());
            }
        }
        self.leads_on(Now { letter: &letter, states: &states }, group, action, prediction)
    }

    /// Decides whether every predicted letter leaves these laws a continuation.
    fn leads_on(&mut self, now: Now<'_>, group: &Arc<Group>, action: ActionId, prediction: Prediction) -> Possible {
        let mut parts = vec![prediction];
        while let Some(part) = parts.pop() {
            if !self.budget.try_spend(1) {
                return Possible::Unknown(group.watched.clone());
            }
            match self.judge_part(now, group, action, part) {
                Part::Kept => {}
                Part::Split(at) => parts.extend(part.split(at)),
                Part::Refused(core) => return Possible::No(core),
                Part::Unknown(laws) => return Possible::Unknown(laws),
            }
        }
        Possible::Yes(Vec::new())
    }

    fn judge_part(&mut self, now: Now<'_>, group: &Arc<Group>, action: ActionId, part: Prediction) -> Part {
        let After { mut residuals, stops } = match self.after(now, group, action, part) {
            Ok(after) => after,
            Err(part) => return part,
        };
        if stops || residuals.fit(self, &[]) || self.known_plan_fits(&residuals) {
            return Part::Kept;
        }
        let likely = now.letter.observations(self.vocabulary());
        residuals.letter = match self.predicted_letter(action, &part, likely) {
            Ok(Some(letter)) => letter,
            Ok(None) => return Part::Kept,
            Err(_) => return Part::Unknown(group.watched.clone()),
        };
        let known = std::mem::take(&mut self.predictions.plans);
        let found = residuals.search(self, &known);
        self.predictions.plans = known;
        match found {
            Common::Plan(plan) => {
                self.predictions.keep(plan);
                Part::Kept
            }
            Common::Never(core) => self.refute(now, &residuals, &core),
            Common::Split(at) => Part::Split(at),
            Common::Unknown(laws) => Part::Unknown(laws),
        }
    }

    /// The states that the letters of a prediction leave the laws in.
    fn after<'a>(
        &mut self,
        now: Now<'_>,
        group: &'a Arc<Group>,
        action: ActionId,
        prediction: Prediction,
    ) -> Result<After<'a>, Part> {
        let vocabulary = self.vocabulary().clone();
        let allowed = group.masks.allowed_after(&prediction);
        self.budget.spend((group.masks.len() / LAWS_READ) as u64);
        let mut rows: Vec<(usize, StateRef)> = Vec::with_capacity(group.watched.len());
        let stop = vocabulary.stop();
        let mut stops = stop.is_some_and(|stop| allowed.contains(stop));
        for &law in &group.watched {
            let Some(position) = self.laws.position(law) else { continue };
            let read = self.open_reads(group, law, &prediction);
            if read.len() > MAX_OPEN || rows.len() > MAX_STATES && !read.is_empty() {
                return Err(Part::Split(read[0]));
            }
            self.budget.spend(1 + (2usize << read.len()) as u64 / LAWS_READ as u64);
            let first = rows.len();
            for choice in 0..1usize << read.len() {
                let observations = prediction.must.union(&PropSet::coded(&read, choice));
                let letter = Letter::after(&vocabulary, action, observations);
                let state = self.read_letter(position, now.states[position], &letter);
                if state == StateRef::LOST {
                    return Err(Part::Unknown(vec![law]));
                }
                if let (true, Some(stop)) = (stops, stop) {
                    let end = Letter::after(&vocabulary, stop, observations);
                    stops = self.read_letter(position, state, &end).accepts();
                }
                if !rows[first..].iter().any(|(_, other)| *other == state) {
                    rows.push((position, state));
                }
            }
        }
        let letter = Letter::after(&vocabulary, action, prediction.must);
        Ok(After { residuals: Residuals { group, action, prediction, letter, rows, allowed }, stops })
    }

    /// The observations that a prediction leaves open and a law reads.
    fn open_reads(&self, group: &Group, law: usize, prediction: &Prediction) -> Vec<PropId> {
        let open = prediction.open();
        match self.laws.position(law) {
            Some(position) => self.table.props(position).iter().copied().filter(|at| open.contains(*at)).collect(),
            None => group.masks.reads_of(law).intersection(&open).iter().collect(),
        }
    }

    fn known_plan_fits(&mut self, residuals: &Residuals<'_>) -> bool {
        let mut plans = std::mem::take(&mut self.predictions.plans);
        let found = plans.iter().position(|plan| residuals.fit(self, plan));
        if let Some(found) = found {
            plans[..=found].rotate_right(1);
        }
        self.predictions.plans = plans;
        found.is_some()
    }

    /// A letter of a prediction, with these observations where they are open and anything is possible; `None` if the axioms
    /// allow none.
    pub fn predicted_letter(
        &mut self,
        action: ActionId,
        prediction: &Prediction,
        likely: PropSet,
    ) -> Result<Option<Letter>, TooLarge> {
        let vocabulary = self.vocabulary().clone();
        let observations = match vocabulary.axioms().is_empty() {
            true => Some(likely.intersection(&prediction.may).union(&prediction.must)),
            false => self.observations_between(prediction)?,
        };
        Ok(observations.map(|observations| Letter::after(&vocabulary, action, observations)))
    }

    /// Observations between the bounds of a prediction that the axioms allow; `None` if there are none.
    pub fn observations_between(&mut self, bounds: &Prediction) -> Result<Option<PropSet>, TooLarge> {
        let vocabulary = self.vocabulary().clone();
        self.budget.spend(AXIOMS_COST);
        let axioms = self.axioms.get_or_insert_with(|| Axioms::new(&vocabulary));
        axioms.state_between(&bounds.must, &bounds.may).map_err(|_| TooLarge)
    }

    /// Decides by states of laws that exclude each other, at least if the run continues: a letter that leads to all of
    /// them has no continuation; without one, the prediction is split.
    fn refute(&mut self, now: Now<'_>, residuals: &Residuals<'_>, core: &[LawState]) -> Part {
        let Residuals { group, action, prediction, .. } = *residuals;
        let unknown = || Part::Unknown(core.iter().map(|(law, _)| *law).collect());
        let mut read: Vec<PropId> =
            core.iter().flat_map(|(law, _)| self.open_reads(group, *law, &prediction)).collect();
        read.sort_unstable();
        read.dedup();
        let letter = match read.len() > MAX_OPEN_IN_PROOF {
            true => Ok(None),
            false => self.letter_to(now, action, &prediction, &read, core),
        };
        match (letter, read.first()) {
            (Ok(Some(letter)), _) => self.refute_letter(now, residuals, &letter, core),
            (Ok(None), Some(at)) => Part::Split(*at),
            (Ok(None), None) | (Err(TooLarge), _) => unknown(),
        }
    }

    /// A predicted letter that leads to these states, which depend on no more than these open observations.
    fn letter_to(
        &mut self,
        now: Now<'_>,
        action: ActionId,
        prediction: &Prediction,
        read: &[PropId],
        core: &[LawState],
    ) -> Result<Option<Letter>, TooLarge> {
        let vocabulary = self.vocabulary().clone();
        let all: PropSet = read.iter().copied().collect();
        for choice in 0..1usize << read.len() {
            if !self.budget.try_spend(1 + (core.len() / LAWS_READ) as u64) {
                return Err(TooLarge);
            }
            let holding = PropSet::coded(read, choice);
            let letter = Letter::after(&vocabulary, action, prediction.must.union(&holding));
            if core.iter().all(|&(law, state)| self.state_then(now, law, &letter) == Some(state)) {
                let must = prediction.must.union(&holding);
                let agreeing = Prediction { must, may: prediction.may.difference(&all).union(&holding) };
                if let Some(letter) = self.predicted_letter(action, &agreeing, must)? {
                    return Ok(Some(letter));
                }
            }
        }
        Ok(None)
    }

    /// The state of a law after one more letter; `None` if that exceeds the bounds.
    fn state_then(&mut self, now: Now<'_>, law: usize, letter: &Letter) -> Option<State> {
        match self.laws.position(law) {
            Some(position) => {
                let state = self.read_letter(position, now.states[position], letter);
                (state != StateRef::LOST).then(|| self.table.state(state))
            }
            None => self.state_after(law, letter).ok(),
        }
    }

    /// The judgement on a letter after which the run cannot go on, by these laws: it may end there all the same.
    fn refute_letter(&mut self, now: Now<'_>, residuals: &Residuals<'_>, letter: &Letter, core: &[LawState]) -> Part {
        let Residuals { group, prediction, .. } = *residuals;
        let vocabulary = self.vocabulary().clone();
        let mut laws: Vec<usize> = core.iter().map(|(law, _)| *law).collect();
        let stop = vocabulary.stop().map(|stop| Letter::after(&vocabulary, stop, letter.observations(&vocabulary)));
        let ends = [Some(None), stop.map(Some)];
        for end in ends.into_iter().flatten() {
            match self.breaks_by_ending(now, group, letter, end, &laws) {
                Ok(Some(law)) => laws.push(law),
                Ok(None) => {
                    let open = group.laws().into_iter().find_map(|law| self.open_reads(group, law, &prediction).pop());
                    return open.map_or(Part::Kept, Part::Split);
                }
                Err(law) => return Part::Unknown(vec![law]),
            }
        }
        laws.sort_unstable();
        laws.dedup();
        Part::Refused(laws)
    }

    /// A law, one of `first` if possible, that does not hold where the run ends after a letter, or after stopping then; an
    /// error if its state there exceeds the bounds.
    fn breaks_by_ending(
        &mut self,
        now: Now<'_>,
        group: &Group,
        letter: &Letter,
        stop: Option<Letter>,
        first: &[usize],
    ) -> Result<Option<usize>, usize> {
        if let Some(action) = stop.and_then(|stop| stop.action(self.vocabulary()))
            && !group.masks.allowed(letter).contains(action)
        {
            return Ok(group.masks.culprit(letter, action));
        }
        let mut watched = group.watched.clone();
        watched.sort_by_key(|law| !first.contains(law));
        for law in watched {
            let Some(position) = self.laws.position(law) else { continue };
            let mut state = self.read_letter(position, now.states[position], letter);
            if let Some(stop) = &stop {
                state = self.read_letter(position, state, stop);
            }
            if state == StateRef::LOST {
                return Err(law);
            }
            if !state.accepts() {
                return Ok(Some(law));
            }
        }
        Ok(None)
    }
}
