//! The caches that shields over the same laws share, and the questions about a run that they answer.
//!
//! A run's state is small and names states of laws as the automata here do. Knowledge saves time and never changes an
//! answer, so the order in which runs ask does not matter.

mod decide;
mod lift;
mod robust;

use std::sync::Arc;

pub use lift::Lift;

use crate::actions::ActionSet;
use crate::automaton::INITIAL;
use crate::causes::{self, Causes};
use crate::decision_cache::{DecisionCache, NodeNumber};
use crate::dfa_table::StateRef;
use crate::joint::Joint;
use crate::judgement::{Decision, Enforcement, Judgement, Undecided};
use crate::known_by_state::{Conflict, KnownByState};
use crate::law::{Law, LawId};
use crate::law_set::{Group, LawSet};
use crate::letter::{Letter, PropSet};
use crate::residual::Residual;
use crate::run::{Now, Run, Which};
use crate::search::Search;
use crate::verdict::Verdict;
use crate::vocabulary::{ActionId, Vocabulary};
use crate::word::{self, RunFault};

/// Counts and sizes. But for the unknowns of the shield itself, they are those of the caches that it shares with other
/// shields over the same laws.
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
    /// Units of work that questions were charged so far: see [`ShieldOptions::budget`](crate::ShieldOptions::budget). They
    /// are the same whatever was explored before.
    pub spent: u64,
    /// Units of work so far that explored laws: it is done once.
    pub explored: u64,
    /// Bytes that the automata and caches hold.
    pub cache_bytes: usize,
}

/// Everything that was found out about compiled laws, and the runs that use it.
pub(crate) struct Engine {
    pub joint: Joint,
    pub deciding: BothDeciding,
    conflicts: KnownByState<(), Conflict>,
    /// Blocks of actions by all laws or the hard ones.
    blocks: KnownByState<(Which, ActionId), Judgement>,
    /// Stopping, as a set.
    stop: ActionSet,
    /// The states before the letter read last.
    before: Vec<StateRef>,
    /// The run that is asked about.
    pub run: Run,
    /// Its number; `usize::MAX` before the first.
    entered: usize,
    /// The other runs by number; an empty one in its place.
    others: Vec<Run>,
    /// The numbers of runs that are over.
    free: Vec<usize>,
}

/// The laws that decide: all of them or the hard ones.
pub(crate) struct Deciding {
    pub search: Search,
    /// The joint states met, and the decisions in them.
    cache: DecisionCache,
}

impl Deciding {
    fn new(joint: &Joint, group: Arc<Group>) -> Self {
        let cache = DecisionCache::new(group.watched.len(), joint.laws.options().cache_bytes / 2);
        Self { search: Search::new(joint, group), cache }
    }

    /// The joint state of the laws.
    fn node(&mut self, now: Now<'_>) -> NodeNumber {
        let states: Vec<_> = self.search.laws().iter().map(|&law| now.states[law]).collect();
        self.cache.intern(now.letter.0.intersection(self.search.relevant()), &states)
    }

    fn clear(&mut self) {
        self.search.clear();
        self.cache.clear();
    }
}

/// All laws, and the hard ones alone, for over-constrained states.
pub(crate) struct BothDeciding {
    pub all: Deciding,
    /// `None` if all laws are hard.
    hard: Option<Box<Deciding>>,
}

impl BothDeciding {
    /// The one that decides.
    fn of(&mut self, which: Which) -> &mut Deciding {
        match (&mut self.hard, which) {
            (Some(hard), Which::Hard) => hard,
            _ => &mut self.all,
        }
    }

    fn each(&mut self) -> impl Iterator<Item = &mut Deciding> {
        std::iter::once(&mut self.all).chain(self.hard.as_deref_mut())
    }
}

impl Engine {
    pub fn new(laws: Arc<LawSet>) -> Self {
        let joint = Joint::new(laws);
        let hard = joint.laws.hard.clone().map(|group| Box::new(Deciding::new(&joint, group)));
        Self {
            deciding: BothDeciding { all: Deciding::new(&joint, joint.laws.all.clone()), hard },
            conflicts: KnownByState::new(),
            blocks: KnownByState::new(),
            stop: joint.vocabulary().stop().into_iter().collect(),
            before: Vec::new(),
            run: Run::default(),
            entered: usize::MAX,
            others: Vec::new(),
            free: Vec::new(),
            joint,
        }
    }

    /// Makes place for another run; its number.
    pub fn admit(&mut self, mut run: Run) -> usize {
        if run.states.is_empty() {
            run.states.extend(self.joint.initial_states());
        }
        let free = self.free.pop().unwrap_or(self.others.len());
        if free == self.others.len() {
            self.others.push(run);
        } else {
            self.others[free] = run;
        }
        free
    }

