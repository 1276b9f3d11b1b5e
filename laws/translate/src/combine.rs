//! The rules from a main clause and a condition to patterns. Several patterns are several readings, which are asked about.

use ltlcrit_verifier::Formula;

use crate::clause::{Clause, Joined};
use crate::condition::Condition;
use crate::connective::Connective;
use crate::frames::Aspect;
use crate::main_clause::{Force, MainClause, Time};
use crate::pattern::Pattern;
use crate::words::is_form_of;

/// A reading: patterns that all hold.
pub(crate) type Reading = Vec<Pattern>;

/// What a main clause demands, denials resolved.
#[derive(Clone, Debug)]
pub(crate) struct Demand {
    /// What must, or must not, be: each of them.
    pub items: Vec<Formula>,
    pub joined: Joined,
    pub force: Force,
    pub aspect: Aspect,
    /// "Must have been in".
    pub is_perfect: bool,
}

impl Demand {
    /// `None` if what is denied twice is not plain.
    pub fn new(main: &MainClause, clause: &Clause) -> Option<Self> {
        let Clause { items, joined, is_negated, aspect, is_perfect, .. } = clause.clone();
        let is_state = aspect != Aspect::Event;
        let force = match (main.force, is_negated) {
            // "must never not be in the kitchen"
            (Force::Oblige, false) if main.is_doubly_denied && is_state => Force::Oblige,
            _ if main.is_doubly_denied => return None,
            // "Don't stay in the kitchen": not at all, or not for long.
            (Force::Forbid, false) if aspect == Aspect::Maintained => return None,
            (force, false) => force,
            (Force::Oblige | Force::Permit, true) if aspect == Aspect::Maintained => Force::Forbid,
            (Force::Oblige, true) => {
                let denied = joined.join(items)?.not();
                let force = Force::Oblige;
                return Some(Self { items: vec![denied], joined: Joined::And, force, aspect, is_perfect });
            }
            // "You may have no planks only if": too twisted to be sure. "Don't close it" is not "keep it open".
            (_, true) => return None,
        };
        Some(Self { items, joined, force, aspect, is_perfect })
    }

    /// What is demanded, as one condition; `None` if "not a and b" leaves open whether each is forbidden.
    fn whole(&self) -> Option<Formula> {
        if self.force == Force::Forbid && self.joined == Joined::And && self.items.len() > 1 {
            return None;
        }
        self.joined.join(self.items.iter().cloned())
    }

    fn is_state(&self) -> bool {
        self.aspect != Aspect::Event
    }
}

/// The readings of a main clause alone.
pub(crate) fn alone(main: &MainClause, demand: &Demand) -> Vec<Reading> {
    let Some(whole) = demand.whole() else {
        // Neither of them, or not both at once.
        let each = demand.items.iter().map(|item| Pattern::Never(item.clone())).collect();
        let both = demand.joined.join(demand.items.iter().cloned()).map(Pattern::Never);
        return vec![each, both.into_iter().collect()];
    };
    if let Some(times) = main.times {
        if demand.force == Force::Forbid || demand.items.len() > 1 {
            return Vec::new();
        }
        let count = |least, most| vec![Pattern::Count { of: whole.clone(), least, most }];
        let exactly = count(times.least, times.most);
        return if times.is_bare { vec![exactly, count(times.least, None)] } else { vec![exactly] };
    }
    let each = |pattern: &dyn Fn(Formula) -> Pattern| -> Reading {
        match demand.joined {
            Joined::And => demand.items.iter().cloned().map(pattern).collect(),
            Joined::Or => vec![pattern(whole.clone())],
        }
    };
    if main.is_only {
        return Vec::new();
    }
    match demand.force {
        Force::Forbid => match (main.time, demand.items.len()) {
            (None | Some(Time::Always), 0 | 1) => vec![vec![Pattern::Never(whole)]],
            (None | Some(Time::Always), _) => vec![demand.items.iter().cloned().map(Pattern::Never).collect()],
            _ => Vec::new(),
        },
        Force::Permit => Vec::new(),
        Force::Oblige => match main.time {
            _ if main.is_doubly_denied => vec![each(&Pattern::Always)],
            Some(Time::Always) => vec![each(&Pattern::Always)],
            Some(Time::Later) => vec![each(&Pattern::Eventually)],
            Some(Time::Next | Time::After) => Vec::new(),
            None => match demand.aspect {
                Aspect::Maintained => vec![each(&Pattern::Always)],
                Aspect::Event => vec![each(&Pattern::Eventually)],
                Aspect::State => vec![each(&Pattern::Always), each(&Pattern::Eventually)],
            },
        },
    }
}

