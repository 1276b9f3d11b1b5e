//! What must still come, and in which order: a proof that laws doom each other without a search.
//!
//! Where a model leads to few places, each law's state says by itself which places every way to satisfy it visits, which
//! it can never visit again, and which visits come before which ([`Facts`]; planning calls such places landmarks). What
//! one law demands, the others may answer with further demands. A place that is demanded and forbidden, or first and last
//! visits that would have to precede each other in a circle, doom the laws that say so. This proves much, not all.

use rustc_hash::FxHashMap;

use crate::dfa_table::StateRef;
use crate::joint::Joint;
use crate::letter::{Letter, PropSet};

/// With more places nothing is concluded.
const MOST_PLACES: usize = 64;
/// A law that tells more kinds of places apart says nothing here.
const MOST_CLASSES: usize = 8;
/// Nor does a law with more states ahead.
const MOST_STATES: usize = 32;
/// Facts kept at most.
const MOST_FACTS: usize = 1 << 13;
/// How often places are gathered anew before it is given up.
const MOST_REGIONS: u32 = 64;

/// What it costs to find what a law says in one state, in units of work.
const FACTS_COST: u64 = 20;

/// With more laws nothing is prepared before it is needed.
pub(super) const MOST_PREPARED: usize = 256;

/// A set of classes of places, as one law tells them apart.
type Classes = u8;

/// What holds of every continuation that satisfies one law from one of its states.
#[derive(Clone, Copy, Default)]
struct Facts {
    /// Nothing satisfies it.
    dead: bool,
    /// Nothing below says anything.
    idle: bool,
    /// Visited at least once.
    must: Classes,
    /// Never visited.
    never: Classes,
    /// Visited without interruption.
    once: Classes,
    /// Visited if the class is.
    implies: [Classes; MOST_CLASSES],
    /// First visited before the class is first visited.
    first_first: [Classes; MOST_CLASSES],
    /// Last visited after the class was last visited.
    last_last: [Classes; MOST_CLASSES],
    /// Last visited after the class was first visited.
    first_last: [Classes; MOST_CLASSES],
    /// First visited after the class was last visited.
    last_first: [Classes; MOST_CLASSES],
}

/// The places as one law tells them apart.
#[derive(Default)]
struct View {
    class: Vec<u8>,
    /// The places of each class. Empty: the law tells too many apart.
    places: Vec<u64>,
    /// The codes the law may read at a place of the class.
    codes: Vec<Vec<u16>>,
    /// All places but those of the largest class.
    apart: u64,
}

#[derive(Default)]
pub(super) struct Landmarks {
    /// All places that can be reached from one of them. Empty: not known.
    region: FxHashMap<PropSet, u8>,
    observations: Vec<PropSet>,
    /// The actions that lead to each place.
    actions: Vec<u64>,
    /// The places after each place.
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

    /// Makes sure that a place is among those known; whether they are, and whether they changed.
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

    /// Whether a place is among those known.
    pub fn knows(&self, observations: &PropSet) -> bool {
        self.region.contains_key(observations)
    }

    /// The observations of all places known.
    pub fn observations(&self) -> &[PropSet] {
        &self.observations
    }

    /// Finds what the laws say in their states and in those ahead.
    pub fn prepare(&mut self, joint: &mut Joint, laws: &[usize]) {
        if self.region.is_empty() {
            return;
        }
        for (position, &law) in laws.iter().enumerate() {
            let mut rows = vec![joint.rows()[law]];
            let mut at = 0;
            while at < rows.len() && rows.len() <= MOST_STATES {
                let row = rows[at];
                self.facts(joint, law, position, row);
                let Some(view) = &self.views[position] else { break };
                for &code in view.codes.iter().flatten() {
                    let next = joint.step(law, row, usize::from(code));
                    if next != StateRef::LOST && !next.is_dead() && !rows.contains(&next) {
                        rows.push(next);
                    }
                }
                at += 1;
            }
        }
    }

