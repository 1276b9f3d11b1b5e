//! Worlds as sentences speak of them: their lexicons, and the books in force.

use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use ltlcrit_engine::books::named;
use ltlcrit_engine::config::Config;
use ltlcrit_engine::world;
use ltlcrit_laws::{
    Book, BookVocabulary, Diagnostic, Edit, NewLaw, Provenance, Reading, Status, Strength, joint_vocabulary,
};
use ltlcrit_translate::Lexicon;
use ltlcrit_verifier::{Formula, Proposition, Vocabulary};

use super::super::blocks::LawWorld;
use super::super::open::{reading, wrong};
use crate::cli::output::CliError;

/// Returns whether a book can be read by its name.
fn is_there(name: &str) -> bool {
    named::is_shipped(name) || Path::new(name).exists()
}

/// The vocabulary of sentences where no world or book is named.
const MINECRAFT: &str = "minecraft";

/// The name of the book that a new law is compared in.
const DRAFT: &str = "translation";

/// A world with its lexicon.
pub(super) struct World {
    pub lexicon: Lexicon,
    /// The books in force, and the one that laws go into.
    pub books: Vec<String>,
    /// The observations that the books derive.
    derived: Vec<Proposition>,
    scene: Scene,
}

/// The source of the propositions.
enum Scene {
    World(LawWorld),
    /// The vocabulary that a book defines: no world is known for it.
    Book(Arc<Vocabulary>),
}

impl Scene {
    /// The world that sentences speak of: the one that is named, or that of the first book there is, or Minecraft.
    fn of(world: Option<&LawWorld>, books: &[&String]) -> Result<Self, CliError> {
        let name = match (world, books.iter().find(|name| is_there(name))) {
            (Some(world), _) => return Ok(Self::World(world.clone())),
            (None, Some(name)) => name,
            (None, None) => return MINECRAFT.parse().map(Self::World).map_err(CliError::usage),
        };
        if let Some(world) = named::world_of(name) {
            return world.parse().map(Self::World).map_err(CliError::input);
        }
        match named::read(name, &[]).map_err(|errors| wrong(name, &errors))?.book.vocabulary() {
            BookVocabulary::Inline(vocabulary) => Ok(Self::Book(vocabulary.clone())),
            BookVocabulary::Named(its) => its.parse().map(Self::World).map_err(|_| {
                CliError::input(format!("`{name}` is over the vocabulary `{its}`"))
                    .help("name a world of it, for example `--world household:mobile-1`")
            }),
        }
    }
}

impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.scene {
            Scene::World(kind) => write!(f, "{kind}"),
            Scene::Book(vocabulary) => f.write_str(vocabulary.name()),
        }
    }
}

impl World {
    /// The world that sentences speak of, with some books in force, or else its usual ones, and one that laws go into.
    ///
    /// # Errors
    /// A household without such a task, a world that cannot be opened, or books that derive differently.
    pub fn open(
        world: Option<&LawWorld>,
        laws: &[String],
        into: Option<&String>,
        config: &Config,
    ) -> Result<Self, CliError> {
        let scene = Scene::of(world, &laws.iter().chain(into).collect::<Vec<_>>())?;
        let mut books = match (&scene, laws) {
            (Scene::World(kind), []) if kind.is(&config.run.world) => config.run.books(),
            (Scene::World(kind), []) => kind.kind().laws(kind.argument()),
            (_, laws) => laws.to_vec(),
        };
        books.extend(into.filter(|into| !books.contains(into)).cloned().into_iter().collect::<Vec<_>>());
        let (lexicon, vocabulary) = match &scene {
            Scene::World(kind) => {
                (world::lexicon(&kind.config(Vec::new()))?, world::vocabulary(&kind.config(books.clone()))?)
            }
            Scene::Book(vocabulary) => (Lexicon::of_vocabulary(vocabulary, &[], Vec::new()), vocabulary.clone()),
        };
        // Errors in a book are reported when a law is compared with it.
        let read = |name: &String| named::read(name, std::slice::from_ref(&vocabulary)).ok()?.into_book().ok();
        let read: Vec<Book> = books.iter().filter(|name| is_there(name)).filter_map(read).collect();
        let joint = joint_vocabulary(&vocabulary, &read).map_err(|error| CliError::input(error.to_string()))?;
        let derived = joint.derivations().cloned().collect();
        Ok(Self { lexicon: lexicon.with_derived(&joint), books, derived, scene })
    }

    /// Returns whether a book defines the vocabulary.
    pub fn is_of_a_book(&self) -> bool {
        matches!(self.scene, Scene::Book(_))
    }

    /// The propositions among those of a formula that a book derives.
    pub fn derived_in(&self, formula: &Formula) -> impl Iterator<Item = &Proposition> {
        self.derived.iter().filter(|one| formula.mentions(&one.name))
    }

    /// The vocabulary of what these names and those that books mention stand for.
    fn vocabulary(&self, more: &Formula) -> Result<Arc<Vocabulary>, CliError> {
        let kind = match &self.scene {
            Scene::World(kind) => kind,
            Scene::Book(vocabulary) => return Ok(vocabulary.clone()),
        };
        let vocabulary = world::vocabulary(&kind.config(self.books.clone()))?;
        if kind.argument().is_none() {
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
        let books = self.books.iter().filter(|name| is_there(name));
        let readings = books.map(|name| reading(name, &known)).collect::<Result<_, _>>()?;
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

    /// The objections of the world to a law: it blocks nothing, or, with those in force, it leaves no way to the goal.
    ///
    /// # Errors
    /// A book over another vocabulary than the world's.
    pub fn findings(&self, draft: Reading, in_force: Vec<Reading>) -> Result<Vec<Diagnostic>, CliError> {
        let Scene::World(kind) = &self.scene else { return Ok(Vec::new()) };
        let mut findings = kind.blocking_nothing(std::slice::from_ref(&draft), false)?;
        if draft.book.entries().iter().all(|entry| entry.strength != Strength::Hard) {
            return Ok(findings);
        }
        // A finding is about the first law that takes part.
        let readings: Vec<Reading> = [draft].into_iter().chain(in_force).collect();
        let goal = kind.excluding_the_goal(&readings, false)?;
        findings.extend(goal.filter(|finding| finding.law.as_deref() == Some(DRAFT)));
        Ok(findings)
    }
}
