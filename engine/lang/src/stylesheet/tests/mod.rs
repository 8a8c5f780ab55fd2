//! Stylesheets as people write them, and what is wrong with them.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fmt::Write;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::LangError;

mod files;
mod vectors;

/// The winning values of a node, as `property: value (selector)`.
fn resolved(sheet: &Stylesheet, id: &str, names: &[&str], classes: &[&str]) -> String {
    let classes: Vec<smol_str::SmolStr> = classes.iter().map(|class| (*class).into()).collect();
    let attribute = |name: &str| (name == "priority" && id == "urgent").then(|| "high".to_owned());
    let target = Target {
        id,
        names,
        classes: &classes,
        attribute: &attribute,
    };
    let mut winners = std::collections::BTreeMap::new();
    for found in sheet.cascade(&target) {
        for declaration in &found.rule.declarations {
            winners.insert(
                declaration.property.clone(),
                format!(
                    "{}: {} ({})",
                    declaration.property, declaration.value, found.selector
                ),
            );
        }
    }
    winners.into_values().collect::<Vec<_>>().join("; ")
}

fn sheet(text: &str) -> Stylesheet {
    let (sheet, errors) = parse(text);
    assert_eq!(errors, [], "{text}");
    sheet
}

#[test]
fn the_stronger_selector_wins_and_later_among_equals() {
    let sheet = sheet(
        "#review { model: id; }\n.hard { model: class; effort: high }\nbox { model: shape; timeout: 900s }\n* { model: any; extra: \"a; b\" }\n.easy{model:easy;}",
    );
    let names = ["codergen", "box"];
    assert_eq!(
        resolved(&sheet, "x", &[], &[]),
        "extra: a; b (*); model: any (*)"
    );
    assert_eq!(
        resolved(&sheet, "x", &names, &[]),
        "extra: a; b (*); model: shape (box); timeout: 900s (box)"
    );
    assert_eq!(
        resolved(&sheet, "review", &names, &["hard"]),
        "effort: high (.hard); extra: a; b (*); model: id (#review); timeout: 900s (box)"
    );
    assert!(resolved(&sheet, "x", &[], &["hard", "easy"]).contains("model: easy"));
}

#[test]
fn selectors_join_list_and_match_patterns() {
    let sheet = sheet(
        "box.hard, #a-b, [name=test_*], [priority=high] { model: one } codergen[name=step[0-9]] { model: two } wait.human { model: three } #\"my node\" { model: four }",
    );
    assert!(resolved(&sheet, "n", &["box"], &["hard"]).contains("one"));
    assert!(resolved(&sheet, "a-b", &[], &[]).contains("one"));
    assert!(resolved(&sheet, "urgent", &[], &[]).contains("one"));
    assert!(resolved(&sheet, "test_x", &[], &[]).contains("one"));
    assert!(resolved(&sheet, "step7", &["codergen"], &[]).contains("two"));
    assert!(resolved(&sheet, "n", &["human_gate", "wait.human"], &[]).contains("three"));
    assert!(resolved(&sheet, "n", &["wait"], &["human"]).contains("three"));
    assert!(resolved(&sheet, "my node", &[], &[]).contains("four"));
}

#[test]
fn comments_and_values_with_odd_characters() {
    let sheet = sheet(
        "/* all */ * { model: gpt-5.4; /* why */ fidelity: summary:low; url: https://x.test/a }\n.a{model:DEFAULT}",
    );
    assert_eq!(
        resolved(&sheet, "x", &[], &[]),
        "fidelity: summary:low (*); model: gpt-5.4 (*); url: https://x.test/a (*)"
    );
}

/// Draws every error under its line.
fn check(text: &str, expected: &Expect) {
    draw(text, &parse(text), expected);
}

fn draw(text: &str, (sheet, errors): &(Stylesheet, Vec<LangError>), expected: &Expect) {
    let mut drawn = String::new();
    let mut offset = 0;
    for line in text.split('\n') {
        writeln!(drawn, "{line}").unwrap();
        for error in errors {
            if (offset..=offset + line.len()).contains(&error.range.start) {
                let width = error.range.len().max(1);
                writeln!(
                    drawn,
                    "{}{} {}",
                    " ".repeat(error.range.start - offset),
                    "^".repeat(width),
                    error.message
                )
                .unwrap();
                if let Some(fix) = &error.fix {
                    let mut fixed = text.to_owned();
                    fixed.replace_range(fix.range.clone(), &fix.text);
                    writeln!(drawn, "  fix: {} → {fixed:?}", fix.title).unwrap();
                }
            }
        }
        offset += line.len() + 1;
    }
    writeln!(drawn, "=> {sheet}").unwrap();
    expected.assert_eq(&drawn);
}

