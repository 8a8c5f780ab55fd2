//! Attributes of DOT under their canonical names, and graph attributes that are defaults for nodes and edges.

use std::cmp::Reverse;
use std::sync::Arc;

use attractor_dot::TextRange;
use attractor_dot::graph::{self, AttributeList, Graph, Name, NameFilter};
use rustc_hash::FxHashMap;

use crate::attributes::{
    Attribute, Attributes, Canonical, InheritedAttribute, InheritedFrom, Meanings, Rivals, Rows,
    Unescaped,
};
use crate::catalogue::{self, AttrType, NodeKind, Owner, values};

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

/// The name under which nodes inherit an attribute of the graph; `None` for attributes of the graph alone.
///
/// ```
/// use attractor_model::lower::inherited_as;
/// assert_eq!(inherited_as("default_max_retries"), Some("max_retries"));
/// assert_eq!(inherited_as("goal"), None);
/// ```
pub fn inherited_as(on_graph: &str) -> Option<&'static str> {
    let mut names = NODE_DEFAULTS.iter();
    let (_, on_node) = names.find(|(name, _)| *name == on_graph)?;
    Some(on_node)
}

/// Makes the attributes of one graph canonical.
pub(super) struct AttributeCollector {
    graph: Graph,
    rows: Rows,
    unescaped: Unescaped,
    /// What was found of lists that many have, such as defaults.
    shared: FxHashMap<(AttributeList, Owner), Canonical>,
    rivals: Rivals,
}

impl AttributeCollector {
    pub(super) fn of(graph: Graph) -> Self {
        Self {
            graph,
            rows: Rows::default(),
            unescaped: Unescaped::default(),
            shared: FxHashMap::default(),
            rivals: Rivals::default(),
        }
    }

    /// The graph whose attributes these are.
    pub(super) fn graph(&self) -> &Graph {
        &self.graph
    }

    /// The attributes of a list under canonical names. Of several names of one attribute one counts.
    pub(super) fn canonical(&mut self, owner: Owner, list: AttributeList) -> Canonical {
        if list.is_shared()
            && let Some(known) = self.shared.get(&(list, owner))
        {
            return *known;
        }
        let mut canonical = Canonical {
            written: list.range(),
            names: NameFilter::default(),
        };
        let mut may_repeat = false;
        for attribute in self.graph.list(list) {
            let class = self.rows.class(owner, &self.graph, attribute);
            may_repeat |= canonical.names.insert(class);
            if !attribute.is_plain() {
                self.unescaped.add(&self.graph, attribute);
            }
        }
        if may_repeat && self.rows.has_synonyms(owner) {
            let overridden = self.overridden(owner, list);
            self.note_rivals(owner, &overridden);
            let names: Vec<Name> = overridden
                .into_iter()
                .map(|(attribute, _)| attribute.name)
                .collect();
            canonical.written = self.graph.without(list, &names).range();
        }
        if list.is_shared() {
            self.shared.insert((list, owner), canonical);
        }
        canonical
    }

    /// Each attribute that another of the same meaning overrides, with that one.
    fn overridden(
        &self,
        owner: Owner,
        list: AttributeList,
    ) -> Vec<(graph::Attribute, graph::Attribute)> {
        let mut overridden = Vec::new();
        let mut effective: FxHashMap<&str, &graph::Attribute> = FxHashMap::default();
        for attribute in self.graph.list(list) {
            let name = name(owner, self.graph.name_of(attribute));
            let Some(other) = effective.insert(name, attribute) else {
                continue;
            };
            if self.weight(owner, other) < self.weight(owner, attribute) {
                effective.insert(name, other);
                overridden.push((*attribute, *other));
            } else {
                overridden.push((*other, *attribute));
            }
        }
        overridden
    }

