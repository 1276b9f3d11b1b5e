//! The shielded loop, its actors and the command line.

pub mod actor;
pub mod agent;
pub mod cli;
pub mod config;
pub mod exit;
pub mod replay;
