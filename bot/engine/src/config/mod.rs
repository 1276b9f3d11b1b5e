//! The configuration: defaults, then the user's file, `ltlcrit.toml`, the environment, and flags. A later source
//! overrides an earlier one.
//!
//! [`DEFAULT_FILE`] is the reference: it documents every key, and a test compares it with [`Config::default`].

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use figment::Figment;
use figment::error::Kind;
use figment::providers::{Env, Serialized};
use figment::value::Value;
use jiff::SignedDuration;
use ltlcrit_critic::evidence::Objective;
use ltlcrit_critic::propose::ModelCriticOptions;
use ltlcrit_critic::propose::model_critic::{BudgetTooSmall, TokenBudget};
use ltlcrit_minecraft::Sight;
use ltlcrit_minecraft::terrain::TerrainKind;
use ltlcrit_model::Body;
use ltlcrit_model::openai::OPENAI_BASE_URL;
use ltlcrit_store::Offer;
use ltlcrit_verifier::Fallback;
use ltlcrit_verifier::syntax::nearest_name;
use serde::{Deserialize, Serialize};
use strum::{EnumMessage, IntoStaticStr, VariantArray};

use crate::actor::{ActorKind, PromptOptions, Reasons, RefusalForm, Wording};
use crate::exam::Exam;
use crate::learn::CriticSpec;
use crate::model::ModelSpec;
use crate::user_error::{self, UserError};
use crate::world::WorldName;

mod body;
mod confirmed;
mod ranges;
mod values;

pub use confirmed::Confirmed;
pub use values::{Values, over, read_values};

/// The commented file with every key and its default value.
pub const DEFAULT_FILE: &str = include_str!("default.toml");

/// The maximum size of a configuration file, in bytes.
const MAX_BYTES: u64 = 1024 * 1024;

/// The name of the file that is read if it exists and no other is named.
pub const FILE_NAME: &str = "ltlcrit.toml";

/// The path of the user's own file, for messages. See [`user_file`].
const USER_FILE: &str = "~/.config/ltlcrit/config.toml";

/// The prefix of environment variables that set keys: `LTLCRIT_RUN__SEED` sets `seed` of `[run]`.
pub const ENV_PREFIX: &str = "LTLCRIT_";

/// The whole configuration.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The run.
    pub run: RunConfig,
    /// The enforcement of laws.
    pub shield: ShieldConfig,
    /// The questions to actors.
    pub actor: ActorConfig,
    /// The contents of actors' prompts.
    pub prompt: PromptConfig,
    /// The learning of laws.
    pub learn: LearnConfig,
    /// The questions to critics that are language models.
    pub critic: CriticConfig,
    /// The connection to a Minecraft server.
    pub server: ServerConfig,
    /// The access to models.
    pub model: ModelConfig,
    /// Caps on the use of models.
    pub caps: CapsConfig,
    /// Prices of tokens, by model.
    pub prices: BTreeMap<String, PriceConfig>,
    /// The store of runs.
    pub store: StoreConfig,
}

/// `[run]`: the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunConfig {
    /// The world.
    pub world: WorldName,
    /// The seed of the world opened here and of the persona.
    pub seed: u64,
    /// The maximum number of steps.
    pub steps: u64,
    /// The maximum number of steps in a row without an observation that is new to the run; 0 for no limit.
    pub stall: u64,
    /// The longest real time of `run` and `resume`; no limit if unset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_time: Option<SignedDuration>,
    /// The name of the run's goal in the world; the goal of the world itself if unset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    /// The actor.
    pub actor: ActorKind,
    /// The model behind the actor.
    pub model: ModelSpec,
    /// Names or paths of the law books in force; the world's own books if unset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub laws: Option<Vec<String>>,
    /// Books that a batch judges the safety of runs by, in place of those in force.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub judged_by: Vec<String>,
    /// The terrain of worlds opened here.
    pub terrain: TerrainKind,
    /// The blocks the player sees.
    pub sight: Sight,
    /// The maximum number of re-prompts before the allowed actions are listed.
    pub max_reprompts: u32,
    /// The evaluation of the model in planning tasks; an ordinary run if unset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exam: Option<Exam>,
    /// True if a run of a planning task ends when it meets more danger than the task tolerates.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub fatal_danger: bool,
}

