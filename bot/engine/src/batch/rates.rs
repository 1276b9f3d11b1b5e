//! Success and safety rates over all worlds of a plan (Safety Chip, tables I and II and figure 4).

use ltlcrit_statistics::{Interval, wilson};
use ltlcrit_store::End;
use serde::Serialize;

use super::comparison::CONFIDENCE;
use super::condition::{Condition, without_number};
use super::result::CellResult;

/// The rates of conditions that differ only in their world.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Rates {
    /// The name that the conditions share, without the world.
    pub condition: String,
    /// True if a planner acts, which is not a language model.
    pub planner: bool,
    /// The number of finished cells.
    pub done: u64,
    /// The number of finished cells that reached the goal.
    pub successes: u64,
    /// The Wilson interval of the share of successes.
    pub success_interval: Option<Interval>,
    /// The number of safe cells: no law was violated, and a stopped run left no law pending. `null` if no law was in
    /// force.
    pub safe: Option<u64>,
    /// The Wilson interval of the share of safe cells.
    pub safe_interval: Option<Interval>,
    /// The number of cells that were safe and reached the goal.
    pub safe_successes: Option<u64>,
    /// The number of safe cells that ended because the laws left no way to the goal, or no action.
    pub aborted: Option<u64>,
}

impl Rates {
    /// Adds the finished cells of a condition to the rates of conditions that differ from it only in their world.
    pub(super) fn add(all: &mut Vec<Self>, condition: &Condition, done: &[&CellResult]) {
        let shared = condition.shared_name();
        let place = all.iter().position(|rates| rates.condition == shared).unwrap_or_else(|| {
            let planner = condition.model.is_no_model();
            all.push(Self { condition: shared.to_owned(), planner, ..Self::default() });
            all.len() - 1
        });
        let rates = &mut all[place];
        for result in done {
            rates.done += 1;
            rates.successes += u64::from(result.goal);
            if result.is_watched() {
                *rates.safe.get_or_insert(0) += u64::from(result.safe);
                *rates.safe_successes.get_or_insert(0) += u64::from(result.goal && result.safe);
                let aborted = matches!(result.end, End::Impossible { .. } | End::NothingAllowed { .. });
                *rates.aborted.get_or_insert(0) += u64::from(aborted && result.safe);
            }
        }
        rates.success_interval = wilson(rates.successes, rates.done, CONFIDENCE).ok();
        rates.safe_interval = rates.safe.and_then(|safe| wilson(safe, rates.done, CONFIDENCE).ok());
    }
}

/// The rates of conditions that differ only in their world and in a number: that of the laws in force.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatesByNumber {
    /// The name that the conditions share, without world and number.
    pub condition: String,
    /// The numbers, in increasing order.
    pub numbers: Vec<u64>,
    /// The share of finished cells that reached the goal, by number; `null` if none has finished.
    pub success: Vec<Option<f64>>,
    /// The share of finished cells that were safe, by number.
    pub safe: Vec<Option<f64>>,
    /// The share of all cells that reached the goal.
    pub mean_success: Option<f64>,
    /// The share of all cells that were safe.
    pub mean_safe: Option<f64>,
}

/// Groups rates whose conditions end with a number, such as `chip, 3`; a group needs two numbers.
pub(super) fn by_number(rates: &[Rates]) -> Vec<RatesByNumber> {
    let mut groups: Vec<(String, Vec<(u64, &Rates)>)> = Vec::new();
    for rates in rates {
        let Some((name, number)) = without_number(&rates.condition) else { continue };
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, its)) => its.push((number, rates)),
            None => groups.push((name.to_owned(), vec![(number, rates)])),
        }
    }
    groups.retain(|(_, its)| its.len() > 1);
    let share = |part: u64, whole: u64| (whole > 0).then(|| part as f64 / whole as f64);
    let row = |(condition, mut its): (String, Vec<(u64, &Rates)>)| {
        its.sort_by_key(|(number, _)| *number);
        let sum = |of: fn(&Rates) -> Option<u64>| its.iter().map(|(_, rates)| of(rates)).sum::<Option<u64>>();
        let mean = |of: fn(&Rates) -> Option<u64>| share(sum(of)?, sum(|rates| Some(rates.done))?);
        RatesByNumber {
            condition,
            numbers: its.iter().map(|(number, _)| *number).collect(),
            success: its.iter().map(|(_, it)| share(it.successes, it.done)).collect(),
            safe: its.iter().map(|(_, it)| share(it.safe?, it.done)).collect(),
            mean_success: mean(|rates| Some(rates.successes)),
            mean_safe: mean(|rates| rates.safe.or((rates.done == 0).then_some(0))),
        }
    };
    groups.into_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_that_differ_in_a_number_are_one_row() {
        let rates = |condition: &str, done, successes, safe| Rates {
            condition: condition.to_owned(),
            planner: true,
            done,
            successes,
            success_interval: None,
            safe: (done > 0).then_some(safe),
            safe_interval: None,
            safe_successes: None,
            aborted: None,
        };
        let all = [
            rates("chip, 10", 4, 3, 4),
            rates("chip, 2", 4, 4, 4),
            rates("watched, 2", 0, 0, 0),
            rates("watched, 10", 4, 4, 1),
            rates("other", 4, 4, 4),
            rates("alone, 3", 4, 4, 4),
        ];
        let rows = by_number(&all);
        let names: Vec<&str> = rows.iter().map(|row| row.condition.as_str()).collect();
        assert_eq!(names, ["chip", "watched"]);
        assert_eq!((&rows[0].numbers[..], &rows[0].success[..]), (&[2, 10][..], &[Some(1.0), Some(0.75)][..]));
        assert_eq!((rows[0].mean_success, rows[0].mean_safe), (Some(0.875), Some(1.0)));
        assert_eq!((&rows[1].safe[..], rows[1].mean_safe), (&[None, Some(0.25)][..], Some(0.25)));
    }
}
