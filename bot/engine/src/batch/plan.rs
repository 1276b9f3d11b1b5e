//! The plan of a batch: seeds, and a grid of conditions.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::num::NonZeroU64;
use std::path::Path;

use indexmap::IndexMap;
use ltlcrit_minecraft::terrain::TerrainKind;
use serde::{Deserialize, Serialize};

use super::book_lists::{BookList, BookLists};
use super::condition::{Condition, named};
use super::reference::Reference;
use super::schedule::{LEARN_KEYS, Schedule, book_name};
use super::seeds::Seeds;
use super::shard::Shard;
use super::worlds;
use crate::actor::ActorKind;
use crate::config::{Config, RunConfig, Values, over};
use crate::model::ModelSpec;
use crate::user_error::{UserError, place_of};
use crate::world::WorldName;

/// The maximum number of conditions that an error lists.
const MAX_NAMED: usize = 12;

/// The maximum size of a plan, in bytes.
const MAX_BYTES: u64 = 1024 * 1024;
/// The maximum number of cells of a plan.
const MAX_CELLS: usize = 100_000;

/// Name and text of every plan that comes with the program.
const SHIPPED: [(&str, &str); 12] = [
    ("smoke", include_str!("../../plans/smoke.toml")),
    ("table1", include_str!("../../plans/table1.toml")),
    ("table2", include_str!("../../plans/table2.toml")),
    ("ablation", include_str!("../../plans/ablation.toml")),
    ("transfer", include_str!("../../plans/transfer.toml")),
    ("terrains", include_str!("../../plans/terrains.toml")),
    ("small-model", include_str!("../../plans/small-model.toml")),
    ("joint", include_str!("../../plans/joint.toml")),
    ("safety-chip-four-room", include_str!("../../plans/safety-chip-four-room.toml")),
    ("safety-chip-mobile", include_str!("../../plans/safety-chip-mobile.toml")),
    ("safety-chip-robot", include_str!("../../plans/safety-chip-robot.toml")),
    ("safety-chip-unverified", include_str!("../../plans/safety-chip-unverified.toml")),
];

/// The plan of a batch. Every combination of world, actor, model, list of books, terrain and group of settings is a
/// [`Condition`]. A condition with a seed is a cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// The name: letters, digits, `-` and `_`.
    pub name: String,
    /// The seeds of every condition.
    pub seeds: Seeds,
    /// The part of the cells to run, such as `2/4`; all cells if unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<Shard>,
    /// The worlds.
    #[serde(default = "embedded")]
    pub worlds: Vec<WorldName>,
    /// The actors.
    #[serde(default = "actors")]
    pub actors: Vec<ActorKind>,
    /// The models.
    #[serde(default = "models")]
    pub models: Vec<ModelSpec>,
    /// The terrains.
    #[serde(default = "terrains")]
    pub terrains: Vec<TerrainKind>,
    /// The lists of books; each world's own books if unset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub books: Option<BookLists>,
    /// Named groups of configuration keys. Each group is applied over `config` in conditions of its own.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub settings: IndexMap<String, Values>,
    /// Metrics from elsewhere, shown next to those of the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<Reference>,
    /// Keys of the configuration, applied over those in force.
    #[serde(default)]
    pub config: Values,
    /// The SHA-256 of files that the plan names, by path. A file with other content is rejected.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, String>,
}

fn embedded() -> Vec<WorldName> {
    vec![WorldName::EMBEDDED]
}

fn actors() -> Vec<ActorKind> {
    vec![RunConfig::default().actor]
}

fn models() -> Vec<ModelSpec> {
    vec![RunConfig::default().model]
}

fn terrains() -> Vec<TerrainKind> {
    vec![RunConfig::default().terrain]
}

/// Creates the error of a plan, with the place of the problem.
pub(super) fn wrong_plan(place: &str, message: impl Into<String>, help: impl Into<String>) -> UserError {
    UserError::new(message).at(place).help(help)
}

