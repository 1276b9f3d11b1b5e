//! Recognition of the form `G(phi_s -> X phi_a)`: the current observations restrict the next action.
//!
//! LTLCrit (section 3.4) restricts its critic to this form: it compiles to masks, and the consistency of a set of such
//! laws is a propositional question. People and models write it in several ways. All formulas that mean the same on
//! every finite word are accepted:
//!
//! * `X` distributed over the connectives: `G(s -> X !a & X !b)`;
//! * the implication expanded: `G(!s | X a)`, `G(!X[!] !a | !s)`, `!F(s & X[!] !a)`, `(s -> X a) W false`;
//! * without a guard: `G X a`, which is `G(true -> X a)`;
//! * a conjunction of several such laws, inside or outside `G`: [`recognise_all`] returns each of them.
//!
//! `!X a` means "there *is* a next letter and a does not lead to it", which forbids ending the run. So `G(s -> !X a)` is
//! not of the form; `G(s -> X !a)` is.

use std::cell::Cell;
use std::sync::Arc;

use thiserror::Error;

use crate::actions::ActionSet;
use crate::formula::Formula;
use crate::letter::PropSet;
use crate::vocabulary::{ActionId, Vocabulary};

/// Maximum number of guarded laws of one formula; distributing disjunctions multiplies them.
const MAX_PARTS: usize = 256;
/// Maximum number of visits to and copies of subformulas: nested `<->` doubles them with every level.
const MAX_STEPS: u32 = 1_000_000;

/// A law `G(guard -> X demand)`: when the guard holds, the next action satisfies the demand.
///
/// ```
/// use ltlcrit_verifier::{Vocabulary, guarded::recognise};
///
/// let doors = Vocabulary::builder("doors").observation("obs_dark").action("action_open").build()?;
/// let law = recognise(&"!F(obs_dark & X[!] action_open)".parse()?, &doors)?;
/// assert_eq!(law.to_formula().to_string(), "G(obs_dark -> X !action_open)");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GuardedLaw {
    /// `phi_s`: a Boolean formula over observations of the current letter.
    pub guard: Formula,
    /// `phi_a`: a Boolean formula over actions, read at the next letter, where exactly one action holds.
    pub demand: Formula,
}

impl GuardedLaw {
    /// Returns the law as one formula, `G(guard -> X demand)`.
    pub fn to_formula(&self) -> Formula {
        self.guard.clone().implies(self.demand.clone().next()).globally()
    }

    /// Returns whether the guard holds in the state with these observations.
    pub fn applies(&self, vocabulary: &Vocabulary, observations: &PropSet) -> bool {
        self.guard.holds_where(&|name| vocabulary.id(name).is_some_and(|id| observations.contains(id)))
    }

    /// Returns the actions that satisfy the demand; `action_stop` may be one of them.
    pub fn allows(&self, vocabulary: &Vocabulary) -> ActionSet {
        let satisfies = |action: &ActionId| self.demand.holds_where(&|name| vocabulary.action(name) == Some(*action));
        vocabulary.action_ids().filter(satisfies).collect()
    }
}

/// The reason why a formula is not of the form `G(phi_s -> X phi_a)`.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotGuarded {
    /// A proposition that is not in the vocabulary.
    #[error("`{0}` is not in the vocabulary")]
    Unknown(Arc<str>),
    /// The formula does not restrict every step.
    #[error("`{0}` restricts only the start of the run")]
    NotAlways(String),
    /// An action outside `X`.
    #[error("`{0}` is an action outside `X`; only observations may stand there")]
    ActionNow(Arc<str>),
    /// An observation inside `X`.
    #[error("`{0}` is an observation inside `X`; only actions may stand there")]
    ObservationNext(Arc<str>),
    /// An operator that refers to more than one step ahead.
    #[error("`{0}` looks further than the next action")]
    LooksFurther(String),
    /// A demand that also requires a next letter.
    #[error("`{0}` demands that the run continues; with the weak `X` the run may end")]
    DemandsAStep(String),
    /// A part that does not restrict actions.
    #[error("`{0}` restricts the observations, not the next action")]
    NoDemand(String),
    /// The formula is equivalent to too many guarded laws.
    #[error("it stands for more than {MAX_PARTS} laws of the form; split it")]
    TooManyParts,
    /// Splitting the formula into guarded laws copies too many subformulas.
    #[error("splitting it into laws of the form copies more than {MAX_STEPS} subformulas; shorten it")]
    TooLarge,
    /// A conjunction, although one law was required.
    #[error("it is a conjunction of {0} laws of the form")]
    Several(usize),
}

