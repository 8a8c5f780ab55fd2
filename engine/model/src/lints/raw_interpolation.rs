//! `raw_interpolation`: values that are put into commands as code.

use super::commands::{commands, programs};
use super::{Check, Findings, Lint, Subject};
use crate::lang::template::{self, Filter};
use crate::options::Level;

pub(super) const LINT: Lint = Lint {
    rule: "raw_interpolation",
    level: Level::Warn,
    fixable: true,
    summary: "A value that is put into a command as code.",
    doc: "`{key|raw}` puts a value into the command without quoting, so whoever wrote the value (a model, a web page, \
a person at a gate) can run anything. Without `|raw` it stays a value. Values cannot be quoted for Python text, so a run refuses to put any there: \
hand them over with `env.NAME` and read `os.environ`.",
    example: "run [shape=parallelogram, command=\"make {target|raw}\"]",
    check: Check::Pipeline(check),
};

fn check(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    into_shell(subject, findings);
    into_python(subject, findings);
}

fn into_shell(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for (node, attribute) in commands(subject) {
        // Nearly no command has one; those without are not parsed.
        if !attribute.value().contains('|') {
            continue;
        }
        let (parsed, _) = template::parse(attribute.value());
        for insert in parsed
            .inserts()
            .filter(|insert| insert.filter == Filter::Raw)
        {
            let Some(range) = attribute.place(subject.text, insert.range.clone()) else {
                continue;
            };
            let message = format!(
                "the value of `{}` is put in as code, whoever wrote it",
                insert.key
            );
            let mut diagnostic = findings.diagnostic(&LINT, range, message).node(&*node.id);
            if let Some(after) =
                attribute.place(subject.text, insert.key_range.end..insert.range.end)
            {
                diagnostic.fixes.push(super::edits::fix(
                    "Quote the value",
                    attractor_dot::Edit::replace(after, "}"),
                ));
            }
            findings.push(diagnostic);
        }
    }
}

/// Braces are common in Python; only those that a value will replace are of interest.
fn into_python(subject: &Subject<'_>, findings: &mut Findings<'_>) {
    for (at, node, attribute) in programs(subject) {
        let (parsed, _) = template::parse(attribute.value());
        for insert in parsed.inserts() {
            if !subject.keys().may_be_set(subject.pipeline, at, &insert.key) {
                continue;
            }
            let Some(range) = attribute.place(subject.text, insert.range.clone()) else {
                continue;
            };
            let message = format!(
                "the value of `{}` cannot be put into Python text, and a run will refuse to; hand it over with `env.NAME` and read `os.environ`",
                insert.key
            );
            findings.push(findings.diagnostic(&LINT, range, message).node(&*node.id));
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lints::testing::check;
    use expect_test::expect;

    #[test]
    fn raw() {
        check(
            "raw_interpolation",
            "digraph {\n    start -> a\n    a [shape=parallelogram, command=\"make {target|raw} {other}\"]\n}",
            expect![[r#"
            a [shape=parallelogram, command="make {target|raw} {other}"]
                                                  ^^^^^^^^^^^^ warning: the value of `target` is put in as code, whoever wrote it
              fix: Quote the value
                + a [shape=parallelogram, command="make {target} {other}"]
        "#]],
        );
    }

    #[test]
    fn into_python() {
        check(
            "raw_interpolation",
            "digraph {\n    vars=\"name\"\n    start -> a\n    a [shape=parallelogram, language=python, command=\"print(f'{x}', {1, 2}, '{name}')\"]\n}",
            expect![[r#"
                a [shape=parallelogram, language=python, command="print(f'{x}', {1, 2}, '{name}')"]
                                                                                         ^^^^^^ warning: the value of `name` cannot be put into Python text, and a run will refuse to; hand it over with `env.NAME` and read `os.environ`
            "#]],
        );
    }
}
