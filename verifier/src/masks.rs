//! Laws `G(phi_s -> X phi_a)` as masks: what holds now goes in, the set of allowed next actions comes out.

use crate::actions::ActionSet;
use crate::form::{self, GuardedLaw};
use crate::formula::Formula;
use crate::letter::{Letter, PropSet};
use crate::vocabulary::{ActionId, Vocabulary};

/// How many conjunctions one guard may become; beyond it a law is watched by its automaton.
const MOST_ROWS: usize = 64;

/// A conjunction of literals and the actions it leaves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub present: PropSet,
    pub absent: PropSet,
    pub allowed: ActionSet,
}

impl Row {
    pub fn applies(&self, letter: &Letter) -> bool {
        self.present.is_subset(&letter.0) && self.absent.intersection(&letter.0).is_empty()
    }
}

/// The rows of a law of the form; `None` if it is not of the form or its guard is too large.
pub(crate) fn rows(formula: &Formula, vocabulary: &Vocabulary) -> Option<Vec<Row>> {
    if vocabulary.actions().is_empty() {
        return None;
    }
    let mut rows = Vec::new();
    for GuardedLaw { guard, demand } in form::recognise_all(formula, vocabulary).ok()? {
        let allowed = demanded(&demand, vocabulary)?;
        if allowed == ActionSet::first(vocabulary.actions().len()) {
            continue;
        }
        for (present, absent) in conjunctions(&guard, true, vocabulary)? {
            rows.push(Row { present, absent, allowed });
        }
        if rows.len() > MOST_ROWS {
            return None;
        }
    }
    Some(rows)
}

/// The actions that satisfy a Boolean formula over actions, of which exactly one holds.
fn demanded(demand: &Formula, vocabulary: &Vocabulary) -> Option<ActionSet> {
    use Formula::*;
    let all = ActionSet::first(vocabulary.actions().len());
    let go = |formula: &Formula| demanded(formula, vocabulary);
    Some(match demand {
        True => all,
        False => ActionSet::EMPTY,
        Atom(name) => ActionSet::one(vocabulary.action(name)?),
        Not(a) => all.difference(&go(a)?),
        And(a, b) => go(a)?.intersection(&go(b)?),
        Or(a, b) => go(a)?.union(&go(b)?),
        Implies(a, b) => all.difference(&go(a)?).union(&go(b)?),
        Xor(a, b) | Iff(a, b) => {
            let (a, b) = (go(a)?, go(b)?);
            let differ = a.union(&b).difference(&a.intersection(&b));
            if matches!(demand, Xor(..)) { differ } else { all.difference(&differ) }
        }
        _ => return None,
    })
}

type Conjunction = (PropSet, PropSet);

/// A Boolean formula, negated if not `positive`, as a disjunction of conjunctions of literals.
fn conjunctions(formula: &Formula, positive: bool, vocabulary: &Vocabulary) -> Option<Vec<Conjunction>> {
    use Formula::*;
    let go = |formula: &Formula, positive: bool| conjunctions(formula, positive, vocabulary);
    let whole = || vec![(PropSet::EMPTY, PropSet::EMPTY)];
    match (formula, positive) {
        (True, true) | (False, false) => Some(whole()),
        (False, true) | (True, false) => Some(Vec::new()),
        (Atom(name), _) => {
            let one = PropSet::from_iter([vocabulary.id(name)?]);
            Some(vec![if positive { (one, PropSet::EMPTY) } else { (PropSet::EMPTY, one) }])
        }
        (Not(a), _) => go(a, !positive),
        (And(a, b), true) | (Or(a, b), false) => both(&go(a, positive)?, &go(b, positive)?),
        (Or(a, b), true) | (And(a, b), false) => either(go(a, positive)?, go(b, positive)?),
        (Implies(a, b), true) => either(go(a, false)?, go(b, true)?),
        (Implies(a, b), false) => both(&go(a, true)?, &go(b, false)?),
        (Iff(a, b), _) | (Xor(a, b), _) => {
            let same = matches!(formula, Iff(..)) == positive;
            either(both(&go(a, true)?, &go(b, same)?)?, both(&go(a, false)?, &go(b, !same)?)?)
        }
        _ => None,
    }
}

fn both(a: &[Conjunction], b: &[Conjunction]) -> Option<Vec<Conjunction>> {
    if a.len() * b.len() > MOST_ROWS * 4 {
        return None;
    }
    let mut result = Vec::with_capacity(a.len() * b.len());
    for (present, absent) in a {
        for (more_present, more_absent) in b {
            let (present, absent) = (present.union(more_present), absent.union(more_absent));
            if present.intersection(&absent).is_empty() {
                result.push((present, absent));
            }
        }
    }
    Some(result)
}

fn either(mut a: Vec<Conjunction>, b: Vec<Conjunction>) -> Option<Vec<Conjunction>> {
    a.extend(b);
    (a.len() <= MOST_ROWS * 4).then_some(a)
}

/// The rows of many laws, compiled: from a letter to the actions all of them allow next.
#[derive(Clone, Debug)]
pub(crate) struct MaskTable {
    /// Each row with its law's number.
    rows: Vec<(usize, Row)>,
    all: ActionSet,
}

impl MaskTable {
    pub fn new(rows: Vec<(usize, Row)>, vocabulary: &Vocabulary) -> Self {
        Self { rows, all: ActionSet::first(vocabulary.actions().len()) }
    }

    /// The actions no row forbids after this letter.
    pub fn allowed(&self, letter: &Letter) -> ActionSet {
        let mut allowed = self.all;
        for (_, row) in &self.rows {
            if row.applies(letter) {
                allowed = allowed.intersection(&row.allowed);
            }
        }
        allowed
    }

    /// The laws with a row that forbids an action after this letter; a law may come up twice.
    pub fn culprits(&self, letter: &Letter, action: ActionId) -> impl Iterator<Item = usize> {
        let forbids = move |row: &Row| !row.allowed.contains(action) && row.applies(letter);
        self.rows.iter().filter(move |(_, row)| forbids(row)).map(|(law, _)| *law)
    }

    /// A law with a row that forbids an action after this letter.
    pub fn culprit(&self, letter: &Letter, action: ActionId) -> Option<usize> {
        self.culprits(letter, action).next()
    }
}
