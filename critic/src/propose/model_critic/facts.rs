//! Prompt sections besides the runs: the vocabulary, the laws, the conflicts and the refusals.

use ltlcrit_store::LawId;
use ltlcrit_verifier::{Axiom, PropSet, Proposition, Vocabulary};

use super::answer::Unread;
use super::data::{quiet, visible};
use super::section::{Line, Section};
use crate::change::{Change, Refused};
use crate::law::{KnownLaw, StateConflict};
use crate::notes::GivenUp;
use crate::propose::Brief;

/// The longest name that is shown, in bytes.
const MAX_NAME: usize = 120;
/// The longest formula that is shown; the gate reads longer ones.
const MAX_FORMULA: usize = 600;
/// The longest meaning, explanation or reason of an axiom.
const MAX_TEXT: usize = 200;
/// The longest reason of a refusal.
const MAX_REASON: usize = 700;

/// The names of what holds, or `nothing`.
pub(super) fn state(vocabulary: &Vocabulary, holds: &PropSet) -> String {
    let names: Vec<String> = vocabulary.names(holds).into_iter().map(|name| visible(name, MAX_NAME)).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

pub(super) fn observations(vocabulary: &Vocabulary) -> Section {
    Section {
        heading: "Observations, of which phi_s is made:".to_owned(),
        what: "observations",
        rank: 0,
        share: 40,
        ..propositions(vocabulary.observations())
    }
}

pub(super) fn actions(vocabulary: &Vocabulary) -> Section {
    Section {
        heading: "Actions, of which phi_a is made:".to_owned(),
        what: "actions",
        rank: 1,
        share: 40,
        ..propositions(vocabulary.actions())
    }
}

fn propositions(propositions: &[Proposition]) -> Section {
    let name = |proposition: &Proposition| format!("- {}", visible(&proposition.name, MAX_NAME));
    let full = |proposition: &Proposition| match quiet(&proposition.meaning, MAX_TEXT) {
        meaning if meaning.is_empty() => name(proposition),
        meaning => format!("{}: {meaning}", name(proposition)),
    };
    Section {
        heading: String::new(),
        lines: propositions.iter().map(|proposition| Line { text: full(proposition), weight: 1 }).collect(),
        short: propositions.iter().map(name).collect(),
        what: "names",
        measure: "",
        rank: 0,
        share: 0,
    }
}

pub(super) fn axioms(vocabulary: &Vocabulary) -> Section {
    let short = |axiom: &Axiom| format!("- {}", visible(&axiom.to_string(), MAX_FORMULA));
    let full = |axiom: &Axiom| match quiet(axiom.reason.as_deref().unwrap_or_default(), MAX_TEXT) {
        reason if reason.is_empty() => short(axiom),
        reason => format!("{}: {reason}", short(axiom)),
    };
    let axioms = vocabulary.axioms();
    Section {
        heading: if axioms.is_empty() { "No axioms." } else { "Axioms, which hold in every state:" }.to_owned(),
        lines: axioms.iter().map(|axiom| Line { text: full(axiom), weight: 1 }).collect(),
        short: axioms.iter().map(short).collect(),
        what: "axioms",
        measure: "",
        rank: 5,
        share: 20,
    }
}

/// The laws: first those in conflicts, then those that can be changed, then the rest.
pub(super) fn laws(brief: &Brief<'_>) -> Section {
    let conflicting = |law: &KnownLaw| brief.conflicts.iter().any(|conflict| conflict.laws.contains(&law.id));
    let mut laws: Vec<&KnownLaw> = brief.laws.iter().collect();
    laws.sort_by_key(|law| (!conflicting(law), !law.changeable));
    let short = |law: &KnownLaw| {
        let fixed = match law {
            KnownLaw { changeable: true, .. } => "changeable",
            _ => "fixed",
        };
        format!("- `{}` ({fixed}): {}", visible(&law.id, MAX_NAME), visible(&law.formula.to_string(), MAX_FORMULA))
    };
    let full = |law: &KnownLaw| match quiet(&law.explanation, MAX_TEXT) {
        why if why.is_empty() => short(law),
        why => format!("{}. Why: {why}", short(law)),
    };
    Section {
        heading: if laws.is_empty() { "No law counts yet." } else { "The laws that count now:" }.to_owned(),
        lines: laws.iter().map(|law| Line { text: full(law), weight: 1 }).collect(),
        short: laws.iter().map(|law| short(law)).collect(),
        what: "laws",
        measure: "",
        rank: 6,
        share: 40,
    }
}

pub(super) fn conflicts(brief: &Brief<'_>) -> Section {
    let vocabulary = brief.vocabulary;
    let text = |conflict: &StateConflict| {
        let met = match conflict.met_at {
            Some(step) if conflict.suspended.is_empty() => format!("met before {step}"),
            Some(step) => format!("met before {step}, where the shield suspended {}", ids(&conflict.suspended)),
            None => "proved; no run met it".to_owned(),
        };
        format!("- where {} hold, {} leave no action ({met})", state(vocabulary, &conflict.state), ids(&conflict.laws))
    };
    let heading = match brief.conflicts {
        [] => "No conflicts.",
        _ => {
            "Conflicts: these laws together leave no action but stopping. They must be resolved before any law can be added:"
        }
    };
    Section {
        heading: heading.to_owned(),
        lines: brief.conflicts.iter().map(|conflict| Line { text: text(conflict), weight: 1 }).collect(),
        short: Vec::new(),
        what: "conflicts",
        measure: "",
        rank: 2,
        share: 35,
    }
}

fn ids(laws: &[LawId]) -> String {
    laws.iter().map(|law| format!("`{}`", visible(law, MAX_NAME))).collect::<Vec<_>>().join(", ")
}

/// The laws that were given up, the last first.
pub(super) fn given_up(given_up: &[GivenUp]) -> Section {
    let line = |GivenUp { law, formula, outcome }: &GivenUp| {
        let (law, formula) = (visible(law, MAX_NAME), visible(formula, MAX_FORMULA));
        Line { text: format!("- `{law}` {formula}: {}", visible(outcome, MAX_REASON)), weight: 1 }
    };
    Section {
        heading: "Laws that were given up because runs were worse with them; none of them is admitted again:"
            .to_owned(),
        lines: given_up.iter().rev().map(line).collect(),
        short: Vec::new(),
        what: "laws",
        measure: "",
        rank: 4,
        share: 30,
    }
}

pub(super) fn refused(brief: &Brief<'_>) -> Section {
    let text = |Refused { change, refusal, .. }: &Refused| {
        let why = visible(&refusal.to_string(), MAX_REASON);
        Line { text: format!("- {}: {why} [{}]", describe(change), refusal.code()), weight: 1 }
    };
    let heading = "Refused in the round before, with the reason and a counterexample; do not propose the same again:";
    Section {
        heading: heading.to_owned(),
        lines: brief.refused.iter().map(text).collect(),
        short: Vec::new(),
        what: "refusals",
        measure: "",
        rank: 4,
        share: 50,
    }
}

fn describe(change: &Change) -> String {
    let shown = |formula: &str| visible(formula, MAX_FORMULA);
    match change {
        Change::Add(proposal) => format!("add {}", shown(proposal.formula.text())),
        Change::Replace { law, with, .. } => {
            format!("replace `{}` by {}", visible(law, MAX_NAME), shown(with.formula.text()))
        }
        Change::Retire { law, .. } => format!("retire `{}`", visible(law, MAX_NAME)),
    }
}

/// The parts of the model's last answer that could not be read.
pub(super) fn unread(unread: &[Unread]) -> Section {
    Section {
        heading: "In your last answer this could not be read:".to_owned(),
        lines: unread.iter().map(|piece| Line { text: format!("- {piece}"), weight: 1 }).collect(),
        short: Vec::new(),
        what: "pieces",
        measure: "",
        rank: 3,
        share: 50,
    }
}
