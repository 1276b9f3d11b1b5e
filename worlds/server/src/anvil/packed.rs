//! Values in a palette: a list of what occurs, and for each cell its place in that list, in as few bits as suffice.

/// The values of a number of cells.
#[derive(Debug)]
pub(super) struct Packed {
    palette: Box<[u16]>,
    /// Places in the palette, as many as fit into each word; empty if there is only one value.
    words: Box<[i64]>,
    bits: usize,
}

impl Packed {
    /// The same value everywhere.
    pub(super) fn uniform(value: u16) -> Self {
        Self { palette: Box::new([value]), words: Box::default(), bits: 0 }
    }

    /// The values of `cells` cells. A place takes `least` bits or more.
    pub(super) fn new(palette: Vec<u16>, words: Vec<i64>, cells: usize, least: usize) -> Result<Self, String> {
        if palette.is_empty() || palette.len() > cells {
            return Err(format!("a palette of {} entries is for {cells} cells", palette.len()));
        }
        if let [only] = palette[..] {
            return Ok(Self::uniform(only));
        }
        let bits = ((palette.len() - 1).ilog2() as usize + 1).max(least);
        let needed = cells.div_ceil(64 / bits);
        if words.len() != needed {
            let (count, entries) = (words.len(), palette.len());
            return Err(format!("its data has {count} words, where a palette of {entries} entries needs {needed}"));
        }
        let packed = Self { palette: palette.into(), words: words.into(), bits };
        match (0..cells).map(|cell| packed.place(cell)).find(|place| *place >= packed.palette.len()) {
            Some(place) => Err(format!("its data names entry {place} of a palette of {}", packed.palette.len())),
            None => Ok(packed),
        }
    }

    /// The palette.
    pub(super) fn palette(&self) -> &[u16] {
        &self.palette
    }

    /// The place of a cell's value in the palette.
    pub(super) fn place(&self, cell: usize) -> usize {
        if self.bits == 0 {
            return 0;
        }
        let in_a_word = 64 / self.bits;
        let word = self.words[cell / in_a_word] as u64;
        (word >> (cell % in_a_word * self.bits)) as usize & ((1 << self.bits) - 1)
    }

    /// The value of a cell.
    pub(super) fn get(&self, cell: usize) -> u16 {
        self.palette[self.place(cell)]
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn places_do_not_cross_words() {
        // 17 entries take five bits: twelve in a word, with four bits left over.
        let mut words = vec![0; 342];
        words[0] = 16 << 55 | 3;
        words[1] = 1;
        let packed = Packed::new((100..117).collect(), words, 4096, 4).unwrap();
        assert_eq!([0, 1, 11, 12, 13].map(|cell| packed.get(cell)), [103, 100, 116, 101, 100]);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert!(Packed::new(vec![], vec![], 64, 1).is_err());
        assert!(Packed::new((0..65).collect(), vec![0; 7], 64, 1).is_err());
        assert!(Packed::new(vec![1, 2], vec![0; 255], 4096, 4).unwrap_err().contains("256"));
        assert!(Packed::new(vec![1, 2], vec![3; 256], 4096, 4).unwrap_err().contains("entry 3"));
        // Some programs write data even if there is only one value.
        assert_eq!(Packed::new(vec![7], vec![1; 256], 4096, 4).unwrap().get(4095), 7);
    }

    proptest! {
        #[test]
        fn any_palette_and_data_are_read_or_refused(entries in 0u16..300, words in prop::collection::vec(any::<i64>(), 0..20)) {
            if let Ok(packed) = Packed::new((0..entries).collect(), words, 64, 1) {
                prop_assert!((0..64).all(|cell| packed.get(cell) < entries));
            }
        }
    }
}
