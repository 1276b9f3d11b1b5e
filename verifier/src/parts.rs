//! Questions cut into parts: laws that share no proposition are asked about apart.
//!
//! The letters that settle the laws that a plan breaks are found for each part by itself and joined into a new plan.
//! All laws read that; those which it breaks join the question, until a plan breaks none, or a part has no
//! continuation, which is a proof for all laws.
//!
//! The answer about a part depends on the states of its laws and on the first action alone, so it is kept. It saves time and no
//! work: a question that takes it over is charged what finding it cost.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::automaton::State;
use crate::bits::CAPACITY;
use crate::budget::Budget;
use crate::dfa_table::{Code, StateRef};
use crate::joint::{Joint, LAWS_READ, Possible};
use crate::known_parts::{LawState, Part};
use crate::law_set::Group;
use crate::letter::{Letter, PropSet};
use crate::ltlf_sat::{Answer, LtlfSat};
use crate::nnf::Metered;
use crate::residual::{Residual, TooLarge};
use crate::run::Now;
use crate::vocabulary::{ActionId, PropId};

/// The number of laws that join a question at a time, after those that the first action breaks.
const JOINING: usize = 4;
/// The laws of a part of more are asked about one by one.
const MAX_LAWS: usize = 4;
/// Maximum cost of the answer about one part, in units of work.
const MAX_WORK: u64 = 1_000;
/// Parts that read no more propositions are explored state by state, up to some number of states.
const MAX_READ: usize = 10;
const MAX_STATES: usize = 128;
/// Plans of more letters are read by what changes from letter to letter.
const FEW_LETTERS: usize = 6;

impl Joint {
    /// Decides whether some continuation after an action satisfies every law of a group, part by part in some rounds;
    /// where that does not settle it, the last plan tried. `plan` is the first one.
    pub fn by_parts(
        &mut self,
        now: Now<'_>,
        group: &Group,
        first: ActionId,
        mut plan: Vec<Letter>,
        rounds: usize,
    ) -> Result<Possible, Vec<Letter>> {
        let mut question: Vec<LawState> = Vec::new();
        for round in 0..=rounds {
            let Ok(broken) = self.broken(now, group, &plan) else { break };
            if broken.is_empty() {
                return Ok(Possible::Yes(plan));
            }
            let asked = question.len();
            let is_new = |law: &usize| question.binary_search_by_key(law, |(law, _)| *law).is_err();
            let joining: Vec<usize> =
                broken.into_iter().filter(is_new).take(if round == 0 { usize::MAX } else { JOINING }).collect();
            for law in joining {
                let Ok(state) = self.state(law, now) else { return Err(plan) };
                question.push((law, state));
            }
            if round == rounds || question.len() == asked || self.budget.is_out() {
                break;
            }
            question.sort_unstable();
            match self.lay(&question, first) {
                Possible::Yes(letters) => plan = letters,
                Possible::No(core) => return Ok(Possible::No(core)),
                Possible::Unknown(_) => break,
            }
        }
        Err(plan)
    }

    /// Asks about laws that are in these states, part by part, and lays the plans one behind the other. The laws of a part that
    /// is large are asked about one by one: mostly they do not conflict.
    pub fn lay(&mut self, question: &[LawState], first: ActionId) -> Possible {
        let cut = self.cut(question);
        let parts = cut.iter().flat_map(|part| part.chunks(if part.len() > MAX_LAWS { 1 } else { MAX_LAWS }));
        let mut answers = Vec::with_capacity(cut.len());
        for part in parts {
            let known = self.part(part, first);
            match &known.answer {
                Answer::Unsat(core) => return Possible::No(core.iter().map(|&at| part[at].0).collect()),
                Answer::Unknown => {}
                Answer::Plan(_) => answers.push(known),
            }
        }
        if self.budget.is_out() {
            return Possible::Unknown(Vec::new());
        }
        let vocabulary = self.vocabulary().clone();
        let mut plan = vec![Letter::after(&vocabulary, first, self.laws.neutral)];
        self.lay_behind(&mut plan, &answers);
        Possible::Yes(plan)
    }

