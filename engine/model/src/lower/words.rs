//! The names that decide what a node is, as one graph has them.
//!
//! A graph keeps each name once, so whether a node bears one is a question about numbers; a name that stands
//! nowhere in the graph is answered without a look at the node.

use attractor_dot::graph::{Attribute, Graph, List, Name};

/// Names of a graph that mean the same here, in the order in which they count.
#[derive(Debug, Default)]
pub(super) struct Synonyms(Vec<Name>);

impl Synonyms {
    /// Those of `words` that stand in the graph.
    pub(super) fn of<'w>(graph: &Graph, words: impl IntoIterator<Item = &'w str>) -> Self {
        let names = words.into_iter().filter_map(|word| graph.name_for(word));
        Self(names.collect())
    }

    /// Whether a name is one of them.
    pub(super) fn have(&self, name: Name) -> bool {
        self.0.contains(&name)
    }

    /// The attributes of a list that bear one of them.
    pub(super) fn on<'g>(
        &self,
        graph: &'g Graph,
        list: List,
    ) -> impl Iterator<Item = &'g Attribute> {
        self.0
            .iter()
            .filter_map(move |name| graph.find_by(list, *name))
    }

    /// The values a list itself gives to them, those that defaults give left out.
    pub(super) fn own<'g>(&self, graph: &'g Graph, list: List) -> impl Iterator<Item = &'g str> {
        self.on(graph, list)
            .filter(|found| !found.inherited)
            .map(|found| graph.value_of(found))
    }
}

/// The names of a graph that decide what its nodes are.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// What names the handler.
    pub(super) handler: Synonyms,
    pub(super) shape: Synonyms,
    pub(super) start: Synonyms,
    pub(super) terminal: Synonyms,
    pub(super) prompt: Synonyms,
    pub(super) command: Synonyms,
    pub(super) branches: Synonyms,
    /// What names another pipeline to run once.
    pub(super) pipeline: Synonyms,
    /// What names another pipeline to run until it is done.
    pub(super) child: Synonyms,
    pub(super) duration: Synonyms,
}

impl Words {
    pub(super) fn of(graph: &Graph) -> Self {
        let words = |words: &[&'static str]| Synonyms::of(graph, words.iter().copied());
        Self {
            handler: words(&["handler", "type", "node_type"]),
            shape: words(&["shape"]),
            start: words(&["start"]),
            terminal: words(&["terminal"]),
            prompt: words(&["prompt", "llm_prompt", "prompt_file"]),
            command: words(&["command", "tool_command", "script"]),
            branches: words(&["branches", "parallel_targets"]),
            pipeline: words(&["graph_ref", "subgraph_ref", "dot_file", "import"]),
            child: words(&[
                "sub_pipeline",
                "stack.child_dotfile",
                "stack.child_workflow",
                "stack.child_dot_source",
                "child_graph",
            ]),
            duration: words(&["duration"]),
        }
    }
}
