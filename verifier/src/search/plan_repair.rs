//! Plans by local search: a word is repaired where it breaks constraints.
//!
//! There are three kinds of constraints: every law accepts after the word, the masks allow each action after the letter
//! before it, and each letter keeps the axioms. The objective is the weighted number of broken constraints; a word that
//! breaks none is a plan. A move changes one observation or one action, or inserts or deletes a letter; it is drawn
//! from one broken constraint, and the move that lowers the objective most is made (focused search: Selman, Kautz,
//! Cohen: "Noise strategies for improving local search", AAAI 1994). Where no move lowers it, broken constraints gain
//! weight until one does (Morris: "The breakout method for escaping from local minima", AAAI 1993). The weights show
//! which constraints are hard to satisfy together. A proof that there is no plan should begin there (Mazure, Sais,
//! Gregoire: "Boosting complete techniques thanks to local search methods", 1998).
//!
//! Evaluating a move is cheap: only laws that read what changes are run, and only until they are back in the state they
//! were in at the same letter before.

mod axiom_set;
mod change;
mod moves;
mod weigh;

use std::collections::VecDeque;
use std::sync::Arc;

use axiom_set::AxiomSet;
use change::{Broken, Move};
use rustc_hash::FxHashMap;

use super::space::SearchSpace;
use crate::actions::ActionSet;
use crate::dfa_table::{Code, StateRef};
use crate::joint::Joint;
use crate::letter::{Letter, PropSet};
use crate::vocabulary::{ActionId, PropId};

/// Maximum number of letters of a word.
const MAX_LETTERS: usize = 64;
/// Cells of a law's row: a state before each letter and after the last.
const ROW: usize = MAX_LETTERS + 1;
/// The number of latest moves that may not be undone.
const TABU: usize = 6;
/// The seed of the random moves of a decision.
const SEED: u64 = 0x9E37_79B9_7F4A_7C15;
/// The number of steps of laws for a unit of work.
const STEPS: usize = 4;

/// The place where a word begins.
#[derive(Clone, Copy)]
pub(super) struct Start<'a> {
    /// The state of each law of the search, before the first letter, or after it if that is past.
    pub states: &'a [StateRef],
    /// The actions that may follow the first letter, if that is past already, so that no move changes it.
    pub after_past: Option<ActionSet>,
}

/// A word, and what every law makes of it.
pub(super) struct PlanRepair {
    space: Arc<SearchSpace>,
    /// As in [`Start`].
    after_past: Option<ActionSet>,
    word: Vec<Letter>,
    actions: Vec<ActionId>,
    /// The code that each law reads at each letter, law by law.
    codes: Vec<Code>,
    /// The state of each law before each letter and after the last, law by law.
    states: Vec<StateRef>,
    /// True for each law that accepts after the last letter.
    accepting: Vec<bool>,
    /// The weight of breaking each law.
    weights: Vec<i64>,
    /// The weight of breaking a mask or an axiom.
    letter_weight: i64,
    /// The number of times each law was in the way: it stayed broken, or had to be broken for another.
    conflicts: FxHashMap<usize, u32>,
    /// The propositions that masks read.
    mask_reads: PropSet,
    /// The laws that read a proposition.
    readers: Vec<Vec<u32>>,
    axioms: AxiomSet,
    /// The actions but `action_stop`.
    choices: Vec<ActionId>,
    /// The number of observations, which come before the actions.
    first_action: usize,
    tabu: VecDeque<(usize, PropId)>,
    random: u64,
    /// Steps of laws not yet charged for.
    steps: usize,
}

