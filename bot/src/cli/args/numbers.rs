//! Parsers for numeric flags. Errors describe a valid value.

use jiff::SignedDuration;

/// A whole number, 0 or more.
///
/// # Errors
/// The text is not such a number; the message describes a valid one.
pub fn whole<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    from(text, 0)
}

/// A whole number, 1 or more.
///
/// # Errors
/// The text is not such a number; the message describes a valid one.
pub fn positive<T: TryFrom<u64>>(text: &str) -> Result<T, String> {
    from(text, 1)
}

/// A finite number, 0 or more.
///
/// # Errors
/// The text is not such a number; the message describes a valid one.
pub fn amount(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(number) if (0.0..f64::INFINITY).contains(&number) => Ok(number),
        _ => Err("it is a number, 0 or more".to_owned()),
    }
}

/// A length of time above 0.
///
/// # Errors
/// The text is not such a time; the message describes a valid one.
pub fn duration(text: &str) -> Result<SignedDuration, String> {
    match text.parse() {
        Ok(time) if time > SignedDuration::ZERO => Ok(time),
        _ => Err("it is a time such as `90s`, `20m` or `1h30m`".to_owned()),
    }
}

fn from<T: TryFrom<u64>>(text: &str, least: u64) -> Result<T, String> {
    let all_digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse::<u64>() {
        Ok(number) if number >= least => T::try_from(number).map_err(|_| "it is too large".to_owned()),
        Err(_) if all_digits => Err("it is too large".to_owned()),
        _ => Err(format!("it is a whole number, {least} or more")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_is_told_what_would_be() {
        assert_eq!((whole("0"), whole("18446744073709551615")), (Ok(0u64), Ok(u64::MAX)));
        assert_eq!((positive("1"), positive("+7")), (Ok(1u32), Ok(7u32)));
        for text in ["", "x", "-1", "1.5", "1e3"] {
            assert_eq!(whole::<u64>(text).unwrap_err(), "it is a whole number, 0 or more", "{text}");
        }
        assert_eq!(positive::<u64>("0").unwrap_err(), "it is a whole number, 1 or more");
        assert_eq!(whole::<u64>("18446744073709551616").unwrap_err(), "it is too large");
        assert_eq!(positive::<u32>("4294967296").unwrap_err(), "it is too large");
        assert_eq!(duration("1h30m"), Ok(SignedDuration::from_mins(90)));
        for text in ["", "20", "0s", "-5m", "soon"] {
            assert_eq!(duration(text).unwrap_err(), "it is a time such as `90s`, `20m` or `1h30m`", "{text}");
        }
        assert_eq!((amount("0"), amount("2.5")), (Ok(0.0), Ok(2.5)));
        for text in ["-1", "x", "", "inf", "NaN"] {
            assert_eq!(amount(text).unwrap_err(), "it is a number, 0 or more", "{text}");
        }
    }
}
