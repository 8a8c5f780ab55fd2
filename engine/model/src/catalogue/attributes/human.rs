//! Attributes of human gates.

use super::super::attribute::{Applies, AttrType, AttributeRow, EnumValue};
use super::super::node_kinds::NodeKind;

const GATE: &[NodeKind] = &[NodeKind::HumanGate];

const MODES: &[EnumValue] = &[
    EnumValue {
        name: "choice",
        doc: "Pick one of the edges.",
    },
    EnumValue {
        name: "confirm",
        doc: "Yes or no.",
    },
    EnumValue {
        name: "freeform",
        doc: "Write a text.",
    },
    EnumValue {
        name: "multi",
        doc: "Pick several choices. The run follows one edge: that of the choice the answer names first, unless a condition on `human.gate.selected` holds.",
    },
];

pub(super) const ROWS: &[AttributeRow] = &[
    AttributeRow::new(
        "prompt",
        Applies::kinds(GATE),
        AttrType::Template,
        "The question.",
    )
    .aliases(&["question", "llm_prompt"])
    .default("Approve this step?"),
    AttributeRow::new(
        "options",
        Applies::kinds(GATE),
        AttrType::List,
        "Choices, separated by commas, if edge labels do not define them.",
    ),
    AttributeRow::new(
        "mode",
        Applies::kinds(GATE),
        AttrType::Enum(
            MODES,
            &[
                "yes_no",
                "confirmation",
                "multiple_choice",
                "multi_select",
                "text",
            ],
        ),
        "The kind of answer. By default the edges determine it.",
    )
    .aliases(&["question_type"]),
    AttributeRow::new(
        "human.default_choice",
        Applies::kinds(GATE),
        AttrType::Choice,
        "The choice for a gate that is not answered in time or that no person can answer: its key, its label or its target node.",
    )
    .aliases(&["human_default_choice", "default_choice"]),
    AttributeRow::new(
        "timeout",
        Applies::kinds(GATE),
        AttrType::Duration,
        "How long the gate waits for an answer. Unlimited by default.",
    )
    .aliases(&[
        "human.timeout_seconds",
        "human_timeout_seconds",
        "timeout_seconds",
    ]),
    AttributeRow::new(
        "reviewers",
        Applies::kinds(GATE),
        AttrType::List,
        "Who is asked.",
    ),
    AttributeRow::new(
        "attachments",
        Applies::kinds(GATE),
        AttrType::PathList,
        "Files shown with the question.",
    )
    .aliases(&["attachments_ref"]),
    AttributeRow::new(
        "attachments_inline",
        Applies::kinds(GATE),
        AttrType::Template,
        "Text shown with the question.",
    )
    .dialects(&["amplifier"]),
    AttributeRow::new(
        "review_target",
        Applies::kinds(GATE),
        AttrType::Bool,
        "Link the subject of the review in the question.",
    )
    .dialects(&["fabro"])
    .kept_only(),
];
