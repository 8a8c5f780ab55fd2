//! What the documents say about whole pipelines, a small one for each sentence.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fmt::Write;

use attractor_lint::Analysis;
use attractor_model::Severity;

/// A sentence, a pipeline, and its errors and warnings (`rule severity`, by spaces in order).
const SENTENCES: &[(&str, &str, &str)] = &[
    // API reference: start nodes.
    (
        "`start=true` makes the start",
        "digraph { a [start=true, prompt=x]; a -> b; b [terminal=true, prompt=x] }",
        "",
    ),
    (
        "a node named start is the start",
        "digraph { start -> b; b [prompt=x] }",
        "",
    ),
    (
        "`start=true` goes before the name",
        "digraph { start [prompt=x]; a [start=true, prompt=x]; a -> start }",
        "",
    ),
    (
        "without either there is an error",
        "digraph { goal=x; a -> b; a [prompt=x]; b [prompt=x] }",
        "start_node error",
    ),
    (
        "two of one rank are an error",
        "digraph { a [start=true, prompt=x]; b [start=true, prompt=x]; a -> c; b -> c; c [prompt=x] }",
        "start_node error",
    ),
    // API reference: ends.
    (
        "`terminal=true` ends",
        "digraph { start -> a -> b; a [prompt=x, terminal=true]; b [prompt=x] }",
        "exit_no_outgoing warning",
    ),
    (
        "a node without a way on ends",
        "digraph { start -> a; a [prompt=x] }",
        "",
    ),
    (
        "no end at all is an error",
        "digraph { start -> a; a -> b; b -> a [condition=\"x == 1\"]; b -> a; a [prompt=x]; b [prompt=x] }",
        "terminal_node error",
    ),
    // API reference: handlers and what they need.
    (
        "the six handlers are known",
        "digraph { start -> a -> b; a [handler=codergen, prompt=x]; b [handler=human_gate, prompt=x]; b -> c [label=Yes]; b -> c [label=No, priority=1]; c [handler=conditional]; c -> d; d [handler=parallel, branches=\"e,f\"]; d -> e; d -> f; e [handler=tool, command=x]; f [handler=supervisor, sub_pipeline=g]; e -> j; f -> j; j [handler=fan_in] } digraph g { start -> a; a [prompt=x] }",
        "",
    ),
    (
        "another handler is an error",
        "digraph { start -> a; a [handler=magic] }",
        "unknown_handler error",
    ),
    (
        "a tool needs its command",
        "digraph { start -> a; a [handler=tool] }",
        "required_attribute error",
    ),
    (
        "a supervisor needs its pipeline",
        "digraph { start -> a; a [handler=supervisor] }",
        "required_attribute error",
    ),
    // API reference: edges.
    (
        "a condition that cannot be read is an error",
        "digraph { start -> a; a -> b [condition=\"exit_code ==\"]; a -> b; a [prompt=x]; b [prompt=x] }",
        "condition_syntax error",
    ),
    (
        "a node nobody reaches is a warning",
        "digraph { start -> a; a [prompt=x]; lost [prompt=x]; lost -> a }",
        "reachability warning",
    ),
    (
        "a cycle without a supervisor is a warning when nothing ends it",
        "digraph { start -> a -> b -> a; a [prompt=x]; b [prompt=x]; done [shape=Msquare] }",
        "cycle warning reachability warning",
    ),
    (
        "a cycle through a supervisor is none",
        "digraph { start -> a -> b; b -> a; b -> c; a [handler=supervisor, sub_pipeline=g]; b [prompt=x]; c [prompt=x] } digraph g { start -> a; a [prompt=x] }",
        "",
    ),
    (
        "priorities order edges and an edge without a condition is left over",
        "digraph { start -> review; review [prompt=x]; review -> done [condition=\"tests_passed == true\", priority=1]; review -> fix [condition=\"tests_passed == false\", priority=2]; review -> done; fix [prompt=x]; done [shape=Msquare]; fix -> done }",
        "",
    ),
    // Graph workflows: the bug fix.
    (
        "the bug fix workflow",
        "digraph bugfix { start -> reproduce; reproduce [prompt=x, verify=any_output]; gather_context [prompt=x, verify=any_output]; isolate [prompt=x, verify=any_output]; fix [prompt=x, verify=any_output, max_retries=2]; test [command=x, verify=\"output_not_contains:error\"]; verify_no_regression [prompt=x, verify=any_output]; escalate_stuck [handler=escalate, reason=x, pace_level=contingent]; done [handler=exit]; reproduce -> isolate [condition=on_success]; reproduce -> gather_context [condition=on_fail]; gather_context -> reproduce [condition=on_success]; gather_context -> escalate_stuck [condition=on_fail]; isolate -> fix [condition=always]; fix -> test [condition=on_success]; fix -> escalate_stuck [condition=on_exhaust]; test -> verify_no_regression [condition=on_success]; test -> fix [condition=on_fail]; verify_no_regression -> done [condition=always] }",
        "",
    ),
];

#[test]
fn every_sentence_about_pipelines() {
    let mut wrong = String::new();
    for (sentence, text, expected) in SENTENCES {
        let found = Analysis::of_text(text).diagnostics;
        let mut loud: Vec<String> = found
            .iter()
            .filter(|found| matches!(found.severity, Severity::Error | Severity::Warning))
            .map(|found| format!("{} {}", found.rule, found.severity.name()))
            .collect();
        loud.sort();
        let loud = loud.join(" ");
        if loud != *expected {
            writeln!(wrong, "{sentence}: found `{loud}`, expected `{expected}`").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
