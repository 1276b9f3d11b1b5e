//! Worlds as sentences speak of them: their lexicons, and the books in force.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use ltlcrit_engine::books::named;
use ltlcrit_engine::config::Config;
use ltlcrit_engine::world;
use ltlcrit_laws::{Edit, NewLaw, Provenance, Reading, Status, Strength};
use ltlcrit_translate::Lexicon;
use ltlcrit_verifier::{Formula, Vocabulary};

use super::super::blocks::LawWorld;
use super::super::open::wrong;
use crate::cli::CliError;

/// The name of the book that a new law is compared in.
const DRAFT: &str = "translation";

/// A world with its lexicon.
pub(super) struct World {
    pub lexicon: Lexicon,
    kind: LawWorld,
}

impl World {
    /// The world that sentences speak of.
    ///
    /// # Errors
    /// A household without such a task, or a world that cannot be opened.
    pub fn open(kind: &LawWorld) -> Result<Self, CliError> {
        let lexicon = world::lexicon(&kind.config(Vec::new()))?;
        Ok(Self { lexicon, kind: kind.clone() })
    }

    /// The books in force in it unless others are named.
    pub fn usual_books(&self, config: &Config) -> Vec<String> {
        match self.kind.is(&config.run.world) {
            true => config.run.books(),
            false => (self.kind.spec().laws)(self.kind.argument()),
        }
    }

    /// The vocabulary of what these names and those that books mention stand for.
    fn vocabulary(&self, books: &[String], more: &Formula) -> Result<Arc<Vocabulary>, CliError> {
        let vocabulary = world::vocabulary(&self.kind.config(books.to_vec()))?;
        if self.kind.argument().is_none() {
            return Ok(vocabulary);
        }
        let mut names: BTreeSet<Arc<str>> = more.atoms();
        let signature = vocabulary.signature().cloned();
        let signature = signature.unwrap_or_default();
        names.extend(named::mentioned(books, &signature).into_iter().map(Arc::from));
        let vocabulary = self.lexicon.vocabulary_of(&names).map_err(|error| CliError::input(error.to_string()))?;
        Ok(Arc::new(vocabulary.with_signature(signature)))
    }

    /// The books, each read over the vocabulary of a formula and of them all, and a book with the formula alone.
    ///
    /// # Errors
    /// A book that cannot be read.
    pub fn beside(
        &self,
        books: &[String],
        formula: &Formula,
        strength: Strength,
    ) -> Result<(Vec<Reading>, Reading), CliError> {
        let known = [self.vocabulary(books, formula)?];
        let mut readings = Vec::new();
        for name in books.iter().filter(|name| named::is_shipped(name) || Path::new(name).exists()) {
            let reading = named::read(name, &known).map_err(|errors| wrong(name, &errors))?;
            if !reading.diagnostics.is_empty() {
                return Err(reading.into_book().map_or_else(
                    |errors| wrong(name, &errors),
                    |_| CliError::input(format!("the law book `{name}` cannot be read")),
                ));
            }
            readings.push(reading);
        }
        let mut edit = Edit::of_new_book(DRAFT, "A translation.", known[0].name());
        edit.add_law(&NewLaw {
            id: DRAFT.to_owned(),
            formula: formula.to_string(),
            strength,
            explanation: DRAFT.to_owned(),
            provenance: Provenance::hand(),
            status: Status::Adopted,
            note: None,
        })?;
        Ok((readings, Reading::parse(&edit.text(), DRAFT, &known)))
    }

    /// Why the world cannot enforce a law, if it cannot.
    ///
    /// # Errors
    /// A book over another vocabulary than the world's.
    pub fn blocks_nothing(&self, draft: &Reading) -> Result<Option<String>, CliError> {
        let findings = self.kind.blocking_nothing(std::slice::from_ref(draft), true)?;
        Ok(findings.into_iter().next().map(|finding| match finding.help {
            Some(help) => format!("{}; {help}", finding.message),
            None => finding.message,
        }))
    }
}
