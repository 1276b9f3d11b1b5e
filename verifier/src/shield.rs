//! The shield: which actions all the laws together leave, before any of them runs.

mod decide;
mod robust;

use std::fmt;
use std::sync::Arc;

use crate::actions::ActionSet;
use crate::automaton::INITIAL;
use crate::causes::{self, Causes};
pub use crate::compiled::ShieldError;
use crate::compiled::{CompiledLaws, Group};
use crate::decision_cache::{DecisionCache, NodeNumber};
use crate::history::History;
use crate::joint::Joint;
pub use crate::judgement::{Decision, Enforcement, Judgement, Undecided};
use crate::known_conflicts::KnownConflicts;
use crate::law::{Law, LawId};
use crate::letter::{Letter, PropSet};
pub use crate::options::{Fallback, ShieldOptions};
use crate::predictions::RobustlyJudged;
use crate::run::{Now, Run};
use crate::search::{Search, relevant};
use crate::verdict::Verdict;
use crate::vocabulary::{ActionId, Vocabulary};
use crate::word::{self, RunFault};

/// Counts and sizes of a shield.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ShieldStats {
    /// Joint states that were decided because no cache had them.
    pub decided: u64,
    /// Actions that needed a search for a continuation.
    pub searches: u64,
    /// The number of times a cache was full and started afresh.
    pub emptied: u64,
    /// Actions that could not be decided within the bounds, each time they came up in a decision.
    pub unknowns: u64,
    /// Actions of joint states that could not be decided within the bounds, each counted once.
    pub undecided: u64,
    /// Units of work that questions were charged so far: see [`ShieldOptions::budget`]. They are the same whatever was explored
    /// before.
    pub spent: u64,
    /// Units of work so far that explored laws: it is done once.
    pub explored: u64,
    /// Bytes that the automata and caches hold.
    pub cache_bytes: usize,
}

/// Laws, enforced jointly along one run.
///
/// Judging laws one by one is not enough. `G(a -> F b)` allows `a`, and `G !b` has nothing against `a` either; yet after
/// `a` the first law owes a `b` that the second forbids. So the shield asks whether *one* continuation satisfies them all:
///
/// ```
/// use std::sync::Arc;
/// use ltlcrit_verifier::{Formula, Judgement, Law, PropSet, Shield, ShieldOptions, Vocabulary};
///
/// let doors = Vocabulary::builder("doors").observation("obs_dark").actions(["action_open", "action_close"]).build()?;
/// let vocabulary = Arc::new(doors);
/// let (open, close) = (Formula::atom("action_open"), Formula::atom("action_close"));
/// let laws = vec![
///     Law::hard("close-behind-you", open.implies(close.clone().finally()).globally(), "Close what you open."),
///     Law::hard("never-close", close.not().globally(), "The handle is broken."),
/// ];
/// let mut shield = Shield::new(vocabulary.clone(), laws, ShieldOptions::default())?;
/// shield.start(PropSet::EMPTY)?;
/// let decision = shield.decide();
/// assert_eq!(decision.allowed.names(&vocabulary), ["action_stop"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Shield {
    joint: Joint,
    run: Run,
    history: History,
    all: Search,
    /// The hard laws alone; `None` if all laws are hard.
    hard: Option<Box<HardLaws>>,
    here: Here,
    /// Stopping, as a set.
    stop: ActionSet,
    conflicts: KnownConflicts,
    unknowns: u64,
    /// Once the run has ended: the laws that do not hold of it.
    end: Option<Vec<LawId>>,
}

/// The hard laws alone, for over-constrained states.
struct HardLaws {
    search: Search,
    cache: DecisionCache,
}

/// The decisions at the current letter.
#[derive(Default)]
struct Here {
    /// The actions that the guarded laws allow.
    masked: ActionSet,
    decision: Option<Decision>,
    /// The laws that decided.
    judged_by: Which,
    /// The hard laws and the soft ones that are not suspended, where some are.
    kept: Option<Arc<Group>>,
    hard_allowed: Option<ActionSet>,
    robust: Vec<RobustlyJudged>,
    /// The action that is judged by a way of its own.
    way: Option<ActionId>,
    /// The action that was found to be blocked last, by which laws, and the judgement.
    blocked: Option<(Which, ActionId, Judgement)>,
}

