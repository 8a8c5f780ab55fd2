//! What a program may do with a run under way: look at it, and send messages to its nodes.

use std::time::{Duration, SystemTime};

use super::*;
use crate::clock::{SeededRng, TestClock};
use crate::handlers::{Execution, NodeHandler, NodeInput};
use crate::outcome::Outcome;

/// Ends with the first message it gets.
struct Listens;

impl NodeHandler for Listens {
    fn execute(&self, _: NodeInput<'_>) -> Execution {
        Execution::run(|env| async move {
            let message = env.message().await.text;
            Outcome::success().with("heard", message)
        })
    }
}

const LISTENS: &str = r#"digraph {
    s [shape=Mdiamond]; e [shape=Msquare]
    a [command="echo one", output_key="first"]; l [handler=listens]
    s -> a -> l -> e
}"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_message_reaches_the_running_node_and_the_journal() {
    let bench = Harness::new();
    let mut launch = bench.launch(LISTENS);
    launch.handlers.register("listens", Listens).unwrap();
    let plan = Plan::new(launch.pipeline.clone(), Vec::new());
    let handle = start(launch).await.unwrap();
    // Accepted once the node runs and reads.
    let accepted = loop {
        let steered = handle.steer("l", "to the left", "ada").await;
        if steered.accepted {
            break steered;
        }
        let reason = steered.reason.unwrap();
        assert!(
            ["`l` is not running", "`l` does not read messages"].contains(&reason.as_str()),
            "{reason}"
        );
        tokio::task::yield_now().await;
    };
    assert_eq!(accepted.reason, None);
    let report = handle.wait().await;
    assert_eq!(value(&report, "heard"), "to the left");
    assert!(kinds(&handle).contains(&"steering_injected".to_owned()));
    check_journal(&plan, &handle);
    let late = handle.steer("l", "to the right", "ada").await;
    assert_eq!(late.reason.as_deref(), Some("the run is over"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_run_shows_its_context_and_where_it_is() {
    let bench = Harness::new();
    let mut launch = bench.launch(LISTENS);
    launch.handlers.register("listens", Listens).unwrap();
    launch.inputs.insert("api_token".to_owned(), "tok-1".into());
    let handle = start(launch).await.unwrap();
    let now = loop {
        let now = handle.checkpoint().await;
        if now.current_node == "l" {
            break now;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(now.context["first"], "one\n");
    assert_eq!(now.context["api_token"], "[redacted]");
    assert_eq!(now.completed_nodes, ["s", "a"]);
    while !handle.steer("l", "on", "ada").await.accepted {
        tokio::task::yield_now().await;
    }
    handle.wait().await;
    let end = handle.checkpoint().await;
    assert_eq!((end.current_node.as_str(), end.next_node), ("e", None));
    assert_eq!(end.context["heard"], "on");
}

/// Waits, a delay before another attempt, and a limit of time, without waiting.
#[tokio::test(flavor = "multi_thread")]
async fn with_a_test_clock_an_hour_passes_at_once() {
    let bench = Harness::new();
    let dot = r#"digraph {
        s [shape=Mdiamond]; e [shape=Msquare]; max_pipeline_duration="3h"
        w [type=wait, duration="1h"]
        t [command="test -f second || { touch second; exit 1; }", max_retries=1, retry_delay="30m"]
        s -> w -> t -> e
    }"#;
    let mut launch = bench.launch(dot);
    let clock = TestClock::new(SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000));
    launch.clock = Arc::new(clock);
    launch.rng = Arc::new(SeededRng::new(1));
    let (report, handle) = finish(launch.clone()).await;
    assert_eq!(path(&report), "s w t e");
    let first = handle.events(0).first().map(|event| event.time.clone());
    assert_eq!(first.as_deref(), Some("2023-11-14T22:13:20.000Z"));
    let minutes = Duration::from_millis(report.duration_ms).as_secs() / 60;
    assert!((75..=110).contains(&minutes), "{minutes} minutes");

    let short = dot.replace("3h", "30m");
    launch.pipeline = bench.launch(&short).pipeline;
    let report = run(launch).await;
    assert_eq!(report.status, RunStatus::Fail);
    let minutes = Duration::from_millis(report.duration_ms).as_secs() / 60;
    assert_eq!(minutes, 30, "{report:?}");
}
