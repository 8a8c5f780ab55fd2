//! Node kinds: what a node does when a run reaches it, the words and shapes that say so.

/// What a node does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
// Exhaustive: code that distinguishes kinds has to decide about a new one.
pub enum NodeKind {
    /// Entry of the pipeline.
    Start,
    /// End of the pipeline.
    Exit,
    /// Runs the coding agent.
    Codergen,
    /// One model call without tools.
    Prompt,
    /// Asks a person.
    HumanGate,
    /// Routes by its edges.
    Conditional,
    /// Runs branches concurrently.
    Parallel,
    /// Gathers the results of branches.
    FanIn,
    /// Runs a shell command.
    Tool,
    /// Runs a sub-pipeline until it is done.
    Supervisor,
    /// Runs another pipeline once.
    Pipeline,
    /// Pauses.
    Wait,
    /// One end of a counted loop.
    Loop,
    /// Hands the work to someone above.
    Escalate,
    /// Names the current checkpoint.
    Checkpoint,
    /// A handler the configuration declares.
    Custom,
}

impl NodeKind {
    /// How many there are.
    pub const COUNT: usize = Self::Custom as usize + 1;
}

/// What the nodes of a kind do themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeWork {
    /// They call a model.
    Model,
    /// They start programs.
    Commands,
    /// They ask a person.
    Question,
    /// They run branches.
    Branches,
    /// They gather results of branches.
    Join,
    /// They run another pipeline.
    SubPipeline,
    /// They wait.
    Time,
    /// They end the run, or hand it over.
    Escalation,
    /// What their attributes ask for: a command, a prompt, else nothing.
    Optional,
    /// Nothing: the run only passes them.
    Nothing,
}

impl NodeWork {
    /// Whether the executor does it; handlers do the rest.
    pub fn is_of_executor(self) -> bool {
        match self {
            Self::Question | Self::Branches | Self::SubPipeline | Self::Time | Self::Escalation => {
                true
            }
            Self::Model | Self::Commands | Self::Join | Self::Optional | Self::Nothing => false,
        }
    }
}

/// A node kind in the catalogue. What code asks of a kind is here; a kind is named elsewhere where code is about it alone.
#[derive(Debug)]
pub struct NodeKindRow {
    /// The kind.
    pub kind: NodeKind,
    /// Canonical name, as written in `handler`.
    pub name: &'static str,
    /// Other names that mean the same.
    pub aliases: &'static [&'static str],
    /// Shapes that choose it. The first is the one to draw it with.
    pub shapes: &'static [&'static str],
    /// What its nodes do themselves.
    pub work: NodeWork,
    /// Whether its nodes can end in failure, their own or one they pass on.
    pub can_fail: bool,
    /// The brackets around its nodes in Mermaid.
    pub mermaid: (&'static str, &'static str),
    /// One line.
    pub summary: &'static str,
    /// A few sentences of Markdown.
    pub doc: &'static str,
    /// DOT to copy.
    pub example: &'static str,
}

