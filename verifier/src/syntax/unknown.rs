//! Propositions that a vocabulary does not list, with the probably intended names.

use std::collections::HashSet;
use std::ops::Range;

use super::error::SyntaxError;
use super::lexer::{Kind, Token};
use crate::vocabulary::Vocabulary;

/// Maximum number of unknown propositions reported for one text: each costs a search for the intended name.
pub(crate) const MAX_UNKNOWN: usize = 20;

/// Checks that every proposition is in the vocabulary. Reports the first `most` unknown ones, each at its first
/// occurrence.
pub(super) fn check(text: &str, tokens: &[Token], vocabulary: &Vocabulary, most: usize) -> Result<(), SyntaxError> {
    let mut seen = HashSet::new();
    let errors = tokens.iter().filter_map(|token| match &token.kind {
        Kind::Atom(name) if vocabulary.id(name).is_none() && seen.insert(name.clone()) => {
            Some(unknown_name(text, token.span.clone(), name, vocabulary))
        }
        _ => None,
    });
    SyntaxError::join(errors.take(most)).map_or(Ok(()), Err)
}

/// Returns the error for a name that is not in the vocabulary, with the probably intended one.
pub(crate) fn unknown_name(text: &str, span: Range<usize>, name: &str, vocabulary: &Vocabulary) -> SyntaxError {
    let message = format!("`{name}` is not a proposition of the vocabulary `{}`", vocabulary.name());
    let mut error = SyntaxError::new(text, span, message);
    error.suggestion = vocabulary.nearest(name);
    error
}
