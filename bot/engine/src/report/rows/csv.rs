//! Comma-separated values (RFC 4180) that spreadsheets do not run as formulas.

use std::io::{self, Write};

use serde_json::Value;

use super::cell::{Column, RowWriter, plain};

/// Writes CSV.
pub struct Csv<'a>(&'a mut (dyn Write + Send));

impl<'a> Csv<'a> {
    /// Writes the heading.
    pub fn new(columns: &[Column], out: &'a mut (dyn Write + Send)) -> io::Result<Self> {
        let names: Vec<String> = columns.iter().map(|column| field(&column.name)).collect();
        write!(out, "{}\r\n", names.join(","))?;
        Ok(Self(out))
    }
}

impl RowWriter for Csv<'_> {
    fn row(&mut self, values: Vec<Value>, _: &[usize]) -> io::Result<()> {
        let fields: Vec<String> = values
            .iter()
            .map(|value| match value {
                Value::String(text) => field(text),
                other => plain(other),
            })
            .collect();
        write!(self.0, "{}\r\n", fields.join(","))
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.0.flush()
    }
}

/// Writes a text as a field. A text that a spreadsheet would compute gets an apostrophe before it, as OWASP advises. A
/// number is left as it is.
fn field(text: &str) -> String {
    let formula = text.trim_start().starts_with(['=', '+', '-', '@']) || text.starts_with(['\t', '\r', '\n']);
    let number = text.parse().is_ok_and(f64::is_finite);
    let safe = if formula && !number { format!("'{text}") } else { text.to_owned() };
    if safe.contains([',', '"', '\r', '\n']) || safe != safe.trim() {
        format!("\"{}\"", safe.replace('"', "\"\""))
    } else {
        safe
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn no_text_begins_a_formula_and_numbers_stay_numbers(text in "[=+@\t\r\n -]{0,2}[0-9a-z.()]{0,4}", number: f64) {
            let field = field(&text);
            let read = field.trim_matches('"');
            proptest::prop_assert!(
                !read.trim_start().starts_with(['=', '+', '-', '@']) && !read.starts_with(['\t', '\r', '\n'])
                    || read.parse::<f64>().is_ok(),
                "{field:?}"
            );
            proptest::prop_assert!(read == text || read.strip_prefix('\'') == Some(&text));
            let number = if number.is_finite() { number } else { -1.5 };
            proptest::prop_assert_eq!(super::field(&number.to_string()), number.to_string());
        }
    }
}
