//! Progression: a formula that must hold at a letter becomes a demand on the letters after it.
//!
//! A formula without operators that look ahead is true or false at a letter and is evaluated directly. Every node of the graph
//! is read once, independent of the number of paths to it. So the cost is linear in the graph, except where clauses
//! multiply. In a very deep formula, some intermediate nodes are read first, so that the recursion stays shallow.

use rustc_hash::FxHashMap;

use super::{Atom, Residual, TooLarge};
use crate::letter::Letter;
use crate::nnf::{Fixpoint, MemoryId, Metered, Node, NodeId};

/// The number of nodes visited for a unit of work.
const VISITED: u64 = 16;

/// The progression of formulas through one letter.
struct Progress<'a> {
    arena: Metered<'a>,
    letter: &'a Letter,
    /// The residual that reads the letter, for its memories.
    before: &'a Residual,
    visits: u64,
    /// True if the same formula may be requested several times.
    asked_again: bool,
    /// The truth of shared formulas and landings without temporal operators.
    truths: FxHashMap<NodeId, bool>,
    /// The residuals of other shared formulas and landings.
    residuals: FxHashMap<NodeId, Result<Residual, TooLarge>>,
}

impl<'a> Progress<'a> {
    fn new(arena: Metered<'a>, letter: &'a Letter, before: &'a Residual, asked_again: bool) -> Self {
        let (truths, residuals) = (FxHashMap::default(), FxHashMap::default());
        Self { arena, letter, before, visits: 0, asked_again, truths, residuals }
    }

    /// Returns the residual of the formula of an atom.
    fn of_atom(&mut self, id: NodeId) -> Result<Residual, TooLarge> {
        let arena = self.arena;
        for landing in arena.landings(id) {
            // If that is too large for the law, the error appears when the law requests it.
            match arena.is_boolean(landing) {
                true => self.holds(landing).map(|_| ())?,
                false => self.remembered(landing, true).map_or((), |_| ()),
            }
        }
        self.remembered(id, self.asked_again)
    }

    fn of(&mut self, id: NodeId) -> Result<Residual, TooLarge> {
        self.remembered(id, false)
    }

    fn remembered(&mut self, id: NodeId, again: bool) -> Result<Residual, TooLarge> {
        self.visit()?;
        let arena = self.arena;
        if arena.is_boolean(id) {
            return Ok(Residual::constant(self.holds(id)?));
        }
        if !again && !arena.is_shared(id) && !arena.is_landing(id) {
            return self.fresh(id);
        }
        if let Some(known) = self.residuals.get(&id) {
            return known.clone();
        }
        let found = self.fresh(id);
        self.residuals.insert(id, found.clone());
        found
    }

    fn fresh(&mut self, id: NodeId) -> Result<Residual, TooLarge> {
        let arena = self.arena;
        match arena.arena.node(id) {
            Node::False | Node::True | Node::Literal(..) | Node::Before(..) => Ok(Residual::constant(self.holds(id)?)),
            Node::And(parts) => {
                let mut all = Vec::with_capacity(parts.len());
                for &part in parts {
                    let part = self.of(part)?;
                    if part.is_false() {
                        return Ok(part);
                    }
                    all.push(part);
                }
                Residual::all(all, arena)
            }
            Node::Or(parts) => {
                let mut any = Residual::falsehood();
                for &part in parts {
                    any = any.or(&self.of(part)?, arena)?;
                    if any.is_true() {
                        break;
                    }
                }
                Ok(any)
            }
            &Node::Next(strong, a) => self.next(a, strong),
            &Node::Fixpoint(fixpoint) => self.of(fixpoint.b)?.expanded(self.of(fixpoint.a)?, id, fixpoint, arena),
        }
    }

    /// Returns the residual without the parts that the letter falsifies. Of a falsified conjunction, the falsified
    /// conjuncts are removed and the others stay. If all disjuncts are falsified, the rest of each is an alternative,
    /// except for disjuncts without temporal operators: a guard that applied does not excuse the law. A formula that is
    /// too deep to be split is too large.
    fn forgiven(&mut self, id: NodeId) -> Result<Residual, TooLarge> {
        let arena = self.arena;
        let found = self.remembered(id, true)?;
        if !found.is_false() {
            return Ok(found);
        }
        if !arena.landings(id).is_empty() {
            return Err(TooLarge);
        }
        match arena.arena.node(id) {
            Node::And(parts) => {
                let parts: Result<Vec<_>, _> = parts.iter().map(|&part| self.forgiven(part)).collect();
                Residual::all(parts?, arena)
            }
            Node::Or(parts) => self.any_forgiven(parts.iter().copied()),
            &Node::Fixpoint(fixpoint) if fixpoint.conjunctive => {
                self.forgiven(fixpoint.b)?.expanded(self.of(fixpoint.a)?, id, fixpoint, arena)
            }
            &Node::Fixpoint(fixpoint) => {
                Residual::falsehood().expanded(self.forgiven(fixpoint.a)?, id, fixpoint, arena)
            }
            _ => Ok(Residual::truth()),
        }
    }

