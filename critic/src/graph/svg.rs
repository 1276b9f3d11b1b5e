//! The graph as a picture that needs no other program: states in columns by their distance to the target, arrows for what
//! the choices led to, and inside a state what led back to it.
//!
//! The picture fits a page: columns follow each other like words in lines of text, and what leads to a state in another
//! line is written inside the state, with the number of the other one.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::draw::{ChoiceDocument, Document, StateDocument, colour, short, steps};

/// Widths, heights and gaps, in pixels.
const PAGE_WIDTH: f64 = 1600.0;
const PAGE_HEIGHT: f64 = 2260.0;
const BOX_WIDTH: f64 = 120.0;
const BETWEEN_COLUMNS: f64 = 150.0;
const CHARACTER: f64 = 5.6;
const INDENT: f64 = 6.0;
const LINE: f64 = 13.0;
const GAP: f64 = 22.0;
const BETWEEN_ROWS: f64 = 44.0;
const MARGIN: f64 = 20.0;
/// Arrows that lead back reach so far to the right of their state.
const BEND: f64 = 60.0;
/// So many lines of a state are written, and so many characters of a line; the rest is told on a closer look.
const MOST_LINES: usize = 10;
const MOST_CHARACTERS: usize = 90;

/// A state with its place in the picture.
struct Placed<'a> {
    state: &'a StateDocument,
    lines: Vec<(String, &'static str)>,
    /// The row of columns it is in.
    row: usize,
    x: f64,
    y: f64,
    width: f64,
}

/// A column with its place in the picture, but for how high it is.
struct Column<'a> {
    row: usize,
    x: f64,
    width: f64,
    states: Vec<&'a StateDocument>,
}

impl Placed<'_> {
    fn height(&self) -> f64 {
        LINE * self.lines.len() as f64 + 10.0
    }

    fn middle(&self) -> f64 {
        self.y + self.height() / 2.0
    }
}

impl Document {
    /// The graph as an SVG picture, complete in itself.
    pub fn svg(&self) -> String {
        let placed = self.place();
        let width = placed.iter().map(|one| one.x + one.width).fold(0.0, f64::max) + BEND + MARGIN;
        let height = placed.iter().map(|one| one.y + one.height()).fold(0.0, f64::max) + MARGIN;
        // With very many states what fits a page is too small to be read without looking closer.
        let scale = (PAGE_WIDTH / width).min(PAGE_HEIGHT / height).min(1.0);
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0}\" height=\"{:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
             font-family=\"sans-serif\" font-size=\"10\">\n<title>{} {}, {}</title>\n\
             <defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" \
             orient=\"auto-start-reverse\"><path d=\"M 0 1 L 7 4 L 0 7 z\" fill=\"context-stroke\"/></marker></defs>\n",
            width * scale,
            height * scale,
            self.runs,
            if self.runs == 1 { "run" } else { "runs" },
            steps(self.steps as f64)
        );
        let by_number: BTreeMap<usize, &Placed<'_>> = placed.iter().map(|one| (one.state.state, one)).collect();
        for from in &placed {
            for choice in &from.state.choices {
                self.arrows(&mut text, from, choice, &by_number);
            }
        }
        for one in &placed {
            draw_state(&mut text, one);
        }
        text.push_str("</svg>\n");
        text
    }

    /// Columns by distance, the target at the end. One that would leave the page begins a new row.
    fn columns(&self) -> Vec<Column<'_>> {
        let mut columns: BTreeMap<i64, Vec<&StateDocument>> = BTreeMap::new();
        for state in &self.states {
            // Without a target every state stands by its own: there is no order to show.
            let column = state.distance.map_or(state.state as i64, |distance| distance.round() as i64);
            columns.entry(-column).or_default().push(state);
        }
        let (mut row, mut x) = (0, MARGIN);
        let place = |states: Vec<_>| {
            let width = width(&states);
            if x > MARGIN && x + width + BEND + MARGIN > PAGE_WIDTH {
                (row, x) = (row + 1, MARGIN);
            }
            let column = Column { row, x, width, states };
            x += width + BETWEEN_COLUMNS;
            column
        };
        columns.into_values().map(place).collect()
    }

    /// In each column, states stand in the order of what leads to them.
    fn place(&self) -> Vec<Placed<'_>> {
        let columns = self.columns();
        let rows: BTreeMap<usize, usize> =
            columns.iter().flat_map(|column| column.states.iter().map(|state| (state.state, column.row))).collect();
        let mut placed: Vec<Placed<'_>> = Vec::new();
        let mut heights: BTreeMap<usize, f64> = BTreeMap::new();
        let (mut row, mut top, mut bottom) = (0, MARGIN, MARGIN);
        for column in columns {
            if column.row > row {
                (row, top) = (column.row, bottom + BETWEEN_ROWS - GAP);
            }
            let pull = |state: &StateDocument| {
                let before = placed.iter().filter(|other| leads_to(other.state, state.state));
                let before: Vec<f64> = before.filter_map(|other| heights.get(&other.state.state).copied()).collect();
                before.iter().sum::<f64>() / before.len().max(1) as f64
            };
            let mut pulled: Vec<(f64, &StateDocument)> =
                column.states.into_iter().map(|state| (pull(state), state)).collect();
            pulled.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.state.cmp(&b.1.state)));
            let mut y = top;
            for (_, state) in pulled {
                let lines = lines(state, |other| rows.get(&other).is_some_and(|other| *other != row));
                let one = Placed { state, lines, row, x: column.x, y, width: column.width };
                y += one.height() + GAP;
                heights.insert(state.state, one.middle());
                placed.push(one);
            }
            bottom = bottom.max(y);
        }
        placed
    }

    fn arrows(
        &self,
        text: &mut String,
        from: &Placed<'_>,
        choice: &ChoiceDocument,
        by_number: &BTreeMap<usize, &Placed<'_>>,
    ) {
        for outcome in &choice.outcomes {
            let Some(to) = outcome.state.and_then(|state| by_number.get(&state)) else { continue };
            if to.state.state == from.state.state || to.row != from.row {
                continue;
            }
            let (x1, y1) = (from.x + from.width, from.middle());
            let (x2, y2) = if to.x > from.x { (to.x, to.middle()) } else { (to.x + to.width, to.middle()) };
            let bend = if to.x > from.x { BEND } else { -1.5 * BEND };
            let dash = if outcome.failure.is_some() { " stroke-dasharray=\"4 3\"" } else { "" };
            let wide = 1.0 + f64::from(outcome.count).log2().max(0.0) / 2.0;
            let _ = writeln!(
                text,
                "<path d=\"M {x1:.0} {y1:.0} C {:.0} {y1:.0} {:.0} {y2:.0} {x2:.0} {y2:.0}\" fill=\"none\" stroke=\"{}\" \
                 stroke-width=\"{wide:.1}\" marker-end=\"url(#arrow)\"{dash}><title>{}</title></path>",
                x1 + bend.abs(),
                x2 - bend,
                colour(choice.report.class),
                escaped(&choice.details())
            );
            let _ = writeln!(
                text,
                "<text x=\"{:.0}\" y=\"{:.0}\" text-anchor=\"middle\" fill=\"{}\">{} {}×</text>",
                (x1 + x2) / 2.0,
                (y1 + y2) / 2.0 - 3.0,
                colour(choice.report.class),
                escaped(&short(&choice.action)),
                outcome.count
            );
        }
    }
}

