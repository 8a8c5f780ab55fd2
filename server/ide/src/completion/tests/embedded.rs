//! Inside conditions, templates and stylesheets.

use expect_test::expect;

use super::{accept, check, items};

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
            outcome                  Outcome of the last node: `success`, `partial_success`, `fai
            exit_code                set by `t` · integer
            stdout                   set by `t` · string
            stderr                   set by `t` · string
            tool.output              set by `t` · string
            tool.last_line           set by `t` · string
            tool.exit_code           set by `t` · integer
            preferred_label          The edge label the last node asked for. · string
        "#]],
    );
    check(
        &graph("outcome$0"),
        expect![[r#"
            outcome                  Outcome of the last node: `success`, `partial_success`, `fai
            exit_code                set by `t` · integer
            stdout                   set by `t` · string
            stderr                   set by `t` · string
            tool.output              set by `t` · string
            tool.last_line           set by `t` · string
            tool.exit_code           set by `t` · integer
            preferred_label          The edge label the last node asked for. · string
        "#]],
    );
    check(
        &graph("outcome $0"),
        expect![[r#"
            =                        Equal, leniently: the right side may be a bare word, which i
            ==                       Equal, with types: a bare word on the right side is a contex
            !=                       The negation of `=`: exactly one of `x=3` and `x!=3` is true
            <                        Less. Numbers, and texts that read as one, compare as number
            <=                       Less or equal.
            >                        Greater.
            >=                       Greater or equal.
            contains                 A text contains another, or a list an item.
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
            Try again
            e                        named by the node before
            s                        named by the node before
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
            'Try again'
            'e'                      named by the node before
            's'                      named by the node before
        "#]],
    );
    check(
        &graph("preferred_label=$0"),
        expect![[r#"
            Try again
            e                        named by the node before
            s                        named by the node before
        "#]],
    );
    check(
        &graph("outcome=success and $0"),
        expect![[r#"
            outcome                  Outcome of the last node: `success`, `partial_success`, `fai
            exit_code                set by `t` · integer
            stdout                   set by `t` · string
            stderr                   set by `t` · string
            tool.output              set by `t` · string
            tool.last_line           set by `t` · string
            tool.exit_code           set by `t` · integer
            preferred_label          The edge label the last node asked for. · string
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
            outcome}                 Outcome of the last node: `success`, `partial_success`, `fai
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
            outcome                  Outcome of the last node: `success`, `partial_success`, `fai
            goal                     The graph's goal.
            preferred_label          The edge label the last node asked for. · string
            current_node             The current node. · string
            last_stage               The node that ran last. · string
            failure_class            What kind of failure it was: `transient_infra`, `budget_exha
            failure_reason           The failure reason. · string
            failure_signature        A short name that is the same for the same failure. · string
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
            temperature:             number
            max_tokens:              integer
            timeout:                 duration
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
            claude-fable-5-1         Anthropic, for the longest work, earlier. · anthropic
            claude-mythos-5-2        Anthropic, the Mythos family. · anthropic
            claude-opus-5            Anthropic, large, earlier. · anthropic
            claude-sonnet-5          Anthropic, everyday, earlier. · anthropic
        "#]],
    );
    check(
        "digraph { model_stylesheet=\"* { reasoning_effort: $0 }\" }",
        expect![[r#"
            high                     Think long.
            low                      Answer quickly.
            medium                   Think a while.
            xhigh                    Think as long as the model can.
        "#]],
    );
}
