//! The laws of all actions: for each the cover of its bad states that pays most.

use std::collections::{BTreeMap, BTreeSet};

use ltlcrit_verifier::{ActionId, PropId, PropSet};

use super::search::{self, Found, Literal, Row};
use crate::cube::Cube;
use crate::evidence::Objective;
use crate::propose::Brief;

/// The most conditions of one action.
const MAX_CONDITIONS: usize = 12;
/// The most rounds in which states get a way back.
const MAX_ROUNDS: usize = 10;
/// Greedy covers that shun good states by these factors are compared by the one objective: the best single condition is often a
/// merger of two right ones.
const SHUNNING: [f64; 3] = [1.0, 4.0, 1000.0];
/// Words of the names of observations that name no thing.
const NO_THINGS: [&str; 8] = ["obs", "action", "has", "near", "chunk", "equipped", "the", "and"];

/// Properties of an action besides its weights.
struct Facts {
    /// The observations that it changed, that held before each success, or that its name or its failures speak of.
    causal: PropSet,
    /// The share of its executions that failed.
    failed: f64,
}

/// The laws for which the runs speak.
pub(super) fn laws(brief: &Brief<'_>) -> Vec<Found> {
    let actions = brief.trials.actions();
    let facts: BTreeMap<ActionId, Facts> = actions.iter().map(|action| (*action, facts(brief, *action))).collect();
    let mut last: BTreeSet<(PropSet, ActionId)> = BTreeSet::new();
    let mut found: BTreeMap<ActionId, Vec<Found>> = BTreeMap::new();
    let mut open = actions;
    for _ in 0..=MAX_ROUNDS {
        for action in &open {
            found.insert(*action, solve(brief, *action, &facts[action], &last));
        }
        open = keep_ways(brief, &found, &mut last);
        if open.is_empty() {
            break;
        }
    }
    found.into_values().flatten().collect()
}

/// Marks a choice as the last one in each state whose known ways are all blocked, and returns the actions to solve again.
fn keep_ways(
    brief: &Brief<'_>,
    found: &BTreeMap<ActionId, Vec<Found>>,
    last: &mut BTreeSet<(PropSet, ActionId)>,
) -> BTreeSet<ActionId> {
    let mut open = BTreeSet::new();
    for (state, ways) in &brief.trials.ways {
        let score = |action: &ActionId| {
            let laws = found.get(action).into_iter().flatten().filter(|law| law.cube.holds(state));
            laws.map(|law| law.score).reduce(f64::max)
        };
        let scores: Vec<(f64, ActionId)> = ways.keys().map_while(|action| Some((score(action)?, *action))).collect();
        if scores.len() < ways.len() {
            continue;
        }
        if let Some((_, action)) = scores.into_iter().min_by(|one, other| one.0.total_cmp(&other.0))
            && last.insert((*state, action))
        {
            open.insert(action);
        }
    }
    open
}

fn facts(brief: &Brief<'_>, action: ActionId) -> Facts {
    let (mut changed, mut always): (PropSet, Option<PropSet>) = (PropSet::EMPTY, None);
    let (mut made, mut failed) = (0u32, 0u32);
    let mut messages: BTreeSet<&str> = BTreeSet::new();
    for run in brief.graph.runs() {
        for (at, step) in run.steps().iter().enumerate().filter(|(_, step)| step.action == action) {
            made += 1;
            if step.failure.is_some() {
                failed += 1;
                messages.extend(step.message.as_deref());
                continue;
            }
            let before = run.state_before(at);
            changed = changed.union(&before.difference(&step.to)).union(&step.to.difference(&before));
            always = Some(always.map_or(before, |always| always.intersection(&before)));
        }
    }
    let mut said = words(brief.vocabulary.action_name(action));
    said.extend(messages.into_iter().flat_map(words));
    let named = brief.vocabulary.observations().iter().filter(|one| !words(&one.name).is_disjoint(&said));
    let named = named.filter_map(|one| brief.vocabulary.id(&one.name));
    let causal = named.fold(changed.union(&always.unwrap_or_default()), |mut all, prop| {
        all.insert(prop);
        all
    });
    Facts { causal, failed: f64::from(failed) / f64::from(made.max(1)) }
}

