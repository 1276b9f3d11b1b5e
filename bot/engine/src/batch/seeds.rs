//! The seeds of a plan: `1-30`, `1-5,9`, or a list.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use serde::{Deserialize, Serialize, Serializer};

/// The maximum number of seeds of a plan.
const MAX_SEEDS: usize = 100_000;

/// Distinct seeds, in the order in which they run.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Form")]
pub struct Seeds(Vec<u64>);

impl Seeds {
    /// Returns the seeds.
    pub fn as_slice(&self) -> &[u64] {
        &self.0
    }

    /// Formats seeds in the shortest form; `None` if there are none.
    pub fn shown(seeds: impl IntoIterator<Item = u64>) -> Option<String> {
        let seeds: Vec<u64> = seeds.into_iter().collect();
        (!seeds.is_empty()).then(|| Self(seeds).to_string())
    }

    /// Checks that there is a seed, that there are not too many, and that they are distinct.
    fn checked(seeds: Vec<u64>) -> Result<Self, String> {
        if seeds.len() > MAX_SEEDS {
            return Err(too_many());
        }
        let mut sorted = seeds.clone();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("the seed {} is given twice", twice[0]));
        }
        if seeds.is_empty() { Err("no seed is given, such as \"1-30\"".to_owned()) } else { Ok(Self(seeds)) }
    }
}

fn too_many() -> String {
    format!("a plan has at most {MAX_SEEDS} seeds")
}

impl FromStr for Seeds {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` names no seeds; write a range such as \"1-30\", or \"1-5,9\"");
        let mut seeds = Vec::new();
        for part in text.split(',').map(str::trim) {
            let (from, to) = part.split_once('-').unwrap_or((part, part));
            let range: RangeInclusive<u64> =
                from.trim().parse().map_err(|_| wrong())?..=to.trim().parse().map_err(|_| wrong())?;
            if range.is_empty() {
                return Err(wrong());
            }
            if range.end() - range.start() >= (MAX_SEEDS - seeds.len()) as u64 {
                return Err(too_many());
            }
            seeds.extend(range);
        }
        Self::checked(seeds)
    }
}

/// Writes the seeds in the shortest form.
impl fmt::Display for Seeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let runs = self.0.chunk_by(|one, next| one.checked_add(1) == Some(*next));
        for (position, run) in runs.enumerate() {
            let comma = if position == 0 { "" } else { "," };
            match run {
                [seed] => write!(f, "{comma}{seed}")?,
                [first, .., last] => write!(f, "{comma}{first}-{last}")?,
                [] => {}
            }
        }
        Ok(())
    }
}

impl Serialize for Seeds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The forms of seeds in a plan.
#[derive(Deserialize)]
#[serde(untagged, expecting = "seeds are a text such as \"1-30\", or a list such as [1, 2, 3]")]
enum Form {
    Text(String),
    List(Vec<u64>),
}

impl TryFrom<Form> for Seeds {
    type Error = String;

    fn try_from(form: Form) -> Result<Self, String> {
        match form {
            Form::Text(text) => text.parse(),
            Form::List(seeds) => Self::checked(seeds),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_have_one_shortest_form() {
        for (text, shown) in [("1-30", "1-30"), ("7", "7"), ("1, 2,3,9", "1-3,9"), ("5,4", "5,4")] {
            assert_eq!(text.parse::<Seeds>().unwrap().to_string(), shown);
        }
        for wrong in ["", "5-1", "a", "1-", "1-100001", "0-18446744073709551615", "1-3,2"] {
            assert!(wrong.parse::<Seeds>().is_err(), "{wrong}");
        }
    }
}
