//! The same in fewer words: negations moved inwards, repetitions and constants left out, and whatever follows from what
//! stands beside it. It is for people who read laws that were refined again and again; nothing is decided by it.

use Formula::*;

use crate::formula::Formula;

/// Larger formulas are left as they are.
const MOST_OPERATORS: usize = 4_000;

impl Formula {
    /// An equivalent formula, shorter or the same.
    ///
    /// ```
    /// let law = "G(a & !(!a | !b) & !!c & !(b & c & d) -> X !e)";
    /// let short = ltlcrit_verifier::syntax::parse(law)?.simplified();
    /// assert_eq!(short.to_string(), "G(a & b & c & !d -> X !e)");
    /// # Ok::<(), ltlcrit_verifier::SyntaxError>(())
    /// ```
    #[must_use]
    pub fn simplified(&self) -> Formula {
        if size(self) > MOST_OPERATORS {
            return self.clone();
        }
        let short = build(self, true);
        if size(&short) < size(self) { short } else { self.clone() }
    }
}

fn size(formula: &Formula) -> usize {
    1 + formula.children().map(size).sum::<usize>()
}

/// What joins parts: all of them, or any.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Join {
    All,
    Any,
}

impl Join {
    fn other(self) -> Self {
        match self {
            Self::All => Self::Any,
            Self::Any => Self::All,
        }
    }

    /// What joins no parts at all, and can be left out among others.
    fn nothing(self) -> Formula {
        match self {
            Self::All => True,
            Self::Any => False,
        }
    }

    fn of(self, a: Formula, b: Formula) -> Formula {
        match self {
            Self::All => a.and(b),
            Self::Any => a.or(b),
        }
    }
}

/// The formula, or its negation, in fewer words.
fn build(formula: &Formula, positive: bool) -> Formula {
    if let Some(join) = joined(formula, positive) {
        let mut parts = Vec::new();
        flatten(formula, positive, join, &mut parts);
        return combine(join, parts);
    }
    let plain = match formula {
        Not(a) => return build(a, !positive),
        Implies(a, b) => {
            return match (build(a, true), build(b, true)) {
                (False, _) | (_, True) => True,
                (True, b) => b,
                (a, False) => build(&a, false),
                (a, b) => a.implies(b),
            };
        }
        Iff(a, b) | Xor(a, b) => {
            let (a, b) = (build(a, true), build(b, true));
            return if matches!(formula, Iff(..)) == positive { a.iff(b) } else { a.xor(b) };
        }
        True | False => return if (*formula == True) == positive { True } else { False },
        // Seen from another letter nothing of this one is known.
        Next(a) => build(a, true).next(),
        StrongNext(a) => build(a, true).strong_next(),
        Globally(a) => build(a, true).globally(),
        Finally(a) => build(a, true).finally(),
        Until(a, b) => build(a, true).until(build(b, true)),
        WeakUntil(a, b) => build(a, true).weak_until(build(b, true)),
        Release(a, b) => build(a, true).release(build(b, true)),
        StrongRelease(a, b) => build(a, true).strong_release(build(b, true)),
        And(..) | Or(..) | Atom(_) => formula.clone(),
    };
    if positive { plain } else { plain.not() }
}

/// What joins the parts of a formula, or of its negation, if it has such parts.
fn joined(formula: &Formula, positive: bool) -> Option<Join> {
    match (formula, positive) {
        (And(..), true) | (Or(..) | Implies(..), false) => Some(Join::All),
        (Or(..), true) | (And(..), false) => Some(Join::Any),
        _ => None,
    }
}

