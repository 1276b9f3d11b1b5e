//! Export of monitors: the whole automaton of a formula, as DOT or in the Hanoi Omega-Automata format.
//!
//! ```
//! use ltlcrit_verifier::{export::{Automaton, Limits}, syntax::parse};
//!
//! let automaton = Automaton::explore(&parse("G(a -> F b)")?, &Limits::default())?;
//! assert_eq!(automaton.states().len(), 2);
//! println!("{}", automaton.to_dot());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod automaton;
mod dot;
mod guard;
mod hoa;

pub use automaton::{Automaton, Edge, ExportError, Limits, State};
pub use guard::{Cube, Guard};

#[cfg(test)]
mod tests;
