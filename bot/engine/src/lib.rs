//! Shielded episodes as a library: actors, the loop, learning, batches, replay, audit and reports.
//!
//! The engine parses no arguments, prints nothing, installs no signal or panic handler and knows no Minecraft client.
//! Callers supply these parts through [`agent::Observer`] and [`world::OpenWorld`].

#![warn(missing_docs)]
// Callers decide on the output.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod actor;
pub mod agent;
pub mod audit;
pub mod batch;
pub mod books;
pub mod config;
pub mod exam;
pub mod examine;
pub mod in_order;
pub mod learn;
pub mod model;
pub mod optimum;
pub mod probe;
pub mod replay;
pub mod report;
mod run;
pub mod setup;
mod task;
pub mod user_error;
pub mod world;

pub use run::run;
