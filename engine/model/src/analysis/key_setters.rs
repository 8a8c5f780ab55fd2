//! The nodes that may have set a key where a condition compares it, and the values that they give it.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::values::{KnownValue, ValueType, bare, has_texts, value_type, values_of};
use crate::catalogue::{NodeKind, context_key};
use crate::pipeline::{Node, NodeIx, Pipeline};

/// The maximum number of nodes that are looked at for one key.
const MAX_NODES: usize = 64;

/// The values `key` is known to take in the condition of an edge that leaves `from`, each once, best known first.
pub fn known_values(pipeline: &Pipeline, from: NodeIx, key: &str) -> Vec<KnownValue> {
    KeySetters::new(pipeline).known_values(from, key)
}

/// Which nodes set a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum SetterKind {
    Commands,
    Gates,
    Models,
    /// All but those that only route.
    Working,
    All,
}

impl SetterKind {
    fn of(key: &str) -> Self {
        match value_type(key) {
            ValueType::Printed => Self::Commands,
            ValueType::Integer if key == "exit_code" => Self::Commands,
            ValueType::Boolean if key == "approved" => Self::Gates,
            ValueType::Integer | ValueType::Boolean => Self::All,
            ValueType::Answer => Self::Models,
            ValueType::Status | ValueType::Label | ValueType::FailureClass | ValueType::Any => {
                Self::Working
            }
        }
    }

    fn has(self, node: &Node) -> bool {
        match self {
            Self::Commands => node.kind == NodeKind::Tool,
            Self::Gates => node.kind == NodeKind::HumanGate,
            Self::Models => node.kind.calls_model(),
            Self::Working => node.kind != NodeKind::Conditional,
            Self::All => true,
        }
    }
}

/// The nearest nodes of a kind.
#[derive(Default)]
struct Nearest {
    nodes: Vec<NodeIx>,
    /// Whether an attribute of one of them may name values of keys.
    have_texts: bool,
}

/// The nearest such nodes at `from` and before it.
fn nearest_before(pipeline: &Pipeline, from: NodeIx, kind: SetterKind) -> Nearest {
    let mut seen = vec![from];
    let mut found = Nearest::default();
    let mut at = 0;
    while let Some(ix) = seen.get(at).copied().filter(|_| at < MAX_NODES) {
        at += 1;
        let Some(node) = pipeline.node(ix) else {
            continue;
        };
        if kind.has(node) {
            found.nodes.push(ix);
            found.have_texts |= has_texts(node);
            continue;
        }
        for before in pipeline.predecessors(ix) {
            if !seen.contains(&before) {
                seen.push(before);
            }
        }
    }
    found
}

/// Who sets the keys of many conditions of one pipeline: every search for them is made once.
pub struct KeySetters<'p> {
    pipeline: &'p Pipeline,
    nearest: FxHashMap<(NodeIx, SetterKind), Nearest>,
}

impl<'p> KeySetters<'p> {
    /// For the conditions of this pipeline.
    pub fn new(pipeline: &'p Pipeline) -> Self {
        Self {
            pipeline,
            nearest: FxHashMap::default(),
        }
    }

    /// The nodes that may have set the key where `from` routes on it: the one it names; else `from`, or where that
    /// only routes or sets no such key, what comes before it.
    pub fn of(&mut self, from: NodeIx, key: &str) -> Cow<'_, [NodeIx]> {
        let key = bare(key);
        if let Some(named) = node_named(self.pipeline, key) {
            return Cow::Owned(vec![named]);
        }
        Cow::Borrowed(&self.nearest(from, SetterKind::of(key)).nodes)
    }

    fn nearest(&mut self, from: NodeIx, kind: SetterKind) -> &Nearest {
        let pipeline = self.pipeline;
        let nearest = self.nearest.entry((from, kind));
        nearest.or_insert_with(|| nearest_before(pipeline, from, kind))
    }

    /// Whether there may be known values of a key of that type. Cheap, and `false` for most keys that an author invents.
    pub fn may_have_values(&mut self, from: NodeIx, key: &str, ty: ValueType) -> bool {
        // A key with a dot may name the node that sets it.
        ty != ValueType::Any
            || key.contains('.')
            || self.nearest(from, SetterKind::Working).have_texts
    }

    /// As [`known_values`].
    pub fn known_values(&mut self, from: NodeIx, key: &str) -> Vec<KnownValue> {
        let pipeline = self.pipeline;
        values_of(pipeline, from, key, &self.of(from, key))
    }
}

/// The node in `output.NODE`, `response.NODE`, `node.NODE.KEY` or `NODE.KEY`.
fn node_named(pipeline: &Pipeline, key: &str) -> Option<NodeIx> {
    if context_key(key).is_some() {
        return None;
    }
    if let Some(id) = ["output.", "response."]
        .iter()
        .find_map(|root| key.strip_prefix(root))
    {
        return pipeline.by_id(id);
    }
    let (rest, _) = key.rsplit_once('.')?;
    rest.rsplit('.').find_map(|part| pipeline.by_id(part))
}
