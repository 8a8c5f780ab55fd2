//! What a person reads when something is wrong. `~~~` marks related places, `fix:` what is offered.

use attractor_dot::{TextRange, parse};
use expect_test::{Expect, expect};

#[track_caller]
pub(crate) fn check(text: &str, expected: &Expect) {
    expected.assert_eq(&drawn(text));
}

/// The lines of `text` that messages speak of, with the messages drawn below them.
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
        fix: replace by `->`
        ~~~~~~~ this is a `digraph`, whose edges are written `->`
    "#]],
    );
    check(
        "digraph {\n a -- b\n b -- c\n}",
        &expect![[r#"
        digraph {
        ^^^^^^^ wrong-edge-operator: this is a `digraph`, but its edges are written `--`; did you mean `graph`?
        fix: replace by `graph`
         a -- b
           ~~ the first such edge
    "#]],
    );
    check(
        "graph { a -> b }",
        &expect![[r#"
        graph { a -> b }
                  ^^ wrong-edge-operator: `->` in a graph; did you mean `--`?
        fix: replace by `--`
        ~~~~~ this is a `graph`, whose edges are written `--`
    "#]],
    );
    check(
        "digraph { a - b }",
        &expect![[r#"
        digraph { a - b }
                    ^ wrong-edge-operator: `-` is no edge operator; did you mean `->`?
        fix: replace by `->`
    "#]],
    );
    check(
        "digraph { a => b }",
        &expect![[r#"
            digraph { a => b }
                        ^^ wrong-edge-operator: `=>` is no edge operator; did you mean `->`?
            fix: replace by `->`
        "#]],
    );
    check(
        "digraph { a --> b }",
        &expect![[r#"
            digraph { a --> b }
                        ^^^ wrong-edge-operator: `-->` is no edge operator; did you mean `->`?
            fix: replace by `->`
        "#]],
    );
    check(
        "digraph { a -> -> b }",
        &expect![[r#"
        digraph { a -> -> b }
                       ^^ wrong-edge-operator: a second `->` without a node between
        fix: delete it
    "#]],
    );
    check(
        "digraph { a -> ; b }",
        &expect![[r#"
        digraph { a -> ; b }
                    ^^ missing-edge-end: a node belongs after this `->`
    "#]],
    );
    check(
        "digraph { start -> a -> [label=x]; a -> b }",
        &expect![[r#"
            digraph { start -> a -> [label=x]; a -> b }
                                 ^^ missing-edge-end: expected a node between this `->` and the attribute list
            fix: delete the `->`
        "#]],
    );
    check(
        "digraph { -> b }",
        &expect![[r#"
        digraph { -> b }
                  ^^ missing-edge-end: this edge comes from nowhere: a node belongs before it
    "#]],
    );
    check(
        "digraph { a:b:c:d -> e: }",
        &expect![[r#"
        digraph { a:b:c:d -> e: }
                       ^ unexpected: a port has two parts at most, `node:port:compass`; a name with `:` in it must be quoted
                              ^ unexpected: after this `:` belongs the name of a port or a compass point
        fix: delete the `:`
    "#]],
    );
}

#[test]
fn messages_about_lists() {
    check(
        "digraph {\n  a [label=x\n  b [label=y]\n}",
        &expect![[r#"
          a [label=x
            ^ unclosed-bracket: this `[` is never closed
        fix: insert `]`
                    ~ the `]` belongs here
    "#]],
    );
    check(
        "digraph {\n  a [label=x]]\n  b\n}",
        &expect![[r#"
          a [label=x]]
                     ^ stray-closer: this `]` closes nothing
        fix: delete it
    "#]],
    );
    check(
        "digraph { a label=x, shape=box] }",
        &expect![[r#"
        digraph { a label=x, shape=box] }
                                      ^ stray-closer: this `]` closes nothing
        fix: insert `[`
                    ~ the `[` belongs here
    "#]],
    );
    check(
        "digraph { a [label=two words] }",
        &expect![[r#"
        digraph { a [label=two words] }
                               ^^^^^ needs-quotes: `words` does not belong to the value before it: a value with blanks must be quoted
        fix: write `"two words"`
    "#]],
    );
    check(
        "digraph { a [label=] }",
        &expect![[r#"
        digraph { a [label=] }
                     ^^^^^^ missing-value: `label` has no value
        fix: make it empty: `""`
    "#]],
    );
    check(
        "digraph { a [label] }",
        &expect![[r#"
        digraph { a [label] }
                     ^^^^^ missing-value: `label` has no value: in a list every name needs one, `name=value`
        fix: set it to `true`
    "#]],
    );
    check(
        "digraph { a [=x] }",
        &expect![[r#"
        digraph { a [=x] }
                     ^ missing-key: a name belongs before this `=`
    "#]],
    );
    check(
        "digraph { a [label: x] }",
        &expect![[r#"
        digraph { a [label: x] }
                          ^ unexpected: `:` between a name and its value; did you mean `=`?
        fix: replace by `=`
    "#]],
    );
    check(
        "digraph { a [label==x] }",
        &expect![[r#"
        digraph { a [label==x] }
                           ^ unexpected: one `=` is enough
        fix: delete it
    "#]],
    );
    check(
        "digraph { a [x=1,,y=2] }",
        &expect![[r#"
        digraph { a [x=1,,y=2] }
                         ^ stray-separator: this `,` separates nothing
        fix: delete it
    "#]],
    );
    check(
        "digraph { a [label=“two words”] }",
        &expect![[r#"
            digraph { a [label=“two words”] }
                               ^ needs-quotes: curly quotes do not quote: Graphviz takes them for letters; write `"`
            fix: write straight quotes
        "#]],
    );
    check(
        "digraph { [label=x] }",
        &expect![[r#"
        digraph { [label=x] }
                  ^ unexpected: whose attributes are these? A node, an edge, or `node`, `edge`, `graph` belongs before the `[`
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
                               ^ unexpected: `+` joins quoted strings only, on both sides
    "#]],
    );
    check(
        "graph { x=1 [y=2] }",
        &expect![[r#"
            graph { x=1 [y=2] }
                        ^ unexpected: whose attributes are these? A node, an edge, or `node`, `edge`, `graph` belongs before the `[`
        "#]],
    );
}

#[test]
fn messages_about_names() {
    check(
        "digraph { a -> node }",
        &expect![[r#"
        digraph { a -> node }
                       ^^^^ keyword-as-id: `node` is a word of the language; as a name or a value it must be quoted
        fix: write `"node"`
    "#]],
    );
    check(
        "digraph { build-app -> b }",
        &expect![[r#"
        digraph { build-app -> b }
                  ^^^^^^^^^ needs-quotes: `build-app` must be quoted: a plain name is made of letters, digits and `_`
        fix: write `"build-app"`
    "#]],
    );
    check(
        "digraph { build.app -> b }",
        &expect![[r#"
        digraph { build.app -> b }
                  ^^^^^^^^^ needs-quotes: `build.app` must be quoted: a plain name is made of letters, digits and `_`
        fix: write `"build.app"`
    "#]],
    );
    check(
        "digraph { a [label=graph] }",
        &expect![[r#"
        digraph { a [label=graph] }
                           ^^^^^ keyword-as-id: `graph` is a word of the language; as a name or a value it must be quoted
        fix: write `"graph"`
    "#]],
    );
    check(
        "digraph { node }",
        &expect![[r#"
        digraph { node }
                  ^^^^ incomplete: `node` is a word of the language and needs a list, `node [..]`; as the name of a node it must be quoted
        fix: write `"node"`
    "#]],
    );
}

#[test]
fn messages_about_strings() {
    check(
        "digraph {\n  a [label=\"x, shape=box]\n  b [label=\"y\"]\n}",
        &expect![[r#"
              a [label="x, shape=box]
                       ^ unclosed-string: this string is never closed
            fix: insert `"`
        "#]],
    );
    check(
        "digraph {\n  a [label=x y\", shape=box]\n  b [label=\"y\"]\n}",
        &expect![[r#"
              a [label=x y", shape=box]
                       ^ unclosed-string: this string is never closed
            fix: insert `"`
        "#]],
    );
    check(
        "digraph {\n  a [label=<b>x</b]\n  b\n}",
        &expect![[r#"
              a [label=<b>x</b]
                       ^ unclosed-html: this `<` begins an HTML string that is never closed: every `<` in it needs its `>`
            fix: insert `>`
        "#]],
    );
    check(
        "digraph {\n  /* a\n  b -> c\n}",
        &expect![[r#"
          /* a
          ^^ unclosed-comment: this comment is never closed
        fix: insert `*/`
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
                                ^ bare-quote: this `"` ends the string: a quote inside a string is written `\"`
        fix: escape the quotes inside
                           ~ the string begins here
        digraph { a [label="say" now", prompt="x"] }
                               ^ bare-quote: this `"` ends the string: a quote inside a string is written `\"`
        fix: escape this quote
                           ~ the string begins here
        digraph { a [prompt="{\\"ok\\": [1, \\"b\\"]}", label="y"] }
                              ^^^ bare-quote: `\\"` is a backslash and the end of the string: a quote inside a string is written `\"`
        fix: escape the quotes inside
                            ~ the string begins here
        digraph { a [prompt="set x="1" and go", shape=box] }
                                   ^ bare-quote: this `"` ends the string: a quote inside a string is written `\"`
        fix: escape the quotes inside
                            ~ the string begins here
        digraph { a [label="x, prompt="set", shape=box] }
                                          ^ unclosed-string: this string is never closed
        fix: close what is open
                                                         ~ the text ends here
                ~ nor is this
         goal="say "hi" to her"
                   ^ bare-quote: this `"` ends the string: a quote inside a string is written `\"`
        fix: escape the quotes inside
              ~ the string begins here
         a [label="not "so" now"]
                       ^ bare-quote: this `"` ends the string: a quote inside a string is written `\"`
        fix: escape the quotes inside
                  ~ the string begins here
         a [prompt="say {"ok": ["b"]} and
                         ^ bare-quote: this `"` ends the string: a quote inside a string is written `\"`
        fix: escape the quotes inside
                   ~ the string begins here
         b [prompt="not "so""]
                        ^ bare-quote: this `"` ends the string: a quote inside a string is written `\"`
        fix: escape the quotes inside
                   ~ the string begins here
    "#]].assert_eq(&drawn);
}

/// The fix makes of the text what was meant.
#[test]
fn escaping_quotes_mends_the_text() {
    let text = r#"digraph { a [label="use "a", "b" or \\"c\\"", prompt="x"] }"#;
    let [error] = &parse(text).errors[..] else {
        panic!("one message, not {:?}", parse(text).errors)
    };
    let mended = attractor_dot::apply(text, &error.fixes[0].edits);
    expect![[r#"digraph { a [label="use \"a\", \"b\" or \"c\"", prompt="x"] }"#]]
        .assert_eq(&mended);
    assert_eq!(parse(&mended).errors, []);
}

#[test]
fn messages_about_what_stands_for_a_value() {
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
                          ^^^^^ missing-value: `human` has no value: in a list every name needs one, `name=value`
        fix: set it to `true`
    "#]],
    );
    check(
        "digraph [ name { a }",
        &expect![[r#"
        digraph [ name { a }
                ^ unexpected: `[` has no place between `digraph` or `graph` and the name
        fix: delete it
    "#]],
    );
    check(
        "digraph { } graph [a=b] c -> d }",
        &expect![[r#"
        digraph { } graph [a=b] c -> d }
                  ^ stray-closer: this `}` closes nothing
        fix: delete it
    "#]],
    );
    check(
        "digraph { a }}}}}",
        &expect![[r#"
        digraph { a }}}}}
                    ^^^^ stray-closer: this `}` closes nothing
        fix: delete it
    "#]],
    );
}

#[test]
fn messages_about_braces() {
    check(
        "digraph {\n  subgraph x {\n    a\n  b -> c\n}\n",
        &expect![[r#"
              subgraph x {
                         ^ unclosed-brace: this `{` is never closed
            fix: insert `}`
              b -> c
              ~ the `}` belongs before this
        "#]],
    );
    check(
        "digraph {\n  a -> b\n",
        &expect![[r#"
            digraph {
                    ~ this `{` is never closed
              a -> b
                   ^ unclosed-brace: the text ends here, but a `{` is still open
            fix: insert `}`
        "#]],
    );
    check(
        "digraph {\n  a -> b\n  }\n  c -> d\n}\n",
        &expect![[r#"
          }
          ^ stray-closer: this `}` closes nothing
        fix: delete it
    "#]],
    );
    check(
        "digraph G\n  a -> b\n}\n",
        &expect![[r#"
        digraph G
                ^ unclosed-brace: a `{` belongs after `G`
        fix: insert `{`
    "#]],
    );
    check(
        "digraph {\n  subgraph x\n    a\n  }\n}\n",
        &expect![[r#"
          subgraph x
                   ^ unclosed-brace: a `{` belongs after `x`
        fix: insert `{`
    "#]],
    );
    check(
        "digraph { digraph x { a } }",
        &expect![[r#"
        digraph { digraph x { a } }
                  ^^^^^^^ unexpected: `digraph` cannot stand inside a graph; did you mean `subgraph`?
        fix: replace by `subgraph`
    "#]],
    );
    check(
        "digraph {\n  a [label=\"x",
        &expect![[r#"
        digraph {
                ~ nor is this
          a [label="x
                   ^ unclosed-string: this string is never closed
        fix: close what is open
                     ~ the text ends here
    "#]],
    );
    check(
        "digraph { a; ; b }",
        &expect![[r#"
        digraph { a; ; b }
                     ^ stray-separator: this `;` separates nothing
        fix: delete it
    "#]],
    );
}

#[test]
fn messages_about_graphs() {
    check(
        "digrap G { a -> b }",
        &expect![[r#"
        digrap G { a -> b }
        ^^^^^^ outside-graph: a graph begins with `digraph` or `graph`; found `digrap`
        fix: replace by `digraph`
    "#]],
    );
    check(
        "a -> b",
        &expect![[r#"
        a -> b
        ^ outside-graph: `a` stands outside of any graph
    "#]],
    );
    check(
        "digraph my graph { a }",
        &expect![[r#"
        digraph my graph { a }
                   ^^^^^ unexpected: `graph` stands between the name of the graph and its `{`
        fix: write `"my graph"`
    "#]],
    );
    check(
        "digraph { a }\nb -> c\ndigraph { d }",
        &expect![[r#"
        b -> c
        ^ outside-graph: `b` stands outside of any graph
    "#]],
    );
    let errors = parse(&format!("digraph {}", "{".repeat(100_000))).errors;
    let messages: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
    assert_eq!(
        messages,
        ["braces are nested more than 256 deep here; the file is not read"]
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
            fix: insert `=`
        "#]],
        ),
        (
            "policy \"continue\"",
            expect![[r#"
            digraph { a [policy "continue"] }
                         ^^^^^^^^^^^^^^^^^ missing-value: expected `=` between `policy` and its value `"continue"`
            fix: insert `=`
        "#]],
        ),
        (
            "prompt \"y z\", label=\"x\"",
            expect![[r#"
            digraph { a [prompt "y z", label="x"] }
                         ^^^^^^^^^^^^ missing-value: expected `=` between `prompt` and its value `"y z"`
            fix: insert `=`
        "#]],
        ),
        (
            "shape=box, k \"v\" label=\"x\"",
            expect![[r#"
                digraph { a [shape=box, k "v" label="x"] }
                                        ^^^^^ missing-value: expected `=` between `k` and its value `"v"`
                fix: insert `=`
            "#]],
        ),
        (
            "prompt=x, timeout 5m",
            expect![[r#"
                digraph { a [prompt=x, timeout 5m] }
                                       ^^^^^^^^^^ missing-value: expected `=` between `timeout` and its value `5m`
                fix: insert `=`
            "#]],
        ),
        (
            "timeout 5m",
            expect![[r#"
                digraph { a [timeout 5m] }
                             ^^^^^^^^^^ missing-value: expected `=` between `timeout` and its value `5m`
                fix: insert `=`
            "#]],
        ),
        (
            "max_retries 5, label=x",
            expect![[r#"
                digraph { a [max_retries 5, label=x] }
                             ^^^^^^^^^^^^^ missing-value: expected `=` between `max_retries` and its value `5`
                fix: insert `=`
            "#]],
        ),
        (
            "label=two words",
            expect![[r#"
            digraph { a [label=two words] }
                                   ^^^^^ needs-quotes: `words` does not belong to the value before it: a value with blanks must be quoted
            fix: write `"two words"`
        "#]],
        ),
    ] {
        check(&format!("digraph {{ a [{list}] }}"), &expected);
    }
}
