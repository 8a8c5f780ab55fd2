//! How each dialect spells what it has a word of its own for. What is not listed is canonical.

use attractor_lang::Status;
use attractor_model::Dialect;
use attractor_model::catalogue::{self, NodeKind, Owner};

type Words = &'static [(&'static str, &'static str)];

/// The words of a dialect.
struct Spelling {
    /// Attributes: canonical name, own name.
    attributes: Words,
    /// Values of the handler attribute: canonical name, own name.
    kinds: Words,
    /// Words of `outcome`: canonical, own.
    statuses: Words,
}

const ATTRACTOR: Spelling = Spelling {
    attributes: &[],
    kinds: &[],
    statuses: &[],
};

const FABRO: Spelling = Spelling {
    attributes: &[
        ("handler", "type"),
        ("command", "script"),
        ("sub_pipeline", "stack.child_workflow"),
        ("stack.child_dotfile", "stack.child_workflow"),
        ("max_iterations", "manager.max_cycles"),
        ("done_condition", "manager.stop_condition"),
    ],
    kinds: &[
        ("codergen", "agent"),
        ("human_gate", "human"),
        ("tool", "command"),
        ("supervisor", "stack.manager_loop"),
    ],
    statuses: &[
        ("success", "succeeded"),
        ("partial_success", "partially_succeeded"),
        ("fail", "failed"),
    ],
};

/// The kinds as the public specification spells them.
const SPECIFIED_KINDS: Words = &[
    ("human_gate", "wait.human"),
    ("supervisor", "stack.manager_loop"),
];

/// The kinds as Tracker spells them.
const TRACKER_KINDS: Words = &[
    ("human_gate", "wait.human"),
    ("supervisor", "stack.manager_loop"),
    ("pipeline", "subgraph"),
];

const KILROY: Spelling = Spelling {
    attributes: &[
        ("handler", "type"),
        ("model", "llm_model"),
        ("provider", "llm_provider"),
        ("command", "tool_command"),
        ("default_max_retries", "default_max_retry"),
        ("max_turns", "max_agent_turns"),
        ("sub_pipeline", "stack.child_dotfile"),
        ("max_iterations", "manager.max_cycles"),
        ("done_condition", "manager.stop_condition"),
    ],
    kinds: SPECIFIED_KINDS,
    statuses: &[],
};

const SAMUELJKLEE: Spelling = Spelling {
    attributes: &[
        ("handler", "type"),
        ("model", "llm_model"),
        ("provider", "llm_provider"),
        ("command", "tool_command"),
        ("retry_policy", "retry_preset"),
        ("sub_pipeline", "child_graph"),
        ("done_condition", "success_condition"),
    ],
    kinds: SPECIFIED_KINDS,
    statuses: &[],
};

const TRACKER: Spelling = Spelling {
    attributes: &[
        ("handler", "type"),
        ("model", "llm_model"),
        ("provider", "llm_provider"),
        ("command", "tool_command"),
        ("default_max_retries", "default_max_retry"),
        ("human.default_choice", "default_choice"),
        ("branches", "parallel_targets"),
        ("max_parallel", "max_concurrency"),
        ("retry_delay", "base_delay"),
        ("sub_pipeline", "subgraph_ref"),
        ("max_iterations", "max_cycles"),
        ("done_condition", "stop_condition"),
        ("manager.poll_interval", "poll_interval"),
        ("max_pipeline_duration", "max_wall_time"),
        ("max_tokens_total", "max_total_tokens"),
    ],
    kinds: TRACKER_KINDS,
    statuses: &[],
};

fn of(dialect: Dialect) -> &'static Spelling {
    match dialect {
        Dialect::Attractor => &ATTRACTOR,
        Dialect::Fabro => &FABRO,
        Dialect::Kilroy => &KILROY,
        Dialect::Samueljklee => &SAMUELJKLEE,
        Dialect::Tracker => &TRACKER,
    }
}

fn own(words: Words, canonical: &str) -> Option<&'static str> {
    let found = words.iter().find(|(word, _)| *word == canonical);
    found.map(|(_, own)| *own)
}

/// The name of an attribute, when it is `written` on that owner. Names the catalogue does not know there and names
/// of families (`var.branch`) stay as they are.
pub(super) fn attribute(dialect: Dialect, owner: Owner, written: &str) -> &str {
    let Some(row) = catalogue::attribute(owner, written).filter(|row| row.prefix().is_none())
    else {
        return written;
    };
    let same = |name: &&'static str| {
        catalogue::attribute(owner, name).is_some_and(|other| std::ptr::eq(other, row))
    };
    own(of(dialect).attributes, row.name)
        .filter(same)
        .unwrap_or(row.name)
}

/// The word of a kind.
pub(super) fn kind(dialect: Dialect, kind: NodeKind) -> &'static str {
    own(of(dialect).kinds, kind.name()).unwrap_or(kind.name())
}

/// The dialect's word for a status; `None` if it is not a status word.
pub(super) fn status(dialect: Dialect, written: &str) -> Option<String> {
    let status = Status::known(written)?;
    let own = own(of(dialect).statuses, status.name());
    Some(own.unwrap_or(status.name()).to_owned())
}

#[cfg(test)]
mod tests {
    use super::{attribute, kind, of, status};
    use attractor_lang::Status;
    use attractor_model::Dialect;
    use attractor_model::catalogue::{self, NODE_KINDS, NodeKind, Owner};

    #[test]
    fn every_word_means_what_it_is_the_word_of() {
        for dialect in Dialect::ALL {
            for (canonical, own) in of(dialect).attributes {
                let owners = std::iter::once(Owner::Graph)
                    .chain(NODE_KINDS.iter().map(|row| Owner::Node(row.kind)));
                let found = owners
                    .filter(|owner| attribute(dialect, *owner, canonical) == *own)
                    .count();
                assert!(found > 0, "{}: {own} is never used", dialect.name());
            }
            for row in NODE_KINDS {
                assert_eq!(NodeKind::from_name(kind(dialect, row.kind)), Some(row.kind));
            }
            for known in Status::KNOWN {
                let word = status(dialect, known.name()).unwrap();
                assert_eq!(Status::known(&word), Some(known));
            }
        }
    }

    #[test]
    fn names_depend_on_what_they_stand_on() {
        let tool = Owner::Node(NodeKind::Tool);
        assert_eq!(attribute(Dialect::Fabro, tool, "tool_command"), "script");
        assert_eq!(attribute(Dialect::Kilroy, tool, "script"), "tool_command");
        assert_eq!(
            attribute(Dialect::Attractor, Owner::Edge, "when"),
            "condition"
        );
        assert_eq!(attribute(Dialect::Kilroy, tool, "var.model"), "var.model");
        assert_eq!(attribute(Dialect::Kilroy, Owner::Edge, "script"), "script");
        assert!(catalogue::attribute(Owner::Edge, "script").is_none());
    }
}
