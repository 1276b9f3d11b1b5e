//! The shield: which actions all the laws together leave, before any of them runs.

use std::sync::Arc;

use thiserror::Error;

use crate::actions::ActionSet;
use crate::axioms::Axioms;
use crate::decision_cache::DecisionCache;
use crate::joint::{Joint, Possible, Watch};
use crate::law::Law;
use crate::letter::{Letter, PropSet};
use crate::masks;
use crate::monitor::{hint, nearest};
use crate::nnf::accepts_empty;
use crate::transitions::Transitions;
use crate::verdict::Verdict;
use crate::vocabulary::{ActionId, Vocabulary};

/// Bounds of a shield. All are counts, not times: the same run gives the same decisions everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShieldOptions {
    /// What judging all actions of one state may cost before the undecided ones are *unknown*, in units of work: one
    /// expansion of a search or whatever takes as long, 40 ns on the machine of [`performance`](crate::performance). An
    /// over-constrained state is judged twice, by all laws and by the hard ones, so a decision costs at most twice that.
    pub work: u64,
    /// What finding a minimal conflict or blocking set may cost. Naming a conflict counts towards the decision.
    pub explanation_work: u64,
    /// Bytes the caches may hold.
    pub cache_bytes: usize,
}

impl Default for ShieldOptions {
    fn default() -> Self {
        Self { work: 100_000, explanation_work: 50_000, cache_bytes: 24 << 20 }
    }
}

/// Why a shield could not be made.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ShieldError {
    /// A law mentions a proposition that the vocabulary does not have.
    #[error("law `{law}` mentions `{name}`, which is not in the vocabulary `{vocabulary}`{}", hint(.suggestion))]
    UnknownProposition {
        /// The law's name.
        law: String,
        /// The unknown proposition.
        name: String,
        /// The vocabulary's name.
        vocabulary: String,
        /// The nearest name the vocabulary has, if one is near.
        suggestion: Option<String>,
    },
    /// Two laws of one name.
    #[error("two laws are called `{law}`; give each its own name")]
    DuplicateLaw {
        /// The repeated name.
        law: String,
    },
    /// A law that cannot be watched.
    #[error(
        "law `{law}` is too intricate to be watched: what it demands after one letter exceeds the bounds; split it"
    )]
    TooIntricate {
        /// The law's name.
        law: String,
    },
    /// Nothing to shield.
    #[error("the vocabulary `{vocabulary}` has no actions, so there is nothing to shield; judge words with a monitor")]
    NoActions {
        /// The vocabulary's name.
        vocabulary: String,
    },
    /// The axioms contradict each other.
    #[error("the axioms of the vocabulary `{vocabulary}` contradict each other: no state satisfies them all")]
    ContradictoryAxioms {
        /// The vocabulary's name.
        vocabulary: String,
    },
}

/// Which laws are in force in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Enforcement {
    /// All of them.
    All,
    /// The hard ones: all of them together leave no action but stopping.
    HardOnly {
        /// A minimal set of laws, as positions in [`Shield::laws`], that leaves none. Empty if that could not be proved
        /// within the bounds (some actions were *unknown*).
        conflict: Vec<usize>,
    },
    /// Not even the hard laws alone leave an action: the run must end safely.
    Nothing {
        /// A minimal set of hard laws that leaves none. Empty if that could not be proved within the bounds.
        conflict: Vec<usize>,
    },
}

/// What may be done in a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The actions allowed by the laws in force.
    pub allowed: ActionSet,
    /// The laws in force.
    pub force: Enforcement,
}

/// The shield's word on one action.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Some continuation satisfies every law in force.
    Allowed,
    /// None does.
    Blocked {
        /// A minimal set of laws, as positions in [`Shield::laws`], that together leave no continuation.
        laws: Vec<usize>,
    },
    /// It could not be decided; the action must not run.
    Unknown {
        /// Why, for people.
        why: &'static str,
    },
}

/// A law that what really happened has broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The law, as a position in [`Shield::laws`].
    pub law: usize,
}

