//! Boolean satisfiability with a budget: literals, clauses, Boolean formulas, questions under assumptions.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use batsat::{Callbacks, ClauseKind, Lit, Solver, SolverInterface, SolverOpts, lbool};

use crate::budget::Budget;
use crate::formula::Formula;
use crate::vocabulary::Vocabulary;

/// Counts the solver's conflicts and stops it when a question has cost too many.
#[derive(Debug)]
struct Conflicts {
    budget: Budget,
    /// The most conflicts of one question.
    most: u64,
    /// The most conflicts of all questions.
    most_of_all: u64,
}

/// All questions together may cost as many conflicts as this many of the hardest.
const HARD_QUESTIONS: u64 = 20;
/// How many of the solver's propagations are charged as a unit of work.
const PROPAGATIONS: u64 = 4;

impl Callbacks for Conflicts {
    fn on_start(&mut self) {
        // Each question begins with the whole budget, as long as there is some for all of them.
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

/// A question that needs more than so many conflicts of the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutOfBudget(pub u64);

/// The solver's answer.
pub(crate) enum Answer {
    /// Satisfiable; ask [`Sat::is_true`] for the model.
    Sat,
    /// Unsatisfiable; ask [`Sat::in_core`] for the assumptions that matter.
    Unsat,
}

/// A solver, its clauses and the budget of each question.
pub(crate) struct Sat {
    solver: Solver<Conflicts>,
    truth: Lit,
    limit: u64,
}

impl fmt::Debug for Sat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sat({} variables, {} clauses)", self.solver.num_vars(), self.solver.num_clauses())
    }
}

impl Sat {
    /// A solver whose questions may cost so many conflicts each, and all together [`HARD_QUESTIONS`] times as many.
    pub fn new(limit: u64) -> Self {
        let most_of_all = limit.saturating_mul(HARD_QUESTIONS);
        let mut solver =
            Solver::new(SolverOpts::default(), Conflicts { budget: Budget::new(), most: limit, most_of_all });
        let truth = Lit::new(solver.new_var_default(), true);
        let mut sat = Self { solver, truth, limit };
        sat.clause([truth]);
        sat
    }

    /// How many variables and clauses there are.
    pub fn size(&self) -> u64 {
        u64::from(self.solver.num_vars()) + self.solver.num_clauses()
    }

    /// What all questions have cost, in units of work.
    pub fn work(&self) -> u64 {
        self.solver.num_propagations() / PROPAGATIONS
    }

    /// A literal for every observation by name, kept to states that the vocabulary's axioms allow.
    pub fn states(&mut self, vocabulary: &Vocabulary) -> HashMap<Arc<str>, Lit> {
        let atoms: HashMap<Arc<str>, Lit> =
            vocabulary.observations().iter().map(|one| (one.name.clone(), self.fresh())).collect();
        for axiom in vocabulary.axioms() {
            let holds = self.literal(&axiom.formula, &atoms);
            self.clause([holds]);
        }
        atoms
    }

    /// A fresh literal.
    pub fn fresh(&mut self) -> Lit {
        Lit::new(self.solver.new_var_default(), true)
    }

    /// Adds a clause for good.
    pub fn clause(&mut self, literals: impl IntoIterator<Item = Lit>) {
        let mut clause: Vec<Lit> = literals.into_iter().collect();
        // A `false` means unsatisfiable from now on, which every later question then answers.
        self.solver.add_clause_reuse(&mut clause);
    }

    /// A literal equivalent to a Boolean formula (Tseitin's translation).
    pub fn literal(&mut self, formula: &Formula, atoms: &HashMap<Arc<str>, Lit>) -> Lit {
        use Formula::*;
        match formula {
            True => self.truth,
            Atom(name) => atoms.get(name).copied().unwrap_or(!self.truth),
            Not(a) => !self.literal(a, atoms),
            And(a, b) => {
                let (a, b) = (self.literal(a, atoms), self.literal(b, atoms));
                self.conjunction(a, b)
            }
            Or(a, b) => {
                let (a, b) = (self.literal(a, atoms), self.literal(b, atoms));
                !self.conjunction(!a, !b)
            }
            Implies(a, b) => {
                let (a, b) = (self.literal(a, atoms), self.literal(b, atoms));
                !self.conjunction(a, !b)
            }
            Iff(a, b) => !self.difference(a, b, atoms),
            Xor(a, b) => self.difference(a, b, atoms),
            // Callers pass Boolean formulas only.
            _ => !self.truth,
        }
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

    /// Asks whether all clauses and these assumptions can hold together.
    pub fn solve(&mut self, assumptions: &[Lit]) -> Result<Answer, OutOfBudget> {
        let answer = self.solver.solve_limited(assumptions);
        if answer == lbool::TRUE {
            Ok(Answer::Sat)
        } else if answer == lbool::FALSE {
            Ok(Answer::Unsat)
        } else {
            Err(OutOfBudget(self.limit))
        }
    }

    /// Whether a literal is true in the last model.
    pub fn is_true(&self, literal: Lit) -> bool {
        self.solver.value_lit(literal) == lbool::TRUE
    }

    /// Whether an assumption of the last question was needed for its refutation.
    pub fn in_core(&self, assumption: Lit) -> bool {
        self.solver.unsat_core_contains_var(assumption.var())
    }
}
