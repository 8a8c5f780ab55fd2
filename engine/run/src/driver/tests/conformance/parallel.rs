//! Branches: what they see, when they have done enough, what they bring back, which was best.

use super::*;

/// Two branches `a` and `b` of `f` that meet in `j`.
macro_rules! two {
    ($fork:literal, $a:literal, $b:literal, $join:literal) => {
        concat!(
            "f [shape=component ",
            $fork,
            "]; a [prompt=x ",
            $a,
            "]; b [prompt=x ",
            $b,
            "]; j [shape=tripleoctagon ",
            $join,
            "]; s -> f; f -> a -> j; f -> b -> j; j -> e"
        )
    };
}

/// Three branches, one after the other.
macro_rules! three {
    ($fork:literal, $join:literal) => {
        concat!(
            "f [shape=component, max_parallel=1 ",
            $fork,
            "]; a [prompt=x]; b [prompt=x]; c [prompt=x]; ",
            "j [shape=tripleoctagon ",
            $join,
            "]; s -> f; f -> a -> j; f -> b -> j; f -> c -> j; j -> e"
        )
    };
}

#[tokio::test]
async fn what_a_branch_sees_and_brings_back() {
    walk_all(&[
        (
            "a branch has a copy, and its keys come back under its name",
            "w [prompt=x, var.k=before]; f [shape=component, max_parallel=1]; a [prompt=x, var.k=fromA]; a2 [prompt=x, var.seen=\"{k}\"]; \
             b [prompt=x, var.seen=\"{k} {a.k:-none}\"]; j [shape=tripleoctagon]; s -> w -> f; f -> a -> a2 -> j; f -> b -> j; j -> e",
            &[],
            "s w a a2 b f j e; k=before; a.k=fromA; a.seen=fromA; b.k=null; b.seen=before none; a.last_stage=a2; a.outcome=success",
        ),
        (
            "what comes after the join sees the names with the branch",
            "f [shape=component, max_parallel=1]; a [prompt=x, var.k=A]; b [prompt=x, var.k=B]; j [shape=tripleoctagon]; \
             z [prompt=x, var.seen=\"{a.k}{b.k}{k:-none}\"]; s -> f; f -> a -> j; f -> b -> j; j -> z -> e",
            &[],
            "s a b f j z e; seen=ABnone",
        ),
        (
            "results hold what each branch gave out, and why one failed",
            two!(", max_parallel=1", "", "", ""),
            &[("b", &["fail"])],
            "s a b f j e; parallel_results={\"a\":\"would ask the model: x\",\"b\":{\"error\":\"scripted failure\"}}; \
             parallel.fail_count=1; parallel.success_count=1; node.f.outcome=partial_success",
        ),
        (
            "nodes that give out nothing hide nothing: a decision, the end of a loop, a bare end",
            "f [shape=component, max_parallel=1]; a [prompt=one]; d [shape=diamond]; l [shape=trapezium, loop_id=l, loop_max=2]; b [prompt=two]; \
             m [shape=invtrapezium, loop_id=l, loop_while_outcome=success]; j [shape=tripleoctagon]; \
             s -> f; f -> a -> d; d -> j; f -> l -> b -> m -> j; j -> e",
            &[],
            "s a d l b m l b m f j e; parallel_results={\"a\":\"would ask the model: one\",\"l\":\"would ask the model: two\"}; output.m=null",
        ),
        (
            "keys of the engine stay in the branch, those that only look like them do not",
            two!("", ", var.retries_left=3, var.current_node_name=x", "", ""),
            &[],
            "s a b f j e; a.retries_left=3; a.current_node_name=x; a.retries=null; a.current_node=null; a.internal.node_visit_count=null",
        ),
        (
            "a branch ends at a terminal node too, and its work is done there",
            "f [shape=component, max_parallel=1]; a [prompt=x]; b [prompt=x]; e2 [shape=Msquare, prompt=last]; s -> f; f -> a -> e; f -> b -> e2",
            &[],
            "s a e b e2 f; b.last_stage=e2",
        ),
    ])
    .await;
}

