//! Exact search for the shortest condition under which an action is bad.

use ltlcrit_verifier::{PropId, PropSet, Vocabulary};

use super::evidence::{Row, p_value};
use super::options::TrialCriticOptions;
use crate::cube::Cube;

/// The most conditions that one search looks at. Those of four literals over 34 observations are fewer.
const MOST_LOOKED_AT: usize = 2_000_000;

/// A condition and the evidence it covers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Found {
    pub cube: Cube,
    /// The number of runs with bad trials, summed over the states it covers; where no run tried the action, also over
    /// states that it was narrowed to exclude.
    pub weight: u32,
    /// The probability of this evidence if the action were bad too seldom, times the number of conditions compared.
    pub p: f64,
}

/// Sets of states by number.
type States = Vec<u64>;

struct Literal {
    prop: PropId,
    holds: bool,
    /// The states with evidence in which it is true.
    rows: States,
}

/// A search under way.
struct Search<'a> {
    rows: &'a [Row],
    /// States in which no run tried the action.
    untried: &'a [PropSet],
    literals: Vec<Literal>,
    derived: PropSet,
    options: TrialCriticOptions,
    weights: Vec<u32>,
    needed: States,
    /// The number of literals of the conditions that are looked for.
    length: usize,
    /// The number of such conditions, and the fewest bad trials with which one can pass.
    conditions: f64,
    fewest: f64,
    /// The number of conditions that may still be looked at.
    left: usize,
    /// The conditions that pass and cover most, and the weight that they cover.
    passed: Vec<Found>,
    most: u32,
}

/// The shortest condition, of at most [`TrialCriticOptions::literals`] literals, that holds where no row is needed and passes
/// the test. Of several it is the one that covers most bad trials; `None` if no condition passes.
///
/// The test is corrected for the number of conditions of the same length (Bonferroni), so that longer ones need more evidence.
/// After two million conditions the search ends with what it has found; that passes too, but a shorter one may exist that
/// covers more.
///
/// The condition is then *narrowed* to what the evidence contrasts. As far as literals are left, where another condition of the
/// same length covers the same trials, both must hold. Reasons must hold, however many literals that takes: what held in nearly
/// all trials it covers, and in nearly no needed one ([`TrialCriticOptions::contrast`]); what then held in every trial it covers,
/// but not in every needed one. As far as literals are left, so must what held in every trial of the action, good or bad. Those
/// that held in every trial come in the order in which they exclude most states in which a run was and did not try the action;
/// others say nothing.
/// Derived observations, of which there may be any number, are taken only where no other explains as much, and narrow nothing.
pub(super) fn condition(
    rows: &[Row],
    untried: &[PropSet],
    vocabulary: &Vocabulary,
    options: TrialCriticOptions,
) -> Option<Found> {
    let observations = vocabulary.observations().len();
    let literal = |prop: PropId, holds: bool| Literal {
        prop,
        holds,
        rows: states(rows.iter().map(|row| row.state.contains(prop) == holds)),
    };
    let literals = (0..observations as u16).flat_map(|prop| [(PropId(prop), true), (PropId(prop), false)]);
    let mut search = Search {
        rows,
        untried,
        literals: literals.map(|(prop, holds)| literal(prop, holds)).collect(),
        derived: vocabulary.derived(),
        options,
        weights: rows.iter().map(Row::weight).collect(),
        needed: states(rows.iter().map(|row| row.needed)),
        length: 0,
        conditions: 1.0,
        fewest: 0.0,
        left: MOST_LOOKED_AT,
        passed: Vec::new(),
        most: 1,
    };
    let all = states(rows.iter().map(|_| true));
    for length in 0..=options.literals {
        search.length = length;
        search.conditions =
            (0..length).fold(1.0, |number, at| number * (observations - at) as f64 * 2.0 / (at + 1) as f64);
        search.fewest = (options.significance / search.conditions).ln() / (1.0 - options.tolerance).ln();
        search.extend(0, &Cube::default(), &all);
        if let Some(first) = search.passed.iter().min_by_key(|found| search.derived_in(&found.cube).len()) {
            return Some(search.narrowed(first));
        }
    }
    None
}

