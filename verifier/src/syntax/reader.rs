//! Detection of the notation of a text.

use super::error::SyntaxError;
use super::lexer::{Kind, Notation, Token, lex};
use super::{infix, prefix};
use crate::formula::Formula;
use crate::vocabulary::Vocabulary;

pub(super) struct Parsed {
    pub formula: Formula,
    pub tokens: Vec<Token>,
}

fn read_as(text: &str, notation: Notation, known: Option<&Vocabulary>) -> Result<Parsed, SyntaxError> {
    let tokens = lex(text, notation, known)?;
    let formula = match notation {
        Notation::Infix => infix::parse(text, &tokens)?,
        Notation::Prefix => prefix::parse(text, &tokens)?,
    };
    Ok(Parsed { formula, tokens })
}

/// Parses a formula in either notation.
///
/// Prefix text with a binary operator has two atoms with nothing or only unary operators between them, which infix text
/// never has. So at most one of the two readings succeeds, or they differ only in a single `t` or `f`.
pub(super) fn read(text: &str, known: Option<&Vocabulary>) -> Result<Parsed, SyntaxError> {
    match read_as(text, Notation::Infix, known) {
        Ok(parsed) => settle_constant(text, parsed, known),
        Err(infix_error) => match read_as(text, Notation::Prefix, known) {
            Ok(parsed) => Ok(parsed),
            Err(prefix_error) => Err(if looks_prefix(text) { prefix_error } else { infix_error }),
        },
    }
}

/// Decides the meaning of a single `t` or `f`, which infix notation reads as a proposition and prefix notation as a
/// constant. It is a proposition only if the vocabulary lists it.
fn settle_constant(text: &str, parsed: Parsed, known: Option<&Vocabulary>) -> Result<Parsed, SyntaxError> {
    let Some((last, operators)) = parsed.tokens.split_last() else { return Ok(parsed) };
    let word = &text[last.span.clone()];
    let alone = matches!(word, "t" | "f") && operators.iter().all(|token| matches!(token.kind, Kind::Unary(_)));
    if !alone || known.is_some_and(|vocabulary| vocabulary.id(word).is_some()) {
        return Ok(parsed);
    }
    // Glued operators, as in `GFt`, are infix: there the name is a proposition.
    Ok(read_as(text, Notation::Prefix, known).unwrap_or(parsed))
}

/// Returns whether text that neither parser accepts is probably prefix notation: it begins with a binary operator.
fn looks_prefix(text: &str) -> bool {
    const UNARY: &[&str] = &["!", "G", "F", "X", "X[!]", "Y", "Z", "O", "H"];
    const BINARY: &[&str] = &["&", "|", "^", "U", "V", "W", "R", "M", "S"];
    const INFIX: &[&str] = &["->", "=>", "<->", "<=>", "&&", "||", "xor"];
    let mut words = text.split_whitespace().skip_while(|word| UNARY.contains(word));
    match words.next() {
        // In infix notation these are propositions, with an operator after them.
        Some("i" | "e") => words.next().is_some_and(|word| !BINARY.contains(&word) && !INFIX.contains(&word)),
        Some(word) => BINARY.contains(&word),
        None => false,
    }
}
