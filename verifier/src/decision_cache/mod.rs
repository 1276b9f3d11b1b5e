//! Decisions of joint states, remembered; new ones made for all actions at once.
//!
//! Cheapest first: a joint state seen before has its answer; then every action after which all laws accept is allowed,
//! since the run may stop there; then recent plans are tried behind every action; only what is left is searched for,
//! one action of each class, and the plan found serves the others too.

mod edges;
mod guided_search;
mod landmarks;

use crate::actions::ActionSet;
use crate::dfa_table::StateRef;
use crate::joint::{Continuation, Group, Joint, LAWS_READ};
use crate::letter::{Letter, PropSet};
use crate::vocabulary::ActionId;
use crate::world_state::{MOST_ACTIONS, WorldContext, WorldStateId, WorldStates};
use edges::Edges;
use guided_search::{Core, Frontier, Guided};
use landmarks::Landmarks;

/// How many plans are kept.
const PLANS: usize = 8;
/// How many of the latest proofs of doom are looked at before any plan is tried.
const RECENT_CORES: usize = 64;

/// How many proofs of doom are looked at for a unit of work.
const CORES_LOOKED_AT: usize = 16;

const NONE: u32 = u32::MAX;

/// What tells one joint state from others: the laws' rows are kept apart, one after the other.
#[derive(Clone, Copy, Debug)]
struct Node {
    hash: u64,
    observations: PropSet,
}

/// What is known of one joint state, actions as bits.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// The actions judged so far.
    judged: u64,
    allowed: u64,
    undecided: u64,
}

/// A continuation that worked: what comes after the first letter.
#[derive(Clone, Debug, Default)]
struct Plan {
    /// The observations of the first letter, where there is no model to say.
    first: Option<PropSet>,
    /// The letters after the first.
    letters: Vec<Letter>,
    /// What each law reads at those letters.
    codes: Vec<Box<[u16]>>,
}

/// Counts, for benches and reports.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CacheStats {
    /// Joint states decided, each time one was not in the cache.
    pub decided: u64,
    /// Actions that had to be searched for.
    pub searches: u64,
    /// Actions that could not be decided.
    pub undecided: u64,
    /// How often the caches were emptied because they were full.
    pub emptied: u64,
}

pub(crate) struct DecisionCache {
    pub group: Group,
    /// The group's laws as positions in `flat`.
    laws: Vec<usize>,
    /// The observations that tell joint states apart.
    relevant: PropSet,
    /// Whether all actions can be judged at once.
    fast: bool,
    places: WorldStates,
    plans: Vec<Plan>,
    nodes: Vec<Node>,
    known: Vec<Known>,
    rows: Vec<StateRef>,
    most_nodes: usize,
    most_place_bytes: usize,
    /// Open addressing: node + 1, or 0.
    slots: Vec<u32>,
    edges: Edges,
    /// The node of the current state.
    current: u32,
    /// What was asked last, and the answer, where joint states have no nodes.
    latest: Option<(ActionSet, ActionSet, ActionSet)>,
    stats: CacheStats,
    /// Combinations of the laws' states that no continuation satisfies.
    cores: Vec<Core>,
    frontier: Frontier,
    landmarks: Landmarks,
    /// Whether the landmarks know the places of the current search.
    marked: bool,
    /// The laws that are owed something in the state being judged, where there is no model.
    owed: Vec<usize>,
    /// The rows of the group's laws, where it has not all of them.
    gathered: Vec<StateRef>,
}

fn mix(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
}

