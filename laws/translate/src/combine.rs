//! Combines a main clause and a condition into patterns. Several readings lead to a question.

use ltlcrit_verifier::Formula;

use crate::clause::{Clause, Joined};
use crate::connective::Connective;
use crate::frames::Aspect;
use crate::main_clause::{Force, MainClause, Time};
use crate::pattern::Pattern;
use crate::words::is_form_of;

/// One reading: patterns that all hold.
pub(crate) type Reading = Vec<Pattern>;

/// The demand of a main clause, with denials resolved.
#[derive(Clone, Debug)]
pub(crate) struct Demand {
    /// The clause; its items are required or forbidden, whether it is negated or not.
    pub clause: Clause,
    pub force: Force,
}

impl Demand {
    /// Combines the force of a main clause with its negation. Returns `None` if a double denial is ambiguous.
    pub fn new(main: &MainClause, clause: &Clause) -> Option<Self> {
        let is_state = clause.aspect != Aspect::Event;
        let is_maintained = clause.aspect == Aspect::Maintained;
        let mut clause = clause.clone();
        let force = match (main.force, clause.is_negated) {
            // "must never not be in the kitchen"
            (Force::Oblige, false) if main.is_doubly_denied && is_state => Force::Oblige,
            _ if main.is_doubly_denied => return None,
            // "Don't stay in the kitchen" may mean never, or not for long.
            (Force::Forbid, false) if is_maintained => return None,
            (force, false) => force,
            (Force::Oblige | Force::Permit, true) if is_maintained => Force::Forbid,
            (Force::Oblige, true) => {
                (clause.items, clause.joined) = (vec![clause.formula()], Joined::And);
                Force::Oblige
            }
            // "You may have no planks only if" is ambiguous. "Don't close it" does not mean "keep it open".
            (_, true) => return None,
        };
        Some(Self { clause, force })
    }

    /// Returns the demand as one condition; `None` if "not a and b" may forbid each or only both.
    fn whole(&self) -> Option<Formula> {
        let is_unclear =
            self.force == Force::Forbid && self.clause.joined == Joined::And && self.clause.items.len() > 1;
        (!is_unclear).then(|| self.clause.positive())
    }

    fn is_state(&self) -> bool {
        self.clause.aspect != Aspect::Event
    }
}

/// Returns the readings of a main clause alone.
pub(crate) fn alone(main: &MainClause, demand: &Demand) -> Vec<Reading> {
    let Some(whole) = demand.whole() else {
        // Each item is forbidden, or only all of them at once.
        let each = demand.clause.items.iter().cloned().map(Pattern::Never).collect();
        return vec![each, vec![Pattern::Never(demand.clause.positive())]];
    };
    if main.is_only || main.is_again {
        return Vec::new();
    }
    if let Some(times) = main.times {
        // Endings are not counted: a door that is closed at the beginning was not closed by an action.
        let is_counted = demand.force != Force::Forbid && demand.clause.items.len() == 1 && !demand.clause.is_end;
        // "You may twice" is not a law; "you may at most twice" is one.
        let is_permitted = demand.force == Force::Permit && times.least > 0;
        if !is_counted || is_permitted || main.time.is_some() {
            return Vec::new();
        }
        let count = |least, most| vec![Pattern::Count { of: whole.clone(), least, most }];
        let exactly = count(times.least, times.most);
        return if times.is_bare { vec![exactly, count(times.least, None)] } else { vec![exactly] };
    }
    let each = |pattern: &dyn Fn(Formula) -> Pattern| -> Reading {
        match demand.clause.joined {
            Joined::And => demand.clause.items.iter().cloned().map(pattern).collect(),
            Joined::Or => vec![pattern(whole.clone())],
        }
    };
    match demand.force {
        Force::Forbid => match (main.time, demand.clause.items.len()) {
            (None | Some(Time::Always), 0 | 1) => vec![vec![Pattern::Never(whole)]],
            (None | Some(Time::Always), _) => vec![demand.clause.items.iter().cloned().map(Pattern::Never).collect()],
            _ => Vec::new(),
        },
        Force::Permit => Vec::new(),
        Force::Oblige => match main.time {
            _ if main.is_doubly_denied => vec![each(&Pattern::Always)],
            Some(Time::Always) if demand.is_state() => vec![each(&Pattern::Always)],
            Some(Time::Later) => vec![each(&Pattern::Eventually)],
            Some(_) => Vec::new(),
            None => match demand.clause.aspect {
                Aspect::Maintained => vec![each(&Pattern::Always)],
                Aspect::Event => vec![each(&Pattern::Eventually)],
                Aspect::State => vec![each(&Pattern::Always), each(&Pattern::Eventually)],
            },
        },
    }
}

