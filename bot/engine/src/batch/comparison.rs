//! Conditions compared over the same seeds.

use ltlcrit_statistics::{
    Bootstrap, Resampling, Test, mcnemar_of_pairs, paired_difference, paired_improvement, sign_flip,
};
use serde::Serialize;

use super::condition::Condition;

/// The coverage of intervals.
pub const CONFIDENCE: f64 = 0.95;

/// A condition compared with another one over the seeds that both finished.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairedComparison {
    /// The condition.
    pub condition: String,
    /// The one that it is compared with.
    pub against: String,
    /// The seeds that both finished.
    pub seeds: usize,
    /// The steps that the condition saves, those of cells without the goal counted at the limit.
    pub saved: Option<Bootstrap>,
    /// The sign-flip test of the same.
    pub steps: Option<Test>,
    /// The exact McNemar test of the goals.
    pub goals: Option<Test>,
    /// The share of seeds on which the condition takes fewer steps, ties counting one half.
    pub improvement: Option<f64>,
}

/// What a comparison needs of a finished cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compared {
    pub goal: bool,
    /// The steps, those of a cell without the goal counted at the limit.
    pub steps: f64,
}

/// The pairs of conditions that are compared, by their places, the earlier one first: the first condition of each world with
/// all others there, and those that differ in books alone or in settings alone with each
/// other.
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

/// Compares two conditions, given their cells in the order of the seeds; `None` for one that is not finished.
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
