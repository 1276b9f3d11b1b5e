//! Books by name: shipped books, books of the household's tasks, and files.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use ltlcrit_household::{Constraint, HouseholdError, HouseholdTask, task};
use ltlcrit_laws::{BookErrors, NewLaw, Origin, Provenance, Reading, Status, read_named, shipped, shipped_names};
use ltlcrit_pddl::Task;
use ltlcrit_translate::Lexical;
use ltlcrit_verifier::law::Strength;
use ltlcrit_verifier::{Signature, Vocabulary};

use super::danger::{BookError, CONSTRAINTS, DANGER, book, constraints_book, danger_book};
use super::lexicon;
use super::translated::{TRANSLATED, by_grammar, translated_book};
use crate::task::task_of_world;

/// The prefix of the names of the household's books.
const HOUSEHOLD: &str = "household:";

/// The suffix of the names of books with the original wording of the people who asked for the laws.
const SAID: &str = ":said";

/// The suffix of the names of books with what the grammar makes of that wording, which nobody verified.
const UNVERIFIED: &str = ":translated";

/// Returns whether a book comes with the program and never changes.
pub fn is_shipped(name: &str) -> bool {
    [HOUSEHOLD, DANGER, CONSTRAINTS, TRANSLATED].iter().any(|of_task| name.starts_with(of_task))
        || shipped_names().any(|shipped| shipped == name)
}

/// Returns the world of a book: `household:mobile-1` for `household:mobile-1#3`, `made:1-7` for `danger:made:1-7`.
pub fn world_of(book: &str) -> Option<&str> {
    if let Some(world) = [DANGER, CONSTRAINTS, TRANSLATED].iter().find_map(|prefix| book.strip_prefix(prefix)) {
        return Some(world);
    }
    let world = book
        .split('#')
        .next()
        .map(|book| [SAID, UNVERIFIED].iter().fold(book, |it, end| it.strip_suffix(end).unwrap_or(it)));
    world.filter(|world| world.starts_with(HOUSEHOLD))
}

/// Reads a book by its name.
///
/// * `household:mobile-1` holds the constraints of a task of the household, `household:mobile-1#3` its first three.
///   Their explanations follow the verified formulas; those of `household:mobile-1#3:said` are the original wording.
///   `household:mobile-1#3:translated` has what the grammar makes of that wording, unverified, in place of the formulas.
/// * `danger:pddl:DIR` holds the dangers of a planning task, `constraints:pddl:DIR` its constraints.
/// * `translated:pddl:DIR` holds the dangers, translated from English.
/// * Any other name is a shipped book or a file.
///
/// # Errors
/// The book cannot be read as text, or the household has no such task or constraints.
pub fn read(name: &str, known: &[Arc<Vocabulary>]) -> Result<Reading, BookErrors> {
    let of_tasks: [(&str, MakeBook); 3] =
        [(DANGER, danger_book), (CONSTRAINTS, constraints_book), (TRANSLATED, translated_book)];
    if let Some((prefix, make, world)) =
        of_tasks.into_iter().find_map(|(prefix, make)| Some((prefix, make, name.strip_prefix(prefix)?)))
    {
        let text = of_world(prefix, world, make).map_err(|why| BookErrors::whole(name, why.to_string(), None))?;
        return Ok(Reading::parse(&text, name, known));
    }
    match name.strip_prefix(HOUSEHOLD) {
        Some(of_task) => {
            let text = of_household(of_task).map_err(|why| BookErrors::whole(name, why, None))?;
            Ok(Reading::parse(&text, name, known))
        }
        None => read_named(name, known),
    }
}

/// A function that writes a book about a planning task.
type MakeBook = fn(&Task) -> Result<String, BookError>;

