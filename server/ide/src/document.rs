//! A document: one version of one text with everything that was found out about it.
//!
//! Immutable, so a request that is being answered is not disturbed by the next keystroke; shared in an
//! `Arc`. Reading the text happens once, when the document is made. Indexes that only some features need
//! are built when first asked for and kept.
//!
//! ```
//! use attractor_ide::{document::Document, position::{Encoding, Position}};
//! use attractor_model::{NoFiles, Options};
//! let doc = Document::new("digraph { a -> b }", 1, Options::default(), &NoFiles);
//! let arrow = doc.offset(Position { line: 0, character: 12 }, Encoding::Utf16);
//! assert!(doc.text.get(arrow..).unwrap().starts_with("->"));
//! ```

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use attractor_model::{Files, Options};
use ropey::Rope;

use crate::analyzed_text::AnalyzedText;
use crate::line_index::{Cursor, Lines};
use crate::position::{self, Encoding, Position};
use crate::symbol_index::SymbolIndex;
use crate::usage::Usage;

/// One version of one text.
#[derive(Debug)]
pub struct Document {
    /// The text and what it means; its fields are fields of the document.
    analyzed: AnalyzedText,
    /// The same text, for the way from positions to offsets.
    pub rope: Rope,
    /// The client's version of it.
    pub version: i32,
    lines: OnceLock<Lines>,
    symbol_index: OnceLock<SymbolIndex>,
    usage: OnceLock<Usage>,
}

impl Deref for Document {
    type Target = AnalyzedText;

    fn deref(&self) -> &AnalyzedText {
        &self.analyzed
    }
}

impl Document {
    /// Reads a text.
    pub fn new(text: &str, version: i32, options: Options, files: &dyn Files) -> Self {
        let rope = Rope::from_str(text);
        Self::with(rope, text.into(), version, options, files)
    }

    /// Reads a text that changes were applied to.
    pub fn from_rope(rope: Rope, version: i32, options: Options, files: &dyn Files) -> Self {
        let text = rope.to_string().into();
        Self::with(rope, text, version, options, files)
    }

    fn with(rope: Rope, text: Arc<str>, version: i32, options: Options, files: &dyn Files) -> Self {
        Self {
            analyzed: AnalyzedText::new(text, options, files),
            rope,
            version,
            lines: OnceLock::new(),
            symbol_index: OnceLock::new(),
            usage: OnceLock::new(),
        }
    }

    /// The byte offset of a position; see [`position::offset`].
    pub fn offset(&self, position: Position, encoding: Encoding) -> usize {
        position::offset(&self.rope, position, encoding)
    }

    /// The position of a byte offset; see [`Lines::position`].
    pub fn position(&self, offset: usize, encoding: Encoding) -> Position {
        let lines = self.lines.get_or_init(|| Lines::new(&self.text));
        lines.position(&self.text, offset, encoding)
    }

    /// The way from offsets in the order of the text to their positions.
    pub fn positions(&self, encoding: Encoding) -> Cursor<'_> {
        let lines = self.lines.get_or_init(|| Lines::new(&self.text));
        Cursor::new(lines, &self.text, encoding)
    }

    /// Every place that names something.
    pub(crate) fn symbol_index(&self) -> &SymbolIndex {
        self.symbol_index
            .get_or_init(|| SymbolIndex::new(&self.analyzed))
    }

    /// What the file itself writes.
    pub(crate) fn usage(&self) -> &Usage {
        self.usage.get_or_init(|| Usage::new(&self.analyzed))
    }
}
