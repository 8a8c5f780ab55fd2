//! Every form and rule of stylesheets: what each node gets, and what is to blame.
//!
//! A line: the stylesheet, the node (`id`, then its kind and shape in brackets, then `.class`es), what it gets as
//! `property: value`, by name. An error is `!` and the characters to blame; a line may have both.

use super::*;

const TABLE: &str = r##"
# Attractor specification, section 8: its example, each node
* { llm_model: claude-sonnet-4-5; llm_provider: anthropic; } .code { llm_model: claude-opus-4-6; llm_provider: anthropic; } #critical_review { llm_model: gpt-5.2; llm_provider: openai; reasoning_effort: high; } | plan (codergen box) | llm_model: claude-sonnet-4-5; llm_provider: anthropic
* { llm_model: claude-sonnet-4-5; llm_provider: anthropic; } .code { llm_model: claude-opus-4-6; llm_provider: anthropic; } #critical_review { llm_model: gpt-5.2; llm_provider: openai; reasoning_effort: high; } | implement (codergen box) .code | llm_model: claude-opus-4-6; llm_provider: anthropic
* { llm_model: claude-sonnet-4-5; llm_provider: anthropic; } .code { llm_model: claude-opus-4-6; llm_provider: anthropic; } #critical_review { llm_model: gpt-5.2; llm_provider: openai; reasoning_effort: high; } | critical_review (codergen box) .code | llm_model: gpt-5.2; llm_provider: openai; reasoning_effort: high
# Fabro's reference: no blank after `;`, a shape
* { model: claude-haiku-4-5;reasoning_effort: low; } .coding { model: claude-sonnet-4-5;reasoning_effort: high; } | a (codergen box) | model: claude-haiku-4-5; reasoning_effort: low
box { model: a; } hexagon { model: b } | a (codergen box) | model: a
box { model: a; } hexagon { model: b } | g (human_gate hexagon) | model: b
# Strength: any < shape or kind < class < id, name, attribute
#a { m: id } .c { m: class } box { m: shape } * { m: any } | a (codergen box) .c | m: id
.c { m: class } box { m: shape } * { m: any } | a (codergen box) .c | m: class
codergen { m: kind } * { m: any } | a (codergen box) .c | m: kind
[name=a] { m: name } .c { m: class } | a (codergen box) .c | m: name
[priority=high] { m: attribute } .c { m: class } | urgent (codergen box) .c | m: attribute
[priority=low] { m: attribute } .c { m: class } | urgent (codergen box) .c | m: class
# Among equals the later wins
.c { m: one } .d { m: two } | a (box) .c .d | m: two
.d { m: two } .c { m: one } | a (box) .c .d | m: one
* { m: one } * { m: two } | a (box) | m: two
box { m: shape } codergen { m: kind } | a (codergen box) | m: kind
codergen { m: kind } box { m: shape } | a (codergen box) | m: shape
#a { m: id } [name=a] { m: name } | a (box) | m: name
* { m: one; m: two } | a (box) | m: two
# Each property by itself
* { m: any; n: any } .c { m: class } | a (box) .c | m: class; n: any
* { m: any } .c { } | a (box) .c | m: any
# More parts are stronger
box.c { m: both } .c { m: class } | a (box) .c | m: both
.c { m: class } box.c { m: both } | b (hexagon) .c | m: class
.c.d { m: both } .d { m: one } | a (box) .c .d | m: both
box.c { m: both } #a { m: id } | a (box) .c | m: id
# Lists: any of them
.c, .d { m: x } | a (box) .d | m: x
.c, #a, box { m: x } | a (box) | m: x
.c,.d{m:x} | a (box) .e |
# Every property of the documents, and any name
* { model: a; llm_model: b; provider: c; llm_provider: d; reasoning_effort: high } | a (box) | llm_model: b; llm_provider: d; model: a; provider: c; reasoning_effort: high
* { temperature: 0.2; max_tokens: 400; timeout: 15m; retry_count: 2; max_retries: 3 } | a (box) | max_retries: 3; max_tokens: 400; retry_count: 2; temperature: 0.2; timeout: 15m
* { fidelity: summary:low; backend: cli; my_own: x; env.KEY: v; tool_hooks.pre: make } | a (box) | backend: cli; env.KEY: v; fidelity: summary:low; my_own: x; tool_hooks.pre: make
# Values: bare, quoted, with odd characters
* { m: gpt-5.4 } | a (box) | m: gpt-5.4
* { m: "a; b" } | a (box) | m: a; b
* { m: 'a } b' } | a (box) | m: a } b
* { m: "it's" } | a (box) | m: it's
* { m: two words here } | a (box) | m: two words here
* { m: https://x.test/a?b=c } | a (box) | m: https://x.test/a?b=c
* { m: a:b:c } | a (box) | m: a:b:c
* { m:x } | a (box) | m: x
*{m:x;n:y;} | a (box) | m: x; n: y
* { m: ä€ } | a (box) | m: ä€
# Comments
/* all */ * { /* one */ m: x; /* two */ } /* end */ | a (box) | m: x
* { m: x /* why */; n: y } | a (box) | m: x; n: y
* { m: "/* no comment */" } | a (box) | m: /* no comment */
# Names: spaces in IDs, dots in kinds, any case of kinds, patterns
#"my node" { m: x } | my-node (box) |
wait.human { m: x } | g (wait.human hexagon) | m: x
wait.human { m: x } | g (wait box) .human | m: x
BOX { m: x } | a (box) | m: x
.Hard { m: x } | a (box) .hard |
#A { m: x } | a (box) |
[name=test_*] { m: x } | test_one (box) | m: x
[name=test_*] { m: x } | a_test_ (box) |
[name=*] { m: x } | a (box) | m: x
[name=step[0-9]] { m: x } | step7 (box) | m: x
[name=step?] { m: x } | step77 (box) |
[ name = "a" ] { m: x } | a (box) | m: x
# Nothing
| a (box) |
/* only a comment */ | a (box) |
.other { m: x } | a (box) .c |
# Errors cost themselves and nothing else
* { m = x; n: y } | a (box) | !m = x; n: y
* { m: ; n: y } | a (box) | !m; n: y
* { m x; n: y } | a (box) | !m x; n: y
* { m: x n: y } | a (box) | !; m: x; n: y
* { m: x n: y; o: z } | a (box) | !; m: x; n: y; o: z
* { m: see a:b and c } | a (box) | m: see a:b and c
.c .d { m: x } | a (box) .d | ! ; m: x
. { m: x } .c { m: y } | a (box) .c | !.; m: y
# { m: x } .c { m: y } | a (box) .c | !#; m: y
{ m: x } | a (box) | !{
.c { m: x } } .d { m: y } | a (box) .c .d | !}; m: y
* { m: x | a (box) | !{; m: x
m: x; * { m: y } | a (box) | !m: x; m: y
[name] { m: x } * { m: y } | a (box) | ![name]; m: y
[name=] { m: x } * { m: y } | a (box) | m: y
/* never * { m: x } | a (box) | !/*
* { m: "x } | a (box) | !"x; m: x
@import "x"; * { m: y } | a (box) | !@import "x"; m: y
a > b { m: x } | a (box) | !a > b
"##;

#[test]
fn every_line() {
    let mut wrong = String::new();
    let mut count = 0;
    for line in TABLE.lines().filter(|line| {
        let comment = line.starts_with("# ") && !line.contains(" | ");
        !line.is_empty() && !comment
    }) {
        let mut cells = line.rsplitn(3, '|');
        let (expected, node) = (cells.next().unwrap(), cells.next().unwrap());
        let text = cells.next().unwrap_or_default().trim();
        let found = outcome(text, node.trim());
        if found.trim() != expected.trim() {
            writeln!(
                wrong,
                "{text}\n  for {node}: found `{found}`, expected `{}`",
                expected.trim()
            )
            .unwrap();
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(count > 70, "the table has been cut to {count} lines");
}

/// What a node gets, after the first error.
fn outcome(text: &str, node: &str) -> String {
    let (id, rest) = node.split_once(' ').unwrap_or((node, ""));
    let (names, classes) = rest.split_once(')').unwrap_or((rest, ""));
    let names: Vec<&str> = names.trim_start_matches('(').split_whitespace().collect();
    let classes: Vec<&str> = classes
        .split_whitespace()
        .map(|name| name.trim_start_matches('.'))
        .collect();
    let (sheet, errors) = parse(text);
    let blamed = errors
        .first()
        .map(|error| format!("!{}", &text[error.range.clone()]));
    let given = resolved(&sheet, id, &names, &classes);
    let given = given
        .split("; ")
        .map(|one| one.rsplit_once(" (").map_or(one, |(pair, _)| pair));
    let given = given.filter(|pair| !pair.is_empty()).map(str::to_owned);
    blamed
        .into_iter()
        .chain(given)
        .collect::<Vec<_>>()
        .join("; ")
}
