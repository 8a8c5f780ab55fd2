//! `shell_syntax`: commands a shell accepts.

use crate::commands::commands;
use crate::rules::condition_syntax::lang_finding;
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_lang::shell;
use attractor_model::Level;

pub(crate) const LINT: Lint = Lint {
    rule: "shell_syntax",
    level: Level::Warn,
    extent: Extent::Statement,
    fixable: false,
    summary: "Invalid shell command.",
    doc: "Reports quotes, brackets, compound commands and here-documents that are opened and not closed, or closed and \
not opened, and `if`, `while` and `for` without their `then` or `do`. The command is parsed, never run; not every error \
is found.",
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

    #[test]
    fn a_missing_keyword_and_an_open_here_document() {
        check(
            "shell_syntax",
            r#"digraph {
    start -> a -> b
    a [shape=parallelogram, command="if make; echo ok; fi"]
    b [shape=parallelogram, command="cat > notes <<EOF
    hello
    EOF"]
}"#,
            expect![[r#"
                a [shape=parallelogram, command="if make; echo ok; fi"]
                                                 ^^ warning: `if` without `then`; add `then` before its commands
                b [shape=parallelogram, command="cat > notes <<EOF
                                                             ^^^^^ warning: unclosed here-document; remove the spaces around `EOF`
            "#]],
        );
    }
}