impl DecisionCache {
    /// A decider for a group of laws, with caches of at most so many bytes.
    pub fn new(joint: &Joint, group: Group, bytes: usize) -> Self {
        let laws: Vec<usize> = (0..joint.flat_laws.len())
            .filter(|&position| group.general.binary_search(&joint.flat_laws[position]).is_ok())
            .collect();
        let wide = group.general.iter().any(|law| joint.wide.contains(law));
        let vocabulary = &joint.vocabulary;
        let mut read: PropSet = laws.iter().flat_map(|&law| joint.flat.props(law).iter().copied()).collect();
        let mut relevant: PropSet = read.iter().filter(|prop| vocabulary.is_observation(*prop)).collect();
        if joint.transitions.is_some() {
            relevant = (0..vocabulary.observations().len() as u16).map(crate::vocabulary::PropId).collect();
            read = read.union(&relevant);
        }
        let node_bytes = size_of::<Node>() + size_of::<Known>() + laws.len() * 4 + 8;
        let most_nodes = (bytes / 2 / node_bytes).clamp(16, 1 << 16);
        let used = !group.general.is_empty();
        let slots = if used { (most_nodes * 2).next_power_of_two() } else { 1 };
        Self {
            fast: used && !wide && vocabulary.actions().len() <= MOST_ACTIONS,
            group,
            laws,
            relevant,
            places: WorldStates::default(),
            plans: Vec::new(),
            nodes: Vec::new(),
            known: Vec::new(),
            rows: Vec::new(),
            most_nodes,
            most_place_bytes: bytes / 4,
            slots: vec![0; slots],
            edges: Edges::new(read),
            current: NONE,
            latest: None,
            stats: CacheStats::default(),
            cores: Vec::new(),
            frontier: Frontier::default(),
            landmarks: Landmarks::default(),
            marked: false,
            owed: Vec::new(),
            gathered: Vec::new(),
        }
    }

    pub fn stats(&self) -> CacheStats {
        self.stats
    }

