//! Same-letter laws: laws that judge an action by its own outcome, off by one letter.
//!
//! A letter holds one action and the observations *after* it. A law that names both in one letter therefore judges the
//! action by its outcome. The outcome is not known before the action runs. So a [`Shield`](crate::Shield) allows the
//! action as long as *some* outcome satisfies the law, and reports the law broken after any other outcome: the law
//! fails open. (A [prediction](crate::Shield::predict) gives outcomes before the action, and then such a law does
//! block.)
//!
//! The intended law is mostly "push only when the tests pass now", a condition on the letter *before* the action:
//!
//! | written | read by a shield | probably meant |
//! | --- | --- | --- |
//! | `G(push -> green)` | every push turns the tests green | `G(!green -> X !push)` |
//! | `!push W green` | the first push may itself turn them green | `X !push W green` |
//! | `G(red -> X(push -> green))` | as the first, one letter later | `G(red -> X(!green -> X !push))` |
//!
//! [`SameLetter::find`] finds such laws and suggests the law that is probably meant:
//!
//! ```
//! use std::sync::Arc;
//! use ltlcrit_verifier::before_and_after::SameLetter;
//! use ltlcrit_verifier::{Law, PropSet, Shield, ShieldOptions, Vocabulary};
//!
//! let agent = Vocabulary::builder("agent").observation("green").actions(["test", "push"]).build()?;
//! let agent = Arc::new(agent);
//! let push = agent.action("push").unwrap();
//! let written = "G(push -> green)".parse()?;
//!
//! // The tests are red, and the push is allowed: it could turn them green. It does not, and the law is broken.
//! let laws = vec![Law::hard("green", written, "Push only what passes.")];
//! let mut shield = Shield::new(agent.clone(), laws, ShieldOptions::default())?;
//! shield.start(PropSet::EMPTY)?;
//! assert!(shield.judge(push).is_allowed());
//! assert_eq!(shield.step(push, PropSet::EMPTY)?.len(), 1);
//!
//! // The shield reports it from the start, and suggests the law on the letter before.
//! let (law, found) = &shield.compiled().same_letter()[0];
//! assert_eq!((&**law, found.actions(&agent)), ("green", vec!["push"]));
//! let meant = found.meant.clone().unwrap();
//! assert_eq!(meant.to_string(), "G(!green -> X !push)");
//!
//! let laws = vec![Law::hard("green", meant, "Push only what passes.")];
//! let mut shield = Shield::new(agent.clone(), laws, ShieldOptions::default())?;
//! shield.start(PropSet::EMPTY)?;
//! assert!(!shield.judge(push).is_allowed());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A law that only *reads* action and outcome in one letter is correct: `G(push & !green -> X revert)` restricts the
//! next action by the outcome of the last one.

use crate::automaton::{Alphabet, Automaton, DENSE, INITIAL, State};
use crate::budget::Budget;
use crate::formula::Formula;
use crate::guarded::recognise_all;
use crate::letter::{Letter, PropSet};
use crate::nnf::{Metered, NnfArena, accepts_empty};
use crate::vocabulary::{ActionId, PropId, UnknownProposition, Vocabulary};

/// Maximum number of states of a law that are explored; same-letter judgements in further states are not found.
const MAX_STATES: usize = 64;
/// Maximum cost of examining a law, in units of work.
const WORK: u64 = 2_000_000;
/// Maximum number of operators of a law for which another law is suggested; larger laws are still found.
const MAX_OPERATORS: usize = 200;

/// A law that judges an action by observations of the action's own letter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SameLetter {
    /// The actions that the law judges by their own letter. Never empty.
    pub judged: Vec<ActionId>,
    /// The law that judges them by the letter before, which is probably meant; `None` if it is not known.
    pub meant: Option<Formula>,
}

impl SameLetter {
    /// Examines a law. A law over more than eight propositions is found only if it is `G` of a Boolean formula.
    ///
    /// # Errors
    /// A proposition that is not in the vocabulary.
    pub fn find(law: &Formula, vocabulary: &Vocabulary) -> Result<Option<Self>, UnknownProposition> {
        let judged = judged(law, vocabulary)?;
        if judged.is_empty() {
            return Ok(None);
        }
        let meant = (law.size() <= MAX_OPERATORS).then(|| moved(law, true, vocabulary));
        let meant = meant.map(|meant| plain(meant, vocabulary)).filter(|meant| {
            // A suggestion with the same flaw, or one that cannot be parsed, is dropped.
            let parses = meant.to_string().parse::<Formula>().is_ok_and(|read| read == *meant);
            parses && self::judged(meant, vocabulary).is_ok_and(|judged| judged.is_empty())
        });
        Ok(Some(Self { judged, meant }))
    }

