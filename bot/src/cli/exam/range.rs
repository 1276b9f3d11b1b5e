//! Flags that are a number or a range of numbers: `4`, `3-9`.

use std::ops::RangeInclusive;

/// A number or a range.
///
/// # Errors
/// The text is neither.
pub fn range(text: &str) -> Result<RangeInclusive<usize>, String> {
    let wrong = || "it is a number such as 4, or a range such as 3-9".to_owned();
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
    let range = number(from)?..=number(to)?;
    if range.is_empty() { Err(wrong()) } else { Ok(range) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_ranges_are_read() {
        assert_eq!((range("4"), range("3-9")), (Ok(4..=4), Ok(3..=9)));
        for wrong in ["", "-", "9-3", "a", "1-2-3", "-4"] {
            assert!(range(wrong).is_err(), "{wrong}");
        }
    }
}
