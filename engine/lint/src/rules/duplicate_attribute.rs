//! `duplicate_attribute`: the same attribute twice in one statement, under one name or under two.

use std::borrow::Cow;

use attractor_dot::Applicability;
use attractor_dot::ast::{Attr, AttrList, Block, EdgeEnd, IdKind, Stmt};

use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::graph_edits::fix;
use attractor_model::Level;

pub(crate) const LINT: Lint = Lint {
    rule: "duplicate_attribute",
    level: Level::Warn,
    extent: Extent::Statement,
    fixable: true,
    summary: "Duplicate attribute in a statement.",
    doc: "The later value overrides the earlier one, as in Graphviz. Two names of one attribute \
(`llm_model` and `model`) are reported if their values differ; setting both to the same value keeps a file \
compatible with several engines.",
    example: "test [timeout=\"5m\", timeout=\"10m\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    if !ctx.graph.may_have_duplicates && ctx.pipeline.rivals.is_empty() {
        return;
    }
    let mut blocks: Vec<&Block> = vec![&ctx.tree.body];
    while let Some(block) = blocks.pop() {
        for statement in &block.statements {
            let lists = statement.attributes();
            same_name(ctx, lists, sink);
            same_meaning(ctx, lists, sink);
            match statement {
                Stmt::Subgraph(subgraph) => blocks.extend(&subgraph.body),
                Stmt::Edge(edge) => {
                    blocks.extend(edge.ends.iter().filter_map(|end| match end {
                        EdgeEnd::Subgraph(subgraph) => subgraph.body.as_ref(),
                        EdgeEnd::Nodes(_) | EdgeEnd::Missing(_) => None,
                    }));
                }
                _ => {}
            }
        }
    }
}

/// Names written more than once: the name, the place that is lost and the one that follows it.
fn repeated<'t>(text: &'t str, pairs: &[&'t Attr]) -> Vec<(Cow<'t, str>, &'t Attr, &'t Attr)> {
    let mut names: Vec<(Cow<'t, str>, &'t Attr)> = pairs
        .iter()
        .map(|pair| (pair.key.text(text), *pair))
        .collect();
    names.sort_by(|(left, one), (right, other)| {
        left.cmp(right).then(one.range().cmp(&other.range()))
    });
    names
        .windows(2)
        .filter_map(|two| match two {
            [(left, earlier), (right, later)] if left == right => {
                Some((left.clone(), *earlier, *later))
            }
            _ => None,
        })
        .collect()
}

/// Whether some name may be there twice; nearly every statement is answered without comparing names. Those that
/// agree in their length, first and last byte count as equal.
fn may_repeat(text: &str, lists: &[AttrList]) -> bool {
    let text = text.as_bytes();
    let mut seen = 0_u64;
    pairs(lists).any(|pair| {
        let range = pair.key.range;
        let byte = |at: usize| text.get(at).map_or(0, |byte| usize::from(*byte));
        let sum = byte(range.start()) * 5 + byte(range.end().saturating_sub(1)) * 11;
        let bit = 1 << ((sum + range.len() * 7) % 64);
        let plain = matches!(pair.key.kind, IdKind::Bare | IdKind::Extended);
        let new = plain && seen & bit == 0;
        seen |= bit;
        !new
    })
}

fn pairs(lists: &[AttrList]) -> impl Iterator<Item = &Attr> {
    lists.iter().flat_map(|list| &list.items)
}

fn same_name(ctx: &LintContext<'_>, lists: &[AttrList], sink: &mut DiagnosticSink<'_>) {
    if !ctx.graph.may_have_duplicates || !may_repeat(ctx.text, lists) {
        return;
    }
    let pairs: Vec<_> = pairs(lists).collect();
    for (name, earlier, pair) in repeated(ctx.text, &pairs) {
        let same = match (&earlier.value, &pair.value) {
            (Some(one), Some(other)) => one.text(ctx.text) == other.text(ctx.text),
            _ => false,
        };
        let (message, applicability) = if same {
            (format!("duplicate attribute `{name}`"), Applicability::Safe)
        } else {
            (
                format!("duplicate attribute `{name}`; this value is overridden by the later one"),
                Applicability::Suggested,
            )
        };
        report(ctx, message, (earlier, pair), applicability, sink);
    }
}

