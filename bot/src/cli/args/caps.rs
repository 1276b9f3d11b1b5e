//! Flags that cap the use of models, the same for every command that asks one.

use ltlcrit_engine::config::CapsConfig;
use serde::Serialize;

use crate::cli::args::actor_flags::{EndpointFlags, MODELS};
use crate::cli::args::numbers;

/// The flags of every command that asks a language model.
#[derive(Clone, Debug, Default, clap::Args, Serialize)]
pub struct LanguageModelFlags {
    #[command(flatten)]
    #[serde(flatten)]
    endpoint: EndpointFlags,
    #[command(flatten)]
    #[serde(flatten)]
    caps: CapFlags,
}

/// Caps as flags; what is not given stays as it was.
#[derive(Clone, Debug, Default, clap::Args, Serialize)]
pub struct CapFlags {
    /// Stop cleanly after this many requests to the model
    #[arg(
        long = "max-requests", value_name = "N", allow_negative_numbers = true, value_parser = numbers::whole::<u64>,
        help_heading = MODELS
    )]
    #[serde(rename = "caps.requests")]
    requests: Option<u64>,
    /// Stop cleanly after this many tokens
    #[arg(
        long = "max-tokens", value_name = "N", allow_negative_numbers = true, value_parser = numbers::whole::<u64>,
        help_heading = MODELS
    )]
    #[serde(rename = "caps.tokens")]
    tokens: Option<u64>,
    /// Stop cleanly after spending this many US dollars
    #[arg(
        long = "max-cost", value_name = "USD", allow_negative_numbers = true, value_parser = numbers::amount,
        help_heading = MODELS
    )]
    #[serde(rename = "caps.cost")]
    cost: Option<f64>,
}

impl CapFlags {
    /// Overrides caps by the flags that were given.
    pub fn apply(&self, caps: &mut CapsConfig) {
        caps.requests = self.requests.or(caps.requests);
        caps.tokens = self.tokens.or(caps.tokens);
        caps.cost = self.cost.or(caps.cost);
    }
}
