//! The canonical layout of a text. It changes spaces and separators, never the meaning.
//!
//! The formatter decides, for each gap between two tokens, what belongs there; an edit is a gap that
//! is otherwise. So comments cannot get lost, the edits are minimal by nature, and formatting a part
//! of a text is a part of formatting all of it. Statements that are broken are left as they are.
//!
//! ```
//! use attractor_dot::format::{Options, format};
//! assert_eq!(format("digraph{a->b[label=x;color=red]}", &Options::default()),
//!     "digraph {\n    a -> b [label=x, color=red]\n}\n");
//! ```

mod align;
mod comments;
mod fingerprint;
mod gaps;
mod layout;
mod merge_edits;
mod on_type;
mod sort;
mod tree;
mod verbatim;
mod walk;
mod wrap;

use on_type::{block_before, indentation, line_start, statement_start};

use crate::{Edit, Parse, TextRange, apply};

/// How to lay out a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Spaces of one level.
    pub indent: Indent,
    /// Lists that would make a line longer than this many characters get one attribute a line.
    pub width: usize,
    /// Whether lists of neighbouring statements begin in one column.
    pub align: Align,
    /// What becomes of the `;` after statements.
    pub semicolons: Semicolons,
    /// In which order attributes are.
    pub sort: Sort,
}

/// Spaces of one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indent {
    /// So many spaces.
    Spaces(u8),
    /// One tab.
    Tab,
}

/// What is in columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// The `[` of neighbouring nodes, and of neighbouring edges.
    Lists,
    /// Nothing.
    Nothing,
}

/// What becomes of the `;` after statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Semicolons {
    /// They stay where they are.
    Keep,
    /// Every statement but a subgraph ends with one.
    Always,
    /// None.
    Never,
}

/// In which order attributes are. Statements always stay where they are: their order means something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// As they are.
    Keep,
    /// Those of a list by name; blank lines part a list, and each part is sorted by itself.
    Attributes,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            indent: Indent::Spaces(4),
            width: 100,
            align: Align::Lists,
            semicolons: Semicolons::Keep,
            sort: Sort::Keep,
        }
    }
}

/// The text in canonical layout.
pub fn format(text: &str, options: &Options) -> String {
    apply(text, &edits(text, options))
}

/// What to change to bring the text into canonical layout, in order of position.
pub fn edits(text: &str, options: &Options) -> Vec<Edit> {
    let parse = crate::parse(text);
    let edits = plan(text, &parse, options);
    keep_if_unchanged(text, parse, edits)
}

/// What to change so that `range` is in the layout it has when all of the text is formatted.
pub fn range(text: &str, range: TextRange, options: &Options) -> Vec<Edit> {
    let parse = crate::parse(text);
    let mut edits = plan(text, &parse, options);
    edits.retain(|edit| edit.range.end() >= range.start() && edit.range.start() <= range.end());
    keep_if_unchanged(text, parse, edits)
}

/// What to change when `typed` was typed and the cursor now is at `offset`.
///
/// `}` formats the block it closes, `]` and `;` the statement they end, a line end the line before it,
/// and gives the new line its indentation. Anything else changes nothing.
pub fn on_type(text: &str, offset: usize, typed: char, options: &Options) -> Vec<Edit> {
    let parse = crate::parse(text);
    let within = |range: TextRange| {
        let mut edits = plan(text, &parse, options);
        edits.retain(|edit| range.contains_range(edit.range));
        edits
    };
    let edits = match typed {
        '}' => block_before(&parse.tokens, offset)
            .map(within)
            .unwrap_or_default(),
        ']' | ';' => {
            let start = statement_start(&parse.file, offset);
            within(TextRange::new(line_start(text, start), offset))
        }
        '\n' => {
            let here = line_start(text, offset);
            let mut edits = match here.checked_sub(1) {
                Some(before) => within(TextRange::new(line_start(text, before), before)),
                None => Vec::new(),
            };
            edits.extend(indentation(text, &parse.tokens, offset, options));
            edits
        }
        _ => Vec::new(),
    };
    keep_if_unchanged(text, parse, edits)
}

fn plan(text: &str, parse: &Parse, options: &Options) -> Vec<Edit> {
    let edits = gaps::edits(text, parse, &walk::plan(text, parse, options), options);
    match options.sort {
        Sort::Keep => edits,
        Sort::Attributes => {
            let laid_out = apply(text, &edits);
            let sorted = sort::edits(&laid_out, &crate::parse(&laid_out));
            merge_edits::merge(text, edits, sorted)
        }
    }
}

/// How a broken text reads may hang on its layout; if it would read otherwise, nothing is changed.
fn keep_if_unchanged(text: &str, parse: Parse, edits: Vec<Edit>) -> Vec<Edit> {
    if parse.errors.is_empty() || edits.is_empty() {
        return edits;
    }
    let fingerprint = fingerprint::fingerprint(text, &parse);
    // All there is to say about two broken texts at a time would take much memory.
    drop(parse);
    let formatted = apply(text, &edits);
    if fingerprint == fingerprint::fingerprint(&formatted, &crate::parse(&formatted)) {
        edits
    } else {
        Vec::new()
    }
}

impl Indent {
    /// How many columns `level` levels take; a tab counts as four.
    fn columns(self, level: usize) -> usize {
        match self {
            Self::Spaces(count) => usize::from(count) * level,
            Self::Tab => 4 * level,
        }
    }

    /// The spaces of `level` levels.
    fn of(self, level: usize) -> String {
        match self {
            Self::Spaces(count) => " ".repeat(usize::from(count) * level),
            Self::Tab => "\t".repeat(level),
        }
    }
}
