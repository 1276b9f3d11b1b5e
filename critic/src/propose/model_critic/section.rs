//! Sections of a prompt, and which of their lines fit into the room there is.

/// A line that stands or is left out as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// What it says.
    pub text: String,
    /// What is lost when it is left out, in the section's measure.
    pub weight: u64,
}

/// A part of the prompt.
#[derive(Clone, Debug)]
pub(super) struct Section {
    /// Always shown.
    pub heading: String,
    /// The more telling, the earlier: what does not fit is left out from the end.
    pub lines: Vec<Line>,
    /// The same lines in fewer words, one for each, for when the full ones take more than the share; else empty.
    pub short: Vec<String>,
    /// What the lines are: `laws`.
    pub what: &'static str,
    /// What weights count: `steps`. Empty: nothing.
    pub measure: &'static str,
    /// Sections with a lower rank are given room first.
    pub rank: u8,
    /// The most it may take at first, in percent of the room that those before it left.
    pub share: usize,
}

/// What the notice of lines left out takes at most.
const NOTICE: usize = 160;

impl Section {
    fn line(&self, at: usize, short: bool) -> &str {
        if short { &self.short[at] } else { &self.lines[at].text }
    }

    /// What it takes with no line in it.
    fn bare(&self) -> usize {
        self.heading.len() + 2 + if self.lines.is_empty() { 0 } else { NOTICE }
    }
}

/// How much of a section is shown.
#[derive(Clone, Copy, Default)]
struct Shown {
    lines: usize,
    short: bool,
}

/// The sections in their order, in so many bytes at most; what is left out is said and counted.
///
/// Headings and notices always stand, so the room must be enough for these.
pub(super) fn fit(sections: &[Section], bytes: usize) -> String {
    let mut room = bytes.saturating_sub(sections.iter().map(Section::bare).sum());
    let mut shown = vec![Shown::default(); sections.len()];
    let mut order: Vec<usize> = (0..sections.len()).collect();
    order.sort_by_key(|at| sections[*at].rank);
    for &at in &order {
        let section = &sections[at];
        let share = room.saturating_mul(section.share) / 100;
        let whole: usize = section.lines.iter().map(|line| line.text.len() + 1).sum();
        shown[at].short = whole > share && !section.short.is_empty();
        room -= extend(section, &mut shown[at], share);
    }
    // What nobody else wants may exceed the share.
    for &at in &order {
        room -= extend(&sections[at], &mut shown[at], room);
    }
    let mut text = String::with_capacity(bytes);
    for (section, shown) in sections.iter().zip(shown) {
        text.push_str(&section.heading);
        text.push('\n');
        for at in 0..shown.lines {
            text.push_str(section.line(at, shown.short));
            text.push('\n');
        }
        if let Some(notice) = notice(section, shown) {
            text.push_str(&notice);
            text.push('\n');
        }
        text.push('\n');
    }
    text
}

/// Shows further lines, as many as fit; how many bytes they take.
fn extend(section: &Section, shown: &mut Shown, room: usize) -> usize {
    let mut taken = 0;
    while shown.lines < section.lines.len() {
        let length = section.line(shown.lines, shown.short).len() + 1;
        if taken + length > room {
            break;
        }
        taken += length;
        shown.lines += 1;
    }
    taken
}

fn notice(section: &Section, shown: Shown) -> Option<String> {
    let left = &section.lines[shown.lines..];
    let what = section.what;
    let mut notice = match (left.len(), section.measure) {
        (0, _) if shown.short => return Some("(in few words, for want of room)".to_owned()),
        (0, _) => return None,
        (count, "") => format!("(left out for want of room: {count} {what}"),
        (count, measure) => {
            let weight = left.iter().fold(0u64, |sum, line| sum.saturating_add(line.weight));
            format!("(left out for want of room: {count} {what}, {weight} {measure}")
        }
    };
    notice.push_str(if shown.short { "; the others in few words)" } else { ")" });
    Some(notice)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn section(rank: u8, share: usize, lines: &[(&str, u64)], short: &[&str]) -> Section {
        Section {
            heading: format!("Section {rank}:"),
            lines: lines.iter().map(|(text, weight)| Line { text: (*text).to_owned(), weight: *weight }).collect(),
            short: short.iter().map(|text| (*text).to_owned()).collect(),
            what: "lines",
            measure: "steps",
            rank,
            share,
        }
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let sections = [section(1, 100, &[("aaaa", 1), ("bbbb", 2), ("cccc", 3)], &[])];
        let bare = sections[0].bare();
        assert_eq!(fit(&sections, bare + 15), "Section 1:\naaaa\nbbbb\ncccc\n\n");
        assert_eq!(
            fit(&sections, bare + 14),
            "Section 1:\naaaa\nbbbb\n(left out for want of room: 1 lines, 3 steps)\n\n"
        );
        assert_eq!(fit(&sections, 0), "Section 1:\n(left out for want of room: 3 lines, 6 steps)\n\n");
    }

    #[test]
    fn ranks_choose_first_shares_bound_them_and_nothing_is_wasted() {
        let line = "x".repeat(99);
        let lines = [(line.as_str(), 1); 4];
        let sections = [section(2, 100, &lines, &[]), section(1, 50, &lines, &[])];
        let bare: usize = sections.iter().map(Section::bare).sum();
        let counts = |bytes: usize| -> Vec<usize> {
            let text = fit(&sections, bare + bytes);
            text.split("\n\n").take(2).map(|part| part.matches(&line).count()).collect()
        };
        assert_eq!(counts(400), [2, 2]);
        assert_eq!(counts(700), [4, 3]);
        assert_eq!(counts(800), [4, 4]);
        assert_eq!(counts(100), [1, 0], "half of the room is not enough for a line");
    }

    #[test]
    fn few_words_come_before_leaving_out() {
        let sections = [section(1, 100, &[("a, which is long", 1), ("b, which is long", 1)], &["a", "b"])];
        let bare = sections[0].bare();
        assert_eq!(fit(&sections, bare + 100), "Section 1:\na, which is long\nb, which is long\n\n");
        assert_eq!(fit(&sections, bare + 30), "Section 1:\na\nb\n(in few words, for want of room)\n\n");
        assert!(fit(&sections, bare + 2).contains("1 lines, 1 steps; the others in few words)"));
    }

    proptest! {
        #[test]
        fn the_room_is_kept(
            parts in prop::collection::vec((0..6u8, 0..=100usize, prop::collection::vec("[a-z]{0,80}", 0..12), any::<bool>()), 0..8),
            more in 0..3000usize,
        ) {
            let sections: Vec<Section> = parts.iter().map(|(rank, share, lines, short)| {
                let lines: Vec<(&str, u64)> = lines.iter().map(|line| (line.as_str(), u64::MAX / 100)).collect();
                let few: Vec<&str> = if *short { lines.iter().map(|(line, _)| &line[..line.len() / 2]).collect() } else { vec![] };
                section(*rank, *share, &lines, &few)
            }).collect();
            let bytes = sections.iter().map(Section::bare).sum::<usize>() + more;
            let text = fit(&sections, bytes);
            prop_assert!(text.len() <= bytes, "{} of {bytes}", text.len());
        }
    }
}
