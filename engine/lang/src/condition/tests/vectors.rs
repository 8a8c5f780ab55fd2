//! Every example and rule of the documents about conditions, in both ways of writing: `=` and `==`.
//!
//! A line: the condition, how the stage ended (`+` after it: retries are left), the context, the answer.
//! The node has the edge label `Ship`.

use super::*;

const TABLE: &str = r#"
# API reference: the operators, each both ways
exit_code == 0 | success | {"exit_code":0} | true
exit_code == 0 | success | {"exit_code":1} | false
exit_code=0 | success | {"exit_code":0} | true
exit_code=0 | success | {"exit_code":"0"} | true
exit_code == 0 | success | {"exit_code":"0"} | false
status != "failed" | success | {"status":"done"} | true
status != "failed" | success | {"status":"failed"} | false
status!=failed | success | {"status":"done"} | true
status!=failed | success | {"status":"fail"} | false
retries < 3 | success | {"retries":2} | true
retries < 3 | success | {"retries":3} | false
score > 90 | success | {"score":90} | false
score > 90 | success | {"score":90.5} | true
attempts <= 5 | success | {"attempts":5} | true
attempts <= 5 | success | {"attempts":6} | false
confidence >= 0.8 | success | {"confidence":0.8} | true
confidence >= 0.8 | success | {"confidence":0.79} | false
approved == true and exit_code == 0 | success | {"approved":true,"exit_code":0} | true
approved == true and exit_code == 0 | success | {"approved":true,"exit_code":1} | false
approved=true && exit_code=0 | success | {"approved":"true","exit_code":"0"} | true
status == "done" or skip == true | success | {"status":"open","skip":true} | true
status == "done" or skip == true | success | {"status":"open"} | false
status=done || skip=true | success | {"status":"done"} | true
not failed | success | {} | true
not failed | success | {"failed":true} | false
# API reference: how names and literals are read
result.status == "ok" | success | {"result.status":"ok"} | true
ready == True and done == FALSE | success | {"ready":true,"done":false} | true
x == null and x == none and x == None | success | {} | true
x == null | success | {"x":0} | false
n == 42 and f == 3.14 | success | {"n":42,"f":3.14} | true
n == 42.0 | success | {"n":42} | true
n == -1 | success | {"n":-1} | true
| success | {} | true
   | fail | {} | true
# Explanation: its examples
fix_applied == true | success | {"fix_applied":true} | true
exit_code == 0 and tests_passed == true | success | {"exit_code":0,"tests_passed":true} | true
review_score >= 7 or approved == true | success | {"review_score":6,"approved":true} | true
review_score >= 7 or approved == true | success | {"review_score":6,"approved":false} | false
exit_code == 0 and retries < 3 | success | {"exit_code":0,"retries":3} | false
tests_passed == false | success | {"tests_passed":false} | true
vulnerabilities == 0 | success | {"vulnerabilities":0} | true
# Graph workflows: the words of edges
on_success | success | {} | true
on_success | partial_success | {} | true
on_success | needs_dod | {} | true
on_success | fail | {} | false
on_fail | fail | {} | true
on_fail | fail+ | {} | false
on_fail | success | {} | false
on_retry | fail+ | {} | true
on_retry | fail | {} | false
on_exhaust | fail | {} | true
on_exhaust | fail+ | {} | false
always | fail+ | {} | true
on_fail and retries < 3 | fail | {"retries":1} | true
on_fail and retries < 3 | fail | {"retries":3} | false
ON_SUCCESS and not on_fail | success | {} | true
# Precedence: not, comparison, and, or
not a == 1 | success | {"a":2} | true
not a == 1 and b | success | {"a":2} | false
a or b and c | success | {"a":1} | true
(a or b) and c | success | {"a":1} | false
a AND b OR NOT c | success | {} | true
!a && !b || c | success | {"a":1} | false
# Keys
context.a.b == 1 | success | {"a.b":1} | true
context.a.b == 1 | success | {"context.a.b":1,"a.b":2} | true
a.b == 1 | success | {"context.a.b":1} | false
missing == null | success | {} | true
# `=`: a bare word is text, missing is the empty text
outcome=success | success | {} | true
outcome = success | success | {} | true
outcome=succeeded | success | {} | true
outcome=failed | fail | {} | true
outcome=partially_succeeded | partial_success | {} | true
outcome=needs_dod | needs_dod | {} | true
outcome=success | needs_dod | {} | false
preferred_label=Fix it && x=1 | success | {"preferred_label":"Fix it","x":1} | true
preferred_label=Fix it and x=1 | success | {"preferred_label":"Fix it","x":1} | true
preferred_label=Fix it || x=1 | success | {"preferred_label":"Fix it"} | true
preferred_label=Fix it or x=1 | success | {"preferred_label":"Fix"} | false
x="" | success | {} | true
x='' | success | {"x":"a"} | false
x=true | success | {"x":true} | true
x=true | success | {"x":"true"} | true
x=3 | success | {"x":3} | true
x=3 | success | {"x":"3"} | true
# `==`: typed, a bare word is a key, but a status word or a label that is not a key is text
a == b | success | {"a":1,"b":1} | true
a == b | success | {"a":"b"} | false
a == '1' | success | {"a":1} | false
a == 1 | success | {"a":true} | false
outcome == success | success | {} | true
outcome == failed | fail | {} | true
outcome == success | success | {"success":"other"} | false
outcome == 'succeeded' | success | {} | true
preferred_label == Ship | success | {"preferred_label":"Ship"} | true
preferred_label == Ship | success | {"preferred_label":"Ship","Ship":"x"} | false
preferred_label == Wait | success | {"preferred_label":"Wait"} | false
# `!=`: exactly the negation of `=`
context.loop_state!=exhausted | success | {} | true
context.loop_state!=exhausted | success | {"loop_state":"exhausted"} | false
outcome!=success | fail | {} | true
outcome!=succeeded | success | {} | false
x != "1" | success | {"x":1} | false
x != 1 | success | {"x":"1"} | false
x=3 | success | {"x":"3"} | true
x!=3 | success | {"x":"3"} | false
x=3 | success | {"x":4} | false
x!=3 | success | {"x":4} | true
x != 1 | success | {} | true
x != '' | success | {} | false
x != true | success | {"x":"yes"} | false
x=yes | success | {"x":true} | true
x != 1 | success | {"x":1} | false
x != null | success | {} | false
x != null | success | {"x":0} | true
# Bare operands: their truth
x | success | {} | false
x | success | {"x":false} | false
x | success | {"x":0} | false
x | success | {"x":0.0} | false
x | success | {"x":""} | false
x | success | {"x":null} | false
x | success | {"x":true} | true
x | success | {"x":1} | true
x | success | {"x":"a"} | true
x | success | {"x":"false"} | false
x | success | {"x":"No"} | false
x | success | {"x":"0"} | false
x | success | {"x":"FALSE\n"} | false
x | success | {"x":"1"} | true
not x | success | {"x":"false"} | true
true | fail | {} | true
false or none | fail | {} | false
# Word operators
out contains "2 passed" | success | {"out":"12 passed"} | true
out contains passed | success | {"out":"12 passed"} | true
tags contains b | success | {"tags":["a","b"]} | true
out contains x | success | {} | false
out matches '^\d+ passed$' | success | {"out":"12 passed"} | true
out matches '^x' | success | {"out":"12 passed"} | false
'b' in tags | success | {"tags":["a","b"]} | true
'c' in tags | success | {"tags":["a","b"]} | false
'as' in out | success | {"out":"passed"} | true
out startswith 'ok' and out endswith "!" | success | {"out":"ok!"} | true
out STARTSWITH no | success | {"out":"ok!"} | false
# Texts that read as numbers are ordered as numbers
x < 3 | success | {"x":"2"} | true
x < 10 | success | {"x":"9"} | true
x > '9' | success | {"x":"10"} | true
tool.last_line >= 3 | success | {"tool.last_line":"12"} | true
# No order, no crash: false
x < 3 | success | {"x":"two"} | false
x < 'b' | success | {"x":"2"} | false
x < 3 | success | {"x":true} | false
x < 3 | success | {} | false
x >= 'a' | success | {"x":"b"} | true
[x] | success | {} | error
"#;

