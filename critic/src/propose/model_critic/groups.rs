//! Choices of one kind together, by action and what went wrong: in how many states, how often, and what the states have in common that
//! sets them apart from those in which the action was good. That is what a law's condition generalises.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ltlcrit_verifier::{ActionId, Implied, PropSet, Vocabulary};

use super::data::{code, count, visible};
use super::history::{Made, cite, reasons, said};
use super::section::{Line, Section};
use crate::graph::{ChoiceClass, Citation};
use crate::propose::Brief;

/// The most literals shown of one kind.
const MAX_LITERALS: usize = 12;

/// The states in which an action was chosen, apart by what came of it.
#[derive(Default)]
struct Group<'a> {
    bad: Vec<&'a Made<'a>>,
    good: Vec<&'a Made<'a>>,
}

impl Group<'_> {
    fn times(&self) -> u64 {
        self.bad.iter().map(|made| u64::from(made.report.made)).sum()
    }

    fn failures(&self) -> u64 {
        self.bad.iter().map(|made| u64::from(made.failed())).sum()
    }

    /// In how many of the bad states the action had different outcomes.
    fn varying(&self) -> usize {
        self.bad.iter().filter(|made| made.varies).count()
    }

    /// Steps lost, all times together.
    fn loss(&self) -> f64 {
        self.bad.iter().map(|made| made.loss() * f64::from(made.report.made)).sum()
    }

    fn first(&self) -> Option<Citation> {
        self.bad.iter().map(|made| made.report.first).min()
    }
}

/// The choices of each action that are bad in the same way, with those that are good.
fn groups<'a>(
    made: &'a [Made<'a>],
    bad: impl Fn(&Made<'a>) -> bool,
    how: impl Fn(&'a Made<'a>) -> &'a str,
    good: impl Fn(&Made<'a>) -> bool,
) -> Vec<((ActionId, &'a str), Group<'a>)> {
    let mut groups: BTreeMap<(ActionId, &'a str), Group<'a>> = BTreeMap::new();
    for made in made.iter().filter(|made| bad(made)) {
        groups.entry((made.action, how(made))).or_default().bad.push(made);
    }
    let mut groups: Vec<_> = groups.into_iter().collect();
    for ((action, _), group) in &mut groups {
        group.good = made.iter().filter(|made| made.action == *action && good(made)).collect();
    }
    groups
}

/// Actions that failed, for one reason mostly, wherever they were tried in some states.
pub(super) fn failed<'a>(brief: &Brief<'a>, made: &'a [Made<'a>], implied: &Implied) -> Section {
    let always = |made: &Made<'a>| made.is_open(ChoiceClass::Failed);
    // The reason that is most frequent comes first.
    let why = |made: &'a Made<'a>| made.report.failures.first().map_or("other", |failure| code(&failure.reason));
    let mut groups = groups(made, always, why, |made| made.failed() < made.report.made);
    groups.sort_by(|(a, one), (b, other)| other.failures().cmp(&one.failures()).then(a.cmp(b)));
    let line = |((action, _), group): &((ActionId, &str), Group<'_>)| {
        let failures = group.bad.iter().flat_map(|made| &made.report.failures);
        let why = reasons(failures.map(|failure| (&*failure.reason, u64::from(failure.count))));
        let failures = group.bad.iter().flat_map(|made| &made.report.failures);
        let said = said(brief.graph, failures).map(|said| format!(", such as {said}")).unwrap_or_default();
        let mut text = format!(
            "- {} failed {} in {} ({why}{said}), succeeded in {}",
            visible(brief.vocabulary.action_name(*action), 120),
            count(group.failures(), "time"),
            count(group.bad.len() as u64, "state"),
            count(group.good.len() as u64, "state")
        );
        text.push_str(&common(brief.vocabulary, implied, group, "failure", "success"));
        Line { text, weight: group.failures() }
    };
    let heading = if groups.is_empty() {
        "No action always failed in any state."
    } else {
        "Failures, by action and reason (between the ends of a chain of axioms nothing is repeated):"
    };
    Section {
        heading: heading.to_owned(),
        lines: groups.iter().map(line).collect(),
        short: Vec::new(),
        what: "groups",
        measure: "failures",
        rank: 8,
        share: 50,
    }
}

/// Actions that cost more than the best choice of their state.
pub(super) fn costly<'a>(brief: &Brief<'a>, made: &'a [Made<'a>], implied: &Implied) -> Section {
    let efficient = |made: &Made<'a>| made.report.class == ChoiceClass::Efficient;
    let mut groups = groups(made, Made::is_costly, |_| "", efficient);
    groups.sort_by(|(a, one), (b, other)| other.loss().total_cmp(&one.loss()).then(a.cmp(b)));
    let line = |((action, _), group): &((ActionId, &str), Group<'_>)| {
        let mut text = format!(
            "- {} lost {:.1} steps, {} in {}, efficient in {}",
            visible(brief.vocabulary.action_name(*action), 120),
            group.loss(),
            count(group.times(), "time"),
            count(group.bad.len() as u64, "state"),
            count(group.good.len() as u64, "state")
        );
        if group.varying() > 0 {
            let _ = write!(text, "; ~ in {}", count(group.varying() as u64, "state"));
        }
        text.push_str(&common(brief.vocabulary, implied, group, "loss", "efficient use"));
        Line { text, weight: group.times() }
    };
    let heading = match groups.is_empty() {
        true => "No choice is known to have cost steps.",
        false => "Steps lost, by action (only where a step shows that it failed, stalled or was needless):",
    };
    Section {
        heading: heading.to_owned(),
        lines: groups.iter().map(line).collect(),
        short: Vec::new(),
        what: "actions",
        measure: "times made",
        rank: 9,
        share: 50,
    }
}

