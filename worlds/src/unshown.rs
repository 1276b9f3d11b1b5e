//! Invisible characters in foreign text.

/// The replacement for an invisible character.
pub const REPLACEMENT: char = '\u{fffd}';

/// Returns whether a character is invisible and may mislead a terminal, a model or a reader: control characters,
/// direction marks, line separators, joiners, variation selectors, fillers and tags.
pub fn is_unshown(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{3164}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// Replaces a character that is invisible, unless it is one of those kept.
pub fn visible(c: char, kept: &[char]) -> char {
    if is_unshown(c) && !kept.contains(&c) { REPLACEMENT } else { c }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invisible_characters_are_replaced_unless_they_are_kept() {
        let text: String = "a\u{1b}\t\nb".chars().map(|c| visible(c, &['\n'])).collect();
        assert_eq!(text, "a\u{fffd}\u{fffd}\nb");
    }

    #[test]
    fn what_is_read_is_shown() {
        assert!("Añ 木 <\u{1f332}> é…".chars().all(|c| !is_unshown(c)));
        assert!("\u{1b}\r\u{9b}\u{202e}\u{2066}\u{200b}\u{feff}\u{e0041}\u{2028}".chars().all(is_unshown));
    }
}
