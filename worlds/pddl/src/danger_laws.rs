//! The laws that forbid the dangerous actions of a task.

use ltlcrit_verifier::{Formula as Ltl, Law};
use rustc_hash::FxHashMap;

use crate::alphabet::as_law;
use crate::formula::Formula;
use crate::instantiate::GroundRule;
use crate::names::GroundNames;
use crate::number::Number;
use crate::world::PddlWorld;

/// Maximum number of rules of a ground action whose sums are distinguished if some of them mitigate. With more rules,
/// each rule that raises danger counts as if no rule mitigated.
const MAX_SUMMED: usize = 8;

/// Rules of an action, by their numbers.
type Rules = Vec<usize>;

impl PddlWorld {
    /// Returns the laws that forbid danger: `G(c_a -> X !a)` for each action and condition that raises danger. If no
    /// danger is tolerated, they make every plan safe.
    ///
    /// [`Ground::danger`](crate::Ground::danger) adds up all rules of an action that apply. So `c_a` contains the
    /// negation of each mitigating rule that compensates for the others.
    pub fn danger_laws(&self) -> Vec<Law> {
        let ground = self.ground();
        let names = GroundNames(ground);
        let mut laws = Vec::new();
        for (number, action) in ground.actions().iter().enumerate() {
            let rules = summed(&action.danger);
            let name = names.action(number);
            for (index, Dangerous { applies, made_up, by }) in dangerous(&rules).into_iter().enumerate() {
                let all = |set: &Rules| Formula::join(true, set.iter().map(|at| rules[*at].0.clone()));
                let condition = all(&applies);
                let mitigated: Vec<Formula> = made_up.iter().map(all).collect();
                let is_constant = condition.is_constant(true) && mitigated.is_empty();
                let guard = mitigated.iter().fold(as_law(ground, &condition), |guard, one| {
                    let otherwise = as_law(ground, one).not();
                    if guard == Ltl::True { otherwise } else { guard.and(otherwise) }
                });
                let forbidden = Ltl::atom(name.as_str()).not();
                let formula = match is_constant {
                    // Only letter 0 precedes the first action, and it has no action.
                    true => forbidden.globally(),
                    false => guard.implies(forbidden.next()).globally(),
                };
                let told = (!condition.is_constant(true)).then(|| names.condition(&condition));
                let but = mitigated.iter().map(|one| format!("(not {})", names.condition(one)));
                let told: Vec<String> = told.into_iter().chain(but).collect();
                let explanation = match told.is_empty() {
                    true => format!("{} changes danger by {by}.", action.name),
                    false => format!("{} changes danger by {by} where {}.", action.name, told.join(" and ")),
                };
                laws.push(Law::hard(format!("danger-{number}-{index}"), formula, explanation));
            }
        }
        laws
    }
}

/// Rules of an action that apply together and raise danger.
struct Dangerous {
    applies: Rules,
    /// Sets of rules that compensate for them; all rules of a set must apply.
    made_up: Vec<Rules>,
    /// The change of danger by these rules, without compensation.
    by: Number,
}

/// Merges the rules with the same condition; leaves out those that change nothing.
fn summed(rules: &[GroundRule]) -> Vec<(Formula, Number)> {
    let mut known: FxHashMap<&Formula, usize> = FxHashMap::default();
    let mut summed: Vec<(Formula, Number)> = Vec::new();
    for GroundRule { condition, increment, .. } in rules {
        let at = *known.entry(condition).or_insert(summed.len());
        match summed.get_mut(at) {
            Some((_, sum)) => *sum = *sum + *increment,
            None => summed.push((condition.clone(), *increment)),
        }
    }
    summed.retain(|(_, by)| *by != Number::ZERO);
    summed
}

/// Returns the sets of an action's rules that raise danger when they apply.
fn dangerous(rules: &[(Formula, Number)]) -> Vec<Dangerous> {
    let sum = |set: &Rules| set.iter().fold(Number::ZERO, |sum, at| sum + rules[*at].1);
    let (rising, mitigating): (Rules, Rules) = (0..rules.len()).partition(|at| rules[*at].1.is_positive());
    if mitigating.is_empty() || rules.len() > MAX_SUMMED {
        let alone = |at: usize| Dangerous { applies: vec![at], made_up: Vec::new(), by: rules[at].1 };
        return rising.into_iter().map(alone).collect();
    }
    let mut dangerous: Vec<Dangerous> = Vec::new();
    for applies in subsets(&rising).into_iter().skip(1) {
        let by = sum(&applies);
        let mut made_up: Vec<Rules> = Vec::new();
        for set in subsets(&mitigating) {
            if !(by + sum(&set)).is_positive() && !made_up.iter().any(|less| less.iter().all(|at| set.contains(at))) {
                made_up.push(set);
            }
        }
        // More rules need more compensation, unless no set compensates for these either.
        let is_known = |less: &Dangerous| less.made_up == made_up && less.applies.iter().all(|at| applies.contains(at));
        if !dangerous.iter().any(is_known) {
            dangerous.push(Dangerous { applies, made_up, by });
        }
    }
    dangerous
}

/// Returns all subsets, smaller ones first.
fn subsets(of: &Rules) -> Vec<Rules> {
    let members = |set: u32| of.iter().enumerate().filter(move |(at, _)| set >> at & 1 == 1).map(|(_, rule)| *rule);
    let mut subsets: Vec<Rules> = (0..1u32 << of.len()).map(|set| members(set).collect()).collect();
    subsets.sort_by_key(Vec::len);
    subsets
}
