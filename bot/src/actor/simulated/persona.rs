//! The personas and their error rates, in one table.

use std::fmt;
use std::str::FromStr;

/// A simulated model. Each goes with the actor of the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Persona {
    /// Chooses from state and actions alone.
    Naive,
    /// Rates actions; prefers names that sound like the goal.
    SayCan,
    /// Thinks aloud and remembers what happened.
    InnerMonologue,
    /// Is shown the laws in English; heeds them less the more there are.
    NlConstraints,
    /// Never errs; for tests of everything else.
    Careful,
}

impl Persona {
    /// All personas.
    pub const ALL: [Self; 5] = [Self::Naive, Self::SayCan, Self::InnerMonologue, Self::NlConstraints, Self::Careful];

    /// Their names.
    pub fn names() -> [&'static str; 5] {
        Self::ALL.map(Self::name)
    }

    /// Its name: `inner-monologue`, …
    pub fn name(self) -> &'static str {
        match self {
            Self::Naive => "naive",
            Self::SayCan => "saycan",
            Self::InnerMonologue => "inner-monologue",
            Self::NlConstraints => "nl-constraints",
            Self::Careful => "careful",
        }
    }

    pub(super) fn rates(self) -> &'static Rates {
        match self {
            Self::Naive => &NAIVE,
            Self::SayCan => &SAYCAN,
            Self::InnerMonologue => &INNER_MONOLOGUE,
            Self::NlConstraints => &NL_CONSTRAINTS,
            Self::Careful => &CAREFUL,
        }
    }
}

impl fmt::Display for Persona {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Persona {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        Self::ALL.into_iter().find(|persona| persona.name() == name).ok_or(())
    }
}

/// Error rates of a persona, each the probability of an error where it is possible, and one habit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rates {
    /// Answers that are not an action: prose, cut-off JSON.
    pub(super) garbled: f64,
    /// Names that do not exist: `action_mine_wood`.
    pub(super) invented: f64,
    /// Mines before equipping the tool, or with a tool that is too weak.
    pub(super) wrong_tool: f64,
    /// Crafts before the ingredients are there.
    pub(super) early_craft: f64,
    /// Smelts before there is a furnace or fuel.
    pub(super) early_smelt: f64,
    /// Repeats the basic action it has just done, although there is enough.
    pub(super) repeats: f64,
    /// Crafts an item it already has.
    pub(super) redundant: f64,
    /// How many cobblestones it likes to keep when it builds a furnace.
    pub(super) spare_cobble: u32,
    /// The factor on all rates right after a failure or refusal that it sees in the prompt.
    pub(super) unlearned: f64,
}

const CAREFUL: Rates = Rates {
    garbled: 0.0,
    invented: 0.0,
    wrong_tool: 0.0,
    early_craft: 0.0,
    early_smelt: 0.0,
    repeats: 0.0,
    redundant: 0.0,
    spare_cobble: 0,
    unlearned: 0.0,
};

const INNER_MONOLOGUE: Rates = Rates {
    garbled: 0.025,
    invented: 0.09,
    wrong_tool: 0.35,
    early_craft: 0.17,
    early_smelt: 0.28,
    repeats: 0.10,
    redundant: 0.03,
    spare_cobble: 0,
    unlearned: 0.3,
};

const NAIVE: Rates = Rates { unlearned: 0.6, repeats: 0.10, redundant: 0.05, ..INNER_MONOLOGUE };

const NL_CONSTRAINTS: Rates = Rates { unlearned: 0.5, ..INNER_MONOLOGUE };

// LTLCrit has a proposition for eleven cobblestones; a furnace takes eight, so three are spare.
const SAYCAN: Rates = Rates { garbled: 0.01, spare_cobble: 3, ..CAREFUL };
