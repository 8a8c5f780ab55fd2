//! Time: what it bounds, in which order, and what is not a waiting for nothing. The clock is not real.

use std::time::Duration;

use attractor_machine::event::AgentProgress;
use futures::future::BoxFuture;

use super::*;
use crate::backend::agent_activity::AgentActivity;
use crate::backend::{
    BackendError, BackendRegistry, CodergenBackend, CodergenRequest, CodergenResponse, Progress,
};

/// Runs each pipeline for real, on a clock that jumps.
async fn run_all(lines: &[(&str, &str, &str)]) {
    let mut found = Vec::new();
    let mut wanted = Vec::new();
    for (says, statements, expected) in lines {
        let bench = Harness::new();
        let came = came(bench.launch(&file(statements)), expected).await;
        found.push(format!("{says}: {came}"));
        wanted.push(format!("{says}: {expected}"));
    }
    pretty(&wanted.join("\n"), &found.join("\n"));
}

/// A pipeline that is called and takes an hour.
const HOUR: &str = "digraph hour { s [shape=Mdiamond]; w [duration=1h]; s -> w }";

#[tokio::test(start_paused = true)]
async fn every_kind_of_node_keeps_its_time() {
    let calls = |kind: &str, timeout: &str| {
        format!(
            "digraph main {{ ENDS c [shape={kind}, sub_pipeline=hour, timeout={timeout}]; s -> c -> e }} {HOUR}"
        )
    };
    let (late, ever) = (calls("folder", "10m"), calls("folder", "2h"));
    let (turns, quick) = (calls("house", "10m"), calls("house", "2h"));
    run_all(&[
        ("a wait", "w [duration=1h, timeout=10m]; s -> w -> e", "s w !timed out after 10m (`timeout`)"),
        ("a sub-pipeline", &late, "s s c !timed out after 10m (`timeout`); failure_class=timeout"),
        ("in time", &ever, "s s w c e"),
        ("a supervisor, all turns together", &turns, "s s c !timed out after 10m (`timeout`)"),
        ("in time", &quick, "s s w c e"),
        (
            "a parallel node with all its branches",
            "f [shape=component, timeout=10m]; a [duration=1m]; b [duration=1h]; j [shape=tripleoctagon]; s -> f; f -> a -> j; f -> b -> j; j -> e",
            "s a f !timed out after 10m (`timeout`); a.outcome=null",
        ),
        (
            "it fails like any node: routed",
            "f [shape=component, branches=\"a, b\", timeout=10m]; a [duration=1m]; b [duration=1h]; j [shape=tripleoctagon]; z [prompt=x]; \
             s -> f -> j; a -> j; b -> j; j -> e; f -> z [condition=\"failure_class=timeout\"]; z -> e",
            "s a f z e",
        ),
        (
            "or tried again",
            "f [shape=component, timeout=10m, max_retries=1]; a [duration=1h]; b [duration=1h]; j [shape=tripleoctagon]; s -> f; f -> a -> j; f -> b -> j; j -> e",
            "s f !timed out after 10m (`timeout`); internal.retry_count.f=1",
        ),
        (
            "the inner one first",
            "f [shape=component, timeout=20m]; a [duration=1h, timeout=10m]; b [duration=15m]; j [shape=tripleoctagon]; s -> f; f -> a -> j; f -> b -> j; j -> e",
            "s a b f j e; parallel.fail_count=1",
        ),
        (
            "a default for every node is for pieces of work",
            "node [timeout=10m]; f [shape=component]; a [duration=1h]; b [duration=1h]; j [shape=tripleoctagon]; s -> f; f -> a -> j; f -> b -> j; j -> e",
            "s a b f j e",
        ),
        ("zero is not a limit", "w [duration=1h, timeout=0]; s -> w -> e", "s w e"),
    ])
    .await;
}

#[tokio::test(start_paused = true)]
async fn the_run_keeps_its_time() {
    run_all(&[
        ("all of it", "max_pipeline_duration=1h; a [duration=40m]; b [duration=40m]; s -> a -> b -> e", "s a !time limit of the run reached: 1h (`max_pipeline_duration`)"),
        ("branches use the same time", "max_duration=1h; f [shape=component]; a [duration=40m]; b [duration=40m]; j [shape=tripleoctagon]; s -> f; f -> a -> j; f -> b -> j; j -> e", "s a b f j e"),
        ("the sooner of both", "max_pipeline_duration=1h; stall_timeout=30m; a [duration=2h]; s -> a -> e", "s !stalled: no activity for 30m (`stall_timeout`)"),
        ("a step is something that happens", "stall_timeout=30m; a [duration=20m]; b [duration=20m]; s -> a -> b -> e", "s a b e"),
        ("so is a step of another branch", "stall_timeout=30m; f [shape=component]; a [duration=40m]; b [duration=20m]; c [duration=10m]; j [shape=tripleoctagon]; s -> f; f -> a -> j; f -> b -> c -> j; j -> e", "s b c a f j e"),
        ("zero is not a limit", "max_pipeline_duration=0; stall_timeout=0; a [duration=2h]; s -> a -> e", "s a e"),
    ])
    .await;
}

