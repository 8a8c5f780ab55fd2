//! The attributes of a graph, node or edge after everything has been applied: own values, defaults in
//! scope, stylesheet, graph defaults. Names are canonical; each value knows where it came from.
//!
//! Getters read a value by its type and fall back to the catalogue's default. [`Attributes::get`] does not
//! fall back: it says what somebody wrote.
//!
//! ```
//! # use attractor_model::Pipeline;
//! let (pipelines, _) = Pipeline::from_text("digraph { goal=x; a [shape=box, timeout=\"2m\"] }");
//! let node = pipelines[0].nodes[0].clone();
//! assert_eq!(node.attributes.duration("timeout").unwrap().as_secs(), 120);
//! ```

use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use attractor_dot::graph::NameSet;
use attractor_dot::{Substr, TextRange, ast};
use smol_str::SmolStr;

use crate::catalogue::{self, AttributeRow, Owner};
use crate::lang::duration;

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Written on the node, edge or graph itself.
    Own,
    /// From `node [...]` or `edge [...]` defaults in scope.
    Default {
        /// The attribute in the defaults statement.
        range: TextRange,
    },
    /// From a stylesheet rule.
    Stylesheet(Arc<StyleRule>),
    /// From an attribute of the graph that sets a default for its nodes or edges.
    Graph {
        /// The attribute of the graph.
        range: TextRange,
    },
    /// Given on the command line.
    CommandLine,
    /// The default of the catalogue; nobody wrote it.
    Builtin,
}

/// The rule of a stylesheet that gave a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StyleRule {
    /// The selector that won, for example `.fast`.
    pub selector: String,
    /// The rule in the file, when the stylesheet stands in it.
    pub range: Option<TextRange>,
}

/// One attribute, resolved. A pipeline has more of these than of anything else, so it is kept small.
#[derive(Clone, Debug)]
pub struct Attribute {
    /// The name as written, possibly an alias.
    pub written: SmolStr,
    /// The value, decoded (escapes and concatenation undone).
    pub value: Substr,
    /// Where it came from.
    pub source: Source,
    /// Where it stands in the file; `None` when it stands in no DOT attribute of its own.
    pub(crate) pair: Option<Pair>,
    /// What the catalogue says about it; `None` when it means nothing where it stands.
    pub row: Option<&'static AttributeRow>,
}

/// Name and value of an attribute in the file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) key: TextRange,
    /// The value's tree, to map offsets inside it back to the file.
    pub(crate) value: ast::Id,
}

impl Attribute {
    /// The canonical name; names that have no other stay as written.
    #[inline]
    pub fn name(&self) -> &str {
        match self.row {
            Some(row) if row.prefix().is_none() => row.name,
            _ => &self.written,
        }
    }

    /// The name in the file.
    #[inline]
    pub fn key_range(&self) -> Option<TextRange> {
        Some(self.pair?.key)
    }

    /// The value in the file, as written with its quotes.
    #[inline]
    pub fn value_range(&self) -> Option<TextRange> {
        Some(self.pair?.value.range)
    }

    /// Where bytes of the value stand in the file, through escapes and concatenation. `text` is the file.
    pub fn place(&self, text: &str, bytes: Range<usize>) -> Option<TextRange> {
        let value = self.pair?.value;
        let decoded = value.decoded(text);
        let decoded = if value.is_html() {
            decoded
        } else {
            decoded.unescape()
        };
        let range = decoded.range_to_source(bytes.start, bytes.end);
        // A quote inside a quoted string has a backslash, and what begins with the quote begins with that.
        let before = range.start().saturating_sub(1);
        let escaped = !bytes.is_empty()
            && TextRange::new(before, range.end())
                .text(text)
                .starts_with("\\\"");
        Some(TextRange::new(
            if escaped { before } else { range.start() },
            range.end(),
        ))
    }

    /// The whole attribute in the file, name and value.
    pub fn range(&self) -> Option<TextRange> {
        let pair = self.pair?;
        Some(pair.key.cover(pair.value.range))
    }
}

/// Resolved attributes, in the order they were written; what stylesheet and graph give comes last.
#[derive(Clone, Debug)]
pub struct Attributes {
    owner: Owner,
    items: Vec<Attribute>,
    /// What nodes alike have in common, kept once for all of them. No name of `items` is among them.
    shared: Option<Arc<[Attribute]>>,
    names: NameSet,
}

/// Attributes to be given to many nodes, each name once.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    items: Arc<[Attribute]>,
    names: NameSet,
}

impl Given {
    /// Of several attributes of one name the first counts.
    pub(crate) fn new(attributes: impl IntoIterator<Item = Attribute>) -> Self {
        let mut items: Vec<Attribute> = Vec::new();
        for attribute in attributes {
            if items.iter().all(|item| item.name() != attribute.name()) {
                items.push(attribute);
            }
        }
        Self {
            names: items.iter().map(Attribute::name).collect(),
            items: items.into(),
        }
    }
}

impl Attributes {
    /// No attributes.
    pub fn new(owner: Owner) -> Self {
        Self::with_capacity(owner, 0)
    }

