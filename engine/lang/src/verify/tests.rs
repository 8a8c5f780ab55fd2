//! Every form of `verify`, what passes it, and what is to blame.

use super::*;
use proptest::prelude::*;

/// A check; the output, the exit code; whether it passes. An error is `!` and the characters to blame.
const TABLE: &str = r##"
# Graph workflows: its forms
any_output | x | 0 | true
any_output |  | 0 | false
any_output | \n  \n | 0 | false
any_output | x | 1 | true
output_contains:2 passed | 12 passed | 0 | true
output_contains:2 passed | 1 passed | 0 | false
output_contains:a:b | a:b | 0 | true
output_contains: x  | axb | 0 | true
output_contains:X | x | 0 | false
output_not_contains:error | fine | 0 | true
output_not_contains:error | error: x | 0 | false
output_not_contains:error | Error: x | 0 | true
output_not_contains:error |  | 0 | true
exit_code:0 |  | 0 | true
exit_code:0 |  | 1 | false
exit_code:1 |  | 1 | true
exit_code: -1 |  | -1 | true
exit_code:0 |  | none | false
# Regular expressions, line by line
matches:^ok \d+$ | a\nok 7\nb | 0 | true
matches:^ok \d+$ | ok x | 0 | false
matches:(?i)done | DONE | 0 | true
matches:a|b | xb | 0 | true
matches:a.b | a\nb | 0 | false
matches:x: y | x: y | 0 | true
# Files
file_exists:out.txt |  | 0 | true
file_exists:other |  | 0 | false
file_exists: out.txt  |  | 0 | true
# JSON
json:passed == true | {"passed":true} | 0 | true
json:passed == true | {"passed":"true"} | 0 | false
json:passed=true | {"passed":"true"} | 0 | true
json:result.count > 1 | {"result":{"count":2}} | 0 | true
json:result.count > 1 | {"result.count":2} | 0 | true
json:result.count > 1 | {"result":{"count":1}} | 0 | false
json:a.b=1 | no json | 0 | false
json:a.b=1 | [1] | 0 | false
json:tags contains b | {"tags":["a","b"]} | 0 | true
json:outcome=success | {"outcome":"success"} | 0 | true
json:on_fail | {"outcome":"failed"} | 0 | true
json:x == null | {} | 0 | true
json:x == 'a: b' | \n{"x":"a: b"}\n | 0 | true
json:x |  | 0 | false
# Spaces and case of the name
 any_output  | x | 0 | true
 exit_code : 0 |  | 0 | true
Any_output | x | 0 | !Any_output
# Errors
output_contain:x | x | 0 | !output_contain
outputs_contains:x | x | 0 | !outputs_contains
exit_code:zero |  | 0 | !zero
exit_code:1.5 |  | 0 | !1.5
exit_code:99999999999999999999 |  | 0 | !99999999999999999999
exit_code: |  | 0 | !exit_code
exit_code |  | 0 | !exit_code
output_contains | x | 0 | !output_contains
output_contains:   | x | 0 | !output_contains
matches:( | ( | 0 | !(
matches:[ | ( | 0 | ![
matches: | ( | 0 | !matches
file_exists: |  | 0 | !file_exists
json: |  | 0 | !json
json:a == | {} | 0 | !==
json:len(a) > 1 | {} | 0 | !len(a)
json:a[0] | {} | 0 | ![0]
any_output:x | x | 0 | !:x
make test | x | 0 | !make test
{"type":"any_output"} | x | 0 | !{"type"
 | x | 0 | !
"##;

#[test]
fn every_line() {
    let mut count = 0;
    for line in TABLE
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let mut cells = line.rsplitn(4, " | ");
        let (expected, code, output) = (cells.next(), cells.next(), cells.next());
        let text = cells.next().unwrap_or_default();
        let output = output.unwrap_or_default().replace("\\n", "\n");
        let (verify, errors) = parse(text);
        let evidence = Evidence {
            output: &output,
            exit_code: code.and_then(|code| code.parse().ok()),
            file_exists: &|path| path == "out.txt",
        };
        let passed = check(&verify, &evidence).passed;
        let found = match errors.first() {
            Some(error) => format!("!{}", &text[error.range.clone()]),
            None => passed.to_string(),
        };
        assert_eq!(Some(found.as_str()), expected, "{line}");
        if errors.is_empty() {
            let again = parse(&verify.to_string());
            assert_eq!(again, (verify.clone(), Vec::new()), "{line}");
        } else {
            assert!(!passed, "{line}: a check that cannot be read passes");
        }
        count += 1;
    }
    assert!(count > 55, "the table has been cut to {count} lines");
}

#[test]
fn a_typo_has_a_fix() {
    let fix = parse("output_contain:x")
        .1
        .into_iter()
        .next()
        .and_then(|error| error.fix);
    assert_eq!(fix.map(|fix| fix.text).as_deref(), Some("output_contains"));
}

#[test]
fn the_condition_of_a_json_check_has_a_place() {
    for (text, condition) in [
        ("json:a == 1", Some("a == 1")),
        (" json : a ", Some("a")),
        ("json:", Some("")),
        ("matches:json:a", None),
        ("any_output", None),
    ] {
        let found = condition_in(text).and_then(|bytes| text.get(bytes));
        assert_eq!(found, condition, "{text}");
    }
}

proptest! {
    #[test]
    fn reading_is_total(text in "(json|matches|exit_code|output_contains)?:?[a-z:=( ]{0,12}") {
        for error in parse(&text).1 {
            prop_assert!(text.get(error.range).is_some());
        }
    }
}
