//! Satisfiability of a set of residuals by some finite continuation, when observations are free.
//!
//! The search goes letter by letter; each letter is a propositional question for a SAT solver. Subformulas that cannot
//! all hold if the word ends within `k` further letters are a *core* of level `k`. Cores are kept for later questions.
//! As soon as the cores of one level all hold at the next as well, they hold for ever. So the search ends if there is
//! no continuation. The method is conflict-driven LTLf satisfiability checking (Li, Rozier, Pu, Zhang, Vardi:
//! "SAT-based explicit LTLf satisfiability checking", AAAI 2019), with the level-wise propagation of IC3.

use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, lbool};
use rustc_hash::FxHashMap;

use crate::budget::Budget;
use crate::letter::{Letter, PropSet};
use crate::minimise::try_minimal_subset;
use crate::nnf::{Fixpoint, MemoryId, Metered, NnfArena, Node, NodeId};
use crate::residual::Residual;
use crate::vocabulary::{ActionId, PropId, Vocabulary};

/// The cost of one of the solver's decisions, in units of work.
const DECISION_COST: u64 = 5;

/// Counts the solver's decisions and stops it when a question has used up its budget.
struct Decisions(Budget);

impl Callbacks for Decisions {
    fn stop(&self) -> bool {
        !self.0.try_spend(1)
    }
}

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Yes: these letters, at least one.
    Plan(Vec<Letter>),
    /// No, whatever the environment does; the residuals at these positions of the question suffice for that.
    Unsat(Vec<usize>),
    /// The work ran out first.
    Unknown,
}

/// Maximum number of cores before everything learned is dropped, to bound memory.
const MAX_CORES: usize = 4096;
/// Maximum number of literals before the encoding starts afresh, to bound memory.
const MAX_VARIABLES: u32 = 60_000;
/// The same for clauses.
const MAX_CLAUSES: u64 = 200_000;
/// Maximum number of actions that exclude each other pair by pair.
const MAX_PAIRED: usize = 6;
/// Maximum number of letters that the search looks ahead.
const MAX_LEVELS: usize = 400;

struct UnsatCore {
    parts: Box<[NodeId]>,
    /// It cannot end within this many further letters; `None`: never.
    level: Option<usize>,
}

/// The budget ran out.
struct OutOfBudget;

/// The literals of a question that keep it from ending.
struct Stuck {
    core: Vec<Lit>,
    /// True if more letters would not help.
    forever: bool,
}

enum Reached {
    Plan(Vec<Letter>),
    Stuck(Stuck),
}

pub(crate) struct LtlfSat {
    solver: Solver<Decisions>,
    /// By proposition; those outside of what is read hold at no letter.
    props: Vec<Lit>,
    read: Vec<PropId>,
    stop: Option<PropId>,
    observation_count: usize,
    /// The variables below this one are for the solver to decide; of the others it decides some choices.
    decided: u32,
    truth: Lit,
    /// This letter is the last.
    last: Lit,
    /// The next letter is `action_stop`, and the last.
    stop_next: Lit,
    now: FxHashMap<NodeId, Lit>,
    later: FxHashMap<NodeId, Lit>,
    later_list: Vec<(NodeId, Lit)>,
    at_stop: FxHashMap<NodeId, Lit>,
    /// The value of each memory is demanded of the next letter.
    kept: FxHashMap<MemoryId, Lit>,
    residuals: FxHashMap<Residual, Lit>,
    cores: Vec<UnsatCore>,
    /// Switches the cores of one level on.
    levels: Vec<Lit>,
    /// Clauses made since work was last counted.
    encoded: u64,
}

impl LtlfSat {
    /// A search over letters of a vocabulary. With `stop_ends`, `action_stop` comes last or not at all and leaves the
    /// observations as they are; without, it is an action like any other (as single monitors see it).
    pub fn new(vocabulary: &Vocabulary, stop_ends: bool) -> Self {
        Self::over(vocabulary, stop_ends, &PropSet::first(vocabulary.propositions().len()))
    }