    /// Takes a run out, which is not asked about any more.
    pub fn dismiss(&mut self, run: usize) -> Run {
        self.leave();
        self.free.push(run);
        std::mem::take(&mut self.others[run])
    }

    /// Asks about a run from now on.
    #[inline]
    pub fn enter(&mut self, run: usize) {
        if self.entered != run {
            self.leave();
            std::mem::swap(&mut self.run, &mut self.others[run]);
            std::mem::swap(&mut self.joint.predictions, &mut self.run.predictions);
            self.entered = run;
        }
    }

    /// Puts the run that was entered back in its place.
    fn leave(&mut self) {
        if let Some(place) = self.others.get_mut(self.entered) {
            std::mem::swap(&mut self.joint.predictions, &mut self.run.predictions);
            std::mem::swap(&mut self.run, place);
            self.entered = usize::MAX;
        }
    }

    /// The residuals of all watched laws in the run that is asked about; `None` for one that is lost.
    pub fn residuals(&mut self) -> Vec<Option<Residual>> {
        self.joint.residuals(&self.run.states)
    }

    /// Takes over a run under other laws, which were left with these residuals. A law with the same name and formula keeps
    /// its monitor; a new one begins with the current letter. Gives the laws that the current letter breaks.
    pub fn take_over(&mut self, old: &LawSet, residuals: &[Option<Residual>]) -> Vec<LawId> {
        let laws = self.joint.laws.clone();
        let known: std::collections::HashMap<_, _> =
            old.laws().iter().enumerate().map(|(at, law)| ((&law.id, &law.formula), at)).collect();
        let from: Vec<Option<usize>> = laws
            .watched
            .iter()
            .map(|&law| &laws.laws()[law])
            .map(|law| known.get(&(&law.id, &law.formula)).and_then(|&law| old.position(law)))
            .collect();
        self.run.history.replace(from.iter().copied());
        let letter = self.run.letter().copied();
        let (mut states, mut violations) = (Vec::with_capacity(from.len()), Vec::new());
        for (position, from) in from.into_iter().enumerate() {
            states.push(match from {
                Some(old) => self.joint.named(position, residuals[old].clone()),
                None => {
                    let mut state = self.joint.name(position, INITIAL);
                    if letter.is_some_and(|letter| self.joint.read(position, &mut state, &letter)) {
                        violations.push(laws.watched[position]);
                    }
                    state
                }
            });
        }
        (self.run.states, self.run.node) = (states, None);
        self.bound_memory();
        self.arrived();
        violations.sort_unstable();
        laws.ids(violations)
    }

    pub fn start(&mut self, observations: PropSet) -> Result<Vec<LawId>, RunFault> {
        let letter = word::first_letter(self.vocabulary(), &observations)?;
        self.run.end = None;
        let mut violations = Vec::new();
        self.joint.predictions.ways.clear();
        let joint = &mut self.joint;
        self.run.history.start(letter);
        let states = &mut self.run.states;
        states.clear();
        states.extend(joint.initial_states());
        joint.read_all(states, &letter, |law| violations.push(law));
        self.run.arrive(letter);
        self.bound_memory();
        self.arrived();
        Ok(self.named(violations))
    }

    #[inline]
    pub fn step(&mut self, action: ActionId, observations: PropSet) -> Result<Vec<LawId>, RunFault> {
        let letter = self.next_letter(action, &observations)?;
        let violations = self.read_next(letter);
        if self.vocabulary().stop() != Some(action) {
            return Ok(violations);
        }
        let violations = self.stopped(violations);
        self.run.end = Some(violations.clone());
        Ok(violations)
    }

    pub fn go_through(&mut self, action: ActionId, observations: PropSet) -> Result<Vec<LawId>, RunFault> {
        if self.vocabulary().stop() == Some(action) {
            return Err(RunFault::AfterEnd { letter: self.run.history.now() + 1 });
        }
        let letter = self.next_letter(action, &observations)?;
        let violations = self.read_next(letter);
        self.run.history.passes();
        Ok(violations)
    }

    pub fn finish(&mut self) -> Result<Vec<LawId>, RunFault> {
        if !self.run.is_started() {
            return Err(RunFault::NotStarted);
        }
        let owed = match &self.run.end {
            Some(owed) => owed.clone(),
            None => self.obligations(),
        };
        self.arrived();
        self.run.end = Some(owed.clone());
        Ok(owed)
    }