    /// The names of the actions.
    pub fn actions<'a>(&self, vocabulary: &'a Vocabulary) -> Vec<&'a str> {
        self.judged.iter().map(|action| vocabulary.action_name(*action)).collect()
    }
}

/// Returns the actions that a law judges by observations of their own letter. With some observations the law is broken
/// at once, with others it is not, and with the former another action would not have broken it.
fn judged(law: &Formula, vocabulary: &Vocabulary) -> Result<Vec<ActionId>, UnknownProposition> {
    let mut arena = NnfArena::new();
    let node = arena.add(law, vocabulary)?;
    let mentioned = arena.propositions(node);
    let observations = PropSet::first(vocabulary.observations().len());
    let actions: Vec<ActionId> = mentioned.iter().filter_map(|id| vocabulary.as_action(id)).collect();
    if actions.is_empty() || mentioned.intersection(&observations).is_empty() {
        return Ok(Vec::new());
    }
    if mentioned.len() > DENSE {
        return Ok(if is_boolean_always(law) { actions } else { Vec::new() });
    }
    let budget = Budget::new();
    let _before = budget.limit(WORK);
    let alphabet = std::sync::Arc::new(Alphabet::new(&arena, node, vocabulary));
    let mut automaton = Automaton::new(alphabet, node, accepts_empty(law));
    let states = vocabulary_states(&mentioned.intersection(&observations), vocabulary);
    // One of the unmentioned actions stands for all of them.
    let other = vocabulary.action_ids().find(|action| !mentioned.contains(vocabulary.action_prop(*action)));
    let metered = Metered { arena: &arena, budget: &budget };
    let mut breaks = |state: State, action: Option<ActionId>, observed: PropSet| {
        let letter = match action {
            Some(action) => Letter::after(vocabulary, action, observed),
            None => Letter::initial(observed),
        };
        let next = automaton.step(metered, state, &letter).ok()?;
        Some((next, automaton.residual(next).is_false()))
    };
    let mut met: Vec<State> = Vec::new();
    for observed in &states {
        match breaks(INITIAL, None, *observed) {
            Some((next, false)) if !met.contains(&next) => met.push(next),
            Some(_) => {}
            None => return Ok(Vec::new()),
        }
    }
    let mut found: Vec<ActionId> = Vec::new();
    let mut at = 0;
    while at < met.len().min(MAX_STATES) {
        let mut row = |action: ActionId| -> Option<Vec<(State, bool)>> {
            states.iter().map(|observed| breaks(met[at], Some(action), *observed)).collect()
        };
        let all = actions.iter().copied().chain(other);
        let Some(rows) = all.map(&mut row).collect::<Option<Vec<_>>>() else { return Ok(found) };
        for (action, row) in actions.iter().zip(&rows) {
            let by_outcome = row.iter().any(|(_, broken)| !broken)
                && (0..states.len()).any(|place| row[place].1 && rows.iter().any(|other| !other[place].1));
            if by_outcome && !found.contains(action) {
                found.push(*action);
            }
        }
        for (next, broken) in rows.into_iter().flatten() {
            if !broken && !met.contains(&next) {
                met.push(next);
            }
        }
        at += 1;
    }
    found.sort_unstable();
    Ok(found)
}

/// Returns the states over these observations that the axioms allow.
fn vocabulary_states(observations: &PropSet, vocabulary: &Vocabulary) -> Vec<PropSet> {
    let props: Vec<PropId> = observations.iter().collect();
    let mut axioms = crate::axioms::Projection::new(&props, vocabulary);
    let states = (0..1usize << props.len()).map(|code| PropSet::coded(&props, code));
    states.filter(|state| axioms.allows(&Letter(*state))).collect()
}

/// Returns whether a law is `G` of a Boolean formula.
fn is_boolean_always(law: &Formula) -> bool {
    matches!(law, Formula::Globally(body) if body.is_boolean())
}

/// Moves the actions of a law one letter later wherever they stand beside observations. `positive` is true for a
/// subformula under an even number of negations.
fn moved(law: &Formula, positive: bool, vocabulary: &Vocabulary) -> Formula {
    use Formula::*;
    if law.is_boolean() {
        return match (mixes(law, vocabulary), positive) {
            (false, _) => law.clone(),
            (true, true) => later(law, true, vocabulary),
            (true, false) => later(law, false, vocabulary).not(),
        };
    }
    // `!push W green`: the left side moves to the next letter.
    let waits = |one: &Formula, other: &Formula| {
        let (actions, observations) = speaks(one, vocabulary);
        let beside = actions && (observations || speaks(other, vocabulary).1);
        positive && one.is_boolean() && other.is_boolean() && beside
    };
    match law {
        WeakUntil(a, b) if waits(a, b) => later(a, true, vocabulary).weak_until(moved(b, true, vocabulary)),
        Until(a, b) if waits(a, b) => later(a, true, vocabulary).until(moved(b, true, vocabulary)),
        // The operands of these stand both under a negation and under none.
        Iff(..) | Xor(..) => law.clone(),
        Not(a) => moved(a, !positive, vocabulary).not(),
        Implies(a, b) => moved(a, !positive, vocabulary).implies(moved(b, positive, vocabulary)),
        _ => law.with_operands(&mut |operand| moved(operand, positive, vocabulary)),
    }
}