/// Waiting for a person is not a stall; the gate's own time counts.
#[tokio::test(start_paused = true)]
async fn a_gate_may_wait_longer_than_a_stall() {
    let bench = Harness::new();
    let mut launch = bench.launch(&file(
        "stall_timeout=30m; g [shape=hexagon, timeout=2h, human.default_choice=yes]; a [prompt=x]; s -> g; g -> a [label=Yes]; g -> e [label=No]; a -> e",
    ));
    launch.answers = crate::AnswerPolicy::Ask;
    assert_eq!(came(launch, "").await, "s g a e");
}

/// Writes a line every ten minutes for an hour.
struct Talker;

impl CodergenBackend for Talker {
    fn name(&self) -> &'static str {
        "talker"
    }

    fn run(
        &self,
        _request: CodergenRequest,
        progress: Arc<dyn Progress>,
    ) -> BoxFuture<'static, Result<CodergenResponse, BackendError>> {
        Box::pin(async move {
            for _ in 0..6 {
                tokio::time::sleep(Duration::from_mins(10)).await;
                progress.text("still here\n");
            }
            Ok(CodergenResponse::default())
        })
    }
}

/// What is written while a node works is something that happens.
#[tokio::test(start_paused = true)]
async fn output_is_not_a_stall() {
    let bench = Harness::new();
    for (limit, expected) in [
        ("15m", "s a e"),
        ("5m", "s !stalled: no activity for 5m (`stall_timeout`)"),
    ] {
        let mut launch = bench.launch(&file(&format!(
            "stall_timeout={limit}; a [prompt=x]; s -> a -> e"
        )));
        launch.mode = Mode::Run;
        launch.backends = BackendRegistry::of(Talker);
        assert_eq!(came(launch, "").await, expected);
    }
}

/// Works for an hour, and reports every ten minutes how far it is.
struct Reporter {
    /// Whether it does something in between that is not shown, such as reasoning.
    is_active: bool,
}

impl CodergenBackend for Reporter {
    fn name(&self) -> &'static str {
        "reporter"
    }

    fn run(
        &self,
        _request: CodergenRequest,
        progress: Arc<dyn Progress>,
    ) -> BoxFuture<'static, Result<CodergenResponse, BackendError>> {
        let is_active = self.is_active;
        Box::pin(async move {
            for report in 1..=6 {
                tokio::time::sleep(Duration::from_mins(10)).await;
                let idle_seconds = if is_active {
                    1.0
                } else {
                    f64::from(report) * 600.0
                };
                progress.activity(AgentActivity::Progress(AgentProgress {
                    turns: 1,
                    idle_seconds,
                    ..AgentProgress::default()
                }));
            }
            Ok(CodergenResponse::default())
        })
    }
}

/// A report about progress is not an activity: what counts is when the agent last did something.
#[tokio::test(start_paused = true)]
async fn progress_of_an_idle_agent_is_a_stall() {
    let bench = Harness::new();
    for (is_active, expected) in [
        (true, "s a e"),
        (false, "s !stalled: no activity for 25m (`stall_timeout`)"),
    ] {
        let mut launch = bench.launch(&file("stall_timeout=25m; a [prompt=x]; s -> a -> e"));
        launch.mode = Mode::Run;
        launch.backends = BackendRegistry::of(Reporter { is_active });
        assert_eq!(came(launch, "").await, expected);
    }
}

/// A run that continues in another process continues with the remaining time, not with all of it.
#[tokio::test(start_paused = true)]
async fn time_that_is_used_stays_used() {
    for statements in [
        "f [shape=component, timeout=10m]; a [duration=1h]; b [duration=1h]; j [shape=tripleoctagon]; s -> f; f -> a -> j; f -> b -> j; j -> e".to_owned(),
        format!("digraph main {{ ENDS c [shape=folder, sub_pipeline=hour, timeout=10m]; s -> c -> e }} {HOUR}"),
    ] {
        let bench = Harness::new();
        let dot = file(&statements);
        let handle = start(bench.launch(&dot)).await.unwrap();
        tokio::time::sleep(Duration::from_mins(4)).await;
        handle.interrupt("test");
        handle.wait().await;
        let again = crate::resume(
            crate::ResumeFrom::Run(handle.directory().to_owned()),
            crate::Resume::new(bench.launch(&dot)),
        );
        let report = again.await.unwrap().wait().await;
        let reason = report.failure.clone().unwrap().reason;
        assert_eq!(reason, "timed out after 10m (`timeout`)");
        let took = Duration::from_millis(report.duration_ms);
        assert_eq!(took.as_secs() / 60, 10, "{took:?}");
    }
}
