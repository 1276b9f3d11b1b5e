//! The store as all streams share it: its index, and how far it was read.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ltlcrit_store::{Entry, Follower, Position, RunId, RunManifest, Store, StoreError};
use serde::de::DeserializeOwned;
use tokio::sync::{Semaphore, watch};
use tokio::task::spawn_blocking;

use super::index::Index;

/// Renders a page about all runs, or gives the reason that there is no page yet. It may read the store, and is called on a thread of its
/// own whenever the store has grown.
pub type Report = Arc<dyn Fn() -> Result<String, String> + Send + Sync>;

/// The number of entries that are read before the streams see them.
const BATCH: usize = 1000;
/// The number of polls without new entries between two checks for the process that writes.
const CHECK: u32 = 10;
/// Maximum number of open streams.
const STREAMS: usize = 64;
/// Maximum number of tiles and reports drawn at the same time, so that a run keeps the processor.
const TILES: usize = 1;

/// The end of the part of the store that was read.
#[derive(Clone, Debug, Default)]
pub(crate) struct State {
    /// The end of the entries in the index; `None` before the first read.
    pub end: Option<Position>,
    /// False if all entries were read and no process writes the store.
    pub is_live: bool,
    /// True if nothing more will be read.
    pub is_final: bool,
    /// The reason why the store can no longer be read.
    pub trouble: Option<String>,
}

/// A store with its readers.
pub(crate) struct SharedStore {
    /// Its path.
    pub path: PathBuf,
    index: Mutex<Index>,
    state: watch::Sender<State>,
    /// The permits of streams.
    pub streams: Arc<Semaphore>,
    /// The permits to draw tiles and to render the report.
    pub tiles: Semaphore,
    pub report: Option<Report>,
}

impl SharedStore {
    /// Creates a store that is not read yet.
    pub fn new(path: &Path, report: Option<Report>) -> Arc<Self> {
        Arc::new(Self {
            path: path.to_owned(),
            index: Mutex::default(),
            state: watch::Sender::new(State { is_live: true, ..State::default() }),
            streams: Arc::new(Semaphore::new(STREAMS)),
            tiles: Semaphore::new(TILES),
            report,
        })
    }

    /// Returns the index. Hold it for a moment only.
    pub fn index(&self) -> MutexGuard<'_, Index> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a receiver of changes.
    pub fn state(&self) -> watch::Receiver<State> {
        self.state.subscribe()
    }

    /// Reads new entries at an interval until `stop` is ready or the store cannot be read.
    pub async fn follow(
        self: &Arc<Self>,
        mut follower: Follower,
        interval: Duration,
        stop: impl Future<Output = ()>,
    ) -> Option<Follower> {
        let mut stop = std::pin::pin!(stop);
        let mut idle = 0;
        loop {
            let Some((back, grew)) = self.catch_up(follower).await else {
                stop.await;
                return None;
            };
            follower = back;
            idle = if grew { 0 } else { idle + 1 };
            if idle % CHECK == 1 {
                // A file system without locks does not tell, so the store counts as written.
                let mut is_live = Store::is_locked(&self.path).unwrap_or(true);
                if !is_live {
                    // The process may have written its last lines before it ended.
                    let (back, grew) = self.catch_up(follower).await?;
                    (follower, is_live) = (back, grew);
                }
                self.state.send_if_modified(|state| std::mem::replace(&mut state.is_live, is_live) != is_live);
            }
            tokio::select! {
                () = &mut stop => return Some(follower),
                () = tokio::time::sleep(interval) => {}
            }
        }
    }

    /// Reads the last entries and lets the streams end after them.
    pub async fn finish(self: &Arc<Self>, follower: Option<Follower>) {
        if let Some(follower) = follower {
            self.catch_up(follower).await;
        }
        self.state.send_modify(|state| state.is_final = true);
    }

    /// Reads all new entries; `None` if the store cannot be read.
    async fn catch_up(self: &Arc<Self>, mut follower: Follower) -> Option<(Follower, bool)> {
        let mut grew = false;
        loop {
            let shared = self.clone();
            let read = spawn_blocking(move || {
                let read = shared.batch(&mut follower);
                (follower, read)
            });
            let (back, read) = read.await.ok()?;
            follower = back;
            let end = follower.position();
            match read {
                Ok(count) => {
                    self.state.send_if_modified(|state| {
                        state.is_live |= count > 0;
                        state.end.replace(end) != Some(end)
                    });
                    grew |= count > 0;
                    if count < BATCH {
                        return Some((follower, grew));
                    }
                }
                Err(error) => {
                    self.state.send_modify(|state| state.trouble = Some(error.to_string()));
                    return None;
                }
            }
        }
    }

    /// Adds up to [`BATCH`] entries to the index. Returns their number.
    fn batch(&self, follower: &mut Follower) -> Result<usize, StoreError> {
        for count in 0..BATCH {
            match follower.read()? {
                Some(entry) => self.index().add(&entry),
                None => return Ok(count),
            }
        }
        Ok(BATCH)
    }

    /// Reads the entry at a position.
    fn entry(&self, position: Option<Position>) -> Result<Option<Entry>, StoreError> {
        position.map_or(Ok(None), |position| Follower::at(&self.path, position).read())
    }

    /// Reads the manifest of a run; `None` if the run has not begun.
    pub fn manifest(&self, run: RunId) -> Result<Option<RunManifest>, StoreError> {
        let position = self.index().run(run).map(|places| places.manifest);
        let document = |hash: &str| {
            let position = self.index().document(hash);
            self.entry(position)
        };
        self.entry(position)?.map(|entry| entry.manifest(document)).transpose()
    }

    /// Reads the record at a position as it is stored.
    pub fn record<T: DeserializeOwned>(&self, position: Option<Position>) -> Result<Option<T>, StoreError> {
        self.entry(position)?.map(|entry| entry.decode()).transpose()
    }
}
