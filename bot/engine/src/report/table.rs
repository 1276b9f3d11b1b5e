//! Tables that every format shows. Each number comes from the report's JSON document, at its pointer.

use ltlcrit_laws::Evidence;
use ltlcrit_model::NanoUsd;
use serde::Deserialize;
use serde_json::Value;

/// A table. Formats leave out a table without rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Its title, in a few words; empty if the columns suffice.
    pub title: String,
    /// The explanation of its columns.
    pub caption: Cell,
    /// The columns.
    pub columns: Vec<Column>,
    /// The rows, each with a cell for every column.
    pub rows: Vec<Vec<Cell>>,
    /// The indices of rows of planners, which are references for the other rows.
    pub planners: Vec<usize>,
}

/// A column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its heading.
    pub heading: String,
    /// The direction of better values, if there is one.
    best: Option<Best>,
    /// The template of its cells.
    template: String,
}

/// The direction of better values in a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Best {
    Highest,
    Lowest,
}

/// The content of a cell or a caption.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell(pub Vec<Part>);

/// A part of a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// A fixed text of the program. A terminal shows `–` and `×` as `-` and `x`.
    Own(String),
    /// A foreign text: names, reasons.
    Text(String),
    /// A foreign text, emphasized.
    Emphasis(String),
    /// A formula or a hash.
    Code(String),
    /// A name with an explanation.
    Explained(String, String),
    /// Cited steps.
    Steps(Vec<Evidence>),
    /// A number of the document.
    Number {
        /// Its JSON pointer.
        at: String,
        /// The factor.
        scale: f64,
        /// The product as shown.
        text: String,
    },
    /// A game time of the document: in minutes, or on a terminal as a clock.
    Time {
        /// Its JSON pointer.
        at: String,
        /// The number of ticks, of 1/20 s each.
        ticks: f64,
    },
}

impl Table {
    /// Creates a table without rows. Its columns have the form `HEADING = TEMPLATE; HEADING = TEMPLATE`; [`fill`]
    /// describes templates. A `+` before a heading means that the highest value is the best, a `-` that the lowest is.
    /// The caption is a template of the document.
    pub fn new(title: impl Into<String>, caption: &str, columns: &str, document: &Value) -> Self {
        let column = |column: &str| {
            let (heading, template) = column.split_once('=').unwrap_or((column, ""));
            Column::new(heading, template)
        };
        let columns = columns.split(';').map(column).collect();
        Self { title: title.into(), caption: fill(caption, document, ""), columns, ..Self::default() }
    }

    /// Creates a table with a row for every element of an array of the document.
    pub fn of(title: &str, caption: &str, columns: &str, document: &Value, at: &str) -> Self {
        let mut table = Self::new(title, caption, columns, document);
        for (index, element) in array(document, at) {
            table.add(element, &format!("{at}/{index}"));
        }
        table
    }

    /// Adds a column, whose heading may be any text.
    pub fn column(&mut self, heading: &str, template: &str) {
        self.columns.push(Column { heading: heading.to_owned(), template: template.to_owned(), best: None });
    }

    /// Adds the row of a value of the document, at its pointer, and returns its cells.
    pub fn add(&mut self, value: &Value, at: &str) -> &mut [Cell] {
        if value["planner"] == true {
            self.planners.push(self.rows.len());
        }
        self.rows.push(self.columns.iter().map(|column| fill(&column.template, value, at)).collect());
        self.rows.last_mut().map_or(&mut [], |row| row)
    }
}

impl Table {
    /// Returns the rows with the best number of a column, if its numbers differ. Planners count only if all rows are of planners.
    pub fn best(&self, column: usize) -> Vec<usize> {
        let better = match self.columns[column].best {
            Some(Best::Highest) => f64::max,
            Some(Best::Lowest) => f64::min,
            None => return Vec::new(),
        };
        let counts = |row: &usize| self.planners.len() == self.rows.len() || !self.planners.contains(row);
        let rows = (0..self.rows.len()).filter(counts);
        let numbers: Vec<(usize, f64)> = rows.filter_map(|row| Some((row, self.rows[row][column].number()?))).collect();
        let best = numbers.iter().map(|(_, number)| *number).reduce(better);
        let (best, rest): (Vec<_>, Vec<_>) = numbers.into_iter().partition(|(_, number)| Some(*number) == best);
        if rest.is_empty() { Vec::new() } else { best.into_iter().map(|(row, _)| row).collect() }
    }
}