    fn any_forgiven(&mut self, ids: impl Iterator<Item = NodeId>) -> Result<Residual, TooLarge> {
        let arena = self.arena;
        let mut any: Option<Residual> = None;
        for id in ids.filter(|id| !arena.is_boolean(*id)) {
            let one = self.forgiven(id)?;
            any = Some(match any {
                Some(any) => any.or(&one, arena)?,
                None => one,
            });
        }
        Ok(any.unwrap_or_else(Residual::truth))
    }

    /// Returns "`id` from the next letter on". `X` distributes over both connectives, which keeps the form canonical. A
    /// formula that would be distributed into too many clauses stays whole.
    fn next(&mut self, id: NodeId, strong: bool) -> Result<Residual, TooLarge> {
        let arena = self.arena;
        match arena.arena.node(id) {
            Node::True if !strong => Ok(Residual::truth()),
            Node::False if strong => Ok(Residual::falsehood()),
            Node::And(parts) if !arena.is_whole(id) => {
                let parts = parts.iter().map(|&part| self.next(part, strong));
                Residual::all(parts.collect::<Result<_, _>>()?, arena)
            }
            Node::Or(parts) if !arena.is_whole(id) => {
                parts.iter().try_fold(Residual::falsehood(), |any, &part| any.or(&self.next(part, strong)?, arena))
            }
            &Node::Before(memory, value) => {
                let holds = self.value(memory)? == value;
                self.next(if holds { NodeId::TRUE } else { NodeId::FALSE }, strong)
            }
            _ => Ok(Residual::of(&[[Atom::new(id, strong)]])),
        }
    }

    /// Returns the value of a memory's formula at the letter.
    fn value(&mut self, memory: MemoryId) -> Result<bool, TooLarge> {
        let [_, holds] = self.arena.memory(memory).now;
        for landing in self.arena.landings(holds) {
            self.holds(landing)?;
        }
        self.holds(holds)
    }

    /// Returns the residual after the letter, with its memories.
    fn remember(&mut self, residual: Residual) -> Result<Residual, TooLarge> {
        let mut remembered = Vec::new();
        for memory in residual.memories_read(&self.arena) {
            if self.value(memory)? {
                remembered.push(memory);
            }
        }
        let remembered = if remembered.is_empty() { None } else { Some(remembered.into()) };
        Ok(Residual { remembered, ..residual })
    }

    /// Returns the truth of a formula without operators that look ahead.
    fn holds(&mut self, id: NodeId) -> Result<bool, TooLarge> {
        let arena = self.arena;
        let (parts, conjunction) = match arena.arena.node(id) {
            Node::True => return Ok(true),
            Node::Literal(prop, positive) => return Ok(self.letter.holds(*prop) == *positive),
            Node::Before(memory, value) => return Ok(self.before.remembers(*memory) == *value),
            Node::And(parts) => (parts, true),
            Node::Or(parts) => (parts, false),
            // Temporal operators do not occur here.
            _ => return Ok(false),
        };
        self.visit()?;
        let is_kept = arena.is_shared(id) || arena.is_landing(id);
        if is_kept && let Some(&known) = self.truths.get(&id) {
            return Ok(known);
        }
        let mut truth = conjunction;
        for &part in parts {
            truth = self.holds(part)?;
            if truth != conjunction {
                break;
            }
        }
        if is_kept {
            self.truths.insert(id, truth);
        }
        Ok(truth)
    }

    fn visit(&mut self) -> Result<(), TooLarge> {
        self.visits += 1;
        if self.visits.is_multiple_of(VISITED) && !self.arena.budget.try_spend(1) {
            return Err(TooLarge);
        }
        Ok(())
    }
}

impl Residual {
    /// Returns the expansion of the operator `id`, from the residuals of `b` (`self`) and `a`.
    fn expanded(self, a: Self, id: NodeId, fixpoint: Fixpoint, arena: Metered<'_>) -> Result<Self, TooLarge> {
        let later = Self::of(&[[Atom::new(id, fixpoint.strong)]]);
        match fixpoint.conjunctive {
            true => self.and(a.or(&later, arena)?, arena),
            false => self.or(&a.and(later, arena)?, arena),
        }
    }

    /// Returns the residual of the law after one more letter, within the current budget. With `forgives`, the parts that
    /// the letter falsifies are left out.
    pub(super) fn read(&self, arena: Metered<'_>, letter: &Letter, forgives: bool) -> Result<Self, TooLarge> {
        // An atom may occur in several clauses.
        let mut progress = Progress::new(arena, letter, self, forgives || self.clauses().nth(1).is_some());
        let mut parts = Vec::new();
        for clause in self.clauses() {
            let mut any = Self::falsehood();
            for atom in clause {
                any = any.or(&progress.of_atom(atom.id())?, arena)?;
                if any.is_true() {
                    break;
                }
            }
            if any.is_false() {
                if !forgives {
                    return Ok(any);
                }
                any = progress.any_forgiven(clause.iter().map(|atom| atom.id()))?;
            }
            parts.push(any);
        }
        let found = Self::all(parts, arena)?;
        progress.remember(found)
    }
}
