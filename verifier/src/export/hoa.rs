//! The Hanoi Omega-Automata format, version 1 (Babiak et al., CAV 2015).
//!
//! The format speaks of infinite words; a monitor reads finite ones. Two readings are offered, and each file says in a
//! `ltlcrit-reading` header (lower case: other tools may pass it over) which one it is.

use std::fmt::{self, Write};

use super::Automaton;
use crate::verdict::Verdict;

/// What acceptance means in an exported file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum HoaAcceptance {
    /// All states, complete, with the Büchi condition written over the states in which a run may stop.
    ///
    /// A *finite* word is accepted iff it leads to a state in acceptance set 0. This is how tools for LTLf write their
    /// automata in this format; the infinite words that the Büchi condition accepts have no meaning here.
    #[default]
    FiniteWords,
    /// A monitor: every state accepts and the states in which the formula is violated for good are left out.
    ///
    /// A finite word is *not yet violated* iff it can be read at all; what is owed before stopping is not expressed. Read as
    /// an automaton over infinite words it accepts those of which no prefix is violated.
    Monitor,
}

impl Automaton {
    /// The automaton in the HOA format.
    pub fn to_hoa(&self, acceptance: HoaAcceptance) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_hoa(acceptance, &mut out);
        out
    }

    fn write_hoa(&self, acceptance: HoaAcceptance, out: &mut dyn Write) -> fmt::Result {
        let finite = acceptance == HoaAcceptance::FiniteWords;
        let kept: Vec<bool> = self.states().iter().map(|state| finite || state.verdict != Verdict::Violated).collect();
        // The kept states are numbered without gaps.
        let mut numbers = Vec::with_capacity(kept.len());
        let mut count = 0;
        for &keep in &kept {
            numbers.push(count);
            count += usize::from(keep);
        }
        writeln!(out, "HOA: v1")?;
        writeln!(out, "name: {}", quoted(&self.formula().to_string()))?;
        writeln!(out, "tool: \"ltlcrit\" {}", quoted(env!("CARGO_PKG_VERSION")))?;
        writeln!(out, "States: {count}")?;
        // Without a start state the automaton accepts nothing.
        if kept.first() == Some(&true) {
            writeln!(out, "Start: 0")?;
        }
        write!(out, "AP: {}", self.propositions().len())?;
        for proposition in self.propositions() {
            write!(out, " {}", quoted(proposition))?;
        }
        if finite {
            writeln!(out, "\nacc-name: Buchi\nAcceptance: 1 Inf(0)")?;
            writeln!(out, "properties: trans-labels explicit-labels state-acc complete deterministic")?;
            writeln!(out, "ltlcrit-reading: \"a finite word is accepted iff it ends in a state of set 0\"")?;
        } else {
            writeln!(out, "\nacc-name: all\nAcceptance: 0 t")?;
            writeln!(out, "properties: trans-labels explicit-labels state-acc deterministic")?;
            writeln!(out, "ltlcrit-reading: \"a finite word is not yet violated iff it can be read\"")?;
        }
        writeln!(out, "--BODY--")?;
        for (number, state) in self.states().iter().enumerate().filter(|(number, _)| kept[*number]) {
            let name = match state.verdict {
                Verdict::Violated => "violated",
                Verdict::Pending => "pending",
                Verdict::Clear => "clear",
                Verdict::Satisfied => "satisfied",
            };
            let set = if finite && state.verdict.accepts() { " {0}" } else { "" };
            writeln!(out, "State: {} \"{name}\"{set}", numbers[number])?;
            for edge in state.edges.iter().filter(|edge| kept[edge.target]) {
                out.write_char('[')?;
                edge.guard.write(out, "t", &|out, proposition| write!(out, "{proposition}"))?;
                writeln!(out, "] {}", numbers[edge.target])?;
            }
        }
        writeln!(out, "--END--")
    }
}

/// A string of the format: a backslash stands before a quote and a backslash.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