/// Returns the readings of a main clause with a condition.
pub(crate) fn conditional(main: &MainClause, demand: &Demand, connective: Connective, when: &Clause) -> Vec<Reading> {
    let Some(what) = demand.whole() else { return Vec::new() };
    if main.times.is_some() {
        return Vec::new();
    }
    let connective = match (connective, main.is_only) {
        (connective, false) => connective,
        (Connective::If | Connective::While | Connective::OnlyIf, true) => Connective::OnlyIf,
        (Connective::Once | Connective::OnlyAfter, true) => Connective::OnlyAfter,
        _ => return Vec::new(),
    };
    // An ended state may never have begun: a closed fridge was not necessarily closed by somebody.
    let waits = matches!(
        (connective, demand.force),
        (Connective::Until | Connective::Before, Force::Forbid) | (Connective::OnlyAfter, _)
    );
    if when.is_end && !waits {
        return Vec::new();
    }
    let denied = when.denied();
    let s = || when.formula();
    let denial = |of: Formula| match of {
        Formula::Not(inner) => *inner,
        other => other.not(),
    };
    let not_s = || denied.clone().unwrap_or_else(|| s().not());
    let m = || what.clone();
    let next = |is_forbidden| vec![Pattern::Next { trigger: s(), answer: m(), is_forbidden }];
    let after = || vec![Pattern::After { trigger: s(), never: m() }];
    let during = |state, is_forbidden| vec![Pattern::While { state, what: m(), is_forbidden }];
    let precedence = |first: Formula| vec![Pattern::Precedence { late: m(), first }];
    let response = |once| vec![Pattern::Response { trigger: s(), answer: m(), once }];
    let is_state = when.aspect != Aspect::Event && !when.is_perfect;
    // "Never again" means never after that. "Close it again" means the same as "close it", once it was opened.
    let is_undone = demand.force == Force::Forbid || demand.clause.is_end || matches!(what, Formula::Not(_));
    if main.is_again && !(is_undone && matches!(connective, Connective::If | Connective::Once | Connective::AsSoonAs)) {
        return Vec::new();
    }
    // Each rule lists the adverbs of time that it accepts. Any other adverb has no reading.
    use Time::{After, Always, First, Later, Next};
    let time = main.time.or((main.is_again && demand.force == Force::Forbid).then_some(After));
    match (connective, demand.force, time) {
        (Connective::OnlyAfter, Force::Permit | Force::Oblige, None | Some(Always)) if denied.is_none() => {
            vec![precedence(s())]
        }
        (Connective::OnlyIf, Force::Permit | Force::Oblige, None | Some(Always))
        | (Connective::Unless | Connective::Without, Force::Forbid, None | Some(Always)) => {
            match (when.is_perfect, is_state, &denied) {
                (true, _, None) => vec![precedence(s())],
                (false, true, Some(_)) if connective == Connective::Without => Vec::new(),
                (false, true, _) => vec![during(not_s(), true)],
                (false, false, None) => vec![during(not_s(), true), precedence(s())],
                _ => Vec::new(),
            }
        }
        (_, Force::Permit, _) => Vec::new(),
        (Connective::If | Connective::Once | Connective::AsSoonAs, force, Some(Next)) => {
            vec![next(force == Force::Forbid)]
        }
        (Connective::RightAfter, force, None | Some(Next)) => vec![next(force == Force::Forbid)],
        (Connective::If, Force::Forbid, Some(After)) if denied.is_none() => vec![after()],
        (Connective::If, Force::Forbid, None | Some(Always)) => match &denied {
            Some(denied) if when.is_perfect => vec![precedence(denied.clone())],
            None if when.is_perfect => vec![after()],
            _ if is_state => vec![during(s(), true)],
            None if time.is_none() => vec![during(s(), true), after()],
            _ => Vec::new(),
        },
        (Connective::If, Force::Oblige, None | Some(Always)) if demand.is_state() && is_state => {
            vec![during(s(), false)]
        }
        (Connective::While, Force::Oblige, None | Some(Always)) if demand.is_state() && when.lasts => {
            vec![during(s(), false)]
        }
        (Connective::If, Force::Oblige, None) if demand.clause.aspect == Aspect::Maintained => vec![during(s(), false)],
        (Connective::If, Force::Oblige, None | Some(Later | After)) => vec![response(false)],
        (Connective::Once | Connective::AsSoonAs, Force::Forbid, None | Some(After | Always)) => vec![after()],
        (Connective::Once, Force::Oblige, _) if demand.clause.aspect == Aspect::Maintained => Vec::new(),
        (Connective::Once, Force::Oblige, None)
        | (Connective::Once | Connective::AsSoonAs, Force::Oblige, Some(Later | After)) => {
            vec![response(true)]
        }
        (Connective::AsSoonAs, Force::Oblige, None) => vec![next(false), response(true)],
        (Connective::While, Force::Forbid, None | Some(Always)) if when.lasts => {
            vec![during(s(), true)]
        }
        (Connective::Until | Connective::Before, Force::Forbid, None | Some(Always)) => vec![precedence(s())],
        (Connective::Until, Force::Oblige, None | Some(Always)) if demand.is_state() => {
            vec![vec![Pattern::Until { holds: m(), end: s() }]]
        }
        // A state before an event may refer to the moment before, or to any earlier moment. A thing to have by then was
        // acquired earlier, and a state that has ended by then may never have begun.
        (Connective::Before, Force::Oblige, None | Some(First)) => {
            let earlier = vec![Pattern::Precedence { late: s(), first: m() }];
            let still = vec![Pattern::While { state: denial(m()), what: s(), is_forbidden: true }];
            let is_had = main.tokens.iter().any(|token| is_form_of(&token.text, "have"));
            match demand.is_state() && !demand.clause.is_perfect && !is_had {
                _ if demand.clause.is_end => vec![still],
                true => vec![earlier, still],
                false => vec![earlier],
            }
        }
        _ => Vec::new(),
    }
}
