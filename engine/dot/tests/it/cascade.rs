//! One message for one error, and one for each: what is surplus, what follows from it, what does not.

use expect_test::expect;

use crate::messages::check;

#[test]
fn messages_about_what_is_too_many() {
    check(
        "digraph { a & -> b }",
        &expect![[r#"
            digraph { a & -> b }
                        ^ unexpected: unexpected `&`
            fix: Delete it
        "#]],
    );
    check(
        "digraph { a -> & b }",
        &expect![[r#"
            digraph { a -> & b }
                           ^ unexpected: unexpected `&`
            fix: Delete it
        "#]],
    );
    check(
        "digraph { a = [x=y] }",
        &expect![[r#"
            digraph { a = [x=y] }
                        ^ unexpected: unexpected `=`
            fix: Delete it
        "#]],
    );
    check(
        "digraph { a -> -- b; c -> d }",
        &expect![[r#"
            digraph { a -> -- b; c -> d }
                           ^^ wrong-edge-operator: expected a node between `->` and `--`
            fix: Delete it
        "#]],
    );
    check(
        "digraph {\n a [x=y\n}\n]",
        &expect![[r#"
            }
            ^ stray-closer: unexpected `}` before the `]` of an unclosed list
            fix: Swap them
            ]
            ~ expected `]` before it
        "#]],
    );
    check(
        "digraph { a [ -> b }",
        &expect![[r#"
            digraph { a [ -> b }
                        ^ unexpected: unexpected `[`
            fix: Delete it
        "#]],
    );
    check(
        "digraph { a -> [ b -> c }",
        &expect![[r#"
            digraph { a -> [ b -> c }
                           ^ unexpected: unexpected `[`
            fix: Delete it
        "#]],
    );
    check(
        "digraph { a [x[ =y] }",
        &expect![[r#"
            digraph { a [x[ =y] }
                          ^ unexpected: unexpected `[` inside a list
            fix: Delete it
                        ~ the list starts here
        "#]],
    );
    check(
        "{ digraph { a }",
        &expect![[r#"
            { digraph { a }
            ^ unexpected: unexpected `{`
            fix: Delete it
        "#]],
    );
    check(
        "digraph { graph x[=y] }",
        &expect![[r#"
            digraph { graph x[=y] }
                            ^ unexpected: unexpected `x`
            fix: Delete it
        "#]],
    );
    check(
        "digraph G a { [x=y] }",
        &expect![[r#"
            digraph G a { [x=y] }
                      ^ unexpected: expected `{` after the name of the graph, found `a`
            fix: Quote as `"G a"`
        "#]],
    );
}

/// An error shortly after another may be caused by it; an error elsewhere is reported separately.
#[test]
fn separate_errors_are_reported_separately() {
    check(
        "digraph {\n  a & -> b\n  c -> d\n  e [x]\n  f -> -> g\n  build-app -> h\n}",
        &expect![[r#"
              a & -> b
                ^ unexpected: unexpected `&`
            fix: Delete it
              e [x]
                 ^ missing-value: `x` has no value; expected `name=value`
            fix: Set it to `true`
              f -> -> g
                   ^^ wrong-edge-operator: expected a node between `->` and `->`
            fix: Delete it
              build-app -> h
              ^^^^^^^^^ needs-quotes: `build-app` must be quoted; unquoted names consist of letters, digits and `_`
            fix: Quote as `"build-app"`
        "#]],
    );
}
