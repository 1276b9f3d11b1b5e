//! The client on a server: joining, every action's success and refusals, trouble on the way, chat. The server is our
//! own, on loopback; nothing in the client knows.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Helpers count as tests too.

mod actions;
mod chat;
mod gaps;
mod joining;
mod many;
mod parity;
mod refusals;
mod relay;
mod scene;
#[allow(dead_code)] // The bot's tests use the rest of it.
mod sieve;
mod trouble;
mod watching;
