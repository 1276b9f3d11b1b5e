//! Checks of the Minecraft server: whether it answers, and whether it admits the player.

use std::time::Duration;

use ltlcrit_client::{Account, CLIENT_VERSION, JoinError, LoginResult, Status, check_login, status};
use ltlcrit_engine::config::Config;
use ltlcrit_server::ServerOptions;

use super::finding::{Finding, Health};
use crate::cli::output::{CliError, runtime};
use crate::exit::ExitCode;
use crate::world;

/// The timeout of a check, shorter than that of a run.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Findings about the server of a configuration.
pub fn findings(config: &Config) -> Vec<Finding> {
    let account = match world::account(config) {
        Ok(account) => account,
        Err(error) => return vec![Finding::problem("account", &error.into())],
    };
    let Some(address) = &config.server.address else {
        let bind = ServerOptions::default().bind.ip();
        return vec![match std::net::TcpListener::bind((bind, 0)) {
            Ok(_) => Finding::ok("server", format!("one of our own, Minecraft {CLIENT_VERSION}, on {bind}")),
            Err(error) => Finding::problem("server", &wrong(format!("no server can listen on {bind}: {error}"))),
        }];
    };
    let runtime = match runtime("no server can be asked") {
        Ok(runtime) => runtime,
        Err(error) => return vec![Finding::problem("server", &error)],
    };
    runtime.block_on(async {
        let seen = status(address, TIMEOUT).await;
        let mut findings = vec![described(address, &seen)];
        // A server of another version would not understand the login.
        if seen.is_ok_and(|status| status.check(address).is_ok()) {
            findings.push(admission(address, &account, check_login(address, &account, TIMEOUT).await));
        }
        findings
    })
}

fn wrong(message: impl Into<String>) -> CliError {
    CliError::new(ExitCode::World, message)
}

fn described(address: &str, seen: &Result<Status, JoinError>) -> Finding {
    match seen {
        Ok(status) => match status.check(address) {
            Ok(()) => {
                let Status { players, most_players, .. } = status;
                let version = status.shown_version();
                Finding::ok("server", format!("{address}: Minecraft {version}, {players} of {most_players} players"))
            }
            Err(error) => Finding::problem("server", &wrong(error.to_string())),
        },
        Err(error @ JoinError::Unreachable { .. }) => Finding::problem(
            "server",
            &wrong(error.to_string())
                .help("start the server, or look at `server-port` and `server-ip` in its server.properties"),
        ),
        Err(error) => Finding::problem("server", &wrong(error.to_string())),
    }
}

fn admission(address: &str, account: &Account, received: Result<LoginResult, JoinError>) -> Finding {
    let problem = |message: String, help: &str| Finding::problem("admission", &wrong(message).help(help));
    match received {
        Ok(LoginResult::Accepted) => Finding::ok("admission", format!("{address} lets {account} in")),
        Ok(LoginResult::Authenticate) if account.is_offline() => problem(
            format!("{address} is in online mode: it lets in nobody without a Microsoft account"),
            "join with `--account microsoft:EMAIL`, or set `online-mode=false` in its server.properties; \
             then let nobody reach it from outside",
        ),
        Ok(LoginResult::Authenticate) => {
            Finding::ok("admission", format!("{address} is in online mode and asks {account} for its session"))
        }
        Ok(LoginResult::Refused { reason }) => {
            let lower = reason.to_lowercase();
            let help = if lower.contains("white") {
                on_the_server("whitelist add", account)
            } else if lower.contains("full") {
                "raise `max-players` in its server.properties, or try later".to_owned()
            } else if lower.contains("ban") {
                on_the_server("pardon", account)
            } else {
                "the reason is the server's own; its log says more".to_owned()
            };
            problem(format!("{address} refuses {account}: {reason}"), &help)
        }
        Err(error) => Finding { what: "admission", health: Health::Problem, message: error.to_string() },
    }
}

/// A command about a player that the server's operator can give.
fn on_the_server(command: &str, account: &Account) -> String {
    match account {
        Account::Offline { name } => format!("on the server: `/{command} {name}`"),
        Account::Microsoft { .. } => format!("on the server: `/{command} NAME`, with the name of the account"),
    }
}

#[cfg(test)]
mod tests {
    use ltlcrit_client::CLIENT_PROTOCOL;

    use super::*;

    /// Servers behind a proxy call themselves by dozens of versions.
    #[test]
    fn a_long_name_for_a_version_is_cut() {
        for protocol in [CLIENT_PROTOCOL, 1] {
            let version = "Proxy 1.7, ".repeat(90);
            let status = Status {
                version,
                protocol,
                players: 1,
                most_players: 20,
                description: String::new(),
                names: Vec::new(),
            };
            let message = described("localhost:1", &Ok(status)).message;
            assert!(message.contains("Minecraft Proxy 1.7, ") && message.contains('…'), "{message}");
            assert_eq!(message.matches("Proxy").count(), 6, "{message}");
        }
    }
}
