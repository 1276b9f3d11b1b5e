//! Exact rational numbers, the values of numeric fluents.

use std::cmp::Ordering;
use std::fmt;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A rational number with 64-bit parts, or undefined.
///
/// Sums of decimals are exact: `0.1 + 0.2` equals `0.3`. A fluent without a value in `:init`, a division by zero, and a
/// result that does not fit are undefined. Every result computed from it is undefined, and no comparison with it holds.
///
/// ```
/// use ltlcrit_pddl::Number;
///
/// let (tenth, fifth) = (Number::parse("0.1").ok_or("no number")?, Number::parse("0.2").ok_or("no number")?);
/// assert_eq!((tenth + fifth).to_string(), "0.3");
/// assert!(!(tenth / Number::from(0)).is_defined());
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Number {
    numerator: i64,
    /// Zero for the undefined value; otherwise positive and coprime to the numerator.
    denominator: i64,
}

impl Number {
    /// Zero.
    pub const ZERO: Self = Self { numerator: 0, denominator: 1 };
    /// One.
    pub(crate) const ONE: Self = Self { numerator: 1, denominator: 1 };
    /// The undefined value.
    pub(crate) const UNDEFINED: Self = Self { numerator: 0, denominator: 0 };

    /// Parses a decimal number such as `3`, `-0.5` or `.25`; `None` if it is not such a number or has too many digits.
    pub fn parse(text: &str) -> Option<Self> {
        let (negative, digits) = match text.strip_prefix(['-', '+']) {
            Some(digits) => (text.starts_with('-'), digits),
            None => (false, text),
        };
        let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
        let fraction = fraction.trim_end_matches('0');
        let all = || whole.bytes().chain(fraction.bytes());
        let any_digit = digits.bytes().any(|byte| byte.is_ascii_digit());
        if !any_digit || !all().all(|byte| byte.is_ascii_digit()) || fraction.len() > 18 || whole.len() > 19 {
            return None;
        }
        let numerator = all().try_fold(0i128, |sum, byte| sum.checked_mul(10)?.checked_add(i128::from(byte - b'0')))?;
        let number = Self::of(if negative { -numerator } else { numerator }, 10i128.pow(fraction.len() as u32));
        number.is_defined().then_some(number)
    }

    /// Returns whether this is a defined number.
    pub const fn is_defined(self) -> bool {
        self.denominator != 0
    }

    /// Returns the order of two numbers; `None` if either is undefined.
    pub fn compare(self, other: Self) -> Option<Ordering> {
        if !self.is_defined() || !other.is_defined() {
            return None;
        }
        let across = |a: Self, b: Self| i128::from(a.numerator) * i128::from(b.denominator);
        Some(across(self, other).cmp(&across(other, self)))
    }

    /// Returns whether this is a number greater than 0. An increment of danger that is positive raises it.
    pub const fn is_positive(self) -> bool {
        self.denominator != 0 && self.numerator > 0
    }

    /// Returns whether the number is at least `least` and at most `most`.
    pub(crate) fn is_between(self, least: Self, most: Self) -> bool {
        self.compare(least).is_some_and(Ordering::is_ge) && self.compare(most).is_some_and(Ordering::is_le)
    }

    fn of(numerator: i128, denominator: i128) -> Self {
        if denominator == 0 {
            return Self::UNDEFINED;
        }
        let divisor = greatest_common_divisor(numerator.unsigned_abs(), denominator.unsigned_abs()) as i128;
        let divisor = if denominator < 0 { -divisor } else { divisor };
        match (i64::try_from(numerator / divisor), i64::try_from(denominator / divisor)) {
            (Ok(numerator), Ok(denominator)) => Self { numerator, denominator },
            _ => Self::UNDEFINED,
        }
    }

    fn parts(self) -> (i128, i128) {
        (i128::from(self.numerator), i128::from(self.denominator))
    }
}

fn greatest_common_divisor(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.max(1)
}

impl From<i32> for Number {
    fn from(value: i32) -> Self {
        Self { numerator: i64::from(value), denominator: 1 }
    }
}

