//! Attributes of DOT under their canonical names, and graph attributes that are defaults for nodes and edges.

use attractor_dot::graph::{self, Graph, List};
use attractor_dot::{TextRange, strings};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::attributes::{Attribute, Attributes, Pair, Source};
use crate::catalogue::{self, NodeKind, Owner};

/// Attributes of the graph that nodes inherit, with the name they have on the node.
const NODE_DEFAULTS: &[(&str, &str)] = &[
    ("default_max_retries", "max_retries"),
    ("default_fidelity", "fidelity"),
    ("default_thread_id", "thread_id"),
    ("model", "model"),
    ("provider", "provider"),
    ("reasoning_effort", "reasoning_effort"),
    ("temperature", "temperature"),
    ("top_p", "top_p"),
    ("max_tokens", "max_tokens"),
    ("max_turns", "max_turns"),
    ("backend", "backend"),
    ("agent_tool", "agent_tool"),
    ("retries_before_escalation", "retries_before_escalation"),
    ("on_failure", "on_failure"),
    ("retry_policy", "retry_policy"),
    ("retry_delay", "retry_delay"),
    ("max_parallel", "max_parallel"),
    ("tool_hooks.pre", "tool_hooks.pre"),
    ("tool_hooks.post", "tool_hooks.post"),
    ("stack.child_dotfile", "sub_pipeline"),
    ("stack.child_workdir", "stack.child_workdir"),
    ("stack.child_autostart", "stack.child_autostart"),
];

/// Makes the attributes of one graph canonical.
pub(super) struct Canonical<'g> {
    graph: &'g Graph,
    /// Long values that several nodes or edges may have, by where they stand in the file.
    shared: FxHashMap<TextRange, SmolStr>,
}

/// Up to so many bytes a value costs nothing to copy.
const SHORT: usize = 23;

impl<'g> Canonical<'g> {
    /// Defaults, and what edges say, which may be a product, can belong to many.
    pub(super) fn of(graph: &'g Graph) -> Self {
        let nodes = graph
            .nodes
            .iter()
            .flat_map(|node| graph.list(node.attributes));
        let inherited = nodes.filter(|attribute| attribute.inherited);
        let edges = graph
            .edges
            .iter()
            .flat_map(|edge| graph.list(edge.attributes));
        let mut shared = FxHashMap::default();
        for attribute in inherited.chain(edges) {
            let value = graph.value_of(attribute);
            if value.len() > SHORT {
                let shared = shared.entry(attribute.value_id.range);
                shared.or_insert_with(|| text(value, attribute));
            }
        }
        Self { graph, shared }
    }

    /// Attributes under canonical names. Where two names mean the same, what the owner says itself wins over
    /// defaults, then what stands later.
    pub(super) fn attributes(&self, owner: Owner, written: List) -> Attributes {
        let mut attributes = Attributes::with_capacity(owner, written.len());
        for attribute in self.graph.list(written) {
            let name = self.graph.name_of(attribute);
            let resolved = Attribute {
                written: name.clone(),
                value: self.value(attribute),
                source: if attribute.inherited {
                    Source::Default {
                        range: attribute.range(),
                    }
                } else {
                    Source::Own
                },
                pair: Some(Pair {
                    key: attribute.key_range,
                    value: attribute.value_id,
                }),
                row: catalogue::attribute(owner, name),
            };
            // An own value may stand in the list where the default it replaced stood.
            let stays = |old: &Attribute| {
                let later = old.key_range() > Some(attribute.key_range);
                old.source == Source::Own && (attribute.inherited || later)
            };
            attributes.set_unless(resolved, stays);
        }
        attributes
    }

    fn value(&self, attribute: &graph::Attribute) -> SmolStr {
        let value = self.graph.value_of(attribute);
        let long = value.len() > SHORT;
        let shared = long.then(|| self.shared.get(&attribute.value_id.range));
        let shared = shared.flatten().cloned();
        shared.unwrap_or_else(|| text(value, attribute))
    }
}

/// In pipelines `\n`, `\t` and `\\` are escapes too.
fn text(value: &str, attribute: &graph::Attribute) -> SmolStr {
    if attribute.value_id.is_html() {
        SmolStr::new(value)
    } else {
        SmolStr::from(strings::unescape(value))
    }
}

/// The canonical name of what is written on an owner.
pub(super) fn name(owner: Owner, written: &str) -> &str {
    match catalogue::attribute(owner, written) {
        Some(row) if row.prefix().is_none() => row.name,
        _ => written,
    }
}

/// What the graph sets for its nodes under the names nodes have for it, ready to be given to each.
pub(super) struct NodeDefaults(Vec<(&'static str, Attribute)>);

impl NodeDefaults {
    pub(super) fn of_graph(graph: &Attributes) -> Self {
        let defaults = NODE_DEFAULTS.iter().filter_map(|(on_graph, on_node)| {
            let attribute = graph.get(on_graph)?;
            if *on_graph == "model" && is_distance_model(&attribute.value) {
                return None;
            }
            let range = attribute.key_range()?;
            let default = Attribute {
                source: Source::Graph { range },
                ..attribute.clone()
            };
            Some((*on_node, default))
        });
        Self(defaults.collect())
    }

    /// Whether the graph sets none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Those that nodes of a kind understand.
    pub(super) fn of(&self, kind: NodeKind) -> impl Iterator<Item = Attribute> {
        self.0.iter().filter_map(move |(name, default)| {
            let row = catalogue::attribute(Owner::Node(kind), name)?;
            Some(Attribute {
                row: Some(row),
                ..default.clone()
            })
        })
    }
}

/// `model` is also what Graphviz calls the way `neato` computes distances.
fn is_distance_model(value: &str) -> bool {
    matches!(value, "shortpath" | "circuit" | "subset" | "mds")
}

#[cfg(test)]
mod tests {
    use crate::pipeline::Pipeline;

    #[test]
    fn of_two_names_the_later_wins_also_over_a_default() {
        for (own, value) in [("llm_model=a, model=b", "b"), ("model=b, llm_model=a", "a")] {
            let text = format!("digraph {{ start -> n; node [model=d]; n [prompt=x, {own}] }}");
            let (pipelines, _) = Pipeline::from_text(&text);
            let node = pipelines[0].node_by_id("n").map(|node| &node.attributes);
            assert_eq!(node.and_then(|own| own.text("model")), Some(value), "{own}");
        }
    }
}
