//! `missing_equals`: an attribute of the graph whose `=` was lost: `goal "Ship it"`.
//!
//! In a list that is a syntax error. At the level of statements it is DOT: `goal` and `"Ship it"` are nodes.

use attractor_dot::ast::{Block, Id, Stmt};
use attractor_dot::{Edit, Fix, TextRange};

use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_model::Level;
use attractor_model::catalogue::{self, Owner};

pub(crate) const LINT: Lint = Lint {
    rule: "missing_equals",
    level: Level::Warn,
    extent: Extent::Graph,
    fixable: true,
    summary: "Graph attribute without `=`.",
    doc: "Outside of brackets DOT parses `goal \"Ship it\"` as two nodes, and the graph has no goal. \
Reported if the first word is a graph attribute, the second follows on the same line, and no edge names either.",
    example: "goal \"Ship it\"",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let mut blocks: Vec<&Block> = vec![&ctx.tree.body];
    while let Some(block) = blocks.pop() {
        for pair in block.statements.windows(2) {
            if let [Stmt::Node(_), Stmt::Node(_)] = pair {
                report(ctx, pair, sink);
            }
        }
        let subgraphs = block
            .statements
            .iter()
            .filter_map(|statement| match statement {
                Stmt::Subgraph(subgraph) => subgraph.body.as_ref(),
                _ => None,
            });
        blocks.extend(subgraphs);
    }
}

fn report(ctx: &LintContext<'_>, pair: &[Stmt], sink: &mut DiagnosticSink<'_>) {
    let text = ctx.text;
    let [Some(key), Some(value)] = [pair.first(), pair.get(1)].map(|it| it.and_then(bare_node))
    else {
        return;
    };
    let name = key.text(text);
    let gap = TextRange::new(key.range.end(), value.range.start());
    let is_blank = gap.text(text).chars().all(|c| c == ' ' || c == '\t');
    let is_attribute = catalogue::attribute(Owner::Graph, &name).is_some()
        || catalogue::graphviz_attribute(&name).is_some();
    if !is_blank || !is_attribute || ![key, value].iter().all(|id| is_unused(ctx, id)) {
        return;
    }
    let message =
        format!("expected `=` after `{name}`; without it, name and value are parsed as nodes");
    let fix = Fix::new("Insert `=`", vec![Edit::replace(gap, "=")]).preferred();
    let range = key.range.cover(value.range);
    sink.push(sink.diagnostic(&LINT, range, message).fix(fix));
}

/// The id of a statement that is nothing but one node.
fn bare_node(statement: &Stmt) -> Option<&Id> {
    match statement {
        Stmt::Node(node) if node.attributes.is_empty() => match &*node.nodes {
            [only] if only.id.range == node.range => Some(&only.id),
            _ => None,
        },
        _ => None,
    }
}

/// Whether nothing else names the node.
fn is_unused(ctx: &LintContext<'_>, id: &Id) -> bool {
    let graph = ctx.graph;
    let pipeline = ctx.pipeline;
    let name = id.text(ctx.text);
    let is_alone = pipeline
        .by_id(&name)
        .is_some_and(|ix| pipeline.incoming(ix).is_empty() && pipeline.outgoing(ix).is_empty());
    let node = graph.node(&name).and_then(|at| graph.nodes.get(at));
    is_alone && node.is_some_and(|node| graph.occurrences(node).count() == 1)
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    const LOST: &str = r#"digraph {
    goal "Ship it"
    rankdir LR
    start [shape=Mdiamond]; done [shape=Msquare]
    start -> done
}"#;

    #[test]
    fn an_attribute_and_its_value() {
        check(
            "missing_equals",
            LOST,
            expect![[r#"
                goal "Ship it"
                ^^^^^^^^^^^^^^ warning: expected `=` after `goal`; without it, name and value are parsed as nodes
                  fix: Insert `=`
                    + goal="Ship it"
                rankdir LR
                ^^^^^^^^^^ warning: expected `=` after `rankdir`; without it, name and value are parsed as nodes
                  fix: Insert `=`
                    + rankdir=LR
            "#]],
        );
        let found = crate::Analysis::of_text(LOST).diagnostics;
        let rules: Vec<_> = found.iter().map(|found| found.rule).collect();
        assert_eq!(rules, ["missing_equals", "missing_equals"]);
    }

    #[test]
    fn nodes_that_are_used() {
        check(
            "missing_equals",
            "digraph {
    start [shape=Mdiamond]; done [shape=Msquare]
    goal other
    label
    other_one
    label; third
    start -> goal -> done
}",
            expect![[""]],
        );
    }
}
