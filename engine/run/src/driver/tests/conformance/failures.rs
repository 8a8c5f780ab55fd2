//! Failures that are noted, led on, or counted as a part of a success.

use super::*;

const FAILS: &[(&str, &[&str])] = &[("a", &["fail"])];

#[tokio::test]
async fn what_a_failure_means_is_the_authors_to_say() {
    walk_all(&[
        ("noted at the last node, it ends the run well whatever a target says", "retry_target=s; a [prompt=x, on_failure=continue]; s -> a", FAILS, "s a; outcome=fail"),
        ("noted, it takes the edge for failures first", "a [prompt=x, on_failure=continue]; b [prompt=x]; s -> a; a -> e; a -> b [condition=\"outcome=fail\"]; b -> e", FAILS, "s a b e"),
        ("noted where no edge holds, it is no success", "a [prompt=x, on_failure=continue]; s -> a; a -> e [condition=\"outcome=success\"]", FAILS, "s a !`a` failed (scripted failure), and no edge of `a` can be taken: `outcome=success` to `e` is false (outcome is \"fail\"). A dry run assumes success; script another outcome of `a`"),
        ("noted at a terminal node", "digraph main { s [shape=Mdiamond]; a [shape=Msquare, prompt=x, on_failure=continue]; s -> a }", FAILS, "s a"),
        ("succeed is a word for continue", "a [prompt=x, on_failure=succeed]; s -> a -> e", FAILS, "s a e"),
        ("for all nodes", "on_failure=succeed; a [prompt=x]; s -> a -> e", FAILS, "s a e"),
        ("the node's own word wins", "on_failure=continue; a [prompt=x, on_failure=exit]; s -> a -> e", FAILS, "s a !scripted failure"),
        ("continue_on_fail", "a [prompt=x, continue_on_fail=yes]; s -> a -> e", FAILS, "s a e"),
        ("runs_on=always", "a [prompt=x, runs_on=always]; s -> a -> e", FAILS, "s a e"),
        ("runs_on of the node after it changes nothing", "a [prompt=x]; b [prompt=x, runs_on=always]; s -> a -> b -> e", FAILS, "s a !scripted failure"),
        ("a gate wants a success, a note is none", "a [prompt=x, on_failure=continue, goal_gate=true]; s -> a -> e", FAILS, "s a e !goal gate `a` is unmet and no `retry_target` is set"),
        ("a part of a success is one for a gate", "a [prompt=x, max_retries=1, allow_partial=true, goal_gate=true]; s -> a -> e", FAILS, "s a e; node.a.outcome=partial_success"),
        ("without tries to use up there is no part", "a [prompt=x, allow_partial=true]; s -> a -> e", FAILS, "s a !scripted failure"),
        ("asking to be run again is using them up", "a [prompt=x, allow_partial=true]; s -> a -> e", &[("a", &["retry"])], "s a e; node.a.outcome=partial_success"),
        ("the reason is there for who comes next", "a [prompt=x]; b [prompt=x, var.seen=\"{failure_class} {failure_reason} {_failed_node}\"]; s -> a; a -> b [condition=\"outcome=fail\"]; b -> e", FAILS, "s a b e; seen=deterministic scripted failure a; failure_class=null; _failed_node=a"),
    ])
    .await;
}

/// A dry run sets nothing that work would have set; a node that waits for such a key is walked all the same.
#[tokio::test]
async fn a_dry_run_asks_for_no_results() {
    const DOT: &str =
        "a [prompt=x, output_key=plan]; b [prompt=y, requires=plan]; s -> a -> b -> e";
    walk_all(&[("what a node requires", DOT, &[], "s a b e")]).await;
    let bench = Harness::new();
    let missing = bench.launch(&file("b [prompt=y, requires=plan]; s -> b -> e"));
    assert_eq!(
        came(missing, "").await,
        "s b !`b` requires `plan` in the context, but no earlier node has set it"
    );
}