/// Counts and sizes of a shield.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShieldStats {
    /// Joint states that were decided because no cache had them.
    pub decided: u64,
    /// Actions that needed a search for a continuation.
    pub searches: u64,
    /// How often a cache was full and started afresh.
    pub emptied: u64,
    /// Actions that could not be decided within the bounds, each time they came up in a decision.
    pub unknowns: u64,
    /// Actions of joint states that could not be decided within the bounds, each counted once.
    pub undecided: u64,
    /// All work so far, in units: see [`ShieldOptions::work`].
    pub work: u64,
    /// Bytes that the automata and caches hold.
    pub cache_bytes: usize,
}

/// Cells of the laws' transition tables beyond which they start afresh (four bytes each).
const MOST_CELLS: usize = 1 << 20;

const NOT_STARTED: &str = "the run has not started: no letter was read";
const OUT_OF_WORK: &str = "the search for a continuation exceeded its bounds";

/// Laws, enforced jointly along one run.
///
/// Judging laws one by one is not enough. `G(a -> F b)` allows `a`, and `G !b` has nothing against `a` either; yet after
/// `a` the first law owes a `b` that the second forbids. So the shield asks whether *one* continuation satisfies them all:
///
/// ```
/// use std::sync::Arc;
/// use ltlcrit_verifier::{Formula, Judgement, Law, Proposition, PropSet, Shield, ShieldOptions, Vocabulary};
///
/// let named = |name: &'static str| Proposition::new(name, "");
/// let vocabulary = Arc::new(Vocabulary::new("doors", vec![named("obs_dark")], vec![named("action_open"), named("action_close")], vec![])?);
/// let (open, close) = (Formula::atom("action_open"), Formula::atom("action_close"));
/// let laws = vec![
///     Law::hard("close-behind-you", open.implies(close.clone().finally()).globally(), "Close what you open."),
///     Law::hard("never-close", close.not().globally(), "The handle is broken."),
/// ];
/// let mut shield = Shield::new(vocabulary.clone(), laws, ShieldOptions::default())?;
/// shield.start(PropSet::EMPTY);
/// let decision = shield.decide();
/// assert_eq!(decision.allowed.names(&vocabulary), ["action_stop"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Shield {
    laws: Vec<Law>,
    options: ShieldOptions,
    joint: Joint,
    all: DecisionCache,
    /// The hard laws alone; `None` if all laws are hard.
    hard: Option<Box<DecisionCache>>,
    /// The actions the masks of all laws allow after the current letter.
    masked: ActionSet,
    started: bool,
    decision: Option<Decision>,
    /// Actions that could not be decided in this state, under the laws in force.
    undecided: ActionSet,
    hard_allowed: Option<ActionSet>,
    unknowns: u64,
}

impl Shield {
    /// A shield before the first letter.
    ///
    /// # Errors
    /// A law over unknown propositions or too intricate to be watched, two laws of one name, a vocabulary without actions or
    /// with contradictory axioms.
    pub fn new(vocabulary: Arc<Vocabulary>, laws: Vec<Law>, options: ShieldOptions) -> Result<Self, ShieldError> {
        let name = || vocabulary.name().to_owned();
        if vocabulary.actions().is_empty() {
            return Err(ShieldError::NoActions { vocabulary: name() });
        }
        if Axioms::new(&vocabulary).complete(&[], &Letter::default()).is_none() {
            return Err(ShieldError::ContradictoryAxioms { vocabulary: name() });
        }
        let joint = Joint::new(vocabulary);
        let all = DecisionCache::new(&joint, joint.group([]), 0);
        let mut shield = Self {
            laws: Vec::new(),
            options,
            joint,
            all,
            hard: None,
            masked: ActionSet::EMPTY,
            started: false,
            decision: None,
            undecided: ActionSet::EMPTY,
            hard_allowed: None,
            unknowns: 0,
        };
        shield.replace_laws(laws)?;
        Ok(shield)
    }

    /// Judges continuations by what this model says an action leads to, instead of assuming any observation possible.
    #[must_use]
    pub fn with_transitions(mut self, model: Arc<dyn Transitions>) -> Self {
        self.joint.follow(model);
        self.regroup();
        self
    }

