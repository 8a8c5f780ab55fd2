//! Values of attributes.

use expect_test::expect;

use super::check;

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
