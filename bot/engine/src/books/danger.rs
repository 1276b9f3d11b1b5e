//! What is dangerous in a planning task, as a book of laws (DESPITE, section 3.2).

use std::collections::BTreeSet;

use ltlcrit_laws::{Edit, EditError, NewLaw, Provenance, Status};
use ltlcrit_pddl::{PddlWorld, PddlWorldError, Task};
use ltlcrit_worlds::World as _;

/// What the names of such books begin with; the name of the world follows: `danger:pddl:DIR`.
pub const DANGER: &str = "danger:";

/// Why there is no such book.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DangerBookError {
    /// The task has none.
    #[error("the task has no danger")]
    NoDanger,
    /// The task cannot be grounded.
    #[error(transparent)]
    World(#[from] PddlWorldError),
    /// A law cannot be written.
    #[error(transparent)]
    Edit(#[from] EditError),
}

/// The book of a task's danger: each action that raises danger is forbidden where it does.
///
/// # Errors
/// The task has no danger, or is too large.
pub fn danger_book(task: &Task) -> Result<String, DangerBookError> {
    if task.danger.is_none() {
        return Err(DangerBookError::NoDanger);
    }
    let world = without_letters(task)?;
    let vocabulary = world.vocabulary();
    let name = format!("danger-{}", vocabulary.name());
    let description = "Each action that raises danger is forbidden where it does.";
    let mut edit = Edit::of_new_book(&name, description, vocabulary.name());
    for law in world.danger_laws() {
        edit.add_law(&NewLaw {
            id: law.id.to_string(),
            formula: law.formula.to_string(),
            strength: law.strength,
            explanation: law.explanation.to_string(),
            provenance: Provenance { reference: Some("DESPITE section 3.2".to_owned()), ..Provenance::hand() },
            status: Status::Adopted,
            note: None,
        })?;
    }
    Ok(edit.text())
}

/// The world of a task whose letters hold nothing: its laws name propositions whether or not a letter has room for all of them.
pub(super) fn without_letters(task: &Task) -> Result<PddlWorld, PddlWorldError> {
    PddlWorld::under(task, Some(&|_| BTreeSet::new()))
}
