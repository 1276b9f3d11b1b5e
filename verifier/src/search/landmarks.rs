//! Landmarks: what must still come, and in which order; a proof without a search that laws contradict each other.
//!
//! Where a model leads to few world states, each law's state says by itself which of them every way to satisfy it visits,
//! which it can never visit again, and which visits come before which ([`Facts`]). Planning calls such world states
//! landmarks (Hoffmann, Porteous, Sebastia: "Ordered landmarks in planning", JAIR 2004; Richter, Westphal: "The LAMA
//! planner", JAIR 2010). What one law demands, the others may answer with further demands. A world state that is demanded
//! and forbidden, or first and last visits that would have to precede each other in a circle, contradict the laws that say
//! so. This proves much, not all.

mod facts;
mod order;
#[cfg(test)]
mod tests;
mod view;

use rustc_hash::FxHashMap;

use self::facts::{Facts, facts};
use self::order::{Demanded, Order};
use self::view::{Classes, MOST_CLASSES, MOST_STATES, MOST_WORLDS, View, bits};
use super::quotient::{Quotient, split};
use crate::dfa_table::{Code, StateRef};
use crate::joint::Joint;
use crate::letter::{Letter, PropSet};
use crate::minimise::minimal_subset;
use crate::run::Now;

/// Facts kept at most.
const MOST_FACTS: usize = 1 << 13;
/// How often world states are gathered anew before it is given up.
const MOST_REGIONS: u32 = 64;

/// What it costs to find what a law says in one state, in units of work.
const FACTS_COST: u64 = 20;

/// With more laws nothing is prepared before it is needed.
pub(super) const MOST_PREPARED: usize = 256;

#[derive(Default)]
pub(super) struct Landmarks {
    /// All worlds that can be reached from one of them. Empty: not known.
    region: FxHashMap<PropSet, u8>,
    observations: Vec<PropSet>,
    /// The actions that lead to each world.
    actions: Vec<u64>,
    /// The worlds after each world.
    after: Vec<u64>,
    regions: u32,
    views: Vec<Option<View>>,
    facts: FxHashMap<(u32, StateRef), Facts>,
}

impl Landmarks {
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Bytes held, roughly.
    pub fn bytes(&self) -> usize {
        let view = |view: &View| size_of::<View>() + view.class.len() + view.codes.len() * 48;
        self.facts.capacity() * (size_of::<((u32, StateRef), Facts)>() + 1)
            + self.views.iter().flatten().map(view).sum::<usize>()
            + self.observations.len() * 4 * size_of::<PropSet>()
    }

    /// Makes sure that a world is among those known; whether they are, and whether they changed.
    pub fn enter(&mut self, joint: &Joint, observations: PropSet, laws: usize) -> (bool, bool) {
        if self.region.contains_key(&observations) {
            return (true, false);
        }
        let changed = !self.region.is_empty();
        let usable = self.regions < MOST_REGIONS && self.gather(joint, observations).is_some();
        self.regions += 1;
        self.facts.clear();
        self.views.clear();
        self.views.resize_with(laws, || None);
        if !usable {
            self.region.clear();
            self.observations.clear();
        }
        (usable, changed)
    }

    /// The observations of all worlds known.
    pub fn observations(&self) -> &[PropSet] {
        &self.observations
    }

    /// Finds what the laws say in their states and in those ahead.
    pub fn prepare(&mut self, joint: &mut Joint, now: Now<'_>, laws: &[usize]) {
        if self.region.is_empty() {
            return;
        }
        for (position, &law) in laws.iter().enumerate() {
            let mut states = vec![now.states[law]];
            let mut at = 0;
            while at < states.len() && states.len() <= MOST_STATES {
                let state = states[at];
                self.facts(joint, law, position, state);
                let Some(view) = &self.views[position] else { break };
                for &code in view.codes.iter().flatten() {
                    let next = joint.step(law, state, code);
                    if next != StateRef::LOST && !next.is_dead() && !states.contains(&next) {
                        states.push(next);
                    }
                }
                at += 1;
            }
        }
    }

    fn gather(&mut self, joint: &Joint, start: PropSet) -> Option<()> {
        self.region.clear();
        self.region.insert(start, 0);
        self.observations = vec![start];
        self.actions = vec![0];
        self.after = vec![0];
        let mut at = 0;
        while at < self.observations.len() {
            let here = self.observations[at];
            joint.budget.spend(joint.vocabulary().actions().len() as u64 / 2);
            for action in joint.vocabulary().action_ids() {
                let next = joint.environment.predict(joint.vocabulary(), &here, action)?;
                let new = self.observations.len();
                let to = usize::from(*self.region.entry(next).or_insert(new as u8));
                if to == new {
                    if new == MOST_WORLDS {
                        return None;
                    }
                    self.observations.push(next);
                    self.actions.push(0);
                    self.after.push(0);
                }
                self.after[at] |= 1 << to;
                self.actions[to] |= 1 << action.0;
            }
            at += 1;
        }
        Some(())
    }

