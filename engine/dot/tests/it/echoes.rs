//! One message for one mistake, and one for each: what is too many, what follows from it, what does not.

use expect_test::expect;

use crate::messages::check;

#[test]
fn messages_about_what_is_too_many() {
    check(
        "digraph { a & -> b }",
        &expect![[r#"
        digraph { a & -> b }
                    ^ unexpected: `&` has no place here
        fix: delete it
    "#]],
    );
    check(
        "digraph { a -> & b }",
        &expect![[r#"
        digraph { a -> & b }
                       ^ unexpected: `&` has no place here
        fix: delete it
    "#]],
    );
    check(
        "digraph { a = [x=y] }",
        &expect![[r#"
        digraph { a = [x=y] }
                    ^ unexpected: `=` has no place here
        fix: delete it
    "#]],
    );
    check(
        "digraph { a -> -- b; c -> d }",
        &expect![[r#"
        digraph { a -> -- b; c -> d }
                       ^^ wrong-edge-operator: a second `--` without a node between
        fix: delete it
    "#]],
    );
    check(
        "digraph {\n a [x=y\n}\n]",
        &expect![[r#"
        }
        ^ stray-closer: this `}` stands before the `]` of a list that is still open
        fix: put them in order
        ]
        ~ the `]` belongs before it
    "#]],
    );
    check(
        "digraph { a [ -> b }",
        &expect![[r#"
        digraph { a [ -> b }
                    ^ unexpected: this `[` begins nothing
        fix: delete it
    "#]],
    );
    check(
        "digraph { a -> [ b -> c }",
        &expect![[r#"
        digraph { a -> [ b -> c }
                       ^ unexpected: this `[` begins nothing
        fix: delete it
    "#]],
    );
    check(
        "digraph { a [x[ =y] }",
        &expect![[r#"
        digraph { a [x[ =y] }
                      ^ unexpected: a `[` inside a list
        fix: delete it
                    ~ the list begins here
    "#]],
    );
    check(
        "{ digraph { a }",
        &expect![[r#"
            { digraph { a }
            ^ unexpected: this `{` begins nothing
            fix: delete it
        "#]],
    );
    check(
        "digraph { graph x[=y] }",
        &expect![[r#"
        digraph { graph x[=y] }
                        ^ unexpected: `x` has no place here
        fix: delete it
    "#]],
    );
    check(
        "digraph G a { [x=y] }",
        &expect![[r#"
        digraph G a { [x=y] }
                  ^ unexpected: `a` stands between the name of the graph and its `{`
        fix: write `"G a"`
    "#]],
    );
}

/// What follows a mistake closely may be caused by it; what stands on its own is told on its own.
#[test]
fn messages_about_each_mistake() {
    check(
        "digraph {\n  a & -> b\n  c -> d\n  e [x]\n  f -> -> g\n  build-app -> h\n}",
        &expect![[r#"
              a & -> b
                ^ unexpected: `&` has no place here
            fix: delete it
              e [x]
                 ^ missing-value: `x` has no value: in a list every name needs one, `name=value`
            fix: set it to `true`
              f -> -> g
                   ^^ wrong-edge-operator: a second `->` without a node between
            fix: delete it
              build-app -> h
              ^^^^^^^^^ needs-quotes: `build-app` must be quoted: a plain name is made of letters, digits and `_`
            fix: write `"build-app"`
        "#]],
    );
}
