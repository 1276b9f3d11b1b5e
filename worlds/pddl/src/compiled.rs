//! Names under which the original validator accepts actions with conditional effects.
//!
//! The original compiles conditional effects away. An action with `k` of them becomes up to `2^k` *variants*, one for
//! each set of conditions that hold. Their names are `toggle`, `toggle_0`, `toggle_1` and so on. A plan is tried with
//! all variants of each of its actions; a variant that a plan names literally is accepted, too. Here all variants of an
//! action together are the action itself, so nothing is tried twice. Only steps that name some of them are followed as
//! variants.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::model::{Condition, Effect, Problem};
use crate::semantics::{OutOfWork, Work};

/// Maximum number of conditional effects of an action that is followed by variants. With more, it has its own name
/// only.
pub(crate) const MAX_CONDITIONAL: usize = 8;

/// An action that a step of a plan may denote.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// The action.
    pub action: usize,
    /// The conditions of the action that hold, for a single variant.
    pub pattern: Option<u32>,
}

/// Maximum number of variants of all actions together. Actions declared after it is reached have their own names only.
pub(crate) const MAX_VARIANTS: usize = 1 << 16;

/// The compiled actions of a problem.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    /// The action of each name as spelled in the domain. Several names may be a prefix of a step's word; the first
    /// declared counts.
    spelled: FxHashMap<Arc<str>, usize>,
    /// The lengths of those names, sorted.
    lengths: Vec<usize>,
    /// The conditions of each action's conditional effects.
    conditions: Vec<Vec<Condition>>,
    /// The variants in order, with their names.
    variants: Vec<(String, Candidate)>,
    by_name: FxHashMap<String, usize>,
    /// The number of variants of each action.
    counts: Vec<usize>,
    /// The variants of each action that have its name, with or without a number.
    named: Vec<Vec<usize>>,
}

impl Compiled {
    pub fn of(problem: &Problem) -> Self {
        let actions = &problem.domain.actions;
        let mut compiled = Self {
            spelled: actions.iter().enumerate().map(|(number, action)| (action.name.clone(), number)).collect(),
            lengths: actions.iter().map(|action| action.name.len()).collect(),
            conditions: Vec::with_capacity(actions.len()),
            variants: Vec::new(),
            by_name: FxHashMap::default(),
            counts: Vec::with_capacity(actions.len()),
            named: vec![Vec::new(); actions.len()],
        };
        compiled.lengths.sort_unstable();
        compiled.lengths.dedup();
        // The lowest number that may be free, by name.
        let mut numbers = FxHashMap::default();
        for (number, action) in actions.iter().enumerate() {
            let mut conditions = Vec::new();
            let unconditional = conditional(&action.effect, &mut Vec::new(), &mut conditions);
            if conditions.len() > MAX_CONDITIONAL || compiled.variants.len() + (1 << conditions.len()) > MAX_VARIANTS {
                conditions.clear();
            }
            let patterns = patterns(&action.precondition, &conditions, unconditional);
            compiled.counts.push(patterns.len());
            for pattern in patterns {
                let pattern = (!conditions.is_empty()).then_some(pattern);
                let name = compiled.free_name(&action.name, numbers.entry(&*action.name).or_default());
                compiled.add(name, Candidate { action: number, pattern });
            }
            compiled.conditions.push(conditions);
        }
        compiled
    }

    fn add(&mut self, name: String, candidate: Candidate) {
        let number = self.variants.len();
        for own in [Some(&*name), without_number(&name)].into_iter().flatten() {
            if let Some(action) = self.spelled.get(own) {
                self.named[*action].push(number);
            }
        }
        self.by_name.insert(name.clone(), number);
        self.variants.push((name, candidate));
    }

    /// Returns the conditions of an action's conditional effects.
    pub fn conditions(&self, action: usize) -> &[Condition] {
        &self.conditions[action]
    }