    /// Puts other laws in force from the current letter on. A law with the same name and formula as before keeps its
    /// monitor; a new one begins with the current letter, as if the run began there.
    ///
    /// # Errors
    /// As [`Shield::new`]; then the laws stay as they were.
    pub fn replace_laws(&mut self, laws: Vec<Law>) -> Result<Vec<Violation>, ShieldError> {
        let vocabulary = self.joint.vocabulary.clone();
        let mut names = std::collections::HashSet::with_capacity(laws.len());
        for law in &laws {
            if !names.insert(law.id.clone()) {
                return Err(ShieldError::DuplicateLaw { law: law.id.to_string() });
            }
        }
        let mut nodes = Vec::with_capacity(laws.len());
        for law in &laws {
            let node = self.joint.arena.add(&law.formula, &vocabulary);
            nodes.push(node.map_err(|name| ShieldError::UnknownProposition {
                law: law.id.to_string(),
                vocabulary: vocabulary.name().to_owned(),
                suggestion: nearest(&name, &vocabulary),
                name,
            })?);
        }
        for (law, node) in laws.iter().zip(&nodes) {
            if !self.joint.can_watch(*node, accepts_empty(&law.formula)) {
                return Err(ShieldError::TooIntricate { law: law.id.to_string() });
            }
        }
        self.all.catch_up(&mut self.joint);
        self.joint.settle();
        let mut old: std::collections::HashMap<_, _> = std::mem::take(&mut self.laws)
            .into_iter()
            .zip(std::mem::take(&mut self.joint.watches))
            .map(|(law, watch)| ((law.id, law.formula), watch))
            .collect();
        let mut fresh = Vec::new();
        for (position, (law, node)) in laws.iter().zip(nodes).enumerate() {
            let known = if old.is_empty() { None } else { old.remove(&(law.id.clone(), law.formula.clone())) };
            let watch = match known {
                Some(watch) => watch,
                None => {
                    fresh.push(position);
                    Watch::new(node, accepts_empty(&law.formula), masks::rows(&law.formula, &vocabulary))
                }
            };
            self.joint.watches.push(watch);
        }
        self.laws = laws;
        self.joint.lay_out();
        self.regroup();
        Ok(if self.started {
            self.read(&self.joint.now.clone(), |law| fresh.binary_search(&law).is_ok())
        } else {
            Vec::new()
        })
    }

    /// Makes the deciders for the laws in force.
    fn regroup(&mut self) {
        self.all.catch_up(&mut self.joint);
        let bytes = self.options.cache_bytes / 2;
        let hard: Vec<usize> = (0..self.laws.len()).filter(|&law| self.laws[law].is_hard()).collect();
        self.hard = (hard.len() < self.laws.len())
            .then(|| Box::new(DecisionCache::new(&self.joint, self.joint.group(hard), bytes)));
        self.all = DecisionCache::new(&self.joint, self.joint.group(0..self.laws.len()), bytes);
        self.changed();
    }

    /// Begins a run: letter 0, with the observations that hold and no action.
    pub fn start(&mut self, observations: PropSet) -> Vec<Violation> {
        self.joint.restart();
        self.all.leave();
        self.started = true;
        self.joint.now = Letter::initial(observations);
        let violations = self.read_all(&self.joint.now.clone());
        self.all.prepare(&mut self.joint);
        self.changed();
        violations
    }

    /// Reads what really happened. A law that it breaks is reported and re-armed: its monitor starts afresh, as if the
    /// run began at this letter, or at the next one if this letter alone breaks it.
    #[inline]
    pub fn advance(&mut self, letter: Letter) -> Vec<Violation> {
        let mut violations = Vec::new();
        if !self.all.group.masks.is_empty() {
            self.read_masks(&letter, &mut violations);
        }
        self.joint.now = letter;
        if self.all.follow(&letter) {
            self.joint.fall_behind();
        } else {
            self.read_anew(&letter, &mut violations);
        }
        self.started = true;
        self.changed();
        violations
    }

    /// The laws `G(phi_s -> X phi_a)` read a letter.
    fn read_masks(&mut self, letter: &Letter, violations: &mut Vec<Violation>) {
        if self.started
            && let Some(action) = action_of(letter, &self.joint.vocabulary)
            && !self.masked.contains(action)
        {
            violations.extend(self.all.group.masks.culprits(&self.joint.now, action).map(|law| Violation { law }));
            violations.sort_unstable_by_key(|violation| violation.law);
            violations.dedup();
        }
    }

