//! A live page of the runs of a store, on loopback.
//!
//! The page shows runs of this process and of others, while they go on and afterwards. It is served by HTTP on
//! 127.0.0.1 under an address with a random token, and holds its script and style itself: a browser asks for nothing
//! from elsewhere. The store is only read, by following its lines (see [`ltlcrit_store::Follower`]).
//!
//! ```no_run
//! # async fn watch() -> Result<(), ltlcrit_watch::WatchError> {
//! use ltlcrit_watch::{Options, Watch};
//!
//! let watch = Watch::open("runs".as_ref(), Options::default()).await?;
//! println!("{}", watch.url(None));
//! watch.serve(std::future::pending()).await
//! # }
//! ```
//!
//! One task polls the store for new lines and keeps the positions of runs and of every 64th step. Each stream of a
//! browser reads the lines of its run itself, at the speed of the browser, so a slow browser takes no memory.

mod feed;
mod index;
mod shared;
mod site;
mod view;

use std::fmt;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use ltlcrit_store::{Follower, RunId, StoreError};
pub use shared::Report;
use shared::SharedStore;
use thiserror::Error;
use tokio::net::TcpListener;

/// The interval between two looks at the store.
const POLL: Duration = Duration::from_millis(200);
/// The time for which open pages may still read what is left of their streams when the server stops.
const DRAIN: Duration = Duration::from_secs(2);

/// Options of the server.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// The port on 127.0.0.1; 0 for any free port.
    pub port: u16,
}

/// The reason why a store cannot be watched.
#[derive(Debug, Error)]
pub enum WatchError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The port cannot be used.
    #[error("127.0.0.1:{port} cannot be used: {error}; give another port, or 0 for any free one")]
    Port {
        /// The port.
        port: u16,
        /// The reason.
        error: std::io::Error,
    },
    /// The server failed.
    #[error("the server of the page failed: {0}")]
    Server(std::io::Error),
}

/// A server of the page for one store.
pub struct Watch {
    store: PathBuf,
    report: Option<Report>,
    follower: Follower,
    listener: TcpListener,
    address: SocketAddr,
    token: String,
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("store", &self.store).field("address", &self.address).finish_non_exhaustive()
    }
}

impl Watch {
    /// Opens an existing store and a port. Nothing is served before [`Watch::serve`].
    ///
    /// # Errors
    /// A path that is not a store, or a port in use.
    pub async fn open(store: &Path, options: Options) -> Result<Self, WatchError> {
        let follower = Follower::open(store)?;
        let unusable = |error| WatchError::Port { port: options.port, error };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port)).await.map_err(unusable)?;
        let address = listener.local_addr().map_err(unusable)?;
        let token = format!("{:032x}", rand::random::<u128>());
        Ok(Self { store: store.to_owned(), report: None, follower, listener, address, token })
    }

    /// Shows a report above the list of runs. Its page may have styles and images of its own, and no scripts.
    #[must_use]
    pub fn with_report(self, report: Option<Report>) -> Self {
        Self { report, ..self }
    }

    /// Returns the address of the page of a run, which may begin later, or of the list of runs.
    pub fn url(&self, run: Option<RunId>) -> String {
        let page = run.map_or_else(String::new, |run| format!("run/{run}/"));
        format!("http://{}/{}/{page}", self.address, self.token)
    }

    /// Serves the page until `stop` is ready, and what was stored before that to open pages.
    ///
    /// # Errors
    /// A failure of the server. A store that can no longer be read is an error on the page.
    pub async fn serve(self, stop: impl Future<Output = ()> + Send + 'static) -> Result<(), WatchError> {
        let Self { store, report, follower, listener, token, .. } = self;
        let shared = SharedStore::new(&store, report);
        let site = site::routes(&token, shared.clone());
        let (stopping, stopped) = tokio::sync::oneshot::channel();
        let following = async move {
            let follower = shared.follow(follower, POLL, stop).await;
            shared.finish(follower).await;
            let _ = stopping.send(());
        };
        let drained = async {
            let _ = stopped.await;
            tokio::time::sleep(DRAIN).await;
        };
        tokio::select! {
            served = axum::serve(listener, site).with_graceful_shutdown(following).into_future() => {
                served.map_err(WatchError::Server)
            }
            () = drained => Ok(()),
        }
    }
}