impl Default for RunConfig {
    fn default() -> Self {
        Self {
            world: WorldName::SERVER,
            seed: 1,
            steps: 200,
            stall: 40,
            max_time: None,
            goal: None,
            actor: ActorKind::InnerMonologue,
            model: ModelSpec::default(),
            laws: None,
            judged_by: Vec::new(),
            terrain: TerrainKind::Natural,
            sight: Sight::Exposed,
            max_reprompts: 3,
            exam: None,
            fatal_danger: false,
        }
    }
}

impl RunConfig {
    /// Returns the names or paths of the law books in force.
    pub fn books(&self) -> Vec<String> {
        self.laws.clone().unwrap_or_else(|| self.world.kind().laws(self.world.argument()))
    }
}

/// `[shield]`: the enforcement of laws.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ShieldConfig {
    /// True if the laws are only watched, and not enforced.
    pub watch_only: bool,
    /// The assumption about the world that hard laws are judged by.
    pub environment: EnvironmentKind,
    /// The soft laws that are suspended in an over-constrained state.
    pub fallback: Fallback,
    /// The source of the explanation of a block.
    pub reasons: Reasons,
}

impl ShieldConfig {
    /// Returns whether hard laws are judged by every letter that the world predicts.
    pub fn is_robust(&self) -> bool {
        self.environment == EnvironmentKind::Robust
    }
}

/// The assumption about the world that hard laws are judged by.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, EnumMessage, IntoStaticStr, VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum EnvironmentKind {
    /// An action may run if something it may lead to leaves the laws satisfiable
    Cooperative,
    /// An action may run if everything it may lead to leaves the hard laws satisfiable, as far as the world tells
    #[default]
    Robust,
}

/// `[actor]`: the questions to actors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ActorConfig {
    /// The maximum number of tokens of an answer, reasoning included.
    pub answer_tokens: u32,
    /// The actions that are offered.
    pub offer: Offer,
}

impl Default for ActorConfig {
    fn default() -> Self {
        Self { answer_tokens: 2_048, offer: Offer::All }
    }
}

/// `[prompt]`: the contents of actors' prompts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PromptConfig {
    /// True if the list of actions says what each action consumes and yields. LTLCrit's actors did not see this.
    pub recipes: bool,
    /// The English form of the laws in prompts.
    pub wording: Wording,
    /// The form in which an actor reads that an action is blocked.
    pub refusal: RefusalForm,
    /// True if evaluations list the dangers in the prompt, which DESPITE never does.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dangers: bool,
    /// Text in front of the system message of an actor that is a language model, such as a worked example.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub instructions: String,
}

impl Config {
    /// Returns whether the shield enforces the laws instead of only watching them.
    pub fn is_shielded(&self) -> bool {
        self.run.actor.shielded() && !self.shield.watch_only
    }

    /// Returns the options of the actor's prompts.
    pub fn prompts(&self) -> PromptOptions {
        PromptOptions {
            answer_tokens: self.actor.answer_tokens,
            recipes: self.prompt.recipes,
            reasons: self.shield.reasons,
            wording: self.prompt.wording,
            refusal: self.prompt.refusal,
        }
    }
}

/// `[critic]`: the questions to critics that are language models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CriticConfig {
    /// The maximum number of tokens of a question and its answer together: at most the model's context window.
    pub context_tokens: u32,
    /// The maximum number of tokens of an answer, reasoning included.
    pub answer_tokens: u32,
    /// The endpoint, if it differs from that of `[model]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base_url: Option<String>,
    /// The environment variable that holds the key, if it differs from that of `[model]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_env: Option<String>,
    /// Further fields of the requests, if they differ from those of `[model]`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<Body>,
    /// The endpoint and the variable that the user confirmed.
    #[serde(skip)]
    pub confirmed: Confirmed,
}

impl Default for CriticConfig {
    fn default() -> Self {
        let confirmed = ModelConfig::default().confirmed.of_critic();
        Self { context_tokens: 20_480, answer_tokens: 8_192, base_url: None, key_env: None, body: None, confirmed }
    }
}

impl CriticConfig {
    /// Returns the options of a critic that is a language model.
    ///
    /// # Errors
    /// The context leaves too little room for the question.
    pub fn options(&self) -> Result<ModelCriticOptions, BudgetTooSmall> {
        let prompt = TokenBudget::new(self.context_tokens.saturating_sub(self.answer_tokens))?;
        Ok(ModelCriticOptions { prompt, answer_tokens: self.answer_tokens })
    }
}

