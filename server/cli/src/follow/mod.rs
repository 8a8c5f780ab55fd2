//! Follows a run on the terminal: prints its events, asks its questions, and cancels it on Ctrl-C.
//!
//! [`progress`], `prompt` and [`question`] are pure (events, questions and keys in, text out); only [`terminal`],
//! [`progress_printer`] and `keys` do IO.

mod github;
pub mod junit;
pub mod keys;
pub mod labels;
pub mod line_editor;
mod notices;
mod output;
pub mod progress;
pub mod progress_printer;
mod prompt;
pub mod question;
pub mod screen;
pub mod signals;
mod status;
pub mod summary;
pub mod terminal;
mod verbosity;
pub mod watch;
pub mod watched_run;

pub use verbosity::Verbosity;