impl Search<'_> {
    /// Considers conditions that have these literals and more, from one on.
    fn extend(&mut self, from: usize, cube: &Cube, rows: &States) {
        let Some(left) = self.left.checked_sub(1) else { return };
        self.left = left;
        let weight = members(rows).map(|row| self.weights[row]).sum::<u32>();
        if weight < self.most || f64::from(weight) < self.fewest {
            return;
        }
        if cube.len() < self.length {
            for at in from..self.literals.len() {
                let literal = &self.literals[at];
                let fewer = and(rows, &literal.rows);
                // What says nothing more did not pass when it was shorter, either.
                if fewer != *rows {
                    self.extend(at + 1, &cube.with(literal.prop, literal.holds), &fewer);
                }
            }
            return;
        }
        if let Some(found) = self.judged(cube, rows, weight) {
            if weight > self.most {
                (self.most, self.passed) = (weight, Vec::new());
            }
            self.passed.push(found);
        }
    }

    /// A condition that holds in these rows, of this weight, if it passes.
    fn judged(&self, cube: &Cube, rows: &States, weight: u32) -> Option<Found> {
        // A law cites an executed action.
        let cited = members(rows).any(|row| !self.rows[row].bad.is_empty());
        if !cited || and(rows, &self.needed).iter().any(|word| *word != 0) {
            return None;
        }
        let sum = |count: fn(&Row) -> u32| members(rows).map(|row| count(&self.rows[row])).sum::<u32>();
        if f64::from(sum(|row| row.gained)) > self.options.exceptions * f64::from(sum(Row::bad)) {
            return None;
        }
        let p = p_value(weight, weight + sum(|row| row.open), self.options.tolerance) * self.conditions;
        (p <= self.options.significance).then_some(Found { cube: *cube, weight, p })
    }

    /// A condition found with the literals that narrow it to what the evidence contrasts.
    fn narrowed(&self, found: &Found) -> Found {
        let mut cube = found.cube;
        for other in &self.passed {
            let both = cube.and(&other.cube);
            let derives_no_more = self.derived_in(&both) == self.derived_in(&found.cube);
            if derives_no_more && both.len() <= self.options.literals && self.weight(&both) == found.weight {
                cube = both;
            }
        }
        let found = self.with_reasons(&Found { cube, ..*found });
        let mut cube = found.cube;
        let all_have = |rows: &States, literal: &Literal| and(rows, &literal.rows) == *rows;
        let bad = states(self.rows.iter().map(|row| row.bad() > 0 && found.cube.holds(&row.state)));
        let contrasts = |literal: &&Literal| all_have(&bad, literal) && !all_have(&self.needed, literal);
        self.narrow(&mut cube, contrasts, usize::MAX);
        let tried = states(self.rows.iter().map(Row::was_tried));
        self.narrow(&mut cube, |literal| all_have(&tried, literal), self.options.literals);
        Found { cube, ..found }
    }

    /// A condition with the literals that tell nearly all bad trials it covers from nearly all needed ones.
    fn with_reasons(&self, found: &Found) -> Found {
        let size = |states: &States| members(states).count() as f64;
        let needed = size(&self.needed);
        if needed == 0.0 {
            return found.clone();
        }
        let seldom_needed =
            |literal: &&Literal| size(&and(&self.needed, &literal.rows)) <= self.options.contrast * needed;
        let enough = f64::from(found.weight) * (1.0 - self.options.contrast);
        let mut narrower = found.clone();
        for literal in self.narrowing().filter(seldom_needed) {
            let cube = narrower.cube.with(literal.prop, literal.holds);
            let weight = self.weight(&cube);
            if cube != narrower.cube && f64::from(weight) >= enough {
                let rows = states(self.rows.iter().map(|row| cube.holds(&row.state)));
                narrower = self.judged(&cube, &rows, weight).unwrap_or(narrower);
            }
        }
        narrower
    }

    /// The literals that may narrow a condition: those that are not about derived observations.
    fn narrowing(&self) -> impl Iterator<Item = &Literal> {
        self.literals.iter().filter(|literal| !self.derived.contains(literal.prop))
    }

    /// The derived observations of a condition.
    fn derived_in(&self, cube: &Cube) -> PropSet {
        self.derived.intersection(&cube.positive.union(&cube.negative))
    }

    /// The weight that a condition covers.
    fn weight(&self, cube: &Cube) -> u32 {
        let weighed = self.rows.iter().zip(&self.weights).filter(|(row, _)| cube.holds(&row.state));
        weighed.map(|(_, weight)| weight).sum()
    }

    /// Adds literals up to a length, those first that exclude most states without evidence, until none excludes any.
    fn narrow(&self, cube: &mut Cube, candidate: impl Fn(&&Literal) -> bool, most: usize) {
        let mut candidates: Vec<&Literal> = self.narrowing().filter(candidate).collect();
        let reach = |cube: &Cube| self.untried.iter().filter(|state| cube.holds(state)).count();
        while cube.len() < most {
            candidates.retain(|literal| !cube.has(literal.prop, literal.holds));
            let Some(next) = candidates.iter().min_by_key(|literal| reach(&cube.with(literal.prop, literal.holds)))
            else {
                break;
            };
            let longer = cube.with(next.prop, next.holds);
            if reach(&longer) == reach(cube) {
                break;
            }
            *cube = longer;
        }
    }
}

fn states(members: impl Iterator<Item = bool>) -> States {
    let mut states = States::new();
    for (at, is) in members.enumerate() {
        if at % 64 == 0 {
            states.push(0);
        }
        if let (Some(word), true) = (states.last_mut(), is) {
            *word |= 1 << (at % 64);
        }
    }
    states
}

fn and(one: &States, other: &States) -> States {
    one.iter().zip(other).map(|(one, other)| one & other).collect()
}

fn members(states: &States) -> impl Iterator<Item = usize> {
    states
        .iter()
        .enumerate()
        .flat_map(|(at, word)| (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| at * 64 + bit))
}
