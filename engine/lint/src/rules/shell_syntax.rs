//! `shell_syntax`: commands a shell accepts.

use crate::commands::{ShellKind, commands, set_bash};
use crate::rules::condition_syntax::lang_finding;
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_dot::Fix;
use attractor_lang::shell;
use attractor_model::{Attribute, Level, Node};

pub(crate) const LINT: Lint = Lint {
    rule: "shell_syntax",
    level: Level::Warn,
    extent: Extent::Statement,
    fixable: true,
    summary: "Invalid shell command.",
    doc: "Reports quotes, brackets, compound commands and here-documents that are opened and not closed, or closed and \
not opened, and `if`, `while` and `for` without their `then` or `do`. The command is parsed, never run; not every error \
is found. Commands run in `sh` unless `shell` names another one: `set -o pipefail` and other options of bash end the \
command there on many systems, so `shell=bash` is needed.",
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
        if ShellKind::of(node) == ShellKind::Sh {
            options(ctx, sink, node, attribute);
        }
    }
}

/// Options that `sh` may not know.
fn options(
    ctx: &LintContext<'_>,
    sink: &mut DiagnosticSink<'_>,
    node: &Node,
    attribute: Attribute<'_>,
) {
    let command: &str = attribute.value();
    let Some(option) = shell::options_beyond_sh(command).into_iter().next() else {
        return;
    };
    let Some(range) = attribute.range_of(ctx.text, option.clone()) else {
        return;
    };
    let name = command.get(option).unwrap_or_default();
    let message = format!("`sh` may not know `{name}`; set `shell=bash`");
    let mut found = sink.diagnostic(&LINT, range, message).node(&*node.id);
    if let Some(edit) = set_bash(ctx, node, attribute) {
        let fix = Fix::new("Set `shell=bash`", vec![edit]);
        found = found.fix(fix.preferred());
    }
    sink.push(found);
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

    #[test]
    fn an_option_that_sh_may_not_know() {
        check(
            "shell_syntax",
            r#"digraph {
    start -> a -> b -> c -> d -> e
    a [shape=parallelogram, command="set -o pipefail; make | tee log"]
    b [shape=parallelogram, shell="sh", command="set -euo pipefail; make"]
    c [shape=parallelogram, shell=bash, command="set -o pipefail; make"]
    d [shape=parallelogram, shell="/bin/bash -e", command="set -o pipefail; make"]
    e [shape=parallelogram, command="bash -c 'set -o pipefail; make'"]
}"#,
            expect![[r#"
                a [shape=parallelogram, command="set -o pipefail; make | tee log"]
                                                        ^^^^^^^^ warning: `sh` may not know `pipefail`; set `shell=bash`
                  fix: Set `shell=bash`
                    + a [shell=bash, shape=parallelogram, command="set -o pipefail; make | tee log"]
                b [shape=parallelogram, shell="sh", command="set -euo pipefail; make"]
                                                                      ^^^^^^^^ warning: `sh` may not know `pipefail`; set `shell=bash`
                  fix: Set `shell=bash`
                    + b [shape=parallelogram, shell="bash", command="set -euo pipefail; make"]
            "#]],
        );
    }
}