    fn gather(&mut self, joint: &Joint, start: PropSet) -> Option<()> {
        let model = joint.transitions.as_ref()?;
        let stop = joint.vocabulary.stop();
        self.region.clear();
        self.region.insert(start, 0);
        self.observations = vec![start];
        self.actions = vec![0];
        self.after = vec![0];
        let mut at = 0;
        while at < self.observations.len() {
            let here = self.observations[at];
            joint.arena.budget.spend(joint.vocabulary.actions().len() as u64 / 2);
            for action in joint.vocabulary.action_ids() {
                let next = if Some(action) == stop { here } else { model.next(&here, action)? };
                let new = self.observations.len();
                let to = usize::from(*self.region.entry(next).or_insert(new as u8));
                if to == new {
                    if new == MOST_PLACES {
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

    /// A number for each place, the same for places that some laws cannot tell apart, now or later on (bisimilar places).
    /// `None`: all differ, or actions make a difference of their own.
    pub fn alike(&mut self, joint: &Joint, laws: &[usize], set: &[usize]) -> Option<Quotient> {
        let count = self.observations.len();
        let mut kinds = vec![0u8; count];
        let mut many = 1;
        for &position in set {
            self.told_apart(joint, laws[position], position);
            let view = self.views[position].as_ref()?;
            if view.codes.is_empty() || view.codes.iter().any(|codes| codes.len() != 1) {
                return None;
            }
            many = split(&mut kinds, |place| u64::from(view.class[place]));
            if many == count {
                return None;
            }
        }
        loop {
            let before = kinds.clone();
            let after = |place: usize| bits(self.after[place]).fold(0u64, |set, next| set | 1 << before[next]);
            let now = split(&mut kinds, after);
            if now == count {
                return None;
            }
            if now == many {
                return Some(Quotient { kinds, places: Vec::new() });
            }
            many = now;
        }
    }

    /// The position of a place among those known.
    pub fn position(&self, observations: &PropSet) -> Option<u8> {
        self.region.get(observations).copied()
    }

    fn view(&self, joint: &Joint, law: usize) -> View {
        let mut view = View::default();
        joint.arena.budget.spend(self.observations.len() as u64);
        let reads_actions = joint.flat.props(law).iter().any(|prop| !joint.vocabulary.is_observation(*prop));
        for (observations, &actions) in self.observations.iter().zip(&self.actions) {
            let mut codes: Vec<u16> = if reads_actions {
                let led = joint.vocabulary.action_ids().filter(|action| actions >> action.0 & 1 == 1);
                led.map(|action| joint.flat.code(law, &Letter::after(&joint.vocabulary, action, *observations)) as u16)
                    .collect()
            } else {
                vec![joint.flat.code(law, &Letter(*observations)) as u16]
            };
            codes.sort_unstable();
            codes.dedup();
            let class = view.codes.iter().position(|other| *other == codes).unwrap_or_else(|| {
                view.codes.push(codes);
                view.places.push(0);
                view.codes.len() - 1
            });
            if class == MOST_CLASSES {
                return View::default();
            }
            view.places[class] |= 1 << view.class.len();
            view.class.push(class as u8);
        }
        let largest = view.places.iter().copied().max_by_key(|places| places.count_ones()).unwrap_or(0);
        view.apart = view.places.iter().fold(0, |all, places| all | places) & !largest;
        view
    }

    fn facts(&mut self, joint: &mut Joint, law: usize, position: usize, row: StateRef) -> Facts {
        if let Some(facts) = self.facts.get(&(position as u32, row)) {
            return *facts;
        }
        joint.arena.budget.spend(FACTS_COST);
        if self.views[position].is_none() {
            self.views[position] = Some(self.view(joint, law));
        }
        let silent = Facts { idle: true, ..Facts::default() };
        let facts = self.views[position].as_ref().and_then(|view| facts(joint, law, view, row)).unwrap_or(silent);
        if self.facts.len() >= MOST_FACTS {
            self.facts.clear();
        }
        self.facts.insert((position as u32, row), facts);
        facts
    }

    fn places(&self, position: usize, classes: Classes) -> u64 {
        self.views[position].as_ref().map_or(0, |view| view.all(classes))
    }

    /// The places a law tells apart: all but those of its largest class.
    fn told_apart(&mut self, joint: &Joint, law: usize, position: usize) -> u64 {
        if self.views[position].is_none() {
            self.views[position] = Some(self.view(joint, law));
        }
        self.views[position].as_ref().map_or(0, |view| view.apart)
    }

    /// Laws of these, at their rows, that doom each other wherever the run is; empty if nothing shows that they do.
    /// `laws` are the decider's, and the answer and `among` are positions in them.
    pub fn doomed(&mut self, joint: &mut Joint, laws: &[usize], among: &[(usize, StateRef)]) -> Vec<usize> {
        let mut spoken: Vec<(usize, Facts)> = Vec::with_capacity(among.len());
        // Those that are owed something demand places; of the others, those that tell a demanded place apart matter.
        let (mut places, mut new, mut silent) = (0u64, 0u64, vec![true; among.len()]);
        for (at, &(position, row)) in among.iter().enumerate().filter(|(_, (_, row))| !row.accepts()) {
            let facts = self.facts(joint, laws[position], position, row);
            if facts.dead {
                return vec![position];
            }
            silent[at] = false;
            new |= self.places(position, facts.must);
            spoken.push((position, facts));
        }
        while new != 0 {
            places |= new;
            for (at, &(position, row)) in among.iter().enumerate() {
                if silent[at] && self.told_apart(joint, laws[position], position) & new != 0 {
                    silent[at] = false;
                    spoken.push((position, self.facts(joint, laws[position], position, row)));
                }
            }
            let implied = |(position, facts): &(usize, Facts)| {
                let Some(view) = &self.views[*position] else { return 0 };
                let classes = (0..view.places.len()).filter(|class| view.places[*class] & places != 0);
                classes.fold(0, |all, class| all | view.all(facts.implies[class]))
            };
            new = spoken.iter().fold(0, |all, spoken| all | implied(spoken)) & !places;
        }
        if places == 0 {
            return Vec::new();
        }
        spoken.retain(|(_, facts)| !facts.idle);
        let mut core = self.contradiction(&spoken);
        let mut at = 0;
        while at < core.len() && core.len() > 1 {
            let rest = |position: usize| position != core[at] && core.contains(&position);
            let fewer: Vec<(usize, Facts)> = spoken.iter().filter(|(position, _)| rest(*position)).copied().collect();
            let smaller = self.contradiction(&fewer);
            if smaller.is_empty() {
                at += 1;
            } else {
                core = smaller;
            }
        }
        core
    }

    /// Laws whose facts contradict each other, sorted; empty if there is no contradiction.
    fn contradiction(&self, spoken: &[(usize, Facts)]) -> Vec<usize> {
        let mut demanded = Demanded::default();
        let views: Vec<&View> = spoken.iter().filter_map(|(position, _)| self.views[*position].as_ref()).collect();
        for (at, (_, facts)) in spoken.iter().enumerate() {
            demanded.add(views[at].all(facts.must), at, None);
        }
        let mut next = 0;
        while next < demanded.places.len() {
            let place = demanded.places[next];
            next += 1;
            for (at, (_, facts)) in spoken.iter().enumerate() {
                let class = usize::from(views[at].class[place]);
                if facts.never >> class & 1 == 1 {
                    let mut why = vec![at];
                    demanded.reasons(place, &mut why);
                    return named(why, spoken);
                }
                demanded.add(views[at].all(facts.implies[class]), at, Some(place));
            }
        }
        // Nodes: first visits, then last visits.
        let once = |place: usize| (0..spoken.len()).find(|&at| spoken[at].1.once >> views[at].class[place] & 1 == 1);
        let mut unbroken: [Option<usize>; MOST_PLACES] = [None; MOST_PLACES];
        for &place in &demanded.places {
            unbroken[place] = once(place);
        }
        let first = |place: usize| place;
        let last = |place: usize| if unbroken[place].is_some() { place } else { place + MOST_PLACES };
        let mut order = Order::default();
        for &place in &demanded.places {
            if unbroken[place].is_none() {
                order.add(first(place), last(place), None);
            }
            for (at, (_, facts)) in spoken.iter().enumerate() {
                let class = usize::from(views[at].class[place]);
                let others = |classes: Classes| bits(views[at].all(classes) & demanded.set & !(1 << place));
                for other in others(facts.first_first[class]) {
                    order.add(first(other), first(place), Some(at));
                }
                for other in others(facts.last_last[class]) {
                    order.add(last(place), last(other), Some(at));
                }
                for other in others(facts.first_last[class]) {
                    order.add(first(place), last(other), Some(at));
                }
                for other in others(facts.last_first[class]) {
                    order.add(last(place), first(other), Some(at));
                }
            }
        }
        let mut why = Vec::new();
        for (node, by) in order.cycle() {
            let place = node % MOST_PLACES;
            why.extend(by);
            why.extend(unbroken[place]);
            demanded.reasons(place, &mut why);
        }
        named(why, spoken)
    }
}

/// Which places are alike to some laws.
pub(super) struct Quotient {
    kinds: Vec<u8>,
    /// The kinds of the decider's places, as far as asked for.
    places: Vec<Option<u8>>,
}

impl Quotient {
    /// The kind of one of the decider's places, whose position among those known `position` tells.
    pub fn kind(&mut self, place: u32, position: impl FnOnce() -> Option<u8>) -> Option<u8> {
        let at = place as usize;
        if self.places.len() <= at {
            self.places.resize(at + 1, None);
        }
        if self.places[at].is_none() {
            self.places[at] = position().map(|position| self.kinds[usize::from(position)]);
        }
        self.places[at]
    }
}

/// Splits kinds by something that tells their members apart; how many there are then.
fn split(kinds: &mut [u8], by: impl Fn(usize) -> u64) -> usize {
    let mut known: Vec<(u8, u64)> = Vec::new();
    for (place, kind) in kinds.iter_mut().enumerate() {
        let key = (*kind, by(place));
        let at = known.iter().position(|other| *other == key).unwrap_or_else(|| {
            known.push(key);
            known.len() - 1
        });
        *kind = at as u8;
    }
    known.len()
}

impl View {
    /// The places of some classes.
    fn all(&self, classes: Classes) -> u64 {
        bits(u64::from(classes)).fold(0, |places, class| places | self.places[class])
    }
}

fn named(why: Vec<usize>, spoken: &[(usize, Facts)]) -> Vec<usize> {
    let mut laws: Vec<usize> = why.into_iter().map(|at| spoken[at].0).collect();
    laws.sort_unstable();
    laws.dedup();
    laws
}

fn bits(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (bit < 64).then_some(bit)
    })
}

/// The places that must be visited, each with the law that says so and the place because of which it does.
#[derive(Default)]
struct Demanded {
    set: u64,
    places: Vec<usize>,
    why: Vec<(usize, Option<usize>)>,
}

impl Demanded {
    fn add(&mut self, places: u64, by: usize, because: Option<usize>) {
        for place in bits(places & !self.set) {
            self.places.push(place);
            self.why.push((by, because));
        }
        self.set |= places;
    }

    fn reasons(&self, place: usize, why: &mut Vec<usize>) {
        let mut place = Some(place);
        while let Some(at) = place.and_then(|place| self.places.iter().position(|other| *other == place)) {
            why.push(self.why[at].0);
            place = self.why[at].1;
        }
    }
}

/// Which visit comes before which.
struct Order {
    edges: Vec<(u8, u8, Option<usize>)>,
    nodes: u128,
    after: [u128; 2 * MOST_PLACES],
}

impl Default for Order {
    fn default() -> Self {
        Self { edges: Vec::new(), nodes: 0, after: [0; 2 * MOST_PLACES] }
    }
}

impl Order {
    fn add(&mut self, before: usize, after: usize, by: Option<usize>) {
        self.nodes |= 1 << before | 1 << after;
        if self.after[before] >> after & 1 == 0 {
            self.after[before] |= 1 << after;
            self.edges.push((before as u8, after as u8, by));
        }
    }

    /// A shortest circle: its nodes, each with the law that puts the next one after it. Empty: there is none.
    fn cycle(&self) -> Vec<(usize, Option<usize>)> {
        // What leads nowhere is on no circle.
        let mut left = self.nodes;
        loop {
            let mut nodes = left;
            let before = left;
            while nodes != 0 {
                let node = nodes.trailing_zeros() as usize;
                nodes &= nodes - 1;
                if self.after[node] & left == 0 {
                    left &= !(1 << node);
                }
            }
            if left == 0 {
                return Vec::new();
            }
            if left == before {
                break;
            }
        }
        let mut best: Vec<(usize, Option<usize>)> = Vec::new();
        let mut starts = left;
        while starts != 0 {
            let start = starts.trailing_zeros() as usize;
            starts &= starts - 1;
            let (mut seen, mut layer) = (0u128, vec![start]);
            let mut from: Vec<(usize, usize)> = Vec::new();
            'search: while !layer.is_empty() {
                let mut next = Vec::new();
                for node in layer {
                    let mut new = self.after[node] & left & !seen;
                    seen |= new;
                    while new != 0 {
                        let to = new.trailing_zeros() as usize;
                        new &= new - 1;
                        from.push((to, node));
                        next.push(to);
                        if to == start {
                            break 'search;
                        }
                    }
                }
                layer = next;
            }
            let mut circle = Vec::new();
            let mut node = start;
            while let Some(&(to, before)) = from.iter().find(|(to, _)| *to == node) {
                let label = self.edges.iter().find(|(a, b, _)| (usize::from(*a), usize::from(*b)) == (before, to));
                circle.push((before, label.and_then(|(_, _, by)| *by)));
                node = before;
                if node == start {
                    break;
                }
            }
            if node == start && !circle.is_empty() && (best.is_empty() || circle.len() < best.len()) {
                best = circle;
            }
        }
        best
    }
}

/// What is ahead of one state of a law, the places of a class being one letter.
struct Ahead {
    /// The states after each class, from each state.
    after: Vec<[u32; MOST_CLASSES]>,
    classes: usize,
}

impl Ahead {
    fn post(&self, states: u32, class: usize) -> u32 {
        bits(u64::from(states)).fold(0, |post, state| post | self.after[state][class])
    }

    /// The states reached, those themselves included, without some classes.
    fn reach(&self, states: u32, without: Classes) -> u32 {
        let (mut reached, mut new) = (states, states);
        while new != 0 {
            let state = new.trailing_zeros() as usize;
            let next = (0..self.classes)
                .filter(|class| without >> class & 1 == 0)
                .fold(0, |next, class| next | self.after[state][class]);
            new = new & (new - 1) | next & !reached;
            reached |= next;
        }
        reached
    }
}

/// The facts of a law's state; `None` where it has too many states ahead or tells too many places apart.
fn facts(joint: &mut Joint, law: usize, view: &View, row: StateRef) -> Option<Facts> {
    let classes = view.places.len();
    if classes == 0 || row == StateRef::LOST {
        return None;
    }
    let mut rows = vec![row];
    let mut ahead = Ahead { after: Vec::new(), classes };
    while ahead.after.len() < rows.len() {
        let mut after = [0u32; MOST_CLASSES];
        for (class, codes) in view.codes.iter().enumerate() {
            for &code in codes {
                let next = joint.step(law, rows[ahead.after.len()], usize::from(code));
                if next == StateRef::LOST {
                    return None;
                }
                if next.is_dead() {
                    continue;
                }
                let known = rows.iter().position(|row| *row == next).unwrap_or(rows.len());
                if known == rows.len() {
                    if known == MOST_STATES {
                        return None;
                    }
                    rows.push(next);
                }
                after[class] |= 1 << known;
            }
        }
        ahead.after.push(after);
    }
    let accepting = rows.iter().enumerate().filter(|(_, row)| row.accepts()).fold(0u32, |set, (at, _)| set | 1 << at);
    // States from which none accepts are as good as doomed.
    let live =
        (0..rows.len()).filter(|&at| ahead.reach(1 << at, 0) & accepting != 0).fold(0u32, |set, at| set | 1 << at);
    if live & 1 == 0 {
        return Some(Facts { dead: true, ..Facts::default() });
    }
    ahead.after.iter_mut().flatten().for_each(|after| *after &= live);
    // Only a place that is alone in its class can be avoided.
    let alone: Vec<Classes> =
        (0..classes).map(|class| if view.places[class].count_ones() == 1 { 1 << class } else { 0 }).collect();
    let all = ahead.reach(1, 0);
    let mut facts = Facts::default();
    for class in 0..classes {
        let visited = ahead.post(all, class);
        if visited == 0 {
            facts.never |= 1 << class;
            continue;
        }
        if ahead.reach(1, alone[class]) & accepting == 0 {
            facts.must |= alone[class];
        }
        if alone[class] != 0 {
            let left =
                (0..classes).filter(|other| *other != class).fold(0, |left, other| left | ahead.post(visited, other));
            if ahead.post(ahead.reach(left, 0), class) == 0 {
                facts.once |= 1 << class;
            }
        }
        let first_visited = ahead.post(ahead.reach(1, alone[class]), class);
        for other in (0..classes).filter(|other| *other != class) {
            let bit = 1 << other;
            if alone[other] != 0 {
                let without = ahead.post(ahead.reach(1, bit), class);
                if without == 0 {
                    facts.first_first[class] |= bit;
                }
                if ahead.reach(without, bit) & accepting == 0 {
                    facts.implies[class] |= bit;
                }
                if ahead.reach(visited, bit) & accepting == 0 {
                    facts.last_last[class] |= bit;
                }
                if ahead.reach(first_visited, bit) & accepting == 0 {
                    facts.first_last[class] |= bit;
                }
            }
            let later = ahead.reach(ahead.post(all, other), 0);
            if ahead.post(later, class) == 0 {
                facts.last_first[class] |= bit;
            }
        }
    }
    let says = |classes: &[Classes; MOST_CLASSES]| classes.iter().any(|classes| *classes != 0);
    facts.idle = facts.must | facts.never | facts.once == 0
        && !says(&facts.implies)
        && !says(&facts.last_first)
        && !says(&facts.first_last);
    Some(facts)
}
