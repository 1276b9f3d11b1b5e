//! Sets up the parts of a run from a configuration: the books, the model, the actor.

use std::sync::Arc;
use std::time::Duration;

use ltlcrit_critic::propose::model_critic::BudgetTooSmall;
use ltlcrit_laws::{Book, BookErrors, Diagnostic, JointVocabularyError, Reading, joint_vocabulary};
use ltlcrit_model::cassette::Recording;
use ltlcrit_model::openai::{OpenAiError, OpenAiOptions};
use ltlcrit_model::{Caps, ChatModel as _, Meter, Metered, NanoUsd, PriceTable, UnknownPrice};
use ltlcrit_store::{BookRecord, Limits};
use ltlcrit_verifier::Vocabulary;
use ltlcrit_verifier::law::Law;
use thiserror::Error;

use crate::actor::simulated::PersonaSource;
use crate::actor::{Actor, FollowingActor, PlannedActor, PromptedActor};
use crate::agent::{RunFacts, program};
use crate::books::named::{self, is_shipped};
use crate::books::{SHIPPED, fields, laws_together, over_world};
use crate::config::{Config, PriceConfig};
use crate::exam::ExamActor;
use crate::model::{AnyModel, ModelOptions, ModelSpec, OpenError};
use crate::user_error::UserError;
use crate::world::{self, OpenWorldError};

