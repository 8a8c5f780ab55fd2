//! `masked_exit_code`: commands that hide their failure.

use attractor_dot::{Edit, Fix};

use crate::commands::{ShellKind, is_python, set_bash};
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_model::Level;
use attractor_model::catalogue::NodeKind;
use attractor_model::{Attribute, Node, NodeIx, Pipeline};

pub(crate) const LINT: Lint = Lint {
    rule: "masked_exit_code",
    level: Level::Warn,
    extent: Extent::Statement,
    fixable: true,
    summary: "Command that hides its failure.",
    doc: "The exit code of a pipe is that of its last command, so `make test | tee log` succeeds when the \
tests fail; `|| true` and `; true` always succeed. Where routing depends on the result, the failure is lost. Start \
with `set -o pipefail`, which needs `shell=bash`, or let the command fail.",
    example: "test [shape=parallelogram, command=\"make test 2>&1 | tee log\"]\ntest -> fix [condition=\"outcome=fail\"]",
    check: Check::Pipeline(check),
};

/// Commands that pass on what they read and succeed whatever came before.
const PASSERS: &[&str] = &["tee", "tail", "head", "cat", "less", "more"];

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let pipeline = ctx.pipeline;
    for (ix, node) in ctx.nodes_of([NodeKind::Tool]) {
        let Some(attribute) = node.attributes.get("command") else {
            continue;
        };
        let command: &str = attribute.value();
        // What masks a failure comes after one of these.
        if !command.contains(['|', ';'])
            || is_python(node)
            || !is_routed_on(pipeline, ix)
            || command.contains("pipefail")
            || command.contains("PIPESTATUS")
        {
            continue;
        }
        let Some(mask) = mask(command) else {
            continue;
        };
        let Some(range) = attribute.range_of(ctx.text, mask.start..mask.end) else {
            continue;
        };
        let message = match mask.masking {
            Masking::Pipe => format!(
                "the exit code is that of `{}`, so `{}` succeeds even if the preceding command fails",
                command
                    .get(mask.start..mask.end)
                    .unwrap_or_default()
                    .trim_start_matches('|')
                    .trim(),
                node.id
            ),
            Masking::Always => format!(
                "this makes `{}` always succeed, but routing depends on its result",
                node.id
            ),
        };
        let mut diagnostic = sink.diagnostic(&LINT, range, message).node(&*node.id);
        let quoted = attribute
            .value_range()
            .is_some_and(|whole| whole.text(ctx.text).starts_with('"'));
        let fix = match mask.masking {
            Masking::Pipe => set_pipefail(ctx, node, attribute),
            Masking::Always => Some(Fix::new("Remove the masking", vec![Edit::delete(range)])),
        };
        if let Some(fix) = fix.filter(|_| quoted) {
            diagnostic = diagnostic.fix(fix);
        }
        sink.push(diagnostic);
    }
}

/// Makes a pipe fail when one of its commands does, in a shell that knows the option.
fn set_pipefail(ctx: &LintContext<'_>, node: &Node, command: Attribute<'_>) -> Option<Fix> {
    let start = command.range_of(ctx.text, 0..0)?.start();
    let insert = Edit::insert(start, "set -o pipefail; ");
    match ShellKind::of(node) {
        ShellKind::Bash => Some(Fix::new("Insert `set -o pipefail`", vec![insert])),
        ShellKind::Sh => Some(Fix::new(
            "Insert `set -o pipefail` and set `shell=bash`",
            vec![set_bash(ctx, node, command)?, insert],
        )),
        ShellKind::Other => None,
    }
}

/// Whether the run depends on the result: by conditions, retries, or a gate.
fn is_routed_on(pipeline: &Pipeline, ix: NodeIx) -> bool {
    let routed = pipeline
        .outgoing(ix)
        .iter()
        .filter_map(|edge| pipeline.edge(*edge)?.condition_text())
        .any(|text| {
            [
                "outcome",
                "exit_code",
                "status",
                "on_fail",
                "on_success",
                "on_retry",
                "on_exhaust",
            ]
            .iter()
            .any(|word| text.contains(word))
        });
    routed
        || pipeline
            .node(ix)
            .is_some_and(|node| node.attributes.bool("goal_gate") == Some(true))
}

#[derive(Clone, Copy)]
enum Masking {
    Pipe,
    Always,
}

struct Mask {
    masking: Masking,
    start: usize,
    end: usize,
}

