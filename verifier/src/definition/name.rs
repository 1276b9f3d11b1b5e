//! Names for derived observations.

use super::{Aggregate, Comparison, Definition, Entries, Pattern};

/// The field with the carried items.
const CARRIED: &str = "inventory";

impl Definition {
    /// Returns a name for the derived observation: `obs_has_5x_log` for `inventory[*_log] >= 5`, `obs_health_at_most_6`
    /// for `health <= 6`. Different definitions may have the same name.
    pub fn name(&self) -> String {
        let number = self.number().to_string().replace('-', "minus_");
        let name = match (&self.quantity.entries, self.comparison) {
            (Some(Entries { pattern, fields, aggregate: Aggregate::Sum }), comparison)
                if fields.is_empty() && *self.quantity.fields == [CARRIED.into()] =>
            {
                let least = match (comparison, self.is_strict()) {
                    (Comparison::AtLeast, false) => "has",
                    (Comparison::AtLeast, true) => "has_above",
                    (Comparison::AtMost, false) => "has_at_most",
                    (Comparison::AtMost, true) => "has_below",
                };
                format!("{least}_{number}x_{}", pattern.word())
            }
            (entries, comparison) => {
                let mut words: Vec<&str> = self.quantity.fields.iter().map(|field| &**field).collect();
                if let Some(Entries { pattern, fields, .. }) = entries {
                    words.push(pattern.word());
                    words.extend(fields.iter().map(|field| &**field));
                }
                words.push(match (comparison, self.is_strict()) {
                    (Comparison::AtLeast, false) => "at_least",
                    (Comparison::AtLeast, true) => "above",
                    (Comparison::AtMost, false) => "at_most",
                    (Comparison::AtMost, true) => "below",
                });
                words.push(&number);
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
