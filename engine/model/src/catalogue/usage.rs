//! How often names and values are written, for completion to put first what is likely.
//!
//! The figures are shares in percent: of a hundred lists of attributes of an owner, so many hold the name; of a hundred
//! values of an attribute, so many are the word. Read off real pipelines of several projects and rounded; only
//! their order matters. What is not in a table is rare. A test keeps the names in step with the catalogue.

use super::{NodeKind, Owner};

type Shares = &'static [(&'static str, u8)];

/// The share of an owner's lists that hold a name, spelled so; `None` is the owner of `node [...]`.
pub fn name_share(owner: Option<Owner>, name: &str) -> u8 {
    let tables: [Shares; 2] = match owner {
        Some(Owner::Graph) => [GRAPH, &[]],
        Some(Owner::Subgraph) => [SUBGRAPH, &[]],
        Some(Owner::Edge) => [EDGE, &[]],
        Some(Owner::Node(kind)) => [of_kind(kind), NODE],
        None => [NODE_DEFAULTS, NODE],
    };
    share(tables[0], name)
        .or_else(|| share(tables[1], name))
        .unwrap_or(0)
}

/// The share of an attribute's values that are a word. `name` is the canonical one.
pub fn value_share(name: &str, value: &str) -> u8 {
    let table = VALUES.iter().find(|(of, _)| *of == name);
    table
        .and_then(|(_, shares)| share(shares, value))
        .unwrap_or(0)
}

/// The usual values of an attribute that takes any number, duration or text, most usual first.
pub fn usual_values(name: &str) -> impl Iterator<Item = &'static str> {
    let table = VALUES.iter().find(|(of, _)| *of == name);
    table
        .into_iter()
        .flat_map(|(_, shares)| shares.iter().map(|(value, _)| *value))
}

fn share(table: Shares, wanted: &str) -> Option<u8> {
    table
        .iter()
        .find(|(name, _)| *name == wanted)
        .map(|(_, share)| *share)
}

fn of_kind(kind: NodeKind) -> Shares {
    match kind {
        NodeKind::Codergen | NodeKind::Prompt | NodeKind::Custom => AGENT,
        NodeKind::Tool => TOOL,
        NodeKind::HumanGate => GATE,
        NodeKind::Parallel => PARALLEL,
        NodeKind::FanIn => FAN_IN,
        NodeKind::Supervisor | NodeKind::Pipeline => SUB_PIPELINE,
        NodeKind::Exit => EXIT,
        _ => &[],
    }
}

const GRAPH: Shares = &[
    ("goal", 90),
    ("rankdir", 55),
    ("model_stylesheet", 30),
    ("label", 20),
    ("retry_target", 17),
    ("default_max_retries", 12),
    ("fallback_retry_target", 10),
    ("default_max_retry", 9),
    ("vars", 5),
    ("max_goal_gate_redirects", 4),
    ("default_fidelity", 3),
    ("context_fidelity_default", 3),
    ("context_thread_default", 3),
    ("max_steps", 3),
    ("max_node_visits", 2),
    ("stall_timeout", 2),
    ("inputs", 2),
    ("model", 2),
    ("provider", 2),
    ("max_pipeline_duration", 2),
    ("triggers", 2),
    ("domains", 2),
    ("goal_required_nodes", 1),
    ("goal_conditions", 1),
    ("description", 1),
    ("stack.child_dotfile", 1),
    ("default_thread_id", 1),
    ("fontname", 1),
    ("splines", 1),
    ("nodesep", 1),
    ("ranksep", 1),
    ("labelloc", 1),
    ("compound", 1),
];

const SUBGRAPH: Shares = &[
    ("label", 90),
    ("style", 15),
    ("rank", 8),
    ("color", 6),
    ("class", 4),
    ("bgcolor", 3),
    ("fillcolor", 3),
    ("fontname", 1),
];

const EDGE: Shares = &[
    ("condition", 70),
    ("label", 55),
    ("loop_restart", 5),
    ("weight", 4),
    ("style", 3),
    ("priority", 2),
    ("fidelity", 2),
    ("freeform", 2),
    ("color", 2),
    ("max_visits", 1),
    ("thread_id", 1),
    ("constraint", 1),
];

/// Nodes of every kind.
const NODE: Shares = &[
    ("shape", 88),
    ("label", 75),
    ("class", 22),
    ("timeout", 18),
    ("max_retries", 10),
    ("handler", 5),
    ("type", 5),
    ("node_type", 5),
    ("goal_gate", 5),
    ("style", 5),
    ("retry_target", 4),
    ("auto_status", 3),
    ("max_visits", 2),
    ("verify", 2),
    ("on_failure", 1),
    ("description", 1),
    ("must_write", 1),
    ("fillcolor", 2),
    ("color", 2),
    ("allow_partial", 2),
    ("fontname", 1),
    ("fontsize", 1),
    ("retry_policy", 1),
    ("fallback_retry_target", 1),
];

