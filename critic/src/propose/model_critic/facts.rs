//! Prompt sections about the vocabulary, the laws, the conflicts and the refusals.

use std::collections::BTreeMap;

use ltlcrit_store::LawId;
use ltlcrit_verifier::{ActionId, PropSet, Proposition, Vocabulary};

use super::answer::Unread;
use super::data::{count, quiet, visible};
use super::section::Section;
use crate::change::Change;
use crate::evidence::Trial;
use crate::law::{KnownLaw, StateConflict};
use crate::notes::GivenUp;
use crate::propose::Brief;

/// The maximum length of a name that is shown, in bytes.
const MAX_NAME: usize = 120;
/// The maximum length of a formula that is shown; the gate reads longer ones.
const MAX_FORMULA: usize = 600;
/// The maximum length of a meaning, an explanation or a reason of an axiom.
const MAX_TEXT: usize = 200;
/// The maximum length of a reason of a refusal.
const MAX_REASON: usize = 700;
/// The maximum number of actions shown that were taken instead of a blocked one.
const MAX_TAKEN: usize = 4;

/// Returns the names of the observations that hold, or `nothing`.
pub(super) fn state(vocabulary: &Vocabulary, holds: &PropSet) -> String {
    let names: Vec<String> = vocabulary.names(holds).into_iter().map(|name| visible(name, MAX_NAME)).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

/// Returns the name of an action.
pub(super) fn action(vocabulary: &Vocabulary, action: ActionId) -> String {
    visible(vocabulary.action_name(action), MAX_NAME)
}

pub(super) fn observations(vocabulary: &Vocabulary) -> Section {
    Section::new("Observations, of which phi_s is made:", 40, propositions(vocabulary.observations()))
}

pub(super) fn actions(vocabulary: &Vocabulary) -> Section {
    Section::new("Actions, of which phi_a is made:", 40, propositions(vocabulary.actions()))
}

fn propositions(propositions: &[Proposition]) -> impl Iterator<Item = String> {
    propositions.iter().map(|one| with_reason(visible(&one.name, MAX_NAME), &one.meaning))
}

fn with_reason(text: String, reason: &str) -> String {
    let reason = quiet(reason, MAX_TEXT);
    if reason.is_empty() { format!("- {text}") } else { format!("- {text}: {reason}") }
}

pub(super) fn axioms(vocabulary: &Vocabulary) -> Section {
    let line = |axiom: &ltlcrit_verifier::Axiom| {
        with_reason(visible(&axiom.to_string(), MAX_FORMULA), axiom.reason.as_deref().unwrap_or_default())
    };
    Section::new("Axioms, which hold in every state:", 20, vocabulary.axioms().iter().map(line))
}

/// Shows the laws with what they blocked: first those in conflicts, then those that can be changed, then the rest.
pub(super) fn laws(brief: &Brief<'_>) -> Section {
    let conflicting = |law: &KnownLaw| brief.conflicts.iter().any(|conflict| conflict.laws.contains(&law.id));
    let mut laws: Vec<&KnownLaw> = brief.laws.iter().collect();
    laws.sort_by_key(|law| (!conflicting(law), !law.changeable));
    let line = |law: &KnownLaw| {
        let fixed = if law.changeable { "changeable" } else { "fixed" };
        let (id, formula) = (visible(&law.id, MAX_NAME), visible(&law.formula.to_string(), MAX_FORMULA));
        let text = with_reason(format!("`{id}` ({fixed}): {formula}"), &law.explanation);
        text + &blocked(brief, &law.id)
    };
    Section::new("Laws in force, with the actions they blocked:", 40, laws.into_iter().map(line))
}

/// Tells the actions that a law blocked, and those that were taken instead.
fn blocked(brief: &Brief<'_>, law: &LawId) -> String {
    let mut blocked: BTreeMap<ActionId, u64> = BTreeMap::new();
    let mut taken: BTreeMap<ActionId, (u64, u64)> = BTreeMap::new();
    for block in brief.notes.blocks.iter().filter(|block| block.laws.contains(law)) {
        *blocked.entry(block.action).or_default() += 1;
        if let Some(action) = block.taken {
            let (times, bad) = taken.entry(action).or_default();
            *times += 1;
            *bad += u64::from(brief.trials.on(block.step).is_some_and(Trial::is_bad));
        }
    }
    if blocked.is_empty() {
        return String::new();
    }
    let blocked = blocked.into_iter().map(|(one, times)| format!("{} {times}x", action(brief.vocabulary, one)));
    let mut taken: Vec<_> = taken.into_iter().collect();
    taken.sort_by_key(|(_, (times, _))| std::cmp::Reverse(*times));
    let taken = taken.into_iter().take(MAX_TAKEN).map(|(one, (times, bad))| {
        let bad = if bad > 0 { format!(" ({bad} bad)") } else { String::new() };
        format!("{} {times}x{bad}", action(brief.vocabulary, one))
    });
    let (blocked, taken): (Vec<String>, Vec<String>) = (blocked.collect(), taken.collect());
    format!(" Blocked {}; taken instead: {}", blocked.join(", "), taken.join(", "))
}

pub(super) fn conflicts(brief: &Brief<'_>) -> Section {
    let line = |conflict: &StateConflict| {
        let met = match conflict.met_at {
            Some(step) if conflict.suspended.is_empty() => format!("met before {step}"),
            Some(step) => format!("met before {step}, where the shield suspended {}", ids(&conflict.suspended)),
            None => "proved; no run met it".to_owned(),
        };
        let state = state(brief.vocabulary, &conflict.state);
        format!("- where {state} hold, {} leave no action ({met})", ids(&conflict.laws))
    };
    let heading =
        "Conflicts: these laws together leave no action but stopping. Until they are resolved, no law is added:";
    Section::new(heading, 35, brief.conflicts.iter().map(line))
}

fn ids(laws: &[LawId]) -> String {
    laws.iter().map(|law| format!("`{}`", visible(law, MAX_NAME))).collect::<Vec<_>>().join(", ")
}

/// Shows the laws that were given up, the last one first.
pub(super) fn given_up(given_up: &[GivenUp]) -> Section {
    let line = |GivenUp { law, formula, outcome }: &GivenUp| {
        let (law, formula) = (visible(law, MAX_NAME), visible(formula, MAX_FORMULA));
        format!("- `{law}` {formula}: {}", visible(outcome, MAX_REASON))
    };
    let heading = "Laws given up because runs were worse with them; none of them is admitted again:";
    Section::new(heading, 30, given_up.iter().rev().map(line))
}

pub(super) fn refused(brief: &Brief<'_>) -> Section {
    let shown = |formula: &str| visible(formula, MAX_FORMULA);
    let describe = |change: &Change| match change {
        Change::Add(proposal) => format!("add {}", shown(proposal.formula.text())),
        Change::Replace { law, with, .. } => {
            format!("replace `{}` by {}", visible(law, MAX_NAME), shown(with.formula.text()))
        }
        Change::Retire { law, .. } => format!("retire `{}`", visible(law, MAX_NAME)),
    };
    let lines = brief.refused.iter().map(|refused| {
        let (why, code) = (visible(&refused.refusal.to_string(), MAX_REASON), refused.refusal.code());
        format!("- {}: {why} [{code}]", describe(&refused.change))
    });
    Section::new("Refused in the round before; do not propose the same again:", 50, lines)
}

/// Shows the parts of the model's last answer that could not be read.
pub(super) fn unread(unread: &[Unread]) -> Section {
    let heading = format!("In your last answer {} could not be read:", count(unread.len() as u64, "part"));
    Section::new(heading, 50, unread.iter().map(|piece| format!("- {piece}")))
}
