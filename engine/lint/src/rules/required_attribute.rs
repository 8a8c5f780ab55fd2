//! `required_attribute`: a node has what its kind cannot do without.

use std::sync::LazyLock;

use attractor_dot::{Edit, strings};
use rustc_hash::FxHashMap;

use crate::joins;
use crate::rules::unknown_attribute::near_miss;
use crate::spelling::spelling;
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_model::Level;
use attractor_model::Severity;
use attractor_model::catalogue::{AttributeRow, NodeKind, Owner, attributes_for};
use attractor_model::{Node, NodeIx};

pub(crate) const LINT: Lint = Lint {
    rule: "required_attribute",
    level: Level::Error,
    extent: Extent::Graph,
    fixable: true,
    summary: "Missing required attribute.",
    doc: "A tool requires `command`, a supervisor or pipeline node `sub_pipeline`, a wait `duration`, the \
ends of a counted loop `loop_id`. Without it the run fails there. Without `join_k`, `join_policy=k_of_n` waits for \
every branch to succeed.",
    example: "test [handler=tool]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    for (ix, node) in ctx.nodes_of(KINDS) {
        for (_, row) in REQUIRED.iter().filter(|(kind, _)| *kind == node.kind) {
            let empty = node
                .attributes
                .get(row.name)
                .is_none_or(|attribute| attribute.value().trim().is_empty());
            if empty && !watches_another(node) {
                sink.push(missing(ctx, sink, (ix, node), row));
            }
        }
    }
    loops(ctx, sink);
    joins::without_count(&LINT, ctx, sink);
    for handler in &ctx.options.custom_handlers {
        for attribute in handler
            .attributes
            .iter()
            .filter(|attribute| attribute.required)
        {
            let users = ctx.nodes_of([NodeKind::Custom]);
            let users = users.map(|(_, node)| node);
            let users = users.filter(|node| node.handler() == handler.name);
            let lacks = |node: &&Node| {
                let mut written = node.attributes.iter();
                !written.any(|one| one.written() == attribute.name)
            };
            for node in users.filter(lacks) {
                let message = format!(
                    "`{}` is missing `{}`, which handler `{}` requires",
                    node.id, attribute.name, handler.name
                );
                let edit = ctx
                    .edits()
                    .add_attribute(node.statement, &attribute.name, "");
                let diagnostic = sink
                    .diagnostic(&LINT, node.range, message)
                    .node(&*node.id)
                    .fix(fix(format!("Add `{}`", attribute.name), edit));
                sink.push(diagnostic);
            }
        }
    }
}

/// What makes a counted loop go round.
const ROUNDS: &[&str] = &[
    "loop_max",
    "loop_until_file",
    "loop_until_file_contains",
    "loop_while_outcome",
];

/// A counted loop has two ends and something that sends it round; without them its nodes do nothing.
fn loops(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let mut ends: Vec<(&Node, &str)> = Vec::new();
    let mut by_id: FxHashMap<&str, Vec<&Node>> = FxHashMap::default();
    for (_, node) in ctx.nodes_of([NodeKind::Loop]) {
        let id = node.attributes.text("loop_id").unwrap_or_default().trim();
        if id.is_empty() {
            return;
        }
        ends.push((node, id));
        by_id.entry(id).or_default().push(node);
    }
    for (node, own) in ends {
        let ends = by_id.get(own).map_or(&[][..], Vec::as_slice);
        let first = ends.first().is_some_and(|first| first.id == node.id);
        let goes_round = |end: &&Node| ROUNDS.iter().any(|name| end.attributes.has(name));
        let message = if ends.len() < 2 {
            format!(
                "`{}` is the only end of loop `{own}`, so it does not repeat; set the same `loop_id` on the other end",
                node.id
            )
        } else if first && !ends.iter().any(goes_round) {
            format!(
                "loop `{own}` never repeats; add `loop_max`, `loop_until_file` or `loop_while_outcome` to one of its ends"
            )
        } else {
            continue;
        };
        let mut found = sink.diagnostic(&LINT, node.range, message).node(&*node.id);
        found.severity = sink.severity_or(&LINT, Severity::Warning);
        sink.push(found);
    }
}

