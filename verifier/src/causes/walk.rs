//! All runs that agree with some literals: the set of the laws' joint states, step by step.

use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::possible_letters::{Cube, PossibleLetters, Stopped};
use crate::automaton::INITIAL;
use crate::dfa_table::StateRef;
use crate::history::{Begun, History};
use crate::joint::Joint;
use crate::law_set::Group;
use crate::letter::{Letter, PropSet};
use crate::run::Now;
use crate::vocabulary::{ActionId, PropId, Vocabulary};

/// One of the laws that block.
pub(super) struct Reader {
    /// Its position among the watched laws; `None` for a law that reads only the current letter.
    pub position: Option<usize>,
    /// The number of the first letter it read.
    pub begun: usize,
    /// Its state before that letter, if it is watched.
    pub start: StateRef,
    pub mentioned: PropSet,
}

impl Reader {
    pub fn new(joint: &mut Joint, history: &History, law: usize) -> Self {
        let vocabulary = joint.vocabulary();
        let formula = joint.laws.laws().get(law).map(|law| &law.formula);
        let mentioned =
            formula.into_iter().flat_map(|law| law.atoms()).filter_map(|name| vocabulary.id(&name)).collect();
        let position = joint.laws.position(law);
        let Some(at) = position else {
            return Self { position, begun: history.now(), start: StateRef::LOST, mentioned };
        };
        let Begun { letter: mut begun, kept } = history.begun(at);
        if let Some(kept) = kept {
            return Self { position, begun, start: joint.state_of(at, kept), mentioned };
        }
        let mut start = joint.name(at, INITIAL);
        if let Some(letter) = history.letter(begun) {
            let mut state = start;
            // A letter that alone breaks the law is skipped.
            if joint.read(at, &mut state, &letter) {
                (begun, start) = (begun + 1, state);
            }
        }
        Self { position, begun, start, mentioned }
    }
}

/// The number of a joint state of the laws that block.
pub(super) type JointState = u32;

/// The number of a set of joint states.
pub(super) type StateSet = u32;

/// The number of a letter, as far as the laws that have begun read it.
type ReadLetter = u32;

/// The joint state in which some law is broken.
const BROKEN: JointState = 0;

/// The number of known transitions for a unit of work.
const TAKEN: u64 = 16;
/// The number of steps that the memory of a joint state has for a unit of work.
const REMEMBERED: usize = 64;

/// A walk along the word of the run with all joint states that runs of the same cause can be in.
pub(super) struct Walk<'a> {
    joint: &'a mut Joint,
    now: Now<'a>,
    pub history: &'a History,
    pub vocabulary: &'a Vocabulary,
    pub readers: Vec<Reader>,
    group: Arc<Group>,
    action: ActionId,
    /// The number of the first letter of the walk.
    pub first: usize,
    letters: PossibleLetters<'a>,
    /// By step from the first one: its letter, by number.
    word: Vec<ReadLetter>,
    states: Vec<Box<[StateRef]>>,
    index: FxHashMap<Box<[StateRef]>, JointState>,
    transitions: FxHashMap<(JointState, ReadLetter), JointState>,
    /// Transitions taken that were known.
    taken: u64,
    sets: Vec<Rc<[JointState]>>,
    set_index: FxHashMap<Rc<[JointState]>, StateSet>,
    cubes: FxHashMap<Cube, Rc<[Letter]>>,
    images: FxHashMap<(JointState, Cube), Rc<[JointState]>>,
    /// By joint state and step from the first one: true if the real rest of the word leads from there to a block.
    doomed: Vec<Vec<Option<bool>>>,
    /// True if the action is blocked in a state, given the part of the current letter that it reads.
    blocked: FxHashMap<(JointState, PropSet), bool>,
    choices: FxHashMap<(StateSet, ReadLetter), Choice>,
    /// Memory for the possible states that lead to a block.
    buffer: Vec<bool>,
}

/// The choices of literals at a letter, from some states before it.
struct Choice {
    /// The states after the letter, or any other.
    possible: Rc<[JointState]>,
    /// By the possible states that lead to a block: the propositions kept, and the states after all letters that agree.
    known: Vec<(Box<[bool]>, PropSet, StateSet)>,
}