impl Shield {
    /// Compiles laws and puts a shield over them, before the first letter. [`CompiledLaws::same_letter`] reports the laws among
    /// them that judge an action only after it ran.
    ///
    /// # Errors
    /// As [`CompiledLaws::new`].
    pub fn new(vocabulary: Arc<Vocabulary>, laws: Vec<Law>, options: ShieldOptions) -> Result<Self, ShieldError> {
        Ok(Self::over(CompiledLaws::new(vocabulary, laws, options)?))
    }

    /// A shield over compiled laws, before the first letter.
    pub fn over(laws: Arc<CompiledLaws>) -> Self {
        let mut joint = Joint::new(laws);
        let states = joint.initial_states().collect();
        let (run, all, hard) = parts(&joint, states, None);
        let stop = joint.vocabulary().stop().into_iter().collect();
        Self {
            joint,
            run,
            history: History::default(),
            all,
            hard,
            here: Here::default(),
            stop,
            conflicts: KnownConflicts::default(),
            unknowns: 0,
            end: None,
        }
    }

    /// Puts other laws in force from the current letter on. A law with the same name and formula as before keeps its
    /// monitor; a new one begins with the current letter, as if the run began there. Gives the laws that the current letter
    /// breaks.
    ///
    /// # Errors
    /// As [`Shield::new`]; then the laws stay as they were.
    pub fn replace_laws(&mut self, laws: Vec<Law>) -> Result<Vec<LawId>, ShieldError> {
        let old = self.joint.laws.clone();
        let new = old.with_laws(laws)?;
        let known: std::collections::HashMap<_, _> =
            old.laws().iter().enumerate().map(|(at, law)| ((&law.id, &law.formula), at)).collect();
        let from: Vec<Option<usize>> =
            new.laws().iter().map(|law| known.get(&(&law.id, &law.formula)).copied()).collect();
        let before = self.joint.automaton_states(self.run.states());
        let kept = |law: &usize| match from[*law].and_then(|old_law| old.position(old_law)) {
            Some(position) => before[position],
            None => Some(INITIAL),
        };
        let kept: Vec<_> = new.watched.iter().map(kept).collect();
        self.history.replace(new.watched.iter().map(|law| from[*law].and_then(|old_law| old.position(old_law))));
        self.joint.replace(new, &from);
        let mut states = self.joint.table_states(&kept);
        let mut violations = Vec::new();
        if let Some(letter) = self.run.letter() {
            for (position, state) in states.iter_mut().enumerate() {
                let law = self.joint.laws.watched[position];
                if from[law].is_none() && self.joint.read(position, state, letter) {
                    violations.push(law);
                }
            }
        }
        (self.run, self.all, self.hard) = parts(&self.joint, states, self.run.letter().copied());
        self.conflicts.clear();
        self.bound_memory();
        self.arrived();
        violations.sort_unstable();
        Ok(self.joint.laws.ids(violations))
    }

    /// Begins a run: letter 0, with the observations that hold and no action. Gives the laws that it breaks.
    ///
    /// Later judgements rely on states that satisfy the vocabulary's axioms. Observations that break one show that such
    /// judgements may be wrong: ask [`Vocabulary::broken_axiom`] before.
    ///
    /// # Errors
    /// An action among the observations, or a proposition that the vocabulary does not have; then nothing has changed.
    pub fn start(&mut self, observations: PropSet) -> Result<Vec<LawId>, RunFault> {
        let letter = word::first_letter(self.vocabulary(), &observations)?;
        self.end = None;
        let mut violations = Vec::new();
        self.joint.predictions.clear();
        let joint = &mut self.joint;
        self.history.start(letter, joint.laws.watched.len());
        self.run.begin(letter, |states| {
            states.extend(joint.initial_states());
            joint.read_all(states, &letter, |law| violations.push(law));
        });
        self.bound_memory();
        self.arrived();
        Ok(self.named(violations))
    }

