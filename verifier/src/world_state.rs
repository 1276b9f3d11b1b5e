//! What each action leads to from a given set of observations, and how every law reads it.
//!
//! All actions are judged at once: for each law and each code its propositions can take after the step, a bit mask says
//! after which actions they take it. One look at the law's table then settles all those actions.

use rustc_hash::FxHashMap;

use crate::actions::ActionSet;
use crate::dfa_table::DfaTable;
use crate::letter::{Letter, PropSet};
use crate::masks::MaskTable;
use crate::transitions::Transitions;
use crate::vocabulary::{ActionId, Vocabulary};

/// At most this many actions are judged at once; with more, one by one.
pub(crate) const MOST_ACTIONS: usize = 64;

/// The number of a [`WorldState`].
pub(crate) type WorldStateId = u32;

/// One code of a law after a step, and the actions after which it comes up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub code: u32,
    pub actions: u64,
}

#[derive(Clone, Debug)]
pub(crate) struct WorldState {
    pub observations: PropSet,
    /// The observations after each action: what the model says, or unchanged without a model. `None`: not known.
    next: Box<[Option<PropSet>]>,
    next_place: Box<[Option<WorldStateId>]>,
    entries: Box<[Entry]>,
    /// Where each law's entries begin; one more than there are laws.
    starts: Box<[u32]>,
    /// With a model: the code each law reads after each action, law by law.
    codes: Box<[u8]>,
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
    pub fn code(&self, position: usize, action: ActionId) -> usize {
        usize::from(self.codes[position * self.next.len() + usize::from(action.0)])
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
        size_of::<Self>() + self.entries.len() * 16 + self.starts.len() * 4 + self.next.len() * 56 + self.codes.len()
    }
}

/// What places are made from.
#[derive(Clone, Copy)]
pub(crate) struct WorldContext<'a> {
    /// The laws, as positions in `flat`.
    pub laws: &'a [usize],
    pub flat: &'a DfaTable,
    pub masks: &'a MaskTable,
    pub vocabulary: &'a Vocabulary,
    pub model: Option<&'a dyn Transitions>,
}

/// The places met so far, for one group of laws.
#[derive(Clone, Debug, Default)]
pub(crate) struct WorldStates {
    index: FxHashMap<PropSet, WorldStateId>,
    places: Vec<WorldState>,
    bytes: usize,
}

impl WorldStates {
    pub fn get(&self, id: WorldStateId) -> &WorldState {
        &self.places[id as usize]
    }

    pub fn bytes(&self) -> usize {
        self.bytes
    }

    pub fn clear(&mut self) {
        self.index.clear();
        self.places.clear();
        self.bytes = 0;
    }

    /// The place with these observations, and whether it is new.
    pub fn place(&mut self, observations: PropSet, ground: WorldContext<'_>) -> (WorldStateId, bool) {
        if let Some(&id) = self.index.get(&observations) {
            return (id, false);
        }
        let place = new_place(observations, ground);
        let id = self.places.len() as WorldStateId;
        self.bytes += place.bytes() + 48;
        self.places.push(place);
        self.index.insert(observations, id);
        (id, true)
    }

    /// The place an action leads to, where known, and whether it is new.
    #[inline]
    pub fn next(
        &mut self,
        from: WorldStateId,
        action: ActionId,
        ground: WorldContext<'_>,
    ) -> Option<(WorldStateId, bool)> {
        let at = usize::from(action.0);
        let place = &self.places[from as usize];
        if let Some(next) = place.next_place[at] {
            return Some((next, false));
        }
        let (next, new) = self.place(place.next[at]?, ground);
        self.places[from as usize].next_place[at] = Some(next);
        Some((next, new))
    }
}

fn new_place(observations: PropSet, ground: WorldContext<'_>) -> WorldState {
    let WorldContext { laws, flat, masks, vocabulary, model } = ground;
    let stop = vocabulary.stop();
    let next: Box<[Option<PropSet>]> = vocabulary
        .action_ids()
        .map(|action| match model {
            Some(model) if Some(action) != stop => model.next(&observations, action),
            _ => Some(observations),
        })
        .collect();
    let mut entries: Vec<Entry> = Vec::with_capacity(laws.len() * 2);
    let mut starts = Vec::with_capacity(laws.len() + 1);
    let mut codes = vec![0u8; if model.is_some() { laws.len() * next.len() } else { 0 }].into_boxed_slice();
    let letters: Vec<(u64, Letter)> = vocabulary
        .action_ids()
        .zip(&next)
        .filter_map(|(action, next)| Some((1u64 << action.0, Letter::after(vocabulary, action, (*next)?))))
        .collect();
    let known = letters.iter().map(|(bit, _)| bit).sum();
    let mut class = vec![0u8; next.len()].into_boxed_slice();
    // Actions with the same next observations are the same to laws that read no action.
    let mut groups: Vec<(u64, Letter)> = Vec::with_capacity(letters.len());
    let mut targets: Vec<PropSet> = Vec::with_capacity(letters.len());
    for (bit, letter) in &letters {
        let Some(observations) = next[bit.trailing_zeros() as usize] else { continue };
        match targets.iter().position(|other| *other == observations) {
            Some(at) => groups[at].0 |= bit,
            None => {
                targets.push(observations);
                groups.push((*bit, *letter));
            }
        }
    }
    for (position, &law) in laws.iter().enumerate() {
        let start = entries.len();
        starts.push(start as u32);
        let reads_actions = flat.props(law).iter().any(|prop| !vocabulary.is_observation(*prop));
        if model.is_none() {
            // All actions leave the observations alone: only the law's own actions tell the letters apart.
            let base = flat.code(law, &Letter(observations));
            let mut others = known;
            for (bit, &prop) in flat.props(law).iter().enumerate() {
                if let Some(action) = vocabulary.as_action(prop) {
                    others &= !(1 << action.0);
                    entries.push(Entry { code: (base | 1 << bit) as u32, actions: 1 << action.0 });
                }
            }
            if others != 0 {
                entries.push(Entry { code: base as u32, actions: others });
            }
        } else {
            for (bit, letter) in if reads_actions { &letters } else { &groups } {
                let code = flat.code(law, letter) as u32;
                let mut actions = *bit;
                while actions != 0 {
                    codes[position * next.len() + actions.trailing_zeros() as usize] = code as u8;
                    actions &= actions - 1;
                }
                match entries[start..].iter_mut().find(|entry| entry.code == code) {
                    Some(entry) => entry.actions |= bit,
                    None => entries.push(Entry { code, actions: *bit }),
                }
            }
        }
        if reads_actions {
            refine(&mut class, &entries[start..]);
        }
    }
    starts.push(entries.len() as u32);
    // Different next observations lead to different places, even where no law tells them apart yet.
    let mut representatives = 0u64;
    let mut seen: Vec<(u8, PropSet)> = Vec::new();
    let mut merged = vec![u8::MAX; next.len()].into_boxed_slice();
    for action in vocabulary.action_ids().filter(|action| Some(*action) != stop) {
        let at = usize::from(action.0);
        let Some(observations) = next[at] else { continue };
        let key = (class[at], observations);
        let position = seen.iter().position(|other| *other == key).unwrap_or_else(|| {
            seen.push(key);
            representatives |= 1 << at;
            seen.len() - 1
        });
        merged[at] = position as u8;
    }
    WorldState {
        next_place: vec![None; next.len()].into(),
        masked: masks.allowed(&Letter(observations)),
        observations,
        next,
        entries: entries.into(),
        starts: starts.into(),
        codes,
        known,
        representatives,
        class: merged,
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