/// Every node kind, in the order completion offers them.
pub const NODE_KINDS: &[NodeKindRow] = &[
    NodeKindRow {
        kind: NodeKind::Codergen,
        name: "codergen",
        aliases: &[
            "agent",
            "agent_loop",
            "task",
            "llm",
            "stack.observe",
            "stack.steer",
        ],
        shapes: &["box"],
        work: NodeWork::Model,
        can_fail: true,
        mermaid: ("[", "]"),
        summary: "Runs the coding agent on a prompt.",
        doc: "The agent works in the run's folder with its tools until it is done; its answer becomes \
`last_codergen_output`. It may decide its own outcome by writing `status.json` in its stage folder, or by \
ending its answer with a fenced JSON block that has an `outcome`. Shapes without a kind of their own are `codergen` too.",
        example: "implement [prompt=\"Implement the plan in {last_response}.\", max_retries=2]",
    },
    NodeKindRow {
        kind: NodeKind::Prompt,
        name: "prompt",
        aliases: &["llm_call", "one_shot"],
        shapes: &["tab", "note"],
        work: NodeWork::Model,
        can_fail: true,
        mermaid: ("(", ")"),
        summary: "One model call, no tools.",
        doc: "Sends the prompt to the model once and stores the answer. Nothing in the working folder is read \
or changed.",
        example: "summary [shape=tab, prompt=\"Summarise {stdout} in three sentences.\"]",
    },
    NodeKindRow {
        kind: NodeKind::Tool,
        name: "tool",
        aliases: &["command", "shell", "exec"],
        shapes: &["parallelogram"],
        work: NodeWork::Commands,
        can_fail: true,
        mermaid: ("[/", "/]"),
        summary: "Runs a shell command.",
        doc: "Runs `command` in the working folder. Exit code 0 is success. Sets `exit_code`, `stdout`, \
`stderr`, `tool.output` and `tool.last_line`. Every value inserted by `{key}` is shell-quoted.",
        example: "test [shape=parallelogram, command=\"cargo test\", timeout=\"10m\"]",
    },
    NodeKindRow {
        kind: NodeKind::HumanGate,
        name: "human_gate",
        aliases: &["wait.human", "human", "human.interview"],
        shapes: &["hexagon"],
        work: NodeWork::Question,
        can_fail: false,
        mermaid: ("{{", "}}"),
        summary: "Asks a person and waits for the answer.",
        doc: "The labels of its outgoing edges are the choices (`[A] Approve`, `A) Approve` or `A - Approve` \
name the key). The choice sets `preferred_label`, `human.gate.selected`, `human.gate.label` and `approved`. \
With edges on `approved`, or without labels, it is a yes/no question. A gate that no person can answer fails; it is never approved automatically.",
        example: "review [shape=hexagon, prompt=\"Ship it?\"]\nreview -> deploy [label=\"[A] Approve\"]\nreview -> fix [label=\"[R] Reject\"]",
    },
    NodeKindRow {
        kind: NodeKind::Conditional,
        name: "conditional",
        aliases: &["decision"],
        shapes: &["diamond"],
        work: NodeWork::Nothing,
        can_fail: true,
        mermaid: ("{", "}"),
        summary: "Routes by its edges and does nothing itself.",
        doc: "The first true condition is taken, by priority, weight and target id; an edge without a condition is the default. `outcome` is that of the node before.",
        example: "check [shape=diamond]\ncheck -> deploy [condition=\"outcome=success\"]\ncheck -> fix",
    },
    NodeKindRow {
        kind: NodeKind::Parallel,
        name: "parallel",
        aliases: &["fan_out", "concurrent.split", "concurrent_split"],
        shapes: &["component", "pentagon"],
        work: NodeWork::Branches,
        can_fail: true,
        mermaid: ("[\\", "\\]"),
        summary: "Runs branches concurrently.",
        doc: "Each branch works on a copy of the context from its own node to the join: a fan-in, a terminal \
node, or the first node all branches share. Keys that a branch sets are available after it as `BRANCH.KEY`; \
`parallel_results` holds the outputs.",
        example: "fan [shape=component, max_parallel=2]\nfan -> {lint test} -> gather\ngather [shape=tripleoctagon]",
    },
    NodeKindRow {
        kind: NodeKind::FanIn,
        name: "parallel.fan_in",
        aliases: &["fan_in", "join", "concurrent.join", "concurrent_join"],
        shapes: &["tripleoctagon"],
        work: NodeWork::Join,
        can_fail: true,
        mermaid: ("[\\", "\\]"),
        summary: "Joins the results of a preceding parallel node.",
        doc: "Ranks the branches, by a model when it has a `prompt`, else by their outcomes and `score_key`. \
Sets `parallel.fan_in.best_id` and `parallel.fan_in.best_outcome`.",
        example: "gather [shape=tripleoctagon, prompt=\"Which draft is best?\"]",
    },
    NodeKindRow {
        kind: NodeKind::Supervisor,
        name: "supervisor",
        aliases: &["stack.manager_loop", "manager", "manager_loop"],
        shapes: &["house"],
        work: NodeWork::SubPipeline,
        can_fail: true,
        mermaid: ("[[", "]]"),
        summary: "Repeats a sub-pipeline until a condition holds.",
        doc: "Runs `sub_pipeline` until `done_condition` holds or `max_iterations` is reached. Sets \
`_supervisor_iteration` before each turn and `_supervisor_iterations` at the end.",
        example: "polish [shape=house, sub_pipeline=review_round, max_iterations=3, done_condition=\"approved\"]",
    },
    NodeKindRow {
        kind: NodeKind::Pipeline,
        name: "pipeline",
        aliases: &["graph_ref", "subgraph", "sub_pipeline", "folder"],
        shapes: &["folder", "tab3d"],
        work: NodeWork::SubPipeline,
        can_fail: true,
        mermaid: ("[[", "]]"),
        summary: "Runs another pipeline once.",
        doc: "`sub_pipeline` names another digraph of this file, a file next to it, or a path. Keys that it sets are in the context afterwards.",
        example: "release [shape=folder, sub_pipeline=\"release.dot\"]",
    },
    NodeKindRow {
        kind: NodeKind::Wait,
        name: "wait",
        aliases: &["delay", "sleep"],
        shapes: &["insulator"],
        work: NodeWork::Time,
        can_fail: false,
        mermaid: ("(", ")"),
        summary: "Pauses.",
        doc: "Waits for `duration`, then continues with success. A cancelled run does not wait for it.",
        example: "cool_down [shape=insulator, duration=\"5m\"]",
    },
    NodeKindRow {
        kind: NodeKind::Loop,
        name: "loop",
        aliases: &["loop.begin", "loop.end", "loop_begin", "loop_end"],
        shapes: &["trapezium", "invtrapezium"],
        work: NodeWork::Nothing,
        can_fail: true,
        mermaid: ("[", "]"),
        summary: "One end of a counted loop.",
        doc: "Two nodes that share `loop_id` are the two ends of a loop. The end goes back to the beginning \
until `loop_max`, `loop_until_file`, `loop_until_file_contains` or `loop_while_outcome` ends it.",
        example: "again [shape=trapezium, loop_id=main, loop_max=5]\nenough [shape=invtrapezium, loop_id=main]",
    },
    NodeKindRow {
        kind: NodeKind::Escalate,
        name: "escalate",
        aliases: &[],
        shapes: &["octagon"],
        work: NodeWork::Escalation,
        can_fail: true,
        mermaid: ("((", "))"),
        summary: "Records an escalation and ends the run as escalated, or hands over.",
        doc: "Sets `_pace_level` from `pace_level`, reports `reason`, and ends the run as *escalated* unless \
an edge leaves it.",
        example: "stuck [shape=octagon, pace_level=contingent, reason=\"Tests still fail after {retries} tries.\"]",
    },
    NodeKindRow {
        kind: NodeKind::Checkpoint,
        name: "checkpoint",
        aliases: &[],
        shapes: &["cylinder"],
        work: NodeWork::Nothing,
        can_fail: false,
        mermaid: ("[(", ")]"),
        summary: "Names the current checkpoint.",
        doc: "A run can be resumed from it by its `name`.",
        example: "saved [shape=cylinder, name=\"after-build\"]",
    },
    NodeKindRow {
        kind: NodeKind::Start,
        name: "start",
        aliases: &[],
        shapes: &["Mdiamond"],
        work: NodeWork::Optional,
        can_fail: false,
        mermaid: ("([", "])"),
        summary: "Where a run begins.",
        doc: "Does nothing by itself, unless it has a prompt or a command. A pipeline has exactly one start: \
`start=true`, else the shape `Mdiamond`, else the node named `start`.",
        example: "start [shape=Mdiamond]",
    },
    NodeKindRow {
        kind: NodeKind::Exit,
        name: "exit",
        aliases: &["end"],
        shapes: &["Msquare"],
        work: NodeWork::Optional,
        can_fail: false,
        mermaid: ("([", "])"),
        summary: "Where a run ends.",
        doc: "The engine checks goal gates here. Nodes without outgoing edges end a run too.",
        example: "done [shape=Msquare]",
    },
];

