//! A shard: one of several parts of a plan's cells.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One of `count` contiguous parts of the plan's cells. Their lengths differ by one at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    count: usize,
}

impl Shard {
    /// Returns the shard with a number, from 1, or `None` if the number exceeds `count`.
    pub fn new(number: usize, count: usize) -> Option<Self> {
        (1..=count).contains(&number).then_some(Self { number, count })
    }

    /// Returns the indices of its cells.
    pub fn range(self, cells: usize) -> Range<usize> {
        let bound = |number: usize| (cells as u128 * number as u128 / self.count as u128) as usize;
        bound(self.number - 1)..bound(self.number)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is no shard; `2/4` is the second of four");
        let (number, count) = text.split_once('/').ok_or_else(wrong)?;
        Self::new(number.parse().map_err(|_| wrong())?, count.parse().map_err(|_| wrong())?).ok_or_else(wrong)
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.count)
    }
}

impl Serialize for Shard {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Shard {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_cover_all_cells_once_and_evenly() {
        for (cells, count) in [(20, 4), (20, 3), (2, 5), (0, 2), (100_000, 7)] {
            let ranges: Vec<_> = (1..=count).map(|number| Shard::new(number, count).unwrap().range(cells)).collect();
            assert_eq!((ranges[0].start, ranges[count - 1].end), (0, cells));
            assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
            let lengths = ranges.iter().map(ExactSizeIterator::len);
            assert!(lengths.clone().max().unwrap() - lengths.min().unwrap() <= 1);
        }
        for wrong in ["0/4", "5/4", "4", "a/b", "1/0", "-1/4", "1/4/2"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
