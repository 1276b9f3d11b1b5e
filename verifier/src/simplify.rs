//! Simplifies formulas: pushes negations inward, removes duplicates, constants and parts that follow from their
//! neighbours. It serves people who read laws that were refined repeatedly; no decision depends on it.

use std::cell::Cell;

use Formula::*;

use crate::formula::{Binary, Formula, Parts};

/// Maximum number of operators of a formula that is simplified.
const MAX_OPERATORS: usize = 4_000;
/// Maximum number of subformulas that are built or compared; a formula that needs more is not changed.
const MAX_STEPS: usize = 2_000_000;

impl Formula {
    /// Returns an equivalent formula that is not longer.
    ///
    /// ```
    /// let law = "G(a & !(!a | !b) & !!c & !(b & c & d) -> X !e)";
    /// let short = ltlcrit_verifier::syntax::parse(law)?.simplified();
    /// assert_eq!(short.to_string(), "G(a & b & c & !d -> X !e)");
    /// # Ok::<(), ltlcrit_verifier::SyntaxError>(())
    /// ```
    #[must_use]
    pub fn simplified(&self) -> Formula {
        if self.size() > MAX_OPERATORS {
            return self.clone();
        }
        match (Simplifier { steps: Cell::new(MAX_STEPS) }).build(self, true) {
            Some(short) if short.size() < self.size() => short,
            _ => self.clone(),
        }
    }
}

/// Simplifies within a number of steps; beyond it, every result is `None`.
struct Simplifier {
    /// The number of steps left.
    steps: Cell<usize>,
}

/// Returns the join of no parts: of a conjunction if `all`, else of a disjunction.
fn nothing(all: bool) -> Formula {
    if all { True } else { False }
}

/// Returns whether a formula, or its negation, is a conjunction of parts (`true`) or a disjunction. An implication stays
/// one.
fn joined(formula: &Formula, positive: bool) -> Option<bool> {
    let (all, _) = formula.junction(positive)?;
    (all || !matches!(formula, Implies(..))).then_some(all)
}

impl Simplifier {
    fn spend(&self, steps: usize) -> Option<()> {
        self.steps.set(self.steps.get().checked_sub(steps)?);
        Some(())
    }

    /// Returns the formula, or its negation, simplified.
    fn build(&self, formula: &Formula, positive: bool) -> Option<Formula> {
        self.spend(1)?;
        if let Some(all) = joined(formula, positive) {
            let mut parts = Vec::new();
            self.flatten(formula, positive, all, &mut parts)?;
            return self.combine(all, parts);
        }
        let go = |formula: &Formula| self.build(formula, true);
        let plain = match formula {
            Not(a) => return self.build(a, !positive),
            Implies(a, b) => {
                return Some(match (go(a)?, go(b)?) {
                    (False, _) | (_, True) => True,
                    (True, b) => b,
                    (a, False) => self.build(&a, false)?,
                    (a, b) => a.implies(b),
                });
            }
            Iff(a, b) | Xor(a, b) => {
                let (a, b) = (go(a)?, go(b)?);
                return Some(if matches!(formula, Iff(..)) == positive { a.iff(b) } else { a.xor(b) });
            }
            True | False => return Some(nothing((*formula == True) == positive)),
            // Facts about the current letter do not apply at other letters.
            _ => match formula.parts() {
                Parts::Unary(operator, a) => Formula::unary(operator, go(a)?),
                Parts::Binary(operator, a, b) => Formula::binary(operator, go(a)?, go(b)?),
                Parts::Constant(_) | Parts::Atom(_) => formula.clone(),
            },
        };
        Some(if positive { plain } else { plain.not() })
    }

    /// Appends the parts that are joined by this connective, each simplified.
    fn flatten(&self, formula: &Formula, positive: bool, all: bool, parts: &mut Vec<Formula>) -> Option<()> {
        self.spend(1)?;
        match (formula, formula.junction(positive)) {
            (Not(a), _) => self.flatten(a, !positive, all, parts),
            (_, Some((joins, operands))) if joins == all => {
                operands.into_iter().try_for_each(|(operand, positive)| self.flatten(operand, positive, all, parts))
            }
            _ => match self.build(formula, positive)? {
                short if joined(&short, true) == Some(all) => self.flatten(&short, true, all, parts),
                short => {
                    parts.push(short);
                    Some(())
                }
            },
        }
    }

