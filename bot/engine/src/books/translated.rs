//! The English sentences about dangers of a planning task, translated by the grammar into a book (Safety Chip, III-C).

use ltlcrit_laws::{NewLaw, Origin, Provenance, Status, Strength};
use ltlcrit_pddl::{PddlWorld, Task};
use ltlcrit_translate::{Lexical, Refusal};
use ltlcrit_verifier::Formula;
use ltlcrit_worlds::World as _;

use super::danger::{BookError, book, without_letters};
use super::lexicon;

/// The prefix of the names of such books; the name of the world follows: `translated:made:1-7`.
pub const TRANSLATED: &str = "translated:";

/// A sentence about a danger, with its translation.
#[derive(Clone, Debug)]
pub struct TranslatedDanger {
    /// The sentence.
    pub sentence: String,
    /// The formula, or the refusal.
    pub formula: Result<Formula, Refusal>,
}

/// Translates the sentences about dangers of a world's task by the grammar.
pub fn translated_dangers(world: &PddlWorld) -> Vec<TranslatedDanger> {
    let lexicon = lexicon::of_task(world.ground(), world.vocabulary().name());
    let grammar = Lexical::new(&lexicon);
    let one = |sentence: String| TranslatedDanger {
        formula: grammar.translate(&sentence).map(|translation| translation.formula()),
        sentence,
    };
    world.ground().task().metadata.told_dangers().into_iter().map(one).collect()
}

/// Returns the provenance of a law that is the grammar's translation of a sentence.
pub(super) fn by_grammar(sentence: &str) -> Provenance {
    Provenance {
        origin: Origin::Translation,
        sentence: Some(sentence.to_owned()),
        engine: Some("lexical".to_owned()),
        ..Provenance::hand()
    }
}

/// Writes the book of the dangers that a task's sentences describe. A sentence that the grammar refuses has no law. The
/// book's description counts the translated sentences.
///
/// # Errors
/// The task is too large, or a law cannot be written.
pub(super) fn translated_book(task: &Task) -> Result<String, BookError> {
    let world = without_letters(task)?;
    let (vocabulary, dangers) = (world.vocabulary(), translated_dangers(&world));
    let vocabulary = vocabulary.name();
    let laws: Vec<(&str, &Formula)> =
        dangers.iter().filter_map(|one| Some((one.sentence.as_str(), one.formula.as_ref().ok()?))).collect();
    let description =
        format!("{} of {} sentences about dangers, translated by the grammar.", laws.len(), dangers.len());
    let law = |(number, (sentence, formula)): (usize, (&str, &Formula))| NewLaw {
        id: format!("told-{number}"),
        formula: formula.to_string(),
        strength: Strength::Hard,
        explanation: sentence.to_owned(),
        provenance: by_grammar(sentence),
        status: Status::Adopted,
        note: None,
    };
    Ok(book(&format!("translated-{vocabulary}"), &description, vocabulary, (1..).zip(laws).map(law))?)
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
            let dangers = translated_dangers(&without_letters(&task).unwrap());
            refused.extend(dangers.into_iter().filter(|one| one.formula.is_err()));
        }
        assert!(refused.is_empty(), "{refused:#?}");
    }

    #[test]
    fn a_class_of_actions_is_written_out_in_books() {
        let task = named("1-0").unwrap();
        let world = without_letters(&task).unwrap();
        let lexicon = lexicon::of_task(world.ground(), world.vocabulary().name());
        let translation = Lexical::new(&lexicon).translate("never go into any room").unwrap();
        let [segment] = translation.segments.as_slice() else { panic!("one segment: {translation:?}") };
        assert!(segment.over.is_none(), "{:?}", segment.over);
        assert!(segment.formula.atoms().iter().all(|atom| !atom.contains("(_")), "{segment:?}");
    }
}
