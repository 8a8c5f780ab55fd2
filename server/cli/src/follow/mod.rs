//! Following a run on the terminal: its events become lines, its questions are asked, Ctrl-C cancels it.
//!
//! [`progress`], `prompt` and [`question`] are pure (events, questions and keys in, text out); only [`terminal`], [`teller`]
//! and `keys` read and write.

mod cells;
mod detail;
mod github;
mod junit;
mod keys;
mod line_editor;
mod notices;
mod output;
pub mod progress;
mod prompt;
pub mod question;
mod screen;
mod status;
pub mod summary;
pub mod teller;
pub mod terminal;

pub use detail::Detail;
