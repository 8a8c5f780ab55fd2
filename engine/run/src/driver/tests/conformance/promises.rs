//! `verify` and `must_write` hold for every node, also where the engine does the work itself.

use super::*;

/// Runs for real, with everything approved.
async fn run_all(lines: &[(&str, &str, &str)]) {
    let mut found = Vec::new();
    let mut wanted = Vec::new();
    for (says, statements, expected) in lines {
        let bench = Harness::new();
        std::fs::write(bench.path().join("there"), "").unwrap();
        let mut launch = bench.launch(&file(statements));
        launch.answers = crate::AnswerPolicy::AutoApprove;
        found.push(format!("{says}: {}", came(launch, expected).await));
        wanted.push(format!("{says}: {expected}"));
    }
    pretty(&wanted.join("\n"), &found.join("\n"));
}

/// A parallel node, a sub-pipeline and a gate with `promise`.
macro_rules! with {
    (fork, $promise:literal) => {
        concat!("f [shape=component, max_parallel=1, ", $promise, "]; a [prompt=x]; b [prompt=y]; j [shape=tripleoctagon]; s -> f; f -> a -> j; f -> b -> j; j -> e")
    };
    (call, $promise:literal) => {
        concat!("digraph main { ENDS c [shape=folder, sub_pipeline=child, ", $promise, "]; s -> c -> e } digraph child { s [shape=Mdiamond]; w [prompt=x]; s -> w }")
    };
    (gate, $promise:literal) => {
        concat!("g [shape=hexagon, ", $promise, "]; s -> g -> e")
    };
}

#[tokio::test]
async fn what_is_promised_is_looked_at() {
    run_all(&[
        (
            "a fork whose file is missing",
            with!(fork, "must_write=nowhere"),
            "s a b f !it should have written nowhere (`must_write`)",
        ),
        (
            "a fork that keeps its promise continues where its branches meet",
            with!(fork, "must_write=there"),
            "s a b f j e",
        ),
        (
            "its results are its output",
            with!(fork, "verify=\"output_contains:[simulated] b: y\""),
            "s a b f j e",
        ),
        (
            "and may fail the check",
            with!(fork, "verify=\"output_contains:nothing\""),
            "s a b f !check `output_contains:nothing` failed",
        ),
        (
            "a sub-pipeline whose file is missing",
            with!(call, "must_write=nowhere"),
            "s s w c !it should have written nowhere (`must_write`)",
        ),
        (
            "a sub-pipeline that keeps its promise",
            with!(call, "verify=\"output_contains:w: x\""),
            "s s w c e",
        ),
        (
            "a gate whose file is missing",
            with!(gate, "must_write=nowhere"),
            "s g !it should have written nowhere (`must_write`)",
        ),
        (
            "a gate that keeps its promise",
            with!(gate, "verify=\"file_exists:there\""),
            "s g e; approved=true",
        ),
    ])
    .await;
}
