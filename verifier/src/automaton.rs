//! One law's deterministic automaton: its residuals as states, explored as runs need them.
//!
//! Letters are reduced to the propositions the law mentions. Up to [`DENSE`] of them a transition is one look-up in a
//! dense table; beyond that, in a hash map.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::letter::{Letter, PropSet};
use crate::nnf::{Metered, NnfArena, NodeId};
use crate::residual::{Residual, TooLarge};
use crate::verdict::Verdict;
use crate::vocabulary::{PropId, Vocabulary};

/// Laws with at most this many propositions get a dense table.
pub(crate) const DENSE: usize = 8;

/// Maximum number of residuals that one reachability question visits.
const MAX_VISITED: usize = 2048;

/// Maximum cost of a reachability question, in units of work.
pub(crate) const MAX_WORK: u64 = 20_000;
/// The cost of a transition, without the residual's progress.
const STEP_COST: u64 = 10;
/// The size of a transition in a hash map, in bytes.
const STEP_BYTES: usize = size_of::<(State, Letter)>() + 24;
/// A transition that costs more is *dear*: its cost is kept, and every question that takes it pays again.
const DEAR: u64 = 500;

const UNEXPLORED: u32 = u32::MAX;

/// A state of one law's automaton. The first is the state before any letter.
pub(crate) type State = u32;

pub(crate) const INITIAL: State = 0;

#[derive(Clone, Debug)]
struct Known {
    residual: Residual,
    accepts: bool,
    /// True if some continuation, the empty one included, satisfies the law.
    live: Option<bool>,
    /// True if some continuation, the empty one included, breaks it.
    falsifiable: Option<bool>,
    /// The cost of deciding these two.
    cost: u64,
}

/// The propositions a law mentions, and the letters over them that can occur.
#[derive(Debug)]
pub(crate) struct Alphabet {
    /// The propositions, in the vocabulary's order.
    pub props: Box<[PropId]>,
    pub mentioned: PropSet,
    /// The reduced letters that can occur: at most one action, axioms kept. `None` for laws with many propositions.
    legal: Option<Box<[Letter]>>,
}

impl Alphabet {
    pub fn new(arena: &NnfArena, law: NodeId, vocabulary: &Vocabulary) -> Self {
        let mentioned = arena.propositions(law);
        let props: Box<[PropId]> = mentioned.iter().collect();
        let legal = (props.len() <= DENSE).then(|| legal_letters(&props, vocabulary));
        Self { props, mentioned, legal }
    }

    /// Returns whether a law over it gets a dense table.
    pub fn is_dense(&self) -> bool {
        self.legal.is_some()
    }