/// Actions that stalled runs: they succeeded again and again, and led nowhere.
pub(super) fn stalled<'a>(brief: &Brief<'a>, made: &'a [Made<'a>], implied: &Implied) -> Section {
    let stalls = |made: &Made<'a>| made.uses.stalled > 0 && !made.blocked;
    let times = |group: &Group<'_>| group.bad.iter().map(|made| u64::from(made.uses.stalled)).sum::<u64>();
    let mut groups = groups(made, stalls, |_| "", |made| made.uses.good > 0);
    groups.sort_by(|(a, one), (b, other)| times(other).cmp(&times(one)).then(a.cmp(b)));
    let line = |((action, _), group): &((ActionId, &str), Group<'_>)| {
        let mut text = format!(
            "- {} led nowhere {} in {}, was of use in {}",
            visible(brief.vocabulary.action_name(*action), 120),
            count(times(group), "time"),
            count(group.bad.len() as u64, "state"),
            count(group.good.len() as u64, "state")
        );
        text.push_str(&common(brief.vocabulary, implied, group, "stall", "use"));
        Line { text, weight: times(group) }
    };
    let heading = match groups.is_empty() {
        true => "No run went round in a dead end.",
        false => "Runs that went round in dead ends, by action (it succeeds, and no observation ever changes):",
    };
    Section {
        heading: heading.to_owned(),
        lines: groups.iter().map(line).collect(),
        short: Vec::new(),
        what: "actions",
        measure: "times",
        rank: 8,
        share: 50,
    }
}

/// A set of observations that hold and one of observations that do not.
#[derive(Clone, Copy)]
struct Literals {
    hold: PropSet,
    fail: PropSet,
}

impl Literals {
    /// The literals common to all these states.
    fn common(states: &[&Made<'_>], observations: PropSet) -> Self {
        let (mut hold, mut some) = (observations, PropSet::EMPTY);
        for made in states {
            hold = hold.intersection(made.holds);
            some = some.union(made.holds);
        }
        Self { hold, fail: observations.difference(&some) }
    }

    fn without(self, other: Self) -> Self {
        Self { hold: self.hold.difference(&other.hold), fail: self.fail.difference(&other.fail) }
    }

    fn both(self, hold: PropSet, fail: PropSet) -> Self {
        Self { hold: self.hold.intersection(&hold), fail: self.fail.intersection(&fail) }
    }

    fn text(self, vocabulary: &Vocabulary, implied: &Implied) -> Option<String> {
        // Both ends of a chain such as `8x -> 3x`: the one that says most, and the one that makes the widest condition.
        let ends = |set: &PropSet| implied.strongest_holding(set).union(&implied.strongest_failing(set));
        let (hold, fail) = (ends(&self.hold), ends(&self.fail));
        let hold = vocabulary.names(&hold).into_iter().map(|name| visible(name, 120));
        let fail = vocabulary.names(&fail).into_iter().map(|name| format!("!{}", visible(name, 120)));
        let all: Vec<String> = hold.chain(fail).collect();
        let more = all.len().saturating_sub(MAX_LITERALS);
        let mut text = all.into_iter().take(MAX_LITERALS).collect::<Vec<_>>().join(", ");
        if more > 0 {
            let _ = write!(text, " and {more} more");
        }
        (!text.is_empty()).then_some(text)
    }
}

/// The literals that tell the bad states from the good ones, and a step to cite.
fn common(vocabulary: &Vocabulary, implied: &Implied, group: &Group<'_>, bad: &str, good: &str) -> String {
    let observations = PropSet::first(vocabulary.observations().len());
    let mut text = String::new();
    let in_bad = Literals::common(&group.bad, observations);
    if group.good.is_empty() {
        // With nothing to compare, what tells most is what all the states have in common.
        if let Some(literals) = in_bad.text(vocabulary, implied) {
            let _ = write!(text, "; before every {bad}: {literals}");
        }
    } else {
        let in_good = Literals::common(&group.good, observations);
        let apart = in_bad.both(in_good.fail, in_good.hold);
        let often_bad = in_bad.without(in_good).without(apart);
        let often_good = in_good.without(in_bad).without(Literals { hold: apart.fail, fail: apart.hold });
        for (literals, when) in [
            (apart, format!("before every {bad} and no {good}")),
            (often_bad, format!("before every {bad} and only some {good}")),
            (often_good, format!("before every {good} and only some {bad}")),
        ] {
            if let Some(literals) = literals.text(vocabulary, implied) {
                let _ = write!(text, "; {when}: {literals}");
            }
        }
    }
    if let Some(first) = group.first() {
        let _ = write!(text, "; {}", cite(first));
    }
    text
}