/// The words of a text that may name a thing, in the singular.
fn words(text: &str) -> BTreeSet<String> {
    let text = text.to_lowercase();
    let words = text.split(|letter: char| !letter.is_ascii_lowercase()).filter(|word| word.len() > 2);
    let singular = |word: &str| word.strip_suffix('s').filter(|one| one.len() > 2).unwrap_or(word).to_owned();
    words.map(singular).filter(|word| !NO_THINGS.contains(&word.as_str())).collect()
}

/// The conditions for one action; `last` are the choices that count as the last way of their state.
fn solve(brief: &Brief<'_>, action: ActionId, facts: &Facts, last: &BTreeSet<(PropSet, ActionId)>) -> Vec<Found> {
    let objective = &brief.trials.objective;
    let weigh = |state: &PropSet| match last.contains(&(*state, action)) {
        true => brief.trials.weight_of_last(state, action),
        false => brief.trials.weight(state, action),
    };
    let rows: Vec<Row> = brief.trials.states().map(|state| Row { state: *state, weight: weigh(state) }).collect();
    if !rows.iter().any(|row| row.weight > 0.0) {
        return Vec::new();
    }
    let literals = literals(&rows, facts, objective, brief.vocabulary.observations().len());
    let covers = SHUNNING.map(|shunned| cover(action, &rows, &literals, objective, shunned));
    // The first of equal ones.
    let best = covers.into_iter().reduce(|best, other| if other.0 > best.0 + 1e-9 { other } else { best });
    best.map(|(_, found)| found).unwrap_or_default()
}

/// The literals that vary over the states, with their costs.
fn literals(rows: &[Row], facts: &Facts, objective: &Objective, observations: usize) -> Vec<Literal> {
    let ever = rows.iter().fold(PropSet::EMPTY, |all, row| all.union(&row.state));
    let always = rows.iter().fold(PropSet::first(observations), |all, row| all.intersection(&row.state));
    let vary: Vec<PropId> = ever.difference(&always).iter().collect();
    let causal = vary.iter().filter(|prop| facts.causal.contains(**prop)).count().max(1);
    let any = (1.0 - objective.causal) / (2.0 * vary.len().max(1) as f64);
    let cost = |prop: PropId, holds: bool| {
        let causal = if facts.causal.contains(prop) { objective.causal / (2.0 * causal as f64) } else { 0.0 };
        let positive = if holds { objective.positive * facts.failed } else { 0.0 };
        positive - (causal + any).ln()
    };
    let both = vary.iter().flat_map(|prop| [(*prop, true), (*prop, false)]);
    both.map(|(prop, holds)| Literal { prop, holds, cost: cost(prop, holds) }).collect()
}

/// A greedy cover whose search counts good states so many times, with what it pays by the objective.
fn cover(
    action: ActionId,
    rows: &[Row],
    literals: &[Literal],
    objective: &Objective,
    shunned: f64,
) -> (f64, Vec<Found>) {
    let shun = |row: &Row| Row { weight: if row.weight < 0.0 { row.weight * shunned } else { row.weight }, ..*row };
    let mut left: Vec<Row> = rows.iter().map(shun).collect();
    let mut covered: Vec<bool> = vec![false; rows.len()];
    let (mut total, mut found) = (0.0, Vec::new());
    while found.len() < MAX_CONDITIONS {
        let Some((score, cube)) = search::best(&left, literals, objective.literals) else { break };
        if score < objective.threshold {
            break;
        }
        let new = |at: &usize| !covered[*at] && cube.holds(&rows[*at].state);
        let paid = (0..rows.len()).filter(new).map(|at| rows[at].weight).sum::<f64>() - cost(&cube, literals);
        if paid < objective.threshold {
            break;
        }
        total += paid;
        found.push(Found { action, cube, score: paid });
        for (at, row) in left.iter_mut().enumerate().filter(|(_, row)| cube.holds(&row.state)) {
            covered[at] = true;
            row.weight = 0.0;
        }
    }
    (total, found)
}

fn cost(cube: &Cube, literals: &[Literal]) -> f64 {
    let of = literals.iter().filter(|literal| cube.has(literal.prop, literal.holds));
    of.map(|literal| literal.cost).sum::<f64>() + search::cost_of_length(cube.len())
}
