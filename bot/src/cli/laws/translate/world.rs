//! Worlds as sentences speak of them: their lexicons, and the books in force.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use ltlcrit_engine::books::named;
use ltlcrit_engine::config::Config;
use ltlcrit_engine::world;
use ltlcrit_laws::{Book, Edit, NewLaw, Provenance, Reading, Status, Strength, joint_vocabulary};
use ltlcrit_translate::Lexicon;
use ltlcrit_verifier::{Formula, Proposition, Vocabulary};

use super::super::blocks::LawWorld;
use super::super::open::wrong;
use crate::cli::CliError;

/// Whether a book can be read by its name.
fn is_there(name: &str) -> bool {
    named::is_shipped(name) || Path::new(name).exists()
}

/// The name of the book that a new law is compared in.
const DRAFT: &str = "translation";

/// A world with its lexicon.
pub(super) struct World {
    pub lexicon: Lexicon,
    /// The books in force, and the one that laws go into.
    pub books: Vec<String>,
    /// What the books derive.
    derived: Vec<Proposition>,
    kind: LawWorld,
}

impl World {
    /// The world that sentences speak of, with some books in force, or else its usual ones, and one that laws go into.
    ///
    /// # Errors
    /// A household without such a task, a world that cannot be opened, or books that derive differently.
    pub fn open(kind: &LawWorld, laws: &[String], into: Option<&String>, config: &Config) -> Result<Self, CliError> {
        let mut books = match laws {
            [] if kind.is(&config.run.world) => config.run.books(),
            [] => (kind.spec().laws)(kind.argument()),
            laws => laws.to_vec(),
        };
        books.extend(into.filter(|into| !books.contains(into)).cloned().into_iter().collect::<Vec<_>>());
        let lexicon = world::lexicon(&kind.config(Vec::new()))?;
        if kind.argument().is_some() {
            return Ok(Self { lexicon, books, derived: Vec::new(), kind: kind.clone() });
        }
        let vocabulary = world::vocabulary(&kind.config(Vec::new()))?;
        // What is wrong with a book is said when a law is compared with it.
        let read = |name: &String| named::read(name, std::slice::from_ref(&vocabulary)).ok()?.into_book().ok();
        let read: Vec<Book> = books.iter().filter(|name| is_there(name)).filter_map(read).collect();
        let joint = joint_vocabulary(&vocabulary, &read).map_err(|error| CliError::input(error.to_string()))?;
        let derived = joint.derivations().cloned().collect();
        Ok(Self { lexicon: lexicon.with_derived(&joint), books, derived, kind: kind.clone() })
    }

    /// The propositions among those of a formula that a book derives.
    pub fn derived_in(&self, formula: &Formula) -> impl Iterator<Item = &Proposition> {
        self.derived.iter().filter(|one| formula.mentions(&one.name))
    }

    /// The vocabulary of what these names and those that books mention stand for.
    fn vocabulary(&self, more: &Formula) -> Result<Arc<Vocabulary>, CliError> {
        let vocabulary = world::vocabulary(&self.kind.config(self.books.clone()))?;
        if self.kind.argument().is_none() {
            return Ok(vocabulary);
        }
        let mut names: BTreeSet<Arc<str>> = more.atoms();
        let signature = vocabulary.signature().cloned();
        let signature = signature.unwrap_or_default();
        names.extend(named::mentioned(&self.books, &signature).into_iter().map(Arc::from));
        let vocabulary = self.lexicon.vocabulary_of(&names).map_err(|error| CliError::input(error.to_string()))?;
        Ok(Arc::new(vocabulary.with_signature(signature)))
    }

    /// The books, each read over the vocabulary of a formula and of them all, and a book with the formula alone.
    ///
    /// # Errors
    /// A book that cannot be read.
    pub fn beside(&self, formula: &Formula, strength: Strength) -> Result<(Vec<Reading>, Reading), CliError> {
        let known = [self.vocabulary(formula)?];
        let mut readings = Vec::new();
        for name in self.books.iter().filter(|name| is_there(name)) {
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
        for derived in self.derived_in(formula) {
            edit.add_derived(derived, None)?;
        }
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