    /// The other laws read a letter that no cache knows.
    fn read_anew(&mut self, letter: &Letter, violations: &mut Vec<Violation>) {
        self.all.catch_up(&mut self.joint);
        let more = self.read_all(letter);
        self.all.arrive(&self.joint, letter, violations.is_empty() && more.is_empty());
        violations.extend(more);
        violations.sort_unstable_by_key(|violation| violation.law);
    }

    /// Some of the watched laws read one letter; those it breaks.
    fn read(&mut self, letter: &Letter, which: impl Fn(usize) -> bool) -> Vec<Violation> {
        let mut violations = Vec::new();
        for position in 0..self.joint.flat_laws.len() {
            let law = self.joint.flat_laws[position];
            if which(law) && self.joint.read(position, letter) {
                violations.push(Violation { law });
            }
        }
        self.read_wide(letter, which, &mut violations);
        violations
    }

    /// All watched laws read one letter; those it breaks.
    fn read_all(&mut self, letter: &Letter) -> Vec<Violation> {
        let mut violations = Vec::new();
        self.joint.read_all(letter, |law| violations.push(Violation { law }));
        self.read_wide(letter, |_| true, &mut violations);
        violations
    }

    /// The laws too wide for the flat table read one letter; then memory is bounded.
    fn read_wide(&mut self, letter: &Letter, which: impl Fn(usize) -> bool, violations: &mut Vec<Violation>) {
        for position in 0..self.joint.wide.len() {
            let law = self.joint.wide[position];
            if which(law) && self.joint.read_wide(law, letter) {
                violations.push(Violation { law });
            }
        }
        if self.joint.flat.len() > MOST_CELLS {
            self.joint.forget();
            self.all.clear();
            if let Some(hard) = &mut self.hard {
                hard.clear();
            }
        }
    }

    /// Another letter, or other laws: nothing is decided yet.
    #[inline]
    fn changed(&mut self) {
        self.decision = None;
        self.hard_allowed = None;
        if self.started {
            self.masked = self.all.group.masks.allowed(&self.joint.now);
        }
        if let Some(hard) = &mut self.hard {
            hard.leave();
        }
    }

    /// What may be done now. Decided once per letter.
    pub fn decide(&mut self) -> Decision {
        if let Some(decision) = &self.decision {
            return decision.clone();
        }
        if !self.started {
            return Decision { allowed: ActionSet::EMPTY, force: Enforcement::Nothing { conflict: Vec::new() } };
        }
        // As much for the hard laws as for all of them, and for naming conflicts what is left of it.
        let before = self.joint.arena.budget.limit(self.options.work.saturating_mul(2));
        let (allowed, undecided) = self.decide_all();
        self.unknowns += undecided.len() as u64;
        let decision = if self.leaves_none(&allowed) {
            self.set_aside(undecided)
        } else {
            self.undecided = undecided;
            Decision { allowed, force: Enforcement::All }
        };
        self.joint.arena.budget.restore(before);
        self.decision = Some(decision.clone());
        decision
    }

    /// The actions that all laws together allow, and those they leave undecided.
    #[inline]
    fn decide_all(&mut self) -> (ActionSet, ActionSet) {
        if let Some(known) = self.all.known(&self.masked) {
            return known;
        }
        self.decide_anew();
        self.all.known(&self.masked).unwrap_or((ActionSet::EMPTY, self.masked))
    }

    fn decide_anew(&mut self) {
        self.all.catch_up(&mut self.joint);
        let before = self.joint.arena.budget.limit(self.options.work);
        self.all.decide(&mut self.joint, &self.masked);
        self.joint.arena.budget.restore(before);
    }

    /// Whether a set of allowed actions has nothing but stopping.
    fn leaves_none(&self, allowed: &ActionSet) -> bool {
        let stop: ActionSet = self.joint.vocabulary.stop().into_iter().collect();
        allowed.is_subset(&stop)
    }