    /// Reads what really happened: the action that ran, and the observations that hold now. Gives the laws that it breaks,
    /// which go on or begin afresh as their [`AfterBreak`](crate::AfterBreak) says. `action_stop` ends the run, and breaks
    /// every law that is owed something. For axioms, see [`Shield::start`].
    ///
    /// # Errors
    /// A step that no run takes: see [`RunFault`]. Then nothing was read.
    #[inline]
    pub fn step(&mut self, action: ActionId, observations: PropSet) -> Result<Vec<LawId>, RunFault> {
        let letter = self.next_letter(action, &observations)?;
        let violations = self.read_next(letter);
        if self.vocabulary().stop() != Some(action) {
            return Ok(violations);
        }
        let violations = self.stopped(violations);
        self.end = Some(violations.clone());
        Ok(violations)
    }

    /// Reads a letter that an action passes through before its [step](Self::step) ends: see [`Shield::predict_one`]. Gives the laws
    /// that it breaks. Explanations count it as part of the step.
    ///
    /// # Errors
    /// As [`Shield::step`]; `action_stop` passes through nothing.
    pub fn go_through(&mut self, action: ActionId, observations: PropSet) -> Result<Vec<LawId>, RunFault> {
        if self.vocabulary().stop() == Some(action) {
            return Err(RunFault::AfterEnd { letter: self.history.now() + 1 });
        }
        let letter = self.next_letter(action, &observations)?;
        let violations = self.read_next(letter);
        self.history.passes();
        Ok(violations)
    }

    /// Ends the run where it is, as from outside: gives the laws that do not hold of it because they are owed something. After
    /// `action_stop` these are the laws that it broke.
    ///
    /// # Errors
    /// The run has not started.
    pub fn finish(&mut self) -> Result<Vec<LawId>, RunFault> {
        if !self.run.is_started() {
            return Err(RunFault::NotStarted);
        }
        let owed = match &self.end {
            Some(owed) => owed.clone(),
            None => self.obligations(),
        };
        self.arrived();
        self.end = Some(owed.clone());
        Ok(owed)
    }

    /// The letter after a step, if a run may take it.
    #[inline]
    fn next_letter(&self, action: ActionId, observations: &PropSet) -> Result<Letter, RunFault> {
        let vocabulary = self.vocabulary();
        let (Some(before), number) = (self.run.letter(), self.history.now() + 1) else {
            return Err(RunFault::NotStarted);
        };
        if self.end.is_some() {
            return Err(match before.action(vocabulary) == vocabulary.stop() {
                true => RunFault::AfterStop { letter: number, stop: number - 1 },
                false => RunFault::AfterEnd { letter: number },
            });
        }
        word::next_letter(vocabulary, number, before, action, observations)
    }

    /// All laws that a run which stopped breaks, these among them.
    #[cold]
    fn stopped(&mut self, violations: Vec<LawId>) -> Vec<LawId> {
        let owed = self.obligations();
        let is_broken = |law: &&Law| violations.contains(&law.id) || owed.contains(&law.id);
        self.laws().iter().filter(is_broken).map(|law| law.id.clone()).collect()
    }

    #[inline]
    fn read_next(&mut self, letter: Letter) -> Vec<LawId> {
        let mut violations = Vec::new();
        if !self.all.group.masks.is_empty() {
            self.check_masks(&letter, &mut violations);
        }
        self.history.push(letter);
        self.joint.predictions.clear();
        self.bound_memory();
        self.read(&letter, &mut violations);
        self.arrived();
        if violations.is_empty() { Vec::new() } else { self.named(violations) }
    }

    #[cold]
    fn named(&self, mut violations: Vec<usize>) -> Vec<LawId> {
        violations.sort_unstable();
        violations.dedup();
        self.joint.laws.ids(violations)
    }

