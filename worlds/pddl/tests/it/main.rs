//! Tests of the crate as its users meet it.

mod data;
mod vectors;