impl PlanRepair {
    pub fn new(space: Arc<SearchSpace>, joint: &Joint) -> Self {
        let vocabulary = joint.vocabulary();
        let mut readers = vec![Vec::new(); vocabulary.propositions().len()];
        for (position, &law) in space.laws.iter().enumerate() {
            for prop in joint.table.props(law) {
                readers[usize::from(prop.0)].push(position as u32);
            }
        }
        Self {
            after_past: None,
            word: Vec::new(),
            actions: Vec::new(),
            codes: vec![0; space.laws.len() * ROW],
            states: vec![StateRef::LOST; space.laws.len() * ROW],
            accepting: vec![false; space.laws.len()],
            weights: vec![1; space.laws.len()],
            letter_weight: 1,
            conflicts: FxHashMap::default(),
            mask_reads: space.group.masks.reads(),
            readers,
            axioms: AxiomSet::new(vocabulary),
            choices: vocabulary.action_ids().filter(|action| Some(*action) != vocabulary.stop()).collect(),
            first_action: vocabulary.observations().len(),
            tabu: VecDeque::with_capacity(TABU),
            random: SEED,
            steps: 0,
            space,
        }
    }

    /// Begins another decision.
    pub fn reset(&mut self) {
        self.random = SEED;
        self.begin();
    }

    /// The word.
    pub fn word(&self) -> &[Letter] {
        &self.word
    }

    /// Xorshift: moves are drawn at random, the same in every run.
    fn draw(&mut self, below: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        ((self.random >> 33) as usize) % below.max(1)
    }

    /// Lets all laws read a word.
    pub fn load(&mut self, joint: &mut Joint, start: Start<'_>, word: &[Letter]) {
        self.after_past = start.after_past;
        let vocabulary = joint.vocabulary().clone();
        let stop = vocabulary.stop();
        let past = self.past();
        self.word.clear();
        self.actions.clear();
        for letter in word.iter().take(MAX_LETTERS) {
            // A plan of the solver may stop at its end; the letter before is as good an end or can be repaired to one.
            let Some(action) = letter.action(&vocabulary).filter(|action| Some(*action) != stop) else { break };
            self.word.push(*letter);
            self.actions.push(action);
        }
        for (position, &law) in self.space.laws.iter().enumerate() {
            let mut state = start.states[position];
            let row = position * ROW;
            self.states[row..=row + past].fill(state);
            for (at, letter) in self.word.iter().enumerate().skip(past) {
                let code = joint.table.code(law, letter);
                state = joint.step(law, state, code);
                self.codes[row + at] = code;
                self.states[row + at + 1] = state;
            }
            self.accepting[position] = state.accepts();
        }
        self.steps += self.word.len() * self.space.laws.len();
        self.tabu.clear();
        self.weights.fill(1);
        self.letter_weight = 1;
        self.charge(joint);
    }

    /// Forgets which laws were in the way.
    pub fn begin(&mut self) {
        self.conflicts.clear();
    }

    /// Returns the number of letters that no move changes.
    fn past(&self) -> usize {
        usize::from(self.after_past.is_some())
    }

    /// The actions that may come at a position, by the letter before it.
    fn allowed_at(&self, at: usize) -> Option<ActionSet> {
        match (at.checked_sub(1)?, self.after_past) {
            (0, Some(allowed)) => Some(allowed),
            (before, _) => Some(self.space.group.masks.allowed(&self.word[before])),
        }
    }

    fn is_masked(&self, at: usize) -> bool {
        self.allowed_at(at).is_some_and(|allowed| !allowed.contains(self.actions[at]))
    }

