//! Names under which the original validator accepts actions with conditional effects.
//!
//! The original compiles conditional effects away: an action with `k` of them becomes up to `2^k` *variants*, one for each
//! set of conditions that hold, with names such as `toggle`, `toggle_0`, `toggle_1`. A plan is tried with all variants of
//! each of its actions; a variant that a plan names literally is accepted, too. Here all variants of an action together
//! are the action itself, so that nothing is tried twice; only steps that name some of them are followed as variants.

use rustc_hash::FxHashMap;

use crate::model::{Condition, Effect, Problem};

/// An action has at most this many conditional effects to be followed by variants; with more, it has its own name only.
pub const MAX_CONDITIONAL: usize = 8;

/// An action that a step of a plan may mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    /// The action.
    pub action: usize,
    /// For a single variant: which of the action's conditions hold.
    pub pattern: Option<u32>,
}

/// The compiled actions of a problem.
#[derive(Clone, Debug)]
pub(crate) struct Compiled {
    /// Names as they are spelled in the domain.
    spelled: Vec<String>,
    /// By action: the conditions of its conditional effects.
    conditions: Vec<Vec<Condition>>,
    /// The variants in order, with their names.
    variants: Vec<(String, Candidate)>,
    by_name: FxHashMap<String, usize>,
    /// By action: how many variants it has.
    counts: Vec<usize>,
    /// By name of an action, written directly after the parenthesis: what a step may mean.
    direct: FxHashMap<String, Vec<Candidate>>,
}

impl Compiled {
    pub fn of(problem: &Problem) -> Self {
        let actions = &problem.domain.actions;
        let mut compiled = Self {
            spelled: actions.iter().map(|action| action.name.to_string()).collect(),
            conditions: Vec::with_capacity(actions.len()),
            variants: Vec::new(),
            by_name: FxHashMap::default(),
            counts: Vec::with_capacity(actions.len()),
            direct: FxHashMap::default(),
        };
        for (number, action) in actions.iter().enumerate() {
            let mut conditions = Vec::new();
            let unconditional = conditional(&action.effect, &mut Vec::new(), &mut conditions);
            if conditions.len() > MAX_CONDITIONAL {
                conditions.clear();
            }
            let patterns = patterns(&action.precondition, &conditions, unconditional);
            compiled.counts.push(patterns.len());
            for pattern in patterns {
                let pattern = (!conditions.is_empty()).then_some(pattern);
                let name = compiled.free_name(&action.name);
                compiled.by_name.insert(name.clone(), compiled.variants.len());
                compiled.variants.push((name, Candidate { action: number, pattern }));
            }
            compiled.conditions.push(conditions);
        }
        for name in compiled.spelled.clone() {
            let candidates = compiled.resolve(&name, true, false);
            compiled.direct.insert(name, candidates);
        }
        compiled
    }

    /// The conditions of an action's conditional effects.
    pub fn conditions(&self, action: usize) -> &[Condition] {
        &self.conditions[action]
    }

    /// What a step may mean, by its first word. The word stands directly after the parenthesis, or between single spaces.
    pub fn candidates(&self, word: &str, glued: bool, spaced: bool) -> std::borrow::Cow<'_, [Candidate]> {
        match self.direct.get(word).filter(|_| glued) {
            Some(candidates) => candidates.into(),
            None => self.resolve(word, glued, spaced).into(),
        }
    }

    fn resolve(&self, word: &str, glued: bool, spaced: bool) -> Vec<Candidate> {
        let hit = self.spelled.iter().find(|name| (glued && word.starts_with(&**name)) || (spaced && word == *name));
        let Some(hit) = hit else { return self.merged(std::iter::once(word.to_lowercase())) };
        let suffix = &word[hit.len()..];
        let of_hit = self.variants.iter().map(|(name, _)| name).filter(|name| is_variant(name, hit));
        self.merged(of_hit.map(|name| format!("{name}{suffix}").to_lowercase()))
    }

    /// The candidates of these names. All variants of an action together are the action.
    fn merged(&self, names: impl Iterator<Item = String>) -> Vec<Candidate> {
        let found = names.filter_map(|name| self.by_name.get(&name)).map(|variant| &self.variants[*variant].1);
        let mut candidates: Vec<Candidate> = found.cloned().collect();
        candidates.dedup();
        let mut actions: Vec<usize> = candidates.iter().map(|candidate| candidate.action).collect();
        actions.dedup();
        for action in actions {
            let of_action = |candidate: &&Candidate| candidate.action == action;
            if candidates.iter().filter(of_action).count() == self.counts[action] {
                candidates.retain(|candidate| candidate.action != action);
                candidates.push(Candidate { action, pattern: None });
            }
        }
        candidates
    }

    fn free_name(&self, name: &str) -> String {
        if !self.by_name.contains_key(name) {
            return name.to_owned();
        }
        let numbered = (0..).map(|number: u32| format!("{name}_{number}"));
        let mut free = numbered.filter(|name| !self.by_name.contains_key(name));
        free.next().unwrap_or_default()
    }
}

/// Whether a compiled name is that of an action, or it with `_` or `-` and digits.
fn is_variant(compiled: &str, name: &str) -> bool {
    let Some(suffix) = compiled.strip_prefix(name) else { return false };
    let digits = suffix.strip_prefix(['_', '-']);
    suffix.is_empty() || digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()))
}

/// Collects the conditions of conditional effects; whether there are unconditional ones. What is below `forall` counts as
/// unconditional.
fn conditional(effect: &Effect, outer: &mut Vec<Condition>, into: &mut Vec<Condition>) -> bool {
    match effect {
        Effect::And(parts) => {
            parts.iter().fold(false, |unconditional, part| conditional(part, outer, into) | unconditional)
        }
        Effect::When(condition, effect) => {
            outer.push(condition.clone());
            let unconditional = conditional(effect, outer, into);
            outer.pop();
            unconditional
        }
        _ => match &outer[..] {
            [] => true,
            [one] => {
                into.push(one.clone());
                false
            }
            many => {
                into.push(Condition::And(many.to_vec()));
                false
            }
        },
    }
}

/// The sets of conditions that make a variant, in the original's order: by size, then in the order of the effects. What
/// contradicts itself or has no effect is left out; if nothing is unconditional, the variant without effects comes last.
fn patterns(precondition: &Condition, conditions: &[Condition], unconditional: bool) -> Vec<u32> {
    let count = conditions.len();
    let mut sets: Vec<u32> = (0..1 << count).collect();
    // Among sets of one size, that with the earlier members comes first.
    sets.sort_by_key(|set: &u32| (set.count_ones(), std::cmp::Reverse(set.reverse_bits())));
    let consistent = |set: &u32| {
        let mut parts = Vec::new();
        let mut consistent = flatten(precondition, true, &mut parts);
        for (index, condition) in conditions.iter().enumerate() {
            consistent &= flatten(condition, set & (1 << index) != 0, &mut parts);
        }
        consistent && !parts.iter().any(|(part, holds)| parts.contains(&(part, !holds)))
    };
    let only_conditional = count > 0 && !unconditional;
    let mut patterns: Vec<u32> =
        sets.into_iter().filter(|set| !(only_conditional && *set == 0)).filter(consistent).collect();
    if only_conditional && consistent(&0) {
        patterns.push(0);
    }
    patterns
}

/// The literals of a conjunction, as far as the original simplifies it; whether none of them is false.
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
