//! Compares conditions over the same seeds.

use ltlcrit_statistics::{
    Bootstrap, Resampling, Test, holm, mcnemar_of_pairs, paired_difference, paired_improvement, sign_flip,
};
use serde::Serialize;

use super::condition::Condition;
use super::result::CellResult;

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
    /// The sign-flip test of the saved steps; `None`, as the other tests are, if a book was learned.
    pub steps: Option<Test>,
    /// The exact McNemar test of the goals.
    pub goals: Option<Test>,
    /// The exact McNemar test of safety; `None` unless laws are in force in both.
    pub safety: Option<Test>,
    /// The p-values of these tests, corrected for the comparisons of the batch.
    pub corrected: Corrected,
    /// The share of seeds on which the condition takes fewer steps; a tie counts as one half.
    pub improvement: Option<f64>,
}

/// P-values after Holm's correction over all tests of the same kind in a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Corrected {
    /// The corrected value of the steps.
    pub steps: Option<f64>,
    /// The corrected value of the goals.
    pub goals: Option<f64>,
    /// The corrected value of safety.
    pub safety: Option<f64>,
}

/// Corrects the p-values of all comparisons of a batch.
pub(super) fn correct(comparisons: &mut [PairedComparison]) {
    type Kind = (fn(&PairedComparison) -> Option<Test>, fn(&mut Corrected) -> &mut Option<f64>);
    let kinds: [Kind; 3] = [
        (|of| of.steps, |of| &mut of.steps),
        (|of| of.goals, |of| &mut of.goals),
        (|of| of.safety, |of| &mut of.safety),
    ];
    for (test, corrected) in kinds {
        let tested = || comparisons.iter().enumerate().filter_map(|(place, of)| Some((place, test(of)?.p)));
        let (places, values): (Vec<usize>, Vec<f64>) = tested().unzip();
        for (place, p) in places.into_iter().zip(holm(&values)) {
            *corrected(&mut comparisons[place].corrected) = Some(p);
        }
    }
}

/// The values of a finished cell that a comparison uses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Compared {
    pub goal: bool,
    /// True if the cell was safe; `None` if no law was in force.
    pub safe: Option<bool>,
    /// The number of steps. A cell without the goal counts as the limit.
    pub steps: f64,
}

impl Compared {
    pub(super) fn of(result: &CellResult, limit: u64) -> Self {
        let safe = result.is_watched().then_some(result.safe);
        Self { goal: result.goal, safe, steps: result.at_limit(limit) as f64 }
    }
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

/// Compares two conditions, given their cells in the order of the seeds; an unfinished cell is `None`. Cells under the
/// laws of one learning are one observation of learning, so comparisons with a learned book have no test.
pub(super) fn compare(
    (against, base): (&Condition, &[Option<Compared>]),
    (condition, cells): (&Condition, &[Option<Compared>]),
) -> PairedComparison {
    let both: Vec<(Compared, Compared)> = base.iter().zip(cells).filter_map(|(one, other)| one.zip(*other)).collect();
    let (before, after): (Vec<f64>, Vec<f64>) = both.iter().map(|(one, other)| (one.steps, other.steps)).unzip();
    let reached: (Vec<bool>, Vec<bool>) = both.iter().map(|(one, other)| (one.goal, other.goal)).unzip();
    let safe = both.iter().map(|(one, other)| one.safe.zip(other.safe)).collect::<Option<Vec<_>>>();
    let safe: Option<(Vec<bool>, Vec<bool>)> = safe.map(|pairs| pairs.into_iter().unzip());
    let is_tested = condition.books.learn.is_none() && against.books.learn.is_none();
    let tested = |test: Option<Test>| test.filter(|_| is_tested);
    PairedComparison {
        condition: condition.name.clone(),
        against: against.name.clone(),
        seeds: both.len(),
        saved: paired_difference(&before, &after, CONFIDENCE, Resampling::default()).ok(),
        steps: tested(sign_flip(&before, &after, Resampling::default()).ok()),
        goals: tested(mcnemar_of_pairs(&reached.0, &reached.1).ok()),
        safety: tested(safe.and_then(|(one, other)| mcnemar_of_pairs(&one, &other).ok())),
        corrected: Corrected::default(),
        improvement: paired_improvement(&before, &after).ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Plan;

    #[test]
    fn safety_is_tested_by_pairs_and_all_values_of_p_are_corrected() {
        let text = "name = \"a\"\nseeds = \"1-8\"\nbooks = { one = [\"minecraft-hard\"], two = [\"a.toml\"], three = [\"b.toml\"] }\n";
        let conditions = Plan::parse(text, "a").unwrap().conditions();
        let cells = |safe: fn(usize) -> Option<bool>| -> Vec<Option<Compared>> {
            (0..8).map(|seed| Some(Compared { goal: true, safe: safe(seed), steps: 10.0 })).collect()
        };
        let (none, all, unwatched) = (cells(|_| Some(false)), cells(|_| Some(true)), cells(|_| None));
        let of = |cells| compare((&conditions[0], &none), (&conditions[1], cells));
        let mut compared = [of(&all), of(&unwatched), of(&none)];
        correct(&mut compared);
        let rounded = |p: f64| (p * 256.0).round();
        let safety = compared.each_ref().map(|of| of.safety.map(|test| rounded(test.p)));
        assert_eq!(safety, [Some(2.0), None, Some(256.0)]);
        let corrected = compared.each_ref().map(|of| of.corrected.safety.map(rounded));
        assert_eq!(corrected, [Some(4.0), None, Some(256.0)]);
        assert_eq!(compared[0].corrected.steps, Some(1.0));
    }

    #[test]
    fn one_learning_has_no_value_of_p() {
        let text =
            "name = \"a\"\nseeds = \"1-8\"\nbooks = { none = [], learned = { learn = { seeds = \"11-12\" } } }\n";
        let conditions = Plan::parse(text, "a").unwrap().conditions();
        let cells = |steps: f64| -> Vec<Option<Compared>> {
            (0..8).map(|seed| Some(Compared { goal: true, safe: None, steps: steps + f64::from(seed) })).collect()
        };
        let compared = compare((&conditions[0], &cells(50.0)), (&conditions[1], &cells(40.0)));
        assert_eq!((compared.steps, compared.goals, compared.safety), (None, None, None));
        assert_eq!(compared.saved.unwrap().estimate, 10.0);
    }

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