    /// The letter's code: bit `i` is the truth of the law's proposition `i`. For dense alphabets.
    #[inline]
    fn code(&self, letter: &Letter) -> usize {
        let mut code = 0;
        for (bit, &prop) in self.props.iter().enumerate() {
            code |= usize::from(letter.holds(prop)) << bit;
        }
        code
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Automaton {
    alphabet: Arc<Alphabet>,
    states: Vec<Known>,
    index: FxHashMap<Residual, State>,
    dense: Vec<State>,
    /// The transitions of wide laws, the dear ones, and those that exceed the bounds. Each question pays this much for one.
    steps: FxHashMap<(State, Letter), (Result<State, TooLarge>, u64)>,
    /// Bytes held, roughly.
    bytes: usize,
}

impl Automaton {
    /// The automaton of an interned law, nothing explored yet.
    pub fn new(alphabet: Arc<Alphabet>, law: NodeId, accepts_empty: bool) -> Self {
        let mut automaton = Self {
            alphabet,
            states: Vec::new(),
            index: FxHashMap::default(),
            dense: Vec::new(),
            steps: FxHashMap::default(),
            bytes: 0,
        };
        automaton.state_of(Residual::initial(law, accepts_empty));
        automaton
    }

    pub fn alphabet(&self) -> &Arc<Alphabet> {
        &self.alphabet
    }

    /// Returns the number of known states.
    pub fn len(&self) -> usize {
        self.states.len()
    }

    /// Bytes held, roughly.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    pub fn accepts(&self, state: State) -> bool {
        self.states[state as usize].accepts
    }

    pub fn residual(&self, state: State) -> &Residual {
        &self.states[state as usize].residual
    }

    /// The state after one more letter. Where nothing of the budget is left, only a transition that is known is made; what
    /// is found is kept, so finding it costs what it costs.
    pub fn step(&mut self, arena: Metered<'_>, state: State, letter: &Letter) -> Result<State, TooLarge> {
        let is_dense = self.alphabet.is_dense();
        let slot =
            if is_dense { (state as usize) << self.alphabet.props.len() | self.alphabet.code(letter) } else { 0 };
        if let Some(&next) = self.dense.get(slot)
            && next != UNEXPLORED
        {
            return Ok(next);
        }
        let key = (state, Letter(letter.0.intersection(&self.alphabet.mentioned)));
        if let Some((next, _)) = self.steps.get(&key) {
            return *next;
        }
        if arena.budget.is_out() {
            return Err(TooLarge);
        }
        arena.budget.spend(STEP_COST);
        let begun = arena.budget.spent();
        let residual = self.states[state as usize].residual.progress(arena, letter);
        let cost = arena.budget.spent() - begun;
        let next = residual.map(|residual| self.state_of(residual));
        if let (true, Ok(next)) = (is_dense, next) {
            self.dense[slot] = next;
        }
        if !is_dense || next.is_err() || cost > DEAR {
            self.bytes += STEP_BYTES;
            self.steps.insert(key, (next, if cost > DEAR { cost } else { 0 }));
        }
        next
    }

    /// Returns the cost of a transition each time it is asked for; 0 unless it is dear.
    pub fn cost(&self, state: State, letter: &Letter) -> u64 {
        if self.steps.is_empty() {
            return 0;
        }
        let key = (state, Letter(letter.0.intersection(&self.alphabet.mentioned)));
        self.steps.get(&key).map_or(0, |(_, cost)| *cost)
    }

    /// Returns the cost of the first decision of the verdict in a state, independent of what was explored before.
    pub fn verdict_cost(&self, state: State) -> u64 {
        self.states[state as usize].cost
    }

    /// Counts work on the verdict in a state.
    pub fn add_verdict_cost(&mut self, state: State, cost: u64) {
        self.states[state as usize].cost += cost;
    }

    /// The state after a letter that breaks the law, if what the letter falsifies is struck out.
    pub fn forgive(&mut self, arena: Metered<'_>, state: State, letter: &Letter) -> Result<State, TooLarge> {
        let residual = self.states[state as usize].residual.forgive(arena, letter)?;
        Ok(self.state_of(residual))
    }

    /// The state with this residual.
    pub fn state_of(&mut self, residual: Residual) -> State {
        if let Some(&state) = self.index.get(&residual) {
            return state;
        }
        let state = self.states.len() as State;
        let row = if self.alphabet.is_dense() { size_of::<State>() << self.alphabet.props.len() } else { 0 };
        self.bytes += size_of::<Known>() + size_of::<(Residual, State)>() + residual.bytes() + row;
        let (is_true, is_false, accepts) = (residual.is_true(), residual.is_false(), residual.accepts());
        self.states.push(Known {
            accepts,
            live: if accepts { Some(true) } else { is_false.then_some(false) },
            falsifiable: if accepts { is_true.then_some(false) } else { Some(true) },
            cost: 0,
            residual: residual.clone(),
        });
        self.index.insert(residual, state);
        if self.alphabet.is_dense() {
            self.dense.resize(self.states.len() << self.alphabet.props.len(), UNEXPLORED);
        }
        state
    }

    /// Records what was decided elsewhere: whether some continuation satisfies the law.
    pub fn set_live(&mut self, state: State, live: bool) {
        self.states[state as usize].live = Some(live);
    }

    /// Records what was decided elsewhere: whether some continuation breaks the law.
    pub fn set_falsifiable(&mut self, state: State, falsifiable: bool) {
        self.states[state as usize].falsifiable = Some(falsifiable);
    }

    /// Returns whether some continuation satisfies the law; `None` where the bound was hit.
    pub fn live(&mut self, arena: Metered<'_>, state: State) -> Option<bool> {
        if self.states[state as usize].live.is_none() {
            let reach = self.reaches(arena, state, |known| known.accepts, |known| known.residual.is_false());
            self.states[state as usize].live = reach;
        }
        self.states[state as usize].live
    }

    /// Returns whether some continuation breaks the law; `None` where the bound was hit.
    pub fn falsifiable(&mut self, arena: Metered<'_>, state: State) -> Option<bool> {
        if self.states[state as usize].falsifiable.is_none() {
            let reach = self.reaches(arena, state, |known| !known.accepts, |known| known.residual.is_true());
            self.states[state as usize].falsifiable = reach;
        }
        self.states[state as usize].falsifiable
    }

    /// The verdict in a state; `None` where the bound was hit.
    pub fn verdict(&mut self, arena: Metered<'_>, state: State) -> Option<Verdict> {
        Some(match self.accepts(state) {
            true if self.falsifiable(arena, state)? => Verdict::Clear,
            true => Verdict::Satisfied,
            false if self.live(arena, state)? => Verdict::Pending,
            false => Verdict::Violated,
        })
    }

    /// Decides whether a state that is `found` can be reached from another one, past none that is `closed`. Facts about
    /// other states are not used: the answer, and whether there is one, depends on the start alone.
    fn reaches(
        &mut self,
        arena: Metered<'_>,
        start: State,
        found: impl Fn(&Known) -> bool,
        closed: impl Fn(&Known) -> bool,
    ) -> Option<bool> {
        let alphabet = self.alphabet.clone();
        let Some(legal) = &alphabet.legal else { return None };
        let (mut visited, mut seen) = (vec![start], FxHashSet::from_iter([start]));
        let (mut position, mut work) = (0, 0);
        let reach = 'search: loop {
            let Some(&from) = visited.get(position) else { break Some(false) };
            for letter in legal {
                work += STEP_COST + self.cost(from, letter);
                if work > MAX_WORK || visited.len() > MAX_VISITED {
                    break 'search None;
                }
                let Ok(next) = self.step(arena, from, letter) else { break 'search None };
                let known = &self.states[next as usize];
                if found(known) {
                    break 'search Some(true);
                }
                if !closed(known) && seen.insert(next) {
                    visited.push(next);
                }
            }
            position += 1;
        };
        self.add_verdict_cost(start, work);
        reach
    }
}

/// The letters over some propositions that a run can show from letter 1 on: one-hot actions, axioms kept.
fn legal_letters(props: &[PropId], vocabulary: &Vocabulary) -> Box<[Letter]> {
    let action_count = vocabulary.actions().len();
    let mentioned_actions = props.iter().filter(|prop| !vocabulary.is_observation(**prop)).count();
    let mut axioms = crate::axioms::Projection::new(props, vocabulary);
    (0..1usize << props.len())
        .map(|code| Letter(PropSet::coded(props, code)))
        .filter(|letter| {
            let actions =
                props.iter().filter(|prop| !vocabulary.is_observation(**prop) && letter.holds(**prop)).count();
            let one_hot = actions == 1 || actions == 0 && (action_count == 0 || mentioned_actions < action_count);
            one_hot && axioms.allows(letter)
        })
        .collect()
}