/// Recognises a formula that is one law of the form.
///
/// # Errors
/// The reason why it is not one law of the form: [`NotGuarded::Several`] for a conjunction of several
/// ([`recognise_all`] splits them).
pub fn recognise(formula: &Formula, vocabulary: &Vocabulary) -> Result<GuardedLaw, NotGuarded> {
    let mut laws = recognise_all(formula, vocabulary)?;
    match (laws.pop(), laws.len()) {
        (Some(law), 0) => Ok(law),
        (_, others) => Err(NotGuarded::Several(others + 1)),
    }
}

/// Recognises a formula that is a conjunction of laws of the form. Their conjunction is equivalent to the formula on
/// every non-empty finite word whose actions are one-hot.
///
/// # Errors
/// The reason why it is not of the form. A formula that is trivially true, such as `G true`, demands nothing and is not
/// of the form either.
pub fn recognise_all(formula: &Formula, vocabulary: &Vocabulary) -> Result<Vec<GuardedLaw>, NotGuarded> {
    if let Some(unknown) = formula.atoms().into_iter().find(|atom| vocabulary.id(atom).is_none()) {
        return Err(NotGuarded::Unknown(unknown));
    }
    let mut parts = Vec::new();
    always(formula, true, &Scope { vocabulary, steps: Cell::new(MAX_STEPS), whole_letters: false }, &mut parts)?;
    if parts.is_empty() {
        return Err(NotGuarded::NoDemand(formula.to_string()));
    }
    parts.into_iter().map(Part::into_law).collect()
}

/// A one-step law over whole letters: their actions and their observations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StepLaw {
    /// `G c`: every letter satisfies it.
    Now(Formula),
    /// `G(b -> X c)`: if a letter satisfies the guard, the next one satisfies the demand.
    Next {
        /// `b`.
        guard: Formula,
        /// `c`.
        demand: Formula,
    },
}

/// Recognises a formula that is a conjunction of laws `G c` and `G(b -> X c)`, with actions and observations allowed
/// everywhere. Their conjunction is equivalent to the formula on every non-empty finite word.
///
/// # Errors
/// The reason why it is not of the form.
pub(crate) fn recognise_steps(formula: &Formula, vocabulary: &Vocabulary) -> Result<Vec<StepLaw>, NotGuarded> {
    let mut parts = Vec::new();
    let scope = Scope { vocabulary, steps: Cell::new(MAX_STEPS), whole_letters: true };
    always(formula, true, &scope, &mut parts)?;
    parts
        .into_iter()
        .map(|part| match (part.guard, part.demand) {
            (guard, None) => Ok(StepLaw::Now(guard.map_or(Formula::False, negated))),
            (_, Some(Demand { next, weak: false })) => Err(NotGuarded::DemandsAStep(next.strong_next().to_string())),
            (guard, Some(Demand { next, weak: true })) => {
                Ok(StepLaw::Next { guard: guard.unwrap_or(Formula::True), demand: next })
            }
        })
        .collect()
}

/// One conjunct of the body: `guard -> demand`, where the demand may be missing or strong.
#[derive(Clone, Debug)]
struct Part {
    /// The guard; `None` stands for true.
    guard: Option<Formula>,
    demand: Option<Demand>,
}

