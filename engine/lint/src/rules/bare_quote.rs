//! `bare_quote`: a quote inside a value that ends it where DOT allows that: `goal="say "hi" to her"`.
//!
//! In a list what follows is a syntax error. At the level of statements it is DOT: `hi` and `" to her"` are nodes.

use attractor_dot::ast::{Attr, Block, Stmt};
use attractor_dot::strings::bare_quotes;
use attractor_dot::{Edit, Fix, TextRange};

use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_model::Diagnostic;
use attractor_model::Level;

pub(crate) const LINT: Lint = Lint {
    rule: "bare_quote",
    level: Level::Warn,
    extent: Extent::Graph,
    fixable: true,
    summary: "Unescaped quote inside a value.",
    doc: "Outside of brackets DOT parses what follows the quote as nodes, so the value ends too early without an error. Escape a quote inside a value as `\\\"`.",
    example: "goal=\"say \"hi\" to her\"",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    if !ctx.graph.may_have_duplicates && !may_be_torn(ctx) {
        return;
    }
    let mut blocks: Vec<&Block> = vec![&ctx.tree.body];
    while let Some(block) = blocks.pop() {
        for (at, statement) in block.statements.iter().enumerate() {
            match statement {
                Stmt::Assign(pair) => {
                    let behind = block.statements.get(at + 1..).unwrap_or_default();
                    if let Some(whole) = torn(ctx.text, pair, behind) {
                        report(ctx.text, whole, sink);
                    }
                }
                Stmt::Subgraph(subgraph) => blocks.extend(&subgraph.body),
                _ => {}
            }
        }
    }
}

/// Whether something follows a value of a graph directly.
fn may_be_torn(ctx: &LintContext<'_>) -> bool {
    let graph = ctx.graph;
    let subgraphs = graph.subgraphs.iter().map(|subgraph| subgraph.attributes);
    let mut lists = subgraphs.chain([graph.attributes]);
    let text = ctx.text.as_bytes();
    lists.any(|list| {
        let mut own = graph.list(list).iter().filter(|it| !it.inherited);
        own.any(|it| {
            let next = text.get(it.value_id.range.end());
            next.is_some_and(|next| !next.is_ascii_whitespace() && !b";,]}".contains(next))
        })
    })
}

/// The whole of a quoted value whose rest follows it directly as nodes, and ends in a quote.
fn torn(text: &str, pair: &Attr, behind: &[Stmt]) -> Option<TextRange> {
    let value = pair.value.as_ref()?.range;
    let mut end = value.end();
    for statement in behind {
        match statement {
            Stmt::Node(node) if node.attributes.is_empty() && node.range.start() == end => {
                end = node.range.end();
            }
            _ => break,
        }
    }
    let whole = TextRange::new(value.start(), end);
    let written = whole.text(text);
    (end > value.end() && written.starts_with('"') && written.ends_with('"')).then_some(whole)
}

fn report(text: &str, whole: TextRange, sink: &mut DiagnosticSink<'_>) {
    let written = whole.text(text);
    let inner: Vec<usize> = bare_quotes(written)
        .filter(|&at| at > 0 && at + 1 < written.len())
        .map(|at| whole.start() + at)
        .collect();
    let Some(&first) = inner.first() else { return };
    let escapes = inner.iter().map(|&at| Edit::insert(at, "\\"));
    let diagnostic: Diagnostic = sink
        .diagnostic(
            &LINT,
            TextRange::new(first, whole.end()),
            "unescaped `\"` ends the value here; the rest is parsed as nodes. Escape it as `\\\"`",
        )
        .related(
            TextRange::new(whole.start(), whole.start() + 1),
            "value starts here",
        )
        .fix(Fix::new("Escape the inner quotes", escapes.collect()).preferred());
    sink.push(diagnostic);
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn a_goal_with_quotes() {
        check(
            "bare_quote",
            r#"digraph {
    goal="say "hi" to \"her\""
    start -> a -> exit
}"#,
            expect![[r#"
                goal="say "hi" to \"her\""
                          ^^^^^^^^^^^^^^^^ warning: unescaped `"` ends the value here; the rest is parsed as nodes. Escape it as `\"`
                goal="say "hi" to \"her\""
                     ^ note: value starts here
                  fix: Escape the inner quotes
                    + goal="say \"hi\" to \"her\""
            "#]],
        );
    }

    #[test]
    fn statements_on_one_line_are_none() {
        check(
            "bare_quote",
            "digraph { goal=\"x\" a goal=\"y\"; \"b\"; start -> a -> exit }",
            expect![[r#""#]],
        );
    }

    #[test]
    fn nothing_else_is_said_of_it() {
        let text = r#"digraph {
    goal="say "hi" to her"
    start -> exit
}"#;
        let found = crate::Analysis::of_text(text).diagnostics;
        let rules: Vec<&str> = found.iter().map(|found| found.rule).collect();
        assert_eq!(rules, ["bare_quote"]);
    }
}
