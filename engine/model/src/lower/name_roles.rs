//! The attribute names of a graph that determine the kind of a node.
//!
//! A graph stores each name once, so the role of a name is looked up once, and a node is read in one pass over its
//! attributes.

use attractor_dot::graph::{Graph, Name};

/// What an attribute determines about its node.
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

/// The names of each role, in order of precedence.
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

/// The role of each name of a graph.
pub(super) struct NameRoles(Vec<Option<(Role, u8)>>);

impl NameRoles {
    pub(super) fn of(graph: &Graph) -> Self {
        let mut roles = vec![None; graph.names().len()];
        for (role, names) in ROLES {
            for (name, rank) in names.iter().zip(0..) {
                let name = graph.name_for(name);
                if let Some(slot) = name.and_then(|name| roles.get_mut(name.index())) {
                    *slot = Some((*role, rank));
                }
            }
        }
        Self(roles)
    }

    /// The role of a name, and its rank among the names of that role: the lowest takes precedence.
    #[inline]
    pub(super) fn role(&self, name: Name) -> Option<(Role, u8)> {
        self.0.get(name.index()).copied().flatten()
    }
}
