//! Boolean satisfiability with a budget: literals, clauses, Boolean formulas, questions under assumptions.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use batsat::{Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, lbool};

use crate::budget::Budget;
use crate::formula::Formula;
use crate::letter::PropSet;
use crate::vocabulary::{PropId, Vocabulary};

/// Counts the solver's conflicts and stops it when a question exceeds its budget.
#[derive(Debug)]
struct Conflicts {
    budget: Budget,
    /// Maximum number of conflicts of one question.
    most: u64,
    /// Maximum number of conflicts of all questions together.
    most_of_all: u64,
}

/// The budget of all questions together, in budgets of one question.
const HARD_QUESTIONS: u64 = 20;
/// The number of the solver's propagations charged as a unit of work.
const PROPAGATIONS: u64 = 4;

impl Callbacks for Conflicts {
    fn on_start(&mut self) {
        // Each question begins with its whole budget, unless less is left for all of them.
        let left = self.most_of_all.saturating_sub(self.budget.spent());
        let _ = self.budget.only(self.most.min(left).saturating_add(1));
    }
    fn on_new_clause(&mut self, _clause: &[Lit], _kind: ClauseKind) {
        self.budget.spend(1);
    }
    fn stop(&self) -> bool {
        self.budget.is_out()
    }
}

/// The error of a question that needs more than this number of conflicts of the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutOfBudget(pub u64);

/// A solver with its clauses and the budget of each question.
pub(crate) struct Sat {
    solver: Solver<Conflicts>,
    truth: Lit,
    /// The literals of the observations, in order: see [`Self::states`].
    pub observations: Vec<Lit>,
    limit: u64,
}

impl fmt::Debug for Sat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sat({} variables, {} clauses)", self.solver.num_vars(), self.solver.num_clauses())
    }
}

impl Sat {
    /// Creates a solver with a limit of conflicts for each question, and [`HARD_QUESTIONS`] times as many for all
    /// together.
    pub fn new(limit: u64) -> Self {
        let most_of_all = limit.saturating_mul(HARD_QUESTIONS);
        let mut solver =
            Solver::new(SolverOpts::default(), Conflicts { budget: Budget::new(), most: limit, most_of_all });
        let truth = Lit::new(solver.new_var_default(), true);
        let mut sat = Self { solver, truth, observations: Vec::new(), limit };
        sat.clause([truth]);
        sat
    }

    /// Returns the number of variables and clauses.
    pub fn size(&self) -> u64 {
        u64::from(self.solver.num_vars()) + self.solver.num_clauses()
    }

    /// Returns the cost of all questions so far, in units of work.
    pub fn work(&self) -> u64 {
        self.solver.num_propagations() / PROPAGATIONS
    }

    /// Returns a literal for every observation by name, restricted to states that the vocabulary's axioms allow.
    pub fn states(&mut self, vocabulary: &Vocabulary) -> HashMap<Arc<str>, Lit> {
        self.observations = vocabulary.observations().iter().map(|_| self.fresh()).collect();
        let names = vocabulary.observations().iter().map(|one| one.name.clone());
        let atoms: HashMap<Arc<str>, Lit> = names.zip(self.observations.iter().copied()).collect();
        for axiom in vocabulary.axioms() {
            let holds = self.literal(&axiom.formula, &atoms);
            self.clause([holds]);
        }
        atoms
    }

    /// Returns a fresh literal.
    pub fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    /// Adds a clause permanently.
    pub fn clause(&mut self, literals: impl IntoIterator<Item = Lit>) {
        let mut clause: Vec<Lit> = literals.into_iter().collect();
        // A `false` means that the clauses are unsatisfiable from now on; every later question returns that.
        self.solver.add_clause_reuse(&mut clause);
    }

    /// Returns a literal equivalent to a Boolean formula (Tseitin's translation).
    pub fn literal(&mut self, formula: &Formula, atoms: &HashMap<Arc<str>, Lit>) -> Lit {
        use Formula::*;
        if let Some((all, operands)) = formula.junction(true) {
            // A disjunction is the negation of a conjunction of negations.
            let [a, b] = operands.map(|(operand, positive)| self.signed(operand, positive == all, atoms));
            let both = self.conjunction(a, b);
            return if all { both } else { !both };
        }
        match formula {
            True => self.truth,
            Atom(name) => atoms.get(name).copied().unwrap_or(!self.truth),
            Not(a) => !self.literal(a, atoms),
            Iff(a, b) => !self.difference(a, b, atoms),
            Xor(a, b) => self.difference(a, b, atoms),
            // Callers pass only Boolean formulas.
            _ => !self.truth,
        }
    }

    fn signed(&mut self, formula: &Formula, positive: bool, atoms: &HashMap<Arc<str>, Lit>) -> Lit {
        let literal = self.literal(formula, atoms);
        if positive { literal } else { !literal }
    }

    fn conjunction(&mut self, a: Lit, b: Lit) -> Lit {
        let both = self.fresh();
        self.clause([!both, a]);
        self.clause([!both, b]);
        self.clause([both, !a, !b]);
        both
    }

    fn difference(&mut self, a: &Formula, b: &Formula, atoms: &HashMap<Arc<str>, Lit>) -> Lit {
        let (a, b) = (self.literal(a, atoms), self.literal(b, atoms));
        let differ = self.fresh();
        self.clause([!differ, a, b]);
        self.clause([!differ, !a, !b]);
        self.clause([differ, !a, b]);
        self.clause([differ, a, !b]);
        differ
    }

    /// Decides whether all clauses and these assumptions can hold together. If so, [`Self::is_true`] tells the model,
    /// otherwise [`Self::in_core`] the assumptions that were needed.
    pub fn solve(&mut self, assumptions: &[Lit]) -> Result<bool, OutOfBudget> {
        match self.solver.solve_limited(assumptions) {
            answer if answer == lbool::UNDEF => Err(OutOfBudget(self.limit)),
            answer => Ok(answer == lbool::TRUE),
        }
    }

    /// Returns whether a literal is true in the last model.
    pub fn is_true(&self, literal: Lit) -> bool {
        self.solver.value_lit(literal) == lbool::TRUE
    }

    /// Returns the observations that are true in the last model.
    pub fn state(&self) -> PropSet {
        let numbered = self.observations.iter().zip(0u16..);
        numbered.filter(|(literal, _)| self.is_true(**literal)).map(|(_, number)| PropId(number)).collect()
    }

    /// Returns whether an assumption of the last question was needed for its refutation.
    pub fn in_core(&self, assumption: Lit) -> bool {
        self.solver.unsat_core_contains_var(assumption.var())
    }
}
