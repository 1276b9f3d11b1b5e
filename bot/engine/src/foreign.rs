//! Characters of foreign text that a terminal or a page obeys instead of showing them.

/// Replaces a character that is not shown.
pub const REPLACEMENT: char = '\u{fffd}';

/// Whether a reader's program obeys this character instead of showing it, or reorders others for it.
pub fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c,
            // Soft hyphen, bidirectional and other invisible format controls, line and paragraph separators, tags.
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}