    /// Returns a word that begins with this letter. It has one more letter for each action that a law needs to accept,
    /// and at its end the observations that others need. Each law is considered by itself, and none is certain to
    /// accept.
    pub fn draft(&mut self, joint: &mut Joint, start: Start<'_>, first: Letter) -> Vec<Letter> {
        self.load(joint, start, &[first]);
        let vocabulary = joint.vocabulary().clone();
        let mut wanted = PropSet::EMPTY;
        let mut letters: Vec<(ActionId, PropSet)> = Vec::new();
        for law in self.broken_laws().collect::<Vec<_>>() {
            let position = self.space.laws[law];
            if joint.table.is_wide(position) {
                continue;
            }
            let state = self.states[law * ROW + 1];
            let props = joint.table.props(position).to_vec();
            let acts: Code = (props.iter().enumerate())
                .filter(|(_, prop)| vocabulary.as_action(**prop).is_some())
                .map(|(bit, _)| 1 << bit)
                .sum();
            let mut codes: Vec<Code> = (0..1 << props.len()).filter(|code| (code & acts).count_ones() <= 1).collect();
            codes.sort_by_key(|code| ((code & acts).count_ones(), code.count_ones()));
            self.steps += codes.len();
            let Some(code) = codes.into_iter().find(|&code| joint.step(position, state, code).accepts()) else {
                continue;
            };
            let holding: Vec<PropId> =
                props.iter().enumerate().filter(|(bit, _)| code >> bit & 1 == 1).map(|(_, &prop)| prop).collect();
            let action = holding.iter().find_map(|&prop| vocabulary.as_action(prop));
            let observed: PropSet = holding.iter().copied().filter(|prop| vocabulary.is_observation(*prop)).collect();
            match action {
                None => wanted = wanted.union(&observed),
                Some(action) => match letters.iter_mut().find(|(other, _)| *other == action) {
                    Some((_, with)) => *with = with.union(&observed),
                    None => letters.push((action, observed)),
                },
            }
        }
        letters.retain(|(action, _)| Some(*action) != vocabulary.stop());
        let mut word = vec![first];
        word.extend(letters.into_iter().map(|(action, observed)| Letter::after(&vocabulary, action, observed)));
        if !wanted.is_empty() && word.len() == self.past() {
            word.extend(self.choices.first().map(|action| Letter::after(&vocabulary, *action, wanted)));
        } else if let Some(last) = word.last_mut() {
            last.0 = last.0.union(&wanted);
        }
        self.charge(joint);
        word
    }

    /// Another first action, the rest of the word as it is.
    pub fn begin_with(&mut self, joint: &mut Joint, action: ActionId) {
        if let Some((letter, props)) = self.with_action(joint.vocabulary(), 0, action) {
            self.make(joint, Move::Change(0, letter, props));
        }
    }

    /// The laws that were in the way, by number, most often first.
    pub fn hardest(&self) -> Vec<usize> {
        let mut hard: Vec<usize> = self.conflicts.keys().copied().collect();
        hard.sort_by_key(|law| (std::cmp::Reverse(self.conflicts[law]), *law));
        hard
    }

    /// Returns the number of times a law was in the way.
    pub fn conflicts(&self, law: usize) -> u32 {
        self.conflicts.get(&law).copied().unwrap_or_default()
    }

    fn charge(&mut self, joint: &Joint) {
        joint.budget.spend(1 + (self.steps / STEPS) as u64);
        self.steps = 0;
    }

    fn broken_laws(&self) -> impl Iterator<Item = usize> {
        self.accepting.iter().enumerate().filter(|(_, accepts)| !**accepts).map(|(law, _)| law)
    }

    /// Returns the number of constraints that the word breaks.
    pub fn count_broken(&self) -> usize {
        self.broken().len()
    }

    fn broken(&self) -> Vec<Broken> {
        let mut broken: Vec<Broken> = self.broken_laws().map(Broken::Law).collect();
        if !self.space.group.masks.is_empty() {
            broken.extend((1..self.word.len()).filter(|at| self.is_masked(*at)).map(Broken::Mask));
        }
        if !self.axioms.axioms.is_empty() {
            for (at, letter) in self.word.iter().enumerate() {
                broken.extend(self.axioms.broken(letter).map(|axiom| Broken::Axiom(at, axiom)));
            }
        }
        broken
    }

