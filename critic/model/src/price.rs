//! Prices per token, from a TOML table that users can override; an unlisted model has an unknown price.

use std::collections::BTreeMap;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Usage;

/// An amount of money in billionths of a US dollar. Sums are exact and do not depend on their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NanoUsd(pub u64);

impl NanoUsd {
    /// Converts an amount in dollars; `None` if it is negative, not a number, or above ten billion.
    pub fn from_dollars(dollars: f64) -> Option<Self> {
        (0.0..=1e10).contains(&dollars).then(|| Self((dollars * 1e9).round() as u64))
    }

    /// Returns the amount in dollars.
    pub fn dollars(self) -> f64 {
        self.0 as f64 / 1e9
    }
}

impl Add for NanoUsd {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl AddAssign for NanoUsd {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sum for NanoUsd {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::default(), Add::add)
    }
}

impl fmt::Display for NanoUsd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${:.4}", self.dollars())
    }
}

/// The prices of a model, each for one token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Price {
    /// A prompt token.
    pub input: NanoUsd,
    /// A prompt token that the provider had cached.
    pub cached_input: NanoUsd,
    /// A completion token, reasoning included.
    pub output: NanoUsd,
}

impl Price {
    /// The price of simulated models and cassettes.
    pub const FREE: Self = Self { input: NanoUsd(0), cached_input: NanoUsd(0), output: NanoUsd(0) };

    /// Returns the cost of an exchange.
    pub fn cost(&self, usage: &Usage) -> NanoUsd {
        let cached = usage.cached.min(usage.prompt);
        let times = |tokens: u64, price: NanoUsd| NanoUsd(tokens.saturating_mul(price.0));
        times(usage.prompt - cached, self.input)
            + times(cached, self.cached_input)
            + times(usage.completion, self.output)
    }
}

/// A price table that cannot be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{source_name}: {message}")]
pub struct PriceError {
    /// The file.
    pub source_name: String,
    /// The problem, with what would be right.
    pub message: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PriceRow {
    input: f64,
    cached_input: Option<f64>,
    output: f64,
}

/// Prices by model name. Longer names take precedence: `gpt-4.1-mini-2025-04-14` finds `gpt-4.1-mini` before `gpt-4.1`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PriceTable {
    prices: BTreeMap<String, Price>,
}

impl PriceTable {
    /// The shipped price table as text; user tables have the same format.
    pub const SHIPPED: &'static str = include_str!("prices.toml");

    /// Returns the prices shipped with the program.
    ///
    /// # Errors
    /// A broken shipped table; a test reads it.
    pub fn shipped() -> Result<Self, PriceError> {
        Self::parse(Self::SHIPPED, "shipped prices")
    }

    /// Parses a table. `source_name` is the file's name, for errors.
    ///
    /// # Errors
    /// Bad TOML, unknown fields, or prices out of range.
    pub fn parse(text: &str, source_name: &str) -> Result<Self, PriceError> {
        let wrong = |message: String| PriceError { source_name: source_name.to_owned(), message };
        let rows: BTreeMap<String, PriceRow> = toml::from_str(text).map_err(|error| {
            let example = "[\"gpt-4.1\"]\ninput = 2.0\noutput = 8.0\nin US dollars for a million tokens";
            let message = error.to_string();
            wrong(format!("{}; a price table has one section a model, such as\n{example}", message.trim_end()))
        })?;
        let mut prices = BTreeMap::new();
        for (model, row) in rows {
            let per_token = |field: &str, dollars: f64| match (0.0..=1e6).contains(&dollars) {
                true => Ok(NanoUsd((dollars * 1e3).round() as u64)),
                false => Err(wrong(format!(
                    "`{field}` of `{model}` is {dollars}; a price is between 0 and 1000000 dollars a million tokens"
                ))),
            };
            let input = per_token("input", row.input)?;
            let cached_input = row.cached_input.map_or(Ok(input), |price| per_token("cached_input", price))?;
            let output = per_token("output", row.output)?;
            prices.insert(model, Price { input, cached_input, output });
        }
        Ok(Self { prices })
    }

    /// Returns this table with the rows of another table added or replaced.
    #[must_use]
    pub fn overridden_by(mut self, other: Self) -> Self {
        self.prices.extend(other.prices);
        self
    }

    /// Returns the price of a model by its name at the endpoint: the exact row, otherwise the longest row whose dated
    /// version the name is (`gpt-4.1-2025-04-14`). `None` if there is neither.
    pub fn price(&self, model: &str) -> Option<Price> {
        let dated = |row: &str| {
            model
                .strip_prefix(row)
                .and_then(|rest| rest.strip_prefix('-'))
                .is_some_and(|version| !version.is_empty() && version.chars().all(|c| c.is_ascii_digit() || c == '-'))
        };
        self.prices.get(model).copied().or_else(|| {
            self.prices.iter().filter(|(row, _)| dated(row)).max_by_key(|(row, _)| row.len()).map(|(_, price)| *price)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_table_reads_and_dated_names_find_their_row() {
        let table = PriceTable::shipped().unwrap();
        let price = table.price("gpt-4.1").unwrap();
        assert_eq!(price, Price { input: NanoUsd(2000), cached_input: NanoUsd(500), output: NanoUsd(8000) });
        assert_eq!(table.price("gpt-4.1-2025-04-14"), Some(price));
        assert_ne!(table.price("gpt-4.1-mini-2025-04-14"), Some(price));
        assert_eq!(table.price("gpt-4.1-turbo-of-tomorrow"), None);
        assert_eq!(table.price("llama3.2"), None);
    }

    #[test]
    fn cached_tokens_cost_less_and_are_part_of_the_prompt() {
        let price = PriceTable::shipped().unwrap().price("gpt-4.1").unwrap();
        let usage = Usage { prompt: 1000, completion: 10, cached: 600, ..Usage::default() };
        assert_eq!(price.cost(&usage), NanoUsd(400 * 2000 + 600 * 500 + 10 * 8000));
        assert_eq!(price.cost(&usage).to_string(), "$0.0012");
    }

    #[test]
    fn a_users_table_goes_on_top() {
        let own = PriceTable::parse("[\"gpt-4.1\"]\ninput = 1\noutput = 1\n[local]\ninput = 0\noutput = 0\n", "p.toml");
        let table = PriceTable::shipped().unwrap().overridden_by(own.unwrap());
        assert_eq!(table.price("gpt-4.1").unwrap().input, NanoUsd(1000));
        assert_eq!(table.price("local"), Some(Price::FREE));
    }

    #[test]
    fn broken_tables_say_where() {
        let error = |text: &str| PriceTable::parse(text, "prices.toml").unwrap_err().to_string();
        insta::assert_snapshot!(
            [
                error("[a]\ninput = 1\n"),
                error("[a]\ninput = 1\noutput = 2\ncahced = 3\n"),
                error("[a]\ninput = -1\noutput = 2\n"),
                error("[a]\ninput = nan\noutput = 2\n"),
                error("[a\n"),
            ]
            .join("\n---\n")
        );
    }
}