/// The end of a command that hides what came before it.
fn mask(command: &str) -> Option<Mask> {
    let end = command.trim_end().trim_end_matches(';').trim_end().len();
    let text = command.get(..end)?;
    for ending in [
        "|| true",
        "||true",
        "|| :",
        "||:",
        "; true",
        ";true",
        "|| exit 0",
    ] {
        if text.ends_with(ending) {
            // A script that says itself when it fails may end like this.
            if text.contains("exit 1") || (ending.starts_with(';') && text.contains("set -e")) {
                return None;
            }
            return Some(Mask {
                masking: Masking::Always,
                start: text.get(..end - ending.len())?.trim_end().len(),
                end,
            });
        }
    }
    // Only a last line that is one pipe; quotes make it something a person has to judge.
    let last_line = text.rfind('\n').map_or(0, |at| at + 1);
    let line = text.get(last_line..)?;
    let pipe = line.rfind('|')?;
    let after = line.get(pipe + 1..)?.trim();
    let before = line.get(..pipe)?;
    let first = after.split_whitespace().next()?;
    let plain = !before.ends_with('|') && !after.contains(['\'', '"', ')', '`', ';', '&']);
    (plain && PASSERS.contains(&first) && balanced(before)).then_some(Mask {
        masking: Masking::Pipe,
        start: last_line + pipe,
        end,
    })
}

/// Whether no quote or substitution is open at the end.
fn balanced(text: &str) -> bool {
    let count = |letter: char| text.matches(letter).count();
    count('"').is_multiple_of(2) && count('\'').is_multiple_of(2) && count('(') == count(')')
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn pipes_and_truths() {
        check(
            "masked_exit_code",
            r#"digraph {
    start -> a -> b -> c
    a [shape=parallelogram, command="make test 2>&1 | tee log"]
    a -> fix [condition="outcome=fail"]
    b [shape=parallelogram, command="make lint || true"]
    b -> fix [condition="exit_code != 0"]
    c [shape=parallelogram, command="make docs | tail -5"]
}"#,
            expect![[r#"
                a [shape=parallelogram, command="make test 2>&1 | tee log"]
                                                                ^^^^^^^^^ warning: the exit code is that of `tee log`, so `a` succeeds even if the preceding command fails
                  fix: Insert `set -o pipefail` and set `shell=bash`
                    + a [shell=bash, shape=parallelogram, command="set -o pipefail; make test 2>&1 | tee log"]
                b [shape=parallelogram, command="make lint || true"]
                                                          ^^^^^^^^ warning: this makes `b` always succeed, but routing depends on its result
                  fix: Remove the masking
                    + b [shape=parallelogram, command="make lint"]
            "#]],
        );
    }

    #[test]
    fn the_fix_depends_on_the_shell() {
        check(
            "masked_exit_code",
            r#"digraph {
    start -> a -> b -> c
    a [shape=parallelogram, shell=bash, command="make | tee log"]
    a -> fix [condition="outcome=fail"]
    b [shape=parallelogram, command="make | tee log", shell="/bin/sh"]
    b -> fix [condition="outcome=fail"]
    c [shape=parallelogram, shell=fish, command="make | tee log"]
    c -> fix [condition="outcome=fail"]
}"#,
            expect![[r#"
                a [shape=parallelogram, shell=bash, command="make | tee log"]
                                                                  ^^^^^^^^^ warning: the exit code is that of `tee log`, so `a` succeeds even if the preceding command fails
                  fix: Insert `set -o pipefail`
                    + a [shape=parallelogram, shell=bash, command="set -o pipefail; make | tee log"]
                b [shape=parallelogram, command="make | tee log", shell="/bin/sh"]
                                                      ^^^^^^^^^ warning: the exit code is that of `tee log`, so `b` succeeds even if the preceding command fails
                  fix: Insert `set -o pipefail` and set `shell=bash`
                    + b [shape=parallelogram, command="set -o pipefail; make | tee log", shell="bash"]
                c [shape=parallelogram, shell=fish, command="make | tee log"]
                                                                  ^^^^^^^^^ warning: the exit code is that of `tee log`, so `c` succeeds even if the preceding command fails
            "#]],
        );
    }

    #[test]
    fn pipefail_is_fine() {
        check(
            "masked_exit_code",
            r#"digraph {
    start -> a
    a [shape=parallelogram, command="set -o pipefail; make | tee log"]
    a -> fix [condition="outcome=fail"]
}"#,
            expect![[""]],
        );
    }
}