    /// Bytes the caches hold.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.known.capacity() * size_of::<Known>()
            + self.rows.capacity() * size_of::<StateRef>()
            + self.slots.capacity() * 4
            + self.edges.bytes()
            + self.places.bytes()
            + self.landmarks.bytes()
    }

    /// Forgets every joint state. Rows of the flat table may have new names afterwards.
    pub fn clear(&mut self) {
        self.places.clear();
        self.cores.clear();
        self.landmarks.clear();
        self.plans.clear();
        self.empty();
    }

    fn empty(&mut self) {
        self.nodes.clear();
        self.known.clear();
        self.rows.clear();
        self.slots.fill(0);
        self.edges.forget();
        self.leave();
    }

    /// The joint state is about to change by other means than [`DecisionCache::follow`].
    pub fn leave(&mut self) {
        self.current = NONE;
        self.latest = None;
    }

    /// Goes to the joint state after a letter, if that step was seen before. The laws' rows stay behind: see
    /// [`DecisionCache::catch_up`].
    #[inline]
    pub fn follow(&mut self, letter: &Letter) -> bool {
        let to = self.edges.get(self.current, &letter.0);
        self.current = to.unwrap_or(self.current);
        to.is_some()
    }

    /// Sets the laws' rows to the current joint state, after steps that left them behind.
    pub fn catch_up(&self, joint: &mut Joint) {
        if joint.is_behind() {
            let start = self.current as usize * self.laws.len();
            joint.set_rows(&self.rows[start..start + self.laws.len()]);
        }
    }

    /// Finds or makes the node of the joint state the laws are in; `letter` led there from the node before.
    pub fn arrive(&mut self, joint: &Joint, letter: &Letter, remember: bool) {
        if !self.fast {
            self.latest = None;
            return;
        }
        let mut before = self.current;
        let observations = joint.now.0.intersection(&self.relevant);
        let mut hash = observations.0.iter().fold(0, |hash, &word| mix(hash, word));
        let mut gathered = std::mem::take(&mut self.gathered);
        let rows = if self.laws.len() == joint.rows().len() {
            // The group has all the laws.
            joint.rows()
        } else {
            gathered.clear();
            gathered.extend(self.laws.iter().map(|&law| joint.rows()[law]));
            &gathered
        };
        // Two chains that do not wait for each other, two rows at a time.
        let mut other = 0;
        let mut quads = rows.chunks_exact(4);
        for quad in &mut quads {
            hash = mix(hash, u64::from(quad[0].0) | u64::from(quad[1].0) << 32);
            other = mix(other, u64::from(quad[2].0) | u64::from(quad[3].0) << 32);
        }
        hash = quads.remainder().iter().fold(mix(hash, other), |hash, row| mix(hash, u64::from(row.0)));
        let mask = self.slots.len() - 1;
        let mut slot = (hash >> 32) as usize & mask;
        let found = loop {
            let Some(node) = self.slots[slot].checked_sub(1) else { break None };
            let known = &self.nodes[node as usize];
            if known.hash == hash && known.observations == observations {
                let start = node as usize * self.laws.len();
                if self.rows[start..start + self.laws.len()] == rows[..] {
                    break Some(node);
                }
            }
            slot = (slot + 1) & mask;
        };
        if let Some(node) = found {
            self.current = node;
        } else {
            if self.nodes.len() >= self.most_nodes {
                self.empty();
                before = NONE;
                self.stats.emptied += 1;
                slot = (hash >> 32) as usize & mask;
            }
            if self.nodes.capacity() == 0 {
                // All at once: growing later would show as a pause.
                self.nodes.reserve_exact(self.most_nodes);
                self.known.reserve_exact(self.most_nodes);
                self.rows.reserve_exact(self.most_nodes * self.laws.len());
            }
            self.current = self.nodes.len() as u32;
            self.slots[slot] = self.current + 1;
            self.nodes.push(Node { hash, observations });
            self.known.push(Known::default());
            self.rows.extend_from_slice(rows);
        }
        self.gathered = gathered;
        if remember && before != NONE {
            self.edges.insert(before, &letter.0, self.current);
        }
    }

    /// Of `asked`, the actions that leave the group's laws a common continuation, and those that could not be decided;
    /// `None` if some were not judged yet.
    #[inline]
    pub fn known(&self, asked: &ActionSet) -> Option<(ActionSet, ActionSet)> {
        if self.group.general.is_empty() {
            return Some((*asked, ActionSet::EMPTY));
        }
        let Some(known) = self.known.get(self.current as usize) else {
            return self
                .latest
                .filter(|(judged, ..)| judged == asked)
                .map(|(_, allowed, undecided)| (allowed, undecided));
        };
        // Where joint states have nodes, there are few enough actions for one word.
        let asked = asked.0[0];
        (asked & !known.judged == 0).then(|| (bits(known.allowed & asked), bits(known.undecided & asked)))
    }

    /// Judges those of `asked` that were not judged yet; then they are known.
    pub fn decide(&mut self, joint: &mut Joint, asked: &ActionSet) {
        if !self.fast {
            let (allowed, undecided) = self.one_by_one(joint, asked);
            self.latest = Some((*asked, allowed, undecided));
            return;
        }
        if self.current == NONE {
            let now = joint.now;
            self.arrive(joint, &now, false);
        }
        let current = self.current as usize;
        let open = asked.0[0] & !self.known[current].judged;
        if open != 0 {
            let (allowed, undecided) = self.judge(joint, open);
            self.stats.decided += 1;
            self.stats.undecided += u64::from(undecided.count_ones());
            let known = &mut self.known[current];
            known.judged |= open;
            known.allowed |= allowed;
            known.undecided |= undecided;
        }
    }

    fn one_by_one(&mut self, joint: &mut Joint, asked: &ActionSet) -> (ActionSet, ActionSet) {
        joint.settle();
        self.stats.decided += 1;
        let (mut allowed, mut undecided) = (ActionSet::EMPTY, ActionSet::EMPTY);
        for action in asked.iter() {
            self.stats.searches += 1;
            match joint.continuable(&self.group, action) {
                Continuation::Yes(_) => allowed.insert(action),
                Continuation::No(_) => {}
                Continuation::Unknown => undecided.insert(action),
            }
        }
        self.stats.undecided += undecided.len() as u64;
        (allowed, undecided)
    }

    /// Gets to know the places a run can reach from here, if a model says that they are few, before the first decision.
    pub fn prepare(&mut self, joint: &mut Joint) {
        if !self.fast || joint.transitions.is_none() || self.laws.len() > landmarks::MOST_PREPARED {
            return;
        }
        let now = joint.now.0.intersection(&self.relevant);
        if self.landmarks.knows(&now) {
            return;
        }
        self.enter(joint, now);
        let places: Vec<PropSet> = self.landmarks.observations().to_vec();
        for observations in places {
            if self.places.bytes() < self.most_place_bytes {
                self.place(joint, observations);
            }
        }
        self.landmarks.prepare(joint, &self.laws);
    }

    /// Makes the landmarks know the places that can be reached from one; whether they do.
    fn enter(&mut self, joint: &Joint, observations: PropSet) -> bool {
        let (known, changed) = self.landmarks.enter(joint, observations, self.laws.len());
        if changed {
            guided_search::forget_anywhere(&mut self.cores);
        }
        known
    }

    fn place(&mut self, joint: &Joint, observations: PropSet) -> WorldStateId {
        let observations = observations.intersection(&self.relevant);
        let ground = ground(&self.laws, &self.group, joint);
        let (place, new) = self.places.place(observations, ground);
        self.met(joint, new);
        place
    }

    fn next_place(&mut self, joint: &Joint, place: WorldStateId, action: ActionId) -> Option<WorldStateId> {
        let ground = ground(&self.laws, &self.group, joint);
        let (place, new) = self.places.next(place, action, ground)?;
        self.met(joint, new);
        Some(place)
    }

    /// Counts the work of looking at a new place.
    #[inline]
    fn met(&self, joint: &Joint, new: bool) {
        if new {
            let actions = joint.vocabulary.actions().len();
            joint.arena.budget.spend((actions + actions * self.laws.len() / LAWS_READ) as u64);
        }
    }

    /// Judges actions, as bits: those that have a continuation and those left undecided.
    fn judge(&mut self, joint: &mut Joint, asked: u64) -> (u64, u64) {
        let tied = joint.transitions.is_some();
        let stop = joint.vocabulary.stop().map_or(0, |stop| 1u64 << stop.0);
        if self.places.bytes() > self.most_place_bytes {
            self.places.clear();
            self.cores.clear();
        }
        let budget = &joint.arena.budget;
        // Each law is looked at a few times; proofs and plans that are tried are counted where they are.
        budget.spend(1 + (4 * self.laws.len() / LAWS_READ) as u64);
        let place = self.place(joint, joint.now.0);
        let known = self.places.get(place).known;
        let (mut allowed, mut doomed) = (0, 0);
        self.owed.clear();
        if !tied {
            let owes = |position: &usize| !joint.rows()[self.laws[*position]].accepts();
            self.owed.extend((0..self.laws.len()).filter(owes));
        }
        if tied || self.settles(joint, place, &[], asked) {
            (allowed, doomed) = self.sweep(joint, place, None, asked & known);
        }
        let mut open = asked & !allowed & !stop;
        if tied {
            open &= !doomed;
        } else if open != 0 && self.is_dead_class(joint, place, open) {
            open = 0;
        }
        let mut position = 0;
        while open != 0 && position < self.plans.len() {
            let found = self.replay(joint, place, position, open);
            if found != 0 {
                allowed |= found;
                open &= !found;
                self.plans[..=position].rotate_right(1);
            }
            position += 1;
        }
        let mut undecided = 0;
        let mut settled = false;
        while open != 0 {
            let action = ActionId(open.trailing_zeros() as u16);
            let class = if known >> action.0 & 1 == 1 { self.places.get(place).class(action) } else { 1 << action.0 };
            self.stats.searches += 1;
            let routed = if tied { self.guided(joint, place, action) } else { Guided::BeyondModel };
            let continuation = match routed {
                Guided::Found(mut letters) => {
                    letters.insert(0, Letter::default());
                    Continuation::Yes(letters)
                }
                Guided::Unsat(_) => Continuation::No(Vec::new()),
                Guided::Unknown => Continuation::Unknown,
                Guided::BeyondModel if !tied && self.is_dead(joint, class, usize::MAX) => Continuation::No(Vec::new()),
                Guided::BeyondModel => {
                    if !settled {
                        joint.settle();
                        settled = true;
                    }
                    joint.continuable(&self.group, action)
                }
            };
            match continuation {
                Continuation::Yes(letters) => {
                    allowed |= class & open;
                    open &= !class;
                    if letters.len() > 1 || !tied {
                        self.keep(joint, &letters);
                        let found = self.replay(joint, place, 0, open);
                        allowed |= found;
                        open &= !found;
                    }
                }
                Continuation::No(core) => {
                    open &= !class;
                    if !tied && !core.is_empty() {
                        self.learn(joint, class, &core);
                    }
                }
                Continuation::Unknown => {
                    undecided |= class & open;
                    open &= !class;
                }
            }
        }
        (allowed, undecided)
    }

    /// Whether it is already known that the laws' states leave a class of actions no continuation (without a model).
    fn is_dead(&mut self, joint: &Joint, class: u64, most: usize) -> bool {
        let doomed = |core: &Core| core.covers(class.trailing_zeros(), |law| joint.rows()[self.laws[law]]);
        let recent = self.cores.len().saturating_sub(most);
        joint.arena.budget.spend(1 + ((self.cores.len() - recent) / CORES_LOOKED_AT) as u64);
        let found = self.cores[recent..].iter().rposition(doomed);
        if let Some(found) = found {
            // What applies now is likely to apply soon.
            let last = self.cores.len() - 1;
            self.cores.swap(recent + found, last);
        }
        found.is_some()
    }

    /// The same, by a look at the latest proofs, for actions that are all of one class.
    fn is_dead_class(&mut self, joint: &Joint, place: WorldStateId, open: u64) -> bool {
        let class = self.places.get(place).class(ActionId(open.trailing_zeros() as u16));
        open & !class == 0 && self.is_dead(joint, class, RECENT_CORES)
    }

    /// Keeps a proof that these laws, by number, leave a class of actions no continuation. Masks have no state to tell
    /// when the proof applies again, so a proof that needs one is not kept.
    fn learn(&mut self, joint: &Joint, class: u64, core: &[usize]) {
        let position = |law: &usize| self.laws.iter().position(|&at| joint.flat_laws[at] == *law);
        let Some(positions) = core.iter().map(position).collect::<Option<Vec<usize>>>() else { return };
        let parts = positions.into_iter().map(|at| (at, joint.rows()[self.laws[at]]));
        guided_search::keep_core(&mut self.cores, Core::new(class.trailing_zeros(), parts));
    }

    /// Laws, by number, that together leave an action no continuation, found as the decision was; `None` if this way of
    /// deciding does not apply or finds nothing.
    pub fn core(&mut self, joint: &mut Joint, action: ActionId) -> Option<Vec<usize>> {
        if !self.fast || joint.transitions.is_none() || Some(action) == joint.vocabulary.stop() {
            return None;
        }
        let place = self.place(joint, joint.now.0);
        match self.guided(joint, place, action) {
            Guided::Unsat(set) => Some(set.into_iter().map(|at| joint.flat_laws[self.laws[at]]).collect()),
            _ => None,
        }
    }

    fn keep(&mut self, joint: &Joint, letters: &[Letter]) {
        let Some((first, rest)) = letters.split_first() else { return };
        let codes =
            rest.iter().map(|letter| self.laws.iter().map(|&law| joint.flat.code(law, letter) as u16).collect());
        let plan = Plan {
            first: joint.transitions.is_none().then_some(first.0),
            codes: codes.collect(),
            letters: rest.to_vec(),
        };
        self.plans.truncate(PLANS - 1);
        self.plans.insert(0, plan);
    }

    /// Tries a plan behind every open action; the actions it works for.
    fn replay(&mut self, joint: &mut Joint, place: WorldStateId, position: usize, open: u64) -> u64 {
        let plan = std::mem::take(&mut self.plans[position]);
        joint.arena.budget.spend(1 + (self.laws.len() * plan.letters.len() / LAWS_READ) as u64);
        let found = self.replay_plan(joint, place, &plan, open);
        self.plans[position] = plan;
        found
    }

    fn replay_plan(&mut self, joint: &mut Joint, place: WorldStateId, plan: &Plan, open: u64) -> u64 {
        if let Some(first) = plan.first {
            let place = self.place(joint, first);
            if !self.settles(joint, place, &plan.codes, open) {
                return 0;
            }
            return self.sweep(joint, place, Some(plan), open).0;
        }
        let Some(second) = plan.letters.first() else { return 0 };
        let Some(action) = second.action(&joint.vocabulary) else { return 0 };
        let observations = second.0.intersection(&self.relevant);
        let mut fits = 0;
        let mut candidates = open & self.places.get(place).known;
        while candidates != 0 {
            let one = ActionId(candidates.trailing_zeros() as u16);
            let class = self.places.get(place).class(one) & candidates;
            candidates &= !class;
            let Some(next) = self.next_place(joint, place, one) else { continue };
            let next = self.places.get(next);
            if next.masked.contains(action) && next.next(action) == Some(observations) {
                fits |= class;
            }
        }
        if fits == 0 { 0 } else { self.sweep(joint, place, Some(plan), fits).0 }
    }

    /// Whether some asked action, and these codes after it, settle each law that is owed something now: most plans fail
    /// there, and few laws are owed anything.
    fn settles(&self, joint: &mut Joint, place: WorldStateId, codes: &[Box<[u16]>], asked: u64) -> bool {
        let place = self.places.get(place);
        self.owed.iter().all(|&position| {
            let law = self.laws[position];
            place.entries(position).iter().filter(|entry| entry.actions & asked != 0).any(|entry| {
                let first = joint.step(law, joint.rows()[law], entry.code as usize);
                codes.iter().fold(first, |row, codes| joint.step(law, row, usize::from(codes[position]))).accepts()
            })
        })
    }

    /// Lets every law read every asked action, then the plan. The actions after which all accept, and (without a plan)
    /// those that some law cannot survive.
    fn sweep(&self, joint: &mut Joint, place: WorldStateId, plan: Option<&Plan>, asked: u64) -> (u64, u64) {
        let place = self.places.get(place);
        let codes = plan.map_or(&[][..], |plan| &plan.codes);
        let (mut failed, mut doomed) = (0u64, 0u64);
        for (position, &law) in self.laws.iter().enumerate() {
            let row = joint.rows()[law];
            for entry in place.entries(position) {
                if entry.actions & asked & !(failed & doomed) == 0 {
                    continue;
                }
                let mut next = joint.step(law, row, entry.code as usize);
                if next.is_dead() {
                    doomed |= entry.actions;
                }
                for codes in codes {
                    next = joint.step(law, next, usize::from(codes[position]));
                }
                if !next.accepts() {
                    failed |= entry.actions;
                }
            }
            if (plan.is_some() || joint.transitions.is_none()) && asked & !failed == 0 {
                return (0, 0);
            }
        }
        (asked & !failed, doomed)
    }
}

fn bits(actions: u64) -> ActionSet {
    let mut set = ActionSet::EMPTY;
    set.0[0] = actions;
    set
}

fn ground<'a>(laws: &'a [usize], group: &'a Group, joint: &'a Joint) -> WorldContext<'a> {
    let Joint { flat, vocabulary, transitions, .. } = joint;
    WorldContext { laws, flat, masks: &group.masks, vocabulary, model: transitions.as_deref() }
}
