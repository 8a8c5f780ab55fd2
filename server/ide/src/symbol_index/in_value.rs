//! The names in one value, found without the index: what the index is made of, and what features that look at every
//! value of a large file ask for directly.

use std::ops::Range;

use attractor_dot::TextRange;
use attractor_dot::ast::Id;
use attractor_dot::strings::{Decoded, unescape};
use attractor_model::catalogue::AttrType;

use super::reference::{self, ReferenceKind};
use super::{NameForm, NameSyntax, OccurrenceKind};
use crate::analyzed_text::AnalyzedText;

/// What a word in a value names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameKind {
    /// A node of the same graph.
    Node,
    /// A class.
    Class,
    /// A context key.
    Key,
    /// Another graph.
    Graph,
}

/// A name in a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EmbeddedName<'t> {
    /// What it names.
    pub what: NameKind,
    /// The name, decoded.
    pub word: &'t str,
    /// Where it is in the file; with the quotes of the value when [`EmbeddedName::written`] is a whole id.
    pub range: TextRange,
    /// What the place does.
    pub role: OccurrenceKind,
    /// How it is embedded in the DOT text.
    pub written: NameSyntax,
    /// What the language around it allows in a name.
    pub form: NameForm,
}

/// Calls `visit` with every name in the value of the attribute `key`, which has the type `ty`.
pub(crate) fn in_value(
    doc: &AnalyzedText,
    key: &str,
    value: Id,
    ty: AttrType,
    is_node: &dyn Fn(&str) -> bool,
    mut visit: impl FnMut(EmbeddedName<'_>),
) {
    let role = if reference::sets(key) {
        OccurrenceKind::Declaration
    } else {
        OccurrenceKind::Reference
    };
    let written = doc.decode(&value);
    let text = unescape(&written);
    let mut place = ValuePlace {
        value,
        text: &text,
        decoded: None,
        source: &doc.text,
    };
    for (range, mention) in reference::mentions(ty, key, &text) {
        let Some(word) = text.get(range.clone()) else {
            continue;
        };
        let (what, part, form) = match mention {
            ReferenceKind::Node(form) if is_node(word) => (NameKind::Node, range, form),
            ReferenceKind::Node(_) => continue,
            ReferenceKind::Class | ReferenceKind::Rule => {
                (NameKind::Class, range, NameForm::DashedWord)
            }
            ReferenceKind::Graph => (NameKind::Graph, range, NameForm::Free),
            ReferenceKind::Key => {
                let (what, part) = key_or_node(word, is_node);
                let part = range.start + part.start..range.start + part.end;
                (what, part, NameForm::Word)
            }
        };
        let role = match mention {
            ReferenceKind::Rule => OccurrenceKind::Declaration,
            _ => role,
        };
        let Some(word) = text.get(part.clone()) else {
            continue;
        };
        let (range, written) = place.locate(part);
        visit(EmbeddedName {
            what,
            word,
            range,
            role,
            written,
            form,
        });
    }
}

/// A value, and the way from its decoded text to the file.
struct ValuePlace<'d> {
    value: Id,
    text: &'d str,
    decoded: Option<Decoded>,
    source: &'d str,
}

impl ValuePlace<'_> {
    /// A part of the value in the file: the whole id with its quotes when the part is all of it.
    fn locate(&mut self, part: Range<usize>) -> (TextRange, NameSyntax) {
        if part.start == 0 && part.end == self.text.len() {
            return (self.value.range, NameSyntax::WholeId);
        }
        let decoded = self
            .decoded
            .get_or_insert_with(|| self.value.decoded(self.source).unescape());
        (
            decoded.range_to_source(part.start, part.end),
            NameSyntax::ValuePart,
        )
    }
}

/// The part of a context key that is the name of a node, else the key without its prefix.
fn key_or_node(word: &str, is_node: &dyn Fn(&str) -> bool) -> (NameKind, Range<usize>) {
    match reference::node_in_key(word, is_node) {
        Some(part) => (NameKind::Node, part),
        None => (
            NameKind::Key,
            word.len() - reference::plain_key(word).len()..word.len(),
        ),
    }
}