const NODE_DEFAULTS: Shares = &[
    ("shape", 70),
    ("fidelity", 25),
    ("timeout", 20),
    ("thread_id", 20),
    ("fontname", 15),
    ("style", 10),
    ("model", 8),
    ("max_retries", 5),
    ("fontsize", 4),
    ("color", 3),
    ("llm_model", 3),
    ("llm_provider", 3),
];

const AGENT: Shares = &[
    ("prompt", 85),
    ("reasoning_effort", 8),
    ("llm_prompt", 6),
    ("llm_model", 7),
    ("llm_provider", 6),
    ("model", 7),
    ("provider", 3),
    ("max_agent_turns", 6),
    ("fidelity", 5),
    ("auto_status", 5),
    ("thread_id", 4),
    ("allow_partial", 3),
    ("agent_tool", 2),
    ("context_keys", 2),
    ("system_prompt", 2),
    ("output_key", 2),
    ("max_turns", 2),
    ("max_tokens", 1),
    ("temperature", 1),
    ("backend", 1),
    ("output_schema", 1),
];

const TOOL: Shares = &[
    ("command", 70),
    ("tool_command", 50),
    ("script", 35),
    ("max_retries", 15),
    ("timeout", 20),
    ("working_dir", 3),
    ("parse_json", 2),
    ("output_key", 2),
];

const GATE: Shares = &[
    ("prompt", 15),
    ("human.default_choice", 10),
    ("timeout", 8),
    ("mode", 3),
    ("question", 3),
    ("options", 2),
];

const PARALLEL: Shares = &[
    ("join_policy", 42),
    ("max_parallel", 15),
    ("error_policy", 8),
    ("branches", 5),
    ("isolation", 3),
    ("join_k", 3),
    ("for_each", 3),
];

const FAN_IN: Shares = &[
    ("prompt", 12),
    ("context_keys", 8),
    ("score_key", 4),
    ("merge", 3),
];

const SUB_PIPELINE: Shares = &[
    ("sub_pipeline", 45),
    ("stack.child_dotfile", 20),
    ("manager.max_cycles", 25),
    ("max_iterations", 20),
    ("manager.poll_interval", 15),
    ("manager.actions", 15),
    ("done_condition", 15),
    ("manager.stop_condition", 10),
    ("stack.child_workflow", 8),
    ("child_graph", 5),
    ("prompt", 8),
];

const EXIT: Shares = &[("goal_gate", 5), ("retry_target", 5)];