/// Returns whether a formula mentions actions, and whether it mentions observations.
fn speaks(formula: &Formula, vocabulary: &Vocabulary) -> (bool, bool) {
    let atoms = formula.atoms();
    let is_action = |name: &std::sync::Arc<str>| vocabulary.action(name).is_some();
    (atoms.iter().any(is_action), atoms.iter().any(|name| !is_action(name)))
}

fn mixes(formula: &Formula, vocabulary: &Vocabulary) -> bool {
    speaks(formula, vocabulary) == (true, true)
}

/// Returns a Boolean formula (negated if not `positive`) whose actions are those of the next letter, if there is one.
fn later(formula: &Formula, positive: bool, vocabulary: &Vocabulary) -> Formula {
    use Formula::*;
    let signed = |formula: &Formula| if positive { formula.clone() } else { formula.clone().not() };
    if !speaks(formula, vocabulary).0 {
        return signed(formula);
    }
    if !speaks(formula, vocabulary).1 {
        return signed(formula).next();
    }
    if let Some((all, operands)) = formula.junction(positive) {
        let [a, b] = operands.map(|(operand, positive)| later(operand, positive, vocabulary));
        return if all { a.and(b) } else { a.or(b) };
    }
    match formula {
        Not(a) => later(a, !positive, vocabulary),
        Iff(a, b) => exchange(a, b, positive, vocabulary),
        Xor(a, b) => exchange(a, b, !positive, vocabulary),
        _ => signed(formula),
    }
}

/// Returns `a <-> b` if `same`, else `a xor b`, with the actions of the next letter.
fn exchange(a: &Formula, b: &Formula, same: bool, vocabulary: &Vocabulary) -> Formula {
    let either = |a_holds: bool, b_holds: bool| later(a, a_holds, vocabulary).or(later(b, b_holds, vocabulary));
    either(false, same).and(either(true, !same))
}

/// Returns a law in the form `G(phi_s -> X phi_a)`, if it has that form.
fn plain(law: Formula, vocabulary: &Vocabulary) -> Formula {
    let parts = recognise_all(&law, vocabulary).unwrap_or_default();
    let parts = parts.into_iter().map(|part| part.to_formula().simplified());
    parts.reduce(Formula::and).unwrap_or_else(|| law.simplified())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent() -> Vocabulary {
        Vocabulary::builder("agent")
            .observations(["green", "red", "approved"])
            .actions(["push", "test", "revert"])
            .axiom("red -> !green".parse::<Formula>().unwrap())
            .build()
            .unwrap()
    }

    fn found(law: &str) -> Option<(String, Option<String>)> {
        let vocabulary = agent();
        let found = SameLetter::find(&law.parse().unwrap(), &vocabulary).unwrap()?;
        Some((found.actions(&vocabulary).join(" "), found.meant.map(|law| law.to_string())))
    }

    #[test]
    fn laws_that_judge_an_action_by_its_outcome_are_found_with_what_is_meant() {
        let mut table = String::new();
        for law in [
            "G(push -> green)",
            "G(!green -> !push)",
            "!F(push & !green)",
            "G(push -> green & approved)",
            "G(push | test -> green)",
            "G(push <-> green)",
            "!push W green",
            "!push U green",
            "!(push | test) W (green & approved)",
            "G(red -> X(push -> green))",
            "G(red -> (!push W green))",
            "G(push -> green) & F approved",
        ] {
            let (actions, meant) = found(law).unwrap_or_else(|| panic!("{law}"));
            table.push_str(&format!("{law:36} {actions:10} {}\n", meant.as_deref().unwrap_or("-")));
        }
        insta::assert_snapshot!(table);
    }

    #[test]
    fn laws_that_read_an_outcome_or_look_before_are_not() {
        for law in [
            "G(!green -> X !push)",
            "X !push W green",
            "G(push & !green -> X revert)",
            "G(push -> F green)",
            "green R !push",
            "G !red",
            "G !push",
            "F(push & green)",
            "G(red -> !green)",
            "!push W test",
            "G(push -> !(red & green))",
        ] {
            assert_eq!(found(law), None, "{law}");
        }
    }
}