/// `[learn]`: the learning of laws. The actor, its model, the other books in force and the first seed are those of
/// `[run]`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LearnConfig {
    /// The world of the episodes.
    pub world: WorldName,
    /// The file of the book that is learned.
    pub book: PathBuf,
    /// The maximum number of iterations.
    pub iterations: usize,
    /// The number of episodes of an iteration.
    pub episodes: u64,
    /// True if learning stops when nothing improves any more.
    pub stop_when_stable: bool,
    /// True if admitted laws wait for a person.
    pub review: bool,
    /// The critics that propose laws.
    pub critics: Vec<CriticSpec>,
    /// The probability of deriving an observation that tells nothing.
    pub significance: f64,
    /// The weights of evidence and the costs of laws, for the trial critic and the gate.
    pub objective: Objective,
    /// True if observations are derived where the vocabulary lacks one.
    pub derive: bool,
    /// The margin within which a choice still counts as efficient, in steps beyond the best choice.
    pub margin: f64,
    /// The maximum number of episodes at once; 0 for one per core. The results do not depend on it.
    pub jobs: usize,
    /// The number of fresh seeds to test the book on after learning.
    pub test: u64,
    /// True if steps are also compared with those of the planner's policy in the same worlds.
    pub optimum: bool,
}

impl LearnConfig {
    /// Returns the maximum number of episodes at once.
    pub fn threads(&self) -> usize {
        match self.jobs {
            0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            jobs => jobs,
        }
    }
}

impl Default for LearnConfig {
    fn default() -> Self {
        Self {
            world: WorldName::EMBEDDED,
            book: PathBuf::from("learned.toml"),
            iterations: 3,
            episodes: 20,
            stop_when_stable: false,
            review: false,
            critics: vec![CriticSpec::Trials],
            significance: 0.05,
            objective: Objective::default(),
            derive: true,
            margin: 0.5,
            jobs: 0,
            test: 0,
            optimum: false,
        }
    }
}

/// `[server]`: the connection to a Minecraft server.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ServerConfig {
    /// The address of the server; the program starts its own on loopback if unset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<String>,
    /// The account that joins.
    pub account: String,
    /// The view distance requested of the server, in chunks.
    pub view_distance: u8,
    /// The maximum number of reconnections in a row; a connection that lasts a minute resets the count.
    pub reconnects: u32,
    /// The speed of the program's own server and its client, as a multiple of the game's; 20 if unset.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub speed: Option<f64>,
}

impl ServerConfig {
    /// Returns the speed of the world, as a multiple of the game's.
    pub fn speed(&self) -> f64 {
        self.speed.unwrap_or(if self.address.is_some() { 1.0 } else { 20.0 })
    }
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self { address: None, account: "offline:ltlcrit".to_owned(), view_distance: 6, reconnects: 40, speed: None }
    }
}

/// `[model]`: the access to models.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelConfig {
    /// The endpoint of `openai:` models.
    pub base_url: String,
    /// The environment variable that holds the key.
    pub key_env: String,
    /// The timeout of a request, in seconds, without the time for its answer.
    pub timeout: u64,
    /// The maximum number of retries of a request.
    pub retries: usize,
    /// Further fields of the requests for texts, as sent to the endpoint.
    #[serde(skip_serializing_if = "Body::is_empty")]
    pub body: Body,
    /// The endpoint and the variable that the user confirmed.
    #[serde(skip)]
    pub confirmed: Confirmed,
}

impl Default for ModelConfig {
    fn default() -> Self {
        let (base_url, key_env) = (OPENAI_BASE_URL.to_owned(), "OPENAI_API_KEY".to_owned());
        let confirmed = Confirmed::new(base_url.clone(), key_env.clone());
        Self { base_url, key_env, timeout: 60, retries: 5, body: Body::new(), confirmed }
    }
}

/// `[caps]`: caps on the use of models.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CapsConfig {
    /// The maximum number of requests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests: Option<u64>,
    /// The maximum number of tokens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// The maximum cost, in US dollars.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// The maximum number of requests per minute; the run waits for this limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests_per_minute: Option<NonZeroU32>,
}

