//! Names for derived observations.

use super::{Aggregate, Definition, Entries, Pattern, Quantity};

/// The field with the carried items.
const CARRIED: &str = "inventory";

impl Definition {
    /// Returns a name for the derived observation: `obs_has_5x_log` for `inventory[*_log] >= 5`, `obs_health_at_most_6`
    /// for `health <= 6`. Different definitions may have the same name.
    pub fn name(&self) -> String {
        let number = self.threshold.to_string().replace('-', "minus_");
        let Quantity { fields, entries } = &self.quantity;
        let name = match entries {
            Some(Entries { pattern, fields: inner, aggregate: Aggregate::Sum })
                if inner.is_empty() && **fields == [CARRIED.into()] =>
            {
                format!("{}_{number}x_{}", self.comparison.words().carried, pattern.word())
            }
            _ => {
                let mut words: Vec<&str> = fields.iter().map(|field| &**field).collect();
                if let Some(Entries { pattern, fields, .. }) = entries {
                    words.push(pattern.word());
                    words.extend(fields.iter().map(|field| &**field));
                }
                words.extend([self.comparison.words().text, &number]);
                words.join("_")
            }
        };
        let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
        format!("obs_{}", name.chars().map(letter).collect::<String>())
    }
}

impl Pattern {
    /// Returns the name, or the common part of all names.
    fn word(&self) -> &str {
        match self {
            Self::Name(name) => name,
            Self::Glob(start, end) if start.is_empty() => end.trim_start_matches('_'),
            Self::Glob(start, _) => start.trim_end_matches('_'),
        }
    }
}
