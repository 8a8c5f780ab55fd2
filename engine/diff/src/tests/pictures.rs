//! Differences as they are shown.

use expect_test::{Expect, expect};

use super::{differences, drawn};

#[expect(clippy::needless_pass_by_value, reason = "callers write `expect![…]`")]
fn check(old: &str, new: &str, expected: Expect) {
    expected.assert_eq(&drawn(&differences(old, new)));
}

const RELEASE: &str = r#"digraph release {
    goal="Ship it"
    model="claude-sonnet-4-5"
    start [shape=Mdiamond]
    build [shape=parallelogram, command="cargo build --release", timeout=5m]
    review [prompt="Review the diff for bugs", max_turns=10]
    gate [shape=hexagon, prompt="Ship?"]
    done [shape=Msquare]
    start -> build
    build -> review [condition="outcome=success"]
    build -> done [condition="outcome=fail"]
    review -> gate
    gate -> done [label="[Y] Yes"]
    gate -> build [label="[N] No"]
}"#;

/// The release pipeline with replacements.
fn changed(replacements: &[(&str, &str)]) -> String {
    replacements
        .iter()
        .fold(RELEASE.to_owned(), |text, (from, to)| {
            assert!(text.contains(from), "{from}");
            text.replace(from, to)
        })
}

#[test]
fn what_it_may_do_comes_first() {
    let new = changed(&[
        (
            "cargo build --release",
            "cargo build --release && rm -rf old",
        ),
        ("timeout=5m", "timeout=1h, env.MODE=fast"),
        (
            "for bugs\"",
            "for bugs and typos\", allowed_tools=\"read_file, shell\"",
        ),
        ("claude-sonnet-4-5\"", "claude-opus-5-5\"; max_cost=\"$20\""),
    ]);
    check(
        RELEASE,
        &new,
        expect![[r#"
            pipeline release
              What it may do
                ~ build: command
                    cargo build --release{+ && rm -rf old+}
                + build: env.MODE fast
                + review: allowed_tools read_file, shell
                ~ build: timeout 5m → 1h
                + max_cost $20
                ~ model claude-sonnet-4-5 → claude-opus-5-5 (per million tokens: $3 in, $15 out → $4 in, $20 out)
              Nodes
                ~ review: prompt
                    Review the diff for bugs{+ and typos+}
        "#]],
    );
}

#[test]
fn another_layout_changes_nothing() {
    check(
        RELEASE,
        r#"digraph "release" {
    graph [goal="Ship" + " it", "llm_model"="claude-sonnet-4-5"]
    subgraph cluster_end {
        color=red
        done [shape=Msquare, fillcolor=blue]
    }
    subgraph {
        node [shape=parallelogram, timeout=300]
        build [tool_command="cargo build --release"]
    }
    gate [type="wait.human", question="Ship?"]
    review [max_agent_turns="10", llm_prompt="Review the diff for bugs", label=review]
    start [shape=Mdiamond]
    gate -> build [label="[N] No"]
    gate -> done [label="[Y] Yes"]
    review -> gate
    build -> {done} [when="outcome = 'failed'", priority=0]
    build -> review [condition="(outcome=succeeded)"]
    start -> build
}"#,
        expect![[r#""#]],
    );
}

#[test]
fn nodes_and_routes_are_added_and_removed() {
    let new = changed(&[
        (
            "    gate [shape=hexagon, prompt=\"Ship?\"]\n",
            "    deploy [shape=parallelogram, command=\"./deploy.sh prod\", label=\"To production\", max_retries=2]\n",
        ),
        (
            "    gate -> done [label=\"[Y] Yes\"]\n    gate -> build [label=\"[N] No\"]\n",
            "    deploy -> done\n",
        ),
        (
            "review -> gate",
            "review -> deploy [condition=\"outcome=success\", priority=2]",
        ),
    ]);
    check(
        RELEASE,
        &new,
        expect![[r#"
            pipeline release
              What it may do
                + deploy: command ./deploy.sh prod
              Nodes
                + deploy (tool, label="To production", max_retries=2)
                - gate (human_gate)
              Routes
                - review -> gate
                - gate -> build "[N] No"
                - gate -> done "[Y] Yes"
                + review -> deploy if outcome=success (priority=2)
                + deploy -> done
        "#]],
    );
}

#[test]
fn edges_change_in_place() {
    let new = changed(&[
        (
            "[condition=\"outcome=fail\"]",
            "[condition=\"outcome!=success\", priority=5]",
        ),
        ("[Y] Yes", "[S] Ship"),
    ]);
    check(
        RELEASE,
        &new,
        expect![[r#"
            pipeline release
              Routes
                ~ build -> done: condition outcome=fail → outcome!=success
                ~ build -> done if outcome!=success: priority 0 → 5
                ~ gate -> done: label [Y] Yes → [S] Ship
        "#]],
    );
}

#[test]
fn a_renamed_node_is_one_change() {
    let new = changed(&[
        ("build [", "compile ["),
        ("build ->", "compile ->"),
        ("-> build", "-> compile"),
    ]);
    check(
        RELEASE,
        &new,
        expect![[r#"
            pipeline release
              Nodes
                ~ compile (was build)
        "#]],
    );
    let new = changed(&[
        ("done", "finished"),
        ("gate", "ask"),
        ("Ship?", "Ship now?"),
    ]);
    check(
        RELEASE,
        &new,
        expect![[r#"
            pipeline release
              Nodes
                ~ ask (was gate)
                ~ finished (was done)
                ~ ask: prompt Ship? → Ship now?
        "#]],
    );
}

#[test]
fn references_follow_a_renamed_node() {
    check(
        "digraph { start -> plan -> code -> done; plan [prompt=\"Plan the whole work\"]; code [prompt=\"Write the code\", retry_target=plan, feedback_from=plan]; done [shape=Msquare] }",
        "digraph { start -> design -> code -> done; design [prompt=\"Plan the whole work\"]; code [prompt=\"Write the code\", retry_target=design, feedback_from=design]; done [shape=Msquare] }",
        expect![[r#"
            pipeline flow
              Nodes
                ~ design (was plan)
        "#]],
    );
}

#[test]
fn a_stylesheet_is_compared_by_its_effect() {
    let nodes =
        "start -> a -> b -> c; a [prompt=x]; b [prompt=y, class=hard]; c [prompt=z, model=own]";
    let with = |sheet: &str| format!("digraph {{ model_stylesheet=\"{sheet}\"; {nodes} }}");
    check(
        &with("* { model: small } .hard { model: large }"),
        &with(".hard { llm_model: large; } #a { model: small }"),
        expect![""],
    );
    check(
        &with("* { model: small } .hard { model: large }"),
        &with("* { model: tiny } .hard { model: large; temperature: 0.5 }"),
        expect![[r#"
            pipeline flow
              What it may do
                ~ a: model small → tiny
                + b: temperature 0.5
        "#]],
    );
}

#[test]
fn attributes_of_the_graph_are_compared_by_what_nodes_inherit() {
    let own = "digraph { goal=g; start -> a -> b; a [prompt=x, model=m]; b [prompt=y, model=m] }";
    let lifted = "digraph { goal=g; model=m; start -> a -> b; a [prompt=x]; b [prompt=y] }";
    check(own, lifted, expect![""]);
    check(
        lifted,
        &lifted.replace("model=m", "model=n"),
        expect![[r#"
        pipeline flow
          What it may do
            ~ model m → n
    "#]],
    );
    check(
        lifted,
        &lifted
            .replace("model=m", "model=n")
            .replace("prompt=y", "prompt=y, model=m"),
        expect![[r#"
            pipeline flow
              What it may do
                ~ model m → n
        "#]],
    );
}

#[test]
fn a_new_order_of_edges_is_shown_where_it_decides() {
    let old = "digraph { goal=g; start -> a; a [prompt=x]; a -> fix; a -> ship; fix [prompt=\"Fix what is broken\"]; ship [prompt=\"Ship what is there\"] }";
    check(
        old,
        &old.replace("fix", "zap"),
        expect![[r#"
            pipeline flow
              Nodes
                ~ zap (was fix)
              Routes
                ~ a: order of the edges zap, ship → ship, zap
        "#]],
    );
    let old = "digraph { goal=g; start -> a; a [prompt=x]; a -> b [condition=on_fail]; a -> c [condition=on_exhaust]; b [prompt=1]; c [prompt=2] }";
    check(
        old,
        &old.replace("prompt=x", "prompt=x, max_retries=2"),
        expect![[r#"
            pipeline flow
              What it may do
                + a: max_retries 2
              Routes
                ~ a: order of the edges b, c → c, b
        "#]],
    );
}

#[test]
fn kinds_starts_and_ends() {
    let old = "digraph { goal=g; s [start=true]; s -> a -> b; a [prompt=\"Do it\"]; b [prompt=\"Do more\"]; a -> s [condition=x] }";
    check(
        old,
        &old.replace("s [start=true]", "a [start=true]")
            .replace("b [", "b [handler=prompt, "),
        expect![[r#"
            pipeline flow
              Nodes
                ~ s: kind start → codergen
                ~ b: kind codergen → prompt
              Routes
                ~ start s → a
        "#]],
    );
    check(
        old,
        &old.replace("prompt=\"Do it\"", "prompt=\"Do it\", terminal=true"),
        expect![[r#"
            pipeline flow
              Routes
                ~ a: terminal false → true
        "#]],
    );
    check(
        old,
        &old.replace("prompt=\"Do it\"", "command=\"make all\""),
        expect![[r#"
        pipeline flow
          What it may do
            + a: command make all
          Nodes
            ~ a: kind codergen → tool
            - a: prompt Do it
    "#]],
    );
}

#[test]
fn pipelines_of_a_file_are_compared_by_name() {
    check(
        "digraph one { goal=1; start -> a } digraph two { goal=2; start -> b; b [command=\"make it\"] }",
        "digraph two { goal=3; start -> b; b [command=\"make it\"] } digraph three { goal=new; start -> x -> y; x [prompt=\"Think about it\"]; y [command=\"make all\"] }",
        expect![[r#"
            pipeline two
              Graph
                ~ goal 2 → 3
            pipeline three: added
              What it may do
                + y: command make all
              Nodes
                + start (start)
                + x (codergen, prompt="Think about it")
                + y (tool)
              Routes
                + start -> x
                + x -> y
              Graph
                + goal new
            pipeline one: removed
        "#]],
    );
    check(
        "digraph one { goal=1; start -> a -> b -> c } digraph two { goal=2; start -> b }",
        "digraph other { goal=1; start -> a -> b -> c } digraph two { goal=2; start -> b }",
        expect![[r#"
            pipeline other (was one)
        "#]],
    );
}

#[test]
fn broken_texts_are_compared_as_far_as_they_can_be_read() {
    check(
        "digraph g { goal=x; start -> a; a [prompt=\"Think\"] }",
        "digraph g { goal=x; start -> a; a [prompt=\"Think\", max_visits=3 b -> ",
        expect![[r#"
            pipeline g
              What it may do
                + a: max_visits 3
              Nodes
                + b (codergen)
        "#]],
    );
}
