//! What a person reads when something is wrong. `~~~` marks related places, `fix:` what is offered.

use attractor_dot::{TextRange, parse};
use expect_test::{Expect, expect};

#[track_caller]
pub(crate) fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&drawn(text));
}

/// The lines of `text` that messages report, with the messages drawn below them.
fn drawn(text: &str) -> String {
    let errors = parse(text).errors;
    let mut out = String::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let here = TextRange::new(start, start + line.trim_end().len());
        let at_end = start + line.len() == text.len();
        let on_line = |range: TextRange| {
            here.contains_inclusive(range.start()) || at_end && range.start() >= text.len()
        };
        let mark = |range: TextRange, mark: &str, message: &str| {
            let column = text[start..range.start().clamp(start, here.end())]
                .chars()
                .count();
            let length = range
                .text(text)
                .lines()
                .next()
                .unwrap_or_default()
                .chars()
                .count()
                .max(1);
            format!("{}{} {message}\n", " ".repeat(column), mark.repeat(length))
        };
        let mut below = String::new();
        for error in &errors {
            if on_line(error.range) {
                below += &mark(
                    error.range,
                    "^",
                    &format!("{}: {}", error.code, error.message),
                );
                for fix in &error.fixes {
                    below += "fix: ";
                    below += &fix.title;
                    below += "\n";
                }
            }
            for related in error
                .related
                .iter()
                .filter(|related| on_line(related.range))
            {
                below += &mark(related.range, "~", &related.message);
            }
        }
        if !below.is_empty() {
            out += line.trim_end();
            out.push('\n');
            out += &below;
        }
        start += line.len();
    }
    out
}