    /// Returns the laws `G(phi_s -> X phi_a)` that the action of a letter breaks.
    fn check_masks(&self, letter: &Letter, violations: &mut Vec<usize>) {
        if let Some(before) = self.run.letter()
            && let Some(action) = action_of(letter, self.joint.vocabulary())
            && !self.here.masked.contains(action)
        {
            violations.extend(self.all.group.masks.culprits(before, action));
        }
    }

    /// The watched laws read a letter.
    fn read(&mut self, letter: &Letter, violations: &mut Vec<usize>) {
        let (joint, history) = (&mut self.joint, &mut self.history);
        self.run.go_on(letter, |states| joint.read_all(states, letter, |law| violations.push(law)));
        for &law in violations.iter() {
            let Some(position) = joint.laws.position(law) else { continue };
            if joint.goes_on(law) {
                let states = [self.run.before()[position], self.run.states()[position]];
                history.keep(position, joint.begun(position, states, letter, history.now()));
            } else {
                history.begin(position);
            }
        }
    }

    /// Forgets what the automata have learned when it takes too much memory.
    fn bound_memory(&mut self) {
        if self.joint.is_crowded() {
            let states = self.joint.forget(self.run.states());
            self.run.rename(states);
            self.conflicts.clear();
            self.all.clear();
            if let Some(hard) = &mut self.hard {
                hard.search.clear();
                hard.cache.clear();
            }
        }
    }

    /// Another letter, or other laws: nothing is decided yet.
    #[inline]
    fn arrived(&mut self) {
        // The undecided actions are only asked for beside a decision.
        (self.here.decision, self.here.blocked) = (None, None);
        self.here.hard_allowed = None;
        self.here.robust.clear();
        self.joint.predictions.relaxed.clear();
        if let Some(letter) = self.run.letter() {
            self.here.masked = self.all.group.masks.allowed(letter);
        }
    }

    /// Decides whether an action may run now, by the laws enforced.
    pub fn judge(&mut self, action: ActionId) -> Judgement {
        self.judge_by(action, false)
    }

    /// Decides whether an action may run now by the hard laws alone, whatever laws are enforced.
    pub fn judge_by_hard_laws(&mut self, action: ActionId) -> Judgement {
        self.judge_by(action, true)
    }

    fn judge_by(&mut self, action: ActionId, hard_laws: bool) -> Judgement {
        if self.end.is_some() {
            return Judgement::Ended;
        }
        if !self.run.is_started() {
            return Judgement::Undecided { why: Undecided::NotStarted };
        }
        if !self.vocabulary().has_action(action) {
            return Judgement::Undecided { why: Undecided::UnknownAction };
        }
        // The decision says which laws are relaxed, too.
        let (mut allowed, mut undecided) = match &self.here.decision {
            Some(decision) => (decision.allowed, decision.undecided),
            None => {
                let decision = self.decide();
                (decision.allowed, decision.undecided)
            }
        };
        let which = if hard_laws { Which::Hard } else { self.here.judged_by };
        if self.here.way == Some(action) {
            return self.judge_this_way(which, action);
        }
        if hard_laws {
            let judged = self.judge_for(which).0;
            (allowed, undecided) = (judged.allowed, judged.undecided);
        }
        if allowed.contains(action) {
            return Judgement::Allowed;
        }
        if undecided.contains(action) {
            return Judgement::Undecided { why: Undecided::OutOfBudget };
        }
        self.blocked(which, action)
    }

