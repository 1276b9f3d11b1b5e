//! Law patterns: temporal structure without the propositions.
//!
//! The patterns are those of the catalogue for robotic missions (Menghi et al., arXiv 1901.02077). The formula of a
//! pattern depends on its conditions: a letter holds one action and the observations *after* it
//! ([`before_and_after`](ltlcrit_verifier::before_and_after)). A condition on an action therefore belongs to the
//! previous letter.

use ltlcrit_verifier::Formula;

/// Maximum number of times in a count.
pub const MAX_TIMES: u32 = 10;

/// A law as a pattern over conditions: Boolean formulas over propositions.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pattern {
    /// Never c.
    Never(Formula),
    /// Always c.
    Always(Formula),
    /// c at some time.
    Eventually(Formula),
    /// Each of them at some time, in this order.
    Sequence(Vec<Formula>),
    /// c within a minimum and a maximum number of times. Actions are counted one by one, states by the periods in which
    /// they hold.
    Count {
        /// The counted condition.
        of: Formula,
        /// The minimum.
        least: u32,
        /// The maximum, if there is one.
        most: Option<u32>,
    },
    /// Not c until the other has held.
    Precedence {
        /// The condition that must wait.
        late: Formula,
        /// The condition that comes first.
        first: Formula,
    },
    /// c until the end, which must come.
    Until {
        /// The condition that holds.
        holds: Formula,
        /// The end.
        end: Formula,
    },
    /// Whenever the trigger holds, the answer holds at that time or later.
    Response {
        /// The trigger.
        trigger: Formula,
        /// The obligation.
        answer: Formula,
        /// True if only the first trigger creates the obligation.
        once: bool,
    },
    /// Whenever the trigger holds, the answer holds at the next step.
    Next {
        /// The trigger.
        trigger: Formula,
        /// The answer.
        answer: Formula,
        /// True if the answer must not follow.
        is_forbidden: bool,
    },
    /// Once the trigger has held, the other never does.
    After {
        /// The trigger.
        trigger: Formula,
        /// The forbidden condition.
        never: Formula,
    },
    /// While the state holds, the condition must, or must not, hold.
    While {
        /// The state.
        state: Formula,
        /// The condition that is judged.
        what: Formula,
        /// True if the condition must not hold.
        is_forbidden: bool,
    },
}

/// The kind of propositions in a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Observations alone.
    State,
    /// Actions alone, not denied.
    Action,
    /// Anything else.
    Mixed,
}

/// Returns the kind of a condition; `is_action` recognises the names of actions.
pub fn subject(condition: &Formula, is_action: &dyn Fn(&str) -> bool) -> Subject {
    let atoms = condition.atoms();
    let actions = atoms.iter().filter(|atom| is_action(atom)).count();
    fn is_positive(formula: &Formula) -> bool {
        match formula {
            Formula::Atom(_) => true,
            Formula::Or(a, b) => is_positive(a) && is_positive(b),
            _ => false,
        }
    }
    match actions {
        0 => Subject::State,
        all if all == atoms.len() && is_positive(condition) => Subject::Action,
        _ => Subject::Mixed,
    }
}

