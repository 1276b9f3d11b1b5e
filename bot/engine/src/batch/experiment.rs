//! A plan with the whole configuration that it runs under.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use ltlcrit_store::sha256;
use serde_json::Value;

use super::book_lists::BookList;
use super::condition::{Cell, Condition, is_own, named};
use super::plan::{Plan, wrong_plan};
use super::schedule::{LEARN_KEYS, Schedule};
use crate::actor::simulated::PersonaSource;
use crate::books::named::is_shipped;
use crate::config::{Config, RunConfig, Values, over};
use crate::learn::CriticSpec;
use crate::model::ModelSpec;
use crate::setup;
use crate::user_error::UserError;
use crate::world::{self, WorldName};

/// The maximum size of a file whose content is compared, in bytes.
const MAX_BYTES: u64 = 1024 * 1024 * 1024;
/// The sections of the configuration that affect results.
const SECTIONS: [&str; 9] = ["run", "shield", "actor", "prompt", "learn", "critic", "model", "prices", "caps"];
/// Keys that do not affect the results of finished cells, so they may change between two calls.
const FREE: [&str; 6] = [
    "config.caps",
    "config.model.timeout",
    "config.model.retries",
    "config.model.key_env",
    "config.critic.key_env",
    "reference",
];

/// A plan with the whole configuration that it runs under.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The plan with the relevant configuration and the digests of the files that it names.
    pub plan: Plan,
    /// The conditions.
    pub conditions: Vec<Condition>,
    config: Config,
    /// The configurations of the groups of settings, by name.
    groups: BTreeMap<String, Config>,
}

impl Experiment {
    /// Applies the plan's keys to a configuration.
    ///
    /// # Errors
    /// A value is out of range, or a file differs from the one that the plan was made for.
    pub fn new(plan: Plan, base: Config, place: &str) -> Result<Self, UserError> {
        let mut this = Self::configured(plan, base, place)?;
        let found = inputs(&this.plan);
        let differs = |(path, sum): &(&String, &String)| found.get(*path).is_some_and(|now| now != *sum);
        if let Some((path, _)) = this.plan.inputs.iter().find(differs) {
            let message = format!("`{path}` is not the file that the plan was made for");
            return Err(wrong_plan(place, message, "bring the old one back, or remove it from `[inputs]`"));
        }
        this.plan.inputs = found;
        Ok(this)
    }

    /// Creates the experiment of a plan with its whole configuration. The files that it names are not read.
    ///
    /// # Errors
    /// A value is out of range.
    pub fn stored(plan: Plan, place: &str) -> Result<Self, UserError> {
        Self::configured(plan, Config::default(), place)
    }

    fn configured(mut plan: Plan, base: Config, place: &str) -> Result<Self, UserError> {
        let config = configured(&plan, &base, &plan.config, place)?;
        let mut groups = BTreeMap::new();
        for (name, values) in plan.groups_of_settings() {
            groups.insert(name.to_owned(), configured(&plan, &config, &values, place)?);
        }
        let server = plan.worlds.contains(&WorldName::SERVER);
        if server && config.server.address.is_some() {
            let message = "every cell needs a fresh world, which no running server is";
            return Err(wrong_plan(place, message, "leave `server.address` unset, or use `worlds = [\"embedded\"]`"));
        }
        let values = serde_json::to_value(&config).map_err(unreadable(place))?;
        let mut kept = serde_json::Map::new();
        for section in SECTIONS.into_iter().chain(server.then_some("server")) {
            kept.extend(values.get(section).map(|value| (section.to_owned(), value.clone())));
        }
        if let Some(Value::Object(run)) = kept.get_mut("run") {
            run.retain(|key, _| !["world", "seed", "actor", "model", "laws", "terrain"].contains(&key.as_str()));
        }
        if let Some(Value::Object(learn)) = kept.get_mut("learn") {
            learn.retain(|key, _| LEARN_KEYS.contains(&key.as_str()));
        }
        let (learns, asks) = (plan.schedules().next().is_some(), plan.schedules().any(Schedule::asks_models));
        // A cassette only answers requests with the same fields.
        let of_cassettes = groups.values().any(|config| !config.model.body.is_empty());
        let model = asks
            || plan.models.iter().any(|model| match model {
                ModelSpec::OpenAi(_) => true,
                ModelSpec::Cassette(_) => of_cassettes,
                _ => false,
            });
        for (section, counts) in [("learn", learns), ("critic", asks), ("model", model)] {
            if !counts {
                kept.remove(section);
            }
        }
        plan.config = kept;
        Ok(Self { conditions: plan.conditions(), plan, config, groups })
    }

    /// Returns the configuration of a condition's episodes, except the seed.
    pub fn config(&self, condition: &Condition) -> Config {
        condition.config(self.groups.get(&condition.settings).unwrap_or(&self.config))
    }