impl Column {
    fn new(heading: &str, template: &str) -> Self {
        let heading = heading.trim();
        let (best, heading) = match (heading.strip_prefix('+'), heading.strip_prefix('-')) {
            (Some(heading), _) => (Some(Best::Highest), heading),
            (_, Some(heading)) => (Some(Best::Lowest), heading),
            _ => (None, heading),
        };
        Self { heading: heading.to_owned(), template: template.trim().to_owned(), best }
    }

    /// Returns whether it is aligned to the right: its cells have no words.
    pub fn is_numeric(&self) -> bool {
        let is_text = |text: &&str| self.template.contains(*text);
        !self.template.starts_with(char::is_alphabetic)
            && !["text}", "words}", "code}", "hash}", ":steps}"].iter().any(is_text)
    }
}

/// Returns the elements of an array at a pointer, with their indices; empty without an array.
pub fn array<'a>(document: &'a Value, at: &str) -> impl Iterator<Item = (usize, &'a Value)> {
    document.pointer(at).and_then(Value::as_array).into_iter().flatten().enumerate()
}

/// Returns the text at a key of a value; empty if it is missing.
pub fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// Fills a template with values of a JSON value, which is at a pointer of the document.
///
/// `*` encloses emphasized text. `{KEY:FORM}` stands for the value at a relative pointer, or for the value itself
/// without a key. A missing number makes the whole cell a dash. The forms are:
/// * none: a whole number; `.2`: two decimals; `%1`: a share in percent with one decimal;
/// * `p`: a p-value; `$`: billionths of a dollar; `time`: ticks;
/// * `%` and `to`: an interval of shares and of numbers; `rate`: a share with its interval;
/// * `text`, `words`, `code`, `hash`: a text in the style of the name; `steps`: cited steps.
pub fn fill(template: &str, value: &Value, at: &str) -> Cell {
    let mut parts = Vec::new();
    for (place, piece) in template.split('*').enumerate() {
        for (inner, piece) in piece.split(['{', '}']).enumerate().filter(|(_, piece)| !piece.is_empty()) {
            match (place % 2, inner % 2) {
                (_, 1) => match shown(piece, value, at) {
                    Some(its) => parts.extend(its),
                    None => return Cell::missing(),
                },
                (0, _) => parts.push(own(piece)),
                _ => parts.push(Part::Emphasis(piece.to_owned())),
            }
        }
    }
    Cell(parts)
}

/// Formats a value in a form; `None` for a missing number.
fn shown(piece: &str, value: &Value, at: &str) -> Option<Vec<Part>> {
    let (key, form) = piece.split_once(':').unwrap_or((piece, ""));
    let path = if key.is_empty() { String::new() } else { format!("/{key}") };
    let at = format!("{at}{path}");
    let found = value.pointer(&path).filter(|found| !found.is_null());
    let inner = |form: &str| shown(form, found?, &at);
    let number = |scale: f64, text: String| Some(vec![Part::Number { at: at.clone(), scale, text }]);
    let fixed = |scale: f64, digits: &str| {
        let (value, digits) = (scale * found?.as_f64()?, digits.parse().unwrap_or(0));
        number(scale, format!("{value:.digits$}"))
    };
    match form {
        "text" => Some(vec![Part::Text(found.map(joined).unwrap_or_default())]),
        "words" => Some(vec![Part::Text(found.map(joined).unwrap_or_default().replace(['-', '_'], " "))]),
        "code" => Some(vec![Part::Code(found.map(joined).unwrap_or_default())]),
        "hash" => Some(vec![Part::Code(found.map(joined).unwrap_or_default().chars().take(12).collect())]),
        "steps" => Some(vec![Part::Steps(Deserialize::deserialize(found?).ok()?)]),
        "" => number(1.0, grouped(found?.as_u64()?)),
        "p" => {
            let p = found?.as_f64()?;
            number(1.0, if p < 0.001 { "<.001".to_owned() } else { format!("{p:.3}") })
        }
        "$" => number(1e-9, NanoUsd(found?.as_u64()?).to_string()),
        "time" => Some(vec![Part::Time { at, ticks: found?.as_f64()? }]),
        "%" => Some([inner("low:%0")?, vec![own("–")], inner("high:%0")?, vec![own("%")]].concat()),
        "to" => Some([inner("low:.1")?, vec![own(" to ")], inner("high:.1")?].concat()),
        "rate" => {
            let ends = inner("interval/low:%1").zip(inner("interval/high:%1"));
            let interval =
                ends.map(|(low, high)| [vec![own(" [")], low, vec![own(", ")], high, vec![own("]")]].concat());
            Some([inner("rate:%1")?, vec![own("%")], interval.unwrap_or_default()].concat())
        }
        _ => match form.strip_prefix('%') {
            Some(digits) => fixed(100.0, digits),
            None => fixed(1.0, form.trim_start_matches('.')),
        },
    }
}

