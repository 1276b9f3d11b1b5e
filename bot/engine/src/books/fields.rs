//! Checks the derived observations of books against the observations of their world.

use ltlcrit_laws::{Book, BookErrors, Code, Diagnostic, Severity};
use ltlcrit_verifier::Vocabulary;
use ltlcrit_worlds::{MismatchKind, Shape};

use crate::world::fixed_vocabularies;

/// Returns the shape of the observations of the world with this vocabulary, or `None` if no world of this program has
/// it.
fn shape_of(vocabulary: &str) -> Option<Shape> {
    let (kind, _) = fixed_vocabularies().into_iter().find(|(_, known)| known.name() == vocabulary)?;
    Some(kind.shape())
}

/// Finds the definitions of a book that can never hold, in the order of the text. A field that the world's observations
/// cannot have is an error. A name that matches nothing there is a warning. A number that only grows is a note.
pub fn findings(book: &Book) -> Vec<Diagnostic> {
    let Some(shape) = shape_of(book.vocabulary().name()) else { return Vec::new() };
    let finding = |entry: &ltlcrit_laws::DerivedEntry| {
        let found = shape.check(entry.definition.quantity()).err()?;
        let (severity, code) = match found.kind {
            MismatchKind::NoSuchField => (Severity::Error, Code::NoSuchField),
            MismatchKind::MatchesNothing => (Severity::Warning, Code::MatchesNothing),
            MismatchKind::OnlyGrows => (Severity::Note, Code::OnlyGrows),
        };
        let diagnostic = Diagnostic::new(severity, code, format!("`{}`: {}", entry.name, found.message));
        Some(diagnostic.at(book.source(), entry.definition_place.clone()).help(found.help))
    };
    book.derived().iter().filter_map(finding).collect()
}

/// Returns the warnings among the [findings].
///
/// # Errors
/// Returns the errors among them: laws over such definitions would protect nothing.
pub fn check(book: &Book) -> Result<Vec<Diagnostic>, BookErrors> {
    let (errors, warnings): (Vec<_>, Vec<_>) =
        findings(book).into_iter().partition(|finding| finding.severity == Severity::Error);
    if errors.is_empty() { Ok(warnings) } else { Err(BookErrors { diagnostics: errors, more: 0 }) }
}

/// Describes the derived observations of a stored vocabulary that can never hold, one a line.
pub fn stored(vocabulary: &Vocabulary) -> Vec<String> {
    let Some(shape) = shape_of(vocabulary.name()) else { return Vec::new() };
    let derived = vocabulary.derivations().filter_map(|one| Some((&one.name, one.definition.as_ref()?)));
    derived
        .filter_map(|(name, definition)| {
            let found =
                shape.check(definition.quantity()).err().filter(|found| found.kind != MismatchKind::OnlyGrows)?;
            Some(format!("`{name}` is derived as `{definition}`, but {found}"))
        })
        .collect()
}
