//! The model of a [`ModelSpec`], recorded on request.

use ltlcrit_model::cassette::{Cassette, CassetteError, Recorder, Recording};
use ltlcrit_model::openai::{OpenAi, OpenAiError, OpenAiOptions, Recipient};
use ltlcrit_model::{ChatModel, ChatReply, ChatRequest, Door, ModelError, ModelInfo, Price, PriceTable, Waits};
use thiserror::Error;

use super::ModelSpec;
use crate::actor::simulated::{PersonaSource, Simulated};
use crate::user_error::UserError;

/// Options of a model that its [`ModelSpec`] does not hold.
#[derive(Clone, Debug)]
pub struct ModelOptions {
    /// The seed of personas.
    pub seed: u64,
    /// The persona of plain `simulated`: the actor's.
    pub persona: PersonaSource,
    /// The options of an endpoint.
    pub openai: OpenAiOptions,
    /// The cassette that records every exchange.
    pub record: Option<Recording>,
    /// The prices of tokens.
    pub prices: PriceTable,
}

impl Default for ModelOptions {
    fn default() -> Self {
        Self {
            seed: 0,
            persona: PersonaSource::Shipped("inner-monologue"),
            openai: OpenAiOptions::default(),
            record: None,
            prices: PriceTable::shipped().unwrap_or_default(),
        }
    }
}

/// The reason why a model cannot be set up.
#[derive(Debug, Error)]
pub enum OpenError {
    /// A bad base URL, or a key that is missing, malformed or not confirmed.
    #[error(transparent)]
    OpenAi(#[from] OpenAiError),
    /// A cassette that cannot be read or written.
    #[error(transparent)]
    Cassette(#[from] CassetteError),
    /// A persona that cannot be read.
    #[error(transparent)]
    Persona(#[from] UserError),
}

/// The model behind a [`ModelSpec`].
#[derive(Debug)]
pub enum AnyModel {
    /// An OpenAI-compatible endpoint.
    OpenAi(Box<OpenAi>),
    /// Recorded answers.
    Cassette(Cassette),
    /// A persona.
    Simulated(Simulated),
    /// No model: a planner or a plan chooses the actions.
    Planner(ModelSpec),
    /// Any of them, recorded.
    Recorded(Box<Recorder<AnyModel>>),
}

impl AnyModel {
    /// Sets up the model of a specification. Sends nothing yet.
    ///
    /// # Errors
    /// The base URL is bad, the key is missing or unconfirmed, or the persona or the cassette cannot be read or
    /// written.
    pub fn open(spec: &ModelSpec, options: &ModelOptions) -> Result<Self, OpenError> {
        let model = match spec {
            ModelSpec::Simulated(persona) => {
                Self::Simulated(Simulated::open(persona.as_ref().unwrap_or(&options.persona), options.seed)?)
            }
            ModelSpec::OpenAi(name) => Self::OpenAi(Box::new(OpenAi::from_environment(name, options.openai.clone())?)),
            ModelSpec::Cassette(path) => Self::Cassette(Cassette::open(path)?),
            ModelSpec::Planner(_) | ModelSpec::Plan(_) => Self::Planner(spec.clone()),
        };
        Ok(match &options.record {
            Some(Recording { path, anew }) => {
                let recorder = if *anew { Recorder::anew(model, path) } else { Recorder::open(model, path) };
                Self::Recorded(Box::new(recorder?))
            }
            None => model,
        })
    }

    /// Returns the endpoint that answers, recorded or not; `None` if requests stay in this process.
    fn endpoint(&self) -> Option<&OpenAi> {
        match self {
            Self::OpenAi(model) => Some(model),
            Self::Recorded(recorder) => recorder.model().endpoint(),
            Self::Cassette(_) | Self::Simulated(_) | Self::Planner(_) => None,
        }
    }

    /// Returns the endpoint of the requests and the key variable, or `None` if requests stay in this process.
    pub fn recipient(&self) -> Option<Recipient> {
        self.endpoint().map(OpenAi::recipient)
    }

    /// Returns the form in which answers are requested, or `None` if no endpoint is used.
    pub fn form(&self) -> Option<&'static str> {
        self.endpoint().map(OpenAi::form)
    }

    /// Returns the price of tokens, or `None` if it is unknown. Personas, cassettes and planners are free.
    pub fn price(&self, prices: &PriceTable) -> Option<Price> {
        self.endpoint().map_or(Some(Price::FREE), |model| prices.price(model.model_name()))
    }
}

impl ChatModel for AnyModel {
    fn info(&self) -> ModelInfo {
        match self {
            Self::OpenAi(model) => model.info(),
            Self::Cassette(model) => model.info(),
            Self::Simulated(model) => model.info(),
            Self::Planner(spec) => ModelInfo::real(spec.to_string()),
            Self::Recorded(model) => model.info(),
        }
    }

    async fn ask(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        match self {
            Self::OpenAi(model) => model.ask(request).await,
            Self::Cassette(model) => model.ask(request).await,
            Self::Simulated(model) => model.ask(request).await,
            Self::Planner(_) => {
                let why = "a planner answers no questions; name a model".to_owned();
                Err(ModelError::Unavailable { model: self.info().name, why })
            }
            Self::Recorded(model) => Box::pin(model.ask(request)).await,
        }
    }

    async fn ask_through(&self, request: &ChatRequest, door: &Door) -> Result<ChatReply, ModelError> {
        match self {
            Self::OpenAi(model) => model.ask_through(request, door).await,
            Self::Cassette(model) => model.ask_through(request, door).await,
            Self::Simulated(model) => model.ask_through(request, door).await,
            Self::Planner(_) => self.ask(request).await,
            Self::Recorded(model) => Box::pin(model.ask_through(request, door)).await,
        }
    }

    fn waits(&self) -> Waits {
        self.endpoint().map(ChatModel::waits).unwrap_or_default()
    }
}
