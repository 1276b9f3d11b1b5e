//! The bisimulation quotient: world states that some laws cannot tell apart, now or later on, are one block.

/// The blocks of the world states that the landmarks know.
pub(super) struct Quotient {
    /// By the landmarks' numbers.
    blocks: Vec<u8>,
    /// By the search's numbers, as far as asked for.
    known: Vec<Option<u8>>,
}

impl Quotient {
    pub fn new(blocks: Vec<u8>) -> Self {
        Self { blocks, known: Vec::new() }
    }

    /// The block of one of the search's world states, which has the number that `position` gives among the landmarks'.
    pub fn block(&mut self, world: u32, position: impl FnOnce() -> Option<u8>) -> Option<u8> {
        let at = world as usize;
        if self.known.len() <= at {
            self.known.resize(at + 1, None);
        }
        if self.known[at].is_none() {
            self.known[at] = position().map(|position| self.blocks[usize::from(position)]);
        }
        self.known[at]
    }
}

/// Splits blocks by something that tells their members apart; how many there are then.
pub(super) fn split(blocks: &mut [u8], by: impl Fn(usize) -> u64) -> usize {
    let mut known: Vec<(u8, u64)> = Vec::new();
    for (world, block) in blocks.iter_mut().enumerate() {
        let key = (*block, by(world));
        let at = known.iter().position(|other| *other == key).unwrap_or_else(|| {
            known.push(key);
            known.len() - 1
        });
        *block = at as u8;
    }
    known.len()
}
