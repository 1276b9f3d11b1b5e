//! Propositions that a vocabulary does not list, with the name that was probably meant.

use std::collections::HashSet;

use super::SyntaxError;
use super::lexer::{Kind, Token};
use crate::vocabulary::Vocabulary;

/// The most unknown propositions reported of one text: each costs a search for what was meant.
pub(crate) const MOST_UNKNOWN: usize = 20;
/// The longest name, in characters, for which a similar one is looked for.
const LONGEST_GUESSED: usize = 80;

/// Checks that every proposition is in the vocabulary; reports each unknown one where it first stands, the first `most`
/// of them.
pub(super) fn check(text: &str, tokens: &[Token], vocabulary: &Vocabulary, most: usize) -> Result<(), SyntaxError> {
    let mut seen = HashSet::new();
    let errors = tokens.iter().filter_map(|token| match &token.kind {
        Kind::Atom(name) if vocabulary.id(name).is_none() && seen.insert(name.clone()) => {
            Some(unknown(text, token, name, vocabulary))
        }
        _ => None,
    });
    SyntaxError::join(errors.take(most)).map_or(Ok(()), Err)
}

fn unknown(text: &str, token: &Token, name: &str, vocabulary: &Vocabulary) -> SyntaxError {
    let message = format!("`{name}` is not a proposition of the vocabulary `{}`", vocabulary.name());
    let error = SyntaxError::new(text, token.span.clone(), message);
    match nearest(name, vocabulary) {
        Some(meant) => error.suggest(meant),
        None => error,
    }
}

/// The proposition of a vocabulary whose name a misspelt one most resembles, as [`nearest_name`] finds it. An operator
/// written without a space before a name is recognised too.
pub fn nearest(name: &str, vocabulary: &Vocabulary) -> Option<String> {
    // `Gobs_has_log`: operators written without a space.
    let rest = name.trim_start_matches(['G', 'F', 'X']);
    if rest.len() < name.len() && vocabulary.id(rest).is_some() {
        return Some(format!("{} {rest}", &name[..name.len() - rest.len()]));
    }
    nearest_name(name, vocabulary.propositions().iter().map(|proposition| &*proposition.name)).map(str::to_owned)
}

/// The known name that a misspelt one most resembles, if any differs in at most a quarter of its characters; the first
/// of several. Letter case is ignored. Names of more than 80 characters resemble none.
///
/// ```
/// use ltlcrit_verifier::syntax::nearest_name;
///
/// assert_eq!(nearest_name("strenght", ["status", "strength"]), Some("strength"));
/// assert_eq!(nearest_name("colour", ["status", "strength"]), None);
/// ```
pub fn nearest_name<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = name.chars().count();
    if length > LONGEST_GUESSED {
        return None;
    }
    let wanted = name.to_lowercase();
    let tolerance = match length {
        0..3 => 0,
        length => (length / 4).clamp(1, 5),
    };
    known
        .into_iter()
        // Comparing names takes time; their lengths alone rule most of them out.
        .filter(|known| known.chars().count().abs_diff(length) <= tolerance)
        .map(|known| (strsim::damerau_levenshtein(&wanted, &known.to_lowercase()), known))
        .filter(|(distance, _)| *distance <= tolerance)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, known)| known)
}