/// The reason why a part of a run cannot be set up.
#[derive(Debug, Error)]
pub enum SetupError {
    /// The configuration cannot be followed: prices out of range, a key for an endpoint that is not confirmed.
    #[error(transparent)]
    Config(#[from] UserError),
    /// Something that the configuration names cannot be used.
    #[error(transparent)]
    Input(UserError),
    /// A context that is too small for a critic.
    #[error(transparent)]
    Context(#[from] BudgetTooSmall),
    /// A cap on costs for a model without a price.
    #[error(transparent)]
    UnknownPrice(#[from] UnknownPrice),
    /// A model that cannot be opened.
    #[error(transparent)]
    Model(#[from] OpenError),
    /// A book that does not load.
    #[error("the law book `{name}` cannot be used")]
    Book {
        /// Its name or path.
        name: String,
        /// Its errors.
        errors: BookErrors,
    },
    /// Books that cannot be in force together.
    #[error(transparent)]
    Together(#[from] JointVocabularyError),
    /// A world that its planner cannot read.
    #[error(transparent)]
    World(#[from] OpenWorldError),
    /// A configuration that cannot be stored.
    #[error("the configuration cannot be stored")]
    Values(#[source] serde_json::Error),
}

/// Creates a meter with the caps of a configuration, for all models that count together.
pub fn meter(config: &Config) -> Arc<Meter> {
    Meter::new(caps(config))
}

/// Sets up the model of a configuration's actor, with its price.
///
/// # Errors
/// The model cannot be set up, or a cap cannot be enforced.
pub fn model(
    config: &Config,
    record: Option<Recording>,
    meter: &Arc<Meter>,
) -> Result<Arc<Metered<AnyModel>>, SetupError> {
    let options = options(config, record)?;
    let model = open(config, &options)?;
    let price = model.price(&options.prices);
    let metered = Metered::new(model, meter, price)?.with_body(config.model.body.clone());
    Ok(Arc::new(metered.with_instructions(config.prompt.instructions.clone())))
}

/// Returns the caps of a configuration.
pub fn caps(config: &Config) -> Caps {
    Caps {
        requests: config.caps.requests,
        tokens: config.caps.tokens,
        money: config.caps.cost.and_then(NanoUsd::from_dollars),
        requests_per_minute: config.caps.requests_per_minute,
    }
}

/// Opens the model of a configuration. Sends nothing yet.
///
/// # Errors
/// The model cannot be opened, or a key would go to an endpoint that is not confirmed.
pub fn open(config: &Config, options: &ModelOptions) -> Result<AnyModel, SetupError> {
    AnyModel::open(&config.run.model, options).map_err(|error| match error {
        OpenError::OpenAi(OpenAiError::Unconfirmed { url, variable }) => config.model.refusal(&url, &variable).into(),
        error => error.into(),
    })
}

/// Describes the model with its endpoint and key variable; `None` if all requests stay in this process.
pub fn asked(model: &Metered<AnyModel>) -> Option<String> {
    let recipient = model.model().recipient()?;
    Some(format!("{} at {recipient}", model.info()))
}

/// Returns the options of [`AnyModel::open`] in a configuration.
///
/// # Errors
/// Prices are out of range.
pub fn options(config: &Config, record: Option<Recording>) -> Result<ModelOptions, SetupError> {
    Ok(ModelOptions {
        seed: config.run.seed,
        persona: PersonaSource::of_actor(config.run.actor),
        openai: OpenAiOptions {
            base_url: config.model.base_url.clone(),
            key_variable: config.model.key_env.clone(),
            unconfirmed: config.model.unconfirmed(),
            timeout: Duration::from_secs(config.model.timeout),
            retries: config.model.retries,
            seed: config.run.seed,
            ..OpenAiOptions::default()
        },
        record,
        prices: prices(&config.prices)?,
    })
}

fn prices(own: &std::collections::BTreeMap<String, PriceConfig>) -> Result<PriceTable, SetupError> {
    let wrong = |error: &dyn std::fmt::Display| UserError::new(format!("the prices are wrong: {error}"));
    let text = toml_edit::ser::to_string(own).map_err(|error| wrong(&error))?;
    let own = PriceTable::parse(&text, "[prices]").map_err(|error| wrong(&error))?;
    Ok(PriceTable::shipped().map_err(|error| wrong(&error))?.overridden_by(own))
}

/// Sets up the actor of a configuration.
///
/// # Errors
/// The actor needs a planner, and the world has none.
pub fn actor(config: &Config, model: Arc<Metered<AnyModel>>) -> Result<Box<dyn Actor>, SetupError> {
    let asks_once = config.run.exam.filter(|exam| exam.asks_once() && !config.run.model.is_no_model());
    if let Some(exam) = asks_once {
        if matches!(config.run.model, ModelSpec::Simulated(_)) {
            let exam = exam.name();
            let message =
                format!("a simulated model answers no examination in `{exam}`; name a model, or examine it in `steps`");
            return Err(UserError::new(message).into());
        }
        let task = world::task(&config.run.world)?;
        let told = if config.prompt.dangers { task.metadata.told_dangers() } else { Vec::new() };
        return Ok(Box::new(ExamActor::new(exam, Arc::new(task), told, model, config.actor.answer_tokens)));
    }
    Ok(match &config.run.model {
        ModelSpec::Planner(strategy) => {
            let planned = PlannedActor::new(world::planner(config, *strategy)?, *strategy, config.run.seed);
            Box::new(if config.run.exam.is_some() { planned.remembering() } else { planned })
        }
        ModelSpec::Plan(path) => Box::new(FollowingActor::read(path).map_err(SetupError::Input)?),
        _ => {
            let actor = PromptedActor::new(config.run.actor, model, config.prompts());
            // Laws that are only watched are no part of what the actor sees.
            let is_unaware = config.shield.watch_only && config.run.actor.shielded();
            Box::new(match is_unaware {
                true => actor.unaware(world::vocabulary_without_laws(config)?),
                false => actor,
            })
        }
    })
}

/// The books in force, their records and their laws.
pub struct Books {
    /// The books.
    pub books: Vec<Book>,
    /// Their records for the manifest.
    pub records: Vec<BookRecord>,
    /// Their adopted laws, in order.
    pub laws: Vec<Law>,
    /// The world's vocabulary with the derived observations of the books.
    pub vocabulary: Arc<Vocabulary>,
    /// Warnings of derived observations whose names match nothing in the world.
    pub warnings: Vec<Diagnostic>,
}

/// Opens books by name or path and checks them against the world's vocabulary.
///
/// # Errors
/// All problems of the first wrong book, or a proposition that two books derive differently.
pub fn books(names: &[String], vocabulary: &Arc<Vocabulary>) -> Result<Books, SetupError> {
    let mut records = Vec::new();
    let mut books: Vec<Book> = Vec::new();
    let mut warnings = Vec::new();
    for name in names {
        let book = book(name, vocabulary)?;
        warnings.extend(fields::findings(&book));
        if books.iter().any(|other| other.name() == book.name()) {
            let wrong = UserError::new(format!("a book named `{}` is in force twice", book.name()));
            let help = "give each book once, and books of your own names of their own";
            return Err(SetupError::Input(wrong.help(help)));
        }
        records.push(BookRecord::of(&book, if is_shipped(name) { SHIPPED } else { name }));
        books.push(book);
    }
    let (laws, vocabulary) = (laws_together(&books), joint_vocabulary(vocabulary, &books)?);
    Ok(Books { books, records, laws, vocabulary, warnings })
}

/// Opens one book and checks it against the world's vocabulary and observations.
///
/// # Errors
/// All problems of the book.
pub fn book(name: &str, vocabulary: &Arc<Vocabulary>) -> Result<Book, SetupError> {
    let known = [vocabulary.clone()];
    let wrong = |errors| SetupError::Book { name: name.to_owned(), errors };
    let book = named::read(name, &known).and_then(Reading::into_book).map_err(wrong)?;
    if !vocabulary.is_called(book.vocabulary().name()) {
        let (its, ours) = (book.vocabulary().name(), vocabulary.name());
        let message = format!("the law book `{name}` is over the vocabulary `{its}`, this world has `{ours}`");
        return Err(SetupError::Input(UserError::new(message)));
    }
    let book = over_world(book, vocabulary).map_err(wrong)?;
    fields::check(&book).map_err(wrong)?;
    Ok(book)
}

/// Returns the facts of a run of this configuration under these books, with their adopted laws.
///
/// # Errors
/// A value of the configuration cannot be stored.
pub fn facts(
    config: &Config,
    model: &Metered<AnyModel>,
    books: Vec<BookRecord>,
    laws: Vec<Law>,
) -> Result<RunFacts, SetupError> {
    Ok(RunFacts {
        program: program(),
        configuration: values(config)?,
        model: model.info(),
        price: model.price(),
        seed: config.run.seed,
        books,
        laws,
        shielded: config.is_shielded(),
        robust: config.shield.is_robust(),
        fallback: config.shield.fallback,
        limits: limits(config),
    })
}

/// Returns the limits of a configuration.
pub fn limits(config: &Config) -> Limits {
    // The meter enforces caps on tokens, because they apply to all requests.
    Limits {
        max_steps: config.run.steps,
        max_reprompts: config.run.max_reprompts,
        max_stall: config.run.stall,
        offer: config.actor.offer,
        ..Limits::default()
    }
}

/// Returns the configuration for the manifest. It has the name of the key's variable, never the key. `[store]`,
/// `[learn]` and `[critic]` are left out, so that the same run has the same bytes in every store and for every command.
///
/// # Errors
/// A value cannot be written as JSON.
pub fn values(config: &Config) -> Result<serde_json::Value, SetupError> {
    let mut values = serde_json::to_value(config).map_err(SetupError::Values)?;
    if let Some(sections) = values.as_object_mut() {
        sections.remove("store");
        sections.remove("learn");
        sections.remove("critic");
    }
    Ok(values)
}
