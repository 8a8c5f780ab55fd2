//! The few styles the program writes in. A stream that takes no colours drops them (see
//! [`crate::console`]).

use std::fmt::Display;

use anstyle::{AnsiColor, Effects, Style};

/// Something went wrong.
pub const BAD: Style = AnsiColor::Red.on_default();
/// Names and headings.
pub const STRONG: Style = Style::new().effects(Effects::BOLD);
/// What one may skip.
pub const FAINT: Style = Style::new().effects(Effects::DIMMED);

/// `text` in a style.
pub fn paint(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}
/// Something went well.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// Someone has to look at this.
pub const ATTENTION: Style = AnsiColor::Yellow.on_default();
