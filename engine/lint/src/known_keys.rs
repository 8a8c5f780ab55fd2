//! The keys a pipeline may set, and the nodes that may set any.

use std::borrow::Cow;
use std::cell::OnceCell;

use rustc_hash::FxHashSet;

use attractor_lang::lists::variables;
use attractor_model::catalogue::{self, NodeKind};
use attractor_model::{Attribute, Attributes};
use attractor_model::{Node, Pipeline};

/// Keys of the engine below which anything may be set.
const ROOTS: [&str; 3] = ["graph", "inputs", "internal"];

/// Keys of the engine below which each node has its own.
const NODE_ROOTS: [&str; 3] = ["output", "response", "node"];

/// The keys a pipeline may set.
pub(crate) struct KnownKeys<'p> {
    pipeline: &'p Pipeline,
    names: FxHashSet<Cow<'p, str>>,
    /// Keys of outputs; anything may be set below them.
    outputs: FxHashSet<&'p str>,
    /// Some node sets keys that are unknown before the run.
    pub(crate) open: bool,
    /// The names to suggest, sorted.
    sorted: OnceCell<Vec<Cow<'p, str>>>,
}

impl<'p> KnownKeys<'p> {
    /// One walk over the attributes of graph and nodes.
    pub(crate) fn of(pipeline: &'p Pipeline, inputs: &'p [String]) -> Self {
        let attributes = &pipeline.attributes;
        let mut known = Self {
            pipeline,
            names: given(pipeline),
            outputs: FxHashSet::default(),
            open: pipeline.nodes.iter().any(is_open),
            sorted: OnceCell::new(),
        };
        let inputs = inputs.iter().map(|name| Cow::Borrowed(name.as_str()));
        known.names.extend(inputs);
        let rows = catalogue::CONTEXT_KEYS.iter();
        known.names.extend(rows.map(|row| Cow::Borrowed(row.name)));
        let of_handlers = pipeline.handler_keys.values().flatten();
        known
            .names
            .extend(of_handlers.map(|key| Cow::Borrowed(key.as_str())));
        known.add(attributes);
        for node in &pipeline.nodes {
            known.add(&node.attributes);
        }
        known
    }

    fn add(&mut self, attributes: &'p Attributes) {
        for written in attributes.iter() {
            let name = written.name();
            let mut given = ["var.", "context."].iter();
            if let Some(key) = given.find_map(|prefix| name.strip_prefix(prefix)) {
                self.names.insert(Cow::Borrowed(key));
            }
            match name {
                "writes" | "outputs" | "item_key" => self.names.extend(listed(written)),
                "output_key" => {
                    self.outputs.insert(written.value());
                }
                _ => {}
            }
        }
    }

    /// Whether the pipeline, the engine or a node below whose keys anything may be set sets it.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.names.contains(key)
            || self.outputs.contains(key)
            || (key.bytes().any(|byte| byte == b'.') && self.has_above(key))
    }

    /// Whether anything may be set below a part of a key with dots.
    fn has_above(&self, key: &str) -> bool {
        let dots = key.match_indices('.');
        let mut roots = dots.filter_map(|(at, _)| key.get(..at));
        roots.any(|root| ROOTS.contains(&root) || self.outputs.contains(root))
            || key
                .split('.')
                .any(|part| self.pipeline.by_id(part).is_some())
    }

    /// The key that names a node where this one names none: `output.tset` for the node `test`.
    pub(crate) fn nearest_of_node(&self, key: &str) -> Option<String> {
        let (root, rest) = key.split_once('.')?;
        if !NODE_ROOTS.contains(&root) {
            return None;
        }
        let (id, tail) = match root {
            "node" => rest.split_at(rest.find('.')?),
            _ => (rest, ""),
        };
        let nodes = self.pipeline.nodes.iter().map(|node| &*node.id);
        // Another letter makes another name of a short one.
        let nodes = nodes.filter(|node| id.len() >= 4 || node.len() != id.len());
        let near = catalogue::nearest_within(1, id, nodes)?;
        Some(format!("{root}.{near}{tail}"))
    }

    /// The known name a key is a typo of.
    pub(crate) fn nearest(&self, key: &str) -> Option<&str> {
        let sorted = self.sorted.get_or_init(|| {
            // Names with capitals represent patterns and are no suggestion.
            let outputs = self.outputs.iter().copied().map(Cow::Borrowed);
            let all = self.names.iter().cloned().chain(outputs);
            let mut names: Vec<_> = all.filter(|name| !name.contains("NODE")).collect();
            names.sort_unstable();
            names
        });
        catalogue::nearest(key, sorted.iter().map(|name| &**name))
    }
}

/// Keys that are set from the start, or that nodes declare to read, which are set from outside.
pub(crate) fn given(pipeline: &Pipeline) -> FxHashSet<Cow<'_, str>> {
    let attributes = &pipeline.attributes;
    let mut names: FxHashSet<Cow<'_, str>> = attributes
        .iter()
        .map(|attribute| Cow::Borrowed(attribute.name()))
        .collect();
    if let Some(vars) = attributes.get("vars") {
        let declared = variables(vars.value()).0.into_iter();
        names.extend(declared.map(|variable| Cow::Owned(variable.name)));
    }
    let nodes = pipeline.nodes.iter().map(|node| &node.attributes);
    for own in std::iter::once(attributes).chain(nodes) {
        for name in ["requires", "reads"] {
            if let Some(written) = own.get(name) {
                names.extend(listed(written));
            }
        }
    }
    names
}

fn listed(written: Attribute<'_>) -> impl Iterator<Item = Cow<'_, str>> {
    catalogue::values::list(written.value()).map(|(key, _)| Cow::Borrowed(key))
}

/// Whether a node sets keys that are unknown before the run: models, sub-pipelines, handlers of the project's own.
pub(crate) fn is_open(node: &Node) -> bool {
    sets_anything(node.kind)
        || node
            .attributes
            .get("parse_json")
            .is_some_and(|own| catalogue::values::boolean(own.value()) == Some(true))
        || (node.kind == NodeKind::Tool && node.attributes.has("output_schema"))
}

/// Whether nodes of a kind set keys that are unknown before the run: models, sub-pipelines, handlers of the project's own.
fn sets_anything(kind: NodeKind) -> bool {
    kind.calls_model()
        || matches!(
            kind,
            NodeKind::Supervisor | NodeKind::Pipeline | NodeKind::Custom | NodeKind::FanIn
        )
}
