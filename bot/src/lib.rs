//! The shielded loop, its actors and the command line.

// Foreign text reaches a terminal through `cli::terminal` alone.
#![deny(clippy::print_stdout, clippy::print_stderr)]

pub mod actor;
pub mod agent;
pub mod audit;
pub mod books;
pub mod cli;
pub mod config;
pub mod exit;
pub mod learn;
pub mod model;
pub mod optimum;
pub mod replay;
pub mod setup;
mod toml_error;
pub mod world;
