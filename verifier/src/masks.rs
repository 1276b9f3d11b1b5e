//! Masks of laws `G(phi_s -> X phi_a)`: they map the current letter to the set of allowed next actions.

use rustc_hash::FxHashMap;

use crate::actions::ActionSet;
use crate::formula::Formula;
use crate::guarded;
use crate::letter::{CAPACITY, Letter, PropSet};
use crate::minimise::minimal_subset;
use crate::prediction::Prediction;
use crate::vocabulary::{ActionId, Vocabulary};

/// Maximum number of conjunctions of one guard; a law with more is watched by its automaton.
const MAX_ROWS: usize = 64;

/// A conjunction of literals and the actions it allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MaskRow {
    pub present: PropSet,
    pub absent: PropSet,
    pub allowed: ActionSet,
}

impl MaskRow {
    /// Returns the propositions that the row reads.
    pub fn reads(&self) -> PropSet {
        self.present.union(&self.absent)
    }

    pub fn applies(&self, letter: &Letter) -> bool {
        self.present.is_subset(&letter.0) && self.absent.intersection(&letter.0).is_empty()
    }

    /// Returns whether the row applies after some letter within the bounds of a prediction.
    pub fn may_apply(&self, prediction: &Prediction) -> bool {
        self.present.is_subset(&prediction.may) && self.absent.intersection(&prediction.must).is_empty()
    }
}

/// Returns the rows of a law of the form; `None` if it is not of the form or its guard is too large.
pub(crate) fn guards(formula: &Formula, vocabulary: &Vocabulary) -> Option<Vec<MaskRow>> {
    if vocabulary.actions().is_empty() {
        return None;
    }
    let mut rows = Vec::new();
    for law in guarded::recognise_all(formula, vocabulary).ok()? {
        let allowed = law.allows(vocabulary);
        if allowed == ActionSet::first(vocabulary.actions().len()) {
            continue;
        }
        for (present, absent) in conjunctions(&law.guard, true, vocabulary)? {
            rows.push(MaskRow { present, absent, allowed });
        }
        if rows.len() > MAX_ROWS {
            return None;
        }
    }
    Some(rows)
}

/// The propositions that hold, and those that do not.
pub(crate) type Conjunction = (PropSet, PropSet);

/// Returns a Boolean formula, negated if not `positive`, as a disjunction of conjunctions of literals; `None` if it is
/// too long.
pub(crate) fn conjunctions(formula: &Formula, positive: bool, vocabulary: &Vocabulary) -> Option<Vec<Conjunction>> {
    expanded(formula, positive, vocabulary, &mut FxHashMap::default())
}

/// `known` caches the operands of `<->` and `xor`, which are needed in both polarities. The key is the address and the
/// polarity of a subformula.
fn expanded(
    formula: &Formula,
    positive: bool,
    vocabulary: &Vocabulary,
    known: &mut FxHashMap<(usize, bool), Vec<Conjunction>>,
) -> Option<Vec<Conjunction>> {
    use Formula::*;
    let key = (std::ptr::from_ref(formula) as usize, positive);
    if matches!(formula, Iff(..) | Xor(..))
        && let Some(found) = known.get(&key)
    {
        return Some(found.clone());
    }
    let mut go = |formula: &Formula, positive: bool| expanded(formula, positive, vocabulary, known);
    if let Some((all, [a, b])) = formula.junction(positive) {
        let (a, b) = (go(a.0, a.1)?, go(b.0, b.1)?);
        return if all { both(&a, &b) } else { either(a, b) };
    }
    match (formula, positive) {
        (True, true) | (False, false) => Some(vec![(PropSet::EMPTY, PropSet::EMPTY)]),
        (False, true) | (True, false) => Some(Vec::new()),
        (Atom(name), _) => {
            let one = PropSet::from_iter([vocabulary.id(name)?]);
            Some(vec![if positive { (one, PropSet::EMPTY) } else { (PropSet::EMPTY, one) }])
        }
        (Not(a), _) => go(a, !positive),
        (Iff(a, b), _) | (Xor(a, b), _) => {
            let same = matches!(formula, Iff(..)) == positive;
            let found = either(both(&go(a, true)?, &go(b, same)?)?, both(&go(a, false)?, &go(b, !same)?)?)?;
            known.insert(key, found.clone());
            Some(found)
        }
        _ => None,
    }
}

