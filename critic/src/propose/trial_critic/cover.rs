//! The laws of all actions: for each the cover of its bad states that pays most.

use std::collections::{BTreeMap, BTreeSet};

use ltlcrit_verifier::{ActionId, ActionSet, PropId, PropSet};

use super::search::{self, Found, Literal, Row};
use super::words::NAME;
use crate::cube::Cube;
use crate::evidence::Objective;
use crate::law::{KnownLaw, Restriction};
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

/// The weight of a choice that must stay open: more than all votes together are against its block.
const MUST_STAY: f64 = -1000.0;

/// The choices that laws must not block.
#[derive(Default)]
struct Kept {
    /// The last known way of their state to the goal.
    ways: BTreeSet<(PropSet, ActionId)>,
    /// The last action of their state.
    actions: BTreeSet<(PropSet, ActionId)>,
}

/// The laws for which the runs speak.
pub(super) fn laws(brief: &Brief<'_>) -> Vec<Found> {
    let actions = brief.trials.actions();
    let facts: BTreeMap<ActionId, Facts> = actions.iter().map(|action| (*action, facts(brief, *action))).collect();
    let mut kept = Kept::default();
    let mut found: BTreeMap<ActionId, Vec<Found>> = BTreeMap::new();
    let mut open = actions;
    for _ in 0..=MAX_ROUNDS {
        for action in &open {
            found.insert(*action, solve(brief, *action, &facts[action], &kept));
        }
        open = keep_ways(brief, &found, &mut kept.ways);
        open.extend(keep_actions(brief, &found, &mut kept.actions));
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

/// Marks the choice for whose block the runs speak least as the last one in each seen state that would have no action, and returns
/// the actions to solve again.
fn keep_actions(
    brief: &Brief<'_>,
    found: &BTreeMap<ActionId, Vec<Found>>,
    last: &mut BTreeSet<(PropSet, ActionId)>,
) -> BTreeSet<ActionId> {
    let (vocabulary, mut open) = (brief.vocabulary, BTreeSet::new());
    let others: Vec<_> = brief.laws.iter().filter(|law| !is_own(law)).collect();
    for state in brief.trials.states() {
        let elsewhere = others.iter().fold(ActionSet::EMPTY, |all, law| all.union(&law.blocked_at(state, vocabulary)));
        let left = || vocabulary.action_ids().filter(|it| Some(*it) != vocabulary.stop() && !elsewhere.contains(*it));
        let is_blocked = |action| found.get(&action).into_iter().flatten().any(|law| law.cube.holds(state));
        if !left().all(is_blocked) {
            continue;
        }
        let weight = |action: &ActionId| brief.trials.weight(state, *action);
        if let Some(action) = left().min_by(|one, other| weight(one).total_cmp(&weight(other)))
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

/// The conditions for one action.
fn solve(brief: &Brief<'_>, action: ActionId, facts: &Facts, kept: &Kept) -> Vec<Found> {
    let objective = &brief.trials.objective;
    let weigh = |state: &PropSet| match (*state, action) {
        choice if kept.actions.contains(&choice) => MUST_STAY,
        choice if kept.ways.contains(&choice) => brief.trials.weight_of_last(state, action),
        _ => brief.trials.weight(state, action),
    };
    let rows: Vec<Row> = brief.trials.states().map(|state| Row { state: *state, weight: weigh(state) }).collect();
    if !rows.iter().any(|row| row.weight > 0.0) {
        return Vec::new();
    }
    let literals = literals(&rows, facts, objective, brief.vocabulary.observations().len());
    let known = known(brief, action);
    let cover = Cover { action, rows: &rows, literals: &literals, objective, known: &known };
    // Covers that begin with the book's conditions, if it has any, and covers that begin afresh.
    let grown = Some(known.as_slice()).filter(|known| !known.is_empty());
    let begun = grown.into_iter().chain([[].as_slice()]);
    let covers = begun.flat_map(|first| SHUNNING.map(|shunned| cover.greedy(first, shunned)));
    // The first of equal ones.
    let best = covers.reduce(|best, other| if other.0 > best.0 + 1e-9 { other } else { best });
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

/// Returns whether a law is of this critic, which may take it back.
pub(super) fn is_own(law: &KnownLaw) -> bool {
    law.changeable && law.proposer.as_deref() == Some(NAME)
}

/// The conditions under which the critic's laws in force forbid an action.
fn known(brief: &Brief<'_>, action: ActionId) -> Vec<Cube> {
    let own = brief.laws.iter().filter(|law| is_own(law));
    let parts = own.filter_map(|law| law.restriction.as_ref()).flat_map(Restriction::parts);
    let of_action = parts.filter(|(_, blocked)| blocked.iter().eq([action]));
    of_action.filter_map(|(part, _)| Cube::read(&part.guard, brief.vocabulary)).collect()
}

/// The means of a cover of an action's states.
struct Cover<'a> {
    action: ActionId,
    rows: &'a [Row],
    literals: &'a [Literal],
    objective: &'a Objective,
    /// Conditions that are in force, so that nothing has to be said for them.
    known: &'a [Cube],
}

impl Cover<'_> {
    /// Takes the conditions of `first` that pay, and then greedily those that pay most, in a search that counts good states so
    /// many times. Returns what the cover pays by the objective.
    fn greedy(&self, first: &[Cube], shunned: f64) -> (f64, Vec<Found>) {
        let shun = |row: &Row| Row { weight: if row.weight < 0.0 { row.weight * shunned } else { row.weight }, ..*row };
        let mut left: Vec<Row> = self.rows.iter().map(shun).collect();
        let mut covered: Vec<bool> = vec![false; self.rows.len()];
        let (mut total, mut found) = (0.0, Vec::new());
        let mut first = first.iter();
        while found.len() < MAX_CONDITIONS {
            let known = first.next();
            let best = || search::best(&left, self.literals, self.objective.literals);
            let Some((score, cube)) = known.map(|cube| (f64::INFINITY, *cube)).or_else(best) else { break };
            if score < self.objective.threshold {
                break;
            }
            let new = |at: &usize| !covered[*at] && cube.holds(&self.rows[*at].state);
            let paid = (0..self.rows.len()).filter(new).map(|at| self.rows[at].weight).sum::<f64>() - self.cost(&cube);
            match known {
                Some(_) if paid <= 0.0 => continue,
                None if paid < self.objective.threshold => break,
                _ => {}
            }
            total += paid;
            found.push(Found { action: self.action, cube, score: paid });
            for (at, row) in left.iter_mut().enumerate().filter(|(_, row)| cube.holds(&row.state)) {
                covered[at] = true;
                row.weight = 0.0;
            }
        }
        (total, found)
    }

    fn cost(&self, cube: &Cube) -> f64 {
        if self.known.contains(cube) {
            return 0.0;
        }
        let of = self.literals.iter().filter(|literal| cube.has(literal.prop, literal.holds));
        of.map(|literal| literal.cost).sum::<f64>() + search::cost_of_length(cube.len())
    }
}
