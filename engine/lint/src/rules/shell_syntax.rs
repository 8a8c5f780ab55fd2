//! `shell_syntax`: commands a shell accepts.

use crate::commands::commands;
use crate::rules::condition_syntax::lang_finding;
use crate::{Check, DiagnosticSink, Lint, LintContext};
use attractor_lang::shell;
use attractor_model::Level;

pub(crate) const LINT: Lint = Lint {
    rule: "shell_syntax",
    level: Level::Warn,
    fixable: false,
    summary: "Invalid shell command.",
    doc: "Reports quotes, brackets and compound commands that are opened and not closed, or closed and \
not opened. The command is parsed, never run; not every error is found.",
    example: "test [shape=parallelogram, command=\"echo 'hello\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    for (node, attribute) in commands(ctx) {
        for error in shell::check(attribute.value()) {
            if let Some(found) = lang_finding(&LINT, ctx, sink, attribute, 0, error) {
                sink.push(found.node(&*node.id));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn an_open_quote() {
        check(
            "shell_syntax",
            r#"digraph {
    start -> a
    a [shape=parallelogram, command="echo 'hello && make"]
}"#,
            expect![[r#"
                a [shape=parallelogram, command="echo 'hello && make"]
                                                      ^ warning: unclosed '; add the closing '
            "#]],
        );
    }
}