    /// A number for each world, the same for worlds that some laws cannot tell apart, now or later on (bisimilar worlds).
    /// `None`: all differ, or actions make a difference of their own.
    pub fn quotient(&mut self, joint: &mut Joint, laws: &[usize], set: &[usize]) -> Option<Quotient> {
        let count = self.observations.len();
        let mut blocks = vec![0u8; count];
        let mut many = 1;
        for &position in set {
            self.told_apart(joint, laws[position], position);
            let view = self.views[position].as_ref()?;
            if view.codes.is_empty() || view.codes.iter().any(|codes| codes.len() != 1) {
                return None;
            }
            many = split(&mut blocks, |world| u64::from(view.class[world]));
            if many == count {
                return None;
            }
        }
        loop {
            let before = blocks.clone();
            let after = |world: usize| bits(self.after[world]).fold(0u64, |set, next| set | 1 << before[next]);
            let now = split(&mut blocks, after);
            if now == count {
                return None;
            }
            if now == many {
                return Some(Quotient::new(blocks));
            }
            many = now;
        }
    }

    /// The position of a world among those known.
    pub fn position(&self, observations: &PropSet) -> Option<u8> {
        self.region.get(observations).copied()
    }

    fn view(&self, joint: &mut Joint, law: usize) -> View {
        let mut view = View::default();
        joint.budget.spend(self.observations.len() as u64);
        let vocabulary = joint.vocabulary().clone();
        let reads_actions = joint.table.props(law).iter().any(|prop| !vocabulary.is_observation(*prop));
        for (observations, &actions) in self.observations.iter().zip(&self.actions) {
            let mut codes: Vec<Code> = if reads_actions {
                let led = vocabulary.action_ids().filter(|action| actions >> action.0 & 1 == 1);
                led.map(|action| joint.table.code(law, &Letter::after(&vocabulary, action, *observations))).collect()
            } else {
                vec![joint.table.code(law, &Letter(*observations))]
            };
            codes.sort_unstable();
            codes.dedup();
            let class = view.codes.iter().position(|other| *other == codes).unwrap_or_else(|| {
                view.codes.push(codes);
                view.worlds.push(0);
                view.codes.len() - 1
            });
            if class == MOST_CLASSES {
                return View::default();
            }
            view.worlds[class] |= 1 << view.class.len();
            view.class.push(class as u8);
        }
        let largest = view.worlds.iter().copied().max_by_key(|worlds| worlds.count_ones()).unwrap_or(0);
        view.apart = view.worlds.iter().fold(0, |all, worlds| all | worlds) & !largest;
        view
    }

    fn facts(&mut self, joint: &mut Joint, law: usize, position: usize, state: StateRef) -> Facts {
        if let Some(facts) = self.facts.get(&(position as u32, state)) {
            return *facts;
        }
        joint.budget.spend(FACTS_COST);
        if self.views[position].is_none() {
            self.views[position] = Some(self.view(joint, law));
        }
        let silent = Facts { idle: true, ..Facts::default() };
        let found = self.views[position].as_ref().and_then(|view| facts(joint, law, view, state));
        let facts = found.unwrap_or(silent);
        if found.is_none() && joint.budget.is_out() {
            return facts;
        }
        if self.facts.len() >= MOST_FACTS {
            self.facts.clear();
        }
        self.facts.insert((position as u32, state), facts);
        facts
    }

    fn worlds(&self, position: usize, classes: Classes) -> u64 {
        self.views[position].as_ref().map_or(0, |view| view.all(classes))
    }

    /// The worlds a law tells apart: all but those of its largest class.
    fn told_apart(&mut self, joint: &mut Joint, law: usize, position: usize) -> u64 {
        if self.views[position].is_none() {
            self.views[position] = Some(self.view(joint, law));
        }
        self.views[position].as_ref().map_or(0, |view| view.apart)
    }

