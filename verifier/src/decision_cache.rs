//! Joint states met so far, and what was decided in each of them.

use hashbrown::HashTable;

use crate::actions::ActionSet;
use crate::dfa_table::StateRef;
use crate::letter::PropSet;

/// Actions judged.
#[derive(Clone, Debug, Default)]
pub(crate) struct Judged {
    /// Those that leave the laws a common continuation.
    pub allowed: ActionSet,
    /// Those that could not be decided.
    pub undecided: ActionSet,
    /// The laws, by number, that the searches were about which could not decide, once for each search.
    pub hard_to_decide: Vec<usize>,
    /// Actions, and the laws, by number, that leave them no continuation, where a search proved it.
    pub cores: Vec<(ActionSet, Vec<usize>)>,
    /// True if the budget was raised.
    pub raised: bool,
}

/// The number of a joint state in its cache.
pub(crate) type NodeNumber = u32;

/// The key of a joint state, without the states of the laws, which are stored one after the other.
#[derive(Clone, Copy, Debug)]
struct Node {
    hash: u64,
    observations: PropSet,
}

/// Some actions that were asked about all at once, and the decisions on them.
type Settled = (ActionSet, Judged);

/// The joint states of some laws, and the decisions in them. When it is full it starts afresh.
#[derive(Debug)]
pub(crate) struct DecisionCache {
    /// The number of laws in a joint state.
    width: usize,
    numbers: HashTable<NodeNumber>,
    nodes: Vec<Node>,
    states: Vec<StateRef>,
    /// By node; by masks, few sets of actions are asked about in one.
    known: Vec<Vec<Settled>>,
    /// The number of decisions kept.
    settled: usize,
    most_nodes: usize,
    /// The number of times it started afresh because it was full.
    pub emptied: u64,
}

fn mix(hash: u64, value: u64) -> u64 {
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
        let node_bytes =
            size_of::<Node>() + size_of::<Vec<Settled>>() + size_of::<Settled>() + width * size_of::<StateRef>() + 8;
        Self {
            width,
            numbers: HashTable::new(),
            nodes: Vec::new(),
            states: Vec::new(),
            known: Vec::new(),
            settled: 0,
            most_nodes: (bytes / 2 / node_bytes).clamp(16, 1 << 16),
            emptied: 0,
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.known.capacity() * size_of::<Vec<Settled>>()
            + self.settled * size_of::<Settled>()
            + self.states.capacity() * size_of::<StateRef>()
            + self.numbers.allocation_size()
    }

    /// Forgets every joint state.
    pub fn clear(&mut self) {
        self.numbers.clear();
        self.nodes.clear();
        self.known.clear();
        self.settled = 0;
        self.states.clear();
    }

    /// Finds or makes a joint state. Where the cache is full, all others are forgotten.
    pub fn intern(&mut self, observations: PropSet, states: &[StateRef]) -> NodeNumber {
        let hash = hash(&observations, states);
        let is_same = |node: &NodeNumber| {
            let known = &self.nodes[*node as usize];
            known.hash == hash && known.observations == observations && self.states(*node) == states
        };
        if let Some(&node) = self.numbers.find(hash, is_same) {
            return node;
        }
        if self.nodes.len() >= self.most_nodes {
            self.clear();
            self.emptied += 1;
        }
        let node = self.nodes.len() as NodeNumber;
        self.nodes.push(Node { hash, observations });
        self.known.push(Vec::new());
        self.states.extend_from_slice(states);
        let nodes = &self.nodes;
        self.numbers.insert_unique(hash, node, |node| nodes[*node as usize].hash);
        node
    }

    /// The laws' states in a joint state.
    #[inline]
    fn states(&self, node: NodeNumber) -> &[StateRef] {
        let start = node as usize * self.width;
        &self.states[start..start + self.width]
    }

    /// Returns the decision on exactly these actions.
    #[inline]
    pub fn settled(&self, node: NodeNumber, asked: &ActionSet) -> Option<&Judged> {
        self.known.get(node as usize)?.iter().find(|(of, _)| of == asked).map(|(_, judged)| judged)
    }

    /// Keeps a decision on these actions.
    pub fn settle(&mut self, node: NodeNumber, asked: ActionSet, judged: Judged) {
        if let Some(known) = self.known.get_mut(node as usize) {
            self.settled += 1;
            known.push((asked, judged));
        }
    }
}
