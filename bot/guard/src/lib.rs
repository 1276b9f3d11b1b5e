//! The shield in front of a coding agent's tools.
//!
//! A [`Book`] says which tool call is which action, and holds laws over sequences of them. A session is a file of
//! [letters](letter::Letter). [`Memory::decide`](decide::Memory::decide) is a pure function of the book, the letters and the call that
//! comes: it writes the laws out for the objects that occur and asks the verifier's shield, which decides all laws
//! together. The page `docs/guard.md` is for users.

#![warn(missing_docs)]
#![cfg_attr(test, allow(clippy::disallowed_methods))]

pub mod book;
pub mod call;
pub mod check;
mod cli;
pub mod decide;
pub mod example;
pub mod expression;
pub mod hook;
pub mod init;
pub mod law;
pub mod letter;
pub mod log;
pub mod mcp;
pub mod session;
pub mod shell;

pub use book::Book;
pub use cli::main_with;
