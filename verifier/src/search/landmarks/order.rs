//! The visits that are demanded, and which of them come before which.

use super::view::{MOST_WORLDS, bits};

/// The worlds that must be visited, each with the law that says so and the world because of which it does.
#[derive(Default)]
pub(super) struct Demanded {
    pub set: u64,
    pub worlds: Vec<usize>,
    why: Vec<(usize, Option<usize>)>,
}

impl Demanded {
    pub fn add(&mut self, worlds: u64, by: usize, because: Option<usize>) {
        for world in bits(worlds & !self.set) {
            self.worlds.push(world);
            self.why.push((by, because));
        }
        self.set |= worlds;
    }

    pub fn reasons(&self, world: usize, why: &mut Vec<usize>) {
        let mut world = Some(world);
        while let Some(at) = world.and_then(|world| self.worlds.iter().position(|other| *other == world)) {
            why.push(self.why[at].0);
            world = self.why[at].1;
        }
    }
}

/// Which visit comes before which.
pub(super) struct Order {
    edges: Vec<(u8, u8, Option<usize>)>,
    nodes: u128,
    after: [u128; 2 * MOST_WORLDS],
}

impl Default for Order {
    fn default() -> Self {
        Self { edges: Vec::new(), nodes: 0, after: [0; 2 * MOST_WORLDS] }
    }
}

impl Order {
    pub fn add(&mut self, before: usize, after: usize, by: Option<usize>) {
        self.nodes |= 1 << before | 1 << after;
        if self.after[before] >> after & 1 == 0 {
            self.after[before] |= 1 << after;
            self.edges.push((before as u8, after as u8, by));
        }
    }

    /// A shortest circle: its nodes, each with the law that puts the next one after it. Empty: there is none.
    pub fn cycle(&self) -> Vec<(usize, Option<usize>)> {
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
