//! A SOCKS5 client behind the names that `azalea-protocol` uses.
//!
//! azalea-protocol depends on the crate `socks5-impl`, which is licensed under the GPL; with it a binary could not be
//! given away under this project's licences. `[patch.crates-io]` puts this crate in its place: the same names, the work
//! done by `tokio-socks`.

pub mod client;
pub mod protocol;
