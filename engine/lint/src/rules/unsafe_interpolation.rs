//! `unsafe_interpolation`: values where a run refuses to put them, because they would be code there.

use rustc_hash::FxHashSet;

use crate::commands::is_python;
use crate::{Check, DiagnosticSink, Extent, Lint, LintContext};
use attractor_lang::referred_file;
use attractor_lang::template::{self, Insert, RenderError};
use attractor_model::Attribute;
use attractor_model::Level;
use attractor_model::Severity;
use attractor_model::catalogue::{CONTEXT_KEYS, NodeKind};
use attractor_model::sub_pipeline;
use attractor_model::{Node, NodeIx};

pub(crate) const LINT: Lint = Lint {
    rule: "unsafe_interpolation",
    level: Level::Error,
    extent: Extent::Statement,
    fixable: false,
    summary: "Interpolation that a run rejects as unsafe.",
    doc: "In a shell command a value is passed as an environment variable and stays a value. That is \
impossible in the code of another program (`sh -c \"… {key}\"`, `eval`, `python3 -c`, Python text with \
`language=python`) and in a here-document with a quoted delimiter. A run rejects such a command unless the value is \
a plain word or an integer. Pass the value as an argument (`sh -c '… \"$1\"' sh {key}`), with `env.NAME` or with \
`stdin`.",
    example: "run [shape=parallelogram, command=\"sh -c 'echo {goal}'\"]",
    check: Check::Pipeline(check),
};

/// Attributes that hold commands; `command` may be Python.
const NAMES: [&str; 5] = [
    "command",
    "pre_hook",
    "post_hook",
    "tool_hooks.pre",
    "tool_hooks.post",
];

/// Languages whose programs often take a number or a word from a value, which is safe.
const LENIENT: [&str; 4] = ["awk", "gawk", "mawk", "sed"];

fn check(ctx: &LintContext<'_>, sink: &mut DiagnosticSink<'_>) {
    let mut seen = FxHashSet::default();
    for (at, node) in ctx.nodes_with_any(NAMES) {
        if !matches!(node.kind, NodeKind::Tool | NodeKind::Start | NodeKind::Exit) {
            continue;
        }
        for attribute in NAMES.iter().filter_map(|name| node.attributes.get(name)) {
            // Nearly no command takes a value; those without are not parsed.
            let value = attribute.value();
            let file =
                referred_file(value).and_then(|path| sub_pipeline::read_file(path, ctx.files));
            let text = file.as_deref().unwrap_or(value);
            if !text.contains(['{', '$']) {
                continue;
            }
            let command = Command {
                node,
                at,
                attribute,
                text,
                is_file: file.is_some(),
            };
            look(ctx, sink, &command, &mut seen);
        }
    }
}

/// A command of a node.
struct Command<'s> {
    node: &'s Node,
    at: NodeIx,
    attribute: Attribute<'s>,
    /// Its text, that of the file when it is `@path`.
    text: &'s str,
    is_file: bool,
}

fn look(
    ctx: &LintContext<'_>,
    sink: &mut DiagnosticSink<'_>,
    command: &Command<'_>,
    seen: &mut FxHashSet<attractor_dot::TextRange>,
) {
    let (parsed, _) = template::parse(command.text);
    let python = command.attribute.name() == "command" && is_python(command.node);
    let found: Vec<(&Insert, String, bool)> = if python {
        let message = |insert: &Insert| {
            format!(
                "`{}` cannot be interpolated into Python code; pass it with `env.NAME` and read os.environ",
                insert.key
            )
        };
        parsed
            .inserts()
            .map(|insert| (insert, message(insert), false))
            .collect()
    } else {
        template::refusals(&parsed)
            .into_iter()
            .filter(|(insert, _)| !is_number(&insert.key))
            .filter_map(|(insert, error)| Some((insert, message(&error), is_lenient(&error)?)))
            .collect()
    };
    for (insert, message, lenient) in found {
        let keys = ctx.keys();
        if !keys.may_be_set(ctx.pipeline, command.at, &insert.key) {
            continue;
        }
        let range = if command.is_file {
            command.attribute.value_range()
        } else {
            command.attribute.range_of(ctx.text, insert.range.clone())
        };
        let Some(range) = range.filter(|range| seen.insert(*range)) else {
            continue;
        };
        let mut diagnostic = sink
            .diagnostic(&LINT, range, message)
            .node(&*command.node.id);
        if lenient {
            diagnostic.severity = sink.severity_or(&LINT, Severity::Warning);
        }
        sink.push(diagnostic);
    }
}

fn message(error: &RenderError) -> String {
    match error {
        RenderError::Arithmetic { written, .. } => format!(
            "`{written}` is evaluated as arithmetic, where text can run commands; a run rejects all but integers"
        ),
        error => error.to_string(),
    }
}

