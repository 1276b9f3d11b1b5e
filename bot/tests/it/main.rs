//! The program, and the client as a world of the engine.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Helpers count as tests too.

mod binary;
#[cfg(feature = "client")]
#[path = "../../engine/tests/it/common.rs"]
mod common;
#[cfg(feature = "client")]
mod killed;
#[cfg(feature = "client")]
#[allow(dead_code)] // The client's tests use the rest of it.
#[path = "../../client/tests/it/packet_filter.rs"]
mod packet_filter;
#[cfg(feature = "client")]
#[allow(dead_code)] // As above.
#[path = "../../client/tests/it/relay.rs"]
mod relay;
#[cfg(feature = "client")]
#[allow(dead_code)] // As above.
#[path = "../../client/tests/it/scene.rs"]
mod scene;