fn both(a: &[Conjunction], b: &[Conjunction]) -> Option<Vec<Conjunction>> {
    if a.len() * b.len() > MAX_ROWS * 4 {
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
    (a.len() <= MAX_ROWS * 4).then_some(a)
}

/// The number of propositions in a block. The letter's bits of a block select one line of the table.
const BLOCK: usize = 4;
const LINES: usize = 1 << BLOCK;
const BLOCKS: usize = CAPACITY / BLOCK;

/// The compiled rows of many laws: they map a letter to the actions that all of them allow next.
///
/// Each row is a bit. The propositions are divided into blocks of four. For each block and each of its sixteen
/// valuations, a line of bits contains the rows that the valuation leaves possible. The rows that apply to a letter are
/// the conjunction of one line per block.
#[derive(Clone, Debug)]
pub(crate) struct MaskTable {
    /// Each row with its law's number.
    rows: Vec<(usize, MaskRow)>,
    all: ActionSet,
    /// The blocks that some row mentions.
    blocks: Box<[u8]>,
    /// The lines: `words` words for each block and valuation.
    lines: Box<[u64]>,
    words: usize,
    /// The propositions that the rows read.
    reads: PropSet,
}

impl MaskTable {
    pub fn new(rows: Vec<(usize, MaskRow)>, vocabulary: &Vocabulary) -> Self {
        let words = rows.len().div_ceil(64);
        let reads = rows.iter().fold(PropSet::EMPTY, |all, (_, row)| all.union(&row.reads()));
        let mut blocks: Vec<u8> = (0..BLOCKS).filter(|&block| valuation(&reads, block) != 0).map(|b| b as u8).collect();
        if blocks.is_empty() {
            // For rows that always apply, the lines also say which bits are rows at all.
            blocks.push(0);
        }
        // A line has all rows but those that its valuation rules out.
        let mut all_rows = vec![u64::MAX; words];
        all_rows.iter_mut().skip(rows.len() / 64).for_each(|last| *last = (1 << (rows.len() % 64)) - 1);
        let mut lines = all_rows.repeat(blocks.len() * LINES).into_boxed_slice();
        for (bit, (_, row)) in rows.iter().enumerate() {
            for (at, &block) in blocks.iter().enumerate() {
                let (present, absent) = (valuation(&row.present, block.into()), valuation(&row.absent, block.into()));
                if present | absent == 0 {
                    continue;
                }
                for value in (0..LINES).filter(|value| value & present != present || value & absent != 0) {
                    lines[(at * LINES + value) * words + bit / 64] &= !(1 << (bit % 64));
                }
            }
        }
        let all = ActionSet::first(vocabulary.actions().len());
        Self { all, blocks: blocks.into(), lines, words, rows, reads }
    }

    /// Returns the actions that no row forbids after this letter.
    #[inline]
    pub fn allowed(&self, letter: &Letter) -> ActionSet {
        if self.words == 0 { self.all } else { self.allowed_by_rows(letter) }
    }

    fn allowed_by_rows(&self, letter: &Letter) -> ActionSet {
        let mut selected = [0; BLOCKS];
        let selected = &mut selected[..self.blocks.len()];
        for (at, (line, &block)) in selected.iter_mut().zip(&self.blocks).enumerate() {
            *line = (at * LINES + valuation(&letter.0, block.into())) * self.words;
        }
        let mut allowed = self.all;
        for word in 0..self.words {
            let mut applies = selected.iter().fold(u64::MAX, |applies, line| applies & self.lines[line + word]);
            while applies != 0 {
                let (_, row) = &self.rows[word * 64 + applies.trailing_zeros() as usize];
                allowed = allowed.intersection(&row.allowed);
                applies &= applies - 1;
            }
            if allowed.is_empty() {
                break;
            }
        }
        allowed
    }

    /// Returns the laws with a row that forbids an action after this letter; a law may occur twice.
    pub fn culprits(&self, letter: &Letter, action: ActionId) -> impl Iterator<Item = usize> {
        self.forbidding_rows(letter, action).map(|(law, _)| *law)
    }

    fn forbidding_rows(&self, letter: &Letter, action: ActionId) -> impl Iterator<Item = &(usize, MaskRow)> {
        self.rows.iter().filter(move |(_, row)| !row.allowed.contains(action) && row.applies(letter))
    }

    /// Returns the propositions that the rows read.
    pub fn reads(&self) -> PropSet {
        self.reads
    }

    /// Returns the actions that no row forbids after any letter within the bounds of a prediction.
    pub fn allowed_after(&self, prediction: &Prediction) -> ActionSet {
        let applying = self.rows.iter().filter(|(_, row)| row.may_apply(prediction));
        applying.fold(self.all, |allowed, (_, row)| allowed.intersection(&row.allowed))
    }

    /// Returns a row that forbids an action after some letter within the bounds of a prediction, with its law.
    pub fn forbidding(&self, prediction: &Prediction, action: ActionId) -> Option<(usize, &MaskRow)> {
        let forbids = |row: &MaskRow| !row.allowed.contains(action) && row.may_apply(prediction);
        self.rows.iter().find(|(_, row)| forbids(row)).map(|(law, row)| (*law, row))
    }

    /// Returns the observations that the rows of a law read.
    pub fn reads_of(&self, law: usize) -> PropSet {
        let rows = self.rows.iter().filter(|(of, _)| *of == law);
        rows.fold(PropSet::EMPTY, |read, (_, row)| read.union(&row.reads()))
    }

    /// Returns the propositions read by the rows that forbid an action after this letter.
    pub fn read_by_culprits(&self, letter: &Letter, action: ActionId) -> PropSet {
        self.forbidding_rows(letter, action).fold(PropSet::EMPTY, |read, (_, row)| read.union(&row.reads()))
    }

    /// Returns the first law with a row that forbids an action after this letter.
    pub fn culprit(&self, letter: &Letter, action: ActionId) -> Option<usize> {
        self.culprits(letter, action).min()
    }

    /// Returns a minimal set of laws whose rows leave no action outside `spare` after this letter; empty if all rows
    /// together leave one.
    pub fn conflict(&self, letter: &Letter, spare: ActionSet) -> Vec<usize> {
        let mut applying: Vec<(usize, ActionSet)> = Vec::new();
        for (law, row) in self.rows.iter().filter(|(_, row)| row.applies(letter)) {
            match applying.iter_mut().find(|(other, _)| other == law) {
                Some((_, left)) => *left = left.intersection(&row.allowed),
                None => applying.push((*law, row.allowed)),
            }
        }
        let leaves_none = |laws: &[(usize, ActionSet)]| {
            let all = self.all.difference(&spare);
            laws.iter().fold(all, |left, (_, law)| left.intersection(law)).is_empty()
        };
        if !leaves_none(&applying) {
            return Vec::new();
        }
        // Minimise from the last law to the first, so that the first sufficient laws stay.
        applying.reverse();
        let applying = minimal_subset(applying, |laws| leaves_none(laws).then(|| laws.to_vec()));
        let mut laws: Vec<usize> = applying.into_iter().map(|(law, _)| law).collect();
        laws.sort_unstable();
        laws
    }

    /// Returns the laws with rows, each once.
    pub fn laws(&self) -> Vec<usize> {
        let mut laws: Vec<usize> = self.rows.iter().map(|(law, _)| *law).collect();
        laws.sort_unstable();
        laws.dedup();
        laws
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

/// Returns the bits of one block of propositions.
#[inline]
fn valuation(set: &PropSet, block: usize) -> usize {
    (set.0[block * BLOCK / 64] >> (block * BLOCK % 64)) as usize & (LINES - 1)
}

#[cfg(test)]
mod tests;
