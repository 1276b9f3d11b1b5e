//! The evidence for the prompt: a row for each action and way to be bad.
//!
//! A row compares the states of the bad trials with those in which the action was of use. The literals that tell them
//! apart are what a condition of a law generalises.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use ltlcrit_verifier::{ActionId, Implied, PropSet, Vocabulary};

use super::data::{code, count, quiet, visible};
use super::facts::action;
use super::section::Section;
use crate::evidence::{Trial, Verdict};
use crate::graph::PathStep;
use crate::propose::Brief;

/// The maximum length of a message of a failure, in bytes.
const MAX_MESSAGE: usize = 160;
/// The maximum number of literals of one kind.
const MAX_LITERALS: usize = 8;

/// Shows the bad trials that no law blocks by now, by action and way to be bad, the most frequent first.
pub(super) fn evidence(brief: &Brief<'_>) -> Section {
    let mut good: BTreeMap<ActionId, BTreeSet<PropSet>> = BTreeMap::new();
    let mut bad: BTreeMap<(ActionId, String), Vec<&Trial>> = BTreeMap::new();
    let mut blocked = 0;
    for trial in &brief.trials.all {
        let is_blocked = || brief.laws.iter().any(|law| law.blocks(&trial.state, trial.action, brief.vocabulary));
        if trial.brought_something() {
            good.entry(trial.action).or_default().insert(trial.state);
        } else if trial.is_bad() && is_blocked() {
            blocked += 1;
        } else if trial.is_bad() {
            bad.entry((trial.action, way_to_be_bad(brief, trial))).or_default().push(trial);
        }
    }
    let mut bad: Vec<_> = bad.into_iter().collect();
    bad.sort_by_key(|(_, trials)| std::cmp::Reverse(trials.len()));
    let implied = Implied::new(brief.vocabulary);
    let line = |((one, how), trials): ((ActionId, String), Vec<&Trial>)| {
        let states: BTreeSet<PropSet> = trials.iter().map(|trial| trial.state).collect();
        let good = good.get(&one).cloned().unwrap_or_default();
        let mut text = format!(
            "- {} {how} {}x in {}, of use in {}",
            action(brief.vocabulary, one),
            trials.len(),
            count(states.len() as u64, "state"),
            count(good.len() as u64, "state")
        );
        let mixed = states.intersection(&good).count() as u64;
        if mixed > 0 {
            // Writing to a string cannot fail.
            let _ = write!(text, " (both in {})", count(mixed, "state"));
        }
        text.push_str(&comparison(brief.vocabulary, &implied, &states, &good));
        if let Some(first) = trials.iter().map(|trial| trial.step).min() {
            let said = brief.graph.step(first).and_then(message).unwrap_or_default();
            let _ = write!(text, "; run {} step {}{said}", first.run, first.step);
        }
        text
    };
    let blocked =
        if blocked > 0 { format!(" Laws by now block {} more.", count(blocked, "bad step")) } else { String::new() };
    let heading = format!(
        "Evidence: bad steps, the most frequent first. `always bad`: held before every bad and no useful one; `bad`: before every bad \
         one; `useful`: before every useful one.{blocked}"
    );
    Section::new(heading, 50, bad.into_iter().map(line))
}

fn way_to_be_bad(brief: &Brief<'_>, trial: &Trial) -> String {
    let failure = || Some(brief.graph.step(trial.step)?.failure.as_ref()?.to_string());
    match trial.verdict {
        Verdict::Failed => format!("failed ({})", code(&failure().unwrap_or_default())),
        Verdict::Trapped => "was trapped".to_owned(),
        _ => "was needless".to_owned(),
    }
}

/// Returns the world's message about a failed step, in quotation marks.
fn message(step: &PathStep) -> Option<String> {
    let text = quiet(step.message.as_deref().filter(|_| step.failure.is_some())?, MAX_MESSAGE).replace('"', "'");
    (!text.is_empty()).then(|| format!(" \"{text}\""))
}

/// Observations that hold and observations that do not.
#[derive(Clone, Copy)]
struct Literals {
    hold: PropSet,
    fail: PropSet,
}

impl Literals {
    /// Returns the literals common to all these states.
    fn common(states: &BTreeSet<PropSet>, observations: PropSet) -> Self {
        let hold = states.iter().fold(observations, |all, state| all.intersection(state));
        let some = states.iter().fold(PropSet::EMPTY, |some, state| some.union(state));
        Self { hold, fail: observations.difference(&some) }
    }

    fn without(self, other: Self) -> Self {
        Self { hold: self.hold.difference(&other.hold), fail: self.fail.difference(&other.fail) }
    }

    /// Returns the text; `None` if there is no literal. Of a chain such as `8x -> 3x` it shows both ends: the literal that
    /// says most, and the one that makes the widest condition.
    fn text(self, vocabulary: &Vocabulary, implied: &Implied) -> Option<String> {
        let ends = |set: &PropSet| implied.strongest_holding(set).union(&implied.strongest_failing(set));
        let (hold, fail) = (ends(&self.hold), ends(&self.fail));
        let hold = vocabulary.names(&hold).into_iter().map(|name| visible(name, 120));
        let fail = vocabulary.names(&fail).into_iter().map(|name| format!("!{}", visible(name, 120)));
        let all: Vec<String> = hold.chain(fail).take(MAX_LITERALS).collect();
        (!all.is_empty()).then(|| all.join(", "))
    }
}

/// Compares the states of bad trials with those of useful ones.
fn comparison(vocabulary: &Vocabulary, implied: &Implied, bad: &BTreeSet<PropSet>, good: &BTreeSet<PropSet>) -> String {
    let observations = PropSet::first(vocabulary.observations().len());
    let in_bad = Literals::common(bad, observations);
    let kinds = if good.is_empty() {
        vec![("bad", in_bad)]
    } else {
        let in_good = Literals::common(good, observations);
        let apart =
            Literals { hold: in_bad.hold.intersection(&in_good.fail), fail: in_bad.fail.intersection(&in_good.hold) };
        let useful = in_good.without(in_bad).without(Literals { hold: apart.fail, fail: apart.hold });
        vec![("always bad", apart), ("bad", in_bad.without(in_good).without(apart)), ("useful", useful)]
    };
    let told = kinds
        .into_iter()
        .filter_map(|(kind, literals)| Some(format!("; {kind}: {}", literals.text(vocabulary, implied)?)));
    told.collect()
}