    /// The same for formulas that read some propositions only, which take all or none of those of an axiom: letters are over
    /// these, so that one of the actions must stand for those left out.
    pub fn over(vocabulary: &Vocabulary, stop_ends: bool, read: &PropSet) -> Self {
        let mut solver = Solver::new(SolverOpts::default(), Decisions(Budget::new()));
        let mut fresh = || Lit::new(solver.new_var(lbool::UNDEF, true), true);
        let (truth, last, stop_next) = (fresh(), fresh(), fresh());
        let all = (0..vocabulary.propositions().len()).map(|at| PropId(at as u16));
        let props: Vec<Lit> = all.map(|prop| if read.contains(prop) { fresh() } else { !truth }).collect();
        let stop = vocabulary.stop().filter(|_| stop_ends).map(|stop| vocabulary.action_prop(stop));
        let mut ltlf_sat = Self {
            decided: solver.num_vars(),
            solver,
            props,
            read: read.iter().collect(),
            stop,
            observation_count: vocabulary.observations().len(),
            truth,
            last,
            stop_next,
            now: FxHashMap::default(),
            later: FxHashMap::default(),
            later_list: Vec::new(),
            at_stop: FxHashMap::default(),
            kept: FxHashMap::default(),
            residuals: FxHashMap::default(),
            cores: Vec::new(),
            levels: Vec::new(),
            encoded: 0,
        };
        ltlf_sat.clause(&[truth]);
        ltlf_sat.clause(&[!last, !stop_next]);
        let is_action = |prop: &&PropId| usize::from(prop.0) >= ltlf_sat.observation_count;
        let actions = ltlf_sat.read.iter().filter(is_action).map(|prop| ltlf_sat.props[usize::from(prop.0)]);
        let actions: Vec<Lit> = actions.collect();
        if !actions.is_empty() {
            ltlf_sat.clause(&actions);
            ltlf_sat.at_most_one(&actions);
        }
        match ltlf_sat.stop {
            Some(stop) => ltlf_sat.clause(&[!ltlf_sat.props[usize::from(stop.0)]]),
            None => ltlf_sat.clause(&[!stop_next]),
        }
        let (mut arena, budget) = (NnfArena::new(), Budget::new());
        for axiom in vocabulary.axioms() {
            // A vocabulary refuses axioms over anything but its observations.
            if let Ok(id) = arena.add(&axiom.formula, vocabulary)
                && arena.propositions(id).is_subset(read)
            {
                let lit = ltlf_sat.now(Metered { arena: &arena, budget: &budget }, id);
                ltlf_sat.clause(&[lit]);
            }
        }
        // The axioms' nodes are those of another arena.
        ltlf_sat.now.clear();
        ltlf_sat
    }

    /// Adds the clauses that at most one of these holds. Few exclude each other pair by pair; of many, each excludes
    /// all before it, which a chain of literals sums up: a solver is made for each question.
    fn at_most_one(&mut self, lits: &[Lit]) {
        let (pairs, chained) = lits.split_at(lits.len().min(MAX_PAIRED));
        for (position, &one) in pairs.iter().enumerate() {
            for &other in &pairs[position + 1..] {
                self.clause(&[!one, !other]);
            }
        }
        if chained.is_empty() {
            return;
        }
        let mut before = self.fresh();
        pairs.iter().for_each(|&one| self.clause(&[!one, before]));
        for &one in chained {
            self.clause(&[!one, !before]);
            let after = self.fresh();
            self.clause(&[!before, after]);
            self.clause(&[!one, after]);
            before = after;
        }
    }

    fn decisions(&self) -> &Budget {
        &self.solver.cb().0
    }

    /// Returns whether so much was encoded or learned that a new one is due.
    pub fn is_full(&self) -> bool {
        self.solver.num_vars() > MAX_VARIABLES
            || self.solver.num_clauses() > MAX_CLAUSES
            || self.cores.len() > MAX_CORES
    }

    /// Only the letter, and which part of a disjunction to satisfy, is for the solver to decide. Everything else follows
    /// or stays open, and open means false: then a clause with a negated open literal holds, and this sees to it that a
    /// clause has no two others that nobody decides. So an answer demands of the next letter what it has to, no more.
    fn clause(&mut self, lits: &[Lit]) {
        self.encoded += 1;
        let decided = self.decided;
        let is_open = |lit: Lit| lit.sign() && lit.var().idx() >= decided;
        let Some(keep) = lits.iter().rposition(|&lit| is_open(lit)) else {
            self.solver.add_clause_reuse(&mut lits.to_vec());
            return;
        };
        let mut clause = lits.to_vec();
        let others: Vec<usize> = (0..keep).filter(|&at| is_open(lits[at])).collect();
        for at in others {
            let choice = Lit::new(self.solver.new_var_default(), true);
            self.solver.add_clause_reuse(&mut vec![!choice, lits[at]]);
            clause[at] = choice;
        }
        self.solver.add_clause_reuse(&mut clause);
    }

