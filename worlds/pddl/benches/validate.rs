//! Validation of plans.

fn main() {}
