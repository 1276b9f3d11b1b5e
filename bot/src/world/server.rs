//! The client of a run, on a given server or on a server of our own on loopback.

use std::path::PathBuf;
use std::time::Duration;

use ltlcrit_client::{Account, AccountError, ClientOptions, ClientWorld, JoinError, Reconnect};
use ltlcrit_engine::agent::Interrupt;
use ltlcrit_engine::config::Config;
use ltlcrit_engine::world::OpenWorldError;
use ltlcrit_server::{Server, ServerOptions};
use serde_json::json;

/// Joins a server, one of our own on loopback if no address is configured.
///
/// # Errors
/// A server that cannot be started or joined.
pub async fn join(
    config: &Config,
    save: Option<PathBuf>,
    interrupt: &Interrupt,
    joining: &dyn Fn(&str, &str),
) -> Result<ClientWorld, OpenWorldError> {
    let account = account(config)?;
    let (own, address) = match &config.server.address {
        Some(address) => (None, address.clone()),
        None => {
            let server = own_server(config, save)?;
            let address = server.address().to_string();
            (Some(server), address)
        }
    };
    joining(&address, &account.to_string());
    let (seed, sight) = (config.run.seed, config.run.sight);
    let options = ClientOptions {
        account,
        view_distance: config.server.view_distance,
        sight,
        seed,
        reconnect: Reconnect { attempts: config.server.reconnects, ..Reconnect::default() },
        speed: config.server.speed(),
        ..ClientOptions::new(address)
    };
    let client = ClientWorld::join(options, interrupt.clone()).await.map_err(|error| match error {
        JoinError::Cancelled => OpenWorldError::Cancelled,
        error => OpenWorldError::Join(error.into()),
    })?;
    let described = json!({ "address": "loopback", "terrain": config.run.terrain, "sight": sight });
    Ok(match own {
        Some(server) => client.hosted_by(server, seed, described),
        None => client,
    })
}

/// The account in a configuration.
///
/// # Errors
/// The text is not an account.
pub fn account(config: &Config) -> Result<Account, OpenWorldError> {
    config.server.account.parse().map_err(|error: AccountError| OpenWorldError::Account(error.into()))
}

fn own_server(config: &Config, save: Option<PathBuf>) -> Result<Server, OpenWorldError> {
    let options = ServerOptions {
        seed: config.run.seed,
        terrain: config.run.terrain,
        view_distance: u32::from(config.server.view_distance),
        ticks_per_second: (20.0 * config.server.speed()).round().max(1.0) as u32,
        patience: Duration::from_secs(30),
        save,
        ..ServerOptions::default()
    };
    Server::start(options).map_err(|error| OpenWorldError::Server(error.into()))
}
