//! Editor features as pure functions over a document.
//!
//! What an editor shows of a pipeline or a plain graph is computed here, from an immutable snapshot of
//! the text: no language-server type, no input or output, no clock. Ranges are byte ranges of the text;
//! [`lines`] and [`position`] lead to what a client counts in and back. One file, or folder, is one feature; each begins
//! with what it answers and for which cursor.
//!
//! ```
//! use attractor_ide::{document::Document, lens};
//! use attractor_model::{NoFiles, Options};
//! let text = "digraph { test [shape=parallelogram, command=\"cargo test\"] }";
//! let doc = Document::new(text, 1, Options::default(), &NoFiles);
//! let lenses = lens::lenses(&doc, &[], lens::LensOptions::default());
//! assert_eq!(lenses[0].title, "▶ Run pipeline");
//! ```
#![cfg_attr(
    test,
    expect(
        clippy::unwrap_used,
        clippy::needless_pass_by_value,
        clippy::format_push_string,
        reason = "tests fail by panicking, and pictures are handed over as they are written"
    )
)]

pub mod actions;
pub mod calls;
pub mod colours;
pub mod command;
pub mod completion;
mod cursor;
pub mod diagnostics;
pub mod document;
#[cfg(test)]
mod fixture;
pub mod folding;
pub mod format;
pub mod hover;
pub mod inlay;
mod inside;
pub mod lens;
pub mod lines;
pub mod linked_editing;
pub mod links;
pub mod moves;
mod names;
pub mod navigation;
pub mod position;
pub mod preview;
pub mod references;
pub mod rename;
#[cfg(test)]
mod robustness;
pub mod runs;
pub mod selection;
pub mod semantic_tokens;
pub mod signature;
pub mod symbols;
mod upstream;
mod usage;
mod values;
mod walk;
pub mod workspace_words;

/// The DOT language: ranges, edits, tree. Part of this crate's own types.
pub use attractor_dot as dot;
/// The meaning of pipelines: findings, options, catalogue. Part of this crate's own types.
pub use attractor_model as model;