/// A disjunction of nexts.
#[derive(Clone, Debug)]
struct Demand {
    /// The formula that the next letter must satisfy.
    next: Formula,
    /// True if one of the nexts is weak; then the whole demand is satisfied at the last letter.
    weak: bool,
}

impl Part {
    fn or(&self, other: &Self, scope: &Scope<'_>) -> Result<Self, NotGuarded> {
        scope.spend(u32::try_from(self.size() + other.size()).unwrap_or(u32::MAX))?;
        let guard = match (&self.guard, &other.guard) {
            (Some(a), Some(b)) => Some(a.clone().and(b.clone())),
            (one, None) | (None, one) => one.clone(),
        };
        let demand = match (&self.demand, &other.demand) {
            (Some(a), Some(b)) => Some(Demand { next: a.next.clone().or(b.next.clone()), weak: a.weak || b.weak }),
            (one, None) | (None, one) => one.clone(),
        };
        Ok(Self { guard, demand })
    }

    fn size(&self) -> usize {
        let demand = self.demand.as_ref().map(|demand| &demand.next);
        self.guard.iter().chain(demand).map(Formula::size).sum()
    }

    fn into_law(self) -> Result<GuardedLaw, NotGuarded> {
        let guard = self.guard.unwrap_or(Formula::True);
        match self.demand {
            None => Err(NotGuarded::NoDemand(negated(guard).to_string())),
            Some(Demand { next, weak: false }) => Err(NotGuarded::DemandsAStep(next.strong_next().to_string())),
            Some(Demand { next, weak: true }) => Ok(GuardedLaw { guard, demand: next }),
        }
    }
}

fn negated(formula: Formula) -> Formula {
    match formula {
        Formula::Not(inner) => *inner,
        Formula::True => Formula::False,
        Formula::False => Formula::True,
        other => other.not(),
    }
}

fn signed(formula: &Formula, positive: bool) -> Formula {
    if positive { formula.clone() } else { negated(formula.clone()) }
}

/// The state shared by the whole recursion.
struct Scope<'a> {
    vocabulary: &'a Vocabulary,
    /// The number of steps left.
    steps: Cell<u32>,
    /// True if actions are allowed beside observations.
    whole_letters: bool,
}

