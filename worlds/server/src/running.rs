//! A running server, as whoever started it holds it.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use thiserror::Error;
use tokio::sync::{mpsc, oneshot, watch};

use super::connection::Gate;
use super::lobby::Lobby;
use super::options::ServerOptions;
use super::realm::{Inbox, Realm, Stop, Wish};
use super::saving::{self, SaveError};
use super::status::Roster;
use super::windows::stack::Stack;
use super::{listener, movement};
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::player::{Hurt, MAX_HEALTH};

/// How many events may wait for the realm before connections wait.
const EVENTS: usize = 1024;

/// How long is waited at the end for what was said last to be sent.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// Why there is no server, or it did not end well.
#[derive(Debug, Error)]
pub enum ServerError {
    /// The address cannot be listened at.
    #[error("cannot listen at {address}: {source}")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
    /// No thread or no runtime could be had.
    #[error("cannot start the server: {0}")]
    Start(io::Error),
    /// The world could not be saved or brought back.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// There is no such player.
    #[error("nobody called {0} is in")]
    NoPlayer(String),
    /// The server's thread came to a bad end.
    #[error("the server has stopped by itself; this is a fault of its own")]
    Stopped,
}

/// A running server. Dropping it stops it.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    wishes: mpsc::UnboundedSender<Wish>,
    stop: Option<oneshot::Sender<Stop>>,
    thread: Option<JoinHandle<Result<(), ServerError>>>,
}

/// Lets ticks pass on a server, wherever the [`Server`] itself is.
#[derive(Clone, Debug)]
pub struct Ticker(mpsc::UnboundedSender<Wish>);

impl Ticker {
    /// Lets one tick pass, and waits until it has.
    ///
    /// # Errors
    /// The server has stopped.
    pub fn tick(&self) -> Result<(), ServerError> {
        ask(&self.0, Realm::step)
    }
}

/// Has the realm do something, and waits for it.
fn ask<T: Send + 'static>(
    wishes: &mpsc::UnboundedSender<Wish>,
    wish: impl FnOnce(&mut Realm) -> T + Send + 'static,
) -> Result<T, ServerError> {
    let (reply, answer) = std::sync::mpsc::channel();
    let wish = Box::new(move |realm: &mut Realm| {
        // Whoever asked may have gone meanwhile.
        let _ = reply.send(wish(realm));
    });
    wishes.send(wish).map_err(|_| ServerError::Stopped)?;
    answer.recv().map_err(|_| ServerError::Stopped)
}

