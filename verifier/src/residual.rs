//! Residuals: the demand of a law on the rest of the run, after a prefix of the run.
//!
//! A residual is a positive Boolean combination of atoms "`a` holds from the next letter on". An atom is weak (`X a`,
//! also true without a next letter) or strong (`X[!] a`). Because atoms occur positively only, the *minimal*
//! conjunctive normal form is canonical: equivalent combinations are equal values. A law has finitely many subformulas,
//! so it has finitely many residuals. They are the states of a deterministic automaton, explored one by one as runs
//! need them.
//!
//! A formula whose normal form is long, such as the `p0 xor … xor p27` in `X(p0 xor … xor p27)`, stays one atom.

mod progress;

use std::sync::Arc;

use crate::letter::Letter;
use crate::nnf::{MemoryId, Metered, NnfArena, NodeId};

/// Maximum number of clauses of a residual. Formulas written by people stay under ten.
pub(crate) const MAX_CLAUSES: usize = 1024;

/// The number of atoms that are compared for a unit of work.
const COMPARED: u64 = 32;
/// The number of atoms that are written for a unit of work.
const WRITTEN: u64 = 8;
/// Maximum cost of one letter, in units of work: about ten milliseconds.
pub(crate) const MAX_WORK: u64 = 250_000;

/// A residual exceeded [`MAX_CLAUSES`], or its computation exceeded [`MAX_WORK`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge;

/// "`a` from the next letter on": the node, and whether a next letter is required.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Atom(u32);

impl Atom {
    fn new(id: NodeId, strong: bool) -> Self {
        Self(id.0 << 1 | u32::from(strong))
    }

    pub fn id(self) -> NodeId {
        NodeId(self.0 >> 1)
    }

    pub fn is_strong(self) -> bool {
        self.0 & 1 == 1
    }

    fn implies(self, other: Self, arena: &NnfArena) -> bool {
        (self.is_strong() || !other.is_strong())
            && (self.id() == other.id() || arena.is_stronger(self.id(), other.id()))
    }
}

/// A minimal conjunctive normal form with sorted clauses and atoms. Without a clause it is true; with one empty clause
/// it is false.
///
/// Copies share the memory of the clauses: a law may have many residuals of a hundred clauses.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Residual {
    /// The clauses one after the other, each after its length.
    clauses: Arc<[Atom]>,
    /// The memories that hold at the next letter, of those that the clauses read, sorted; `None` without any.
    remembered: Option<Arc<[MemoryId]>>,
}

impl Residual {
    fn of<C: AsRef<[Atom]>>(clauses: &[C]) -> Self {
        let length = clauses.iter().map(|clause| 1 + clause.as_ref().len()).sum();
        let mut text = Vec::with_capacity(length);
        for clause in clauses {
            text.push(Atom(clause.as_ref().len() as u32));
            text.extend_from_slice(clause.as_ref());
        }
        Self { clauses: text.into(), remembered: None }
    }

    pub fn truth() -> Self {
        Self { clauses: Arc::default(), remembered: None }
    }

    pub fn falsehood() -> Self {
        Self::of(&[[Atom(0); 0]])
    }

    /// Returns the residual of a law before the first letter; weak iff the empty word satisfies the law.
    pub fn initial(law: NodeId, accepts_empty: bool) -> Self {
        Self::of(&[[Atom::new(law, !accepts_empty)]])
    }

    /// Returns the residual "there is a next letter, and all of these hold from it on".
    pub fn all_next(ids: &[NodeId]) -> Self {
        Self::of(&ids.iter().map(|&id| [Atom::new(id, true)]).collect::<Vec<_>>())
    }

    /// Returns these clauses with what another residual remembers.
    pub fn remembering(self, other: &Self) -> Self {
        Self { remembered: other.remembered.clone(), ..self }
    }

    /// Returns whether a memory holds at the next letter.
    pub fn remembers(&self, memory: MemoryId) -> bool {
        self.remembered.as_deref().is_some_and(|remembered| remembered.binary_search(&memory).is_ok())
    }

    /// Returns the memories that the clauses read, sorted.
    pub fn memories_read(&self, arena: &NnfArena) -> Vec<MemoryId> {
        if arena.remembers_nothing() {
            return Vec::new();
        }
        let atoms = self.clauses().flatten();
        let mut read: Vec<MemoryId> = atoms.flat_map(|atom| arena.memories_read(atom.id())).copied().collect();
        read.sort_unstable();
        read.dedup();
        read
    }

    pub fn is_true(&self) -> bool {
        self.clauses.is_empty()
    }

    pub fn is_false(&self) -> bool {
        // An empty clause implies all other clauses, so it is the only one.
        self.clauses.first() == Some(&Atom(0))
    }

    pub fn clauses(&self) -> impl Iterator<Item = &[Atom]> {
        let mut rest = &*self.clauses;
        std::iter::from_fn(move || {
            let (length, after) = rest.split_first()?;
            let (clause, others) = after.split_at_checked(length.0 as usize)?;
            rest = others;
            Some(clause)
        })
    }

    /// Returns the number of clauses.
    fn len(&self) -> usize {
        self.clauses().count()
    }

