//! A handle to a running server.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use thiserror::Error;
use tokio::sync::{Semaphore, mpsc, oneshot, watch};

use super::connection::{ConnectionContext, MAX_CONNECTIONS};
use super::events::{Inbox, Stop};
use super::options::ServerOptions;
use super::saving::{self, SaveError};
use super::state::GameState;
use super::status::Roster;
use super::{game_loop, listener};

/// The maximum number of events that may wait for the game loop. Beyond it, connections wait.
const EVENTS: usize = 1024;

/// The time limit for sending the last packets when the server stops.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// The reason that a server did not start or end properly.
#[derive(Debug, Error)]
pub enum ServerError {
    /// The server cannot listen at the address.
    #[error("cannot listen at {address}: {error}; another port may be free, and port 0 takes any")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// The system's error.
        error: io::Error,
    },
    /// No thread or runtime is available.
    #[error("cannot start the server: {0}")]
    Start(io::Error),
    /// The world could not be saved or restored.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// There is no such player.
    #[cfg(feature = "test-support")]
    #[error("nobody called {0} is in")]
    NoPlayer(String),
    /// The server's thread has panicked.
    #[error("the server has stopped by itself; this is a fault of its own")]
    Stopped,
}

/// A running server. Dropping it stops it.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    #[cfg(feature = "test-support")]
    pub(super) commands: mpsc::UnboundedSender<super::events::Command>,
    stop: Option<oneshot::Sender<Stop>>,
    thread: Option<JoinHandle<Result<(), ServerError>>>,
}

impl Server {
    /// Starts a server on a thread of its own. It is listening when this returns.
    ///
    /// # Errors
    /// The server cannot listen at the address, the save file cannot be used, or no thread is available.
    pub fn start(options: ServerOptions) -> Result<Self, ServerError> {
        let address = options.bind;
        let bound = |error| ServerError::Bind { address, error };
        let listener = TcpListener::bind(address).map_err(bound)?;
        listener.set_nonblocking(true).map_err(bound)?;
        let address = listener.local_addr().map_err(bound)?;
        let (events, inbox) = mpsc::channel(EVENTS);
        let (commands, commanded) = mpsc::unbounded_channel();
        let (stop, stopped) = oneshot::channel();
        let (roster, seen) = watch::channel(Roster::default());
        let options = Arc::new(options);
        let context = ConnectionContext {
            options: options.clone(),
            events,
            roster: seen,
            connections: Arc::new(Semaphore::new(MAX_CONNECTIONS)),
        };
        let mut game = GameState::new(options.clone(), roster);
        let file = saving::load(&mut game, &options)?;
        let inbox = Inbox { events: inbox, commands: commanded, stop: stopped };
        #[cfg(not(feature = "test-support"))]
        drop(commands);
        // Created last: the caller may be in a runtime, where another runtime must not be dropped on an error.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ServerError::Start)?;
        let body = move || {
            runtime.block_on(async {
                let listening = match tokio::net::TcpListener::from_std(listener) {
                    Ok(listener) => tokio::spawn(listener::listen(listener, context)),
                    Err(error) => return Err(ServerError::Bind { address, error }),
                };
                let ended = game_loop::run(game, inbox, file).await;
                listening.abort();
                // Connections still send their last packets; each ends after its own.
                let tasks = tokio::runtime::Handle::current().metrics();
                let said = async {
                    while tasks.num_alive_tasks() > 0 {
                        tokio::time::sleep(Duration::from_millis(5)).await;
                    }
                };
                let _ = tokio::time::timeout(LAST_WORDS, said).await;
                Ok(ended?)
            })
        };
        let thread = std::thread::Builder::new().name("server".to_owned()).spawn(body).map_err(ServerError::Start)?;
        Ok(Self {
            address,
            #[cfg(feature = "test-support")]
            commands,
            stop: Some(stop),
            thread: Some(thread),
        })
    }

    /// The address it listens at.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Disconnects all players, saves the world if it has a save file, and stops. Waits until this is done.
    ///
    /// # Errors
    /// The world could not be saved, or the server had stopped by itself.
    pub fn stop(mut self) -> Result<(), ServerError> {
        self.end(Stop::Cleanly)
    }

    pub(super) fn end(&mut self, how: Stop) -> Result<(), ServerError> {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(how);
        }
        match self.thread.take().map(JoinHandle::join) {
            None => Ok(()),
            Some(Ok(ended)) => ended,
            Some(Err(_)) => Err(ServerError::Stopped),
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Err(error) = self.end(Stop::Cleanly) {
            tracing::error!("{error}");
        }
    }
}
