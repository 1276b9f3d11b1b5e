//! Input of `ltlcrit ltl`: comments, and errors of formulas and words.

use ltlcrit_verifier::SyntaxError;

use crate::cli::output::CliError;

/// The error of a formula or word. `place` names the text; line and column are added. If the text is only part of the
/// line that `place` names, `offset` is the number of characters before it.
pub fn bad_text(what: &str, place: &str, offset: Option<usize>, error: &SyntaxError) -> CliError {
    let count = error.all().count();
    let message = if count == 1 { error.message.clone() } else { format!("{count} problems in the {what}") };
    let wrong = CliError::input(message).at(match offset {
        None => format!("{place}:{}:{}", error.line, error.column),
        Some(before) => format!("{place}:{}", error.column + before),
    });
    if count > 1 {
        return wrong.detail(error.render());
    }
    let suggestion = error.suggestion.as_ref().map(|suggestion| format!("did you mean `{suggestion}`?"));
    wrong.detail(error.excerpt()).optional_help(suggestion)
}

/// The line of a formula without its comment, which begins with `#` outside a quoted name.
pub fn without_comment(line: &str) -> &str {
    let (mut quoted, mut escaped) = (false, false);
    for (at, c) in line.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            '#' if !quoted => return &line[..at],
            _ => {}
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments() {
        assert_eq!(without_comment("a # b"), "a ");
        assert_eq!(without_comment(r##""a#\"#" & b # c "d""##), r##""a#\"#" & b "##);
        assert_eq!(without_comment("a"), "a");
    }
}