    /// The judgement on an action that these laws block.
    fn blocked(&mut self, which: Which, action: ActionId) -> Judgement {
        // The laws that leave nothing but stopping are those that block the only action there is.
        let vocabulary = self.vocabulary();
        let is_only = vocabulary.action_ids().all(|other| other == action || Some(other) == vocabulary.stop());
        if is_only
            && Some(action) != self.vocabulary().stop()
            && which == self.here.judged_by
            && let Some(Decision { enforcement: Enforcement::Nothing { conflict, minimal }, .. }) = &self.here.decision
        {
            return Judgement::Blocked { laws: conflict.clone(), minimal: *minimal };
        }
        let known = self.here.blocked.as_ref().filter(|(by, of, _)| (*by, *of) == (which, action));
        if let Some((.., judgement)) = known.filter(|_| self.here.way.is_none()) {
            return judgement.clone();
        }
        let (laws, minimal) = self.explaining(|shield| {
            let proof = shield.proof(which, action);
            let group = shield.group(which).clone();
            let Some(now) = shield.run.now() else { return (Vec::new(), true) };
            shield.joint.minimal_block(now, &group, proof, action)
        });
        let judgement = Judgement::Blocked { laws: self.joint.laws.ids(laws), minimal };
        self.here.blocked = self.here.way.is_none().then(|| (which, action, judgement.clone()));
        judgement
    }

    /// The literals of the run that make these laws block an action; `None` before the first letter. Finding them may cost
    /// as much again as finding the laws.
    pub(crate) fn causes(&mut self, laws: &[LawId], action: ActionId) -> Option<Causes> {
        let numbers = laws.iter().filter_map(|id| self.laws().iter().position(|law| law.id == *id)).collect::<Vec<_>>();
        self.explaining(|shield| {
            let now = shield.run.now()?;
            Some(causes::find(&mut shield.joint, now, &shield.history, &numbers, action))
        })
    }

    /// The number of the letter the run is at: 0 for the initial one, `n` after `n` steps if no action passed through others.
    pub fn letter_number(&self) -> usize {
        self.history.now()
    }

    /// The step of the run that a letter belongs to, by the letter's number.
    pub(crate) fn step_of(&self, letter: usize) -> usize {
        self.history.step(letter)
    }

    /// The actions the hard laws alone allow now: SayCan's affordances.
    pub fn hard_allowed(&mut self) -> ActionSet {
        if !self.run.is_started() || self.end.is_some() {
            return ActionSet::EMPTY;
        }
        // A decision may have to ask for them anyway.
        if self.here.decision.is_none() {
            self.decide();
        }
        if let Some(allowed) = self.here.hard_allowed {
            return allowed;
        }
        let allowed = self.judge_for(Which::Hard).0.allowed;
        self.here.hard_allowed = Some(allowed);
        allowed
    }

    /// The verdict of every law on the run so far (since it was last [re-armed](crate::AfterBreak::Rearm)), in the order of [`Shield::laws`].
    pub fn verdicts(&mut self) -> Vec<Verdict> {
        (0..self.laws().len()).map(|law| self.joint.verdict(law, self.run.letter(), self.run.states())).collect()
    }

    /// The verdict of one law on the run so far (since it was last [re-armed](crate::AfterBreak::Rearm)); `None` if there is no law of this name.
    pub fn verdict(&mut self, law: &str) -> Option<Verdict> {
        let law = self.laws().iter().position(|other| &*other.id == law)?;
        Some(self.joint.verdict(law, self.run.letter(), self.run.states()))
    }

    /// The laws that would not hold if the run stopped here.
    pub fn obligations(&mut self) -> Vec<LawId> {
        // A law `G(phi_s -> X phi_a)` speaks of the next letter if there is one: it never owes anything.
        let mut watched = self.joint.laws.watched.clone();
        watched.sort_unstable();
        watched.retain(|&law| !self.joint.verdict(law, self.run.letter(), self.run.states()).accepts());
        self.joint.laws.ids(watched)
    }