#[tokio::test]
async fn when_branches_have_done_enough() {
    const A: &[(&str, &[&str])] = &[("a", &["fail"])];
    const ALL: &[(&str, &[&str])] = &[("a", &["fail"]), ("b", &["fail"]), ("c", &["fail"])];
    walk_all(&[
        (
            "the fan-in may hold the policy",
            three!("", ", join_policy=first_success"),
            A,
            "s a b f j e",
        ),
        (
            "the parallel node wins",
            three!(", join_policy=first_success", ", join_policy=wait_all"),
            A,
            "s a b f j e",
        ),
        (
            "any is first_success",
            three!(", join_policy=any", ""),
            &[],
            "s a f j e",
        ),
        (
            "all is wait_all",
            three!(", join_policy=all", ""),
            &[],
            "s a b c f j e",
        ),
        (
            "spaces and capitals do not count",
            three!(", join_policy=\" First_Success \"", ""),
            &[],
            "s a f j e",
        ),
        (
            "k of n at the fan-in",
            three!("", ", join_policy=k_of_n, min_success=2"),
            &[],
            "s a b f j e",
        ),
        (
            "k of n without a number is all of them",
            three!(", join_policy=k_of_n", ""),
            A,
            "s a f !3 of 3 branches must succeed (`join_policy`), but 1 failed; `a`: scripted failure",
        ),
        (
            "a quorum without a share is half",
            three!(", join_policy=quorum", ""),
            &[],
            "s a b f j e",
        ),
        (
            "a quorum at the fan-in",
            three!("", ", join_policy=quorum, quorum_fraction=0.9"),
            &[],
            "s a b c f j e",
        ),
        (
            "fail_fast at the fan-in",
            three!("", ", error_policy=fail_fast"),
            A,
            "s a f !1 of 3 branches failed; `a`: scripted failure",
        ),
        (
            "nobody succeeded",
            three!("", ""),
            ALL,
            "s a b c f !3 of 3 branches failed; `a`: scripted failure",
        ),
        (
            "failures are ignored, and the fan-in has nothing to choose",
            three!(", error_policy=ignore", ""),
            ALL,
            "s a b c f j !every branch failed; node.f.outcome=success",
        ),
        (
            "ignored, some remain",
            three!(", error_policy=ignore", ""),
            A,
            "s a b c f j e; node.f.outcome=success",
        ),
        (
            "a failure that is only noted continues where they would have met",
            three!(", on_failure=continue", ", on_failure=continue"),
            ALL,
            "s a b c f j e; node.f.outcome=fail",
        ),
        (
            "and so does one that is led on",
            three!(
                ", on_failure=route, error_policy=fail_fast, retry_target=s",
                ""
            ),
            A,
            "s a f j !every branch failed",
        ),
        (
            "first_success that nobody brings",
            three!(", join_policy=first_success", ""),
            ALL,
            "s a b c f !1 of 3 branches must succeed (`join_policy`), but 3 failed; `a`: scripted failure",
        ),
    ])
    .await;
}

#[tokio::test]
async fn which_branch_was_best() {
    const B: &[(&str, &[&str])] = &[("b", &["fail"])];
    walk_all(&[
        ("the higher score", two!("", ", var.score=3", ", var.score=10", ""), &[], "s a b f j e; parallel.fan_in.best_id=b"),
        ("the key of the score", two!("", ", var.points=3, var.score=9", ", var.points=10", ", score_key=points"), &[], "s a b f j e; parallel.fan_in.best_id=b"),
        ("the result before the score", two!("", ", var.score=3", ", var.score=10", ""), B, "s a b f j e; parallel.fan_in.best_id=a"),
        ("then the name", two!("", "", "", ""), &[], "s a b f j e; parallel.fan_in.best_id=a; parallel.fan_in.best_outcome=success"),
        (
            "a success before a part of one",
            two!("", ", max_retries=1, allow_partial=true", "", ""),
            &[("a", &["retry"])],
            "s b a f j e; parallel.fan_in.best_id=b",
        ),
        (
            "a failure that is led to the join is one there",
            two!("", ", on_failure=route", "", ""),
            &[("a", &["fail"])],
            "s a b f j e; parallel.fan_in.best_id=b; parallel.fail_count=1",
        ),
        (
            "a failure that is only noted is none",
            two!("", ", on_failure=continue", "", ""),
            &[("a", &["fail"])],
            "s a b f j e; parallel.fan_in.best_id=a; parallel.fail_count=0",
        ),
        (
            "a branch that fixes its failure has succeeded",
            "f [shape=component, max_parallel=1]; a [prompt=x]; fix [prompt=x]; b [prompt=x]; j [shape=tripleoctagon]; \
             s -> f; f -> a; a -> j [condition=\"outcome=success\"]; a -> fix [condition=\"outcome=fail\"]; fix -> j; f -> b -> j; j -> e",
            &[("a", &["fail"])],
            "s a fix b f j e; parallel.fan_in.best_id=a; parallel.fail_count=0",
        ),
        (
            "all are led to the join, and it says that all failed",
            two!("", ", on_failure=route", ", on_failure=route", ""),
            &[("a", &["fail"]), ("b", &["fail"])],
            "s a b f j !every branch failed; parallel.fail_count=2; parallel.fan_in.best_outcome=fail",
        ),
    ])
    .await;
}
