//! What each action leads to from a given set of observations, and how every law reads it.
//!
//! All actions are judged at once: for each law and each code its propositions can take after the step, a bit mask says
//! after which actions they take it. One look at the law's table then settles all those actions.

use rustc_hash::FxHashMap;

use crate::actions::ActionSet;
use crate::dfa_table::{Code, DfaTable};
use crate::environment::Environment;
use crate::letter::{Letter, PropSet};
use crate::masks::MaskTable;
use crate::vocabulary::{ActionId, Vocabulary};

/// At most this many actions are judged at once; with more, one by one.
pub(crate) const MOST_ACTIONS: usize = 64;

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
    /// The observations to try first after each action. `None`: not known.
    next: Box<[Option<PropSet>]>,
    next_state: Box<[Option<WorldStateId>]>,
    entries: Box<[Entry]>,
    /// Where each law's entries begin; one more than there are laws.
    starts: Box<[u32]>,
    /// With a model: the code each law reads after each action, law by law.
    codes: Box<[Code]>,
    /// The actions whose next observations are known.
    pub known: u64,
    /// One action of each class: all laws read the actions of a class alike.
    pub representatives: u64,
    class: Box<[u8]>,
    /// The actions that the masks of the group allow here.
    pub masked: ActionSet,
}

impl WorldState {
    /// The entries of one law.
    #[inline]
    pub fn entries(&self, law: usize) -> &[Entry] {
        &self.entries[self.starts[law] as usize..self.starts[law + 1] as usize]
    }

    /// The code the law at a position reads after an action whose next observations the model knows.
    #[inline]
    pub fn code(&self, position: usize, action: ActionId) -> Code {
        self.codes[position * self.next.len() + usize::from(action.0)]
    }

    /// The observations after an action, where known.
    pub fn next(&self, action: ActionId) -> Option<PropSet> {
        self.next[usize::from(action.0)]
    }

    /// All actions that every law reads as it reads this one.
    pub fn class(&self, action: ActionId) -> u64 {
        let class = self.class[usize::from(action.0)];
        self.class.iter().enumerate().filter(|(_, other)| **other == class).map(|(at, _)| 1 << at).sum()
    }

    fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.entries.len() * 16
            + self.starts.len() * 4
            + self.next.len() * 56
            + self.codes.len() * 2
    }
}

/// What world states are made from.
pub(crate) struct WorldContext<'a> {
    /// The laws, by position in the table.
    pub laws: &'a [usize],
    pub table: &'a mut DfaTable,
    pub masks: &'a MaskTable,
    pub vocabulary: &'a Vocabulary,
    pub environment: &'a Environment,
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

    /// The state with these observations, and whether it is new.
    pub fn intern(&mut self, observations: PropSet, context: WorldContext<'_>) -> (WorldStateId, bool) {
        if let Some(&id) = self.index.get(&observations) {
            return (id, false);
        }
        let state = WorldState::new(observations, context);
        let id = self.states.len() as WorldStateId;
        self.bytes += state.bytes() + 48;
        self.states.push(state);
        self.index.insert(observations, id);
        (id, true)
    }

    /// The state an action leads to, if that was asked before.
    #[inline]
    pub fn known_next(&self, from: WorldStateId, action: ActionId) -> Option<WorldStateId> {
        self.states[from as usize].next_state[usize::from(action.0)]
    }

    /// The state an action leads to, where known, and whether it is new.
    pub fn next(
        &mut self,
        from: WorldStateId,
        action: ActionId,
        context: WorldContext<'_>,
    ) -> Option<(WorldStateId, bool)> {
        let (next, new) = self.intern(self.states[from as usize].next(action)?, context);
        self.states[from as usize].next_state[usize::from(action.0)] = Some(next);
        Some((next, new))
    }
}