    /// All laws together leave nothing: the hard ones decide.
    #[cold]
    fn set_aside(&mut self, undecided: ActionSet) -> Decision {
        // What is in force matters more than why: it is decided first.
        let (allowed, still_undecided) = match self.hard {
            Some(_) => self.decide_hard(),
            None => self.decide_all(),
        };
        let conflict = self.conflict(false, &undecided);
        self.undecided = still_undecided;
        let undecided = still_undecided;
        let force = if self.leaves_none(&allowed) {
            let conflict = if self.hard.is_some() { self.conflict(true, &undecided) } else { conflict };
            Enforcement::Nothing { conflict }
        } else {
            Enforcement::HardOnly { conflict }
        };
        Decision { allowed, force }
    }

    /// The actions the hard laws alone allow, and those they leave undecided. There are soft laws too.
    fn decide_hard(&mut self) -> (ActionSet, ActionSet) {
        self.all.catch_up(&mut self.joint);
        let Some(hard) = &mut self.hard else { return (ActionSet::EMPTY, ActionSet::EMPTY) };
        let masked = hard.group.masks.allowed(&self.joint.now);
        let before = self.joint.arena.budget.limit(self.options.work);
        hard.decide(&mut self.joint, &masked);
        self.joint.arena.budget.restore(before);
        let (allowed, undecided) = hard.known(&masked).unwrap_or((ActionSet::EMPTY, masked));
        self.unknowns += undecided.len() as u64;
        self.hard_allowed = Some(allowed);
        (allowed, undecided)
    }

    /// The actions that all laws together leave, hard and soft, even in an over-constrained state, where
    /// [`Shield::decide`] sets the soft ones aside. What could not be decided is not among them.
    #[inline]
    pub fn allowed_by_all(&mut self) -> ActionSet {
        match &self.decision {
            Some(Decision { allowed, force: Enforcement::All }) => *allowed,
            _ => self.decide_all().0,
        }
    }

    /// A minimal set of laws that leaves no action but stopping; empty if that cannot be proved within the bounds.
    fn conflict(&mut self, hard_only: bool, undecided: &ActionSet) -> Vec<usize> {
        if !self.leaves_none(undecided) {
            return Vec::new();
        }
        let group = match &self.hard {
            Some(hard) if hard_only => &hard.group,
            _ => &self.all.group,
        };
        let stop = self.joint.vocabulary.stop();
        if group.general.is_empty() {
            return group.masks.conflict(&self.joint.now, stop.into_iter().collect());
        }
        self.explaining(|shield| {
            let mut cores = Vec::new();
            for action in shield.joint.vocabulary.clone().action_ids().filter(|action| Some(*action) != stop) {
                match shield.blockers(hard_only, action) {
                    Some(core) => cores.extend(core),
                    None => return Vec::new(),
                }
            }
            cores.sort_unstable();
            cores.dedup();
            shield.joint.minimal_conflict(cores)
        })
    }

    /// Does something that may cost as much as an explanation may.
    fn explaining<R>(&mut self, explain: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.joint.arena.budget.limit(self.options.explanation_work);
        let result = explain(self);
        self.joint.arena.budget.restore(before);
        result
    }

    /// Laws that together block an action, not a minimal set; `None` if that cannot be proved within the bounds.
    fn blockers(&mut self, hard_only: bool, action: ActionId) -> Option<Vec<usize>> {
        self.all.catch_up(&mut self.joint);
        let decider = match &mut self.hard {
            Some(hard) if hard_only => hard,
            _ => &mut self.all,
        };
        if decider.group.masks.allowed(&self.joint.now).contains(action)
            && let Some(mut core) = decider.core(&mut self.joint, action)
        {
            core.sort_unstable();
            if decider.group.masks.is_empty() {
                return Some(core);
            }
            // The search kept to the masks all along: without them the core may not be enough.
            let group = self.joint.group(core.iter().copied());
            if !matches!(self.joint.possible(&group, action), Possible::No(_)) {
                core.extend(decider.group.masks.laws());
                core.sort_unstable();
                core.dedup();
            }
            return Some(core);
        }
        match self.joint.possible(&decider.group, action) {
            Possible::No(mut core) => {
                core.sort_unstable();
                Some(core)
            }
            Possible::Yes | Possible::Unknown => None,
        }
    }