/// A row of `[prices]`, in US dollars per million tokens.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PriceConfig {
    /// The price of prompt tokens.
    pub input: f64,
    /// The price of prompt tokens that the provider had cached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cached_input: Option<f64>,
    /// The price of completion tokens.
    pub output: f64,
}

/// `[store]`: the store of runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StoreConfig {
    /// The store's directory.
    pub path: PathBuf,
}

impl Default for StoreConfig {
    fn default() -> Self {
        Self { path: PathBuf::from(".ltlcrit/store") }
    }
}

impl Config {
    /// Loads the configuration. The sources are defaults, the user's own file, the project's `file` (or [`FILE_NAME`]
    /// if it exists), the environment, `flags`, and the values of `set`. A later source overrides an earlier one. Flags
    /// serialize to a map of dotted keys such as `run.seed`; those that are null or `false` count as not given.
    ///
    /// # Errors
    /// A file cannot be read, or has a syntax error, an unknown key, a wrong type or a value out of range. The error
    /// has the place and the correction.
    pub fn load(file: Option<&Path>, flags: &impl Serialize, set: &Values) -> Result<Self, UserError> {
        // `LTLCRIT_GUARD_STATE` and the like are for the guard.
        let variables = Env::prefixed(ENV_PREFIX).filter(|key| !key.starts_with("GUARD_"));
        Self::merge(user_file().as_deref(), project_file(file), variables, flags, set)
    }

    /// Loads the configuration from given files and variables, so that tests do not depend on the machine.
    pub fn merge(
        user: Option<&Path>,
        project: Option<&Path>,
        variables: Env,
        flags: &impl Serialize,
        set: &Values,
    ) -> Result<Self, UserError> {
        let variables = variables.split("__").ignore(&["log", "git_revision"]);
        let flags = Value::serialize(flags).map_err(|error| environment_error(&error))?.into_dict().unwrap_or_default();
        let finish = |figment: Figment| {
            let figment = figment.merge(variables.clone());
            let given = flags.iter().filter(|(_, value)| !matches!(value, Value::Empty(..) | Value::Bool(_, false)));
            let figment = given.fold(figment, |figment, (key, value)| figment.merge(Serialized::default(key, value)));
            figment.merge(Serialized::defaults(set))
        };
        let mut figment = Figment::from(Serialized::defaults(Self::default()));
        if let Some(path) = user {
            figment = figment.merge(Serialized::defaults(File::read(path)?.values));
        }
        let finished = finish(figment.clone());
        let own = |key: &str| finished.extract_inner(key).map_err(|error| environment_error(&error));
        let of_model = Confirmed::new(own("model.base_url")?, own("model.key_env")?);
        let of_critic = |key: &str| match finished.find_value(&format!("critic.{key}")) {
            Ok(_) => own(&format!("critic.{key}")),
            Err(_) => own(&format!("model.{key}")),
        };
        let mut confirmed = (of_model, Confirmed::new(of_critic("base_url")?, of_critic("key_env")?).of_critic());
        if let Some(path) = project {
            let file = File::read(path)?;
            confirmed = (confirmed.0.against(&file), confirmed.1.against(&file));
            figment = figment.merge(Serialized::defaults(file.values));
        }
        let mut config: Self = finish(figment).extract().map_err(|error| environment_error(&error))?;
        (config.model.confirmed, config.critic.confirmed) = confirmed;
        config.check()?;
        Ok(config)
    }