    /// No attributes yet, with room for so many.
    pub(crate) fn with_capacity(owner: Owner, count: usize) -> Self {
        Self {
            owner,
            items: Vec::with_capacity(count),
            shared: None,
            names: NameSet::default(),
        }
    }

    /// Whose attributes these are.
    pub fn owner(&self) -> Owner {
        self.owner
    }

    /// The attribute of that canonical name, as somebody wrote it (no catalogue default).
    #[inline]
    pub fn get(&self, name: &str) -> Option<&Attribute> {
        if self.names.may_have(name) {
            self.find(name)
        } else {
            None
        }
    }

    fn find(&self, name: &str) -> Option<&Attribute> {
        let own = self.items.iter().find(|item| item.name() == name);
        own.or_else(|| {
            self.shared
                .as_ref()?
                .iter()
                .find(|item| item.name() == name)
        })
    }

    /// Whether somebody wrote it.
    #[inline]
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The text of a value, or the catalogue's default.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Some(attribute) => Some(&attribute.value),
            None => catalogue::default_value(self.owner, name),
        }
    }

    /// A truth value by Graphviz's rule (`true`, `yes`, `1` and their opposites, any case).
    pub fn bool(&self, name: &str) -> Option<bool> {
        catalogue::values::boolean(self.text(name)?)
    }

    /// A whole number.
    pub fn int(&self, name: &str) -> Option<i64> {
        catalogue::values::integer(self.text(name)?)
    }

    /// A number.
    pub fn float(&self, name: &str) -> Option<f64> {
        catalogue::values::float(self.text(name)?)
    }

    /// A duration; a bare number counts seconds.
    pub fn duration(&self, name: &str) -> Option<Duration> {
        duration::parse(self.text(name)?)
    }

    /// A list by commas, blanks around the items dropped; empty when nothing is written.
    pub fn list(&self, name: &str) -> Vec<String> {
        self.text(name)
            .map(|text| {
                catalogue::values::list(text)
                    .map(|(item, _)| item.to_owned())
                    .collect()
            })
            .unwrap_or_default()
    }

    /// Every attribute somebody wrote, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Attribute> {
        self.items
            .iter()
            .chain(self.shared.iter().flat_map(|shared| shared.iter()))
    }

    /// Attributes whose name starts with `prefix`, with the rest of the name: `var.`, `context.`, `env.`.
    pub fn with_prefix<'s>(
        &'s self,
        prefix: &'s str,
    ) -> impl Iterator<Item = (&'s str, &'s Attribute)> {
        self.iter()
            .filter_map(move |item| Some((item.name().strip_prefix(prefix)?, item)))
    }

    /// Number of attributes somebody wrote.
    pub fn len(&self) -> usize {
        self.items.len() + self.shared.as_ref().map_or(0, |shared| shared.len())
    }

    /// Whether nobody wrote any.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds an attribute; a value of the same name is replaced.
    pub fn set(&mut self, attribute: Attribute) {
        if self.names.may_have(attribute.name())
            && let Some(shared) = self.shared.take()
        {
            self.items.extend(shared.iter().cloned());
        }
        let name = std::iter::once(attribute.name()).collect();
        self.set_unless(attribute, name, |_| false);
    }

    /// Adds an attribute of its own; one of the same name that is there is replaced unless it `stays`. `name` is its
    /// canonical name, as a set of one.
    #[inline]
    pub(crate) fn set_unless(
        &mut self,
        attribute: Attribute,
        name: NameSet,
        stays: impl FnOnce(&Attribute) -> bool,
    ) {
        if self.names.may_share(name) {
            let mut items = self.items.iter_mut();
            if let Some(old) = items.find(|item| item.name() == attribute.name()) {
                if !stays(old) {
                    *old = attribute;
                }
                return;
            }
        }
        self.names.join(name);
        self.items.push(attribute);
    }

    /// Sets a value from outside the file, as the command line does. Wins over graph defaults and
    /// stylesheet, not over what the node says itself.
    pub fn set_default_from_command_line(&mut self, name: &'static str, value: &str) {
        if self
            .get(name)
            .is_some_and(|old| matches!(old.source, Source::Own | Source::Default { .. }))
        {
            return;
        }
        self.set(Attribute {
            written: SmolStr::new_static(name),
            value: Substr::from(value),
            source: Source::CommandLine,
            pair: None,
            row: catalogue::attribute(self.owner, name),
        });
    }

    /// Which names may be among them.
    pub(crate) fn names(&self) -> NameSet {
        self.names
    }

    pub(crate) fn push(&mut self, attribute: Attribute) {
        self.names.add(attribute.name());
        self.items.push(attribute);
    }

    /// Adds what is given and not there yet.
    pub(crate) fn give(&mut self, given: &Given) {
        if given.items.is_empty() {
            return;
        }
        if self.shared.is_none() && !self.names.may_share(given.names) {
            self.names.join(given.names);
            self.shared = Some(Arc::clone(&given.items));
            return;
        }
        for attribute in given.items.iter() {
            if !self.has(attribute.name()) {
                self.push(attribute.clone());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Attribute;

    #[test]
    fn an_attribute_is_small() {
        assert!(size_of::<Attribute>() <= 96);
    }
}
