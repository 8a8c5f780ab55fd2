//! Names of attributes and handlers.
//!
//! Defaults (`node [...]`), lists of nodes and chains of edges are one place in the file that many owners read. A
//! name there is changed only if exactly the owners that understand it understand the new one.

use std::collections::HashMap;

use attractor_dot::{Edit, TextRange, strings};
use smol_str::SmolStr;

use super::spelling;
use super::step::Step;
use attractor_model::Dialect;
use attractor_model::catalogue::{self, NodeKind, Owner};
use attractor_model::{Attributes, Source};

/// What is to stand at places of the file.
#[derive(Default)]
pub(super) struct Words(HashMap<TextRange, Word>);

struct Word {
    written: SmolStr,
    /// None where the readers of the place do not agree.
    wanted: Option<SmolStr>,
}

impl Words {
    /// One reader wants `wanted` in the place of `written`.
    pub(super) fn ask(&mut self, place: TextRange, written: &str, wanted: &str) {
        let word = self.0.entry(place).or_insert_with(|| Word {
            written: SmolStr::new(written),
            wanted: Some(SmolStr::new(wanted)),
        });
        if word.wanted.as_deref() != Some(wanted) {
            word.wanted = None;
        }
    }

    /// The places where something else is to stand.
    pub(super) fn changes(&self) -> impl Iterator<Item = (TextRange, &SmolStr)> {
        let all = self.0.iter();
        all.filter_map(|(place, word)| Some((*place, &word.written, word.wanted.as_ref()?)))
            .filter(|(_, written, wanted)| written != wanted)
            .map(|(place, _, wanted)| (place, wanted))
    }
}

/// Names in the file, and whose attributes they are.
type Readers<'p> = HashMap<TextRange, (&'p str, Vec<Owner>)>;

/// New names for what a pipeline writes.
pub(super) fn edits(step: &Step<'_>) -> Vec<Edit> {
    let pipeline = step.meant;
    let mut kinds: Vec<Owner> = Vec::new();
    for node in &pipeline.nodes {
        let owner = Owner::Node(node.kind);
        if !kinds.contains(&owner) {
            kinds.push(owner);
        }
    }
    let mut names = Readers::new();
    let mut handlers = Words::default();
    let nodes = pipeline.nodes.iter().map(|node| &node.attributes);
    let edges = pipeline.edges.iter().map(|edge| &edge.attributes);
    let all = std::iter::once(&pipeline.attributes)
        .chain(nodes)
        .chain(edges);
    for attributes in all {
        ask(step.dialect, attributes, &kinds, &mut names, &mut handlers);
    }
    let names = names.into_iter().filter_map(|(place, (written, owners))| {
        let name = agreed(step.dialect, written, &owners);
        let text = key(step.dialect, name.unwrap_or(written));
        let source = place.text(step.text);
        // The other engines read no quoted name.
        let unquoted = step.dialect != Dialect::Attractor && source.trim_matches('"') == text;
        (name.is_some() || unquoted && source != text).then(|| Edit::replace(place, text))
    });
    let handlers = handlers.changes();
    let handlers = handlers.map(|(place, word)| Edit::replace(place, strings::quote(word)));
    names.chain(handlers).collect()
}

fn ask<'p>(
    dialect: Dialect,
    attributes: &'p Attributes,
    kinds: &[Owner],
    names: &mut Readers<'p>,
    handlers: &mut Words,
) {
    let owner = attributes.owner();
    for attribute in attributes.iter() {
        // Defaults are read by every node, also by one that says something else itself.
        let readers = match (attribute.source(), owner) {
            (Source::Default { .. }, Owner::Node(_)) => kinds,
            (Source::Default { .. } | Source::Own, _) => &[owner],
            _ => continue,
        };
        let Some((key, value)) = attribute.key_range().zip(attribute.value_range()) else {
            continue;
        };
        let (_, owners) = names
            .entry(key)
            .or_insert_with(|| (attribute.written(), Vec::new()));
        for reader in readers {
            if !owners.contains(reader) {
                owners.push(*reader);
            }
        }
        if attribute.name() == "handler" && matches!(owner, Owner::Node(_)) {
            let word = handler(dialect, attribute.value());
            handlers.ask(value, attribute.value(), word);
        }
    }
}

/// The new name for owners that share a place; none when it stays.
fn agreed<'w>(dialect: Dialect, written: &'w str, owners: &[Owner]) -> Option<&'w str> {
    let knows = |owner: &Owner, name: &str| catalogue::attribute(*owner, name).is_some();
    let mut wanted = owners
        .iter()
        .filter(|owner| knows(owner, written))
        .map(|owner| spelling::attribute(dialect, *owner, written));
    let first = wanted.next().filter(|first| *first != written)?;
    let all = wanted.all(|other| other == first);
    let nobody_else = owners
        .iter()
        .all(|owner| knows(owner, written) || !knows(owner, first));
    (all && nobody_else).then_some(first)
}

/// The word for a handler. The two ends of a loop keep theirs: it says which end they are.
fn handler(dialect: Dialect, written: &str) -> &str {
    match NodeKind::from_name(written.trim()) {
        Some(NodeKind::Loop) | None => written,
        Some(kind) => spelling::kind(dialect, kind),
    }
}

/// A name as it is written. Graphviz wants dots in quotes; the other engines want a bare word.
fn key(dialect: Dialect, name: &str) -> String {
    let bare = name
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '.'));
    if dialect == Dialect::Attractor || !bare {
        strings::quote(name).into()
    } else {
        name.to_owned()
    }
}