#[test]
fn messages_about_edges() {
    check(
        "digraph { a -- b; b -> c }",
        &expect![[r#"
            digraph { a -- b; b -> c }
                        ^^ wrong-edge-operator: `--` in a digraph; did you mean `->`?
            fix: Replace with `->`
            ~~~~~~~ edges of a `digraph` are written `->`
        "#]],
    );
    check(
        "digraph {\n a -- b\n b -- c\n}",
        &expect![[r#"
            digraph {
            ^^^^^^^ wrong-edge-operator: this is a `digraph`, but its edges are written `--`; did you mean `graph`?
            fix: Replace with `graph`
             a -- b
               ~~ the first such edge
        "#]],
    );
    check(
        "graph { a -> b }",
        &expect![[r#"
            graph { a -> b }
                      ^^ wrong-edge-operator: `->` in a graph; did you mean `--`?
            fix: Replace with `--`
            ~~~~~ edges of a `graph` are written `--`
        "#]],
    );
    check(
        "digraph { a - b }",
        &expect![[r#"
            digraph { a - b }
                        ^ wrong-edge-operator: invalid edge operator `-`; did you mean `->`?
            fix: Replace with `->`
        "#]],
    );
    check(
        "digraph { a => b }",
        &expect![[r#"
            digraph { a => b }
                        ^^ wrong-edge-operator: invalid edge operator `=>`; did you mean `->`?
            fix: Replace with `->`
        "#]],
    );
    check(
        "digraph { a --> b }",
        &expect![[r#"
            digraph { a --> b }
                        ^^^ wrong-edge-operator: invalid edge operator `-->`; did you mean `->`?
            fix: Replace with `->`
        "#]],
    );
    check(
        "digraph { a -> -> b }",
        &expect![[r#"
            digraph { a -> -> b }
                           ^^ wrong-edge-operator: expected a node between `->` and `->`
            fix: Delete it
        "#]],
    );
    check(
        "digraph { a -> ; b }",
        &expect![[r#"
            digraph { a -> ; b }
                        ^^ missing-edge-end: expected a node after `->`
        "#]],
    );
    check(
        "digraph { start -> a -> [label=x]; a -> b }",
        &expect![[r#"
            digraph { start -> a -> [label=x]; a -> b }
                                 ^^ missing-edge-end: expected a node between `->` and the attribute list
            fix: Delete `->`
        "#]],
    );
    check(
        "digraph { -> b }",
        &expect![[r#"
            digraph { -> b }
                      ^^ missing-edge-end: expected a node before `->`
        "#]],
    );
    check(
        "digraph { a:b:c:d -> e: }",
        &expect![[r#"
            digraph { a:b:c:d -> e: }
                           ^ unexpected: a port has at most two parts, `node:port:compass`; quote names that contain `:`
                                  ^ unexpected: expected the name of a port or a compass point after `:`
            fix: Delete `:`
        "#]],
    );
}

#[test]
fn messages_about_lists() {
    check(
        "digraph {\n  a [label=x\n  b [label=y]\n}",
        &expect![[r#"
              a [label=x
                ^ unclosed-bracket: unclosed `[`
            fix: Insert `]`
                        ~ expected `]` here
        "#]],
    );
    check(
        "digraph {\n  a [label=x]]\n  b\n}",
        &expect![[r#"
              a [label=x]]
                         ^ stray-closer: unmatched `]`
            fix: Delete it
        "#]],
    );
    check(
        "digraph { a label=x, shape=box] }",
        &expect![[r#"
            digraph { a label=x, shape=box] }
                                          ^ stray-closer: unmatched `]`
            fix: Insert `[`
                        ~ expected `[` here
        "#]],
    );
    check(
        "digraph { a [label=two words] }",
        &expect![[r#"
            digraph { a [label=two words] }
                                   ^^^^^ needs-quotes: unexpected `words`; quote values that contain spaces
            fix: Quote as `"two words"`
        "#]],
    );
    check(
        "digraph { a [label=] }",
        &expect![[r#"
            digraph { a [label=] }
                         ^^^^^^ missing-value: `label` has no value
            fix: Set it to `""`
        "#]],
    );
    check(
        "digraph { a [label] }",
        &expect![[r#"
            digraph { a [label] }
                         ^^^^^ missing-value: `label` has no value; expected `name=value`
            fix: Set it to `true`
        "#]],
    );
    check(
        "digraph { a [=x] }",
        &expect![[r#"
            digraph { a [=x] }
                         ^ missing-key: expected a name before `=`
        "#]],
    );
    check(
        "digraph { a [label: x] }",
        &expect![[r#"
            digraph { a [label: x] }
                              ^ unexpected: unexpected `:` between a name and its value; did you mean `=`?
            fix: Replace with `=`
        "#]],
    );
    check(
        "digraph { a [label==x] }",
        &expect![[r#"
            digraph { a [label==x] }
                               ^ unexpected: unexpected second `=`
            fix: Delete it
        "#]],
    );
    check(
        "digraph { a [x=1,,y=2] }",
        &expect![[r#"
            digraph { a [x=1,,y=2] }
                             ^ stray-separator: unexpected `,`: there is nothing to separate
            fix: Delete it
        "#]],
    );
    check(
        "digraph { a [label=“two words”] }",
        &expect![[r#"
            digraph { a [label=“two words”] }
                               ^ needs-quotes: curly quotes do not delimit strings, Graphviz reads them as letters; use `"`
            fix: Replace with straight quotes
        "#]],
    );
    check(
        "digraph { [label=x] }",
        &expect![[r#"
            digraph { [label=x] }
                      ^ unexpected: expected a node, edge or `node`/`edge`/`graph` before `[`
        "#]],
    );
    check(
        "digraph { a [x=1 -> y=2] }",
        &expect![[r#"
        digraph { a [x=1 -> y=2] }
                         ^^ unexpected: expected `key=value` or `]`, found `->`
    "#]],
    );
    check(
        "digraph { a [label=\"x\" + y] }",
        &expect![[r#"
            digraph { a [label="x" + y] }
                                   ^ unexpected: `+` can only join two quoted strings
        "#]],
    );
    check(
        "graph { x=1 [y=2] }",
        &expect![[r#"
            graph { x=1 [y=2] }
                        ^ unexpected: expected a node, edge or `node`/`edge`/`graph` before `[`
        "#]],
    );
}

#[test]
fn messages_about_names() {
    check(
        "digraph { a -> node }",
        &expect![[r#"
            digraph { a -> node }
                           ^^^^ keyword-as-id: `node` is a keyword; quote it to use it as a name or value
            fix: Quote as `"node"`
        "#]],
    );
    check(
        "digraph { build-app -> b }",
        &expect![[r#"
            digraph { build-app -> b }
                      ^^^^^^^^^ needs-quotes: `build-app` must be quoted; unquoted names consist of letters, digits and `_`
            fix: Quote as `"build-app"`
        "#]],
    );
    check(
        "digraph { build.app -> b }",
        &expect![[r#"
            digraph { build.app -> b }
                      ^^^^^^^^^ needs-quotes: `build.app` must be quoted; unquoted names consist of letters, digits and `_`
            fix: Quote as `"build.app"`
        "#]],
    );
    check(
        "digraph { a [label=graph] }",
        &expect![[r#"
            digraph { a [label=graph] }
                               ^^^^^ keyword-as-id: `graph` is a keyword; quote it to use it as a name or value
            fix: Quote as `"graph"`
        "#]],
    );
    check(
        "digraph { node }",
        &expect![[r#"
            digraph { node }
                      ^^^^ incomplete: `node` is a keyword and needs a list, `node [..]`; quote it to use it as a name
            fix: Quote as `"node"`
        "#]],
    );
}

#[test]
fn messages_about_strings() {
    check(
        "digraph {\n  a [label=\"x, shape=box]\n  b [label=\"y\"]\n}",
        &expect![[r#"
              a [label="x, shape=box]
                       ^ unclosed-string: unclosed string
            fix: Insert `"`
        "#]],
    );
    check(
        "digraph {\n  a [label=x y\", shape=box]\n  b [label=\"y\"]\n}",
        &expect![[r#"
              a [label=x y", shape=box]
                       ^ unclosed-string: unclosed string
            fix: Insert `"`
        "#]],
    );
    check(
        "digraph {\n  a [label=<b>x</b]\n  b\n}",
        &expect![[r#"
              a [label=<b>x</b]
                       ^ unclosed-html: unclosed HTML string: every `<` in it needs a `>`
            fix: Insert `>`
        "#]],
    );
    check(
        "digraph {\n  /* a\n  b -> c\n}",
        &expect![[r#"
              /* a
              ^^ unclosed-comment: unclosed comment
            fix: Insert `*/`
        "#]],
    );
}

#[test]
fn messages_about_quotes_inside_a_value() {
    let drawn: String = [
        r#"digraph { a [label="say "hello" to", prompt="x"] }"#,
        r#"digraph { a [label="say" now", prompt="x"] }"#,
        r#"digraph { a [prompt="{\\"ok\\": [1, \\"b\\"]}", label="y"] }"#,
        r#"digraph { a [prompt="set x="1" and go", shape=box] }"#,
        r#"digraph { a [label="x, prompt="set", shape=box] }"#,
        "digraph {\n goal=\"say \"hi\" to her\"\n a [label=\"not \"so\" now\"]\n}",
        "digraph {\n a [prompt=\"say {\"ok\": [\"b\"]} and\nstop\"]\n b [prompt=\"not \"so\"\"]\n}",
    ]
    .into_iter()
    .map(drawn)
    .collect();
    expect![[r#"
        digraph { a [label="say "hello" to", prompt="x"] }
                                ^ bare-quote: unescaped `"` ends the string here; write `\"`
        fix: Escape the inner quotes
                           ~ the string starts here
        digraph { a [label="say" now", prompt="x"] }
                               ^ bare-quote: unescaped `"` ends the string here; write `\"`
        fix: Escape the quote
                           ~ the string starts here
        digraph { a [prompt="{\\"ok\\": [1, \\"b\\"]}", label="y"] }
                              ^^^ bare-quote: `\\"` is a backslash and the end of the string; to escape a quote, write `\"`
        fix: Escape the inner quotes
                            ~ the string starts here
        digraph { a [prompt="set x="1" and go", shape=box] }
                                   ^ bare-quote: unescaped `"` ends the string here; write `\"`
        fix: Escape the inner quotes
                            ~ the string starts here
        digraph { a [label="x, prompt="set", shape=box] }
                                          ^ unclosed-string: unclosed string
        fix: Insert the missing brackets
                                                         ~ the file ends here
                ~ also unclosed
         goal="say "hi" to her"
                   ^ bare-quote: unescaped `"` ends the string here; write `\"`
        fix: Escape the inner quotes
              ~ the string starts here
         a [label="not "so" now"]
                       ^ bare-quote: unescaped `"` ends the string here; write `\"`
        fix: Escape the inner quotes
                  ~ the string starts here
         a [prompt="say {"ok": ["b"]} and
                         ^ bare-quote: unescaped `"` ends the string here; write `\"`
        fix: Escape the inner quotes
                   ~ the string starts here
         b [prompt="not "so""]
                        ^ bare-quote: unescaped `"` ends the string here; write `\"`
        fix: Escape the inner quotes
                   ~ the string starts here
    "#]].assert_eq(&drawn);
}

/// The fix produces the intended text.
#[test]
fn escaping_quotes_repairs_the_text() {
    let text = r#"digraph { a [label="use "a", "b" or \\"c\\"", prompt="x"] }"#;
    let [error] = &parse(text).errors[..] else {
        panic!("one message, not {:?}", parse(text).errors)
    };
    let fixed = attractor_dot::apply(text, &error.fixes[0].edits);
    expect![[r#"digraph { a [label="use \"a\", \"b\" or \"c\"", prompt="x"] }"#]].assert_eq(&fixed);
    assert_eq!(parse(&fixed).errors, []);
}

#[test]
fn messages_about_missing_values() {
    check(
        "digraph { rankdir=-- LR; a -> b }",
        &expect![[r#"
        digraph { rankdir=-- LR; a -> b }
                          ^^ unexpected: expected a value, found `--`
    "#]],
    );
    check(
        "digraph { a [shape=} box, color=red] }",
        &expect![[r#"
        digraph { a [shape=} box, color=red] }
                           ^ unexpected: expected a value, found `}`
    "#]],
    );
    check(
        "digraph { a [x=y, human} .default=b, z=c] }",
        &expect![[r#"
            digraph { a [x=y, human} .default=b, z=c] }
                              ^^^^^ missing-value: `human` has no value; expected `name=value`
            fix: Set it to `true`
        "#]],
    );
    check(
        "digraph [ name { a }",
        &expect![[r#"
            digraph [ name { a }
                    ^ unexpected: unexpected `[` between the keyword and the name of the graph
            fix: Delete it
        "#]],
    );
    check(
        "digraph { } graph [a=b] c -> d }",
        &expect![[r#"
            digraph { } graph [a=b] c -> d }
                      ^ stray-closer: unmatched `}`
            fix: Delete it
        "#]],
    );
    check(
        "digraph { a }}}}}",
        &expect![[r#"
            digraph { a }}}}}
                        ^^^^ stray-closer: unmatched `}`
            fix: Delete it
        "#]],
    );
}

#[test]
fn messages_about_braces() {
    check(
        "digraph {\n  subgraph x {\n    a\n  b -> c\n}\n",
        &expect![[r#"
              subgraph x {
                         ^ unclosed-brace: unclosed `{`
            fix: Insert `}`
              b -> c
              ~ expected `}` before this
        "#]],
    );
    check(
        "digraph {\n  a -> b\n",
        &expect![[r#"
            digraph {
                    ~ unclosed `{`
              a -> b
                   ^ unclosed-brace: unexpected end of file: unclosed `{`
            fix: Insert `}`
        "#]],
    );
    check(
        "digraph {\n  a -> b\n  }\n  c -> d\n}\n",
        &expect![[r#"
              }
              ^ stray-closer: unmatched `}`
            fix: Delete it
        "#]],
    );
    check(
        "digraph G\n  a -> b\n}\n",
        &expect![[r#"
            digraph G
                    ^ unclosed-brace: expected `{` after `G`
            fix: Insert `{`
        "#]],
    );
    check(
        "digraph {\n  subgraph x\n    a\n  }\n}\n",
        &expect![[r#"
              subgraph x
                       ^ unclosed-brace: expected `{` after `x`
            fix: Insert `{`
        "#]],
    );
    check(
        "digraph { digraph x { a } }",
        &expect![[r#"
            digraph { digraph x { a } }
                      ^^^^^^^ unexpected: unexpected `digraph` inside a graph; did you mean `subgraph`?
            fix: Replace with `subgraph`
        "#]],
    );
    check(
        "digraph {\n  a [label=\"x",
        &expect![[r#"
            digraph {
                    ~ also unclosed
              a [label="x
                       ^ unclosed-string: unclosed string
            fix: Insert the missing brackets
                         ~ the file ends here
        "#]],
    );
    check(
        "digraph { a; ; b }",
        &expect![[r#"
            digraph { a; ; b }
                         ^ stray-separator: unexpected `;`: there is nothing to separate
            fix: Delete it
        "#]],
    );
}

#[test]
fn messages_about_graphs() {
    check(
        "digrap G { a -> b }",
        &expect![[r#"
            digrap G { a -> b }
            ^^^^^^ outside-graph: expected `digraph` or `graph`, found `digrap`
            fix: Replace with `digraph`
        "#]],
    );
    check(
        "a -> b",
        &expect![[r#"
            a -> b
            ^ outside-graph: `a` is outside any graph
        "#]],
    );
    check(
        "digraph my graph { a }",
        &expect![[r#"
            digraph my graph { a }
                       ^^^^^ unexpected: expected `{` after the name of the graph, found `graph`
            fix: Quote as `"my graph"`
        "#]],
    );
    check(
        "digraph { a }\nb -> c\ndigraph { d }",
        &expect![[r#"
            b -> c
            ^ outside-graph: `b` is outside any graph
        "#]],
    );
    let errors = parse(&format!("digraph {}", "{".repeat(100_000))).errors;
    let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    assert_eq!(
        messages,
        ["braces are nested more than 256 deep here; the file is not parsed"]
    );
}

#[test]
fn pairs_without_equals() {
    for (list, expected) in [
        (
            "prompt\"y z\", label=x",
            expect![[r#"
                digraph { a [prompt"y z", label=x] }
                             ^^^^^^^^^^^ missing-value: expected `=` between `prompt` and its value `"y z"`
                fix: Insert `=`
            "#]],
        ),
        (
            "policy \"continue\"",
            expect![[r#"
                digraph { a [policy "continue"] }
                             ^^^^^^^^^^^^^^^^^ missing-value: expected `=` between `policy` and its value `"continue"`
                fix: Insert `=`
            "#]],
        ),
        (
            "prompt \"y z\", label=\"x\"",
            expect![[r#"
                digraph { a [prompt "y z", label="x"] }
                             ^^^^^^^^^^^^ missing-value: expected `=` between `prompt` and its value `"y z"`
                fix: Insert `=`
            "#]],
        ),
        (
            "shape=box, k \"v\" label=\"x\"",
            expect![[r#"
                digraph { a [shape=box, k "v" label="x"] }
                                        ^^^^^ missing-value: expected `=` between `k` and its value `"v"`
                fix: Insert `=`
            "#]],
        ),
        (
            "prompt=x, timeout 5m",
            expect![[r#"
                digraph { a [prompt=x, timeout 5m] }
                                       ^^^^^^^^^^ missing-value: expected `=` between `timeout` and its value `5m`
                fix: Insert `=`
            "#]],
        ),
        (
            "timeout 5m",
            expect![[r#"
                digraph { a [timeout 5m] }
                             ^^^^^^^^^^ missing-value: expected `=` between `timeout` and its value `5m`
                fix: Insert `=`
            "#]],
        ),
        (
            "max_retries 5, label=x",
            expect![[r#"
                digraph { a [max_retries 5, label=x] }
                             ^^^^^^^^^^^^^ missing-value: expected `=` between `max_retries` and its value `5`
                fix: Insert `=`
            "#]],
        ),
        (
            "label=two words",
            expect![[r#"
                digraph { a [label=two words] }
                                       ^^^^^ needs-quotes: unexpected `words`; quote values that contain spaces
                fix: Quote as `"two words"`
            "#]],
        ),
    ] {
        check(&format!("digraph {{ a [{list}] }}"), &expected);
    }
}
