//! The names in one value, found without the index: what the index is made of, and what features that look at every
//! value of a large file ask for directly.

use std::ops::Range;

use attractor_dot::TextRange;
use attractor_dot::ast::Id;
use attractor_dot::strings::{Decoded, unescape};
use attractor_model::catalogue::AttrType;

use super::mention::{self, Mention};
use super::{Form, Role, Written};
use crate::document::Document;

/// What a word in a value names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
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
pub(crate) struct Named<'t> {
    /// What it names.
    pub what: What,
    /// The name, decoded.
    pub word: &'t str,
    /// Where it is in the file; with the quotes of the value when [`Named::written`] is a whole id.
    pub range: TextRange,
    /// What the place does.
    pub role: Role,
    /// How it is embedded in the DOT text.
    pub written: Written,
    /// What the language around it allows in a name.
    pub form: Form,
}

/// Calls `visit` with every name in the value of the attribute `key`, which has the type `ty`.
pub(crate) fn in_value(
    doc: &Document,
    key: &str,
    value: Id,
    ty: AttrType,
    is_node: &dyn Fn(&str) -> bool,
    mut visit: impl FnMut(Named<'_>),
) {
    let role = if mention::sets(key) {
        Role::Declaration
    } else {
        Role::Mention
    };
    let written = doc.decode(&value);
    let text = unescape(&written);
    let mut place = Place {
        value,
        text: &text,
        decoded: None,
        source: &doc.text,
    };
    for (range, mention) in mention::mentions(ty, key, &text) {
        let Some(word) = text.get(range.clone()) else {
            continue;
        };
        let (what, part, form) = match mention {
            Mention::Node(form) if is_node(word) => (What::Node, range, form),
            Mention::Node(_) => continue,
            Mention::Class | Mention::Rule => (What::Class, range, Form::DashedWord),
            Mention::Graph => (What::Graph, range, Form::Free),
            Mention::Key => {
                let (what, part) = key_or_node(word, is_node);
                let part = range.start + part.start..range.start + part.end;
                (what, part, Form::Word)
            }
        };
        let role = match mention {
            Mention::Rule => Role::Declaration,
            _ => role,
        };
        let Some(word) = text.get(part.clone()) else {
            continue;
        };
        let (range, written) = place.locate(part);
        visit(Named {
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
struct Place<'d> {
    value: Id,
    text: &'d str,
    decoded: Option<Decoded>,
    source: &'d str,
}

impl Place<'_> {
    /// A part of the value in the file: the whole id with its quotes when the part is all of it.
    fn locate(&mut self, part: Range<usize>) -> (TextRange, Written) {
        if part.start == 0 && part.end == self.text.len() {
            return (self.value.range, Written::WholeId);
        }
        let decoded = self
            .decoded
            .get_or_insert_with(|| self.value.decoded(self.source).unescape());
        (
            decoded.range_to_source(part.start, part.end),
            Written::Inside,
        )
    }
}

/// The part of a context key that is the name of a node, else the key without its prefix.
fn key_or_node(word: &str, is_node: &dyn Fn(&str) -> bool) -> (What, Range<usize>) {
    match mention::node_in_key(word, is_node) {
        Some(part) => (What::Node, part),
        None => (
            What::Key,
            word.len() - mention::plain_key(word).len()..word.len(),
        ),
    }
}
