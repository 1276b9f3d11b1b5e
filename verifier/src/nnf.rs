//! Formulas in negation normal form, interned: equal subformulas are one node, also across laws.
//!
//! Only truth *inside* a word matters here, because a residual never evaluates a formula outside the word. Constants
//! are folded under that assumption: `F true` is `true`. The empty word is judged by [`accepts_empty`].
//!
//! **Past operators** become bits of [memory](Memory). `a S b` is `b | (a & m)`, where `m` is its value at the letter
//! before, false at first. `O b` is `true S b`, and `Y b` is the memory of `false S b`; `H` and `Z` are their duals. A
//! memory belongs to one formula that was [added](NnfArena::add): monitors of other formulas may begin at other letters.
//!
//! **Bounds and counts** are unfolded: `F[<=n] b` is `b | X[!] F[<=n-1] b`. Of the nodes of one unfolding, the earlier
//! ones imply the later ones ([`NnfArena::is_stronger`]).
//!
//! Interning makes a formula a graph. The normal form of `p0 xor p1 xor … xor pn` is exponentially long as text; here
//! it has four nodes for each operator. A walk through the graph must visit a [shared](NnfArena::is_shared) node once.
//! It must not recurse all the way down, because a graph may be some thousand nodes high. [`NnfArena::landings`] bounds
//! the depth.

mod facts;
mod letter_zero;

use std::ops::Deref;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::budget::Budget;
use crate::formula::Formula;
use crate::letter::PropSet;
use crate::vocabulary::{PropId, UnknownProposition, Vocabulary};

/// The number of a node in its [`NnfArena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NodeId(pub u32);

impl NodeId {
    pub const FALSE: Self = Self(0);
    pub const TRUE: Self = Self(1);

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of a memory in its [`NnfArena`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct MemoryId(u32);

/// A formula `a S b` without operators that look ahead, and what is remembered of it. The nodes come in pairs: that it is
/// false, that it is true.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memory {
    /// Its value.
    pub now: [NodeId; 2],
    /// Its value at the letter before; at the first letter it counts as false.
    pub before: [NodeId; 2],
}

/// A formula in negation normal form. `And` and `Or` are flat, sorted and without duplicates.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Node {
    False,
    True,
    Literal(PropId, bool),
    And(Box<[NodeId]>),
    Or(Box<[NodeId]>),
    /// `X` or, if the flag is true, `X[!]`.
    Next(bool, NodeId),
    Fixpoint(Fixpoint),
    /// The value of a memory at the letter before.
    Before(MemoryId, bool),
}

/// A temporal operator as the solution of its expansion. `φ = b | (a & X φ)` defines `a U b` and `a W b`;
/// `φ = b & (a | X φ)` defines `a R b` and `a M b`. `F b` is `true U b`, and `G b` is `false R b`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fixpoint {
    /// True if the expansion has the strong next: `U`, `M`.
    pub strong: bool,
    /// True if `b` is a conjunct of the expansion: `R`, `M`.
    pub conjunctive: bool,
    pub a: NodeId,
    pub b: NodeId,
}

impl Fixpoint {
    /// Returns whether `b` alone decides at the last letter: `U`, `R`.
    pub fn ends_with_b(self) -> bool {
        self.strong != self.conjunctive
    }
}

/// The permanent facts about a node.
#[derive(Clone, Copy, Debug)]
struct Facts {
    /// True if no operator occurs that looks ahead: one letter and the memories determine the truth.
    is_boolean: bool,
    /// The number of clauses of its conjunctive normal form over parts that are neither `And` nor `Or`.
    clauses: u32,
    /// The length of the longest chain of operators below it that are read at the same letter.
    height: u32,
    /// The number of the set of memories that it reads, now or later.
    reads: u32,
}

/// The nodes that bounds or counts of one formula unfold into, numbered by the bound or count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Unfolding {
    of: NodeId,
    /// True for `F[<=n]` and `at_least`.
    strong: bool,
    counts: bool,
}

