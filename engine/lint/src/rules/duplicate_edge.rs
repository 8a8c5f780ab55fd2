//! `duplicate_edge`: the same edge twice.

use rustc_hash::FxHashMap;

use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_model::Level;
use attractor_model::catalogue::NodeKind;
use attractor_model::{Edge, NodeIx};

pub(crate) const LINT: Lint = Lint {
    rule: "duplicate_edge",
    level: Level::Warn,
    extent: Extent::Statement,
    fixable: true,
    summary: "Duplicate edge.",
    doc: "Two edges have the same nodes, condition and label, so the second is never taken.",
    example: "a -> b\na -> b",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let pipeline = ctx.pipeline;
    let mut targets = Vec::new();
    for (ix, _) in pipeline.indexed_nodes() {
        let edges = pipeline.outgoing(ix);
        if edges.len() < 2 {
            continue;
        }
        targets.clear();
        targets.extend(pipeline.successors(ix));
        if !has_repeats(&mut targets) {
            continue;
        }
        let mut seen: FxHashMap<_, &Edge> = FxHashMap::default();
        for edge in edges.iter().filter_map(|ix| pipeline.edge(*ix)) {
            let what = (edge.to, edge.condition_text(), edge.label(), edge.freeform);
            let Some(first) = seen.get(&what).copied() else {
                seen.insert(what, edge);
                continue;
            };
            let (first, second) = if first.range() <= edge.range() {
                (first, edge)
            } else {
                (edge, first)
            };
            let ends = (pipeline.id(edge.from), pipeline.id(edge.to));
            let message = format!("duplicate edge `{}` -> `{}`", ends.0, ends.1);
            let mut diagnostic = sink
                .diagnostic(&LINT, second.range(), message)
                .edge(ends.0, ends.1)
                .related(first.range(), "here")
                .unnecessary();
            if second.statement.text(ctx.text).matches("->").count() == 1 {
                let edit = ctx.edits().delete_statement(second.statement);
                let mut deletion = fix("Delete the edge", edit);
                if is_exact(ctx, first, second) {
                    deletion = deletion.safe();
                }
                diagnostic = diagnostic.fix(deletion);
            }
            sink.push(diagnostic);
        }
    }
}

/// Whether a run without the second edge is the same: both say the same, none counts how often it is taken or is a
/// branch of its own, and the statement puts no node into a subgraph.
fn is_exact(ctx: &LintContext<'_>, first: &Edge, second: &Edge) -> bool {
    let said = |edge: &Edge| {
        let own = edge.attributes.iter();
        let mut said: Vec<_> = own
            .map(|own| (own.name().to_owned(), own.value().to_owned()))
            .collect();
        said.sort_unstable();
        said
    };
    let from = ctx.pipeline.node(first.from);
    let statements = &ctx.tree.body.statements;
    said(first) == said(second)
        && !first.attributes.has("max_visits")
        && from.is_some_and(|from| from.kind != NodeKind::Parallel)
        && statements
            .iter()
            .any(|statement| statement.range() == second.statement)
}

fn has_repeats(targets: &mut [NodeIx]) -> bool {
    targets.sort_unstable();
    targets
        .windows(2)
        .any(|two| matches!(two, [one, other] if one == other))
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use attractor_dot::Applicability::{Safe, Suggested};
    use expect_test::expect;

    #[test]
    fn an_edge_twice() {
        check(
            "duplicate_edge",
            "digraph {
    start -> a
    start -> a
    start -> a [label=other]
    a [prompt=x]
}",
            expect![[r#"
                start -> a
                ^^^^^^^^^^ warning: duplicate edge `start` -> `a`
                start -> a
                ^^^^^^^^^^ note: here
                  fix: Delete the edge
            "#]],
        );
    }

    #[test]
    fn only_an_exact_duplicate_is_deleted_unasked() {
        let applicability = |edges: &str| {
            let text = format!("digraph {{ start [shape=Mdiamond]; a [prompt=x]; {edges} }}");
            let found = crate::Analysis::of_text(&text).diagnostics;
            let found = found.iter().find(|found| found.rule == "duplicate_edge");
            found.unwrap().fixes[0].applicability
        };
        assert_eq!(applicability("start -> a; start -> a"), Safe);
        assert_eq!(
            applicability("start -> a; start -> a [weight=2]"),
            Suggested
        );
        let limited = "start -> a [max_visits=1]; start -> a [max_visits=1]";
        assert_eq!(applicability(limited), Suggested);
        assert_eq!(
            applicability("start -> a; subgraph x { start -> a }"),
            Suggested
        );
    }
}
