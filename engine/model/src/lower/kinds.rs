//! What a node does: the first of handler, type, start and exit marks, own shape, what it carries, a shape
//! from defaults; else the coding agent.

use attractor_dot::graph::{Attribute, Graph, Node};

use super::dialect::kind_of_shape;
use super::marks::Ends;
use super::words::{Synonyms, Words};
use crate::catalogue::{NodeKind, values};
use crate::options::{Dialect, Options};

/// A resolved kind.
pub(super) struct Kind {
    pub(super) kind: NodeKind,
    /// The handler's name when the kind is [`NodeKind::Custom`].
    pub(super) custom: Option<Box<str>>,
}

/// What there is to ask about a node before its kind is known.
#[derive(Clone, Copy)]
pub(super) struct Said<'g> {
    graph: &'g Graph,
    words: &'g Words,
    node: &'g Node,
}

impl<'g> Said<'g> {
    pub(super) fn new(graph: &'g Graph, words: &'g Words, node: &'g Node) -> Self {
        Self { graph, words, node }
    }

    /// The kind of the node.
    pub(super) fn kind(self, ends: Ends, (dialect, options): (Dialect, &Options)) -> Kind {
        let explicit = self.handler();
        let by_name = explicit.and_then(|name| handler(name, options));
        let named_end = match (by_name, explicit) {
            (Some(Kind { kind, .. }), _) if matches!(kind, NodeKind::Start | NodeKind::Exit) => {
                Some(kind)
            }
            (Some(kind), _) => return kind,
            (None, Some(name)) => return unknown(name),
            (None, None) => None,
        };
        let shape = self.shape();
        let of_shape = |shape: &Attribute| kind_of_shape(dialect, self.graph.value_of(shape));
        let own_shape = shape
            .filter(|attribute| !attribute.inherited)
            .and_then(of_shape)
            .map(|kind| match kind {
                // Some engines draw the agent's tool work so: there is nothing to run but a prompt to follow.
                NodeKind::Tool if self.carried().is_none() => self.prompted().unwrap_or(kind),
                kind => kind,
            });
        let end = named_end.or(ends.kind());
        let works = own_shape.filter(|kind| !matches!(kind, NodeKind::Start | NodeKind::Exit));
        let inherited = || {
            shape
                .filter(|attribute| attribute.inherited)
                .and_then(of_shape)
        };
        let kind = match end {
            Some(end) => works
                .or_else(|| self.carried())
                .or_else(|| self.prompted())
                .unwrap_or(end),
            None => own_shape
                .or_else(|| self.carried())
                .or_else(inherited)
                .unwrap_or(NodeKind::Codergen),
        };
        Kind { kind, custom: None }
    }

    /// The name of its handler: `handler` before `type` before `node_type`.
    fn handler(self) -> Option<&'g str> {
        let first = self.first(&self.words.handler)?;
        Some(self.graph.value_of(first)).filter(|name| !name.trim().is_empty())
    }

    fn shape(self) -> Option<&'g Attribute> {
        self.first(&self.words.shape)
    }

    fn first(self, words: &Synonyms) -> Option<&'g Attribute> {
        words.on(self.graph, self.node.attributes).next()
    }

    /// The kind it names, or that of its shape when it names none.
    pub(super) fn named(self, dialect: Dialect) -> Option<NodeKind> {
        match self.handler() {
            Some(named) => NodeKind::from_name(named.trim()),
            None => kind_of_shape(dialect, self.graph.value_of(self.shape()?)),
        }
    }

    /// Whether it is marked as a start.
    pub(super) fn is_start(self) -> bool {
        self.flag(&self.words.start)
    }

    /// Whether it is marked as an end.
    pub(super) fn is_terminal(self) -> bool {
        self.flag(&self.words.terminal)
    }

    fn flag(self, words: &Synonyms) -> bool {
        let value = self.first(words).map(|found| self.graph.value_of(found));
        value.and_then(values::boolean) == Some(true)
    }

    /// Whether it names its branches, so that it leads on without edges.
    pub(super) fn has_branches(self) -> bool {
        self.first(&self.words.branches).is_some()
    }

    /// The kind that what it carries itself speaks for.
    fn carried(self) -> Option<NodeKind> {
        let own = |words: &Synonyms| {
            let mut values = words.own(self.graph, self.node.attributes);
            values.any(|value| !value.is_empty())
        };
        let words = self.words;
        if own(&words.command) {
            Some(NodeKind::Tool)
        } else if own(&words.branches) {
            Some(NodeKind::Parallel)
        } else if own(&words.pipeline) {
            Some(NodeKind::Pipeline)
        } else if own(&words.child) {
            Some(NodeKind::Supervisor)
        } else if own(&words.duration) && self.prompted().is_none() {
            Some(NodeKind::Wait)
        } else {
            None
        }
    }

    /// A start or exit with a prompt of its own runs it.
    fn prompted(self) -> Option<NodeKind> {
        let mut prompts = self.words.prompt.own(self.graph, self.node.attributes);
        prompts
            .any(|prompt| !prompt.trim().is_empty())
            .then_some(NodeKind::Codergen)
    }
}

/// An unknown handler stops the run there; the lint says so and the node keeps the name.
fn unknown(name: &str) -> Kind {
    Kind {
        kind: NodeKind::Custom,
        custom: Some(name.into()),
    }
}

fn handler(name: &str, options: &Options) -> Option<Kind> {
    let name = name.trim();
    if let Some(kind) = NodeKind::from_name(name) {
        return Some(Kind { kind, custom: None });
    }
    options
        .custom_handlers
        .iter()
        .any(|handler| handler.name == name)
        .then(|| Kind {
            kind: NodeKind::Custom,
            custom: Some(name.into()),
        })
}
