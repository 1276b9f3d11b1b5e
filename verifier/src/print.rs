//! The two printers: Spot's infix syntax and LBT's prefix syntax. Printed text parses back to the same formula within
//! the parsers' limits: names neither empty nor too long, nesting not too deep, chains not too long.

use std::fmt::{self, Write};

use crate::formula::Formula;
use crate::syntax::{self, Notation};

/// Returns the precedence of a formula's main operator in infix syntax (a higher one binds tighter), as in
/// [`crate::syntax`].
fn tightness(formula: &Formula) -> u8 {
    use Formula::*;
    match formula {
        Implies(..) | Iff(..) => 1,
        Or(..) => 2,
        Xor(..) => 3,
        And(..) => 4,
        Until(..) | WeakUntil(..) | Release(..) | StrongRelease(..) => 5,
        Not(_) | Next(_) | StrongNext(_) | Globally(_) | Finally(_) => 6,
        True | False | Atom(_) => 7,
    }
}

/// Returns the two operands and the symbols, infix and prefix, of a binary operator.
fn binary(formula: &Formula) -> Option<(&Formula, &'static str, &'static str, &Formula)> {
    use Formula::*;
    Some(match formula {
        And(a, b) => (a, "&", "&", b),
        Or(a, b) => (a, "|", "|", b),
        Implies(a, b) => (a, "->", "i", b),
        Iff(a, b) => (a, "<->", "e", b),
        Xor(a, b) => (a, "xor", "^", b),
        Until(a, b) => (a, "U", "U", b),
        WeakUntil(a, b) => (a, "W", "W", b),
        Release(a, b) => (a, "R", "R", b),
        StrongRelease(a, b) => (a, "M", "M", b),
        True | False | Atom(_) | Not(_) | Next(_) | StrongNext(_) | Globally(_) | Finally(_) => return None,
    })
}

/// Returns the operand and the symbol of a unary operator.
fn unary(formula: &Formula) -> Option<(&'static str, &Formula)> {
    use Formula::*;
    Some(match formula {
        Not(a) => ("!", a),
        Next(a) => ("X", a),
        StrongNext(a) => ("X[!]", a),
        Globally(a) => ("G", a),
        Finally(a) => ("F", a),
        _ => return None,
    })
}

fn name(name: &str, notation: Notation, out: &mut dyn Write) -> fmt::Result {
    if syntax::is_plain(name, notation) {
        return out.write_str(name);
    }
    syntax::write_quoted(name, out)
}

/// Writes a formula in infix syntax with only the necessary parentheses.
fn infix(formula: &Formula, out: &mut dyn Write) -> fmt::Result {
    if let Some((symbol, operand)) = unary(formula) {
        out.write_str(symbol)?;
        let grouped = tightness(operand) < 6;
        if !grouped && symbol != "!" {
            out.write_char(' ')?;
        }
        return group(operand, grouped, out);
    }
    if let Some((left, symbol, _, right)) = binary(formula) {
        let own = tightness(formula);
        let associates_right = matches!(own, 1 | 5);
        group(left, tightness(left) < own + u8::from(associates_right), out)?;
        write!(out, " {symbol} ")?;
        return group(right, tightness(right) < own + u8::from(!associates_right), out);
    }
    match formula {
        Formula::Atom(atom) => name(atom, Notation::Infix, out),
        Formula::True => out.write_str("true"),
        _ => out.write_str("false"),
    }
}

fn group(formula: &Formula, grouped: bool, out: &mut dyn Write) -> fmt::Result {
    if !grouped {
        return infix(formula, out);
    }
    out.write_char('(')?;
    infix(formula, out)?;
    out.write_char(')')
}

fn prefix(formula: &Formula, out: &mut dyn Write) -> fmt::Result {
    if let Some((symbol, operand)) = unary(formula) {
        write!(out, "{symbol} ")?;
        return prefix(operand, out);
    }
    if let Some((left, _, symbol, right)) = binary(formula) {
        write!(out, "{symbol} ")?;
        prefix(left, out)?;
        out.write_char(' ')?;
        return prefix(right, out);
    }
    match formula {
        Formula::Atom(atom) => name(atom, Notation::Prefix, out),
        Formula::True => out.write_char('t'),
        _ => out.write_char('f'),
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        infix(self, f)
    }
}

impl Formula {
    /// Returns the formula in LBT's prefix syntax, such as `G i a F b`. Release is written `R`; LBT itself writes `V`.
    pub fn to_prefix(&self) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = prefix(self, &mut text);
        text
    }
}

#[cfg(test)]
mod tests;
