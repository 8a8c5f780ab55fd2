//! What is offered where: a text with `$0`, and the best items as `text · detail · note`.

use attractor_dot::{Edit, apply};
use attractor_model::Files;
use expect_test::{Expect, expect};

use super::{Item, complete, documentation};
use crate::fixture::{Folder, cursor};

const FILES: Folder = Folder(&[
    ("release.dot", ""),
    ("prompts/plan.md", ""),
    ("prompts/review.md", ""),
    (".git/config", ""),
]);

#[track_caller]
fn items(fixture: &str) -> Vec<Item> {
    let (doc, offset) = cursor(fixture);
    complete(&doc, offset, &FILES as &dyn Files).items
}

/// The first eight items: what is inserted, and what stands beside it.
#[track_caller]
fn check(fixture: &str, expect: Expect) {
    let lines: Vec<String> = items(fixture).iter().take(8).map(line).collect();
    expect.assert_eq(&(lines.join("\n") + "\n"));
}

fn line(item: &Item) -> String {
    let text = item
        .snippet
        .as_ref()
        .unwrap_or(&item.text)
        .replace('\n', "⏎");
    let beside = [item.detail.as_deref(), item.note.as_deref()];
    let beside: Vec<&str> = beside.into_iter().flatten().collect();
    let text: String = text.chars().take(60).collect();
    let beside: String = beside.join(" · ").chars().take(60).collect();
    format!("{text:24} {beside}").trim_end().to_owned()
}

/// The text after the item that inserts `label` was accepted, overwriting the word.
#[track_caller]
fn accept(fixture: &str, label: &str, expect: Expect) {
    let (doc, offset) = cursor(fixture);
    let items = complete(&doc, offset, &FILES).items;
    let item = items.iter().find(|item| item.label == label).unwrap();
    expect.assert_eq(&apply(
        &doc.text,
        &[Edit::replace(item.replace, item.text.clone())],
    ));
}

