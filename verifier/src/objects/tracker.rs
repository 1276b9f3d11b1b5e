//! The states of laws for each object, and the events that led there.

use std::collections::BTreeSet;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::alphabet::Alphabet;
use super::{Atom, Counts, Event, Events, ObjectError, ObjectLaw, pessimistic};
use crate::formula::Formula;
use crate::law::AfterBreak;
use crate::letter::{Letter, PropSet};
use crate::monitor::Monitor;
use crate::vocabulary::{PropId, Vocabulary};

/// Maximum number of events that are read to find those that laws need.
const MAX_WORK: usize = 20_000_000;

/// The propositions that an event makes true: the bits for objects that it does not name, and those for each that it names.
type Bits = (u64, Vec<(usize, u64)>);

/// The state of one law with a parameter, for each object.
pub(super) struct Tracker {
    monitor: Monitor,
    after_break: AfterBreak,
    atoms: Vec<(Atom, PropId, PropId)>,
    known: FxHashMap<(usize, u64), usize>,
    states: FxHashMap<usize, usize>,
    /// The states that objects are in, with their numbers.
    held: Vec<(usize, usize)>,
    /// The state of an object that did not occur.
    pub fresh: usize,
    /// By distinct event: its bits for other objects, and for those that it names.
    letters: Vec<Option<Bits>>,
}

impl Tracker {
    fn new(law: &ObjectLaw) -> Result<Self, ObjectError> {
        let may = |name: &str| format!("{name}~");
        let names = law.atoms.keys().flat_map(|name| [name.to_string(), may(name)]);
        let vocabulary = Arc::new(Vocabulary::plain("law", names)?);
        let formula = pessimistic(&law.law.formula, true, &mut |name, helps| match helps {
            true => Formula::atom(name.clone()),
            false => Formula::atom(may(name)),
        });
        let atoms = law
            .atoms
            .iter()
            .filter_map(|(name, atom)| Some((atom.clone(), vocabulary.id(name)?, vocabulary.id(&may(name))?)));
        let atoms = atoms.collect();
        let monitor = Monitor::new(&formula, vocabulary)?;
        let mut tracker = Self {
            monitor,
            after_break: law.law.after_break,
            atoms,
            known: FxHashMap::default(),
            states: FxHashMap::default(),
            held: Vec::new(),
            fresh: 0,
            letters: Vec::new(),
        };
        tracker.fresh = tracker.step(0, 0);
        Ok(tracker)
    }

    fn step(&mut self, state: usize, bits: u64) -> usize {
        if let Some(next) = self.known.get(&(state, bits)) {
            return *next;
        }
        self.monitor.go_to(state);
        let mut letter = PropSet::EMPTY;
        for (at, (_, surely, perhaps)) in self.atoms.iter().enumerate() {
            if bits & 1 << (2 * at) != 0 {
                letter.insert(*surely);
            }
            if bits & 1 << (2 * at + 1) != 0 {
                letter.insert(*perhaps);
            }
        }
        self.monitor.read(&Letter(letter), self.after_break);
        let next = self.monitor.state();
        self.known.insert((state, bits), next);
        next
    }

    /// The propositions that an event makes true for one object, two bits each: for sure, and perhaps.
    fn bits(&self, event: &Event, instance: Option<&str>) -> u64 {
        self.atoms.iter().enumerate().fold(0, |bits, (at, (atom, ..))| {
            let (surely, perhaps) = atom.occurs(event, instance);
            bits | u64::from(surely) << (2 * at) | u64::from(perhaps) << (2 * at + 1)
        })
    }

    /// The bits of an event.
    fn bits_of(&self, event: &Event, alphabet: &Alphabet) -> Bits {
        let known = |object: &String| Some((alphabet.number(object)?, self.bits(event, Some(object))));
        (self.bits(event, None), event.objects.iter().filter_map(known).collect())
    }

