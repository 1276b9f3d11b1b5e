//! Joint states met so far, and what was decided in each of them.

use crate::actions::ActionSet;
use crate::dfa_table::StateRef;
use crate::letter::PropSet;

/// The number of a joint state in its cache.
pub(crate) type NodeNumber = u32;

/// What tells one joint state from others, beside the laws' states, which are kept apart, one after the other.
#[derive(Clone, Copy, Debug)]
struct Node {
    hash: u64,
    observations: PropSet,
}

/// The decisions in a joint state.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    /// The actions judged so far.
    judged: ActionSet,
    /// Those of them that are allowed.
    allowed: ActionSet,
    /// Those of them that were left undecided.
    undecided: ActionSet,
}

/// The joint states of some laws, and the decisions in them. When it is full it starts afresh.
#[derive(Debug)]
pub(crate) struct DecisionCache {
    /// How many laws a joint state is about.
    width: usize,
    nodes: Vec<Node>,
    states: Vec<StateRef>,
    /// By node.
    known: Vec<Known>,
    most_nodes: usize,
    /// Open addressing: node + 1, or 0.
    slots: Vec<NodeNumber>,
    /// How often it started afresh because it was full.
    pub emptied: u64,
}

pub(crate) fn mix(hash: u64, value: u64) -> u64 {
    (hash ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
}

fn hash(observations: &PropSet, states: &[StateRef]) -> u64 {
    let hash = observations.0.iter().fold(0, |hash, &word| mix(hash, word));
    // Two chains that do not wait for each other, two states at a time.
    let (mut hash, mut other) = (hash, 0);
    let mut quads = states.chunks_exact(4);
    for quad in &mut quads {
        hash = mix(hash, u64::from(quad[0].0) | u64::from(quad[1].0) << 32);
        other = mix(other, u64::from(quad[2].0) | u64::from(quad[3].0) << 32);
    }
    quads.remainder().iter().fold(mix(hash, other), |hash, state| mix(hash, u64::from(state.0)))
}

impl DecisionCache {
    /// A cache for the joint states of so many laws, of at most so many bytes.
    pub fn new(width: usize, bytes: usize) -> Self {
        let node_bytes = size_of::<Node>() + size_of::<Known>() + width * size_of::<StateRef>() + 8;
        let most_nodes = (bytes / 2 / node_bytes).clamp(16, 1 << 16);
        let slots = if width > 0 { (most_nodes * 2).next_power_of_two() } else { 1 };
        Self {
            width,
            nodes: Vec::new(),
            states: Vec::new(),
            known: Vec::new(),
            most_nodes,
            slots: vec![0; slots],
            emptied: 0,
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.known.capacity() * size_of::<Known>()
            + self.states.capacity() * size_of::<StateRef>()
            + self.slots.capacity() * 4
    }

    /// Forgets every joint state.
    pub fn clear(&mut self) {
        self.nodes.clear();
        self.known.clear();
        self.states.clear();
        self.slots.fill(0);
    }

    /// Finds or makes a joint state; and whether all others were forgotten to make room.
    pub fn intern(&mut self, observations: PropSet, states: &[StateRef]) -> (NodeNumber, bool) {
        let hash = hash(&observations, states);
        let mask = self.slots.len() - 1;
        let first = (hash >> 32) as usize & mask;
        let mut slot = first;
        while let Some(node) = self.slots[slot].checked_sub(1) {
            let known = &self.nodes[node as usize];
            if known.hash == hash && known.observations == observations && self.states(node) == states {
                return (node, false);
            }
            slot = (slot + 1) & mask;
        }
        let full = self.nodes.len() >= self.most_nodes;
        if full {
            self.clear();
            self.emptied += 1;
            slot = first;
        }
        if self.nodes.capacity() == 0 {
            // All at once: growing later would show as a pause.
            self.nodes.reserve_exact(self.most_nodes);
            self.known.reserve_exact(self.most_nodes);
            self.states.reserve_exact(self.most_nodes * self.width);
        }
        let node = self.nodes.len() as NodeNumber;
        self.slots[slot] = node + 1;
        self.nodes.push(Node { hash, observations });
        self.known.push(Known::default());
        self.states.extend_from_slice(states);
        (node, full)
    }

    /// The laws' states in a joint state.
    #[inline]
    pub fn states(&self, node: NodeNumber) -> &[StateRef] {
        let start = node as usize * self.width;
        &self.states[start..start + self.width]
    }

    /// Of `asked`, the actions that are allowed and those left undecided; `None` if some were not judged yet.
    #[inline]
    pub fn decided(&self, node: NodeNumber, asked: &ActionSet) -> Option<(ActionSet, ActionSet)> {
        let known = self.known.get(node as usize)?;
        asked
            .is_subset(&known.judged)
            .then(|| (asked.intersection(&known.allowed), asked.intersection(&known.undecided)))
    }

    /// The actions that were not judged yet.
    pub fn open(&self, node: NodeNumber, asked: &ActionSet) -> ActionSet {
        self.known.get(node as usize).map_or(*asked, |known| asked.difference(&known.judged))
    }

    /// Keeps a decision. What was left undecided may be judged again.
    pub fn decide(&mut self, node: NodeNumber, judged: &ActionSet, allowed: &ActionSet, undecided: &ActionSet) {
        if let Some(known) = self.known.get_mut(node as usize) {
            known.judged = known.judged.union(judged);
            known.allowed = known.allowed.union(allowed);
            known.undecided = known.undecided.difference(judged).union(undecided);
        }
    }
}
