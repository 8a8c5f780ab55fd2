//! The words that conditions of a pipeline compare with.
//!
//! Conditions compare keys with words that are in no catalogue (`outcome=needs_review`). Most are written more than
//! once: in the condition of another edge, or where the node says what it answers or prints.

use attractor_lang::condition::OperandKind;
use attractor_model::analysis::{KnownValue, known_values};
use attractor_model::{Edge, Node, Pipeline};

use super::CompletionContext;
use super::context::source;
use crate::cursor::ListOwner;

/// Words guessed from one node.
const MAX_ITEMS: usize = 20;

/// The words available to a condition.
pub(super) struct ConditionWords<'a> {
    text: &'a str,
    pipeline: Option<&'a Pipeline>,
    /// The node whose result is compared.
    node: Option<&'a Node>,
    /// Key, value and how often, in conditions elsewhere.
    comparisons: Vec<(&'a str, &'a str, u32)>,
}

impl<'a> ConditionWords<'a> {
    /// Collects the words, except those of the condition at the cursor.
    pub(super) fn new(ctx: &CompletionContext<'a>, head: &ListOwner) -> Self {
        let pipeline = ctx.pipeline();
        let node = pipeline.and_then(|pipeline| pipeline.node_by_id(source(head)?));
        let offset = ctx.cursor.offset;
        let edges = pipeline.into_iter().flat_map(|pipeline| &pipeline.edges);
        let elsewhere = edges.filter(|edge| !edge.statement.contains_inclusive(offset));
        let mut words = Self {
            text: &ctx.doc.text,
            pipeline,
            node,
            comparisons: Vec::new(),
        };
        for edge in elsewhere {
            words.read(edge);
        }
        words
            .comparisons
            .sort_by_key(|(_, _, count)| std::cmp::Reverse(*count));
        words
    }

    /// A node's statement and what directly precedes it.
    fn text_around(&self, node: &Node) -> &'a str {
        let start = node.statement.start().saturating_sub(COMMENT);
        let start = (start..=node.statement.start())
            .find(|at| self.text.is_char_boundary(*at))
            .unwrap_or_default();
        self.text
            .get(start..node.statement.end())
            .unwrap_or_default()
    }

    fn read(&mut self, edge: &'a Edge) {
        let Some(condition) = edge.condition.as_deref() else {
            return;
        };
        for (key, _) in condition.keys() {
            self.add(key, "");
        }
        for keyword in condition.keywords() {
            self.add(keyword.word(), "");
        }
        for compare in condition.comparisons() {
            if let (OperandKind::Key(key), OperandKind::Bare(value) | OperandKind::Text(value)) =
                (&compare.left.kind, &compare.right.kind)
            {
                self.add(key, value);
            } else if let (OperandKind::Key(key), OperandKind::Bool(value)) =
                (&compare.left.kind, &compare.right.kind)
            {
                self.add(key, if *value { "true" } else { "false" });
            }
        }
    }

    fn add(&mut self, key: &'a str, value: &'a str) {
        let known = self
            .comparisons
            .iter_mut()
            .find(|(known, of, _)| *known == key && *of == value);
        match known {
            Some((_, _, count)) => *count += 1,
            None => self.comparisons.push((key, value, 1)),
        }
    }

    /// The keys that conditions read, as they write them, most used first.
    pub(super) fn keys(&self) -> Vec<&'a str> {
        let keys = self
            .comparisons
            .iter()
            .filter(|(_, value, _)| value.is_empty());
        keys.map(|(key, _, _)| *key).collect()
    }

    /// The place of a key among them.
    pub(super) fn place(&self, key: &str) -> usize {
        let mut keys = self
            .comparisons
            .iter()
            .filter(|(_, value, _)| value.is_empty());
        keys.position(|(known, _, _)| *known == key)
            .unwrap_or(usize::MAX)
    }

    /// The words that conditions compare a key with, most used first.
    pub(super) fn values(&self, key: &str) -> Vec<&'a str> {
        let of_key = self.comparisons.iter().filter(|(known, value, _)| {
            !value.is_empty() && known.strip_prefix("context.").unwrap_or(known) == key
        });
        of_key.map(|(_, value, _)| *value).collect()
    }

    /// The values that the key is known to take where this condition is evaluated.
    pub(super) fn known(&self, key: &str) -> Vec<KnownValue> {
        let place = self.pipeline.zip(self.node);
        let place = place.and_then(|(pipeline, node)| Some((pipeline, pipeline.by_id(&node.id)?)));
        place.map_or_else(Vec::new, |(pipeline, ix)| known_values(pipeline, ix, key))
    }

    /// Words that may be results of the node: the nodes its edges lead to, as results are often named for where they
    /// lead; then words joined by `_` in or directly before its statement.
    pub(super) fn guesses(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        let targets = self.pipeline.zip(self.node).map(|(pipeline, node)| {
            let own = pipeline.by_id(&node.id);
            let targets = own.into_iter().flat_map(|own| pipeline.successors(own));
            targets.map(|target| pipeline.id(target).to_owned())
        });
        found.extend(targets.into_iter().flatten());
        let near = self.node.map_or("", |node| self.text_around(node));
        for word in near.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')) {
            let is_word = word.trim_matches('_').contains('_')
                && word.starts_with(|c: char| c.is_ascii_lowercase());
            if is_word && found.len() < MAX_ITEMS && !found.iter().any(|known| known == word) {
                found.push(word.to_owned());
            }
        }
        found
    }
}

/// The number of bytes before a node's statement that are searched for a comment about its results.
const COMMENT: usize = 400;
