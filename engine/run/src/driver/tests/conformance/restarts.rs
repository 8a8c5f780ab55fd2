//! `loop_restart`: the run starts over from a node, with what it was given.

use super::*;

/// `a` looks at the context, `b` writes to it, `c` sends the run back once.
macro_rules! twice {
    ($graph:literal) => {
        concat!(
            $graph, "a [prompt=x, var.seen=\"{note:-none} {kept:-none}\"]; b [prompt=x, var.note=old, var.kept=yes]; c [prompt=x]; ",
            "s -> a -> b -> c; c -> e [condition=\"outcome=success\"]; c -> a [condition=\"outcome=fail\", loop_restart=true]"
        )
    };
}

#[tokio::test]
async fn a_restart_begins_with_what_the_run_was_given() {
    const ONCE: &[(&str, &[&str])] = &[("c", &["fail", "success"])];
    walk_all(&[
        ("the context is fresh", twice!(""), ONCE, "s a b c a b c e; seen=none none; _failed_node=null; internal.node_visit_count=1"),
        ("but for the keys that are kept", twice!("loop_restart_persist_keys=\"kept, more\"; "), ONCE, "s a b c a b c e; seen=none true"),
        ("goal and variables stay", twice!("goal=\"to $word\"; vars=\"word=work\"; "), ONCE, "s a b c a b c e; graph.goal=to work; word=work"),
        (
            "a gate that is not reached again does not count",
            "a [prompt=x, goal_gate=true]; b [prompt=x]; s -> a -> b; b -> e; b -> b [condition=\"outcome=fail\", loop_restart=true]",
            &[("b", &["fail", "success"])],
            "s a b b e",
        ),
        (
            "tries begin again",
            "a [prompt=x, max_retries=1]; b [prompt=x]; s -> a; a -> e [condition=\"outcome=success\"]; a -> a [condition=\"outcome=fail\", loop_restart=true]; b -> e",
            &[("a", &["fail", "fail", "fail", "success"])],
            "s a a e",
        ),
        (
            "visits do not, so that a limit ends it",
            "a [prompt=x, max_visits=2]; s -> a; a -> e [condition=\"outcome=success\"]; a -> a [condition=\"outcome=fail\", loop_restart=true]",
            &[("a", &["fail"])],
            "s a a !visit limit of `a` reached (`max_visits` = 2)",
        ),
        (
            "a sub-pipeline's context is its caller's and stays",
            "digraph main { ENDS call [shape=folder, sub_pipeline=child, var.mine=1]; s -> call -> e } \
             digraph child { s [shape=Mdiamond]; w [prompt=x, var.seen=\"{mine} {note:-none}\"]; z [prompt=x, var.note=n]; s -> w -> z; z -> w [condition=\"outcome=fail\", loop_restart=true]; z -> d [condition=\"outcome=success\"]; d [shape=Msquare] }",
            &[("z", &["fail", "success"])],
            "s s w z w z d call e; seen=1 n",
        ),
    ])
    .await;
}

/// An edge without `loop_restart` leaves everything as it is.
#[tokio::test]
async fn a_plain_way_back_keeps_the_context() {
    walk_all(&[(
        "kept",
        "a [prompt=x, var.seen=\"{note:-none}\"]; b [prompt=x, var.note=old]; s -> a -> b; b -> e [condition=\"outcome=success\"]; b -> a [condition=\"outcome=fail\"]",
        &[("b", &["fail", "success"])],
        "s a b a b e; seen=old",
    )])
    .await;
}