    /// Lays the plans of parts behind a plan, whose first letter takes on theirs. What a part observes at its last letter, it
    /// does from then on, and before its turn what it does at its first.
    pub fn lay_behind(&self, plan: &mut Vec<Letter>, parts: &[Arc<Part>]) {
        let vocabulary = self.vocabulary().clone();
        let stop = vocabulary.stop();
        let observed = |base: PropSet, part: &Part, letter: &Letter| {
            base.difference(&part.observations)
                .union(&letter.observations(&vocabulary).intersection(&part.observations))
        };
        let plans = parts.iter().filter_map(|part| match &part.answer {
            Answer::Plan(letters) => Some((&**part, letters)),
            _ => None,
        });
        let [only] = &mut plan[..] else { return };
        let firsts = plans.clone().filter_map(|(part, letters)| Some((part, letters.first()?)));
        let mut base = firsts.fold(only.observations(&vocabulary), |base, (part, letter)| observed(base, part, letter));
        if let Some(action) = only.action(&vocabulary) {
            *only = Letter::after(&vocabulary, action, base);
        }
        let (mut stops, mut laid) = (false, FxHashSet::default());
        for (part, letters) in plans {
            // An action that several parts wait for is done once.
            if !laid.insert(letters.get(1..).unwrap_or_default()) {
                continue;
            }
            for letter in letters.iter().skip(1) {
                let action = letter.action(&vocabulary);
                if action == stop {
                    stops = true;
                    break;
                }
                base = observed(base, part, letter);
                plan.extend(action.map(|action| Letter::after(&vocabulary, action, base)));
            }
        }
        if let (true, Some(stop)) = (stops, stop) {
            plan.push(Letter::after(&vocabulary, stop, base));
        }
    }

    /// Laws that share propositions, directly or by others, or by an axiom.
    fn cut(&self, question: &[LawState]) -> Vec<Vec<LawState>> {
        // By proposition and by law: the first law that leads to it, to be followed to the end.
        let mut first = [u32::MAX; CAPACITY];
        let mut leader: Vec<u32> = (0..question.len() as u32).collect();
        fn find(leader: &mut [u32], mut law: u32) -> u32 {
            while leader[law as usize] != law {
                let next = leader[leader[law as usize] as usize];
                leader[law as usize] = next;
                law = next;
            }
            law
        }
        for (at, (law, _)) in question.iter().enumerate() {
            for prop in self.laws.reads(*law).iter() {
                let of_prop = &mut first[usize::from(prop.0)];
                if *of_prop == u32::MAX {
                    *of_prop = at as u32;
                    continue;
                }
                let [one, other] = [*of_prop, at as u32].map(|law| find(&mut leader, law));
                leader[one.max(other) as usize] = one.min(other);
            }
        }
        let (mut parts, mut part_of): (Vec<Vec<LawState>>, Vec<u32>) = (Vec::new(), vec![u32::MAX; question.len()]);
        for (at, &state) in question.iter().enumerate() {
            let leader = find(&mut leader, at as u32) as usize;
            if part_of[leader] == u32::MAX {
                part_of[leader] = parts.len() as u32;
                parts.push(Vec::new());
            }
            parts[part_of[leader] as usize].push(state);
        }
        parts
    }

    /// Decides whether some continuation after an action satisfies some laws in these states.
    pub fn part(&mut self, states: &[LawState], first: ActionId) -> Arc<Part> {
        let vocabulary = self.vocabulary().clone();
        let read = states.iter().fold(PropSet::EMPTY, |read, (law, _)| read.union(&self.laws.reads(*law)));
        // Actions that no law reads are one.
        let other = vocabulary.other_than(&read);
        let is_read = Some(first) == vocabulary.stop() || read.contains(vocabulary.action_prop(first));
        let first = if is_read { first } else { other.unwrap_or(first) };
        let mut key = Vec::with_capacity(1 + 2 * states.len());
        key.push(u32::from(first.0));
        states.iter().for_each(|&(law, state)| key.extend([law as u32, state]));
        let left = self.budget.left();
        let known = self.parts.known.get(&key[..]).cloned();
        let part = known.unwrap_or_else(|| {
            let read = other.iter().fold(read, |read, other| read.union(&PropSet::one(vocabulary.action_prop(*other))));
            let explored = self.explore_part(states, first, &read);
            let part = explored.unwrap_or_else(|| self.ask_part(states, first, &read, left.min(MAX_WORK)));
            let part = Arc::new(part);
            // A question that a smaller limit stops may be answered another time.
            if part.answer != Answer::Unknown || left >= MAX_WORK {
                let letters = if let Answer::Plan(letters) = &part.answer { letters.len() } else { 0 };
                self.parts.bytes += size_of::<Part>() + 64 + 4 * key.len() + letters * size_of::<Letter>();
                self.parts.known.insert(key.into(), part.clone());
            }
            part
        });
        // Found now or before, an answer that costs more than is left is not given.
        self.budget.spend(part.cost.min(left));
        if part.cost <= left { part } else { Arc::new(Part { answer: Answer::Unknown, ..*part }) }
    }