/// The readings of a main clause with a condition.
pub(crate) fn conditional(
    main: &MainClause,
    demand: &Demand,
    connective: Connective,
    when: &Condition,
) -> Vec<Reading> {
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
    // What ends may never have begun: that the fridge is closed does not mean that somebody closed it.
    let waits = matches!(
        (connective, demand.force),
        (Connective::Until | Connective::Before, Force::Forbid) | (Connective::OnlyAfter, _)
    );
    if when.is_end && !waits {
        return Vec::new();
    }
    let s = || when.formula.clone();
    let denial = |of: Formula| match of {
        Formula::Not(inner) => *inner,
        other => other.not(),
    };
    let not_s = || when.denied.clone().unwrap_or_else(|| s().not());
    let m = || what.clone();
    let next = |is_forbidden| vec![Pattern::Next { trigger: s(), answer: m(), is_forbidden }];
    let after = || vec![Pattern::After { trigger: s(), never: m() }];
    let during = |state, is_forbidden| vec![Pattern::While { state, what: m(), is_forbidden }];
    let precedence = |first: Formula| vec![Pattern::Precedence { late: m(), first }];
    let response = |once| vec![Pattern::Response { trigger: s(), answer: m(), once }];
    let is_state = when.aspect != Aspect::Event && !when.is_perfect;
    match (connective, demand.force) {
        (Connective::If, Force::Forbid) => match (main.time, &when.denied) {
            (Some(Time::Next), _) => vec![next(true)],
            (Some(Time::After), None) => vec![after()],
            (None | Some(Time::Always), Some(denied)) if when.is_perfect => vec![precedence(denied.clone())],
            (None | Some(Time::Always), None) if when.is_perfect => vec![after()],
            (None | Some(Time::Always), _) if is_state => vec![during(s(), true)],
            (None, None) => vec![during(s(), true), after()],
            _ => Vec::new(),
        },
        (Connective::If, Force::Oblige) => match main.time {
            Some(Time::Next) => vec![next(false)],
            None if demand.aspect == Aspect::Maintained => vec![during(s(), false)],
            Some(Time::Always) if is_state => vec![during(s(), false)],
            None if demand.is_state() && is_state => vec![during(s(), false)],
            Some(Time::Always) => Vec::new(),
            _ => vec![response(false)],
        },
        (Connective::Once, Force::Forbid) => match main.time {
            Some(Time::Next) => vec![next(true)],
            Some(Time::Later) => Vec::new(),
            _ => vec![after()],
        },
        (Connective::Once, Force::Oblige) => match main.time {
            Some(Time::Next) => vec![next(false)],
            Some(Time::Always) => Vec::new(),
            _ if demand.aspect == Aspect::Maintained => Vec::new(),
            _ => vec![response(true)],
        },
        (Connective::RightAfter, Force::Forbid) => vec![next(true)],
        (Connective::RightAfter, Force::Oblige) => vec![next(false)],
        (Connective::AsSoonAs, Force::Oblige) => match main.time {
            Some(Time::Next) => vec![next(false)],
            Some(Time::Later | Time::After) => vec![response(true)],
            _ => vec![next(false), response(true)],
        },
        (Connective::AsSoonAs, Force::Forbid) => match main.time {
            Some(Time::Next) => vec![next(true)],
            _ => vec![after()],
        },
        (Connective::While, Force::Forbid) => vec![during(s(), true)],
        (Connective::While, Force::Oblige) if demand.is_state() && main.time != Some(Time::Later) => {
            vec![during(s(), false)]
        }
        (Connective::Until, Force::Forbid) => vec![precedence(s())],
        (Connective::Until, Force::Oblige) if demand.is_state() => vec![vec![Pattern::Until { holds: m(), end: s() }]],
        (Connective::Before, Force::Forbid) => vec![precedence(s())],
        // What is so before something may be meant for the moment before, or for any moment earlier; what one is to have by then, is
        // got earlier.
        (Connective::Before, Force::Oblige) if main.time.is_none() => {
            let earlier = vec![Pattern::Precedence { late: s(), first: m() }];
            let still = vec![Pattern::While { state: denial(m()), what: s(), is_forbidden: true }];
            let is_had = main.tokens.iter().any(|token| is_form_of(&token.text, "have"));
            if demand.is_state() && !demand.is_perfect && !is_had { vec![earlier, still] } else { vec![earlier] }
        }
        (Connective::Unless, Force::Forbid) => match (when.is_perfect, is_state, &when.denied) {
            (true, _, None) => vec![precedence(s())],
            (false, true, _) => vec![during(not_s(), true)],
            (false, false, None) => vec![during(not_s(), true), precedence(s())],
            _ => Vec::new(),
        },
        (Connective::Without, Force::Forbid) => match (when.is_perfect, is_state, &when.denied) {
            (true, _, None) => vec![precedence(s())],
            (false, true, None) => vec![during(not_s(), true)],
            (false, false, None) => vec![during(not_s(), true), precedence(s())],
            _ => Vec::new(),
        },
        (Connective::OnlyIf, Force::Permit | Force::Oblige) => match (when.is_perfect, is_state, &when.denied) {
            (true, _, None) => vec![precedence(s())],
            (false, true, _) => vec![during(not_s(), true)],
            (false, false, None) => vec![during(not_s(), true), precedence(s())],
            _ => Vec::new(),
        },
        (Connective::OnlyAfter, Force::Permit | Force::Oblige) => match &when.denied {
            None => vec![precedence(s())],
            Some(_) => Vec::new(),
        },
        _ => Vec::new(),
    }
}
