//! How every law reads each action that leaves a given set of observations as it is.
//!
//! All actions are judged at once: for each law and each code its propositions can take after the step, a bit mask says
//! after which actions they take it. One look at the law's table then settles all those actions.

use rustc_hash::FxHashMap;

use crate::dfa_table::{Code, DfaTable};
use crate::letter::{Letter, PropSet};
use crate::vocabulary::{ActionId, Vocabulary};

/// At most this many actions are judged at once; with more, one by one.
pub(crate) const MAX_ACTIONS: usize = 64;

/// The number of a [`WorldState`].
pub(crate) type WorldStateId = u32;

/// One code of a law after a step, and the actions after which it comes up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub code: Code,
    pub actions: u64,
}

/// A set of observations, seen by the laws of one search.
#[derive(Clone, Debug)]
pub(crate) struct WorldState {
    pub observations: PropSet,
    entries: Box<[Entry]>,
    /// Where each law's entries begin; one more than there are laws.
    starts: Box<[u32]>,
    /// By action: its class. All laws read the actions of a class alike.
    class: Box<[u8]>,
}

impl WorldState {
    /// The entries of one law.
    #[inline]
    pub fn entries(&self, law: usize) -> &[Entry] {
        &self.entries[self.starts[law] as usize..self.starts[law + 1] as usize]
    }

    /// All actions that every law reads as it reads this one.
    pub fn class(&self, action: ActionId) -> u64 {
        let class = self.class[usize::from(action.0)];
        self.class.iter().enumerate().filter(|(_, other)| **other == class).map(|(at, _)| 1 << at).sum()
    }

    fn bytes(&self) -> usize {
        size_of::<Self>() + self.entries.len() * 16 + self.starts.len() * 4 + self.class.len()
    }
}

/// What world states are made from.
pub(crate) struct WorldContext<'a> {
    /// The laws, by position in the table.
    pub laws: &'a [usize],
    pub table: &'a mut DfaTable,
    pub vocabulary: &'a Vocabulary,
}

/// The world states met so far, for one group of laws.
#[derive(Clone, Debug, Default)]
pub(crate) struct WorldStates {
    index: FxHashMap<PropSet, WorldStateId>,
    states: Vec<WorldState>,
    bytes: usize,
}

impl WorldStates {
    pub fn get(&self, id: WorldStateId) -> &WorldState {
        &self.states[id as usize]
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    pub fn clear(&mut self) {
        self.index.clear();
        self.states.clear();
        self.bytes = 0;
    }

    /// The state with these observations.
    pub fn intern(&mut self, observations: PropSet, context: WorldContext<'_>) -> WorldStateId {
        if let Some(&id) = self.index.get(&observations) {
            return id;
        }
        let state = WorldState::new(observations, context);
        let id = self.states.len() as WorldStateId;
        self.bytes += state.bytes() + 48;
        self.states.push(state);
        self.index.insert(observations, id);
        id
    }
}

impl WorldState {
    fn new(observations: PropSet, context: WorldContext<'_>) -> Self {
        let WorldContext { laws, table, vocabulary } = context;
        let mut state = Self {
            observations,
            entries: Box::default(),
            starts: Box::default(),
            class: vec![0u8; vocabulary.actions().len()].into(),
        };
        state.read(laws, table, vocabulary);
        state.set_stop_apart(vocabulary);
        state
    }

    /// Reads each action: only a law's own actions tell the letters apart.
    fn read(&mut self, laws: &[usize], table: &mut DfaTable, vocabulary: &Vocabulary) {
        let mut entries: Vec<Entry> = Vec::with_capacity(laws.len() * 2);
        let mut starts = Vec::with_capacity(laws.len() + 1);
        let all = vocabulary.action_ids().fold(0u64, |all, action| all | 1 << action.0);
        for &law in laws {
            let start = entries.len();
            starts.push(start as u32);
            let base = table.code(law, &Letter(self.observations));
            let mut others = all;
            for bit in 0..table.props(law).len() {
                if let Some(action) = vocabulary.as_action(table.props(law)[bit]) {
                    let code = match table.is_wide(law) {
                        true => table.code(law, &Letter::after(vocabulary, action, self.observations)),
                        false => base | 1 << bit,
                    };
                    others &= !(1 << action.0);
                    entries.push(Entry { code, actions: 1 << action.0 });
                }
            }
            if others != 0 {
                entries.push(Entry { code: base, actions: others });
            }
            if entries.len() > start + 1 {
                refine(&mut self.class, &entries[start..]);
            }
        }
        starts.push(entries.len() as u32);
        (self.entries, self.starts) = (entries.into(), starts.into());
    }

    /// Puts stopping into a class of its own.
    fn set_stop_apart(&mut self, vocabulary: &Vocabulary) {
        if let Some(stop) = vocabulary.stop() {
            self.class[usize::from(stop.0)] = u8::MAX;
        }
    }
}

/// Splits the classes by what one law reads.
fn refine(class: &mut [u8], entries: &[Entry]) {
    if entries.len() < 2 {
        return;
    }
    let mut pairs: Vec<(u8, usize, u8)> = Vec::new();
    let mut next = 0u8;
    for (at, class) in class.iter_mut().enumerate() {
        let Some(entry) = entries.iter().position(|entry| entry.actions >> at & 1 == 1) else { continue };
        let found = pairs.iter().find(|(old, other, _)| *old == *class && *other == entry).map(|pair| pair.2);
        let new = found.unwrap_or_else(|| {
            pairs.push((*class, entry, next));
            next += 1;
            next - 1
        });
        *class = new;
    }
}