fn same_meaning(ctx: &LintContext<'_>, lists: &[AttrList], sink: &mut DiagnosticSink<'_>) {
    let rivals = &ctx.pipeline.rivals;
    if rivals.is_empty() {
        return;
    }
    for lost in pairs(lists) {
        let kept = rivals.get(&lost.key.range);
        let Some(kept) = pairs(lists).find(|pair| Some(&pair.key.range) == kept) else {
            continue;
        };
        let (name, other) = (lost.key.text(ctx.text), kept.key.text(ctx.text));
        let message = format!("`{name}` is an alias of `{other}`; this value is overridden");
        let applicability = Applicability::Suggested;
        report(ctx, message, (lost, kept), applicability, sink);
    }
}

fn report(
    ctx: &LintContext<'_>,
    message: String,
    (lost, kept): (&Attr, &Attr),
    applicability: Applicability,
    sink: &mut DiagnosticSink<'_>,
) {
    let edit = ctx.edits().delete_attribute(lost.key.range, lost.range());
    let diagnostic = sink
        .diagnostic(&LINT, lost.range(), message)
        .related(kept.range(), "this value is used")
        .fix(fix("Delete this attribute", edit).with(applicability))
        .unnecessary();
    sink.push(diagnostic);
}

#[cfg(test)]
mod tests {
    use super::LINT;
    use crate::Analysis;
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn an_attribute_twice() {
        check(
            "duplicate_attribute",
            "digraph {
    start -> a
    a [timeout=5m, prompt=x, timeout=10m]
}",
            expect![[r#"
                a [timeout=5m, prompt=x, timeout=10m]
                   ^^^^^^^^^^ warning: duplicate attribute `timeout`; this value is overridden by the later one
                a [timeout=5m, prompt=x, timeout=10m]
                                         ^^^^^^^^^^^ note: this value is used
                  fix: Delete this attribute
                    + a [prompt=x, timeout=10m]
            "#]],
        );
    }

    #[test]
    fn two_names_of_one_attribute() {
        check(
            "duplicate_attribute",
            r#"digraph {
    node [llm_model=d, model=e]
    start -> a
    a [llm_model=x, prompt=p, model=y, retries=2, max_retries=2, timeout="2m", timeout_seconds=120]
    a -> b [condition="outcome=fail", when="outcome=success"]
}"#,
            expect![[r#"
                node [llm_model=d, model=e]
                      ^^^^^^^^^^^ warning: `llm_model` is an alias of `model`; this value is overridden
                node [llm_model=d, model=e]
                                   ^^^^^^^ note: this value is used
                  fix: Delete this attribute
                    + node [model=e]
                a [llm_model=x, prompt=p, model=y, retries=2, max_retries=2, timeout="2m", timeout_seconds=120]
                   ^^^^^^^^^^^ warning: `llm_model` is an alias of `model`; this value is overridden
                a [llm_model=x, prompt=p, model=y, retries=2, max_retries=2, timeout="2m", timeout_seconds=120]
                                          ^^^^^^^ note: this value is used
                  fix: Delete this attribute
                    + a [prompt=p, model=y, retries=2, max_retries=2, timeout="2m", timeout_seconds=120]
                a -> b [condition="outcome=fail", when="outcome=success"]
                        ^^^^^^^^^^^^^^^^^^^^^^^^ warning: `condition` is an alias of `when`; this value is overridden
                a -> b [condition="outcome=fail", when="outcome=success"]
                                                  ^^^^^^^^^^^^^^^^^^^^^^ note: this value is used
                  fix: Delete this attribute
                    + a -> b [when="outcome=success"]
            "#]],
        );
    }

    #[test]
    fn in_every_place() {
        for twice in [
            "a [x=1, x=2]",
            "a [x=1] [x=2]",
            "a [x=1, \"x\"=1]",
            "node [x=1, x=2]",
            "edge [key=1, key=2]",
            "graph [x=1, x=2]",
            "start -> a [x=1, x=2]",
            "start -> {a b} [x=1] [x=2]",
            "start -> a -> b [key=1, key=2]",
            "subgraph s { a [x=1, x=2] }",
            "subgraph s { node [x=1, x=2]; a }",
            "start -> {a [x=1, x=2]}",
            "subgraph s { a } [x=1, x=2]",
            "node [x=0]; a [x=1, x=2]",
        ] {
            let text = format!("digraph {{ goal=x; start [shape=Mdiamond]; {twice} }}");
            let found = Analysis::of_text(&text).diagnostics;
            let found = found.iter().filter(|one| one.rule == LINT.rule);
            assert_eq!(found.count(), 1, "{text}");
        }
    }
}
