//! Names of attributes.

use expect_test::expect;

use super::{check, items};

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
