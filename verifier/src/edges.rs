//! Steps between joint states, remembered: the node that a letter led to from a node.
//!
//! A step seen before costs this one look-up, so its size matters: where all propositions that count lie in a letter's
//! first word, as they do in most vocabularies, that word alone is kept and compared.

use crate::letter::PropSet;

/// How many steps are kept at most; a later one takes the place of one with the same hash. A power of two.
const EDGES: usize = 1 << 14;
/// How many are at first. A power of two.
const FIRST_EDGES: usize = 1 << 4;

/// The start of a step that is not remembered: neither a node nor the lack of one.
const EMPTY: u32 = u32::MAX - 1;

/// What is kept of a letter.
trait Key: Copy + Default + PartialEq {
    /// Bits that look random; the highest are the best.
    fn hash(&self) -> u64;
}

const FACTORS: [u64; 4] = [0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F, 0x1656_67B1_9E37_79F9, 0x27D4_EB2F_1656_67C5];

impl Key for u64 {
    #[inline]
    fn hash(&self) -> u64 {
        self.wrapping_mul(FACTORS[0])
    }
}

impl Key for PropSet {
    #[inline]
    fn hash(&self) -> u64 {
        // The products do not wait for each other.
        let words = self.0.iter().zip(FACTORS);
        words.fold(0, |hash, (&word, factor)| hash ^ word.wrapping_mul(factor)).wrapping_mul(FACTORS[1])
    }
}

#[derive(Clone, Copy, Debug)]
struct Edge<K> {
    key: K,
    from: u32,
    to: u32,
}

/// Steps by one kind of key. No memory is held before the first one, and more as there are more steps.
#[derive(Clone, Debug, Default)]
struct Table<K> {
    edges: Vec<Edge<K>>,
    kept: usize,
}

impl<K: Key> Table<K> {
    /// Each step waits for the node of the one before, but not for its letter: the node comes in last, and cheaply.
    #[inline]
    fn slot(&self, from: u32, key: &K) -> usize {
        ((key.hash() >> 48) as usize ^ from as usize) & self.edges.len().wrapping_sub(1)
    }

    #[inline]
    fn get(&self, from: u32, key: K) -> Option<u32> {
        let edge = self.edges.get(self.slot(from, &key))?;
        (edge.from == from && edge.key == key).then_some(edge.to)
    }

    fn insert(&mut self, from: u32, key: K, to: u32) {
        if 4 * self.kept >= self.edges.len() && self.edges.len() < EDGES {
            let size = (4 * self.edges.len()).clamp(FIRST_EDGES, EDGES);
            let old =
                std::mem::replace(&mut self.edges, vec![Edge { key: K::default(), from: EMPTY, to: EMPTY }; size]);
            self.kept = 0;
            old.into_iter().filter(|edge| edge.from != EMPTY).for_each(|edge| self.put(edge));
        }
        self.put(Edge { key, from, to });
    }

    fn put(&mut self, edge: Edge<K>) {
        let slot = self.slot(edge.from, &edge.key);
        self.kept += usize::from(self.edges[slot].from == EMPTY);
        self.edges[slot] = edge;
    }

    fn forget(&mut self) {
        self.kept = 0;
        self.edges.iter_mut().for_each(|edge| edge.from = EMPTY);
    }

    fn bytes(&self) -> usize {
        self.edges.capacity() * size_of::<Edge<K>>()
    }
}

#[derive(Clone, Debug)]
enum Tables {
    /// All propositions that count are in the first word.
    Narrow(Table<u64>),
    Wide(Table<PropSet>),
}

/// The steps between the nodes of a decider.
#[derive(Clone, Debug)]
pub(crate) struct Edges {
    /// The propositions that count.
    read: PropSet,
    tables: Tables,
}

impl Edges {
    /// No steps; letters with the same propositions of `read` are the same.
    pub fn new(read: PropSet) -> Self {
        let narrow = read.0[1..].iter().all(|&word| word == 0);
        let tables = if narrow { Tables::Narrow(Table::default()) } else { Tables::Wide(Table::default()) };
        Self { read, tables }
    }

    /// Where a letter led to from a node, if that is remembered.
    #[inline]
    pub fn get(&self, from: u32, letter: &PropSet) -> Option<u32> {
        match &self.tables {
            Tables::Narrow(table) => table.get(from, letter.0[0] & self.read.0[0]),
            Tables::Wide(table) => table.get(from, letter.intersection(&self.read)),
        }
    }

    /// Remembers a step. Nodes are numbered from 0 up, and few.
    pub fn insert(&mut self, from: u32, letter: &PropSet, to: u32) {
        match &mut self.tables {
            Tables::Narrow(table) => table.insert(from, letter.0[0] & self.read.0[0], to),
            Tables::Wide(table) => table.insert(from, letter.intersection(&self.read), to),
        }
    }

    /// Forgets all steps: the nodes get other names.
    pub fn forget(&mut self) {
        match &mut self.tables {
            Tables::Narrow(table) => table.forget(),
            Tables::Wide(table) => table.forget(),
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        match &self.tables {
            Tables::Narrow(table) => table.bytes(),
            Tables::Wide(table) => table.bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::PropId;

    fn set(props: &[u16]) -> PropSet {
        props.iter().copied().map(PropId).collect()
    }

    #[test]
    fn steps_are_told_apart_by_node_and_by_what_counts() {
        for read in [set(&[0, 3, 63]), set(&[0, 3, 200])] {
            let far = read.iter().last().unwrap();
            let mut edges = Edges::new(read);
            assert_eq!((edges.get(1, &set(&[3])), edges.bytes()), (None, 0));
            edges.insert(0, &set(&[0]), 1);
            assert_eq!(edges.get(u32::MAX, &set(&[])), None);
            edges.insert(1, &set(&[3, 5]), 7);
            assert_eq!(edges.get(1, &set(&[3])), Some(7), "5 does not count");
            assert_eq!(edges.get(1, &set(&[3, far.0])), None);
            assert_eq!(edges.get(2, &set(&[3])), None);
            edges.insert(1, &set(&[3, far.0]), 8);
            assert_eq!(edges.get(1, &set(&[3, far.0, 4])), Some(8));
            edges.insert(1, &set(&[3]), 9);
            assert_eq!(edges.get(1, &set(&[3])), Some(9));
            edges.forget();
            assert_eq!(edges.get(1, &set(&[3])), None);
        }
    }

    #[test]
    fn many_steps_are_remembered_rightly_or_not_at_all() {
        let read: PropSet = (0..20).map(PropId).collect();
        let mut edges = Edges::new(read);
        let letter = |code: u32| -> PropSet { (0..20).filter(|bit| code >> bit & 1 == 1).map(PropId).collect() };
        let steps: Vec<(u32, u32)> = (0..2_000).map(|step| (step % 50, step * 37 % 1_024)).collect();
        for &(from, code) in &steps {
            edges.insert(from, &letter(code), from * 2_000 + code);
        }
        let found = steps.iter().filter(|(from, code)| match edges.get(*from, &letter(*code)) {
            Some(to) => {
                assert_eq!(to, from * 2_000 + code);
                true
            }
            None => false,
        });
        assert!(found.count() > 1_500, "too many steps share a slot");
    }
}
