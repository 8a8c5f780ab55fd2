//! `syntax`: what the parser could not read, and what only pipelines may write.

use attractor_dot::{Parse, graphviz_compat};

use crate::{Check, DiagnosticSink, Extent, Lint};
use attractor_model::Level;
use attractor_model::graphs::GraphInfo;

pub(crate) const LINT: Lint = Lint {
    rule: "syntax",
    level: Level::Error,
    extent: Extent::Graph,
    fixable: true,
    summary: "Syntax error.",
    doc: "The parser recovers from each error, so the rest of the file is still analyzed: nodes, edges and lints keep working.",
    example: "",
    check: Check::Elsewhere,
};

/// Reports the parser's errors, and in graphs that are no pipelines the ids Graphviz would reject.
pub(crate) fn report(
    text: &str,
    parse: &Parse,
    graphs: &[GraphInfo],
    sink: &mut DiagnosticSink<'_>,
) {
    if sink.severity(&LINT).is_none() {
        return;
    }
    for error in &parse.errors {
        let mut diagnostic = sink.diagnostic(&LINT, error.range, error.message.clone());
        diagnostic.related.clone_from(&error.related);
        diagnostic.fixes.clone_from(&error.fixes);
        sink.push(diagnostic);
    }
    for (graph, info) in parse.file.graphs.iter().zip(graphs) {
        if info.pipeline.is_some() {
            continue;
        }
        for found in graphviz_compat::rejected(graph, text) {
            let written = found.id.range.text(text);
            let message =
                format!("`{written}` must be quoted; unquoted it is accepted in pipelines only");
            let diagnostic = sink
                .diagnostic(&LINT, found.id.range, message)
                .fix(found.fix(text));
            sink.push(diagnostic);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn a_word_that_must_be_quoted_is_reported_once() {
        check(
            "syntax",
            "digraph {
    a -> graph
    a [tooltip=two.parts]
}",
            expect![[r#"
                a -> graph
                     ^^^^^ error: `graph` is a keyword; quote it to use it as a name or value
                  fix: Quote as `"graph"`
                    + a -> "graph"
                a [tooltip=two.parts]
                           ^^^^^^^^^ error: `two.parts` must be quoted; unquoted it is accepted in pipelines only
                  fix: Quote for Graphviz
                    + a [tooltip="two.parts"]
            "#]],
        );
    }

    #[test]
    fn plain_graphs_are_graphviz() {
        check(
            "syntax",
            "digraph {
    a [width=1.5, tooltip=two.parts]
}",
            expect![[r#"
                a [width=1.5, tooltip=two.parts]
                                      ^^^^^^^^^ error: `two.parts` must be quoted; unquoted it is accepted in pipelines only
                  fix: Quote for Graphviz
                    + a [width=1.5, tooltip="two.parts"]
            "#]],
        );
    }

    #[test]
    fn pipelines_may_write_more() {
        check(
            "syntax",
            "digraph {
    a [timeout=900s, human.default_choice=b, prompt=x]
}",
            expect![[""]],
        );
    }
}
