//! One letter and the memories of all laws before and after it, as clauses.

use std::collections::HashMap;
use std::sync::Arc;

use batsat::Lit;

use super::super::questions::Questions;
use super::memory::{Kind, Memory};
use super::open::Open;
use crate::automaton::State;
use crate::formula::Formula;
use crate::guarded::StepLaw;
use crate::letter::{Letter, PropSet};
use crate::sat::{OutOfBudget, Sat};
use crate::vocabulary::{ActionId, PropId, Vocabulary};

/// Maximum number of conflicts of the SAT solver for one question.
const SAT_BUDGET: u64 = 10_000;

/// The memories of all laws, and the node from which a run reaches them.
pub(super) struct Node {
    /// True before the first letter.
    pub is_first: bool,
    /// The state of each law with a memory.
    pub states: Vec<State>,
    pub from: Option<usize>,
}

/// A state: the current letter of a run, and the memories of the laws after it.
#[derive(Debug)]
pub(super) struct Candidate {
    pub letter: Letter,
    /// The state of each law with a memory.
    pub states: Vec<State>,
    /// The numbers of the steps whose guards hold at the letter.
    active: Vec<usize>,
}

/// A law `G(b -> X c)`, or one of several such parts of a law.
struct Step {
    law: usize,
    /// The literal equivalent to `b` at the letter.
    guard: Lit,
    /// The literal equivalent to `c` at the letter.
    holds: Lit,
    demand: Formula,
}

/// A law with a memory.
struct Remembers {
    law: usize,
    before: Vec<Lit>,
    after: Vec<Lit>,
}

pub(super) struct Model {
    sat: Sat,
    props: Vec<Lit>,
    actions: Vec<Lit>,
    /// True if the letter is the first, without an action.
    first: Lit,
    steps: Vec<Step>,
    remember: Vec<Remembers>,
    /// Assumed when asking for memories that are not known yet.
    unknown: Lit,
    /// Assumed when asking for a state that no known continuation covers.
    unserved: Lit,
    /// The continuations found so far.
    words: Vec<Vec<Letter>>,
}

impl From<OutOfBudget> for Open {
    fn from(_: OutOfBudget) -> Self {
        Self::OutOfBudget
    }
}

impl Model {
    pub fn new(vocabulary: &Vocabulary, kinds: &[Kind]) -> Self {
        let mut sat = Sat::new(SAT_BUDGET);
        let mut atoms = sat.states(vocabulary);
        let first = sat.fresh();
        let actions: Vec<Lit> = vocabulary.action_ids().map(|_| sat.fresh()).collect();
        for (action, literal) in vocabulary.action_ids().zip(&actions) {
            atoms.insert(vocabulary.action_name(action).into(), *literal);
            sat.clause([!first, !*literal]);
            if Some(action) == vocabulary.stop() {
                sat.clause([!*literal]);
            }
        }
        exclude_pairs(&mut sat, &actions);
        sat.clause(actions.iter().copied().chain([first]));
        let props = [sat.observations.as_slice(), &actions].concat();
        let (unknown, unserved) = (sat.fresh(), sat.fresh());
        let (steps, remember, words) = (Vec::new(), Vec::new(), Vec::new());
        let mut model = Self { sat, props, actions, first, steps, remember, unknown, unserved, words };
        for (law, kind) in kinds.iter().enumerate() {
            match kind {
                Kind::Steps(steps, _) => steps.iter().for_each(|step| model.add_step(law, step, &atoms)),
                Kind::Memory(memory) => model.add_memory(law, memory),
            }
        }
        model
    }

    fn add_step(&mut self, law: usize, step: &StepLaw, atoms: &HashMap<Arc<str>, Lit>) {
        match step {
            // A letter that breaks it is a violation, so it is not a state of a run that satisfies the laws.
            StepLaw::Now(holds) => {
                let holds = self.sat.literal(holds, atoms);
                self.sat.clause([holds]);
            }
            StepLaw::Next { guard, demand } => {
                let (guard, holds) = (self.sat.literal(guard, atoms), self.sat.literal(demand, atoms));
                self.steps.push(Step { law, guard, holds, demand: demand.clone() });
            }
        }
    }