    /// Reads the distinct event with a number.
    fn read(&mut self, number: usize, event: &Event, alphabet: &Alphabet) {
        if self.letters.len() <= number {
            self.letters.resize(number + 1, None);
        }
        let (others, named) = self.letters[number].take().unwrap_or_else(|| self.bits_of(event, alphabet));
        let mut moved = Vec::new();
        for (object, bits) in &named {
            if *bits != others || self.states.contains_key(object) {
                moved.push((*object, self.step(self.state(*object), *bits)));
            }
        }
        if (0..self.held.len()).any(|at| self.step(self.held[at].0, others) != self.held[at].0) {
            let objects: Vec<(usize, usize)> = self.states.iter().map(|(object, state)| (*object, *state)).collect();
            for (object, state) in objects {
                let next = self.step(state, others);
                self.put(object, next);
            }
        }
        self.fresh = self.step(self.fresh, others);
        moved.into_iter().for_each(|(object, state)| self.put(object, state));
        self.letters[number] = Some((others, named));
    }

    /// Reads events by their places and bits; gives the state after them. Calls `visit` with the states before and after each
    /// event, but not where a state stays the same after an event that does not speak of the object.
    fn run(
        &mut self,
        bits: impl Iterator<Item = (usize, u64)>,
        mut visit: impl FnMut(&mut Self, usize, (usize, u64), usize),
    ) -> usize {
        let mut state = self.fresh;
        // A state that no event changes which does not speak of the object.
        let mut at_rest = None;
        for (place, bits) in bits {
            if bits == 0 && at_rest == Some(state) {
                continue;
            }
            let next = self.step(state, bits);
            if bits == 0 && next == state {
                at_rest = Some(state);
            }
            visit(self, state, (place, bits), next);
            state = next;
        }
        state
    }

    /// Marks events that lead an object to its state after all of them, which is the result.
    fn mark_way(&mut self, bits: impl Iterator<Item = (usize, u64)>, marks: &mut [bool]) -> usize {
        // The states on the way, without loops, each with the place of the event after it.
        let mut way: Vec<(usize, usize)> = Vec::new();
        let state = self.run(bits, |tracker, state, (place, bits), next| {
            if next != state {
                match way.iter().position(|(before, _)| *before == next) {
                    Some(loop_from) => way.truncate(loop_from),
                    None => way.push((state, place)),
                }
            } else if let Some((before, last)) = way.last_mut()
                && tracker.step(*before, bits) == next
            {
                *last = place;
            }
        });
        way.into_iter().for_each(|(_, place)| marks[place] = true);
        state
    }

    fn put(&mut self, object: usize, state: usize) {
        let before = self.states.insert(object, state);
        if before == Some(state) {
            return;
        }
        match self.held.iter_mut().find(|(held, _)| *held == state) {
            Some((_, count)) => *count += 1,
            None => self.held.push((state, 1)),
        }
        if let Some((_, count)) = self.held.iter_mut().find(|(held, _)| Some(*held) == before) {
            *count -= 1;
            self.held.retain(|(_, count)| *count > 0);
        }
    }

    pub fn state(&self, object: usize) -> usize {
        self.states.get(&object).copied().unwrap_or(self.fresh)
    }

    pub fn is_owed(&mut self, object: usize) -> bool {
        self.monitor.go_to(self.state(object));
        !self.monitor.accepts()
    }
}

/// The laws with a parameter along one run. What they have read is not read again, as long as it stays the same.
#[derive(Default)]
pub(super) struct Trackers {
    pub trackers: Vec<Tracker>,
    /// The alphabet of what was read.
    pub alphabet: Option<Alphabet>,
    /// The numbers of the events that they have read.
    read: Vec<usize>,
    /// By distinct event: whether they read it.
    is_asked: Vec<bool>,
}