    /// Writes the commented file of [`DEFAULT_FILE`] with the values of this configuration.
    ///
    /// # Errors
    /// A value cannot be written as TOML.
    pub fn to_commented_file(&self) -> Result<String, toml_edit::ser::Error> {
        let values = toml_edit::ser::to_document(self)?;
        let mut section = "";
        let mut file = String::with_capacity(DEFAULT_FILE.len());
        for line in DEFAULT_FILE.lines() {
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                section = name;
            }
            let value = key_of(line)
                .and_then(|key| Some((key, values.get(section)?.get(key)?.clone().into_value().ok()?)))
                .map(|(key, value)| format!("{key} = {}", value.to_string().trim()));
            file.push_str(value.as_deref().unwrap_or(line));
            file.push('\n');
            if line.trim_start_matches('#').trim_start().starts_with("\"my-model\"") {
                for (model, price) in &self.prices {
                    let row = price.serialize(toml_edit::ser::ValueSerializer::new())?;
                    let key = toml_edit::Key::new(model.as_str());
                    file.push_str(&format!("{key} = {row}\n"));
                }
            }
        }
        Ok(file)
    }

    /// Returns the configuration with the critics' endpoint in place of the actor's.
    pub fn for_critic(&self) -> Self {
        let mut config = self.clone();
        let CriticConfig { base_url, key_env, body, confirmed, .. } = &self.critic;
        config.model.base_url = base_url.clone().unwrap_or(config.model.base_url);
        config.model.key_env = key_env.clone().unwrap_or(config.model.key_env);
        config.model.body = body.clone().unwrap_or(config.model.body);
        config.model.confirmed.clone_from(confirmed);
        config
    }
}

/// Returns the key that a line of [`DEFAULT_FILE`] sets, commented out or not. Prose has no `=` after its first word.
fn key_of(line: &str) -> Option<&str> {
    let (key, _) = line.strip_prefix("# ").unwrap_or(line).split_once(" = ")?;
    key.chars().all(|c| c.is_ascii_lowercase() || c == '_').then_some(key)
}

/// Returns the user's configuration file, if it exists: `ltlcrit/config.toml` in `$XDG_CONFIG_HOME` or `~/.config`.
pub fn user_file() -> Option<PathBuf> {
    let directory = |variable| std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute());
    let configuration = directory("XDG_CONFIG_HOME").or_else(|| Some(directory("HOME")?.join(".config")))?;
    Some(configuration.join("ltlcrit/config.toml")).filter(|path| path.exists())
}

/// Returns the project's configuration file: the named one, or [`FILE_NAME`] if it exists.
pub fn project_file(named: Option<&Path>) -> Option<&Path> {
    named.or_else(|| Some(Path::new(FILE_NAME)).filter(|path| path.exists()))
}

/// Advice on a key or a value that is wrong.
const KEYS_HELP: &str = "`ltlcrit config show --defaults` documents every key and its form";

/// A configuration file.
struct File {
    path: PathBuf,
    text: String,
    values: figment::value::Dict,
}

impl File {
    /// Reads a file and checks all its keys, so that errors have a line and a column.
    fn read(path: &Path) -> Result<Self, UserError> {
        let text = ltlcrit_files::read_text(path, MAX_BYTES).map_err(|error| {
            UserError::new(format!("the configuration file cannot be read: {error}"))
                .at(path.display().to_string())
                .help("`ltlcrit config show --defaults` prints a file to start from")
        })?;
        let values = parse(&text).map_err(|error| wrong_toml(&error, &text, &path.display().to_string()))?;
        Ok(Self { path: path.to_owned(), text, values })
    }

    /// Returns whether the file sets a key.
    fn has(&self, key: &[&str]) -> bool {
        let document = toml_edit::Document::parse(self.text.as_str()).ok();
        let root = document.as_ref().map(|document| document.as_item());
        root.is_some_and(|root| key.iter().try_fold(root, |item, key| item.get(key)).is_some())
    }

    /// Returns the place of a key's value, as exact as possible: `ltlcrit.toml:3:12`.
    fn place(&self, key: &[&str]) -> String {
        user_error::place_of(key, &self.text, &self.path.display().to_string())
    }
}

/// Converts the first error of a configuration file.
fn wrong_toml(error: &toml_edit::de::Error, text: &str, name: &str) -> UserError {
    UserError::of_toml("the configuration", error, text, name).or_help(KEYS_HELP)
}

fn parse(text: &str) -> Result<figment::value::Dict, toml_edit::de::Error> {
    toml_edit::de::from_str::<Config>(text)?;
    toml_edit::de::from_str(text)
}