    fn add_memory(&mut self, law: usize, memory: &Memory) {
        let before: Vec<Lit> = memory.next.iter().map(|_| self.sat.fresh()).collect();
        let after: Vec<Lit> = memory.next.iter().map(|_| self.sat.fresh()).collect();
        exclude_pairs(&mut self.sat, &after);
        for (literal, _) in after.iter().zip(&memory.broken).filter(|(_, broken)| **broken) {
            self.sat.clause([!*literal]);
        }
        let props: Vec<Lit> = memory.props.iter().map(|prop| self.props[usize::from(prop.0)]).collect();
        for (row, from) in memory.next.iter().zip(&before) {
            let mut clause = vec![!*from];
            self.add_row(row, &props, &after, &mut clause);
        }
        self.remember.push(Remembers { law, before, after });
    }

    /// Adds the successors of a state by letters that agree with the negations in `clause`: one clause if all lead to
    /// one state.
    fn add_row(&mut self, row: &[Option<State>], props: &[Lit], after: &[Lit], clause: &mut Vec<Lit>) {
        let mut targets = row.iter().flatten();
        let Some(target) = targets.next() else { return };
        if targets.all(|other| other == target) {
            self.sat.clause(clause.iter().copied().chain([after[*target as usize]]));
            return;
        }
        let Some((last, props)) = props.split_last() else { return };
        let (without, with) = row.split_at(row.len() / 2);
        for (half, literal) in [(without, *last), (with, !*last)] {
            clause.push(literal);
            self.add_row(half, props, after, clause);
            clause.pop();
        }
    }

    fn at(&self, node: &Node, refused: &[usize]) -> Vec<Lit> {
        let mut assumed = vec![if node.is_first { self.first } else { !self.first }];
        assumed.extend(self.remember.iter().zip(&node.states).map(|(one, state)| one.before[*state as usize]));
        assumed.extend(refused.iter().map(|action| !self.actions[*action]));
        assumed
    }

    fn states(&self) -> Vec<State> {
        let state = |one: &Remembers| one.after.iter().position(|after| self.sat.is_true(*after)).unwrap_or_default();
        self.remember.iter().map(|one| state(one) as State).collect()
    }

    fn letter(&self) -> Letter {
        let held = self.props.iter().enumerate().filter(|(_, literal)| self.sat.is_true(**literal));
        Letter(held.map(|(at, _)| PropId(at as u16)).collect::<PropSet>())
    }

    fn active(&self) -> Vec<usize> {
        (0..self.steps.len()).filter(|step| self.sat.is_true(self.steps[*step].guard)).collect()
    }

    /// Marks a combination of memories as known.
    pub fn know(&mut self, states: &[State]) {
        let other: Vec<Lit> = self
            .remember
            .iter()
            .zip(states)
            .map(|(one, state)| !one.after[*state as usize])
            .chain([!self.unknown])
            .collect();
        self.sat.clause(other);
    }

    /// Returns memories that are reachable by one more letter and not known yet.
    pub fn new_successor(&mut self, node: &Node, refused: &[usize]) -> Result<Option<Vec<State>>, Open> {
        let mut assumed = self.at(node, refused);
        assumed.push(self.unknown);
        Ok(self.sat.solve(&assumed)?.then(|| self.states()))
    }

    /// Returns a state after one more letter that no known continuation covers, other than the conflicts left out. A
    /// continuation covers a state if it satisfies all laws from there on.
    pub fn unserved(&mut self, node: &Node, refused: &[usize]) -> Result<Option<Candidate>, Open> {
        let mut assumed = self.at(node, refused);
        assumed.push(self.unserved);
        Ok(self.sat.solve(&assumed)?.then(|| Candidate {
            letter: self.letter(),
            states: self.states(),
            active: self.active(),
        }))
    }

    /// Returns the number of known continuations.
    pub fn served(&self) -> usize {
        self.words.len()
    }

