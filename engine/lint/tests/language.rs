//! The meaning of the language, sentence by sentence: a pipeline for each, and everything the validator says of it.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

use std::fmt::Write;

use attractor_lint::Analysis;

/// Rules that nearly every small pipeline violates; a line names it when it is what the line is about.
const USUAL: &[&str] = &["implicit_node hint"];

/// The ends of a pipeline, for lines that are about something else.
const ENDS: &str = "start [shape=Mdiamond]; done [shape=Msquare];";

/// A sentence; statements of a digraph with a start and an end, or a whole file; its findings (`rule severity`).
const SENTENCES: &[(&str, &str, &str)] = &[
    // Values.
    (
        "booleans in any case and spelling",
        "start -> a -> done; a [prompt=x, goal_gate=YES, retry_target=a, auto_status=0]",
        "",
    ),
    (
        "no other word is a boolean",
        "start -> a -> done; a [prompt=x, auto_status=perhaps]",
        "attribute_value error",
    ),
    (
        "a gate in words is kept, a typo of `true` is not",
        "start -> a -> done; a [prompt=x, goal_gate=ture]",
        "attribute_value error",
    ),
    (
        "a gate in words is nobody's gate",
        "start -> a -> done; a [prompt=x, goal_gate=\"all tests pass\"]",
        "attribute_value info",
    ),
    (
        "integers have a range",
        "start -> a -> done; a [prompt=x, max_retries=-1]",
        "attribute_value error",
    ),
    (
        "integers are whole",
        "start -> a -> done; a [prompt=x, max_retries=1.5]",
        "attribute_value error",
    ),
    (
        "floats have a range",
        "start -> a -> done; a [prompt=x, temperature=2.1]",
        "attribute_value error",
    ),
    (
        "durations have units",
        "start -> a -> done; a [prompt=x, timeout=\"5 minutes\"]",
        "attribute_value error",
    ),
    (
        "bare numbers are seconds",
        "start -> a -> done; a [prompt=x, timeout=900]",
        "",
    ),
    (
        "words of a list in any case",
        "start -> a -> done; a [prompt=x, fidelity=FULL, reasoning_effort=High, retry_policy=Standard]",
        "",
    ),
    (
        "did you mean, for words",
        "start -> a -> done; a [prompt=x, fidelity=ful]",
        "attribute_value error",
    ),
    (
        "a node of the same graph",
        "start -> a -> done; a [prompt=x, retry_target=strat]",
        "retry_target_exists error",
    ),
    (
        "a list of nodes",
        "start -> a -> done; a [prompt=x]; goal_required_nodes=\"a, zz\"",
        "unknown_branch error",
    ),
    (
        "unquoted dotted keys, durations and names",
        "start -> g; g [shape=hexagon, human.default_choice=b, timeout=900s]; g -> b; g -> done; b [prompt=x, model=gpt-5.4, fidelity=summary:low]; b -> done",
        "",
    ),
    // Defaults.
    (
        "defaults reach what is declared after them",
        "a [prompt=x]; node [prompt=y]; b; start -> a -> b -> done",
        "",
    ),
    (
        "defaults of a subgraph do not leak",
        "subgraph { node [prompt=y]; b } a []; start -> a -> b -> done",
        "prompt_missing warning",
    ),
    // Dialects.
    (
        "`house` is a human gate in one dialect",
        "// attractor: dialect=samueljklee
digraph { start -> a; a [shape=house]; a -> b [label=Yes]; a -> c [label=No]; b [prompt=x]; c [prompt=x] }",
        "",
    ),
    (
        "a hexagon supervises in it",
        "// attractor: dialect=samueljklee
digraph { start -> a -> b; a [shape=hexagon]; b [prompt=x] }",
        "required_attribute error",
    ),
    (
        "circles are ends in another",
        "// attractor: dialect=kilroy
digraph { goal=x; a [shape=circle]; b [shape=doublecircle]; a -> c -> b; c [prompt=x] }",
        "",
    ),
    (
        "a tab is a sub-pipeline in a third",
        "// attractor: dialect=tracker
digraph { start -> a -> b; a [shape=tab]; b [prompt=x] }",
        "required_attribute error",
    ),
    (
        "which calls it subgraph_ref",
        "digraph { start -> a -> b; a [shape=tab, subgraph_ref=g]; b [prompt=x] } digraph g { start -> x; x [prompt=x] }",
        "",
    ),
    // Kinds.
    (
        "handler before type before shape",
        "start -> a -> done; a [handler=tool, type=codergen, shape=hexagon, command=ls]",
        "duplicate_attribute warning",
    ),
    (
        "what a box carries",
        "start -> a -> done; a [shape=box, command=ls]",
        "",
    ),
    (
        "branches make it parallel",
        "start -> a -> j -> done; a [branches=\"b, c\"]; b [prompt=x]; c [prompt=x]; b -> j; c -> j; j [shape=tripleoctagon]",
        "",
    ),
    (
        "so does the other name of branches",
        "start -> a -> j -> done; a [parallel_targets=\"b, c\"]; b [prompt=x]; c [prompt=x]; b -> j; c -> j; j [shape=tripleoctagon]",
        "",
    ),
    (
        "a branch is a node",
        "start -> a -> done; a [branches=\"b, cc\"]; b [prompt=x]; b -> done",
        "unknown_branch error",
    ),
    (
        "a duration alone waits",
        "start -> a -> done; a [duration=5s]",
        "",
    ),
    (
        "with a prompt it is an agent",
        "start -> a -> done; a [duration=5s, prompt=x]",
        "inapplicable_attribute warning",
    ),
    (
        "a wait needs a duration",
        "start -> a -> done; a [shape=insulator]",
        "required_attribute error",
    ),
    (
        "a tool needs a command",
        "start -> a -> done; a [shape=parallelogram]",
        "required_attribute error",
    ),
    (
        "an inherited shape decides last",
        "node [shape=parallelogram]; a [command=ls]; b; start -> a -> b -> done",
        "required_attribute error",
    ),
    (
        "unknown handlers are errors",
        "start -> a -> done; a [handler=codgen, prompt=x]",
        "unknown_handler error",
    ),
    (
        "unknown types too",
        "start -> a -> done; a [type=\"my.thing\", prompt=x]",
        "unknown_handler error",
    ),
    (
        "a loop needs its id",
        "start -> a -> w -> b -> done; a [shape=trapezium, loop_max=2]; w [prompt=x]; b [shape=invtrapezium, loop_id=l]",
        "required_attribute error",
    ),
    (
        "levels are words of a list",
        "start -> a; a [prompt=x]; a -> done; a -> e [condition=on_fail]; e [shape=octagon, pace_level=contingnt]",
        "attribute_value error",
    ),
    (
        "a checkpoint needs no name",
        "start -> a -> c -> done; a [prompt=x]; c [shape=cylinder]",
        "",
    ),
    (
        "two starts of one rank",
        "digraph { a [shape=Mdiamond]; b [shape=Mdiamond]; a -> c; b -> c; c [prompt=x] }",
        "start_node error",
    ),
    (
        "a start by name in any case",
        "digraph { START -> a; a [prompt=x] }",
        "",
    ),
    (
        "no end at all",
        "digraph { start -> a -> b -> a; a [prompt=x]; b [prompt=x] }",
        "cycle warning terminal_node error",
    ),
    (
        "a run ends at a terminal node, so nothing goes round through it",
        "start -> a -> done -> a; a [prompt=x]",
        "exit_no_outgoing warning",
    ),
    (
        "nor through itself",
        "start -> a -> done -> done; a [prompt=x]",
        "exit_no_outgoing warning",
    ),
    // Attributes.
    (
        "a near miss of a name",
        "start -> a -> done; a [prompt=x, timout=5s]",
        "unknown_attribute warning",
    ),
    (
        "a near miss on an edge",
        "start -> a; a -> done [conditon=\"x=1\"]; a [prompt=x]",
        "unknown_attribute warning",
    ),
    (
        "a near miss on the graph",
        "gaol=x; start -> a -> done; a [prompt=x]",
        "unknown_attribute warning",
    ),
    (
        "unknown names are kept",
        "start -> a -> done; a [prompt=x, ticket=\"T-1\", customer.name=x]",
        "",
    ),
    (
        "newer Fabro routes by what a command prints",
        "start -> a; a [shape=parallelogram, script=ls, output_schema=routing]; a -> done [condition=\"context.ready=true\"]; a -> b; b [prompt=x]; b -> done",
        "",
    ),
    (
        "a schema that is none",
        "start -> a -> done; a [prompt=x, output_schema=rooting]",
        "attribute_value error",
    ),
    (
        "a schema of a wrong type",
        "start -> a -> done; a [prompt=x, output_schema=\"{\\\"type\\\": \\\"objct\\\"}\"]",
        "attribute_value error",
    ),
    // Routing.
    (
        "an outcome without an edge",
        "start -> a; a -> b [condition=\"outcome=fail\"]; b -> done; a [prompt=x]",
        "condition_coverage warning",
    ),
    (
        "the same by a keyword",
        "start -> a; a -> b [condition=on_fail]; b -> done; a [prompt=x]",
        "condition_coverage warning",
    ),
    (
        "one way on, for success, is like a plain edge",
        "start -> a; a -> done [condition=\"outcome=success\"]; a [prompt=x]",
        "",
    ),
    (
        "an edge without a condition is left over",
        "start -> a; a -> done [condition=on_success]; a -> b; a [prompt=x]; b [prompt=x]; b -> done",
        "",
    ),
    (
        "two edges that can both be taken",
        "start -> a; a -> done [condition=\"outcome=success\"]; a -> b [condition=\"outcome!=fail\"]; a -> b [condition=on_fail]; a [prompt=x]; b [prompt=x]; b -> done",
        "condition_conflict info",
    ),
    (
        "a failure that ends well",
        "start -> a; a -> done [condition=on_fail]; a -> b [condition=on_success]; a [prompt=x]; b [prompt=x]; b -> done",
        "fail_routed_to_exit warning",
    ),
    (
        "goals are separated by semicolons outside of texts",
        "start -> a -> done; a [prompt=x]; goal_conditions=\"note != 'a;b'; exit_code == 0\"",
        "",
    ),
    (
        "a goal that cannot be read",
        "start -> a -> done; a [prompt=x]; goal_conditions=\"x == 1; y ==\"",
        "condition_syntax error",
    ),
    // Conditions.
    (
        "no calls",
        "start -> a; a -> done [condition=\"len(x) > 3\"]; a -> done; a [prompt=x]",
        "condition_syntax error",
    ),
    (
        "a status after `==`",
        "start -> a; a -> done [condition=\"outcome == success\"]; a -> b; a [prompt=x]; b [prompt=x]; b -> done",
        "bare_word_compare warning",
    ),
    (
        "a word after `==` that nothing sets",
        "start -> a; a -> done [condition=\"status == ok\"]; a -> b; a [prompt=x]; b [prompt=x]; b -> done",
        "bare_word_compare warning",
    ),
    (
        "a key after `==` that something sets",
        "vars=best; start -> a; a -> done [condition=\"score == best\"]; a -> b; a [prompt=x]; b [prompt=x]; b -> done",
        "",
    ),
    (
        "keywords have near misses",
        "start -> a; a -> done [condition=on_sucess]; a -> b; a [prompt=x]; b [prompt=x]; b -> done",
        "unknown_key warning",
    ),
    (
        "and other names",
        "start -> a; a -> done; a -> b [condition=on_failure]; a [prompt=x]; b [prompt=x]; b -> done",
        "unknown_key warning",
    ),
    (
        "a status alone is a key",
        "start -> a; a -> done [condition=success]; a -> b; a [prompt=x]; b [prompt=x]; b -> done",
        "unknown_key warning",
    ),
    (
        "so is `else`",
        "start -> a; a -> done [condition=on_success]; a -> b [condition=else]; a [prompt=x]; b [prompt=x]; b -> done",
        "condition_conflict info unknown_key warning",
    ),
    (
        "unless the pipeline sets it",
        "start -> a; a -> done [condition=success]; a -> b; a [prompt=x, writes=success]; b [prompt=x]; b -> done",
        "",
    ),
    (
        "a condition that never holds",
        "start -> a; a -> done; a -> b [condition=\"1 == 2\"]; a [prompt=x]; b [prompt=x]; b -> done",
        "condition_constant warning",
    ),
    (
        "a typo of a status",
        "start -> a; a -> done [condition=\"outcome=sucess\"]; a -> b [condition=on_fail]; a [prompt=x]; b [prompt=x]; b -> done",
        "condition_constant warning",
    ),
    (
        "a status of one's own",
        "start -> a; a -> done [condition=\"outcome=needs_dod\"]; a -> b; a [prompt=x]; b [prompt=x]; b -> done",
        "",
    ),
    (
        "a loop with one end",
        "start -> w -> b -> done; w [prompt=x]; b [shape=invtrapezium, loop_id=l, loop_max=2]",
        "required_attribute warning",
    ),
    (
        "a loop that nothing sends round",
        "start -> a -> w -> b -> done; a [shape=trapezium, loop_id=l]; w [prompt=x]; b [shape=invtrapezium, loop_id=l]",
        "required_attribute warning",
    ),
    (
        "a counted loop",
        "start -> a -> w -> b -> done; a [shape=trapezium, loop_id=l, loop_max=2]; w [prompt=x]; b [shape=invtrapezium, loop_id=l]",
        "",
    ),
    // Templates.
    (
        "a near miss of a key",
        "vars=branch; start -> a -> done; a [prompt=\"do {brnch}\"]",
        "unknown_key info",
    ),
    (
        "a filter that is none",
        "vars=branch; start -> a -> done; a [shape=parallelogram, command=\"echo {branch|RAW}\"]",
        "template_syntax error",
    ),
    (
        "raw is a risk",
        "vars=branch; start -> a -> done; a [shape=parallelogram, command=\"echo {branch|raw}\"]",
        "raw_interpolation warning",
    ),
    (
        "json, shell and awk are left alone",
        "start -> a -> done; a [prompt=\"{\\\"a\\\": 1} ${X:-y} {print $1} $HOME\"]",
        "",
    ),
    // Stylesheets.
    (
        "a property that is nearly one",
        "start -> a -> done; a [prompt=x]; model_stylesheet=\"* { modle: x; }\"",
        "unknown_attribute warning",
    ),
    (
        "a value of the wrong type",
        "start -> a -> done; a [prompt=x]; model_stylesheet=\"* { temperature: hot; }\"",
        "attribute_value error",
    ),
    (
        "any attribute's name",
        "start -> a -> done; a [prompt=x]; model_stylesheet=\"* { timeout: 5m; max_turns: 3; my_own: x; llm_model: y; retries: 2 }\"",
        "",
    ),
    (
        "rules nobody matches",
        "start -> a -> done; a [prompt=x]; model_stylesheet=\".hard { model: x; } #b { model: y; }\"",
        "selector_unmatched hint selector_unmatched hint",
    ),
    (
        "classes no rule asks for",
        "start -> a -> done; a [prompt=x, class=\"hard other\"]; model_stylesheet=\".hard { model: x; }\"",
        "unused_class hint",
    ),
    (
        "a class one letter away from one that a rule asks for",
        "start -> a -> done; a [prompt=x, class=\"hard hrad\"]; model_stylesheet=\".hard { model: x; }\"",
        "unused_class warning",
    ),
    (
        "labels of subgraphs are classes",
        "subgraph cluster_a { label=\"Loop A\"; a [prompt=x] } start -> a -> done; model_stylesheet=\".loop-a { model: x; }\"",
        "",
    ),
    (
        "a rule for no shape and no kind",
        "start -> a -> done; a [prompt=x]; model_stylesheet=\"node[shape=box] { model: x }\"",
        "selector_unmatched hint",
    ),
    (
        "a semicolon that is missing on one line",
        "start -> a -> done; a [prompt=x]; model_stylesheet=\"* { model: x provider: y }\"",
        "stylesheet_syntax error",
    ),
    // Human gates.
    (
        "two choices with one key",
        "start -> g; g [shape=hexagon]; g -> a [label=\"[A] Yes\"]; g -> done [label=\"[A] No\"]; a [prompt=x]; a -> done",
        "human_gate_choices warning",
    ),
    (
        "one choice is none",
        "start -> g; g [shape=hexagon]; g -> done [label=\"[A] Yes\"]",
        "human_gate_choices warning",
    ),
    (
        "an edge nobody can choose",
        "start -> g; g [shape=hexagon]; g -> a [label=Yes]; g -> done; a [prompt=x]; a -> done",
        "human_gate_choices warning",
    ),
    (
        "a default that is not a choice",
        "start -> g; g [shape=hexagon, human.default_choice=Maybe]; g -> a [label=\"[Y] Yes\"]; g -> done [label=\"N) No\"]; a [prompt=x]; a -> done",
        "human_gate_choices warning",
    ),
    (
        "a default by label",
        "start -> g; g [shape=hexagon, human.default_choice=yes]; g -> a [label=\"[Y] Yes\"]; g -> done [label=\"N) No\"]; a [prompt=x]; a -> done",
        "",
    ),
    (
        "a default by key",
        "start -> g; g [shape=hexagon, default_choice=N]; g -> a [label=\"[Y] Yes\"]; g -> done [label=\"N) No\"]; a [prompt=x]; a -> done",
        "",
    ),
    (
        "a default by node",
        "start -> g; g [shape=hexagon, human_default_choice=done]; g -> a [label=\"[Y] Yes\"]; g -> done [label=\"N - No\"]; a [prompt=x]; a -> done",
        "",
    ),
    (
        "ways past a gate",
        "start -> a; a -> g [condition=\"x=1\"]; a -> b [condition=\"x=2\"]; g [shape=hexagon]; g -> b [label=Yes]; g -> done [label=No]; a [prompt=x]; b [prompt=x]; b -> done",
        "gate_can_be_bypassed info",
    ),
    // Graph workflows.
    (
        "a check that is none",
        "start -> a -> done; a [prompt=x, verify=\"output_contain:x\"]",
        "attribute_value error",
    ),
    (
        "a check of JSON that cannot be read",
        "start -> a -> done; a [prompt=x, verify=\"json:x ==\"]",
        "condition_syntax error",
    ),
    // Rules paid for.
    (
        "a masked exit code that is routed on",
        "start -> a; a -> done [condition=on_success]; a -> b [condition=on_fail]; b [prompt=x]; b -> done; a [shape=parallelogram, command=\"make test | tee log\"]",
        "masked_exit_code warning",
    ),
    (
        "one that is not",
        "start -> a -> done; a [shape=parallelogram, command=\"make test || true\"]",
        "",
    ),
    (
        "a shell that cannot be read",
        "start -> a -> done; a [shape=parallelogram, command=\"if true; then echo\"]",
        "shell_syntax warning",
    ),
    (
        "limits below a timeout",
        "max_pipeline_duration=5m; start -> a -> done; a [prompt=x, timeout=10m]",
        "timeout_order warning",
    ),
    (
        "a stall is silence: only what says nothing can stall",
        "stall_timeout=5m; start -> a -> b -> done; a [prompt=x, timeout=10m]; b [shape=parallelogram, command=\"make -s > /dev/null 2>&1\", timeout=10m]",
        "timeout_order warning",
    ),
    (
        "a thread without full fidelity",
        "start -> a -> done; a [prompt=x, thread_id=t]",
        "fidelity_thread info",
    ),
    (
        "a pipeline in itself",
        "digraph g { start -> a; a [sub_pipeline=g] }",
        "sub_pipeline_cycle error",
    ),
    (
        "declared nodes only, where that is asked",
        "// attractor: strict-nodes
digraph { start; a [prompt=x]; start -> a -> b }",
        "edge_target_exists error",
    ),
    (
        "a typo in an edge",
        "digraph { start; review [prompt=x]; start -> reveiw }",
        "implicit_node warning",
    ),
    (
        "one error, one message: twice the same edge",
        "start -> a -> done; a -> done; a [prompt=x]",
        "duplicate_edge warning",
    ),
    (
        "twice the same attribute",
        "start -> a -> done; a [prompt=x, prompt=y]",
        "duplicate_attribute warning",
    ),
];

#[test]
fn every_sentence() {
    let mut wrong = String::new();
    for (sentence, text, expected) in SENTENCES {
        let whole = if text.contains("digraph ") {
            (*text).to_owned()
        } else {
            format!("digraph {{ {ENDS} {text} }}")
        };
        let found = findings(&whole);
        let words: Vec<&str> = expected.split_whitespace().collect();
        let wanted: Vec<String> = words.chunks(2).map(|pair| pair.join(" ")).collect();
        let found: Vec<String> = found
            .into_iter()
            .filter(|name| wanted.contains(name) || !USUAL.contains(&name.as_str()))
            .collect();
        if found != wanted {
            writeln!(
                wrong,
                "{sentence}: found {found:?}, expected {wanted:?}\n    {whole}"
            )
            .unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Everything said about a file, as `rule severity`, sorted.
fn findings(text: &str) -> Vec<String> {
    let found = Analysis::of_text(text).diagnostics;
    let mut names: Vec<String> = found
        .iter()
        .map(|found| format!("{} {}", found.rule, found.severity.name()))
        .collect();
    names.sort();
    names
}
