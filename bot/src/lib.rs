//! The shielded loop, its actors and the command line.

pub mod actor;
