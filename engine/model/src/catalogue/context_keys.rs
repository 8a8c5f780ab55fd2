//! Context keys: what the engine and its handlers set, and who sets it.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::node_kinds::NodeKind;

/// Who sets a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setter {
    /// The engine, before the first node.
    Launch,
    /// The engine, after every node.
    EveryNode,
    /// The engine, after a node that failed.
    Failure,
    /// The engine, when the run ends.
    End,
    /// Nodes of these kinds.
    Kinds(&'static [NodeKind]),
}

/// A key of the context.
#[derive(Debug)]
pub struct ContextKeyRow {
    /// The key. Capitals stand for a part that varies: `output.NODE`.
    pub name: &'static str,
    /// The type of its value.
    pub ty: &'static str,
    /// Who sets it.
    pub setter: Setter,
    /// Whether every such setter sets it each time.
    pub always: bool,
    /// One sentence.
    pub doc: &'static str,
}

const fn key(
    name: &'static str,
    ty: &'static str,
    setter: Setter,
    doc: &'static str,
) -> ContextKeyRow {
    ContextKeyRow {
        name,
        ty,
        setter,
        always: true,
        doc,
    }
}

const fn sometimes(
    name: &'static str,
    ty: &'static str,
    setter: Setter,
    doc: &'static str,
) -> ContextKeyRow {
    ContextKeyRow {
        name,
        ty,
        setter,
        always: false,
        doc,
    }
}

const LLM: Setter = Setter::Kinds(&[NodeKind::Codergen, NodeKind::Prompt]);
const TOOL: Setter = Setter::Kinds(&[NodeKind::Tool]);
const GATE: Setter = Setter::Kinds(&[NodeKind::HumanGate]);
const PARALLEL: Setter = Setter::Kinds(&[NodeKind::Parallel]);
const FAN_IN: Setter = Setter::Kinds(&[NodeKind::FanIn]);
const SUPERVISOR: Setter = Setter::Kinds(&[NodeKind::Supervisor]);
const CHILD: Setter = Setter::Kinds(&[NodeKind::Supervisor, NodeKind::Pipeline]);

/// The first row of [`CONTEXT_KEYS`] with this name. Constant time.
pub fn context_key(name: &str) -> Option<&'static ContextKeyRow> {
    static ROWS: LazyLock<FxHashMap<&str, &ContextKeyRow>> = LazyLock::new(|| {
        CONTEXT_KEYS
            .iter()
            .rev()
            .map(|row| (row.name, row))
            .collect()
    });
    ROWS.get(name).copied()
}

