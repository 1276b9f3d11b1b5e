//! The automata of all watched laws in one table, so that one letter for all laws is a run of array look-ups.
//!
//! A state of a law is an offset into the table, where the state's transitions lie by the code of the letter; the two
//! lowest bits say whether the state accepts and whether it is dead, so that a transition brings both along.
//!
//! The code of a letter is the truth of the law's propositions, as bits. A law over too many propositions for that is
//! *wide*: its letters are numbered as they are met, and its transitions are kept in a hash map.

use rustc_hash::FxHashMap;

use crate::automaton::{Alphabet, State};
use crate::letter::{Letter, PropSet};
use crate::vocabulary::PropId;

/// A state of one law in the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct StateRef(pub u32);

impl StateRef {
    pub const UNEXPLORED: Self = Self(u32::MAX);
    /// The state of a law whose residual exceeded every bound: it neither accepts nor is known to be dead.
    pub const LOST: Self = Self(0);

    #[inline]
    pub fn accepts(self) -> bool {
        self.0 & 1 == 1
    }

    /// Returns whether it is known that no continuation satisfies the law. This is decided for dense laws within
    /// bounds; for wide ones only what is plain is known.
    #[inline]
    pub fn is_dead(self) -> bool {
        self.0 & 2 == 2
    }

    #[inline]
    fn offset(self) -> usize {
        (self.0 >> 2) as usize
    }
}

/// Cells of a state before its transitions.
const HEADER: usize = 3;

/// The part of a letter that a law reads.
pub(crate) type Code = u16;

/// The code of letters that a wide law has no number left for; every state leads to [`StateRef::LOST`] by it.
const NO_CODE: Code = Code::MAX;

/// The first two propositions of a law, which are mostly all: read without a loop, whose length would be hard to predict.
#[derive(Clone, Copy, Debug)]
struct Pair {
    props: [PropId; 2],
    /// The bits of the code there are.
    mask: u16,
    /// True if there are more propositions.
    more: bool,
}

/// One law's part of the table.
#[derive(Clone, Debug)]
struct Part {
    props: Box<[PropId]>,
    /// The table's name of each state of the law's automaton.
    states: Vec<StateRef>,
}

/// The letters and transitions of a wide law.
#[derive(Clone, Debug)]
struct Wide {
    mentioned: PropSet,
    codes: FxHashMap<PropSet, Code>,
    letters: Vec<Letter>,
    steps: FxHashMap<(StateRef, Code), StateRef>,
}

#[derive(Clone, Debug)]
pub(crate) struct DfaTable {
    /// Per state: the automaton's state, the question that met it last, what meeting it costs, then the transitions by code.
    table: Vec<u32>,
    /// The number of the question being asked.
    question: u32,
    pairs: Vec<Pair>,
    parts: Vec<Part>,
    /// Laws from this position on are wide.
    dense: usize,
    wide: Vec<Wide>,
}

