//! Parsers of formulas: Spot's infix syntax and LBT's prefix (Polish) syntax.
//!
//! # Infix
//! From loosest to tightest, as in Spot:
//!
//! | operators | also written | associates |
//! | --- | --- | --- |
//! | `->` `<->` | `=>` `→`, `<=>` `↔` | right |
//! | `\|` | `\|\|` `\/` `∨` | left |
//! | `xor` | `^` `⊕` | left |
//! | `&` | `&&` `/\` `∧` | left |
//! | `U` `W` `R` `M` `S` | `V` for `R` | right |
//! | `!` `X` `X[!]` `F` `G` `Y` `Z` `O` `H` | `~` `¬`, `○`, `<>` `◇`, `[]` `□` | before their operand |
//!
//! A chain of more than 129 operands of `&`, `|` or `xor` is parsed as a balanced tree.
//!
//! **Bounds and counts**: `F[<=5] a` is true if `a` holds now or within the next five positions, `G[<=5] a` if it holds
//! now and in all of them. `X[3] a` stands for `X X X a`, and `X[!][3] a` for three strong ones. `at_most(3, a)` and
//! `at_least(3, a)` count the positions from this one to the end of the word at which `a` holds; `at_most[3] a` and
//! `at_least[3] a` are the same, and the only forms in prefix notation. All numbers of a formula together are at most
//! 10,000.
//!
//! **Past operators**: `Y a`, `a` held at the position before; `Z a`, the same, and true at the first position; `O a`,
//! `a` holds or held once; `H a`, it holds and always held; `a S b`, `a` held since `b`. Their operands have no operator
//! that looks ahead.
//!
//! Constants are `true` `1` `⊤` and `false` `0` `⊥`.
//!
//! # Propositions
//! A **word** is a run of letters, digits and underscores that does not begin with a digit. A word is one proposition,
//! for any initial letters (`Found`, `F_x`, `Xray`, `action_x`), with these exceptions only:
//!
//! 1. `G F X U V W R M Y Z O H S xor true false` alone are operators and constants, and so are `at_most` and `at_least`
//!    before `[` or before `(` with a number;
//! 2. a word of nothing but `G`, `F` and `X` is that many operators: `GF a`, `XX(a)`;
//! 3. such letters glued to a *short name*, one lower-case letter and perhaps digits, are operators before it:
//!    `GFa`, `Xp0`, `Fb`. Formula collections are written so. A longer name after them is part of the word.
//!
//! A vocabulary that lists the whole word overrides exceptions 2 and 3. A word directly before `(` that is neither 1
//! nor 2 is a predicate, `is_on(book, book_shelf)`: one proposition with normalised spacing. An argument that begins
//! with `?` is a parameter, which is later replaced by objects. Any other name is written in double quotes, where `\`
//! escapes; quotes always make a proposition: `"G"`, `"at-home"`.
//!
//! # Prefix
//! Operators come before their operands, without parentheses: `W ! a b`, `G i a F b`. Each of
//! `! & | ^ i e X X[!] F G U V W R M Y Z O H S t f` is an operator or constant only as a whole token. `i` is `->`, `e` is `<->`,
//! and `t` and `f` are the constants. Words and predicates are as above, but glued operators are refused.
//!
//! [`parse`] detects the notation. No text with a binary operator is valid in both notations, and a text without one
//! means the same in both. The only exception is a single `t` or `f`, as in `X f`: it is a constant unless a vocabulary
//! lists such a proposition. The infix printer quotes propositions of these two names.

mod error;
mod infix;
mod lexer;
mod limits;
mod prefix;
mod reader;
mod unknown;

use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

pub use error::SyntaxError;
pub use lexer::Notation;
pub(crate) use lexer::{AT_LEAST, AT_MOST, is_plain, name_at};
pub use limits::{MAX_BOUND, MAX_CHAIN, MAX_DEPTH, MAX_LENGTH, MAX_NAME};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
pub(crate) use unknown::{MAX_UNKNOWN, unknown_name};

use crate::formula::Formula;
pub use crate::nearest::nearest_name;
use crate::vocabulary::Vocabulary;

/// Parses a formula in either notation.
///
/// # Errors
/// The place where the text stops making sense, and what would be right.
pub fn parse(text: &str) -> Result<Formula, SyntaxError> {
    reader::read(text, None).map(|parsed| parsed.formula)
}

/// Parses a formula in either notation whose propositions must all be in `vocabulary`.
///
/// # Errors
/// As [`parse`]; or the unknown propositions ([`SyntaxError::all`]), at most 20, with the nearest known names.
pub fn parse_over(text: &str, vocabulary: &Vocabulary) -> Result<Formula, SyntaxError> {
    let parsed = reader::read(text, Some(vocabulary))?;
    unknown::check(text, &parsed.tokens, vocabulary, MAX_UNKNOWN)?;
    Ok(parsed.formula)
}

/// Returns whether [`parse_over`] accepts the text, without the cost of an error message.
pub fn reads_over(text: &str, vocabulary: &Vocabulary) -> bool {
    reader::read(text, Some(vocabulary))
        .is_ok_and(|parsed| parsed.formula.atoms().iter().all(|atom| vocabulary.id(atom).is_some()))
}

/// The name of a proposition, with its byte range in the text.
pub type PlacedName = (Arc<str>, Range<usize>);

/// Returns the propositions of a formula in either notation, each with its byte range, in the order of the text.
///
/// # Errors
/// As [`parse`].
pub fn propositions(text: &str) -> Result<Vec<PlacedName>, SyntaxError> {
    let tokens = reader::read(text, None)?.tokens;
    let proposition = |token: lexer::Token| match token.kind {
        lexer::Kind::Atom(name) => Some((name, token.span)),
        _ => None,
    };
    Ok(tokens.into_iter().filter_map(proposition).collect())
}

/// Parses a formula in Spot's infix syntax.
///
/// # Errors
/// The place where the text stops making sense, and what would be right.
pub fn parse_infix(text: &str) -> Result<Formula, SyntaxError> {
    infix::parse(text, &lexer::lex(text, Notation::Infix, None)?)
}

/// Parses a formula in LBT's prefix syntax.
///
/// # Errors
/// The place where the text stops making sense, and what would be right.
pub fn parse_prefix(text: &str) -> Result<Formula, SyntaxError> {
    prefix::parse(text, &lexer::lex(text, Notation::Prefix, None)?)
}

/// Writes a name in double quotes, in the form that both parsers read.
pub(crate) fn write_quoted(name: &str, out: &mut dyn std::fmt::Write) -> std::fmt::Result {
    let escaped =
        name.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\r', "\\r").replace('\t', "\\t");
    write!(out, "\"{escaped}\"")
}

impl FromStr for Formula {
    type Err = SyntaxError;

    fn from_str(text: &str) -> Result<Self, SyntaxError> {
        parse(text)
    }
}

/// Writes a formula as its infix text.
impl Serialize for Formula {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Formula {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        parse(&text).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests;
