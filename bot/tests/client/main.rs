//! The client on a server: joining, every action's success and refusals, trouble on the way, chat. The server is our
//! own, on loopback; nothing in the client knows.
#![cfg(feature = "client")]
#![allow(clippy::unwrap_used, clippy::panic, clippy::expect_used)]

mod actions;
mod chat;
#[path = "../common/mod.rs"]
mod common;
mod gaps;
mod joining;
mod killed;
mod many;
mod parity;
mod refusals;
mod relay;
mod scene;
mod sieve;
mod trouble;
mod watching;