impl DfaTable {
    /// A table for laws with these alphabets, the wide ones last.
    pub fn new<'a>(alphabets: impl IntoIterator<Item = &'a Alphabet>) -> Self {
        let (mut parts, mut wide, mut dense) = (Vec::new(), Vec::new(), 0);
        for alphabet in alphabets {
            parts.push(Part { props: alphabet.props.clone(), states: Vec::new() });
            if alphabet.is_dense() {
                dense = parts.len();
            } else {
                let (codes, steps) = (FxHashMap::default(), FxHashMap::default());
                wide.push(Wide { mentioned: alphabet.mentioned, codes, letters: Vec::new(), steps });
            }
        }
        // The lost state loops, by the codes of each dense law.
        let widest = parts[..dense].iter().map(|part: &Part| part.props.len()).max().unwrap_or_default();
        let table = vec![0; HEADER + (1 << widest)];
        let pair = |part: &Part| Pair {
            props: [0, 1].map(|at| part.props.get(at).copied().unwrap_or(PropId(0))),
            mask: (1 << part.props.len().min(2)) - 1,
            more: part.props.len() > 2,
        };
        Self { table, question: 1, pairs: parts.iter().map(pair).collect(), parts, dense, wide }
    }

    /// Cells held, those of hash maps included.
    pub fn len(&self) -> usize {
        // A step in a map takes four cells; a letter is kept twice, each time in that many.
        const LETTER_CELLS: usize = size_of::<Letter>() / size_of::<u32>() + 1;
        let wide = |wide: &Wide| 4 * wide.steps.len() + 2 * LETTER_CELLS * wide.letters.len();
        self.table.len() + self.wide.iter().map(wide).sum::<usize>()
    }

    /// The code of a letter for a dense law.
    #[inline]
    pub fn dense_code(&self, position: usize, letter: &Letter) -> Code {
        let pair = &self.pairs[position];
        let [first, second] = pair.props.map(|prop| u16::from(letter.holds(prop)));
        let mut code = (first | second << 1) & pair.mask;
        if pair.more {
            for (bit, &prop) in self.parts[position].props.iter().enumerate().skip(2) {
                code |= u16::from(letter.holds(prop)) << bit;
            }
        }
        code
    }

    /// The code of a letter for any law.
    #[inline]
    pub fn code(&mut self, position: usize, letter: &Letter) -> Code {
        if position < self.dense { self.dense_code(position, letter) } else { self.wide_code(position, letter) }
    }

    #[cold]
    fn wide_code(&mut self, position: usize, letter: &Letter) -> Code {
        let Wide { mentioned, codes, letters, .. } = &mut self.wide[position - self.dense];
        let read = letter.0.intersection(mentioned);
        if let Some(&code) = codes.get(&read) {
            return code;
        }
        let code = letters.len() as Code;
        if code < NO_CODE {
            letters.push(Letter(read));
            codes.insert(read, code);
        }
        code
    }

    /// The letter, as far as one law reads it, with this code; `None` for the code of letters without a number.
    pub fn letter(&self, position: usize, code: Code) -> Option<Letter> {
        if let Some(at) = position.checked_sub(self.dense) {
            return self.wide[at].letters.get(usize::from(code)).copied();
        }
        Some(Letter(PropSet::coded(&self.parts[position].props, usize::from(code))))
    }

    /// Returns whether a law is wide.
    #[inline]
    pub fn is_wide(&self, position: usize) -> bool {
        position >= self.dense
    }

    /// Returns the number of dense laws; they come first.
    #[inline]
    pub fn dense(&self) -> usize {
        self.dense
    }

    /// The propositions of one law; of a dense one in the order of its codes' bits.
    pub fn props(&self, position: usize) -> &[PropId] {
        &self.parts[position].props
    }

    /// The transition of a dense law, possibly [`StateRef::UNEXPLORED`].
    #[inline]
    pub fn dense_step(&self, state: StateRef, code: Code) -> StateRef {
        StateRef(self.table[state.offset() + HEADER + usize::from(code)])
    }

    /// The transition, possibly [`StateRef::UNEXPLORED`].
    #[inline]
    pub fn step(&self, position: usize, state: StateRef, code: Code) -> StateRef {
        if position < self.dense { self.dense_step(state, code) } else { self.wide_step(position, state, code) }
    }

    #[cold]
    fn wide_step(&self, position: usize, state: StateRef, code: Code) -> StateRef {
        if state == StateRef::LOST || code == NO_CODE {
            return StateRef::LOST;
        }
        self.wide[position - self.dense].steps.get(&(state, code)).copied().unwrap_or(StateRef::UNEXPLORED)
    }

    pub fn set_step(&mut self, position: usize, state: StateRef, code: Code, next: StateRef) {
        match position.checked_sub(self.dense) {
            Some(at) => {
                self.wide[at].steps.insert((state, code), next);
            }
            None => self.table[state.offset() + HEADER + usize::from(code)] = next.0,
        }
    }

    /// The automaton's state that is meant.
    pub fn state(&self, state: StateRef) -> State {
        self.table[state.offset()]
    }

    /// The table's name of an automaton's state, if it was added.
    pub fn get(&self, position: usize, state: State) -> Option<StateRef> {
        self.parts[position].states.get(state as usize).copied().filter(|state| *state != StateRef::UNEXPLORED)
    }

    /// Begins another question: it has met no state yet.
    pub fn begin_question(&mut self) {
        self.question = self.question.wrapping_add(1);
    }

    /// Returns whether the present question has met a state.
    #[inline]
    pub fn is_met(&self, state: StateRef) -> bool {
        self.table[state.offset() + 1] == self.question
    }

    /// The question being asked meets a state; what that costs.
    pub fn meet(&mut self, state: StateRef) -> u64 {
        self.table[state.offset() + 1] = self.question;
        u64::from(self.table[state.offset() + 2])
    }

    /// Adds an automaton's state, with what meeting it costs a question.
    pub fn add(&mut self, position: usize, state: State, [accepts, dead]: [bool; 2], cost: u32) -> StateRef {
        let name = StateRef((self.table.len() as u32) << 2 | u32::from(dead) << 1 | u32::from(accepts));
        self.table.extend([state, 0, cost]);
        if !self.is_wide(position) {
            self.table.resize(self.table.len() + (1 << self.parts[position].props.len()), StateRef::UNEXPLORED.0);
        }
        let states = &mut self.parts[position].states;
        if states.len() <= state as usize {
            states.resize(state as usize + 1, StateRef::UNEXPLORED);
        }
        states[state as usize] = name;
        name
    }
}
