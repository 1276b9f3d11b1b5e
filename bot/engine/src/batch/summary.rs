//! Metrics of conditions, and comparisons over the same seeds. The unit is the seed.

use serde::Serialize;

use super::cells::{CellState, Cells};
use super::comparison::{Compared, PairedComparison, compare, correct, pairs};
use super::experiment::Experiment;
use super::figures::ConditionFigures;
use super::files::DirectoryError;
use super::rates::{Rates, RatesByNumber, RatesTally, by_number};
use super::tally::{Tally, at_limit};

/// The summary of a batch.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BatchSummary {
    /// A row for every condition.
    pub conditions: Vec<ConditionFigures>,
    /// The comparisons of each world's first condition with the others there, and of conditions that differ only in
    /// books or only in settings.
    pub comparisons: Vec<PairedComparison>,
    /// Success and safety over all worlds, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rates: Vec<Rates>,
    /// Success and safety by the number of laws in force, if the names of conditions end with a number.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by_number: Vec<RatesByNumber>,
}

impl BatchSummary {
    /// Summarises the finished cells. Reads the results one by one.
    ///
    /// # Errors
    /// The file of results cannot be read.
    pub fn of(experiment: &Experiment, cells: &Cells) -> Result<Self, DirectoryError> {
        let (limit, seeds) = (experiment.steps(), experiment.plan.seeds.as_slice().len());
        let conditions = &experiment.conditions;
        let mut tallies: Vec<Tally> = conditions.iter().map(|_| Tally::new(limit)).collect();
        let mut rates = RatesTally::new(conditions);
        let mut compared = vec![None; conditions.len() * seeds];
        for result in cells.results.iter() {
            let result = result?;
            tallies[result.cell / seeds].add(&result);
            rates.add(result.cell / seeds, &result);
            let safe = result.is_watched().then_some(result.safe);
            compared[result.cell] = Some(Compared { goal: result.goal, safe, steps: at_limit(&result, limit) });
        }
        let rows = conditions.iter().zip(tallies).enumerate().map(|(number, (condition, tally))| {
            let its = (number * seeds..(number + 1) * seeds).map(|cell| cells.state(cell));
            let (mut failed, mut waiting) = (0, 0);
            for state in its {
                failed += u64::from(matches!(state, CellState::Failed(_)));
                waiting += u64::from(state == CellState::Waiting);
            }
            tally.figures(condition, failed, waiting)
        });
        let rows = rows.collect();
        let of = |place: usize| (&conditions[place], &compared[place * seeds..(place + 1) * seeds]);
        let comparisons = pairs(conditions).into_iter().map(|(one, other)| compare(of(one), of(other)));
        let mut comparisons: Vec<PairedComparison> = comparisons.collect();
        correct(&mut comparisons);
        let rates = rates.finish();
        let by_number = by_number(&rates);
        Ok(Self { conditions: rows, comparisons, rates, by_number })
    }
}