    /// The answer about laws that read few propositions, by all states that they reach together.
    fn explore_part(&mut self, states: &[LawState], first: ActionId, read: &PropSet) -> Option<Part> {
        let vocabulary = self.vocabulary().clone();
        let (observations, stop) = (PropSet::first(vocabulary.observations().len()), vocabulary.stop());
        let observations = read.intersection(&observations);
        if read.len() > MAX_READ || self.laws.ties(read) {
            return None;
        }
        let mut positions = Vec::with_capacity(states.len());
        for (law, _) in states {
            positions.push(self.laws.position(*law).filter(|position| !self.table.is_wide(*position))?);
        }
        let observed: Vec<PropId> = observations.iter().collect();
        let subsets: Vec<PropSet> = (0..1u32 << observed.len())
            .map(|bits| {
                observed.iter().enumerate().filter(|(at, _)| bits >> at & 1 == 1).map(|(_, prop)| *prop).collect()
            })
            .collect();
        let actions: Vec<ActionId> =
            read.iter().filter_map(|prop| vocabulary.as_action(prop)).filter(|action| Some(*action) != stop).collect();
        // Letters and what each law reads of them.
        let letters_of = |joint: &mut Self, action: ActionId| -> Vec<(Letter, Vec<Code>)> {
            let letters = subsets.iter().map(|observed| Letter::after(&vocabulary, action, *observed));
            letters.map(|it| (it, positions.iter().map(|&at| joint.table.code(at, &it)).collect())).collect()
        };
        let firsts = letters_of(self, first);
        let mut later: Vec<(Letter, Vec<Code>)> = Vec::new();
        for &action in &actions {
            later.extend(letters_of(self, action));
        }
        let begin: Vec<StateRef> =
            positions.iter().zip(states).map(|(&at, &(_, state))| self.name(at, state)).collect();
        let mut nodes: Vec<(Vec<StateRef>, usize, Letter)> = vec![(begin, 0, Letter::default())];
        let mut steps = 0;
        let mut at = 0;
        let (plan, stops) = 'search: loop {
            if at == nodes.len() {
                let cost = 1 + (steps / LAWS_READ) as u64;
                return Some(Part { answer: Answer::Unsat((0..states.len()).collect()), observations, cost });
            }
            let mut stopping = None;
            for (letter, codes) in if at == 0 { &firsts } else { &later } {
                let mut next = Vec::with_capacity(positions.len());
                for ((&position, &code), &state) in positions.iter().zip(codes).zip(&nodes[at].0) {
                    steps += 1;
                    next.push(self.look(position, state, code).filter(|state| *state != StateRef::LOST)?);
                }
                if next.iter().any(|state| state.is_dead()) {
                    continue;
                }
                if next.iter().all(|state| state.accepts()) {
                    nodes.push((next, at, *letter));
                    break 'search (nodes.len() - 1, false);
                }
                if let (Some(stop), None) = (stop, &stopping) {
                    // Stopping leaves the observations as they are.
                    let end = Letter::after(&vocabulary, stop, letter.observations(&vocabulary));
                    let mut ends = true;
                    for (&position, &state) in positions.iter().zip(&next) {
                        let code = self.table.code(position, &end);
                        ends &= self.look(position, state, code)?.accepts();
                    }
                    steps += positions.len();
                    stopping = ends.then(|| (next.clone(), at, *letter));
                }
                if nodes[1..].iter().all(|(known, ..)| *known != next) {
                    nodes.push((next, at, *letter));
                }
                if nodes.len() > MAX_STATES {
                    return None;
                }
            }
            if let Some(node) = stopping {
                nodes.push(node);
                break (nodes.len() - 1, true);
            }
            at += 1;
        };
        let (mut letters, mut node) = (Vec::new(), plan);
        if let (true, Some(stop)) = (stops, stop) {
            letters.push(Letter::after(&vocabulary, stop, nodes[node].2.observations(&vocabulary)));
        }
        while node != 0 {
            letters.push(nodes[node].2);
            node = nodes[node].1;
        }
        letters.reverse();
        Some(Part { answer: Answer::Plan(letters), observations, cost: 1 + (steps / LAWS_READ) as u64 })
    }

    fn ask_part(&mut self, states: &[LawState], first: ActionId, read: &PropSet, limit: u64) -> Part {
        let residual = |joint: &mut Self, law: usize, state: State| joint.automaton(law).0.residual(state).clone();
        let residuals: Vec<Residual> = states.iter().map(|&(law, state)| residual(self, law, state)).collect();
        let residuals: Vec<&Residual> = residuals.iter().collect();
        let (vocabulary, budget) = (self.vocabulary(), Budget::new());
        let _before = budget.limit(limit);
        let mut ltlf_sat = LtlfSat::over(vocabulary, true, read);
        let answer =
            ltlf_sat.continuation(Metered { arena: &self.laws.arena, budget: &budget }, &residuals, Some(first));
        let observations = read.intersection(&PropSet::first(vocabulary.observations().len()));
        let cost = if answer == Answer::Unknown { budget.spent().max(limit + 1) } else { budget.spent() };
        Part { answer, observations, cost }
    }

    /// The laws of a group, by number, that a plan breaks or leaves owing something; of those with masks at most one.
    pub fn broken(&mut self, now: Now<'_>, group: &Group, plan: &[Letter]) -> Result<Vec<usize>, TooLarge> {
        let mut broken: Vec<usize> = self.masking(now.letter, group, plan).into_iter().collect();
        let mut reading = Reading::new(plan);
        for &law in &group.watched {
            let Some(position) = self.laws.position(law) else { continue };
            reading.by(self, position);
            let end = self.run(position, now.states[position], &reading.runs);
            if end == StateRef::LOST {
                return Err(TooLarge);
            }
            if !end.accepts() && !broken.contains(&law) {
                broken.push(law);
            }
        }
        self.budget.spend(reading.cost());
        Ok(broken)
    }

    /// A law with masks that forbids an action of a plan after the letter before it.
    pub fn masking(&self, now: &Letter, group: &Group, plan: &[Letter]) -> Option<usize> {
        if group.masks.is_empty() {
            return None;
        }
        let before = std::iter::once(now).chain(plan);
        before.zip(plan).find_map(|(before, letter)| {
            let action = letter.action(self.vocabulary())?;
            if group.masks.allowed(before).contains(action) { None } else { group.masks.culprit(before, action) }
        })
    }

    /// The state of the law at a position after letters read as these codes, each so many times.
    #[inline]
    pub fn run(&mut self, position: usize, mut state: StateRef, runs: &[(Code, u32)]) -> StateRef {
        for &(code, times) in runs {
            for _ in 0..times {
                let next = self.step(position, state, code);
                if next == state {
                    break;
                }
                state = next;
            }
        }
        state
    }
}

