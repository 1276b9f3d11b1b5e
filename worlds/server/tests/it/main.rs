//! The loopback server, as clients meet it on the wire.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)] // Helpers count as tests too.

mod digging;
mod joining;
mod living;
mod moving;
mod nonsense;
mod players;
mod saving;
mod windows;
mod wire;
