//! Proof that laws of any form leave an action in every state of a run.
//!
//! A *state* is the input of a shield's decision: the current letter of a run, and the memory of each law. One-step
//! laws, `G c` and `G(b -> X c)` with any Boolean `b` and `c`, have no memory: the letter determines which of them
//! demand something now. The memory of every other law (`F`, `W`, `U`, counting) is its residual. A search finds the
//! combinations of residuals that a run can reach.
//!
//! For each combination, a SAT solver is asked for a letter after which no known continuation satisfies all laws. A
//! search then looks for a continuation that does; one continuation covers many letters. The loop ends when no letter
//! is left, or when a letter has no continuation.
//!
//! A proof is about every state that a run reaches as long as it breaks no law. There, some action besides stopping has
//! an outcome after which the laws can still be satisfied. The actor chooses the action, not the outcome. Another
//! outcome may break a law that reads observations in the letter of the action ([`crate::before_and_after`]) or demands
//! observations later ([`EveryState::by_outcome`]). The letters are those that the axioms allow, even if no world can
//! show them.

mod memory;
mod model;
mod open;

use std::sync::Arc;

use memory::{Kind, Memory};
use model::{Candidate, Model, Node};
pub use open::Open;

use super::ConsistencyError;
use super::questions::Questions;
use crate::automaton::{INITIAL, State};
use crate::formula::Formula;
use crate::guarded::{StepLaw, recognise_steps};
use crate::judgement::Enforcement;
use crate::law::Law;
use crate::letter::Letter;
use crate::ltlf_sat::Answer;
use crate::nnf::{NodeId, accepts_empty};
use crate::options::ShieldOptions;
use crate::residual::Residual;
use crate::shield::Shield;
use crate::vocabulary::Vocabulary;

/// Maximum number of combinations of the laws' memories that are explored.
const MAX_MEMORIES: usize = 1_100;
/// Maximum number of over-constrained states that are examined. It bounds the search if a few sets of laws leave no
/// action in many states.
const MAX_CANDIDATES: usize = 64;

/// Laws and a state in which they leave no action besides stopping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stuck {
    /// Indices of laws that together leave no action there, sorted. Without any one of them, some action is left in
    /// this state.
    pub laws: Vec<usize>,
    /// Letters that lead to the state, its own letter last. A run under a shield can produce them, unless only one-step
    /// laws leave no action. Then it is one letter that the axioms allow, and a run may never reach it.
    pub letters: Vec<Letter>,
}

/// The findings of the search over all states.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EveryState {
    /// Distinct sets of laws that leave no action somewhere, each with a state.
    pub stuck: Vec<Stuck>,
    /// The reason why there may be more, and the indices of the laws that are the reason. `None` if these are all, or
    /// the number asked for.
    pub open: Option<(Open, Vec<usize>)>,
    /// Indices of laws that some outcome of an allowed action may break at once.
    pub by_outcome: Vec<usize>,
}

impl EveryState {
    /// Returns whether it is proved that every state has an action.
    pub fn is_proved(&self) -> bool {
        self.stuck.is_empty() && self.open.is_none()
    }

    fn open(why: Open, laws: Vec<usize>) -> Self {
        Self { open: Some((why, laws)), ..Self::default() }
    }
}