    /// Counts and sizes, for benches and reports.
    pub fn stats(&self) -> ShieldStats {
        let mut stats = ShieldStats {
            unknowns: self.unknowns,
            spent: self.joint.budget.spent(),
            explored: self.joint.explored(),
            cache_bytes: self.joint.bytes() + self.run.bytes() + self.conflicts.bytes(),
            emptied: self.run.emptied(),
            ..ShieldStats::default()
        };
        if let Some(hard) = &self.hard {
            stats.emptied += hard.cache.emptied;
            stats.cache_bytes += hard.cache.bytes();
        }
        for search in [Some(&self.all), self.hard.as_ref().map(|hard| &hard.search)].into_iter().flatten() {
            stats.decided += search.stats.decided;
            stats.searches += search.stats.searches;
            stats.undecided += search.stats.undecided;
        }
        stats
    }

    /// The laws in force.
    pub fn laws(&self) -> &[Law] {
        self.joint.laws.laws()
    }

    /// The laws in force, compiled: for more shields over the same laws.
    pub fn compiled(&self) -> &Arc<CompiledLaws> {
        &self.joint.laws
    }

    /// The vocabulary the laws are over.
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        self.joint.vocabulary()
    }

    /// The letter the run is at; `None` before it started.
    pub fn letter(&self) -> Option<&Letter> {
        self.run.letter()
    }

    /// The observations an action leads to, where they are known: stopping changes none, for the rest a
    /// [prediction](Self::predict) must tell.
    pub fn predicted(&self, action: ActionId) -> Option<PropSet> {
        let vocabulary = self.vocabulary();
        let observations = self.letter()?.observations(vocabulary);
        if !vocabulary.has_action(action) {
            return None;
        }
        if vocabulary.stop() == Some(action) {
            return Some(observations);
        }
        let predicted = self.joint.predictions.of(action).filter(|prediction| prediction.open().is_empty());
        predicted.map(|prediction| prediction.must)
    }

    /// The number of times an action could not be decided within the bounds since the shield was made.
    pub fn unknowns(&self) -> u64 {
        self.unknowns
    }
}

/// The laws that a question is about.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Which {
    #[default]
    All,
    Hard,
    /// The hard laws and the soft ones that are not suspended.
    Kept,
}

impl HardLaws {
    /// The joint state of the hard laws.
    fn node(&mut self, now: Now<'_>) -> NodeNumber {
        let states: Vec<_> = self.search.laws().iter().map(|&law| now.states[law]).collect();
        self.cache.intern(now.letter.0.intersection(self.search.relevant()), &states)
    }
}

/// The parts of a shield that depend on which laws there are: the watched laws are in these states after this letter.
fn parts(
    joint: &Joint,
    states: Vec<crate::dfa_table::StateRef>,
    letter: Option<Letter>,
) -> (Run, Search, Option<Box<HardLaws>>) {
    let bytes = joint.laws.options().cache_bytes / 2;
    let relevant = relevant(joint, 0..states.len());
    let hard = joint.laws.hard.clone().map(|group| {
        let cache = DecisionCache::new(group.watched.len(), bytes);
        Box::new(HardLaws { search: Search::new(joint, group), cache })
    });
    let run = Run::new(letter, states, relevant, bytes);
    (run, Search::new(joint, joint.laws.all.clone()), hard)
}

impl fmt::Debug for Shield {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shield")
            .field("laws", &self.joint.laws)
            .field("letter", &self.run.letter())
            .field("decision", &self.here.decision)
            .field("stats", &self.stats())
            .finish_non_exhaustive()
    }
}

#[inline]
fn action_of(letter: &Letter, vocabulary: &Vocabulary) -> Option<ActionId> {
    let first = vocabulary.observations().len();
    let mut word = first / 64;
    let mut bits = letter.0.0.get(word)? & (u64::MAX << (first % 64));
    while bits == 0 {
        word += 1;
        bits = *letter.0.0.get(word)?;
    }
    Some(ActionId((word * 64 + bits.trailing_zeros() as usize - first) as u16))
}

/// Shields and compiled laws go from thread to thread.
const _: () = {
    const fn is_send_and_sync<T: Send + Sync + fmt::Debug>() {}
    is_send_and_sync::<Shield>();
    is_send_and_sync::<CompiledLaws>();
    is_send_and_sync::<crate::Monitor>();
};

#[cfg(test)]
mod tests;
