//! End-to-end tests: run the real binary in fresh directories, like a user.

// Everything here is a test, helpers included.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_methods)]

mod audit;
mod axioms;
#[cfg(unix)]
mod batch;
mod books;
mod cassette;
mod chromium;
mod config;
mod constraints;
mod decide;
mod derived;
mod doctor;
mod endpoint;
mod exam;
mod exam_run;
mod flags;
mod foreign;
mod goals;
mod graph;
mod household;
mod import;
mod import_cycles;
mod imported;
#[cfg(unix)]
mod interrupt;
mod latex;
mod laws;
mod learn;
mod live_laws;
mod log;
mod login_stub;
mod ltl;
mod mineflayer;
mod model_critic;
mod output;
mod page;
mod parameters;
#[cfg(unix)]
mod pipes;
mod plans;
mod query;
mod readme;
mod report;
mod rooms;
mod run;
mod sandbox;
mod secrets;
mod serve;
mod served;
mod shards;
mod states;
mod store;
mod translate;
mod translate_model;
mod watch;
mod words;