impl Cell {
    /// Creates a cell with a foreign text.
    pub fn text(text: impl Into<String>) -> Self {
        Self(vec![Part::Text(text.into())])
    }

    /// Returns the cell for a missing value.
    pub fn missing() -> Self {
        Self(vec![own("–")])
    }

    /// Returns its first number, as shown.
    pub fn number(&self) -> Option<f64> {
        self.0.iter().find_map(|part| match part {
            Part::Number { text, .. } => text.replace(',', "").parse().ok(),
            _ => None,
        })
    }

    /// Returns the text without emphasis, for formats without markup.
    pub fn plain(&self) -> String {
        let part = |part: &Part| match part {
            Part::Own(text)
            | Part::Text(text)
            | Part::Emphasis(text)
            | Part::Code(text)
            | Part::Explained(text, _)
            | Part::Number { text, .. } => text.clone(),
            Part::Steps(steps) => steps.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
            Part::Time { ticks, .. } => format!("{} min", minutes(*ticks)),
        };
        self.0.iter().map(part).collect()
    }
}

fn own(text: &str) -> Part {
    Part::Own(text.to_owned())
}

/// Formats a text, a number, or several of them with commas.
fn joined(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(all) => all.iter().map(joined).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// Capitalizes a title.
pub(super) fn capitalized(title: &str) -> String {
    let mut rest = title.chars();
    rest.next().map_or_else(String::new, |first| first.to_uppercase().chain(rest).collect())
}

/// Converts ticks to minutes.
pub(super) fn minutes(ticks: f64) -> String {
    format!("{:.1}", ticks / 1200.0)
}

/// Formats a whole number with separators of thousands.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Escapes a name as a part of a JSON pointer.
pub(super) fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn templates_show_values_at_their_pointers() {
        let document = json!({
            "rows": [
                { "name": "a{b}*c*;=", "n": 1234, "share": 0.256, "rate": { "rate": 0.5, "interval": { "low": 0.25, "high": 0.75 } } },
                { "name": null, "n": null, "share": 1.0, "rate": { "rate": 0.5 } },
            ],
            "p": 0.0004, "cost": 1_500_000_000_u64, "limit": 40,
        });
        let columns = "name = {name:text}; n = {n} of {n}; -share = {share:%1}%; +rate = {rate:rate}";
        let table = Table::of("t", "At *most* {limit} steps.", columns, &document, "/rows");
        let shown: Vec<Vec<String>> = table.rows.iter().map(|row| row.iter().map(Cell::plain).collect()).collect();
        assert_eq!(shown[0], ["a{b}*c*;=", "1,234 of 1,234", "25.6%", "50.0% [25.0, 75.0]"]);
        assert_eq!(shown[1], ["", "–", "100.0%", "50.0%"]);
        assert_eq!(table.columns.iter().map(Column::is_numeric).collect::<Vec<_>>(), [false, true, true, true]);
        assert_eq!(table.caption.plain(), "At most 40 steps.");
        // The best number, as it is shown, where numbers differ.
        assert_eq!([0, 1, 2, 3].map(|column| table.best(column)), [vec![], vec![], vec![0], vec![]]);
        let Part::Number { at, .. } = &table.rows[0][3].0[3] else { panic!("{:?}", table.rows[0][3]) };
        assert_eq!((at.as_str(), document.pointer(at)), ("/rows/0/rate/interval/low", Some(&json!(0.25))));
        assert_eq!(fill("{p:p} {cost:$} {none:.1}", &document, ""), Cell::missing());
        assert_eq!(fill("{p:p} {cost:$} {limit:.1}", &document, "").plain(), "<.001 $1.5000 40.0");
    }
}