/// Names of attributes, or their beginnings, that manager loops have.
const WATCHES: &[&str] = &["manager.", "max_cycles", "stop_condition_key"];

/// A manager loop may watch a pipeline that something else started.
fn watches_another(node: &Node) -> bool {
    node.kind == NodeKind::Supervisor
        && node.attributes.iter().any(|attribute| {
            WATCHES
                .iter()
                .any(|name| attribute.written().starts_with(name))
        })
}

/// The kinds of nodes that cannot do without something.
const KINDS: [NodeKind; 5] = [
    NodeKind::Tool,
    NodeKind::Supervisor,
    NodeKind::Pipeline,
    NodeKind::Wait,
    NodeKind::Loop,
];

/// What they cannot do without.
static REQUIRED: LazyLock<Vec<(NodeKind, &'static AttributeRow)>> = LazyLock::new(|| {
    KINDS
        .into_iter()
        .flat_map(|kind| {
            attributes_for(Owner::Node(kind))
                .filter(|row| row.required)
                .map(move |row| (kind, row))
        })
        .collect()
});

fn missing(
    ctx: &LintContext<'_>,
    sink: &DiagnosticSink<'_>,
    (ix, node): (NodeIx, &Node),
    row: &AttributeRow,
) -> attractor_model::Diagnostic {
    if !node.attributes.has(row.name)
        && let Some(found) = misspelled(ctx, sink, (ix, node), row)
            .or_else(|| prompt_for_command(ctx, sink, node, row))
    {
        return found;
    }
    let message = format!(
        "{} node `{}` is missing `{}`: {}",
        node.kind.name(),
        node.id,
        row.name,
        lower_first(row.doc)
    );
    let diagnostic = sink.diagnostic(&LINT, node.range, message).node(&*node.id);
    let edits = ctx.edits();
    if let Some(empty) = node.attributes.get(row.name) {
        return diagnostic.related(empty.range().unwrap_or(node.range), "empty here");
    }
    // An empty value would be missing just the same.
    let value = match row.name {
        "duration" => "5m",
        "loop_id" => "main",
        _ => return diagnostic,
    };
    let edit = if node.declared {
        edits.add_attribute(node.statement, row.name, value)
    } else {
        let id = attractor_dot::strings::quote(&node.id);
        edits.add_statement(&format!(
            "{id} [{}={}]",
            row.name,
            attractor_dot::strings::quote(value)
        ))
    };
    diagnostic.fix(fix(format!("Add `{}`", row.name), edit))
}

/// The attribute is there, but its name is misspelled.
fn misspelled(
    ctx: &LintContext<'_>,
    sink: &DiagnosticSink<'_>,
    (ix, node): (NodeIx, &Node),
    row: &AttributeRow,
) -> Option<attractor_model::Diagnostic> {
    let (attribute, near) = near_miss(ctx, ix, row)?;
    let range = attribute.key_range()?;
    let message = format!(
        "{} node `{}` is missing `{}`, but has an unknown attribute `{}`; did you mean `{near}`?",
        node.kind.name(),
        node.id,
        row.name,
        attribute.written()
    );
    let edit = Edit::replace(range, strings::quote(near));
    Some(
        sink.diagnostic(&LINT, range, message)
            .node(&*node.id)
            .fix(spelling(attribute.written(), near, edit)),
    )
}