impl Plan {
    /// Returns the names of the plans that come with the program.
    pub fn shipped() -> impl Iterator<Item = &'static str> {
        SHIPPED.iter().map(|(name, _)| *name)
    }

    /// Opens a plan by its shipped name or its path.
    ///
    /// # Errors
    /// The file cannot be read, or the plan is wrong; the error has the place.
    pub fn open(name: &str) -> Result<Self, UserError> {
        if let Some((_, text)) = SHIPPED.iter().find(|(shipped, _)| *shipped == name) {
            return Self::parse(text, name);
        }
        let path = Path::new(name);
        let text = ltlcrit_files::read_text(path, MAX_BYTES).map_err(|error| {
            let shipped: Vec<&str> = Self::shipped().collect();
            let help = format!("give the path of a plan, or a shipped one: {}", shipped.join(", "));
            wrong_plan(name, format!("the plan cannot be read: {error}"), help)
        })?;
        Self::read(&text, name, Some(path))
    }

    /// Parses a plan; errors name it `name`. Relative folders of worlds stay relative, and patterns are not expanded.
    ///
    /// # Errors
    /// The plan is wrong; the error has the place.
    pub fn parse(text: &str, name: &str) -> Result<Self, UserError> {
        Self::read(text, name, None)
    }

    fn read(text: &str, name: &str, file: Option<&Path>) -> Result<Self, UserError> {
        /// The sections with the form of a configuration, parsed for errors with a place.
        #[derive(Deserialize)]
        struct Checked {
            #[serde(default, rename = "config")]
            _config: Config,
            #[serde(default, rename = "settings")]
            _settings: IndexMap<String, Config>,
        }
        let wrong = |error: toml_edit::de::Error| UserError::of_toml("the plan", &error, text, name);
        let mut plan: Self = toml_edit::de::from_str(text).map_err(wrong)?;
        toml_edit::de::from_str::<Checked>(text).map_err(wrong)?;
        if let Some(file) = file {
            plan.worlds = worlds::resolve(&plan.worlds, file).map_err(|why| {
                wrong_plan(
                    &place_of(&["worlds"], text, name),
                    why,
                    "write worlds = [\"pddl:tasks/*\"] for every folder in `tasks`",
                )
            })?;
        }
        plan.check(&|key| place_of(key, text, name))?;
        Ok(plan)
    }

    /// Applies keys of the configuration over those of the plan. Errors point to `place`.
    ///
    /// # Errors
    /// A key has no effect in a batch.
    pub fn set(&mut self, values: &Values, place: &str) -> Result<(), UserError> {
        over(&mut self.config, values);
        self.check_config(&["config"], &self.config, &|_| place.to_owned())
    }

    /// Checks the constraints that types cannot express.
    fn check(&self, place: &dyn Fn(&[&str]) -> String) -> Result<(), UserError> {
        let wrong = |key: &[&str], message: String, help: &str| Err(wrong_plan(&place(key), message, help));
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if self.name.is_empty() || self.name.len() > 64 || !self.name.chars().all(plain) {
            return wrong(
                &["name"],
                format!("`{}` cannot be the name of a plan", self.name),
                "use up to 64 letters, digits, `-` and `_`",
            );
        }
        distinct("worlds", &self.worlds, &place(&["worlds"]))?;
        distinct("actors", self.actors.iter().map(|actor| actor.name()), &place(&["actors"]))?;
        distinct("models", &self.models, &place(&["models"]))?;
        distinct("terrains", self.terrains.iter().map(|terrain| <&str>::from(*terrain)), &place(&["terrains"]))?;
        if let Some(books) = &self.books {
            distinct("books", books.0.iter().map(|list| &list.name), &place(&["books"]))?;
        }
        if self.cells() > MAX_CELLS {
            return wrong(
                &["seeds"],
                format!("the plan has {} cells, and {MAX_CELLS} are the most", self.cells()),
                "split it into several plans",
            );
        }
        let conditions = self.conditions();
        let known = |name: &String| conditions.iter().any(|condition| condition.rows().any(|row| row == *name));
        let mut rows = self.reference.iter().flat_map(|reference| &reference.rows);
        if let Some(row) = rows.find(|row| !known(&row.condition)) {
            let mut names: Vec<&str> =
                conditions.iter().map(|condition| condition.name.as_str()).take(MAX_NAMED).collect();
            names.extend((conditions.len() > MAX_NAMED).then_some("and so on"));
            return wrong(
                &["reference"],
                format!("`{}` is no condition of the plan", row.condition),
                &format!("its conditions are: {}", names.join("; ")),
            );
        }
        if let Some((list, seeds)) = self.overlap() {
            return wrong(
                &["books"],
                format!("`{list}` learns from seeds that the cells run, too: {seeds}"),
                "learn from other seeds, such as seeds = \"1001-1020\"",
            );
        }
        if let Some((list, repeats)) = self.without_cells() {
            return wrong(
                &["books"],
                format!("`{list}` has {repeats} learnings, and no cell runs under the laws of some of them"),
                "seed % repeats is the learning of a cell: give at least as many seeds in a row, such as \"1-30\" for 5",
            );
        }
        self.check_config(&["config"], &self.config, place)?;
        for (name, values) in &self.settings {
            self.check_config(&["settings", name], values, place)?;
        }
        Ok(())
    }

    /// Checks that the configuration keys of a section of the plan have an effect in this batch.
    fn check_config(
        &self,
        section: &[&str],
        values: &Values,
        place: &dyn Fn(&[&str]) -> String,
    ) -> Result<(), UserError> {
        let wrong = |key: &[&str], message: String, help: &str| {
            Err(wrong_plan(&place(&[section, key].concat()), message, help))
        };
        let name = section.join(".");
        // A setting that would make conditions incomparable has one place for all of them.
        let apart = section.first() == Some(&"settings");
        let learn_help =
            "only books with `learn` are learned, such as `learned = { learn = { seeds = \"1001-1020\" } }`";
        let sections = [
            ("store", true, "leave it out; a batch keeps its runs in a store of its own"),
            ("learn", self.schedules().next().is_none(), learn_help),
            ("critic", !self.schedules().any(Schedule::asks_models), "no critic of the plan is a language model"),
            ("caps", apart, "caps hold for every condition; say them in `[config.caps]`"),
            ("server", apart, "say it in `[config.server]`, for all conditions"),
        ];
        for (section, refused, help) in sections {
            if refused && values.contains_key(section) {
                return wrong(&[section], format!("`[{name}.{section}]` has no effect in this batch"), help);
            }
        }
        let learn = values.get("learn").and_then(serde_json::Value::as_object);
        if let Some(key) =
            learn.into_iter().flat_map(|learn| learn.keys()).find(|key| !LEARN_KEYS.contains(&key.as_str()))
        {
            return wrong(
                &["learn", key],
                format!("`{key}` of `[{name}.learn]` has no effect in a batch"),
                "the plan says it with `learn` of `books`",
            );
        }
        let run = values.get("run").and_then(serde_json::Value::as_object);
        let axes = [
            ("world", "worlds"),
            ("seed", "seeds"),
            ("actor", "actors"),
            ("model", "models"),
            ("laws", "books"),
            ("terrain", "terrains"),
            ("max_time", "config.run.steps"),
        ];
        for (key, axis) in axes.into_iter().chain(apart.then_some(("steps", "config.run.steps"))) {
            if run.is_some_and(|run| run.contains_key(key)) {
                return wrong(
                    &["run", key],
                    format!("`{key}` of `[{name}.run]` has no effect in a batch"),
                    &format!("the plan says it with `{axis}`"),
                );
            }
        }
        Ok(())
    }

    /// Returns the learning schedules, list by list.
    pub fn schedules(&self) -> impl Iterator<Item = &Schedule> {
        self.books.iter().flat_map(|lists| &lists.0).filter_map(|list| list.learn.as_ref())
    }

    /// Returns the first list that learns from seeds of the cells, with these seeds.
    fn overlap(&self) -> Option<(&str, String)> {
        let cells: BTreeSet<u64> = self.seeds.as_slice().iter().copied().collect();
        let both = |list: &BookList| {
            let seeds = list.learn.as_ref()?.seeds.as_slice();
            let both: BTreeSet<u64> = seeds.iter().copied().filter(|seed| cells.contains(seed)).collect();
            Seeds::shown(both)
        };
        self.books.iter().flat_map(|lists| &lists.0).find_map(|list| Some((list.name.as_str(), both(list)?)))
    }

    /// Returns the first list with a learning that no cell runs under, with its number of learnings.
    fn without_cells(&self) -> Option<(&str, u64)> {
        let lists = self.books.iter().flat_map(|lists| &lists.0);
        let learned = lists.filter_map(|list| Some((list.name.as_str(), list.learn.as_ref()?.repeats)));
        let used = |repeats: NonZeroU64| -> BTreeSet<u64> {
            self.seeds.as_slice().iter().map(|seed| *seed % repeats).collect()
        };
        let mut without = learned.filter(|(_, repeats)| (used(*repeats).len() as u64) < repeats.get());
        without.next().map(|(list, repeats)| (list, repeats.get()))
    }

    /// Returns the number of cells, including those of other shards.
    pub fn cells(&self) -> usize {
        let books = self.books.as_ref().map_or(1, |books| books.0.len());
        let grounds = self.worlds.iter().fold(0usize, |sum, world| sum.saturating_add(self.terrains_of(world).len()));
        let axes = [grounds, self.actors.len(), self.models.len(), books, self.settings.len().max(1)];
        axes.iter().fold(self.seeds.as_slice().len(), |cells, axis| cells.saturating_mul(*axis))
    }

    /// Returns the terrains of a world. A world without terrain gets one, which has no meaning.
    fn terrains_of(&self, world: &WorldName) -> &[TerrainKind] {
        let count = if world.kind().has_terrain() { self.terrains.len() } else { 1 };
        self.terrains.get(..count).unwrap_or_default()
    }

    /// Returns the groups of settings with their names. A plan without groups has one, without a name and a key.
    pub(super) fn groups_of_settings(&self) -> Vec<(&str, Values)> {
        match self.settings.is_empty() {
            true => vec![("", Values::new())],
            false => self.settings.iter().map(|(name, values)| (name.as_str(), values.clone())).collect(),
        }
    }

    /// Returns the conditions in nested order: settings vary fastest, then terrain, books, model, actor and world.
    pub fn conditions(&self) -> Vec<Condition> {
        let (labels, groups) = (worlds::labels(&self.worlds), self.groups_of_settings());
        let mut conditions = Vec::new();
        for (world, label) in self.worlds.iter().zip(&labels) {
            let own = [BookList::of(world.kind().laws(world.argument()))];
            let lists = self.books.as_ref().map_or(&own[..], |books| &books.0);
            for actor in &self.actors {
                for model in &self.models {
                    for books in lists {
                        let grounds = self.terrains_of(world).iter();
                        let grounds = grounds.flat_map(|terrain| groups.iter().map(move |group| (terrain, group)));
                        for (terrain, (settings, values)) in grounds {
                            let learnings = 0..books.learn.as_ref().map_or(0, |schedule| schedule.repeats.get());
                            conditions.push(Condition {
                                laws: books.books.iter().flat_map(|book| named(book, world)).collect(),
                                learned: learnings.map(|learning| book_name(conditions.len(), learning)).collect(),
                                name: self.label((world, label), *actor, model, books, *terrain, settings),
                                world: world.clone(),
                                world_label: label.clone(),
                                actor: if books.told { ActorKind::NlConstraints } else { *actor },
                                model: model.clone(),
                                books: books.clone(),
                                terrain: *terrain,
                                settings: (*settings).to_owned(),
                                values: values.clone(),
                            });
                        }
                    }
                }
            }
        }
        conditions
    }

    /// Returns the name of a condition: its differences from the others, or the actor if there is a single condition.
    fn label(
        &self,
        (world, label): (&WorldName, &str),
        actor: ActorKind,
        model: &ModelSpec,
        books: &BookList,
        terrain: TerrainKind,
        settings: &str,
    ) -> String {
        let parts = [
            (self.worlds.len(), label.to_owned()),
            (self.actors.len(), actor.name().to_owned()),
            (self.models.len(), model.to_string()),
            (self.books.as_ref().map_or(1, |books| books.0.len()), books.name.clone()),
            (self.terrains_of(world).len(), <&str>::from(terrain).to_owned()),
            (self.settings.len(), settings.to_owned()),
        ];
        let differing: Vec<String> = parts.into_iter().filter(|(count, _)| *count > 1).map(|(_, part)| part).collect();
        if differing.is_empty() { actor.name().to_owned() } else { differing.join(", ") }
    }
}

