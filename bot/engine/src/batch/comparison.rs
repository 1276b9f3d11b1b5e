//! Compares conditions over the same seeds.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use ltlcrit_statistics::{
    Bootstrap, Resampling, Test, holm, mcnemar_of_pairs, mean, nested_bootstrap, paired_difference, paired_improvement,
    sign_flip,
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
    /// The number of learnings that both finished cells of; `None` if no book was learned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learnings: Option<usize>,
    /// The steps that the condition saves. Cells without the goal count as the limit. Several learnings are drawn first, and then
    /// seeds within each.
    pub saved: Option<Bootstrap>,
    /// The sign-flip test of the saved steps: of seeds, or of the means of several learnings. `None`, as the other tests are, for
    /// one learning.
    pub steps: Option<Test>,
    /// The exact McNemar test of the goals; of several learnings the sign-flip test of their shares.
    pub goals: Option<Test>,
    /// The same test of safety; `None` unless laws are in force in both.
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
    pub seed: u64,
    pub goal: bool,
    /// True if the cell was safe; `None` if no law was in force.
    pub safe: Option<bool>,
    /// The number of steps. A cell without the goal counts as the limit.
    pub steps: f64,
}

impl Compared {
    pub(super) fn of(result: &CellResult, limit: u64) -> Self {
        let safe = result.is_watched().then_some(result.safe);
        Self { seed: result.seed, goal: result.goal, safe, steps: result.at_limit(limit) as f64 }
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

/// Returns the number of learnings that the cells of two conditions belong to, as pairs; `None` if no book was learned.
fn learnings(one: &Condition, other: &Condition) -> Option<NonZeroU64> {
    let of = |condition: &Condition| condition.books.learn.as_ref().map(|schedule| schedule.repeats);
    match (of(one), of(other)) {
        // Each learning of one meets several of the other, so nothing less than all of them is independent.
        (Some(one), Some(other)) if one != other => Some(NonZeroU64::MIN),
        (one, other) => one.or(other),
    }
}

/// Tests whether the means of several groups' differences are 0 on average.
fn test_of_groups(differences: Vec<Vec<f64>>) -> Option<Test> {
    let means: Vec<f64> = differences.iter().map(|its| mean(its).ok()).collect::<Option<_>>()?;
    sign_flip(&means, &vec![0.0; means.len()], Resampling::default()).ok()
}

/// Compares two conditions, given their cells in the order of the seeds; an unfinished cell is `None`. Cells under the
/// laws of one learning are one observation of learning, so a comparison with one learning has no test, and one with several
/// tests the learnings.
pub(super) fn compare(
    (against, base): (&Condition, &[Option<Compared>]),
    (condition, cells): (&Condition, &[Option<Compared>]),
) -> PairedComparison {
    let both: Vec<(Compared, Compared)> = base.iter().zip(cells).filter_map(|(one, other)| one.zip(*other)).collect();
    let (before, after): (Vec<f64>, Vec<f64>) = both.iter().map(|(one, other)| (one.steps, other.steps)).unzip();
    let safe = both.iter().map(|(one, other)| one.safe.zip(other.safe)).collect::<Option<Vec<(bool, bool)>>>();
    let groups =
        learnings(against, condition).map(|repeats| grouped(both.iter().map(|pair| (pair.0.seed % repeats, *pair))));
    let saved = |(one, other): &(Compared, Compared)| one.steps - other.steps;
    let of_flags = |one: bool, other: bool| f64::from(u8::from(one)) - f64::from(u8::from(other));
    let goals = |(one, other): &(Compared, Compared)| of_flags(one.goal, other.goal);
    let safety = |(one, other): &(Compared, Compared)| of_flags(one.safe == Some(true), other.safe == Some(true));
    let paired = || paired_difference(&before, &after, CONFIDENCE, Resampling::default()).ok();
    let mut row = PairedComparison {
        condition: condition.name.clone(),
        against: against.name.clone(),
        seeds: both.len(),
        learnings: groups.as_ref().map(Vec::len),
        saved: None,
        steps: None,
        goals: None,
        safety: None,
        corrected: Corrected::default(),
        improvement: paired_improvement(&before, &after).ok(),
    };
    match groups {
        Some(groups) if groups.len() > 1 => {
            let of = |difference: &dyn Fn(&(Compared, Compared)) -> f64| -> Vec<Vec<f64>> {
                groups.iter().map(|its| its.iter().map(difference).collect()).collect()
            };
            row.saved = nested_bootstrap(&of(&saved), mean_of, CONFIDENCE, Resampling::default()).ok();
            row.steps = test_of_groups(of(&saved));
            row.goals = test_of_groups(of(&goals));
            row.safety = safe.and_then(|_| test_of_groups(of(&safety)));
        }
        Some(_) => row.saved = paired(),
        None => {
            let mcnemar = |pairs: Vec<(bool, bool)>| {
                let (one, other): (Vec<bool>, Vec<bool>) = pairs.into_iter().unzip();
                mcnemar_of_pairs(&one, &other).ok()
            };
            row.saved = paired();
            row.steps = sign_flip(&before, &after, Resampling::default()).ok();
            row.goals = mcnemar(both.iter().map(|(one, other)| (one.goal, other.goal)).collect());
            row.safety = safe.and_then(mcnemar);
        }
    }
    row
}

/// Groups values by the number of their learning, in the order of the numbers.
pub(super) fn grouped<T>(values: impl Iterator<Item = (u64, T)>) -> Vec<Vec<T>> {
    let mut groups: BTreeMap<u64, Vec<T>> = BTreeMap::new();
    values.for_each(|(learning, value)| groups.entry(learning).or_default().push(value));
    groups.into_values().collect()
}

/// Returns the mean of a resample.
pub(super) fn mean_of(sample: &[&f64]) -> f64 {
    sample.iter().copied().sum::<f64>() / sample.len() as f64
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
            let cell = |seed: usize| Compared { seed: seed as u64, goal: true, safe: safe(seed), steps: 10.0 };
            (0..8).map(|seed| Some(cell(seed))).collect()
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

    /// Compares no laws with learned ones over seeds 0 to 19, given the steps that they save by seed.
    fn learned(repeats: u64, saved: impl Fn(u64) -> f64) -> PairedComparison {
        let text = format!(
            "name = \"a\"\nseeds = \"0-19\"\n\
             books = {{ none = [], learned = {{ learn = {{ seeds = \"101-102\", repeats = {repeats} }} }} }}\n"
        );
        let conditions = Plan::parse(&text, "a").unwrap().conditions();
        let cells = |steps: &dyn Fn(u64) -> f64| -> Vec<Option<Compared>> {
            let cell = |seed| Some(Compared { seed, goal: true, safe: None, steps: steps(seed) });
            (0..20).map(cell).collect()
        };
        let before = |seed: u64| 50.0 + seed as f64;
        let after = cells(&|seed| before(seed) - saved(seed));
        compare((&conditions[0], &cells(&before)), (&conditions[1], &after))
    }

    #[test]
    fn one_learning_has_no_value_of_p() {
        let compared = learned(1, |_| 10.0);
        assert_eq!((compared.steps, compared.goals, compared.safety), (None, None, None));
        assert_eq!((compared.saved.unwrap().estimate, compared.learnings), (10.0, Some(1)));
    }

    #[test]
    fn the_unit_of_several_learnings_is_the_learning() {
        // Learnings differ by 4 steps, and seeds within each by 1.
        let saved = |seed: u64| 10.0 + 4.0 * (seed % 5) as f64 + (seed / 5 % 2) as f64;
        let (one, five) = (learned(1, saved), learned(5, saved));
        assert_eq!(five.learnings, Some(5));
        assert!((five.steps.unwrap().p - 2.0 / 32.0).abs() < 1e-12, "all 5 learnings save: {:?}", five.steps);
        assert_eq!(five.goals.unwrap().p, 1.0);
        let width = |of: &PairedComparison| of.saved.unwrap().interval.high - of.saved.unwrap().interval.low;
        assert_eq!(one.saved.unwrap().estimate, five.saved.unwrap().estimate);
        assert!(width(&five) > 1.5 * width(&one), "{one:?} {five:?}");
    }

    #[test]
    fn every_learning_has_a_cell() {
        let plan = |seeds: &str| {
            let learn = "learn = { seeds = \"101-102\", repeats = 3 }";
            Plan::parse(&format!("name = \"a\"\nseeds = {seeds}\nbooks = {{ learned = {{ {learn} }} }}\n"), "a")
        };
        let conditions = plan("\"1-4\"").unwrap().conditions();
        let books: Vec<Vec<String>> = (1..=4).map(|seed| conditions[0].books_of(seed)).collect();
        assert_eq!(
            books.concat(),
            [2, 3, 0, 2].map(|number| match number {
                0 => "learned/1/learned.toml".to_owned(),
                number => format!("learned/1.{number}/learned.toml"),
            })
        );
        let error = plan("[1, 4, 7, 8]").unwrap_err();
        assert!(error.message.contains("`learned` has 3 learnings"), "{error:?}");
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
