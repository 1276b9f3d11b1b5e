//! The few styles of the terminal output. Streams strip them where colours are off, so text is always written styled.

use anstyle::{AnsiColor, Style};

/// `error:`
pub const ERROR: Style = AnsiColor::Red.on_default().bold();
/// `warning:`, and actions the shield blocked.
pub const WARNING: Style = AnsiColor::Yellow.on_default().bold();
/// `help:`
pub const HELP: Style = AnsiColor::Cyan.on_default().bold();
/// What went well.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// What went wrong in the world: a failed action.
pub const BAD: Style = AnsiColor::Red.on_default();
/// Names of laws.
pub const LAW: Style = AnsiColor::Magenta.on_default();
/// Headings.
pub const HEAD: Style = Style::new().bold();
/// What may be read later.
pub const DIM: Style = Style::new().dimmed();
