//! What templates insert, and that no value becomes code in any place of a command.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::collections::BTreeMap;
use std::process::Command;

use expect_test::{Expect, expect};
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::Value;

mod vectors;

fn context() -> BTreeMap<String, Value> {
    let json = json!({
        "key": "value", "a.b": 1, "flag": true, "nothing": null, "object": {"x": [1]}, "name": "n", "sly": "{key} $key",
        "graph.goal": "ship it", "task": "do", "codergen.implement.output": "done",
    });
    json.as_object()
        .into_iter()
        .flatten()
        .map(|(key, value)| (key.clone(), Value::from(value)))
        .collect()
}

#[track_caller]
fn plain(text: &str, expected: &str) {
    let (template, errors) = parse(text);
    assert_eq!(errors, [], "{text}");
    assert_eq!(
        render(&template, &context(), Quoting::Plain).unwrap().text,
        expected,
        "{text}"
    );
}

#[test]
fn keys_in_braces_are_filled_in() {
    plain("x {key} y", "x value y");
    plain("{a.b}{flag}", "1true");
    plain("{object}", r#"{"x":[1]}"#);
    plain("{nothing}|{nothing:-none}", "|none");
    plain("{missing:-some text}{missing:-}", "some text");
    plain("{key:-unused} {key|raw}", "value value");
    plain("{context.key}", "value");
    plain("{missing} stays", "{missing} stays");
}

#[test]
fn other_forms() {
    plain(
        "$goal, ${goal}, {{ goal }}, {{goal}}, {goal}",
        "ship it, ship it, ship it, ship it, ship it",
    );
    plain("$name $name. ${name}x $name.txt", "n n. nx n.txt");
    plain(
        "{{ inputs.task }} {{ missing }} {{missing}}",
        "do {{ missing }} {{missing}}",
    );
    plain(
        "$codergen.implement.output ${codergen.implement.output}",
        "done done",
    );
    plain(
        "$HOME ${HOME} $$name \\$name $1 $? cost: 5$",
        "$HOME ${HOME} $$name \\$name $1 $? cost: 5$",
    );
}

#[test]
fn literal_braces() {
    plain("{{key!}} and {{", "{key!} and {");
    plain("a }} b", "a } b");
    plain("{{\"status\": {\"a\": 1}}}", "{\"status\": {\"a\": 1}}");
    plain("{{\"a\": \"{key}\"}}", "{\"a\": \"value\"}");
}

#[test]
fn text_without_keys_is_unchanged() {
    for text in [
        r#"{"status": "ok", "inner": {"a": {"b": 1}}}"#,
        "awk '{print $1}' f",
        "echo ${X:-y} ${X%%.*} ${#X} ${PIPESTATUS[0]}",
        "f() { echo hi; }",
        "docker ps --format '{{.Names}} {{.ID}}'",
        "${{ secrets.TOKEN }}",
        "{ key }",
        "{}",
        "{a b}",
        "{fix|feat}: title",
        "{1}",
        "{",
        "}",
        "$",
        "\\",
        "{key",
        "x{0,3}",
    ] {
        plain(text, text);
    }
}

#[test]
fn a_value_is_never_expanded_again() {
    plain("{sly}", "{key} $key");
}

#[test]
fn a_file_is_the_whole_value() {
    let (template, errors) = parse(" @prompts/plan.md\n");
    assert_eq!(errors, []);
    assert_eq!(
        template.file,
        Some(FileReference {
            path: "prompts/plan.md".to_owned(),
            range: 2..17
        })
    );
    for text in [
        "@",
        "@a b",
        "see @plan.md",
        "@team please look",
        "me@example.org",
    ] {
        assert_eq!(parse(text).0.file, None, "{text}");
    }
}

#[test]
fn keys_have_ranges_and_misses_are_named() {
    let text = "ä {a.b} ${name} {{ goal }} $x {no:-d} {no} {no}";
    let (template, _) = parse(text);
    let keys: Vec<(&str, &str)> = template
        .keys()
        .map(|(key, range)| (key, text.get(range.clone()).unwrap()))
        .collect();
    assert!(keys.iter().all(|(key, written)| key == written));
    assert_eq!(keys.len(), 7);
    assert_eq!(
        render(&template, &context(), Quoting::Plain)
            .unwrap()
            .missing,
        ["no"]
    );
}

fn check(text: &str, expected: &Expect) {
    use std::fmt::Write;
    let mut drawn = format!("{text}\n");
    for error in parse(text).1 {
        let width = error.range.len().max(1);
        writeln!(
            drawn,
            "{}{} {}",
            " ".repeat(error.range.start),
            "^".repeat(width),
            error.message
        )
        .unwrap();
        if let Some(fix) = error.fix {
            let mut fixed = text.to_owned();
            fixed.replace_range(fix.range, &fix.text);
            writeln!(drawn, "  fix: {} → {fixed}", fix.title).unwrap();
        }
    }
    expected.assert_eq(&drawn);
}

#[test]
fn what_cannot_be_meant_is_an_error() {
    check(
        "run {key|RAW}",
        &expect![[r#"
            run {key|RAW}
                     ^^^ unknown filter `RAW`; did you mean `raw`?
              fix: Replace with `raw` → run {key|raw}
        "#]],
    );
    check(
        "see {{ goal } now",
        &expect![[r#"
            see {{ goal } now
                ^^^^^^^^^ expected `}}` after `{{ goal`
              fix: Replace with `}}` → see {{ goal }} now
        "#]],
    );
    check(
        "see {key:-nothing\nmore}",
        &expect![[r#"
            see {key:-nothing
            more}
                ^^^^^^^^^^^^^ unclosed `{key:-…`; add `}` on the same line
              fix: Insert `}` → see {key:-nothing}
            more}
        "#]],
    );
}

/// Values made to break out of every kind of quotes, each trying to run `touch PWNED`.
const HOSTILE: &[&str] = &[
    "plain",
    "",
    "two words",
    "it's",
    "'; touch PWNED; '",
    "\"; touch PWNED; \"",
    "$(touch PWNED)",
    "`touch PWNED`",
    "${IFS}`touch PWNED`",
    "; touch PWNED #",
    "\ntouch PWNED\n",
    "\\",
    "\\'; touch PWNED; \\\"",
    "$((a[$(touch PWNED)]))",
    "a[$(touch PWNED)]",
    "EOF\ntouch PWNED\nEOF",
    "EOF",
    "*",
    "~",
    "-n",
    "done",
    "if",
    ") touch PWNED (",
    "}; touch PWNED; {",
    "&& touch PWNED",
    "> PWNED",
    "!!",
    "$ATTRACTOR_V1",
    "{key}",
    "x y\tz\n",
    "é 🎉 \u{202e}",
];

/// Commands that print the value between `<` and `>`, with the place it is in.
const PLACES: &[&str] = &[
    "printf '<%s>' {value}",
    "printf '<%s>' \"{value}\"",
    "printf '<%s>' '{value}'",
    "printf '%s' \"<{value}>\"",
    "printf '%s' '<{value}>'",
    "printf '<%s>' \"$(printf %s {value}; printf .)\" | sed 's/[.]>$/>/'",
    "printf '<%s>' \"$(printf %s \"{value}\"; printf .)\" | sed 's/[.]>$/>/'",
    "printf '<%s>' \"`printf %s {value}; printf .`\" | sed 's/[.]>$/>/'",
    "printf '<%s>' \"`printf %s '{value}'; printf .`\" | sed 's/[.]>$/>/'",
    "x={value}; printf '<%s>' \"$x\"",
    "printf '<%s>' \"${NOTHING:-{value}}\" # {value}",
    "# {value} is said here\nprintf '<%s>' {value}",
    "printf '<'; cat <<EOF | sed '$ s/X$/>/' | tr -d '\\001'\n{value}X\nEOF\n",
    "f() { printf '<%s>' \"$1\"; }; f {value}",
    "case {value} in {value}) printf '<%s>' {value};; esac",
    "if true; then printf '<%s>' {value}; fi",
    "printf '<%s>' $value",
    "printf '<%s>' \"$value\"",
    "printf '<%s>' \"${value}\"",
    "(printf '<%s>' \"{value}\")",
    "sh -c 'printf \"<%s>\" \"$1\"' sh {value}",
];

#[test]
fn no_value_becomes_code_in_a_real_shell() {
    let folder = std::env::temp_dir().join(format!("attractor-template-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for shell in ["sh", "bash"] {
        for (place, value) in PLACES
            .iter()
            .flat_map(|place| HOSTILE.iter().map(move |value| (place, value)))
        {
            let context = BTreeMap::from([("value".to_owned(), Value::from(*value))]);
            let (template, _) = parse(place);
            let rendered = render(&template, &context, Quoting::Shell).unwrap();
            let output = Command::new(shell)
                .args(["-c", &rendered.text])
                .envs(rendered.environment.clone())
                .current_dir(&folder)
                .output()
                .unwrap();
            let case = format!("{shell}: {} with {value:?}", rendered.text);
            assert!(
                std::fs::read_dir(&folder).unwrap().next().is_none(),
                "code was run: {case}"
            );
            assert!(
                output.stderr.is_empty(),
                "{case}: {}",
                String::from_utf8_lossy(&output.stderr)
            );
            let printed = String::from_utf8_lossy(&output.stdout).into_owned();
            // A here-document ends its last line with a newline.
            assert_eq!(
                printed.trim_end_matches('\n'),
                format!("<{value}>"),
                "{case}"
            );
        }
    }
    std::fs::remove_dir(&folder).unwrap();
}

#[test]
fn what_could_only_be_code_is_refused() {
    let render = |text: &str, value: &str| {
        let context = BTreeMap::from([("v".to_owned(), Value::from(value))]);
        render(&parse(text).0, &context, Quoting::Shell).map(|rendered| rendered.text)
    };
    assert_eq!(
        render("echo $((1 + {v}))", "41").unwrap(),
        "echo $((1 + 41))"
    );
    assert!(matches!(
        render("echo $((1 + {v}))", "a[$(id)]"),
        Err(RenderError::Arithmetic { .. })
    ));
    assert!(matches!(
        render("cat <<'EOF'\n{v}\nEOF", "EOF\nid"),
        Err(RenderError::Verbatim { .. })
    ));
    assert!(matches!(
        render("sh -c 'echo {v}'", "$(id)"),
        Err(RenderError::Code { program: "sh", .. })
    ));
    assert_eq!(
        render("sh -c 'echo {v}'", "main").unwrap(),
        "sh -c 'echo main'"
    );
    assert!(matches!(
        render("python3 -c \"print('{v}')\"", "')"),
        Err(RenderError::Code { .. })
    ));
    assert!(matches!(
        render("echo {v}", "a\0b"),
        Err(RenderError::Nul { .. })
    ));
    assert!(matches!(
        render("echo {v}", &"x".repeat(200_000)),
        Err(RenderError::TooLong { .. })
    ));
    assert_eq!(render("{v|raw}", "echo hi | cat").unwrap(), "echo hi | cat");
    expect![[r#"`{v}` is interpolated into code for `sh`, which could run its value; pass it as an argument (`sh -c '… "$1"' sh {v}`) or with the attribute `env.NAME`"#]]
        .assert_eq(&render("sh -c 'echo {v}'", "$(id)").unwrap_err().to_string());
}

proptest! {
    #[test]
    fn parsing_and_rendering_are_total(text in "([a-z{}$|:.\"'` \\\\\n-]|key|\\{key\\}|\\$key|\\{\\{ key \\}\\}){0,30}") {
        let (template, _) = parse(&text);
        let covered: usize = template.parts.iter().map(|part| match part {
            Part::Text(_, range) => range.len(),
            Part::Insert(insert) => insert.range.len(),
        }).sum();
        prop_assert_eq!(covered, text.len());
        prop_assert!(render(&template, &context(), Quoting::Plain).is_ok());
        let _ = render(&template, &context(), Quoting::Shell);
    }

    #[test]
    fn values_never_enter_the_text_of_a_command(place in prop::sample::select(PLACES), value in "[$`\"';&|<>(){}\n\\\\a-c ]{1,12}[$`\"';&|<>(){}\n ]") {
        let context = BTreeMap::from([("value".to_owned(), Value::from(value.as_str()))]);
        let rendered = render(&parse(place).0, &context, Quoting::Shell).unwrap();
        prop_assert!(rendered.environment.iter().all(|(name, held)| name.starts_with("ATTRACTOR_V") && *held == value));
        let without = place.replace("{value}", "").replace("${value}", "").replace("$value", "");
        let reference = "${ATTRACTOR_V1}";
        let references = rendered.text.matches(reference).count();
        let added = rendered.text.len() - without.len();
        // Only the reference and quotes around it are added, whatever the value is.
        let most = references * (reference.len() + 4);
        prop_assert!(added <= most, "{}", rendered.text);
    }
}
