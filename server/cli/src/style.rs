//! The text styles of the program; streams without colour drop them (see [`crate::console`]).

use std::fmt::Display;

use anstyle::{AnsiColor, Effects, Style};

/// Failures.
pub const BAD: Style = AnsiColor::Red.on_default();
/// Names and headings.
pub const STRONG: Style = Style::new().effects(Effects::BOLD);
/// Secondary text.
pub const FAINT: Style = Style::new().effects(Effects::DIMMED);

/// `text` in a style.
pub fn paint(style: Style, text: impl Display) -> String {
    format!("{style}{text}{style:#}")
}
/// What the person at the terminal has typed: no text of a model looks so.
pub const PERSON: Style = AnsiColor::Blue.on_default().bold();
/// Successes.
pub const GOOD: Style = AnsiColor::Green.on_default();
/// Warnings and questions.
pub const ATTENTION: Style = AnsiColor::Yellow.on_default();