#[test]
fn every_line_of_the_documents() {
    let mut count = 0;
    for line in TABLE
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
    {
        let mut cells = line.rsplitn(4, '|').map(str::trim);
        let (expected, json, status) = (cells.next(), cells.next(), cells.next());
        let text = cells.next().unwrap_or_default();
        let status = status.unwrap_or_default();
        let (condition, errors) = parse(text);
        let facts: serde_json::Value = serde_json::from_str(json.unwrap_or_default()).unwrap();
        let found = if errors.is_empty() {
            let context = context(&facts);
            let facts = Facts {
                context: &context,
                status: Status::parse(status.trim_end_matches('+')),
                retries_left: status.ends_with('+'),
                labels: &["Ship".to_owned()],
            };
            evaluate(&condition, &facts).value.to_string()
        } else {
            "error".to_owned()
        };
        assert_eq!(Some(found.as_str()), expected, "{line}");
        let printed = parse(&condition.to_string());
        assert_eq!(printed.0.to_string(), condition.to_string(), "{line}");
        count += 1;
    }
    assert!(count > 120, "the table has been cut to {count} lines");
}

/// Function calls, subscripts, lambda, comprehensions, arithmetic and bitwise operators are refused, with the
/// characters to blame.
#[test]
fn what_conditions_cannot_do() {
    for (text, blamed) in [
        ("__import__('os').system('rm -rf /')", "__import__('os')"),
        ("len(items) > 3", "len(items)"),
        ("items[0] == 1", "[0]"),
        ("lambda: 1", ":"),
        ("[x for x in y]", "[x for x in y]"),
        ("{x for x in y}", "{"),
        ("retries + 1 < 3", "+"),
        ("retries - 1 < 3", "-"),
        ("retries * 2 < 3", "*"),
        ("retries / 2 < 3", "/"),
        ("retries % 2 == 1", "%"),
        ("retries ** 2 == 1", "*"),
        ("flags & 4", "&"),
        ("flags | 4", "|"),
        ("flags ^ 4", "^"),
        ("~flags", "~"),
        ("flags << 2", "<<"),
        ("a if b else c", "if"),
        ("x := 1", ":"),
        ("a.b().c", "a.b()"),
        ("exit_code ==", "=="),
        ("== 0", "=="),
        ("(a", "("),
        ("a)", ")"),
        ("a and", "and"),
    ] {
        let found = parse(text).1.first().map(|error| error.range.clone());
        let found = found.and_then(|range| text.get(range)).unwrap_or_default();
        assert!(
            found.starts_with(blamed),
            "{text}: blamed `{found}`, not `{blamed}`"
        );
    }
}
