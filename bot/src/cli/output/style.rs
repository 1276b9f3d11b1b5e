//! The styles of terminal output. Text is always written with styles; streams strip them if colours are off.

use std::fmt::{self, Write as _};

use anstyle::{AnsiColor, Style};

/// The ids of laws, separated by commas.
pub fn law_ids(ids: impl IntoIterator<Item: fmt::Display>) -> String {
    let ids: Vec<String> = ids.into_iter().map(|id| format!("{LAW}{id}{LAW:#}")).collect();
    ids.join(", ")
}

/// The character that ends every style. The character that begins style `n` is `n + 1` after it.
pub(crate) const END: char = '\u{fdd0}';
/// Marks are noncharacters, which Unicode reserves for use inside a program.
pub(crate) const MARKS: std::ops::RangeInclusive<char> = END..='\u{fdef}';

/// A style in text: `format!("{ERROR}error:{ERROR:#} {message}")`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark(char);

impl Mark {
    /// The mark of the style at this position of [`STYLES`].
    pub const fn new(position: u8) -> Self {
        Self(match char::from_u32(END as u32 + 1 + position as u32) {
            Some(mark) => mark,
            None => END,
        })
    }

    /// The style of a mark.
    pub(crate) fn style(mark: char) -> Option<&'static Style> {
        let position = u32::from(mark).checked_sub(u32::from(END) + 1)?;
        STYLES.get(usize::try_from(position).ok()?)
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(if f.alternate() { END } else { self.0 })
    }
}

/// The styles of the marks below, in their order.
pub const STYLES: [Style; 9] = [
    AnsiColor::Red.on_default().bold(),
    AnsiColor::Yellow.on_default().bold(),
    AnsiColor::Cyan.on_default().bold(),
    AnsiColor::Green.on_default(),
    AnsiColor::Red.on_default(),
    AnsiColor::Magenta.on_default(),
    Style::new().bold(),
    Style::new().dimmed(),
    AnsiColor::Green.on_default().bold(),
];

/// `error:`
pub const ERROR: Mark = Mark::new(0);
/// `warning:`, and actions the shield blocked.
pub const WARNING: Mark = Mark::new(1);
/// `help:`
pub const HELP: Mark = Mark::new(2);
/// Success.
pub const GOOD: Mark = Mark::new(3);
/// A failed action.
pub const BAD: Mark = Mark::new(4);
/// Names of laws.
pub const LAW: Mark = Mark::new(5);
/// Headings.
pub const HEAD: Mark = Mark::new(6);
/// Secondary information.
pub const DIM: Mark = Mark::new(7);
/// A run that reached its goal.
pub const GOAL: Mark = Mark::new(8);
