//! What an outcome leaves behind: completed nodes, keys of nodes, keys it deletes.

use super::*;

#[tokio::test]
async fn only_success_completes_a_node() {
    let dot = file(
        "goal_required_nodes=\"t, d, p\"; t [prompt=x, on_failure=route]; d [shape=diamond]; p [prompt=x]; \
         s -> t -> d; d -> p [condition=\"outcome=fail\"]; d -> e [condition=\"outcome=success\"]; p -> e",
    );
    let report = walk(&dot, &[("t", &["fail"]), ("p", &["partial_success"])]).await;
    assert_eq!(path(&report), "s t d p e");
    assert_eq!(report.completed_nodes, ["s", "d", "p", "e"]);
    assert_eq!(
        value(&report, "_completed_nodes"),
        &serde_json::json!(["s", "d", "p", "e"])
    );
    assert_eq!(
        value(&report, "_goal_gate_unmet"),
        &serde_json::json!(["node `t` was not completed"])
    );
}

#[tokio::test]
async fn every_key_of_a_node_is_there_under_its_name_until_it_is_deleted() {
    let bench = Harness::new();
    let dot = file(
        "a [command=\"echo one\"]; b [command=\"printf '{\\\"context_deletes\\\": [\\\"stdout\\\", \\\"kept\\\"]}'\", output_schema=routing, var.kept=x]; \
         c [command=\"echo {node.a.tool.last_line}\"]; s -> a -> b -> c -> e",
    );
    let report = run(bench.launch(&dot)).await;
    assert_eq!(value(&report, "node.a.stdout"), "one\n");
    assert_eq!(value(&report, "node.c.stdout"), "one\n");
    assert!(!report.context.contains_key("kept"));
    assert!(!report.context.contains_key("node.b.stdout"));
}

#[tokio::test]
async fn what_a_node_reports_neither_leaves_out_a_gate_nor_answers_it() {
    let bench = Harness::new();
    let reported = r#"{"next_node": "ship", "context_updates": {"approved": true, "human.gate.selected": "A", "node.t.outcome": "success", "lint.outcome": "success", "mine": 1}}"#;
    let dot = file(&format!(
        "t [command=\"exit 1\", on_failure=continue]; w [command=\"echo '{}'\", output_schema=routing]; g [shape=diamond]; ship [prompt=x]; \
         p [shape=component]; lint [prompt=x]; ask [shape=hexagon]; \
         s -> t -> w -> g; g -> ship [condition=\"human.gate.selected=A\"]; g -> e; ship -> p -> lint -> ask -> e",
        reported.replace('"', "\\\"")
    ));
    let report = run(bench.launch(&dot)).await;
    assert_eq!(path(&report), "s t w g e");
    for key in ["approved", "human.gate.selected", "lint.outcome"] {
        assert!(!report.context.contains_key(key), "{key}");
    }
    assert_eq!(value(&report, "node.t.outcome"), "fail");
    assert_eq!(value(&report, "mine"), 1);
}

#[tokio::test]
async fn a_fork_says_how_many_were_needed() {
    walk_all(&[(
        "k of n",
        "p [shape=component, join_policy=k_of_n, join_k=2]; s -> p; p -> {a b c}; a [prompt=x]; b [prompt=x]; c [prompt=x]; j [shape=tripleoctagon]; {a b c} -> j; j -> e",
        &[("a", &["fail"]), ("b", &["fail"])],
        "s a b p !2 of 3 branches must succeed (`join_policy`), but 2 failed; `a`: scripted failure",
    )])
    .await;
}

#[tokio::test]
async fn what_was_left_out_is_never_handed_on() {
    let bench = Harness::new();
    let dot = file(
        "a [command=\"head -c 9000000 /dev/zero | tr '\\\\0' x\"]; b [command=\"wc -c\", stdin_source=stdout]; s -> a -> b -> e",
    );
    let report = run(bench.launch(&dot)).await;
    let failure = report.failure.clone().unwrap();
    assert_eq!(failure.node.as_deref(), Some("b"));
    assert!(
        failure
            .reason
            .contains("standard input of `b` is incomplete"),
        "{}",
        failure.reason
    );
}
