//! `raw_interpolation`: values that are put into commands as code.

use crate::commands::commands;
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_lang::shell::{self, Indirect};
use attractor_lang::template::{self, Filter};
use attractor_model::{Level, Severity};

pub(crate) const LINT: Lint = Lint {
    rule: "raw_interpolation",
    level: Level::Warn,
    extent: Extent::Statement,
    fixable: true,
    summary: "Unquoted interpolation in a command.",
    doc: "`{key|raw}` inserts a value into the command without quoting, so the author of the value (a \
model, a web page, a person at a gate) can run any code. Without `|raw` it stays a value. A quoted value also \
becomes code where an interpreter reads the result: in a here-document or a pipe of `sh`, `python` and the like \
(also by `xargs … sh -c`), in a file that the same command runs, in a \
variable that `eval`, `sh -c` or arithmetic of bash evaluates later, or in a variable of `make`; pass it as an argument (`sh -s -- {key}`) or in the \
environment instead. What an interpreter reads as its program is an error: a run with such a value is refused. Programs that run code given in other ways (`git -c`, `tar --checkpoint-action`, an \
interpreter named by a variable) cannot be recognised: keep values of models and people out of their arguments.",
    example: "run [shape=parallelogram, command=\"make {target|raw}\"]",
    check: Check::Pipeline(check),
};

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    into_shell(ctx, sink);
    into_input_of_interpreters(ctx, sink);
}

fn into_shell(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    for (node, attribute) in commands(ctx) {
        // Nearly no command has one; those without are not parsed.
        if !attribute.value().contains('|') {
            continue;
        }
        let (parsed, _) = template::parse(attribute.value());
        for insert in parsed
            .inserts()
            .filter(|insert| insert.filter == Filter::Raw)
        {
            let Some(range) = attribute.range_of(ctx.text, insert.range.clone()) else {
                continue;
            };
            let message = format!(
                "`{}` is interpolated unquoted (command injection)",
                insert.key
            );
            let mut diagnostic = sink.diagnostic(&LINT, range, message).node(&*node.id);
            let after = attribute.range_of(ctx.text, insert.key_range.end..insert.range.end);
            if let Some(after) = after.filter(|_| !begins_command(attribute.value(), &insert.range))
            {
                diagnostic.fixes.push(attractor_dot::graph_edits::fix(
                    "Quote the value",
                    attractor_dot::Edit::replace(after, "}"),
                ));
            }
            sink.push(diagnostic);
        }
    }
}

/// Values that are quoted for the shell, but become the program of another interpreter.
fn into_input_of_interpreters(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    for (node, attribute) in commands(ctx) {
        let text = attribute.value();
        // Nearly no command names an interpreter, and only values matter.
        if !text.contains(['|', '=', '<', '>', ';', '&', '\n']) || !text.contains(['{', '$']) {
            continue;
        }
        let (parsed, _) = template::parse(text);
        let inserts: Vec<_> = parsed
            .inserts()
            .filter(|insert| insert.filter != Filter::Raw)
            .collect();
        let offsets: Vec<usize> = inserts.iter().map(|insert| insert.range.start).collect();
        for (insert, indirect) in inserts.iter().zip(shell::indirect(text, &offsets)) {
            let Some(indirect) = indirect else { continue };
            // `$y` is a variable of the shell where no key of that name is set.
            let is_key = ctx
                .pipeline
                .by_id(&node.id)
                .is_some_and(|at| ctx.keys().may_be_set(ctx.pipeline, at, &insert.key));
            if !is_key {
                continue;
            }
            let Some(range) = attribute.range_of(ctx.text, insert.range.clone()) else {
                continue;
            };
            // What an interpreter reads as its program it runs, whatever the value is.
            let is_program = matches!(
                indirect,
                Indirect::HereDocument(_)
                    | Indirect::Pipe(_)
                    | Indirect::Script {
                        is_verbatim: true,
                        ..
                    }
            );
            let way = match indirect {
                Indirect::HereDocument(program) => {
                    format!("is part of the here-document that `{program}` runs")
                }
                Indirect::Pipe(program) => format!("is piped to `{program}`, which runs it"),
                Indirect::Variable(name, program) => {
                    format!("is stored in `{name}`, which `{program}` evaluates")
                }
                Indirect::Arithmetic(name) => {
                    format!("is stored in `{name}`, which bash evaluates in arithmetic")
                }
                Indirect::Script { file, program, .. } => {
                    format!("is written to `{file}`, which `{program}` runs")
                }
                Indirect::Recipes(program) => {
                    format!("is a variable of `{program}`, which expands it in its recipes")
                }
            };
            let message = format!(
                "`{}` {way} as code; pass it as an argument or in the environment",
                insert.key
            );
            let mut diagnostic = sink.diagnostic(&LINT, range, message).node(&*node.id);
            if is_program {
                diagnostic.severity = sink.severity_or(&LINT, Severity::Error);
            }
            sink.push(diagnostic);
        }
    }
}

/// Whether a value is the command itself: quoted it would be one word, and no program has that name.
fn begins_command(command: &str, value: &std::ops::Range<usize>) -> bool {
    let before = command.get(..value.start).unwrap_or_default();
    let before = before.trim_end_matches([' ', '\t']);
    before.is_empty() || before.ends_with(['\n', ';', '&', '|', '(', '{', '!'])
}