    /// Returns the actions that a step may denote, by its first word. The word stands directly after the parenthesis
    /// (`glued`), or between single spaces (`spaced`). The compared names are charged.
    pub fn candidates(&self, word: &str, glued: bool, spaced: bool, work: &Work) -> Result<Vec<Candidate>, OutOfWork> {
        let whole = || self.spelled.get_key_value(word).filter(|_| spaced);
        let begins = |length: &usize| word.get(..*length).and_then(|name| self.spelled.get_key_value(name));
        let hit = match glued {
            true => self.lengths.iter().filter_map(begins).chain(whole()).min_by_key(|(_, action)| **action),
            false => whole(),
        };
        let Some((name, action)) = hit else {
            work.spend(1)?;
            return Ok(self.merged(std::iter::once(word.to_lowercase())));
        };
        let (suffix, named) = (&word[name.len()..], &self.named[*action]);
        work.spend(1 + named.len() as u64)?;
        let names = named.iter().map(|variant| format!("{}{suffix}", self.variants[*variant].0).to_lowercase());
        Ok(self.merged(names))
    }

    /// Returns the candidates of these names. All variants of an action together are merged into the action.
    fn merged(&self, names: impl Iterator<Item = String>) -> Vec<Candidate> {
        let found = names.filter_map(|name| self.by_name.get(&name)).map(|variant| &self.variants[*variant].1);
        let mut candidates: Vec<Candidate> = found.cloned().collect();
        candidates.dedup();
        let mut counts: FxHashMap<usize, usize> = FxHashMap::default();
        candidates.iter().for_each(|candidate| *counts.entry(candidate.action).or_default() += 1);
        let is_whole = |of: &Candidate| counts.get(&of.action) == Some(&self.counts[of.action]);
        let (whole, mut single): (Vec<Candidate>, Vec<Candidate>) = candidates.into_iter().partition(is_whole);
        let mut seen = FxHashSet::default();
        let whole = whole.into_iter().map(|of| of.action).filter(|action| seen.insert(*action));
        single.extend(whole.map(|action| Candidate { action, pattern: None }));
        single
    }

    fn free_name(&self, name: &str, next: &mut u32) -> String {
        if !self.by_name.contains_key(name) {
            return name.to_owned();
        }
        loop {
            let numbered = format!("{name}_{next}");
            *next += 1;
            if !self.by_name.contains_key(&numbered) {
                return numbered;
            }
        }
    }
}

/// Returns a compiled name without the `_` or `-` and digits at its end, if it has them.
fn without_number(compiled: &str) -> Option<&str> {
    let name = compiled.trim_end_matches(|c: char| c.is_ascii_digit());
    name.strip_suffix(['_', '-']).filter(|_| name.len() < compiled.len())
}

/// Collects the conditions of conditional effects, at most one more than [`MAX_CONDITIONAL`]. Returns whether there are
/// unconditional effects. Effects below `forall` count as unconditional.
fn conditional<'a>(effect: &'a Effect, outer: &mut Vec<&'a Condition>, into: &mut Vec<Condition>) -> bool {
    match effect {
        Effect::And(parts) => {
            parts.iter().fold(false, |unconditional, part| conditional(part, outer, into) | unconditional)
        }
        Effect::When(condition, effect) => {
            outer.push(condition);
            let unconditional = conditional(effect, outer, into);
            outer.pop();
            unconditional
        }
        _ if outer.is_empty() => true,
        _ => {
            if into.len() <= MAX_CONDITIONAL {
                into.push(match &outer[..] {
                    [one] => (*one).clone(),
                    many => Condition::And(many.iter().copied().cloned().collect()),
                });
            }
            false
        }
    }
}

