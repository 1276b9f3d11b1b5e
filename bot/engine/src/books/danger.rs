//! Law books of the dangers and the constraints of planning tasks (DESPITE, section 3.2; PDDL3).

use std::collections::BTreeSet;
use std::error::Error;

use ltlcrit_laws::{Edit, EditError, NewLaw, Provenance, Status};
use ltlcrit_pddl::{PddlWorld, PddlWorldError, Task};
use ltlcrit_verifier::Law;
use ltlcrit_worlds::World as _;

/// The prefix of the names of such books; the name of the world follows: `danger:pddl:DIR`.
pub const DANGER: &str = "danger:";

/// The reason why the book of a task cannot be made.
pub type BookError = Box<dyn Error + Send + Sync>;

/// Writes the book of a task's dangers: each action that raises danger is forbidden in the states where it does so.
///
/// # Errors
/// The task has no danger, or is too large.
pub fn danger_book(task: &Task) -> Result<String, BookError> {
    if task.danger.is_none() {
        return Err("the task has no danger".into());
    }
    let world = without_letters(task)?;
    let name = format!("danger-{}", world.vocabulary().name());
    let description = "Each action that raises danger is forbidden where it does.";
    Ok(book_of_laws(&world, &name, description, world.danger_laws(), "DESPITE section 3.2")?)
}

/// The prefix of the names of the books of a task's constraints: `constraints:pddl:DIR`.
pub const CONSTRAINTS: &str = "constraints:";

/// Writes the book of a task's constraints.
///
/// # Errors
/// The task is too large.
pub fn constraints_book(task: &Task) -> Result<String, BookError> {
    let world = without_letters(task)?;
    let name = format!("constraints-{}", world.vocabulary().name());
    let description = "What must hold along every plan of the task.";
    Ok(book_of_laws(&world, &name, description, world.constraint_laws(), "PDDL3")?)
}

fn book_of_laws(
    world: &PddlWorld,
    name: &str,
    description: &str,
    laws: Vec<Law>,
    reference: &str,
) -> Result<String, EditError> {
    let law = |law: Law| NewLaw {
        id: law.id.to_string(),
        formula: law.formula.to_string(),
        strength: law.strength,
        explanation: law.explanation.to_string(),
        provenance: Provenance { reference: Some(reference.to_owned()), ..Provenance::hand() },
        status: Status::Adopted,
        note: None,
    };
    book(name, description, world.vocabulary().name(), laws.into_iter().map(law))
}

/// Writes a book of laws over a vocabulary.
pub(super) fn book(
    name: &str,
    description: &str,
    vocabulary: &str,
    laws: impl IntoIterator<Item = NewLaw>,
) -> Result<String, EditError> {
    let mut edit = Edit::of_new_book(name, description, vocabulary);
    for law in laws {
        edit.add_law(&law)?;
    }
    Ok(edit.text())
}

/// Returns the world of a task with empty letters, for laws that name more propositions than a letter can hold.
pub(super) fn without_letters(task: &Task) -> Result<PddlWorld, PddlWorldError> {
    PddlWorld::under(task, Some(&|_| BTreeSet::new()))
}
