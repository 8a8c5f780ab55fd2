//! What bounds a run, and what does not.

use super::*;

#[tokio::test]
async fn steps_and_visits() {
    walk_all(&[
        (
            "a limit of the run ends it inside of a supervisor too, and says so",
            "digraph main { max_steps=6; ENDS v [shape=house, sub_pipeline=child, max_iterations=50]; s -> v -> e } \
             digraph child { s [shape=Mdiamond]; w [prompt=x]; s -> w }",
            &[("w", &["fail"])],
            "s s w s w !step limit reached (`max_steps` = 6)",
        ),
        (
            "and in a branch",
            "max_steps=3; f [shape=component, max_parallel=1]; a [prompt=x]; a2 [prompt=x]; b [prompt=x]; j [shape=tripleoctagon]; \
             s -> f; f -> a -> a2 -> j; f -> b -> j; j -> e",
            &[],
            "s a !step limit reached (`max_steps` = 3)",
        ),
        (
            "a limit of visits fails its branch alone",
            "f [shape=component, max_parallel=1]; a [prompt=x, max_visits=1]; b [prompt=x]; j [shape=tripleoctagon]; \
             s -> f; f -> a; a -> a [condition=\"outcome=fail\"]; a -> j; f -> b -> j; j -> e",
            &[("a", &["fail"])],
            "s a b f j e; parallel.fail_count=1",
        ),
        (
            "zero visits are no limit",
            "max_node_visits=0; a [prompt=x, max_visits=0]; s -> a; a -> e [condition=\"outcome=success\"]; a -> a [condition=\"outcome=fail\", max_visits=0]",
            &[("a", &["fail", "fail", "success"])],
            "s a a a e",
        ),
        (
            "no time and no money is not a limit",
            "max_pipeline_duration=0; stall_timeout=0; max_cost=0; max_tokens_total=0; a [prompt=x, timeout=0]; s -> a -> e",
            &[],
            "s a e",
        ),
        (
            "a counted loop that is left early counts from the beginning when it is entered again",
            "l [shape=trapezium, loop_id=l, loop_max=2]; w [prompt=x]; m [shape=invtrapezium, loop_id=l]; fix [prompt=x]; \
             s -> l -> w; w -> m [condition=\"outcome=success\"]; w -> fix [condition=\"outcome=fail\"]; fix -> l; m -> e",
            &[("w", &["success", "fail", "success"])],
            "s l w m l w fix l w m l w m e",
        ),
    ])
    .await;
}

/// What ends a loop may stand at either of its ends; files are looked at after each round.
#[tokio::test(flavor = "multi_thread")]
async fn what_ends_a_loop_is_at_either_end() {
    const WORK: &str = "echo x >> n; test $(wc -l < n) -lt 3 || { touch ok; echo stop >> n; }";
    for (begin, end, rounds) in [
        ("loop_until_file=ok", "", 3),
        ("", "loop_until_file=ok", 3),
        ("loop_until_file_contains=\"n:stop\"", "loop_max=9", 3),
        ("loop_max=2", "loop_until_file=ok", 2),
        ("loop_while_outcome=fail", "", 1),
        ("loop_max=4, loop_while_outcome=success", "", 4),
    ] {
        let bench = Harness::new();
        let dot = file(&format!(
            "l [shape=trapezium, loop_id=l, {begin}]; w [command=\"{WORK}\"]; m [shape=invtrapezium, loop_id=l, {end}]; s -> l -> w -> m -> e"
        ));
        let expected = format!("s{} e", " l w m".repeat(rounds));
        pretty(&expected, &came(bench.launch(&dot), "").await);
    }
}

/// A run that a limit ended continues after what was done, not with it once more.
#[tokio::test]
async fn what_was_done_before_a_limit_is_not_done_again() {
    let bench = Harness::new();
    let dot = |steps: &str| {
        file(&format!(
            "max_steps={steps}; a [prompt=x]; b [prompt=x]; s -> a -> b -> e"
        ))
    };
    let (ended, handle) = finish(bench.launch(&dot("2"))).await;
    assert_eq!(
        shown(&ended, ""),
        "s a !step limit reached (`max_steps` = 2)"
    );
    let again = crate::resume(
        crate::ResumeFrom::Run(handle.directory().to_owned()),
        crate::Resume {
            changes: crate::Changes::Accept,
            ..crate::Resume::new(bench.launch(&dot("9")))
        },
    );
    let report = again.await.unwrap().wait().await;
    assert_eq!(shown(&report, ""), "s a b e");
}
