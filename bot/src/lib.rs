//! The command line, and the Minecraft client as a world of the engine.

// Foreign text reaches a terminal through `cli::terminal` alone.
#![deny(clippy::print_stdout, clippy::print_stderr)]
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod cli;
pub mod exit;
mod world;