/// A tool whose command is written as the prompt of an agent. Whether the attribute or the shape is wrong, only the
/// author knows.
fn prompt_for_command(
    ctx: &LintContext<'_>,
    sink: &DiagnosticSink<'_>,
    node: &Node,
    row: &AttributeRow,
) -> Option<attractor_model::Diagnostic> {
    if row.name != "command" {
        return None;
    }
    let prompt = node.attributes.get("prompt")?;
    let range = prompt.key_range().filter(|_| prompt.is_own())?;
    let message = format!(
        "tool node `{}` is missing `command`, but has `{}`, which only agents read; did you mean `command`?",
        node.id,
        prompt.written()
    );
    let found = sink.diagnostic(&LINT, range, message).node(&*node.id);
    let command = fix(
        "Replace with `command`",
        Edit::replace(range, "command".to_owned()),
    );
    let shape = node.attributes.get("shape").filter(|shape| shape.is_own());
    let agent = shape.and_then(|shape| {
        let edits = ctx.edits();
        let edit = edits.delete_attribute(shape.key_range()?, shape.value_range()?);
        Some(fix("Make it an agent: remove `shape`", edit))
    });
    let handler = node.attributes.has("handler");
    Some(match agent.filter(|_| !handler) {
        Some(agent) => found.fix(command).fix(agent),
        None => found.fix(command),
    })
}

fn lower_first(doc: &str) -> String {
    let first = doc
        .split_inclusive(". ")
        .next()
        .unwrap_or(doc)
        .trim()
        .trim_end_matches('.');
    let mut letters = first.chars();
    letters
        .next()
        .map(|letter| letter.to_lowercase().chain(letters).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn tool_without_command() {
        check(
            "required_attribute",
            r#"digraph {
    start -> test -> pause -> x
    test [
        handler=tool,
        label="Test"
    ]
    pause [shape=insulator]
}"#,
            expect![[r#"
                test [
                ^^^^ error: tool node `test` is missing `command`: the shell command
                pause [shape=insulator]
                ^^^^^ error: wait node `pause` is missing `duration`: how long to wait
                  fix: Add `duration`
                    + pause [duration="5m", shape=insulator]
            "#]],
        );
    }

    #[test]
    fn an_empty_command_is_none() {
        check(
            "required_attribute",
            r#"digraph {
    start -> test
    test [shape=parallelogram, tool_command=""]
}"#,
            expect![[r#"
                test [shape=parallelogram, tool_command=""]
                ^^^^ error: tool node `test` is missing `command`: the shell command
                test [shape=parallelogram, tool_command=""]
                                           ^^^^^^^^^^^^^^^ note: empty here
            "#]],
        );
    }

    #[test]
    fn a_command_written_as_a_prompt() {
        check(
            "required_attribute",
            r#"digraph {
    goal=x
    node [shape=parallelogram]
    start -> t -> u -> v
    t [shape=parallelogram, prompt="pytest -q"]
    u [type=tool, question="pytest -q"]
    v [prompt="pytest -q"]
}"#,
            expect![[r#"
                t [shape=parallelogram, prompt="pytest -q"]
                                        ^^^^^^ error: tool node `t` is missing `command`, but has `prompt`, which only agents read; did you mean `command`?
                  fix: Replace with `command`
                    + t [shape=parallelogram, command="pytest -q"]
                  fix: Make it an agent: remove `shape`
                    + t [prompt="pytest -q"]
                u [type=tool, question="pytest -q"]
                ^ error: tool node `u` is missing `command`: the shell command
                v [prompt="pytest -q"]
                   ^^^^^^ error: tool node `v` is missing `command`, but has `prompt`, which only agents read; did you mean `command`?
                  fix: Replace with `command`
                    + v [command="pytest -q"]
            "#]],
        );
    }

    #[test]
    fn a_misspelled_name() {
        let text = "digraph {
    goal=x
    start -> a -> b
    a [shape=parallelogram, commnd=make]
    b [shape=insulator, durtion=5m]
}";
        check(
            "required_attribute",
            text,
            expect![[r#"
                a [shape=parallelogram, commnd=make]
                                        ^^^^^^ error: tool node `a` is missing `command`, but has an unknown attribute `commnd`; did you mean `command`?
                  fix: Replace with `command`
                    + a [shape=parallelogram, command=make]
                b [shape=insulator, durtion=5m]
                                    ^^^^^^^ error: wait node `b` is missing `duration`, but has an unknown attribute `durtion`; did you mean `duration`?
                  fix: Replace with `duration`
                    + b [shape=insulator, duration=5m]
            "#]],
        );
        check("unknown_attribute", text, expect![[""]]);
    }
}