impl WorldState {
    fn new(observations: PropSet, context: WorldContext<'_>) -> Self {
        let WorldContext { laws, table, masks, vocabulary, environment } = context;
        let guess = |action| environment.first_guess(vocabulary, &observations, action);
        let next: Box<[Option<PropSet>]> = vocabulary.action_ids().map(guess).collect();
        let letters: Vec<(u64, Letter)> = vocabulary
            .action_ids()
            .zip(&next)
            .filter_map(|(action, next)| Some((1u64 << action.0, Letter::after(vocabulary, action, (*next)?))))
            .collect();
        let mut state = Self {
            next_state: vec![None; next.len()].into(),
            masked: masks.allowed(&Letter(observations)),
            observations,
            entries: Box::default(),
            starts: Box::default(),
            codes: Box::default(),
            known: letters.iter().map(|(bit, _)| bit).sum(),
            representatives: 0,
            class: vec![0u8; next.len()].into(),
            next,
        };
        match environment {
            Environment::Free => state.read_unchanged(laws, table, vocabulary),
            Environment::Modelled(_) => state.read(laws, table, vocabulary, &letters),
        }
        state.classify(vocabulary);
        state
    }

    /// Reads what follows where all actions leave the observations alone: only a law's own actions tell the letters apart.
    fn read_unchanged(&mut self, laws: &[usize], table: &mut DfaTable, vocabulary: &Vocabulary) {
        let mut entries: Vec<Entry> = Vec::with_capacity(laws.len() * 2);
        let mut starts = Vec::with_capacity(laws.len() + 1);
        for &law in laws {
            let start = entries.len();
            starts.push(start as u32);
            let base = table.code(law, &Letter(self.observations));
            let mut others = self.known;
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

    /// Reads what follows where a model says it.
    fn read(&mut self, laws: &[usize], table: &mut DfaTable, vocabulary: &Vocabulary, letters: &[(u64, Letter)]) {
        // Actions with the same next observations are the same to laws that read no action.
        let mut groups: Vec<(u64, Letter)> = Vec::with_capacity(letters.len());
        let mut targets: Vec<PropSet> = Vec::with_capacity(letters.len());
        for (bit, letter) in letters {
            let Some(observations) = self.next[bit.trailing_zeros() as usize] else { continue };
            match targets.iter().position(|other| *other == observations) {
                Some(at) => groups[at].0 |= bit,
                None => {
                    targets.push(observations);
                    groups.push((*bit, *letter));
                }
            }
        }
        let mut entries: Vec<Entry> = Vec::with_capacity(laws.len() * 2);
        let mut starts = Vec::with_capacity(laws.len() + 1);
        let mut codes = vec![0; laws.len() * self.next.len()].into_boxed_slice();
        for (position, &law) in laws.iter().enumerate() {
            let start = entries.len();
            starts.push(start as u32);
            let reads_actions = table.props(law).iter().any(|prop| !vocabulary.is_observation(*prop));
            for (bit, letter) in if reads_actions { letters } else { &groups } {
                let code = table.code(law, letter);
                let mut actions = *bit;
                while actions != 0 {
                    codes[position * self.next.len() + actions.trailing_zeros() as usize] = code;
                    actions &= actions - 1;
                }
                match entries[start..].iter_mut().find(|entry| entry.code == code) {
                    Some(entry) => entry.actions |= bit,
                    None => entries.push(Entry { code, actions: *bit }),
                }
            }
            if reads_actions {
                refine(&mut self.class, &entries[start..]);
            }
        }
        starts.push(entries.len() as u32);
        (self.entries, self.starts, self.codes) = (entries.into(), starts.into(), codes);
    }

    /// Puts actions into classes: those that all laws read alike and that lead to the same observations. Different next
    /// observations are told apart even where no law does yet.
    fn classify(&mut self, vocabulary: &Vocabulary) {
        let mut seen: Vec<(u8, PropSet)> = Vec::new();
        let mut merged = vec![u8::MAX; self.next.len()].into_boxed_slice();
        for action in vocabulary.action_ids().filter(|action| Some(*action) != vocabulary.stop()) {
            let at = usize::from(action.0);
            let Some(observations) = self.next[at] else { continue };
            let key = (self.class[at], observations);
            let position = seen.iter().position(|other| *other == key).unwrap_or_else(|| {
                seen.push(key);
                self.representatives |= 1 << at;
                seen.len() - 1
            });
            merged[at] = position as u8;
        }
        self.class = merged;
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
