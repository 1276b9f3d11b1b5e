//! The table of figures: a row for each iteration or test.

use ltlcrit_engine::learn::{Comparison, Iteration, Measured, SIGNIFICANT};

use crate::cli::output::{DIM, GOOD, HEAD};

/// Width and heading (two lines) of every column.
const COLUMNS: [(usize, &str, &str); 9] = [
    (6, "itera-", "tion"),
    (5, "revi-", "sion"),
    (7, "", "goals"),
    (5, "mean", "steps"),
    (7, "times", "optimum"),
    (7, "failed", "actions"),
    (9, "failed", "proposals"),
    (9, "blocked", "proposals"),
    (5, "fall-", "backs"),
];
/// The position of the column that is shown on request only.
const OPTIMUM: usize = 4;

/// The table of figures, printed row by row.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// True if it has the column of steps as a multiple of the optimum.
    pub optimum: bool,
}

impl Table {
    /// The heading, two lines.
    pub fn heading(self) -> String {
        let (upper, lower) = (self.line(COLUMNS.map(|column| column.1)), self.line(COLUMNS.map(|column| column.2)));
        format!("{HEAD}{upper}{HEAD:#}\n{HEAD}{lower}{HEAD:#}")
    }

    /// The row of an iteration, followed by the effects of the critique and the p-values of the differences.
    pub fn iteration(self, iteration: &Iteration, measured: &Measured) -> String {
        let critique = &iteration.critique;
        let revision = iteration.book.rsplit('@').next().unwrap_or_default().to_owned();
        let row = self.row(iteration.number.to_string(), revision, measured);
        let (admitted, retired, refused) = (critique.admitted(), critique.retired(), critique.refused().count());
        let decision = iteration.decision.as_ref();
        let chances = decision.map(|it| format!("; p of goals, steps: {}", chances(&it.comparison)));
        let chances = chances.unwrap_or_default();
        format!("{row}\n  {DIM}laws:{DIM:#} {admitted} admitted, {retired} retired, {refused} refused{chances}")
    }

    /// The row of a test of a revision.
    pub fn test(self, revision: u64, measured: &Measured) -> String {
        self.row("test".to_owned(), revision.to_string(), measured)
    }

    fn row(self, iteration: String, revision: String, measured: &Measured) -> String {
        let figures = &measured.figures;
        let share = |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{:.1}%", 100.0 * share));
        self.line([
            iteration,
            revision,
            format!("{}/{}", figures.goals, figures.episodes),
            figures.mean_steps.map_or("-".to_owned(), |steps| format!("{steps:.1}")),
            measured.times_optimum.map_or("-".to_owned(), |times| format!("{times:.3}")),
            share(figures.failed_actions),
            share(figures.failed_proposals),
            share(figures.blocked_proposals),
            figures.fallbacks.to_string(),
        ])
    }

    fn line(self, cells: [impl AsRef<str>; COLUMNS.len()]) -> String {
        let cells = cells.iter().zip(COLUMNS).enumerate().filter(|(at, _)| self.optimum || *at != OPTIMUM);
        let cells = cells.map(|(_, (cell, column))| format!("{:>width$}", cell.as_ref(), width = column.0));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    }
}

fn chances(comparison: &Comparison) -> String {
    format!("{}, {}", chance(comparison.goals_p), chance(comparison.steps_p))
}

fn chance(p: f64) -> String {
    if p < 0.001 { "<.001".to_owned() } else { format!("{p:.3}") }
}

/// A comparison in words.
pub fn verdict(comparison: &Comparison) -> String {
    let (style, word) =
        if comparison.significant() { (GOOD, "significant") } else { (DIM, "no significant difference") };
    format!("{style}{word}{style:#} (p of goals, steps: {}; {SIGNIFICANT} counts)", chances(comparison))
}
