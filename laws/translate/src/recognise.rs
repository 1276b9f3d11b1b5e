//! Recognises the pattern that a formula is an instance of.

use ltlcrit_verifier::Formula;

use crate::pattern::{MAX_TIMES, Pattern};

/// Returns the patterns whose conjunction a formula is; `None` if some part is not an instance of a pattern.
pub fn recognise(formula: &Formula, is_action: &dyn Fn(&str) -> bool) -> Option<Vec<Pattern>> {
    if let Some(pattern) = one(formula, is_action) {
        return Some(vec![pattern]);
    }
    match formula {
        Formula::And(a, b) => Some([recognise(a, is_action)?, recognise(b, is_action)?].concat()),
        _ => None,
    }
}

fn one(formula: &Formula, is_action: &dyn Fn(&str) -> bool) -> Option<Pattern> {
    candidates(formula).into_iter().find(|pattern| pattern.formula(is_action).as_ref() == Some(formula))
}

fn condition(formula: &Formula) -> Option<Formula> {
    let says_something = !formula.atoms().is_empty();
    (formula.is_boolean() && says_something).then(|| formula.clone())
}

fn denied(formula: &Formula) -> Option<Formula> {
    match formula {
        Formula::Not(inner) => condition(inner),
        _ => None,
    }
}

/// Returns the condition beneath unary temporal operators.
fn core(formula: &Formula) -> Option<Formula> {
    use Formula::*;
    match formula {
        Next(inner) | StrongNext(inner) | Finally(inner) | Globally(inner) => core(inner),
        other => condition(other),
    }
}

/// Returns patterns that the formula may be an instance of, those to prefer first.
fn candidates(formula: &Formula) -> Vec<Pattern> {
    use Formula::*;
    let mut found = counts(formula);
    match formula {
        Globally(inner) => {
            found.extend(denied(inner).map(Pattern::Never));
            if let Implies(when, then) = &**inner {
                found.extend(implications(when, then));
            }
            found.extend(condition(inner).map(Pattern::Always));
        }
        Finally(inner) => {
            let mut steps = Vec::new();
            let mut rest = &**inner;
            while let And(first, later) = rest
                && let (Some(first), Finally(next)) = (condition(first), &**later)
            {
                steps.push(first);
                rest = next;
            }
            if let Some(last) = condition(rest)
                && !steps.is_empty()
            {
                steps.push(last);
                found.push(Pattern::Sequence(steps));
            }
            found.extend(condition(inner).map(Pattern::Eventually));
        }
        WeakUntil(left, right) => {
            if let (Some(trigger), And(_, answered)) = (denied(left), &**right)
                && let Some(answer) = core(answered)
            {
                found.push(Pattern::Response { trigger, answer, once: true });
            }
            if let (Some(Not(late)), Some(first)) = (core(left), condition(right)) {
                found.push(Pattern::Precedence { late: *late, first });
            }
        }
        Until(left, right) => {
            if let (Some(holds), Some(end)) = (condition(left), condition(right)) {
                found.push(Pattern::Until { holds, end });
            }
        }
        _ => {}
    }
    found
}

/// Returns patterns of `G(when -> then)`.
fn implications(when: &Formula, then: &Formula) -> Vec<Pattern> {
    let (Some(when), Some(what)) = (condition(when), core(then)) else { return Vec::new() };
    let during = |what, is_forbidden| Pattern::While { state: when.clone(), what, is_forbidden };
    let next = |answer, is_forbidden| Pattern::Next { trigger: when.clone(), answer, is_forbidden };
    let mut found = Vec::new();
    if let Some(never) = denied(&what) {
        found.extend([during(never.clone(), true), next(never.clone(), true)]);
        found.push(Pattern::After { trigger: when.clone(), never });
    }
    found.extend([during(what.clone(), false), next(what.clone(), false)]);
    found.push(Pattern::Response { trigger: when.clone(), answer: what, once: false });
    found
}

/// Returns patterns of a formula that counts.
fn counts(formula: &Formula) -> Vec<Pattern> {
    fn counted(formula: &Formula) -> Option<Formula> {
        match formula {
            Formula::Finally(inner) => match &**inner {
                Formula::And(first, _) => condition(first),
                all => condition(all),
            },
            _ => None,
        }
    }
    let of = match formula {
        Formula::Not(most) => counted(most),
        Formula::And(_, least) => counted(least),
        least => counted(least),
    };
    let Some(of) = of else { return Vec::new() };
    let bounds = std::iter::once(None).chain((1..=MAX_TIMES).map(Some));
    let bounds = bounds.flat_map(|most| (0..=MAX_TIMES).map(move |least| (least, most)));
    // Once or more often is no count.
    let bounds = bounds.filter(|(least, most)| most.map_or(*least > 1, |most| *least <= most));
    bounds.map(|(least, most)| Pattern::Count { of: of.clone(), least, most }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_instances_of_patterns() {
        let is_action = |name: &str| name.starts_with("do_");
        for text in [
            "G !a",
            "G a",
            "F a",
            "F(a & F b)",
            "!F(a & (a U (!a & (!a U F a))))",
            "F(do_a & X[!] F do_a)",
            "!F(do_a & X[!] F do_a) & F do_a",
            "!a W b",
            "X !do_a W b",
            "a U b",
            "G(a -> F b)",
            "!a W (a & F do_b)",
            "G(a -> X !do_b)",
            "G(do_a -> X !do_b)",
            "G(a -> X b)",
            "G(a -> G !b)",
            "G(a -> X G !do_b)",
            "G(a & c -> !b)",
            "G(a -> b)",
        ] {
            let formula: Formula = text.parse().unwrap();
            let patterns = recognise(&formula, &is_action).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(patterns.len(), 1, "{text}: {patterns:?}");
        }
        assert_eq!(recognise(&"G !a & F b".parse().unwrap(), &is_action).unwrap().len(), 2);
        for text in ["G F a", "a R b", "X a", "G(a -> b U c)"] {
            assert_eq!(recognise(&text.parse().unwrap(), &is_action), None, "{text}");
        }
    }
}