impl Pattern {
    /// Returns the kind of the pattern in one word.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Never(_) => "never",
            Self::Always(_) => "always",
            Self::Eventually(_) => "eventually",
            Self::Sequence(_) => "sequence",
            Self::Count { .. } => "count",
            Self::Precedence { .. } => "precedence",
            Self::Until { .. } => "until",
            Self::Response { .. } => "response",
            Self::Next { .. } => "next",
            Self::After { .. } => "after",
            Self::While { .. } => "while",
        }
    }

    /// Returns the formula of the pattern; `None` if it does not fit these conditions.
    pub fn formula(&self, is_action: &dyn Fn(&str) -> bool) -> Option<Formula> {
        let of = |condition: &Formula| subject(condition, is_action);
        let (state, action) = (Subject::State, Subject::Action);
        Some(match self {
            Self::Never(c) => c.clone().not().globally(),
            Self::Always(c) => {
                if of(c) != state {
                    return None;
                }
                c.clone().globally()
            }
            Self::Eventually(c) => c.clone().finally(),
            Self::Sequence(all) => {
                if all.windows(2).any(|pair| pair[0] == pair[1]) {
                    return None;
                }
                let mut backwards = all.iter().rev().cloned();
                let last = backwards.next()?.finally();
                backwards.fold(last, |later, one| one.and(later).finally())
            }
            Self::Count { of: what, least, most } => {
                let each = of(what);
                if each == Subject::Mixed || *least > MAX_TIMES || most.is_some_and(|most| most > MAX_TIMES) {
                    return None;
                }
                let at_most = most.map(|most| times(what, most + 1, each).not());
                let at_least = (*least > 0).then(|| times(what, *least, each));
                match (at_most, at_least) {
                    (Some(most), Some(least)) => most.and(least),
                    (one, other) => one.or(other)?,
                }
            }
            Self::Precedence { late, first } => {
                let not = late.clone().not();
                match (of(late), of(first)) {
                    // A result of the action cannot come before it.
                    (l, f) if l == action && f == state => not.next().weak_until(first.clone()),
                    (Subject::Mixed, _) | (_, Subject::Mixed) => return None,
                    _ => not.weak_until(first.clone()),
                }
            }
            Self::Until { holds, end } => {
                if of(holds) != state || of(end) == Subject::Mixed {
                    return None;
                }
                holds.clone().until(end.clone())
            }
            Self::Response { trigger, answer, once } => {
                if of(trigger) == Subject::Mixed || of(answer) == Subject::Mixed {
                    return None;
                }
                let answered = answer.clone().finally();
                match *once && of(trigger) == state && of(answer) == action {
                    // The state may last to the end of the run, so an action after each of its letters may be
                    // impossible.
                    true => trigger.clone().not().weak_until(trigger.clone().and(answered)),
                    false => trigger.clone().implies(answered).globally(),
                }
            }
            Self::Next { trigger, answer, is_forbidden } => {
                if of(trigger) == Subject::Mixed || of(answer) == Subject::Mixed {
                    return None;
                }
                let answer = if *is_forbidden { answer.clone().not() } else { answer.clone() };
                trigger.clone().implies(answer.next()).globally()
            }
            Self::After { trigger, never } => {
                let never_more = never.clone().not().globally();
                match (of(trigger), of(never)) {
                    (Subject::Mixed, _) | (_, Subject::Mixed) => return None,
                    _ if trigger == never => {
                        Self::Count { of: never.clone(), least: 0, most: Some(1) }.formula(is_action)?
                    }
                    (t, n) if t == state && n == state => trigger.clone().implies(never_more).globally(),
                    _ => trigger.clone().implies(never_more.next()).globally(),
                }
            }
            Self::While { state: when, what, is_forbidden } => {
                if of(when) != state {
                    return None;
                }
                match (of(what), is_forbidden) {
                    (it, true) if it == action => when.clone().implies(what.clone().not().next()).globally(),
                    (it, true) if it == state => when.clone().implies(what.clone().not()).globally(),
                    (it, false) if it == state => when.clone().implies(what.clone()).globally(),
                    _ => return None,
                }
            }
        })
    }
}

/// Returns the formula for at least `count` times.
fn times(what: &Formula, count: u32, subject: Subject) -> Formula {
    let here = what.clone();
    if count <= 1 {
        return here.finally();
    }
    let more = times(what, count - 1, subject);
    match subject {
        Subject::Action => here.and(more.strong_next()).finally(),
        _ => {
            let not = || what.clone().not();
            here.clone().and(here.until(not().and(not().until(more)))).finally()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(pattern: &Pattern) -> Option<String> {
        pattern.formula(&|name| name.starts_with("do_")).map(|formula| formula.to_string())
    }

    #[test]
    fn conditions_of_actions_belong_to_the_letter_before() {
        let atom = Formula::atom;
        let precedence = |late, first| text(&Pattern::Precedence { late: atom(late), first: atom(first) });
        assert_eq!(precedence("a", "b").unwrap(), "!a W b");
        assert_eq!(precedence("do_a", "b").unwrap(), "X !do_a W b");
        assert_eq!(precedence("do_a", "do_b").unwrap(), "!do_a W do_b");
        let when = |state, what| text(&Pattern::While { state: atom(state), what: atom(what), is_forbidden: true });
        assert_eq!(when("a", "do_b").unwrap(), "G(a -> X !do_b)");
        assert_eq!(when("a", "b").unwrap(), "G(a -> !b)");
        assert_eq!(when("do_a", "b"), None);
    }

    #[test]
    fn actions_are_counted_one_by_one_and_states_by_periods() {
        let most = |what| text(&Pattern::Count { of: Formula::atom(what), least: 0, most: Some(1) }).unwrap();
        assert_eq!(most("do_a"), "!F(do_a & X[!] F do_a)");
        assert_eq!(most("a"), "!F(a & a U (!a & !a U F a))");
    }
}
