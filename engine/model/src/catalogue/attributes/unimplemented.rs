//! Attributes that other engines read. They are listed so that they are not reported as unknown.

use super::super::attribute::{Applies, AttrType, AttributeRow};

const fn node(
    name: &'static str,
    dialects: &'static [&'static str],
    doc: &'static str,
) -> AttributeRow {
    AttributeRow::new(name, Applies::NODE, AttrType::Text, doc)
        .dialects(dialects)
        .kept_only()
}

const fn graph(
    name: &'static str,
    dialects: &'static [&'static str],
    doc: &'static str,
) -> AttributeRow {
    AttributeRow::new(name, Applies::GRAPH, AttrType::Text, doc)
        .dialects(dialects)
        .kept_only()
}

pub(super) const ROWS: &[AttributeRow] = &[
    graph(
        "max_restarts",
        &["kilroy"],
        "Maximum number of restarts over `loop_restart` edges.",
    ),
    graph(
        "loop_restart_signature_limit",
        &["fabro", "kilroy"],
        "The same failure this often over `loop_restart` edges ends the run.",
    ),
    graph(
        "max_repeated_failures",
        &["allouis"],
        "The same failure this often ends the run.",
    ),
    graph(
        "model_strategy",
        &["rkinder"],
        "A preset that chooses models by the kind of work.",
    ),
    graph(
        "provenance_version",
        &["kilroy"],
        "Marks graphs made from a template.",
    ),
    graph(
        "outputs",
        &["kilroy"],
        "Files the run declares as its results.",
    ),
    graph("project_root", &[], "The project's folder."),
    node(
        "selection",
        &["fabro"],
        "How edges that tie are chosen: `deterministic` or `random`.",
    ),
    node(
        "acp.command",
        &["fabro"],
        "The agent started for `backend=acp`.",
    ),
    node(
        "acp.config",
        &["fabro"],
        "Configuration of the agent started for `backend=acp`.",
    ),
    node(
        "acp_command",
        &["allouis"],
        "The agent started for this node.",
    ),
    node(
        "mcp_server",
        &["rkinder"],
        "A server of the Model Context Protocol.",
    ),
    node("mcp_tool", &["rkinder"], "A tool of `mcp_server`."),
    node("mcp_args", &["rkinder"], "Arguments for `mcp_tool`."),
    node(
        "collect_browser_artifacts",
        &["kilroy"],
        "Keep screenshots and traces of a browser check.",
    ),
    node("is_codergen", &[], "Marks nodes that run the coding agent."),
    node(
        "complexity",
        &["rkinder"],
        "How hard the work is, for choosing a model.",
    ),
    node(
        "context_hint",
        &["rkinder"],
        "What the model should look at.",
    ),
    node("persona", &["rkinder"], "The role the model plays."),
    node("target_file", &["rkinder"], "The file the work is about."),
    node(
        "operation",
        &["rkinder"],
        "What to do with `target_file` or `path`.",
    ),
    node(
        "path",
        &["rkinder"],
        "The file or folder the operation is about.",
    ),
    node("priority", &["rkinder"], "How urgent the work is."),
    node(
        "judge.*",
        &["attractor-pi-dev"],
        "Settings of a judge: input, threshold, criteria.",
    ),
    node(
        "failure.*",
        &["attractor-pi-dev"],
        "Settings of a failure analysis: input, hints.",
    ),
    node(
        "confidence.*",
        &["attractor-pi-dev"],
        "Settings of a confidence gate: threshold, score.",
    ),
    node(
        "quality.*",
        &["attractor-pi-dev"],
        "Checks of a quality gate.",
    ),
];
