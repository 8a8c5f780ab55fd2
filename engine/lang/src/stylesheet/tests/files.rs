//! Stylesheets that are files: CSS, JSON, YAML and TOML.

use crate::stylesheet::Properties;
use expect_test::expect;

use super::{draw, resolved};
use crate::stylesheet::parse_file;

/// The properties these tests set.
struct TestProperties;

impl Properties for TestProperties {
    fn is_known(&self, name: &str) -> bool {
        matches!(
            name,
            "model"
                | "provider"
                | "retry_count"
                | "temperature"
                | "timeout"
                | "max_tokens"
                | "reasoning_effort"
        )
    }

    fn nearest(&self, name: &str, others: &[&'static str]) -> Option<&'static str> {
        let near = |other: &&'static str| strsim::damerau_levenshtein(name, other) <= 2;
        others.iter().copied().find(near)
    }
}

const JSON: &str = r#"{"rules": [
    {"name_pattern": "test_*", "timeout": 120, "model": "first"},
    {"handler_type": "codergen", "model": "gpt-4o", "temperature": 0.2, "extra": {"speed": "fast"}},
    {"match_attributes": {"priority": "high"}, "max_tokens": 10, "retry_count": null}
]}"#;

const TOML: &str = r#"
# how tests run
[[rules]]
name_pattern = "test_*"
timeout = 120
model = "first"

[[rules]]
handler_type = "codergen"
model = "gpt-4o"
temperature = 0.2
extra = { speed = "fast" }

[[rules]]
match_attributes = { priority = "high" }
max_tokens = 1_0
"#;

const YAML: &str = "# how tests run
rules:
- name_pattern: test_*
  timeout: 120
  model: \"first\"
- handler_type: codergen
  model: gpt-4o
  temperature: 0.2
  extra: { speed: fast }
- match_attributes:
    priority: high
  max_tokens: 0xA
  retry_count: ~
";

#[test]
fn rule_lists_go_by_order_alone_in_every_format() {
    for text in [JSON, YAML, TOML] {
        let (sheet, errors) = parse_file("rules", text, &TestProperties);
        assert_eq!(errors, []);
        assert_eq!(
            resolved(&sheet, "test_a", &["codergen"], &[]),
            "model: gpt-4o (codergen); speed: fast (codergen); \
             temperature: 0.2 (codergen); timeout: 120 ([name=test_*])"
        );
        assert_eq!(
            resolved(&sheet, "urgent", &[], &[]),
            "max_tokens: 10 ([priority=high])"
        );
    }
}

