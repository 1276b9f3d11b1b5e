//! Tests of the client on our loopback server: joining, every action's success and failures, disruptions. Nothing
//! in the client depends on this server.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)] // Helpers count as tests too.

mod actions;
mod damage;
mod encryption;
mod gaps;
mod hostile;
mod joining;
mod many;
mod obstacles;
#[allow(dead_code)] // The bot's tests use the rest of it.
mod packet_filter;
mod parity;
mod refusals;
mod relay;
mod scene;
mod trouble;
mod watching;
mod water;
