//! Runs that are paused by another process, and what of their time counts.

use std::time::Duration;

use futures::StreamExt;

use super::durable::resumed;
use super::*;
use crate::{ControlRequest, PauseRequest};

const BRANCHES: &str = r#"digraph {
    s [shape=Mdiamond]; e [shape=Msquare]; f [shape=component]; j [shape=tripleoctagon]
    a [command="echo a >> done.txt"]; b [command="while [ ! -e go ]; do sleep 0.02; done; echo b >> done.txt"]
    c [command="echo c >> done.txt"]; d [command="echo d >> done.txt"]
    s -> f; f -> a -> c -> j; f -> b -> d -> j; j -> e
}"#;

/// Waits for the first event that fits.
async fn until(handle: &RunHandle, fits: impl Fn(&EventKind) -> bool) {
    let mut events = std::pin::pin!(handle.subscribe(0));
    while let Some(event) = events.next().await {
        if fits(&event.kind) {
            return;
        }
    }
    panic!("the run ended before");
}

async fn ask(handle: &RunHandle, request: PauseRequest) -> crate::Answered {
    let directory = handle.directory().to_owned();
    let request = ControlRequest::Pausing(request);
    let patience = Duration::from_secs(10);
    let sent = tokio::task::spawn_blocking(move || crate::post(&directory, &request, patience));
    sent.await.unwrap().unwrap()
}

fn by() -> String {
    "other terminal".to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_branch_ends_its_step_and_the_next_waits() {
    let bench = Harness::new();
    let handle = start(bench.launch(BRANCHES)).await.unwrap();
    until(
        &handle,
        |event| matches!(event, EventKind::StageStarted { at, .. } if at.node == "b"),
    )
    .await;
    assert!(
        ask(&handle, PauseRequest::Pause { by: by() })
            .await
            .accepted
    );
    let again = ask(&handle, PauseRequest::Pause { by: by() }).await;
    assert_eq!(again.reason.as_deref(), Some("the run is already paused"));
    assert_eq!(handle.snapshot().state, RunState::Paused);
    std::fs::write(bench.path().join("go"), "").unwrap();
    until(
        &handle,
        |event| matches!(event, EventKind::StageCompleted { at, .. } if at.node == "b"),
    )
    .await;
    let done = bench.file("done.txt");
    assert!(done.contains('b') && !done.contains('d'), "{done}");
    // Another one holds the run; it continues from the journal.
    handle.interrupt("test");
    assert_eq!(handle.wait().await.status, RunState::Interrupted);
    let report = resumed(handle.directory(), bench.launch(BRANCHES))
        .await
        .unwrap();
    assert_eq!(report.status, RunState::Success, "{:?}", report.failure);
    let mut done: Vec<String> = bench.file("done.txt").lines().map(str::to_owned).collect();
    done.sort();
    assert_eq!(done, ["a", "b", "c", "d"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_pauses_on_entry_and_its_time_does_not_pass() {
    let bench = Harness::new();
    let mut launch = bench.launch(
        r#"digraph { max_pipeline_duration="700ms"; stall_timeout="300ms"; s [shape=Mdiamond]; e [shape=Msquare]; s -> a -> e; a [command="true"] }"#,
    );
    launch.points.entry = true;
    let handle = start(launch).await.unwrap();
    until(&handle, |event| {
        matches!(event, EventKind::PipelinePaused { .. })
    })
    .await;
    tokio::time::sleep(Duration::from_millis(1200)).await;
    let step = None;
    assert!(
        handle
            .pausing(PauseRequest::Continue { step, by: by() })
            .await
            .accepted
    );
    let report = handle.wait().await;
    assert_eq!(report.status, RunState::Success, "{:?}", report.failure);
    assert!(report.duration_ms < 700, "{}", report.duration_ms);
    let twice = handle
        .pausing(PauseRequest::Continue { step, by: by() })
        .await;
    assert!(!twice.accepted);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delay_does_not_pass_while_the_run_is_paused() {
    let bench = Harness::new();
    let handle = start(bench.launch(
        r#"digraph { s [shape=Mdiamond]; e [shape=Msquare]; s -> w -> e; w [shape=insulator, duration="500ms"] }"#,
    ))
    .await
    .unwrap();
    until(
        &handle,
        |event| matches!(event, EventKind::StageStarted { at, .. } if at.node == "w"),
    )
    .await;
    handle.pausing(PauseRequest::Pause { by: by() }).await;
    tokio::time::sleep(Duration::from_millis(900)).await;
    let ended = |event: &std::sync::Arc<crate::Event>| matches!(&event.kind, EventKind::StageCompleted { at, .. } if at.node == "w");
    assert!(!handle.events(0).iter().any(ended));
    let step = None;
    handle
        .pausing(PauseRequest::Continue { step, by: by() })
        .await;
    assert_eq!(handle.wait().await.status, RunState::Success);
}