#[test]
fn the_syntax_follows_from_the_name_or_the_text() {
    let printed = |name: &str, text: &str| parse_file(name, text, &TestProperties).0.to_string();
    for text in [
        "* { model: x; }",
        r#"[{"model": "x"}]"#,
        "rules = [{ model = \"x\" }]",
        "# a comment\n[[rules]]\nmodel = \"x\"",
        "# a comment\n- model: x",
        "---\n- model: x\n...\n",
        "rules: [{ model: x }]",
    ] {
        assert_eq!(printed("rules", text), "* { model: x; }", "{text}");
    }
    for css in ["#id { model: x; }", "[name=a*] { model: x; }"] {
        assert_eq!(printed("rules", css), css);
    }
    assert_eq!(
        printed("a.toml", "rules = [{ model = \"x\" }]"),
        "* { model: x; }"
    );
    for name in ["a.yaml", "a.YML"] {
        assert_eq!(printed(name, r#"[{"model": 'x'}]"#), "* { model: x; }");
    }
    let as_css = parse_file("a.css", r#"[{"model": "x"}]"#, &TestProperties);
    assert!(!as_css.1.is_empty(), "{as_css:?}");
    assert_eq!(printed("rules", ""), "");
}

fn check(name: &str, text: &str, expected: &expect_test::Expect) {
    draw(text, &parse_file(name, text, &TestProperties), expected);
}

#[test]
fn a_rule_with_an_error_matches_nothing() {
    check(
        "a.json",
        r#"[
  {"handler_typ": "tool", "timeout": 1},
  {"handler_type": 1, "timeout": {"a": 1}},
  {"extra": 2},
  7,
  {"my_own": "é"},
  {"handler_type": "tool", "timeout": 2}
]"#,
        &expect![[r#"
            [
              {"handler_typ": "tool", "timeout": 1},
               ^^^^^^^^^^^^^ unknown key `handler_typ`, so this rule matches nothing; did you mean `handler_type`?
              {"handler_type": 1, "timeout": {"a": 1}},
                               ^ invalid `handler_type`; expected a string
                                             ^^^^^^^^ invalid `timeout`; expected a string, a number or a boolean
              {"extra": 2},
                        ^ invalid `extra`; expected a table
              7,
              ^ expected a rule: a table of criteria and properties, `{"handler_type": "tool", "timeout": 60}`
              {"my_own": "é"},
               ^^^^^^^^ unknown key `my_own`, so this rule matches nothing; an attribute of your own belongs in the table `extra`
              {"handler_type": "tool", "timeout": 2}
            ]
            => tool { timeout: 2; }
        "#]],
    );
    check(
        "a.toml",
        "[[rules]]\nhandler_typ = \"tool\"\ntimeout = 1\n[[rule]]\n[[rules]]\nmodel = [1]",
        &expect![[r#"
            [[rules]]
            handler_typ = "tool"
            ^^^^^^^^^^^ unknown key `handler_typ`, so this rule matches nothing; did you mean `handler_type`?
            timeout = 1
            [[rule]]
              ^^^^ unknown key `rule`; expected `rules`
            [[rules]]
            model = [1]
                    ^^^ invalid `model`; expected a string, a number or a boolean
            => 
        "#]],
    );
}

#[test]
fn yaml_rules_with_errors() {
    check(
        "a.yaml",
        "rules:
  - handler_typ: tool
    timeout: 1
  - model: [1]
    provider: é
    timeout:
      - a
  - just text
  - { handler_type: tool, timeout: 2 }
rule: []
",
        &expect![[r#"
            rules:
              - handler_typ: tool
                ^^^^^^^^^^^ unknown key `handler_typ`, so this rule matches nothing; did you mean `handler_type`?
                timeout: 1
              - model: [1]
                       ^^^ invalid `model`; expected a string, a number or a boolean
                provider: é
                timeout:
                  - a
                  ^^^ invalid `timeout`; expected a string, a number or a boolean
              - just text
                ^^^^^^^^^ expected a rule: a table of criteria and properties, `{"handler_type": "tool", "timeout": 60}`
              - { handler_type: tool, timeout: 2 }
            rule: []
            ^^^^ unknown key `rule`; expected `rules`

            => tool { timeout: 2; }
        "#]],
    );
}

#[test]
fn yaml_that_cannot_be_read() {
    for (text, expected) in [
        (
            "rules:\n  - model: \"x\n",
            expect![[r#"
            rules:
              - model: "x
                       ^ invalid YAML: while scanning a quoted scalar, found unexpected end of stream

            => 
        "#]],
        ),
        (
            "- model: x\n  model: y\n",
            expect![[r#"
            - model: x
              model: y
              ^^^^^ invalid YAML: duplicate key `model`

            => 
        "#]],
        ),
        (
            "- model: é\n- &a { model: x }\n- *a\n",
            expect![[r#"
            - model: é
            - &a { model: x }
              ^^^^^ invalid YAML: anchors, aliases and tags are not supported; write the value itself
            - *a

            => 
        "#]],
        ),
        (
            "- model: x\n---\n- model: y\n",
            expect![[r#"
            - model: x
            ---
            ^^^ invalid YAML: expected one document, found a second one
            - model: y

            => 
        "#]],
        ),
        (
            "- model: x\n model: y\n",
            expect![[r#"
            - model: x
             model: y
             ^ invalid YAML: while parsing a block collection, did not find expected '-' indicator

            => 
        "#]],
        ),
        (
            "",
            expect![[r#"

            ^ expected a table with the key `rules`, a list of tables
            => 
        "#]],
        ),
    ] {
        check("a.yml", text, &expected);
    }
    let deep = "[".repeat(100_000);
    let (sheet, errors) = parse_file("a.yaml", &deep, &TestProperties);
    assert_eq!((sheet.rules.len(), errors.len()), (0, 1));
}

#[test]
fn text_that_cannot_be_read_is_reported_at_its_place() {
    check(
        "a.json",
        "{\"rules\": [\n  {\"model\": }\n]}",
        &expect![[r#"
            {"rules": [
              {"model": }
                        ^ invalid JSON: expected value
            ]}
            => 
        "#]],
    );
    check(
        "a.json",
        "\"x\"",
        &expect![[r#"
            "x"
            ^^^ expected a table with the key `rules`, a list of tables
            => 
        "#]],
    );
    check(
        "a.json",
        "{}",
        &expect![[r#"
            {}
            ^^ missing key `rules`; expected a list of tables
            => 
        "#]],
    );
    check(
        "a.json",
        "",
        &expect![[r#"

        ^ invalid JSON: EOF while parsing a value
        => 
    "#]],
    );
    check(
        "a.toml",
        "[[rules]]\nmodel = \n",
        &expect![[r#"
        [[rules]]
        model = 
                ^ invalid TOML: string values must be quoted, expected literal string

        => 
    "#]],
    );
    check(
        "a.css",
        "* { model = x }",
        &expect![[r#"
            * { model = x }
                ^^^^^^^^^ expected a declaration `property: value;`, found `model = x`
              fix: Replace `=` with `:` → "* { model : x }"
            => * { }
        "#]],
    );
}
