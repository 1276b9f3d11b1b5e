//! Definitions of derived observations: a quantity of the full observation, compared with a number.
//!
//! The observations of a vocabulary limit what its laws can express. A derived observation adds a threshold over the
//! full observation, which a world records as an object with named fields:
//!
//! | definition | holds if |
//! | --- | --- |
//! | `health <= 5` | the field is at most 5 |
//! | `position.y < 20` | the field is below 20; so are `>=` and `>` for "at least" and "above" |
//! | `position.y <= -40` | so is a field of a field |
//! | `inventory[cobblestone] >= 30` | the entry of a map is at least 30; a missing entry counts as 0 |
//! | `inventory[*_log] >= 5` | the sum of the entries that match is at least 5; one `*` stands for any text |
//! | `nearby[*_ore].distance <= 8` | the least of these fields is at most 8; without one, the comparison is false |
//! | `min(hazards[lava]) <= 3` | the least entry, where a missing one must not count as 0 |
//! | `sum(nearby[*_ore].count) >= 3` | the sum of these fields |
//!
//! Entries are summed and fields of entries are minimised unless `min(…)` or `sum(…)` says otherwise. The syntax is
//! here, because books are parsed here; `ltlcrit-worlds` evaluates definitions on observations.
//!
//! ```
//! use ltlcrit_verifier::Definition;
//!
//! let many_logs: Definition = "inventory[*_log]>=5".parse()?;
//! assert_eq!(many_logs.to_string(), "inventory[*_log] >= 5");
//! assert!(many_logs.holds(7.0) && !many_logs.holds(4.0));
//! let error = "inventory[*_log] == 5".parse::<Definition>().unwrap_err();
//! assert_eq!(error.to_string(), "line 1, column 18: a comparison is `>=`, `>`, `<=` or `<`");
//! # Ok::<(), ltlcrit_verifier::SyntaxError>(())
//! ```

mod name;

use std::fmt;
use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::formula::Formula;
use crate::syntax::SyntaxError;

/// Maximum length of a definition, in bytes.
pub const MAX_DEFINITION: usize = 256;

/// Maximum number of digits of a threshold before its decimal point.
const MAX_DIGITS: usize = 9;
/// Maximum number of digits of a threshold after its decimal point.
const MAX_DECIMALS: usize = 6;
/// The number 1, in units of [`Threshold`].
const ONE: i64 = 1_000_000;

const SUM: &str = "sum";
const MIN: &str = "min";

/// A quantity of the full observation, compared with a number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Definition {
    quantity: Quantity,
    comparison: Comparison,
    threshold: Threshold,
}

/// A number in an observation, or an aggregate of several numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Quantity {
    /// The fields that lead to a number or, with entries, to a map.
    pub fields: Vec<Arc<str>>,
    /// The entries of that map.
    pub entries: Option<Entries>,
}

/// Entries of a map.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entries {
    /// The entries' names.
    pub pattern: Pattern,
    /// The fields that lead from an entry to a number.
    pub fields: Vec<Arc<str>>,
    /// The aggregate of several numbers.
    pub aggregate: Aggregate,
}

/// A name, or a pattern of names.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pattern {
    /// This name.
    Name(Arc<str>),
    /// All names with this prefix and this suffix.
    Glob(Arc<str>, Arc<str>),
}

/// The aggregation of several numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Aggregate {
    /// The sum; 0 without numbers.
    Sum,
    /// The minimum; undefined without numbers.
    Least,
}

/// The comparison of a quantity with its threshold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Comparison {
    AtLeast,
    Above,
    AtMost,
    Below,
}

/// A decimal number, in millionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Threshold(i64);

/// A comparison as it is written.
struct Words {
    symbol: &'static str,
    text: &'static str,
    /// Its form in names for numbers of carried items.
    carried: &'static str,
}

impl Comparison {
    const ALL: [Self; 4] = [Self::AtLeast, Self::Above, Self::AtMost, Self::Below];