    /// Repairs the word, in at most so many moves, its first action staying as it is; whether it is a plan then. A plan is
    /// cut where all laws accept for the first time.
    pub fn repair(&mut self, joint: &mut Joint, moves: usize) -> bool {
        for made in 0.. {
            let broken = self.broken();
            self.steps += self.word.len() * self.axioms.size;
            if broken.is_empty() {
                self.cut();
                self.charge(joint);
                return true;
            }
            self.charge(joint);
            if made == moves || joint.budget.is_out() {
                break;
            }
            let target = broken[self.draw(broken.len())];
            let mut best = self.best_change(joint, target);
            if best.is_none_or(|(change, _)| change >= 0) {
                for &one in &broken {
                    match one {
                        Broken::Law(law) => self.weights[law] += 1,
                        Broken::Mask(_) | Broken::Axiom(..) => self.letter_weight += 1,
                    }
                }
                self.count_conflicts(joint);
                best = self.best_of_all(joint, target, best);
            }
            if let Some((gain, chosen)) = best {
                if let Move::Change(at, _, props) = chosen {
                    self.tabu.truncate(TABU - 2);
                    self.tabu.push_front((at, props[0]));
                    if props[1] != props[0] {
                        self.tabu.push_front((at, props[1]));
                    }
                }
                self.make(joint, chosen);
                if gain >= 0 {
                    self.count_conflicts(joint);
                }
            }
        }
        false
    }

    fn count_conflicts(&mut self, joint: &Joint) {
        for (law, _) in self.accepting.iter().enumerate().filter(|(_, accepts)| !**accepts) {
            *self.conflicts.entry(joint.laws.watched[self.space.laws[law]]).or_default() += 1;
        }
        let masked: Vec<usize> = (1 + self.past()..self.word.len()).filter(|at| self.is_masked(*at)).collect();
        for at in masked {
            for law in self.space.group.masks.culprits(&self.word[at - 1], self.actions[at]) {
                *self.conflicts.entry(law).or_default() += 1;
            }
        }
    }

    /// Drops what comes after the first letter where all laws accept.
    fn cut(&mut self) {
        let accept = |at: &usize| (0..self.space.laws.len()).all(|law| self.states[law * ROW + at].accepts());
        if let Some(end) = (1..self.word.len()).find(accept) {
            self.word.truncate(end);
            self.actions.truncate(end);
        }
    }

    /// Makes a move.
    fn make(&mut self, joint: &mut Joint, change: Move) {
        let (vocabulary, space) = (joint.vocabulary().clone(), self.space.clone());
        match change {
            Move::Change(at, letter, [one, other]) => {
                self.word[at] = letter;
                if let Some(action) = letter.action(&vocabulary) {
                    self.actions[at] = action;
                }
                for prop in [one, other] {
                    for number in 0..self.readers[usize::from(prop.0)].len() {
                        let law = self.readers[usize::from(prop.0)][number] as usize;
                        self.codes[law * ROW + at] = joint.table.code(space.laws[law], &letter);
                        self.read_from(joint, law, at);
                    }
                    if one == other {
                        break;
                    }
                }
            }
            Move::Insert(at, letter) => {
                let Some(action) = letter.action(&vocabulary) else { return };
                let length = self.word.len();
                self.word.insert(at, letter);
                self.actions.insert(at, action);
                for (law, &position) in space.laws.iter().enumerate() {
                    let row = law * ROW;
                    self.codes.copy_within(row + at..row + length, row + at + 1);
                    self.states.copy_within(row + at..=row + length, row + at + 1);
                    self.codes[row + at] = joint.table.code(position, &letter);
                    self.read_from(joint, law, at);
                }
            }
            Move::Delete(at) => {
                let length = self.word.len();
                self.word.remove(at);
                self.actions.remove(at);
                for law in 0..space.laws.len() {
                    let row = law * ROW;
                    self.codes.copy_within(row + at + 1..row + length, row + at);
                    self.states.copy_within(row + at + 2..=row + length, row + at + 1);
                    self.read_from(joint, law, at);
                }
            }
        }
    }

    /// A law reads the letters from a position on, until it is where it was before.
    fn read_from(&mut self, joint: &mut Joint, law: usize, from: usize) {
        let row = law * ROW;
        for at in from..self.word.len() {
            let next = joint.step(self.space.laws[law], self.states[row + at], self.codes[row + at]);
            self.steps += 1;
            if self.states[row + at + 1] == next {
                break;
            }
            self.states[row + at + 1] = next;
        }
        self.accepting[law] = self.states[row + self.word.len()].accepts();
    }
}