#[test]
fn errors_cost_themselves_and_nothing_else() {
    check(
        ".a { model: x\n.b { model: y; }",
        &expect![[r#"
            .a { model: x
               ^ unclosed `{`; add `}`
              fix: Close the rule → ".a { model: x }\n.b { model: y; }"
            .b { model: y; }
            => .a { model: x; }
            .b { model: y; }
        "#]],
    );
    check(
        "* { model: a\n provider: b }",
        &expect![[r#"
            * { model: a
                        ^ expected `;` after the value
              fix: Add `;` → "* { model: a;\n provider: b }"
             provider: b }
            => * { model: a; provider: b; }
        "#]],
    );
    check(
        "* { model = a; provider: b }",
        &expect![[r#"
            * { model = a; provider: b }
                ^^^^^^^^^ expected a declaration `property: value;`, found `model = a`
              fix: Replace `=` with `:` → "* { model : a; provider: b }"
            => * { provider: b; }
        "#]],
    );
    check(
        "* { model: ; provider: b }",
        &expect![[r#"
            * { model: ; provider: b }
                ^^^^^ `model` has no value; expected `model: value;`
            => * { provider: b; }
        "#]],
    );
    check(
        "model: x; .a { model: y }",
        &expect![[r#"
            model: x; .a { model: y }
            ^^^^^^^^ expected `{ … }` after `model: x`; a rule is a selector and its declarations, `.hard { model: large; }`
            => .a { model: y; }
        "#]],
    );
    check(
        ". { model: x } .b { model: y }",
        &expect![[r#"
            . { model: x } .b { model: y }
            ^ expected the name of a class
            =>  { model: x; }
            .b { model: y; }
        "#]],
    );
    check(
        "{ model: x }",
        &expect![[r#"
            { model: x }
            ^ expected a selector: `*`, a shape or kind, `.class` or `#id`
            =>  { model: x; }
        "#]],
    );
    check(
        ".a .b { model: x }",
        &expect![[r#"
            .a .b { model: x }
              ^ unexpected space between selectors; write a comma, or join them
              fix: Add a comma → ".a, .b { model: x }"
            => .a, .b { model: x; }
        "#]],
    );
    check(
        ".a { model: x } } .b { model: y }",
        &expect![[r#"
            .a { model: x } } .b { model: y }
                            ^ unmatched `}`; remove it
              fix: Remove `}` → ".a { model: x }  .b { model: y }"
            => .a { model: x; }
            .b { model: y; }
        "#]],
    );
    check(
        "* { model: \"x }\n.b { model: y }",
        &expect![[r#"
            * { model: "x }
                       ^^ unclosed "; add the closing "
            .b { model: y }
            => * { model: x; }
            .b { model: y; }
        "#]],
    );
    check(
        "[name] { model: x }",
        &expect![[r#"
        [name] { model: x }
        ^^^^^^ write `[name=pattern]` or `[attribute=value]`
        =>  { model: x; }
    "#]],
    );
    check(
        "/* never\n* { model: x }",
        &expect![[r#"
            /* never
            ^^ unclosed comment; add `*/`
            * { model: x }
            => 
        "#]],
    );
    check(
        "* { garbage }",
        &expect![[r#"
            * { garbage }
                ^^^^^^^ expected a declaration `property: value;`, found `garbage`
            => * { }
        "#]],
    );
    check(
        "just words",
        &expect![[r#"
            just words
            ^^^^^^^^^^ expected `{ … }` after `just words`; a rule is a selector and its declarations, `.hard { model: large; }`
            => 
        "#]],
    );
}

#[test]
fn each_place_knows_what_fits() {
    let at = |fixture: &str| {
        let text = fixture.replace("$0", "");
        match context_at(&text, fixture.find("$0").unwrap()) {
            StylesheetContext::Selector { mark, replace } => {
                format!("selector {mark:?} [{}]", &text[replace])
            }
            StylesheetContext::Property { replace } => format!("property [{}]", &text[replace]),
            StylesheetContext::Value { property, replace } => {
                format!("{property} [{}]", &text[replace])
            }
        }
    };
    for (fixture, expected) in [
        ("$0", "selector None []"),
        ("* { model: x } .ha$0", "selector Some('.') [ha]"),
        ("#re$0view {", "selector Some('#') [review]"),
        ("* { mo$0 }", "property [mo]"),
        ("* { model: gpt-5$0.4; }", "model [gpt-5.4]"),
        ("* { model: x; $0", "property []"),
        ("* { model: $0 }", "model []"),
    ] {
        assert_eq!(at(fixture), expected, "{fixture}");
    }
}

#[test]
fn comments_are_printed_where_they_stand() {
    let (sheet, errors) = parse(
        "/* first */ * { model: a /* why */; /* then */ timeout: 5 /* last */ } /* between */ .b { } /* end */",
    );
    assert_eq!(errors, []);
    expect![[r#"
        /* first */
        * { model: a; /* why */ /* then */ timeout: 5; /* last */ }
        /* between */
        .b { }
        /* end */"#]]
    .assert_eq(&sheet.to_string());
}

#[test]
fn values_print_as_they_are_read() {
    for value in [
        "#'\"",
        "a'b",
        "'a \"b\"'",
        "\"x provider: y\"",
        "\" a\"",
        "\"a;b\"",
        "a:b",
        "\"\"",
    ] {
        let text = format!("* {{ model: {value}; }}");
        let (sheet, errors) = parse(&text);
        assert_eq!(errors, [], "{text}");
        assert_eq!(
            parse(&sheet.to_string()).0.rules[0].declarations[0].value,
            sheet.rules[0].declarations[0].value,
            "{text}"
        );
    }
}

proptest! {
    #[test]
    fn parsing_is_total_and_printing_is_stable(text in "([a-c{}:;,.#* \n'\"=-]|\\[name=|\\]|/\\*|\\*/|model: ){0,30}") {
        let (sheet, errors) = parse(&text);
        for error in &errors {
            prop_assert!(text.get(error.range.clone()).is_some());
        }
        let printed = sheet.to_string();
        let (again, _) = parse(&printed);
        prop_assert_eq!(again.to_string(), printed);
        if errors.is_empty() {
            let texts = |sheet: &Stylesheet| -> Vec<String> {
                sheet.comments.iter().map(|comment| comment.text.clone()).collect()
            };
            prop_assert_eq!(texts(&again), texts(&sheet));
        }
        for offset in 0..=text.len() {
            let _ = context_at(&text, offset);
        }
    }
}
