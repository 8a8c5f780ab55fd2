//! `attribute_applies`: attributes stand where they mean something.

use super::{Check, Findings, Lint, Subject};
use crate::catalogue::{self, AttributeRow, Owner, explain_owners};
use crate::options::Level;

pub(super) const LINT: Lint = Lint {
    rule: "attribute_applies",
    level: Level::Warn,
    fixable: false,
    summary: "An attribute on the wrong kind of node.",
    doc: "The attribute means something, but not here: a `command` on an agent is never run, `branches` on a tool \
start nothing.",
    example: "review [shape=box, branches=\"a, b\"]",
    check: Check::Pipeline(check),
};

/// On the wrong kind of node these change nothing a run could miss.
const HARMLESS: &[&str] = &[
    "model",
    "provider",
    "reasoning_effort",
    "temperature",
    "top_p",
    "max_tokens",
    "max_turns",
    "speed",
    "project_memory",
    "agent_mode",
    "backend",
    "agent_tool",
    "allowed_tools",
    "prompt",
    "name",
    "reason",
    "output_key",
    "shell",
    "language",
    "merge",
    "mode",
    "options",
    "working_dir",
    "context_keys",
    "join_policy",
    "max_parallel",
    "error_policy",
    "reviewers",
    "attachments",
    "stdin",
    "inputs",
];

fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for spot in subject.unknown_attributes() {
        let attribute = spot.attribute;
        let owner = spot.place.owner(subject.pipeline);
        let Some(row) = catalogue::attribute_elsewhere(owner, attribute.name()) else {
            continue;
        };
        let Some(range) = attribute.key_range().filter(|_| matters(owner, row)) else {
            continue;
        };
        let here = match owner {
            Owner::Graph => "the graph".to_owned(),
            Owner::Edge => "an edge".to_owned(),
            Owner::Subgraph => "a subgraph".to_owned(),
            Owner::Node(kind) => format!("a `{}` node", kind.name()),
        };
        let message = format!(
            "`{}` changes nothing on {here}; it is for {}",
            attribute.name(),
            explain_owners(row)
        );
        let diagnostic = findings.diagnostic(&LINT, range, message);
        findings.push(spot.place.tell(subject.pipeline, diagnostic));
    }
}

/// Whether somebody would miss what the attribute does.
fn matters(owner: Owner, row: &AttributeRow) -> bool {
    if row.kept_only || row.prefix().is_some() || HARMLESS.contains(&row.name) {
        return false;
    }
    match owner {
        Owner::Node(_) => row.applies.any_node(),
        Owner::Edge => row.name == "goal_gate" || row.name == "command",
        Owner::Graph | Owner::Subgraph => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::lints::testing::check;
    use expect_test::expect;

    #[test]
    fn on_the_wrong_kind() {
        check(
            "attribute_applies",
            "digraph {\n    start -> a -> t\n    a [prompt=x, shape=box, branches=\"t\"]\n    t [shape=parallelogram, command=ls, for_each=files]\n}",
            expect![[r#"
            t [shape=parallelogram, command=ls, for_each=files]
                                                ^^^^^^^^ warning: `for_each` changes nothing on a `tool` node; it is for `parallel` nodes
        "#]],
        );
    }
}