    /// Of two attributes of the same meaning the one of lower weight is used: first what the owner sets itself, then
    /// the handler name of higher precedence, then the later one.
    fn weight(
        &self,
        owner: Owner,
        attribute: &graph::Attribute,
    ) -> (bool, usize, Reverse<TextRange>) {
        let written = self.graph.name_of(attribute);
        let handler =
            catalogue::attribute(owner, written).filter(|row| row.ty == AttrType::Handler);
        let rank = handler.and_then(|row| row.aliases.iter().position(|alias| alias == written));
        let rank = rank.map_or(0, |rank| rank + 1);
        (attribute.inherited, rank, Reverse(attribute.key_range))
    }

    /// Records those whose value differs from the one that overrides them.
    fn note_rivals(&mut self, owner: Owner, overridden: &[(graph::Attribute, graph::Attribute)]) {
        for (overridden, effective) in overridden {
            let meaning = catalogue::attribute(owner, self.graph.name_of(overridden));
            let ty = meaning.map_or(AttrType::Text, |row| row.ty);
            let [one, other] = [overridden, effective].map(|one| self.graph.value_of(one));
            if !values::same(ty, one, other) {
                self.rivals
                    .insert(overridden.key_range, effective.key_range);
            }
        }
    }

    /// How to read all of them, and what was found on the way.
    pub(super) fn finish(self) -> (Meanings, Rivals) {
        let meanings = Meanings::new(Arc::new(self.graph), self.rows, self.unescaped);
        (meanings, self.rivals)
    }
}

/// The canonical name of what is written on an owner.
pub(super) fn name(owner: Owner, written: &str) -> &str {
    catalogue::canonical(catalogue::attribute(owner, written), written)
}

/// The defaults that the graph sets for its nodes, under the names they have on nodes.
pub(super) struct NodeDefaults(Vec<(&'static str, InheritedAttribute)>);

impl NodeDefaults {
    pub(super) fn of_graph(graph: &Attributes) -> Self {
        let defaults = NODE_DEFAULTS.iter().filter_map(|(on_graph, on_node)| {
            let attribute = graph.get(on_graph)?;
            if *on_graph == "model" && is_distance_model(attribute.value()) {
                return None;
            }
            Some((*on_node, inherited(attribute)?))
        });
        Self(defaults.collect())
    }

    /// Whether the graph sets none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Those that apply to nodes of a kind.
    pub(super) fn of(&self, kind: NodeKind) -> impl Iterator<Item = InheritedAttribute> {
        self.0.iter().filter_map(move |(name, default)| {
            let row = catalogue::attribute(Owner::Node(kind), name)?;
            Some(InheritedAttribute {
                row: Some(row),
                ..default.clone()
            })
        })
    }
}

/// An attribute of the graph, to be inherited by nodes.
fn inherited(attribute: Attribute<'_>) -> Option<InheritedAttribute> {
    let (key, value) = attribute.pair()?;
    Some(InheritedAttribute {
        written: attribute.written().into(),
        value: attribute.value().into(),
        from: InheritedFrom::Graph { key, value },
        row: None,
    })
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
            let pipelines = Pipeline::from_text(&text);
            let node = pipelines[0].node_by_id("n").map(|node| &node.attributes);
            assert_eq!(node.and_then(|own| own.text("model")), Some(value), "{own}");
        }
    }

    #[test]
    fn a_graph_of_many_names_reads_the_last_of_them_too() {
        let many: Vec<String> = (0..400).map(|at| format!("made_up_{at}=x")).collect();
        let text = format!(
            "digraph {{ start -> n -> m; n [prompt=x, {}, llm_model=a, timeout=5m, model=b]; m [prompt=y, llm_provider=c] }}",
            many.join(", ")
        );
        let pipelines = Pipeline::from_text(&text);
        let said = |node: &str, name: &str| {
            let node = pipelines[0].node_by_id(node)?;
            Some(node.attributes.get(name)?.value())
        };
        assert_eq!(said("n", "timeout"), Some("5m"));
        assert_eq!(said("n", "model"), Some("b"));
        assert_eq!(said("n", "made_up_399"), Some("x"));
        assert_eq!(said("m", "provider"), Some("c"));
        assert_eq!(said("m", "model"), None);
        let node = pipelines[0].node_by_id("n").unwrap();
        assert_eq!(node.attributes.len(), 403);
    }
}
