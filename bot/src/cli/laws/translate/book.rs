//! Accepted laws go into a book.

use std::path::Path;

use ltlcrit_laws::{Book, Edit, NewLaw, Origin, Provenance, Status, Strength};
use ltlcrit_store::Store;
use ltlcrit_translate::EngineInfo;

use super::super::decide::{check_changeable, keep, save};
use super::super::open::wrong;
use super::super::stored::store_to_write;
use super::report::{Decision, SentenceReport};
use super::world::World;
use crate::cli::output::{CliError, Context};

/// The book that laws go into: the one that is there, or a new one.
pub(super) struct Target {
    path: String,
    old: Option<Book>,
    store: Option<Store>,
}

impl Target {
    /// Looks at a file, and opens the store that its next revision is recorded in.
    ///
    /// # Errors
    /// A shipped book, a file that is no book over this vocabulary, or a store that is damaged.
    pub fn open(path: &str, world: &World, context: &Context) -> Result<Self, CliError> {
        let vocabulary = world.lexicon.name();
        check_changeable(path)?;
        let exists = Path::new(path).exists();
        let old = exists.then(|| Book::load(path)).transpose().map_err(|errors| wrong(path, &errors))?;
        if let Some(old) = old.as_ref().filter(|old| old.vocabulary().name() != vocabulary) {
            let its = old.vocabulary().name();
            return Err(CliError::input(format!(
                "`{path}` is over the vocabulary `{its}`, the sentence over `{vocabulary}`"
            ))
            .help("name its world by `--world`, or another book"));
        }
        if old.is_none() && world.is_of_a_book() {
            return Err(CliError::input(format!(
                "a new book cannot name the vocabulary `{vocabulary}`, which another book defines"
            ))
            .help("add the law to that book: name it with `--into`, too"));
        }
        let store = store_to_write(context, "the new revision will not be recorded")?;
        Ok(Self { path: path.to_owned(), old, store })
    }

    /// Adds the laws that were kept, and writes the book. Gives each of them its id.
    ///
    /// # Errors
    /// A book that cannot be written.
    pub fn add(
        self,
        reports: &mut [SentenceReport],
        engine: &EngineInfo,
        strength: Strength,
        world: &World,
    ) -> Result<Option<Book>, CliError> {
        let is_kept = |decision: &Decision| *decision != Decision::LeftOut;
        if !reports.iter().flat_map(|report| &report.segments).any(|it| it.decision.as_ref().is_some_and(is_kept)) {
            return Ok(None);
        }
        let mut edit = match &self.old {
            Some(old) => Edit::new(old)?,
            None => Edit::of_new_book(&name_of(&self.path), "Laws translated from English.", world.lexicon.name()),
        };
        let mut taken: Vec<String> =
            self.old.iter().flat_map(|old| old.written()).map(|(entry, _)| entry.id.to_string()).collect();
        for report in reports {
            for segment in &mut report.segments {
                let Some(decision) = segment.decision.filter(is_kept) else { continue };
                let id = free_id(&segment.segment.text, &taken);
                taken.push(id.clone());
                let over = segment.segment.over.as_ref();
                let status = if decision == Decision::Unreviewed { Status::Proposed } else { Status::Adopted };
                let provenance = Provenance {
                    origin: Origin::Translation,
                    sentence: Some(report.sentence.clone()),
                    model: engine.model.clone(),
                    engine: Some(engine.engine.to_owned()),
                    prompts: engine.prompts.clone(),
                    decision: Some(decision.as_str().to_owned()),
                    ..Provenance::hand()
                };
                // The book must load by itself.
                for derived in world.derived_in(&segment.segment.formula) {
                    edit.add_derived(derived, Some(&provenance))?;
                }
                edit.add_law(&NewLaw {
                    id: id.clone(),
                    formula: over.map_or_else(|| segment.segment.formula.to_string(), |over| over.formula.clone()),
                    strength,
                    explanation: explanation(&segment.segment.text),
                    provenance,
                    status,
                    note: None,
                })?;
                if let Some(parameters) = over.and_then(|over| over.parameters.as_ref()) {
                    edit.set_parameters(&id, parameters)?;
                }
                segment.law = Some(id);
            }
        }
        if self.old.is_some() {
            edit.bump_revision()?;
        }
        let new = edit.finish().map_err(|errors| wrong(&self.path, &errors))?;
        match &self.old {
            Some(old) => save(old, &new, &self.path)?,
            None => new.save(&self.path).map_err(|error| {
                CliError::from_error(crate::exit::ExitCode::Failure, "the book cannot be written", &error)
                    .at(self.path.clone())
            })?,
        }
        keep(self.store.as_ref(), &new, &self.path)?;
        Ok(Some(new))
    }
}

/// The name of a new book: that of its file, as far as it can be a name.
fn name_of(path: &str) -> String {
    let stem = Path::new(path).file_stem().and_then(std::ffi::OsStr::to_str).unwrap_or_default();
    let name = plain(stem, usize::MAX);
    if name.is_empty() { "translated".to_owned() } else { name }
}

/// Letters and digits of a text, its words joined by hyphens.
fn plain(text: &str, words: usize) -> String {
    let lower = text.to_lowercase();
    let parts = lower.split(|c: char| !c.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
    parts.take(words).collect::<Vec<_>>().join("-").chars().take(60).collect()
}

/// An id made of a segment's words that no other law has.
fn free_id(text: &str, taken: &[String]) -> String {
    let base = plain(text, 8);
    let base = if base.is_empty() { "law".to_owned() } else { base };
    let numbered = (2..).map(|number| format!("{base}-{number}"));
    std::iter::once(base.clone()).chain(numbered).find(|id| !taken.contains(id)).unwrap_or(base)
}

/// A segment as the reason that a blocked actor is told.
fn explanation(text: &str) -> String {
    let mut letters = text.trim().chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str().trim_end_matches(['.', '!']))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_free_and_plain() {
        let taken = ["never-touch-the-stove".to_owned()];
        assert_eq!(free_id("Never touch the stove", &taken), "never-touch-the-stove-2");
        assert_eq!(free_id("don't dig", &taken), "don-t-dig");
        assert_eq!(free_id("???", &taken), "law");
        assert_eq!(name_of("a/My Laws.toml"), "my-laws");
        assert_eq!(explanation("never dig down"), "Never dig down.");
    }
}