/// Decides whether laws of any form leave an action besides stopping in every state. Returns at most `most` distinct
/// sets of laws that do not. `work` is the budget, in units of search work.
///
/// ```
/// use ltlcrit_verifier::consistency::every_state;
/// use ltlcrit_verifier::{Formula, Vocabulary};
///
/// let agent = Vocabulary::builder("agent").observation("green").actions(["test", "push", "wait"]).build()?;
/// // Test before the first push; with green tests push, but once only; and push some day.
/// let laws: Vec<Formula> = ["!push W test", "G(green -> X push)", "G(push -> X G !push)", "F push"]
///     .into_iter().map(str::parse).collect::<Result<_, _>>()?;
/// let found = every_state(&agent, &laws, 10, 1_000_000)?;
/// let sets: Vec<_> = found.stuck.iter().map(|stuck| stuck.laws.as_slice()).collect();
/// assert_eq!(sets, [&[0, 1][..], &[1, 2]]);
/// assert!(every_state(&agent, &laws[2..], 10, 1_000_000)?.is_proved());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The vocabulary has no actions, or a law has a proposition that is not in the vocabulary.
pub fn every_state(
    vocabulary: &Vocabulary,
    laws: &[Formula],
    most: usize,
    work: u64,
) -> Result<EveryState, ConsistencyError> {
    if vocabulary.action_ids().all(|action| Some(action) == vocabulary.stop()) {
        return Err(ConsistencyError::NoActions(vocabulary.name().to_owned()));
    }
    let mut questions = Questions::new(vocabulary);
    let _before = questions.budget.limit(work);
    let nodes: Vec<NodeId> =
        laws.iter().enumerate().map(|(index, law)| questions.add(law, index)).collect::<Result<_, _>>()?;
    let mut kinds = Vec::with_capacity(laws.len());
    for (index, (law, node)) in laws.iter().zip(nodes).enumerate() {
        kinds.push(match recognise_steps(law, vocabulary) {
            Ok(steps) => Kind::Steps(steps, Residual::initial(node, accepts_empty(law))),
            Err(_) => match Memory::explore(node, law, &questions) {
                Ok(memory) => Kind::Memory(Box::new(memory)),
                Err(why) => return Ok(EveryState::open(why, vec![index])),
            },
        });
    }
    let model = Model::new(vocabulary, &kinds);
    let mut search = Search { vocabulary, laws, kinds, model, most, found: EveryState::default() };
    let remember = |kinds: &[Kind]| -> Vec<usize> {
        (0..kinds.len()).filter(|law| matches!(kinds[*law], Kind::Memory(_))).collect()
    };
    if let Err(why) = search.run(&mut questions) {
        search.found.open = Some((why, remember(&search.kinds)));
    }
    search.found.by_outcome = search.by_outcome();
    search.found.stuck.sort_by(|a, b| (a.laws.len(), &a.laws).cmp(&(b.laws.len(), &b.laws)));
    Ok(search.found)
}

struct Search<'a> {
    vocabulary: &'a Vocabulary,
    laws: &'a [Formula],
    kinds: Vec<Kind>,
    model: Model,
    most: usize,
    found: EveryState,
}