impl NodeKind {
    /// The canonical name; `custom` for handlers the configuration declares.
    pub fn name(self) -> &'static str {
        self.row().map_or("custom", |row| row.name)
    }

    /// The catalogue row; `None` for custom handlers.
    pub fn row(self) -> Option<&'static NodeKindRow> {
        NODE_KINDS.iter().find(|row| row.kind == self)
    }

    /// The kind of a canonical name or alias.
    pub fn from_name(name: &str) -> Option<Self> {
        NODE_KINDS
            .iter()
            .find(|row| row.name == name || row.aliases.contains(&name))
            .map(|row| row.kind)
    }

    /// The kind a shape chooses. `box` and shapes without a kind of their own choose none.
    pub fn from_shape(shape: &str) -> Option<Self> {
        NODE_KINDS
            .iter()
            .find(|row| row.shapes.iter().any(|own| own.eq_ignore_ascii_case(shape)))
            .map(|row| row.kind)
            .filter(|kind| *kind != Self::Codergen)
    }

    /// Every name a `handler` attribute may hold: canonical names first, then aliases.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NODE_KINDS.iter().map(|row| row.name).chain(
            NODE_KINDS
                .iter()
                .flat_map(|row| row.aliases.iter().copied()),
        )
    }

    /// What its nodes do themselves. A handler of the configuration is a command.
    pub fn work(self) -> NodeWork {
        self.row().map_or(NodeWork::Commands, |row| row.work)
    }

    /// Whether its nodes can end in failure, their own or one they pass on.
    pub fn can_fail(self) -> bool {
        self.row().is_none_or(|row| row.can_fail)
    }

    /// Calls a model, so that a run of it costs money.
    pub fn calls_model(self) -> bool {
        self.work() == NodeWork::Model
    }

    /// Whether its nodes call a model or start programs.
    pub fn does_work(self) -> bool {
        matches!(self.work(), NodeWork::Model | NodeWork::Commands)
    }
}