/// The interned nodes.
#[derive(Clone, Debug)]
pub(crate) struct NnfArena {
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    /// True if more than one node has this one as a part.
    shared: Vec<Option<bool>>,
    index: FxHashMap<Node, NodeId>,
    /// The negations created so far.
    negations: FxHashMap<NodeId, NodeId>,
    /// Pairs of nodes that are each other's negation, which `<->` and `xor` need.
    opposites: FxHashMap<NodeId, NodeId>,
    memories: Vec<Memory>,
    /// Sets of memories that nodes read, sorted; the first one is empty.
    read: Vec<Box<[MemoryId]>>,
    /// The places of nodes in unfoldings.
    places: FxHashMap<NodeId, (Unfolding, u32)>,
}

/// An arena with the budget that questions about its nodes are charged to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Metered<'a> {
    pub arena: &'a NnfArena,
    pub budget: &'a Budget,
}

impl Deref for Metered<'_> {
    type Target = NnfArena;

    #[inline]
    fn deref(&self) -> &NnfArena {
        self.arena
    }
}

impl NnfArena {
    pub fn new() -> Self {
        let mut arena = Self {
            nodes: Vec::new(),
            facts: Vec::new(),
            shared: Vec::new(),
            index: FxHashMap::default(),
            negations: FxHashMap::default(),
            opposites: FxHashMap::default(),
            memories: Vec::new(),
            read: vec![Box::default()],
            places: FxHashMap::default(),
        };
        arena.intern(Node::False);
        arena.intern(Node::True);
        arena
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    fn intern(&mut self, node: Node) -> NodeId {
        if let Some(&id) = self.index.get(&node) {
            return id;
        }
        let id = NodeId(self.nodes.len() as u32);
        let facts = self.facts_of(&node);
        self.facts.push(facts);
        self.shared.push(None);
        for part in node.parts() {
            // The first node that has it as a part, or a later one.
            let shared = &mut self.shared[part.index()];
            *shared = Some(shared.is_some());
        }
        self.nodes.push(node.clone());
        self.index.insert(node, id);
        id
    }

    /// Interns a formula; an unknown proposition is returned as the error, and so is a past operator over one that looks
    /// ahead.
    ///
    /// Works with an explicit stack: a formula may be as deep as the parsers allow, on the stack of any thread.
    pub fn add(&mut self, formula: &Formula, vocabulary: &Vocabulary) -> Result<NodeId, UnknownProposition> {
        // Keyed by the address of a formula that needs its operands in both polarities, and by its own: without the memo,
        // nested ones would take exponential time.
        let mut memo: FxHashMap<(usize, bool), NodeId> = FxHashMap::default();
        let mut remembered: FxHashMap<(NodeId, NodeId), MemoryId> = FxHashMap::default();
        let mut open = vec![Task::Read(formula, true)];
        // The normal forms of operands whose operator is still open.
        let mut done: Vec<NodeId> = Vec::new();
        while let Some(task) = open.pop() {
            let (formula, positive, operands) = match task {
                Task::Read(formula, positive) => {
                    if let Some(&id) = memo.get(&key(formula, positive)) {
                        done.push(id);
                        continue;
                    }
                    let operands = operands(formula, positive);
                    open.push(Task::Join(formula, positive, operands.len()));
                    open.extend(operands.into_iter().rev().map(|(operand, positive)| Task::Read(operand, positive)));
                    continue;
                }
                Task::Join(formula, positive, count) => (formula, positive, done.split_off(done.len() - count)),
            };
            let id = match needs_both(formula) {
                false => self.join(formula, positive, operands, vocabulary)?,
                true => {
                    let id = self.join_both(formula, positive, &operands, vocabulary, &mut remembered)?;
                    memo.insert(key(formula, positive), id);
                    id
                }
            };
            done.push(id);
        }
        Ok(done.pop().unwrap_or(NodeId::TRUE))
    }

    /// Returns the normal form of a formula, or of its negation, from the normal forms of its [operands].
    fn join(
        &mut self,
        formula: &Formula,
        positive: bool,
        operands: Vec<NodeId>,
        vocabulary: &Vocabulary,
    ) -> Result<NodeId, UnknownProposition> {
        use Formula::*;
        Ok(match (formula, operands.as_slice()) {
            (True, _) => self.constant(positive),
            (False, _) => self.constant(!positive),
            (Atom(name), _) => {
                let id = vocabulary.require(name)?;
                self.intern(Node::Literal(id, positive))
            }
            (And(..) | Or(..) | Implies(..), _) => self.junction(operands, matches!(formula, And(..)) == positive),
            (&FinallyWithin(bound, _) | &GloballyWithin(bound, _), &[a]) => {
                let strong = matches!(formula, FinallyWithin(..)) == positive;
                (0..bound).fold(a, |within, number| {
                    let later = self.next(strong, within);
                    self.set_place(later, Unfolding { of: a, strong, counts: false }, number);
                    self.junction([a, later], !strong)
                })
            }
            (Next(_) | StrongNext(_), &[a]) => self.next(matches!(formula, StrongNext(_)) == positive, a),
            (Not(_), &[a]) => a,
            (_, operands) => {
                let (strong, conjunctive) = match formula {
                    Finally(_) | Until(..) => (true, false),
                    Globally(_) | Release(..) => (false, true),
                    WeakUntil(..) => (false, false),
                    _ => (true, true),
                };
                let (strong, conjunctive) = (strong == positive, conjunctive == positive);
                match *operands {
                    [a, b] => self.fixpoint(Fixpoint { strong, conjunctive, a, b }),
                    [b] => self.fixpoint(Fixpoint { strong, conjunctive, a: self.constant(!conjunctive), b }),
                    // Temporal operators have one or two operands.
                    _ => NodeId::TRUE,
                }
            }
        })
    }

    /// Does the same for a formula that needs its operands in both polarities. `remembered` has the memories of `a S b`.
    fn join_both(
        &mut self,
        formula: &Formula,
        positive: bool,
        operands: &[NodeId],
        vocabulary: &Vocabulary,
        remembered: &mut FxHashMap<(NodeId, NodeId), MemoryId>,
    ) -> Result<NodeId, UnknownProposition> {
        use Formula::*;
        let pairs: Vec<[NodeId; 2]> = operands.as_chunks().0.iter().map(|[holds, fails]| [*fails, *holds]).collect();
        pairs.iter().for_each(|pair| self.oppose(*pair));
        if formula.is_past() && !operands.iter().all(|id| self.is_boolean(*id)) {
            let name = format!("an operator that looks ahead, inside `{formula}`,");
            return vocabulary.require(&name).map(|_| NodeId::FALSE);
        }
        Ok(match (formula, pairs.as_slice()) {
            (Iff(..) | Xor(..), &[[a_false, a_true], [b_false, b_true]]) => {
                // (a -> b) & (b -> a), or (a | b) & (!a | !b)
                let same = matches!(formula, Iff(..)) == positive;
                let (left, right) =
                    if same { ([a_false, b_true], [a_true, b_false]) } else { ([a_true, b_true], [a_false, b_false]) };
                let parts = [self.or(left), self.or(right)];
                self.and(parts)
            }
            (&AtLeast(count, _) | &AtMost(count, _), &[a]) => {
                let strong = matches!(formula, AtLeast(..)) == positive;
                // `at_most` is the negation of one more.
                let count = count.saturating_add(u32::from(matches!(formula, AtMost(..))));
                self.counted(count, a, strong)
            }
            (&Since(..), &[a, b]) => {
                let memory = self.remember(a, b, remembered);
                self.memories[memory.0 as usize].now[usize::from(positive)]
            }
            // `O a` is `true S a`, and `Y a` the memory of `false S a`; `H a` and `Z a` deny these of `!a`.
            (_, &[[fails, holds]]) => {
                let denies = matches!(formula, Historically(_) | WeakYesterday(_));
                let a = if denies { [holds, fails] } else { [fails, holds] };
                let is_yesterday = matches!(formula, Yesterday(_) | WeakYesterday(_));
                let always = [self.constant(is_yesterday), self.constant(!is_yesterday)];
                let memory = self.remember(always, a, remembered);
                let Memory { now, before } = self.memories[memory.0 as usize];
                (if is_yesterday { before } else { now })[usize::from(positive != denies)]
            }
            // The others have one operand or two.
            _ => NodeId::TRUE,
        })
    }

    /// Records that two nodes are each other's negation.
    fn oppose(&mut self, [one, other]: [NodeId; 2]) {
        self.opposites.insert(one, other);
        self.opposites.insert(other, one);
    }

    /// Returns the memory of `a S b`, of which all polarities are given.
    fn remember(
        &mut self,
        a: [NodeId; 2],
        b: [NodeId; 2],
        remembered: &mut FxHashMap<(NodeId, NodeId), MemoryId>,
    ) -> MemoryId {
        if let Some(&known) = remembered.get(&(a[1], b[1])) {
            return known;
        }
        let id = MemoryId(self.memories.len() as u32);
        let before = [false, true].map(|value| self.intern(Node::Before(id, value)));
        let mut read: Vec<MemoryId> = a.iter().chain(&b).flat_map(|id| self.memories_read(*id)).copied().collect();
        read.push(id);
        let read = self.read_set(read);
        before.iter().for_each(|id| self.facts[id.index()].reads = read);
        let [fails, holds] = [0, 1].map(|value| self.junction([a[value], before[value]], value == 1));
        let now = [self.and([b[0], fails]), self.or([b[1], holds])];
        self.oppose(now);
        self.memories.push(Memory { now, before });
        remembered.insert((a[1], b[1]), id);
        id
    }

    /// Returns "`a` holds at this number of letters or more", or its negation if not `strong`: `!a U (a & X[!] …)`, which
    /// ends in `F a`. `a` comes with its negation, which is first.
    fn counted(&mut self, count: u32, [fails, holds]: [NodeId; 2], strong: bool) -> NodeId {
        let (one, other) = if strong { (holds, fails) } else { (fails, holds) };
        (0..count).fold(self.constant(strong), |fewer, number| {
            let (a, b) = match number {
                0 => (self.constant(strong), one),
                _ => {
                    let later = self.next(strong, fewer);
                    (other, self.junction([one, later], strong))
                }
            };
            let counted = self.fixpoint(Fixpoint { strong, conjunctive: !strong, a, b });
            self.set_place(counted, Unfolding { of: one, strong, counts: true }, number);
            counted
        })
    }

    fn constant(&self, value: bool) -> NodeId {
        if value { NodeId::TRUE } else { NodeId::FALSE }
    }

    pub fn and(&mut self, parts: impl IntoIterator<Item = NodeId>) -> NodeId {
        self.junction(parts, true)
    }

    pub fn or(&mut self, parts: impl IntoIterator<Item = NodeId>) -> NodeId {
        self.junction(parts, false)
    }

    fn junction(&mut self, parts: impl IntoIterator<Item = NodeId>, conjunction: bool) -> NodeId {
        let (neutral, absorbing) =
            if conjunction { (NodeId::TRUE, NodeId::FALSE) } else { (NodeId::FALSE, NodeId::TRUE) };
        let mut flat = Vec::new();
        for part in parts {
            match self.node(part) {
                Node::And(inner) if conjunction => flat.extend_from_slice(inner),
                Node::Or(inner) if !conjunction => flat.extend_from_slice(inner),
                _ => flat.push(part),
            }
        }
        flat.retain(|&part| part != neutral);
        flat.sort_unstable();
        flat.dedup();
        let opposed = |part: &NodeId| {
            let negated = match *self.node(*part) {
                Node::Literal(prop, positive) => Node::Literal(prop, !positive),
                Node::Before(memory, value) => Node::Before(memory, !value),
                _ => return false,
            };
            self.index.get(&negated).is_some_and(|other| flat.binary_search(other).is_ok())
        };
        if flat.contains(&absorbing) || flat.iter().any(opposed) {
            return absorbing;
        }
        match flat.as_slice() {
            [] => neutral,
            [only] => *only,
            _ if conjunction => self.intern(Node::And(flat.into())),
            _ => self.intern(Node::Or(flat.into())),
        }
    }

    /// Returns "`a` holds at the next letter": `X a` or, if `strong`, `X[!] a`.
    pub fn next(&mut self, strong: bool, a: NodeId) -> NodeId {
        if a == self.constant(!strong) { a } else { self.intern(Node::Next(strong, a)) }
    }

    fn fixpoint(&mut self, fixpoint: Fixpoint) -> NodeId {
        let Fixpoint { strong, conjunctive, a, b } = fixpoint;
        let (neutral, absorbing) = (self.constant(conjunctive), self.constant(!conjunctive));
        if b == absorbing || a == neutral {
            return b;
        }
        if b == neutral {
            // `a W false` is `G a`, and `a M true` is `F a`.
            let other = Fixpoint { strong, conjunctive: !conjunctive, a: b, b: a };
            return if fixpoint.ends_with_b() { b } else { self.fixpoint(other) };
        }
        if a == absorbing {
            // `true W b` is `true`, and `false M b` is `false`; `G G b` is `G b`, and `F F b` is `F b`.
            let repeats = |inner: &Fixpoint| (inner.strong, inner.conjunctive, inner.a) == (strong, conjunctive, a);
            match self.node(b) {
                _ if !fixpoint.ends_with_b() => return a,
                Node::Fixpoint(inner) if repeats(inner) => return b,
                _ => {}
            }
        }
        self.intern(Node::Fixpoint(fixpoint))
    }

    /// Returns the node that is the negation of this one, if a formula needs both.
    pub fn opposite(&self, id: NodeId) -> Option<NodeId> {
        self.opposites.get(&id).copied()
    }

    /// Returns the negation of a node, if [`NnfArena::negate`] was called for it or for a node above it.
    pub fn negation(&self, id: NodeId) -> Option<NodeId> {
        match id {
            NodeId::TRUE => Some(NodeId::FALSE),
            NodeId::FALSE => Some(NodeId::TRUE),
            _ => self.negations.get(&id).copied(),
        }
    }

    /// Creates the negations of a node and of all nodes below it, in negation normal form.
    pub fn negate(&mut self, id: NodeId) -> NodeId {
        for id in self.below(id, |id| !self.negations.contains_key(&id)) {
            if !self.negations.contains_key(&id) {
                let negated = self.negated(id);
                self.negations.insert(id, negated);
            }
        }
        self.negations.get(&id).copied().unwrap_or(id)
    }

    /// Returns the negation of a node whose parts were negated.
    fn negated(&mut self, id: NodeId) -> NodeId {
        let node = self.node(id).clone();
        let not = |arena: &Self, part: NodeId| arena.negations.get(&part).copied().unwrap_or(part);
        let parts: Vec<NodeId> = node.parts().map(|part| not(self, part)).collect();
        match (node, parts.as_slice()) {
            (Node::False, _) => NodeId::TRUE,
            (Node::True, _) => NodeId::FALSE,
            (Node::Literal(prop, positive), _) => self.intern(Node::Literal(prop, !positive)),
            (Node::Before(memory, value), _) => self.intern(Node::Before(memory, !value)),
            (Node::And(_), _) => self.or(parts),
            (Node::Or(_), _) => self.and(parts),
            (Node::Next(strong, _), &[a]) => self.next(!strong, a),
            (Node::Fixpoint(Fixpoint { strong, conjunctive, .. }), &[a, b]) => {
                self.fixpoint(Fixpoint { strong: !strong, conjunctive: !conjunctive, a, b })
            }
            // The other operators have no parts.
            _ => id,
        }
    }

    /// Returns the propositions below a node, with those that its memories read.
    pub fn propositions(&self, id: NodeId) -> PropSet {
        let literal = |id: NodeId| match self.node(id) {
            Node::Literal(prop, _) => Some(*prop),
            _ => None,
        };
        let remembered = self.memories_read(id).iter().map(|memory| self.memory(*memory).now[1]);
        std::iter::once(id).chain(remembered).flat_map(|id| self.below(id, |_| true)).filter_map(literal).collect()
    }

    /// Returns a node and those below it, each once, parts before the nodes that contain them. The parts of nodes that
    /// do not satisfy `opens` are left out.
    fn below(&self, id: NodeId, opens: impl Fn(NodeId) -> bool) -> Vec<NodeId> {
        let (mut open, mut seen) = (vec![id], FxHashSet::default());
        while let Some(id) = open.pop() {
            if seen.insert(id) && opens(id) {
                open.extend(self.node(id).parts());
            }
        }
        let mut found: Vec<NodeId> = seen.into_iter().collect();
        // Parts are interned before the nodes that contain them.
        found.sort_unstable();
        found
    }
}

/// A pending task for a formula or its negation.
enum Task<'f> {
    /// Compute the normal forms of its operands.
    Read(&'f Formula, bool),
    /// Join this number of operands, the last ones computed.
    Join(&'f Formula, bool, usize),
}

fn key(formula: &Formula, positive: bool) -> (usize, bool) {
    (std::ptr::from_ref(formula) as usize, positive)
}

/// Returns the formulas, each with its polarity, whose normal forms make that of a formula or its negation. A chain of
/// one connective is returned with all its operands at once: a node for each prefix of a long chain would take
/// quadratic space.
fn operands(formula: &Formula, positive: bool) -> Vec<(&Formula, bool)> {
    use Formula::*;
    match formula {
        True | False | Atom(_) => Vec::new(),
        Not(a) => vec![(a, !positive)],
        And(..) | Or(..) | Implies(..) => flatten(formula, positive, matches!(formula, And(..)) == positive),
        _ if needs_both(formula) => formula.children().flat_map(|child| [(child, true), (child, false)]).collect(),
        _ => formula.children().map(|child| (child, positive)).collect(),
    }
}

/// Returns whether the normal form needs those of the operands and of their negations.
fn needs_both(formula: &Formula) -> bool {
    use Formula::*;
    let is_past = matches!(formula, Yesterday(_) | WeakYesterday(_) | Once(_) | Historically(_) | Since(..));
    is_past || matches!(formula, Iff(..) | Xor(..) | AtLeast(..) | AtMost(..))
}

/// Returns the operands of a chain of one connective, from left to right, each with its polarity.
fn flatten(formula: &Formula, positive: bool, conjunction: bool) -> Vec<(&Formula, bool)> {
    let (mut open, mut operands) = (vec![(formula, positive)], Vec::new());
    while let Some((formula, positive)) = open.pop() {
        match (formula, formula.junction(positive)) {
            (Formula::Not(a), _) => open.push((a, !positive)),
            (_, Some((all, [a, b]))) if all == conjunction => open.extend([b, a]),
            _ => operands.push((formula, positive)),
        }
    }
    operands
}

/// Returns whether the empty word satisfies a formula: weak operators hold there, strong ones and propositions do not.
pub(crate) fn accepts_empty(formula: &Formula) -> bool {
    use Formula::*;
    match formula {
        True | Next(_) | Globally(_) | WeakUntil(..) | Release(..) => true,
        GloballyWithin(..) | AtMost(..) | AtLeast(0, _) | WeakYesterday(_) | Historically(_) => true,
        False | Atom(_) | StrongNext(_) | Finally(_) | Until(..) | StrongRelease(..) => false,
        FinallyWithin(..) | AtLeast(..) | Yesterday(_) | Once(_) | Since(..) => false,
        Not(a) => !accepts_empty(a),
        And(a, b) => accepts_empty(a) && accepts_empty(b),
        Or(a, b) => accepts_empty(a) || accepts_empty(b),
        Implies(a, b) => !accepts_empty(a) || accepts_empty(b),
        Iff(a, b) => accepts_empty(a) == accepts_empty(b),
        Xor(a, b) => accepts_empty(a) != accepts_empty(b),
    }
}
