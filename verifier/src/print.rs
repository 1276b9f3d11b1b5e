//! The two printers: Spot's infix syntax and LBT's prefix syntax. What they print parses back to the same formula.

use std::fmt;

use crate::formula::Formula;

/// Writes a formula fully parenthesised in infix syntax.
pub(crate) fn infix(formula: &Formula, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    use Formula::*;
    let (a, symbol, b) = match formula {
        True => return f.write_str("true"),
        False => return f.write_str("false"),
        Atom(name) => return f.write_str(name),
        Not(a) => return write!(f, "!{a}"),
        Next(a) => return write!(f, "X{a}"),
        StrongNext(a) => return write!(f, "X[!]{a}"),
        Globally(a) => return write!(f, "G{a}"),
        Finally(a) => return write!(f, "F{a}"),
        And(a, b) => (a, "&", b),
        Or(a, b) => (a, "|", b),
        Implies(a, b) => (a, "->", b),
        Iff(a, b) => (a, "<->", b),
        Xor(a, b) => (a, "xor", b),
        Until(a, b) => (a, "U", b),
        WeakUntil(a, b) => (a, "W", b),
        Release(a, b) => (a, "R", b),
        StrongRelease(a, b) => (a, "M", b),
    };
    write!(f, "({a} {symbol} {b})")
}