    fn words(self) -> Words {
        let (symbol, text, carried) = match self {
            Self::AtLeast => (">=", "at least", "has"),
            Self::Above => (">", "above", "has_above"),
            Self::AtMost => ("<=", "at most", "has_at_most"),
            Self::Below => ("<", "below", "has_below"),
        };
        Words { symbol, text, carried }
    }
}

impl Definition {
    /// Creates the definition that a quantity is at least a number, rounded to millionths; `None` if it has too many
    /// digits.
    pub fn at_least(quantity: Quantity, number: f64) -> Option<Self> {
        Some(Self { quantity, comparison: Comparison::AtLeast, threshold: Threshold::of(number)? })
    }

    /// Creates the definition that a quantity is at most a number, rounded to millionths; `None` if it has too many
    /// digits.
    pub fn at_most(quantity: Quantity, number: f64) -> Option<Self> {
        Some(Self { quantity, comparison: Comparison::AtMost, threshold: Threshold::of(number)? })
    }

    /// Returns the quantity.
    pub fn quantity(&self) -> &Quantity {
        &self.quantity
    }

    /// Returns whether the comparison holds for a value of the quantity.
    pub fn holds(&self, value: f64) -> bool {
        // Both numbers are exact, so the quotient is the number nearest to the decimal.
        let number = self.threshold.0 as f64 / ONE as f64;
        match self.comparison {
            Comparison::AtLeast => value >= number,
            Comparison::Above => value > number,
            Comparison::AtMost => value <= number,
            Comparison::Below => value < number,
        }
    }

    /// Returns whether the quantity is bounded from above, and the bound in half units: a strict comparison begins right
    /// above its threshold, or ends right below it.
    fn bound(&self) -> (bool, i64) {
        let twice = 2 * self.threshold.0;
        match self.comparison {
            Comparison::AtLeast => (false, twice),
            Comparison::Above => (false, twice + 1),
            Comparison::AtMost => (true, twice),
            Comparison::Below => (true, twice - 1),
        }
    }

    /// Returns the definition in words, for propositions without a meaning.
    pub fn meaning(&self) -> String {
        format!("{} is {} {}", self.quantity, self.comparison.words().text, self.threshold)
    }
}

impl Threshold {
    fn of(number: f64) -> Option<Self> {
        let fits = number.abs() < 10f64.powi(MAX_DIGITS as i32);
        fits.then_some(Self((number * ONE as f64).round() as i64))
    }
}

impl Aggregate {
    /// Aggregates numbers.
    pub fn of(self, numbers: impl Iterator<Item = f64>) -> Option<f64> {
        match self {
            Self::Sum => Some(numbers.fold(0.0, |sum, number| sum + number)),
            Self::Least => numbers.reduce(f64::min),
        }
    }
}

impl Pattern {
    /// Returns whether the pattern matches a name.
    pub fn matches(&self, name: &str) -> bool {
        match self {
            Self::Name(own) => **own == *name,
            Self::Glob(start, end) => name.strip_prefix(&**start).is_some_and(|rest| rest.ends_with(&**end)),
        }
    }
}

/// Returns the axioms that definitions of the same quantity imply. A stronger threshold implies a weaker one, and a
/// quantity cannot be at least a number and at most a smaller one. Only adjacent thresholds are related; the rest
/// follows. Each definition comes with the name of its proposition.
pub(crate) fn implied_axioms<'a>(derived: impl Iterator<Item = (&'a Definition, &'a Arc<str>)>) -> Vec<Formula> {
    let atom = |name: &Arc<str>| Formula::Atom(name.clone());
    let mut derived: Vec<(&Definition, &Arc<str>)> = derived.collect();
    derived.sort_by_key(|(it, _)| (&it.quantity, it.bound()));
    let mut axioms = Vec::new();
    for pair in derived.windows(2) {
        let [(low, below), (high, above)] = pair else { continue };
        let ((is_most, least), (other, most)) = (low.bound(), high.bound());
        if low.quantity != high.quantity || is_most != other {
            continue;
        }
        if !is_most || least == most {
            axioms.push(atom(above).implies(atom(below)));
        }
        if is_most || least == most {
            axioms.push(atom(below).implies(atom(above)));
        }
    }
    for (most, at_most) in derived.iter().filter(|(it, _)| it.bound().0) {
        let excludes = |it: &Definition| it.quantity == most.quantity && !it.bound().0 && it.bound().1 > most.bound().1;
        let above = derived.iter().find(|(it, _)| excludes(it));
        axioms.extend(above.map(|(_, at_least)| atom(at_least).and(atom(at_most)).not()));
    }
    axioms
}