impl std::ops::Add for Number {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        if self.denominator == 1
            && other.denominator == 1
            && let Some(numerator) = self.numerator.checked_add(other.numerator)
        {
            return Self { numerator, denominator: 1 };
        }
        let ((a, b), (c, d)) = (self.parts(), other.parts());
        Self::of(a * d + c * b, b * d)
    }
}

impl std::ops::Neg for Number {
    type Output = Self;

    fn neg(self) -> Self {
        let (a, b) = self.parts();
        Self::of(-a, b)
    }
}

impl std::ops::Sub for Number {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        let ((a, b), (c, d)) = (self.parts(), other.parts());
        Self::of(a * d - c * b, b * d)
    }
}

impl std::ops::Mul for Number {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let ((a, b), (c, d)) = (self.parts(), other.parts());
        Self::of(a * c, b * d)
    }
}

impl std::ops::Div for Number {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let ((a, b), (c, d)) = (self.parts(), other.parts());
        // An undefined operand stays undefined: the product with its denominator would be zero, but not that with its
        // numerator.
        if d == 0 { Self::UNDEFINED } else { Self::of(a * d, b * c) }
    }
}

/// Writes an integer or a decimal; a fraction such as `1/3` if it has no exact decimal, or `undefined`.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (numerator, denominator) = self.parts();
        match denominator {
            0 => return f.write_str("undefined"),
            1 => return write!(f, "{numerator}"),
            _ => {}
        }
        let power = (1..=18).find(|digits| 10i128.pow(*digits) % denominator == 0);
        let Some(digits) = power else { return write!(f, "{numerator}/{denominator}") };
        let scale = 10i128.pow(digits);
        let scaled = numerator.abs() * (scale / denominator);
        let sign = if numerator < 0 { "-" } else { "" };
        write!(f, "{sign}{}.{:0width$}", scaled / scale, scaled % scale, width = digits as usize)
    }
}

/// Stores an integer as a number, any other value as its text.
impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.denominator {
            1 => serializer.serialize_i64(self.numerator),
            _ => serializer.collect_str(self),
        }
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Stored {
            Integer(i64),
            Text(String),
        }
        match Stored::deserialize(deserializer)? {
            Stored::Integer(numerator) => Ok(Self::of(i128::from(numerator), 1)),
            Stored::Text(text) if text == "undefined" => Ok(Self::UNDEFINED),
            Stored::Text(text) => {
                let read = match text.split_once('/') {
                    Some((a, b)) => Self::parse(a).zip(Self::parse(b)).map(|(a, b)| a / b),
                    None => Self::parse(&text),
                };
                let help = || D::Error::custom(format!("`{text}` is not a number such as 3, 0.5 or 1/3"));
                read.filter(|number| number.is_defined()).ok_or_else(help)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        Number::parse(text).unwrap()
    }

    #[test]
    fn decimals_are_exact_and_written_as_they_are_read() {
        for text in ["0", "3", "-3", "0.5", "-12.25", "0.000001", "9223372036854775807"] {
            assert_eq!(number(text).to_string(), text);
        }
        assert_eq!(number("00.500"), number(".5"));
        for wrong in ["", "-", ".", "1e3", "1.2.3", "x", "--1", "9223372036854775808", "0.1234567890123456789"] {
            assert_eq!(Number::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_does_not_fit_or_divides_by_zero_is_undefined() {
        let large = number("9223372036854775807");
        for undefined in [large + large, large * large, large / Number::ZERO, Number::UNDEFINED / large] {
            assert_eq!((undefined, undefined.compare(large)), (Number::UNDEFINED, None));
            assert_eq!((undefined + large, large - undefined, -undefined), (Number::UNDEFINED, undefined, undefined));
            assert_eq!((undefined * Number::ZERO, Number::ZERO / undefined), (undefined, undefined));
        }
        assert_eq!((Number::from(1) / Number::from(-3)).to_string(), "-1/3");
    }

    #[test]
    fn stored_numbers_are_read_back() {
        for value in [number("3"), number("0.5"), Number::from(1) / Number::from(3), Number::UNDEFINED] {
            let stored = serde_json::to_string(&value).unwrap();
            assert_eq!(serde_json::from_str::<Number>(&stored).unwrap(), value, "{stored}");
        }
        assert!(serde_json::from_str::<Number>("\"1/0\"").is_err());
    }
}
