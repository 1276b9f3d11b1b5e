//! Laws as the gate and the proposers know them, and what laws of the form `G(phi_s -> X phi_a)` block.

use std::sync::Arc;

use ltlcrit_laws::{Entry, Evidence, Strength};
use ltlcrit_store::LawId;
use ltlcrit_verifier::guarded::{NotGuarded, recognise_all};
use ltlcrit_verifier::{ActionId, ActionSet, Formula, GuardedLaw, PropSet, Vocabulary};

/// A law in force, or one that waits for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownLaw {
    /// Its id.
    pub id: LawId,
    /// Its formula.
    pub formula: Formula,
    /// The reason for it, in English.
    pub explanation: Arc<str>,
    /// Its strength: hard laws protect, soft laws save steps.
    pub strength: Strength,
    /// True if it is a soft law of the book being learned; no other can be replaced or retired.
    pub changeable: bool,
    /// The critic that proposed it, if one did.
    pub proposer: Option<String>,
    /// The actions it blocks; `None` for a law that is not of the form `G(phi_s -> X phi_a)`.
    pub restriction: Option<Restriction>,
}

impl KnownLaw {
    /// An entry of a book, which the critic may change or not.
    pub fn new(entry: &Entry, changeable: bool, vocabulary: &Vocabulary) -> Self {
        Self {
            id: entry.id.clone(),
            formula: entry.formula.clone(),
            explanation: entry.explanation.clone(),
            strength: entry.strength,
            changeable,
            proposer: entry.provenance.model.clone(),
            restriction: Restriction::of(&entry.formula, vocabulary).ok(),
        }
    }

    /// The actions it blocks in a state; none for a law that is not of the form.
    pub(crate) fn blocked_at(&self, state: &PropSet, vocabulary: &Vocabulary) -> ActionSet {
        self.restriction.as_ref().map(|parts| parts.blocked_at(state, vocabulary)).unwrap_or_default()
    }

    /// Returns whether it blocks an action in a state.
    pub fn blocks(&self, state: &PropSet, action: ActionId, vocabulary: &Vocabulary) -> bool {
        self.restriction.as_ref().is_some_and(|parts| parts.blocks(state, action, vocabulary))
    }
}

/// A state in which the laws leave no action but stopping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateConflict {
    /// The observations that hold there.
    pub state: PropSet,
    /// A minimal set of laws that together leave no action there.
    pub laws: Vec<LawId>,
    /// The step that a run was to take there; `None` if the state was found by proof and no run met it.
    pub met_at: Option<Evidence>,
    /// The soft laws that the shield suspended for that step.
    pub suspended: Vec<LawId>,
}

/// An over-constrained state that a run met.
#[derive(Clone, Debug)]
pub(crate) struct MetConflict {
    /// The observations that hold there.
    pub state: PropSet,
    /// The first step that was to be taken there.
    pub at: Evidence,
    /// The soft laws that the shield suspended for it.
    pub suspended: Vec<LawId>,
}

/// The actions that a formula of the form `G(phi_s -> X phi_a)`, or a conjunction of such, blocks in each state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restriction {
    /// The conjuncts, each with the actions it blocks where its guard holds.
    parts: Vec<(GuardedLaw, ActionSet)>,
}

impl Restriction {
    /// The restriction a formula stands for.
    ///
    /// # Errors
    /// A formula that is not of the form.
    pub fn of(formula: &Formula, vocabulary: &Vocabulary) -> Result<Self, NotGuarded> {
        Ok(Self::from_parts(recognise_all(formula, vocabulary)?, vocabulary))
    }

    /// The conjunction of guarded laws.
    pub(crate) fn from_parts(parts: Vec<GuardedLaw>, vocabulary: &Vocabulary) -> Self {
        let all = ActionSet::first(vocabulary.actions().len());
        let with_blocked = |part: GuardedLaw| {
            let blocked = all.difference(&part.allows(vocabulary));
            (part, blocked)
        };
        Self { parts: parts.into_iter().map(with_blocked).collect() }
    }

    /// The conjuncts, each with the actions it blocks where its guard holds.
    pub fn parts(&self) -> &[(GuardedLaw, ActionSet)] {
        &self.parts
    }

    /// The conjuncts.
    pub fn guarded(&self) -> Vec<GuardedLaw> {
        self.parts.iter().map(|(part, _)| part.clone()).collect()
    }

    /// The same where another condition holds too.
    #[must_use]
    pub fn narrowed(&self, condition: &Formula, vocabulary: &Vocabulary) -> Self {
        let narrow = |guard: &Formula| match guard {
            Formula::True => condition.clone(),
            guard => guard.clone().and(condition.clone()),
        };
        self.with_guards(narrow, vocabulary)
    }

    /// The same with other conditions.
    #[must_use]
    pub(crate) fn with_guards(&self, guard: impl Fn(&Formula) -> Formula, vocabulary: &Vocabulary) -> Self {
        let part = |part: GuardedLaw| GuardedLaw { guard: guard(&part.guard), demand: part.demand };
        Self::from_parts(self.guarded().into_iter().map(part).collect(), vocabulary)
    }

    /// The conjunction of its parts as a formula; `None` if it has no part.
    pub fn formula(&self) -> Option<Formula> {
        self.parts.iter().map(|(part, _)| part.to_formula()).reduce(Formula::and)
    }

    /// Returns whether some guard holds in a state.
    pub fn applies(&self, state: &PropSet, vocabulary: &Vocabulary) -> bool {
        self.parts.iter().any(|(part, _)| part.applies(vocabulary, state))
    }

    /// The actions it blocks in a state.
    pub(crate) fn blocked_at(&self, state: &PropSet, vocabulary: &Vocabulary) -> ActionSet {
        let active = self.parts.iter().filter(|(part, _)| part.applies(vocabulary, state));
        active.fold(ActionSet::EMPTY, |blocked, (_, more)| blocked.union(more))
    }

    /// Returns whether it blocks an action in a state; `None` where no guard holds.
    pub fn judge(&self, state: &PropSet, action: ActionId, vocabulary: &Vocabulary) -> Option<bool> {
        let mut active = self.parts.iter().filter(|(part, _)| part.applies(vocabulary, state)).peekable();
        active.peek()?;
        Some(active.any(|(_, blocked)| blocked.contains(action)))
    }

    /// Returns whether it blocks an action in a state.
    pub fn blocks(&self, state: &PropSet, action: ActionId, vocabulary: &Vocabulary) -> bool {
        self.parts.iter().any(|(part, blocked)| blocked.contains(action) && part.applies(vocabulary, state))
    }

    /// Returns the actions that it blocks in some state.
    pub(crate) fn blocked(&self) -> ActionSet {
        self.parts.iter().fold(ActionSet::EMPTY, |blocked, (_, more)| blocked.union(more))
    }
}