impl Trackers {
    /// Reads the events of a run.
    pub fn go_to(&mut self, laws: &[&ObjectLaw], alphabet: &Alphabet, events: &Events) -> Result<(), ObjectError> {
        if self.read.is_empty() || !events.numbers().starts_with(&self.read) {
            self.read.clear();
            self.is_asked.clear();
            let about = laws.iter().filter(|law| law.parameter.is_some());
            self.trackers = about.map(|law| Tracker::new(law)).collect::<Result<_, _>>()?;
        }
        let counting = laws.iter().any(|law| law.counts == Counts::All);
        let new = events.distinct().get(self.is_asked.len()..).unwrap_or_default();
        self.is_asked.extend(new.iter().map(|event| counting || alphabet.asks_for(&event.action)));
        for number in events.numbers()[self.read.len()..].iter().filter(|number| self.is_asked[**number]) {
            let event = &events.distinct()[*number];
            self.trackers.iter_mut().for_each(|tracker| tracker.read(*number, event, alphabet));
        }
        self.read.extend_from_slice(&events.numbers()[self.read.len()..]);
        match self.trackers.iter().any(|tracker| tracker.monitor.is_lost()) {
            true => Err(ObjectError::Lost),
            false => Ok(()),
        }
    }
}

/// Marks those of the first events of a run that the laws need: after them alone, the laws ask of what comes what they ask after
/// all of them. Of events that do the same, the latest is marked.
///
/// # Errors
/// [`ObjectError::Lost`] or [`ObjectError::TooLong`].
pub fn needed(laws: &[&ObjectLaw], events: &Events, first: usize) -> Result<Vec<bool>, ObjectError> {
    let numbers = &events.numbers()[..first];
    let alphabet = Alphabet::new(laws, events);
    let mut needed = vec![false; first];
    let bits = |table: &Vec<Bits>, object: Option<usize>, number: usize| {
        let (others, named) = &table[number];
        named.iter().find(|(one, _)| Some(*one) == object).map_or(*others, |(_, bits)| *bits)
    };
    let mut trackers: Vec<(Tracker, Vec<Bits>)> = Vec::new();
    // Each law for each object, with its state after all events.
    let mut runs: Vec<(usize, Option<usize>, usize)> = Vec::new();
    for (at, law) in laws.iter().enumerate() {
        let mut tracker = Tracker::new(law)?;
        let table: Vec<Bits> = events.distinct().iter().map(|event| tracker.bits_of(event, &alphabet)).collect();
        let named = table.iter().flat_map(|(_, named)| named).filter(|_| law.parameter.is_some());
        let objects: BTreeSet<Option<usize>> = named.map(|(object, _)| Some(*object)).chain([None]).collect();
        if (runs.len() + objects.len()) * first > MAX_WORK {
            return Err(ObjectError::TooLong);
        }
        for object in objects {
            let all = numbers.iter().map(|number| bits(&table, object, *number)).enumerate();
            runs.push((at, object, tracker.mark_way(all, &mut needed)));
        }
        trackers.push((tracker, table));
    }
    // Events that one law needs may lead another one astray. It then reads all that change its state.
    for _ in 0..=runs.len() {
        let mut is_astray = false;
        for (at, object, state) in &runs {
            let (tracker, table) = &mut trackers[*at];
            let table = &*table;
            let all = numbers.iter().map(|number| bits(table, *object, *number)).enumerate();
            if tracker.run(all.clone().filter(|(place, _)| needed[*place]), |_, _, _, _| ()) != *state {
                is_astray = true;
                tracker.run(all, |_, before, (place, _), after| needed[place] |= before != after);
            }
        }
        if !is_astray {
            let is_lost = trackers.iter().any(|(tracker, _)| tracker.monitor.is_lost());
            return if is_lost { Err(ObjectError::Lost) } else { Ok(needed) };
        }
    }
    Err(ObjectError::Lost)
}

/// Returns whether a law with a parameter holds while nothing happens to its object.
///
/// # Errors
/// A law that cannot be followed.
pub(super) fn holds_at_rest(law: &ObjectLaw) -> Result<bool, ObjectError> {
    let mut tracker = Tracker::new(law)?;
    let mut state = tracker.fresh;
    for _ in 0..2 {
        tracker.monitor.go_to(state);
        if !tracker.monitor.accepts() {
            return Ok(false);
        }
        state = tracker.step(state, 0);
    }
    Ok(state == tracker.fresh)
}
