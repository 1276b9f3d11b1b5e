//! Test support: methods of [`Server`] that inspect and change a running game. All of them return
//! [`ServerError::Stopped`] if the server has stopped by itself, and [`ServerError::NoPlayer`] for an unknown player.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use azalea_core::position::Vec3;
use ltlcrit_minecraft::blocks::Block;
use ltlcrit_minecraft::items::Item;
use ltlcrit_minecraft::observation::BlockPos;
use ltlcrit_minecraft::player::{DamageSource, MAX_HEALTH};
use tokio::sync::mpsc;

use super::events::{Command, Stop};
use super::frame;
use super::inbound::parse;
use super::player::{FULL, Player};
use super::running::{Server, ServerError};
use super::state::GameState;
use super::windows::stack::Stack;
use super::{game_loop, movement, session};

/// A handle that lets ticks pass on a server, independent of the [`Server`] itself.
#[derive(Clone, Debug)]
pub struct Ticker(mpsc::UnboundedSender<Command>);

impl Ticker {
    /// Lets one tick pass, and waits until it has passed.
    ///
    /// # Errors
    /// The server has stopped.
    pub fn tick(&self) -> Result<(), ServerError> {
        ask(&self.0, game_loop::step)
    }
}

/// Runs a function on the game state and waits for its result.
fn ask<T: Send + 'static>(
    commands: &mpsc::UnboundedSender<Command>,
    command: impl FnOnce(&mut GameState) -> T + Send + 'static,
) -> Result<T, ServerError> {
    let (reply, answer) = std::sync::mpsc::channel();
    let command = Box::new(move |game: &mut GameState| {
        // The caller may be gone.
        let _ = reply.send(command(game));
    });
    commands.send(command).map_err(|_| ServerError::Stopped)?;
    answer.recv().map_err(|_| ServerError::Stopped)
}

impl Server {
    /// Stops at once without saving, as if it had been killed.
    ///
    /// # Errors
    /// See the module.
    pub fn stop_abruptly(mut self) -> Result<(), ServerError> {
        self.end(Stop::Abruptly)
    }

    /// A handle that lets ticks pass on a [stepped](super::ServerOptions::stepped) server.
    pub fn ticker(&self) -> Ticker {
        Ticker(self.commands.clone())
    }

