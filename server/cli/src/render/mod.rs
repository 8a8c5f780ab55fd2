//! Diagnostics for people and for machines: one file per format.
//!
//! All formats count lines and columns from 1, columns in characters. They differ in form only: which
//! diagnostics there are is decided before they come here.

pub mod github;
pub mod human;
pub mod json;
pub mod junit;
pub mod line_column;
pub mod markdown;
pub mod markdown_inline;
pub mod markdown_table;
pub mod messages;
pub mod run_state;
pub mod sarif;
pub mod table;
pub mod time;
pub mod ways;

use std::fmt::Display;

use attractor_dot::TextRange;
use attractor_lint::schemas::UNREADABLE_FILE;
use attractor_model::{Diagnostic, Severity};

use crate::error::Error;
use crate::input::Source;

/// A text and its diagnostics.
pub struct Checked {
    /// The text.
    pub source: Source,
    /// Sorted by range.
    pub diagnostics: Vec<Diagnostic>,
}

impl Checked {
    /// A file that could not be read, with the error as its only diagnostic.
    pub fn unreadable(error: &Error) -> Option<Self> {
        let path = error.unreadable_file()?;
        let range = TextRange::new(0, 0);
        let problem = Diagnostic::new(UNREADABLE_FILE, Severity::Error, range, error.to_string());
        Some(Self {
            source: Source::of_text(path.as_ref(), "".into()),
            diagnostics: vec![problem],
        })
    }

    /// How many diagnostics have this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.diagnostics
            .iter()
            .filter(|one| one.severity == severity)
            .count()
    }
}

/// `1 error`, `2 errors`.
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    let plural = if number == N::from(1) { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
