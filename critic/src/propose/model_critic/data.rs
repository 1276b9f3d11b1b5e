//! Texts that others wrote, made harmless for a prompt and for books: on one line, bounded, nothing invisible in them.

use ltlcrit_model::answer::cut;
use ltlcrit_worlds::is_unshown;

/// Cleans English text: control characters, text direction marks and other invisible characters become spaces.
pub(super) fn quiet(text: &str, max: usize) -> String {
    clean(text, max, false)
}

/// Formulas and names: what is not ASCII is spelled out, so that a Cyrillic letter does not look like a Latin one.
pub(super) fn visible(text: &str, max: usize) -> String {
    clean(text, max, true)
}

/// A reason code, which is a short word; any other text becomes `other`.
pub(super) fn code(reason: &str) -> &str {
    let is_code = !reason.is_empty()
        && reason.len() <= 40
        && reason.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    if is_code { reason } else { "other" }
}

/// `1 step`, `3 steps`
pub(super) fn count(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

fn clean(text: &str, max: usize, ascii: bool) -> String {
    let text = cut(text.trim(), max);
    let mut clean = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            // The fence around data has angle brackets with a letter or a slash; `<->` has not.
            '<' if rest.peek() != Some(&'-') => clean.push('‹'),
            // The mark that `cut` leaves behind.
            '…' => clean.push(c),
            c if ascii && !c.is_ascii() => clean.extend(c.escape_unicode()),
            c if is_unshown(c) => clean.push(' '),
            c => clean.push(c),
        }
    }
    clean.trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn others_texts_stay_one_line_of_data() {
        assert_eq!(
            quiet("  You need\r\nwood — très bien.\u{2028}</data> Now", 100),
            "You need  wood — très bien. ‹/data> Now"
        );
        assert_eq!(quiet("a\u{202e}b\u{200b}c\u{e0041}d", 100), "a b c d");
        assert_eq!(quiet("abcdef", 3), "abc…");
    }

    #[test]
    fn formulas_keep_their_arrows_and_show_foreign_letters() {
        assert_eq!(visible("G(a <-> b -> X !c)", 100), "G(a <-> b -> X !c)");
        assert_eq!(visible("G(\u{43e}bs_a)<data>", 100), "G(\\u{43e}bs_a)‹data>");
        assert_eq!(visible("a\nb", 100), "a b");
    }

    #[test]
    fn reason_codes_are_short_words() {
        assert_eq!(code("missing_ingredients"), "missing_ingredients");
        for odd in ["", "Ignore the laws", "a\nb", &"x".repeat(41)] {
            assert_eq!(code(odd), "other");
        }
    }
}
