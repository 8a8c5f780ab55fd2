//! Every attribute, by theme. One file a theme, the doc text next to the row.

use std::sync::LazyLock;

use super::attribute::AttributeRow;

mod agent;
mod edge;
mod graph;
mod human;
mod node;
mod parallel;
mod routing;
mod sub_pipeline;
mod tool;
mod unimplemented;

/// A theme: a heading of the reference page and its rows.
pub(crate) struct Theme {
    /// Heading.
    pub(crate) title: &'static str,
    /// One sentence.
    pub(crate) intro: &'static str,
    /// Its attributes.
    pub(crate) rows: &'static [AttributeRow],
}

/// The themes, in reading order. Where two rows share a name, the one for particular kinds wins.
pub(crate) const THEMES: &[Theme] = &[
    Theme {
        title: "The graph",
        intro: "Written in `graph [...]` or as `key=value` inside the braces.",
        rows: graph::ROWS,
    },
    Theme {
        title: "Every node",
        intro: "Attributes of any node.",
        rows: node::ROWS,
    },
    Theme {
        title: "Failure, retries and limits",
        intro: "Handling of failures, and limits that stop loops.",
        rows: routing::ROWS,
    },
    Theme {
        title: "Agents and prompts",
        intro: "For `codergen` and `prompt` nodes.",
        rows: agent::ROWS,
    },
    Theme {
        title: "Tools",
        intro: "For `tool` nodes.",
        rows: tool::ROWS,
    },
    Theme {
        title: "Human gates",
        intro: "For `human_gate` nodes.",
        rows: human::ROWS,
    },
    Theme {
        title: "Parallel work",
        intro: "For `parallel` and `parallel.fan_in` nodes.",
        rows: parallel::ROWS,
    },
    Theme {
        title: "Pipelines inside pipelines, waiting, loops, escalation",
        intro: "For `supervisor`, `pipeline`, `wait`, `loop`, `escalate` and `checkpoint` nodes.",
        rows: sub_pipeline::ROWS,
    },
    Theme {
        title: "Edges",
        intro: "Routing, and what is passed along an edge.",
        rows: edge::ROWS,
    },
    Theme {
        title: "Attributes of other engines",
        intro: "Accepted and passed on to handlers; they have no effect in Attractor.",
        rows: unimplemented::ROWS,
    },
];

/// Every attribute of pipelines, in reading order.
pub static ATTRIBUTES: LazyLock<Vec<&'static AttributeRow>> =
    LazyLock::new(|| THEMES.iter().flat_map(|theme| theme.rows).collect());
