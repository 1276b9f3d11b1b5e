//! The shielded loop, its actors, books, learning and replay.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Helpers count as tests too.

mod agent;
mod axioms;
mod binary;
mod books;
mod common;
mod derived;
mod effects;
mod kill;
#[cfg(feature = "client")]
mod killed;
mod learning;
#[cfg(feature = "client")]
#[allow(dead_code)] // The client's tests use the rest of it.
#[path = "../../client/tests/it/packet_filter.rs"]
mod packet_filter;
mod personas;
mod prompt_sizes;
#[cfg(feature = "client")]
#[allow(dead_code)] // As above.
#[path = "../../client/tests/it/relay.rs"]
mod relay;
mod replay;
#[cfg(feature = "client")]
#[allow(dead_code)] // As above.
#[path = "../../client/tests/it/scene.rs"]
mod scene;
