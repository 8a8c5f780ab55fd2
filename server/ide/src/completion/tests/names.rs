//! Names of attributes.

use expect_test::expect;

use super::{check, items};

#[test]
fn names_of_attributes_follow_the_node_kind_missing_required_ones_first() {
    check(
        "digraph { goal=x; t [shape=parallelogram, $0] }",
        expect![[r#"
            command="$0"             required · shell command (template)
            label="$0"               string
            tool_command="$0"        the same as command · shell command (template)
            script="$0"              the same as command · shell command (template)
            class="$0"               classes
            timeout="$0"             duration
            max_retries=$0           integer
            handler=$0               node kind
        "#]],
    );
    check(
        "digraph { goal=x; w [handler=wait, du$0",
        expect![[r#"
            duration="$0"            required · duration
            max_budget_usd=$0        the same as max_cost · US dollars
        "#]],
    );
    check(
        "digraph { goal=x; a -> b [$0] }",
        expect![[r#"
            condition="$0"           condition
            label="$0"               string
            loop_restart=$0          boolean
            weight=$0                integer
            style=$0                 Graphviz style
            priority=$0              integer
            freeform=$0              boolean
            fidelity=$0              one of
        "#]],
    );
    check(
        "digraph { goal=x; node [$0] }",
        expect![[r#"
            label="$0"               string
            shape=$0                 shape
            fidelity=$0              one of
            class="$0"               classes
            timeout="$0"             duration
            thread_id="$0"           string
            fontname="$0"            Graphviz font
            style=$0                 Graphviz style
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
            label="$0"               Graphviz label
            weight=$0                Graphviz number
            style=$0                 Graphviz style
            color=$0                 Graphviz colours
            constraint=$0            Graphviz boolean
            URL="$0"                 Graphviz address
            arrowhead=$0             Graphviz arrow
            arrowsize=$0             Graphviz number
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
    assert!(own.iter().any(|item| item.label == "tool_command"));
}
