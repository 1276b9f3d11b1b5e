//! Compares conditions over the same seeds.

use ltlcrit_statistics::{
    Bootstrap, Resampling, Test, mcnemar_of_pairs, paired_difference, paired_improvement, sign_flip,
};
use serde::Serialize;

use super::condition::Condition;

/// The confidence level of intervals.
pub const CONFIDENCE: f64 = 0.95;

/// A condition compared with another one over the seeds that both finished.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairedComparison {
    /// The condition.
    pub condition: String,
    /// The condition that it is compared with.
    pub against: String,
    /// The number of seeds that both finished.
    pub seeds: usize,
    /// The steps that the condition saves. Cells without the goal count as the limit.
    pub saved: Option<Bootstrap>,
    /// The sign-flip test of the saved steps.
    pub steps: Option<Test>,
    /// The exact McNemar test of the goals.
    pub goals: Option<Test>,
    /// The share of seeds on which the condition takes fewer steps; a tie counts as one half.
    pub improvement: Option<f64>,
}

/// The values of a finished cell that a comparison uses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compared {
    pub goal: bool,
    /// The number of steps. A cell without the goal counts as the limit.
    pub steps: f64,
}

/// Returns the pairs of conditions to compare, by index, the earlier one first. The first condition of each world is
/// paired with all others there. Conditions that differ only in books or only in settings are paired with each other.
pub(super) fn pairs(conditions: &[Condition]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for (place, one) in conditions.iter().enumerate() {
        let first = conditions[..place].iter().all(|earlier| earlier.world != one.world);
        let later = conditions.iter().enumerate().skip(place + 1);
        let compared = later.filter(|(_, other)| if first { other.world == one.world } else { other.one_apart(one) });
        pairs.extend(compared.map(|(later, _)| (place, later)));
    }
    pairs
}

/// Compares two conditions, given their cells in the order of the seeds; an unfinished cell is `None`.
pub(super) fn compare(
    (against, base): (&Condition, &[Option<Compared>]),
    (condition, cells): (&Condition, &[Option<Compared>]),
) -> PairedComparison {
    let both: Vec<(Compared, Compared)> = base.iter().zip(cells).filter_map(|(one, other)| one.zip(*other)).collect();
    let (before, after): (Vec<f64>, Vec<f64>) = both.iter().map(|(one, other)| (one.steps, other.steps)).unzip();
    let reached: (Vec<bool>, Vec<bool>) = both.iter().map(|(one, other)| (one.goal, other.goal)).unzip();
    PairedComparison {
        condition: condition.name.clone(),
        against: against.name.clone(),
        seeds: both.len(),
        saved: paired_difference(&before, &after, CONFIDENCE, Resampling::default()).ok(),
        steps: sign_flip(&before, &after, Resampling::default()).ok(),
        goals: mcnemar_of_pairs(&reached.0, &reached.1).ok(),
        improvement: paired_improvement(&before, &after).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Plan;

    #[test]
    fn each_world_has_its_first_condition_and_books_are_compared_within_their_actor() {
        let text = "name = \"a\"\nseeds = \"1\"\nactors = [\"naive\", \"saycan\"]\nworlds = [\"embedded\", \"pddl:x\"]\n\
                    books = { none = [], hard = [\"minecraft-hard\"], more = [\"a.toml\"] }\n";
        let conditions = Plan::parse(text, "a").unwrap().conditions();
        let compared = pairs(&conditions);
        let of_first: Vec<(usize, usize)> = compared.iter().copied().filter(|(one, _)| *one < 6).collect();
        assert_eq!(of_first, [(0, 1), (0, 2), (0, 3), (0, 4), (0, 5), (1, 2), (3, 4), (3, 5), (4, 5)]);
        let of_second: Vec<(usize, usize)> = compared.iter().copied().filter(|(one, _)| *one >= 6).collect();
        assert_eq!(of_second, of_first.iter().map(|(one, other)| (one + 6, other + 6)).collect::<Vec<_>>());
    }
}
