//! The client of a run, on a given server or on a server of our own on loopback.

use std::sync::Arc;
use std::time::Duration;

use ltlcrit_client::{Account, AccountError, ClientOptions, ClientWorld, JoinError, Operators, Reconnect};
use ltlcrit_engine::agent::Interrupt;
use ltlcrit_engine::config::Config;
use ltlcrit_engine::world::OpenWorldError;
use ltlcrit_server::{Server, ServerOptions};
use ltlcrit_verifier::{ActionId, Vocabulary};
use ltlcrit_worlds::world::{Observation, Outcome, Subgoal, Term, World, WorldError, WorldInfo};
use ltlcrit_worlds::{LiveWorld, Outlook, async_trait};
use serde_json::json;

use super::SaveFile;
use crate::chat::ChatResponder;

/// A client on a server.
pub struct ServerWorld {
    client: ClientWorld,
    chat: ChatResponder,
    /// The server, if it is one of our own. Declared after the client, which is dropped first.
    own: Option<Own>,
}

/// A server of our own.
struct Own {
    seed: u64,
    options: serde_json::Value,
    _server: Server,
}

impl ServerWorld {
    /// Starts a server on loopback if no address is configured, and joins.
    ///
    /// # Errors
    /// A server that cannot be started or joined.
    pub async fn open(
        config: &Config,
        save: SaveFile,
        interrupt: &Interrupt,
        joining: &dyn Fn(&str, &str),
    ) -> Result<Self, OpenWorldError> {
        let account = account(config)?;
        let (own, address) = match &config.server.address {
            Some(address) => (None, address.clone()),
            None => {
                let (own, address) = own_server(config, save)?;
                (Some(own), address)
            }
        };
        joining(&address, &account.to_string());
        let options = ClientOptions {
            account,
            view_distance: config.server.view_distance,
            sight: config.run.sight,
            seed: config.run.seed,
            operators: Operators::new(config.server.operators.iter().cloned()),
            reconnect: Reconnect { attempts: config.server.reconnects, ..Reconnect::default() },
            speed: config.server.speed(),
            ..ClientOptions::new(address)
        };
        let chat = ChatResponder::new(interrupt.clone());
        let client = ClientWorld::join(options, Arc::new(chat.clone())).await.map_err(|error| match error {
            JoinError::Cancelled => OpenWorldError::Cancelled,
            error => OpenWorldError::Join(error.into()),
        })?;
        Ok(Self { client, chat, own })
    }

    /// Answers operators in chat.
    pub fn chat(&self) -> ChatResponder {
        self.chat.clone()
    }
}

/// The account in a configuration.
///
/// # Errors
/// The text is not an account.
pub fn account(config: &Config) -> Result<Account, OpenWorldError> {
    config.server.account.parse().map_err(|error: AccountError| OpenWorldError::Account(error.into()))
}

fn own_server(config: &Config, save: SaveFile) -> Result<(Own, String), OpenWorldError> {
    let seed = config.run.seed;
    let options = ServerOptions {
        seed,
        terrain: config.run.terrain,
        view_distance: u32::from(config.server.view_distance),
        ticks_per_second: (20.0 * config.server.speed()).round().max(1.0) as u32,
        patience: Duration::from_secs(30),
        save,
        ..ServerOptions::default()
    };
    let described = json!({ "address": "loopback", "terrain": config.run.terrain, "sight": config.run.sight });
    let server = Server::start(options).map_err(|error| OpenWorldError::Server(error.into()))?;
    let address = server.address().to_string();
    Ok((Own { seed, options: described, _server: server }, address))
}

#[async_trait(?Send)]
impl World for ServerWorld {
    fn info(&self) -> WorldInfo {
        let info = self.client.info();
        match &self.own {
            // The port differs every time; the seed and the options identify the world.
            Some(own) => WorldInfo { seed: Some(own.seed), options: own.options.clone(), ..info },
            None => info,
        }
    }

    fn vocabulary(&self) -> Arc<Vocabulary> {
        self.client.vocabulary()
    }

    fn task(&self) -> &str {
        self.client.task()
    }

    fn glossary(&self) -> Vec<Term> {
        self.client.glossary()
    }

    async fn observe(&mut self) -> Result<Observation, WorldError> {
        self.client.observe().await
    }

    fn outlook<'a>(&'a self, observation: &'a Observation) -> Box<dyn Outlook + 'a> {
        self.client.outlook(observation)
    }

    async fn execute(&mut self, action: ActionId) -> Result<Outcome, WorldError> {
        self.client.execute(action).await
    }

    fn goal_reached(&self, observation: &Observation) -> bool {
        self.client.goal_reached(observation)
    }

    fn subgoals(&self) -> &[Subgoal] {
        self.client.subgoals()
    }

    fn subgoals_to(&self, goal: &str) -> Result<Vec<Subgoal>, Vec<String>> {
        self.client.subgoals_to(goal)
    }

    fn live(&mut self) -> Option<&mut dyn LiveWorld> {
        self.client.live()
    }
}