impl Search<'_> {
    fn run(&mut self, questions: &mut Questions<'_>) -> Result<(), Open> {
        let memories = self.kinds.iter().filter(|kind| matches!(kind, Kind::Memory(_))).count();
        let mut nodes = vec![Node { is_first: true, states: vec![INITIAL; memories], from: None }];
        let mut candidates = 0;
        let mut at = 0;
        while at < nodes.len() {
            if nodes.len() > MAX_MEMORIES {
                return Err(Open::TooManyMemories);
            }
            let refused = self.refused(questions, &nodes[at]);
            self.successors(&mut nodes, at, &refused)?;
            while let Some(candidate) = self.model.unserved(&nodes[at], &refused)? {
                candidates += 1;
                if candidates > MAX_CANDIDATES + self.model.served() || questions.budget.is_out() {
                    return Err(Open::OutOfBudget);
                }
                self.examine(questions, &nodes, at, &candidate)?;
                if self.found.stuck.len() >= self.most {
                    return Ok(());
                }
            }
            at += 1;
        }
        Ok(())
    }

    /// Returns the residual of each law after a letter that led to these memories, one for each law with a memory;
    /// without a letter, as if it triggered no one-step law.
    fn residuals(&self, questions: &Questions<'_>, memories: &[State], letter: Option<&Letter>) -> Vec<Residual> {
        let mut memories = memories.iter();
        let residual = |kind: &Kind| match (kind, letter) {
            (Kind::Memory(memory), _) => memory.residual(memories.next().copied().unwrap_or_default()).clone(),
            (Kind::Steps(_, initial), None) => initial.clone(),
            // The residual of a one-step law after one letter is small.
            (Kind::Steps(_, initial), Some(letter)) => {
                initial.progress(questions.metered(), letter).unwrap_or_else(|_| Residual::truth())
            }
        };
        self.kinds.iter().map(residual).collect()
    }

    /// Returns the actions after which the laws have no continuation, for any current letter.
    fn refused(&mut self, questions: &mut Questions<'_>, node: &Node) -> Vec<usize> {
        if node.is_first {
            return Vec::new();
        }
        let residuals = self.residuals(questions, &node.states, None);
        let residuals: Vec<&Residual> = residuals.iter().collect();
        let mut refused = Vec::new();
        for action in self.vocabulary.action_ids().filter(|action| Some(*action) != self.vocabulary.stop()) {
            let known = self.model.serves(&mut self.kinds, questions, &node.states, action);
            if !known && matches!(questions.ask(&[], &residuals, Some(action)), Answer::Unsat(_)) {
                refused.push(usize::from(action.0));
            }
        }
        refused
    }

    /// Adds the combinations of memories that are reachable by one more letter.
    fn successors(&mut self, nodes: &mut Vec<Node>, at: usize, refused: &[usize]) -> Result<(), Open> {
        while let Some(states) = self.model.new_successor(&nodes[at], refused)? {
            self.model.know(&states);
            nodes.push(Node { is_first: false, states, from: Some(at) });
            if nodes.len() > MAX_MEMORIES {
                return Err(Open::TooManyMemories);
            }
        }
        Ok(())
    }

    /// Finds a continuation for a state, or laws that have none.
    fn examine(
        &mut self,
        questions: &mut Questions<'_>,
        nodes: &[Node],
        at: usize,
        candidate: &Candidate,
    ) -> Result<(), Open> {
        let residuals = self.residuals(questions, &candidate.states, Some(&candidate.letter));
        let residuals: Vec<&Residual> = residuals.iter().collect();
        match questions.ask(&[], &residuals, None) {
            Answer::Unknown => Err(Open::OutOfBudget),
            Answer::Plan(word) => {
                self.model.serve(&mut self.kinds, questions, word);
                Ok(())
            }
            Answer::Unsat(core) => {
                let laws = questions.fewest(&[], &residuals, core);
                self.stuck(nodes, at, candidate, laws)
            }
        }
    }

    fn stuck(&mut self, nodes: &[Node], at: usize, candidate: &Candidate, mut laws: Vec<usize>) -> Result<(), Open> {
        laws.sort_unstable();
        self.model.leave_out_conflict(candidate, &laws);
        if self.found.stuck.iter().any(|known| known.laws == laws) {
            return Ok(());
        }
        let of_one_step = laws.iter().all(|law| matches!(self.kinds[*law], Kind::Steps(..)));
        let run = self.model.run_to(nodes, at, candidate, &laws)?;
        let run = run.filter(|run| is_stuck(self.vocabulary, self.laws, run));
        match (run, of_one_step) {
            (Some(letters), _) => self.found.stuck.push(Stuck { laws, letters }),
            (None, true) => self.found.stuck.push(Stuck { laws, letters: vec![candidate.letter] }),
            (None, false) => {
                let open = self.found.open.get_or_insert_with(|| (Open::NotReached, Vec::new()));
                open.1.extend(laws.into_iter().filter(|law| matches!(self.kinds[*law], Kind::Memory(_))));
                open.1.sort_unstable();
                open.1.dedup();
            }
        }
        Ok(())
    }

    /// Returns the laws that one outcome of an action may break at once while another does not.
    fn by_outcome(&self) -> Vec<usize> {
        let speaks = |formula: &Formula| {
            let observation = |name: &Arc<str>| self.vocabulary.action(name).is_none();
            formula.atoms().iter().any(observation)
        };
        let depends = |kind: &Kind| match kind {
            Kind::Steps(steps, _) => steps.iter().any(|step| match step {
                StepLaw::Now(holds) => speaks(holds),
                StepLaw::Next { demand, .. } => speaks(demand),
            }),
            Kind::Memory(memory) => memory.is_broken_by_outcome(self.vocabulary),
        };
        (0..self.kinds.len()).filter(|law| depends(&self.kinds[*law])).collect()
    }
}

/// Returns whether the letters lead a shield to a state without an action. The shield must allow the action of each
/// letter, no letter may break a law, and only stopping is left after the last letter. A decision with undecided
/// actions does not count.
fn is_stuck(vocabulary: &Vocabulary, laws: &[Formula], letters: &[Letter]) -> bool {
    let laws = laws.iter().enumerate().map(|(at, law)| Law::hard(at.to_string(), law.clone(), "")).collect();
    let Ok(mut shield) = Shield::new(Arc::new(vocabulary.clone()), laws, ShieldOptions::default()) else {
        return false;
    };
    let Some((first, others)) = letters.split_first() else { return false };
    if shield.start(first.0) != Ok(Vec::new()) {
        return false;
    }
    for letter in others {
        let Some(action) = letter.action(vocabulary) else { return false };
        let observations = letter.observations(vocabulary);
        if !shield.judge(action).is_allowed() || shield.step(action, observations) != Ok(Vec::new()) {
            return false;
        }
    }
    let decided = shield.decide();
    let stops_at_most = decided.allowed.iter().all(|action| Some(action) == vocabulary.stop());
    stops_at_most && !matches!(decided.enforcement, Enforcement::Undecided { .. })
}

#[cfg(test)]
mod tests;
