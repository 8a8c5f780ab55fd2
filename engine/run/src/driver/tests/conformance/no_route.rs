//! A run never ends well without having reached an end: where no edge can be taken it fails, and says why.

use super::*;
use crate::FailureClass;

const HINT: &str = "A dry run assumes success; script another outcome of `a`";

#[tokio::test]
async fn without_an_edge_to_take_the_run_fails() {
    let line = |why: &str| format!("s a !no edge of `a` can be taken: {why}. {HINT}");
    let misspelt = line("`outcome=succes` to `e` is false (outcome is \"success\")");
    let both = line(
        "`x=1 and not y` to `b` is false (x is not set, y is not set); `score >= 7` to `e` is false (score is \"low\")",
    );
    let worn = format!(
        "s a a !no edge of `a` can be taken: the edge to `a` was already taken once (`max_visits`). {HINT}"
    );
    for (statements, expected) in [
        (
            "a [prompt=x]; s -> a; a -> e [condition=\"outcome=succes\"]",
            misspelt,
        ),
        (
            "a [prompt=x, var.score=low]; b [prompt=x]; s -> a; a -> e [condition=\"score >= 7\"]; a -> b [condition=\"x=1 and not y\"]; b -> e",
            both,
        ),
        ("a [prompt=x]; s -> a; a -> a [max_visits=1]", worn),
    ] {
        let report = walk(&file(statements), &[]).await;
        pretty(&expected, &shown(&report, &expected));
        let failure = report.failure.clone().unwrap();
        assert_eq!(failure.class, FailureClass::NoRoute);
        assert_eq!(value(&report, "failure_class"), "no_route");
        assert_eq!(report.exit_code(), 1);
    }
}

#[tokio::test]
async fn a_branch_or_a_sub_pipeline_that_gets_stuck_fails() {
    let found = walk(
        &file(
            "digraph main { ENDS call [shape=folder, sub_pipeline=child]; s -> call -> e } \
             digraph child { s [shape=Mdiamond]; w [prompt=x]; d [shape=Msquare]; s -> w; w -> d [condition=\"outcome=done\"] }",
        ),
        &[],
    )
    .await;
    let failure = found.failure.clone().unwrap();
    assert_eq!(failure.node.as_deref(), Some("call"));
    assert_eq!(failure.class, FailureClass::NoRoute);
    let found = walk(
        &file(
            "p [shape=component]; s -> p; p -> {a b}; a [prompt=x]; b [prompt=x]; j [shape=tripleoctagon]; a -> j; b -> j [condition=\"outcome=done\"]; j -> e",
        ),
        &[],
    )
    .await;
    assert_eq!(value(&found, "parallel.fail_count"), 1);
}

/// A parallel node whose edges are all branches has no way on and needs none.
#[tokio::test]
async fn a_fork_without_a_way_on_ends_the_run() {
    walk_all(&[(
        "branches that reach their own ends",
        "p [shape=component]; s -> p; p -> {a b}; a [prompt=x]; b [prompt=x]",
        &[],
        "s a b p",
    )])
    .await;
}