    /// Returns the size in bytes, which copies share.
    pub fn bytes(&self) -> usize {
        let remembered = self.remembered.as_deref().unwrap_or_default();
        2 * size_of::<usize>() + size_of_val(&*self.clauses) + size_of_val(remembered)
    }

    /// Returns whether a run that ends here satisfies the law.
    pub fn accepts(&self) -> bool {
        self.clauses().all(|clause| clause.iter().any(|atom| !atom.is_strong()))
    }

    /// Returns the residual of the law after one more letter.
    pub fn progress(&self, arena: Metered<'_>, letter: &Letter) -> Result<Self, TooLarge> {
        self.after(arena, letter, false)
    }

    /// Returns the residual of the law after a letter that breaks it, without the parts that the letter falsifies.
    pub fn forgive(&self, arena: Metered<'_>, letter: &Letter) -> Result<Self, TooLarge> {
        self.after(arena, letter, true)
    }

    fn after(&self, arena: Metered<'_>, letter: &Letter, forgives: bool) -> Result<Self, TooLarge> {
        // The result is cached, so it must not depend on the budget of the question that needs it.
        let before = arena.budget.only(MAX_WORK);
        let result = self.read(arena, letter, forgives);
        arena.budget.restore(before);
        result
    }

    /// Returns the parts of the law that a letter does not break.
    pub fn unbroken(&self, arena: Metered<'_>, letter: &Letter) -> Result<Self, TooLarge> {
        let mut kept = Vec::new();
        for clause in self.clauses() {
            if !Self::of(&[clause]).remembering(self).progress(arena, letter)?.is_false() {
                kept.push(clause);
            }
        }
        Ok(Self::of(&kept).remembering(self))
    }

    fn constant(value: bool) -> Self {
        if value { Self::truth() } else { Self::falsehood() }
    }

    fn and(self, other: Self, arena: Metered<'_>) -> Result<Self, TooLarge> {
        Self::all(vec![self, other], arena)
    }

    /// Returns the conjunction of residuals.
    fn all(mut parts: Vec<Self>, arena: Metered<'_>) -> Result<Self, TooLarge> {
        if parts.iter().any(Self::is_false) {
            return Ok(Self::falsehood());
        }
        parts.retain(|part| !part.is_true());
        if parts.len() < 2 {
            return Ok(parts.pop().unwrap_or_else(Self::truth));
        }
        Self::minimal(parts.iter().flat_map(Self::clauses).collect::<Vec<_>>(), arena)
    }

    fn or(&self, other: &Self, arena: Metered<'_>) -> Result<Self, TooLarge> {
        if self.is_false() || other.is_true() {
            return Ok(other.clone());
        }
        if other.is_false() || self.is_true() {
            return Ok(self.clone());
        }
        let (own, others) = (self.len(), other.len());
        if own * others > MAX_CLAUSES * 4 {
            return Err(TooLarge);
        }
        // Every entry that is not a clause's length is an atom.
        let written = (self.clauses.len() - own) * others + (other.clauses.len() - others) * own;
        if !arena.budget.try_spend(written as u64 / WRITTEN) {
            return Err(TooLarge);
        }
        let mut clauses = Vec::with_capacity(own * others);
        for a in self.clauses() {
            for b in other.clauses() {
                let mut clause: Vec<Atom> = a.iter().chain(b).copied().collect();
                clause.sort_unstable();
                clause.dedup();
                // Weak and strong atoms of one node are neighbours, weak first; `X a | X[!] a` is `X a`.
                clause.dedup_by_key(|atom| atom.id());
                if arena.unfolds() {
                    let all = clause.clone();
                    clause.retain(|one| !all.iter().any(|other| one != other && one.implies(*other, &arena)));
                }
                clauses.push(clause);
            }
        }
        Self::minimal(clauses, arena)
    }

    /// Removes clauses that others imply.
    fn minimal<C: AsRef<[Atom]> + Ord>(mut clauses: Vec<C>, arena: Metered<'_>) -> Result<Self, TooLarge> {
        clauses.sort_unstable_by(|a, b| a.as_ref().len().cmp(&b.as_ref().len()).then_with(|| a.cmp(b)));
        clauses.dedup();
        let mut kept: Vec<C> = Vec::with_capacity(clauses.len());
        let mut compared = 0;
        for clause in clauses {
            compared += kept.len() * clause.as_ref().len();
            if compared as u64 / COMPARED > arena.budget.left() {
                arena.budget.spend(compared as u64 / COMPARED);
                return Err(TooLarge);
            }
            // A clause implies another of the same length if it has strong atoms where the other has weak ones.
            if kept.iter().any(|other| implies(&arena, other.as_ref(), clause.as_ref())) {
                continue;
            }
            kept.retain(|other| !implies(&arena, clause.as_ref(), other.as_ref()));
            kept.push(clause);
        }
        arena.budget.spend(1 + compared as u64 / COMPARED);
        if kept.len() > MAX_CLAUSES {
            return Err(TooLarge);
        }
        kept.sort_unstable();
        Ok(Self::of(&kept))
    }
}

fn implies(arena: &NnfArena, a: &[Atom], b: &[Atom]) -> bool {
    a.len() <= b.len() && a.iter().all(|x| b.iter().any(|y| x.implies(*y, arena)))
}