    /// Excludes all states that a continuation covers.
    pub fn serve(&mut self, kinds: &mut [Kind], questions: &Questions<'_>, word: Vec<Letter>) {
        let mut other = vec![!self.unserved];
        for one in &self.remember {
            if let Kind::Memory(memory) = &mut kinds[one.law] {
                let rejecting = (0..one.after.len()).filter(|state| !memory.accepts(questions, *state as State, &word));
                other.extend(rejecting.map(|state| one.after[state]));
            }
        }
        let first = word.first().copied().unwrap_or_default();
        let held = |name: &str| questions.vocabulary.id(name).is_some_and(|id| first.holds(id));
        let failing = self.steps.iter().filter(|step| !step.demand.holds_where(&held));
        other.extend(failing.map(|step| step.guard));
        self.sat.clause(other);
        self.words.push(word);
    }

    /// Returns whether some known continuation begins with an action and satisfies the laws with these memories, as if
    /// the letter triggered no one-step law.
    pub fn serves(&self, kinds: &mut [Kind], questions: &Questions<'_>, states: &[State], action: ActionId) -> bool {
        let vocabulary = questions.vocabulary;
        let begins = |word: &&Vec<Letter>| word.first().and_then(|letter| letter.action(vocabulary)) == Some(action);
        self.words.iter().filter(begins).any(|word| {
            self.remember.iter().zip(states).all(|(one, state)| match &mut kinds[one.law] {
                Kind::Memory(memory) => memory.accepts(questions, *state, word),
                Kind::Steps(..) => true,
            })
        })
    }

    /// Excludes all states in which the laws of a conflict have the same demands as here.
    pub fn leave_out_conflict(&mut self, candidate: &Candidate, laws: &[usize]) {
        let same = self.same(candidate, laws);
        self.sat.clause(same.into_iter().map(|literal| !literal).chain([!self.unserved]));
    }

    /// Returns the literals that fix the demands of these laws in a state.
    fn same(&self, candidate: &Candidate, laws: &[usize]) -> Vec<Lit> {
        let remembered = self.remember.iter().zip(&candidate.states).filter(|(one, _)| laws.contains(&one.law));
        let remembered = remembered.map(|(one, state)| one.after[*state as usize]);
        let steps = candidate.active.iter().map(|step| &self.steps[*step]).filter(|step| laws.contains(&step.law));
        remembered.chain(steps.map(|step| step.guard)).collect()
    }

    /// Returns letters that lead to a state in which these laws have the same demands. Each letter satisfies the
    /// demands that one-step laws make after the letter before. The letters are chosen one after the other, so other
    /// letters may exist if none are found.
    pub fn run_to(
        &mut self,
        nodes: &[Node],
        at: usize,
        candidate: &Candidate,
        laws: &[usize],
    ) -> Result<Option<Vec<Letter>>, Open> {
        let mut way = vec![at];
        while let Some(from) = way.last().and_then(|last| nodes[*last].from) {
            way.push(from);
        }
        way.reverse();
        let mut letters = Vec::new();
        let mut demanded: Vec<Lit> = Vec::new();
        for (place, node) in way.iter().enumerate() {
            let mut assumed = self.at(&nodes[*node], &[]);
            match way.get(place + 1) {
                Some(next) => {
                    let states = self.remember.iter().zip(&nodes[*next].states);
                    assumed.extend(states.map(|(one, state)| one.after[*state as usize]));
                }
                None => assumed.extend(self.same(candidate, laws)),
            }
            assumed.extend(&demanded);
            if !self.solve_with_few_active(&assumed)? {
                return Ok(None);
            }
            letters.push(self.letter());
            demanded = self.active().iter().map(|step| self.steps[*step].holds).collect();
        }
        Ok(Some(letters))
    }
}

impl Model {
    /// Solves for a letter at which few guards hold, so that it demands little of the next one.
    fn solve_with_few_active(&mut self, assumed: &[Lit]) -> Result<bool, Open> {
        let mut inactive: Vec<Lit> = self.steps.iter().map(|step| !step.guard).collect();
        loop {
            let all = [assumed, inactive.as_slice()].concat();
            if self.sat.solve(&all)? {
                return Ok(true);
            }
            let before = inactive.len();
            inactive.retain(|literal| !self.sat.in_core(*literal));
            if inactive.len() == before {
                return Ok(false);
            }
        }
    }
}

fn exclude_pairs(sat: &mut Sat, literals: &[Lit]) {
    for (at, one) in literals.iter().enumerate() {
        for other in &literals[at + 1..] {
            sat.clause([!*one, !*other]);
        }
    }
}
