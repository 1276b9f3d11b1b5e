//! The automata of all laws in one flat table, so that one letter for all laws is a run of array look-ups.
//!
//! A law's state is a *row*: the transitions for each code of the law's propositions, in one array with all the others.
//! A row is named by its offset, shifted by two; the two lowest bits say whether the state accepts and whether it is
//! doomed, so that a transition brings both along.

use crate::automaton::State;
use crate::letter::Letter;
use crate::vocabulary::PropId;

/// A state of one law in the flat table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct StateRef(pub u32);

impl StateRef {
    pub const UNEXPLORED: Self = Self(u32::MAX);
    /// The state of a law whose residual exceeded every bound: it neither accepts nor is known to be doomed.
    pub const LOST: Self = Self(0);

    #[inline]
    pub fn accepts(self) -> bool {
        self.0 & 1 == 1
    }

    #[inline]
    pub fn is_dead(self) -> bool {
        self.0 & 2 == 2
    }

    #[inline]
    fn offset(self) -> usize {
        (self.0 >> 2) as usize
    }
}

/// The first two propositions of a law, which are mostly all: read without a loop, whose length would be hard to predict.
#[derive(Clone, Copy, Debug)]
struct Pair {
    props: [PropId; 2],
    /// The bits of the code there are.
    mask: u16,
    /// There are more propositions.
    more: bool,
}

/// One law's part of the table.
#[derive(Clone, Debug)]
struct Part {
    props: Box<[PropId]>,
    /// The row of each state of the law's automaton.
    rows: Vec<StateRef>,
}

#[derive(Clone, Debug)]
pub(crate) struct DfaTable {
    /// Per row: the automaton's state, then the transitions by code.
    table: Vec<u32>,
    pairs: Vec<Pair>,
    parts: Vec<Part>,
}

/// The widest law the table takes.
const WIDEST: usize = crate::automaton::DENSE;

impl DfaTable {
    /// A table for laws over these propositions each.
    pub fn new(laws: impl IntoIterator<Item = Box<[PropId]>>) -> Self {
        // The lost row loops.
        let table = vec![0; 1 + (1 << WIDEST)];
        let parts: Vec<Part> = laws.into_iter().map(|props| Part { props, rows: Vec::new() }).collect();
        let pair = |part: &Part| Pair {
            props: [0, 1].map(|at| part.props.get(at).copied().unwrap_or(PropId(0))),
            mask: (1 << part.props.len().min(2)) - 1,
            more: part.props.len() > 2,
        };
        Self { table, pairs: parts.iter().map(pair).collect(), parts }
    }

    pub fn len(&self) -> usize {
        self.table.len()
    }

    /// The code of a letter for one law.
    #[inline]
    pub fn code(&self, law: usize, letter: &Letter) -> usize {
        let pair = &self.pairs[law];
        let [first, second] = pair.props.map(|prop| usize::from(letter.holds(prop)));
        let mut code = (first | second << 1) & usize::from(pair.mask);
        if pair.more {
            for (bit, &prop) in self.parts[law].props.iter().enumerate().skip(2) {
                code |= usize::from(letter.holds(prop)) << bit;
            }
        }
        code
    }

    /// The propositions of one law, in the order of its codes' bits.
    pub fn props(&self, law: usize) -> &[PropId] {
        &self.parts[law].props
    }

    /// The transition, possibly [`StateRef::UNEXPLORED`].
    #[inline]
    pub fn step(&self, row: StateRef, code: usize) -> StateRef {
        StateRef(self.table[row.offset() + 1 + code])
    }

    pub fn set_step(&mut self, row: StateRef, code: usize, next: StateRef) {
        let slot = row.offset() + 1 + code;
        self.table[slot] = next.0;
    }

    /// The automaton's state a row stands for.
    pub fn state(&self, row: StateRef) -> State {
        self.table[row.offset()]
    }

    /// The row of an automaton's state, if it was made.
    pub fn row(&self, law: usize, state: State) -> Option<StateRef> {
        self.parts[law].rows.get(state as usize).copied().filter(|row| *row != StateRef::UNEXPLORED)
    }

    /// Makes the row of an automaton's state.
    pub fn add(&mut self, law: usize, state: State, accepts: bool, doomed: bool) -> StateRef {
        let row = StateRef((self.table.len() as u32) << 2 | u32::from(doomed) << 1 | u32::from(accepts));
        self.table.push(state);
        self.table.resize(self.table.len() + (1 << self.parts[law].props.len()), StateRef::UNEXPLORED.0);
        let rows = &mut self.parts[law].rows;
        if rows.len() <= state as usize {
            rows.resize(state as usize + 1, StateRef::UNEXPLORED);
        }
        rows[state as usize] = row;
        row
    }

    /// The letter, as far as one law sees it, with this code.
    pub fn letter(&self, law: usize, code: usize) -> Letter {
        let props = self.parts[law].props.iter().enumerate();
        Letter(props.filter(|(bit, _)| code >> bit & 1 == 1).map(|(_, &prop)| prop).collect())
    }
}