impl<'a> Walk<'a> {
    pub fn new(
        joint: &'a mut Joint,
        now: Now<'a>,
        history: &'a History,
        vocabulary: &'a Vocabulary,
        readers: Vec<Reader>,
        laws: &[usize],
        action: ActionId,
    ) -> Self {
        let begun = readers.iter().map(|reader| reader.begun).min().unwrap_or(history.now());
        let mut walk = Self {
            group: joint.group(laws.iter().copied()),
            joint,
            now,
            history,
            vocabulary,
            readers,
            action,
            first: begun.clamp(history.first().min(history.now()), history.now()),
            letters: PossibleLetters::new(vocabulary),
            word: Vec::new(),
            // The first state stands for all in which a law is broken.
            states: vec![Box::default()],
            index: FxHashMap::default(),
            transitions: FxHashMap::default(),
            taken: 0,
            sets: Vec::new(),
            set_index: FxHashMap::default(),
            cubes: FxHashMap::default(),
            images: FxHashMap::default(),
            doomed: Vec::new(),
            blocked: FxHashMap::default(),
            choices: FxHashMap::default(),
            buffer: Vec::new(),
        };
        walk.number_letters();
        walk
    }

    /// Numbers the letters of the word.
    fn number_letters(&mut self) {
        let mut numbers: FxHashMap<(usize, bool, PropSet), ReadLetter> = FxHashMap::default();
        let (mut begun, mut mentioned) = (usize::MAX, PropSet::EMPTY);
        for step in self.first..=self.history.now() {
            let readers = self.readers.iter().filter(|reader| reader.begun <= step).count();
            if readers != begun {
                (begun, mentioned) = (readers, self.mentioned_at(step));
            }
            let next = numbers.len() as ReadLetter;
            let key = (readers, step == 0, self.letter(step).0.intersection(&mentioned));
            self.word.push(*numbers.entry(key).or_insert(next));
        }
    }

    /// Returns the letter of a step.
    pub fn letter(&self, step: usize) -> Letter {
        self.history.letter(step).unwrap_or_default()
    }

    /// Returns whether the word leads the laws to their states in the run.
    pub fn retraces(&mut self, states: &[JointState]) -> bool {
        let mut state = states.first().copied().ok_or(Stopped);
        for step in self.first..=self.history.now() {
            state = state.and_then(|state| self.take(step, state));
        }
        let now = self.readers.iter().filter_map(|reader| self.now.states.get(reader.position?));
        state.is_ok_and(|state| now.eq(&*self.states[state as usize]))
    }

    /// Returns the propositions of the laws that have begun at a step.
    fn mentioned_at(&self, step: usize) -> PropSet {
        let begun = self.readers.iter().filter(|reader| reader.begun <= step);
        begun.fold(PropSet::EMPTY, |mentioned, reader| mentioned.union(&reader.mentioned))
    }

    /// Returns the propositions that the laws read at a step.
    pub fn read_at(&self, step: usize) -> PropSet {
        let mut read = self.mentioned_at(step);
        if step == self.history.now() && self.stops() {
            // Stopping repeats the observations.
            let observations = PropSet::first(self.vocabulary.observations().len());
            for reader in &self.readers {
                read = read.union(&reader.mentioned.intersection(&observations));
            }
        }
        read
    }

    fn stops(&self) -> bool {
        self.vocabulary.stop() == Some(self.action)
    }

    /// Returns the states the laws can be in before the first step: the initial ones, or those that forgotten letters
    /// can have led to.
    pub fn begin(&mut self) -> Result<StateSet, Stopped> {
        let step = self.first;
        let begin: Box<[StateRef]> =
            self.readers.iter().filter(|reader| reader.position.is_some()).map(|reader| reader.start).collect();
        let mut found = vec![self.intern(begin)];
        let mut known: FxHashSet<JointState> = found.iter().copied().collect();
        let forgotten: Vec<usize> =
            self.readers.iter().map(|reader| reader.begun).filter(|&begun| begun < step).collect();
        let mut at = 0;
        while !forgotten.is_empty() && at < found.len() {
            for &begun in &forgotten {
                for is_first in [true, false] {
                    let cube = Cube { is_first, ..self.cube(begun, &PropSet::EMPTY, &Letter::default()) };
                    for &next in &*self.image(begun, found[at], cube)? {
                        if known.insert(next) {
                            found.push(next);
                        }
                    }
                }
            }
            at += 1;
        }
        Ok(self.set(found))
    }

    /// Returns the states of a set.
    pub fn states_of(&self, set: StateSet) -> Rc<[JointState]> {
        self.sets[set as usize].clone()
    }

    fn set(&mut self, states: Vec<JointState>) -> StateSet {
        if let Some(&known) = self.set_index.get(&*states) {
            return known;
        }
        let (number, states) = (self.sets.len() as StateSet, Rc::from(states));
        self.sets.push(Rc::clone(&states));
        self.set_index.insert(states, number);
        number
    }

    fn cube(&self, step: usize, fixed: &PropSet, real: &Letter) -> Cube {
        Cube {
            readers: self.readers.iter().filter(|reader| reader.begun <= step).count(),
            is_first: step == 0,
            read: self.read_at(step),
            fixed: *fixed,
            present: real.0.intersection(fixed),
        }
    }