    /// A literal that follows from others.
    fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var(lbool::UNDEF, false), true)
    }

    /// "`id` holds at this letter"; one direction suffices, since formulas occur positively only.
    fn now(&mut self, arena: Metered<'_>, id: NodeId) -> Lit {
        if let Some(&lit) = self.now.get(&id) {
            return lit;
        }
        for landing in arena.landings(id) {
            self.encode_now(arena, landing);
        }
        self.encode_now(arena, id)
    }

    fn encode_now(&mut self, arena: Metered<'_>, id: NodeId) -> Lit {
        if let Some(&lit) = self.now.get(&id) {
            return lit;
        }
        let lit = match arena.node(id) {
            Node::True => self.truth,
            Node::False => !self.truth,
            &Node::Literal(prop, positive) => {
                let lit = self.props[usize::from(prop.0)];
                if positive { lit } else { !lit }
            }
            &Node::Before(memory, false) => {
                let [_, holds] = arena.memory(memory).before;
                !self.encode_now(arena, holds)
            }
            node => {
                let lit = self.fresh();
                match node {
                    Node::And(parts) => {
                        for &part in parts {
                            let part = self.encode_now(arena, part);
                            self.clause(&[!lit, part]);
                        }
                    }
                    Node::Or(parts) => {
                        let mut clause = vec![!lit];
                        for &part in parts {
                            clause.push(self.encode_now(arena, part));
                        }
                        self.clause(&clause);
                    }
                    &Node::Next(strong, a) => {
                        let later = self.later(arena, a);
                        self.next_clauses(&[!lit], strong, later);
                    }
                    &Node::Fixpoint(Fixpoint { strong, conjunctive, a, b }) => {
                        let (a, b, later) =
                            (self.encode_now(arena, a), self.encode_now(arena, b), self.later(arena, id));
                        if conjunctive {
                            self.clause(&[!lit, b]);
                            self.next_clauses(&[!lit, a], strong, later);
                        } else {
                            self.clause(&[!lit, b, a]);
                            self.next_clauses(&[!lit, b], strong, later);
                        }
                    }
                    Node::True | Node::False | Node::Literal(..) | Node::Before(..) => {}
                }
                lit
            }
        };
        self.now.insert(id, lit);
        // It follows, but from cases that are many without it: of two long chains of `xor`, one of each polarity.
        if let Some(&opposite) = arena.opposite(id).and_then(|opposite| self.now.get(&opposite)) {
            self.clause(&[!lit, !opposite]);
        }
        lit
    }

    /// Adds the clauses "one of `unless`, or the next letter satisfies `later`".
    fn next_clauses(&mut self, unless: &[Lit], strong: bool, later: Lit) {
        if strong {
            self.clause(&[unless, &[later]].concat());
            self.clause(&[unless, &[!self.last]].concat());
        } else {
            self.clause(&[unless, &[self.last, later]].concat());
        }
    }

    /// "`id` holds at the next letter".
    fn later(&mut self, arena: Metered<'_>, id: NodeId) -> Lit {
        match id {
            NodeId::TRUE => return self.truth,
            NodeId::FALSE => return !self.truth,
            _ => {}
        }
        if let Some(&lit) = self.later.get(&id) {
            return lit;
        }
        let lit = self.fresh();
        self.later.insert(id, lit);
        self.later_list.push((id, lit));
        if let &Node::Before(memory, value) = arena.node(id) {
            let now = self.now(arena, arena.memory(memory).now[usize::from(value)]);
            self.clause(&[!lit, now]);
        } else {
            for &memory in arena.memories_read(id) {
                let kept = self.kept(arena, memory);
                self.clause(&[!lit, kept]);
            }
        }
        if self.stop.is_some() {
            let at_stop = self.at_stop(arena, id);
            self.clause(&[!self.stop_next, !lit, at_stop]);
        }
        lit
    }

    /// "The next letter's question has the value of a memory". Demands that read the memory need it.
    fn kept(&mut self, arena: Metered<'_>, memory: MemoryId) -> Lit {
        if let Some(&lit) = self.kept.get(&memory) {
            return lit;
        }
        let lit = self.fresh();
        self.kept.insert(memory, lit);
        let [fails, holds] = arena.memory(memory).before.map(|id| self.later(arena, id));
        self.clause(&[!lit, fails, holds]);
        lit
    }

    /// "`id` holds at a last letter with this letter's observations and `action_stop`".
    fn at_stop(&mut self, arena: Metered<'_>, id: NodeId) -> Lit {
        for landing in arena.landings(id) {
            self.encode_at_stop(arena, landing);
        }
        self.encode_at_stop(arena, id)
    }

    fn encode_at_stop(&mut self, arena: Metered<'_>, id: NodeId) -> Lit {
        if let Some(&lit) = self.at_stop.get(&id) {
            return lit;
        }
        let lit = match arena.node(id) {
            Node::True | Node::Next(false, _) => self.truth,
            Node::False | Node::Next(true, _) => !self.truth,
            &Node::Literal(prop, positive) => {
                let lit = if usize::from(prop.0) < self.observation_count {
                    self.props[usize::from(prop.0)]
                } else if Some(prop) == self.stop {
                    self.truth
                } else {
                    !self.truth
                };
                if positive { lit } else { !lit }
            }
            &Node::Before(memory, value) => self.now(arena, arena.memory(memory).now[usize::from(value)]),
            Node::Fixpoint(fixpoint) if fixpoint.ends_with_b() => self.encode_at_stop(arena, fixpoint.b),
            node => {
                let lit = self.fresh();
                let all = match node {
                    Node::And(_) => true,
                    Node::Fixpoint(fixpoint) => fixpoint.conjunctive,
                    _ => false,
                };
                let parts: Vec<Lit> = node.parts().map(|part| self.encode_at_stop(arena, part)).collect();
                if all {
                    parts.iter().for_each(|&part| self.clause(&[!lit, part]));
                } else {
                    self.clause(&[&[!lit], parts.as_slice()].concat());
                }
                lit
            }
        };
        self.at_stop.insert(id, lit);
        lit
    }

    fn residual(&mut self, arena: Metered<'_>, residual: &Residual) -> Lit {
        if let Some(&lit) = self.residuals.get(residual) {
            return lit;
        }
        let lit = self.fresh();
        for clause in residual.clauses() {
            let mut lits = vec![!lit];
            for atom in clause {
                lits.push(self.now(arena, atom.id()));
            }
            self.clause(&lits);
        }
        for memory in residual.memories_read(&arena) {
            let value = self.now(arena, arena.memory(memory).before[usize::from(residual.remembers(memory))]);
            self.clause(&[!lit, value]);
        }
        self.residuals.insert(residual.clone(), lit);
        lit
    }

    /// Searches for a continuation of at least one letter that satisfies all the residuals; `first` is its first
    /// action. The arena's budget says what the answer may cost and is told what it did.
    pub fn continuation(&mut self, arena: Metered<'_>, residuals: &[&Residual], first: Option<ActionId>) -> Answer {
        // A core of a level is kept for this question only: proving it again for longer words would
        // cost more than it saves. What can never end stays.
        self.levels.clear();
        self.cores.retain(|core| core.level.is_none());
        let decided = self.decisions().spent();
        let before = self.decisions().only((arena.budget.left() / DECISION_COST).saturating_add(1));
        let roots: Vec<Lit> = residuals.iter().map(|residual| self.residual(arena, residual)).collect();
        let first = first.map(|action| self.props[self.observation_count + usize::from(action.0)]);
        let answer = self.search(arena, &roots, first).unwrap_or(Answer::Unknown);
        let decisions = self.decisions().spent() - decided;
        self.decisions().restore(before);
        arena.budget.spend(decisions * DECISION_COST + std::mem::take(&mut self.encoded));
        answer
    }

    fn search(&mut self, arena: Metered<'_>, roots: &[Lit], first: Option<Lit>) -> Result<Answer, OutOfBudget> {
        let mut question = roots.to_vec();
        question.extend(first);
        let now = match self.ends(&question)? {
            Reached::Plan(plan) => return Ok(Answer::Plan(plan)),
            Reached::Stuck(stuck) => stuck.core,
        };
        for depth in 0..MAX_LEVELS {
            match self.reach_later(arena, &question, now.clone(), depth)? {
                Reached::Plan(plan) => return Ok(Answer::Plan(plan)),
                Reached::Stuck(stuck) if stuck.forever || self.push_cores(arena, depth)? => {
                    return Ok(self.refuted_forever(stuck.core, roots));
                }
                Reached::Stuck(_) => {}
            }
        }
        Err(OutOfBudget)
    }

    /// Returns the answer once it is proved that a question has no continuation, however long. It is kept for later
    /// questions.
    fn refuted_forever(&mut self, core: Vec<Lit>, roots: &[Lit]) -> Answer {
        let core = self.shrink(Stuck { core: core.clone(), forever: true }, 0).map_or(core, |stuck| stuck.core);
        if !core.is_empty() {
            let refuted: Vec<Lit> = core.iter().map(|&lit| !lit).collect();
            self.clause(&refuted);
        }
        let position = |(position, lit): (usize, &Lit)| core.contains(lit).then_some(position);
        Answer::Unsat(roots.iter().enumerate().filter_map(position).collect())
    }

    /// Searches for an end of the question within `depth` further letters.
    fn reach(&mut self, arena: Metered<'_>, question: &[Lit], depth: usize) -> Result<Reached, OutOfBudget> {
        match self.ends(question)? {
            Reached::Stuck(stuck) => self.reach_later(arena, question, stuck.core, depth),
            plan => Ok(plan),
        }
    }

    /// Does the same if the letter cannot be the last; `core` is the reason.
    fn reach_later(
        &mut self,
        arena: Metered<'_>,
        question: &[Lit],
        mut core: Vec<Lit>,
        depth: usize,
    ) -> Result<Reached, OutOfBudget> {
        if depth == 0 {
            return Ok(Reached::Stuck(Stuck { core, forever: false }));
        }
        loop {
            if let Some(Stuck { core: more, forever }) = self.step(question, depth - 1)? {
                core.extend(more);
                return Ok(Reached::Stuck(Stuck { core: part_of(question, core), forever }));
            }
            let letter = self.letter();
            let held = self.later_list.iter().filter(|(_, lit)| self.solver.value_lit(*lit) == lbool::TRUE);
            let parts: Vec<NodeId> = held.map(|(id, _)| *id).collect();
            let next: Vec<Lit> = parts.iter().map(|&id| self.now(arena, id)).collect();
            match self.reach(arena, &next, depth - 1)? {
                Reached::Plan(mut plan) => {
                    plan.insert(0, letter);
                    return Ok(Reached::Plan(plan));
                }
                Reached::Stuck(stuck) => {
                    let stuck = self.shrink(stuck, depth - 1)?;
                    let needed = parts.iter().zip(&next).filter(|(_, lit)| stuck.core.contains(lit));
                    let parts = needed.map(|(&id, _)| id).collect();
                    let level = if stuck.forever { None } else { Some(depth - 1) };
                    self.cores.push(UnsatCore { parts, level });
                    self.forbid(self.cores.len() - 1, level);
                }
            }
        }
    }

    /// Drops the superfluous part of a core that cannot end within `depth` further letters, or ever: the smaller, the
    /// more it forbids.
    fn shrink(&mut self, stuck: Stuck, depth: usize) -> Result<Stuck, OutOfBudget> {
        let mut forever = stuck.forever;
        let core = try_minimal_subset(stuck.core, |rest| {
            if rest.is_empty() {
                return Ok(None);
            }
            let stuck = self.is_stuck(rest, depth, forever)?;
            forever |= stuck.as_ref().is_some_and(|stuck| stuck.forever);
            Ok(stuck.map(|stuck| stuck.core))
        })?;
        Ok(Stuck { core, forever })
    }

    /// Returns the reason if the known cores rule out that the question ends within `depth` further letters, or ever.
    fn is_stuck(&mut self, question: &[Lit], depth: usize, forever: bool) -> Result<Option<Stuck>, OutOfBudget> {
        let Reached::Stuck(mut stuck) = self.ends(question)? else { return Ok(None) };
        if depth > 0 || forever {
            let level = if forever { self.levels.len() } else { depth - 1 };
            let Some(more) = self.step(question, level)? else { return Ok(None) };
            stuck.core.extend(more.core);
            stuck.forever = more.forever;
        }
        // In the order of the question, so that the elements found to be needed stay in front.
        stuck.core = question.iter().copied().filter(|lit| stuck.core.contains(lit)).collect();
        Ok(Some(stuck))
    }

    /// Decides whether this letter can be the last, or the last but `action_stop`.
    fn ends(&mut self, question: &[Lit]) -> Result<Reached, OutOfBudget> {
        let Some(mut core) = self.solve(question, &[self.last])? else {
            return Ok(Reached::Plan(vec![self.letter()]));
        };
        if let Some(stop) = self.stop {
            let Some(more) = self.solve(question, &[self.stop_next])? else {
                let letter = self.letter();
                let mut end = letter.0.intersection(&PropSet::first(self.observation_count));
                end.insert(stop);
                return Ok(Reached::Plan(vec![letter, Letter(end)]));
            };
            core.extend(more);
        }
        Ok(Reached::Stuck(Stuck { core: part_of(question, core), forever: false }))
    }

    /// Returns `None` if a letter leads to something not known to be unable to end within `level` further letters, else
    /// the reason.
    fn step(&mut self, question: &[Lit], level: usize) -> Result<Option<Stuck>, OutOfBudget> {
        let mut fixed = vec![!self.last, !self.stop_next];
        fixed.extend(self.levels.get(level..).into_iter().flatten());
        let Some(core) = self.solve(question, &fixed)? else { return Ok(None) };
        let forever = !core.iter().any(|lit| self.levels.contains(lit));
        Ok(Some(Stuck { core, forever }))
    }

    /// Returns `None` if the assumptions are satisfiable, else those that are not.
    fn solve(&mut self, question: &[Lit], fixed: &[Lit]) -> Result<Option<Vec<Lit>>, OutOfBudget> {
        let mut assumptions = [fixed, question].concat();
        self.decisions().spend(1);
        let result = self.solver.solve_limited(&assumptions);
        if result == lbool::TRUE {
            return Ok(None);
        }
        if result != lbool::FALSE {
            return Err(OutOfBudget);
        }
        // The solver gives the core as the clause that refutes the assumptions.
        assumptions.retain(|&lit| self.solver.unsat_core_contains_lit(!lit));
        Ok(Some(assumptions))
    }

    fn letter(&self) -> Letter {
        let holds = |prop: &&PropId| self.solver.value_lit(self.props[usize::from(prop.0)]) == lbool::TRUE;
        Letter(self.read.iter().filter(holds).copied().collect())
    }

    /// Puts a core on a level, or on all of them, and forbids it after letters whose next letter is not `action_stop`.
    /// Stopping is judged apart.
    fn forbid(&mut self, position: usize, level: Option<usize>) {
        while level.is_some_and(|level| self.levels.len() <= level) {
            let lit = self.fresh();
            self.levels.push(lit);
        }
        let core = &mut self.cores[position];
        core.level = level;
        let mut clause: Vec<Lit> = core.parts.iter().filter_map(|id| self.later.get(id)).map(|&lit| !lit).collect();
        clause.push(level.map_or(self.stop_next, |level| !self.levels[level]));
        let now: Vec<Lit> = core.parts.iter().filter_map(|id| self.now.get(id)).map(|&lit| !lit).collect();
        let is_known = level.is_none() && !now.is_empty() && now.len() == core.parts.len();
        self.clause(&clause);
        if is_known {
            // Nor can a question ask for it.
            self.clause(&now);
        }
    }

    /// Moves cores up to the level after theirs where they hold there too. Returns whether some level below `depth` has
    /// become empty: then everything above it holds for ever.
    fn push_cores(&mut self, arena: Metered<'_>, depth: usize) -> Result<bool, OutOfBudget> {
        for level in 0..depth {
            let mut left = false;
            for position in 0..self.cores.len() {
                if self.cores[position].level != Some(level) {
                    continue;
                }
                let parts = self.cores[position].parts.clone();
                let question: Vec<Lit> = parts.iter().map(|&id| self.now(arena, id)).collect();
                match self.step(&question, level)? {
                    None => left = true,
                    Some(_) => self.forbid(position, Some(level + 1)),
                }
            }
            if !left {
                for position in 0..self.cores.len() {
                    if self.cores[position].level.is_some_and(|at| at > level) {
                        self.forbid(position, None);
                    }
                }
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Returns the literals of a core that are in the question, each once.
fn part_of(question: &[Lit], mut core: Vec<Lit>) -> Vec<Lit> {
    core.retain(|lit| question.contains(lit));
    core.sort_unstable();
    core.dedup();
    core
}
