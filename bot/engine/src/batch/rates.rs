//! Success and safety rates over all worlds of a plan (Safety Chip, tables I and II and figure 4).

use ltlcrit_statistics::{Interval, wilson};
use serde::Serialize;

use super::comparison::CONFIDENCE;
use super::condition::Condition;
use super::result::CellResult;

/// The rates of the conditions that differ in their world alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rates {
    /// What the conditions share: their name without the world.
    pub condition: String,
    /// Whether a planner acts, which is no language model.
    pub planner: bool,
    /// Finished cells.
    pub done: u64,
    /// Those that reached the goal.
    pub successes: u64,
    /// The Wilson interval of their share.
    pub success_interval: Option<Interval>,
    /// Those in which no law was violated and, if the run stopped, none was owed anything.
    pub safe: u64,
    /// The Wilson interval of their share.
    pub safe_interval: Option<Interval>,
    /// Those that were both.
    pub safe_successes: u64,
}

/// Sums up rates, one result at a time.
pub(super) struct RatesTally {
    /// By condition: the place of its group.
    groups: Vec<usize>,
    rates: Vec<Rates>,
    worlds: usize,
}

impl RatesTally {
    /// No results yet.
    pub fn new(conditions: &[Condition]) -> Self {
        let mut rates: Vec<Rates> = Vec::new();
        let mut worlds: Vec<&str> = Vec::new();
        let group = |condition: &Condition| {
            let shared = condition.name.strip_prefix(&condition.world_label).unwrap_or(&condition.name);
            let shared = shared.trim_start_matches(", ");
            rates.iter().position(|rates| rates.condition == shared).unwrap_or_else(|| {
                rates.push(Rates {
                    condition: shared.to_owned(),
                    planner: condition.model.is_no_model(),
                    done: 0,
                    successes: 0,
                    success_interval: None,
                    safe: 0,
                    safe_interval: None,
                    safe_successes: 0,
                });
                rates.len() - 1
            })
        };
        let groups = conditions.iter().map(group).collect();
        for condition in conditions {
            if !worlds.contains(&condition.world_label.as_str()) {
                worlds.push(&condition.world_label);
            }
        }
        Self { groups, rates, worlds: worlds.len() }
    }

    /// Adds a result of a condition, by its number.
    pub fn add(&mut self, condition: usize, result: &CellResult) {
        let rates = &mut self.rates[self.groups[condition]];
        rates.done += 1;
        rates.successes += u64::from(result.goal);
        rates.safe += u64::from(result.safe);
        rates.safe_successes += u64::from(result.goal && result.safe);
    }

    /// The rates; none where there is one world, whose rows say as much.
    pub fn finish(self) -> Vec<Rates> {
        if self.worlds < 2 {
            return Vec::new();
        }
        let interval = |part: u64, whole: u64| wilson(part, whole, CONFIDENCE).ok();
        let with = |rates: Rates| Rates {
            success_interval: interval(rates.successes, rates.done),
            safe_interval: interval(rates.safe, rates.done),
            ..rates
        };
        self.rates.into_iter().map(with).collect()
    }
}
