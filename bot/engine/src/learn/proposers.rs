//! The critics of a configuration, set up.

use std::sync::Arc;

use ltlcrit_critic::admission::Staging;
use ltlcrit_critic::critique::CritiqueOptions;
use ltlcrit_critic::graph::ClassOptions;
use ltlcrit_critic::propose::{ModelCritic, Proposer, TrialCritic};
use ltlcrit_model::cassette::Recording;
use ltlcrit_model::{Meter, Metered};

use super::critics::CriticSpec;
use crate::config::{Config, LearnConfig};
use crate::model::AnyModel;
use crate::setup::{self, SetupError};

/// The critics of a configuration.
pub struct Critics {
    /// All of them, in the configuration's order.
    pub proposers: Vec<Box<dyn Proposer>>,
    /// The models of the critics that ask one.
    pub models: Vec<Arc<Metered<AnyModel>>>,
}

impl Critics {
    /// Sets up the critics of a configuration. `record` gives the recording of a model
    /// by its number among those of critics, from 1.
    ///
    /// # Errors
    /// A model that cannot be set up.
    pub fn new(
        config: &Config,
        record: impl Fn(usize) -> Option<Recording>,
        meter: &Arc<Meter>,
    ) -> Result<Self, SetupError> {
        let mut critics = Self { proposers: Vec::new(), models: Vec::new() };
        for spec in &config.learn.critics {
            critics.proposers.push(match spec {
                CriticSpec::Trials => Box::new(TrialCritic::default()),
                CriticSpec::Model(model) => {
                    let mut config = config.for_critic();
                    config.run.model.clone_from(model);
                    let recording = record(critics.models.len() + 1);
                    let model = setup::model(&config, recording, meter)?;
                    critics.models.push(model.clone());
                    Box::new(ModelCritic::with_options(model, config.critic.options()?))
                }
            });
        }
        Ok(critics)
    }
}

/// The options of the critic in a configuration.
pub fn critique_options(config: &LearnConfig) -> CritiqueOptions {
    CritiqueOptions {
        staging: if config.review { Staging::Propose } else { Staging::Adopt },
        classes: ClassOptions { margin: config.margin },
        objective: config.objective,
        derive: config.derive.then_some(config.significance),
        ..CritiqueOptions::default()
    }
}
