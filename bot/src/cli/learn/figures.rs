//! Rows of figures, printed as they come: an iteration, or a test.

use crate::cli::style::{DIM, GOOD, HEAD};
use crate::learn::{Comparison, EpisodeFigures, Iteration, SIGNIFICANT};

/// Width and heading (two lines) of every column.
const COLUMNS: [(usize, &str, &str); 12] = [
    (9, "", "iteration"),
    (8, "", "revision"),
    (7, "", "goals"),
    (6, "mean", "steps"),
    (7, "failed", "actions"),
    (9, "failed", "proposals"),
    (9, "blocked", "proposals"),
    (5, "fall-", "backs"),
    (9, "laws:", "admitted"),
    (7, "", "retired"),
    (7, "", "refused"),
    (12, "p: goals,", "steps"),
];

/// A row under [`heading`].
#[derive(Debug)]
pub struct Row([String; COLUMNS.len()]);

/// The heading, two lines.
pub fn heading() -> String {
    let line = |one: fn(&(usize, &'static str, &'static str)) -> &'static str| {
        let cells = COLUMNS.iter().map(|column| format!("{:>width$}", one(column), width = column.0));
        cells.collect::<Vec<_>>().join("  ")
    };
    format!("{HEAD}{}{HEAD:#}\n{HEAD}{}{HEAD:#}", line(|column| column.1), line(|column| column.2))
}

impl Row {
    /// The row of an iteration.
    pub fn of(iteration: &Iteration) -> Self {
        let critique = &iteration.critique;
        let revision = iteration.book.rsplit('@').next().unwrap_or_default().to_owned();
        let laws = [critique.admitted(), critique.retired(), critique.refused().count()].map(|count| count.to_string());
        Self::new(iteration.number.to_string(), revision, &iteration.figures, laws, iteration.comparison.as_ref())
    }

    /// The row of a test under some revision.
    pub fn test(revision: u64, figures: &EpisodeFigures, comparison: Option<&Comparison>) -> Self {
        Self::new("test".to_owned(), revision.to_string(), figures, Default::default(), comparison)
    }

    fn new(
        iteration: String,
        revision: String,
        figures: &EpisodeFigures,
        [admitted, retired, refused]: [String; 3],
        comparison: Option<&Comparison>,
    ) -> Self {
        let share = |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{:.1}%", 100.0 * share));
        Self([
            iteration,
            revision,
            format!("{}/{}", figures.goals, figures.episodes),
            figures.mean_steps.map_or("-".to_owned(), |steps| format!("{steps:.1}")),
            share(figures.failed_actions),
            share(figures.failed_proposals),
            share(figures.blocked_proposals),
            figures.fallbacks.to_string(),
            admitted,
            retired,
            refused,
            comparison.map(chances).unwrap_or_default(),
        ])
    }

    /// The row as one line.
    pub fn text(&self) -> String {
        let cells = self.0.iter().zip(COLUMNS).map(|(cell, column)| format!("{cell:>width$}", width = column.0));
        let line = cells.collect::<Vec<_>>().join("  ");
        line.trim_end().to_owned()
    }
}

fn chances(comparison: &Comparison) -> String {
    format!("{}, {}", chance(comparison.goals_p), chance(comparison.steps_p))
}

fn chance(p: f64) -> String {
    if p < 0.001 { "<.001".to_owned() } else { format!("{p:.3}") }
}

/// What a comparison says, in words.
pub fn verdict(comparison: &Comparison) -> String {
    let (style, word) =
        if comparison.significant() { (GOOD, "significant") } else { (DIM, "no significant difference") };
    format!("{style}{word}{style:#} (p of goals, steps: {}; {SIGNIFICANT} counts)", chances(comparison))
}