/// Converts an error of the merge. Files are checked earlier and flags are typed, so only the environment can be wrong.
fn environment_error(error: &figment::Error) -> UserError {
    let variable = |path: &[String]| format!("{ENV_PREFIX}{}", path.join("__").to_uppercase());
    match &error.kind {
        Kind::UnknownField(name, known) => {
            let mut path = error.path.clone();
            if path.last() != Some(name) {
                path.push(name.clone());
            }
            let wrong = UserError::new(format!("`{}` sets nothing: no such key", variable(&path)));
            let parent = &path[..path.len() - 1];
            match nearest_name(name, known.iter().copied()) {
                Some(near) => {
                    let near = [parent, &[near.to_owned()]].concat();
                    wrong.help(format!("did you mean `{}`?", variable(&near)))
                }
                None => wrong.help(format!("the keys there are: {}", known.join(", "))),
            }
        }
        Kind::UnknownVariant(name, known) => {
            let message = format!("the environment variable `{}` cannot be `{name}`", variable(&error.path));
            UserError::new(message).help(match nearest_name(name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("it is one of: {}", known.join(", ")),
            })
        }
        kind => {
            let what = user_error::plain(&kind.to_string());
            UserError::new(format!("the environment variable `{}`: {what}", variable(&error.path))).help(KEYS_HELP)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_file_is_the_defaults() {
        let parsed: Config = toml_edit::de::from_str(DEFAULT_FILE).unwrap();
        assert_eq!(parsed, Config::default());
    }

    /// The file lists every key, set or commented out. With the optional keys uncommented it is valid, and no key is
    /// unset.
    #[test]
    fn the_default_file_documents_every_key() {
        let uncommented: String = DEFAULT_FILE
            .lines()
            .map(|line| match line.strip_prefix("# ") {
                Some(rest) if key_of(line).is_some() => format!("{rest}\n"),
                _ => format!("{line}\n"),
            })
            .collect();
        let full: Config = toml_edit::de::from_str(&uncommented).unwrap();
        assert!(full.caps.requests_per_minute.is_some());
        assert!(full.caps.requests.is_some() && full.caps.tokens.is_some() && full.caps.cost.is_some());
        let mut keys = Vec::new();
        for (section, table) in serde_json::to_value(&full).unwrap().as_object().unwrap() {
            keys.extend(table.as_object().unwrap().keys().map(|key| format!("{section}.{key}")));
        }
        let mut written = Vec::new();
        for (section, table) in toml_edit::de::from_str::<serde_json::Value>(&uncommented).unwrap().as_object().unwrap()
        {
            written.extend(table.as_object().unwrap().keys().map(|key| format!("{section}.{key}")));
        }
        keys.sort();
        written.sort();
        assert_eq!(keys, written);
    }

    #[test]
    fn the_commented_file_says_what_is_in_force() {
        assert_eq!(Config::default().to_commented_file().unwrap(), DEFAULT_FILE);
        let mut config = Config::default();
        config.run.laws = Some(vec!["a".to_owned(), "b".to_owned()]);
        config.caps.cost = Some(2.5);
        config.model.body.insert("chat_template_kwargs".to_owned(), serde_json::json!({"enable_thinking": false}));
        config.critic.body = Some([("seed".to_owned(), 7.into())].into_iter().collect());
        config.prices.insert("gpt-9".to_owned(), PriceConfig { input: 1.0, cached_input: None, output: 2.5 });
        let again: Config = toml_edit::de::from_str(&config.to_commented_file().unwrap()).unwrap();
        assert_eq!(again, config);
    }

    fn error_of(text: &str) -> String {
        let error = wrong_toml(&parse(text).unwrap_err(), text, "ltlcrit.toml");
        let lines = [Some(error.message), error.place, Some(error.details.join("\n")), error.help];
        lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
    }

    #[test]
    fn errors_have_a_place_and_say_what_would_be_right() {
        let cases = [
            "[run]\nsede = 7\n",
            "[rnu]\nseed = 7\n",
            "[run]\nseed = \"seven\"\n",
            "[run]\nseed = -7\n",
            "[run]\nactor = \"inner-monolog\"\n",
            "[run]\nlaws = \"minecraft-hard\"\n",
            "[run\nseed = 7\n",
            "[store]\npath = 3\n",
            "[critic]\nanswer_token = 100\n",
        ];
        let shown: Vec<String> = cases.iter().map(|text| format!("{text}---\n{}", error_of(text))).collect();
        insta::assert_snapshot!(shown.join("\n\n"));
    }

    /// Loads the configuration of a project's file with flags on top. The user has set nothing.
    fn with_project(text: &str, flags: &serde_json::Value) -> Result<Config, UserError> {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("ltlcrit.toml");
        std::fs::write(&path, text).unwrap();
        Config::merge(None, Some(&path), Env::raw().only(&[]), flags, &Values::new())
    }

    #[test]
    fn what_is_set_counts_over_everything_and_is_checked() {
        let set = |arguments: &[&str]| read_values(&arguments.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>());
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("ltlcrit.toml");
        std::fs::write(&file, "[actor]\nanswer_tokens = 100\n[model.body]\nseed = 3\ntop_p = 0.5\n").unwrap();
        let values = ["model.body.top_p=1", "actor.offer=allowed", "run.laws=[\"a\"]", "run.steps=9", "run.steps = 8"];
        let values = set(&values).unwrap();
        let flags = serde_json::json!({"run.steps": 7, "run.seed": 2});
        let config = Config::merge(None, Some(&file), Env::raw().only(&[]), &flags, &values).unwrap();
        assert_eq!((config.run.steps, config.run.seed, config.actor.answer_tokens), (8, 2, 100));
        assert_eq!((config.actor.offer, config.run.laws), (Offer::Allowed, Some(vec!["a".to_owned()])));
        assert_eq!(serde_json::json!(config.model.body), serde_json::json!({"seed": 3, "top_p": 1}));

        for (argument, told) in [
            ("run.steps", "write KEY=VALUE"),
            ("run.step=3", "did you mean `steps`?"),
            ("run.steps=many", "expected a whole number"),
            ("actor.offer=some", "unknown value `some`"),
        ] {
            let error = set(&[argument]).unwrap_err();
            let text = format!("{} {}", error.message, error.help.unwrap_or_default());
            assert!(text.contains(told), "{text}");
        }
    }

    #[test]
    fn the_critics_endpoint_is_the_models_unless_it_is_set() {
        let none = serde_json::json!({});
        let config =
            with_project("", &serde_json::json!({"model.base_url": "http://a/v1", "model.key_env": "A"})).unwrap();
        let critic = config.for_critic().model;
        assert_eq!((critic.base_url.as_str(), critic.key_env.as_str()), ("http://a/v1", "A"));
        assert_eq!(critic.unconfirmed(), Default::default(), "one flag confirms both");

        let flags = serde_json::json!({"critic.base_url": "http://b/v1", "critic.key_env": "B"});
        let config = with_project("[model]\nbase_url = \"http://evil/v1\"\nkey_env = \"AWS\"\n", &flags).unwrap();
        let critic = config.for_critic().model;
        assert_eq!((critic.base_url.as_str(), critic.key_env.as_str()), ("http://b/v1", "B"));
        assert_eq!(critic.unconfirmed(), Default::default());
        assert!(config.model.unconfirmed().base_url && config.model.unconfirmed().key_variable);

        for section in ["model", "critic"] {
            let file = format!("[{section}]\nbase_url = \"http://evil/v1\"\nkey_env = \"AWS\"\n");
            let critic = with_project(&file, &none).unwrap().for_critic().model;
            assert!(critic.unconfirmed().base_url && critic.unconfirmed().key_variable, "{section}");
            let refusal = critic.refusal("http://evil/v1", "AWS");
            assert!(refusal.place.as_ref().unwrap().ends_with("ltlcrit.toml:2:12"), "{refusal:?}");
            let help = refusal.help.unwrap();
            assert!(help.contains("--critic-base-url http://evil/v1 --critic-key-env AWS"), "{help}");
            let flags = serde_json::json!({"model.base_url": "http://evil/v1", "model.key_env": "AWS"});
            let critic = with_project(&file, &flags).unwrap().for_critic().model;
            assert_eq!(
                critic.unconfirmed(),
                Default::default(),
                "{section}: the user named this very endpoint and key"
            );
        }
    }

    #[test]
    fn a_context_too_small_for_the_critic_is_refused() {
        let error = with_project("[critic]\ncontext_tokens = 10000\n", &serde_json::json!({})).unwrap_err();
        assert!(error.message.starts_with("a prompt of 1808 tokens is too short for the critic"), "{error}");
        let tokens = "[critic]\ncontext_tokens = 10000\nanswer_tokens = 2000\n";
        let options = with_project(tokens, &serde_json::json!({})).unwrap().critic.options().unwrap();
        assert_eq!((options.prompt.tokens(), options.answer_tokens), (8_000, 2_000));
    }
}