/// Every key the engine and the built-in handlers set.
pub const CONTEXT_KEYS: &[ContextKeyRow] = &[
    key(
        "outcome",
        "status",
        Setter::EveryNode,
        "Outcome of the last node: `success`, `partial_success`, `fail`, `retry`, `skipped`, or a word of its own.",
    ),
    sometimes(
        "preferred_label",
        "string",
        Setter::EveryNode,
        "The edge label the last node asked for.",
    ),
    key(
        "current_node",
        "string",
        Setter::Launch,
        "The current node.",
    ),
    key(
        "last_stage",
        "string",
        Setter::EveryNode,
        "The node that ran last.",
    ),
    key(
        "last_response",
        "string",
        LLM,
        "The last answer of a model, shortened.",
    ),
    key(
        "last_codergen_output",
        "string",
        LLM,
        "The last answer of the agent.",
    ),
    sometimes(
        "output.NODE",
        "string",
        Setter::EveryNode,
        "Output of the node.",
    ),
    sometimes(
        "response.NODE",
        "string",
        LLM,
        "The answer of the node's model.",
    ),
    sometimes(
        "node.NODE.KEY",
        "any",
        Setter::EveryNode,
        "A key as that node set it.",
    ),
    key(
        "exit_code",
        "integer",
        TOOL,
        "Exit code of the last command; -1 when it was stopped.",
    ),
    key(
        "stdout",
        "string",
        TOOL,
        "What the last command wrote to its standard output.",
    ),
    key(
        "stderr",
        "string",
        TOOL,
        "What the last command wrote to its standard error.",
    ),
    key(
        "tool.output",
        "string",
        TOOL,
        "What the last command wrote, both streams.",
    ),
    key(
        "tool.last_line",
        "string",
        TOOL,
        "The last line the last command wrote.",
    ),
    key(
        "tool.exit_code",
        "integer",
        TOOL,
        "The same as `exit_code`.",
    ),
    key("approved", "boolean", GATE, "Whether the person agreed."),
    sometimes(
        "human.gate.selected",
        "string",
        GATE,
        "The key of the choice; of several (`mode=multi`) all keys, separated by commas.",
    ),
    sometimes(
        "human.gate.label",
        "string",
        GATE,
        "The label of the choice; of several (`mode=multi`) all labels, separated by commas.",
    ),
    sometimes(
        "human.gate.text",
        "string",
        GATE,
        "The text the person wrote.",
    ),
    key(
        "parallel_results",
        "map",
        PARALLEL,
        "Output of each branch.",
    ),
    key(
        "parallel.results",
        "map",
        PARALLEL,
        "The same as `parallel_results`.",
    ),
    key(
        "parallel.fail_count",
        "integer",
        PARALLEL,
        "How many branches failed.",
    ),
    sometimes(
        "BRANCH.KEY",
        "any",
        PARALLEL,
        "A key as that branch set it.",
    ),
    key(
        "parallel.fan_in.best_id",
        "string",
        FAN_IN,
        "The best branch.",
    ),
    key(
        "parallel.fan_in.best_outcome",
        "status",
        FAN_IN,
        "Outcome of the best branch.",
    ),
    key(
        "_supervisor_iteration",
        "integer",
        SUPERVISOR,
        "The current iteration, from 1.",
    ),
    key(
        "_supervisor_iterations",
        "integer",
        SUPERVISOR,
        "The number of iterations.",
    ),
    key(
        "stack.child.status",
        "string",
        CHILD,
        "Whether the sub-pipeline `completed`, `failed` or still runs.",
    ),
    key(
        "stack.child.outcome",
        "status",
        CHILD,
        "Outcome of the sub-pipeline.",
    ),
    key(
        "stack.child.report",
        "object",
        SUPERVISOR,
        "The status report of the sub-pipeline, at the last look of the supervisor.",
    ),
    key(
        "stack.child.node",
        "string",
        SUPERVISOR,
        "The node the sub-pipeline was at then.",
    ),
    key(
        "stack.child.turns_since_transition",
        "integer",
        SUPERVISOR,
        "Model turns of the sub-pipeline since its last transition, then.",
    ),
    key("graph.goal", "string", Setter::Launch, "The graph's goal."),
    key(
        "graph.ATTRIBUTE",
        "string",
        Setter::Launch,
        "An attribute of the graph.",
    ),
    key(
        "failure_class",
        "string",
        Setter::Failure,
        "What kind of failure it was: `transient_infra`, `budget_exhausted`, `deterministic`, `conflict`, `loop`, `canceled`, …",
    ),
    key(
        "failure_reason",
        "string",
        Setter::Failure,
        "The failure reason.",
    ),
    key(
        "failure_signature",
        "string",
        Setter::Failure,
        "A short name that is the same for the same failure.",
    ),
    key(
        "_last_error",
        "string",
        Setter::Failure,
        "The last failure reason.",
    ),
    key(
        "_failed_node",
        "string",
        Setter::Failure,
        "The node that failed last.",
    ),
    sometimes(
        "internal.retry_count.NODE",
        "integer",
        Setter::EveryNode,
        "Number of retries of the node.",
    ),
    key(
        "internal.node_visit_count",
        "integer",
        Setter::Launch,
        "Number of visits of the current node.",
    ),
    key("internal.run_id", "string", Setter::Launch, "The run."),
    key(
        "retries",
        "integer",
        Setter::Launch,
        "Number of retries of the current node.",
    ),
    key(
        "_pace_level",
        "string",
        Setter::Kinds(&[NodeKind::Escalate]),
        "Level of the last escalation.",
    ),
    key(
        "_completed_nodes",
        "list",
        Setter::End,
        "The nodes that completed, in success or partial success, in order.",
    ),
    sometimes(
        "_goal_gate_unmet",
        "list",
        Setter::End,
        "Required nodes and conditions that were not met.",
    ),
];
