//! The `ltlcrit` command.

fn main() {}
