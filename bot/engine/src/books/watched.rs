//! Finds laws that a shield can only watch, because they never keep an action from running.

use std::sync::Arc;

use ltlcrit_verifier::definition::Definition;
use ltlcrit_verifier::law::{Law, Strength};
use ltlcrit_verifier::{Formula, Vocabulary};

use crate::config::Config;
use crate::world::{self, OpenWorldError, WorldKind};

/// Maximum number of states of a search for a way under laws, which a run repeats.
pub(crate) const MAX_STATES_OF_A_PROOF: usize = 5_000;

/// The reason why a law blocks nothing, and the correction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watched {
    /// The reason, without a subject: `any action may change obs_lava_near, …`.
    pub why: String,
    /// The correction.
    pub help: &'static str,
}

/// Returns the reason why a law alone never blocks an action, in any environment. `changes` tells which observations
/// any action may change. Returns `None` if the law may block an action or has obligations.
pub fn watched_only(
    formula: &Formula,
    strength: Strength,
    vocabulary: &Vocabulary,
    changes: impl Fn(&str) -> bool,
) -> Option<Watched> {
    let atoms: Vec<Arc<str>> = formula.atoms().into_iter().collect();
    if atoms.is_empty() || !owes_nothing(formula) || atoms.iter().any(|atom| vocabulary.action(atom).is_some()) {
        return None;
    }
    if strength == Strength::Soft {
        return Some(Watched {
            why: "it speaks of no action, and a soft law blocks none for what it may lead to: alone it blocks nothing"
                .to_owned(),
            help: "make it hard, or say which action it forbids, as in `G(phi_s -> X !action_…)`",
        });
    }
    atoms.iter().all(|atom| changes(atom)).then(|| Watched {
        why: format!(
            "any action may change {}, and none is sure to keep it: it blocks nothing and is watched only",
            listed(&atoms)
        ),
        help: "say which action it forbids, as in `G(phi_s -> X !action_…)`",
    })
}

/// Returns whether any action of a world may change an observation and no action is sure to keep it. The observation is
/// derived by `definition` or is one of the world's own.
pub fn changes_always(
    world: &dyn WorldKind,
    vocabulary: &Vocabulary,
    name: &str,
    definition: Option<&Definition>,
) -> bool {
    match definition {
        Some(definition) => !definition.quantity().fields.first().is_some_and(|field| world.kept().contains(&&**field)),
        None => world.surroundings().is_some_and(|open| vocabulary.id(name).is_some_and(|id| open.contains(id))),
    }
}

/// Lists the hard laws of a shielded run that are only watched, each with the reason in a sentence for people.
pub fn unenforced(config: &Config, laws: &[Law], vocabulary: &Vocabulary) -> Vec<String> {
    if !config.is_shielded() {
        return Vec::new();
    }
    let (world, robust) = (config.run.world.kind(), config.shield.is_robust());
    let definition = |name: &str| {
        let id = vocabulary.id(name)?;
        vocabulary.observations().get(usize::from(id.0))?.definition.as_deref()
    };
    let changes = |name: &str| !robust || changes_always(world, vocabulary, name, definition(name));
    let hard = laws.iter().filter(|law| law.is_hard());
    let watched = hard.filter_map(|law| {
        let found = watched_only(&law.formula, Strength::Hard, vocabulary, changes)?;
        let why = match robust {
            true => found.why,
            false => {
                "it speaks of no action, and in a cooperative environment what an action leads to is not foreseen: it \
                      is watched only"
                    .to_owned()
            }
        };
        Some(format!("law {} cannot be enforced before the fact: {why}; {}", law.id, found.help))
    });
    watched.collect()
}

/// Says which hard laws of a shielded run on a server leave no way to the goal, if a planner proves it for the world of
/// this process. Runs in this process end for that reason.
///
/// # Errors
/// The world cannot be opened.
pub fn excluding_the_goal(config: &Config, laws: &[Law]) -> Result<Option<String>, OpenWorldError> {
    if !config.is_shielded() || !config.run.world.kind().is_live() {
        return Ok(None);
    }
    let hard: Vec<Law> = laws.iter().filter(|law| law.is_hard()).cloned().collect();
    let guilty = world::open(config)?.fork(None).and_then(|world| world.forbidden(&[], &hard, MAX_STATES_OF_A_PROOF));
    Ok(guilty.map(|laws| {
        let ids: Vec<Arc<str>> = laws.iter().map(|law| law.to_string().into()).collect();
        format!("the goal cannot be reached under {}: no plan keeps to what they allow", listed(&ids))
    }))
}

fn listed(names: &[Arc<str>]) -> String {
    match names {
        [one] => format!("`{one}`"),
        _ => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and "),
    }
}

/// Returns whether a formula has the form of a law without obligations, which never keeps a run from stopping.
fn owes_nothing(formula: &Formula) -> bool {
    use Formula::*;
    match formula {
        _ if is_boolean(formula) => true,
        Globally(a) | Next(a) => owes_nothing(a),
        And(a, b) | Or(a, b) | WeakUntil(a, b) | Release(a, b) => owes_nothing(a) && owes_nothing(b),
        Implies(a, b) => is_boolean(a) && owes_nothing(b),
        _ => false,
    }
}

fn is_boolean(formula: &Formula) -> bool {
    use Formula::*;
    match formula {
        True | False | Atom(_) => true,
        Not(a) => is_boolean(a),
        And(a, b) | Or(a, b) | Implies(a, b) | Iff(a, b) | Xor(a, b) => is_boolean(a) && is_boolean(b),
        _ => false,
    }
}
