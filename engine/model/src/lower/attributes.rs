//! Attributes of DOT under their canonical names, and graph attributes that are defaults for nodes and edges.

use attractor_dot::graph::{self, Graph, List};
use attractor_dot::{Substr, TextRange, strings};
use rustc_hash::FxHashMap;

use super::rows::Rows;
use crate::attributes::{Attribute, Attributes, Gathered, Gathering, Gathers, Pair, Source};
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
    rows: Rows<'g>,
    gathering: Gathering,
    /// What was gathered from lists that many have, such as defaults, by the owner's place among the rows.
    shared: FxHashMap<(List, usize), Gathered>,
    /// Values with escapes, by where they stand in the file: several nodes or edges may have them.
    unescaped: FxHashMap<TextRange, Substr>,
}

impl<'g> Canonical<'g> {
    pub(super) fn of(graph: &'g Graph) -> Self {
        Self {
            graph,
            rows: Rows::of(graph),
            gathering: Gathering::with_capacity(graph.written()),
            shared: FxHashMap::default(),
            unescaped: FxHashMap::default(),
        }
    }

    /// Gathers attributes under canonical names. Where two names mean the same, what the owner says itself wins over
    /// defaults, then what stands later.
    pub(super) fn gather(&mut self, owner: Owner, written: List) -> Gathered {
        let mut gathered = self.gathering.begin();
        if written.is_empty() {
            return gathered;
        }
        let place = self.rows.owner(owner);
        if written.is_shared()
            && let Some(known) = self.shared.get(&(written, place))
        {
            return *known;
        }
        for attribute in self.graph.list(written) {
            let meaning = self.rows.meaning(place, attribute.name);
            let resolved = Attribute {
                written: self.graph.name_of(attribute).clone(),
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
                row: meaning.row,
            };
            // An own value may stand in the list where the default it replaced stood.
            let stays = |old: &Attribute| {
                let later = old.key_range() > Some(attribute.key_range);
                old.source == Source::Own && (attribute.inherited || later)
            };
            let gathering = &mut self.gathering;
            gathering.set_unless(&mut gathered, resolved, meaning.name, stays);
        }
        if written.is_shared() {
            self.shared.insert((written, place), gathered);
        }
        gathered
    }

    /// All that was gathered.
    pub(super) fn finish(self) -> Gathers {
        self.gathering.finish()
    }

    /// In pipelines `\n`, `\t` and `\\` are escapes too.
    fn value(&mut self, attribute: &graph::Attribute) -> Substr {
        if attribute.is_plain() {
            return self.graph.shared_value_of(attribute);
        }
        let unescaped = self.unescaped.entry(attribute.value_id.range);
        let text = || strings::unescape(self.graph.value_of(attribute)).into_owned();
        unescaped.or_insert_with(|| Substr::from(text())).clone()
    }
}

/// The canonical name of what is written on an owner.
pub(super) fn name(owner: Owner, written: &str) -> &str {
    catalogue::canonical(catalogue::attribute(owner, written), written)
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
