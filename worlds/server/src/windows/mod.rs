//! Inventories and windows as in the real game: clicks, crafting tables, furnaces, and updates of clients.
//!
//! All modules except [`mod@packets`] and [`serving`] are state machines without protocol types. A [`screen::Screen`]
//! belongs to one player, [`furnace::Furnaces`] to the world. [`operations`] checks and applies each click; the
//! client's own prediction of the result is never trusted.

pub mod click;
pub mod crafting;
pub mod furnace;
pub mod inventory;
pub mod layout;
pub mod message;
pub mod operations;
mod packets;
pub mod remote_slots;
pub mod screen;
mod serving;
pub mod stack;

pub use furnace::Furnaces;
pub use inventory::PlayerInventory;
pub use message::Answer;
pub(super) use packets::item_stack;
pub use screen::Screen;
pub(super) use serving::{click, close, one_tick, open, select, send, send_all_slots};

#[cfg(test)]
mod tests;
