//! `inapplicable_attribute`: attributes stand where they mean something.

use rustc_hash::FxHashSet;

use crate::joins;
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_model::Attribute;
use attractor_model::Level;
use attractor_model::Node;
use attractor_model::catalogue::{self, AttributeRow, NodeKind, Owner, explain_owners};

pub(crate) const LINT: Lint = Lint {
    rule: "inapplicable_attribute",
    level: Level::Warn,
    extent: Extent::Statement,
    fixable: false,
    summary: "Attribute without effect.",
    doc: "The attribute is known, but has no effect on this element: a `command` on an agent is never \
run, `branches` on a tool start nothing, a `model_stylesheet` on a node styles nothing, `join_k` applies to \
`join_policy=k_of_n` only, and every edge from a parallel node starts a branch, whatever its `condition`.",
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
    "acp_agent",
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
    "vars",
    "triggers",
    "domains",
    "trigger_threshold",
];

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    for site in ctx.unknown_attributes() {
        let attribute = site.attribute;
        let owner = site.target.owner(ctx.pipeline);
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
            "`{}` has no effect on {here}; it applies to {}",
            attribute.name(),
            explain_owners(row)
        );
        let diagnostic = sink.diagnostic(&LINT, range, message);
        sink.push(site.target.annotate(ctx.pipeline, diagnostic));
    }
    on_conditionals(ctx, sink);
    joins::idle(&LINT, ctx, sink);
    on_branches(ctx, sink);
}

/// What a node that only routes does not do.
fn on_conditionals(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    const WORK: [&str; 3] = ["prompt", "max_retries", "timeout"];
    let mut seen = FxHashSet::default();
    for (_, node) in ctx.nodes_of([NodeKind::Conditional]) {
        let own = WORK.iter().filter_map(|name| node.attributes.get(name));
        for attribute in own.filter(|attribute| attribute.is_own()) {
            let Some(range) = attribute.key_range().filter(|range| seen.insert(*range)) else {
                continue;
            };
            let message = format!(
                "`{}` has no effect: `{}` is a `conditional` node, which only routes",
                attribute.written(),
                node.id
            );
            sink.push(sink.diagnostic(&LINT, range, message).node(&*node.id));
        }
    }
}

/// Conditions of edges that are branches: every branch is started.
fn on_branches(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let pipeline = ctx.pipeline;
    let lists_none = |node: &Node| node.attributes.list("branches").is_empty();
    let forks = ctx.nodes_of([NodeKind::Parallel]);
    for (ix, fork) in forks.filter(|(_, fork)| lists_none(fork)) {
        let edges = pipeline.outgoing(ix).iter();
        for edge in edges.filter_map(|edge| pipeline.edge(*edge)) {
            let written = edge.attributes.get("condition");
            let written = written.filter(|_| edge.is_conditional());
            let Some(range) = written.and_then(Attribute::key_range) else {
                continue;
            };
            let message = format!(
                "`condition` has no effect: `{}` starts every branch; use a `diamond` to choose",
                fork.id
            );
            let found = sink.diagnostic(&LINT, range, message);
            sink.push(found.edge(pipeline.id(edge.from), pipeline.id(edge.to)));
        }
    }
}

/// Whether the author probably expects an effect of the attribute.
fn matters(owner: Owner, row: &AttributeRow) -> bool {
    if row.kept_only || row.prefix().is_some() || HARMLESS.contains(&row.name) {
        return false;
    }
    match owner {
        Owner::Node(_) => row.applies.any_node() || is_of_graph(row),
        Owner::Edge => row.name == "goal_gate" || row.name == "command" || is_of_graph(row),
        Owner::Graph | Owner::Subgraph => false,
    }
}

/// Whether only the graph can have it.
fn is_of_graph(row: &AttributeRow) -> bool {
    let applies = row.applies;
    applies.graph && !applies.any_node() && !applies.edge && !applies.subgraph
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn conditions_of_branches() {
        check(
            "inapplicable_attribute",
            r#"digraph {
    start -> fan
    fan [shape=component]
    fan -> a [condition="outcome=success"]
    fan -> b
    a -> join; b -> join
    join [shape=tripleoctagon]
    join -> fork
    fork [shape=component, branches="a"]
    fork -> done [condition="outcome=success"]
}"#,
            expect![[r#"
                fan -> a [condition="outcome=success"]
                          ^^^^^^^^^ warning: `condition` has no effect: `fan` starts every branch; use a `diamond` to choose
            "#]],
        );
    }

    #[test]
    fn on_the_wrong_kind() {
        check(
            "inapplicable_attribute",
            r#"digraph {
    start -> a -> t
    a [prompt=x, shape=box, branches="t"]
    t [shape=parallelogram, command=ls, for_each=files]
}"#,
            expect![[r#"
                t [shape=parallelogram, command=ls, for_each=files]
                                                    ^^^^^^^^ warning: `for_each` has no effect on a `tool` node; it applies to `parallel` nodes
            "#]],
        );
    }

    #[test]
    fn what_only_the_graph_can_have() {
        check(
            "inapplicable_attribute",
            r#"digraph {
    goal=g
    max_steps=5
    start -> a [max_steps=7]
    a [prompt=x, model_stylesheet="* { model: m }", max_node_visits=3, params="own", rankdir=LR]
}"#,
            expect![[r#"
                start -> a [max_steps=7]
                            ^^^^^^^^^ warning: `max_steps` has no effect on an edge; it applies to the graph
                a [prompt=x, model_stylesheet="* { model: m }", max_node_visits=3, params="own", rankdir=LR]
                             ^^^^^^^^^^^^^^^^ warning: `model_stylesheet` has no effect on a `codergen` node; it applies to the graph
                a [prompt=x, model_stylesheet="* { model: m }", max_node_visits=3, params="own", rankdir=LR]
                                                                ^^^^^^^^^^^^^^^ warning: `max_node_visits` has no effect on a `codergen` node; it applies to the graph
            "#]],
        );
    }

    #[test]
    fn work_on_a_node_that_only_routes() {
        check(
            "inapplicable_attribute",
            r#"digraph {
    node [timeout="5m"]
    start -> a
    a [shape=diamond, prompt="Is it good?", max_retries=2]
}"#,
            expect![[r#"
                a [shape=diamond, prompt="Is it good?", max_retries=2]
                                  ^^^^^^ warning: `prompt` has no effect: `a` is a `conditional` node, which only routes
                a [shape=diamond, prompt="Is it good?", max_retries=2]
                                                        ^^^^^^^^^^^ warning: `max_retries` has no effect: `a` is a `conditional` node, which only routes
            "#]],
        );
    }
}