#[cfg(test)]
mod tests {
    use crate::testing::check;
    use expect_test::expect;

    #[test]
    fn raw() {
        check(
            "raw_interpolation",
            r#"digraph {
    start -> a
    a [shape=parallelogram, command="make {target|raw} {other}"]
}"#,
            expect![[r#"
                a [shape=parallelogram, command="make {target|raw} {other}"]
                                                      ^^^^^^^^^^^^ warning: `target` is interpolated unquoted (command injection)
                  fix: Quote the value
                    + a [shape=parallelogram, command="make {target} {other}"]
            "#]],
        );
    }

    #[test]
    fn into_arithmetic_and_recipes() {
        check(
            "raw_interpolation",
            r#"digraph {
    vars="x"
    start -> a -> b -> c -> d
    a [shape=parallelogram, command="bash <<< {x}"]
    b [shape=parallelogram, command="n={x}; echo $((n+1))"]
    c [shape=parallelogram, command="make X=\"{x}\""]
    d [shape=parallelogram, command="
        bash <<-END
            echo {x}
        END
    "]
}"#,
            expect![[r#"
                a [shape=parallelogram, command="bash <<< {x}"]
                                                          ^^^ error: `x` is part of the here-document that `bash` runs as code; pass it as an argument or in the environment
                b [shape=parallelogram, command="n={x}; echo $((n+1))"]
                                                   ^^^ warning: `x` is stored in `n`, which bash evaluates in arithmetic as code; pass it as an argument or in the environment
                c [shape=parallelogram, command="make X=\"{x}\""]
                                                          ^^^ warning: `x` is a variable of `make`, which expands it in its recipes as code; pass it as an argument or in the environment
                echo {x}
                     ^^^ error: `x` is part of the here-document that `bash` runs as code; pass it as an argument or in the environment
            "#]],
        );
    }

    #[test]
    fn into_files_that_are_run_and_into_xargs() {
        check(
            "raw_interpolation",
            r#"digraph {
    vars="x"
    start -> a -> b -> c -> d -> e
    a [shape=parallelogram, command="echo {x} | xargs -I% sh -c 'echo %'"]
    b [shape=parallelogram, command="echo {x} > s.sh; sh s.sh"]
    c [shape=parallelogram, command="jq --arg x {x} . > s.py; python3 s.py"]
    d [shape=parallelogram, command="set -- {x}; echo $(( $1 ))"]
    e [shape=parallelogram, command="echo {x} > out.txt; sh s.sh; echo {x} | xargs ls"]
}"#,
            expect![[r#"
                a [shape=parallelogram, command="echo {x} | xargs -I% sh -c 'echo %'"]
                                                      ^^^ error: `x` is piped to `sh`, which runs it as code; pass it as an argument or in the environment
                b [shape=parallelogram, command="echo {x} > s.sh; sh s.sh"]
                                                      ^^^ error: `x` is written to `s.sh`, which `sh` runs as code; pass it as an argument or in the environment
                c [shape=parallelogram, command="jq --arg x {x} . > s.py; python3 s.py"]
                                                            ^^^ warning: `x` is written to `s.py`, which `python` runs as code; pass it as an argument or in the environment
                d [shape=parallelogram, command="set -- {x}; echo $(( $1 ))"]
                                                        ^^^ warning: `x` is stored in `$1`, which bash evaluates in arithmetic as code; pass it as an argument or in the environment
            "#]],
        );
    }

    #[test]
    fn into_interpreters() {
        check(
            "raw_interpolation",
            r#"digraph {
    vars="x"
    start -> a -> b -> c -> d
    a [shape=parallelogram, command="sh <<EOF
echo {x}
EOF"]
    b [shape=parallelogram, command="echo {x} | sh"]
    c [shape=parallelogram, command="y='{x}'; eval \"echo $y\""]
    d [shape=parallelogram, command="echo {x} | grep x"]
}"#,
            expect![[r#"
                echo {x}
                     ^^^ error: `x` is part of the here-document that `sh` runs as code; pass it as an argument or in the environment
                b [shape=parallelogram, command="echo {x} | sh"]
                                                      ^^^ error: `x` is piped to `sh`, which runs it as code; pass it as an argument or in the environment
                c [shape=parallelogram, command="y='{x}'; eval \"echo $y\""]
                                                    ^^^ warning: `x` is stored in `y`, which `eval` evaluates as code; pass it as an argument or in the environment
            "#]],
        );
    }

    #[test]
    fn what_a_run_rejects_is_reported_once() {
        let text = r#"digraph {
    vars="name"
    start -> a
    a [shape=parallelogram, command="bash <<'EOF'
echo {name}
EOF"]
}"#;
        check("raw_interpolation", text, expect![[""]]);
        let found = crate::Analysis::of_text(text).diagnostics;
        let of_place = found.iter().filter(|one| one.range.text(text) == "{name}");
        let rules: Vec<_> = of_place.map(|one| one.rule).collect();
        assert_eq!(rules, ["unsafe_interpolation"]);
    }
}
