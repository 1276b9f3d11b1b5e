//! The patterns of laws: what a sentence says about when, apart from what it is about.
//!
//! The patterns are those of the catalogue for robotic missions (Menghi et al., arXiv 1901.02077). What a pattern is as a
//! formula depends on what it is about: a letter holds one action and the observations *after* it
//! ([`before_and_after`](ltlcrit_verifier::before_and_after)), so that a condition on an action belongs to the letter before.

use ltlcrit_verifier::Formula;

/// The most times that can be counted.
pub const MOST_TIMES: u32 = 10;

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
    /// c at least, and at most, so many times: actions are counted one by one, states by the periods in which they hold.
    Count {
        /// What is counted.
        of: Formula,
        /// The fewest times.
        least: u32,
        /// The most times, if there is a limit.
        most: Option<u32>,
    },
    /// Not c until the other has held.
    Precedence {
        /// What has to wait.
        late: Formula,
        /// What comes first.
        first: Formula,
    },
    /// c until the other, which comes.
    Until {
        /// What holds.
        holds: Formula,
        /// Until then.
        end: Formula,
    },
    /// Whenever the trigger holds, the answer does at that time or later.
    Response {
        /// When.
        trigger: Formula,
        /// What is owed.
        answer: Formula,
        /// Owed once, after the first time the trigger holds, rather than after every time.
        once: bool,
    },
    /// Whenever the trigger holds, the answer does at the next step.
    Next {
        /// When.
        trigger: Formula,
        /// What follows.
        answer: Formula,
        /// The answer must not follow.
        is_forbidden: bool,
    },
    /// Once the trigger has held, the other never does.
    After {
        /// When.
        trigger: Formula,
        /// What must not come.
        never: Formula,
    },
    /// While the state holds, the other must, or must not, hold or be done.
    While {
        /// When.
        state: Formula,
        /// What is judged.
        what: Formula,
        /// It must not.
        is_forbidden: bool,
    },
}

/// What a condition speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// Observations alone.
    State,
    /// Actions alone, not denied.
    Action,
    /// Anything else.
    Mixed,
}

/// What a condition speaks of, told which names are actions.
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
    /// The formula of the pattern; `None` if it cannot be said of these conditions, such as a state of an action.
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
                if each == Subject::Mixed || *least > MOST_TIMES || most.is_some_and(|most| most > MOST_TIMES) {
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
                    // What the action leads to cannot come before it.
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
                    // The state may last to the end of the run, and an action after every moment of it could not be done.
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

/// At least so many times.
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