/// Letters, to be read by many laws: what a law reads is mostly the same for many letters.
pub(crate) struct Reading<'a> {
    letters: &'a [Letter],
    /// The changes of each proposition: after its start among these, the numbers of letters.
    changes: Vec<u16>,
    starts: Vec<u32>,
    places: Vec<u16>,
    /// The last law's codes, with the number of times each comes.
    pub runs: Vec<(Code, u32)>,
    read: usize,
}

impl<'a> Reading<'a> {
    /// It has at most 65,535 letters.
    pub fn new(letters: &'a [Letter]) -> Self {
        let (mut changes, mut starts) = (Vec::new(), Vec::new());
        if letters.len() > FEW_LETTERS {
            let changed = |pair: &[Letter]| pair[0].0.difference(&pair[1].0).union(&pair[1].0.difference(&pair[0].0));
            let all: Vec<PropSet> = letters.windows(2).map(changed).collect();
            starts.resize(CAPACITY + 1, 0u32);
            all.iter().flat_map(PropSet::iter).for_each(|prop| starts[usize::from(prop.0) + 1] += 1);
            (0..CAPACITY).for_each(|prop| starts[prop + 1] += starts[prop]);
            let mut next = starts.clone();
            changes.resize(starts[CAPACITY] as usize, 0);
            for (at, props) in all.iter().enumerate() {
                for prop in props.iter() {
                    let place = &mut next[usize::from(prop.0)];
                    changes[*place as usize] = at as u16 + 1;
                    *place += 1;
                }
            }
        }
        Self { letters, changes, starts, places: Vec::new(), runs: Vec::new(), read: 0 }
    }

    /// Lets the law at a position read the letters.
    pub fn by(&mut self, joint: &mut Joint, position: usize) {
        self.runs.clear();
        if self.starts.is_empty() {
            self.runs.extend(self.letters.iter().map(|letter| (joint.table.code(position, letter), 1)));
        } else {
            self.places.clear();
            self.places.push(0);
            for prop in joint.table.props(position) {
                let [from, to] = [0, 1].map(|end| self.starts[usize::from(prop.0) + end] as usize);
                self.places.extend_from_slice(&self.changes[from..to]);
            }
            if self.places.len() > 1 {
                self.places.sort_unstable();
                self.places.dedup();
            }
            for (at, &place) in self.places.iter().enumerate() {
                let end = self.places.get(at + 1).map_or(self.letters.len(), |next| usize::from(*next));
                let code = joint.table.code(position, &self.letters[usize::from(place)]);
                self.runs.push((code, (end - usize::from(place)) as u32));
            }
        }
        self.read += self.runs.len();
    }

    /// The letters read, in units of work.
    pub fn cost(&self) -> u64 {
        1 + (self.read / LAWS_READ) as u64
    }
}
