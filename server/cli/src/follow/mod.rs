//! Following a run on the terminal: its events become lines, its questions are asked, Ctrl-C cancels it.
//!
//! [`progress`] and [`question`] are pure (events and questions in, text out); only [`terminal`] reads
//! and writes.

mod cells;
mod detail;
mod notices;
mod output;
pub mod progress;
pub mod question;
mod status;
pub mod summary;
pub mod terminal;

pub use detail::Detail;
