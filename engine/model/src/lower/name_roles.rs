//! The names that decide what a node is, as one graph has them.
//!
//! A graph keeps each name once, so what a name decides is looked up once, and a node is read in one walk over its
//! attributes.

use attractor_dot::graph::{Graph, Name};

/// What an attribute decides about its node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Names the handler.
    Handler,
    Shape,
    Start,
    Terminal,
    Prompt,
    Command,
    Branches,
    /// Names another pipeline to run once.
    Pipeline,
    /// Names another pipeline to run until it is done.
    Child,
    Duration,
}

/// The names of each role, in the order in which they count.
const ROLES: &[(Role, &[&str])] = &[
    (Role::Handler, &["handler", "type", "node_type"]),
    (Role::Shape, &["shape"]),
    (Role::Start, &["start"]),
    (Role::Terminal, &["terminal"]),
    (Role::Prompt, &["prompt", "llm_prompt", "prompt_file"]),
    (Role::Command, &["command", "tool_command", "script"]),
    (Role::Branches, &["branches", "parallel_targets"]),
    (
        Role::Pipeline,
        &["graph_ref", "subgraph_ref", "dot_file", "import"],
    ),
    (
        Role::Child,
        &[
            "sub_pipeline",
            "stack.child_dotfile",
            "stack.child_workflow",
            "stack.child_dot_source",
            "child_graph",
        ],
    ),
    (Role::Duration, &["duration"]),
];

/// The names of a graph that decide what its nodes are.
pub(super) struct Words(Vec<Option<(Role, u8)>>);

impl Words {
    pub(super) fn of(graph: &Graph) -> Self {
        let mut words = vec![None; graph.names().len()];
        for (role, names) in ROLES {
            for (name, rank) in names.iter().zip(0..) {
                let name = graph.name_for(name);
                if let Some(word) = name.and_then(|name| words.get_mut(name.index())) {
                    *word = Some((*role, rank));
                }
            }
        }
        Self(words)
    }

    /// What a name decides, and its rank among the names that decide the same: the lowest counts.
    #[inline]
    pub(super) fn role(&self, name: Name) -> Option<(Role, u8)> {
        self.0.get(name.index()).copied().flatten()
    }
}