    /// Returns the maximum number of steps of a cell.
    pub fn steps(&self) -> u64 {
        self.config.run.steps
    }

    /// Returns the maximum number of requests of `cells` cells of a condition. Requests that are repeated because an
    /// answer was lost or cut off are not counted.
    pub fn most_requests(&self, condition: &Condition, cells: usize) -> u64 {
        let limits = setup::limits(&self.config(condition));
        let tries = u64::from(limits.max_reprompts) + u64::from(limits.max_listed) + 1;
        let requests = self.config.run.steps.saturating_mul(tries).saturating_mul(cells as u64);
        self.config.caps.requests.map_or(requests, |cap| cap.min(requests))
    }

    /// Returns the number of the actor's requests in the [episodes](Schedule::episodes) that a condition's laws are learned in, at
    /// most; critics add a few.
    pub fn most_learning_requests(&self, condition: &Condition) -> u64 {
        let episodes = condition.books.learn.as_ref().map_or(0, Schedule::episodes);
        if episodes == 0 { 0 } else { self.most_requests(condition, episodes) }
    }

    /// Returns the cap on the cost of a condition, in US dollars.
    pub fn most_cost(&self) -> Option<f64> {
        self.config.caps.cost
    }

    /// Returns the maximum number of episodes at once.
    pub fn threads(&self) -> usize {
        self.config.learn.threads()
    }

    /// Returns the indices of the cells to run: those of the plan's shard, or all.
    pub fn range(&self) -> Range<usize> {
        let all = self.plan.cells();
        self.plan.shard.map_or(0..all, |shard| shard.range(all))
    }

    /// Returns whether a cell is among those to run.
    pub fn has(&self, index: usize) -> bool {
        self.range().contains(&index)
    }

    /// Returns the cells to run, condition by condition.
    pub fn cells(&self) -> Vec<Cell> {
        self.grid().drain(self.range()).collect()
    }

    /// Returns the learnings of all conditions: the index of the condition, and that of the learning.
    pub(super) fn learnings(&self) -> impl Iterator<Item = (usize, u64)> {
        let of = |(number, condition): (usize, &Condition)| {
            (0..condition.learned.len() as u64).map(move |learning| (number, learning))
        };
        self.conditions.iter().enumerate().flat_map(of)
    }

    /// Returns the cells of all shards, condition by condition.
    pub fn grid(&self) -> Vec<Cell> {
        let seeds = self.plan.seeds.as_slice();
        let cell = |(condition, (index, seed)): (usize, (usize, &u64))| Cell {
            index: condition * seeds.len() + index,
            condition,
            seed: *seed,
        };
        let conditions = 0..self.conditions.len();
        conditions.flat_map(|condition| seeds.iter().enumerate().map(move |it| (condition, it))).map(cell).collect()
    }

    /// Returns the name of a cell: its condition and its seed.
    pub fn name(&self, cell: Cell) -> String {
        format!("{}, seed {}", self.conditions.get(cell.condition).map_or("", |it| it.name.as_str()), cell.seed)
    }

    /// Returns the SHA-256 of everything that affects results, in hexadecimal. It is the same for all shards.
    pub fn hash(&self) -> String {
        let mut keys = identity(&self.plan);
        keys.remove("shard");
        sha256(keys.iter().map(|(key, value)| format!("{key}={value}\n")).collect::<String>().as_bytes())
    }

    /// Lists the keys in which an earlier plan differs, with both values. A file that could not be read then or now
    /// counts as equal.
    pub fn differing(&self, earlier: &Plan) -> Vec<String> {
        self.changes(earlier, |_| true)
    }

    /// Lists the differing keys among those that `counts` selects.
    pub(super) fn changes(&self, earlier: &Plan, counts: impl Fn(&str) -> bool) -> Vec<String> {
        let (old, new) = (identity(earlier), identity(&self.plan));
        let mut differing = Vec::new();
        let keys: std::collections::BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        for key in keys.into_iter().filter(|key| counts(key)) {
            match (old.get(key), new.get(key)) {
                (old, new) if old == new => {}
                (None, _) | (_, None) if key.starts_with("inputs.") => {}
                (old, new) => {
                    let shown = |value: Option<&String>| value.map_or("not set", String::as_str).to_owned();
                    differing.push(format!("{key}: {} there, {} here", shown(old), shown(new)));
                }
            }
        }
        differing
    }
}