    /// Joins parts; each part is simplified by assuming the others.
    fn combine(&self, all: bool, mut parts: Vec<Formula>) -> Option<Formula> {
        loop {
            parts.retain(|part| *part != nothing(all));
            if parts.contains(&nothing(!all)) {
                return Some(nothing(!all));
            }
            // Each part is compared with every other: once here, and once among the known facts.
            self.spend(2 * parts.len() * parts.len())?;
            let mut once: Vec<Formula> = Vec::new();
            for part in parts {
                if !once.contains(&part) {
                    once.push(part);
                }
            }
            parts = once;
            // In a conjunction, a part can be taken as true in the other parts; in a disjunction, as false.
            let known: Vec<(Formula, bool)> = parts
                .iter()
                .filter(|part| joined(part, true).is_none())
                .map(|part| match part {
                    Not(a) => ((**a).clone(), !all),
                    other => (other.clone(), all),
                })
                .collect();
            let opposed =
                |(one, truth): &(Formula, bool)| known.iter().any(|(two, other)| other != truth && one == two);
            if known.iter().any(opposed) {
                return Some(nothing(!all));
            }
            let Some((at, new)) = self.told(&parts, &known)? else { break };
            let mut instead = Vec::new();
            self.flatten(&new, true, all, &mut instead)?;
            parts.splice(at..=at, instead);
        }
        let mut lists: Vec<Vec<Formula>> = Vec::with_capacity(parts.len());
        for part in &parts {
            let mut list = Vec::new();
            self.flatten(part, true, !all, &mut list)?;
            lists.push(list);
        }
        // In `(a | b) & (a | b | c)`, the second conjunct is redundant.
        let length: usize = lists.iter().map(Vec::len).sum();
        self.spend(length * length)?;
        let says_less = |at: usize| {
            let implied = |(other, list): (usize, &Vec<Formula>)| {
                other != at && list.len() < lists[at].len() && list.iter().all(|part| lists[at].contains(part))
            };
            lists.iter().enumerate().any(implied)
        };
        let kept = parts.iter().enumerate().filter(|(at, _)| !says_less(*at)).map(|(_, part)| part.clone());
        let operator = if all { Binary::And } else { Binary::Or };
        Some(kept.reduce(|one, part| Formula::binary(operator, one, part)).unwrap_or_else(|| nothing(all)))
    }

    /// Returns the position and the new form of the first compound part that the known facts change.
    fn told(&self, parts: &[Formula], known: &[(Formula, bool)]) -> Option<Option<(usize, Formula)>> {
        for (at, part) in parts.iter().enumerate().filter(|(_, part)| joined(part, true).is_some()) {
            let new = self.given(part, known)?;
            if new != *part {
                return Some(Some((at, self.build(&new, true)?)));
            }
        }
        Some(None)
    }

    /// Replaces subformulas whose truth is known; operands of temporal operators are not changed.
    fn given(&self, formula: &Formula, known: &[(Formula, bool)]) -> Option<Formula> {
        self.spend(1 + known.len())?;
        if let Some((_, truth)) = known.iter().find(|(one, _)| one == formula) {
            return Some(if *truth { True } else { False });
        }
        let within = |a: &Formula| self.given(a, known);
        Some(match formula.parts() {
            _ if formula.is_temporal() => formula.clone(),
            Parts::Unary(operator, a) => Formula::unary(operator, within(a)?),
            Parts::Binary(operator, a, b) => Formula::binary(operator, within(a)?, within(b)?),
            Parts::Constant(_) | Parts::Atom(_) => formula.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::formulas::formulas;
    use crate::semantics::holds_at;
    use crate::syntax::parse;

    #[test]
    fn refined_conditions_become_readable() {
        for (long, short) in [
            ("G(a & !(!a | !b) & !!c -> X d)", "G(a & b & c -> X d)"),
            ("a & b & !(b & c & !(a & d))", "a & b & (!c | d)"),
            ("(a | b) & (a | b | c)", "a | b"),
            ("a & (a | b)", "a"),
            ("a | a & b", "a"),
            ("a & !a & b", "false"),
            ("a | !(a & b)", "true"),
            ("a & !(a -> b)", "a & !b"),
            ("X a & (X a | b)", "X a"),
            ("G(true & a) & !false", "G a"),
            ("!(a <-> b) & a & a", "(a xor b) & a"),
            // Nothing is gained, so the formula stays unchanged.
            ("a & !(b & c)", "a & !(b & c)"),
            ("G(a -> X !b)", "G(a -> X !b)"),
        ] {
            assert_eq!(parse(long).unwrap().simplified().to_string(), parse(short).unwrap().to_string(), "{long}");
        }
    }

    #[test]
    fn what_would_take_too_many_steps_stays_as_it_is() {
        // Each of the propositions simplifies one of the disjunctions, and then all are examined again.
        let name = |at: usize| Formula::atom(format!("p{at}"));
        let long = (0..600).fold(True, |all, at| all.and(name(at)).and(name(at).not().or(name(at + 600))));
        assert_eq!(long.simplified(), long);
        let short = (0..20).fold(True, |all, at| all.and(name(at)).and(name(at).not().or(name(at + 600))));
        assert!(short.simplified().size() < short.size());
    }

    const NAMES: &[&str] = &["a", "b", "c"];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3_000))]

        #[test]
        fn it_means_the_same_and_is_not_longer(
            formula in formulas(NAMES, 3),
            word in prop::collection::vec(0u8..8, 0..5),
        ) {
            let short = formula.simplified();
            prop_assert!(short.size() <= formula.size(), "{formula} became {short}");
            let holds = |name: &str, at: usize| word[at] >> NAMES.iter().position(|one| *one == name).unwrap() & 1 == 1;
            prop_assert_eq!(
                holds_at(&formula, 0, word.len(), &holds),
                holds_at(&short, 0, word.len(), &holds),
                "{} became {}", formula, short
            );
        }
    }
}