impl Scope<'_> {
    fn spend(&self, steps: u32) -> Result<(), NotGuarded> {
        self.steps.set(self.steps.get().checked_sub(steps).ok_or(NotGuarded::TooLarge)?);
        Ok(())
    }

    /// Returns whether the formula has no temporal operator.
    fn is_boolean(&self, formula: &Formula) -> Result<bool, NotGuarded> {
        self.spend(1)?;
        if formula.is_temporal() {
            return Ok(false);
        }
        for child in formula.children() {
            if !self.is_boolean(child)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the alphabetically first action in the formula if `is_action`, else the first observation.
    fn first_name(&self, formula: &Formula, is_action: bool) -> Option<Arc<str>> {
        formula.atoms().into_iter().find(|name| self.vocabulary.action(name).is_some() == is_action)
    }
}

/// Splits a formula read at the first letter (negated if not `positive`) into the parts that hold at every letter.
fn always(formula: &Formula, positive: bool, scope: &Scope<'_>, parts: &mut Vec<Part>) -> Result<(), NotGuarded> {
    use Formula::*;
    if let Some((true, operands)) = formula.junction(positive) {
        return operands.into_iter().try_for_each(|(operand, positive)| always(operand, positive, scope, parts));
    }
    match (formula, positive) {
        (Not(a), _) => always(a, !positive, scope, parts),
        (Globally(a), true) | (Finally(a), false) => body(a, positive, scope, parts),
        (WeakUntil(a, b), true) if **b == False => body(a, true, scope, parts),
        (Release(a, b), true) if **a == False => body(b, true, scope, parts),
        (Until(a, b), false) if **a == True => body(b, false, scope, parts),
        _ => Err(NotGuarded::NotAlways(signed(formula, positive).to_string())),
    }
}

/// Splits the body of a `G`; a `G` directly inside is redundant.
fn body(formula: &Formula, positive: bool, scope: &Scope<'_>, parts: &mut Vec<Part>) -> Result<(), NotGuarded> {
    use Formula::*;
    match (formula, positive) {
        (Not(a), _) => body(a, !positive, scope, parts),
        (Globally(a), true) | (Finally(a), false) => body(a, positive, scope, parts),
        _ => {
            parts.extend(clauses(formula, positive, scope)?);
            if parts.len() > MAX_PARTS { Err(NotGuarded::TooManyParts) } else { Ok(()) }
        }
    }
}

/// Returns the conjuncts of a formula read at one letter (negated if not `positive`). The result is exact: no way of
/// writing is approximated.
fn clauses(formula: &Formula, positive: bool, scope: &Scope<'_>) -> Result<Vec<Part>, NotGuarded> {
    use Formula::*;
    if scope.is_boolean(formula)? {
        if !scope.whole_letters
            && let Some(action) = scope.first_name(formula, true)
        {
            return Err(NotGuarded::ActionNow(action));
        }
        return Ok(match signed(formula, positive) {
            True => Vec::new(),
            False => vec![Part { guard: None, demand: None }],
            holds => vec![Part { guard: Some(negated(holds)), demand: None }],
        });
    }
    if let Some((all, [a, b])) = formula.junction(positive) {
        let (a, b) = (clauses(a.0, a.1, scope)?, clauses(b.0, b.1, scope)?);
        return if all { both(a, b) } else { either(&a, &b, scope) };
    }
    match (formula, positive) {
        (Not(a), _) => clauses(a, !positive, scope),
        (Iff(a, b), true) | (Xor(a, b), false) => exchange(a, b, true, scope),
        (Iff(a, b), false) | (Xor(a, b), true) => exchange(a, b, false, scope),
        // The dual of the weak next is the strong one.
        (Next(a), _) => next(a, positive, positive, scope),
        (StrongNext(a), _) => next(a, positive, !positive, scope),
        _ => Err(NotGuarded::LooksFurther(signed(formula, positive).to_string())),
    }
}

/// Returns `a <-> b` if `same`, else `a xor b`, in conjunctive form.
fn exchange(a: &Formula, b: &Formula, same: bool, scope: &Scope<'_>) -> Result<Vec<Part>, NotGuarded> {
    let first = either(&clauses(a, false, scope)?, &clauses(b, same, scope)?, scope)?;
    let second = either(&clauses(a, true, scope)?, &clauses(b, !same, scope)?, scope)?;
    both(first, second)
}

fn both(mut a: Vec<Part>, b: Vec<Part>) -> Result<Vec<Part>, NotGuarded> {
    a.extend(b);
    if a.len() > MAX_PARTS { Err(NotGuarded::TooManyParts) } else { Ok(a) }
}

fn either(a: &[Part], b: &[Part], scope: &Scope<'_>) -> Result<Vec<Part>, NotGuarded> {
    if a.len() * b.len() > MAX_PARTS {
        return Err(NotGuarded::TooManyParts);
    }
    a.iter().flat_map(|one| b.iter().map(|other| one.or(other, scope))).collect()
}

fn next(inner: &Formula, positive: bool, weak: bool, scope: &Scope<'_>) -> Result<Vec<Part>, NotGuarded> {
    if !scope.is_boolean(inner)? {
        return Err(NotGuarded::LooksFurther(inner.clone().next().to_string()));
    }
    if !scope.whole_letters
        && let Some(observation) = scope.first_name(inner, false)
    {
        return Err(NotGuarded::ObservationNext(observation));
    }
    let next = signed(inner, positive);
    Ok(vec![Part { guard: None, demand: Some(Demand { next, weak }) }])
}

#[cfg(test)]
mod tests;
