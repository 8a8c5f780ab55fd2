//! Values of attributes.

use expect_test::expect;

use super::{check, items};

#[test]
fn values_follow_the_type() {
    check(
        "digraph { a [handler=$0] }",
        expect![[r#"
            codergen                 Runs the coding agent on a prompt.
            tool                     Runs a shell command.
            human_gate               Asks a person and waits for the answer.
            conditional              Routes by its edges and does nothing itself.
            parallel                 Runs branches concurrently.
            "parallel.fan_in"        Joins the results of a preceding parallel node.
            start                    Where a run begins.
            exit                     Where a run ends.
        "#]],
    );
    check(
        "digraph { a [handler=\"hum$0",
        expect![[r#"
            codergen                 Runs the coding agent on a prompt.
            tool                     Runs a shell command.
            human_gate               Asks a person and waits for the answer.
            conditional              Routes by its edges and does nothing itself.
            parallel                 Runs branches concurrently.
            parallel.fan_in          Joins the results of a preceding parallel node.
            start                    Where a run begins.
            exit                     Where a run ends.
        "#]],
    );
    check(
        "digraph { a [shape=$0] }",
        expect![[r#"
            box                      Runs the coding agent on a prompt. · codergen
            diamond                  Routes by its edges and does nothing itself. · conditional
            Msquare                  Where a run ends. · exit
            Mdiamond                 Where a run begins. · start
            parallelogram            Runs a shell command. · tool
            hexagon                  Asks a person and waits for the answer. · human_gate
            tab                      One model call, no tools. · prompt
            component                Runs branches concurrently. · parallel
        "#]],
    );
    check(
        "digraph { goal=x; a [goal_gate=$0] }",
        expect![[r#"
            true                     Yes.
            false                    No.
            outcome                  Outcome of the last node: `success`, `partial_success`, `fai
            preferred_label          The edge label the last node asked for. · string
            current_node             The current node. · string
            last_stage               The node that ran last. · string
            "graph.goal"             The graph's goal. · string
            failure_class            What kind of failure it was: `transient_infra`, `budget_exha
        "#]],
    );
    check(
        "digraph { goal=x; a [timeout=$0] }",
        expect![[r#"
            "30s"                    half a minute
            "1m"                     a minute
            "5m"                     five minutes
            "10m"                    ten minutes
            "15m"                    a quarter of an hour
            "20m"                    twenty minutes
            "30m"                    half an hour
            "1h"                     an hour
        "#]],
    );
    check(
        "digraph { goal=x; a [prompt=x, reasoning_effort=$0] }",
        expect![[r#"
            high                     Think long.
            low                      Answer quickly.
            medium                   Think a while.
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
            claude-fable-5-1         Anthropic, for the longest work, earlier. · anthropic
            claude-mythos-5-2        Anthropic, the Mythos family. · anthropic
            claude-opus-5            Anthropic, large, earlier. · anthropic
            claude-sonnet-5          Anthropic, everyday, earlier. · anthropic
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
            LR                       Left to right.
            TB                       Top to bottom.
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

#[test]
fn providers_are_offered_with_their_aliases_last() {
    check(
        "digraph { goal=x; a [prompt=y, provider=$0] }",
        expect![[r#"
            anthropic                Claude models.
            openai                   GPT models.
            google                   Gemini models.
            gemini                   Gemini models. · google
            "openai-compatible"      A server with OpenAI's chat completions API.
        "#]],
    );
    for provider in ["google", "gemini", "Google"] {
        let fixture = format!("digraph {{ goal=x; a [prompt=y, provider={provider}, model=$0] }}");
        let items = items(&fixture);
        let first = items.first().map(|item| item.label.as_str());
        assert_eq!(first, Some("gemini-4-argon"), "{provider}");
    }
}
