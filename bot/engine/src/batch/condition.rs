//! A condition of a plan: world, actor, model, books, terrain and settings.

use std::ffi::OsStr;
use std::path::Path;

use ltlcrit_minecraft::terrain::TerrainKind;

use super::book_lists::BookList;
use crate::actor::ActorKind;
use crate::config::{Config, Values};
use crate::model::ModelSpec;
use crate::world::WorldName;

/// A condition.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition {
    /// The difference from the other conditions, such as `naive, minecraft-hard`.
    pub name: String,
    /// The world.
    pub world: WorldName,
    /// The name of the world in tables.
    pub world_label: String,
    /// The actor.
    pub actor: ActorKind,
    /// The model.
    pub model: ModelSpec,
    /// The books in force.
    pub books: BookList,
    /// The names of the books in force in its runs, without a learned book.
    pub laws: Vec<String>,
    /// The names of its learned books, one for each learning.
    pub learned: Vec<String>,
    /// The terrain.
    pub terrain: TerrainKind,
    /// The name of its group of settings; empty if the plan has none.
    pub settings: String,
    /// The keys of that group.
    pub values: Values,
}

/// The names of the books of a world's dangers: the exact laws, and the grammar's translation of the English sentences.
const OF_TASK: [&str; 2] = ["danger", "translated"];

/// A folder with a translated book for each task, `TASK.toml`.
const TRANSLATED_IN: &str = "translated=";

/// Returns whether a name stands for books of the world.
pub(super) fn is_own(book: &str) -> bool {
    OF_TASK.contains(&book)
        || book.starts_with(TRANSLATED_IN)
        || book == "own"
        || book.starts_with("own#")
        || book.starts_with("own:")
}

/// Returns the books that a name stands for in a world: the book itself, or the world's own books.
pub(super) fn named(book: &str, world: &WorldName) -> Vec<String> {
    if OF_TASK.contains(&book) {
        return vec![format!("{book}:{world}")];
    }
    if let Some(folder) = book.strip_prefix(TRANSLATED_IN) {
        let argument = world.argument().unwrap_or_default();
        let task = Path::new(argument).file_name().and_then(OsStr::to_str).unwrap_or(argument);
        return vec![Path::new(folder).join(format!("{task}.toml")).display().to_string()];
    }
    match book.strip_prefix("own") {
        Some(first) if is_own(book) => {
            let own = world.kind().laws(world.argument());
            own.into_iter().map(|book| format!("{book}{first}")).collect()
        }
        _ => vec![book.to_owned()],
    }
}

/// Splits a name that ends with a number, such as `chip, 3`.
pub(super) fn without_number(name: &str) -> Option<(&str, u64)> {
    let (name, number) = name.rsplit_once(", ")?;
    Some((name, number.parse().ok()?))
}

impl Condition {
    /// Returns its name without the world, which it shares with the same conditions in other worlds.
    pub(super) fn shared_name(&self) -> &str {
        self.name.strip_prefix(&self.world_label).unwrap_or(&self.name).trim_start_matches(", ")
    }

    /// Returns the names of the table rows that include it: its own, the row over all worlds, and the row over all
    /// numbers of laws.
    pub(crate) fn rows(&self) -> impl Iterator<Item = &str> {
        let shared = self.shared_name();
        [Some(self.name.as_str()), Some(shared), without_number(shared).map(|(name, _)| name)].into_iter().flatten()
    }

    /// Returns the index of the learning whose laws are in force for a seed, from 0.
    pub(super) fn learning_of(&self, seed: u64) -> u64 {
        self.books.learn.as_ref().map_or(0, |schedule| seed % schedule.repeats)
    }

    /// Returns the names of the books of a seed's run: those in force, and the learned book.
    pub(super) fn books_of(&self, seed: u64) -> Vec<String> {
        let learned = usize::try_from(self.learning_of(seed)).ok().and_then(|learning| self.learned.get(learning));
        self.laws.iter().chain(learned).cloned().collect()
    }

    /// Returns whether it equals a condition of another plan, whatever their names.
    pub(super) fn is(&self, other: &Self) -> bool {
        self.books == other.books && self.values == other.values && self.shares_the_rest(other)
    }

    /// Returns whether it differs from another condition only in its books, or only in its settings.
    pub(super) fn one_apart(&self, other: &Self) -> bool {
        (self.books == other.books || self.values == other.values) && self.shares_the_rest(other)
    }

    fn shares_the_rest(&self, other: &Self) -> bool {
        (&self.world, self.actor, &self.model, self.terrain) == (&other.world, other.actor, &other.model, other.terrain)
    }

    /// Returns the configuration of its episodes, except the seed and the learned book, based on one with its settings.
    pub fn config(&self, base: &Config) -> Config {
        let mut config = base.clone();
        config.run.world = self.world.clone();
        config.run.actor = self.actor;
        config.run.model = self.model.clone();
        config.run.laws = Some(self.laws.clone());
        config.run.judged_by = self.books.judged_by.iter().flat_map(|book| named(book, &self.world)).collect();
        config.run.terrain = self.terrain;
        config.shield.watch_only |= !self.books.enforce;
        config
    }
}

/// A condition with a seed, in the order of the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The index among all cells, from 0.
    pub index: usize,
    /// The index of its condition among all conditions, from 0.
    pub condition: usize,
    /// The seed.
    pub seed: u64,
}