fn leads_to(state: &StateDocument, other: usize) -> bool {
    state.choices.iter().flat_map(|choice| &choice.outcomes).any(|outcome| outcome.state == Some(other))
}

/// How wide a column must be for whatever may be written in its states.
fn width(states: &[&StateDocument]) -> f64 {
    let lines = states.iter().flat_map(|state| lines(state, |_| true));
    let longest = lines.map(|(line, _)| line.chars().count()).max().unwrap_or(0);
    BOX_WIDTH.max(2.0 * INDENT + CHARACTER * longest as f64).round()
}

/// What is written in a state: its number and distance, what sets it apart, the choices that led back to it, and those that
/// led elsewhere, which is where no arrow goes.
fn lines(state: &StateDocument, elsewhere: impl Fn(usize) -> bool) -> Vec<(String, &'static str)> {
    let head = match state.distance {
        Some(distance) if state.goals > 0 => format!("{}: goal", steps(distance)),
        Some(distance) if !state.routed => format!("no way known (counts as {})", steps(distance)),
        Some(distance) => format!("{}, visited {}×", steps(distance), state.visits),
        None => format!("visited {}×", state.visits),
    };
    let mut lines = vec![(format!("#{}: {head}", state.state), "black")];
    lines.extend(state.differs.iter().map(|name| (short(name), "dimgray")));
    for choice in &state.choices {
        let (action, colour) = (short(&choice.action), colour(choice.report.class));
        for outcome in &choice.outcomes {
            let why = outcome.failure.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default();
            match outcome.state {
                Some(to) if to == state.state => lines.push((format!("↺ {action} {}×{why}", outcome.count), colour)),
                Some(to) if elsewhere(to) => lines.push((format!("→ #{to} {action} {}×{why}", outcome.count), colour)),
                _ => {}
            }
        }
    }
    if lines.len() > MOST_LINES {
        let more = lines.len() - MOST_LINES + 1;
        lines.truncate(MOST_LINES - 1);
        lines.push((format!("… {more} more"), "dimgray"));
    }
    lines.into_iter().map(|(line, colour)| (shortened(line), colour)).collect()
}

fn shortened(line: String) -> String {
    match line.char_indices().nth(MOST_CHARACTERS - 1) {
        Some((cut, last)) if cut + last.len_utf8() < line.len() => format!("{}…", &line[..cut]),
        _ => line,
    }
}

fn draw_state(text: &mut String, one: &Placed<'_>) {
    let stroke = if one.state.goals > 0 { "seagreen" } else { "black" };
    let mut details = one.state.holds.join(", ");
    for choice in &one.state.choices {
        details.push('\n');
        details.push_str(&choice.details());
    }
    let _ = writeln!(
        text,
        "<g><title>{}</title><rect x=\"{:.0}\" y=\"{:.0}\" width=\"{:.0}\" height=\"{:.0}\" rx=\"4\" fill=\"white\" \
         stroke=\"{stroke}\"/>",
        escaped(&details),
        one.x,
        one.y,
        one.width,
        one.height()
    );
    for (at, (line, fill)) in one.lines.iter().enumerate() {
        let _ = writeln!(
            text,
            "<text x=\"{:.0}\" y=\"{:.0}\" fill=\"{fill}\">{}</text>",
            one.x + INDENT,
            one.y + LINE * (at as f64 + 1.0),
            escaped(line)
        );
    }
    text.push_str("</g>\n");
}

fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\n' => safe.push('\n'),
            // Characters that XML does not allow.
            character if character.is_control() => safe.push(' '),
            character => safe.push(character),
        }
    }
    safe
}