    /// Returns whether the action is blocked in every run that agrees with the word on `fixed` at a step, and on
    /// everything after it.
    pub fn suffices(&mut self, step: usize, states: &[JointState], fixed: &PropSet) -> Result<bool, Stopped> {
        if step == self.history.now() {
            return self.all_blocked(states, fixed);
        }
        for next in self.after(step, states, fixed)? {
            if !self.is_doomed(step, next)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Leaves out as many literals as possible of a step before the current one, from these states. Returns the
    /// propositions kept, and the states after all letters that agree with them.
    pub fn leave_out(&mut self, step: usize, states: StateSet) -> Result<(PropSet, StateSet), Stopped> {
        let key = (states, self.word[step - self.first]);
        let possible = match self.choices.get(&key) {
            Some(choice) => choice.possible.clone(),
            None => {
                let possible: Rc<_> = self.after(step, &self.states_of(states), &PropSet::EMPTY)?.into();
                self.choices.insert(key, Choice { possible: Rc::clone(&possible), known: Vec::new() });
                possible
            }
        };
        let mut doomed = std::mem::take(&mut self.buffer);
        doomed.clear();
        for &state in &*possible {
            doomed.push(self.is_doomed(step, state)?);
        }
        let choice = self.choices.get(&key).and_then(|choice| choice.known.iter().find(|(of, ..)| **of == *doomed));
        let found = match choice {
            Some(&(_, kept, next)) => (kept, next),
            None => {
                let before = self.states_of(states);
                let (kept, true) = self.least(step, &before) else { return Err(Stopped) };
                let next = self.after(step, &before, &kept)?;
                let next = self.set(next);
                if let Some(choice) = self.choices.get_mut(&key) {
                    choice.known.push((doomed.as_slice().into(), kept, next));
                }
                (kept, next)
            }
        };
        self.buffer = doomed;
        Ok(found)
    }

    /// Returns the propositions of a step that cannot be left out, and whether this is proved of each of them.
    pub fn least(&mut self, step: usize, states: &[JointState]) -> (PropSet, bool) {
        let mut kept = self.read_at(step);
        if let Ok(true) = self.suffices(step, states, &PropSet::EMPTY) {
            return (PropSet::EMPTY, true);
        }
        let mut is_proved = true;
        for id in self.order(step, &kept) {
            let mut rest = kept;
            rest.remove(id);
            match self.suffices(step, states, &rest) {
                Ok(true) => kept = rest,
                Ok(false) => {}
                Err(Stopped) => is_proved = false,
            }
        }
        (kept, is_proved)
    }

    /// Returns the order in which literals are left out: the action taken, actions not taken, observations; the last ones
    /// first. "Not this action" mostly repeats the law, while "that other action instead" does not.
    fn order(&self, step: usize, read: &PropSet) -> Vec<PropId> {
        let letter = self.letter(step);
        let mut order: Vec<PropId> = read.iter().collect();
        order.sort_by_key(|&id| {
            let observation = self.vocabulary.is_observation(id);
            (observation, !observation && !letter.holds(id), std::cmp::Reverse(id))
        });
        order
    }

    /// Returns the states after a step from any of these, by the real letter or a possible letter that agrees with it
    /// on `fixed`.
    fn after(&mut self, step: usize, states: &[JointState], fixed: &PropSet) -> Result<Vec<JointState>, Stopped> {
        let cube = self.cube(step, fixed, &self.letter(step));
        let mut found = Vec::new();
        for &state in states {
            found.push(self.take(step, state)?);
            found.extend_from_slice(&self.image(step, state, cube)?);
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// Returns the states after a step by any letter of a cube.
    fn image(&mut self, step: usize, state: JointState, cube: Cube) -> Result<Rc<[JointState]>, Stopped> {
        if let Some(known) = self.images.get(&(state, cube)) {
            return Ok(known.clone());
        }
        let mut found = Vec::new();
        for letter in &*self.letters_of(cube)? {
            found.push(self.step(step, state, letter)?);
        }
        found.sort_unstable();
        found.dedup();
        let found: Rc<[JointState]> = found.into();
        self.images.insert((state, cube), found.clone());
        Ok(found)
    }

    fn letters_of(&mut self, cube: Cube) -> Result<Rc<[Letter]>, Stopped> {
        if let Some(known) = self.cubes.get(&cube) {
            return Ok(known.clone());
        }
        let letters: Rc<[Letter]> = self.letters.agreeing(&self.joint.budget, &cube)?.into();
        self.cubes.insert(cube, letters.clone());
        Ok(letters)
    }

    /// Returns the state after the real letter of a step.
    fn take(&mut self, step: usize, state: JointState) -> Result<JointState, Stopped> {
        if state == BROKEN {
            return Ok(BROKEN);
        }
        let key = (state, self.word[step - self.first]);
        if let Some(&known) = self.transitions.get(&key) {
            self.taken += 1;
            return match self.taken.is_multiple_of(TAKEN) && !self.joint.budget.try_spend(1) {
                true => Err(Stopped),
                false => Ok(known),
            };
        }
        let next = self.step(step, state, &self.letter(step))?;
        self.transitions.insert(key, next);
        Ok(next)
    }

    /// Returns the state after a letter of a step.
    fn step(&mut self, step: usize, state: JointState, letter: &Letter) -> Result<JointState, Stopped> {
        if state == BROKEN {
            return Ok(BROKEN);
        }
        if !self.joint.budget.try_spend(1) {
            return Err(Stopped);
        }
        let mut next = self.states[state as usize].clone();
        let watched = self.readers.iter().filter_map(|reader| Some((reader.position?, reader.begun)));
        for ((position, begun), state) in watched.zip(&mut next) {
            if begun <= step {
                *state = self.joint.read_letter(position, *state, letter);
                if *state == StateRef::LOST {
                    return Err(Stopped);
                }
                if state.is_dead() {
                    return Ok(BROKEN);
                }
            }
        }
        Ok(self.intern(next))
    }

    fn intern(&mut self, state: Box<[StateRef]>) -> JointState {
        if let Some(&known) = self.index.get(&state) {
            return known;
        }
        let number = self.states.len() as JointState;
        self.states.push(state.clone());
        self.index.insert(state, number);
        number
    }

    /// Returns whether the real rest of the word leads from a state after a step to a block.
    fn is_doomed(&mut self, step: usize, state: JointState) -> Result<bool, Stopped> {
        let (mut passed, mut at, mut state) = (Vec::new(), step, state);
        let doomed = loop {
            if state == BROKEN {
                break true;
            }
            if let Some(known) = self.doom(state, at)? {
                break *known;
            }
            passed.push((at, state));
            if at == self.history.now() {
                break self.is_blocked(state, self.now.letter)?;
            }
            at += 1;
            state = self.take(at, state)?;
        };
        for (at, state) in passed {
            *self.doom(state, at)? = Some(doomed);
        }
        Ok(doomed)
    }

    /// The memory of [`Self::is_doomed`].
    fn doom(&mut self, state: JointState, step: usize) -> Result<&mut Option<bool>, Stopped> {
        let state = state as usize;
        if self.doomed.len() <= state {
            self.doomed.resize(state + 1, Vec::new());
        }
        let steps = &mut self.doomed[state];
        if steps.is_empty() {
            if !self.joint.budget.try_spend((self.word.len() / REMEMBERED) as u64) {
                return Err(Stopped);
            }
            steps.resize(self.word.len(), None);
        }
        Ok(&mut steps[step - self.first])
    }

    /// Returns whether the action is blocked from each of these states before the current letter. That must hold for
    /// every possible letter that agrees with the current one on `fixed`.
    fn all_blocked(&mut self, states: &[JointState], fixed: &PropSet) -> Result<bool, Stopped> {
        let now = self.history.now();
        let real = *self.now.letter;
        let read = self.read_at(now);
        let letters = self.letters_of(self.cube(now, fixed, &real))?;
        for letter in std::iter::once(&real).chain(&*letters) {
            // Propositions that no law reads keep their values.
            let letter = Letter(letter.0.intersection(&read).union(&real.0.difference(&read)));
            for &state in states {
                let state = self.step(now, state, &letter)?;
                if !self.is_blocked(state, &letter)? {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Returns whether the laws have no continuation with the action in a state, if they read this letter as the
    /// current one.
    fn is_blocked(&mut self, state: JointState, letter: &Letter) -> Result<bool, Stopped> {
        if state == BROKEN || !self.group.masks.allowed(letter).contains(self.action) {
            return Ok(true);
        }
        // Only stopping repeats the letter's observations; any other action is judged in the real state of the world.
        // To laws of the form `G(phi_s -> X phi_a)`, that state is the same if they allow the action there.
        let letter = if self.stops() { letter } else { self.now.letter };
        if !self.group.masks.allowed(letter).contains(self.action) {
            return Err(Stopped);
        }
        if let Some(&known) = self.blocked.get(&(state, letter.0)) {
            return Ok(known);
        }
        let mut states = self.now.states.to_vec();
        let positions = self.readers.iter().filter_map(|reader| reader.position);
        for (position, state) in positions.zip(&*self.states[state as usize]) {
            states[position] = *state;
        }
        let possible = self.joint.possible(Now { letter, states: &states }, &self.group, self.action);
        let blocked = !possible.known().ok_or(Stopped)?;
        self.blocked.insert((state, letter.0), blocked);
        Ok(blocked)
    }
}
