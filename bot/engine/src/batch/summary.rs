//! Metrics of conditions, and comparisons over the same seeds. The unit is the seed.

use serde::Serialize;

use super::cells::{CellStatus, Cells};
use super::comparison::{Compared, PairedComparison, compare, correct, pairs};
use super::condition::Condition;
use super::experiment::Experiment;
use super::figures::ConditionFigures;
use super::rates::{Rates, RatesByNumber, by_number};
use super::result::CellResult;

/// The summary of a batch.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BatchSummary {
    /// A row for every condition.
    pub conditions: Vec<ConditionFigures>,
    /// The comparisons of each world's first condition with the others there, and of conditions that differ only in
    /// books or only in settings.
    pub comparisons: Vec<PairedComparison>,
    /// The same comparisons over all worlds, if there are several: the pairs are those of a world and a seed. Conditions that
    /// learn their laws have none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pooled: Vec<PairedComparison>,
    /// Success and safety over all worlds, if there are several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub rates: Vec<Rates>,
    /// Success and safety by the number of laws in force, if the names of conditions end with a number.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub by_number: Vec<RatesByNumber>,
}

impl BatchSummary {
    /// Summarises the finished cells.
    pub fn of(experiment: &Experiment, cells: &Cells) -> Self {
        let (limit, seeds) = (experiment.steps(), experiment.plan.seeds.as_slice().len());
        let conditions = &experiment.conditions;
        let (mut rows, mut rates, mut compared) = (Vec::new(), Vec::new(), Vec::new());
        for (number, condition) in conditions.iter().enumerate() {
            let its = number * seeds..(number + 1) * seeds;
            let results: Vec<Option<&CellResult>> = its.clone().map(|cell| cells.results.get(&cell)).collect();
            let done: Vec<&CellResult> = results.iter().copied().flatten().collect();
            let states: Vec<CellStatus> =
                its.filter(|cell| experiment.has(*cell)).map(|cell| cells.state(cell)).collect();
            let failed = states.iter().filter(|state| matches!(state, CellStatus::Failed { .. })).count() as u64;
            let waiting = states.iter().filter(|state| **state == CellStatus::Waiting).count() as u64;
            rows.push(ConditionFigures::of(condition, &done, limit, failed, waiting));
            Rates::add(&mut rates, condition, &done);
            compared.push(results.iter().map(|it| it.map(|it| Compared::of(it, limit))).collect::<Vec<_>>());
        }
        // A single world's own rows show the same.
        rates.retain(|_| experiment.plan.worlds.len() > 1);
        let of = |place: usize| (&conditions[place], &compared[place][..]);
        let comparisons = pairs(conditions).into_iter().map(|(one, other)| compare(of(one), of(other)));
        let mut comparisons: Vec<PairedComparison> = comparisons.collect();
        correct(&mut comparisons);
        let mut pooled = pooled(conditions, &compared);
        correct(&mut pooled);
        let by_number = by_number(&rates);
        Self { conditions: rows, comparisons, pooled, rates, by_number }
    }
}

/// Compares the conditions of the first world with each other over all worlds; nothing if there is one world.
fn pooled(conditions: &[Condition], cells: &[Vec<Option<Compared>>]) -> Vec<PairedComparison> {
    let first = conditions.iter().take_while(|it| it.world == conditions[0].world).count();
    let everywhere = |condition: &Condition| -> Vec<usize> {
        let same = |place: &usize| conditions[*place].shared_name() == condition.shared_name();
        (0..conditions.len()).filter(same).collect()
    };
    let mut all = Vec::new();
    for (one, other) in pairs(&conditions[..first]) {
        let (base, condition) = (&conditions[one], &conditions[other]);
        let (ones, others) = (everywhere(base), everywhere(condition));
        let worlds = |places: &[usize]| places.iter().map(|place| conditions[*place].world.clone()).collect::<Vec<_>>();
        let learns = base.books.learn.is_some() || condition.books.learn.is_some();
        if ones.len() < 2 || learns || worlds(&ones) != worlds(&others) {
            continue;
        }
        let joined =
            |places: &[usize]| places.iter().flat_map(|place| cells[*place].iter().copied()).collect::<Vec<_>>();
        let compared = compare((base, &joined(&ones)), (condition, &joined(&others)));
        let [against, condition] = [base, condition].map(|of| of.shared_name().to_owned());
        all.push(PairedComparison { against, condition, ..compared });
    }
    all
}
