//! The shield: which actions all the laws together leave, before any of them runs.

use std::sync::Arc;

use thiserror::Error;

use crate::actions::ActionSet;
use crate::automaton::INITIAL;
use crate::axioms::Axioms;
use crate::closure::accepts_empty;
use crate::joint::{Group, Joint, Possible, Watch};
use crate::law::Law;
use crate::letter::{Letter, PropSet};
use crate::masks;
use crate::monitor::{hint, nearest};
use crate::transitions::Transitions;
use crate::verdict::Verdict;
use crate::verdicts::Oracle;
use crate::vocabulary::{ActionId, Vocabulary};

/// Bounds of a shield. All are counts, not times: the same run gives the same decisions everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShieldOptions {
    /// What deciding one state may cost in units of search work (a solver's decision, a search's expansion) before the
    /// undecided actions are *unknown*.
    pub work: u64,
    /// What finding a minimal conflict or blocking set may cost per question.
    pub explanation_work: u64,
    /// Bytes the caches may hold.
    pub cache_bytes: usize,
}

impl Default for ShieldOptions {
    fn default() -> Self {
        Self { work: 20_000, explanation_work: 5_000, cache_bytes: 24 << 20 }
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
pub enum Force {
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
    pub force: Force,
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
    oracle: Oracle,
    all: Group,
    hard: Group,
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
    /// A law over unknown propositions, two laws of one name, a vocabulary without actions or with contradictory axioms.
    pub fn new(vocabulary: Arc<Vocabulary>, laws: Vec<Law>, options: ShieldOptions) -> Result<Self, ShieldError> {
        let name = || vocabulary.name().to_owned();
        if vocabulary.actions().is_empty() {
            return Err(ShieldError::NoActions { vocabulary: name() });
        }
        if Axioms::new(&vocabulary).complete(&[], &Letter::default()).is_none() {
            return Err(ShieldError::ContradictoryAxioms { vocabulary: name() });
        }
        let joint = Joint::new(vocabulary);
        let nothing = joint.group([]);
        let mut shield = Self {
            laws: Vec::new(),
            options,
            joint,
            oracle: Oracle::new(),
            all: nothing.clone(),
            hard: nothing,
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
        self.changed();
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
            let node = self.joint.closure.add(&law.formula, &vocabulary);
            nodes.push(node.map_err(|name| ShieldError::UnknownProposition {
                law: law.id.to_string(),
                vocabulary: vocabulary.name().to_owned(),
                suggestion: nearest(&name, &vocabulary),
                name,
            })?);
        }
        let mut old: std::collections::HashMap<_, _> = std::mem::take(&mut self.laws)
            .into_iter()
            .zip(std::mem::take(&mut self.joint.watches))
            .map(|(law, watch)| ((law.id, law.formula), watch))
            .collect();
        let mut new = Vec::new();
        for (position, (law, node)) in laws.iter().zip(nodes).enumerate() {
            let watch = old.remove(&(law.id.clone(), law.formula.clone())).unwrap_or_else(|| {
                new.push(position);
                Watch::new(node, accepts_empty(&law.formula), masks::rows(&law.formula, &vocabulary))
            });
            self.joint.watches.push(watch);
        }
        self.laws = laws;
        self.all = self.joint.group(0..self.laws.len());
        self.hard = self.joint.group((0..self.laws.len()).filter(|&law| self.laws[law].is_hard()));
        self.changed();
        let mut violations = Vec::new();
        if self.started {
            for law in new {
                violations.extend(self.read(law, self.joint.now));
            }
        }
        Ok(violations)
    }

    /// Begins a run: letter 0, with the observations that hold and no action.
    pub fn start(&mut self, observations: PropSet) -> Vec<Violation> {
        for watch in &mut self.joint.watches {
            watch.state = INITIAL;
            watch.lost = false;
        }
        self.started = true;
        self.joint.now = Letter::initial(observations);
        self.changed();
        let mut violations = Vec::new();
        for position in 0..self.all.general.len() {
            violations.extend(self.read(self.all.general[position], self.joint.now));
        }
        violations
    }

    /// Reads what really happened. A law that it breaks is reported and re-armed: its monitor starts afresh, as if the
    /// run began at this letter, or at the next one if this letter alone breaks it.
    pub fn advance(&mut self, letter: Letter) -> Vec<Violation> {
        if !self.started {
            self.started = true;
        }
        let mut violations = Vec::new();
        if let Some(action) = letter.action(&self.joint.vocabulary)
            && !self.joint.masked(&self.all).contains(action)
        {
            violations.extend(self.all.masks.culprits(&self.joint.now, action).map(|law| Violation { law }));
        }
        for position in 0..self.all.general.len() {
            violations.extend(self.read(self.all.general[position], letter));
        }
        violations.sort_unstable_by_key(|violation| violation.law);
        violations.dedup();
        self.joint.now = letter;
        self.changed();
        violations
    }

    /// One law reads one letter.
    fn read(&mut self, law: usize, letter: Letter) -> Option<Violation> {
        let Joint { watches, closure, vocabulary, .. } = &mut self.joint;
        let watch = &mut watches[law];
        if watch.rows.is_some() || watch.lost {
            return None;
        }
        let state = watch.state;
        let automaton = watch.automaton(closure, vocabulary);
        let Ok(next) = automaton.step(closure, state, &letter) else {
            watch.lost = true;
            return None;
        };
        if self.oracle.verdict(automaton, closure, next, vocabulary) != Some(Verdict::Violated) {
            watch.state = next;
            return None;
        }
        let again = automaton
            .step(closure, INITIAL, &letter)
            .ok()
            .filter(|&again| self.oracle.verdict(automaton, closure, again, vocabulary) != Some(Verdict::Violated));
        watch.state = again.unwrap_or(INITIAL);
        Some(Violation { law })
    }

    fn changed(&mut self) {
        self.decision = None;
        self.hard_allowed = None;
        self.undecided = ActionSet::EMPTY;
    }

    /// The actions a group allows, those it could not decide, and laws that together block all the others.
    fn sweep(&mut self, hard_only: bool) -> (ActionSet, ActionSet, Vec<usize>) {
        let vocabulary = self.joint.vocabulary.clone();
        let group = if hard_only { &self.hard } else { &self.all };
        let (mut allowed, mut unknown, mut cores) = (ActionSet::EMPTY, ActionSet::EMPTY, Vec::new());
        let mut work = self.options.work;
        for action in vocabulary.action_ids() {
            match self.joint.possible(group, action, &mut work) {
                Possible::Yes => allowed.insert(action),
                Possible::No(_) if Some(action) == vocabulary.stop() => {}
                Possible::No(core) => cores.extend(core),
                Possible::Unknown => unknown.insert(action),
            }
        }
        cores.sort_unstable();
        cores.dedup();
        (allowed, unknown, cores)
    }

    /// What may be done now. Decided once per letter.
    pub fn decide(&mut self) -> Decision {
        if let Some(decision) = &self.decision {
            return decision.clone();
        }
        if !self.started {
            return Decision { allowed: ActionSet::EMPTY, force: Force::Nothing { conflict: Vec::new() } };
        }
        let stop: ActionSet = self.joint.vocabulary.stop().into_iter().collect();
        let (allowed, unknown, cores) = self.sweep(false);
        self.unknowns += unknown.len() as u64;
        let decision = if allowed.is_subset(&stop) {
            let conflict = self.conflict(&unknown, cores);
            let (allowed, unknown, cores) = self.sweep(true);
            self.unknowns += unknown.len() as u64;
            self.undecided = unknown;
            self.hard_allowed = Some(allowed);
            let force = if allowed.is_subset(&stop) {
                Force::Nothing { conflict: self.conflict(&unknown, cores) }
            } else {
                Force::HardOnly { conflict }
            };
            Decision { allowed, force }
        } else {
            self.undecided = unknown;
            Decision { allowed, force: Force::All }
        };
        self.decision = Some(decision.clone());
        decision
    }

    fn conflict(&mut self, unknown: &ActionSet, cores: Vec<usize>) -> Vec<usize> {
        let stop: ActionSet = self.joint.vocabulary.stop().into_iter().collect();
        if !unknown.is_subset(&stop) {
            return Vec::new();
        }
        self.joint.minimal_conflict(cores, self.options.explanation_work)
    }

    /// Whether an action may run now, by the laws in force.
    pub fn judge(&mut self, action: ActionId) -> Judgement {
        if !self.started {
            return Judgement::Unknown { why: NOT_STARTED };
        }
        let hard_only = match &self.decision {
            Some(decision) if decision.allowed.contains(action) => return Judgement::Allowed,
            Some(decision) => decision.force != Force::All,
            None => {
                let decision = self.decide();
                if decision.allowed.contains(action) {
                    return Judgement::Allowed;
                }
                decision.force != Force::All
            }
        };
        if usize::from(action.0) >= self.joint.vocabulary.actions().len() {
            return Judgement::Unknown { why: "the vocabulary has no such action" };
        }
        if self.undecided.contains(action) {
            return Judgement::Unknown { why: OUT_OF_WORK };
        }
        let group = if hard_only { &self.hard } else { &self.all };
        match self.joint.possible(group, action, &mut self.options.work.clone()) {
            Possible::No(mut core) => {
                core.sort_unstable();
                Judgement::Blocked { laws: self.joint.minimal_block(core, action, self.options.explanation_work) }
            }
            Possible::Yes | Possible::Unknown => Judgement::Unknown { why: OUT_OF_WORK },
        }
    }

    /// The actions the hard laws alone allow now: SayCan's affordances.
    pub fn hard_allowed(&mut self) -> ActionSet {
        if !self.started {
            return ActionSet::EMPTY;
        }
        if let Some(allowed) = self.hard_allowed {
            return allowed;
        }
        let (allowed, unknown, _) = self.sweep(true);
        self.unknowns += unknown.len() as u64;
        self.hard_allowed = Some(allowed);
        allowed
    }

    /// The verdict of every law on the run so far (since it was last re-armed).
    pub fn verdicts(&mut self) -> Vec<Verdict> {
        (0..self.laws.len()).map(|law| self.verdict(law)).collect()
    }

    /// The verdict of one law on the run so far (since it was last re-armed).
    pub fn verdict(&mut self, law: usize) -> Verdict {
        let Ok(state) = self.joint.state(law) else { return Verdict::Pending };
        let Joint { watches, closure, vocabulary, .. } = &mut self.joint;
        if watches[law].lost {
            return Verdict::Pending;
        }
        let automaton = watches[law].automaton(closure, vocabulary);
        self.oracle.verdict(automaton, closure, state, vocabulary).unwrap_or(if automaton.accepts(state) {
            Verdict::Clear
        } else {
            Verdict::Pending
        })
    }

    /// The laws that would not hold if the run stopped here, as positions in [`Shield::laws`].
    pub fn owed(&mut self) -> Vec<usize> {
        self.all.general.clone().into_iter().filter(|&law| !self.verdict(law).accepts()).collect()
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
