//! The Hanoi Omega-Automata format, version 1 (Babiak et al., CAV 2015).
//!
//! The format describes infinite words; a monitor reads finite ones. All states are written, complete, with the Büchi
//! condition over the states in which a run may stop. A *finite* word is accepted iff it leads to a state in acceptance
//! set 0. Tools for LTLf write their automata in this format in the same way. The infinite words that the Büchi
//! condition accepts have no meaning here. A header `ltlcrit-reading` (lower case: other tools may ignore it) says so.

use std::fmt::{self, Write};

use super::Automaton;

impl Automaton {
    /// Returns the automaton in the HOA format.
    pub fn to_hoa(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_hoa(&mut out);
        out
    }

    fn write_hoa(&self, out: &mut dyn Write) -> fmt::Result {
        writeln!(out, "HOA: v1")?;
        writeln!(out, "name: {}", quoted(&self.formula().to_string()))?;
        writeln!(out, "tool: \"ltlcrit\" {}", quoted(env!("CARGO_PKG_VERSION")))?;
        writeln!(out, "States: {}", self.states().len())?;
        writeln!(out, "Start: 0")?;
        write!(out, "AP: {}", self.propositions().len())?;
        for proposition in self.propositions() {
            write!(out, " {}", quoted(proposition))?;
        }
        writeln!(out, "\nacc-name: Buchi\nAcceptance: 1 Inf(0)")?;
        writeln!(out, "properties: trans-labels explicit-labels state-acc complete deterministic")?;
        writeln!(out, "ltlcrit-reading: \"a finite word is accepted iff it ends in a state of set 0\"")?;
        writeln!(out, "--BODY--")?;
        for (number, state) in self.states().iter().enumerate() {
            let name = state.name();
            let set = if state.verdict.accepts() { " {0}" } else { "" };
            writeln!(out, "State: {number} \"{name}\"{set}")?;
            for edge in &state.edges {
                out.write_char('[')?;
                edge.guard.write(out, "t", &|out, proposition| write!(out, "{proposition}"))?;
                writeln!(out, "] {}", edge.target)?;
            }
        }
        writeln!(out, "--END--")
    }
}

/// Returns a string of the format, with a backslash before each quote and backslash.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
