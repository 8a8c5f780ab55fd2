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
mod options;
pub mod settings;
mod sort;
mod tree;
mod verbatim;
mod walk;
mod wrap;

use std::borrow::Borrow;

pub use options::{Align, Indent, Options, Semicolons, Sort};

use on_type::{block_before, indentation, line_start, statement_start};

use crate::{Edit, Parse, TextRange, apply};

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

/// The same for a text that is parsed already.
pub fn edits_of(text: &str, parse: &Parse, options: &Options) -> Vec<Edit> {
    keep_if_unchanged(text, parse, plan(text, parse, options))
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
fn keep_if_unchanged(text: &str, parse: impl Borrow<Parse>, edits: Vec<Edit>) -> Vec<Edit> {
    if parse.borrow().errors.is_empty() || edits.is_empty() {
        return edits;
    }
    let fingerprint = fingerprint::fingerprint(text, parse.borrow());
    // All there is to say about two broken texts at a time would take much memory.
    drop(parse);
    let formatted = apply(text, &edits);
    if fingerprint == fingerprint::fingerprint(&formatted, &crate::parse(&formatted)) {
        edits
    } else {
        Vec::new()
    }
}