/// Returns the sets of conditions that make a variant, in the original's order: by size, then in the order of the
/// effects. Contradictory sets and sets without an effect are left out. If no effect is unconditional, the variant
/// without effects comes last.
fn patterns(precondition: &Condition, conditions: &[Condition], unconditional: bool) -> Vec<u32> {
    let count = conditions.len();
    let mut sets: Vec<u32> = (0..1 << count).collect();
    // Among sets of one size, the one with the earlier members comes first.
    sets.sort_by_key(|set: &u32| (set.count_ones(), std::cmp::Reverse(set.reverse_bits())));
    // The members of a set are the precondition and each condition as it holds or does not hold. Two members contradict
    // each other by a literal, so sets need not be compared by literals.
    let mut members: Vec<(&Condition, bool)> = vec![(precondition, true)];
    members.extend(conditions.iter().flat_map(|condition| [(condition, false), (condition, true)]));
    let literals: Vec<Option<FxHashSet<(&Condition, bool)>>> = members
        .iter()
        .map(|(condition, holds)| {
            let mut parts = Vec::new();
            flatten(condition, *holds, &mut parts).then(|| parts.into_iter().collect())
        })
        .collect();
    let agree = |a: usize, b: usize| match (&literals[a], &literals[b]) {
        (Some(a), Some(b)) => !a.iter().any(|(part, holds)| b.contains(&(*part, !holds))),
        _ => false,
    };
    let agreements: Vec<Vec<bool>> = (0..members.len()).map(|a| (0..=a).map(|b| agree(a, b)).collect()).collect();
    let consistent = |set: &u32| {
        let chosen: Vec<usize> =
            std::iter::once(0).chain((0..count).map(|at| 1 + 2 * at + (set >> at & 1) as usize)).collect();
        chosen.iter().all(|a| chosen.iter().filter(|b| *b <= a).all(|b| agreements[*a][*b]))
    };
    let only_conditional = count > 0 && !unconditional;
    let mut patterns: Vec<u32> =
        sets.into_iter().filter(|set| !(only_conditional && *set == 0)).filter(consistent).collect();
    if only_conditional && consistent(&0) {
        patterns.push(0);
    }
    patterns
}

/// Collects the literals of a conjunction, as far as the original simplifies it. Returns whether none of them is false.
fn flatten<'a>(condition: &'a Condition, holds: bool, into: &mut Vec<(&'a Condition, bool)>) -> bool {
    match (condition, holds) {
        (Condition::And(parts), true) => parts.iter().all(|part| flatten(part, true, into)),
        (Condition::And(parts), false) if parts.is_empty() => false,
        (Condition::Or(parts), true) if parts.is_empty() => false,
        (Condition::And(parts) | Condition::Or(parts), _) if parts.len() == 1 => flatten(&parts[0], holds, into),
        (Condition::Not(part), _) => flatten(part, !holds, into),
        (other, _) => {
            into.push((other, holds));
            true
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::Domain;

    fn names(actions: &str) -> Vec<String> {
        let domain = format!("(define (domain d) (:predicates (x) (y) (z)) {actions})");
        let problem = "(define (problem p) (:domain d) (:init) (:goal (z)))";
        let problem = Problem::parse(problem, Arc::new(Domain::parse(&domain).unwrap())).unwrap();
        let shown = |(name, candidate): &(String, Candidate)| match candidate.pattern {
            Some(pattern) => format!("{name} {pattern:02b}"),
            None => name.clone(),
        };
        Compiled::of(&problem).variants.iter().map(shown).collect()
    }

    /// The order and the names are those of the 20 probe plans on conditional effects.
    #[test]
    fn variants_are_named_in_the_originals_order() {
        let two = "(:action two :effect (and (x) (when (y) (z)) (when (z) (not (y)))))";
        assert_eq!(names(two), ["two 00", "two_0 01", "two_1 10", "two_2 11"]);
        let only = "(:action only :effect (when (x) (z)))";
        assert_eq!(names(only), ["only 01", "only_0 00"]);
        let contrary = "(:action both :effect (and (z) (when (not (x)) (y)) (when (x) (not (y)))))";
        assert_eq!(names(contrary), ["both 01", "both_0 10"]);
        let needed = "(:action needed :precondition (x) :effect (and (z) (when (x) (y))))";
        assert_eq!(names(needed), ["needed 01"]);
        let many = format!("(:action many :effect (and {}))", "(when (x) (y))".repeat(9));
        assert_eq!(names(&many), ["many"]);
    }
}
