//! Attributes of agents and prompts.

use super::super::attribute::{Applies, AttrType, AttributeRow, EnumValue};
use super::super::node_kinds::NodeKind;

pub(super) const FIDELITY: &[EnumValue] = &[
    EnumValue {
        name: "full",
        doc: "The whole conversation of its thread.",
    },
    EnumValue {
        name: "truncate",
        doc: "Goal and run only.",
    },
    EnumValue {
        name: "compact",
        doc: "A structured list of what happened.",
    },
    EnumValue {
        name: "summary:low",
        doc: "A short summary.",
    },
    EnumValue {
        name: "summary:medium",
        doc: "A summary with recent results.",
    },
    EnumValue {
        name: "summary:high",
        doc: "A detailed summary.",
    },
];

const EFFORT: &[EnumValue] = &[
    EnumValue {
        name: "low",
        doc: "Answer quickly.",
    },
    EnumValue {
        name: "medium",
        doc: "Think a while.",
    },
    EnumValue {
        name: "high",
        doc: "Think long.",
    },
    EnumValue {
        name: "xhigh",
        doc: "Think as long as the model can.",
    },
];

const BACKENDS: &[EnumValue] = &[
    EnumValue {
        name: "native",
        doc: "The agent built into Attractor.",
    },
    EnumValue {
        name: "cli",
        doc: "A command-line agent (`agent_tool`).",
    },
    EnumValue {
        name: "acp",
        doc: "An agent that speaks the Agent Client Protocol (`acp_agent`, `agent_tool`).",
    },
    EnumValue {
        name: "simulate",
        doc: "No model: an answer that repeats the prompt.",
    },
];

const AGENT_TOOLS: &[EnumValue] = &[
    EnumValue {
        name: "claude",
        doc: "Claude Code.",
    },
    EnumValue {
        name: "codex",
        doc: "Codex.",
    },
    EnumValue {
        name: "gemini",
        doc: "Gemini.",
    },
    EnumValue {
        name: "opencode",
        doc: "OpenCode.",
    },
];

const LLM: &[NodeKind] = &[NodeKind::Codergen, NodeKind::Prompt];
/// Kinds that send something to a model, or to the person who answers for it.
const ASKS_MODEL: &[NodeKind] = &[
    NodeKind::Codergen,
    NodeKind::Prompt,
    NodeKind::FanIn,
    NodeKind::Supervisor,
    NodeKind::Conditional,
];
/// Kinds whose model settings may matter: a start node can carry a prompt, a branch inherits from its fan-out.
const HAS_MODEL: &[NodeKind] = &[
    NodeKind::Codergen,
    NodeKind::Prompt,
    NodeKind::FanIn,
    NodeKind::Supervisor,
    NodeKind::Pipeline,
    NodeKind::Parallel,
    NodeKind::Conditional,
    NodeKind::HumanGate,
    NodeKind::Start,
    NodeKind::Exit,
];

