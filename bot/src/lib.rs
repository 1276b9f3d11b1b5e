//! The shielded loop, its actors and the command line.

pub mod actor;
pub mod agent;
pub mod books;
pub mod cli;
#[cfg(feature = "client")]
pub mod client;
pub mod config;
pub mod exit;
pub mod learn;
pub mod replay;
