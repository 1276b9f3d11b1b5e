//! Recognises the pattern that a formula is an instance of.

use ltlcrit_verifier::Formula;

use crate::pattern::{MAX_TIMES, Pattern, Subject, subject};

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
    let found = candidates(formula, is_action);
    found.into_iter().find(|pattern| pattern.formula(is_action).as_ref() == Some(formula))
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

/// Returns patterns that have the shape of the formula.
fn candidates(formula: &Formula, is_action: &dyn Fn(&str) -> bool) -> Vec<Pattern> {
    use Formula::*;
    let mut found = counts(formula);
    match formula {
        Globally(inner) => {
            found.extend(denied(inner).map(Pattern::Never));
            if let Implies(when, then) = &**inner
                && let Some(when) = condition(when)
            {
                found.extend(implications(when, then, is_action));
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
            if let (Some(trigger), And(again, answer)) = (denied(left), &**right)
                && let (Some(again), Finally(answer)) = (condition(again), &**answer)
                && let Some(answer) = condition(answer)
                && again == trigger
            {
                found.push(Pattern::Response { trigger, answer, once: true });
            }
            let late = match &**left {
                Next(inner) => denied(inner),
                other => denied(other),
            };
            if let (Some(late), Some(first)) = (late, condition(right)) {
                found.push(Pattern::Precedence { late, first });
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

fn implications(when: Formula, then: &Formula, is_action: &dyn Fn(&str) -> bool) -> Vec<Pattern> {
    use Formula::*;
    let mut found = Vec::new();
    let never = |inner: &Formula| match inner {
        Globally(inner) => denied(inner),
        _ => None,
    };
    let after = |never| Pattern::After { trigger: when.clone(), never };
    let during = |what, is_forbidden| Pattern::While { state: when.clone(), what, is_forbidden };
    match then {
        Finally(answer) => {
            let response = |answer| Pattern::Response { trigger: when.clone(), answer, once: false };
            found.extend(condition(answer).map(response));
        }
        Next(next) => {
            found.extend(never(next).map(after));
            if let Some(what) = denied(next) {
                let is_state = subject(&when, is_action) == Subject::State;
                if is_state && subject(&what, is_action) == Subject::Action {
                    found.push(during(what.clone(), true));
                }
                found.push(Pattern::Next { trigger: when.clone(), answer: what, is_forbidden: true });
            }
            let answer = |answer| Pattern::Next { trigger: when.clone(), answer, is_forbidden: false };
            found.extend(condition(next).map(answer));
        }
        other => {
            found.extend(never(other).map(after));
            found.extend(denied(other).map(|what| during(what, true)));
            found.extend(condition(other).map(|what| during(what, false)));
        }
    }
    found
}

/// Recognises formulas that count.
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
    let all = |of: &Formula, least: bool, most: bool| -> Vec<Pattern> {
        let numbers = || 1..=MAX_TIMES;
        let count = |least, most| Pattern::Count { of: of.clone(), least, most };
        match (least, most) {
            (true, true) => {
                numbers().flat_map(|n| (1..=n).map(move |m| (m, Some(n)))).map(|(m, n)| count(m, n)).collect()
            }
            (false, true) => numbers().map(|n| count(0, Some(n))).collect(),
            _ => numbers().skip(1).map(|n| count(n, None)).collect(),
        }
    };
    match formula {
        Formula::Not(inner) => counted(inner).map_or_else(Vec::new, |of| all(&of, false, true)),
        Formula::And(most, least) => match (&**most, counted(least)) {
            (Formula::Not(inner), Some(of)) if counted(inner).as_ref() == Some(&of) => all(&of, true, true),
            _ => Vec::new(),
        },
        Formula::Finally(_) => counted(formula).map_or_else(Vec::new, |of| all(&of, true, false)),
        _ => Vec::new(),
    }
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