#[test]
fn names_of_attributes_follow_the_node_kind_missing_required_ones_first() {
    check(
        "digraph { goal=x; t [shape=parallelogram, $0] }",
        expect![[r#"
            command="$0"             required · shell command (template)
            output_schema="$0"       JSON Schema
            output_key="$0"          context key
            parse_json=$0            boolean
            working_dir="$0"         path
            timeout="$0"             duration
            env.${1:name}="$0"       template
            tool_env="$0"            string
        "#]],
    );
    check(
        "digraph { goal=x; w [handler=wait, du$0",
        expect![[r#"
        duration="$0"            required · duration
        label="$0"               string
        shape=$0                 shape
        class="$0"               classes
        start=$0                 boolean
        terminal=$0              boolean
        timeout="$0"             duration
        idempotent=$0            boolean
    "#]],
    );
    check(
        "digraph { goal=x; a -> b [$0] }",
        expect![[r#"
        condition="$0"           condition
        label="$0"               string
        priority=$0              integer
        weight=$0                integer
        loop_restart=$0          boolean
        freeform=$0              boolean
        description="$0"         string
        max_visits=$0            integer
    "#]],
    );
    check(
        "digraph { goal=x; node [$0] }",
        expect![[r#"
        handler=$0               node kind
        label="$0"               string
        shape=$0                 shape
        class="$0"               classes
        start=$0                 boolean
        terminal=$0              boolean
        timeout="$0"             duration
        idempotent=$0            boolean
    "#]],
    );
    check(
        "digraph { goal=x; $0 }",
        expect![[r#"
        ${1:review} [shape=hexagon, prompt="${2:Approve this step?}" a question and the ways out
        ${1:fix} [prompt="${2:Make the tests pass. Output so far: {s do, check, do again, give up
        ${1:fan} [shape=component]⏎${2:gather} [shape=tripleoctagon] branches and their join
        ${1:check} [shape=diamond]⏎${1:check} -> ${2:next} [conditio a way for success and one for failure
        ${1:work} -> ${2:stuck} [condition="on_exhaust"]⏎${2:stuck}  hand over when tries are used up
        ${1:implement} [prompt="$2"]$0 Runs the coding agent on a prompt.
        ${1:summary} [shape=tab, prompt="$2"]$0 One model call, no tools.
        ${1:test} [shape=parallelogram, command="$2"]$0 Runs a shell command.
    "#]],
    );
    check(
        "graph { a -- b [$0] }",
        expect![[r#"
        URL="$0"                 Graphviz address
        arrowhead=$0             Graphviz arrow
        arrowsize=$0             Graphviz number
        arrowtail=$0             Graphviz arrow
        class="$0"               Graphviz string
        color=$0                 Graphviz colours
        colorscheme="$0"         Graphviz string
        comment="$0"             Graphviz string
    "#]],
    );
}

#[test]
fn attributes_in_the_list_are_not_offered_again() {
    let all = items("digraph { t [shape=parallelogram, command=\"make\", $0] }");
    assert!(
        !all.iter()
            .any(|item| item.label == "command" || item.label == "shape")
    );
    let own = items("digraph { t [shape=parallelogram, tool_comm$0and=\"make\"] }");
    assert!(own.iter().any(|item| item.label == "command"));
}

#[test]
fn values_follow_the_type() {
    check(
        "digraph { a [handler=$0] }",
        expect![[r#"
        codergen                 Runs the coding agent on a prompt.
        prompt                   One model call, no tools.
        tool                     Runs a shell command.
        human_gate               Asks a person and waits for the answer.
        conditional              Routes by its edges and does nothing itself.
        parallel                 Runs branches concurrently.
        "parallel.fan_in"        Gathers the results of a parallel node before it.
        supervisor               Runs a sub-pipeline again and again until it is done.
    "#]],
    );
    check(
        "digraph { a [handler=\"hum$0",
        expect![[r#"
        codergen                 Runs the coding agent on a prompt.
        prompt                   One model call, no tools.
        tool                     Runs a shell command.
        human_gate               Asks a person and waits for the answer.
        conditional              Routes by its edges and does nothing itself.
        parallel                 Runs branches concurrently.
        parallel.fan_in          Gathers the results of a parallel node before it.
        supervisor               Runs a sub-pipeline again and again until it is done.
    "#]],
    );
    check(
        "digraph { a [shape=$0] }",
        expect![[r#"
        box                      Runs the coding agent on a prompt. · codergen
        tab                      One model call, no tools. · prompt
        note                     One model call, no tools. · prompt
        parallelogram            Runs a shell command. · tool
        hexagon                  Asks a person and waits for the answer. · human_gate
        diamond                  Routes by its edges and does nothing itself. · conditional
        component                Runs branches concurrently. · parallel
        pentagon                 Runs branches concurrently. · parallel
    "#]],
    );
    check(
        "digraph { goal=x; a [goal_gate=$0] }",
        expect![[r#"
        outcome                  How the last node went: `success`, `partial_success`, `fail`
        true                     Yes.
        false                    No.
        on_success               The node before succeeded, or partly.
        on_fail                  The node before failed.
        on_retry                 The node before failed and has tries left.
        on_exhaust               The node before failed and has no tries left.
        always                   True.
    "#]],
    );
    check(
        "digraph { goal=x; a [timeout=$0] }",
        expect![[r#"
        "30s"                    half a minute
        "1m"                     a minute
        "5m"                     five minutes
        "15m"                    a quarter of an hour
        "30m"                    half an hour
        "1h"                     an hour
        "2h"                     two hours
        "1d"                     a day
    "#]],
    );
    check(
        "digraph { goal=x; a [prompt=x, reasoning_effort=$0] }",
        expect![[r#"
        low                      Answer quickly.
        medium                   Think a while.
        high                     Think long.
        xhigh                    Think as long as the model can.
    "#]],
    );
    check(
        "digraph { goal=x; a [prompt=x, model=\"$0\"] }",
        expect![[r#"
        claude-opus-5-5          Anthropic's large model. · anthropic
        claude-sonnet-5-5        Anthropic's everyday model. · anthropic
        claude-haiku-5-5         Anthropic's fast model. · anthropic
        claude-fable-5-2         Anthropic, for the longest work. · anthropic
        claude-opus-4-6          Anthropic, large, legacy. · anthropic
        claude-sonnet-4-6        Anthropic, everyday, legacy. · anthropic
        claude-haiku-4-5         Anthropic, fast, legacy. · anthropic
        gpt-6-astra              OpenAI's largest. · openai
    "#]],
    );
    check(
        "digraph { a [color=$0] }",
        expect![[r#"
        black
        white
        gray
        lightgray
        darkgray
        red
        darkred
        tomato
    "#]],
    );
    check(
        "digraph { rankdir=$0 }",
        expect![[r#"
        TB                       Top to bottom.
        LR                       Left to right.
        BT                       Bottom to top.
        RL                       Right to left.
    "#]],
    );
}

#[test]
fn nodes_after_an_arrow_and_in_attributes() {
    check(
        "digraph { goal=x; a -> b; c [label=\"Sea\"]; a -> $0 }",
        expect![[r#"
        c                        Sea · codergen
        b                        codergen
        a                        codergen
        { $0 }                   several nodes
    "#]],
    );
    check(
        "digraph { goal=x; a -> b; a -> {b $0} }",
        expect![[r#"
        b                        codergen
        a                        codergen
        { $0 }                   several nodes
    "#]],
    );
    check(
        "digraph { goal=x; a; b; \"c d\"; a [retry_target=$0] }",
        expect![[r#"
        a                        codergen
        b                        codergen
        "c d"                    codergen
    "#]],
    );
    check(
        "digraph { goal=x; a; b; c; p [shape=component, branches=\"a, $0\"] }",
        expect![[r#"
        a                        codergen
        b                        codergen
        c                        codergen
        p                        parallel
    "#]],
    );
    check(
        "digraph { r [shape=record, label=\"<in> x | <out> y\"]; r:$0 }",
        expect![[r#"
        in                       port
        out                      port
        n                        side
        ne                       side
        e                        side
        se                       side
        s                        side
        sw                       side
    "#]],
    );
}

#[test]
fn inside_conditions() {
    let graph = |condition: &str| {
        format!(
            "digraph {{ s [shape=Mdiamond]; t [shape=parallelogram, command=make]; e [shape=Msquare]\n\
             s -> t -> e [condition=\"{condition}\"]; t -> s [label=\"Try again\"] }}"
        )
    };
    check(
        &graph("$0"),
        expect![[r#"
            outcome                  How the last node went: `success`, `partial_success`, `fail`
            on_success               The node before succeeded, or partly.
            on_fail                  The node before failed.
            on_retry                 The node before failed and has tries left.
            on_exhaust               The node before failed and has no tries left.
            always                   True.
            exit_code                set by `t` · integer
            stdout                   set by `t` · string
        "#]],
    );
    check(
        &graph("outcome$0"),
        expect![[r#"
            outcome                  How the last node went: `success`, `partial_success`, `fail`
            on_success               The node before succeeded, or partly.
            on_fail                  The node before failed.
            on_retry                 The node before failed and has tries left.
            on_exhaust               The node before failed and has no tries left.
            always                   True.
            exit_code                set by `t` · integer
            stdout                   set by `t` · string
        "#]],
    );
    check(
        &graph("outcome $0"),
        expect![[r#"
        =                        Equal, leniently: the right side may be a bare word, which i
        ==                       Equal, with types: a bare word on the right side is a contex
        !=                       Not equal. A missing key is not equal to anything but `null`
        <                        Less, for two numbers or two texts.
        <=                       Less or equal.
        >                        Greater.
        >=                       Greater or equal.
        contains                 A text holds another, or a list an item.
    "#]],
    );
    check(
        &graph("outcome=$0"),
        expect![[r#"
        success                  the node did its work
        fail                     the node failed
        partial_success          tries are used up, and what there is counts
        retry                    the node asks to be tried again
        skipped                  the node was left out
    "#]],
    );
    check(
        &graph("outcome == $0"),
        expect![[r#"
            'success'                the node did its work
            'fail'                   the node failed
            'partial_success'        tries are used up, and what there is counts
            'retry'                  the node asks to be tried again
            'skipped'                the node was left out
            outcome                  How the last node went: `success`, `partial_success`, `fail`
            exit_code                set by `t` · integer
            stdout                   set by `t` · string
        "#]],
    );
    check(
        &graph("preferred_label=$0"),
        expect![[r#"
        Try again
    "#]],
    );
    check(
        &graph("outcome=success and $0"),
        expect![[r#"
            outcome                  How the last node went: `success`, `partial_success`, `fail`
            on_success               The node before succeeded, or partly.
            on_fail                  The node before failed.
            on_retry                 The node before failed and has tries left.
            on_exhaust               The node before failed and has no tries left.
            always                   True.
            exit_code                set by `t` · integer
            stdout                   set by `t` · string
        "#]],
    );
}

#[test]
fn only_keys_that_can_be_set_before_are_offered() {
    let has_exit_code = |fixture: &str| items(fixture).iter().any(|item| item.label == "exit_code");
    assert!(has_exit_code(
        "digraph { goal=x; t [shape=parallelogram]; t -> b; b -> c [condition=\"$0\"] }"
    ));
    assert!(!has_exit_code(
        "digraph { goal=x; t [shape=parallelogram]; c -> t; b -> c [condition=\"$0\"] }"
    ));
}

#[test]
fn inside_templates() {
    check(
        "digraph { goal=x; t [shape=parallelogram]; t -> p; p [prompt=\"Fix {std$0\"] }",
        expect![[r#"
            outcome}                 How the last node went: `success`, `partial_success`, `fail`
            exit_code}               set by `t` · integer
            stdout}                  set by `t` · string
            stderr}                  set by `t` · string
            tool.output}             set by `t` · string
            tool.last_line}          set by `t` · string
            tool.exit_code}          set by `t` · integer
            preferred_label}         The edge label the last node asked for. · string
        "#]],
    );
    check(
        "digraph { goal=x; p [prompt=\"Reach $$0\"] }",
        expect![[r#"
            outcome                  How the last node went: `success`, `partial_success`, `fail`
            goal                     The graph's goal.
            preferred_label          The edge label the last node asked for. · string
            current_node             The node that runs. · string
            last_stage               The node that ran last. · string
            graph.goal               The graph's goal. · string
            failure_class            What kind of failure it was: `transient_infra`, `budget_exha
            failure_reason           What went wrong. · string
        "#]],
    );
    check(
        "digraph { goal=x; p [prompt=\"@prompts/$0\"] }",
        expect![[r#"
        plan.md
        review.md
    "#]],
    );
    check(
        "digraph { goal=x; p [prompt=\"$0\"] }",
        expect![[r#"
        {$1\}$0                  The value of a context key; objects as JSON. In commands the
        $goal                    The graph's goal.
        @                        As the whole value: the content of that file, relative to th
    "#]],
    );
    accept(
        "digraph { goal=x; p [prompt=\"Go: {out$0}!\"] }",
        "outcome",
        expect![[r#"digraph { goal=x; p [prompt="Go: {outcome}!"] }"#]],
    );
}

#[test]
fn inside_stylesheets() {
    check(
        "digraph { model_stylesheet=\"$0\"; a [class=fast] }",
        expect![[r#"
        *                        every node
        .fast                    nodes of this class
        codergen                 Runs the coding agent on a prompt.
        prompt                   One model call, no tools.
        tool                     Runs a shell command.
        human_gate               Asks a person and waits for the answer.
        conditional              Routes by its edges and does nothing itself.
        parallel                 Runs branches concurrently.
    "#]],
    );
    check(
        "digraph { model_stylesheet=\".fast { $0 }\"; a [class=fast] }",
        expect![[r#"
        model:                   model
        provider:                provider
        reasoning_effort:        one of
        timeout:                 duration
        temperature:             number
        max_tokens:              integer
        max_retries:             integer
        fidelity:                one of
    "#]],
    );
    check(
        "digraph { model_stylesheet=\"* { model: cl$0 }\" }",
        expect![[r#"
        claude-opus-5-5          Anthropic's large model. · anthropic
        claude-sonnet-5-5        Anthropic's everyday model. · anthropic
        claude-haiku-5-5         Anthropic's fast model. · anthropic
        claude-fable-5-2         Anthropic, for the longest work. · anthropic
        claude-opus-4-6          Anthropic, large, legacy. · anthropic
        claude-sonnet-4-6        Anthropic, everyday, legacy. · anthropic
        claude-haiku-4-5         Anthropic, fast, legacy. · anthropic
        gpt-6-astra              OpenAI's largest. · openai
    "#]],
    );
    check(
        "digraph { model_stylesheet=\"* { reasoning_effort: $0 }\" }",
        expect![[r#"
        low                      Answer quickly.
        medium                   Think a while.
        high                     Think long.
        xhigh                    Think as long as the model can.
    "#]],
    );
}

#[test]
fn other_pipelines_and_files() {
    check(
        "digraph one { goal=x; p [shape=folder, sub_pipeline=$0] }\ndigraph two { goal=y }",
        expect![[r#"
        two                      this file
        "release.dot"
        "prompts/"
    "#]],
    );
}

#[test]
fn statements_and_whole_graphs() {
    check(
        "$0",
        expect![[r#"
        digraph ${1:name} {⏎	goal="${2:What this pipeline is for}"⏎⏎ a pipeline with start and exit
        digraph ${1:name} {⏎	$0⏎}⏎ a directed graph
        graph ${1:name} {⏎	$0⏎}⏎ an undirected graph
        digraph
        graph
        strict
    "#]],
    );
    check(
        "digraph { goal=x; build; b$0 }",
        expect![[r#"
        build                    codergen
        ${1:review} [shape=hexagon, prompt="${2:Approve this step?}" a question and the ways out
        ${1:fix} [prompt="${2:Make the tests pass. Output so far: {s do, check, do again, give up
        ${1:fan} [shape=component]⏎${2:gather} [shape=tripleoctagon] branches and their join
        ${1:check} [shape=diamond]⏎${1:check} -> ${2:next} [conditio a way for success and one for failure
        ${1:work} -> ${2:stuck} [condition="on_exhaust"]⏎${2:stuck}  hand over when tries are used up
        ${1:implement} [prompt="$2"]$0 Runs the coding agent on a prompt.
        ${1:summary} [shape=tab, prompt="$2"]$0 One model call, no tools.
    "#]],
    );
    let labels: Vec<String> = items("digraph { $0 }")
        .iter()
        .map(|item| item.label.clone())
        .collect();
    for wanted in [
        "human gate with edges",
        "retry loop",
        "parallel block",
        "tool node",
        "subgraph",
        "goal",
    ] {
        assert!(
            labels.iter().any(|label| label == wanted),
            "{wanted} is missing in {labels:?}"
        );
    }
}

#[test]
fn nothing_is_offered_where_nothing_belongs() {
    for fixture in [
        "digraph $0 { }",
        "digraph { // co$0\n}",
        "digraph { /* $0 */ }",
        "digraph { subgraph $0 { } }",
        "digraph { a [label=\"x$0\"] }",
        "digraph { a $0 }",
    ] {
        assert_eq!(items(fixture), [], "{fixture}");
    }
}

#[test]
fn accepting_replaces_the_word_and_quotes_where_it_must() {
    accept(
        "digraph { goal=x; \"two words\"; a -> tw$0o }",
        "two words",
        expect![[r#"digraph { goal=x; "two words"; a -> "two words" }"#]],
    );
    accept(
        "digraph { goal=x; \"two words\"; a [retry_target=\"tw$0o\"] }",
        "two words",
        expect![[r#"digraph { goal=x; "two words"; a [retry_target="two words"] }"#]],
    );
    accept(
        "digraph { goal=x; a [reason$0ing_effort=high] }",
        "reasoning_effort",
        expect!["digraph { goal=x; a [reasoning_effort=high] }"],
    );
    accept(
        "digraph { goal=x; a [max_re$0] }",
        "max_retries",
        expect!["digraph { goal=x; a [max_retries=] }"],
    );
    accept(
        "digraph { goal=x; a; b; p [shape=component, branches=\"a, $0b\"] }",
        "a",
        expect![[r#"digraph { goal=x; a; b; p [shape=component, branches="a, a"] }"#]],
    );
    accept(
        "digraph { a -> b [condition=\"outc$0ome = \\\"x\\\"\"] }",
        "outcome",
        expect![[r#"digraph { a -> b [condition="outcome = \"x\""] }"#]],
    );
}

/// Typing a pipeline from the first to the last character: something sensible at each, and never a panic.
#[test]
fn every_prefix_of_a_pipeline_can_be_completed() {
    let text = "digraph p {\n  goal=\"x\"\n  s [shape=Mdiamond]\n  t [shape=parallelogram, command=\"echo {stdout}\", timeout=\"5m\"]\n  s -> t [condition=\"outcome=success and approved\", label=\"[A] ok\"]\n  subgraph c { node [class=\"fast\"] u -> v:w:n }\n  e [shape=Msquare]\n}\n";
    let (mut after_arrow, mut in_list) = (0, 0);
    for end in 0..=text.len() {
        let all = items(&format!("{}$0", &text[..end]));
        after_arrow +=
            usize::from(text[..end].ends_with("-> ") && all.iter().any(|item| item.label == "t"));
        in_list += usize::from(text[..end].ends_with(", ") && !all.is_empty());
        let all = items(&format!("{}$0{}", &text[..end], &text[end..]));
        drop(all);
    }
    assert_eq!((after_arrow, in_list), (2, 3));
}

#[test]
fn thousands_of_nodes_are_cut_down_to_what_was_typed() {
    let nodes: Vec<String> = (0..2_000).map(|number| format!("step_{number};")).collect();
    let nodes = nodes.concat();
    let (doc, offset) = cursor(&format!("digraph {{ {nodes} a -> step_19$0 }}"));
    let found = complete(&doc, offset, &FILES);
    assert!(found.incomplete && found.items.len() <= super::LIMIT);
    assert!(found.items.iter().any(|item| item.label == "step_1999"));
}

#[test]
fn every_item_has_the_page_it_promises() {
    for fixture in [
        "digraph { $0 }",
        "digraph { a [$0] }",
        "digraph { a [handler=$0] }",
        "digraph { a [shape=$0] }",
        "digraph { goal=x; a [prompt=x, model=$0] }",
        "digraph { a -> b [condition=\"$0\"] }",
    ] {
        for item in items(fixture) {
            let page = item.doc.as_deref().map(documentation);
            assert_ne!(page, Some(None), "{} promises {:?}", item.label, item.doc);
        }
    }
    assert_eq!(documentation("nonsense"), None);
    assert_eq!(documentation("attribute/99999"), None);
}
