//! The page of a store that grows, as a browser asks for it and shows it.
#![allow(clippy::unwrap_used, clippy::panic, clippy::disallowed_methods)]

mod records;
mod site;
mod streams;