const VALUES: &[(&str, Shares)] = &[
    (
        "provider",
        &[
            ("anthropic", 35),
            ("openai", 35),
            ("google", 12),
            ("gemini", 10),
        ],
    ),
    (
        "shape",
        &[
            ("box", 42),
            ("diamond", 17),
            ("Msquare", 14),
            ("Mdiamond", 13),
            ("parallelogram", 8),
            ("hexagon", 4),
            ("tab", 3),
            ("component", 2),
            ("tripleoctagon", 1),
            ("house", 1),
        ],
    ),
    (
        "handler",
        &[
            ("codergen", 25),
            ("tool", 20),
            ("human_gate", 12),
            ("conditional", 10),
            ("parallel", 8),
            ("parallel.fan_in", 6),
            ("start", 6),
            ("exit", 6),
        ],
    ),
    (
        "reasoning_effort",
        &[("high", 65), ("low", 20), ("medium", 12), ("xhigh", 3)],
    ),
    (
        "max_retries",
        &[
            ("2", 55),
            ("3", 20),
            ("0", 12),
            ("1", 7),
            ("5", 4),
            ("10", 1),
        ],
    ),
    (
        "default_max_retries",
        &[
            ("3", 60),
            ("2", 20),
            ("0", 8),
            ("1", 7),
            ("5", 4),
            ("50", 1),
        ],
    ),
    ("max_visits", &[("3", 50), ("5", 25), ("10", 10), ("2", 10)]),
    (
        "max_goal_gate_redirects",
        &[("3", 60), ("2", 20), ("5", 10), ("1", 5)],
    ),
    (
        "max_node_visits",
        &[("20", 40), ("10", 30), ("50", 10), ("5", 10)],
    ),
    (
        "max_steps",
        &[("100", 30), ("50", 20), ("200", 20), ("1000", 20)],
    ),
    (
        "max_turns",
        &[
            ("8", 30),
            ("10", 20),
            ("6", 15),
            ("25", 10),
            ("4", 10),
            ("50", 8),
            ("100", 5),
            ("2", 5),
        ],
    ),
    (
        "max_tokens",
        &[
            ("4096", 30),
            ("8192", 25),
            ("16384", 20),
            ("32768", 20),
            ("64000", 5),
        ],
    ),
    (
        "temperature",
        &[("0", 30), ("0.2", 25), ("0.7", 25), ("1", 15)],
    ),
    (
        "max_parallel",
        &[("3", 30), ("4", 30), ("2", 20), ("5", 10), ("8", 5)],
    ),
    ("join_k", &[("2", 60), ("1", 20), ("3", 20)]),
    ("join_quorum", &[("0.5", 50), ("0.66", 30), ("0.75", 15)]),
    (
        "max_iterations",
        &[("5", 30), ("10", 25), ("3", 20), ("20", 15), ("50", 10)],
    ),
    (
        "loop_max",
        &[("5", 30), ("10", 30), ("3", 20), ("12", 10), ("8", 10)],
    ),
    ("priority", &[("1", 40), ("0", 25), ("2", 20), ("10", 10)]),
    (
        "weight",
        &[("10", 30), ("1", 25), ("2", 20), ("5", 10), ("-1", 10)],
    ),
    (
        "join_policy",
        &[
            ("wait_all", 70),
            ("first_success", 20),
            ("k_of_n", 5),
            ("quorum", 3),
        ],
    ),
    (
        "fidelity",
        &[
            ("full", 65),
            ("truncate", 15),
            ("compact", 10),
            ("summary:high", 4),
            ("summary:medium", 4),
        ],
    ),
    ("rankdir", &[("LR", 80), ("TB", 18)]),
    (
        "style",
        &[
            ("rounded,filled", 50),
            ("filled", 20),
            ("dashed", 12),
            ("rounded", 10),
            ("bold", 4),
            ("dotted", 3),
        ],
    ),
    (
        "fontname",
        &[
            ("Helvetica", 60),
            ("Arial", 15),
            ("Times New Roman", 6),
            ("Courier", 6),
            ("sans-serif", 5),
            ("monospace", 4),
        ],
    ),
    (
        "fontsize",
        &[
            ("12", 50),
            ("10", 20),
            ("14", 12),
            ("11", 8),
            ("9", 5),
            ("24", 2),
        ],
    ),
    (
        "penwidth",
        &[("2", 40), ("1.5", 25), ("1.2", 20), ("1", 8), ("3", 5)],
    ),
    (
        "margin",
        &[("0.1", 30), ("0.2", 20), ("0.1,0.08", 20), ("0", 10)],
    ),
    (
        "nodesep",
        &[("0.5", 50), ("0.6", 15), ("0.4", 15), ("0.8", 10), ("1", 5)],
    ),
    (
        "ranksep",
        &[("0.8", 30), ("0.6", 25), ("1", 20), ("0.5", 15)],
    ),
    ("arrowsize", &[("0.7", 50), ("0.8", 30), ("1", 10)]),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::{NODE_KINDS, attribute, graphviz_attribute};

    #[test]
    fn every_name_is_in_the_catalogue() {
        let owners = [Owner::Graph, Owner::Edge, Owner::Subgraph];
        let nodes = NODE_KINDS.iter().map(|row| Owner::Node(row.kind));
        let owners: Vec<Owner> = owners.into_iter().chain(nodes).collect();
        let is_known = |owner: Owner, name: &str| {
            attribute(owner, name).is_some() || graphviz_attribute(name).is_some()
        };
        for owner in &owners {
            let tables = match owner {
                Owner::Graph => [GRAPH, &[]],
                Owner::Subgraph => [SUBGRAPH, &[]],
                Owner::Edge => [EDGE, &[]],
                Owner::Node(kind) => [of_kind(*kind), NODE],
            };
            for (name, _) in tables[0] {
                // Kinds share tables, so a row may be there for one of them only.
                let known = match owner {
                    Owner::Node(_) => owners.iter().any(|owner| is_known(*owner, name)),
                    owner => is_known(*owner, name),
                };
                assert!(known, "{name} of {owner:?}");
            }
        }
        let node = Owner::Node(NodeKind::Codergen);
        for (name, _) in NODE.iter().chain(NODE_DEFAULTS) {
            assert!(is_known(node, name), "{name}");
        }
        for (name, _) in VALUES {
            let known = owners.iter().any(|owner| is_known(*owner, name));
            assert!(known, "{name}");
        }
    }

    #[test]
    fn the_table_of_a_kind_comes_before_that_of_all_nodes() {
        let tool = Some(Owner::Node(NodeKind::Tool));
        let diamond = Some(Owner::Node(NodeKind::Conditional));
        assert!(name_share(tool, "command") > name_share(tool, "prompt"));
        assert!(name_share(tool, "max_retries") > name_share(diamond, "max_retries"));
        assert_eq!(name_share(diamond, "prompt"), 0);
        assert!(value_share("shape", "Msquare") > value_share("shape", "tab"));
        assert_eq!(usual_values("join_k").next(), Some("2"));
    }
}
