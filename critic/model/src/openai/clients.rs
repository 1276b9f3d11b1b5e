//! One HTTP client per tokio runtime.
//!
//! A client's pooled connections are driven by the runtime that opened them. Requests from another runtime would wait
//! while the first runtime is busy, and fail when it ends.

use std::collections::VecDeque;
use std::sync::Mutex;

use reqwest::Client;
use tokio::runtime::{Handle, Id};

use super::super::locked;
use super::endpoint::Endpoint;

/// Maximum number of runtimes that keep their connections; with more, the oldest ones reconnect.
const MAX_RUNTIMES: usize = 64;

/// The clients of the runtimes that share a model.
#[derive(Debug)]
pub(super) struct Clients {
    local: bool,
    encrypted: bool,
    /// The client of the first runtime.
    first: Client,
    by_runtime: Mutex<VecDeque<(Id, Client)>>,
}

impl Clients {
    /// Creates the clients of an endpoint.
    pub(super) fn new(endpoint: &Endpoint) -> reqwest::Result<Self> {
        let (local, encrypted) = (endpoint.is_local(), endpoint.is_encrypted());
        Ok(Self { local, encrypted, first: client(local, encrypted)?, by_runtime: Mutex::default() })
    }

    /// Returns a client that builds requests and does not send them.
    pub(super) fn unconnected(&self) -> Client {
        self.first.clone()
    }

    /// Returns the client of the current runtime. Panics outside of a runtime, as every request does.
    pub(super) fn current(&self) -> reqwest::Result<Client> {
        let runtime = Handle::current().id();
        let mut by_runtime = locked(&self.by_runtime);
        if let Some((_, client)) = by_runtime.iter().find(|(id, _)| *id == runtime) {
            return Ok(client.clone());
        }
        let client = if by_runtime.is_empty() { self.first.clone() } else { client(self.local, self.encrypted)? };
        if by_runtime.len() == MAX_RUNTIMES {
            by_runtime.pop_front();
        }
        by_runtime.push_back((runtime, client.clone()));
        Ok(client)
    }
}

fn client(local: bool, encrypted: bool) -> reqwest::Result<Client> {
    let mut builder = Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .user_agent(concat!("ltlcrit/", env!("CARGO_PKG_VERSION")));
    if local {
        builder = builder.no_proxy();
    }
    if !encrypted {
        // No certificate is checked, so the machine needs no root certificates.
        builder = builder.tls_certs_only([]);
    }
    builder.build()
}