/// Checks that an axis has a value and no duplicate.
fn distinct<T: Display>(axis: &str, values: impl IntoIterator<Item = T>, place: &str) -> Result<(), UserError> {
    let mut seen = BTreeSet::new();
    for value in values {
        let value = value.to_string();
        if seen.contains(&value) {
            return Err(wrong_plan(place, format!("`{value}` is twice in `{axis}`"), "leave one out"));
        }
        seen.insert(value);
    }
    if seen.is_empty() {
        return Err(wrong_plan(place, format!("`{axis}` is empty"), "leave it out for the default"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_plans_are_right() {
        for (name, _) in SHIPPED {
            assert_eq!(Plan::open(name).unwrap().name, name);
        }
        assert_eq!(Plan::open("smoke").unwrap().cells(), 2 * 2 * 5);
    }

    #[test]
    fn terrains_are_those_of_worlds_that_have_some() {
        let plan = "name = \"a\"\nseeds = \"1-3\"\nworlds = [\"embedded\", \"household:mobile-1\"]\nterrains = [\"natural\", \"ocean\"]\n";
        let plan: Plan = toml_edit::de::from_str(plan).unwrap();
        let names: Vec<String> = plan.conditions().into_iter().map(|condition| condition.name).collect();
        assert_eq!(names, ["embedded, natural", "embedded, ocean", "household:mobile-1"]);
        assert_eq!(plan.cells(), 3 * 3);
    }

    #[test]
    fn errors_have_a_place_and_say_what_would_be_right() {
        let texts = [
            "name = \"a\"\nseeds = \"1-3\"\nactor = [\"naive\"]\n",
            "name = \"a\"\nseeds = \"3-1\"\n",
            "name = \"a\"\nseeds = [1, 1]\n",
            "name = \"a\"\nseeds = \"1-3\"\nmodels = [\"simulated:nobody\"]\n",
            "name = \"a\"\nseeds = \"1-3\"\nbooks = \"minecraft-hard\"\n",
            "name = \"a\"\nseeds = \"1-3\"\nbooks = []\n",
            "name = \"a\"\nseeds = \"1-3\"\n[config.run]\nstep = 3\n",
            "name = \"a\"\nseeds = \"1-3\"\n[config.run]\nseed = 3\n",
            "name = \"a\"\nseeds = \"1-3\"\n[config.store]\npath = \"x\"\n",
            "name = \"a\"\nseeds = \"1-3\"\n[settings]\nnone = {}\nmost = { actor.ofer = \"allowed\" }\n",
            "name = \"a\"\nseeds = \"1-3\"\n[settings.most]\ncaps.requests = 3\n",
            "name = \"a/b\"\nseeds = \"1-3\"\n",
            "name = \"a\"\nseeds = \"1-60000\"\nactors = [\"naive\", \"saycan\"]\n",
        ];
        let shown: Vec<String> = texts
            .iter()
            .map(|text| {
                let mut error = Plan::parse(text, "plan.toml").unwrap_err();
                let lines = [Some(error.message), error.place, error.details.pop(), error.help];
                format!("{text}---\n{}", lines.into_iter().flatten().collect::<Vec<_>>().join("\n"))
            })
            .collect();
        insta::assert_snapshot!(shown.join("\n\n"));
    }
}