    /// A minimal set of these laws that contradict each other in their states, wherever the run is; `None` if nothing shows
    /// that any do. `laws` are the search's, and the answer and `among` are positions in them.
    pub fn contradiction(
        &mut self,
        joint: &mut Joint,
        laws: &[usize],
        among: &[(usize, StateRef)],
    ) -> Option<Vec<usize>> {
        let mut spoken: Vec<(usize, Facts)> = Vec::with_capacity(among.len());
        // Those that owe something demand worlds; of the others, those that tell a demanded world apart matter.
        let (mut worlds, mut new, mut silent) = (0u64, 0u64, vec![true; among.len()]);
        for (at, &(position, state)) in among.iter().enumerate().filter(|(_, (_, state))| !state.accepts()) {
            let facts = self.facts(joint, laws[position], position, state);
            if facts.dead {
                return Some(vec![position]);
            }
            silent[at] = false;
            new |= self.worlds(position, facts.must);
            spoken.push((position, facts));
        }
        while new != 0 {
            worlds |= new;
            for (at, &(position, state)) in among.iter().enumerate() {
                if silent[at] && self.told_apart(joint, laws[position], position) & new != 0 {
                    silent[at] = false;
                    spoken.push((position, self.facts(joint, laws[position], position, state)));
                }
            }
            let implied = |(position, facts): &(usize, Facts)| {
                let Some(view) = &self.views[*position] else { return 0 };
                let classes = (0..view.worlds.len()).filter(|class| view.worlds[*class] & worlds != 0);
                classes.fold(0, |all, class| all | view.all(facts.implies[class]))
            };
            new = spoken.iter().fold(0, |all, spoken| all | implied(spoken)) & !worlds;
        }
        if worlds == 0 {
            return None;
        }
        spoken.retain(|(_, facts)| !facts.idle);
        let core = self.contradicting(&spoken);
        let core = minimal_subset(core, |rest| {
            let fewer: Vec<(usize, Facts)> =
                spoken.iter().filter(|(position, _)| rest.contains(position)).copied().collect();
            Some(self.contradicting(&fewer)).filter(|core| !core.is_empty())
        });
        (!core.is_empty()).then_some(core)
    }

    /// Laws whose facts contradict each other, sorted; empty if there is no contradiction.
    fn contradicting(&self, spoken: &[(usize, Facts)]) -> Vec<usize> {
        let mut demanded = Demanded::default();
        let views: Vec<&View> = spoken.iter().filter_map(|(position, _)| self.views[*position].as_ref()).collect();
        for (at, (_, facts)) in spoken.iter().enumerate() {
            demanded.add(views[at].all(facts.must), at, None);
        }
        let mut next = 0;
        while next < demanded.worlds.len() {
            let world = demanded.worlds[next];
            next += 1;
            for (at, (_, facts)) in spoken.iter().enumerate() {
                let class = usize::from(views[at].class[world]);
                if facts.never >> class & 1 == 1 {
                    let mut why = vec![at];
                    demanded.reasons(world, &mut why);
                    return named(why, spoken);
                }
                demanded.add(views[at].all(facts.implies[class]), at, Some(world));
            }
        }
        // Nodes: first visits, then last visits.
        let once = |world: usize| (0..spoken.len()).find(|&at| spoken[at].1.once >> views[at].class[world] & 1 == 1);
        let mut unbroken: [Option<usize>; MOST_WORLDS] = [None; MOST_WORLDS];
        for &world in &demanded.worlds {
            unbroken[world] = once(world);
        }
        let first = |world: usize| world;
        let last = |world: usize| if unbroken[world].is_some() { world } else { world + MOST_WORLDS };
        let mut order = Order::default();
        for &world in &demanded.worlds {
            if unbroken[world].is_none() {
                order.add(first(world), last(world), None);
            }
            for (at, (_, facts)) in spoken.iter().enumerate() {
                let class = usize::from(views[at].class[world]);
                let others = |classes: Classes| bits(views[at].all(classes) & demanded.set & !(1 << world));
                for other in others(facts.first_first[class]) {
                    order.add(first(other), first(world), Some(at));
                }
                for other in others(facts.last_last[class]) {
                    order.add(last(world), last(other), Some(at));
                }
                for other in others(facts.first_last[class]) {
                    order.add(first(world), last(other), Some(at));
                }
                for other in others(facts.last_first[class]) {
                    order.add(last(world), first(other), Some(at));
                }
            }
        }
        let mut why = Vec::new();
        for (node, by) in order.cycle() {
            let world = node % MOST_WORLDS;
            why.extend(by);
            why.extend(unbroken[world]);
            demanded.reasons(world, &mut why);
        }
        named(why, spoken)
    }
}

fn named(why: Vec<usize>, spoken: &[(usize, Facts)]) -> Vec<usize> {
    let mut laws: Vec<usize> = why.into_iter().map(|at| spoken[at].0).collect();
    laws.sort_unstable();
    laws.dedup();
    laws
}