    /// Runs a function on the game state and waits for its result.
    fn ask<T: Send + 'static>(
        &self,
        command: impl FnOnce(&mut GameState) -> T + Send + 'static,
    ) -> Result<T, ServerError> {
        ask(&self.commands, command)
    }

    /// Runs a function on a player and waits for its result.
    fn ask_player<T: Send + 'static>(
        &self,
        name: &str,
        command: impl FnOnce(&mut Player) -> T + Send + 'static,
    ) -> Result<T, ServerError> {
        let player = name.to_owned();
        let found = self.ask(move |game| {
            let found = game.entities.players.values_mut().find(|other| other.name == player);
            found.map(command)
        })?;
        found.ok_or_else(|| ServerError::NoPlayer(name.to_owned()))
    }

    /// The names of the connected players.
    ///
    /// # Errors
    /// See the module.
    pub fn players(&self) -> Result<Vec<String>, ServerError> {
        self.ask(|game| game.entities.players.values().map(|player| player.name.clone()).collect())
    }

    /// The number of ticks that have passed.
    ///
    /// # Errors
    /// See the module.
    pub fn ticks(&self) -> Result<u64, ServerError> {
        self.ask(|game| game.blocks.ground.tick)
    }

    /// The block at a position.
    ///
    /// # Errors
    /// See the module.
    pub fn block(&self, pos: BlockPos) -> Result<Block, ServerError> {
        self.ask(move |game| game.blocks.ground.block(pos))
    }

    /// Sets a block. With [`Block::Air`], the blocks above fall and fluids flow in.
    ///
    /// # Errors
    /// See the module.
    pub fn set_block(&self, pos: BlockPos, block: Block) -> Result<(), ServerError> {
        self.ask(move |game| match block {
            Block::Air => game.blocks.ground.open(pos),
            block => game.blocks.ground.put(pos, block),
        })
    }

    /// The position of a player's feet, in blocks.
    ///
    /// # Errors
    /// See the module.
    pub fn position(&self, player: &str) -> Result<[f64; 3], ServerError> {
        self.ask_player(player, |player| [player.at.x, player.at.y, player.at.z])
    }

    /// Moves a player.
    ///
    /// # Errors
    /// See the module.
    pub fn teleport(&self, player: &str, [x, y, z]: [f64; 3]) -> Result<(), ServerError> {
        let now = self.ask(|game| game.now)?;
        self.ask_player(player, move |player| movement::teleport(player, Vec3 { x, y, z }, now))
    }

    /// A player's health, in half hearts; 0 is dead.
    ///
    /// # Errors
    /// See the module.
    pub fn health(&self, player: &str) -> Result<u32, ServerError> {
        self.ask_player(player, |player| player.body.health)
    }

    /// Sets a player's health, in half hearts; 0 kills.
    ///
    /// # Errors
    /// See the module.
    pub fn set_health(&self, player: &str, half_hearts: u32) -> Result<(), ServerError> {
        self.ask_player(player, move |player| {
            player.body.health = half_hearts.min(MAX_HEALTH);
            if half_hearts == 0 {
                player.body.death.get_or_insert(DamageSource::Operator);
            }
        })
    }

    /// Sets a player's hunger, in half drumsticks, 0 to 20. The hunger does not affect healing.
    ///
    /// # Errors
    /// See the module.
    pub fn set_food(&self, player: &str, half_drumsticks: u32) -> Result<(), ServerError> {
        self.ask_player(player, move |player| player.hunger.food = half_drumsticks.min(FULL))
    }

    /// Returns whether a player's client has reported a sprint, and not yet its end.
    ///
    /// # Errors
    /// See the module.
    pub fn is_sprinting(&self, player: &str) -> Result<bool, ServerError> {
        self.ask_player(player, |player| player.is_sprinting)
    }

    /// Adds items to a player's inventory in the game's order. Returns the number that did not fit.
    ///
    /// # Errors
    /// See the module.
    pub fn give(&self, player: &str, item: Item, count: u32) -> Result<u32, ServerError> {
        self.ask_player(player, move |player| {
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

    /// A player's inventory in the game's numbering: hotbar 0 to 8, main inventory 9 to 35, armour 36 to 39, off hand
    /// 40.
    ///
    /// # Errors
    /// See the module.
    pub fn inventory(&self, player: &str) -> Result<Vec<Option<Stack>>, ServerError> {
        self.ask_player(player, |player| player.screen.inventory().slots().to_vec())
    }

    /// Disconnects a player with a reason that its client shows.
    ///
    /// # Errors
    /// See the module.
    pub fn kick(&self, player: &str, reason: &str) -> Result<(), ServerError> {
        let id = self.ask_player(player, |player| player.id)?;
        let reason = reason.to_owned();
        self.ask(move |game| session::kick(game, id, &reason))
    }
}

/// Parses the bytes of a playing client, as a connection does. Returns the number of packets with a meaning here. For
/// fuzzing.
///
/// # Errors
/// The bytes are invalid.
pub fn understand(mut bytes: &[u8]) -> Result<usize, String> {
    let mut frame = Vec::new();
    let mut understood = 0;
    loop {
        let read = pin!(frame::read(&mut bytes, &mut frame)).poll(&mut Context::from_waker(Waker::noop()));
        match read {
            Poll::Ready(Ok(true)) => understood += usize::from(parse(&frame)?.is_some()),
            Poll::Ready(Ok(false)) => return Ok(understood),
            Poll::Ready(Err(error)) => return Err(error.to_string()),
            // Reading from a slice never waits.
            Poll::Pending => return Err("the bytes are not there".to_owned()),
        }
    }
}
