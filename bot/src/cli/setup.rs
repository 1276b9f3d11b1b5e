//! From a configuration to the parts of a run: the books, the model, the actor, the world.

use std::io::ErrorKind;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use crate::model::{AnyModel, ModelOptions, OpenError};
use ltlcrit_laws::file::FileError;
use ltlcrit_laws::{Book, BookErrors, shipped_names};
use ltlcrit_model::cassette::{CassetteError, Recording};
use ltlcrit_model::openai::OpenAiError;
use ltlcrit_model::{Caps, ChatModel as _, Ledger, Metered, NanoUsd, PriceTable};
use ltlcrit_store::BookRecord;
use ltlcrit_verifier::Vocabulary;
use ltlcrit_verifier::law::Law;

use super::CliError;
use super::terminal::foreign;
use crate::actor::PromptedActor;
use crate::books::{self, SHIPPED, laws_together};
use crate::config::{Config, PriceConfig, WorldKind};
use crate::exit::ExitCode;

/// An actor that asks a metered model.
pub type RunActor = PromptedActor<Rc<Metered<AnyModel>>>;

/// The model behind the actor of a configuration, with caps and prices, counting on from what was used before.
///
/// # Errors
/// A model that cannot be set up, or a cap that cannot be kept.
pub fn model(config: &Config, record: Option<Recording>, used: Ledger) -> Result<Rc<Metered<AnyModel>>, CliError> {
    let options = options(config, record)?;
    let model = open(config, &options)?;
    let price = model.price(&options.prices);
    let caps = Caps {
        requests: config.caps.requests,
        tokens: config.caps.tokens,
        money: config.caps.cost.and_then(NanoUsd::from_dollars),
        requests_per_minute: config.caps.requests_per_minute,
    };
    let metered = Metered::new(model, caps, price)
        .map_err(|error| CliError::new(ExitCode::Config, error.to_string()).help(PRICE_HELP))?;
    Ok(Rc::new(metered.with_used(used)))
}

/// Opens the model of a configuration. Nothing is sent yet.
///
/// # Errors
/// A model that cannot be set up, or a key that would go where the user did not send it.
pub fn open(config: &Config, options: &ModelOptions) -> Result<AnyModel, CliError> {
    AnyModel::open(&config.run.model, options).map_err(|error| match error {
        OpenError::OpenAi(OpenAiError::Unconfirmed { url, variable }) => config.model.refusal(&url, &variable),
        error => model_error(error),
    })
}

/// Which model is asked, where and with which key; `None` where every question stays in this process.
pub fn asked(model: &Metered<AnyModel>) -> Option<String> {
    let recipient = model.model().recipient()?;
    Some(foreign(&format!("{} at {recipient}", model.info())))
}

const PRICE_HELP: &str = "in ltlcrit.toml:\n[prices]\n\"my-model\" = { input = 2.0, output = 8.0 }";

/// What [`AnyModel::open`] needs to know of a configuration.
///
/// # Errors
/// Prices out of range.
pub fn options(config: &Config, record: Option<Recording>) -> Result<ModelOptions, CliError> {
    Ok(ModelOptions {
        seed: config.run.seed,
        persona: config.run.actor.persona(),
        base_url: Some(config.model.base_url.clone()),
        key_variable: Some(config.model.key_env.clone()),
        unconfirmed: config.model.unconfirmed(),
        timeout: Duration::from_secs(config.model.timeout),
        retries: config.model.retries,
        record,
        prices: prices(&config.prices)?,
    })
}

fn prices(own: &std::collections::BTreeMap<String, PriceConfig>) -> Result<PriceTable, CliError> {
    let wrong =
        |error: &dyn std::fmt::Display| CliError::new(ExitCode::Config, format!("the prices are wrong: {error}"));
    let text = toml_edit::ser::to_string(own).map_err(|error| wrong(&error))?;
    let own = PriceTable::parse(&text, "[prices]").map_err(|error| wrong(&error))?;
    Ok(PriceTable::shipped().map_err(|error| wrong(&error))?.overridden_by(own))
}

const CASSETTE_HELP: &str = "cassettes are made with `--record FILE`, in a directory that is there";

/// An error of [`AnyModel::open`]: wrong recordings are bad input, everything else is about the model.
fn model_error(error: OpenError) -> CliError {
    let code = match error {
        OpenError::Cassette(_) => ExitCode::Input,
        OpenError::OpenAi(_) => ExitCode::Model,
    };
    let shown = CliError::new(code, error.to_string());
    match error {
        OpenError::Cassette(CassetteError::File { source: FileError::Missing, .. }) => shown.help(CASSETTE_HELP),
        OpenError::Cassette(CassetteError::Io { source, .. }) if source.kind() == ErrorKind::NotFound => {
            shown.help(CASSETTE_HELP)
        }
        _ => shown,
    }
}

/// The actor of a configuration.
pub fn actor(config: &Config, model: Rc<Metered<AnyModel>>) -> RunActor {
    PromptedActor::new(config.run.actor, model)
}

/// The books in force, as the manifest keeps them, and their laws.
pub struct Books {
    /// The books.
    pub books: Vec<Book>,
    /// The same as the manifest keeps them.
    pub records: Vec<BookRecord>,
    /// Their adopted laws, in order.
    pub laws: Vec<Law>,
}

/// Opens books by name or path and checks them against the world's vocabulary.
///
/// # Errors
/// Everything that is wrong with the first book that is wrong.
pub fn books(names: &[String], vocabulary: &Arc<Vocabulary>) -> Result<Books, CliError> {
    let mut records = Vec::new();
    let mut books: Vec<Book> = Vec::new();
    for name in names {
        let book = book(name, vocabulary)?;
        if books.iter().any(|other| other.name() == book.name()) {
            return Err(CliError::input(format!("a book named `{}` is in force twice", book.name()))
                .help("give each book once, and books of your own names of their own"));
        }
        let shipped = shipped_names().any(|shipped| shipped == name);
        records.push(books::record(&book, if shipped { SHIPPED } else { name }));
        books.push(book);
    }
    let laws = laws_together(&books);
    Ok(Books { books, records, laws })
}

/// Opens one book and checks it against the world's vocabulary.
///
/// # Errors
/// Everything that is wrong with it.
pub fn book(name: &str, vocabulary: &Arc<Vocabulary>) -> Result<Book, CliError> {
    let known = [vocabulary.clone()];
    let (book, own) = ltlcrit_laws::open(name, &known).map_err(|errors| {
        CliError::input(format!("the law book `{name}` cannot be used"))
            .detail(errors.to_string())
            .help(book_help(name, &errors))
    })?;
    if own.name() != vocabulary.name() {
        return Err(CliError::input(format!(
            "the law book `{name}` is over the vocabulary `{}`, this world has `{}`",
            own.name(),
            vocabulary.name()
        )));
    }
    Ok(book)
}

/// What to do about a book that cannot be read: one that is not there at all needs another name, any other a closer look.
pub fn book_help(name: &str, errors: &BookErrors) -> String {
    if errors.problems.iter().any(|problem| problem.place.is_none()) {
        let shipped: Vec<&str> = shipped_names().collect();
        format!("give a path, or a shipped book: {}", shipped.join(", "))
    } else {
        format!("`ltlcrit laws check {name}` looks at all of it")
    }
}

/// The vocabulary of a configuration's world.
pub fn vocabulary(config: &Config) -> Arc<Vocabulary> {
    match config.run.world {
        WorldKind::Server | WorldKind::Embedded => ltlcrit_minecraft::vocabulary(),
    }
}