pub(super) const ROWS: &[AttributeRow] = &[
    AttributeRow::new(
        "prompt",
        Applies::kinds(&[
            NodeKind::Codergen,
            NodeKind::Prompt,
            NodeKind::Supervisor,
            NodeKind::Conditional,
            NodeKind::Start,
            NodeKind::Exit,
        ]),
        AttrType::Template,
        "The instructions for the model. `{key}` inserts a context value, `$goal` the goal, `@path` a whole file. Defaults to the label.",
    )
    .aliases(&["llm_prompt"])
    .example("prompt=\"Fix the failing test. Output:\\n{stdout}\""),
    AttributeRow::new(
        "prompt_file",
        Applies::kinds(ASKS_MODEL),
        AttrType::Path { must_exist: true },
        "A file with the prompt.",
    ),
    AttributeRow::new(
        "system_prompt",
        Applies::kinds(ASKS_MODEL),
        AttrType::Template,
        "Inserted before the agent's own instructions.",
    ),
    AttributeRow::new(
        "user_instructions",
        Applies::kinds(ASKS_MODEL),
        AttrType::Template,
        "Inserted after the agent's own instructions.",
    ),
    AttributeRow::new(
        "model",
        Applies::kinds(HAS_MODEL).and_graph(),
        AttrType::Model,
        "The model, by its id or an alias of it.",
    )
    .aliases(&["llm_model"])
    .example("model=\"claude-sonnet-4-6\""),
    AttributeRow::new(
        "provider",
        Applies::kinds(HAS_MODEL).and_graph(),
        AttrType::Provider,
        "The provider of the model. Defaults to that of the model's name.",
    )
    .aliases(&["llm_provider"]),
    AttributeRow::new(
        "reasoning_effort",
        Applies::kinds(HAS_MODEL).and_graph(),
        AttrType::Enum(EFFORT, &["none", "minimal", "max", "default"]),
        "Reasoning effort of the model.",
    ),
    AttributeRow::new(
        "speed",
        Applies::kinds(ASKS_MODEL),
        AttrType::Enum(
            &[EnumValue { name: "fast", doc: "The provider's fast mode." }],
            &["normal", "standard"],
        ),
        "The provider's fast mode.",
    ),
    AttributeRow::new(
        "temperature",
        Applies::kinds(ASKS_MODEL).and_graph(),
        AttrType::Float { min: 0.0, max: 2.0 },
        "Sampling temperature: 0 is least, 2 is most.",
    ),
    AttributeRow::new(
        "top_p",
        Applies::kinds(ASKS_MODEL).and_graph(),
        AttrType::Float { min: 0.0, max: 1.0 },
        "Nucleus sampling: only the most probable tokens with this total probability are considered.",
    ),
    AttributeRow::new(
        "max_tokens",
        Applies::kinds(ASKS_MODEL).and_graph(),
        AttrType::Int { min: 1 },
        "Maximum length of an answer, in tokens.",
    ),
    AttributeRow::new(
        "max_turns",
        Applies::kinds(ASKS_MODEL).and_graph(),
        AttrType::Int { min: 0 },
        "Maximum number of agent turns; `0` means unlimited.",
    )
    .aliases(&["max_agent_turns"]),
    AttributeRow::new(
        "fidelity",
        Applies::NODE.and_edge(),
        AttrType::Enum(FIDELITY, &[]),
        "How much of the preceding context the model receives.",
    ),
    AttributeRow::new(
        "thread_id",
        Applies::NODE.and_edge(),
        AttrType::Text,
        "Nodes with the same thread and `fidelity=full` share one conversation.",
    )
    .aliases(&["thread"]),
    AttributeRow::new(
        "context_keys",
        Applies::kinds(ASKS_MODEL),
        AttrType::Keys,
        "Context keys appended to the prompt.",
    ),
    AttributeRow::new(
        "feedback_from",
        Applies::kinds(ASKS_MODEL),
        AttrType::Node,
        "A critic whose remarks are collected into this node's prompt.",
    ),
    AttributeRow::new(
        "project_memory",
        Applies::kinds(ASKS_MODEL),
        AttrType::Bool,
        "Add the project's agent instructions (`AGENTS.md` and the like) to the prompt.",
    )
    .default("true"),
    AttributeRow::new(
        "allowed_tools",
        Applies::kinds(ASKS_MODEL),
        AttrType::List,
        "The tools the agent may use, separated by commas: names, `read`, `write`, or commands such as `shell(git *)` \
(also written `Bash(git:*)`). It only narrows what the configuration allows.",
    ),
    AttributeRow::new(
        "allowed_paths",
        Applies::kinds(LLM),
        AttrType::List,
        "Globs of the files the agent may change, separated by commas. Its commands can write only in folders that a glob \
names as a whole, such as `src/**`. It only narrows what the configuration allows.",
    ),
    AttributeRow::new(
        "permissions",
        Applies::kinds(LLM),
        AttrType::Enum(
            &[
                EnumValue { name: "read-only", doc: "It reads files and changes none; its commands cannot write." },
                EnumValue { name: "workspace-write", doc: "It changes files of the project." },
            ],
            &[],
        ),
        "What the agent may do with files. It only narrows what the configuration allows.",
    )
    .default("workspace-write"),
    AttributeRow::new(
        "mcp",
        Applies::kinds(LLM),
        AttrType::List,
        "Servers of the Model Context Protocol the agent may use, by the names of the configuration.",
    )
    .aliases(&["mcp_servers"]),
    AttributeRow::new(
        "skills",
        Applies::kinds(LLM),
        AttrType::List,
        "The skills the agent knows, by name: folders with a `SKILL.md` in `.agents/skills` or `.claude/skills` of the project \
or of the user. Without it, those of the user, and those of the project that a person allows."
    ),
    AttributeRow::new(
        "escalation_models",
        Applies::kinds(ASKS_MODEL),
        AttrType::List,
        "Models tried in turn after `retries_before_escalation` failures; `provider:model` names both.",
    ),
    AttributeRow::new(
        "fallback_models",
        Applies::kinds(ASKS_MODEL).and_graph(),
        AttrType::List,
        "Models called instead, in turn, while the model is not available: overloaded, out of quota, unknown.",
    ),
    AttributeRow::new(
        "on_rate_limit",
        Applies::kinds(ASKS_MODEL).and_graph(),
        AttrType::Enum(
            &[
                EnumValue { name: "retry", doc: "Try again as after any failure that may pass." },
                EnumValue { name: "wait", doc: "Wait until the time the provider names, however long that is." },
                EnumValue { name: "fail", doc: "Fail at once." },
            ],
            &[],
        ),
        "What to do when a provider limits the rate of requests.",
    )
    .default("retry"),
    AttributeRow::new(
        "retries_before_escalation",
        Applies::kinds(ASKS_MODEL).and_graph(),
        AttrType::Int { min: 0 },
        "Attempts with one model before the next of `escalation_models`.",
    )
    .default("2"),
    AttributeRow::new(
        "output_schema",
        Applies::kinds(&[
            NodeKind::Codergen,
            NodeKind::Prompt,
            NodeKind::FanIn,
            NodeKind::Supervisor,
            NodeKind::Conditional,
            NodeKind::Tool,
        ]),
        AttrType::Schema,
        "The JSON Schema the answer must satisfy: inline, `@file`, or `routing`. Of a command only `routing` is read: \
the last JSON object of its output that names an outcome, a label, next nodes or context updates decides where the \
run goes.",
    )
    .aliases(&["response_schema"]),
    AttributeRow::new(
        "output_retries",
        Applies::kinds(ASKS_MODEL),
        AttrType::Int { min: 0 },
        "Maximum number of requests to correct an answer that does not satisfy `output_schema`.",
    )
    .default("2"),
    AttributeRow::new(
        "require_status",
        Applies::kinds(ASKS_MODEL),
        AttrType::Bool,
        "The agent must report its outcome in `status.json`; otherwise the node fails.",
    ),
    AttributeRow::new(
        "output_key",
        Applies::kinds(&[
            NodeKind::Codergen,
            NodeKind::Prompt,
            NodeKind::Tool,
            NodeKind::FanIn,
            NodeKind::HumanGate,
        ]),
        AttrType::Key,
        "The context key that stores the answer.",
    ),
    AttributeRow::new(
        "parse_json",
        Applies::kinds(&[NodeKind::Codergen, NodeKind::Prompt, NodeKind::Tool]),
        AttrType::Bool,
        "Read the answer as JSON and set its top-level keys in the context as `OUTPUT_KEY.name`, a list as \
`OUTPUT_KEY`; without an `output_key` the name of the node is used.",
    ),
    AttributeRow::new(
        "working_dir",
        Applies::kinds(&[NodeKind::Codergen, NodeKind::Tool, NodeKind::Supervisor, NodeKind::Pipeline]),
        AttrType::Path { must_exist: false },
        "Working folder, relative to that of the run, inside the project.",
    )
    .aliases(&["cwd"]),
    AttributeRow::new(
        "backend",
        Applies::kinds(ASKS_MODEL).and_graph(),
        AttrType::Enum(
            BACKENDS,
            &["api", "agent", "claude", "claude-code", "codex", "gemini", "opencode"],
        ),
        "The backend that runs the node.",
    ),
    AttributeRow::new(
        "agent_tool",
        Applies::kinds(ASKS_MODEL).and_graph(),
        AttrType::Enum(AGENT_TOOLS, &[]),
        "The command-line agent `backend=cli` runs.",
    ),
    AttributeRow::new(
        "acp_agent",
        Applies::kinds(ASKS_MODEL).and_graph(),
        AttrType::Text,
        "The agent `backend=acp` runs, by its name in the configuration; that of `agent_tool` without it.",
    ),
    AttributeRow::new(
        "agent_mode",
        Applies::kinds(ASKS_MODEL),
        AttrType::Enum(
            &[
                EnumValue { name: "agent_loop", doc: "The agent with its tools." },
                EnumValue { name: "one_shot", doc: "One model call." },
            ],
            // A visual builder writes it as a switch; it means the agent either way.
            &["true", "false"],
        ),
        "The agent, or one model call.",
    )
    .aliases(&["codergen_mode"])
    .dialects(&["kilroy", "fabro"]),
    AttributeRow::new(
        "default_command_timeout_ms",
        Applies::kinds(ASKS_MODEL),
        AttrType::Int { min: 0 },
        "Default timeout of the agent's shell commands, in milliseconds.",
    ),
    AttributeRow::new(
        "max_command_timeout_ms",
        Applies::kinds(ASKS_MODEL),
        AttrType::Int { min: 0 },
        "Maximum timeout of the agent's shell commands, in milliseconds.",
    ),
];
