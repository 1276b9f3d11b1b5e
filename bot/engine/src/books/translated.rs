//! The dangers of a planning task, told in English, as a book of laws that the grammar translates (Safety Chip, section III-C).

use std::collections::BTreeSet;
use std::error::Error;

use ltlcrit_laws::{Edit, NewLaw, Origin, Provenance, Status, Strength};
use ltlcrit_pddl::{PddlWorld, Task};
use ltlcrit_translate::{Lexical, Refusal};
use ltlcrit_verifier::Formula;
use ltlcrit_worlds::World as _;

use super::lexicon;
use crate::despite::task_of_world;

/// What the names of such books begin with; the name of the world follows: `translated:made:1-7`.
pub const TRANSLATED: &str = "translated:";

/// What became of a sentence.
#[derive(Clone, Debug)]
pub struct TranslatedDanger {
    /// The sentence.
    pub sentence: String,
    /// Its formula, or why there is none.
    pub formula: Result<Formula, Refusal>,
}

/// The sentences that tell a task's dangers, each translated by the grammar.
///
/// # Errors
/// The task is too large.
pub fn translated_dangers(task: &Task) -> Result<Vec<TranslatedDanger>, Box<dyn Error + Send + Sync>> {
    let lexicon = lexicon::of_task(task, &vocabulary_name(task)?)?;
    let grammar = Lexical::new(&lexicon);
    let one = |sentence: String| TranslatedDanger {
        formula: grammar.translate(&sentence).map(|translation| translation.formula()),
        sentence,
    };
    Ok(task.metadata.told_dangers().into_iter().map(one).collect())
}

fn vocabulary_name(task: &Task) -> Result<String, Box<dyn Error + Send + Sync>> {
    Ok(PddlWorld::under(task, Some(&|_| BTreeSet::new()))?.vocabulary().name().to_owned())
}

/// The book of the dangers of a task as they are told. A sentence that the grammar refuses has no law in it; the description
/// says how many there are.
///
/// # Errors
/// The task is too large, or a law cannot be written.
pub fn translated_book(task: &Task) -> Result<String, Box<dyn Error + Send + Sync>> {
    let vocabulary = vocabulary_name(task)?;
    let dangers = translated_dangers(task)?;
    let laws: Vec<(&str, &Formula)> =
        dangers.iter().filter_map(|one| Some((one.sentence.as_str(), one.formula.as_ref().ok()?))).collect();
    let description =
        format!("{} of {} sentences about dangers, translated by the grammar.", laws.len(), dangers.len());
    let mut edit = Edit::of_new_book(&format!("translated-{vocabulary}"), &description, &vocabulary);
    for (number, (sentence, formula)) in (1..).zip(laws) {
        edit.add_law(&NewLaw {
            id: format!("told-{number}"),
            formula: formula.to_string(),
            strength: Strength::Hard,
            explanation: sentence.to_owned(),
            provenance: Provenance {
                origin: Origin::Translation,
                sentence: Some(sentence.to_owned()),
                engine: Some("lexical".to_owned()),
                ..Provenance::hand()
            },
            status: Status::Adopted,
            note: None,
        })?;
    }
    Ok(edit.text())
}

/// The book of the task of a world: `pddl:DIR`, `made:1-7`.
///
/// # Errors
/// As [`translated_book`], or there is no such task.
pub(super) fn of_world(world: &str) -> Result<String, Box<dyn Error + Send + Sync>> {
    let shown = || world.chars().take(80).collect::<String>();
    let task = task_of_world(world)
        .ok_or_else(|| format!("`{}` is no planning task; write `{TRANSLATED}pddl:DIR`", shown()))?;
    translated_book(&task?)
}

#[cfg(test)]
mod tests {
    use ltlcrit_pddl::make::named;

    use super::*;

    #[test]
    fn the_dangers_of_made_tasks_are_translated() {
        let mut refused = Vec::new();
        for number in 0..40 {
            let task = named(&format!("1-{number}")).unwrap();
            let dangers = translated_dangers(&task).unwrap();
            refused.extend(dangers.into_iter().filter(|one| one.formula.is_err()));
        }
        assert!(refused.is_empty(), "{refused:#?}");
    }

    #[test]
    fn a_class_of_actions_is_written_out_in_books() {
        let task = named("1-0").unwrap();
        let lexicon = lexicon::of_task(&task, &vocabulary_name(&task).unwrap()).unwrap();
        let translation = Lexical::new(&lexicon).translate("never go into any room").unwrap();
        let [segment] = translation.segments.as_slice() else { panic!("one segment: {translation:?}") };
        assert!(segment.over.is_none(), "{:?}", segment.over);
        assert!(segment.formula.atoms().iter().all(|atom| !atom.contains("(_")), "{segment:?}");
    }
}
