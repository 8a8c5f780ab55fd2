//! Attributes of parallel work.

use super::super::attribute::{Applies, AttrType, AttributeRow, EnumValue};
use super::super::node_kinds::NodeKind;

const PARALLEL: &[NodeKind] = &[NodeKind::Parallel];
const FAN_IN: &[NodeKind] = &[NodeKind::FanIn];
/// Some engines read the join's rules from the fan-in, others from the fan-out.
const BOTH: &[NodeKind] = &[NodeKind::Parallel, NodeKind::FanIn];

pub(super) const ROWS: &[AttributeRow] = &[
    AttributeRow::new(
        "branches",
        Applies::kinds(PARALLEL),
        AttrType::NodeList,
        "The first nodes of the branches, separated by commas. By default every outgoing edge is a branch.",
    )
    .aliases(&["parallel_targets"])
    .example("branches=\"lint, test\""),
    AttributeRow::new(
        "join_policy",
        Applies::kinds(BOTH),
        AttrType::Enum(
            &[
                EnumValue {
                    name: "wait_all",
                    doc: "Wait for every branch.",
                },
                EnumValue {
                    name: "all_success",
                    doc: "Wait for every branch, and fail as soon as one has failed.",
                },
                EnumValue {
                    name: "first_success",
                    doc: "Continue with the first that succeeds.",
                },
                EnumValue {
                    name: "k_of_n",
                    doc: "Continue when `join_k` have succeeded.",
                },
                EnumValue {
                    name: "quorum",
                    doc: "Continue when the share `join_quorum` has succeeded.",
                },
            ],
            &["all", "any", "any_success", "ignore"],
        ),
        "When the branches are done. If both the parallel node and its fan-in set it, that of the parallel node \
is used.",
    )
    .default("wait_all"),
    AttributeRow::new(
        "join_k",
        Applies::kinds(BOTH),
        AttrType::Int { min: 1 },
        "How many branches must succeed for `join_policy=k_of_n`. Defaults to all.",
    )
    .aliases(&["min_success", "k"]),
    AttributeRow::new(
        "join_quorum",
        Applies::kinds(BOTH),
        AttrType::Float { min: 0.0, max: 1.0 },
        "The share of branches that must succeed for `join_policy=quorum`.",
    )
    .aliases(&["quorum_fraction"])
    .default("0.5"),
    AttributeRow::new(
        "max_parallel",
        Applies::kinds(BOTH).and_graph(),
        AttrType::Int { min: 1 },
        "Maximum number of concurrent branches.",
    )
    .aliases(&["max_concurrency"])
    .default("4"),
    AttributeRow::new(
        "error_policy",
        Applies::kinds(BOTH),
        AttrType::Enum(
            &[
                EnumValue {
                    name: "continue",
                    doc: "The other branches continue.",
                },
                EnumValue {
                    name: "fail_fast",
                    doc: "The other branches are stopped.",
                },
                EnumValue {
                    name: "ignore",
                    doc: "Failed branches do not count.",
                },
            ],
            &[],
        ),
        "How a failed branch affects the others.",
    )
    .default("continue"),
    AttributeRow::new(
        "isolation",
        Applies::kinds(PARALLEL),
        AttrType::Enum(
            &[
                EnumValue {
                    name: "none",
                    doc: "All branches work on the files of the project.",
                },
                EnumValue {
                    name: "worktree",
                    doc: "Each branch works in a folder of its own, a worktree where the project is in a Git repository. \
It begins with the files as they are, those that are not committed included, without those that `.gitignore` excludes. \
Where the branches meet, the changes of those that succeeded are merged; if branches changed the same lines, nothing is \
written and that node fails with the class `conflict`.",
                },
            ],
            &[],
        ),
        "Whether branches share the files they work on.",
    )
    .default("none"),
    AttributeRow::new(
        "for_each",
        Applies::kinds(PARALLEL),
        AttrType::Key,
        "A context key that holds a list: one branch for each item.",
    )
    .aliases(&["foreach_key"]),
    AttributeRow::new(
        "item_key",
        Applies::kinds(PARALLEL),
        AttrType::Key,
        "The context key that holds the item in its branch.",
    )
    .default("item"),
    AttributeRow::new(
        "prompt",
        Applies::kinds(BOTH),
        AttrType::Template,
        "At a fan-in, asks a model to rank the branches. Without it, outcomes and `score_key` decide. A parallel \
node does not use it.",
    )
    .aliases(&["llm_prompt"]),
    AttributeRow::new(
        "score_key",
        Applies::kinds(FAN_IN),
        AttrType::Key,
        "The key of a branch that holds its score; the highest is best.",
    ),
    AttributeRow::new(
        "merge",
        Applies::kinds(FAN_IN),
        AttrType::Enum(
            &[
                EnumValue {
                    name: "best",
                    doc: "What the best branch set.",
                },
                EnumValue {
                    name: "all",
                    doc: "What every branch set; where several set a key, the better branch counts.",
                },
            ],
            &[],
        ),
        "Which branches' context the run continues with.",
    ),
    AttributeRow::new(
        "concurrent_id",
        Applies::kinds(BOTH),
        AttrType::Text,
        "Pairs a split with its join.",
    )
    .dialects(&["kilroy"])
    .kept_only(),
];