/// Whether most values are no danger; `None` where a value is mostly the number it has to be.
fn is_lenient(error: &RenderError) -> Option<bool> {
    match error {
        RenderError::Code { program, .. } => Some(LENIENT.contains(program)),
        RenderError::Verbatim { .. } | RenderError::Variable { .. } => Some(false),
        RenderError::Arithmetic { .. } => Some(true),
        _ => None,
    }
}

/// Whether the engine sets the key to a number or a truth value.
fn is_number(key: &str) -> bool {
    let mut rows = CONTEXT_KEYS.iter();
    let row = rows.find(|row| row.name == key);
    row.is_some_and(|row| matches!(row.ty, "integer" | "number" | "boolean"))
}

#[cfg(test)]
mod tests {
    use crate::testing::{check, check_with};
    use attractor_model::{CustomHandler, NoFiles, Options};
    use expect_test::expect;

    #[test]
    fn values_that_would_be_code() {
        check(
            "unsafe_interpolation",
            r#"digraph {
    vars="name"
    start -> a -> b -> c -> d -> e -> f
    a [shape=parallelogram, language=python, command="print(f'{x}', {1, 2}, '{name}')"]
    b [shape=parallelogram, command="sh -c 'echo {name}'; echo {name} '{name}'"]
    c [shape=parallelogram, command="eval \"echo $name\"", pre_hook="bash -c {name}"]
    d [shape=parallelogram, command="cat <<'EOF'
{name} {exit_code}
EOF"]
    e [shape=parallelogram, command="sed 's/{name}/x/'; sh -c 'echo \"$1\"' sh {name}"]
    f [shape=parallelogram, command="sh -c 'exit {exit_code}; for x in 1; do echo $x; done'"]
}"#,
            expect![[r#"
                a [shape=parallelogram, language=python, command="print(f'{x}', {1, 2}, '{name}')"]
                                                                                         ^^^^^^ error: `name` cannot be interpolated into Python code; pass it with `env.NAME` and read os.environ
                b [shape=parallelogram, command="sh -c 'echo {name}'; echo {name} '{name}'"]
                                                             ^^^^^^ error: `{name}` is interpolated into code for `sh`, which could run its value; pass it as an argument (`sh -c '… "$1"' sh {name}`) or with the attribute `env.NAME`
                c [shape=parallelogram, command="eval \"echo $name\"", pre_hook="bash -c {name}"]
                                                             ^^^^^ error: `$name` is interpolated into code for `eval`, which could run its value; pass it as an argument (`sh -c '… "$1"' sh $name`) or with the attribute `env.NAME`
                c [shape=parallelogram, command="eval \"echo $name\"", pre_hook="bash -c {name}"]
                                                                                         ^^^^^^ error: `{name}` is interpolated into code for `bash`, which could run its value; pass it as an argument (`sh -c '… "$1"' sh {name}`) or with the attribute `env.NAME`
                {name} {exit_code}
                ^^^^^^ error: `{name}` is in a here-document with a quoted delimiter, where its value could end the document; unquote the delimiter, or pass the value with the attribute `stdin`
                e [shape=parallelogram, command="sed 's/{name}/x/'; sh -c 'echo \"$1\"' sh {name}"]
                                                        ^^^^^^ warning: `{name}` is interpolated into code for `sed`, which could run its value; pass it as an argument (`sh -c '… "$1"' sh {name}`) or with the attribute `env.NAME`
            "#]],
        );
    }

    #[test]
    fn builtins_of_bash_evaluate_too() {
        check(
            "unsafe_interpolation",
            r#"digraph {
    vars="name"
    start -> a -> b -> c -> d
    a [shape=parallelogram, shell=bash, command="[[ {name} -eq 1 ]] && ((x > {name})); [[ {exit_code} -eq 1 ]]"]
    b [shape=parallelogram, shell=bash, command="read -r {name}; printf -v \"{name}\" x; test -v {name}; let n={name}"]
    c [shape=parallelogram, command="trap \"{name}\" EXIT; watch \"{name}\""]
    d [shape=parallelogram, command="awk '{print}' \"$name\"; sed -n '1p' {name}; [ \"{name}\" = x ]"]
}"#,
            expect![[r#"
                a [shape=parallelogram, shell=bash, command="[[ {name} -eq 1 ]] && ((x > {name})); [[ {exit_code} -eq 1 ]]"]
                                                                ^^^^^^ warning: `{name}` is evaluated as arithmetic, where text can run commands; a run rejects all but integers
                a [shape=parallelogram, shell=bash, command="[[ {name} -eq 1 ]] && ((x > {name})); [[ {exit_code} -eq 1 ]]"]
                                                                                         ^^^^^^ warning: `{name}` is evaluated as arithmetic, where text can run commands; a run rejects all but integers
                b [shape=parallelogram, shell=bash, command="read -r {name}; printf -v \"{name}\" x; test -v {name}; let n={name}"]
                                                                     ^^^^^^ error: `{name}` is the name of a variable for `read`, which could run a subscript in its value; use a fixed name
                b [shape=parallelogram, shell=bash, command="read -r {name}; printf -v \"{name}\" x; test -v {name}; let n={name}"]
                                                                                         ^^^^^^ error: `{name}` is the name of a variable for `printf`, which could run a subscript in its value; use a fixed name
                b [shape=parallelogram, shell=bash, command="read -r {name}; printf -v \"{name}\" x; test -v {name}; let n={name}"]
                                                                                                             ^^^^^^ error: `{name}` is the name of a variable for `test`, which could run a subscript in its value; use a fixed name
                b [shape=parallelogram, shell=bash, command="read -r {name}; printf -v \"{name}\" x; test -v {name}; let n={name}"]
                                                                                                                           ^^^^^^ warning: `{name}` is evaluated as arithmetic, where text can run commands; a run rejects all but integers
                c [shape=parallelogram, command="trap \"{name}\" EXIT; watch \"{name}\""]
                                                        ^^^^^^ error: `{name}` is interpolated into code for `trap`, which could run its value; pass it as an argument (`sh -c '… "$1"' sh {name}`) or with the attribute `env.NAME`
                c [shape=parallelogram, command="trap \"{name}\" EXIT; watch \"{name}\""]
                                                                               ^^^^^^ error: `{name}` is interpolated into code for `watch`, which could run its value; pass it as an argument (`sh -c '… "$1"' sh {name}`) or with the attribute `env.NAME`
            "#]],
        );
    }

    #[test]
    fn subscripts_and_integers_are_arithmetic() {
        check(
            "unsafe_interpolation",
            r#"digraph {
    vars="x"
    start -> a -> b -> c
    a [shape=parallelogram, shell=bash, command="echo ${a[{x}]}; a[{x}]=1; [[ -v a[{x}] ]]"]
    b [shape=parallelogram, shell=bash, command="f() { local -i n={x}; }; f"]
    c [shape=parallelogram, shell=bash, command="declare -A a; echo ${a[{x}]}"]
}"#,
            expect![[r#"
                a [shape=parallelogram, shell=bash, command="echo ${a[{x}]}; a[{x}]=1; [[ -v a[{x}] ]]"]
                                                                      ^^^ warning: `{x}` is evaluated as arithmetic, where text can run commands; a run rejects all but integers
                a [shape=parallelogram, shell=bash, command="echo ${a[{x}]}; a[{x}]=1; [[ -v a[{x}] ]]"]
                                                                               ^^^ warning: `{x}` is evaluated as arithmetic, where text can run commands; a run rejects all but integers
                a [shape=parallelogram, shell=bash, command="echo ${a[{x}]}; a[{x}]=1; [[ -v a[{x}] ]]"]
                                                                                               ^^^ error: `{x}` is the name of a variable for `[[`, which could run a subscript in its value; use a fixed name
                b [shape=parallelogram, shell=bash, command="f() { local -i n={x}; }; f"]
                                                                              ^^^ warning: `{x}` is evaluated as arithmetic, where text can run commands; a run rejects all but integers
            "#]],
        );
    }

    #[test]
    fn inputs_of_a_run_are_values_too() {
        let text = r#"digraph {
    start -> a
    a [shape=parallelogram, command="sh -c 'echo {topic}'"]
}"#;
        check("unsafe_interpolation", text, expect![[""]]);
        let options = Options {
            inputs: vec!["topic".to_owned()],
            ..Options::default()
        };
        check_with(
            "unsafe_interpolation",
            text,
            &options,
            &NoFiles,
            expect![[r#"
                a [shape=parallelogram, command="sh -c 'echo {topic}'"]
                                                             ^^^^^^^ error: `{topic}` is interpolated into code for `sh`, which could run its value; pass it as an argument (`sh -c '… "$1"' sh {topic}`) or with the attribute `env.NAME`
            "#]],
        );
    }

    #[test]
    fn keys_of_configured_handlers_are_values_too() {
        let options = Options {
            custom_handlers: vec![CustomHandler {
                name: "deploy".to_owned(),
                sets: vec!["deploy.url".to_owned()],
                ..CustomHandler::default()
            }],
            ..Options::default()
        };
        check_with(
            "unsafe_interpolation",
            r#"digraph {
    start -> early -> roll_out -> notify
    early [shape=parallelogram, command="sh -c 'echo {deploy.url}'"]
    roll_out [handler=deploy]
    notify [shape=parallelogram, command="sh -c 'echo {deploy.url} {deploy.other}'"]
}"#,
            &options,
            &NoFiles,
            expect![[r#"
                notify [shape=parallelogram, command="sh -c 'echo {deploy.url} {deploy.other}'"]
                                                                  ^^^^^^^^^^^^ error: `{deploy.url}` is interpolated into code for `sh`, which could run its value; pass it as an argument (`sh -c '… "$1"' sh {deploy.url}`) or with the attribute `env.NAME`
            "#]],
        );
    }
}
