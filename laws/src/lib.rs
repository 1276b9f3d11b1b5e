//! Books of temporal-logic laws: files with provenance and a life cycle, checked and diffed.
//!
//! This crate does not know how a law is found or enforced.