    /// The letter after a step, if a run may take it.
    #[inline]
    fn next_letter(&self, action: ActionId, observations: &PropSet) -> Result<Letter, RunFault> {
        let vocabulary = self.vocabulary();
        let (Some(before), number) = (self.run.letter(), self.run.history.now() + 1) else {
            return Err(RunFault::NotStarted);
        };
        if self.run.end.is_some() {
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
        if !self.deciding.all.search.group.masks.is_empty() {
            self.check_masks(&letter, &mut violations);
        }
        self.run.history.push(letter);
        self.joint.predictions.ways.clear();
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
            && let Some(action) = letter.action(self.joint.vocabulary())
            && !self.run.here.masked.contains(action)
        {
            violations.extend(self.deciding.all.search.group.masks.culprits(before, action));
        }
    }

    /// The watched laws read a letter.
    fn read(&mut self, letter: &Letter, violations: &mut Vec<usize>) {
        let (joint, run) = (&mut self.joint, &mut self.run);
        self.before.clone_from(&run.states);
        joint.read_all(&mut run.states, letter, |law| violations.push(law));
        run.arrive(*letter);
        for &law in violations.iter() {
            let Some(position) = joint.laws.position(law) else { continue };
            if joint.goes_on(law) {
                let states = [self.before[position], run.states[position]];
                run.history.keep(position, joint.begun(position, states, letter, run.history.now()));
            } else {
                run.history.begin(position);
            }
        }
    }

    /// Forgets what the automata have learned when it takes too much memory.
    fn bound_memory(&mut self) {
        if self.joint.is_crowded() {
            let run = std::iter::once(&mut self.run);
            self.joint.forget(run.chain(&mut self.others).map(|run| {
                run.node = None;
                &mut run.states
            }));
            self.conflicts.clear();
            self.blocks.clear();
            self.deciding.each().for_each(Deciding::clear);
        }
    }

    /// Another letter, or other laws: nothing is decided yet.
    #[inline]
    fn arrived(&mut self) {
        let here = &mut self.run.here;
        // The undecided actions are only asked for beside a decision.
        (here.decision, here.hard_allowed) = (None, None);
        here.robust.clear();
        self.joint.predictions.relaxed.clear();
        if let Some(letter) = self.run.letter() {
            self.run.here.masked = self.deciding.all.search.group.masks.allowed(letter);
        }
    }

    pub fn judge(&mut self, action: ActionId) -> Judgement {
        self.judge_by(action, false)
    }

    /// Judges an action by the laws enforced, or by the hard laws alone.
    pub fn judge_by(&mut self, action: ActionId, hard_laws: bool) -> Judgement {
        if self.run.end.is_some() {
            return Judgement::Ended;
        }
        if !self.run.is_started() {
            return Judgement::Undecided { why: Undecided::NotStarted };
        }
        if !self.vocabulary().has_action(action) {
            return Judgement::Undecided { why: Undecided::UnknownAction };
        }
        // The decision says which laws are relaxed, too.
        let (mut allowed, mut undecided) = match &self.run.here.decision {
            Some(decision) => (decision.allowed, decision.undecided),
            None => {
                let decision = self.decide();
                (decision.allowed, decision.undecided)
            }
        };
        let which = if hard_laws { Which::Hard } else { self.run.here.judged_by };
        if self.run.here.way == Some(action) {
            return self.judge_this_way(which, action);
        }
        if hard_laws {
            let judged = self.judge_for(which);
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
            && which == self.run.here.judged_by
            && let Some(Decision { enforcement: Enforcement::Nothing { conflict, minimal }, .. }) =
                &self.run.here.decision
        {
            return Judgement::Blocked { laws: conflict.clone(), minimal: *minimal };
        }
        let key = self.key().filter(|_| which != Which::Kept).map(|key| (key, (which, action)));
        let emptied = self.deciding.all.cache.emptied;
        if let Some(known) = key.and_then(|key| self.blocks.get(&key, emptied)) {
            return known.clone();
        }
        let (laws, minimal) = self.explaining(|engine| {
            let proof = engine.proof(which, action);
            let group = engine.group(which).clone();
            let Some(now) = engine.run.now() else { return (Vec::new(), true) };
            engine.joint.minimal_block(now, &group, proof, action)
        });
        let judgement = Judgement::Blocked { laws: self.joint.laws.ids(laws), minimal };
        if let Some(key) = key {
            self.blocks.keep(key, emptied, judgement.clone());
        }
        judgement
    }

    pub fn reasons(&mut self, action: ActionId, most: usize) -> (Vec<Vec<LawId>>, bool) {
        let Judgement::Blocked { .. } = self.judge(action) else { return (Vec::new(), true) };
        let (mut blocks, complete) = self.explaining(|engine| {
            let group = engine.group(engine.run.here.judged_by).clone();
            let Some(now) = engine.run.now() else { return (Vec::new(), true) };
            engine.joint.minimal_blocks(now, &group, action, most)
        });
        blocks.sort_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
        (blocks.into_iter().map(|laws| self.joint.laws.ids(laws)).collect(), complete)
    }

    /// The literals of the run that make these laws block an action; `None` before the first letter. Finding them may cost
    /// as much again as finding the laws.
    pub(crate) fn causes(&mut self, laws: &[LawId], action: ActionId) -> Option<Causes> {
        let numbers = laws.iter().filter_map(|id| self.laws().iter().position(|law| law.id == *id)).collect::<Vec<_>>();
        self.explaining(|engine| {
            let now = engine.run.now()?;
            Some(causes::find(&mut engine.joint, now, &engine.run.history, &numbers, action))
        })
    }

    pub fn letter_number(&self) -> usize {
        self.run.history.now()
    }

    /// The step of the run that a letter belongs to, by the letter's number.
    pub(crate) fn step_of(&self, letter: usize) -> usize {
        self.run.history.step(letter)
    }

    pub fn hard_allowed(&mut self) -> ActionSet {
        if !self.run.is_started() || self.run.end.is_some() {
            return ActionSet::EMPTY;
        }
        // A decision may have to ask for them anyway.
        if self.run.here.decision.is_none() {
            self.decide();
        }
        if let Some(allowed) = self.run.here.hard_allowed {
            return allowed;
        }
        let allowed = self.judge_for(Which::Hard).allowed;
        self.run.here.hard_allowed = Some(allowed);
        allowed
    }

    pub fn verdicts(&mut self) -> Vec<Verdict> {
        (0..self.laws().len()).map(|law| self.joint.verdict(law, self.run.letter(), &self.run.states)).collect()
    }

    pub fn verdict(&mut self, law: &str) -> Option<Verdict> {
        let law = self.laws().iter().position(|other| &*other.id == law)?;
        Some(self.joint.verdict(law, self.run.letter(), &self.run.states))
    }

    pub fn obligations(&mut self) -> Vec<LawId> {
        // A law `G(phi_s -> X phi_a)` speaks of the next letter if there is one: it never owes anything.
        let mut watched = self.joint.laws.watched.clone();
        watched.sort_unstable();
        watched.retain(|&law| !self.joint.verdict(law, self.run.letter(), &self.run.states).accepts());
        self.joint.laws.ids(watched)
    }

    pub fn stats(&self) -> ShieldStats {
        let mut stats = ShieldStats {
            unknowns: self.run.unknowns,
            spent: self.joint.budget.spent(),
            explored: self.joint.explored(),
            cache_bytes: self.joint.bytes() + self.conflicts.bytes() + self.blocks.bytes(),
            ..ShieldStats::default()
        };
        for Deciding { search, cache } in std::iter::once(&self.deciding.all).chain(self.deciding.hard.as_deref()) {
            stats.cache_bytes += cache.bytes();
            stats.emptied += cache.emptied;
            stats.decided += search.stats.decided;
            stats.searches += search.stats.searches;
            stats.undecided += search.stats.undecided;
        }
        stats
    }

    pub fn laws(&self) -> &[Law] {
        self.joint.laws.laws()
    }

    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        self.joint.vocabulary()
    }

    pub fn letter(&self) -> Option<&Letter> {
        self.run.letter()
    }

    pub fn predicted(&self, action: ActionId) -> Option<PropSet> {
        let vocabulary = self.vocabulary();
        let observations = self.letter()?.observations(vocabulary);
        if !vocabulary.has_action(action) {
            return None;
        }
        if vocabulary.stop() == Some(action) {
            return Some(observations);
        }
        let predicted = self.joint.predictions.then(action).filter(|prediction| prediction.open().is_empty());
        predicted.map(|prediction| prediction.must)
    }

    /// The joint state of the watched laws; `None` before the first letter and where no law is watched.
    #[inline]
    fn node(&mut self) -> Option<NodeNumber> {
        let (run, Deciding { search, cache }) = (&mut self.run, &mut self.deciding.all);
        if let Some((node, emptied)) = run.node
            && emptied == cache.emptied
        {
            return Some(node);
        }
        let observations = run.letter()?.0.intersection(search.relevant());
        if run.states.is_empty() {
            return None;
        }
        let node = cache.intern(observations, &run.states);
        run.node = Some((node, cache.emptied));
        Some(node)
    }
}
