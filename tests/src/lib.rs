//! End-to-end tests of the `ltlcrit` binary live in `tests/tests`; this crate is empty.
