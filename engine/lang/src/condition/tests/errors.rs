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
                ^^ `==` has no right side; write the value to compare with, such as `success` or `3`
    "#]],
    );
    check(
        "and x",
        &expect![[r#"
        and x
        ^^^ `and` joins nothing here: a comparison is missing before it
    "#]],
    );
    check(
        "a and and b",
        &expect![[r#"
        a and and b
          ^^^ `and` is followed by nothing to check; add a comparison, or remove `and`
    "#]],
    );
    check(
        "= success",
        &expect![[r#"
        = success
        ^ `=` has no left side; write the key to compare, such as `outcome`
    "#]],
    );
    check(
        "x and (a == 1",
        &expect![[r#"
        x and (a == 1
              ^ this bracket is never closed; add `)` where the group ends
          fix: Close the bracket → x and (a == 1)
    "#]],
    );
    check(
        "a == 1) and b == 2",
        &expect![[r#"
        a == 1) and b == 2
              ^ this `)` closes nothing; remove it, or open the group
          fix: Remove `)` → a == 1 and b == 2
    "#]],
    );
    check(
        "()",
        &expect![[r#"
        ()
        ^^ these brackets are empty; put a comparison inside, or remove them
    "#]],
    );
    check(
        "not",
        &expect![[r#"
        not
        ^^^ `not` is followed by nothing to check; add a comparison, or remove `not`
    "#]],
    );
    check(
        "len(items) > 3 and x",
        &expect![[r#"
            len(items) > 3 and x
            ^^^^^^^^^^ a condition cannot call `len(…)`; only comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and brackets are allowed
        "#]],
    );
    check(
        "x = len(items)",
        &expect![[r#"
            x = len(items)
                ^^^^^^^^^^ a condition cannot call `len(…)`; only comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and brackets are allowed. If it is a text, quote it
              fix: Quote the text → x = 'len(items)'
        "#]],
    );
    check(
        "items[0] == 1",
        &expect![[r#"
            items[0] == 1
                 ^^^ a condition has no subscripts and no lists; only comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and brackets are allowed. A key is written whole, with dots
        "#]],
    );
    check(
        "retries + 1 < 3",
        &expect![[r#"
            retries + 1 < 3
                    ^ a condition does no arithmetic; only comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and brackets are allowed. Compute the value in a node and compare its key
        "#]],
    );
    check(
        "retries -1 < 3",
        &expect![[r#"
            retries -1 < 3
                    ^^ a condition does no arithmetic; only comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and brackets are allowed. Compute the value in a node and compare its key
        "#]],
    );
    check(
        "a == 'x",
        &expect![[r#"
            a == 'x
                 ^^ this ' opens a text that is never closed; add the second '
              fix: Close the text → a == 'x'
        "#]],
    );
    check(
        "a & b",
        &expect![[r#"
            a & b
              ^ write `&&` or `and`; a single `&` has no meaning here
              fix: Replace with `&&` → a && b
        "#]],
    );
    check(
        "a | b",
        &expect![[r#"
            a | b
              ^ write `||` or `or`; a single `|` has no meaning here
              fix: Replace with `||` → a || b
        "#]],
    );
    check(
        "1 < x < 3",
        &expect![[r#"
        1 < x < 3
              ^ `<` cannot follow a whole comparison; join two comparisons with `and`, or quote a text that holds `<`
    "#]],
    );
    check(
        "a === b",
        &expect![[r#"
            a === b
              ^^^ unknown operator `===`; write `=`
              fix: Replace with `=` → a = b
        "#]],
    );
    check(
        "a => 3",
        &expect![[r#"
            a => 3
              ^^ unknown operator `=>`; write `>=`
              fix: Replace with `>=` → a >= 3
        "#]],
    );
    check(
        "a <> 3",
        &expect![[r#"
            a <> 3
              ^^ unknown operator `<>`; write `!=`
              fix: Replace with `!=` → a != 3
        "#]],
    );
    check(
        "a == Fix it",
        &expect![[r#"
        a == Fix it
             ^^^^^^ a text of several words needs quotes here: `'Fix it'`
          fix: Quote the text → a == 'Fix it'
    "#]],
    );
    check(
        "[x for x in y]",
        &expect![[r#"
            [x for x in y]
            ^^^^^^^^^^^^^^ a condition has no subscripts and no lists; only comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and brackets are allowed. A key is written whole, with dots
        "#]],
    );
    check(
        "lambda: 1",
        &expect![[r#"
            lambda: 1
                  ^ `:` has no meaning in a condition; only comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and brackets are allowed
        "#]],
    );
    check(
        "${x} == 1",
        &expect![[r#"
            ${x} == 1
            ^ a key is written plainly in a condition, without `$` or braces; only comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and brackets are allowed
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
                 ^ “ is a typographic quote; write a plain `'`
              fix: Replace with `'` → a == 'x”
        "#]],
    );
    check(
        "a, b",
        &expect![[r#"
            a, b
             ^ `,` has no meaning in a condition; only comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and brackets are allowed
        "#]],
    );
    check(
        "a b",
        &expect![[r#"
        a b
          ^ `b` does not follow here; put `and` or `or` before it, or quote the text
    "#]],
    );
    check(
        "(a) == 1",
        &expect![[r#"
        (a) == 1
            ^^ `==` cannot follow a whole comparison; join two comparisons with `and`, or quote a text that holds `==`
    "#]],
    );
    check(
        "a == 1 not b",
        &expect![[r#"
        a == 1 not b
               ^^^ `not` does not follow here; put `and` or `or` before it
    "#]],
    );
    check(
        "x ~= 'a'",
        &expect![[r#"
            x ~= 'a'
              ^ write `matches` to test a regular expression
        "#]],
    );
    check(
        "a or )",
        &expect![[r#"
        a or )
          ^^ `or` is followed by nothing to check; add a comparison, or remove `or`
             ^ this `)` closes nothing; remove it, or open the group
          fix: Remove `)` → a or 
    "#]],
    );
    check(
        "__import__('os').system('x')",
        &expect![[r#"
            __import__('os').system('x')
            ^^^^^^^^^^^^^^^^ a condition cannot call `__import__(…)`; only comparisons (`outcome=success`, `retries < 3`), `and`, `or`, `not` and brackets are allowed
        "#]],
    );
}