impl FromStr for Definition {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        Reader { text, at: 0 }.definition()
    }
}

/// Parses a definition from left to right.
struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn definition(mut self) -> Result<Definition, SyntaxError> {
        if self.text.len() > MAX_DEFINITION {
            let message = format!("the definition has {} bytes, at most {MAX_DEFINITION} are read", self.text.len());
            return Err(SyntaxError::new(self.text, MAX_DEFINITION..MAX_DEFINITION, message));
        }
        let quantity = self.quantity()?;
        let (comparison, threshold) = (self.comparison()?, self.threshold()?);
        self.blanks();
        if self.at < self.text.len() {
            return Err(self.error(self.at..self.text.len(), "the definition ends with its number"));
        }
        Ok(Definition { quantity, comparison, threshold })
    }

    fn quantity(&mut self) -> Result<Quantity, SyntaxError> {
        self.blanks();
        let begin = self.at;
        let mut first = self.field()?;
        let function = begin..self.at;
        let aggregate = match (self.takes("("), first) {
            (false, _) => None,
            (true, SUM) => Some(Aggregate::Sum),
            (true, MIN) => Some(Aggregate::Least),
            (true, _) => return Err(self.error(function, "a function is `sum` or `min`")),
        };
        if aggregate.is_some() {
            self.blanks();
            first = self.field()?;
        }
        let fields = self.more_fields(vec![Arc::from(first)])?;
        let entries = if self.takes("[") {
            let pattern = self.pattern()?;
            let fields = self.more_fields(Vec::new())?;
            let aggregate = aggregate.unwrap_or(Aggregate::usual(&fields));
            Some(Entries { pattern, fields, aggregate })
        } else {
            None
        };
        if aggregate.is_some() {
            if entries.is_none() {
                return Err(self.error(function, "a function needs entries, such as `sum(inventory[*_log])`"));
            }
            self.blanks();
            self.expect(")")?;
        }
        Ok(Quantity { fields, entries })
    }

    fn more_fields(&mut self, mut fields: Vec<Arc<str>>) -> Result<Vec<Arc<str>>, SyntaxError> {
        while self.takes(".") {
            fields.push(Arc::from(self.field()?));
        }
        Ok(fields)
    }

    fn field(&mut self) -> Result<&'a str, SyntaxError> {
        let field = self.while_is(|c| c.is_ascii_alphanumeric() || c == '_');
        if field.starts_with(|c: char| c.is_ascii_digit()) || field.is_empty() {
            let span = self.at - field.len()..self.at;
            return Err(self.error(span, "the name of a field is missing here, such as `health` or `inventory`"));
        }
        Ok(field)
    }

    /// Parses the name between brackets, and the closing bracket.
    fn pattern(&mut self) -> Result<Pattern, SyntaxError> {
        let begin = self.at;
        let name = self.while_is(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/' | '*'));
        let span = begin..self.at;
        if name.is_empty() {
            return Err(self.error_here("the name of an entry is missing here, such as `cobblestone` or `*_log`"));
        }
        self.expect("]")?;
        match name.split_once('*') {
            None => Ok(Pattern::Name(Arc::from(name))),
            Some((_, end)) if end.contains('*') => Err(self.error(span, "a name has one `*` at most")),
            Some((start, end)) => Ok(Pattern::Glob(Arc::from(start), Arc::from(end))),
        }
    }

    fn comparison(&mut self) -> Result<Comparison, SyntaxError> {
        self.blanks();
        let begin = self.at;
        let symbol = self.while_is(|c| matches!(c, '<' | '>' | '=' | '!' | '≤' | '≥'));
        if let Some(found) = Comparison::ALL.into_iter().find(|one| one.words().symbol == symbol) {
            return Ok(found);
        }
        if symbol.is_empty() {
            return Err(self.error_here("a comparison is missing here: `>=`, `>`, `<=` or `<`"));
        }
        let error = self.error(begin..self.at, "a comparison is `>=`, `>`, `<=` or `<`");
        Err(match symbol {
            "≥" | "=>" => error.suggest(">="),
            "≤" | "=<" => error.suggest("<="),
            _ => error,
        })
    }

    fn threshold(&mut self) -> Result<Threshold, SyntaxError> {
        self.blanks();
        let begin = self.at;
        let negative = self.takes("-");
        let whole = self.while_is(|c| c.is_ascii_digit());
        let decimals = if self.takes(".") { Some(self.while_is(|c| c.is_ascii_digit())) } else { None };
        if whole.is_empty() || decimals == Some("") {
            return Err(self.error(begin..self.at, "a number is missing here, such as `5` or `0.5`"));
        }
        let decimals = decimals.unwrap_or("");
        if whole.len() > MAX_DIGITS || decimals.len() > MAX_DECIMALS {
            let message =
                format!("a number has at most {MAX_DIGITS} digits before the point and {MAX_DECIMALS} after it");
            return Err(self.error(begin..self.at, message));
        }
        // Fifteen digits fit, even doubled.
        let millionths = format!("{whole}{decimals:0<MAX_DECIMALS$}").parse::<i64>().unwrap_or(0);
        Ok(Threshold(if negative { -millionths } else { millionths }))
    }

    fn blanks(&mut self) {
        self.while_is(|c| c == ' ');
    }

    fn takes(&mut self, token: &str) -> bool {
        let taken = self.text[self.at..].starts_with(token);
        self.at += if taken { token.len() } else { 0 };
        taken
    }

    fn expect(&mut self, token: &str) -> Result<(), SyntaxError> {
        if self.takes(token) { Ok(()) } else { Err(self.error_here(&format!("`{token}` is missing here"))) }
    }

    fn while_is(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let taken = &rest[..rest.find(|c| !fits(c)).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    fn error(&self, span: Range<usize>, message: impl Into<String>) -> SyntaxError {
        SyntaxError::new(self.text, span, message)
    }

    /// Returns an error at the next character.
    fn error_here(&self, message: &str) -> SyntaxError {
        let next = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        self.error(self.at..self.at + next, message)
    }
}

impl Aggregate {
    /// Returns the default aggregate of entries.
    fn usual(fields: &[Arc<str>]) -> Self {
        if fields.is_empty() { Self::Sum } else { Self::Least }
    }
}

impl fmt::Display for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.quantity, self.comparison.words().symbol, self.threshold)
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let fields = self.fields.join(".");
        let Some(Entries { pattern, fields: inner, aggregate }) = &self.entries else { return f.write_str(&fields) };
        let inner: String = inner.iter().map(|field| format!(".{field}")).collect();
        let path = format!("{fields}[{pattern}]{inner}");
        match aggregate {
            usual if inner.is_empty() == (*usual == Aggregate::Sum) => f.write_str(&path),
            Aggregate::Sum => write!(f, "{SUM}({path})"),
            Aggregate::Least => write!(f, "{MIN}({path})"),
        }
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Glob(start, end) => write!(f, "{start}*{end}"),
        }
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let (whole, rest) = (self.0.abs() / ONE, self.0.abs() % ONE);
        let decimals = format!("{rest:0MAX_DECIMALS$}");
        match decimals.trim_end_matches('0') {
            "" => write!(f, "{sign}{whole}"),
            decimals => write!(f, "{sign}{whole}.{decimals}"),
        }
    }
}

impl Serialize for Definition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Definition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests;
