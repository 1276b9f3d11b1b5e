//! The few styles of the terminal output. Streams strip them where colours are off, so text is always written styled.

use anstyle::{AnsiColor, Style};

use super::terminal::Mark;

/// What the marks below look like, in their order.
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
