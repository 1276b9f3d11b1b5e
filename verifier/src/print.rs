//! The two printers: Spot's infix syntax and LBT's prefix syntax. Printed text parses back to the same formula within
//! the parsers' limits: names neither empty nor too long, nesting not too deep, chains not too long.

use std::fmt::{self, Write};

use crate::formula::{Binary, Formula, Parts, Unary};
use crate::syntax::{self, AT_LEAST, AT_MOST, Notation};

/// The precedence of unary operators; see [`Binary::precedence`].
const UNARY: u8 = 6;

/// Returns the precedence of a formula's main operator in infix syntax.
fn tightness(formula: &Formula) -> u8 {
    match formula.parts() {
        Parts::Binary(operator, ..) => operator.precedence().0,
        Parts::Constant(_) | Parts::Atom(_) | Parts::Unary(Unary::AtLeast(_) | Unary::AtMost(_), _) => 7,
        Parts::Unary(..) => UNARY,
    }
}

impl Binary {
    /// Returns the symbols in infix and in prefix syntax.
    fn symbols(self) -> (&'static str, &'static str) {
        match self {
            Self::And => ("&", "&"),
            Self::Or => ("|", "|"),
            Self::Implies => ("->", "i"),
            Self::Iff => ("<->", "e"),
            Self::Xor => ("xor", "^"),
            Self::Until => ("U", "U"),
            Self::WeakUntil => ("W", "W"),
            Self::Release => ("R", "R"),
            Self::StrongRelease => ("M", "M"),
            Self::Since => ("S", "S"),
        }
    }
}

impl Unary {
    fn write(self, out: &mut dyn Write) -> fmt::Result {
        out.write_str(match self {
            Self::Not => "!",
            Self::Next => "X",
            Self::StrongNext => "X[!]",
            Self::Globally => "G",
            Self::Finally => "F",
            Self::Yesterday => "Y",
            Self::WeakYesterday => "Z",
            Self::Once => "O",
            Self::Historically => "H",
            Self::GloballyWithin(bound) => return write!(out, "G[<={bound}]"),
            Self::FinallyWithin(bound) => return write!(out, "F[<={bound}]"),
            Self::AtLeast(count) => return write!(out, "{AT_LEAST}[{count}]"),
            Self::AtMost(count) => return write!(out, "{AT_MOST}[{count}]"),
        })
    }
}

fn name(name: &str, notation: Notation, out: &mut dyn Write) -> fmt::Result {
    if syntax::is_plain(name, notation) {
        return out.write_str(name);
    }
    syntax::write_quoted(name, out)
}

/// Writes a formula in infix syntax with only the necessary parentheses, or with those that tell how it is read: around each
/// operand of an operator of two that has another such operator.
fn infix(formula: &Formula, tells: bool, out: &mut dyn Write) -> fmt::Result {
    match formula.parts() {
        Parts::Constant(value) => out.write_str(if value { "true" } else { "false" }),
        Parts::Atom(atom) => name(atom, Notation::Infix, out),
        Parts::Unary(operator @ (Unary::AtLeast(count) | Unary::AtMost(count)), operand) => {
            write!(out, "{}({count}, ", if operator == Unary::AtMost(count) { AT_MOST } else { AT_LEAST })?;
            infix(operand, tells, out)?;
            out.write_char(')')
        }
        Parts::Unary(operator, operand) => {
            operator.write(out)?;
            let grouped = tightness(operand) < UNARY;
            if !grouped && operator != Unary::Not {
                out.write_char(' ')?;
            }
            group(operand, grouped, tells, out)
        }
        Parts::Binary(operator, left, right) => {
            let (own, associates_right) = operator.precedence();
            let differs = |operand: &Formula| matches!(operand.parts(), Parts::Binary(other, ..) if other != operator);
            let needs = |operand, least| tightness(operand) < least || tells && differs(operand);
            group(left, needs(left, own + u8::from(associates_right)), tells, out)?;
            write!(out, " {} ", operator.symbols().0)?;
            group(right, needs(right, own + u8::from(!associates_right)), tells, out)
        }
    }
}

fn group(formula: &Formula, grouped: bool, tells: bool, out: &mut dyn Write) -> fmt::Result {
    if !grouped {
        return infix(formula, tells, out);
    }
    out.write_char('(')?;
    infix(formula, tells, out)?;
    out.write_char(')')
}

fn prefix(formula: &Formula, out: &mut dyn Write) -> fmt::Result {
    match formula.parts() {
        Parts::Constant(value) => out.write_char(if value { 't' } else { 'f' }),
        Parts::Atom(atom) => name(atom, Notation::Prefix, out),
        Parts::Unary(operator, operand) => {
            operator.write(out)?;
            out.write_char(' ')?;
            prefix(operand, out)
        }
        Parts::Binary(operator, left, right) => {
            write!(out, "{} ", operator.symbols().1)?;
            prefix(left, out)?;
            out.write_char(' ')?;
            prefix(right, out)
        }
    }
}

/// `{}` writes the necessary parentheses, `{:#}` also those that tell how a formula is read: `a | (b & c)`.
impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        infix(self, f.alternate(), f)
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
