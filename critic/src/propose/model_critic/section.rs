//! Sections of a prompt, and the choice of their lines that fit.

/// The maximum length of the notice of lines left out, in bytes.
const NOTICE: usize = 60;

/// A part of the prompt.
#[derive(Clone, Debug)]
pub(super) struct Section {
    /// The heading, which is always shown.
    heading: String,
    /// The most telling line first. Lines that do not fit are left out from the end.
    lines: Vec<String>,
    /// The maximum share that it takes at first of the room that the sections before it left, in percent.
    share: usize,
}

impl Section {
    pub fn new(heading: impl Into<String>, share: usize, lines: impl IntoIterator<Item = String>) -> Self {
        Self { heading: heading.into(), share, lines: lines.into_iter().collect() }
    }

    /// Returns the length without any line.
    fn bare(&self) -> usize {
        self.heading.len() + 2 + if self.lines.is_empty() { 0 } else { NOTICE }
    }
}

/// Writes sections into at most `bytes`, the more important ones first, and counts the lines that are left out.
///
/// Headings and notices are always shown, so there must be room for these.
pub(super) fn fit(sections: &[Section], bytes: usize) -> String {
    let mut room = bytes.saturating_sub(sections.iter().map(Section::bare).sum());
    let mut shown = vec![0; sections.len()];
    // In the second round, sections take the room that no other one needs.
    for is_first in [true, false] {
        for (section, shown) in sections.iter().zip(&mut shown) {
            let share = if is_first { room.saturating_mul(section.share) / 100 } else { room };
            let mut left = share;
            while let Some(rest) = section.lines.get(*shown).and_then(|line| left.checked_sub(line.len() + 1)) {
                left = rest;
                *shown += 1;
            }
            room -= share - left;
        }
    }
    let mut text = String::with_capacity(bytes);
    for (section, shown) in sections.iter().zip(shown) {
        let lines = section.lines[..shown].iter().map(String::as_str);
        text.extend(std::iter::once(section.heading.as_str()).chain(lines).flat_map(|line| [line, "\n"]));
        if shown < section.lines.len() {
            text.push_str(&format!("(left out for want of room: {} lines)\n", section.lines.len() - shown));
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn section(number: usize, share: usize, lines: &[&str]) -> Section {
        Section::new(format!("Section {number}:"), share, lines.iter().map(|line| (*line).to_owned()))
    }

    #[test]
    fn lines_that_do_not_fit_are_counted() {
        let sections = [section(1, 100, &["aaaa", "bbbb", "cccc"])];
        let bare = sections[0].bare();
        assert_eq!(fit(&sections, bare + 15), "Section 1:\naaaa\nbbbb\ncccc\n\n");
        assert_eq!(fit(&sections, bare + 14), "Section 1:\naaaa\nbbbb\n(left out for want of room: 1 lines)\n\n");
        assert_eq!(fit(&sections, 0), "Section 1:\n(left out for want of room: 3 lines)\n\n");
    }

    #[test]
    fn shares_bound_sections_and_no_room_is_wasted() {
        let line = "x".repeat(99);
        let lines = [line.as_str(); 4];
        let sections = [section(1, 50, &lines), section(2, 100, &lines)];
        let bare: usize = sections.iter().map(Section::bare).sum();
        let counts = |bytes: usize| -> Vec<usize> {
            let text = fit(&sections, bare + bytes);
            text.split("\n\n").take(2).map(|part| part.matches(&line).count()).collect()
        };
        assert_eq!(counts(400), [2, 2]);
        assert_eq!(counts(700), [3, 4]);
        assert_eq!(counts(800), [4, 4]);
        assert_eq!(counts(100), [0, 1], "half of the room is not enough for a line");
    }

    proptest! {
        #[test]
        fn the_room_is_kept(
            parts in prop::collection::vec((0..=100usize, prop::collection::vec("[a-z]{0,80}", 0..12)), 0..8),
            more in 0..3000usize,
        ) {
            let sections: Vec<Section> =
                parts.into_iter().map(|(share, lines)| Section::new("Section:", share, lines)).collect();
            let bytes = sections.iter().map(Section::bare).sum::<usize>() + more;
            let text = fit(&sections, bytes);
            prop_assert!(text.len() <= bytes, "{} of {bytes}", text.len());
        }
    }
}
