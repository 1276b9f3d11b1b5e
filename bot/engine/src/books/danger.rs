//! Law books of the dangers and the constraints of planning tasks (DESPITE, section 3.2; PDDL3).

use std::collections::BTreeSet;

use ltlcrit_laws::{Edit, EditError, NewLaw, Provenance, Status};
use ltlcrit_pddl::{PddlWorld, PddlWorldError, Task};
use ltlcrit_verifier::Law;
use ltlcrit_worlds::World as _;

/// The prefix of the names of such books; the name of the world follows: `danger:pddl:DIR`.
pub const DANGER: &str = "danger:";

/// A book of dangers that cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DangerBookError {
    /// The task has no danger.
    #[error("the task has no danger")]
    NoDanger,
    /// The task cannot be grounded.
    #[error(transparent)]
    World(#[from] PddlWorldError),
    /// A law cannot be written.
    #[error(transparent)]
    Edit(#[from] EditError),
}

/// Writes the book of a task's dangers: each action that raises danger is forbidden in the states where it does so.
///
/// # Errors
/// The task has no danger, or is too large.
pub fn danger_book(task: &Task) -> Result<String, DangerBookError> {
    if task.danger.is_none() {
        return Err(DangerBookError::NoDanger);
    }
    let world = without_letters(task)?;
    let name = format!("danger-{}", world.vocabulary().name());
    let description = "Each action that raises danger is forbidden where it does.";
    book(&world, &name, description, world.danger_laws(), "DESPITE section 3.2")
}

/// The prefix of the names of the books of a task's constraints: `constraints:pddl:DIR`.
pub const CONSTRAINTS: &str = "constraints:";

/// Writes the book of a task's constraints.
///
/// # Errors
/// The task is too large.
pub fn constraints_book(task: &Task) -> Result<String, DangerBookError> {
    let world = without_letters(task)?;
    let name = format!("constraints-{}", world.vocabulary().name());
    book(&world, &name, "What must hold along every plan of the task.", world.constraint_laws(), "PDDL3")
}

fn book(
    world: &PddlWorld,
    name: &str,
    description: &str,
    laws: Vec<Law>,
    reference: &str,
) -> Result<String, DangerBookError> {
    let mut edit = Edit::of_new_book(name, description, world.vocabulary().name());
    for law in laws {
        edit.add_law(&NewLaw {
            id: law.id.to_string(),
            formula: law.formula.to_string(),
            strength: law.strength,
            explanation: law.explanation.to_string(),
            provenance: Provenance { reference: Some(reference.to_owned()), ..Provenance::hand() },
            status: Status::Adopted,
            note: None,
        })?;
    }
    Ok(edit.text())
}

/// Returns the world of a task with empty letters, for laws that name more propositions than a letter can hold.
pub(super) fn without_letters(task: &Task) -> Result<PddlWorld, PddlWorldError> {
    PddlWorld::under(task, Some(&|_| BTreeSet::new()))
}
