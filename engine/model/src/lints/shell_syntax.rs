//! `shell_syntax`: commands a shell accepts.

use super::commands::commands;
use super::condition_syntax::lang_finding;
use super::{Check, Findings, Lint, Subject};
use crate::options::Level;
use attractor_lang::shell;

pub(super) const LINT: Lint = Lint {
    rule: "shell_syntax",
    level: Level::Warn,
    fixable: false,
    summary: "A command no shell accepts.",
    doc: "Quotes, brackets and compound commands that are opened and not closed, or closed and not opened. The \
command is read, never run. Silence does not mean that it is right.",
    example: "test [shape=parallelogram, command=\"echo 'hello\"]",
    check: Check::Pipeline(check),
};

fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for (node, attribute) in commands(subject) {
        for error in shell::check(attribute.value()) {
            if let Some(found) = lang_finding(&LINT, subject, findings, attribute, 0, error) {
                findings.push(found.node(&*node.id));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lints::testing::check;
    use expect_test::expect;

    #[test]
    fn an_open_quote() {
        check(
            "shell_syntax",
            "digraph {\n    start -> a\n    a [shape=parallelogram, command=\"echo 'hello && make\"]\n}",
            expect![[r#"
            a [shape=parallelogram, command="echo 'hello && make"]
                                                  ^ warning: this ' is never closed; add ' where it ends
        "#]],
        );
    }
}
