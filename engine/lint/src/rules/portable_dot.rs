//! `portable_dot`: what this pipeline writes and Graphviz does not understand.

use attractor_dot::graphviz_compat::{self, GraphvizReading};

use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_model::Level;

pub(crate) const LINT: Lint = Lint {
    rule: "portable_dot",
    level: Level::Allow,
    extent: Extent::Statement,
    fixable: true,
    summary: "Syntax that Graphviz rejects.",
    doc: "Unquoted dotted keys, durations and values with dots or slashes are accepted in pipelines; \
Graphviz requires quotes. Off by default; `attractor fmt --portable` quotes them all.",
    example: "gate [timeout=900s, human.default_choice=b]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    for found in graphviz_compat::violations(ctx.tree, ctx.text) {
        let written = found.id.range.text(ctx.text);
        let message = match found.graphviz {
            GraphvizReading::SyntaxError => format!("Graphviz rejects unquoted `{written}`"),
            GraphvizReading::SeveralTokens => {
                format!("Graphviz parses unquoted `{written}` as several tokens")
            }
        };
        let diagnostic = sink
            .diagnostic(&LINT, found.id.range, message)
            .fix(found.fix(ctx.text));
        sink.push(diagnostic);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::{check_with, with_level};
    use attractor_model::{Level, NoFiles};
    use expect_test::expect;

    #[test]
    fn when_asked_for() {
        let options = with_level("portable_dot", Level::Warn);
        check_with(
            "portable_dot",
            "digraph {
    a [timeout=900s, prompt=x]
}",
            &options,
            &NoFiles,
            expect![[r#"
                a [timeout=900s, prompt=x]
                           ^^^^ warning: Graphviz rejects unquoted `900s`
                  fix: Quote for Graphviz
                    + a [timeout="900s", prompt=x]
            "#]],
        );
    }
}