/// Applies keys of a plan to a configuration.
fn configured(plan: &Plan, base: &Config, values: &Values, place: &str) -> Result<Config, UserError> {
    let mut config = match serde_json::to_value(base).map_err(unreadable(place))? {
        Value::Object(mut config) => {
            over(&mut config, values);
            serde_json::from_value::<Config>(Value::Object(config)).map_err(unreadable(place))?
        }
        _ => base.clone(),
    };
    config.model.confirmed = match (&config.model.base_url, &config.model.key_env) {
        named if named == (&base.model.base_url, &base.model.key_env) => base.model.confirmed.clone(),
        // A plan may come from somebody else, so it does not confirm an endpoint or a variable.
        _ => base.model.confirmed.clone().against_stored(place),
    };
    let (critic, confirmed) = (config.for_critic().model, base.for_critic().model);
    config.critic.confirmed = match (&critic.base_url, &critic.key_env) {
        named if named == (&confirmed.base_url, &confirmed.key_env) => confirmed.confirmed,
        _ => confirmed.confirmed.against_stored(place),
    };
    let out_of_range = |error: UserError| error.at(place);
    config.check().map_err(out_of_range)?;
    for schedule in plan.schedules() {
        schedule.config(&config).check().map_err(out_of_range)?;
    }
    Ok(config)
}

fn unreadable(place: &str) -> impl Fn(serde_json::Error) -> UserError {
    move |error| {
        let message = format!("the configuration is wrong: {error}");
        wrong_plan(place, message, "see `ltlcrit config show --defaults`")
    }
}

/// Returns everything that affects results, by dotted key.
fn identity(plan: &Plan) -> BTreeMap<String, String> {
    fn flatten(key: &str, value: &Value, into: &mut BTreeMap<String, String>) {
        match value {
            Value::Object(map) if key != "books" && key != "settings" => {
                for (name, value) in map {
                    let key = if key.is_empty() { name.clone() } else { format!("{key}.{name}") };
                    flatten(&key, value, into);
                }
            }
            value => {
                into.insert(key.to_owned(), value.to_string());
            }
        }
    }
    let mut keys = BTreeMap::new();
    flatten("", &serde_json::to_value(plan).unwrap_or_default(), &mut keys);
    // A JSON map would lose their order.
    if let Some(lists) = &plan.books {
        let learned = |schedule| serde_json::to_string(&schedule).unwrap_or_default();
        let books: Vec<String> = lists
            .0
            .iter()
            .map(|BookList { name, books, learn, enforce, judged_by, told }| match learn {
                None if !judged_by.is_empty() => format!("{name} = {books:?}, judged by {judged_by:?}"),
                None if *told => format!("{name} = {books:?}, told"),
                None if !enforce => format!("{name} = {books:?}, watched"),
                None => format!("{name} = {books:?}"),
                Some(schedule) => format!("{name} = {books:?} and learned by {}", learned(schedule)),
            })
            .collect();
        keys.insert("books".to_owned(), books.join(", "));
    }
    if !plan.settings.is_empty() {
        keys.insert("settings".to_owned(), serde_json::to_string(&plan.settings).unwrap_or_default());
    }
    keys.retain(|key, _| !FREE.iter().any(|free| key == free || key.starts_with(&format!("{free}."))));
    keys
}

/// Returns the SHA-256 of the readable files that a plan names, and of the descriptions of worlds made from files.
fn inputs(plan: &Plan) -> BTreeMap<String, String> {
    let books = plan.books.iter().flat_map(|lists| &lists.0).flat_map(|list| list.books.iter().chain(&list.judged_by));
    let books = books.flat_map(|book| match is_own(book) {
        true => plan.worlds.iter().flat_map(|world| named(book, world)).collect(),
        false => vec![book.clone()],
    });
    let books = books.filter(|book| !is_shipped(book)).map(std::path::PathBuf::from);
    let critics = plan.schedules().flat_map(|schedule| &schedule.critics).filter_map(|critic| match critic {
        CriticSpec::Model(model) => Some(model),
        CriticSpec::Trials => None,
    });
    let models = plan.models.iter().chain(critics).filter_map(|model| match model {
        ModelSpec::Simulated(Some(PersonaSource::File { path, .. })) | ModelSpec::Cassette(path) => Some(path.clone()),
        _ => None,
    });
    let sum = |path: std::path::PathBuf| {
        let bytes = ltlcrit_files::read(Path::new(&path), MAX_BYTES).ok()?;
        Some((path.display().to_string(), sha256(&bytes)))
    };
    let described = |name: &WorldName| {
        let run = RunConfig { world: name.clone(), ..RunConfig::default() };
        let world = world::open(&Config { run, ..Config::default() }).ok()?;
        Some((name.to_string(), sha256(world.info().options.to_string().as_bytes())))
    };
    let worlds = plan.worlds.iter().filter(|world| world.argument().is_some()).filter_map(described);
    books.chain(models).filter_map(sum).chain(worlds).collect()
}
