//! DOT, for Graphviz: accepting states have a double border, permanently violated ones are red, permanently satisfied
//! ones green.

use std::fmt::{self, Write};

use super::Automaton;
use crate::verdict::Verdict;

impl Automaton {
    /// Returns the automaton in the DOT language.
    pub fn to_dot(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_dot(&mut out);
        out
    }

    fn write_dot(&self, out: &mut dyn Write) -> fmt::Result {
        writeln!(out, "digraph monitor {{")?;
        writeln!(out, "  label={};", quoted(&self.formula().to_string()))?;
        writeln!(out, "  labelloc=t;\n  rankdir=LR;\n  node [shape=circle, style=filled, fillcolor=white];")?;
        writeln!(out, "  start [shape=point, style=solid, label=\"\"];\n  start -> 0;")?;
        for (number, state) in self.states().iter().enumerate() {
            let name = state.name();
            let colour = match state.verdict {
                Verdict::Violated => ", fillcolor=\"#f4c7c3\"",
                Verdict::Satisfied => ", fillcolor=\"#c8e6c9\"",
                Verdict::Pending | Verdict::Clear => "",
            };
            let shape = if state.verdict.accepts() { ", shape=doublecircle" } else { "" };
            writeln!(out, "  {number} [label=\"{number}\\n{name}\"{shape}{colour}];")?;
        }
        for (number, state) in self.states().iter().enumerate() {
            for edge in &state.edges {
                let mut label = String::new();
                edge.guard.write(&mut label, "true", &|out, proposition| {
                    out.write_str(&crate::Formula::atom(self.propositions()[proposition].clone()).to_string())
                })?;
                writeln!(out, "  {number} -> {} [label={}];", edge.target, quoted(&label))?;
            }
        }
        writeln!(out, "}}")
    }
}

/// Returns a DOT string: only quotes and backslashes are special in it.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace(['\n', '\r'], " "))
}
