//! What is wrong with a condition, and where.

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::*;

/// Draws every error under the text.
fn check(text: &str, expected: &Expect) {
    let (_, errors) = parse(text);
    let mut drawn = format!("{text}\n");
    for error in errors {
        let gap = text
            .get(..error.range.start)
            .unwrap_or_default()
            .chars()
            .count();
        let width = text
            .get(error.range.clone())
            .unwrap_or_default()
            .chars()
            .count()
            .max(1);
        writeln!(
            drawn,
            "{}{} {}",
            " ".repeat(gap),
            "^".repeat(width),
            error.message
        )
        .unwrap_or_default();
        if let Some(fix) = error.fix {
            let mut fixed = text.to_owned();
            fixed.replace_range(fix.range, &fix.text);
            writeln!(drawn, "  fix: {} → {fixed}", fix.title).unwrap_or_default();
        }
    }
    expected.assert_eq(&drawn);
}

#[test]
fn errors_point_at_the_characters_to_blame() {
    check(
        "outcome == ",
        &expect![[r#"
            outcome == 
                    ^^ expected a value after `==`, such as `success` or `3`
        "#]],
    );
    check(
        "and x",
        &expect![[r#"
            and x
            ^^^ expected a comparison before `and`
        "#]],
    );
    check(
        "a and and b",
        &expect![[r#"
            a and and b
              ^^^ expected a comparison after `and`; add one, or remove `and`
        "#]],
    );
    check(
        "= success",
        &expect![[r#"
            = success
            ^ expected a key before `=`, such as `outcome`
        "#]],
    );
    check(
        "x and (a == 1",
        &expect![[r#"
            x and (a == 1
                  ^ unclosed `(`; add `)` where the group ends
              fix: Insert `)` → x and (a == 1)
        "#]],
    );
    check(
        "a == 1) and b == 2",
        &expect![[r#"
            a == 1) and b == 2
                  ^ unmatched `)`; remove it, or add `(` where the group starts
              fix: Remove `)` → a == 1 and b == 2
        "#]],
    );
    check(
        "()",
        &expect![[r#"
            ()
            ^^ expected a comparison in the parentheses; add one, or remove them
        "#]],
    );
    check(
        "not",
        &expect![[r#"
            not
            ^^^ expected a comparison after `not`; add one, or remove `not`
        "#]],
    );
    check(
        "len(items) > 3 and x",
        &expect![[r#"
            len(items) > 3 and x
            ^^^^^^^^^^ function calls are not supported in conditions (`len(…)`); expected comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and parentheses
        "#]],
    );
    check(
        "x = len(items)",
        &expect![[r#"
            x = len(items)
                ^^^^^^^^^^ function calls are not supported in conditions (`len(…)`); expected comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and parentheses. Quote it if it is text
              fix: Quote as `'len(items)'` → x = 'len(items)'
        "#]],
    );
    check(
        "items[0] == 1",
        &expect![[r#"
            items[0] == 1
                 ^^^ subscripts and lists are not supported in conditions; expected comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and parentheses. Write nested keys with dots, `a.b`
        "#]],
    );
    check(
        "retries + 1 < 3",
        &expect![[r#"
            retries + 1 < 3
                    ^ arithmetic is not supported in conditions; expected comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and parentheses. Compute the value in a node and compare its key
        "#]],
    );
    check(
        "retries -1 < 3",
        &expect![[r#"
            retries -1 < 3
                    ^^ arithmetic is not supported in conditions; expected comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and parentheses. Compute the value in a node and compare its key
        "#]],
    );
    check(
        "a == 'x",
        &expect![[r#"
            a == 'x
                 ^^ unclosed '; add the closing '
              fix: Insert `'` → a == 'x'
        "#]],
    );
    check(
        "a & b",
        &expect![[r#"
            a & b
              ^ unknown operator `&`; did you mean `&&` or `and`?
              fix: Replace with `&&` → a && b
        "#]],
    );
    check(
        "a | b",
        &expect![[r#"
            a | b
              ^ unknown operator `|`; did you mean `||` or `or`?
              fix: Replace with `||` → a || b
        "#]],
    );
    check(
        "1 < x < 3",
        &expect![[r#"
            1 < x < 3
                  ^ unexpected `<` after a comparison; combine comparisons with `and`, or quote text that contains `<`
        "#]],
    );
    check(
        "a === b",
        &expect![[r#"
            a === b
              ^^^ unknown operator `===`; did you mean `=`?
              fix: Replace with `=` → a = b
        "#]],
    );
    check(
        "a => 3",
        &expect![[r#"
            a => 3
              ^^ unknown operator `=>`; did you mean `>=`?
              fix: Replace with `>=` → a >= 3
        "#]],
    );
    check(
        "a <> 3",
        &expect![[r#"
            a <> 3
              ^^ unknown operator `<>`; did you mean `!=`?
              fix: Replace with `!=` → a != 3
        "#]],
    );
    check(
        "a == Fix it",
        &expect![[r#"
            a == Fix it
                 ^^^^^^ quote text of several words: `'Fix it'`
              fix: Quote as `'Fix it'` → a == 'Fix it'
        "#]],
    );
    check(
        "[x for x in y]",
        &expect![[r#"
            [x for x in y]
            ^^^^^^^^^^^^^^ subscripts and lists are not supported in conditions; expected comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and parentheses. Write nested keys with dots, `a.b`
        "#]],
    );
    check(
        "lambda: 1",
        &expect![[r#"
            lambda: 1
                  ^ unexpected `:`; expected comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and parentheses
        "#]],
    );
    check(
        "${x} == 1",
        &expect![[r#"
            ${x} == 1
            ^ unexpected `$`; write keys in conditions without `$` and braces
        "#]],
    );
    check(
        "a matches '('",
        &expect![[r#"
        a matches '('
                  ^^^ invalid regular expression: error: unclosed group
    "#]],
    );
    check(
        "a == “x”",
        &expect![[r#"
            a == “x”
                 ^ curly quotes (“) do not delimit strings; use `'`
              fix: Replace with `'` → a == 'x”
        "#]],
    );
    check(
        "a, b",
        &expect![[r#"
            a, b
             ^ unexpected `,`; expected comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and parentheses
        "#]],
    );
    check(
        "a b",
        &expect![[r#"
            a b
              ^ unexpected `b`; insert `and` or `or` before it, or quote the text
        "#]],
    );
    check(
        "(a) == 1",
        &expect![[r#"
            (a) == 1
                ^^ unexpected `==` after a comparison; combine comparisons with `and`, or quote text that contains `==`
        "#]],
    );
    check(
        "a == 1 not b",
        &expect![[r#"
            a == 1 not b
                   ^^^ unexpected `not`; insert `and` or `or` before it
        "#]],
    );
    check(
        "x ~= 'a'",
        &expect![[r#"
            x ~= 'a'
              ^ unknown operator `~`; use `matches` for regular expressions
        "#]],
    );
    check(
        "a or )",
        &expect![[r#"
            a or )
              ^^ expected a comparison after `or`; add one, or remove `or`
                 ^ unmatched `)`; remove it, or add `(` where the group starts
              fix: Remove `)` → a or 
        "#]],
    );
    check(
        "__import__('os').system('x')",
        &expect![[r#"
            __import__('os').system('x')
            ^^^^^^^^^^^^^^^^ function calls are not supported in conditions (`__import__(…)`); expected comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and parentheses
        "#]],
    );
}
