//! Editor features as pure functions over a document.
//!
//! What an editor shows of a pipeline or a plain graph is computed here, from an immutable snapshot of
//! the text: no language-server type, no input or output, no clock. Ranges are byte ranges of the text;
//! [`lines`] and [`position`] lead to what a client counts in and back. One file, or folder, is one feature; each begins
//! with what it answers and for which cursor.
//!
//! ```
//! use attractor_ide::{document::Document, code_lens};
//! use attractor_model::{NoFiles, Options};
//! let text = "digraph { test [shape=parallelogram, command=\"cargo test\"] }";
//! let doc = Document::new(text, 1, Options::default(), &NoFiles);
//! let lenses = code_lens::lenses(&doc, &[], code_lens::LensOptions::default());
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

pub mod analyzed_text;
pub mod call_hierarchy;
pub mod code_action;
pub mod code_lens;
pub mod command;
pub mod completion;
mod cursor;
pub mod diagnostics;
pub mod document;
pub mod document_color;
pub mod document_link;
pub mod document_symbol;
mod embedded_value;
#[cfg(test)]
mod fixture;
pub mod folding_range;
pub mod goto_definition;
pub mod hover;
pub mod inlay_hint;
pub mod line_index;
pub mod linked_editing;
pub mod position;
mod predecessors;
pub mod preview;
pub mod references;
pub mod rename;
#[cfg(test)]
mod robustness;
pub mod runs;
pub mod selection_range;
pub mod semantic_diff;
pub mod semantic_tokens;
pub mod signature_help;
mod symbol_index;
mod usage;
mod values;
mod walk;
pub mod will_rename_files;
pub mod workspace_words;

/// The DOT language: ranges, edits, tree. Part of this crate's own types.
pub use attractor_diff as diff;
pub use attractor_dot as dot;
/// The meaning of pipelines: diagnostics, options, catalogue. Part of this crate's own types.
pub use attractor_model as model;
