//! A player's inventory and windows as the real game has them: what clicks do, what crafting tables and furnaces hold,
//! and what a client has to be told of it.
//!
//! Everything but [`mod@packets`] and [`serving`] is a state machine without protocol types. A [`screen::Screen`] is one
//! player's; the [`furnace::Furnaces`] are the world's. What a client asks for is checked and done by [`operations`], never
//! taken from what the client says has come of it.

pub mod belief;
pub mod click;
pub mod crafting;
pub mod furnace;
pub mod inventory;
pub mod layout;
pub mod message;
pub mod operations;
mod packets;
pub mod screen;
mod serving;
pub mod stack;

pub use furnace::Furnaces;
pub use inventory::PlayerInventory;
pub use message::Answer;
pub(super) use packets::{item_stack, packets};
pub use screen::Screen;

#[cfg(test)]
mod tests;