impl Server {
    /// Starts a server on a thread of its own. It listens when this returns.
    ///
    /// # Errors
    /// The address cannot be listened at, the save file cannot be used, or there are no threads to be had.
    pub fn start(options: ServerOptions) -> Result<Self, ServerError> {
        let address = options.bind;
        let bound = |source| ServerError::Bind { address, source };
        let listener = TcpListener::bind(address).map_err(bound)?;
        listener.set_nonblocking(true).map_err(bound)?;
        let address = listener.local_addr().map_err(bound)?;
        let (events, inbox) = mpsc::channel(EVENTS);
        let (wishes, wished) = mpsc::unbounded_channel();
        let (stop, stopped) = oneshot::channel();
        let (roster, seen) = watch::channel(Roster::default());
        let options = Arc::new(options);
        let gate =
            Gate { options: options.clone(), events, roster: seen, lobby: Lobby::default(), leaving: Lobby::default() };
        let mut realm = Realm::new(options.clone(), roster);
        let file = saving::load(&mut realm, &options)?;
        let inbox = Inbox { events: inbox, wishes: wished, stop: stopped };
        // Last: whoever starts a server may be in a runtime, where another one must not be dropped.
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ServerError::Start)?;
        let body = move || {
            runtime.block_on(async {
                let listening = match tokio::net::TcpListener::from_std(listener) {
                    Ok(listener) => tokio::spawn(listener::listen(listener, gate)),
                    Err(source) => return Err(ServerError::Bind { address, source }),
                };
                let ended = realm.run(inbox, file).await;
                listening.abort();
                // What the last words were is still on its way: connections end when they have said them.
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
        Ok(Self { address, wishes, stop: Some(stop), thread: Some(thread) })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Sends everyone away, saves the world if it is kept, and stops. Waits until all is done.
    ///
    /// # Errors
    /// The world could not be saved, or the server had stopped by itself.
    pub fn stop(mut self) -> Result<(), ServerError> {
        self.end(Stop::Cleanly)
    }

    /// Stops at once, without a word and without saving, as if it had been killed.
    ///
    /// # Errors
    /// The server had stopped by itself.
    pub fn stop_abruptly(mut self) -> Result<(), ServerError> {
        self.end(Stop::Abruptly)
    }

    /// Has the realm do something, and waits for it.
    fn ask<T: Send + 'static>(&self, wish: impl FnOnce(&mut Realm) -> T + Send + 'static) -> Result<T, ServerError> {
        ask(&self.wishes, wish)
    }

    /// Has something done to a player, and waits for it.
    fn ask_of<T: Send + 'static>(
        &self,
        name: &str,
        wish: impl FnOnce(&mut Realm, i32) -> T + Send + 'static,
    ) -> Result<T, ServerError> {
        let player = name.to_owned();
        let found = self.ask(move |realm| {
            let id = realm.named(&player)?.id;
            Some(wish(realm, id))
        })?;
        found.ok_or_else(|| ServerError::NoPlayer(name.to_owned()))
    }

    /// A handle that lets ticks pass on a [stepped](ServerOptions::stepped) server.
    pub fn ticker(&self) -> Ticker {
        Ticker(self.wishes.clone())
    }

    /// The names of the players who are in.
    ///
    /// # Errors
    /// The server has stopped by itself.
    pub fn players(&self) -> Result<Vec<String>, ServerError> {
        self.ask(|realm| realm.players.values().map(|player| player.name.clone()).collect())
    }

    /// The ticks that have passed.
    ///
    /// # Errors
    /// The server has stopped by itself.
    pub fn ticks(&self) -> Result<u64, ServerError> {
        self.ask(|realm| realm.ground.tick)
    }

    /// The block at a position.
    ///
    /// # Errors
    /// The server has stopped by itself.
    pub fn block(&self, pos: BlockPos) -> Result<Block, ServerError> {
        self.ask(move |realm| realm.ground.block(pos))
    }

    /// Puts a block somewhere, whatever is there. With [`Block::Air`], what rests on it falls and fluids flow in.
    ///
    /// # Errors
    /// The server has stopped by itself.
    pub fn set_block(&self, pos: BlockPos, block: Block) -> Result<(), ServerError> {
        self.ask(move |realm| match block {
            Block::Air => realm.ground.open(pos),
            block => realm.ground.put(pos, block),
        })
    }

    /// Where a player's feet are: the middle of them, in blocks.
    ///
    /// # Errors
    /// The player is not in, or the server has stopped by itself.
    pub fn position(&self, player: &str) -> Result<[f64; 3], ServerError> {
        let at = self.ask_of(player, |realm, player| realm.players.get(&player).map(|player| player.at))?;
        at.map(|at| [at.x, at.y, at.z]).ok_or_else(|| ServerError::NoPlayer(player.to_owned()))
    }

    /// Moves a player.
    ///
    /// # Errors
    /// The player is not in, or the server has stopped by itself.
    pub fn teleport(&self, player: &str, [x, y, z]: [f64; 3]) -> Result<(), ServerError> {
        self.ask_of(player, move |realm, player| {
            let now = realm.now;
            if let Some(player) = realm.players.get_mut(&player) {
                movement::teleport(player, azalea_core::position::Vec3 { x, y, z }, now);
            }
        })
    }

    /// A player's health, in half hearts; 0 is dead.
    ///
    /// # Errors
    /// The player is not in, or the server has stopped by itself.
    pub fn health(&self, player: &str) -> Result<u32, ServerError> {
        self.ask_of(player, |realm, id| realm.players.get(&id).map_or(0, |player| player.body.health))
    }

    /// Sets a player's health, in half hearts; 0 kills.
    ///
    /// # Errors
    /// The player is not in, or the server has stopped by itself.
    pub fn set_health(&self, player: &str, half_hearts: u32) -> Result<(), ServerError> {
        self.ask_of(player, move |realm, player| {
            if let Some(player) = realm.players.get_mut(&player) {
                player.body.health = half_hearts.min(MAX_HEALTH);
                if half_hearts == 0 {
                    player.body.death.get_or_insert(Hurt::Will);
                }
            }
        })
    }

    /// Puts items into a player's inventory, in the game's order; returns how many did not fit.
    ///
    /// # Errors
    /// The player is not in, or the server has stopped by itself.
    pub fn give(&self, player: &str, item: Item, count: u32) -> Result<u32, ServerError> {
        self.ask_of(player, move |realm, player| {
            let Some(player) = realm.players.get_mut(&player) else { return count };
            let mut left = count;
            while left > 0 {
                let stack = Stack { item, count: left.min(item.stack_size()), wear: 0 };
                let over = player.screen.inventory_mut().add(stack).map_or(0, |over| over.count);
                left = left - stack.count + over;
                if over > 0 {
                    break;
                }
            }
            left
        })
    }

    /// What a player carries, in the game's numbering: hotbar 0 to 8, main inventory to 35, armour to 39, other hand.
    ///
    /// # Errors
    /// The player is not in, or the server has stopped by itself.
    pub fn inventory(&self, player: &str) -> Result<Vec<Option<Stack>>, ServerError> {
        self.ask_of(player, |realm, player| {
            realm.players.get(&player).map(|player| player.screen.inventory().slots().to_vec()).unwrap_or_default()
        })
    }

    /// Sends a player away with a reason its client shows.
    ///
    /// # Errors
    /// The player is not in, or the server has stopped by itself.
    pub fn kick(&self, player: &str, reason: &str) -> Result<(), ServerError> {
        let reason = reason.to_owned();
        self.ask_of(player, move |realm, player| realm.kick(player, &reason))
    }

    fn end(&mut self, how: Stop) -> Result<(), ServerError> {
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