/// The parts that are joined in this way, each in fewer words.
fn flatten(formula: &Formula, positive: bool, join: Join, parts: &mut Vec<Formula>) {
    match formula {
        Not(a) => flatten(a, !positive, join, parts),
        And(a, b) | Or(a, b) if joined(formula, positive) == Some(join) => {
            flatten(a, positive, join, parts);
            flatten(b, positive, join, parts);
        }
        // `!(a -> b)` is `a & !b`, and `a -> b` is `!a | b`.
        Implies(a, b) if (join == Join::All) != positive => {
            flatten(a, !positive, join, parts);
            flatten(b, positive, join, parts);
        }
        _ => match build(formula, positive) {
            short if joined(&short, true) == Some(join) => flatten(&short, true, join, parts),
            short => parts.push(short),
        },
    }
}

/// Joins parts; what one of them says is used in the others.
fn combine(join: Join, mut parts: Vec<Formula>) -> Formula {
    loop {
        parts.retain(|part| *part != join.nothing());
        if parts.contains(&join.other().nothing()) {
            return join.other().nothing();
        }
        let mut once: Vec<Formula> = Vec::new();
        for part in parts {
            if !once.contains(&part) {
                once.push(part);
            }
        }
        parts = once;
        // Beside what is joined by "and", a part can be taken as true in the others; by "or", as false.
        let known: Vec<(Formula, bool)> = parts
            .iter()
            .filter(|part| joined(part, true).is_none())
            .map(|part| match part {
                Not(a) => ((**a).clone(), join == Join::Any),
                other => (other.clone(), join == Join::All),
            })
            .collect();
        if known.iter().any(|(one, truth)| known.contains(&(one.clone(), !truth))) {
            return join.other().nothing();
        }
        let told = parts.iter().enumerate().find_map(|(at, part)| {
            let compound = joined(part, true).is_some();
            let new = if compound { given(part, &known) } else { part.clone() };
            (new != *part).then(|| (at, build(&new, true)))
        });
        let Some((at, new)) = told else { break };
        let mut instead = Vec::new();
        flatten(&new, true, join, &mut instead);
        parts.splice(at..=at, instead);
    }
    let lists: Vec<Vec<Formula>> = parts
        .iter()
        .map(|part| {
            let mut list = Vec::new();
            flatten(part, true, join.other(), &mut list);
            list
        })
        .collect();
    // `(a | b) & (a | b | c)`: the second says nothing new.
    let says_less = |at: usize| {
        let implied = |(other, list): (usize, &Vec<Formula>)| {
            other != at && list.len() < lists[at].len() && list.iter().all(|part| lists[at].contains(part))
        };
        lists.iter().enumerate().any(implied)
    };
    let kept = parts.iter().enumerate().filter(|(at, _)| !says_less(*at)).map(|(_, part)| part.clone());
    kept.reduce(|all, part| join.of(all, part)).unwrap_or_else(|| join.nothing())
}

/// The formula where the truth of some others is known; temporal operators are not looked into.
fn given(formula: &Formula, known: &[(Formula, bool)]) -> Formula {
    if let Some((_, truth)) = known.iter().find(|(one, _)| one == formula) {
        return if *truth { True } else { False };
    }
    let within = |a: &Formula| given(a, known);
    match formula {
        Not(a) => within(a).not(),
        And(a, b) => within(a).and(within(b)),
        Or(a, b) => within(a).or(within(b)),
        Implies(a, b) => within(a).implies(within(b)),
        Iff(a, b) => within(a).iff(within(b)),
        Xor(a, b) => within(a).xor(within(b)),
        other => other.clone(),
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
            // Nothing is gained: it stays as it is.
            ("a & !(b & c)", "a & !(b & c)"),
            ("G(a -> X !b)", "G(a -> X !b)"),
        ] {
            assert_eq!(parse(long).unwrap().simplified().to_string(), parse(short).unwrap().to_string(), "{long}");
        }
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
            prop_assert!(size(&short) <= size(&formula), "{formula} became {short}");
            let holds = |name: &str, at: usize| word[at] >> NAMES.iter().position(|one| *one == name).unwrap() & 1 == 1;
            prop_assert_eq!(
                holds_at(&formula, 0, word.len(), &holds),
                holds_at(&short, 0, word.len(), &holds),
                "{} became {}", formula, short
            );
        }
    }
}