/// Writes the book of a world's task: `pddl:DIR`, `made:1-7`.
fn of_world(prefix: &str, world: &str, make: MakeBook) -> Result<String, BookError> {
    let shown = || world.chars().take(80).collect::<String>();
    let task =
        task_of_world(world).ok_or_else(|| format!("`{}` is no planning task; write `{prefix}pddl:DIR`", shown()))?;
    make(&task?)
}

/// Returns the propositions that the laws of books mention, for a signature of objects and facts. Unreadable books are
/// skipped.
pub fn mentioned(names: &[String], signature: &Signature) -> BTreeSet<String> {
    let read = names.iter().filter_map(|name| read(name, &[]).ok());
    read.flat_map(|reading| ltlcrit_laws::mentioned(&reading.book, signature)).map(|atom| atom.to_string()).collect()
}

fn of_household(name: &str) -> Result<String, String> {
    let (name, is_unverified) = name.strip_suffix(UNVERIFIED).map_or((name, false), |name| (name, true));
    let (name, is_said) = name.strip_suffix(SAID).map_or((name, false), |name| (name, true));
    let (name, first) = match name.split_once('#') {
        Some((name, first)) => (name, Some(first)),
        None => (name, None),
    };
    let task = task(name).map_err(|error: HouseholdError| error.to_string())?;
    let mut laws = laws(&task)?;
    for law in laws.iter_mut().filter(|_| is_said) {
        if let Some(sentence) = &law.provenance.sentence {
            law.explanation.clone_from(sentence);
        }
    }
    if let Some(first) = first {
        let count = first.parse().ok().filter(|count| (1..=laws.len()).contains(count));
        let most = laws.len();
        laws.truncate(count.ok_or_else(|| {
            format!(
                "`#{first}` is no number of constraints: {name} has {most}, write `household:{name}#1` to `#{most}`"
            )
        })?);
    }
    let mut description = format!("The constraints of the household's task: {}", task.instruction);
    if is_unverified {
        let all = laws.len();
        laws = unverified(&task, laws);
        let translated = laws.len();
        let _ =
            write!(description, " {translated} of {all} sentences, translated by the grammar; nobody verified them.");
    }
    book(&task.name, &description, "household", laws).map_err(|error| error.to_string())
}

/// Returns laws with what the grammar makes of their sentences in place of their formulas, without those that it refuses.
fn unverified(task: &HouseholdTask, laws: Vec<NewLaw>) -> Vec<NewLaw> {
    let lexicon = lexicon::of_household(task.english());
    let grammar = Lexical::new(&lexicon);
    let translated = |law: NewLaw| {
        let sentence = law.provenance.sentence.clone().unwrap_or_else(|| law.explanation.clone());
        let formula = grammar.translate(&sentence).ok()?.formula().to_string();
        Some(NewLaw { formula, provenance: by_grammar(&sentence), explanation: sentence, ..law })
    };
    laws.into_iter().filter_map(translated).collect()
}

/// Returns the constraints of a task as laws, in their order.
fn laws(task: &HouseholdTask) -> Result<Vec<NewLaw>, String> {
    if let Some(name) = &task.book {
        let book = shipped(name).ok_or_else(|| format!("there is no book `{name}`"))?;
        let law = |entry: &ltlcrit_laws::Entry| NewLaw {
            id: entry.id.to_string(),
            formula: entry.formula.to_string(),
            strength: entry.strength,
            explanation: entry.explanation.to_string(),
            provenance: entry.provenance.clone(),
            status: entry.status.clone(),
            note: None,
        };
        return Ok(book.entries().iter().map(law).collect());
    }
    let law = |(at, of): (usize, &Constraint)| NewLaw {
        id: format!("constraint-{}", at + 1),
        formula: of.formula.to_string(),
        strength: Strength::Hard,
        explanation: of.exact.to_string(),
        provenance: Provenance { origin: Origin::Hand, sentence: Some(of.sentence.to_string()), ..Provenance::hand() },
        status: Status::Adopted,
        note: None,
    };
    Ok(task.constraints.iter().enumerate().map(law).collect())
}
