//! Worlds as sentences speak of them: their lexicons, and the books in force.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use ltlcrit_engine::books::lexicon::of_task;
use ltlcrit_engine::books::named;
use ltlcrit_engine::config::{Config, RunConfig};
use ltlcrit_engine::despite::task_of_world;
use ltlcrit_engine::world::{self, WorldName};
use ltlcrit_household::{English as HouseholdEnglish, task};
use ltlcrit_laws::{Edit, NewLaw, Provenance, Reading, Status, Strength};
use ltlcrit_minecraft::vocabulary::PHRASES;
use ltlcrit_pddl::Ground;
use ltlcrit_translate::{Lexicon, Object, Term};
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

/// The lexicon of a household in English.
fn household(english: HouseholdEnglish) -> Lexicon {
    let fact = |name: Arc<str>, meaning: Arc<str>| Term { name, meaning, is_action: false, phrases: Vec::new() };
    // Laws over the domain speak of the kinds of objects.
    let kinds = english.objects.iter().flat_map(|object| {
        object.predicates.iter().map(|kind| {
            let name = &object.name;
            fact(format!("{kind}({name})").into(), format!("{name} is of the kind {kind}").into())
        })
    });
    let kinds: Vec<Term> = kinds.collect();
    let terms = english.facts.into_iter().map(|of| fact(of.name, of.meaning)).chain(kinds);
    let objects = english.objects.into_iter().map(|object| Object {
        name: object.name,
        nouns: object.nouns,
        kinds: object.kinds,
        predicates: object.predicates,
    });
    Lexicon::new("household", terms.collect(), objects.collect(), Vec::new())
        .with_exclusive(english.exclusive.into_iter().map(|group| group.into_iter().collect()))
}

impl World {
    /// The world that sentences speak of.
    ///
    /// # Errors
    /// A household without such a task, or a world that cannot be opened.
    pub fn open(kind: &LawWorld) -> Result<Self, CliError> {
        let lexicon = match kind {
            LawWorld::Minecraft => Lexicon::of_vocabulary(&ltlcrit_minecraft::vocabulary(), &PHRASES, Vec::new()),
            LawWorld::Exact(name) => match (name.spec().name, name.argument()) {
                ("household", Some(argument)) => {
                    household(task(argument).map_err(|error| CliError::input(error.to_string()))?.english())
                }
                (_, Some(_)) if let Some(task) = task_of_world(&name.to_string()) => {
                    let task = task.map_err(|error| CliError::input(error.to_string()))?;
                    let run = RunConfig { world: name.clone(), laws: Some(Vec::new()), ..RunConfig::default() };
                    let vocabulary = world::vocabulary(&Config { run, ..Config::default() })?;
                    let ground = Ground::new(&task).map_err(|error| CliError::input(error.to_string()))?;
                    of_task(&ground, vocabulary.name())
                }
                _ => {
                    let run = RunConfig { world: name.clone(), laws: Some(Vec::new()), ..RunConfig::default() };
                    let vocabulary = world::vocabulary(&Config { run, ..Config::default() })?;
                    Lexicon::of_vocabulary(&vocabulary, &[], Vec::new())
                }
            },
        };
        Ok(Self { lexicon, kind: kind.clone() })
    }

    /// The books in force in it unless others are named.
    pub fn usual_books(&self, config: &Config) -> Vec<String> {
        match &self.kind {
            LawWorld::Minecraft if [&WorldName::EMBEDDED, &WorldName::SERVER].contains(&&config.run.world) => {
                config.run.books()
            }
            LawWorld::Minecraft => (WorldName::EMBEDDED.spec().laws)(None),
            LawWorld::Exact(name) => (name.spec().laws)(name.argument()),
        }
    }

    /// The vocabulary of what these names and those that books mention stand for.
    fn vocabulary(&self, books: &[String], more: &Formula) -> Result<Arc<Vocabulary>, CliError> {
        if self.kind == LawWorld::Minecraft {
            return Ok(ltlcrit_minecraft::vocabulary());
        }
        let mut names: BTreeSet<Arc<str>> = more.atoms();
        let signature = match &self.kind {
            LawWorld::Minecraft => None,
            LawWorld::Exact(world) => {
                let run = RunConfig { world: world.clone(), laws: Some(books.to_vec()), ..RunConfig::default() };
                world::vocabulary(&Config { run, ..Config::default() })?.signature().cloned()
            }
        };
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