    /// Whether an action may run now, by the laws in force.
    pub fn judge(&mut self, action: ActionId) -> Judgement {
        if !self.started {
            return Judgement::Unknown { why: NOT_STARTED };
        }
        let hard_only = match &self.decision {
            Some(decision) if decision.allowed.contains(action) => return Judgement::Allowed,
            Some(decision) => decision.force != Enforcement::All,
            None => {
                let decision = self.decide();
                if decision.allowed.contains(action) {
                    return Judgement::Allowed;
                }
                decision.force != Enforcement::All
            }
        };
        if usize::from(action.0) >= self.joint.vocabulary.actions().len() {
            return Judgement::Unknown { why: "the vocabulary has no such action" };
        }
        if self.undecided.contains(action) {
            return Judgement::Unknown { why: OUT_OF_WORK };
        }
        let laws = self.explaining(|shield| {
            let core = shield.blockers(hard_only, action)?;
            Some(shield.joint.minimal_block(core, action))
        });
        laws.map_or(Judgement::Unknown { why: OUT_OF_WORK }, |laws| Judgement::Blocked { laws })
    }

    /// The actions the hard laws alone allow now: SayCan's affordances.
    pub fn hard_allowed(&mut self) -> ActionSet {
        if !self.started {
            return ActionSet::EMPTY;
        }
        if let Some(allowed) = self.hard_allowed {
            return allowed;
        }
        if self.hard.is_some() {
            return self.decide_hard().0;
        }
        let (allowed, undecided) = self.decide_all();
        self.unknowns += undecided.len() as u64;
        self.hard_allowed = Some(allowed);
        allowed
    }

    /// The verdict of every law on the run so far (since it was last re-armed).
    pub fn verdicts(&mut self) -> Vec<Verdict> {
        (0..self.laws.len()).map(|law| self.verdict(law)).collect()
    }

    /// The verdict of one law on the run so far (since it was last re-armed).
    pub fn verdict(&mut self, law: usize) -> Verdict {
        self.all.catch_up(&mut self.joint);
        self.joint.settle();
        self.joint.verdict(law)
    }

    /// The laws that would not hold if the run stopped here, as positions in [`Shield::laws`].
    pub fn owed(&mut self) -> Vec<usize> {
        // A law `G(phi_s -> X phi_a)` speaks of the next letter if there is one: it never owes anything.
        let watched: Vec<usize> = (0..self.laws.len()).filter(|&law| self.joint.watches[law].rows.is_none()).collect();
        watched.into_iter().filter(|&law| !self.verdict(law).accepts()).collect()
    }

    /// Counts and sizes, for benches and reports.
    pub fn stats(&self) -> ShieldStats {
        let deciders = [Some(&self.all), self.hard.as_deref()];
        let mut stats = ShieldStats {
            unknowns: self.unknowns,
            work: self.joint.arena.budget.spent(),
            cache_bytes: self.joint.bytes(),
            ..ShieldStats::default()
        };
        for decider in deciders.into_iter().flatten() {
            let counts = decider.stats();
            stats.decided += counts.decided;
            stats.searches += counts.searches;
            stats.undecided += counts.undecided;
            stats.emptied += counts.emptied;
            stats.cache_bytes += decider.bytes();
        }
        stats
    }

    /// The laws in force.
    pub fn laws(&self) -> &[Law] {
        &self.laws
    }

    /// The vocabulary the laws are over.
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.joint.vocabulary
    }

    /// The letter the run is at; `None` before it started.
    pub fn letter(&self) -> Option<&Letter> {
        self.started.then_some(&self.joint.now)
    }

    /// The observations an action leads to, where they are known: stopping changes none, for the rest the transition model
    /// must tell.
    pub fn predicted(&self, action: ActionId) -> Option<PropSet> {
        let observations = self.letter()?.observations(&self.joint.vocabulary);
        if Some(action) == self.joint.vocabulary.stop() {
            return Some(observations);
        }
        self.joint.transitions.as_ref()?.next(&observations, action)
    }

    /// How many actions could not be decided within the bounds since the shield was made, each time counted.
    pub fn unknowns(&self) -> u64 {
        self.unknowns
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

#[cfg(test)]
mod tests;
